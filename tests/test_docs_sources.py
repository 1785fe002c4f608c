"""What docs/sources.md shows can be copied: each example runs, each table tells the settings."""

import json
import re
from pathlib import Path

import pytest

from isogloss.benchmark import read_benchmark
from isogloss.files import read_parquet
from isogloss.project import find_project
from isogloss.qac.provenance import ORIGINS
from isogloss.schema import CORPUS
from isogloss.settings import BenchmarkSettings, Section, SelectionSettings, SourceSettings
from isogloss.stages import check, corpus, queries

# A path in backticks at the end of a paragraph, then a fenced block with the file's content.
EXAMPLE = re.compile(r"\bIn\s`([\w./-]+)`:\n\n```\w+\n(.*?)```\n", re.DOTALL)
EXPECTED = {
    "google-patents": ["EP1A1:de", "EP1A1:en"],
    "epo": ["EP0000001B1:de", "EP0000001B1:en", "EP0000002B1:de", "EP0000002B1:en"],
    "parallel": [f"leaflet:{part}:{code}" for part in ("1-2", "3-4") for code in ("en", "fr")],
}


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "sources.md").read_text("utf-8")


def section(page: str, title: str) -> str:
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize("kind", EXPECTED)
def test_an_example_becomes_a_benchmark(page, tmp_path, monkeypatch, kind) -> None:
    examples = EXAMPLE.findall(section(page, kind))
    assert [name for name, _ in examples][-1] == "params.yaml"
    for name, content in examples:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if path.name != "params.yaml" else f"run: {{}}\n{content}", "utf-8")
    made = find_project(tmp_path)
    ((source, settings),) = made.settings.sources.items()
    assert settings.format == kind
    check.run(made)
    corpus.run(made, source)
    report = json.loads(made.corpus(source).with_suffix(".json").read_text("utf-8"))
    assert report["records"]["refused"] == 0
    assert len(report["files"]["read"]) == len(examples) - 1
    ids = read_parquet(made.corpus(source), CORPUS).column("id").to_pylist()
    assert ids == EXPECTED[kind]
    (benchmark,) = made.settings.benchmarks
    queries.run(made, benchmark)
    assert read_benchmark(made.benchmark(benchmark)).queries


def rows(text: str) -> dict[str, list[str]]:
    """Rows of a section's tables, by the key in their first cell."""
    found = re.findall(r"^\| `([^`]+)` \| (.*) \|$", text, re.MULTILINE)
    return {key: rest.split(" | ") for key, rest in found}


@pytest.mark.parametrize(
    ("title", "models", "beside"),
    [
        ("Settings of a source", [SourceSettings, SelectionSettings], set(ORIGINS)),
        ("Settings of a benchmark", [BenchmarkSettings], set()),
    ],
)
def test_every_setting_is_told_with_its_default(page, title, models, beside) -> None:
    told = rows(section(page, title))
    fields = {name: field for model in models for name, field in model.model_fields.items()}
    for name, field in fields.items():
        default = None if field.is_required() else field.get_default(call_default_factory=True)
        if isinstance(default, Section):
            expected = "all defaults"
        elif default is None:
            expected = "required" if field.is_required() else "none"
        else:
            expected = default if isinstance(default, str) else json.dumps(default)
        assert told[name][0].strip("`") == expected, name
    assert set(told) == set(fields) | beside


def test_values_that_are_allowed_are_told(page) -> None:
    told = rows(section(page, "Settings of a source"))
    for value in SourceSettings.model_fields["format"].annotation.__args__:
        assert f"`{value}`" in told["format"][1]
        assert f"\n## {value}\n" in page
    makers = rows(section(page, "Settings of a benchmark"))["maker"][1]
    for value in BenchmarkSettings.model_fields["maker"].annotation.__args__:
        assert f"`{value}`" in makers
    assert {name: told[name][0] for name in ORIGINS} == ORIGINS
