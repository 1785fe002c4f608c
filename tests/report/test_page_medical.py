"""Medical results on the page: the figures of scores.json at the scale that is read."""

from typing import Any

import lxml.html
import msgspec
import pytest

from isogloss.files import json_bytes
from isogloss.medical.evaluation import Options, evaluate
from isogloss.medical.experts import read_experts
from isogloss.medical.items import read_items
from isogloss.medical.loading import load_sheet
from isogloss.report.page.content import page_content
from isogloss.report.page.medical import medical_tables
from isogloss.report.page.render import render
from medical.synthetic import DATASETS, LANGUAGES, make

from .page_sample import with_medical

MODELS = ["GPT-5.4", "Qwen3-32B-thinking"]


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """As a stage reads them: keys sorted."""
    paths = make(tmp_path_factory.mktemp("made"), MODELS, dict.fromkeys(DATASETS, 4), seed=3)
    items = read_items(paths["items"])
    sheet = load_sheet(items, None, paths["answers"], paths["refusals"], paths["verdicts"])
    experts = read_experts(paths["experts"], items)
    found = evaluate(sheet, experts, Options(100, 100, 1))
    return dict(msgspec.json.decode(json_bytes(found)))


def test_every_figure_is_that_of_scores_json(scores: dict[str, Any]) -> None:
    tables = {table.key: table for table in medical_tables(scores)}
    macro = scores["arms"]["reviewed"]["accuracy"]["macro"]
    for row in tables["medical.accuracy"].rows:
        for column, cell in zip(tables["medical.accuracy"].columns, row.cells, strict=True):
            if column.key in LANGUAGES:
                assert cell.value == pytest.approx(100 * macro[row.heads[0]][column.key]["value"])
    gap = scores["arms"]["reviewed"]["qa"]["gap"]["GPT-5.4"]
    row = next(row for row in tables["medical.qa"].rows if row.heads[0] == "GPT-5.4")
    assert (row.cells[-1].value, row.cells[-1].low) == (gap["value"], gap["ci"][0])


def test_languages_stand_in_the_order_of_the_scores(scores: dict[str, Any]) -> None:
    (table,) = (t for t in medical_tables(scores) if t.key == "medical.arms.accuracy")
    codes = [row.heads[0].rpartition("(")[2].rstrip(")") for row in table.rows]
    assert codes == scores["languages"]


def test_the_page_shows_them_beside_published_ones_and_apart(scores: dict[str, Any]) -> None:
    tree = lxml.html.document_fromstring(render(page_content(with_medical(scores))[0]))
    (section,) = tree.xpath("//section[@id='medical']")
    measured = section.xpath("./div//table")
    assert len(measured) == len(medical_tables(scores))
    (published,) = section.xpath("./details//table")
    assert published.get("id") == "t-published-healmed"
    assert "does not exist" not in section.text_content()


def test_scores_without_refusals_experts_or_a_second_arm_make_fewer_tables(
    scores: dict[str, Any],
) -> None:
    arms = {"reviewed": {**scores["arms"]["reviewed"], "refusals": {}, "qa": {}}}
    less = {"reason": "only the arm reviewed has answers"}
    both = {"accuracy": less, "qa": less}
    poor = {**scores, "arms": arms, "agreement": {}, "mt_against_reviewed": both}
    assert [table.key for table in medical_tables(poor)] == ["medical.accuracy"]
