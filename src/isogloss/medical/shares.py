"""Shares of replies: refusals per language, and reasoning traces with their language."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.medical.figure import figure
from isogloss.medical.model_groups import model_sets
from isogloss.medical.pooled import Pooled
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.sheet import NO_TRACE, UNKNOWN_LANGUAGE, Sheet

ALL_LANGUAGES = "all"
Mask = npt.NDArray[np.bool_]


def share_table(
    hits: Mask, replies: Mask, boot: ItemBootstrap, pools: Sequence[Sequence[int]]
) -> tuple[npt.NDArray[np.object_], npt.NDArray[np.int64]]:
    """Shares by pool of models and language and, in a last column, over all languages.

    Args:
        hits: bool (models, languages, items).
        replies: What they are a share of, the same shape.
        boot: Draws of items.
        pools: The models of each row.

    Returns:
        Estimates and counts, each (pools, languages + 1).
    """
    top, bottom = _pooled(hits & replies, pools), _pooled(replies, pools)
    shape = bottom.shape[:-1]
    found: npt.NDArray[np.object_] = boot.estimates(
        top.reshape(-1, top.shape[-1]).T,
        bottom.reshape(-1, bottom.shape[-1]).T,
        Pooled(shape),
        sorted({int(d) for d in boot.item_dataset}),
    )["pooled"]
    return found, bottom.sum(axis=-1).astype(np.int64)


def _pooled(mask: Mask, pools: Sequence[Sequence[int]]) -> npt.NDArray[np.float64]:
    """(pools, languages + 1, items): counts over the models of each pool, then over languages."""
    columns = np.stack([mask[list(members)].sum(axis=0) for members in pools]).astype(np.float64)
    return np.concatenate([columns, columns.sum(axis=1, keepdims=True)], axis=1)


def refusal_sections(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    """Refusal rates over all replies, failed calls excluded (HealMed section 5.1).

    A reply without a record counts as no refusal and under ``unrecorded`` (our reading); a model
    without any record has no rate.

    Returns:
        ``refusals`` by model and language (or ``all``), and ``refusal_groups`` with ``all`` models
        and each panel group for the model.
    """
    declined, replied = sheet.declined[arm], sheet.replied[arm]
    chosen = np.flatnonzero((declined >= 0).any(axis=(1, 2)))
    if not len(chosen):
        return {"refusals": {}, "refusal_groups": {}}
    pools = _pools(sheet, chosen)
    found, n = share_table(declined == 1, replied, boot, list(pools.values()))
    members = list(pools.values())
    refused = _pooled(declined == 1, members).sum(axis=-1)
    unrecorded = _pooled(replied & (declined < 0), members).sum(axis=-1)
    rows = [
        {
            language: figure(
                found[row, column],
                n[row, column],
                refused=int(refused[row, column]),
                unrecorded=int(unrecorded[row, column]),
            )
            for column, language in enumerate([*sheet.languages, ALL_LANGUAGES])
            if n[row, column]
        }
        for row in range(len(pools))
    ]
    return _parted("refusals", "refusal_groups", pools, rows)


def trace_sections(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    """Share of replies with a reasoning trace, and of traces in the prompt's language.

    Only models with at least one trace are listed (HealMed section 6.1).

    Returns:
        ``traces`` by model and language (or ``all``), and ``trace_groups`` over the listed models.
    """
    trace, replied = sheet.trace[arm], sheet.replied[arm]
    chosen = np.flatnonzero((trace != NO_TRACE).any(axis=(1, 2)))
    if not len(chosen):
        return {"traces": {}, "trace_groups": {}}
    pools = _pools(sheet, chosen)
    members = list(pools.values())
    own = trace == np.arange(len(sheet.languages))[None, :, None]
    shares, n = share_table(trace != NO_TRACE, replied, boot, members)
    kept, traces = share_table(own, trace != NO_TRACE, boot, members)
    rows: list[dict[str, Any]] = []
    for row, models in enumerate(members):
        rows.append({})
        for column, language in enumerate([*sheet.languages, ALL_LANGUAGES]):
            here = slice(None) if language == ALL_LANGUAGES else slice(column, column + 1)
            if n[row, column]:
                rows[row][language] = {
                    "share": figure(shares[row, column], n[row, column]),
                    "in_prompt_language": figure(kept[row, column], traces[row, column]),
                    "languages": _languages(sheet, trace[models, here]),
                }
    return _parted("traces", "trace_groups", pools, rows)


def _pools(sheet: Sheet, chosen: npt.NDArray[np.int64]) -> dict[tuple[bool, str], list[int]]:
    """The models, each a pool of its own, and their sets: (is a set, name) to model indexes."""
    names = [sheet.models[m] for m in chosen]
    sets = {
        (True, name): [int(chosen[m]) for m in members]
        for name, members in model_sets(names).items()
    }
    return {**{(False, sheet.models[m]): [int(m)] for m in chosen}, **sets}


def _parted(
    models: str,
    sets: str,
    pools: dict[tuple[bool, str], list[int]],
    rows: list[dict[str, Any]],
) -> dict[str, Any]:
    found: dict[str, Any] = {models: {}, sets: {}}
    for (is_set, name), row in zip(pools, rows, strict=True):
        found[sets if is_set else models][name] = row
    return found


def _languages(sheet: Sheet, trace: npt.NDArray[np.int8]) -> dict[str, int]:
    codes = Counter(int(code) for code in trace[trace != NO_TRACE])
    names = {UNKNOWN_LANGUAGE: "unknown", **dict(enumerate(sheet.languages))}
    return {names[code]: count for code, count in sorted(codes.items())}
