from pathlib import Path

import pytest

from isogloss.qac.landing import landing


def fail_in(folder: Path) -> None:
    with landing(folder) as staging:
        (staging / "old").write_text("new")
        raise ZeroDivisionError


def test_a_failed_block_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        fail_in(tmp_path / "made")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_block_leaves_the_old_folder(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "old").write_text("old")
    with pytest.raises(ZeroDivisionError):
        fail_in(folder)
    assert (folder / "old").read_text() == "old"
    assert list(tmp_path.iterdir()) == [folder]


def test_new_files_replace_old_ones_and_others_stay(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "same").write_text("old")
    (folder / "deep" / "other").write_text("kept")
    with landing(folder) as staging:
        (staging / "deep").mkdir()
        (staging / "deep" / "same").write_text("new")
    assert (folder / "deep" / "same").read_text() == "new"
    assert (folder / "deep" / "other").read_text() == "kept"
    assert list(tmp_path.iterdir()) == [folder]
