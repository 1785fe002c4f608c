"""Where a project's files lie. Stages take a `Project` and ask it for every path."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import UsageError
from isogloss.faults import known_names
from isogloss.settings import SEEDED, Settings, checked_key, is_key, load_settings

# Names of files hold 255 bytes.
LONGEST_NAME = 200
DIGITS = 16


@dataclass(frozen=True)
class Project:
    """The root of one clone and its settings."""

    root: Path
    settings: Settings

    def raw(self, source: str) -> Path:
        """Folder of a source's raw files."""
        return self.root / "data" / "patents" / checked_key(source)

    def corpus(self, source: str) -> Path:
        """Parquet file of a source's corpus; its report lies beside it with the suffix .json.

        SOURCE.seeded names the one that holds documents translated by machine as well.
        """
        return self.root / "corpora" / f"{_corpus_key(source)}.parquet"

    def unfinished(self, source: str) -> Path:
        """Folder of what was read of a source, until its corpus is written."""
        return self.root / "corpora" / ".unfinished" / checked_key(source)

    def seed_audit(self, source: str) -> Path:
        """What people may audit of a source's machine translations."""
        return self.root / "corpora" / f"{checked_key(source)}.seed-audit.parquet"

    def corpus_figures(self, source: str) -> Path:
        """Folder of the figures of a source's corpus."""
        return self.root / "corpora" / "figures" / checked_key(source)

    def benchmark(self, name: str) -> Path:
        """Folder of a benchmark in BEIR layout."""
        return self.root / "benchmark" / checked_key(name)

    def held_benchmark(self, name: str) -> Path:
        """Folder of a benchmark that is there.

        Raises:
            UsageError: It is not: with how to make it, or the nearest name.
        """
        folder = self.benchmark(name)
        if folder.is_dir():
            return folder
        if name in self.settings.made:
            raise UsageError(
                f"{folder}: no such benchmark yet; make it first (isogloss queries {name})"
            )
        raise UsageError(f"{folder}: no such benchmark{known_names(name, self.benchmarks)}")

    @property
    def benchmarks(self) -> list[str]:
        """Keys of benchmarks, those that lie here and those that can be made."""
        place = self.root / "benchmark"
        held = [path.name for path in place.iterdir() if path.is_dir()] if place.is_dir() else []
        return sorted({*filter(is_key, held), *self.settings.made})

    @property
    def models(self) -> list[str]:
        """Keys of declared models."""
        return sorted(path.stem for path in (self.root / "models").glob("*.yaml"))

    def written(self, name: str) -> Path:
        """Folder of what chat models made for a benchmark: plan, candidates, verified ones."""
        return self.root / "benchmark-work" / checked_key(name)

    def recording(self, name: str, stage: str) -> Path:
        """Recorded responses of one stage instance."""
        # Either may be several keys with dots between them.
        parts = [checked_key(part) for part in f"{name}.{stage}".split(".")]
        return self.root / "recordings" / f"{'.'.join(parts)}.jsonl"

    def model(self, key: str) -> Path:
        """Declaration of a model."""
        return self.root / "models" / f"{checked_key(key)}.yaml"

    def manifest(self, benchmark: str, model: str) -> Path:
        """What an embed stage made: the tag, versions and digests of its vectors."""
        return self.root / "embeddings" / checked_key(benchmark) / f"{checked_key(model)}.json"

    def results(self, benchmark: str, model: str) -> Path:
        """Folder of one evaluation's results."""
        return self.evaluated(benchmark) / checked_key(model)

    def evaluated(self, benchmark: str) -> Path:
        """Folder of all results on a benchmark, one a model."""
        return self.root / "results" / "retrieval" / checked_key(benchmark)

    @property
    def medical(self) -> Path:
        """Folder of everything made for the medical evaluation but its results."""
        return self.root / "medical"

    def translations(self, language: str) -> Path:
        """Machine translations into a language; their report lies beside them as .json."""
        return self.medical / "translations" / f"{checked_key(language)}.jsonl"

    def reviewed(self, language: str) -> Path:
        """Reviewed items of a language; the statistics of its review lie beside them as .json."""
        return self.medical / "reviewed" / f"{checked_key(language)}.jsonl"

    def reviews(self, language: str) -> Path:
        """Both reviewers' scores and texts."""
        return self.medical / "reviews" / f"{checked_key(language)}.jsonl"

    def answers(self, model: str, arm: str) -> Path:
        """A model's replies in one arm, every language."""
        return self.medical / "answers" / f"{checked_key(model)}.{checked_key(arm)}.jsonl"

    def refusals(self, model: str, arm: str) -> Path:
        """Which of these replies decline."""
        return self.medical / "refusals" / f"{checked_key(model)}.{checked_key(arm)}.jsonl"

    def verdicts(self, model: str, arm: str) -> Path:
        """The judge's raw texts on the open-ended ones."""
        return self.medical / "verdicts" / f"{checked_key(model)}.{checked_key(arm)}.jsonl"

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
        name = "--".join("+".join(map(checked_key, keys)) for keys in (benchmarks, models))
        if len(name) > LONGEST_NAME:
            digest = hashlib.sha256(name.encode()).hexdigest()
            name = f"{name[: LONGEST_NAME - DIGITS - 1]}-{digest[:DIGITS]}"
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


def _corpus_key(source: str) -> str:
    return checked_key(source.removesuffix(SEEDED)) + SEEDED * source.endswith(SEEDED)


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
