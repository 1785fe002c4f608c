"""Read a one-gigabyte export and pick the chemistry: ours with every rule against bare readers."""

from collections.abc import Callable

from benchmarks import export

CHEMISTRY = "^(C|A61K|A61P)"


def rows() -> Callable[[], int]:
    """Count the rows of the export, once."""

    def count() -> int:
        with export.path().open("rb") as lines:
            return sum(1 for _ in lines)

    return count


def isogloss() -> Callable[[], int]:
    """Ours: every row judged by every rule, survivors cleaned, in two processes."""
    from isogloss.patents.google import ingest_google
    from isogloss.settings import SelectionSettings, SourceSettings

    settings = SourceSettings(
        format="google-patents",
        languages=export.LANGUAGES,
        selection=SelectionSettings(minimum_words=50),
    )
    path = export.path()
    return lambda: len(ingest_google([path], settings, workers=2).publications)


def duckdb() -> Callable[[], object]:
    """Bare duckdb: parse the nested columns and count abstracts of rows with a chemistry code."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    query = f"""
        SELECT count(*), sum(len(abstract_localized)), sum(len(title_localized))
        FROM read_json('{export.path()}', format = 'newline_delimited')
        WHERE len(list_filter(cpc, lambda c: regexp_matches(c.code, '{CHEMISTRY}'))) > 0
    """  # noqa: S608
    return lambda: connection.execute(query).fetchall()


def polars() -> Callable[[], object]:
    """Bare polars: the same, lazily."""
    import polars as pl

    code = pl.element().struct.field("code").str.contains(CHEMISTRY)
    chosen = pl.scan_ndjson(export.path()).filter(pl.col("cpc").list.eval(code).list.any())
    counts = chosen.select(pl.len(), pl.col("abstract_localized").list.len().sum())
    return lambda: counts.collect(engine="streaming")


def orjson() -> Callable[[], object]:
    """Bare orjson in one process: parse every line, nothing else."""
    import orjson

    def parse() -> int:
        with export.path().open("rb") as lines:
            return sum(1 for line in lines if orjson.loads(line))

    return parse
