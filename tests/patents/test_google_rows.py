import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from isogloss.errors import DataError
from isogloss.patents.google_rows import Row, RowReader


def read(path: Path) -> tuple[RowReader, list[Row]]:
    reader = RowReader(path)
    return reader, [row for _, rows in reader.batches() for row in rows]


def lines(path: Path, *content: bytes) -> Path:
    path.write_bytes(b"\n".join(content))
    return path


def test_unneeded_fields_are_skipped_and_absent_ones_are_none(tmp_path: Path) -> None:
    _, rows = read(
        lines(tmp_path / "a.jsonl", b'{"publication_number":"EP-2-A1","claims":[{"x":[1,2]}]}', b"")
    )
    assert rows == [Row(publication_number="EP-2-A1")]


def test_a_faulty_line_is_refused_by_number_and_the_rest_loads(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "a.jsonl",
        b'{"publication_number":"A"}',
        b"",
        b'{"publication_number":',
        b'{"publication_number":"B","cpc":7}',
        b'{"publication_number":"\xff"}',
        b"[" * 100_000,
        b'{"publication_number":"C"}\r',
        b"",
    )
    reader, rows = read(path)
    assert [row.publication_number for row in rows] == ["A", "C"]
    assert [line for line, _ in reader.faults] == [3, 4, 5, 6]
    assert reader.cut is None
    assert all("\n" not in reason for _, reason in reader.faults)


def test_a_lone_surrogate_escape_does_not_cost_the_row(tmp_path: Path) -> None:
    text = json.dumps(
        {"publication_number": "A", "title_localized": [{"text": "a\ud83db", "language": "en"}]}
    )
    reader, rows = read(lines(tmp_path / "a.jsonl", text.encode(), b""))
    assert rows[0].title_localized is not None
    assert rows[0].title_localized[0].text == "ab"
    assert reader.lone_surrogates == 1


def test_raw_control_characters_and_numbers_as_text_are_taken(tmp_path: Path) -> None:
    content = (
        b'{"publication_number":"A\x00","family_id":5,'
        b'"title_localized":[{"text":"a\tb","truncated":"true"}]}'
    )
    _, rows = read(lines(tmp_path / "a.jsonl", content, b""))
    assert rows[0].publication_number == "A\x00"
    assert rows[0].title_localized is not None
    assert rows[0].title_localized[0].text == "a\tb"
    assert rows[0].title_localized[0].truncated is True


def test_a_value_over_two_lines_is_no_row_wherever_blocks_end(tmp_path: Path) -> None:
    reader, rows = read(
        lines(
            tmp_path / "a.jsonl",
            b'{"publication_number":',
            b'"A"}',
            b'{"publication_number":"B"}',
            b"",
        )
    )
    assert [row.publication_number for row in rows] == ["B"]
    assert [line for line, _ in reader.faults] == [1, 2]


def test_a_plain_shard_that_ends_inside_a_line_is_named(tmp_path: Path) -> None:
    reader, rows = read(
        lines(tmp_path / "a.jsonl", b'{"publication_number":"A"}', b'{"publication_num')
    )
    assert [row.publication_number for row in rows] == ["A"]
    assert reader.faults == []
    assert reader.cut is not None
    assert "ends inside a line" in reader.cut


def test_a_last_line_without_line_feed_counts(tmp_path: Path) -> None:
    reader, rows = read(lines(tmp_path / "a.jsonl", b'{"publication_number":"A"}'))
    assert (len(rows), reader.lines, reader.cut) == (1, 1, None)


def test_parquet_gives_the_same_rows_as_json(tmp_path: Path) -> None:
    values: list[dict[str, Any]] = [
        {
            "publication_number": "A",
            "publication_date": 20060102,
            "family_id": "3",
            "unused": 1.5,
            "abstract_localized": [{"text": "x", "language": "en", "truncated": False}],
            "cpc": [{"code": "C07", "tree": ["C"]}],
        },
        {
            "publication_number": "B",
            "publication_date": 0,
            "family_id": None,
            "unused": None,
            "abstract_localized": [],
            "cpc": None,
        },
    ]
    pq.write_table(pa.Table.from_pylist(values), tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    from_parquet, from_json = read(tmp_path / "a.parquet")[1], read(tmp_path / "a.jsonl")[1]
    assert from_parquet == from_json
    assert len(from_json) == 2


def test_broken_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(DataError, match="cannot be read as parquet"):
        read(tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "b.parquet")
    with pytest.raises(DataError, match="publication_number"):
        read(tmp_path / "b.parquet")
