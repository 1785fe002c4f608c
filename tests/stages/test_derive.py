"""Retrievers made of others, through the real stages: embed, evaluate, compare, prune, releases."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tracked_projects import BENCHMARK, empty_database, make_project

from isogloss.benchmark import read_benchmark
from isogloss.errors import DataError, SettingsError, UsageError, VersionMismatchError
from isogloss.llm.faults import MissingKeyError, OfflineError
from isogloss.project import Project, find_project
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.derived_manifest import DerivedManifest, read_any_manifest
from isogloss.retrieval.ranking import Ranking
from isogloss.retrieval.run_file import read_run
from isogloss.retrieval.store import VectorStore
from isogloss.stages import check, compare, embed, evaluate, leaderboard, prune, releases
from isogloss.tracking.store import open_store
from llm.loopback import Answer, Call, Loopback, answer
from tiny_bert import REVISION

WORDS = {"de": "Säure", "en": "acid", "zh": "酸类"}
MODELS = {
    "fused": "kind: fusion\nmodels: [char-ngrams, bm25]\nmethod: rrf\n",
    "weighted": (
        "kind: fusion\nmodels: [char-ngrams, bm25]\nmethod: min-max\nweights: [0.3, 0.7]\n"
    ),
    "centred": "kind: centred\nmodel: char-ngrams\nquery_mean: queries\n",
    "reranked": "kind: rerank\nfirst: fused\ntop: 5\nscorer: {kind: encoder, model: char-ngrams}\n",
    "translated": ("kind: query-translation\nmodel: bm25\ninto: documents\ntranslator: gpt-5.5\n"),
    "pivot": ("kind: query-translation\nmodel: char-ngrams\ninto: [en]\ntranslator: gpt-5.5\n"),
}
DERIVED = {"fused": "char-ngrams, bm25", "reranked": "fused, char-ngrams", "translated": "bm25"}


def lay_out(root: Path) -> Project:
    make_project(root)
    lines = "".join(
        f"    {BENCHMARK}--{model}: {{benchmark: {BENCHMARK}, model: {model}, parts: [{parts}]}}\n"
        for model, parts in DERIVED.items()
    )
    params = (root / "params.yaml").read_text("utf-8")
    params = params.replace("pools:", f"  derived:\n{lines}pools:")
    (root / "params.yaml").write_text(params, "utf-8")
    for key, content in MODELS.items():
        (root / "models" / f"{key}.yaml").write_text(f"{content}licence: mit\n", "utf-8")
    return find_project(root)


def dictionary(project: Project) -> dict[tuple[str, str], str]:
    """The word of each language for a word of another: families share a place in the lists."""
    words: dict[str, dict[str, str]] = {}
    for document in read_benchmark(project.benchmark(BENCHMARK)).documents:
        meta = document.metadata
        words.setdefault(meta.family, {})[meta.language] = document.content.split()[0]
    return {
        (by_language[source], target): by_language[target]
        for by_language in words.values()
        for source in by_language
        for target in by_language
    }


NAMES = {"German": "de", "English": "en", "Simplified Chinese": "zh"}


def translator(project: Project):
    known = dictionary(project)

    def behave(call: Call) -> Answer:
        system, user = (turn["content"] for turn in call.json["messages"])
        target = next(
            code for name, code in NAMES.items() if f"Translate it into {name} " in system
        )
        text = user.split("\n")[1]
        return answer(json.dumps({"translation": known[text, target]}, ensure_ascii=False))

    return behave


def asking(project: Project, url: str) -> Project:
    model = project.settings.chat.translator.model_copy(
        update={"base_url": url, "api_key_env": None}
    )
    chat = project.settings.chat.model_copy(update={"translator": model})
    return Project(project.root, project.settings.model_copy(update={"chat": chat}))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Everything embedded and evaluated once; tests must leave it as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.delenv("OPENAI_API_KEY", raising=False)
        project = lay_out(tmp_path_factory.mktemp("derive"))
        for key in ("bm25", "char-ngrams"):
            embed.run(project, BENCHMARK, key)
        with Loopback(translator(project)) as server:
            for key in MODELS:
                embed.run(asking(project, server.url), BENCHMARK, key)
        for key in ("bm25", "char-ngrams", *MODELS):
            evaluate.run(project, BENCHMARK, key)
        yield project


@pytest.fixture
def copy(made: Project, tmp_path: Path) -> Project:
    """The same project elsewhere, with an empty tracking store."""
    for folder in ("benchmark", "embeddings", "lancedb", "models", "recordings", "results"):
        shutil.copytree(made.root / folder, tmp_path / folder)
    shutil.copy(made.root / "params.yaml", tmp_path)
    (tmp_path / "mlflow.db").write_bytes(empty_database())
    return Project(tmp_path, made.settings)


def ranked(project: Project, model: str) -> Ranking:
    benchmark = read_benchmark(project.benchmark(BENCHMARK), BENCHMARK)
    return read_run(project.results(BENCHMARK, model) / "run.trec.gz", benchmark)


def metrics(project: Project, model: str) -> dict[str, Any]:
    path = project.results(BENCHMARK, model) / "metrics.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_kind_has_all_metrics_and_files(made: Project) -> None:
    keys = set(metrics(made, "bm25"))
    for model in MODELS:
        assert set(metrics(made, model)) - {"notes"} == keys - {"notes"}
        names = set(files(made.results(BENCHMARK, model)))
        assert {"language_preference.csv", "figures/language_preference.png"} <= names
        assert ("reranking.csv" in names) == (model == "reranked")


def test_fusion_is_that_of_the_written_runs(made: Project) -> None:
    """By loops over the two run files: nothing but ranks decides."""
    parts, fused = [ranked(made, key) for key in ("char-ngrams", "bm25")], ranked(made, "fused")
    for row in range(len(fused.documents)):
        totals: dict[int, float] = {}
        for part in parts:
            for rank, document in enumerate(part.documents[row].tolist(), start=1):
                if document >= 0:
                    totals[document] = totals.get(document, 0.0) + 1 / (60 + rank)
        order = sorted(totals, key=lambda document: (-round(totals[document], 9), document))
        assert [d for d in fused.documents[row].tolist() if d >= 0] == order


def test_centring_is_that_of_the_stored_vectors(made: Project) -> None:
    benchmark = read_benchmark(made.benchmark(BENCHMARK), BENCHMARK)
    release = read_declaration(made.model("char-ngrams")).release
    store = VectorStore(made.store_uri)
    sides = {}
    for side, items in (("documents", benchmark.documents), ("queries", benchmark.queries)):
        vectors = store.read(f"{BENCHMARK}.{release}.{side}", benchmark.version).vectors
        languages = np.array([item.metadata.language for item in items])
        wide = vectors.astype(np.float64)
        for language in set(languages):
            wide[languages == language] -= wide[languages == language].mean(axis=0)
        sides[side] = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    cosines = sides["queries"] @ sides["documents"].T
    centred = ranked(made, "centred")
    found = np.take_along_axis(cosines, centred.documents.astype(int), axis=1)
    assert centred.scores == pytest.approx(found, abs=1e-6)
    assert (np.diff(found, axis=1) < 1e-6).all()


def test_re_ranking_changes_the_top_only_and_stays_under_its_ceiling(made: Project) -> None:
    first, again = ranked(made, "fused"), ranked(made, "reranked")
    assert (first.documents[:, 5:] == again.documents[:, 5 : first.documents.shape[1]]).all()
    for before, after in zip(first.documents[:, :5], again.documents[:, :5], strict=True):
        assert set(before.tolist()) == set(after.tolist())
    path = made.results(BENCHMARK, "reranked") / "reranking.csv"
    with path.open(encoding="utf-8") as content:
        rows = {row["figure"]: row for row in csv.DictReader(content)}
    assert float(rows["rrc_at_10"]["reranked"]) == metrics(made, "reranked")["rrc_at_10"]
    assert float(rows["rrc_at_10"]["first"]) == metrics(made, "fused")["rrc_at_10"]
    for row in rows.values():
        assert float(row["reranked"]) <= float(row["ceiling"])


def test_translated_queries_find_what_words_alone_do_not(made: Project) -> None:
    assert metrics(made, "bm25")["recall_at_10/cross"] < 0.5
    assert metrics(made, "translated")["recall_at_10/cross"] == 1.0
    manifest = read_any_manifest(made.manifest(BENCHMARK, "translated"))
    assert isinstance(manifest, DerivedManifest)
    assert manifest.translations is not None
    assert manifest.translations["zh"]["f01:en:q"] == WORDS["zh"]
    assert manifest.translations["en"]["f01:en:q"] == WORDS["en"]
    recorded = made.recording(f"{BENCHMARK}.translated", "translate-queries")
    # Ten German and ten English queries, each into two other languages.
    assert len(recorded.read_text("utf-8").splitlines()) == 40


def test_an_encoder_reads_each_translation_once_and_own_queries_never_again(
    made: Project, copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = read_any_manifest(made.manifest(BENCHMARK, "pivot"))
    assert isinstance(manifest, DerivedManifest)
    assert manifest.queries is not None
    assert manifest.queries.rows == 10  # Ten German queries; the ten English ones have vectors.
    embed.run(copy, BENCHMARK, "pivot", offline=True)
    assert "pivot query texts: 0 embedded, 10 reused" in capsys.readouterr().out
    benchmark = read_benchmark(made.benchmark(BENCHMARK), BENCHMARK)
    pivot, plain = ranked(made, "pivot"), ranked(made, "char-ngrams")
    for at, query in enumerate(benchmark.queries):
        if query.metadata.language == "en":
            assert pivot.documents[at].tolist() == plain.documents[at].tolist()


def test_again_offline_gives_the_same_bytes(made: Project, copy: Project) -> None:
    for model in MODELS:
        embed.run(copy, BENCHMARK, model, offline=True)
        evaluate.run(copy, BENCHMARK, model)
        assert files(copy.results(BENCHMARK, model)) == files(made.results(BENCHMARK, model))
    assert files(copy.root / "embeddings") == files(made.root / "embeddings")


def test_a_fresh_clone_computes_what_its_store_lacks(made: Project, copy: Project) -> None:
    shutil.rmtree(copy.root / "lancedb")
    shutil.rmtree(copy.root / "recordings")
    for model in ("pivot", "reranked"):
        evaluate.run(copy, BENCHMARK, model)
        assert files(copy.results(BENCHMARK, model)) == files(made.results(BENCHMARK, model))


def test_what_is_not_recorded_is_named_in_one_line(
    copy: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    shutil.rmtree(copy.root / "recordings")
    told = r"no recording of request [0-9a-f]{12} \(translate-query/de-en, model gpt-5.5\) and 39 m"
    with pytest.raises(MissingKeyError, match=told) as error:
        embed.run(copy, BENCHMARK, "translated")
    assert "OPENAI_API_KEY" in str(error.value)
    with pytest.raises(OfflineError, match=told) as offline:
        embed.run(copy, BENCHMARK, "translated", offline=True)
    for line in (str(error.value), str(offline.value)):
        assert "\n" not in line
        assert "translated.translate-queries.jsonl" in line
    path = copy.model("translated")
    path.write_text(path.read_text("utf-8").replace("gpt-5.5", "another"), "utf-8")
    with pytest.raises(OfflineError, match="model another"):
        embed.run(copy, BENCHMARK, "translated")


def test_another_part_is_another_release_and_refused_until_embedded(copy: Project) -> None:
    path = copy.model("char-ngrams")
    path.write_text(path.read_text("utf-8").replace("shortest: 2", "shortest: 3"), "utf-8")
    with pytest.raises(VersionMismatchError, match=r"release .*isogloss embed .*fused"):
        evaluate.run(copy, BENCHMARK, "fused")
    with pytest.raises(VersionMismatchError, match="isogloss embed tiny-title char-ngrams"):
        embed.run(copy, BENCHMARK, "fused")
    copy.manifest(BENCHMARK, "char-ngrams").unlink()
    with pytest.raises(DataError, match=r"char-ngrams\.json: no such manifest"):
        embed.run(copy, BENCHMARK, "fused")


def test_runs_are_told_apart_by_their_translations(made: Project, copy: Project) -> None:
    """The same release with other recorded translations is another evaluation."""
    path = copy.manifest(BENCHMARK, "translated")
    content = json.loads(path.read_text("utf-8"))
    content["translations"]["zh"]["f01:en:q"] = "盐类"
    path.write_text(json.dumps(content), "utf-8")
    evaluate.run(copy, BENCHMARK, "translated")
    prints = [
        json.loads((one.results(BENCHMARK, "translated") / "identity.json").read_text("utf-8"))
        for one in (made, copy)
    ]
    assert prints[0]["release"] == prints[1]["release"]
    assert prints[0]["fingerprint"] != prints[1]["fingerprint"]


def test_the_run_tells_languages_texts_and_parts(made: Project) -> None:
    client = open_store(made).client
    experiment = client.get_experiment_by_name(f"retrieval/{BENCHMARK}")
    assert experiment is not None
    runs = {run.data.tags["model"]: run for run in client.search_runs([experiment.experiment_id])}
    assert set(runs) == {"bm25", "char-ngrams", *MODELS}
    run = runs["translated"]
    assert run.data.metrics["own_language_preference_at_10"] > 0
    assert run.data.params["model.made_of.bm25"] == read_declaration(made.model("bm25")).release
    stored = Path(client.download_artifacts(run.info.run_id, ""))
    assert (stored / "prompts/bm25.query.txt").is_file()
    assert (stored / "language_preference.csv").is_file()


def test_compare_takes_each_where_it_is_and_tells_the_ceiling(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    compare.run(copy)
    leaderboard.run(copy)
    board = capsys.readouterr().out
    assert "own language in the top 10, times its share of the pool: bm25" in board
    assert "reranked: RRC@10" in board
    content = json.loads((copy.comparison / "comparison.json").read_text("utf-8"))
    models = set(content["benchmarks"][BENCHMARK]["significance"]["recall_at_10"])
    assert models == {"bm25", "char-ngrams", *DERIVED}
    assert set(content["pools"]["tiny"]["models"]) == models


def test_prune_and_releases_take_them_as_they_are(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    before = VectorStore(copy.store_uri).names()
    prune.run(copy, yes=True)
    assert VectorStore(copy.store_uri).names() == before
    assert "dropped" not in capsys.readouterr().out
    with pytest.raises(UsageError, match="fused: is fusion of char-ngrams, bm25 and has no vector"):
        releases.run(copy, "char-ngrams", "char-ngrams", "fused", BENCHMARK)
    with pytest.raises(UsageError, match="isogloss compare"):
        releases.run(copy, "fused", "HEAD", "HEAD", BENCHMARK)


def test_check_holds_params_against_declarations(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    params = (copy.root / "params.yaml").read_text("utf-8")

    def faults(text: str) -> list[str]:
        (copy.root / "params.yaml").write_text(text, "utf-8")
        with pytest.raises(DataError):
            check.run(find_project(copy.root))
        told = capsys.readouterr().out.splitlines()
        return [line for line in told if line.startswith("fault: run.")]

    (one,) = faults(params.replace("parts: [char-ngrams, bm25]", "parts: [bm25]"))
    assert "fused: parts are bm25, but models/fused.yaml is made of char-ngrams, bm25" in one
    (one,) = faults(params.replace("models: [bm25, char", "models: [centred, bm25, char"))
    assert "run.models: centred is made of char-ngrams; name it under run.derived" in one
    wrong = params.replace(f"{BENCHMARK}--fused:", f"{BENCHMARK}--fusion:")
    (copy.root / "params.yaml").write_text(wrong, "utf-8")
    with pytest.raises(SettingsError, match=f"must be called {BENCHMARK}--fused"):
        find_project(copy.root)
    wrong = params.replace("parts: [bm25]", "parts: [labse]")
    (copy.root / "params.yaml").write_text(wrong, "utf-8")
    with pytest.raises(SettingsError, match=r"part labse is neither under run.models nor derived"):
        find_project(copy.root)


CROSS = """
kind: rerank
first: bm25
top: 4
scorer:
  kind: cross-encoder
  name: {folder}
  revision: {revision}
  max_length: 24
licence: mit
"""


def cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A tiny BERT that scores pairs, with random weights."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(3)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{x}" for x in "abcdefghijklmnopqrstuvwxyz")]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join([*words, *letters]))
    config = BertConfig(
        vocab_size=len(words) + len(letters),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
        num_labels=labels,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_a_cross_encoder_scores_each_pair_once_and_its_scores_decide(
    copy: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sentence_transformers import CrossEncoder

    folder = cross_encoder(tmp_path / "cross")
    content = CROSS.format(folder=folder, revision=REVISION)
    copy.model("crossed").write_text(content, "utf-8")
    embed.run(copy, BENCHMARK, "crossed")
    first = ranked(copy, "bm25")
    pairs = int((first.documents[:, :4] >= 0).sum())
    assert f"crossed pairs: {pairs} scored, 0 reused" in capsys.readouterr().out
    evaluate.run(copy, BENCHMARK, "crossed")
    again = ranked(copy, "crossed")
    benchmark = read_benchmark(copy.benchmark(BENCHMARK), BENCHMARK)
    model = CrossEncoder(str(folder), max_length=24, device="cpu")
    for row, query in enumerate(benchmark.queries):
        head = [d for d in first.documents[row, :4].tolist() if d >= 0]
        texts = [(query.text, benchmark.documents[d].content) for d in head]
        scores = model.predict(texts, activation_fn=torch.nn.Identity())
        expected = [d for _, d in sorted(zip((-scores).tolist(), head, strict=True))]
        assert again.documents[row, : len(head)].tolist() == expected
    embed.run(copy, BENCHMARK, "crossed")
    assert f"crossed pairs: 0 scored, {pairs} reused" in capsys.readouterr().out
    before = files(copy.results(BENCHMARK, "crossed"))
    shutil.rmtree(copy.root / "lancedb")
    evaluate.run(copy, BENCHMARK, "crossed")
    assert files(copy.results(BENCHMARK, "crossed")) == before


def test_a_model_that_was_not_trained_to_rank_is_refused(copy: Project, tmp_path: Path) -> None:
    from isogloss.errors import EncoderError
    from tiny_bert import tiny_bert

    (tmp_path / "plain").mkdir()
    for folder, told in (
        (cross_encoder(tmp_path / "two", labels=2), "gives 2 scores for a pair, one is wanted"),
        (tiny_bert(tmp_path / "plain", 1), "lack weights"),
    ):
        content = CROSS.format(folder=folder, revision=REVISION)
        copy.model("crossed").write_text(content, "utf-8")
        with pytest.raises(EncoderError, match=told):
            embed.run(copy, BENCHMARK, "crossed")
    content = CROSS.format(folder=folder, revision="null")
    copy.model("crossed").write_text(content, "utf-8")
    with pytest.raises(EncoderError, match=r"scorer.revision is null; pin the commit hash"):
        embed.run(copy, BENCHMARK, "crossed")
