"""The criteria that experts score, read from criteria.yaml: wording is data."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from isogloss.errors import DataError
from isogloss.review.design import Choice, Column, Explanation, Score


@dataclass(frozen=True)
class Criterion:
    """One thing that is scored."""

    key: str
    title: str
    asks: str
    scale: str


@cache
def load(name: str) -> Any:
    """Read one YAML file of this package."""
    text = files("isogloss.review").joinpath(f"{name}.yaml").read_text("utf-8")
    return YAML(typ="safe", pure=True).load(text)


def task(name: str) -> Any:
    """Everything that criteria.yaml says about one task: query, seed, translation or answer."""
    return load("criteria")[name]


def criteria(name: str) -> tuple[Criterion, ...]:
    """All criteria of a task in their declared order."""
    return tuple(Criterion(key, **words) for key, words in task(name)["criteria"].items())


def query_criteria(mode: str) -> tuple[str, ...]:
    """Keys of the eight criteria of a query mode (ChemCLIR-Bench section 2), in order.

    Raises:
        DataError: The mode is unknown.
    """
    query = task("query")
    if mode not in query["modes"]:
        raise DataError(f"mode {mode!r} is none of {' '.join(query['modes'])}")
    return (*query["shared_first"], *query["modes"][mode], *query["shared_last"])


def score_columns(name: str, keys: tuple[str, ...] | None = None) -> tuple[Column, ...]:
    """One column to be scored per criterion, the scale in its heading."""
    scale = Score(task(name)["low"], task(name)["high"])
    known = {one.key: one for one in criteria(name)}
    return tuple(
        Column(key, f"{known[key].title} ({scale.low}-{scale.high})", scale, 13, known[key].asks)
        for key in keys or tuple(known)
    )


def decision_column() -> Column:
    """The column that accepts or rejects a seed translation."""
    decision = task("seed")["decision"]
    options = Choice(tuple(decision["options"]))
    return Column("decision", decision["title"], options, 12, decision["asks"])


def explanations(name: str) -> tuple[Explanation, ...]:
    """The lines of the key sheet."""
    lines = [Explanation(one.title, one.asks, one.scale) for one in criteria(name)]
    decision = task(name).get("decision")
    if decision:
        lines.append(Explanation(decision["title"], decision["asks"], decision["scale"]))
    return tuple(lines)
