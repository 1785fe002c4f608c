"""Read qrels as they are found elsewhere: the BEIR header, tabs or blanks, whole values."""

import re
from collections.abc import Iterator
from pathlib import Path

from isogloss.benchmark import QRELS_HEADER
from isogloss.errors import BenchmarkError, DataError
from isogloss.files import BOM, one_line, open_bytes
from isogloss.foreign_text import shown

Qrel = tuple[str, str, int]
_FIELDS = re.compile(r"[^ \t]+")
# Files that went through a table library carry "1.0".
_WHOLE = re.compile(r"(-?[0-9]{1,9})(\.0+)?")


def read_qrels(path: Path, queries: set[str], documents: set[str]) -> tuple[list[Qrel], int]:
    """Read and check qrels.

    Args:
        path: A file with the header `query-id corpus-id score`, plain or packed.
        queries: Known query ids.
        documents: Known document ids.

    Returns:
        The pairs in order of their ids, each once, and how many lines repeated one.

    Raises:
        BenchmarkError: No header or no pair, an unknown query or document, a value that is no whole
            number, or a pair with two values; the line is named.
    """
    pairs: dict[tuple[str, str], int] = {}
    repeated = 0
    lines = _lines(path)
    header = next(lines, (1, ""))[1]
    if tuple(_FIELDS.findall(header)) != QRELS_HEADER:
        raise BenchmarkError(f"{path}, line 1: must be the header {' '.join(QRELS_HEADER)} (tabs)")
    for number, line in lines:
        fields = _FIELDS.findall(line)
        if not fields:
            continue
        where = f"{path}, line {number}"
        if len(fields) != len(QRELS_HEADER):
            raise BenchmarkError(f"{where}: {len(fields)} fields where three are expected")
        query, document, value = fields
        if query not in queries:
            raise BenchmarkError(f"{where}: no query {shown(query)} among the queries")
        if document not in documents:
            raise BenchmarkError(f"{where}: no document {shown(document)} in the corpus")
        whole = _WHOLE.fullmatch(value)
        if whole is None:
            raise BenchmarkError(f"{where}: the value '{shown(value)}' is no whole number")
        pair, score = (query, document), int(whole[1])
        repeated += pair in pairs
        if pairs.setdefault(pair, score) != score:
            raise BenchmarkError(f"{where}: this pair has two values, {pairs[pair]} and {score}")
    if not pairs:
        raise BenchmarkError(f"{path}: holds no qrel")
    return [(*pair, score) for pair, score in sorted(pairs.items())], repeated


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with open_bytes(path) as lines:
            for number, line in enumerate(lines, start=1):
                content = line.removeprefix(BOM) if number == 1 else line
                yield number, content.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: is not UTF-8 ({one_line(error)})") from error
    except DataError as error:
        raise BenchmarkError(str(error)) from error
