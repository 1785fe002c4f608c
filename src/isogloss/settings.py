"""params.yaml becomes frozen, typed settings; an unknown key or bad value is named."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from isogloss.chat_settings import ChatSettings
from isogloss.device_names import ACCEPTED, is_device
from isogloss.engine import ENGINES, LOCAL_NAME, is_engine
from isogloss.errors import SettingsError
from isogloss.faults import fault_text
from isogloss.files import one_line
from isogloss.languages import normalise_language
from isogloss.medical_settings import MedicalSettings
from isogloss.section import KEY_PATTERN as KEY_PATTERN
from isogloss.section import Key as Key
from isogloss.section import Section as Section
from isogloss.section import checked_key as checked_key
from isogloss.section import is_below
from isogloss.section import is_key as is_key

Mode = Literal["technical", "general"]
Setup = Literal["random-existing", "random-missing", "all"]
# How the corpus of a source is named that holds documents translated by machine as well.
SEEDED = ".seeded"
# Larger ones say no more, and their digits could not be written again.
LARGEST_SEED = 2**63 - 1
Seed = Annotated[int, Field(ge=-LARGEST_SEED, le=LARGEST_SEED)]


class DerivedRun(Section):
    """One retriever made of others, on one benchmark.

    DVC reads the parts here, because it knows no declaration: each names a manifest to wait for.
    """

    benchmark: Key
    model: Key
    parts: list[Key] = Field(min_length=1, max_length=2)


class RunSettings(Section):
    """Which benchmarks meet which models in `dvc repro`, by key.

    Attributes:
        benchmarks: Each meets each of the models.
        models: Those that read texts themselves.
        derived: Retrievers made of others, each on the benchmarks where it is wanted, under the
            name BENCHMARK--MODEL.
    """

    benchmarks: list[Key] = Field(default_factory=list)
    models: list[Key] = Field(default_factory=list)
    derived: dict[Key, DerivedRun] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _derived_fit(self) -> "RunSettings":
        for section in ("benchmarks", "models"):
            names = getattr(self, section)
            twice = [name for name, count in Counter(names).items() if count > 1]
            if twice:
                raise ValueError(f"{section}: {twice[0]} is named twice")
        for name, one in self.derived.items():
            if name != f"{one.benchmark}--{one.model}":
                raise ValueError(f"derived.{name}: must be called {one.benchmark}--{one.model}")
            if one.benchmark not in self.benchmarks:
                raise ValueError(f"derived.{name}: {one.benchmark} is not under run.benchmarks")
            for part in one.parts:
                if part not in self.models and f"{one.benchmark}--{part}" not in self.derived:
                    raise ValueError(
                        f"derived.{name}: part {part} is neither under run.models "
                        f"({', '.join(self.models)}) nor derived here"
                    )
        return self

    def models_on(self, benchmark: str) -> list[str]:
        """Every model that a benchmark meets, derived ones last."""
        derived = [one.model for one in self.derived.values() if one.benchmark == benchmark]
        return [*self.models, *derived]


class SelectionSettings(Section):
    """Which publications of a source stay (DESIGN of the corpus: rules in this order)."""

    chemistry: bool = True
    surechembl: str | None = None
    minimum_words: int = Field(default=0, ge=0)
    minimum_languages: int = Field(default=2, ge=1)
    limit: int | None = Field(default=None, ge=1)

    @field_validator("surechembl")
    @classmethod
    def _lies_below(cls, path: str | None) -> str | None:
        if path is not None and not is_below(path):
            raise ValueError("must lie below the project's folder")
        return path


class SourceSettings(Section):
    """One body of raw documents."""

    format: Literal["google-patents", "epo", "parallel"]
    languages: list[str] = Field(min_length=1)
    origin: Key = "published"
    selection: SelectionSettings = SelectionSettings()
    # Parallel sources: consecutive segments of one document that make a passage.
    passage_segments: int = Field(default=4, ge=1)
    # Parallel sources: documents (the part of the segment id before the colon) left out.
    exclude: list[str] = Field(default_factory=list)
    # What a ZIP may unpack to, against archives that are small only on disk.
    max_unpacked_mb: int = Field(default=4096, ge=1)

    @model_validator(mode="after")
    def _languages_are_known(self) -> "SourceSettings":
        for code in self.languages:
            if normalise_language(code) != code:
                raise ValueError(f"languages: {code!r} is no ISO 639-1 code")
        if len(set(self.languages)) != len(self.languages):
            raise ValueError("languages: one is named twice")
        return self


class BenchmarkSettings(Section):
    """One benchmark made from a source by a query maker."""

    source: Key
    maker: Literal["title", "cloze"]
    seed: Seed = 13


class SeedTranslationSettings(Section):
    """How many documents of a source a chat model translates, and which (by seed)."""

    # Written in it, beside what is published in it.
    language: str = "zh"
    documents: int = Field(ge=1)
    seed: Seed = 13


class LlmBenchmarkSettings(Section):
    """One benchmark whose queries chat models write and verify.

    Apart from `benchmarks`, since its stages are others: a DVC stage over a mapping cannot tell
    the makers apart.
    """

    source: Key
    # A file of corpora: SOURCE, or SOURCE.seeded with its machine translations. Named and not
    # worked out, since dvc.yaml must name it too.
    corpus: str
    maker: Literal["llm"] = "llm"
    seed: Seed = 13
    # Queries about publications of chemistry only; the others stay in the pool.
    chemistry: bool = False
    # Planned queries, over all setups and modes.
    queries: int = Field(ge=1)
    modes: list[Mode] = Field(default=["technical", "general"], min_length=1)
    setups: list[Setup] = Field(default=["random-existing"], min_length=1)
    # Languages that queries are asked in; the source's where none are given.
    languages: list[str] | None = Field(default=None, min_length=1)

    @property
    def seeded(self) -> bool:
        """Whether documents translated by machine stand in its corpus."""
        return self.corpus == f"{self.source}{SEEDED}"

    @model_validator(mode="after")
    def _each_once(self) -> "LlmBenchmarkSettings":
        if not self.seeded and self.corpus != self.source:
            raise ValueError(f"corpus: must be {self.source} or {self.source}{SEEDED}")
        for name in ("modes", "setups", "languages"):
            values = getattr(self, name) or []
            if len(set(values)) != len(values):
                raise ValueError(f"{name}: one is named twice")
        for code in self.languages or []:
            if normalise_language(code) != code:
                raise ValueError(f"languages: {code!r} is no ISO 639-1 code")
        return self


class StoreSettings(Section):
    """Where vectors live: a folder, or an object-store URI for a team."""

    uri: str = "lancedb"


TRACKING_SCHEMES = (
    *("sqlite", "postgresql", "mysql", "mssql", "http", "https", "file"),
    *("databricks", "databricks-uc", "uc"),
)


class TrackingSettings(Section):
    """The MLflow tracking store; MLFLOW_TRACKING_URI in the environment wins."""

    uri: str = "sqlite:///mlflow.db"

    @field_validator("uri")
    @classmethod
    def _has_a_scheme_of_mlflow(cls, uri: str) -> str:
        scheme, found, _ = uri.partition("://")
        if found and scheme.partition("+")[0] not in TRACKING_SCHEMES:
            known = ", ".join(TRACKING_SCHEMES)
            raise ValueError(f"{scheme[:40]}:// is none of MLflow's schemes ({known})")
        return uri


def _device(name: str) -> str:
    if not is_device(name):
        raise ValueError(f"no such device: {name[:40]!r}; accepted are {ACCEPTED}")
    return name


Device = Annotated[str, AfterValidator(_device)]


class EmbeddingSettings(Section):
    """How texts are sent through an encoder; none of it changes a vector beyond float noise."""

    batch_size: int = Field(default=32, ge=1)
    # A name, or auto: an accelerator where there is one.
    device: Device = "auto"


class SearchSettings(Section):
    """How much of a pool is held at a time, and where it is searched; no ranking depends on it."""

    # MiB of document vectors; larger tables pass by in blocks, slower and in bounded memory.
    memory_mb: int = Field(default=1024, ge=1)
    # A name, or auto: an accelerator where there is one and enough to do for it.
    device: Device = "auto"


class EvaluationSettings(Section):
    """Depth, resampling and seeds of an evaluation; part of a run's fingerprint."""

    depth: int = Field(default=1000, ge=1000, le=1000)
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    resamples: int = Field(default=10_000, ge=100, le=1_000_000)
    depth_resamples: int = Field(default=2_000, ge=100, le=1_000_000)
    permutations: int = Field(default=10_000, ge=100, le=10_000_000)
    gate: float = Field(default=0.10, ge=0, le=1)
    seed: int = Field(default=20260101, ge=0, le=LARGEST_SEED)


class ReleaseSettings(Section):
    """When `isogloss releases --gate` fails, and how deep neighbours are compared."""

    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    # A significant loss of at most so much recall is let through.
    margin: float = Field(default=0.0, ge=0, le=1)
    # Weight of the next rank against the one before it in rank-biased overlap.
    persistence: float = Field(default=0.9, gt=0, lt=1)


class PlanSettings(Section):
    """The reading budget that the report shows; `isogloss plan` takes any other."""

    # Wanted shares of queries with foreign gold in a re-ranker's hands.
    coverages: list[Annotated[float, Field(gt=0, le=1)]] = Field(
        default=[0.5, 0.7, 0.8, 0.9, 0.95], min_length=1
    )
    # What a re-ranker costs and how long it takes per document; null = not known, so not shown.
    price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class Settings(Section):
    """The whole of params.yaml."""

    run: RunSettings
    # Where work is done (docs/engines.md); no result depends on it.
    engine: str = LOCAL_NAME
    sources: dict[Key, SourceSettings] = Field(default_factory=dict)
    seed_translations: dict[Key, SeedTranslationSettings] = Field(default_factory=dict)
    benchmarks: dict[Key, BenchmarkSettings] = Field(default_factory=dict)
    llm_benchmarks: dict[Key, LlmBenchmarkSettings] = Field(default_factory=dict)
    pools: dict[Key, list[Key]] = Field(default_factory=dict)
    lancedb: StoreSettings = StoreSettings()
    tracking: TrackingSettings = TrackingSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    search: SearchSettings = SearchSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    chat: ChatSettings = ChatSettings()
    releases: ReleaseSettings = ReleaseSettings()
    medical: MedicalSettings | None = None
    plan: PlanSettings = PlanSettings()

    @field_validator("engine")
    @classmethod
    def _is_engine(cls, name: str) -> str:
        if not is_engine(name):
            raise ValueError(f"must be {ENGINES}, is {name[:40]!r}")
        return name

    @property
    def made(self) -> dict[str, BenchmarkSettings | LlmBenchmarkSettings]:
        """Every benchmark that is made here, by whichever maker."""
        return {**self.benchmarks, **self.llm_benchmarks}

    @model_validator(mode="after")
    def _names_resolve(self) -> "Settings":
        for section in ("benchmarks", "llm_benchmarks"):
            for key, benchmark in getattr(self, section).items():
                if benchmark.source not in self.sources:
                    raise ValueError(f"{section}.{key}.source: no source {benchmark.source!r}")
        for key in self.seed_translations:
            if key not in self.sources:
                raise ValueError(f"seed_translations.{key}: no source {key!r}")
        for key, wanted in self.llm_benchmarks.items():
            if wanted.seeded and wanted.source not in self.seed_translations:
                raise ValueError(
                    f"llm_benchmarks.{key}.corpus: seed_translations has no {wanted.source!r}"
                )
        for key in self.benchmarks.keys() & self.llm_benchmarks.keys():
            raise ValueError(f"llm_benchmarks.{key}: benchmarks has one of that name")
        return self


def read_yaml(path: Path) -> Any:
    """Read YAML 1.2, in which a bare ``no`` is the string 'no' and not false.

    Raises:
        SettingsError: The file is missing, no YAML, nested beyond all reading, or holds a number
            that is none; a syntax error names its line.
    """
    if not path.is_file():
        raise SettingsError(f"{path}: no such file")
    try:
        return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8-sig"))
    except RecursionError as error:
        raise SettingsError(f"{path}: is nested too deeply to be read") from error
    # ValueError: bytes that are no UTF-8, numbers of thousands of digits, dates that are none.
    except (YAMLError, ValueError) as error:
        raise SettingsError(f"{path}: {one_line(error)}") from error


Model = TypeVar("Model", bound=BaseModel)
LONGEST_PART = 80


def parse(model: type[Model], value: Any, where: str) -> Model:
    """Validate a plain value against a model; all faults come in one line, each with its key.

    Raises:
        SettingsError: With every fault.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = []
        for fault in error.errors(include_url=False):
            key = ".".join(_part(part) for part in fault["loc"] if part != "[key]")
            message = fault_text(model, fault)
            faults.append(f"{key}: {message}" if key else message)
        raise SettingsError(f"{where}: {'; '.join(faults)}") from error


def _part(part: int | str) -> str:
    """One step of a place as it stands in a message, which is one line and short."""
    text = str(part)
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= LONGEST_PART else f"{text[:LONGEST_PART]}..."


def load_settings(path: Path) -> Settings:
    """Read and validate params.yaml.

    Raises:
        SettingsError: Unknown keys, bad values, or names that do not resolve; each is named.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise SettingsError(f"{path}: must hold keys at its top level")
    return parse(Settings, content, str(path))
