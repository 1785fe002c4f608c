"""Where a project's files lie. Stages take a `Project` and ask it for every path."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import UsageError
from isogloss.settings import Settings, is_key, load_settings


@dataclass(frozen=True)
class Project:
    """The root of one clone and its settings."""

    root: Path
    settings: Settings

    def raw(self, source: str) -> Path:
        """Folder of a source's raw files."""
        return self.root / "data" / "patents" / source

    def corpus(self, source: str) -> Path:
        """Parquet file of a source's corpus; its report lies beside it with the suffix .json.

        SOURCE.seeded names the one that holds documents translated by machine as well.
        """
        return self.root / "corpora" / f"{source}.parquet"

    def unfinished(self, source: str) -> Path:
        """Folder of what was read of a source, until its corpus is written."""
        return self.root / "corpora" / ".unfinished" / source

    def seed_audit(self, source: str) -> Path:
        """What people may audit of a source's machine translations."""
        return self.root / "corpora" / f"{source}.seed-audit.parquet"

    def corpus_figures(self, source: str) -> Path:
        """Folder of the figures of a source's corpus."""
        return self.root / "corpora" / "figures" / source

    def benchmark(self, name: str) -> Path:
        """Folder of a benchmark in BEIR layout."""
        return self.root / "benchmark" / _key(name)

    def written(self, name: str) -> Path:
        """Folder of what chat models made for a benchmark: plan, candidates, verified ones."""
        return self.root / "benchmark-work" / name

    def recording(self, name: str, stage: str) -> Path:
        """Recorded responses of one stage instance."""
        return self.root / "recordings" / f"{name}.{stage}.jsonl"

    def model(self, key: str) -> Path:
        """Declaration of a model."""
        return self.root / "models" / f"{_key(key)}.yaml"

    def manifest(self, benchmark: str, model: str) -> Path:
        """What an embed stage made: the tag, versions and digests of its vectors."""
        return self.root / "embeddings" / _key(benchmark) / f"{_key(model)}.json"

    def results(self, benchmark: str, model: str) -> Path:
        """Folder of one evaluation's results."""
        return self.root / "results" / "retrieval" / benchmark / model

    @property
    def medical(self) -> Path:
        """Folder of everything made for the medical evaluation but its results."""
        return self.root / "medical"

    def translations(self, language: str) -> Path:
        """Machine translations into a language; their report lies beside them as .json."""
        return self.medical / "translations" / f"{language}.jsonl"

    def reviewed(self, language: str) -> Path:
        """Reviewed items of a language; the statistics of its review lie beside them as .json."""
        return self.medical / "reviewed" / f"{language}.jsonl"

    def reviews(self, language: str) -> Path:
        """Both reviewers' scores and texts."""
        return self.medical / "reviews" / f"{language}.jsonl"

    def answers(self, model: str, arm: str) -> Path:
        """A model's replies in one arm, every language."""
        return self.medical / "answers" / f"{model}.{arm}.jsonl"

    def refusals(self, model: str, arm: str) -> Path:
        """Which of these replies decline."""
        return self.medical / "refusals" / f"{model}.{arm}.jsonl"

    def verdicts(self, model: str, arm: str) -> Path:
        """The judge's raw texts on the open-ended ones."""
        return self.medical / "verdicts" / f"{model}.{arm}.jsonl"

    @property
    def experts(self) -> Path:
        """Scores of experts beside the judge's, where there are any."""
        return self.root / "data" / "medical" / "experts.jsonl"

    @property
    def medical_results(self) -> Path:
        """Folder of the medical evaluation's scores, tables and figures."""
        return self.root / "results" / "medical"

    @property
    def medical_shifts(self) -> Path:
        """Folder of what machine-translated items do against reviewed ones."""
        return self.medical_results / "shifts"

    @property
    def comparison(self) -> Path:
        """Folder of the comparison over models."""
        return self.root / "results" / "comparison"

    def partial_comparison(self, benchmarks: Sequence[str], models: Sequence[str]) -> Path:
        """Folder of a comparison over some benchmarks and models only."""
        name = f"{'+'.join(benchmarks)}--{'+'.join(models)}"
        return self.root / "results" / "comparisons" / name

    @property
    def medical_scores(self) -> Path:
        """What the medical evaluation came to."""
        return self.root / "results" / "medical" / "scores.json"

    @property
    def report(self) -> Path:
        """Folder of the page and its tables."""
        return self.root / "report"

    @property
    def store_uri(self) -> str:
        """The vector store: an object-store URI as it is, a folder relative to the root."""
        uri = self.settings.lancedb.uri
        return uri if "://" in uri else str(self.root / uri)


def _key(text: str) -> str:
    """The text, where it is a key; anything else could lead out of the project."""
    if not is_key(text):
        raise UsageError(f"{text!r}: a key holds only a-z, 0-9 and hyphens")
    return text


def find_project(start: Path | None = None) -> Project:
    """Find the project that holds a folder: the nearest one upwards with a params.yaml.

    Raises:
        UsageError: There is none.
    """
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents):
        if (folder / "params.yaml").is_file():
            return Project(folder, load_settings(folder / "params.yaml"))
    raise UsageError(f"{start}: no params.yaml here or above; run isogloss inside a project")
