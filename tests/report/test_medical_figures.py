"""Medical figures: whole PNGs with the same bytes each time, for full, small and broken scores."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from isogloss.files import json_bytes
from isogloss.medical.evaluation import Options, evaluate
from isogloss.medical.experts import read_experts
from isogloss.medical.items import read_items
from isogloss.medical.loading import load_sheet
from isogloss.medical.panel import dataset_name
from isogloss.report.layout import figures as drawing
from isogloss.report.medical.expert_agreement import agreement_cells
from isogloss.report.medical.medical_figures import score_figures, shift_figures
from medical.synthetic import DATASETS, LANGUAGES, make

MODELS = ["GPT-5.4", "Qwen3-32B-thinking", "my-own-medical-model-number-twelve", "majority"]
SAMPLE = "Sample items written by hand."
KINDS = ("models", "languages", "shifts")
NAMES = {
    *(f"{score}-{kind}" for score in ("accuracy", "qa") for kind in KINDS),
    *("judge-scores", "issue-shares", "judge-against-expert"),
}
SHIFTS = {"mt-against-reviewed-accuracy", "mt-against-reviewed-qa"}


def scored(folder: Path, models: list[str], sizes: dict[str, int]) -> dict[str, Any]:
    """The content of scores.json as it is read from the file: keys sorted by letter."""
    paths = make(folder, models, sizes, seed=4)
    items = read_items(paths["items"])
    sheet = load_sheet(items, None, paths["answers"], paths["refusals"], paths["verdicts"])
    options = Options(resamples=120, permutations=120)
    scores = evaluate(sheet, read_experts(paths["experts"], items), options)
    read: dict[str, Any] = json.loads(json_bytes(scores))
    return read


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return scored(tmp_path_factory.mktemp("made"), MODELS, dict.fromkeys(DATASETS, 5))


@contextmanager
def watched() -> Iterator[list[Figure]]:
    """Every figure that is made meanwhile, to be looked into."""
    made: list[Figure] = []
    fresh = drawing.new_figure

    def keep(width: float, height: float) -> Figure:
        made.append(fresh(width, height))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        for name in list(sys.modules):
            if name.startswith("isogloss.report.") and hasattr(sys.modules[name], "new_figure"):
                patch.setattr(sys.modules[name], "new_figure", keep)
        yield made


@dataclass(frozen=True)
class Drawn:
    """All figures of `scores` with a sample's note: PNGs, and what was drawn, in one order."""

    pngs: dict[str, bytes]
    figures: list[Figure]

    def words(self, name: str) -> str:
        return "\n".join(words(self.figures[list(self.pngs).index(name)]))


@pytest.fixture(scope="module")
def drawn(scores: dict[str, Any]) -> Drawn:
    with watched() as figures:
        pngs = {**score_figures(scores, [SAMPLE]), **shift_figures(scores, [SAMPLE])}
    return Drawn(pngs, figures)


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)]


def test_every_figure_is_a_png_without_date_or_software(drawn: Drawn) -> None:
    assert set(drawn.pngs) == NAMES | SHIFTS
    for content in drawn.pngs.values():
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        assert b"tEXt" not in content
        assert b"tIME" not in content


def test_another_process_draws_the_same_bytes(
    scores: dict[str, Any], drawn: Drawn, tmp_path: Path
) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 20\n", encoding="utf-8")
    (tmp_path / "scores.json").write_bytes(json_bytes(scores))
    code = (
        "import json, pathlib\n"
        "from isogloss.report.medical.medical_figures import shift_figures\n"
        "scores = json.loads(pathlib.Path('scores.json').read_text('utf-8'))\n"
        f"for name, content in shift_figures(scores, [{SAMPLE!r}]).items():\n"
        "    pathlib.Path(f'{name}.png').write_bytes(content)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    for name in SHIFTS:
        assert (tmp_path / f"{name}.png").read_bytes() == drawn.pngs[name]


def test_no_words_leave_a_figure(drawn: Drawn) -> None:
    for name, figure in zip(drawn.pngs, drawn.figures, strict=True):
        width, height = figure.canvas.get_width_height()
        for text in figure.findobj(Text):
            assert isinstance(text, Text)
            if text.get_text().strip() and text.get_visible():
                box = text.get_window_extent()
                where = f"{name}: {text.get_text()!r} {box}"
                assert -1 <= box.x0 <= box.x1 <= width + 1, where
                assert -1 <= box.y0 <= box.y1 <= height + 1, where


def test_a_sample_says_so_in_title_and_caption(scores: dict[str, Any], drawn: Drawn) -> None:
    for name in drawn.pngs:
        assert "(sample\N{NO-BREAK SPACE}data)" in drawn.words(name)
        assert SAMPLE in drawn.words(name)
    with watched() as figures:
        shift_figures(scores, ["Released benchmark."])
    assert not any("(sample" in text for figure in figures for text in words(figure))


def test_n_intervals_and_floors_are_shown(scores: dict[str, Any], drawn: Drawn) -> None:
    said = drawn.words("accuracy-models")
    section = scores["arms"]["reviewed"]["accuracy"]
    gap = section["gap"]["GPT-5.4"]
    assert (
        f"{100 * gap['value']:+.1f} [{100 * gap['ci'][0]:+.1f}, {100 * gap['ci'][1]:+.1f}]" in said
    )
    assert str(section["mean"]["GPT-5.4"]["n"]) in said
    assert "Majority option" in said
    assert "floors (no language model)" in said
    assert "enter no mean over models" in said
    shifts = drawn.words("accuracy-shifts")
    assert "mean over 3 models" in shifts
    for language in LANGUAGES[1:]:
        found = section["over_models"]["shift"][language]
        assert f"{100 * found['value']:+.1f}" in shifts


def test_significant_cells_are_starred_and_the_panel_s_order_kept(
    scores: dict[str, Any],
) -> None:
    marked = deepcopy(scores)
    cells = marked["mt_against_reviewed"]["accuracy"]["cells"]
    cells["sw"]["medqa"]["p_holm"] = 0.01
    with watched() as figures:
        shift_figures(marked)
    axes = figures[0].axes[0]
    stars = [text.get_text() for text in axes.texts if text.get_text().endswith("*")]
    others = sum(
        cell["p_holm"] < 0.05 for of_language in cells.values() for cell in of_language.values()
    )
    assert len(stars) == others >= 1
    value = f"{100 * cells['sw']['medqa']['value']:+.1f}*"
    assert value.replace("-0.0", "+0.0") in stars
    ticks = [tick.get_text() for tick in axes.get_yticklabels()]
    assert ticks == [*LANGUAGES[1:], "en (control)"]
    expected = [dataset_name(d) for d, task in DATASETS.items() if task != "QA"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == [*expected, "overall"]


def test_what_is_undefined_is_said(tmp_path: Path) -> None:
    """One item a dataset, no English: no interval, no shift, nothing to compare with."""
    scores = scored(tmp_path, ["majority"], dict.fromkeys(DATASETS, 1))
    for arm in scores["arms"].values():
        for name in ("mean", "higher", "lower", "gap"):
            undefined = {"value": None, "ci": None, "n": 0, "reason": "not estimable: empty"}
            arm["accuracy"][name] = {"majority": undefined}
        for language in LANGUAGES:
            arm["accuracy"]["over_models"]["shift"][language]["value"] = None
        arm["qa"]["pooled"] = {}
    scores["mt_against_reviewed"]["accuracy"] = {"reason": "only the arm mt has answers"}
    with watched() as figures:
        score_figures(scores)
        shift_figures(scores)
    said = ["\n".join(words(figure)) for figure in figures]
    assert "not defined: empty" in said[0]
    assert "Not defined: no model is scored in English" in said[2]
    assert any("Not defined: only the arm mt has answers" in text for text in said)
    assert "all that answered here" in said[0]


def test_the_table_of_judge_and_experts(scores: dict[str, Any]) -> None:
    heading, *rows = agreement_cells(scores["agreement"])
    assert [row[0] for row in rows] == [code for code in LANGUAGES if code in scores["agreement"]]
    assert heading[-1] == "safety"
    for row in rows:
        section = scores["agreement"][row[0]]
        assert row[1] == str(section["n"])
        assert re.fullmatch(r"-?\d\.\d\d \[(-?\d\.\d\d, -?\d\.\d\d|-)\]|-", row[3])
        assert row[3].startswith(f"{section['concordance']['value']:.2f}")


@pytest.mark.parametrize(
    ("models", "said", "absent"),
    [
        (["GPT-5.4", "majority"], "GPT-5.4 alone", "mean over models"),
        (["maintainers", "majority"], "maintainers (by hand) alone", "mean over models"),
        (["GPT-5.4", "MediPhi"], "the mean over 2 models", "alone"),
    ],
)
def test_a_mean_of_one_is_called_none(
    tmp_path: Path, models: list[str], said: str, absent: str
) -> None:
    scores = scored(tmp_path, models, {"headqa": 4, "liveqa": 4})
    with watched() as figures:
        score_figures(scores)
    (texts,) = [held for held in map(words, figures) if "shift from English (points)" in held]
    shown = " ".join(" ".join(texts).split())
    assert said in shown
    assert absent not in texts
    assert ("quartiles" in shown) == (absent == "alone")
