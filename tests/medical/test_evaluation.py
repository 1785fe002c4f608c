"""Every main figure against an independent computation from the rows."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from isogloss.files import json_bytes
from isogloss.medical.evaluation import Options, evaluate
from isogloss.medical.experts import read_experts
from isogloss.medical.items import read_items
from isogloss.medical.loading import load_sheet
from isogloss.medical.verdicts import DIMENSIONS, FLAGS
from medical import brute
from medical.synthetic import DATASETS, LANGUAGES, make

MODELS = ["GPT-5.4", "Qwen3-32B-thinking", "MediPhi", "a-stranger"]
OPTIONS = Options(resamples=400, permutations=400, seed=3)
NEAR = {"rel": 1e-9, "abs": 1e-11}


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    sizes = {dataset: 7 + 2 * place for place, dataset in enumerate(DATASETS)}
    return make(tmp_path_factory.mktemp("made"), MODELS, sizes, seed=5)


@pytest.fixture(scope="module")
def scores(paths: dict[str, Path]) -> dict[str, Any]:
    return scored(paths)


def scored(paths: dict[str, Path]) -> dict[str, Any]:
    items = read_items(paths["items"])
    sheet = load_sheet(items, None, paths["answers"], paths["refusals"], paths["verdicts"])
    return evaluate(sheet, read_experts(paths["experts"], items), OPTIONS)


def figures(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if {"value", "ci", "n"} <= node.keys():
            yield node
        for child in node.values():
            yield from figures(child)


def test_counts_always_add_up(paths: dict[str, Path], scores: dict[str, Any]) -> None:
    asked = Counter(brute.key(row) for row in brute.rows(paths["answers"]))
    failed = Counter(
        brute.key(row) for row in brute.rows(paths["answers"]) if row["outcome"] == "failed"
    )
    seen = 0
    for arm, sections in scores["arms"].items():
        for kind in ("accuracy", "qa"):
            for model, language, dataset, cell in (
                (m, lang, d, c)
                for m, langs in sections[kind]["cells"].items()
                for lang, cells in langs.items()
                for d, c in cells.items()
            ):
                place = (arm, model, language, dataset)
                parts = [cell[k] for k in ("answered", "unanswered", "refused", "failed")]
                assert sum(parts) == cell["asked"] == asked[place]
                assert cell["failed"] == failed[place]
                assert cell["missing"] == 0
                replied = cell["asked"] - cell["failed"]
                if kind == "accuracy":
                    assert cell["n"] == replied
                else:
                    assert cell["n"] + cell["unusable"] + cell["unjudged"] == replied
                    assert sum(cell["unusable_reasons"].values()) == cell["unusable"]
                seen += 1
    assert seen == len(asked) == 2 * 4 * 9 * 9


@pytest.mark.parametrize(("kind", "datasets"), [("accuracy", brute.CHOICE), ("qa", brute.OPEN)])
def test_averages(
    kind: str, datasets: tuple[str, ...], paths: dict[str, Path], scores: dict[str, Any]
) -> None:
    table = brute.accuracy(paths) if kind == "accuracy" else brute.overall(paths)
    for arm in ("mt", "reviewed"):
        section = scores["arms"][arm][kind]
        macro = {
            (m, lang): brute.macro(table, arm, m, lang, datasets)
            for m in MODELS
            for lang in LANGUAGES
        }
        for m, lang in product(MODELS, LANGUAGES):
            for d in datasets:
                found, items = section["cells"][m][lang][d], table[arm, m, lang, d]
                assert found["value"] == pytest.approx(fmean(items.values()), **NEAR)
                assert found["n"] == len(items)
            assert section["macro"][m][lang]["value"] == pytest.approx(macro[m, lang], **NEAR)
            shift = macro[m, lang] - macro[m, "en"]
            assert section["shift"][m][lang]["value"] == pytest.approx(shift, **NEAR)
        for m in MODELS:
            higher = fmean(macro[m, lang] for lang in brute.HIGHER)
            lower = fmean(macro[m, lang] for lang in brute.LOWER)
            mean = fmean(macro[m, lang] for lang in LANGUAGES)
            assert section["mean"][m]["value"] == pytest.approx(mean, **NEAR)
            assert section["higher"][m]["value"] == pytest.approx(higher, **NEAR)
            assert section["lower"][m]["value"] == pytest.approx(lower, **NEAR)
            assert section["gap"][m]["value"] == pytest.approx(higher - lower, **NEAR)
        for lang in LANGUAGES:
            shifts = [macro[m, lang] - macro[m, "en"] for m in MODELS]
            found = section["over_models"]["shift"][lang]
            assert found["value"] == pytest.approx(fmean(shifts), **NEAR)
            low, high = np.percentile(shifts, [25, 75])
            assert found["iqr"] == pytest.approx(high - low, **NEAR)
            assert found["n"] == 4
        assert set(section["groups"]) == {"proprietary", "open", "medical", "other"}
        for group in section["groups"].values():
            (model,) = group["models"]
            assert group["gap"]["value"] == section["gap"][model]["value"]
            assert group["macro"]["sw"]["value"] == section["macro"][model]["sw"]["value"]


def test_pooled_shares(paths: dict[str, Path], scores: dict[str, Any]) -> None:
    replies = brute.judged(paths)
    groups = {
        "en": ("en",), "other-higher": brute.HIGHER[1:], "th": ("th",), "sw": ("sw",),
        "zu": ("zu",),
    }  # fmt: skip
    for arm, (group, languages), model in product(
        ("mt", "reviewed"), groups.items(), ("all", *MODELS)
    ):
        pool = [
            reply
            for (a, m, lang, _), items in replies.items()
            for reply in items.values()
            if a == arm and lang in languages and model in ("all", m)
        ]
        found = scores["arms"][arm]["qa"]["pooled"][group][model]
        expected = {
            "overall": [sum(r["scores"]) / 5 for r in pool],
            "low_overall": [sum(r["scores"]) < 15 for r in pool],
            "low_safety": [r["scores"][4] <= 2 for r in pool],
            "flag_all": [fmean(r["flags"]) for r in pool],
            **{f"flag_{name}": [r["flags"][k] for r in pool] for k, name in enumerate(FLAGS)},
            **{name: [r["scores"][k] for r in pool] for k, name in enumerate(DIMENSIONS)},
        }
        assert found.keys() == expected.keys()
        for measure, values in expected.items():
            assert found[measure]["value"] == pytest.approx(fmean(values), **NEAR), measure
            assert found[measure]["n"] == len(pool)


@pytest.mark.parametrize(("kind", "datasets"), [("accuracy", brute.CHOICE), ("qa", brute.OPEN)])
def test_machine_translated_against_reviewed(
    kind: str, datasets: tuple[str, ...], paths: dict[str, Path], scores: dict[str, Any]
) -> None:
    table = brute.accuracy(paths) if kind == "accuracy" else brute.overall(paths)
    section = scores["mt_against_reviewed"][kind]
    assert section["models"] == MODELS
    lower = 0
    for lang, d in product(LANGUAGES, datasets):
        expected = brute.cell(table, MODELS, lang, d)
        found = section["cells"][lang][d]
        assert found["value"] == pytest.approx(expected, **NEAR)
        lower += lang != "en" and expected < 0
        pairs = sum(
            len(table["mt", m, lang, d].keys() & table["reviewed", m, lang, d].keys())
            for m in MODELS
        )
        assert found["pairs"] == pairs
        assert 0 < found["p"] <= found["p_holm"] <= 1
        for m in MODELS:
            assert section["delta"][m][lang][d]["value"] == pytest.approx(
                brute.delta(table, m, lang, d), **NEAR
            )
    assert section["lower_in_reviewed"] == {"cells": lower, "of": 8 * len(datasets)}
    for lang in LANGUAGES[1:]:
        expected = brute.mean_absolute(table, MODELS, lang, datasets)
        assert section["overall"][lang]["value"] == pytest.approx(expected, **NEAR)
    english = fmean(brute.cell(table, MODELS, "en", d) for d in datasets)
    assert section["english_overall"]["value"] == pytest.approx(english, **NEAR)


def test_the_exact_sign_flip_of_a_cell(paths: dict[str, Path], scores: dict[str, Any]) -> None:
    """headqa has seven items: all 128 flips, enumerated here by hand."""
    table = brute.accuracy(paths)
    found = scores["mt_against_reviewed"]["accuracy"]["cells"]["sw"]["headqa"]

    def item_mean(language: str, id_: str) -> float | None:
        changes = [
            table["reviewed", m, language, "headqa"][id_] - table["mt", m, language, "headqa"][id_]
            for m in MODELS
            if id_ in table["reviewed", m, language, "headqa"]
            and id_ in table["mt", m, language, "headqa"]
        ]
        return fmean(changes) if changes else None

    shifts = []
    for index in range(7):
        own, control = (item_mean(lang, f"mcqa-headqa-{index:04d}") for lang in ("sw", "en"))
        if own is not None and control is not None:
            shifts.append(own - control)
    reach = abs(sum(shifts)) - 1e-9
    flips = [sum(s * x for s, x in zip(signs, shifts, strict=True)) for signs in
             product((1, -1), repeat=len(shifts))]  # fmt: skip
    assert found["p"] == pytest.approx(sum(abs(f) >= reach for f in flips) / len(flips), abs=1e-9)


def test_refusals_and_traces(paths: dict[str, Path], scores: dict[str, Any]) -> None:
    replies = [r for r in brute.rows(paths["answers"]) if r["outcome"] == "answered"]
    declined = {
        (r["arm"], r["model"], r["language"], r["id"])
        for r in brute.rows(paths["refusals"])
        if r["refused"]
    }
    for arm, model, language in product(("mt", "reviewed"), MODELS, (*LANGUAGES, "all")):
        here = [
            r
            for r in replies
            if (r["arm"], r["model"]) == (arm, model) and language in ("all", r["language"])
        ]
        refused = sum((arm, model, r["language"], r["id"]) in declined for r in here)
        found = scores["arms"][arm]["refusals"][model][language]
        assert found["value"] == pytest.approx(refused / len(here), **NEAR)
        assert (found["n"], found["refused"]) == (len(here), refused)
        traces = scores["arms"][arm]["traces"]
        assert list(traces) == ["Qwen3-32B-thinking"]
        if model in traces:
            thought = sum("<think>" in r["text"] for r in here)
            found = traces[model][language]
            assert found["share"]["value"] == pytest.approx(thought / len(here), **NEAR)
            assert found["languages"] == {"en": thought}
            own = found["in_prompt_language"]["value"]
            assert own == pytest.approx({"en": 1, "all": own}.get(language, 0))


def test_judge_against_experts(paths: dict[str, Path], scores: dict[str, Any]) -> None:
    responses: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in brute.rows(paths["experts"]):
        responses.setdefault((row["language"], row["id"], row["model"]), []).append(row)
    for language in LANGUAGES:
        here = [found for (lang, _, _), found in responses.items() if lang == language]
        pairs = [
            (
                Fraction(sum(sum(r["expert"]) for r in found), 5 * len(found)),
                Fraction(sum(found[0]["judge"]), 5),
            )
            for found in here
        ]
        section = scores["agreement"][language]
        assert section["n"] == len(here)
        assert section["experts"] == sum(map(len, here)) > len(here)
        within = fmean(abs(x - y) <= 1 for x, y in pairs)
        assert section["within_one"]["value"] == pytest.approx(within, **NEAR)
        assert section["concordance"]["value"] == pytest.approx(brute.concordance(pairs), **NEAR)
        gap = fmean(float(y - x) for x, y in pairs)
        assert section["overall"]["difference"]["value"] == pytest.approx(gap, **NEAR)
        for place, name in enumerate(DIMENSIONS):
            expert = fmean(fmean(r["expert"][place] for r in found) for found in here)
            judge = fmean(found[0]["judge"][place] for found in here)
            dimension = section["dimensions"][name]
            assert dimension["expert"]["value"] == pytest.approx(expert, **NEAR)
            assert dimension["difference"]["value"] == pytest.approx(judge - expert, **NEAR)


def test_every_figure_has_an_interval_or_a_reason(scores: dict[str, Any]) -> None:
    seen = 0
    for found in figures(scores):
        seen += 1
        if found["ci"] is None:
            assert found["reason"].startswith("not estimable")
        else:
            low, high = found["ci"]
            assert low < high
            assert low - 1e-9 <= found["value"] <= high + 1e-9
    assert seen > 2500
    json_bytes(scores)


def test_row_order_changes_nothing(
    paths: dict[str, Path], scores: dict[str, Any], tmp_path: Path
) -> None:
    shuffled = {}
    for name, path in paths.items():
        content = path.read_text("utf-8").splitlines()
        random.Random(name).shuffle(content)
        shuffled[name] = tmp_path / path.name
        shuffled[name].write_text("\n".join(content), "utf-8")
    assert json.dumps(scored(shuffled), sort_keys=True) == json.dumps(scores, sort_keys=True)
