"""Figures: whole PNGs, the same bytes in every process, gated models never drawn."""

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from isogloss.report.code_bars import code_bars
from isogloss.report.comparison.depth_panels import ModelCurves, depth_at, depth_panels
from isogloss.report.comparison.model_gaps import ModelRecall, model_gaps
from isogloss.report.evaluation.language_bars import LanguageRecall, SideRecall, language_bars
from isogloss.report.evaluation.route_heatmap import route_heatmap

PNG = b"\x89PNG\r\n\x1a\n"


def curves(model: str = "minilm", gated: bool = False, top: float = 0.9) -> ModelCurves:
    depth = np.arange(1, 1001)
    shares = {
        "rrc": np.minimum(depth / 400, top),
        "coverage/same": np.minimum(depth / 100, 1.0),
        "coverage/cross": np.minimum(depth / 400, top),
    }
    return ModelCurves(model, gated, shares, knee=40, n=20)


def bars() -> bytes:
    side = SideRecall(0.5, (0.4, 0.6), 12)
    return language_bars(
        [LanguageRecall("de", side, None), LanguageRecall("no", SideRecall(1.0, None, 2), side)],
        "by language",
        ["sample"],
    )


def heatmap() -> bytes:
    routes = {
        "query_language": ["de", "de", "no"],
        "document_language": ["de", "en", "en"],
        "n": [3, 4, 5],
        "recall_at_10": [1.0, 0.25, 0.0],
    }
    return route_heatmap(routes, "routes", ["sample"])


def panels() -> bytes:
    return depth_panels([curves(), curves("bm25", gated=True)], "depth", ["sample"])


def gaps() -> bytes:
    side = SideRecall(0.5, (0.4, 0.6), 12)
    return model_gaps([ModelRecall("minilm", side, side), ModelRecall("bm25", side, None)], "gap")


def codes() -> bytes:
    return code_bars([(f"C{number:02d}", 40 - number) for number in range(30)], 60, "classes")


FIGURES = [bars, heatmap, panels, gaps, codes]


@pytest.mark.parametrize("draw", FIGURES)
def test_a_figure_is_a_png_without_date_or_software(draw: Callable[[], bytes]) -> None:
    content = draw()
    assert content.startswith(PNG)
    assert b"tEXt" not in content
    assert b"tIME" not in content
    assert content == draw()


def test_figures_are_the_same_bytes_in_another_process_whatever_its_settings(
    tmp_path: Path,
) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nlines.linewidth: 9\n", encoding="utf-8")
    code = (
        "import hashlib, runpy, sys\n"
        f"names = runpy.run_path({str(Path(__file__))!r})\n"
        "for draw in names['FIGURES']: print(hashlib.sha256(draw()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == [hashlib.sha256(draw()).hexdigest() for draw in FIGURES]


def test_nothing_of_a_gated_model_is_drawn() -> None:
    one = depth_panels([curves(), curves("bm25", gated=True)], "depth")
    other = depth_panels([curves(), curves("bm25", gated=True, top=0.2)], "depth")
    assert one == other
    assert one != depth_panels([curves()], "depth")
    assert one != depth_panels([curves(), curves("bm25")], "depth")


def test_empty_inputs_still_give_a_figure() -> None:
    assert depth_panels([], "depth").startswith(PNG)
    assert depth_panels([ModelCurves("minilm", False)], "depth").startswith(PNG)
    assert language_bars([], "by language").startswith(PNG)
    assert code_bars([], 0, "classes").startswith(PNG)


def test_depth_at_a_coverage_is_nearest_rank() -> None:
    ranks = np.array([1, 1, 2, 3, 3, 5, 8, 40, 2000, 2000])
    curve = np.array([(ranks <= depth).mean() for depth in range(1, 1001)])
    wanted = np.array([0.2, 0.3, 0.5, 0.8, 0.9])
    np.testing.assert_array_equal(depth_at(curve, wanted), [1, 2, 3, 40, np.nan])


def test_a_title_wider_than_its_figure_takes_another_line() -> None:
    side = SideRecall(1.0, None, 12)
    rows = [LanguageRecall(language, side, side) for language in ("en", "ro")]
    title = "use-multilingual-v3 on google-patents-title: recall by query language"
    short, long = (png_height(language_bars(rows, text)) for text in ("recall", title))
    assert long > short


def png_height(content: bytes) -> int:
    return int.from_bytes(content[20:24], "big")
