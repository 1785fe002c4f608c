"""Retrievers made of others' rankings or vectors; each is declared, hashed and evaluated alike."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from isogloss.errors import SettingsError
from isogloss.languages import normalise_language
from isogloss.retrieval.declared import CommitHash, DType, ModelDeclaration
from isogloss.settings import LARGEST_SEED, Key, Section

RRF_K = 60
"""The constant of reciprocal rank fusion as its authors set it (Cormack et al., 2009)."""

LARGEST_K = 10_000
"""Beyond it 1 / (k + rank) of neighbours differs by less than the nine decimals of a run file."""

K = Annotated[int, Field(ge=0, le=LARGEST_K)]
Weight = Annotated[float, Field(ge=1e-3, le=1e3, allow_inf_nan=False)]
"""A model that weighs less than a thousandth of another does not take part."""
DOCUMENT_LANGUAGES = "documents"

MOST_PROBES = 8
"""So many levels of one approximate search are told beside one another."""


class DerivedDeclaration(ModelDeclaration):
    """A retriever without vectors of its own: it uses what other declared models make.

    Attributes:
        kind: What is done with them.
        made_of: Filled in on reading: the releases of the parts and the hash of a prompt, so that
            the release changes when one of them does.
    """

    kind: str
    made_of: dict[str, str] = Field(default_factory=dict)

    @property
    def dense(self) -> bool:
        """Whether the model makes vectors: none of its own."""
        return False

    @property
    def parts(self) -> tuple[str, ...]:
        """Keys of the models it is made of, each once, in order."""
        raise NotImplementedError

    @property
    def needs_vectors(self) -> tuple[str, ...]:
        """The parts that must make vectors of their own."""
        return ()

    @property
    def needs_texts(self) -> tuple[str, ...]:
        """The parts that must take texts themselves."""
        return ()

    def complete(self, releases: Mapping[str, str]) -> Self:
        """The same declaration with the releases of its parts."""
        return self.model_copy(update={"made_of": dict(sorted(releases.items()))})


class Fusion(DerivedDeclaration):
    """Two rankings joined: by reciprocal ranks, or by weighted scores brought to one scale.

    Attributes:
        models: The two models.
        method: `rrf` adds weight / (k + rank); `min-max` adds weight times the score, rescaled per
            query and list to 0..1.
        k: Of `rrf` only, at most `LARGEST_K`.
        weights: One a model, from a thousandth to a thousand.
    """

    kind: Literal["fusion"]
    models: list[Key] = Field(min_length=2, max_length=2)
    method: Literal["rrf", "min-max"]
    k: K = RRF_K
    weights: list[Weight] = Field(default=[1.0, 1.0], min_length=2, max_length=2)

    @field_validator("models")
    @classmethod
    def _different(cls, models: list[str]) -> list[str]:
        if models[0] == models[1]:
            raise ValueError(f"{models[0]} is named twice")
        return models

    @model_validator(mode="after")
    def _k_of_ranks_only(self) -> Self:
        if self.method != "rrf" and "k" in self.model_fields_set:
            raise ValueError(f"k: unknown key; method {self.method} has none")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """Both models."""
        return tuple(self.models)


class QueryTranslation(DerivedDeclaration):
    """Queries translated by a chat model before an inner model searches with them.

    Attributes:
        model: The inner model: an encoder or full-text search.
        into: The word `documents` for every language of the pool, or a list of languages; one
            alone is a pivot. A query that is in a wanted language already stays as it is.
        translator: Name of the chat model, as recordings and `chat.translator` know it.
        combine: How the rankings of a query's translations are joined: the document's best score,
            or `rrf`.
        k: Of `rrf` only.
    """

    kind: Literal["query-translation"]
    model: Key
    into: Literal["documents"] | list[str]
    translator: str = Field(min_length=1)
    combine: Literal["max", "rrf"] = "max"
    k: K = RRF_K

    @field_validator("into")
    @classmethod
    def _known_languages(cls, into: str | list[str]) -> str | list[str]:
        if isinstance(into, str):
            return into
        if not into or len(set(into)) != len(into):
            raise ValueError("names no language, or one of them twice")
        for code in into:
            if normalise_language(code) != code:
                raise ValueError(f"{code!r} is no ISO 639-1 code")
        return into

    @model_validator(mode="after")
    def _k_of_ranks_only(self) -> Self:
        if self.combine != "rrf" and "k" in self.model_fields_set:
            raise ValueError(f"k: unknown key; combine {self.combine} has none")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """The inner model."""
        return (self.model,)

    @property
    def needs_texts(self) -> tuple[str, ...]:
        """The inner model: it gets the translations."""
        return (self.model,)

    def complete(self, releases: Mapping[str, str]) -> Self:
        """With the hash of the prompt, too."""
        from isogloss.retrieval.query_translation import prompt_hash

        return super().complete({**releases, "prompt": prompt_hash()})


class CrossEncoderScorer(Section):
    """A model that reads query and document together and gives one score.

    Attributes:
        name: On the hub, or a local folder.
        revision: Null = not known here: must be pinned before the model is enabled.
        max_length: Tokens of query and document together; beyond it the text is cut.
    """

    kind: Literal["cross-encoder"]
    name: str = Field(min_length=1)
    revision: CommitHash | None
    max_length: int = Field(ge=8)
    dtype: DType = "float32"
    trust_remote_code: bool = False
    code_revision: CommitHash | None = None


class EncoderScorer(Section):
    """A declared encoder as the second stage: cosines of its stored vectors (a bi-encoder)."""

    kind: Literal["encoder"]
    model: Key


class Rerank(DerivedDeclaration):
    """The top of a first stage, ordered anew by a second one; what lies deeper keeps its order.

    Attributes:
        first: The model whose ranking is re-ranked.
        top: How many documents of a query are scored anew: the K of the ceiling RRC@K.
        scorer: The second stage.
    """

    kind: Literal["rerank"]
    first: Key
    top: int = Field(ge=2, le=1000)
    scorer: Annotated[CrossEncoderScorer | EncoderScorer, Field(discriminator="kind")]

    @model_validator(mode="after")
    def _two_stages(self) -> Self:
        if isinstance(self.scorer, EncoderScorer) and self.scorer.model == self.first:
            raise ValueError(f"scorer.model: {self.first} is the first stage already")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """The first stage, and an encoder that scores."""
        scorer = self.scorer
        return (self.first, scorer.model) if isinstance(scorer, EncoderScorer) else (self.first,)

    @property
    def needs_vectors(self) -> tuple[str, ...]:
        """An encoder that scores."""
        return self.parts[1:]


class Centred(DerivedDeclaration):
    """An encoder's vectors less the mean of their language, brought back to length 1.

    Attributes:
        model: The encoder, whose stored vectors are used.
        query_mean: What is taken off a query: the mean of the pool's documents in its language,
            which is known before any query is, or that of the benchmark's own queries in it.
        fewest: A language with fewer texts has no mean of its own; the mean over all languages
            takes its place.
    """

    kind: Literal["centred"]
    model: Key
    query_mean: Literal["documents", "queries"] = "documents"
    fewest: int = Field(default=2, ge=2)

    @property
    def parts(self) -> tuple[str, ...]:
        """The encoder."""
        return (self.model,)

    @property
    def needs_vectors(self) -> tuple[str, ...]:
        """The encoder."""
        return (self.model,)


class Approximate(DerivedDeclaration):
    """An encoder's vectors in lists, of which a search looks through the nearest only (IVF).

    It is never what an encoder is measured by: the exact ranking is, and this one's loss against it
    is measured with every evaluation.

    Attributes:
        model: The encoder, whose stored vectors are used.
        lists: Into how many the documents are parted.
        probes: How many of them a query looks through: one number, or several that ascend. The
            ranking is that of the last; what is found of the exact one is told of each.
        seed: Of the parting.
    """

    kind: Literal["approximate"]
    model: Key
    lists: int = Field(ge=1)
    probes: list[Annotated[int, Field(ge=1)]] = Field(min_length=1, max_length=MOST_PROBES)
    seed: int = Field(default=13, ge=0, le=LARGEST_SEED)

    @field_validator("probes", mode="before")
    @classmethod
    def _one_or_several(cls, probes: object) -> object:
        return [probes] if isinstance(probes, int) and not isinstance(probes, bool) else probes

    @model_validator(mode="after")
    def _probes_fit(self) -> Self:
        if any(low >= high for low, high in pairwise(self.probes)):
            raise ValueError(f"probes: must ascend, are {self.probes}")
        if self.probes[-1] > self.lists:
            raise ValueError(
                f"probes: {self.probes[-1]} is more than there are lists, {self.lists}"
            )
        return self

    def refuse_small_pool(self, benchmark: str, documents: int) -> None:
        """Say that a pool cannot be parted so.

        Raises:
            SettingsError: It has fewer documents than lists are declared.
        """
        if self.lists > documents:
            raise SettingsError(
                f"models/{self.key}.yaml: lists: {self.lists} is more than the {documents} "
                f"documents of {benchmark}; declare at most {documents}"
            )

    @property
    def parts(self) -> tuple[str, ...]:
        """The encoder."""
        return (self.model,)

    @property
    def needs_vectors(self) -> tuple[str, ...]:
        """The encoder."""
        return (self.model,)
