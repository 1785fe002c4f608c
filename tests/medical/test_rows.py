"""What is said of a line that is no row of its type: the field, in plain words."""

from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.medical.records import AnswerRow
from isogloss.medical.rows import numbered_rows

START = b'{"model": "m", "arm": "mt", "language": "sw", "outcome": "answered"'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (START + b"}", "lacks the field `id`"),
        (START + b', "id": "a", "text": 3}', "`text` must be text or null, but is a whole number"),
        (START + b', "id": null}', "field `id` must be text, but is null"),
        (START + b', "id": ["a"]}', "field `id` must be text, but is a list"),
        (b"[1]", "the line must be an object, but is a list"),
        (START + b', "id": "a", "arm": "x"}', "Invalid enum value 'x' (field `arm`)"),
        (START + b', "i\xe9d": "a"}', "is not UTF-8 (byte 72 of the line); save the file as UTF-8"),
        (START + b', "id": "a\xe9"}', "is not UTF-8 (byte 78 of the line)"),
        (START + b', "x": ' + b"[" * 5000, "has brackets nested too deep to be read"),
        (START + b', "id"', "breaks off; it is no whole JSON object"),
    ],
)
def test_a_line_is_refused_in_plain_words(tmp_path: Path, line: bytes, said: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(START + b', "id": "a", "text": ""}\n' + line + b"\n")
    with pytest.raises(DataError) as caught:
        list(numbered_rows(path, AnswerRow))
    assert str(caught.value).startswith(f"{path}, line 2: ")
    assert said in str(caught.value)
    assert "$" not in str(caught.value)
