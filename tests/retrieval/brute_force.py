"""The metrics again as plain loops over dictionaries, written from their definitions alone.

Nothing of the package is used: a benchmark comes in as plain values, so that a shared mistake
would have to be made twice.
"""

import math


def ranks_of_golds(queries, golds, ranked):
    """{query: [(document language, rank or None), ...]} from ids and ranked lists."""
    found = {}
    for query in queries:
        rows = []
        for document, language, office in golds.get(query, []):
            top = ranked[query][:1000]
            rows.append((language, office, top.index(document) + 1 if document in top else None))
        found[query] = rows
    return found


def metrics(queries, golds, ranked, gate=0.10):
    """All unresampled figures.

    queries: {id: language}; golds: {id: [(document, language, office), ...]};
    ranked: {id: [document, ...]} best first.
    """
    return metrics_of_ranks(queries, ranks_of_golds(queries, golds, ranked), gate)


def metrics_of_ranks(queries, ranks, gate=0.10):
    out = {}
    sides = {"same": {}, "cross": {}}
    for query, language in queries.items():
        for document_language, _, rank in ranks[query]:
            side = "same" if document_language == language else "cross"
            sides[side].setdefault(query, []).append(rank)
    out["n_queries"] = len(set(sides["same"]) | set(sides["cross"]))
    dual = [query for query in queries if query in sides["same"] and query in sides["cross"]]
    out["n_dual_gold"] = len(dual)
    for side, of_side in sides.items():
        for k in (10, 25, 50):
            per_query = {
                query: sum(rank is not None and rank <= k for rank in ranks_) / len(ranks_)
                for query, ranks_ in of_side.items()
            }
            out[f"recall_at_{k}/{side}"] = balanced(per_query, queries)
        per_query = {
            query: float(any(rank is not None and rank <= 10 for rank in ranks_))
            for query, ranks_ in of_side.items()
        }
        out[f"hit_at_10/{side}"] = balanced(per_query, queries)
    first = {
        side: {query: first_rank(ranks_) for query, ranks_ in of_side.items()}
        for side, of_side in sides.items()
    }
    depths = {
        "same": [first["same"][query] for query in dual],
        "cross": [first["cross"][query] for query in dual],
        "star": [max(first["same"][query], first["cross"][query]) for query in dual],
    }
    for name, values in depths.items():
        out[f"k80/{name}"] = percentile(values, 80)
    same, cross = percentile(depths["same"], 50), percentile(depths["cross"], 50)
    out["xrc_50"] = None if same is None or cross is None else cross / same
    curve = [share(list(first["cross"].values()), k) for k in range(1, 1001)]
    for k in (1, 5, 10, 50, 100, 1000):
        out[f"rrc_at_{k}"] = curve[k - 1]
    out["knee"] = knee(curve)
    out["floor"] = None if curve[0] is None else 1 - curve[999]
    for k in (10, 100):
        undefined = curve[0] is None or curve[k - 1] == 1
        out[f"ari_at_{k}"] = None if undefined else (1 - curve[999]) / (1 - curve[k - 1])
    cross = out["recall_at_10/cross"]
    out["gate"] = None if cross is None else "failed" if cross < gate else "passed"
    return out


def first_rank(ranks):
    found = [rank for rank in ranks if rank is not None]
    return min(found) if found else math.inf


def balanced(per_query, queries):
    if not per_query:
        return None
    by_language = {}
    for query, value in per_query.items():
        by_language.setdefault(queries[query], []).append(value)
    means = [sum(values) / len(values) for values in by_language.values()]
    return sum(means) / len(means)


def percentile(values, percent):
    """The ceil(percent n / 100)-th smallest; None when infinite or absent."""
    if not values:
        return None
    seat = math.ceil(percent * len(values) / 100 - 1e-9)
    value = sorted(values)[seat - 1]
    return None if math.isinf(value) else value


def share(first_ranks, k):
    return sum(rank <= k for rank in first_ranks) / len(first_ranks) if first_ranks else None


def knee(curve):
    if curve[0] is None or curve[0] == curve[999]:
        return None
    best, best_distance = None, -math.inf
    for k in range(1, 1001):
        chord = curve[0] + (curve[999] - curve[0]) * math.log10(k) / 3
        if curve[k - 1] - chord > best_distance + 1e-12:
            best, best_distance = k, curve[k - 1] - chord
    return best


def routes(queries, ranks):
    """{(query language, document language): (pairs, recall@10)}."""
    cells = {}
    for query, language in queries.items():
        by_language = {}
        for document_language, _, rank in ranks[query]:
            by_language.setdefault(document_language, []).append(rank)
        for document_language, found in by_language.items():
            recall = sum(rank is not None and rank <= 10 for rank in found) / len(found)
            cells.setdefault((language, document_language), []).append((len(found), recall))
    return {
        cell: (sum(n for n, _ in rows), sum(recall for _, recall in rows) / len(rows))
        for cell, rows in cells.items()
    }


def gap(queries, ranks):
    """Per dual-gold query: recall@10 same - cross."""
    differences = {}
    for query, language in queries.items():
        same = [rank for code, _, rank in ranks[query] if code == language]
        cross = [rank for code, _, rank in ranks[query] if code != language]
        if same and cross:
            differences[query] = sum(rank is not None and rank <= 10 for rank in same) / len(
                same
            ) - sum(rank is not None and rank <= 10 for rank in cross) / len(cross)
    return differences
