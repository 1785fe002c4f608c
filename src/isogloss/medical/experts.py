"""The judge against experts on the same responses (HealMed section 5.3).

Within one point is decided on integer sums of the five dimensions; the concordance coefficient is
Lin's with population moments, over each response's overall score.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from isogloss.errors import DataError
from isogloss.languages import normalise_language
from isogloss.medical.figure import DECIMALS, figure
from isogloss.medical.items import Item
from isogloss.medical.model_groups import groups_of_models
from isogloss.medical.panel import LANGUAGES, group_of, in_panel_order, model_place, slug
from isogloss.medical.records import ExpertRow
from isogloss.medical.resampling import Figures, Floats, ItemBootstrap, means
from isogloss.medical.rows import numbered_rows
from isogloss.medical.verdicts import DIMENSIONS
from isogloss.statistics.agreement import lin_ccc

N_DIMENSIONS = len(DIMENSIONS)
NO_SPREAD_LEFT = 1e-12
MIDDLE = 3
CONSTANT = "not estimable: experts and judge give one and the same constant"


@dataclass(frozen=True)
class Response:
    """One response that experts and the judge scored.

    Attributes:
        language: ISO 639-1.
        dataset: Slug.
        id: The item.
        model: Who answered.
        experts: One tuple of five scores an expert.
        judge: The judge's five.
    """

    language: str
    dataset: str
    id: str
    model: str
    experts: tuple[tuple[int, ...], ...]
    judge: tuple[int, ...]

    @property
    def expert(self) -> tuple[float, ...]:
        """The experts' mean in each dimension."""
        return tuple(sum(scores) / len(self.experts) for scores in zip(*self.experts, strict=True))

    @property
    def within_one(self) -> bool:
        """Whether the overall scores lie at most one point apart, in integers."""
        experts = sum(map(sum, self.experts))
        judge = len(self.experts) * sum(self.judge)
        return abs(experts - judge) <= N_DIMENSIONS * len(self.experts)


def read_experts(path: Path, items: Sequence[Item]) -> list[Response]:
    """Read expert scores; several rows on one response are several experts.

    Args:
        path: JSONL of expert rows.
        items: The items, of which each id must be one.

    Raises:
        DataError: A row breaks the format, names an unknown id or another dataset than the item's,
            or disagrees with an earlier row about the judge; file, line and id are named.
    """
    datasets = {(item.language, item.id): item.dataset for item in items}
    found: dict[tuple[str, str, str], tuple[list[tuple[int, ...]], tuple[int, ...], int]] = {}
    for line, row in numbered_rows(path, ExpertRow):
        where = f"{path}, line {line}, id {row.id!r}"
        language = normalise_language(row.language) or row.language
        dataset = datasets.get((language, row.id))
        if dataset is None:
            raise DataError(f"{where}: the items hold no such id in {row.language!r}")
        if slug(row.dataset) != dataset:
            raise DataError(f"{where}: the item is of {dataset}, not of {row.dataset!r}")
        key, judge = (language, row.id, row.model), tuple(row.judge)
        experts, first, there = found.setdefault(key, ([], judge, line))
        if judge != first:
            raise DataError(f"{where}: line {there} gives other judge scores for this response")
        experts.append(tuple(row.expert))
    if not found:
        raise DataError(f"{path}: holds no expert scores")
    return [
        Response(lang, datasets[lang, id_], id_, model, tuple(experts), judge)
        for (lang, id_, model), (experts, judge, _) in sorted(found.items())
    ]


@dataclass(frozen=True)
class _Moments:
    """Agreement figures of each language as a function of sums of moments."""

    languages: int

    def __call__(self, sums: Floats, counts: Floats) -> Figures:
        per = sums.sum(axis=1).reshape(len(sums), self.languages, -1)
        n = counts.sum(axis=1).reshape(per.shape)
        averaged = means(per, n)
        expert, judge = averaged[..., :N_DIMENSIONS], averaged[..., N_DIMENSIONS:-6]
        within, x, y, xx, yy, xy = np.moveaxis(averaged[..., -6:], -1, 0)
        scale = (xx - x**2) + (yy - y**2) + (x - y) ** 2
        flat = scale < NO_SPREAD_LEFT
        concordance = np.where(flat, np.nan, 2 * (xy - x * y) / np.where(flat, 1, scale))
        return {
            "expert": expert,
            "judge": judge,
            "difference": judge - expert,
            "overall": np.stack([x + MIDDLE, y + MIDDLE, y - x], axis=-1),
            "within_one": within,
            "concordance": concordance,
        }


def expert_sections(responses: Sequence[Response], resamples: int, seed: int) -> dict[str, Any]:
    """Agreement over ``all`` responses, and apart by ``datasets`` and ``groups`` of models."""

    def parted(part: Callable[[Response], str], order: Sequence[str]) -> dict[str, Any]:
        return {
            name: expert_section([r for r in responses if part(r) == name], resamples, seed)
            for name in order
        }

    return {
        "all": expert_section(responses, resamples, seed),
        "datasets": parted(lambda r: r.dataset, in_panel_order(r.dataset for r in responses)),
        "groups": parted(
            lambda r: group_of(r.model),
            list(groups_of_models(sorted({r.model for r in responses}, key=model_place))),
        ),
    }


def expert_section(responses: Sequence[Response], resamples: int, seed: int) -> dict[str, Any]:
    """Agreement of judge and experts per language.

    Returns:
        language -> ``n``, ``experts`` (rows), ``within_one``, ``concordance``, ``overall`` and
        ``dimensions`` (expert mean, judge mean, judge - expert), each with its interval.
    """
    languages = [lang for lang in LANGUAGES if any(r.language == lang for r in responses)]
    datasets = in_panel_order(r.dataset for r in responses)
    ids = sorted({(datasets.index(r.dataset), r.id) for r in responses})
    place = {id_: index for index, (_, id_) in enumerate(ids)}
    columns = np.zeros((len(ids), len(languages), 2 * N_DIMENSIONS + 6))
    counts = np.zeros((len(ids), len(languages), 1))
    for r in responses:
        # Centred on the scale's middle, so that squares keep their digits.
        x, y = np.mean(r.expert) - MIDDLE, np.mean(r.judge) - MIDDLE
        row = [*r.expert, *r.judge, r.within_one, x, y, x * x, y * y, x * y]
        columns[place[r.id], languages.index(r.language)] += row
        counts[place[r.id], languages.index(r.language)] += 1
    boot = ItemBootstrap(np.array([d for d, _ in ids], dtype=np.int64), resamples, seed)
    spread = np.broadcast_to(counts, columns.shape)
    found = boot.estimates(
        columns.reshape(len(ids), -1),
        spread.reshape(len(ids), -1).copy(),
        _Moments(len(languages)),
        list(range(len(datasets))),
    )
    section: dict[str, Any] = {}
    for lang, language in enumerate(languages):
        here = [r for r in responses if r.language == language]
        section[language] = _language(here, {k: v[lang] for k, v in found.items()})
    return section


def _language(here: list[Response], found: dict[str, Any]) -> dict[str, Any]:
    n = len(here)
    exact = lin_ccc(
        [float(np.mean(r.expert)) for r in here], [float(np.mean(r.judge)) for r in here]
    )
    concordance = figure(found["concordance"], n)
    concordance["value"] = None if exact is None else round(exact, DECIMALS)
    if exact is None:
        concordance["reason"] = CONSTANT
    expert, judge, difference = found["overall"]
    return {
        "n": n,
        "experts": sum(len(r.experts) for r in here),
        "within_one": figure(found["within_one"], n),
        "concordance": concordance,
        "overall": {
            "expert": figure(expert, n),
            "judge": figure(judge, n),
            "difference": figure(difference, n),
        },
        "dimensions": {
            name: {key: figure(found[key][d], n) for key in ("expert", "judge", "difference")}
            for d, name in enumerate(DIMENSIONS)
        },
    }
