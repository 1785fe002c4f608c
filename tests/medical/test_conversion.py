"""Published forms become items, and every record is accounted for."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from isogloss.errors import DataError, UsageError
from isogloss.medical.conversion import SOURCES, Conversion, convert
from isogloss.medical.items import Item, difference

SAMPLES = Path(__file__).parent / "samples"


def adds_up(conversion: Conversion) -> None:
    rest = sum(count for reason, count in conversion.counts.items() if reason != "read")
    assert conversion.counts["read"] == rest
    assert conversion.counts["kept"] == len(conversion.items)
    assert conversion.counts.get("refused", 0) == len(conversion.refusals)


@pytest.mark.parametrize(
    ("source", "file", "first"),
    [
        (
            "headqa-es",
            "headqa_es",
            Item(
                "mcqa-headqa-0000",
                "es",
                "MCQA",
                "headqa",
                "Question: Forma fibras extracelulares con gran resistencia a la tensión:\n"
                "Options:\nA: Fibronectina.\nB: Colágeno.\nC: Integrinas.\nD: Proteoglucanos.",
                "B",
                {
                    "A": "Fibronectina.",
                    "B": "Colágeno.",
                    "C": "Integrinas.",
                    "D": "Proteoglucanos.",
                },
            ),
        ),
        (
            "medqa-zh",
            "medqa_mcmle_zh",
            Item(
                "mcqa-medqa-0000",
                "zh",
                "MCQA",
                "medqa",
                "Question: 经调查证实出现医院感染流行时，医院应报告当地卫生行政部门的时间是\n"
                "Options:\nA: 2小时\nB: 4小时内\nC: 12小时内\nD: 24小时内",
                "D",
                {"A": "2小时", "B": "4小时内", "C": "12小时内", "D": "24小时内"},
            ),
        ),
    ],
)
def test_real_exam_files(source: str, file: str, first: Item) -> None:
    conversion = convert(source, SAMPLES / f"{file}.jsonl")
    adds_up(conversion)
    assert conversion.counts == {"read": 12, "kept": 12}
    assert conversion.items[0] == first
    assert difference(first, conversion.items[1]) is not None


def test_quotation_marks_of_the_publisher_leave() -> None:
    conversion = convert("medqa-us", SAMPLES / "medqa_usmle_en.jsonl")
    adds_up(conversion)
    broken, quoted = conversion.items[-2:]
    assert broken.options["D"] == "Paradoxical motion of part of the chest with breathing"
    assert quoted.options["A"].startswith("\"Let's talk")
    assert quoted.options["A"].endswith('medications."')


def test_headqa_as_published(tmp_path: Path) -> None:
    question = {
        "qid": "7", "qtext": "Which?", "ra": "2", "image": "",
        "answers": [{"aid": 2, "atext": "two "}, {"aid": 1, "atext": "one"}],
    }  # fmt: skip
    exams = {
        "a": {"data": [question, {**question, "image": "images/x.png"}]},
        "b": {"data": [{**question, "ra": "3"}]},
    }
    path = tmp_path / "test_HEAD.json"
    path.write_text(json.dumps({"version": "1.0", "language": "es", "exams": exams}), "utf-8")
    conversion = convert("headqa-es", path)
    adds_up(conversion)
    assert conversion.counts == {"read": 3, "kept": 1, "needs a picture": 1, "refused": 1}
    (item,) = conversion.items
    assert (item.target, item.options) == ("B", {"A": "one", "B": "two"})
    assert "record 3 (7): ra '3' is the aid of no answer" in conversion.refusals[0]


def test_medqa_as_published(lines: Any) -> None:
    record = {
        "question": "Which?", "answer": "Nitrofurantoin", "answer_idx": "B", "meta_info": "step2",
        "options": {"A": "Ampicillin", "B": "Nitrofurantoin", "C": "", "D": "Ceftriaxone"},
    }  # fmt: skip
    whole = {**record, "options": {**record["options"], "C": "Doxycycline"}}
    swapped = {**whole, "options": dict(reversed(whole["options"].items()))}
    conversion = convert(
        "medqa-us", lines("test.jsonl", [whole, record, swapped, {**whole, "answer_idx": "E"}])
    )
    adds_up(conversion)
    assert conversion.items[0].target == "B"
    assert conversion.items[0].options["D"] == "Ceftriaxone"
    for fault, told in zip(
        conversion.refusals,
        ("option C has no text", "option labels are D C B A", "answer 'E' is none of A B C D"),
        strict=True,
    ):
        assert told in fault


def test_expertqa_as_published(lines: Any) -> None:
    record = {
        "question": "Why?", "annotator_id": "a", "metadata": {"field": "Biology"},
        "answers": {"gpt4": {"answer_string": "old", "revised_answer_string": "So it is [1] [2]."}},
    }  # fmt: skip
    unrevised = {**record, "answers": {"gpt4": {"answer_string": "old"}}}
    law = {**record, "metadata": {"field": "Law"}}
    conversion = convert("expertqa", lines("r2.jsonl", [record, unrevised, law]))
    adds_up(conversion)
    assert conversion.counts["no revised answer"] == 1
    assert [(item.dataset, item.target) for item in conversion.items] == [
        ("expertqabio", "So it is.")
    ]


def test_expertqa_parts_by_field() -> None:
    conversion = convert("expertqa", SAMPLES / "expertqa_en.jsonl")
    adds_up(conversion)
    assert conversion.counts == {
        "read": 14,
        "kept": 13,
        "field is neither biology nor medicine: Sociology": 1,
    }
    assert {item.dataset for item in conversion.items} == {"expertqabio", "expertqamed"}
    assert conversion.items[0].target.endswith("red color of blood.")
    assert not any(" ." in item.target for item in conversion.items)
    # The record before it was left out; its own place still makes its id.
    assert conversion.items[-1].id == "qa-expertqabio-0013"


def test_medexpqa(lines: Any) -> None:
    record = {
        "full_question": "Which?", "lang": "en", "correct_option": 5, "id": 7, "year": 2014,
        "options": {"1": "a", "2": "b", "3": None, "4": "d", "5": "e"},
    }  # fmt: skip
    conversion = convert(
        "medexpqa",
        lines("test.jsonl", [record, {**record, "correct_option": 3}, {**record, "lang": "es"}]),
    )
    adds_up(conversion)
    (item,) = conversion.items
    assert (item.target, item.options) == ("D", {"A": "a", "B": "b", "C": "d", "D": "e"})
    assert "record 2 (7): correct_option 3 is none of 1 2 4 5" in conversion.refusals[0]
    assert "record 3 (7): lang 'es' is not this source's language, en" in conversion.refusals[1]
    (spanish,) = convert("medexpqa-es", lines("es.jsonl", [{**record, "lang": "es"}])).items
    assert (spanish.id, spanish.language) == (item.id, "es")


def test_mmlupro(lines: Any) -> None:
    record = {
        "question_id": 70, "question": "Which?", "options": [f"o{i}" for i in range(10)],
        "answer": "J", "answer_index": 9, "category": "health",
    }  # fmt: skip
    filled = {**record, "options": ["x", "y", "N/A", "N/A"], "answer": "B", "answer_index": 1}
    path = lines(
        "m.jsonl", [record, {**record, "category": "law"}, {**record, "answer": "A"}, filled]
    )
    conversion = convert("mmlupro", path)
    adds_up(conversion)
    # Filler that the first release put behind short lists is no option.
    assert conversion.items[1].options == {"A": "x", "B": "y"}
    assert conversion.counts["another category than health"] == 1
    assert conversion.items[0].target == "J"
    assert len(conversion.items[0].options) == 10
    assert "record 3 (70): answer 'A' and answer_index 9 disagree" in conversion.refusals[0]


def test_mednli_by_name_and_without_gold(lines: Any) -> None:
    """L03: names compared by an alias table; no gold is counted, an unknown label is named."""
    pair = {"sentence1": "P", "sentence2": "H", "gold_label": "contradictory", "pairID": "p1"}
    path = lines("m.jsonl", [pair, {**pair, "gold_label": "-"}, {**pair, "gold_label": 3}])
    conversion = convert("mednli", path)
    adds_up(conversion)
    assert conversion.counts == {"read": 3, "kept": 1, "no gold label": 1, "refused": 1}
    (item,) = conversion.items
    assert item.input == (
        "Premise: P\nHypothesis: H\nOptions:\nA: Entailment\nB: Neutral\nC: Contradiction"
    )
    assert item.target == "C"
    assert "record 3 (p1): gold_label 3 names no relation" in conversion.refusals[0]


def test_bionli(tmp_path: Path) -> None:
    path = tmp_path / "dev.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["index", "pmid", "supp_set", "conclusion", "label_cat"])
        writer.writerow([0, 1, "The <re> drug <er> acts.", "It raises\n<el> x <le>.", "pos"])
        writer.writerow([1, 1, "The drug acts.", "It lowers x.", "posToNeg"])
        writer.writerow([2, 1, "The drug acts.", "It lowers x.", ""])
        writer.writerow([3, 1, "The drug acts.", "It lowers x.", "SET"])
        writer.writerow([4, 1, "The drug acts.", "It lowers x.", "neg"])
    conversion = convert("bionli", path)
    adds_up(conversion)
    assert conversion.counts == {
        "read": 5, "kept": 2, "no gold label": 1, "category SET": 1, "refused": 1,
    }  # fmt: skip
    assert "label_cat 'neg' is no category of BioNLI" in conversion.refusals[0]
    assert [item.target for item in conversion.items] == ["A", "B"]
    assert conversion.items[0].input == (
        "Premise: The drug acts.\nHypothesis: It raises x.\nOptions:\nA: Entailment\n"
        "B: Contradiction"
    )


LIVEQA = """<?xml version="1.0" encoding="UTF-8"?>
<LiveQA2017-Medical-Test-Set-Full>
<NLM-QUESTION qid="TQ1"><Original-Question qfile="71.txt"><Subject>Gluten</Subject>
<Message>\tDo these &amp;amp; contain gluten?</Message></Original-Question>
<Paraphrase>Is there gluten?</Paraphrase><ReferenceAnswers>
<RefAnswer aid="a"><Answer> No
 gluten. </Answer><AnswerURL>u</AnswerURL></RefAnswer>
<ReferenceAnswer aid="b"><ANSWER>None.</ANSWER></ReferenceAnswer></ReferenceAnswers></NLM-QUESTION>
<NLM-QUESTION questionid="Q2"><SUBJECT></SUBJECT><MESSAGE>Why?</MESSAGE></NLM-QUESTION>
<NLM-QUESTION qid="TQ3"><SUBJECT/><MESSAGE/><ANSWER>So.</ANSWER></NLM-QUESTION>
</LiveQA2017-Medical-Test-Set-Full>"""


def test_liveqa(tmp_path: Path) -> None:
    path = tmp_path / "test.xml"
    path.write_text(LIVEQA, "utf-8")
    conversion = convert("liveqa", path)
    adds_up(conversion)
    assert conversion.counts["no reference answer"] == 1
    (item,) = conversion.items
    assert item.input == "Gluten\nDo these & contain gluten?"
    assert item.target == "No\ngluten.\n\nNone."
    assert conversion.refusals == [f"{path}, TQ3: neither subject nor message"]


def test_xml_with_entities_of_its_own_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_text('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "utf-8")
    with pytest.raises(DataError, match="DOCTYPE"):
        convert("liveqa", path)
    path.write_text("<a><b>", "utf-8")
    with pytest.raises(DataError, match="cannot be read as XML"):
        convert("liveqa", path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": "(E)"}, r"answer '\(E\)' is none of A B"),
        ({"options": "(A) x.\n(C) y."}, "option labels are A C"),
        ({"options": "x"}, "no list of lines"),
        ({"options": "(A) x.\n(B) ."}, "option B has no text"),
        ({"question": " "}, "field 'question' is missing or empty"),
    ],
)
def test_a_bad_exam_record_is_refused_and_the_rest_loads(
    lines: Any, change: dict[str, str], message: str
) -> None:
    good = {"question": "Q", "options": "(A) x.\n(B) y.", "answer": "(B)"}
    conversion = convert("headqa-es", lines("h.jsonl", [{**good, **change}, good]))
    adds_up(conversion)
    assert len(conversion.items) == 1
    assert re.search(message, conversion.refusals[0])


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no source 'x': there are headqa-es"):
        convert("x", tmp_path / "x")


BIONLI = "supp_set,conclusion,label_cat\r\n"


def test_a_published_table_with_bad_rows(tmp_path: Path) -> None:
    path = tmp_path / "dev.csv"
    long = "word " * 30_000
    rows = f"a\0,b,pos\r\nshort\r\n{long},It is so.,pos\r\nP,C,pos,more\r\n"
    path.write_text(BIONLI + rows, "utf-8", newline="")
    conversion = convert("bionli", path)
    adds_up(conversion)
    assert conversion.counts == {"read": 4, "kept": 1, "refused": 3}
    assert conversion.items[0].id == "nli-bionli-0002"
    for refusal, told in zip(
        conversion.refusals,
        ("row 2: holds a NUL", "row 3: has 1 cells, the heading line has 3", "row 5: has 4 cells"),
        strict=True,
    ):
        assert told in refusal


@pytest.mark.parametrize(
    ("source", "name", "content", "message"),
    [
        ("bionli", "x.csv", "supp_set;conclusion;label_cat\na;b;pos\n", "row 1: .*parted by ';'"),
        ("bionli", "x.csv", "supp_set,conclusion\na,b\n", "row 1: no column 'label_cat'"),
        ("bionli", "x.csv", BIONLI, "x.csv: holds no record of bionli"),
        ("bionli", "x.CSV", "", "row 1: no column 'supp_set'"),
        ("liveqa", "x.xml", "<html><body/></html>", "x.xml: holds no record of liveqa"),
        ("headqa-es", "x.jsonl", "\n", "x.jsonl: holds no record of headqa-es"),
        ("headqa-es", "x.json", '{"exams": {"A": 3}}', "exam 'A' has no list 'data'"),
        ("headqa-es", "x.json", "[" * 5000, "x.json, line 1: "),
        ("medqa-us", "x.jsonl", "[" * 5000, "x.jsonl, line 1: "),
    ],
)
def test_a_file_that_is_another_is_refused_as_a_whole(
    tmp_path: Path, source: str, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(DataError, match=message):
        convert(source, path)


def test_a_parquet_table_that_is_another_is_refused_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"question": ["?"], "category": ["health"]}), path)
    with pytest.raises(DataError, match="no column 'options'; it has question, category"):
        convert("mmlupro", path)


def test_a_table_in_another_encoding_is_refused_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(BIONLI.encode() + "Säure,b,pos\n".encode("cp1252"))
    with pytest.raises(DataError, match="is no UTF-8"):
        convert("bionli", path)


FIELDS = (
    "question", "options", "answer", "answer_idx", "answer_index", "category", "qtext", "answers",
    "ra", "image", "full_question", "correct_option", "lang", "sentence1", "sentence2",
    "gold_label", "supp_set", "conclusion", "label_cat", "metadata", "field", "pairID",
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["health", "Biology", "A", "pos", "entailment", "(A) a\n(B) b"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["1", "A", "B", "aid", "atext", "field", "x"]), inner, max_size=3
    ),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(VALUES | st.dictionaries(st.sampled_from(FIELDS), VALUES), min_size=1))
def test_whatever_a_record_holds_it_is_counted(rows: list[Any], lines: Any) -> None:
    path = lines("any.jsonl", rows)
    for source in SOURCES:
        adds_up(convert(source, path))
