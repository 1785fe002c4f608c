from pathlib import Path

import pytest

from isogloss.errors import DataError, UsageError
from isogloss.qac.exports import folder as folder_module
from isogloss.qac.exports.croissant import Publication
from isogloss.qac.exports.folder import FORMATS, check_target, write_export

DATA = ["data/corpus.parquet", "data/qrels.parquet", "data/queries.parquet"]


def written(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.mark.parametrize(
    ("wanted", "files"),
    [
        (["huggingface"], ["README.md"]),
        (["mteb"], ["README.md", "mteb_task.json", "mteb_task.py"]),
        (["croissant"], ["croissant.json"]),
    ],
)
def test_each_format_has_its_files(finished, licence, tmp_path, wanted, files) -> None:
    write_export(tmp_path / "one", finished, wanted, licence, Publication(), {})
    assert sorted(written(tmp_path / "one")) == sorted([*DATA, *files, "ATTRIBUTION.md"])


def test_the_same_benchmark_gives_the_same_bytes(finished, licence, tmp_path) -> None:
    texts = {"LICENSE-tiny": b"Do good.\n"}
    for name in ("one", "two"):
        write_export(tmp_path / name, finished, FORMATS, licence, Publication(), texts)
    one = written(tmp_path / "one")
    assert one == written(tmp_path / "two")
    assert one["LICENSE-tiny"] == b"Do good.\n"


def test_nothing_is_left_of_an_export_that_fails(finished, licence, tmp_path, monkeypatch) -> None:
    place = tmp_path / "out"
    write_export(place, finished, ["croissant"], licence, Publication(), {})
    before = written(place)

    def fail(*_: object) -> None:
        raise DataError("no")

    monkeypatch.setattr(folder_module, "mteb_metadata", fail)
    for target in (place, tmp_path / "fresh"):
        with pytest.raises(DataError):
            write_export(target, finished, FORMATS, licence, Publication(), {})
    assert written(place) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["benchmark", "out"]


def test_an_earlier_export_is_replaced_whole(exported, finished, licence) -> None:
    (exported / "__pycache__").mkdir()
    (exported / "__pycache__" / "mteb_task.cpython-311.pyc").write_bytes(b"")
    check_target(exported, force=True)
    write_export(exported, finished, ["croissant"], licence, Publication(), {})
    assert sorted(written(exported)) == sorted([*DATA, "croissant.json", "ATTRIBUTION.md"])


def test_what_lies_there_is_safe(exported: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--force"):
        check_target(exported, force=False)
    for stranger in ("notes.txt", "data/corpus.csv", "deeper/README.md"):
        path = exported / stranger
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
        with pytest.raises(UsageError, match=f"holds {stranger}, which no export writes"):
            check_target(exported, force=True)
        path.unlink()
    check_target(exported, force=True)
    with pytest.raises(UsageError, match="is no folder"):
        check_target(exported / "README.md", force=True)
    (tmp_path / "empty").mkdir()
    check_target(tmp_path / "empty", force=False)
    check_target(tmp_path / "absent", force=False)
