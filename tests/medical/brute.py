"""The main figures computed again, from the rows themselves, in plain Python."""

import json
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

HIGHER = ("en", "de", "es", "pt", "ja", "zh")
LOWER = ("th", "sw", "zu")
CHOICE = ("headqa", "medqa", "medexpqa", "mmlupro", "bionli", "mednli")
OPEN = ("expertqabio", "expertqamed", "liveqa")
Scores = dict[tuple[str, str, str, str], dict[str, float]]
"""Arm, model, language, dataset -> item -> score."""


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def key(row: dict[str, Any]) -> tuple[str, str, str, str]:
    return row["arm"], row["model"], row["language"], row["id"].split("-")[1]


def accuracy(paths: dict[str, Path]) -> Scores:
    """The synthetic replies are so plain that their last character tells the letter."""
    targets = {row["id"]: row["target"] for row in rows(paths["items"])}
    found: Scores = {}
    for row in rows(paths["answers"]):
        if row["id"].startswith("qa") or row["outcome"] == "failed":
            continue
        given = row["text"].rpartition(">")[2].strip("()").removeprefix("Answer: ")
        found.setdefault(key(row), {})[row["id"]] = float(given == targets[row["id"]])
    return found


def judged(paths: dict[str, Path]) -> dict[tuple[str, str, str, str], dict[str, dict[str, Any]]]:
    """Scores and flags of every usable verdict."""
    found: dict[tuple[str, str, str, str], dict[str, dict[str, Any]]] = {}
    for row in rows(paths["verdicts"]):
        if not row["verdict"].startswith("{"):
            continue
        based, free, auxiliary = json.loads(row["verdict"]).values()
        scores = [part["score"] for part in (*based.values(), *free.values())]
        flags = [{"yes": 1, "maybe": 0.5, "no": 0}[part["label"]] for part in auxiliary.values()]
        found.setdefault(key(row), {})[row["id"]] = {"scores": scores, "flags": flags}
    return found


def overall(paths: dict[str, Path]) -> Scores:
    return {
        cell: {id_: sum(v["scores"]) / 5 for id_, v in items.items()}
        for cell, items in judged(paths).items()
    }


def macro(scores: Scores, arm: str, model: str, language: str, datasets: tuple[str, ...]) -> float:
    return fmean(fmean(scores[arm, model, language, d].values()) for d in datasets)


def delta(scores: Scores, model: str, language: str, dataset: str) -> float:
    """Reviewed minus machine-translated over the items scored in both."""
    machine = scores["mt", model, language, dataset]
    reviewed = scores["reviewed", model, language, dataset]
    both = sorted(machine.keys() & reviewed.keys())
    return fmean(reviewed[i] for i in both) - fmean(machine[i] for i in both)


def cell(scores: Scores, models: list[str], language: str, dataset: str) -> float:
    control = fmean(delta(scores, m, "en", dataset) for m in models)
    if language == "en":
        return control
    return fmean(delta(scores, m, language, dataset) for m in models) - control


def mean_absolute(scores: Scores, models: list[str], lang: str, datasets: tuple[str, ...]) -> float:
    return fmean(
        abs(delta(scores, m, lang, d) - fmean(delta(scores, other, "en", d) for other in models))
        for m in models
        for d in datasets
    )


def concordance(pairs: list[tuple[Fraction, Fraction]]) -> float:
    n = len(pairs)
    mx, my = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    covariance = sum((x - mx) * (y - my) for x, y in pairs) / n
    scale = sum((x - mx) ** 2 + (y - my) ** 2 for x, y in pairs) / n + (mx - my) ** 2
    return float(2 * covariance / scale)
