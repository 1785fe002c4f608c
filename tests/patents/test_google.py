import itertools
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.errors import DataError
from isogloss.patents import google
from isogloss.patents.google import ingest_google
from isogloss.patents.ingest import Ingested
from isogloss.patents.record import Publication

from .google_export import LONG, expected_counts, row, source, write_shard


def ingest(folder: Path, *shards: list[dict[str, Any]], **selection: Any) -> Ingested:
    paths = [write_shard(folder / f"part-{index}.jsonl", rows) for index, rows in enumerate(shards)]
    return ingest_google(paths, source(**selection))


def only(found: Ingested) -> Publication:
    (publication,) = found.publications
    return publication


def seen(found: Ingested) -> dict[str, Any]:
    return vars(found) | {"publications": list(found.publications)}


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from([LONG["en"], LONG["zh"], "too short", "", "other words here " * 9]),
        st.sampled_from(["en", "de", "zh", "ja"]),
    ),
    max_size=4,
)
ROWS = st.lists(
    st.builds(
        lambda number, entries, codes, truncated: row(
            number,
            [(language, text) for text, language in entries],
            cpc=[{"code": code} for code in codes],
            title_localized=[{"text": f"title {truncated}", "language": "en"}],
            publication_date=str(20000101 + truncated),
        ),
        st.sampled_from(["EP-1-A1", "ep1a1", "EP-2-B1", "US-3-A", "US-4-A", "CN-5-A"]),
        ENTRIES,
        st.lists(st.sampled_from(["C07D401/04", "H01L21/02"]), max_size=2),
        st.integers(0, 3),
    ),
    max_size=9,
)


@given(ROWS, st.integers(1, 2))
def test_counts_follow_the_definitions(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], languages: int
) -> None:
    folder = tmp_path_factory.mktemp("counts")
    settings = source(minimum_languages=languages)
    path = write_shard(folder / "a.jsonl", rows)
    found = ingest_google([path], settings)
    after = [(rule["after"]["publications"], rule["after"]["documents"]) for rule in found.rules]
    assert after == expected_counts(rows, settings)
    for before, rule in itertools.pairwise(found.rules):
        assert rule["before"] == before["after"]
    assert found.records["read"] == len(rows) == found.records["loaded"]
    assert len(found.publications) == after[-1][0]
    assert sum(len(one.versions) for one in found.publications) == after[-1][1]


@given(ROWS, st.integers(40, 4000))
def test_ranges_and_shards_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], size: int
) -> None:
    folder = tmp_path_factory.mktemp("ranges")
    whole = [write_shard(folder / "a.jsonl", rows)]
    halves = [
        write_shard(folder / "b0.jsonl.gz", rows[: len(rows) // 2]),
        write_shard(folder / "b1.jsonl", rows[len(rows) // 2 :]),
    ]
    expected = seen(ingest_google(whole, source()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(google, "RANGE_BYTES", size)
        assert seen(ingest_google(whole, source())) == expected
        assert seen(ingest_google(halves, source())) == expected


def test_two_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        row(f"EP-{number % 90}-A1", {"en": f"{number} {LONG['en']}", "de": LONG["de"]})
        for number in range(120)
    ]
    path = write_shard(tmp_path / "a.jsonl", rows)
    with path.open("ab") as file:
        file.write(b"{broken\n")
    alone = seen(ingest_google([path], source(), workers=1))
    monkeypatch.setattr(google, "PARALLEL_BYTES", 0)
    monkeypatch.setattr(google, "RANGE_BYTES", 30_000)
    assert seen(ingest_google([path], source(), workers=2)) == alone
    assert len(alone["publications"]) == 90
    assert [(refusal.file, refusal.line) for refusal in alone["refused"]] == [("a.jsonl", 121)]


def test_rows_of_one_number_are_joined_before_any_rule(tmp_path: Path) -> None:
    coded = row("EP-1-A1", {}, family_id=None, publication_date=None)
    english = row(
        "ep 1 a1",
        {"en": LONG["en"]},
        cpc=[{"code": "A61B1/00"}],
        title_localized=[{"text": "Katalysator", "language": "de"}],
    )
    german = row("EP1A1", {"de": LONG["de"]}, cpc=None, publication_date="20070101")
    found = ingest(tmp_path, [coded, english], [german])
    publication = only(found)
    assert publication.number == "EP1A1"
    assert publication.codes == ["A61B1/00", "C07D401/04"]
    assert publication.date == "2006-01-02"
    assert [(version.language, version.title) for version in publication.versions] == [
        ("de", "Katalysator"),
        ("en", ""),
    ]
    assert found.conflicts == [{"id": "EP1A1", "kind": "date", "values": 2}]
    assert found.records == {"read": 3, "loaded": 3, "refused": 0, "publications": 1}


def test_two_kinds_of_one_application_stay_two_families_of_one_cluster(tmp_path: Path) -> None:
    texts = {"en": LONG["en"], "de": LONG["de"]}
    found = ingest(tmp_path, [row("EP-1-A1", texts), row("EP-1-B1", texts)])
    assert [(one.number, one.cluster) for one in found.publications] == [
        ("EP1A1", "17"),
        ("EP1B1", "17"),
    ]


def test_the_best_version_of_a_language(tmp_path: Path) -> None:
    entries = [
        {"text": LONG["en"] + " longest but truncated", "language": "en", "truncated": True},
        {"text": LONG["en"], "language": "EN"},
        {"text": LONG["en"].upper(), "language": "en", "truncated": False},
        {"text": LONG["zh"], "language": "cn"},
        {"text": LONG["zh"] + "更长", "language": "zh-CN"},
    ]
    found = ingest(tmp_path, [row("EP-1-A1", {}, abstract_localized=entries)])
    texts = {version.language: version.abstract for version in only(found).versions}
    assert texts == {"en": LONG["en"], "zh": LONG["zh"] + "更长"}
    assert found.conflicts == [
        {"id": "EP1A1:en", "kind": "text", "values": 3},
        {"id": "EP1A1:zh", "kind": "text", "values": 2},
    ]


def test_a_truncated_version_stays_where_it_is_the_only_one(tmp_path: Path) -> None:
    entries = [{"text": LONG[code], "language": code, "truncated": True} for code in ("en", "de")]
    found = ingest(tmp_path, [row("EP-1-A1", {}, abstract_localized=entries)])
    assert [version.truncated for version in only(found).versions] == [True, True]


def test_the_limit_takes_the_newest_and_unknown_dates_last(tmp_path: Path) -> None:
    texts = {"en": LONG["en"], "de": LONG["de"]}
    dates = {"EP-1-A1": "0", "EP-2-A1": 20060102, "EP-10-A1": "20060102", "EP-3-A1": "20051231"}
    rows = [row(number, texts, publication_date=date) for number, date in dates.items()]
    for limit, kept in ((3, ["EP10A1", "EP2A1", "EP3A1"]), (1, ["EP10A1"])):
        found = ingest(tmp_path, rows, limit=limit)
        assert [one.number for one in found.publications] == kept
        assert found.rules[-1]["after"] == {"publications": limit, "documents": 2 * limit}
    everything = ingest(tmp_path, rows, limit=9)
    assert [one.number for one in everything.publications] == ["EP10A1", "EP1A1", "EP2A1", "EP3A1"]


def test_a_listed_number_is_chemistry(tmp_path: Path) -> None:
    rows = [
        row(number, {"en": LONG["en"], "de": LONG["de"]}, cpc=[])
        for number in ("EP-1-A1", "EP-2-A1")
    ]
    path = write_shard(tmp_path / "a.jsonl", rows)
    listed = tmp_path / "surechembl.txt"
    listed.write_text("EP-2-A1\n")
    found = ingest_google([path], source(), surechembl=listed)
    assert only(found).number == "EP2A1"


def test_a_missing_list_is_an_error_and_no_fault_of_the_shards(tmp_path: Path) -> None:
    path = write_shard(tmp_path / "a.jsonl", [row("EP-1-A1", {"en": LONG["en"]})])
    with pytest.raises(DataError, match=r"surechembl\.txt: no such file"):
        ingest_google([path], source(), surechembl=tmp_path / "surechembl.txt")


def test_what_is_no_version_is_counted(tmp_path: Path) -> None:
    entries = [
        {"language": "en"},
        {"text": "  ", "language": "de"},
        {"text": "Abstract not available", "language": "en"},
        {"text": LONG["en"], "language": "xx"},
        {"text": LONG["ja"], "language": "ja"},
        {"text": LONG["en"], "language": "en"},
        {"text": LONG["de"], "language": "de"},
    ]
    without = {"publication_number": "EP-2-A1"}
    nameless = {"country_code": "EP"}
    found = ingest(tmp_path, [row("EP-1-A1", {}, abstract_localized=entries), without, nameless])
    assert found.counts == {
        "abstract_without_text": 2,
        "placeholder_abstract": 1,
        "language_unknown": 1,
    }
    assert found.other_languages == {"ja": 1}
    assert found.records == {"read": 3, "loaded": 2, "refused": 1, "publications": 2}
    assert found.rules[0] == {
        "rule": "has a text",
        "before": {"publications": 2, "documents": 4},
        "after": {"publications": 1, "documents": 4},
    }
    (refusal,) = found.refused
    assert (refusal.file, refusal.line) == ("part-0.jsonl", 3)


def test_one_unreadable_shard_is_named_and_the_others_load(tmp_path: Path) -> None:
    good = row("EP-1-A1", {"en": LONG["en"], "de": LONG["de"]})
    first = write_shard(tmp_path / "a.jsonl.gz", [good])
    cut = write_shard(tmp_path / "b.jsonl.gz", [good | {"publication_number": "EP-2-A1"}] * 400)
    cut.write_bytes(cut.read_bytes()[:-20])
    broken = tmp_path / "c.parquet"
    broken.write_bytes(b"no parquet")
    found = ingest_google([first, cut, broken], source())
    assert next(iter(found.publications)).number == "EP1A1"
    assert [one["file"] for one in found.cut_short] == ["b.jsonl.gz"]
    assert [refusal.file for refusal in found.refused] == ["c.parquet"]


@pytest.mark.parametrize("case", ["P05"], indirect=True)
def test_shapes_of_a_bigquery_export(tmp_path: Path, case: dict[str, dict[str, Any]]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(check["input"] + "\n" for check in case.values()))
    settings = source(("en", "de"), chemistry=False, minimum_words=0, minimum_languages=1)
    found = ingest_google([path], settings)
    publications = {one.number: one for one in found.publications}
    # 02 and 04 have no abstract: they are counted, not lost.
    assert found.records == {"read": 5, "loaded": 5, "refused": 0, "publications": 5}
    assert sorted(publications) == ["EP1A1", "EP3A1", "EP5A1"]
    assert found.rules[0]["after"]["publications"] == 3
    first = publications["EP1A1"]
    assert first.date == case["01"]["expected"]["date"]
    assert {version.language: version.abstract for version in first.versions} == {"en": "x"}
    assert {one.language: one.abstract for one in publications["EP3A1"].versions} == {
        "en": "a",
        "de": "b",
    }
    assert publications["EP5A1"].versions[0].truncated


def test_refusals_of_shards_and_rows_add_up_and_name_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = row("EP-1-A1", {"en": LONG["en"], "de": LONG["de"]})
    paths = [write_shard(tmp_path / name, [good]) for name in ("a.jsonl", "b.json", "e.jsonl.gz")]
    paths[1].write_bytes(paths[1].read_text().encode("utf-16"))
    paths[2].write_bytes(b"<html>no gzip</html>")
    for name, content in (("c.parquet", b"no parquet"), ("d.jsonl", b"{broken}\n{}\n")):
        (tmp_path / name).write_bytes(content)
        paths.append(tmp_path / name)
    # The ranges behind the first of a UTF-16 shard are no refusals of their own.
    monkeypatch.setattr(google, "RANGE_BYTES", 100)
    found = ingest_google(sorted(paths), source())
    assert only(found).number == "EP1A1"
    assert sorted((refusal.file, refusal.line) for refusal in found.refused if refusal.line) == [
        ("d.jsonl", 1),
        ("d.jsonl", 2),
    ]
    whole = {refusal.file: refusal.reason for refusal in found.refused if not refusal.line}
    assert sorted(whole) == ["b.json", "c.parquet", "e.jsonl.gz"]
    assert whole["b.json"] == "is UTF-16; export it as UTF-8"
    assert whole["e.jsonl.gz"] == "is no gzip file"
    assert found.records == {"read": 6, "loaded": 1, "refused": 5, "publications": 1}
    assert found.cut_short == []
    assert not any(str(tmp_path) in refusal.reason for refusal in found.refused)


def test_a_parquet_cell_that_is_no_utf_8_refuses_its_row_alone(tmp_path: Path) -> None:
    texts = {"en": LONG["en"], "de": LONG["de"]}
    numbers = [f"EP-{index}-A1" for index in range(1, 6)]
    table = pa.Table.from_pylist(
        [{"publication_number": name} | row(name, texts) for name in numbers]
    )
    raw = pa.array([b"US", b"\xff\xfe", b"EP", b"EP", b"\xc3("], pa.binary())
    text = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    index = table.schema.get_field_index("country_code")
    pq.write_table(table.set_column(index, "country_code", text), tmp_path / "a.parquet")
    other = write_shard(tmp_path / "b.jsonl", [row("EP-9-A1", texts)])
    found = ingest_google([tmp_path / "a.parquet", other], source())
    kept = [one.number for one in found.publications]
    assert kept == ["EP1A1", "EP3A1", "EP4A1", "EP9A1"]
    assert [(refusal.file, refusal.line) for refusal in found.refused] == [
        ("a.parquet", 2),
        ("a.parquet", 5),
    ]
    assert all("utf-8" in refusal.reason for refusal in found.refused)
    assert found.records == {"read": 6, "loaded": 4, "refused": 2, "publications": 4}


def test_a_shard_that_is_not_there_is_refused_by_the_name_given(tmp_path: Path) -> None:
    good = write_shard(tmp_path / "a.jsonl", [row("EP-1-A1", {"en": LONG["en"], "de": LONG["de"]})])
    names = ["x/a.jsonl", "x/b.jsonl", "x/c.jsonl.gz"]
    gone = [tmp_path / "b.jsonl", tmp_path / "c.jsonl.gz"]
    found = ingest_google([good, *gone], source(), names=names)
    assert only(found).number == "EP1A1"
    assert [refusal.file for refusal in found.refused] == names[1:]
    assert found.records == {"read": 3, "loaded": 1, "refused": 2, "publications": 1}
