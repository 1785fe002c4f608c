"""Several files together."""

from isogloss.review.gathering import gather
from isogloss.review.returns import Return


def returned(**entries: int) -> Return:
    result = Return()
    for name, score in entries.items():
        result.entries[name], result.rows[name] = {"score": score}, f"row of {name}={score}"
    return result


def test_alike_counts_once_and_a_clash_never() -> None:
    found = gather(
        [("ana", returned(a=1, b=2)), ("ana", returned(a=1, b=3)), ("ben", returned(b=9))]
    )
    assert {key: values["score"] for key, values in found.entries.items()} == {
        ("ana", "a"): 1,
        ("ben", "b"): 9,
    }
    assert found.refused == {("ana", "b")}
    assert [str(fault) for fault in found.faults] == [
        "row of b=3, id 'b': differs from row of b=2; keep one of the two files"
    ]


def test_a_row_refused_in_one_file_and_good_in_a_later_one_is_good() -> None:
    bad = Return(refused=["a"])
    found = gather([("ana", bad), ("ana", returned(a=4))])
    assert not found.refused
    assert ("ana", "a") in found.entries
