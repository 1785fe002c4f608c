"""This benchmark as a retrieval task of mteb: all languages in one pool.

The file travels with the data and needs nothing but mteb (2.20 or later) and the files at its side:

    import mteb
    from mteb_task import IsoglossTask

    mteb.evaluate(MODEL, IsoglossTask())

Beside mteb's own scores it gives `recall_at_10_same` and `recall_at_10_cross` (and at 25 and 50):
recall of gold documents in the query's own language and in other languages, averaged within each
query language and then over the languages.
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata

FOLDER = Path(__file__).resolve().parent
CUTOFFS = (10, 25, 50)


def _metadata() -> TaskMetadata:
    fields: dict[str, Any] = json.loads((FOLDER / "mteb_task.json").read_text("utf-8"))
    revision = fields.pop("revision")
    return TaskMetadata(dataset={"path": str(FOLDER), "revision": revision}, **fields)


class IsoglossTask(AbsTaskRetrieval):
    """Retrieval across languages in one pool."""

    metadata = _metadata()

    def dataset_transform(self, num_proc: int | None = None, **kwargs: Any) -> None:
        """Give models title and text in two lines, and drop queries without any gold document."""
        for split in self.dataset["default"].values():
            corpus = split["corpus"]
            texts = [
                "\n".join(part for part in pair if part)
                for pair in zip(corpus["title"], corpus["text"], strict=True)
            ]
            split["corpus"] = corpus.remove_columns(["title", "text"]).add_column("text", texts)
            gold = {query: pairs for query, pairs in split["relevant_docs"].items() if _gold(pairs)}
            queries = split["queries"]
            kept = [place for place, query in enumerate(queries["id"]) if query in gold]
            split["relevant_docs"], split["queries"] = gold, queries.select(kept)

    def task_specific_scores(
        self,
        scores: dict[str, dict[str, float]],
        qrels: Mapping[str, Mapping[str, int]],
        results: dict[str, dict[str, float]],
        hf_split: str,
        hf_subset: str,
    ) -> dict[str, float]:
        """Recall by side, balanced over query languages; a side without any gold has no score."""
        data = self.dataset[hf_subset][hf_split]
        spoken = dict(zip(data["queries"]["id"], data["queries"]["language"], strict=True))
        written = dict(zip(data["corpus"]["id"], data["corpus"]["language"], strict=True))
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for query, pairs in qrels.items():
            language = spoken[query]
            order = _order(results.get(query, {}))
            sides: dict[str, set[str]] = defaultdict(set)
            for document in _gold(pairs):
                sides["same" if written[document] == language else "cross"].add(document)
            for side, gold in sides.items():
                for cutoff in CUTOFFS:
                    share = len(gold.intersection(order[:cutoff])) / len(gold)
                    found[f"recall_at_{cutoff}_{side}"][language].append(share)
        return {
            name: sum(sum(shares) / len(shares) for shares in languages.values()) / len(languages)
            for name, languages in sorted(found.items())
        }


def _gold(pairs: Mapping[str, int]) -> set[str]:
    return {document for document, value in pairs.items() if value > 0}


def _order(scored: Mapping[str, float]) -> list[str]:
    # Score to nine decimals descending, then id ascending; mteb's own order breaks ties by id too,
    # but descending.
    return sorted(scored, key=lambda document: (-round(scored[document], 9), document))
