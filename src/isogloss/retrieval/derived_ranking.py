"""The ranking of any retriever, from stored vectors and manifests alone; loads no model."""

from collections.abc import Callable

import numpy as np

from isogloss.benchmark import Benchmark
from isogloss.errors import StoreError, VersionMismatchError
from isogloss.progress import note, track
from isogloss.retrieval.approximate_search import Level, ListIndex
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.centring import FloatMatrix, centre
from isogloss.retrieval.declaration import DenseDeclaration, ModelDeclaration
from isogloss.retrieval.derived import (
    Approximate,
    Centred,
    EncoderScorer,
    Fusion,
    QueryTranslation,
    Rerank,
)
from isogloss.retrieval.derived_manifest import AnyManifest, DerivedManifest
from isogloss.retrieval.fusion import best_score_fusion, min_max_fusion, reciprocal_rank_fusion
from isogloss.retrieval.inverted_lists import part
from isogloss.retrieval.manifest import Manifest, rows_digest
from isogloss.retrieval.pair_scores import read_scores
from isogloss.retrieval.query_rows import translated_rows
from isogloss.retrieval.ranking import DEPTH, Ranking
from isogloss.retrieval.reranking import rerank
from isogloss.retrieval.retrieve import HERE, Where, retrieve, stored_sides
from isogloss.retrieval.search import exact_scores, pair_scores, search
from isogloss.retrieval.store import VectorStore

Find = Callable[[str], tuple[ModelDeclaration, AnyManifest]]


class Retrievers:
    """The retrievers of one benchmark by key, each ranked once.

    Every method raises StoreError where the store lacks what a manifest names, and
    VersionMismatchError where a manifest is of another dataset version.
    """

    def __init__(
        self,
        uri: str,
        benchmark: Benchmark,
        find: Find,
        depth: int = DEPTH,
        where: Where = HERE,
    ) -> None:
        """Say where everything is.

        Args:
            uri: The vector store.
            benchmark: What is searched; every manifest must be of its version.
            find: Declaration and manifest of a model, by key.
            depth: How many documents of a query are kept.
            where: Where vectors are searched. Memory and engine hold where a model ranks by its
                own; the others hold them in this process.
        """
        self._uri = uri
        self._benchmark = benchmark
        self._find = find
        self._depth = depth
        self._where = where
        self._ranked: dict[str, Ranking] = {}
        self._levels: dict[str, list[Level]] = {}

    def rank(self, key: str) -> Ranking:
        """The ranking of one retriever; its scores are rounded to nine decimals."""
        if key not in self._ranked:
            declaration, manifest = self._find(key)
            if manifest.dataset_version != self._benchmark.version:
                raise VersionMismatchError(
                    f"{self._benchmark.name}: the manifest of {key} is of dataset version "
                    f"{manifest.dataset_version}, the benchmark is {self._benchmark.version}; run "
                    f"isogloss embed {self._benchmark.name} {key}"
                )
            self._ranked[key] = self._rank(declaration, manifest)
        return self._ranked[key]

    def vectors(self, key: str) -> tuple[FloatMatrix, FloatMatrix]:
        """The stored vectors of a model that makes some: queries, then documents."""
        _, manifest = self._find(key)
        if isinstance(manifest, Manifest):
            store = VectorStore(self._uri, key)
            queries, documents = stored_sides(store, manifest, self._benchmark)
            if queries.vectors is not None and documents.vectors is not None:
                return queries.vectors, documents.vectors
        raise StoreError(f"{key}: has no vectors of its own on {self._benchmark.name}")

    def levels(self, declaration: Approximate) -> list[Level]:
        """What each declared number of probes gives, ascending; the last is what it ranks by.

        Raises:
            SettingsError: The benchmark has fewer documents than lists are declared.
        """
        if declaration.key not in self._levels:
            benchmark = self._benchmark
            declaration.refuse_small_pool(benchmark.name, len(benchmark.documents))
            queries, documents = self.vectors(declaration.model)
            lists = part(documents, declaration.lists, declaration.seed)
            if len(lists.sizes) < declaration.lists:
                note(
                    f"{declaration.key}: {len(lists.sizes)} lists hold all documents, the others "
                    f"of {declaration.lists} would be empty and are left out"
                )
            index = ListIndex(documents, lists)
            self._levels[declaration.key] = [
                index.search(queries, probes, self._depth) for probes in declaration.probes
            ]
        return self._levels[declaration.key]

    def _rank(self, declaration: ModelDeclaration, manifest: AnyManifest) -> Ranking:
        if isinstance(manifest, Manifest):
            return retrieve(self._uri, manifest, self._benchmark, self._depth, self._where)
        if isinstance(declaration, Fusion):
            return self._fused(declaration)
        if isinstance(declaration, Centred):
            return self._centred(declaration)
        if isinstance(declaration, Approximate):
            return self.levels(declaration)[-1].ranking
        if isinstance(declaration, Rerank):
            return self._reranked(declaration)
        if isinstance(declaration, QueryTranslation):
            return self._translated(declaration, manifest)
        raise StoreError(f"{declaration.key}: nothing is known of how it ranks")

    def _fused(self, declaration: Fusion) -> Ranking:
        # However deep a search goes: what is fused are the top 1000 of both.
        rankings = [_cut(self.rank(key)) for key in declaration.models]
        if declaration.method == "rrf":
            return reciprocal_rank_fusion(rankings, declaration.weights, declaration.k, self._depth)
        return min_max_fusion(rankings, declaration.weights, self._depth)

    def _centred(self, declaration: Centred) -> Ranking:
        queries, documents = self.vectors(declaration.model)
        benchmark = self._benchmark
        asked = np.array([query.metadata.language for query in benchmark.queries])
        held = np.array([document.metadata.language for document in benchmark.documents])
        fewest = declaration.fewest
        pool = centre(documents, held, documents, held, fewest)
        if declaration.query_mean == "documents":
            wanted = centre(queries, asked, documents, held, fewest)
        else:
            wanted = centre(queries, asked, queries, asked, fewest)
        for side, centred in (("documents", pool), ("queries", wanted)):
            if centred.without_mean:
                note(
                    f"{declaration.key}: {side} in {', '.join(centred.without_mean)}: fewer than "
                    f"{fewest} texts to take a mean over, so the mean over all languages is used"
                )
            if centred.vanished:
                note(
                    f"{declaration.key}: {len(centred.vanished)} {side} are the mean of their "
                    "language and stay as they are"
                )
        return self._searched(wanted.vectors, pool.vectors)

    def _reranked(self, declaration: Rerank) -> Ranking:
        first = self.rank(declaration.first)
        scorer = declaration.scorer
        if isinstance(scorer, EncoderScorer):
            queries, documents = self.vectors(scorer.model)
            head = first.documents[:, : declaration.top]
            scores = np.full(head.shape, -np.inf)
            rows, columns = np.nonzero(head >= 0)
            scores[rows, columns] = pair_scores(queries, documents, rows, head[rows, columns])
        else:
            store = VectorStore(self._uri, declaration.key)
            scores = read_scores(store, declaration, self._benchmark, first)
        return rerank(first, scores, declaration.top)

    def _translated(self, declaration: QueryTranslation, manifest: DerivedManifest) -> Ranking:
        by_language = manifest.translations or {}
        inner, inner_manifest = self._find(declaration.model)
        if not isinstance(inner_manifest, Manifest) or not by_language:
            raise StoreError(f"{declaration.key}: its manifest holds no translations; embed again")
        if isinstance(inner, DenseDeclaration):
            rankings = self._by_vectors(declaration, inner, manifest)
        else:
            rankings = [
                self._by_words(declaration, inner_manifest, texts, target)
                for target, texts in sorted(by_language.items())
            ]
        if len(rankings) == 1:
            return rankings[0]
        if declaration.combine == "rrf":
            return reciprocal_rank_fusion(rankings, None, declaration.k, self._depth)
        return best_score_fusion(rankings, self._depth)

    def _by_words(
        self,
        declaration: QueryTranslation,
        inner: Manifest,
        texts: dict[str, str],
        target: str,
    ) -> Ranking:
        store = VectorStore(self._uri, inner.model)
        stored_sides(store, inner, self._benchmark)
        wanted = [texts[query.id] for query in self._benchmark.queries]
        label = f"searching {self._benchmark.name} by {declaration.key} ({target})"
        return search_text(
            store,
            inner.documents.table,
            inner.tag,
            wanted,
            self._depth,
            progress=lambda items: track(items, label, len(wanted)),
        )

    def _by_vectors(
        self,
        declaration: QueryTranslation,
        inner: DenseDeclaration,
        manifest: DerivedManifest,
    ) -> list[Ranking]:
        """One ranking a language: the translations' own vectors, and the inner model's others."""
        own, documents = self.vectors(declaration.model)
        rows = translated_rows(inner, self._benchmark, manifest.translations or {})
        translated: FloatMatrix = np.empty((0, own.shape[1]), dtype=np.float32)
        if manifest.queries is not None:
            store = VectorStore(self._uri, declaration.key)
            stored = store.read(manifest.queries.table, manifest.dataset_version)
            digest = rows_digest(stored.ids, stored.hashes)
            if (
                stored.vectors is None
                or stored.ids != rows.ids
                or digest != manifest.queries.digest
            ):
                raise StoreError(
                    f"table {manifest.queries.table}: holds other texts than the manifest says; "
                    f"run isogloss embed {self._benchmark.name} {declaration.key}"
                )
            translated = stored.vectors
        places = {name: at for at, name in enumerate(rows.ids)}
        rankings = []
        for target in sorted(manifest.translations or {}):
            vectors = own.copy()
            for at, query in enumerate(self._benchmark.queries):
                place = places.get(f"{query.id} {target}")
                if place is not None:
                    vectors[at] = translated[place]
            rankings.append(self._searched(vectors, documents))
        return rankings

    def _searched(self, queries: FloatMatrix, documents: FloatMatrix) -> Ranking:
        nearest = self._where.nearest(queries, documents)
        found = search(queries, documents, self._depth, nearest=nearest)
        return Ranking(found.documents, exact_scores(found, queries, documents))


def _cut(ranking: Ranking) -> Ranking:
    return Ranking(ranking.documents[:, :DEPTH], ranking.scores[:, :DEPTH])
