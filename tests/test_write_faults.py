import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from isogloss.cli.main import main
from isogloss.errors import WriteError
from isogloss.files import all_or_none, atomic_write, write_json, write_text
from isogloss.write_faults import os_fault, write_faults


@pytest.mark.parametrize(
    ("number", "cure"),
    [
        (errno.ENOSPC, "No space left on device; free some space"),
        (errno.EROFS, "Read-only file system; make it writable"),
        (errno.EACCES, "Permission denied; make it writable"),
        (errno.ENAMETOOLONG, "File name too long; choose a shorter name"),
    ],
)
def test_each_fault_names_the_path_and_the_cure(tmp_path: Path, number: int, cure: str) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(WriteError, match=f"^{path}: {cure}"), atomic_write(path):
        raise OSError(number, os.strerror(number))
    assert os_fault(OSError(number, "x", str(path))).startswith(f"{path}: {cure}")
    assert list(tmp_path.iterdir()) == []


def test_a_full_device(tmp_path: Path) -> None:
    with (
        pytest.raises(WriteError, match=r"^/dev/full: No space left on device; free some space"),
        write_faults(Path("/dev/full")),
    ):
        Path("/dev/full").write_text("x")


def test_a_name_that_is_too_long_and_one_that_is_taken(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"File name too long; choose a shorter name$"):
        write_text(tmp_path / ("x" * 300) / "a", "x")
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match=r"file/b/a: Not a directory; something .* move it away"):
        write_text(tmp_path / "file" / "b" / "a", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_cannot_be_read_meanwhile_is_another_fault(tmp_path: Path) -> None:
    other = tmp_path / "other" / "x" / "y"
    other.parent.parent.mkdir()
    other.parent.touch()
    with pytest.raises(NotADirectoryError), atomic_write(tmp_path / "made" / "a"):
        other.read_bytes()


def test_all_or_none(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(WriteError):
        write_three(tmp_path, "x" * 300)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"
    with all_or_none():
        write_text(tmp_path / "a.txt", "new")
        write_json(tmp_path / "deep" / "er" / "b.json", 1)
        assert (tmp_path / "a.txt").read_text() == "old"
    assert (tmp_path / "a.txt").read_text() == "new"
    assert (tmp_path / "deep" / "er" / "b.json").read_text() == "1\n"
    write_text(tmp_path / "a.txt", "newer")
    assert (tmp_path / "a.txt").read_text() == "newer"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "deep"]


def test_no_file_of_a_score_is_left_where_the_disk_is_full(small: Path) -> None:
    call = ["score", "run.trec", "--benchmark", "bench", "--out", "out/of/it"]
    done = limited(call, small, 2048)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("isogloss: out/of/it/")
    assert "File too large; raise the limit" in done.stderr
    assert sorted(path.name for path in small.iterdir()) == ["bench", "run.trec"]
    assert limited(call, small, resource.RLIM_INFINITY).returncode == 0
    assert (small / "out" / "of" / "it" / "queries.parquet").is_file()


def test_an_import_names_the_benchmark_and_not_where_it_was_put_together(small: Path) -> None:
    (small / "params.yaml").write_text("run: {}\n")
    done = limited(["benchmark", "import", "bench", "--name", "new"], small, 100)
    assert done.returncode == 1
    assert done.stderr.startswith(f"isogloss: {small}/benchmark/new/corpus.jsonl: File too large;")
    assert not (small / "benchmark" / "new").exists()


def test_what_a_call_names_may_be_too_long_for_a_file(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(small)
    with pytest.raises(SystemExit) as ended:
        main(["score", "run.trec", "--benchmark", "x" * 300, "--out", "out"])
    assert ended.value.code == 1
    told = f"isogloss: {'x' * 300}: File name too long; choose a shorter name\n"
    assert capsys.readouterr().err == told


def write_three(folder: Path, last: str) -> None:
    with all_or_none():
        write_text(folder / "a.txt", "new")
        write_json(folder / "deep" / "er" / "b.json", 1)
        write_text(folder / last, "")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata, write_benchmark

    documents = [
        Document(f"f{n}:{code}", DocumentMetadata(code, f"f{n}"), "", "text")
        for n in range(9)
        for code in ("de", "en")
    ]
    queries = [Query(f"q{n}", "text", QueryMetadata("de", f"f{n}")) for n in range(9)]
    qrels = [(f"q{n}", f"f{n}:{code}", 1) for n in range(9) for code in ("de", "en")]
    write_benchmark(tmp_path / "bench", documents, queries, qrels)
    lines = [f"q{n} Q0 f{n}:{code} 1 0.9 t\n" for n in range(9) for code in ("de", "en")]
    (tmp_path / "run.trec").write_text("".join(lines))
    return tmp_path


def limited(call: list[str], place: Path, most: int) -> "subprocess.CompletedProcess[str]":
    """Run a verb in a process of its own, which may write files of so many bytes at most."""
    return subprocess.run(
        [sys.executable, "-c", "from isogloss.cli.main import main; main()", *call],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
