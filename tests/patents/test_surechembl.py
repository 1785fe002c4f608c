import gzip
from pathlib import Path

import pytest

from isogloss.errors import DataError
from isogloss.patents.surechembl import listed_numbers


def test_first_field_of_each_line(tmp_path: Path) -> None:
    path = tmp_path / "list.txt.gz"
    path.write_bytes(
        gzip.compress(b'\xef\xbb\xbfEP-1234567-A1\tx\r\n\nus 20060102 a1,7\n"WO-2006000001-A1"\n')
    )
    assert listed_numbers(path) == {"EP1234567A1", "US20060102A1", "WO2006000001A1"}


def test_a_list_that_is_no_text_is_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(b"EP-1-A1\n\xff\xfe\n")
    with pytest.raises(DataError, match=r"list\.txt, line 2"):
        listed_numbers(path)
