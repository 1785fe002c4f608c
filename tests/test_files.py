"""Files are whole or absent, and say which line is wrong."""

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
import zstandard

from isogloss import files
from isogloss.errors import DataError


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "a.txt"
    files.write_text(target, "old")

    def fail_half_way() -> None:
        with files.atomic_write(target) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert target.read_text() == "old"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_an_undefined_number_is_never_written(tmp_path: Path, number: float) -> None:
    with pytest.raises(DataError, match="undefined"):
        files.write_json(tmp_path / "m.json", {"a": [number]})
    assert not (tmp_path / "m.json").exists()


def test_json_is_byte_stable(tmp_path: Path) -> None:
    files.write_json(tmp_path / "a.json", {"b": 1, "a": "zh→en"})
    files.write_json(tmp_path / "b.json", {"a": "zh→en", "b": 1})
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == {"a": "zh→en", "b": 1}


def test_gzip_holds_no_time(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        files.write_gzip(tmp_path / name, b"x" * 1000)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"x" * 1000


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_jsonl_reads_packed_files_bom_and_crlf(tmp_path: Path, suffix: str) -> None:
    content = files.BOM + b'{"a":1}\r\n\n{"a":2}'
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix]
    path = tmp_path / f"rows.jsonl{suffix}"
    path.write_bytes(pack(content))
    assert list(files.read_jsonl(path)) == [{"a": 1}, {"a": 2}]


def test_jsonl_names_the_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":\n')
    with pytest.raises(DataError, match=r"rows\.jsonl, line 2"):
        list(files.read_jsonl(path))


def test_jsonl_writes_sorted_keys(tmp_path: Path) -> None:
    class Row(msgspec.Struct):
        b: int
        a: str

    assert files.write_jsonl(tmp_path / "r.jsonl", [Row(1, "é")]) == 1
    assert (tmp_path / "r.jsonl").read_bytes() == '{"a":"é","b":1}\n'.encode()


def test_parquet_round_trip_and_broken_file(tmp_path: Path) -> None:
    table = pa.table({"id": ["a", "b"]})
    files.write_parquet(tmp_path / "t.parquet", table)
    assert files.read_parquet(tmp_path / "t.parquet").equals(table)
    schema = pa.schema([pa.field("id", pa.string()), pa.field("lang", pa.string())])
    with pytest.raises(DataError, match="lacks column lang"):
        files.read_parquet(tmp_path / "t.parquet", schema)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataError, match="cannot be read as parquet"):
        files.read_parquet(tmp_path / "t.parquet")


@pytest.mark.parametrize("name", ["rows.jsonl.gz", "rows.jsonl.zst"])
@pytest.mark.parametrize("fault", ["cut", "scrambled"])
def test_damaged_packed_data_is_named(tmp_path: Path, name: str, fault: str) -> None:
    pack = gzip.compress if name.endswith(".gz") else zstandard.compress
    packed = bytearray(pack(b'{"a":1}\n' * 50_000))
    if fault == "cut":
        del packed[len(packed) // 2 :]
    else:
        packed[len(packed) // 2 :] = b"\x55" * (len(packed) - len(packed) // 2)
    (tmp_path / name).write_bytes(packed)
    with pytest.raises(DataError, match=f"{name}: cannot be unpacked"):
        list(files.read_jsonl(tmp_path / name))


def test_only_what_killed_writers_of_this_file_left_a_day_ago_is_swept(tmp_path: Path) -> None:
    day = 24 * 60 * 60
    ages = {
        ".epo.parquet.ab12_xyz.part": day + 60,
        ".epo.parquet.youngone.part": day - 60,
        ".epo.parquet.toolongname.part": 9 * day,
        ".other.parquet.ab12_xyz.part": 9 * day,
        ".epo.parquet.ab12_xyz": 9 * day,
        "epo.parquet.ab12_xyz.part": 9 * day,
    }
    for name, age in ages.items():
        (tmp_path / name).write_bytes(b"left")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    with pytest.raises(RuntimeError), files.atomic_write(tmp_path / "epo.parquet"):
        raise RuntimeError
    assert len(list(tmp_path.iterdir())) == len(ages)
    files.write_bytes(tmp_path / "epo.parquet", b"new")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == ages.keys() - {".epo.parquet.ab12_xyz.part"} | {"epo.parquet"}


def test_what_a_writer_leaves_when_killed_is_what_is_swept(tmp_path: Path) -> None:
    target = tmp_path / "a[1].json"
    code = "import os, sys; from pathlib import Path; from isogloss.files import atomic_write\n"
    code += "with atomic_write(Path(sys.argv[1])): os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code, str(target)], check=False).returncode == -9
    (left,) = tmp_path.iterdir()
    os.utime(left, (0, 0))
    files.write_bytes(target, b"{}")
    assert list(tmp_path.iterdir()) == [target]


class Row(msgspec.Struct):
    """One line of the files below."""

    n: int


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("block", [1, 7, 64, 1 << 20])
def test_records_pass_by_whole_and_a_fault_is_found_in_any_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, block: int
) -> None:
    monkeypatch.setattr(files, "BLOCK_BYTES", block)
    lines = [b'{"n": %d}' % number for number in range(40)]
    lines[5:5] = [b"", b"  "]
    content = b"\xef\xbb\xbf" + b"\r\n".join(lines) + b"\r\n"
    pack = gzip.compress if suffix else bytes
    path = tmp_path / f"rows.jsonl{suffix}"
    path.write_bytes(pack(content))
    passed: list[bytes] = []
    found = [row.n for rows in files.read_records(path, Row, passed.append) for row in rows]
    assert found == list(range(40))
    assert b"".join(passed) == content
    path.write_bytes(pack(content + b'{"n": "x"}\n'))
    with pytest.raises(DataError, match=r"rows.jsonl.*, line 43: "):
        list(files.read_records(path, Row))


def test_brackets_nested_too_deep_are_a_fault_of_their_line(tmp_path: Path) -> None:
    deep = b'{"n": 1, "more": ' + b"[" * 5000 + b"]" * 5000 + b"}\n"
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"n": 0}\n' + deep)
    with pytest.raises(DataError, match=r"rows.jsonl, line 2: .*recursion"):
        list(files.read_records(path, Row))
    with pytest.raises(DataError, match=r"rows.jsonl, line 2: .*recursion"):
        list(files.read_jsonl(path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 5000, "; evaluate again"),
        (b'{"a": ', "truncated; evaluate again"),
        (b'{"a": "\xe9"}', "; evaluate again"),
        (b"[1]", "Expected `object`, got `array`; evaluate again"),
    ],
)
def test_a_made_json_file_that_is_broken_says_what_to_do(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "metrics.json"
    with pytest.raises(DataError, match="no such file; evaluate again"):
        files.read_json(path, dict[str, Any], "evaluate again")
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        files.read_json(path, dict[str, Any], "evaluate again")
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
