"""A whole evaluation by mteb itself, from the vectors that ours has: the exported task."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.scale import folder, held, queries
from benchmarks.vectors import cache


def mteb(count: str) -> Callable[[], object]:
    """`mteb.evaluate` on the task that `isogloss benchmark export` writes, its encoder a look-up.

    The first call reads the task's files into the cache of `datasets`, as a first use does.
    """
    import datasets
    import mteb
    from mteb.models.abs_encoder import AbsEncoder
    from mteb.models.model_meta import ModelMeta

    datasets.config.HF_DATASETS_CACHE = cache() / "datasets"
    datasets.config.HF_HUB_OFFLINE = True
    datasets.disable_progress_bars()
    vectors = {"query": queries(), "document": held(int(count))}

    class Stored(AbsEncoder):  # type: ignore[misc]
        """Gives the stored vectors, in the order in which texts are asked for."""

        mteb_model_meta = ModelMeta.create_empty({"name": "isogloss/stored", "revision": "1"})

        def __init__(self) -> None:
            self.model = None
            self._next = {"query": 0, "document": 0}

        def encode(self, inputs: Any, *, prompt_type: Any = None, **_: Any) -> Any:
            side = str(getattr(prompt_type, "value", prompt_type))
            start, count = self._next[side], len(inputs.dataset)
            self._next[side] = start + count
            return vectors[side][start : start + count]

    where = _exported(int(count)) / "mteb_task.py"
    spec = importlib.util.spec_from_file_location("exported_task", where)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def evaluate() -> object:
        result = mteb.evaluate(
            Stored(), module.IsoglossTask(), cache=None, show_progress_bar=False, co2_tracker=False
        )
        (scores,) = result.task_results[0].scores["test"]
        return scores["recall_at_10_cross"]

    return evaluate


def _exported(count: int) -> Path:
    from isogloss.benchmark import read_benchmark
    from isogloss.qac.export import export
    from isogloss.qac.exports.croissant import Publication
    from isogloss.qac.exports.finished import read_finished
    from isogloss.qac.exports.folder import FORMATS, write_export
    from isogloss.qac.exports.licences import licence_of
    from isogloss.qac.provenance import TITLE_METHOD, Provenance

    target = cache() / f"exported-{count}"
    if not (target / "mteb_task.py").exists():
        made, place = read_benchmark(folder(count)), cache() / f"finished-{count}"
        gold = zip(made.judged_queries, made.judged_documents, made.judged_values, strict=True)
        pairs = [(made.queries[q].id, made.documents[d].id, int(value)) for q, d, value in gold]
        said = Provenance(
            source="seeded",
            method=TITLE_METHOD,
            counts={"maker": "title"},
            attribution="SPDX-License-Identifier: MIT",
        )
        export(place, list(made.documents), list(made.queries), pairs, said)
        finished = read_finished(place)
        licence = licence_of(finished.attribution)
        write_export(target, finished, FORMATS[1:2], licence, Publication(None, None, None), {})
    return target
