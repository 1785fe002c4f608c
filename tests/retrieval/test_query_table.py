import numpy as np
import pyarrow as pa
import pytest

from isogloss.errors import DataError
from isogloss.files import write_parquet
from isogloss.retrieval.figures import scores
from isogloss.retrieval.gold import BEYOND, pair_table
from isogloss.retrieval.query_table import QUERIES, Origin, query_table, read_query_table
from isogloss.retrieval.ranking import Ranking
from worlds import random_benchmark, random_ranking

ORIGIN = Origin("random", "0" * 32, 600)


@pytest.fixture(scope="module")
def table():
    benchmark = random_benchmark(2, 400, 60)
    return pair_table(benchmark, random_ranking(benchmark, 2, pull=0.5))


def test_written_and_read_again_nothing_is_lost(table, tmp_path):
    write_parquet(tmp_path / "q.parquet", query_table(scores(table), ORIGIN))
    again, origin = read_query_table(tmp_path / "q.parquet")
    assert origin == ORIGIN
    for name, values in vars(table).items():
        if name != "same":
            assert np.array_equal(values, getattr(again.table, name)), name
    assert query_table(again, origin).equals(query_table(scores(table), ORIGIN))


def test_a_miss_is_null_and_no_gold_is_null(table):
    rows = query_table(scores(table), ORIGIN).to_pylist()
    missed = {int(table.query[pair]) for pair in np.flatnonzero(table.rank == BEYOND)}
    assert missed
    for index, row in enumerate(rows):
        ranks = [gold["rank"] for gold in row["golds"]]
        assert (None in ranks) == (index in missed)
        for side in ("same", "cross"):
            own = [
                gold["rank"]
                for gold in row["golds"]
                if (gold["language"] == row["language"]) == (side == "same")
            ]
            found = [rank for rank in own if rank is not None]
            assert row[f"gold_{side}"] == len(own)
            assert row[f"rank_{side}"] == min(found, default=None)
            assert (row[f"recall_at_10/{side}"] is None) == (not own)
        firsts = (row["rank_same"], row["rank_cross"])
        assert row["rank_star"] == (None if None in firsts else max(firsts))


def test_no_query_found_anything(tmp_path):
    benchmark = random_benchmark(1, 20, 5)
    empty = Ranking(np.empty((5, 0), dtype=np.int32), np.empty((5, 0)))
    found = query_table(scores(pair_table(benchmark, empty)), ORIGIN)
    write_parquet(tmp_path / "q.parquet", found)
    assert (read_query_table(tmp_path / "q.parquet")[0].table.rank == BEYOND).all()


def test_files_of_unknown_origin_or_shape_are_refused(table, tmp_path):
    path = tmp_path / "q.parquet"
    written = query_table(scores(table), ORIGIN)
    write_parquet(path, written.replace_schema_metadata(None))
    with pytest.raises(DataError, match=r"q\.parquet: does not name its benchmark"):
        read_query_table(path)
    write_parquet(path, written.drop_columns(["golds"]))
    with pytest.raises(DataError, match="lacks column golds"):
        read_query_table(path)
    write_parquet(path, written.append_column("more", pa.nulls(len(written), pa.string())))
    with pytest.raises(DataError, match="unknown column more"):
        read_query_table(path)
    assert written.schema.names == QUERIES.names
