"""Any number of batches and processes, and any engine, read the same of the EPO's files."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from isogloss.patents import epo_read
from isogloss.patents.epo import ingest_epo
from isogloss.patents.raw_files import Named
from isogloss.ray_engine import RayEngine
from isogloss.settings import SourceSettings

SETTINGS = SourceSettings(format="epo", languages=["en", "de", "fr"])


@pytest.fixture
def files(root: Path, tmp_path: Path) -> list[Named]:
    """The real documents, and two archives of some of them with faults of their own."""
    folder = root / "data" / "patents" / "epo"
    real = [path for path in sorted(folder.rglob("*")) if path.suffix in (".xml", ".txt")]
    for name, climbing in (("a.zip", "../out.xml"), ("z.zip", "/etc/x.xml")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for path in real[:12]:
                archive.write(path, path.name)
            archive.writestr(climbing, b"<x/>")
            archive.writestr("picture.tif", b"II")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    packed = [(tmp_path / name, name) for name in ("a.zip", "broken.zip", "z.zip")]
    return sorted([*packed, *[(path, path.name) for path in real]], key=lambda named: named[1])


def ingested(files: list[Named], **how: Any) -> dict[str, Any]:
    found = ingest_epo(files, SETTINGS, **how)
    return vars(found) | {"publications": list(found.publications)}


def test_batches_and_processes_change_nothing(
    files: list[Named], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ingested(files)
    assert expected["records"]["refused"] > 5
    assert {name.split("!/")[0] for name in expected["not_read"]} >= {"a.zip", "z.zip"}
    monkeypatch.setattr(epo_read, "BATCH_BYTES", 1)
    assert ingested(files) == expected
    monkeypatch.setattr(epo_read, "BATCH_BYTES", 400_000)
    assert len(list(epo_read._batches(files))) > 2
    assert ingested(files, workers=2) == expected


def test_ray_reads_the_same(
    files: list[Named], ray_engine: RayEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ingested(files)
    monkeypatch.setattr(epo_read, "BATCH_BYTES", 400_000)
    assert ingested(files, engine=ray_engine) == expected
