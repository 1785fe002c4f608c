import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.ingest import Ingested
from isogloss.patents.parallel import ingest_parallel
from isogloss.settings import SourceSettings


def settings(**values: Any) -> SourceSettings:
    return SourceSettings(**{"format": "parallel", "languages": ["en", "fr"]} | values)


def ingest(folder: Path, *files: list[tuple[str, dict[str, str]]], **values: Any) -> Ingested:
    named = []
    for index, segments in enumerate(files):
        path = folder / f"{index}.jsonl"
        path.write_text("".join(json.dumps({"id": i, "texts": t}) + "\n" for i, t in segments))
        named.append((path, path.name))
    return ingest_parallel(named, settings(**values))


def segments(
    document: str, count: int, languages: str = "en fr"
) -> list[tuple[str, dict[str, str]]]:
    return [
        (f"{document}:{number}", {code: f"{code} {number}" for code in languages.split()})
        for number in range(1, count + 1)
    ]


def test_the_real_translations(root: Path) -> None:
    folder = root / "data" / "patents" / "tico19"
    files = [(path, path.name) for path in sorted(folder.glob("*.tmx.zip"))]
    found = ingest_parallel(
        files,
        settings(languages=["en", "es", "fr", "pt", "zh", "sw", "zu"], exclude=["CMU_1"]),
    )
    assert found.records == {"read": 18426, "loaded": 18426, "refused": 0, "publications": 721}
    assert found.rules[-1]["after"] == {"publications": 721, "documents": 5047}
    assert found.counts == {
        "excluded_segments": 141,
        "short_last_passages": 22,
        "segments_of_short_last_passages": 46,
    }
    # The English side differs between the files in places; the first file by name stays.
    assert len(found.conflicts) == 159
    first = found.publications[0]
    assert all(len(version.segments) == 4 for one in found.publications for version in one.versions)
    assert not any(map(str.isspace, "".join(one.number for one in found.publications)))
    assert first.number == "PubMed_10:1003-1006"
    assert first.versions[0].segments[0].id == "PubMed_10:1003"


def test_files_merge_on_ids_and_the_first_text_stays(tmp_path: Path) -> None:
    english = [("D:1", {"en": "one"}), ("D:2", {"en": "two"})]
    french = [("D:2", {"fr": "deux", "en": "TWO"}), ("D:1", {"fr": "un"})]
    found = ingest(tmp_path, english, french, passage_segments=2)
    (passage,) = found.publications
    assert passage.number == passage.cluster == "D:1-2"
    assert {one.language: one.abstract for one in passage.versions} == {
        "en": "one two",
        "fr": "un deux",
    }
    assert found.conflicts == [{"id": "D:2:en", "kind": "text", "left_out": "1.jsonl"}]


@given(st.integers(0, 30), st.integers(1, 6))
def test_passages_and_their_rest_are_all_segments(
    tmp_path_factory: pytest.TempPathFactory, count: int, size: int
) -> None:
    found = ingest(tmp_path_factory.mktemp("p"), segments("D", count), passage_segments=size)
    used = [part.id for one in found.publications for part in one.versions[0].segments]
    assert len(used) == count - count % size
    assert len(set(used)) == len(used)
    assert found.counts["segments_of_short_last_passages"] == count % size


def test_numbers_order_as_numbers_and_other_ids_as_they_come(tmp_path: Path) -> None:
    numbered = [("D:10", {"en": "c", "fr": "c"}), ("D:9", {"en": "b", "fr": "b"})]
    named = [("N:x", {"en": "1", "fr": "1"}), ("N:a", {"en": "2", "fr": "2"})]
    found = ingest(tmp_path, numbered + named, passage_segments=2)
    assert [one.number for one in found.publications] == ["D:9-10", "N:x-a"]


def test_a_version_that_lacks_a_segment_is_not_aligned(tmp_path: Path) -> None:
    given = segments("D", 4)
    given[1][1]["fr"] = "  "
    found = ingest(tmp_path, given, passage_segments=2)
    assert [one.number for one in found.publications] == ["D:3-4"]
    assert found.counts == {"segment_without_text": 1, "versions_not_aligned": 1}
    assert found.rules[-1]["before"]["publications"] == 2


def test_ids_without_a_document_or_with_white_space_are_refused(tmp_path: Path) -> None:
    bad = [(name, {"en": "x"}) for name in ("D", ":1", "D:", "a b:1", "D:1\u00a02")]
    found = ingest(tmp_path, bad + segments("D", 1), passage_segments=1)
    assert [refusal.id for refusal in found.refused] == [name for name, _ in bad]
    assert [one.number for one in found.publications] == ["D:1"]
    assert found.records == {"read": 6, "loaded": 1, "refused": 5, "publications": 1}


def test_other_and_unknown_languages_are_counted(tmp_path: Path) -> None:
    found = ingest(tmp_path, segments("D", 2, "en fr sw xx"), passage_segments=2)
    assert found.other_languages == {"sw": 1}
    assert found.counts == {"language_unknown": 2}


def test_a_broken_file_is_named_and_the_others_load(tmp_path: Path) -> None:
    (tmp_path / "a.tmx").write_text("<tmx><body>")
    good = tmp_path / "b.jsonl"
    good.write_text("".join(json.dumps({"id": i, "texts": t}) + "\n" for i, t in segments("D", 4)))
    found = ingest_parallel([(tmp_path / "a.tmx", "a.tmx"), (good, "b.jsonl")], settings())
    assert [refusal.file for refusal in found.refused] == ["a.tmx"]
    assert len(found.publications) == 1


TWICE = {
    "a.tmx": '<tmx><body><tu tuid="D:1"><tuv xml:lang="en"><seg>one</seg></tuv>{}'
    '<tuv xml:lang="fr"><seg>un</seg></tuv></tu></body></tmx>',
    "a.jsonl": '{{"id": "D:1", "texts": {{"en": "one", {} "fr": "un"}}}}\n',
}


@pytest.mark.parametrize(
    ("name", "second", "conflicts", "empty"),
    [
        ("a.tmx", '<tuv xml:lang="en"><seg>two</seg></tuv>', 1, 0),
        ("a.tmx", '<tuv xml:lang="en-US"><seg>two</seg></tuv>', 1, 0),
        ("a.tmx", '<tuv xml:lang="en"><seg>one</seg></tuv>', 0, 0),
        ("a.tmx", '<tuv xml:lang="en"><seg/></tuv>', 0, 1),
        ("a.tmx", '<tuv xml:lang="en"/>', 0, 1),
        ("a.jsonl", '"en": "two",', 1, 0),
        ("a.jsonl", '"EN": "two",', 1, 0),
        ("a.jsonl", '"en": "one",', 0, 0),
        ("a.jsonl", '"en": " ",', 0, 1),
    ],
)
def test_a_second_text_of_a_language_in_one_segment_is_named_and_the_first_stays(
    tmp_path: Path, name: str, second: str, conflicts: int, empty: int
) -> None:
    (tmp_path / name).write_text(TWICE[name].format(second))
    found = ingest_parallel([(tmp_path / name, name)], settings(passage_segments=1))
    (passage,) = found.publications
    assert {one.language: one.abstract for one in passage.versions} == {"en": "one", "fr": "un"}
    assert found.conflicts == [{"id": "D:1:en", "kind": "text", "left_out": name}] * conflicts
    assert found.counts["segment_without_text"] == empty
    assert found.records == {"read": 1, "loaded": 1, "refused": 0, "publications": 1}
