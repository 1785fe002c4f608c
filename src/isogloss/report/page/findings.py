"""What a benchmark says, in sentences that follow from its figures and claim nothing more."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.report.page.gathered import Evaluated, Target
from isogloss.report.page.names import language_name
from isogloss.retrieval.planning import Need
from isogloss.statistics.p_values import p_is

SIGNIFICANT = 0.05


def findings(target: Target, needs: Sequence[Need], line: float) -> list[str]:
    """Sentences on one target, the most important first.

    Args:
        target: A benchmark or pool.
        needs: The reading budget of all targets.
        line: Recall@10 at which the isogloss runs.
    """
    if not target.evaluated:
        return []
    best = target.evaluated[0]
    said = [] if target.is_pool else [_recall(best), _level(target, best), _gap(best)]
    said += [] if target.is_pool else [_routes(best, line), _blind(target, line)]
    said.append(_reading(target, best, needs))
    return [sentence for sentence in said if sentence]


def _recall(best: Evaluated) -> str:
    same, cross = (best.metrics.get(f"recall_at_10/{side}") for side in ("same", "cross"))
    if cross is None:
        return ""
    text = f"{best.model} crosses languages best: its top 10 hold {_percent(cross)} of a query's"
    text += " gold documents in other languages"
    return (
        f"{text}, and {_percent(same)} of those in the query's own."
        if same is not None
        else f"{text}."
    )


def _level(target: Target, best: Evaluated) -> str:
    letters = target.significance.get("letters") or {}
    own = set(str(letters.get(best.model, "")))
    others = [e.model for e in target.evaluated if e.model != best.model]
    if not own or not others:
        return ""
    level = [model for model in others if own & set(str(letters.get(model, "")))]
    over = "Over all gold documents, whatever their language,"
    if level:
        return f"{over} it does not differ significantly from {_listed(level)}."
    return f"{over} it differs significantly from every other model."


def _gap(best: Evaluated) -> str:
    gap = best.metrics.get("gap") or {}
    delta, bounds, p = gap.get("delta"), gap.get("ci"), gap.get("p")
    if delta is None or p is None:
        return ""
    p_text = p_is(p).replace(" ", "\N{NO-BREAK SPACE}")
    if p >= SIGNIFICANT:
        return (
            f"No significant loss at the language border was seen for it ({delta:+.2f}, {p_text})."
        )
    inside = "" if bounds is None else f"95% interval {bounds[0]:.2f} to {bounds[1]:.2f}, "
    if delta < 0:
        return f"It finds more across languages than within ({-delta:.2f} of recall@10, {p_text})."
    return f"The language border costs it {delta:.2f} of recall@10 ({inside}{p_text})."


def _routes(best: Evaluated, line: float) -> str:
    foreign = [r for r in best.routes if r["query_language"] != r["document_language"]]
    if not foreign:
        return ""
    ordered = sorted(
        foreign, key=lambda r: (-r["recall_at_10"], r["query_language"], r["document_language"])
    )
    top = ordered[0]
    fail = [r for r in foreign if r["recall_at_10"] < line]
    of = f"of its {len(foreign)} foreign routes"
    beyond = "lies" if len(fail) < 2 else "lie"
    share = f"{len(fail) or 'none'} {of} {beyond} beyond the isogloss"
    best_route = f"{_route(top)} ({top['recall_at_10']:.2f})"
    return f"Its best route is {best_route}; {share}, with recall@10 under {line:.2f}."


def _blind(target: Target, line: float) -> str:
    """Languages that no model crosses in either direction."""
    best: dict[str, float] = {}
    for one in target.evaluated:
        for r in one.routes:
            if r["query_language"] != r["document_language"]:
                for code in (r["query_language"], r["document_language"]):
                    best[code] = max(best.get(code, 0.0), r["recall_at_10"])
    blind = [language_name(code) for code in sorted(best) if best[code] < line]
    if not blind:
        return ""
    verb = "is" if len(blind) == 1 else "are"
    return f"{_listed(blind)} {verb} beyond it for every model, as query and as document."


def _reading(target: Target, best: Evaluated, needs: Sequence[Need]) -> str:
    if best.gated:
        return (
            "Too little is found across languages for depth to be read: the gate failed, so depth, "
            "re-ranking and budget are not interpreted."
        )
    found = [
        n for n in needs
        if n.target == target.key and n.model == best.model and n.reading.coverage == 0.8
    ]  # fmt: skip
    if not found or found[0].reading.depth is None:
        return ""
    reading = found[0].reading
    end = ">1000" if reading.open_above else str(reading.high)
    inside = "" if reading.low is None else f" (95% interval {reading.low} to {end})"
    text = "To put foreign evidence before a re-ranker for 80% of the queries, "
    text += f"{best.model} must hand over {reading.depth} documents per query{inside}"
    return f"{text}, in a pool of at most 1000 documents." if found[0].exhaustive else f"{text}."


def _route(row: Mapping[str, Any]) -> str:
    return f"{language_name(row['query_language'])} to {language_name(row['document_language'])}"


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.1 or share == 0 else f"{share:.1%}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
