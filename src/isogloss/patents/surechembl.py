"""A list of publication numbers that count as chemistry whatever their codes say."""

from functools import lru_cache
from pathlib import Path

from isogloss.errors import DataError
from isogloss.files import BOM, open_bytes
from isogloss.patents.identifiers import normalise_number


@lru_cache(maxsize=1)
def listed_numbers(path: Path) -> frozenset[str]:
    """Read a SureChEMBL list: the first field of each line is a number such as ``EP-1234567-A1``.

    Args:
        path: Text, also .gz or .zst; fields part at tabs, commas or semicolons. A header line is
            a number no publication has, so it does no harm.

    Raises:
        DataError: The file is missing or is no UTF-8 text.
    """
    numbers = set()
    with open_bytes(path) as lines:
        for count, line in enumerate(lines, start=1):
            try:
                text = line.removeprefix(BOM).decode("utf-8")
            except UnicodeDecodeError as error:
                raise DataError(f"{path}, line {count}: is no UTF-8 text") from error
            first = text.replace(",", "\t").replace(";", "\t").split("\t", 1)[0]
            number = normalise_number(first.strip().strip('"'))
            if number:
                numbers.add(number)
    return frozenset(numbers)
