"""Declarations of retrievers made of others: parts resolved, hashed, and refused in one line."""

import pytest

from isogloss.errors import EncoderError, SettingsError
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.derived import Approximate, Centred, Fusion, Rerank

NGRAMS = "kind: char-ngrams\ndimension: 64\nshortest: 2\nlongest: 3\nlicence: mit\n"
FILES = {
    "ngrams": NGRAMS,
    "bm25": "kind: full-text\nlicence: mit\n",
    "fused": "kind: fusion\nmodels: [ngrams, bm25]\nmethod: rrf\nlicence: mit\n",
    "centred": "kind: centred\nmodel: ngrams\nlicence: mit\n",
    "approximate": "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: [1, 2]\nlicence: mit\n",
    "translated": (
        "kind: query-translation\nmodel: bm25\ninto: [en]\ntranslator: t\nlicence: mit\n"
    ),
    "reranked": (
        "kind: rerank\nfirst: fused\ntop: 10\n"
        "scorer: {kind: encoder, model: ngrams}\nlicence: mit\n"
    ),
}


@pytest.fixture
def models(tmp_path):
    for name, content in FILES.items():
        (tmp_path / f"{name}.yaml").write_text(content)
    return tmp_path


def test_parts_are_named_and_their_releases_hashed(models):
    read = {name: read_declaration(models / f"{name}.yaml") for name in FILES}
    assert read["fused"].parts == ("ngrams", "bm25")
    assert read["centred"].parts == read["approximate"].parts == ("ngrams",)
    assert read["reranked"].parts == ("fused", "ngrams")
    assert read["reranked"].made_of == {
        "fused": read["fused"].release,
        "ngrams": read["ngrams"].release,
    }
    assert set(read["translated"].made_of) == {"bm25", "prompt"}
    assert len({one.release for one in read.values()}) == len(read)
    assert not any(read[name].dense for name in set(FILES) - {"ngrams"})


def test_a_changed_part_changes_every_release_above_it_and_no_other(models):
    before = {name: read_declaration(models / f"{name}.yaml").release for name in FILES}
    (models / "ngrams.yaml").write_text(NGRAMS.replace("longest: 3", "longest: 4"))
    after = {name: read_declaration(models / f"{name}.yaml").release for name in FILES}
    changed = {name for name in FILES if before[name] != after[name]}
    assert changed == {"ngrams", "fused", "centred", "approximate", "reranked"}
    (models / "ngrams.yaml").write_text(NGRAMS + "note: another\n")
    assert {n: read_declaration(models / f"{n}.yaml").release for n in FILES} == before


REFUSED = {
    "kind: fusion\nmodels: [bm25, nowhere]\nmethod: rrf\n": "part .*nowhere.yaml: no such model",
    "kind: fusion\nmodels: [bm25, bm25]\nmethod: rrf\n": "models: .*bm25 is named twice",
    "kind: fusion\nmodels: [bm25, ngrams]\nmethod: vote\n": "method: must be one of rrf, ",
    "kind: fusion\nmodels: [bm25, ngrams]\nmethod: rrf\nweights: [1.0, 0.0]\n": "weights.1: ",
    "kind: fusion\nmodels: [bm25, odd]\nmethod: rrf\n": r"odd: is made of itself \(odd of odd\)",
    "kind: fusion\nmodels: [bm25, ngrams]\nmethod: rrf\nmade_of: {}\n": "made_of: unknown key",
    "kind: centred\nmodel: bm25\n": "bm25: makes no vectors of its own, which kind centred needs",
    "kind: centred\nmodel: ngrams\nfewest: 1\n": "fewest: ",
    "kind: approximate\nmodel: bm25\nlists: 4\nprobes: 1\n": "which kind approximate needs",
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: 5\n": (
        "probes: 5 is more than there are lists, 4"
    ),
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: [2, 1]\n": (
        r"probes: must ascend, are \[2, 1\]"
    ),
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: [2, 2]\n": "probes: must ascend",
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: []\n": "probes: must hold at least 1 item",
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: [0, 1]\n": "probes.0: must be at least 1",
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: true\n": "probes: must be a list",
    "kind: approximate\nmodel: ngrams\nlists: 0\nprobes: 1\n": "lists: must be at least 1, is 0",
    "kind: approximate\nmodel: ngrams\nlists: 4\n": "probes: is missing",
    "kind: approximate\nmodel: ngrams\nlists: 4\nprobes: 1\nseed: -1\n": "seed: must be at least 0",
    "kind: rerank\nfirst: bm25\ntop: 5\nscorer: {kind: encoder, model: fused}\n": "no vectors",
    "kind: rerank\nfirst: ngrams\ntop: 5\nscorer: {kind: encoder, model: ngrams}\n": (
        "ngrams is the first stage already"
    ),
    "kind: rerank\nfirst: bm25\ntop: 1001\nscorer: {kind: encoder, model: ngrams}\n": "top: ",
    "kind: query-translation\nmodel: fused\ninto: [en]\ntranslator: t\n": (
        "fused: takes no text, it is made of other models"
    ),
    "kind: query-translation\nmodel: bm25\ninto: [eng]\ntranslator: t\n": "'eng' is no ISO 639-1",
    "kind: query-translation\nmodel: bm25\ninto: [en, en]\ntranslator: t\n": "one of them twice",
    "kind: query-translation\nmodel: bm25\ninto: []\ntranslator: t\n": "names no language",
}


@pytest.mark.parametrize(("content", "told"), REFUSED.items())
def test_what_cannot_be_made_is_refused_in_one_line(models, content, told):
    path = models / "odd.yaml"
    path.write_text(f"{content}licence: mit\n")
    with pytest.raises(SettingsError, match=told) as error:
        read_declaration(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_one_number_of_probes_is_a_list_of_one(models):
    path, text = models / "odd.yaml", FILES["approximate"]
    path.write_text(text.replace("[1, 2]", "2"))
    single = read_declaration(path)
    path.write_text(text.replace("[1, 2]", "[2]"))
    assert isinstance(single, Approximate)
    assert single.probes == [2]
    # Whatever the ranking or a figure depends on makes another release.
    releases = {single.release, read_declaration(models / "approximate.yaml").release}
    for one in ("lists: 5", "seed: 7\nlists: 4"):
        path.write_text(text.replace("[1, 2]", "[2]").replace("lists: 4", one))
        releases.add(read_declaration(path).release)
    assert len(releases) == 4


def test_more_lists_than_documents_name_key_and_number(models):
    declared = read_declaration(models / "approximate.yaml")
    assert isinstance(declared, Approximate)
    declared.refuse_small_pool("tiny", 4)
    with pytest.raises(SettingsError) as error:
        declared.refuse_small_pool("tiny", 3)
    assert str(error.value) == (
        "models/approximate.yaml: lists: 4 is more than the 3 documents of tiny; declare at most 3"
    )


def test_none_of_the_sample_is_approximate(root):
    """Offered, never the default: whoever wants it names it under run.derived."""
    from isogloss.project import find_project

    run = find_project(root).settings.run
    sample = {*run.models, *(one.model for one in run.derived.values())}
    kinds = {key: type(read_declaration(root / f"models/{key}.yaml")) for key in sample}
    assert Approximate not in kinds.values()
    assert isinstance(read_declaration(root / "models/use-approximate.yaml"), Approximate)


def test_a_circle_is_refused(models):
    (models / "a.yaml").write_text(
        "kind: rerank\nfirst: b\ntop: 5\nscorer: {kind: encoder, model: ngrams}\nlicence: mit\n"
    )
    (models / "b.yaml").write_text("kind: fusion\nmodels: [a, bm25]\nmethod: rrf\nlicence: mit\n")
    with pytest.raises(SettingsError, match=r"a: is made of itself \(a of b of a\)"):
        read_declaration(models / "a.yaml")


def test_a_cross_encoder_without_a_revision_says_what_to_pin(root):
    from isogloss.retrieval.cross_encoder import load_cross_encoder

    declared = read_declaration(root / "models" / "bge-m3-reranked.yaml")
    assert isinstance(declared, Rerank)
    with pytest.raises(
        EncoderError, match=r"revision is null; pin the commit hash of BAAI/bge-reranker-v2-m3"
    ):
        load_cross_encoder(declared)


def test_those_of_the_sample_are_what_params_say(root):
    from isogloss.project import find_project

    derived = find_project(root).settings.run.derived
    kinds = {type(read_declaration(root / f"models/{one.model}.yaml")) for one in derived.values()}
    assert {Fusion, Centred, Rerank} <= kinds
    for one in derived.values():
        declared = read_declaration(root / f"models/{one.model}.yaml")
        assert tuple(one.parts) == declared.parts
