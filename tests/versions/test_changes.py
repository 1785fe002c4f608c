from hypothesis import given, settings
from hypothesis import strategies as st

from isogloss.benchmark import read_benchmark
from isogloss.versions.changes import dataset_changes
from versions.pinned_project import FIRST, SECOND, write_families


def built(folder, families):
    write_families(folder, families, stats=False)
    return read_benchmark(folder, "alpha")


def test_families_that_appear_leave_and_change(tmp_path):
    found = dataset_changes(built(tmp_path / "a", FIRST), built(tmp_path / "b", SECOND))
    assert [(one.family, one.kind) for one in found.families] == [
        *(("F0", "left"), ("F1", "changed"), ("F9", "appeared"))
    ]
    left, changed, appeared = found.families
    assert (left.removed, changed.edited, appeared.added) == (["de", "en"], ["en"], ["en", "zh"])
    assert found.unchanged == 2
    assert (found.queries_appeared, found.queries_left) == (["q-F9"], ["q-F0"])
    assert (found.queries_changed, found.gold_changed) == ([], [])
    assert found.same_queries == ["q-F1", "q-F2", "q-F3"]


def test_a_language_more_or_less_changes_family_and_gold(tmp_path):
    more = {"F": {"en": "a", "de": "b"}, "G": {"en": "c", "fr": "d"}}
    other = {"F": {"en": "a"}, "G": {"en": "c", "fr": "d", "zh": "e"}}
    found = dataset_changes(built(tmp_path / "a", more), built(tmp_path / "b", other))
    assert [(one.added, one.removed, one.edited) for one in found.families] == [
        *(([], ["de"], []), (["zh"], [], []))
    ]
    assert found.gold_changed == ["q-F", "q-G"]
    assert found.same_queries == []


FAMILIES = st.dictionaries(
    st.sampled_from("ABCD"),
    st.dictionaries(st.sampled_from(["de", "en"]), st.sampled_from(["x", "y"]), min_size=1),
    min_size=1,
)


@settings(max_examples=30)
@given(FAMILIES, FAMILIES)
def test_counts_add_up_and_the_way_back_is_the_mirror(tmp_path_factory, before, after):
    folder = tmp_path_factory.mktemp("changes")
    first, second = built(folder / "a", before), built(folder / "b", after)
    there, back = dataset_changes(first, second), dataset_changes(second, first)
    differing = {family for family in {*before, *after} if before.get(family) != after.get(family)}
    assert {one.family for one in there.families} == differing
    assert there.unchanged + len(there.families) == len({*before, *after})
    assert [one.family for one in there.of_kind("appeared")] == [
        one.family for one in back.of_kind("left")
    ]
    assert [one.added for one in there.families] == [one.removed for one in back.families]
    assert there.same_queries == back.same_queries
    assert dataset_changes(first, first).families == []
