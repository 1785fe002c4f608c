import io

import matplotlib.image
import numpy as np

from isogloss.report.releases.release_figures import neighbours_figure, route_changes_figure

ROUTES = {
    "en>en": {"n": 5, "delta": 0.0},
    "en>zh": {"n": 5, "delta": -0.4},
    "zh>en": {"n": 4, "delta": 0.1},
}


def pixels(png):
    return matplotlib.image.imread(io.BytesIO(png))


def test_the_same_data_gives_the_same_bytes():
    assert route_changes_figure(ROUTES, ["en>zh"], "t") == route_changes_figure(
        ROUTES, ["en>zh"], "t"
    )
    values = {"overlap_at_10": np.array([0.1, 0.5, 1.0, np.nan])}
    assert neighbours_figure(values, "t") == neighbours_figure(values, "t")


def test_a_lost_route_is_framed():
    framed = pixels(route_changes_figure(ROUTES, ["en>zh"], "t"))
    plain = pixels(route_changes_figure(ROUTES, [], "t"))
    assert framed.shape == plain.shape
    assert (framed != plain).any()


def test_measures_without_any_query_are_left_out():
    empty = {"overlap_at_10": np.array([np.nan]), "rank_biased_overlap": np.array([0.3])}
    only = neighbours_figure({"rank_biased_overlap": np.array([0.3])}, "t")
    assert pixels(neighbours_figure(empty, "t")).shape == pixels(only).shape
