"""Returned sheets of both stages become two score sets and one final text for each item."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from isogloss.review.cell_text import same_text
from isogloss.review.consistency import inconsistencies, is_unrevised, questions
from isogloss.review.design import KEY, Workbook, split_key
from isogloss.review.gathering import Gathered, gather
from isogloss.review.people import same_person
from isogloss.review.raw_sheet import RawReturn
from isogloss.review.returns import Return, check_return
from isogloss.review.row_rules import Entries, Fault, in_row_order
from isogloss.review.translation_items import DIMENSIONS, Labels, Review, TranslatedItem
from isogloss.review.translation_sheets import first_workbook, parse_code, second_workbook


@dataclass(frozen=True)
class Question:
    """Something a person should look at again; the row counts nevertheless."""

    id: str
    stage: int
    reviewer: str
    rule: str
    message: str


@dataclass
class SheetState:
    """How far one returned file is: the assigned ids, each in one of four lists."""

    name: str
    stage: int
    reviewer: str
    read: list[str]
    refused: list[str]
    untouched: list[str]
    absent: list[str]


@dataclass
class Merged:
    """Everything that came back for one language.

    Attributes:
        items: By id, sorted.
        first: Reviewer 1's review by item id.
        second: Reviewer 2's; only for items that have a first one.
        faults: Every broken rule.
        questions: Figures to look at again, low scores without a correction.
        sheets: One state a returned file.
    """

    items: dict[str, TranslatedItem]
    first: dict[str, Review] = field(default_factory=dict)
    second: dict[str, Review] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    sheets: list[SheetState] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """How many rows were left out."""
        return sum(len(sheet.refused) for sheet in self.sheets)


def merge(
    language: str, items: Iterable[TranslatedItem], returned: Sequence[RawReturn], labels: Labels
) -> Merged:
    """Merge all returned sheets of a language. Partial returns are fine: what lacks is listed.

    Args:
        language: ISO 639-1; sheets of other languages are faults.
        items: Every item under review.
        returned: The files as read.
        labels: Reads the options of an input.

    Returns:
        Reviews of rows that kept every rule, and the account of all others.
    """
    merged = Merged({item.id: item for item in sorted(items, key=lambda item: item.id)})
    by_stage: dict[int, list[tuple[str, RawReturn]]] = {1: [], 2: []}
    for raw in returned:
        parts = parse_code(raw.code)
        if parts is None or parts[0] != language:
            message = f"is the sheet {raw.code!r}, not one of language {language!r}; left out"
            merged.faults.append(Fault(raw.name, None, message))
        else:
            by_stage[parts[1]].append((parts[2], raw))
    for stage, reviews in ((1, merged.first), (2, merged.second)):
        _merge_stage(language, stage, by_stage[stage], labels, merged, reviews)
    merged.faults = in_row_order(merged.faults)
    return merged


def _merge_stage(
    language: str,
    stage: int,
    files: Sequence[tuple[str, RawReturn]],
    labels: Labels,
    merged: Merged,
    reviews: dict[str, Review],
) -> None:
    returns: list[tuple[str, Return]] = []
    for reviewer, raw in files:
        result = _checked(language, stage, reviewer, raw, merged)
        returns.append((reviewer, result))
        merged.sheets.append(
            SheetState(
                raw.name,
                stage,
                reviewer,
                sorted(result.entries),
                result.refused,
                result.untouched,
                result.absent,
            )
        )
    gathered = gather(returns)
    merged.faults += gathered.faults
    bad = _twice(gathered, merged)
    for (reviewer, identifier), values in sorted(gathered.entries.items()):
        if identifier in bad:
            continue
        item, place = merged.items[identifier], gathered.places[reviewer, identifier]
        review = _review(item, stage, reviewer, values, merged.first, place)
        faults = inconsistencies(item, review.input, review.target, labels)
        if stage == 2 and same_person(reviewer, merged.first[identifier].reviewer):
            faults.append(f"{reviewer!r} was reviewer 1 of this item too; another person must be 2")
        merged.faults += [Fault(place, identifier, message) for message in faults]
        if faults:
            bad.add(identifier)
            continue
        reviews[identifier] = review
        _ask(item, stage, review, merged)
    for sheet in merged.sheets:
        if sheet.stage == stage:
            # A row read from a sheet may still fail against its source or a second reviewer.
            sheet.refused = [*sheet.refused, *(one for one in sheet.read if one not in reviews)]
            sheet.read = [one for one in sheet.read if one in reviews]


def _checked(language: str, stage: int, reviewer: str, raw: RawReturn, merged: Merged) -> Return:
    """One file against the sheet as it was sent, rows that cannot be judged yet set apart."""
    assigned = _assigned(raw, merged)
    early = [] if stage == 1 else [one for one in assigned if one not in merged.first]
    known = [merged.items[one] for one in assigned if one in merged.items and one not in early]
    sent = _sent(language, stage, reviewer, known, merged)
    result = check_return(_without(raw, early), sent)
    for identifier in early:
        message = "reviewer 1's review of this item is missing or refused; return that first"
        result.faults.append(Fault(raw.name, identifier, message))
    result.refused += early
    return result


def _assigned(raw: RawReturn, merged: Merged) -> list[str]:
    """The ids a file was made for; a file that cannot say was made for those it holds."""
    if raw.assigned is not None:
        ids = [one for held in raw.assigned.values() for one in held]
    else:
        keys = [
            split_key(row.cells[KEY].text)
            for sheet in raw.sheets.values()
            for row in sheet.rows
            if KEY in row.cells
        ]
        ids = [parts[1] for parts in keys if parts]
    for identifier in dict.fromkeys(ids):
        if identifier not in merged.items:
            message = "is no item under review; the items changed since the sheet was made"
            merged.faults.append(Fault(raw.name, identifier, message))
    return [one for one in dict.fromkeys(ids) if one in merged.items]


def _sent(
    language: str, stage: int, reviewer: str, items: Sequence[TranslatedItem], merged: Merged
) -> Workbook:
    if stage == 1:
        return first_workbook(items, language, reviewer)
    return second_workbook(items, merged.first, language, reviewer)


def _without(raw: RawReturn, identifiers: Sequence[str]) -> RawReturn:
    gone = set(identifiers)
    if not gone:
        return raw
    sheets = {}
    for title, sheet in raw.sheets.items():
        rows = tuple(
            row
            for row in sheet.rows
            if KEY not in row.cells
            or (split_key(row.cells[KEY].text) or ("", "", ""))[1] not in gone
        )
        sheets[title] = replace(sheet, rows=rows)
    return replace(raw, sheets=sheets)


def _twice(gathered: Gathered, merged: Merged) -> set[str]:
    """Items that two people reviewed in one stage: nobody can say which one counts."""
    people: dict[str, list[str]] = {}
    for reviewer, identifier in gathered.entries:
        people.setdefault(identifier, []).append(reviewer)
    for (reviewer, identifier), place in gathered.places.items():
        others = [repr(one) for one in people.get(identifier, ()) if one != reviewer]
        if others and reviewer in people[identifier]:
            names = " and ".join(others)
            message = f"{names} reviewed this item in the same stage; keep one review"
            merged.faults.append(Fault(place, identifier, message))
    return {identifier for identifier, names in people.items() if len(names) > 1}


def _review(
    item: TranslatedItem,
    stage: int,
    reviewer: str,
    values: Entries,
    first: Mapping[str, Review],
    place: str,
) -> Review:
    earlier = (item.machine_input, item.machine_target)
    if stage == 2:
        earlier = (first[item.id].input, first[item.id].target)
    text, target = str(values["input"] or ""), str(values.get("target") or earlier[1])
    return Review(
        reviewer,
        {dimension: int(values[dimension] or 0) for dimension in DIMENSIONS},
        # What a program did to line ends and accents is no revision.
        _nearest(text, (earlier[0], item.machine_input)),
        _nearest(target, (earlier[1], item.machine_target)),
        str(values["comment"] or ""),
        place,
    )


def _nearest(text: str, earlier: Sequence[str]) -> str:
    return next((one for one in earlier if same_text(text, one)), text.strip())


def _ask(item: TranslatedItem, stage: int, review: Review, merged: Merged) -> None:
    asked = questions(item, review)
    if stage == 1 and is_unrevised(item, review):
        lowest = min(review.scores.values())
        asked.append(("unrevised", f"scored {lowest} yet left as it was"))
    merged.questions += [
        Question(item.id, stage, review.reviewer, rule, message) for rule, message in asked
    ]
