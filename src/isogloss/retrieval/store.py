"""Versioned vectors in LanceDB: one tag per dataset version, only what is new is computed.

Written order: staging rows, one conditional merge (in portions where it is large), the full-text
index, the tag. A version without its tag is never read, so a run killed anywhere leaves nothing
half made, and the next one goes on.
"""

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
from lancedb.index import FTS

from isogloss.errors import StoreError
from isogloss.retrieval.freeing import free_untagged, has_untagged
from isogloss.retrieval.merging import Source, delete, merge, portions
from isogloss.retrieval.one_writer import one_writer
from isogloss.retrieval.staging import Embed, stage
from isogloss.retrieval.store_faults import store_faults, way_out
from isogloss.retrieval.stored_blocks import StoredBlocks
from isogloss.retrieval.table_reading import (
    all_rows,
    id_hashes,
    id_places,
    vector_matrix,
)
from isogloss.retrieval.tables import Rows, TableSpec

TEXT_INDEX = FTS(
    base_tokenizer="icu",
    max_token_length=None,
    lower_case=True,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
    # By default the cores of the machine decide how the index is parted.
    num_workers=1,
)
"""Words as ICU's dictionaries part them, in any script; nothing is stemmed, dropped or folded."""

FILE_FORMAT = {"new_table_data_storage_version": "2.0"}
"""Of tables made from now on. Later formats weave a mark into every vector and read a third slower
(0.14 s for 35,102 x 768, this one 0.09 s); tables of any format are read and written on."""


@dataclass(frozen=True)
class Counts:
    """What an update did to the rows of a table.

    Attributes:
        embedded: Texts computed.
        reused: Rows whose text the store held already, or had staged before a kill.
        deleted: Rows that left.
        repeats: Rows that share a text computed now with another row.
    """

    embedded: int
    reused: int
    deleted: int
    repeats: int = 0


@dataclass(frozen=True)
class Stored:
    """One tagged version of a table, in id order.

    Attributes:
        ids: Sorted.
        hashes: Of the texts sent.
        tokens: Lengths in tokens; None where the model has no limit.
        vectors: float32 (n, dimension); None for full-text tables, or where they weren't asked for.
        dimension: Of the vectors, asked for or not; None for full-text tables.
    """

    ids: list[str]
    hashes: list[str]
    tokens: list[int | None]
    vectors: npt.NDArray[np.float32] | None
    dimension: int | None = None


class VectorStore:
    """The tables under one URI: a folder, or an object store for a team.

    Every method raises StoreError for whatever Lance cannot read or write.
    """

    def __init__(self, uri: str, model: str | None = None) -> None:
        """Connect.

        Args:
            uri: A folder, which is made, or the address of an object store.
            model: The key of the model whose tables are used, for what errors advise.
        """
        self._uri = uri
        self._model = model
        self._folder = None if "://" in uri else Path(uri)
        with store_faults(uri):
            if self._folder is not None:
                self._folder.mkdir(parents=True, exist_ok=True)
            self._database: Any = lancedb.connect(uri, storage_options=dict(FILE_FORMAT))

    def faults(self, name: str) -> AbstractContextManager[None]:
        """What every call of Lance on a table stands in: its exceptions become StoreErrors."""
        return store_faults(self._uri, name, self._model)

    def damage(self, name: str, what: str) -> StoreError:
        """The error for a table that can be read, but holds what nobody wrote."""
        advice = way_out(self._uri, name, self._model)
        return StoreError(f"{self._uri}: table {name}: {what}; {advice}")

    def update(self, spec: TableSpec, rows: Rows, embed: Embed, tag: str) -> Counts:
        """Make a table hold exactly some rows and tag that version.

        Args:
            spec: The table.
            rows: What the dataset version holds.
            embed: Computes rows; called only for texts the store has never seen in this table.
            tag: The dataset version.

        Raises:
            StoreError: The table has another shape, or does not hold what was written.
            EncoderError: Vectors are bad; nothing was merged or tagged.
        """
        with self._writing(spec.name):
            table = self._open(spec.name)
            with self.faults(spec.name):
                if table is not None:
                    spec.check(table.schema)
                    if self._holds(table, tag, rows):
                        return Counts(0, len(rows.ids), 0)
                known = {} if table is None else id_hashes(table)
            changed = [at for at, key in enumerate(rows.ids) if known.get(key) != rows.hashes[at]]
            deleted = sorted(known.keys() - set(rows.ids))
            embedded, repeats = self._stage(spec, rows.take(changed), set(known.values()), embed)
            with self.faults(spec.name):
                if changed or deleted or table is None:
                    table = self._merge(spec, table, rows.take(changed), deleted)
                self._verify(spec, table, rows)
                if spec.full_text:
                    _index_text(table)
                _set_tag(table, tag)
            self._drop(f"{spec.name}.staging")
            reused = len(rows.ids) - embedded - repeats
            return Counts(embedded, reused, len(deleted), repeats)

    def read(self, name: str, tag: str, *, vectors: bool = True) -> Stored:
        """Read a tagged version, whole and in id order.

        Args:
            name: The table.
            tag: The dataset version.
            vectors: Whether its vectors are wanted.

        Raises:
            StoreError: Table or tag are missing.
        """
        table = self.at(name, tag)
        with self.faults(name):
            content = all_rows(table, ["id", "hash", "tokens"])
            read: list[str] = content.column("id").to_pylist()
            places = id_places(read)
            ids = sorted(read)
            if ids != read:
                content = content.take(pa.array(np.argsort(places)))
            dense = "vector" in table.schema.names
            return Stored(
                ids=ids,
                hashes=content.column("hash").to_pylist(),
                tokens=content.column("tokens").to_pylist(),
                vectors=vector_matrix(table, places) if vectors and dense else None,
                dimension=table.schema.field("vector").type.list_size if dense else None,
            )

    def blocks(self, name: str, tag: str, block_bytes: int) -> StoredBlocks:
        """A tagged version's vectors, block by block; each pass reads them anew.

        Args:
            name: The table.
            tag: The dataset version.
            block_bytes: Vectors held at a time.

        Raises:
            StoreError: Table or tag are missing.
        """
        table = self.at(name, tag)
        with self.faults(name):
            places = id_places(all_rows(table, ["id"]).column("id").to_pylist())
            return StoredBlocks(table, places, block_bytes)

    def at(self, name: str, tag: str) -> Any:
        """A table as it was at a tag, to be read and never written.

        Raises:
            StoreError: Table or tag are missing.
        """
        table = self._open(name)
        if table is None:
            raise StoreError(f"{self._uri}: no table {name}; run isogloss embed again")
        with self.faults(name):
            if tag not in table.tags.list():
                raise StoreError(
                    f"{self._uri}: table {name} has no tag {tag}; run isogloss embed again"
                )
            table.checkout(tag)
        return table

    def tags(self, name: str) -> dict[str, int]:
        """Dataset versions that a table is tagged with, and Lance's version of each."""
        table = self._open(name)
        if table is None:
            return {}
        with self.faults(name):
            return {tag: int(entry["version"]) for tag, entry in sorted(table.tags.list().items())}

    def names(self) -> list[str]:
        """Every table, staging tables left out."""
        names: list[str] = []
        while True:
            with store_faults(self._uri):
                page = list(self._database.table_names(names[-1] if names else None, 1000))
            names += page
            if not page:
                return [name for name in names if not name.endswith(".staging")]

    def prune(
        self, name: str, named: Collection[str], drop: Collection[str] | None = None
    ) -> list[str]:
        """Drop tags, and free what no other tag holds, also what an earlier end left.

        Args:
            name: The table.
            named: Dataset versions that still exist and must stay readable.
            drop: Tags to drop; None drops every tag not in `named`.

        Returns:
            The tags dropped.

        Raises:
            StoreError: A tag to be dropped is still named, or is none.
        """
        with self._writing(name), self.faults(name):
            tags = self.tags(name)
            doomed = sorted(set(tags) - set(named)) if drop is None else sorted(set(drop))
            for tag in doomed:
                if tag in named:
                    raise StoreError(f"table {name}: dataset version {tag} still names this tag")
                if tag not in tags:
                    raise StoreError(f"table {name}: has no tag {tag}")
            table = self._open(name)
            for tag in doomed:
                table.tags.delete(tag)
            kept = {tag: version for tag, version in tags.items() if tag not in doomed}
            if tags and not kept:
                self._drop(name)
            elif kept and (doomed or has_untagged(table, kept)):
                free_untagged(table, kept)
            return doomed

    def has_remains(self, name: str) -> bool:
        """Whether a table's newest rows are those of no tag: of a dropped or unfinished version."""
        table = self._open(name)
        if table is None:
            return False
        with self.faults(name):
            return table.version not in self.tags(name).values()

    @contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        with ExitStack() as held:
            with self.faults(name):
                held.enter_context(one_writer(self._folder, name))
            yield

    def _open(self, name: str) -> Any:
        with self.faults(name):
            try:
                return self._database.open_table(name)
            except ValueError as error:
                if "not found" in str(error):
                    return None
                raise

    def _drop(self, name: str) -> None:
        with self.faults(name):
            self._database.drop_table(name, ignore_missing=True)

    @staticmethod
    def _holds(table: Any, tag: str, rows: Rows) -> bool:
        if tag not in table.tags.list():
            return False
        table.checkout(tag)
        same = id_hashes(table) == dict(zip(rows.ids, rows.hashes, strict=True))
        table.checkout_latest()
        return same

    def _stage(
        self, spec: TableSpec, changed: Rows, known: set[str], embed: Embed
    ) -> tuple[int, int]:
        """Compute the texts that were never seen; how many, and how many rows repeat one."""
        name = f"{spec.name}.staging"
        staging = self._open(name)
        if staging is not None and staging.schema != spec.staging_schema:
            self._drop(name)
            staging = None
        seen = set(known)
        if staging is not None:
            with self.faults(name):
                seen |= set(all_rows(staging, ["hash"]).column("hash").to_pylist())
        asked = sum(text_hash not in seen for text_hash in changed.hashes)
        pending: list[int] = []
        for at, text_hash in enumerate(changed.hashes):
            if text_hash not in seen:
                seen.add(text_hash)
                pending.append(at)
        if not pending:
            return 0, 0

        def append(batch: pa.Table) -> None:
            nonlocal staging
            with self.faults(name):
                if staging is None:
                    staging = self._database.create_table(name, batch)
                else:
                    staging.add(batch)

        return stage(changed.take(pending), embed, spec, append), asked - len(pending)

    def _merge(self, spec: TableSpec, table: Any, changed: Rows, deleted: list[str]) -> Any:
        source = self._source(spec, table)
        made = table is None
        for portion in portions(changed, spec):
            content = source.of(portion)
            if table is None:
                table = self._database.create_table(spec.name, content)
            elif made:
                # Appended, rows keep the order of their ids, and are read without being sorted.
                table.add(content, on_bad_vectors="error")
            else:
                merge(table, content, deleted)
                deleted = []
        delete(table, deleted)
        return table

    def _source(self, spec: TableSpec, table: Any) -> Source:
        """What was staged, and what the table holds now; no merge changes what this one sees."""
        before = None if table is None else self._open(spec.name)
        if before is not None:
            before.checkout(table.version)
        return Source(spec, self._open(f"{spec.name}.staging"), before)

    def _verify(self, spec: TableSpec, table: Any, rows: Rows) -> None:
        ids = all_rows(table, ["id"]).column("id").to_pylist()
        if len(ids) != len(set(ids)) or len(ids) != len(rows.ids):
            raise StoreError(
                f"table {spec.name}: holds {len(ids)} rows and {len(set(ids))} distinct ids after "
                f"writing {len(rows.ids)}; another writer was at work: run it again"
            )


def _index_text(table: Any) -> None:
    """Build the full-text index anew where rows lie outside it: its scores depend on all rows."""
    for index in table.list_indices():
        if index.columns == ["text"] and index.num_unindexed_rows == 0:
            return
    table.create_index("text", config=TEXT_INDEX, replace=True)


def _set_tag(table: Any, tag: str) -> None:
    table.checkout_latest()
    if tag in table.tags.list():
        table.tags.update(tag, table.version)
    else:
        table.tags.create(tag, table.version)
