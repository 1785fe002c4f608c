"""A fault of many rows is said a few times and then counted."""

from isogloss.review.row_rules import Fault
from isogloss.stages.review_terminal import fault_lines


def test_what_many_rows_share_is_folded_by_file() -> None:
    many = [Fault(f"a.xlsx, sheet 'MCQA', row {row}", f"i{row}", "no score") for row in range(2, 9)]
    other = Fault("b.csv, row 2", "i2", "no score")
    whole = Fault("c.ods: save the sheet as .xlsx", None, "the file is left out")
    assert fault_lines([*many, other, whole]) == [
        "a.xlsx, sheet 'MCQA', row 2, id 'i2': no score",
        "a.xlsx, sheet 'MCQA', row 3, id 'i3': no score",
        "a.xlsx, sheet 'MCQA', row 4, id 'i4': no score",
        "a.xlsx: 4 more like this: no score",
        "b.csv, row 2, id 'i2': no score",
        "c.ods: save the sheet as .xlsx: the file is left out",
    ]
    assert len(fault_lines(many[:3])) == 3
