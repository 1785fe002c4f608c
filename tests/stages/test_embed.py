import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from isogloss.benchmark import (
    Document,
    DocumentMetadata,
    Query,
    QueryMetadata,
    read_benchmark,
    write_benchmark,
)
from isogloss.errors import (
    BenchmarkError,
    DataError,
    EncoderError,
    StoreError,
    UsageError,
    VersionMismatchError,
)
from isogloss.project import Project
from isogloss.retrieval.manifest import read_manifest
from isogloss.retrieval.retrieve import is_stored, retrieve
from isogloss.retrieval.store import VectorStore
from isogloss.settings import RunSettings, Settings
from isogloss.stages import embed

NGRAMS = "kind: char-ngrams\ndimension: 256\nshortest: 2\nlongest: 4\nlicence: mit\n"
BM25 = "kind: full-text\nlicence: mit\n"
FAMILIES = {
    "F1": {"en": "a catalyst for ammonia synthesis", "de": "ein Katalysator für Ammoniak"},
    "F2": {"en": "a polymer film", "zh": "一种聚合物薄膜"},
    "F3": {"fr": "un procédé de séparation de l'huile", "en": "a process for oil separation"},
}


def documents(families):
    return [
        Document(f"{family}-{language}", DocumentMetadata(language, family), text=text)
        for family, versions in families.items()
        for language, text in versions.items()
    ]


def queries(families):
    return [
        Query(f"q-{family}", next(iter(versions.values()))[:20], QueryMetadata("en", family))
        for family, versions in families.items()
    ]


def write(project, families):
    docs = documents(families)
    qrels = [(f"q-{d.metadata.family}", d.id, 1) for d in docs]
    write_benchmark(project.benchmark("tiny"), docs, queries(families), qrels)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models/ngrams.yaml").write_text(NGRAMS)
    (tmp_path / "models/bm25.yaml").write_text(BM25)
    project = Project(tmp_path, Settings(run=RunSettings()))
    write(project, FAMILIES)
    return project


def rank(project, model):
    benchmark = read_benchmark(project.benchmark("tiny"))
    manifest = read_manifest(project.manifest("tiny", model))
    return benchmark, retrieve(project.store_uri, manifest, benchmark)


@pytest.mark.parametrize("model", ["ngrams", "bm25"])
def test_what_is_embedded_is_retrieved(project, model):
    embed.run(project, "tiny", model)
    benchmark, ranking = rank(project, model)
    for row, query in enumerate(benchmark.queries):
        best = benchmark.documents[ranking.documents[row, 0]]
        assert best.metadata.family == query.metadata.family
    assert (ranking.scores[:, :-1] >= ranking.scores[:, 1:]).all()


def test_the_manifest_says_what_was_sent(project):
    embed.run(project, "tiny", "ngrams")
    manifest = read_manifest(project.manifest("tiny", "ngrams"))
    assert manifest.dataset_version == read_benchmark(project.benchmark("tiny")).version
    assert manifest.documents.sent.id == "F1-de"
    assert manifest.documents.sent.text == "ein Katalysator für Ammoniak"
    assert manifest.queries.sent.text == "a catalyst for ammon"
    assert (manifest.documents.rows, manifest.queries.rows) == (6, 3)
    assert manifest.dimension == 256
    assert manifest.documents.truncated is None


def test_prompts_stand_in_the_manifest(project):
    (project.model("prompted")).write_text(
        NGRAMS + 'prompts: {query: "query: ", document: "passage: "}\n'
    )
    embed.run(project, "tiny", "prompted")
    manifest = read_manifest(project.manifest("tiny", "prompted"))
    assert manifest.queries.sent.text == "query: a catalyst for ammon"
    assert manifest.documents.sent.text == "passage: ein Katalysator für Ammoniak"


def test_truncated_shares_by_language_come_from_the_store(project, root):
    write(project, {**FAMILIES, "F4": {"en": "word " * 300, "de": "Wort"}})
    project.model("minilm").write_bytes((root / "models/minilm-l6-en.yaml").read_bytes())
    embed.run(project, "tiny", "minilm", device="cpu")
    path = project.manifest("tiny", "minilm")
    shares = read_manifest(path).documents.truncated
    assert shares == {"de": 0.0, "en": 0.25, "fr": 0.0, "zh": 0.0}
    before = path.read_bytes()
    path.unlink()
    embed.run(project, "tiny", "minilm", device="cpu")
    assert path.read_bytes() == before


def test_a_second_run_changes_no_byte_and_computes_nothing(project, capsys):
    embed.run(project, "tiny", "ngrams")
    before = project.manifest("tiny", "ngrams").read_bytes()
    capsys.readouterr()
    embed.run(project, "tiny", "ngrams")
    assert project.manifest("tiny", "ngrams").read_bytes() == before
    out = capsys.readouterr().out
    assert "document texts: 0 embedded, 6 reused, 0 deleted" in out
    assert "query texts: 0 embedded, 3 reused, 0 deleted" in out


@pytest.mark.parametrize(("model", "done"), [("ngrams", "embedded"), ("bm25", "indexed")])
def test_reused_is_what_the_store_held_and_repeats_are_told_apart(project, capsys, model, done):
    write(project, {f"F{n}": {"en": f"text {n % 2}", "de": "immer gleich"} for n in range(4)})
    embed.run(project, "tiny", model)
    said = f"document texts: 3 {done}, 0 reused, 0 deleted, 5 repeating a text {done} now\n"
    assert said in capsys.readouterr().out
    embed.run(project, "tiny", model)
    assert f"document texts: 0 {done}, 8 reused, 0 deleted\n" in capsys.readouterr().out


def spoil_manifest(project, side, **changes):
    path = project.manifest("tiny", "ngrams")
    content = json.loads(path.read_text())
    (content if side is None else content[side]).update(changes)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("side", "changes", "said"),
    [
        ("documents", {"rows": 7}, "holds 6 rows, the manifest says 7"),
        ("queries", {"rows": 0}, "holds 3 rows, the manifest says 0"),
        ("documents", {"digest": "0" * 64}, "other texts than the manifest says"),
        ("documents", {"sent": {"id": "F1-de", "text": "x"}}, "another text was sent for F1-de"),
        (None, {"dimension": 255}, "dimension is 256, not 255"),
    ],
)
def test_an_altered_manifest_is_held_against_the_store(project, side, changes, said):
    embed.run(project, "tiny", "ngrams")
    spoil_manifest(project, side, **changes)
    with pytest.raises(StoreError, match=f"{said}.*; run isogloss embed tiny ngrams"):
        rank(project, "ngrams")


def test_vectors_that_nobody_wrote_are_damage(project):
    embed.run(project, "tiny", "ngrams")
    store = VectorStore(project.store_uri)
    manifest = read_manifest(project.manifest("tiny", "ngrams"))
    table = store._open(manifest.documents.table)
    table.update(where="id = 'F1-de'", values={"vector": [2.0] + [0.0] * 255})
    table.tags.update(manifest.tag, table.version)
    with pytest.raises(StoreError, match=r"1 vectors have not length 1 \(F1-de\).*delete "):
        rank(project, "ngrams")


@pytest.mark.parametrize("model", ["ngrams", "bm25"])
def test_a_damaged_table_offers_the_way_out_to_embed_and_retrieve(project, model):
    embed.run(project, "tiny", model)
    table = read_manifest(project.manifest("tiny", model)).documents.table
    folder = f"{project.store_uri}/{table}.lance"
    for path in (project.root / folder / "_versions").iterdir():
        path.write_bytes(path.read_bytes()[:50])
    said = f"delete {folder} and run isogloss embed tiny {model}"
    for use in (lambda: embed.run(project, "tiny", model), lambda: rank(project, model)):
        with pytest.raises(StoreError) as error:
            use()
        assert said in str(error.value)
    shutil.rmtree(project.root / folder)
    embed.run(project, "tiny", model)
    rank(project, model)


def test_an_added_family_embeds_exactly_its_documents(project, capsys):
    embed.run(project, "tiny", "ngrams")
    first = read_manifest(project.manifest("tiny", "ngrams"))
    added = {"en": "a dye", "de": "ein Farbstoff", "fr": "un colorant"}
    write(project, {**FAMILIES, "F4": added})
    capsys.readouterr()
    embed.run(project, "tiny", "ngrams")
    assert "document texts: 3 embedded, 6 reused, 0 deleted" in capsys.readouterr().out
    old = VectorStore(project.store_uri).read(first.documents.table, first.tag)
    assert [key[:2] for key in old.ids] == ["F1", "F1", "F2", "F2", "F3", "F3"]


def test_a_store_without_the_tag_is_filled_again(project):
    embed.run(project, "tiny", "ngrams")
    manifest = read_manifest(project.manifest("tiny", "ngrams"))
    _, before = rank(project, "ngrams")
    elsewhere = Project(project.root, Settings(run=RunSettings(), lancedb={"uri": "clone"}))
    assert not is_stored(elsewhere.store_uri, manifest)
    with pytest.raises(StoreError, match="run isogloss embed again"):
        rank(elsewhere, "ngrams")
    embed.restore(elsewhere, manifest)
    assert is_stored(elsewhere.store_uri, manifest)
    _, after = rank(elsewhere, "ngrams")
    np.testing.assert_array_equal(before.documents, after.documents)
    np.testing.assert_array_equal(before.scores, after.scores)


def test_vectors_of_another_dataset_version_are_refused(project):
    embed.run(project, "tiny", "ngrams")
    write(project, {**FAMILIES, "F4": {"en": "a dye"}})
    with pytest.raises(VersionMismatchError, match="run isogloss embed tiny ngrams"):
        rank(project, "ngrams")
    manifest = read_manifest(project.manifest("tiny", "ngrams"))
    with pytest.raises(StoreError, match="have changed since"):
        embed.restore(project, manifest)


@pytest.mark.parametrize(("model", "blank"), [("ngrams", ""), ("bm25", " \n")])
def test_texts_without_text_are_refused_by_id(project, model, blank):
    write(project, {**FAMILIES, "F5": {"en": "a thing", "de": blank}})
    with pytest.raises(BenchmarkError, match=r"1 documents or queries .*\(F5-de\)"):
        embed.run(project, "tiny", model)


@pytest.mark.parametrize(
    ("benchmark", "model", "said"),
    [
        ("none", "ngrams", "no such benchmark"),
        ("tiny", "nix", "no such model; there are: bm25"),
        ("../x", "a", "key"),
    ],
)
def test_unknown_names_are_usage_errors(project, benchmark, model, said):
    with pytest.raises(UsageError, match=said):
        embed.run(project, benchmark, model)


@pytest.mark.parametrize("model", ["ngrams", "bm25"])
@pytest.mark.parametrize("device", ["tpu", "gpu", ""])
def test_a_device_that_is_none_is_refused_though_nothing_needs_it(project, model, device):
    embed.run(project, "tiny", model)
    with pytest.raises(UsageError, match=f"device '{device}': .*accepted are auto, cpu"):
        embed.run(project, "tiny", model, device)


@pytest.mark.parametrize("model", ["ngrams", "minilm"])
def test_a_device_that_is_not_there_is_named_and_nothing_is_written(project, root, model):
    import torch

    shutil.copy(root / "models" / "minilm-l6-en.yaml", project.model("minilm"))
    absent = f"cuda:{torch.cuda.device_count()}"
    with pytest.raises(EncoderError, match=f"device {absent}: cannot be used here .*say cpu"):
        embed.run(project, "tiny", model, absent)
    assert not project.manifest("tiny", model).exists()
    assert VectorStore(project.store_uri).names() == []


@pytest.mark.skipif("__import__('torch').cuda.is_available()", reason="auto takes another here")
def test_auto_is_the_processor_where_there_is_nothing_else(project, root):
    shutil.copy(root / "models" / "minilm-l6-en.yaml", project.model("minilm"))
    written = []
    for device in ("cpu", "auto"):
        shutil.rmtree(project.store_uri, ignore_errors=True)
        embed.run(project, "tiny", "minilm", device)
        manifest = read_manifest(project.manifest("tiny", "minilm"))
        read = VectorStore(project.store_uri).read(manifest.documents.table, manifest.tag)
        written.append((project.manifest("tiny", "minilm").read_bytes(), read.vectors.tobytes()))
    assert written[0] == written[1]


def test_a_text_without_any_ngram_is_refused_and_nothing_is_written(project):
    project.model("long").write_text(NGRAMS.replace("2\n", "50\n").replace("4\n", "60\n"))
    with pytest.raises(EncoderError, match=r"long: 6 of 6 vectors .*\(F"):
        embed.run(project, "tiny", "long")
    assert not project.manifest("tiny", "long").exists()


def test_a_spoiled_manifest_is_named(project):
    embed.run(project, "tiny", "ngrams")
    path = project.manifest("tiny", "ngrams")
    content = json.loads(path.read_text())
    del content["tag"]
    path.write_text(json.dumps(content))
    with pytest.raises(DataError, match=r"ngrams\.json.*tag"):
        read_manifest(path)


@pytest.mark.parametrize("model", ["ngrams", "bm25"])
def test_retrieving_loads_no_model(project, model):
    embed.run(project, "tiny", model)
    code = f"""
import sys
from pathlib import Path
from isogloss.benchmark import read_benchmark
from isogloss.retrieval.manifest import read_manifest
from isogloss.retrieval.retrieve import retrieve
retrieve({project.store_uri!r}, read_manifest(Path({str(project.manifest("tiny", model))!r})),
         read_benchmark(Path({str(project.benchmark("tiny"))!r})))
assert "torch" not in sys.modules and "sentence_transformers" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
