"""Shares of replies: refusals per language, and reasoning traces with their language."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from isogloss.medical.figure import figure
from isogloss.medical.pooled import Pooled
from isogloss.medical.resampling import ItemBootstrap
from isogloss.medical.sheet import NO_TRACE, UNKNOWN_LANGUAGE, Sheet

ALL_LANGUAGES = "all"
Mask = npt.NDArray[np.bool_]


def share_table(
    hits: Mask, replies: Mask, boot: ItemBootstrap
) -> tuple[npt.NDArray[np.object_], npt.NDArray[np.int64]]:
    """Shares by model and language and, in a last column, over all languages.

    Args:
        hits: bool (models, languages, items).
        replies: What they are a share of, the same shape.
        boot: Draws of items.

    Returns:
        Estimates and counts, each (models, languages + 1).
    """

    def with_all(mask: Mask) -> npt.NDArray[np.float64]:
        columns = mask.astype(np.float64)
        return np.concatenate([columns, columns.sum(axis=1, keepdims=True)], axis=1)

    top, bottom = with_all(hits & replies), with_all(replies)
    shape = bottom.shape[:-1]
    found: npt.NDArray[np.object_] = boot.estimates(
        top.reshape(-1, top.shape[-1]).T,
        bottom.reshape(-1, bottom.shape[-1]).T,
        Pooled(shape),
        sorted({int(d) for d in boot.item_dataset}),
    )["pooled"]
    return found, bottom.sum(axis=-1).astype(np.int64)


def refusal_section(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    """Refusal rates over all replies, failed calls excluded (HealMed section 5.1).

    A reply without a record counts as no refusal and under ``unrecorded`` (our reading); a model
    without any record has no rate.
    """
    declined, replied = sheet.declined[arm], sheet.replied[arm]
    chosen = np.flatnonzero((declined >= 0).any(axis=(1, 2)))
    if not len(chosen):
        return {}
    found, n = share_table(declined[chosen] == 1, replied[chosen], boot)
    section: dict[str, Any] = {}
    for row, m in enumerate(chosen):
        section[sheet.models[m]] = {}
        for column, language in enumerate([*sheet.languages, ALL_LANGUAGES]):
            here = slice(None) if language == ALL_LANGUAGES else slice(column, column + 1)
            if n[row, column]:
                section[sheet.models[m]][language] = figure(
                    found[row, column],
                    n[row, column],
                    refused=int(np.count_nonzero(declined[m, here] == 1)),
                    unrecorded=int(np.count_nonzero(replied[m, here] & (declined[m, here] < 0))),
                )
    return section


def trace_section(sheet: Sheet, arm: int, boot: ItemBootstrap) -> dict[str, Any]:
    """Share of replies with a reasoning trace, and of traces in the prompt's language.

    Only models with at least one trace are listed (HealMed section 6.1).
    """
    trace, replied = sheet.trace[arm], sheet.replied[arm]
    chosen = np.flatnonzero((trace != NO_TRACE).any(axis=(1, 2)))
    if not len(chosen):
        return {}
    trace, replied = trace[chosen], replied[chosen]
    own = trace == np.arange(len(sheet.languages))[None, :, None]
    shares, n = share_table(trace != NO_TRACE, replied, boot)
    kept, traces = share_table(own, trace != NO_TRACE, boot)
    section: dict[str, Any] = {}
    for row, m in enumerate(chosen):
        section[sheet.models[m]] = {}
        for column, language in enumerate([*sheet.languages, ALL_LANGUAGES]):
            here = slice(None) if language == ALL_LANGUAGES else slice(column, column + 1)
            if n[row, column]:
                section[sheet.models[m]][language] = {
                    "share": figure(shares[row, column], n[row, column]),
                    "in_prompt_language": figure(kept[row, column], traces[row, column]),
                    "languages": _languages(sheet, trace[row, here]),
                }
    return section


def _languages(sheet: Sheet, trace: npt.NDArray[np.int8]) -> dict[str, int]:
    codes = Counter(int(code) for code in trace[trace != NO_TRACE])
    names = {UNKNOWN_LANGUAGE: "unknown", **dict(enumerate(sheet.languages))}
    return {names[code]: count for code, count in sorted(codes.items())}
