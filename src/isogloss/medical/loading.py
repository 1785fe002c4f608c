"""Items, answers, refusals and verdicts become one sheet of arrays."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from isogloss.errors import DataError
from isogloss.medical.extraction import Question, extract_letter
from isogloss.medical.items import Item, difference
from isogloss.medical.panel import ARMS, LANGUAGES, in_panel_order, model_place
from isogloss.medical.reasoning import split_reasoning
from isogloss.medical.records import AnswerRow, Joiner, RefusalRow, VerdictRow
from isogloss.medical.rows import Row, numbered_rows
from isogloss.medical.sheet import (
    ABSENT,
    ANSWERED,
    FAILED,
    NO_TRACE,
    REFUSED,
    UNANSWERED,
    UNKNOWN_LANGUAGE,
    Place,
    Sheet,
)
from isogloss.medical.trace_language import trace_language
from isogloss.medical.verdicts import DIMENSIONS, FLAGS, UnusableError, read_verdict

Track = Callable[[Iterable[Any], str], Iterable[Any]]


def load_sheet(
    items: Sequence[Item],
    items_mt: Sequence[Item] | None,
    answers: Path | Sequence[Path],
    refusals: Path | Sequence[Path] | None = None,
    verdicts: Path | Sequence[Path] | None = None,
    track: Track = lambda rows, _: rows,
) -> Sheet:
    """Read everything about replies and join it to the items by id.

    Args:
        items: The reviewed items.
        items_mt: The machine-translated ones that the `mt` arm was asked; `items` where not given.
        answers: JSONL of replies, one file or several.
        refusals: JSONL of refusal records; without it no reply counts as refused.
        verdicts: JSONL of the judge's raw texts.
        track: Wraps long loops to show progress.

    Returns:
        The sheet.

    Raises:
        DataError: A file breaks its format, names an unknown id or repeats one.
    """
    versions = {"reviewed": _by_key(items), "mt": _by_key(items if items_mt is None else items_mt)}
    _check_arms(versions["reviewed"], versions["mt"])
    everything = {item.id: item for arm in versions.values() for item in arm.values()}
    datasets = in_panel_order(item.dataset for item in everything.values())
    ids = sorted(everything, key=lambda id_: (datasets.index(everything[id_].dataset), id_))
    spoken = {language for arm in versions.values() for language, _ in arm}
    languages = [language for language in LANGUAGES if language in spoken]
    code = {id_: index for index, id_ in enumerate(ids)}
    keys = {(lang, id_): code[id_] for arm in versions.values() for lang, id_ in arm}
    columns = {language: index for index, language in enumerate(languages)}

    models: dict[str, int] = {}
    joiner = Joiner(_paths(answers)[0], models, columns, keys)
    replies: list[tuple[int, bool, int]] = []
    for line, row in track(_rows(_paths(answers), AnswerRow, joiner), "Reading answers"):
        place = joiner.place(line, row)
        item = versions[row.arm].get((languages[place[2]], row.id))
        if item is None:
            raise DataError(
                f"{joiner.path}, line {line}, id {row.id!r}: the {row.arm} items hold no such id"
                f" in {row.language!r}"
            )
        replies.append(_reply(row, item, columns))
    if not replies:
        raise DataError(f"{joiner.path}: holds no answers")

    names = sorted(models, key=model_place)
    order = {models[name]: index for index, name in enumerate(names)}
    shape = (len(ARMS), len(names), len(languages), len(ids))
    held = [set(versions[arm]) for arm in ARMS]
    sheet = _empty(shape, names, languages, ids, datasets, everything, held)
    at = tuple(
        np.array([(a, order[m], lang, i) for a, m, lang, i in joiner.places], dtype=np.int64).T
    )
    sheet.status[at], sheet.correct[at], sheet.trace[at] = zip(*replies, strict=True)
    ordered = {name: index for index, name in enumerate(names)}
    known = {(a, order[m], lang, i) for a, m, lang, i in joiner.places}
    if refusals:
        paths = _paths(refusals)
        _add_refusals(sheet, Joiner(paths[0], ordered, columns, keys, known), paths)
    if verdicts:
        paths = _paths(verdicts)
        _add_verdicts(sheet, Joiner(paths[0], ordered, columns, keys, known), paths, track)
    return _present_arms(sheet)


def _paths(given: Path | Sequence[Path]) -> Sequence[Path]:
    return [given] if isinstance(given, Path) else given


def _rows(paths: Sequence[Path], kind: type[Row], joiner: Joiner) -> Iterator[tuple[int, Row]]:
    """The rows of several files; the joiner knows which one a row is from."""
    for path in paths:
        joiner.path = path
        yield from numbered_rows(path, kind)


def _by_key(items: Sequence[Item]) -> dict[tuple[str, str], Item]:
    return {(item.language, item.id): item for item in items}


def _check_arms(
    reviewed: dict[tuple[str, str], Item], machine: dict[tuple[str, str], Item]
) -> None:
    for key, item in machine.items():
        if key in reviewed and (fault := difference(reviewed[key], item)):
            raise DataError(f"id {item.id!r} in {item.language}: the mt item has {fault}")


def _reply(row: AnswerRow, item: Item, columns: dict[str, int]) -> tuple[int, bool, int]:
    """Status, correctness and trace language of one reply."""
    if row.outcome == "failed":
        return FAILED, False, NO_TRACE
    # What was cut commits to nothing, wherever it stopped.
    text = "" if row.ending == "cut" or row.text is None else row.text
    trace, final = split_reasoning(text)
    trace = "\n".join(part for part in (row.reasoning, trace) if part and part.strip())
    spoken = NO_TRACE
    if trace:
        spoken = columns.get(trace_language(trace) or "", UNKNOWN_LANGUAGE)
    if not item.options:
        return (ANSWERED if final.strip() else UNANSWERED), False, spoken
    stem = item.input.rpartition("\nOptions:")[0]
    letter = extract_letter(final, Question(item.options, item.language, stem))
    return (ANSWERED if letter else UNANSWERED), letter == item.target, spoken


def _empty(
    shape: Place,
    models: list[str],
    languages: list[str],
    ids: list[str],
    datasets: list[str],
    items: dict[str, Item],
    held: Sequence[Container[tuple[str, str]]],
) -> Sheet:
    exists = np.array(
        [[[(lang, id_) in one for id_ in ids] for lang in languages] for one in held], dtype=bool
    )
    return Sheet(
        arms=list(ARMS),
        models=models,
        languages=languages,
        items=ids,
        datasets=datasets,
        item_dataset=np.array([datasets.index(items[id_].dataset) for id_ in ids], dtype=np.int64),
        open_ended=np.array([not items[id_].options for id_ in ids], dtype=bool),
        exists=exists,
        status=np.full(shape, ABSENT, dtype=np.int8),
        correct=np.zeros(shape, dtype=bool),
        declined=np.full(shape, -1, dtype=np.int8),
        trace=np.full(shape, NO_TRACE, dtype=np.int8),
        scores=np.zeros((*shape, len(DIMENSIONS)), dtype=np.int8),
        flags=np.zeros((*shape, len(FLAGS)), dtype=np.float32),
        judged=np.zeros(shape, dtype=bool),
        unusable={},
    )


def _add_refusals(sheet: Sheet, joiner: Joiner, paths: Sequence[Path]) -> None:
    """Mark refusals; only a reply without a usable letter becomes refused instead of unanswered."""
    for line, row in _rows(paths, RefusalRow, joiner):
        place = joiner.place(line, row)
        if sheet.status[place] == FAILED:
            if row.refused:
                raise DataError(
                    f"{joiner.path}, line {line}, id {row.id!r}: the call failed, so it cannot "
                    "have refused; drop the line"
                )
            continue
        sheet.declined[place] = row.refused
    declined = sheet.declined == 1
    sheet.status[declined & (sheet.status == UNANSWERED)] = REFUSED
    sheet.status[declined & (sheet.status == ANSWERED) & sheet.open_ended] = REFUSED


def _add_verdicts(sheet: Sheet, joiner: Joiner, paths: Sequence[Path], track: Track) -> None:
    for line, row in track(_rows(paths, VerdictRow, joiner), "Reading verdicts"):
        place = joiner.place(line, row)
        where = f"{joiner.path}, line {line}, id {row.id!r}"
        if not sheet.open_ended[place[3]]:
            raise DataError(f"{where}: only open-ended replies are judged; drop the line")
        if sheet.status[place] == FAILED:
            raise DataError(f"{where}: the call failed, there is nothing to judge; drop the line")
        sheet.judged[place] = True
        try:
            verdict = read_verdict(row.verdict)
        except UnusableError as reason:
            cell = (*place[:3], int(sheet.item_dataset[place[3]]))
            sheet.unusable.setdefault(cell, Counter())[str(reason)] += 1
            continue
        sheet.scores[place], sheet.flags[place] = verdict.scores, verdict.flags


def _present_arms(sheet: Sheet) -> Sheet:
    """Drop an arm without any reply."""
    kept = [index for index in range(len(ARMS)) if (sheet.status[index] != ABSENT).any()]
    new = {old: index for index, old in enumerate(kept)}
    return Sheet(
        arms=[ARMS[index] for index in kept],
        models=sheet.models,
        languages=sheet.languages,
        items=sheet.items,
        datasets=sheet.datasets,
        item_dataset=sheet.item_dataset,
        open_ended=sheet.open_ended,
        exists=sheet.exists[kept],
        status=sheet.status[kept],
        correct=sheet.correct[kept],
        declined=sheet.declined[kept],
        trace=sheet.trace[kept],
        scores=sheet.scores[kept],
        flags=sheet.flags[kept],
        judged=sheet.judged[kept],
        unusable={(new[a], m, lang, d): c for (a, m, lang, d), c in sheet.unusable.items()},
    )
