"""A small project with real vectors: two models on one benchmark, ready to be evaluated."""

import functools
import shutil
import tempfile
from pathlib import Path

from isogloss.benchmark import Document, DocumentMetadata, Query, QueryMetadata, write_benchmark
from isogloss.project import Project, find_project
from isogloss.settings import Settings
from isogloss.tracking.store import open_store

ROOT = Path(__file__).parent.parent.parent
MODELS = ("bm25", "char-ngrams")
BENCHMARK = "tiny-title"

PARAMS = """
run:
  benchmarks: [tiny-title]
  models: [bm25, char-ngrams]
pools:
  tiny: [tiny-title]
evaluation:
  resamples: 100
  depth_resamples: 100
  permutations: 100
"""
WORDS = {
    "de": ("Salz", "Säure", "Base", "Kohle", "Eisen", "Gold", "Zinn", "Blei", "Kupfer", "Schwefel"),
    "en": ("salt", "acid", "base", "coal", "iron", "gold", "tin", "lead", "copper", "sulphur"),
    "zh": ("盐类", "酸类", "碱类", "煤炭", "铁矿", "黄金", "锡矿", "铅矿", "铜矿", "硫磺"),
}


def make_project(root: Path, extra_query: bool = False, translated: bool = False) -> Project:
    """Lay out params.yaml, model declarations and a benchmark of ten families.

    With `translated`, all Chinese documents are marked as machine translations.
    """
    (root / "params.yaml").write_text(PARAMS, encoding="utf-8")
    (root / "mlflow.db").write_bytes(empty_database())
    (root / "models").mkdir(exist_ok=True)
    for model in MODELS:
        shutil.copy(ROOT / "models" / f"{model}.yaml", root / "models")
    documents, queries, qrels = [], [], []
    for number in range(10):
        family = f"f{number:02d}"
        for language, words in WORDS.items():
            text = f"{words[number]} {words[(number + 1) % 10]} {words[number]}"
            by_machine = translated and language == "zh"
            origin = "machine-translated" if by_machine else "synthetic"
            metadata = DocumentMetadata(language, family, "EP", origin)
            documents.append(Document(f"{family}:{language}", metadata, "", text))
            if language == "zh" and not extra_query:
                continue
            query = f"{family}:{language}:q"
            queries.append(
                Query(query, words[number], QueryMetadata(language, family, "known-item", "title"))
            )
            qrels += [(query, f"{family}:{target}", 1) for target in WORDS]
    write_benchmark(root / "benchmark" / BENCHMARK, documents, queries, qrels)
    return find_project(root)


@functools.cache
def empty_database() -> bytes:
    """A freshly migrated tracking database, made once: the migrations cost seconds."""
    with tempfile.TemporaryDirectory() as name:
        store = open_store(Project(Path(name), Settings.model_validate({"run": {}})))
        assert store.database is not None, "MLFLOW_TRACKING_URI must not be set"
        return store.database.read_bytes()
