"""Declarations that nobody can have meant are refused in one line, and soon."""

from pathlib import Path

import pytest

from isogloss.errors import SettingsError
from isogloss.retrieval.declaration import MOST_LEVELS, read_declaration

FUSION = "kind: fusion\nmodels: [{}, {}]\nmethod: {}\nlicence: mit\n"
WORDS = "kind: full-text\nlicence: mit\n"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(WORDS, "utf-8")
    return tmp_path


def fault(models: Path, text: str) -> str:
    (models / "odd.yaml").write_text(text, "utf-8")
    with pytest.raises(SettingsError) as caught:
        read_declaration(models / "odd.yaml")
    message = str(caught.value)
    assert "odd.yaml" in message
    assert "\n" not in message
    assert len(message) < 1000
    return message


@pytest.mark.parametrize(
    ("method", "more", "said"),
    [
        ("rrf", "k: 10001", "k: must be at most 10000, is 10001"),
        ("rrf", "weights: [1, 1.0e+9]", "weights.1"),
        ("rrf", "weights: [1, 1.0e-300]", "weights.1"),
        ("rrf", "weights: [.inf, 1]", "weights.0"),
        ("min-max", "k: 60", "k: unknown key; method min-max has none"),
        ("rrf", f"k: {'9' * 6000}", "4300"),
    ],
)
def test_constants_have_bounds(models: Path, method: str, more: str, said: str) -> None:
    assert said in fault(models, FUSION.format("a", "b", method) + more)


def test_the_bounds_themselves_are_let_in(models: Path) -> None:
    text = FUSION.format("a", "b", "rrf") + "k: 10000\nweights: [0.001, 1000]\n"
    (models / "odd.yaml").write_text(text, "utf-8")
    assert read_declaration(models / "odd.yaml").release


def test_a_translation_joined_by_best_scores_has_no_k(models: Path) -> None:
    text = "kind: query-translation\nmodel: a\ninto: documents\ntranslator: t\nlicence: mit\nk: 6\n"
    assert "k: unknown key; combine max has none" in fault(models, text)


@pytest.mark.parametrize("opened", ["[", "{a: "])
def test_deep_nesting_is_one_line(models: Path, opened: str) -> None:
    assert "nested too deeply" in fault(models, f"kind: {opened * 3000}")


def chain(models: Path, levels: int) -> Path:
    """Declarations n1 .. nLEVELS, each of the one before and of `a`."""
    for level in range(1, levels + 1):
        part = f"n{level - 1}" if level > 1 else "b"
        (models / f"n{level}.yaml").write_text(FUSION.format("a", part, "rrf"), "utf-8")
    return models / f"n{levels}.yaml"


def test_a_long_chain_is_one_line(models: Path) -> None:
    assert read_declaration(chain(models, MOST_LEVELS)).release
    for levels in (MOST_LEVELS + 1, 1200):
        with pytest.raises(SettingsError, match=f"more than {MOST_LEVELS} levels deep") as caught:
            read_declaration(chain(models, levels))
        assert len(str(caught.value)) < 1000


def test_levels_are_counted_also_through_parts_met_before(models: Path) -> None:
    chain(models, MOST_LEVELS)
    # The chain is met first by itself; through `up` it stands one level deeper.
    (models / "up.yaml").write_text(FUSION.format(f"n{MOST_LEVELS - 1}", "a", "rrf"), "utf-8")
    assert "levels deep" in fault(models, FUSION.format(f"n{MOST_LEVELS - 1}", "up", "rrf"))


def test_shared_parts_are_read_once(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from isogloss.retrieval import declaration

    last = ("a", "b")
    for level in range(MOST_LEVELS):
        pair = (f"l{level}", f"r{level}")
        for name in pair:
            (models / f"{name}.yaml").write_text(FUSION.format(*last, "rrf"), "utf-8")
        last = pair
    read: list[Path] = []
    whole = declaration.read_yaml

    def counted(path: Path) -> object:
        read.append(path)
        return whole(path)

    monkeypatch.setattr(declaration, "read_yaml", counted)
    assert read_declaration(models / f"{last[0]}.yaml").release
    assert len(read) == len(set(read)) == 2 * MOST_LEVELS + 1
