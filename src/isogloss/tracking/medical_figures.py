"""Which medical figures become metrics: those a table of runs is read by, if they are defined."""

from collections.abc import Iterator, Mapping
from typing import Any

from isogloss.medical.panel import ENGLISH
from isogloss.medical.shares import ALL_LANGUAGES

Found = Mapping[str, Any]
ALPHA = 0.05


def run_metrics(section: Mapping[str, Any], model: str) -> dict[str, float]:
    """The metrics of one model in one arm.

    Args:
        section: The arm in scores.json.
        model: Its key.

    Returns:
        Finite numbers; what is undefined has no metric, its reason stands in the artefacts.
    """
    metrics: dict[str, float] = {}
    for score in ("accuracy", "qa"):
        metrics |= dict(_score(score, section[score], model))
    for group, models in section["qa"].get("pooled", {}).items():
        for measure, found in models.get(model, {}).items():
            if measure.startswith(("low_", "flag_")):
                metrics |= dict(_value(f"issues/{measure}/{group}", found))
    refusals = section["refusals"].get(model, {}).get(ALL_LANGUAGES)
    if refusals is not None:
        metrics |= dict(_ranged("refusal_rate", refusals))
    traces = section["traces"].get(model, {}).get(ALL_LANGUAGES)
    if traces is not None:
        metrics |= dict(_value("traces/share", traces["share"]))
        metrics |= dict(_value("traces/in_prompt_language", traces["in_prompt_language"]))
    return metrics


def _score(score: str, section: Mapping[str, Any], model: str) -> Iterator[tuple[str, float]]:
    if model not in section.get("mean", {}):
        return
    for name, key in (("macro", "mean"), ("gap", "gap"), ("higher", "higher"), ("lower", "lower")):
        yield from _ranged(f"{score}/{name}", section[key][model])
    for language, found in section["macro"][model].items():
        yield from _value(f"{score}/{language}", found)
    for language, found in section["shift"][model].items():
        if language != ENGLISH:
            yield from _value(f"{score}/shift/{language}", found)
    for name, count in section["outcomes"][model][ALL_LANGUAGES].items():
        yield f"{score}/{name}", float(count)


def shift_metrics(compared: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of the shifts: overalls with intervals, cells, and how many of them stand out."""
    metrics: dict[str, float] = {}
    for score, section in compared.items():
        if "cells" not in section:
            continue
        for language, found in section["overall"].items():
            metrics |= dict(_ranged(f"{score}/overall/{language}", found))
        metrics |= dict(_ranged(f"{score}/overall/{ENGLISH}", section["english_overall"]))
        cells = [
            (f"{score}/cell/{language}/{dataset}", cell)
            for language, held in section["cells"].items()
            for dataset, cell in held.items()
        ]
        for name, cell in cells:
            metrics |= dict(_value(name, cell))
        known = [cell["p_holm"] for _, cell in cells if cell["p_holm"] is not None]
        metrics[f"{score}/significant_cells"] = float(sum(p < ALPHA for p in known))
        metrics[f"{score}/lower_in_reviewed"] = float(section["lower_in_reviewed"]["cells"])
        metrics[f"{score}/models"] = float(len(section["models"]))
    return metrics


def _value(name: str, found: Found) -> Iterator[tuple[str, float]]:
    if found["value"] is not None:
        yield name, float(found["value"])


def _ranged(name: str, found: Found) -> Iterator[tuple[str, float]]:
    yield from _value(name, found)
    if found["value"] is not None and found["ci"] is not None:
        low, high = found["ci"]
        yield f"ci/{name}/low", float(low)
        yield f"ci/{name}/high", float(high)


def interval_text(found: Found) -> str:
    """A figure with its interval, or its reason."""
    if found["value"] is None:
        return str(found.get("reason", "undefined"))
    text = f"{found['value']:.3f}"
    return text if found["ci"] is None else f"{text} [{found['ci'][0]:.3f}, {found['ci'][1]:.3f}]"
