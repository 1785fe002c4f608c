import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.patents.identifiers import cluster_of, iso_date, normalise_number


@pytest.mark.parametrize(
    "written",
    [
        "EP-1234567-A1",
        "ep 1234567 a1",
        "EP1234567A1",
        "Ep\u20111234567\u00a0A1 ",
        "ep-1234567-a1\n",
    ],
)
def test_one_number_however_it_is_written(written: str) -> None:
    assert normalise_number(written) == "EP1234567A1"


@given(st.text())
def test_a_number_holds_no_white_space_and_stays_as_it_is(text: str) -> None:
    number = normalise_number(text)
    assert not any(map(str.isspace, number))
    assert normalise_number(number) == number


@pytest.mark.parametrize("value", [20060102, "20060102", "2006-01-02", 20060102.0, " 20060102 "])
def test_dates(value: int | float | str) -> None:
    assert iso_date(value) == "2006-01-02"


@pytest.mark.parametrize("value", [0, "0", None, "", 20061301, "20060230", 2006, float("nan"), "x"])
def test_unknown_and_impossible_dates_are_none(value: int | float | str | None) -> None:
    assert iso_date(value) is None


@pytest.mark.parametrize("family_id", [None, "", " ", 0, "0", -1, "-1", -1.0, float("nan")])
def test_no_family_id_means_the_family_alone(family_id: int | float | str | None) -> None:
    assert cluster_of(family_id, "EP1A1") == "EP1A1"


@pytest.mark.parametrize("family_id", [123, "123", " 123 ", 123.0])
def test_family_id_is_the_cluster(family_id: int | float | str) -> None:
    assert cluster_of(family_id, "EP1A1") == "123"
