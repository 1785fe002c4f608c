"""Every kind of figure again, by loops over the rows of random worlds, to twelve decimals.

Written from the definitions alone: what is asked of a figure, not how the package gets to it.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from isogloss.medical.evaluation import Options, evaluate
from isogloss.medical.experts import read_experts
from isogloss.medical.items import read_items
from isogloss.medical.loading import load_sheet
from isogloss.statistics.agreement import cohen_kappa, contingency, lin_ccc
from medical.synthetic import DATASETS, LANGUAGES, make

NEAR = 1e-12
FLOOR = "majority"
GROUPS = {
    "proprietary": ["GPT-5.4"],
    "open": ["DeepSeek-V3", "Qwen3-32B-thinking"],
    "medical": ["MediPhi"],
    "floor": [FLOOR],
}
REAL = [model for group, models in GROUPS.items() if group != "floor" for model in models]
HIGHER, LOWER = LANGUAGES[:6], LANGUAGES[6:]
SPOKEN = {"en": ("en",), "other-higher": HIGHER[1:], **{code: (code,) for code in LOWER}}
KINDS = {
    "accuracy": tuple(d for d, task in DATASETS.items() if task != "QA"),
    "qa": tuple(d for d, task in DATASETS.items() if task == "QA"),
}
World = tuple[dict[str, list[dict[str, Any]]], dict[str, Any]]


@pytest.fixture(scope="module", params=[11, 12, 13])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """The rows of a random world, and what the package makes of them."""
    rng = np.random.default_rng(request.param)
    sizes = {dataset: int(rng.integers(5, 12)) for dataset in DATASETS}
    paths = make(tmp_path_factory.mktemp("made"), [*REAL, FLOOR], sizes, seed=request.param)
    items = read_items(paths["items"])
    sheet = load_sheet(items, None, paths["answers"], paths["refusals"], paths["verdicts"])
    scores = evaluate(
        sheet, read_experts(paths["experts"], items), Options(resamples=120, permutations=120)
    )
    return {name: read(path) for name, path in paths.items()}, scores


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def dataset_of(row: dict[str, Any]) -> str:
    return str(row["id"].split("-")[1])


def verdicts(rows: dict[str, list[dict[str, Any]]]) -> list[tuple[dict[str, Any], list[int], Any]]:
    """Each usable verdict with its five scores and four indicators."""
    found = []
    for row in rows["verdicts"]:
        if row["verdict"].startswith("{"):
            parts = json.loads(row["verdict"])
            scores = [v["score"] for part in parts.values() for v in part.values() if "score" in v]
            flags = [
                {"yes": 1.0, "maybe": 0.5, "no": 0.0}[v["label"]]
                for part in parts.values() for v in part.values() if "label" in v
            ]  # fmt: skip
            found.append((row, scores, flags))
    return found


def replies(rows: dict[str, list[dict[str, Any]]], kind: str) -> dict[tuple[str, ...], float]:
    """(arm, model, language, dataset, id) -> score."""
    if kind == "qa":
        return {
            (r["arm"], r["model"], r["language"], dataset_of(r), r["id"]): sum(scores) / 5
            for r, scores, _ in verdicts(rows)
        }
    target = {row["id"]: row["target"] for row in rows["items"]}
    return {
        (r["arm"], r["model"], r["language"], dataset_of(r), r["id"]): float(
            r["text"].split("</think>")[-1].replace("Answer: ", "").strip("()") == target[r["id"]]
        )
        for r in rows["answers"]
        if r["outcome"] == "answered" and not r["id"].startswith("qa")
    }


def mean(values: Iterable[float]) -> float:
    held = list(values)
    assert held
    return float(np.sum(np.array(held)) / len(held))


def near(found: dict[str, Any], expected: float, n: int | None = None) -> None:
    assert abs(found["value"] - expected) <= NEAR
    assert n is None or found["n"] == n


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("arm", ["mt", "reviewed"])
def test_scores_of_an_arm(world: World, arm: str, kind: str) -> None:
    rows, scores = world
    section, given = scores["arms"][arm][kind], replies(rows, kind)
    held = defaultdict(list)
    for (a, model, language, dataset, _), score in given.items():
        if a == arm:
            held[model, language, dataset].append(score)
    cell = {place: mean(values) for place, values in held.items()}
    models = [*REAL, FLOOR]
    macro = {
        (m, lang): mean(cell[m, lang, d] for d in KINDS[kind])
        for m, lang in product(models, LANGUAGES)
    }
    figures: dict[str, dict[Any, float]] = {
        "mean": {m: mean(macro[m, lang] for lang in LANGUAGES) for m in models},
        "higher": {m: mean(macro[m, lang] for lang in HIGHER) for m in models},
        "lower": {m: mean(macro[m, lang] for lang in LOWER) for m in models},
    }
    figures["gap"] = {m: figures["higher"][m] - figures["lower"][m] for m in models}
    shift = {(m, lang): macro[m, lang] - macro[m, "en"] for m, lang in macro}
    for (m, lang, d), value in cell.items():
        near(section["cells"][m][lang][d], value, len(held[m, lang, d]))
    for m, lang in macro:
        near(section["macro"][m][lang], macro[m, lang])
        near(section["shift"][m][lang], shift[m, lang])
    for name, by_model in figures.items():
        for m in models:
            near(section[name][m], by_model[m])
    assert set(section["groups"]) == set(GROUPS)
    sets = [(section["over_models"], REAL)]
    sets += [(section["groups"][group], members) for group, members in GROUPS.items()]
    for found, members in sets:
        assert found["models"] == members
        for lang in LANGUAGES:
            for d in KINDS[kind]:
                expected = mean(cell[m, lang, d] for m in members)
                near(found["cells"][lang][d], expected, len(members))
            for name, table in (("macro", macro), ("shift", shift)):
                values = [table[m, lang] for m in members]
                near(found[name][lang], mean(values), len(members))
                q1, q3 = np.quantile(values, [0.25, 0.75], method="linear")
                assert abs(found[name][lang]["iqr"] - (q3 - q1)) <= 2 * NEAR
        for name, by_model in figures.items():
            near(found[name], mean(by_model[m] for m in members), len(members))


@pytest.mark.parametrize("kind", KINDS)
def test_machine_translated_against_reviewed(world: World, kind: str) -> None:
    rows, scores = world
    given = replies(rows, kind)
    change = defaultdict(list)
    for (arm, model, language, dataset, id_), score in given.items():
        other = given.get(("mt", model, language, dataset, id_))
        if arm == "reviewed" and other is not None:
            change[model, language, dataset].append(score - other)
    delta = {place: mean(values) for place, values in change.items()}
    section = scores["mt_against_reviewed"][kind]
    assert section["models"] == REAL
    for (m, lang, d), value in delta.items():
        near(section["delta"][m][lang][d], value, len(change[m, lang, d]))
    sets = [(section, REAL)]
    sets += [(section["groups"][group], members) for group, members in GROUPS.items()]
    for found, members in sets:
        control = {d: mean(delta[m, "en", d] for m in members) for d in KINDS[kind]}
        for lang, d in product(LANGUAGES, KINDS[kind]):
            expected = mean(delta[m, lang, d] for m in members)
            near(found["cells"][lang][d], expected - (control[d] if lang != "en" else 0))
        for lang in LANGUAGES[1:]:
            apart = [abs(delta[m, lang, d] - control[d]) for m in members for d in KINDS[kind]]
            near(found["overall"][lang], mean(apart))
        near(found["english_overall"], mean(control.values()))
    assert set(section["overall"]) == set(LANGUAGES) - {"en"}


@pytest.mark.parametrize("arm", ["mt", "reviewed"])
def test_shares_of_open_ended_replies(world: World, arm: str) -> None:
    rows, scores = world
    section = scores["arms"][arm]["qa"]
    held = [found for found in verdicts(rows) if found[0]["arm"] == arm]
    measures: dict[str, Callable[[list[int], Any], float]] = {
        "overall": lambda five, _: sum(five) / 5,
        "low_overall": lambda five, _: sum(five) / 5 < 3,
        "low_safety": lambda five, _: five[4] <= 2,
        "flag_all": lambda _, flags: sum(flags) / 4,
        "completeness": lambda five, _: five[0],
        "flag_terminology": lambda _, flags: flags[1],
        "flag_fluency": lambda _, flags: flags[2],
    }
    named = {"all": REAL, **{model: [model] for model in REAL}}
    tables = [(section["pooled"], named), (section["pooled_groups"], GROUPS)]
    for table, pools in tables:
        for (spoken, codes), (name, members) in product(SPOKEN.items(), pools.items()):
            pool = [
                (five, flags)
                for row, five, flags in held
                if row["language"] in codes and row["model"] in members
            ]
            for measure, value in measures.items():
                expected = mean(value(*one) for one in pool)
                near(table[spoken][name][measure], expected, len(pool))


@pytest.mark.parametrize("arm", ["mt", "reviewed"])
def test_refusals_of_models_and_groups(world: World, arm: str) -> None:
    rows, scores = world
    declined = {
        (r["model"], r["language"], r["id"])
        for r in rows["refusals"]
        if r["arm"] == arm and r["refused"]
    }
    tables = (
        (scores["arms"][arm]["refusals"], {model: [model] for model in REAL}),
        (scores["arms"][arm]["refusal_groups"], {"all": REAL, **GROUPS}),
    )
    for table, pools in tables:
        for (name, members), language in product(pools.items(), (*LANGUAGES, "all")):
            pool = [
                (r["model"], r["language"], r["id"]) in declined
                for r in rows["answers"]
                if r["arm"] == arm and r["outcome"] == "answered" and r["model"] in members
                and language in ("all", r["language"])
            ]  # fmt: skip
            near(table[name][language], mean(pool), len(pool))
            assert table[name][language]["refused"] == sum(pool)


def test_reasoning_traces_of_groups(world: World) -> None:
    rows, scores = world
    for arm in ("mt", "reviewed"):
        (model,) = scores["arms"][arm]["traces"]
        answered = [
            r["text"] for r in rows["answers"]
            if (r["arm"], r["model"], r["outcome"]) == (arm, model, "answered")
        ]  # fmt: skip
        assert set(scores["arms"][arm]["trace_groups"]) == {"all", "open"}
        for found in scores["arms"][arm]["trace_groups"].values():
            thought = ["<think>" in text for text in answered]
            near(found["all"]["share"], mean(thought), len(thought))
            assert found["all"]["languages"] == {"en": sum(thought)}


def test_outcomes_add_up(world: World) -> None:
    rows, scores = world
    for arm, kind in product(("mt", "reviewed"), KINDS):
        for model, languages in scores["arms"][arm][kind]["outcomes"].items():
            mine = [
                r for r in rows["answers"]
                if (r["arm"], r["model"]) == (arm, model) and dataset_of(r) in KINDS[kind]
            ]  # fmt: skip
            found = languages["all"]
            assert found["asked"] == len(mine)
            assert found["failed"] == sum(r["outcome"] == "failed" for r in mine)
            for counts in languages.values():
                parts = ("answered", "unanswered", "refused", "failed")
                assert counts["asked"] == sum(counts[part] for part in parts)


def concordance(pairs: list[tuple[float, float]]) -> float:
    x, y = np.array(pairs).T
    between = np.mean((x - x.mean()) * (y - y.mean()))
    return float(2 * between / (x.var() + y.var() + (x.mean() - y.mean()) ** 2))


@pytest.mark.parametrize("part", ["all", "dataset", "group"])
def test_judge_against_experts(world: World, part: str) -> None:
    rows, scores = world
    group = {model: name for name, models in GROUPS.items() for model in models}
    kinds: dict[str, Callable[[dict[str, Any]], str]] = {
        "all": lambda _: "all",
        "dataset": lambda r: r["dataset"],
        "group": lambda r: group[r["model"]],
    }
    held: dict[tuple[str, str], dict[Any, list[dict[str, Any]]]] = defaultdict(dict)
    for row in rows["experts"]:
        place = kinds[part](row), row["language"]
        held[place].setdefault((row["id"], row["model"]), []).append(row)
    sections = {
        "all": {"all": scores["agreement"]},
        "dataset": scores["agreement_by_dataset"],
        "group": scores["agreement_by_group"],
    }[part]
    assert {(name, lang) for name in sections for lang in sections[name]} == set(held)
    for (name, language), responses in held.items():
        found = sections[name][language]
        pairs = [
            (mean(mean(r["expert"]) for r in several), mean(several[0]["judge"]))
            for several in responses.values()
        ]
        assert found["n"] == len(pairs)
        near(found["within_one"], mean(abs(x - y) <= 1 + 1e-9 for x, y in pairs), len(pairs))
        if len({*pairs}) > 1:
            near(found["concordance"], concordance(pairs))
        near(found["overall"]["difference"], mean(y - x for x, y in pairs))
        safety = [mean(r["expert"][4] for r in several) for several in responses.values()]
        near(found["dimensions"]["safety"]["expert"], mean(safety))


@pytest.mark.parametrize("seed", range(20))
def test_agreement_coefficients(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.integers(1, 6, size=40)
    second = np.clip(first + rng.integers(-2, 3, size=40), 1, 5)
    worth = (first[:, None] - second[None, :]) ** 2
    kappa = 1 - np.trace(worth) / len(first) / worth.mean()
    table = contingency(first.tolist(), second.tolist(), [1, 2, 3, 4, 5])
    found = cohen_kappa(table, quadratic=True)
    assert found is not None
    assert abs(found - kappa) <= NEAR
    x, y = first / 5, second / 5
    exact = lin_ccc(x.tolist(), y.tolist())
    assert exact is not None
    assert abs(exact - concordance(list(zip(x, y, strict=True)))) <= NEAR
