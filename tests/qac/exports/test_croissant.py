import hashlib
import json
from pathlib import Path
from typing import Any

import mlcroissant
import pytest

from isogloss.qac.exports.croissant import Publication, croissant, undeclared
from isogloss.qac.exports.licences import licence_of
from isogloss.qac.exports.tables import COLUMNS, tables

NO_FILES = dict.fromkeys(COLUMNS, b"")


@pytest.fixture
def document(exported: Path) -> dict[str, Any]:
    return json.loads((exported / "croissant.json").read_text("utf-8"))


def plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def test_mlcroissant_loads_every_record(exported: Path, finished) -> None:
    dataset = mlcroissant.Dataset(jsonld=exported / "croissant.json")
    for name, table in tables(finished.benchmark).items():
        records = [
            {key.removeprefix(f"{name}/"): plain(value) for key, value in record.items()}
            for record in dataset.records(record_set=name)
        ]
        assert records == table.to_pylist()


def test_mlcroissant_finds_no_fault(exported: Path) -> None:
    issues = mlcroissant.Dataset(jsonld=exported / "croissant.json").metadata.ctx.issues
    assert not issues.errors
    # A citation is recommended; there is none, so none is invented.
    assert [str(one).rpartition("/")[2] for one in issues.warnings] == [
        'citeAs" is recommended, but does not exist.'
    ]


def test_a_changed_file_is_noticed(exported: Path) -> None:
    path = exported / "data" / "queries.parquet"
    path.write_bytes(path.read_bytes() + b" ")
    dataset = mlcroissant.Dataset(jsonld=exported / "croissant.json")
    with pytest.raises(mlcroissant.GenerationError):
        list(dataset.records(record_set="queries"))


def test_files_are_named_with_their_digests(exported: Path, document) -> None:
    assert len(document["distribution"]) == 3
    for file in document["distribution"]:
        content = (exported / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
        assert file["contentSize"] == f"{len(content)} B"


def test_the_specification_s_required_keys_are_there(document, finished, attribution) -> None:
    assert undeclared(document) == []
    assert document["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert document["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert document["creator"]["name"] == "Ærlig & Søn"
    assert document["version"] == f"1.0.0+{finished.benchmark.version}"
    assert {"known-item", "synthetic"} <= set(document["keywords"])
    assert document["creditText"] == attribution
    assert document["inLanguage"] == ["de", "en", "no", "zh"]


def test_what_nobody_declared_is_left_out_and_named(finished) -> None:
    made = croissant(finished, licence_of(""), Publication(), NO_FILES)
    assert undeclared(made) == ["creator", "datePublished", "license", "url"]
    assert None not in made.values()
    told = croissant(finished, licence_of("Ours."), Publication(), NO_FILES)
    assert told["license"] == "See ATTRIBUTION.md."


def test_fields_refer_to_each_other(document) -> None:
    fields = {field["@id"]: field for one in document["recordSet"] for field in one["field"]}
    for field in fields.values():
        if "references" in field:
            assert field["references"]["field"]["@id"] in fields
    assert [key for key, field in fields.items() if "references" in field] == [
        "qrels/query-id",
        "qrels/corpus-id",
    ]
