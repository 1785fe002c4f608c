"""The same texts through encoders that Ray holds, one a processor."""

import os
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from benchmarks.encoding import texts
from benchmarks.measure import ROOT

CALLS = 3


def encode(model: str, count: str, processors: str) -> Callable[[], object]:
    """Encode texts on a Ray of so many processors, a thread each; returns texts a second.

    Starting Ray and loading models, in a first call, is not counted.
    """
    # Workers take their number of threads from here.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
    from isogloss.ray_engine import RayEngine
    from isogloss.retrieval.declaration import read_declaration
    from isogloss.retrieval.embedding import embed_rows_in
    from isogloss.retrieval.encoders import load_encoder
    from isogloss.retrieval.tables import Rows

    declaration = read_declaration(ROOT / "models" / f"{model}.yaml")
    names = [f"d{at:06d}" for at in range(int(count))]
    rows = Rows(names, names, texts(int(count)))

    def run() -> float:
        engine = RayEngine(processors=int(processors))
        taken = []
        with engine.holding(partial(load_encoder, declaration, "cpu"), "cpu") as encoders:
            for _ in range(CALLS + 1):
                start = time.perf_counter()
                for _ in embed_rows_in(encoders, 32, rows, "document", "bench"):
                    pass
                taken.append(time.perf_counter() - start)
        engine.close()
        return int(count) / median(taken[1:])

    return run
