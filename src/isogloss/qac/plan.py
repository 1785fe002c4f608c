"""Which queries are to be written: for which family, in which language, setup and mode."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from heapq import heapify, heappop, heappush
from itertools import product

from isogloss.errors import DataError
from isogloss.qac.seeded import draw
from isogloss.qac.versions import Family
from isogloss.settings import Mode, Setup
from isogloss.spreadsheet import people_csv


@dataclass(frozen=True)
class PlannedQuery:
    """One query to be written.

    Attributes:
        id: Family, language and mode, which no two planned queries share.
        language: The language it is asked in.
        document: The version that is shown to the models: that in the query's language where
            there is one, else a drawn one (**our reading**).
    """

    id: str
    language: str
    mode: str
    setup: str
    family: str
    document: str
    document_language: str


def plan_queries(
    families: Iterable[Family],
    *,
    queries: int,
    setups: Sequence[Setup],
    modes: Sequence[Mode],
    languages: Sequence[str],
    seed: int,
) -> list[PlannedQuery]:
    """Plan queries, balanced over setups, modes and, within each, languages (ChemCLIR section 2).

    Setups and modes take turns. Each turn takes the language used least so far that a family can
    still give, and of the families that can give it the one used least; ties are drawn by hash, so
    neither the order of rows nor that of the settings decides anything.

    Setups (**our reading** of their names): `random-existing` asks in a language that the family
    has, `random-missing` in one that it lacks, `all` in any.

    Args:
        families: Families with text; those without a version are passed over.
        queries: How many, over everything.
        setups: Which setups.
        modes: Which modes.
        languages: Languages that may be asked in.
        seed: Another seed, another plan.

    Returns:
        The plan, sorted by id.

    Raises:
        DataError: The corpus cannot give so many; what it can give is named.
    """
    usable = {family.id: family for family in families if family.versions}
    turns = [(setup, mode) for mode, setup in product(sorted(modes), sorted(setups))]
    # `all` comes last: it can do with what the others leave, and they not with what it leaves.
    wanted = sorted(
        (turns[number % len(turns)] for number in range(queries)), key=lambda turn: turn[0] == "all"
    )
    choice = _Choice(usable, sorted(languages), seed)
    planned: list[PlannedQuery] = []
    for setup, mode in wanted:
        found = choice.take(setup, mode)
        if found is None:
            raise DataError(
                f"the corpus gives {len(planned)} of {queries} queries: no family is left for "
                f"setup {setup}, mode {mode}; ask for fewer queries or leave the setup out"
            )
        planned.append(_planned(usable[found[0]], found[1], mode, setup, seed))
    return sorted(planned, key=lambda one: one.id)


class _Choice:
    """Hands out (family, language) pairs, each once a mode."""

    def __init__(self, families: dict[str, Family], languages: list[str], seed: int) -> None:
        self._families = families
        self._languages = languages
        self._seed = seed
        self._used: Counter[str] = Counter()
        self._asked: Counter[tuple[str, ...]] = Counter()
        self._taken: set[tuple[str, str, str]] = set()
        # Families by setup, mode and language: (uses when put there, draw, id).
        self._heaps: dict[tuple[str, str, str], list[tuple[int, int, str]]] = {}

    def take(self, setup: str, mode: str) -> tuple[str, str] | None:
        def rank(language: str) -> tuple[int, int, int]:
            return (
                self._asked[setup, mode, language],
                self._asked[language,],
                draw(self._seed, "language", setup, mode, language),
            )

        for language in sorted(self._languages, key=rank):
            family = self._pop(setup, mode, language)
            if family is not None:
                self._used[family] += 1
                self._asked[setup, mode, language] += 1
                self._asked[language,] += 1
                self._taken.add((family, language, mode))
                return family, language
        return None

    def _pop(self, setup: str, mode: str, language: str) -> str | None:
        """The family used least; entries whose count is out of date go back with the new one."""
        heap = self._heaps.get((setup, mode, language))
        if heap is None:
            heap = [
                (self._used[name], draw(self._seed, "family", language, mode, name), name)
                for name, family in self._families.items()
                if _fits(setup, language, family)
            ]
            heapify(heap)
            self._heaps[setup, mode, language] = heap
        while heap:
            uses, order, name = heappop(heap)
            if (name, language, mode) in self._taken:
                continue
            if uses == self._used[name]:
                return name
            heappush(heap, (self._used[name], order, name))
        return None


def _fits(setup: str, language: str, family: Family) -> bool:
    return setup == "all" or (language in family.languages) == (setup == "random-existing")


def _planned(family: Family, language: str, mode: str, setup: str, seed: int) -> PlannedQuery:
    version = family.version(language)
    if version is None:
        place = draw(seed, "document", family.id, language, mode) % len(family.versions)
        version = family.versions[place]
    return PlannedQuery(
        id=f"{family.id}:{language}:{mode}",
        language=language,
        mode=mode,
        setup=setup,
        family=family.id,
        document=version.id,
        document_language=version.language,
    )


def plan_table(plan: Iterable[PlannedQuery]) -> str:
    """The plan as CSV, one planned query a line."""
    names = [field.name for field in fields(PlannedQuery)]
    return people_csv([names, *([getattr(one, name) for name in names] for one in plan)])


def plan_lines(plan: Sequence[PlannedQuery]) -> Iterator[str]:
    """The plan in a few lines: how many queries by setup, mode and language."""
    for key in ("setup", "mode", "language", "document_language"):
        counts = Counter(str(getattr(one, key)) for one in plan)
        said = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        yield f"{key.replace('_', ' ')}: {said}"
