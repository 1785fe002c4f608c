"""params.yaml: unknown keys and bad values are errors that name the key; `no` is a language."""

from pathlib import Path

import pytest

from isogloss.errors import SettingsError
from isogloss.settings import load_settings

GOOD = """
run: {benchmarks: [a-title], models: [m]}
sources:
  a: {format: parallel, languages: [no, de]}
benchmarks:
  a-title: {source: a, maker: title}
"""


def load(tmp_path: Path, text: str) -> object:
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    return load_settings(path)


def test_the_repository_s_own_file_is_valid(root: Path) -> None:
    assert load_settings(root / "params.yaml").run.models


def test_a_bare_no_is_norwegian(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD).sources["a"].languages == ["no", "de"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("models: [m]", "models: [m], modles: [x]", r"run\.modles: unknown key"),
        ("languages: [no, de]", "languages: [xx]", "'xx' is no ISO 639-1 code"),
        ("languages: [no, de]", "languages: [de, de]", "named twice"),
        ("languages: [no, de]", "languages: [false]", r"sources\.a\.languages\.0"),
        ("source: a,", "source: b,", "no source 'b'"),
        ("models: [m]", "models: [m.1]", r"run\.models\.0"),
        ("maker: title", "maker: titel", r"benchmarks\.a-title\.maker"),
        ("run:", "run: [", "params.yaml"),
        ("run:", "evaluation: {seed: -1}\nrun:", r"evaluation\.seed"),
        (
            "run:",
            "engine: spark\nrun:",
            "engine: must be local, ray or ray://HOST:PORT, is 'spark'",
        ),
        ("run:", "engine: ray://host:70000\nrun:", "engine: must be local, ray or ray://HOST:PORT"),
        ("run:", "search: {device: gpu}\nrun:", r"search\.device: .*no such device: 'gpu'; acc"),
        ("run:", "embedding: {device: ''}\nrun:", r"embedding\.device: .*no such device: ''"),
        ("run:", "tracking: {uri: 'sqlte:///m.db'}\nrun:", r"tracking\.uri: .*sqlte:// is none of"),
        ("run:", "engin: ray\nrun:", "engin: unknown key; did you mean engine?"),
        ("run:", "evaluation: {resamples: 100000000000}\nrun:", r"evaluation\.resamples"),
    ],
)
def test_a_fault_names_its_key_in_one_line(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        load(tmp_path, GOOD.replace(before, after))
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "sqlite:///mlflow.db",
            "postgresql+psycopg://u:p@host/db",
            "https://host/mlflow",
            "folder",
        ),
        *("file:///somewhere", "databricks", "databricks://profile"),
    ],
)
def test_stores_that_mlflow_knows_pass(tmp_path: Path, uri: str) -> None:
    assert load(tmp_path, f"tracking: {{uri: '{uri}'}}\n{GOOD}").tracking.uri == uri


def test_a_missing_or_empty_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such file"):
        load_settings(tmp_path / "params.yaml")
    with pytest.raises(SettingsError, match="top level"):
        load(tmp_path, "")


def test_settings_are_frozen(tmp_path: Path) -> None:
    settings = load(tmp_path, GOOD)
    with pytest.raises(Exception, match="frozen"):
        settings.run = None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("run: " + "[" * 3000, "params.yaml: is nested too deeply"),
        (f"{GOOD}evaluation: {{seed: {'7' * 6000}}}\n", "params.yaml: .*4300"),
        (f"{GOOD}evaluation: {{seed: 0x{'7' * 6000}}}\n", r"evaluation\.seed: "),
        (f'{GOOD}? "a\\nb"\n: 1\n', r"'a\\nb': unknown key"),
        (f"{GOOD}{'k' * 900}: 1\n", r"k{80}\.\.\.: unknown key"),
        (GOOD.replace("models: [m]", "models: [m, m]"), r"models: m is named twice"),
        (GOOD.replace("[a-title]", "[a-title, a-title]"), "benchmarks: a-title is named twice"),
    ],
)
def test_what_nobody_can_have_meant_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        load(tmp_path, text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500
