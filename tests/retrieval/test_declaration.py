import pytest

from isogloss.errors import SettingsError, UsageError
from isogloss.retrieval.declaration import HubModel, PackagedModel, read_declaration
from isogloss.retrieval.sending import sent_text, text_hash

HUB = """
kind: hub
name: some/model
revision: 0123456789abcdef0123456789abcdef01234567
dimension: 8
prompts: {query: "query: ", document: "passage: "}
pooling: mean
max_length: 64
licence: mit
"""


def declare(tmp_path, text, name="tiny"):
    path = tmp_path / f"{name}.yaml"
    path.write_text(text, "utf-8")
    return path


def test_every_declaration_of_the_repository_is_valid_and_of_its_own_release(root):
    declared = [read_declaration(path) for path in sorted((root / "models").glob("*.yaml"))]
    assert len({model.release for model in declared}) == len(declared) == 22
    hub = {model.name: model for model in declared if isinstance(model, HubModel)}
    assert len(hub) == 8
    assert [model.key for model in hub.values() if model.trust_remote_code] == [
        "nomic-embed-text-v2-moe"
    ]
    assert {model.key for model in declared if isinstance(model, PackagedModel)} == {
        "use-multilingual-v3",
        "minilm-l6-en",
        "e5-small-q4",
        "e5-small-q4-no-prompts",
        "minilm-l6-en-cut",
    }


def test_prompts_keep_their_blanks_and_line_ends(root):
    e5 = read_declaration(root / "models/multilingual-e5-large-instruct.yaml")
    assert sent_text(e5, "oil", "query").endswith("\nQuery: oil")
    assert sent_text(e5, "oil", "document") == "oil"
    qwen = read_declaration(root / "models/qwen3-embedding-0-6b.yaml")
    assert sent_text(qwen, "oil", "query").endswith("\nQuery:oil")
    bm25 = read_declaration(root / "models/bm25.yaml")
    assert sent_text(bm25, "oil", "query") == "oil"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("some/model", "some/other"),
        ("01234567\n", "01234568\n"),
        ('"query: "', '"query:"'),
        ('"passage: "', '""'),
        ("pooling: mean", "pooling: cls"),
        ("max_length: 64", "max_length: 32"),
        ("licence: mit", "licence: mit\ndtype: bfloat16"),
    ],
)
def test_whatever_changes_a_vector_changes_the_release(tmp_path, old, new):
    before = read_declaration(declare(tmp_path, HUB)).release
    after = read_declaration(declare(tmp_path, HUB.replace(old, new))).release
    assert before != after
    assert len(before) == len(after) == 16


def test_notes_licence_and_key_do_not(tmp_path):
    before = read_declaration(declare(tmp_path, HUB)).release
    other = HUB.replace("licence: mit", "licence: apache-2.0\nnote: hello\nparameters_millions: 3")
    assert read_declaration(declare(tmp_path, other, "renamed")).release == before


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("pooling: mean", "pooling: median", "pooling"),
        ("revision: 0123456789abcdef0123456789abcdef01234567", "revision: main", "revision"),
        ("licence: mit", "licence: mit\nprompt: x", "prompt: unknown key"),
        ("kind: hub", "kind: magic", "kind: must be one of hub, package"),
        ("licence: mit", "licence: mit\nkey: other", "file's name"),
        ("{query:", "{querry:", "prompts.querry: unknown key"),
    ],
)
def test_faults_name_their_key(tmp_path, old, new, fault):
    with pytest.raises(SettingsError, match=r"tiny\.yaml: ") as error:
        read_declaration(declare(tmp_path, HUB.replace(old, new)))
    assert fault in str(error.value)


NGRAMS = "kind: char-ngrams\ndimension: 64\nshortest: 2\nlongest: 4\nlicence: mit\n"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("shortest: 2", "shortest: 5", "longest: 4 is less than shortest, 5"),
        ("longest: 4", "longest: 1", "longest: 1 is less than shortest, 2"),
        ("shortest: 2", "shortest: 0", "shortest: "),
        ("dimension: 64", "dimension: 1", "dimension: "),
        ("dimension: 64", "dimension: 20480000", "dimension: "),
        ("licence: mit", "licence: mit\nmax_length: 64", "max_length: must be null"),
    ],
)
def test_senseless_ngrams_are_refused_by_their_key(tmp_path, old, new, fault):
    with pytest.raises(SettingsError) as error:
        read_declaration(declare(tmp_path, NGRAMS.replace(old, new)))
    assert str(error.value).startswith(f"{tmp_path}/tiny.yaml: {fault}")


def test_ngrams_of_one_size_are_sensible(tmp_path):
    read_declaration(declare(tmp_path, NGRAMS.replace("shortest: 2", "shortest: 4")))


def test_an_unknown_model_lists_those_declared(tmp_path):
    declare(tmp_path, HUB)
    with pytest.raises(UsageError, match=r"no such model; did you mean tiny\? there are: tiny"):
        read_declaration(tmp_path / "tny.yaml")


def test_text_hashes_tell_prompts_apart():
    assert text_hash("query: a") != text_hash("passage: a")
    assert len(text_hash("中文")) == 32
