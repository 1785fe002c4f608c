from isogloss.versions.catalogue import Pinned, Use, catalogue, named_versions
from isogloss.versions.described import Described
from isogloss.versions.revisions import Revision

ONE, TWO = Described("1" * 32, 4, 2, {"en": (4, 2)}), Described("2" * 32, 5, 2, {"en": (5, 2)})
OLD, NEW, HEAD = (
    Revision("v1", "a" * 40, "2026-01-01"),
    Revision("v2", "b" * 40, "2026-02-01"),
    Revision("HEAD", "b" * 40, "2026-02-01"),
)


def test_everything_meets_by_benchmark_and_version():
    found = catalogue(
        [
            Pinned("b", "m1", (OLD,), ONE),
            Pinned("b", "m2", (NEW, HEAD), TWO),
            Pinned("b", None, (), TWO),
            Pinned("a", "m1", (NEW,), ONE),
        ],
        [
            Use("b", TWO.version, "run", "r1", "2026-03-01"),
            Use("b", "3" * 32, "lost", "r2", "2025"),
        ],
        [Use("b", ONE.version, "model", "f" * 16)],
    )
    assert [(one.benchmark, one.version[0]) for one in found] == [
        *(("a", "1"), ("b", "1"), ("b", "2"), ("b", "3"))
    ]
    _, first, second, lost = found
    assert (first.workspace, second.workspace) == (False, True)
    assert [use.name for use in first.vectors] == ["model"]
    assert [revision.name for revision in second.held_by] == ["v2", "HEAD"]
    assert second.date == "2026-02-01"
    assert lost.date == "2025"
    assert lost.notes == ["held by no tag, not by the last commit and not by the workspace"]
    assert named_versions(found) == {"a": {ONE.version}, "b": {ONE.version, TWO.version}}


def test_the_same_content_under_two_hashes_is_one_version():
    found = catalogue([Pinned("b", "m1", (OLD,), ONE), Pinned("b", "tree", (NEW,), ONE)], [], [])
    assert [revision.name for revision in found[0].held_by] == ["v1", "v2"]
    assert len(found) == 1


def test_a_run_remembers_what_lost_content_was():
    lost = Pinned("b", "m1", (OLD,), None, "why")
    run = Use("b", ONE.version, "run", "r1", "2026-03-01", "m1")
    (found,) = catalogue([lost], [run], [])
    assert (found.version, found.notes, found.described) == (ONE.version, ["why"], None)
    assert found.held_by == [OLD]
    assert named_versions([found]) == {"b": {ONE.version}}
    other = Use("c", ONE.version, "run", "r1", "2026-03-01", "m1")
    assert [one.version for one in catalogue([lost], [other], [])] == [None, ONE.version]


def test_content_that_cannot_be_had_stays_unknown():
    found = catalogue([Pinned("b", "m1", (OLD,), None, "why"), Pinned("b", None, (), ONE)], [], [])
    assert [(one.version, one.notes) for one in found] == [(None, ["why"]), (ONE.version, [])]
    assert found[0].as_json()["documents"] is None
