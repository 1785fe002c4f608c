"""Who still has to do what."""

from typing import Any

from isogloss.review.translation_merge import Merged


def status(merged: Merged) -> dict[str, Any]:
    """How far the review of one language is.

    Returns:
        `items`, `first`, `second` (counts of items with that review); `reviewers`: one entry a
        stage and person with counts of assigned, done, refused and missing rows and the ids of the
        last two; `without_first` and `without_second`: ids of items that lack that review.
    """
    people: dict[tuple[int, str], dict[str, set[str]]] = {}
    for sheet in merged.sheets:
        lists = people.setdefault(
            (sheet.stage, sheet.reviewer), {"done": set(), "refused": set(), "missing": set()}
        )
        lists["done"] |= set(sheet.read)
        lists["refused"] |= set(sheet.refused)
        lists["missing"] |= {*sheet.untouched, *sheet.absent}
    reviewers = []
    for (stage, reviewer), lists in sorted(people.items()):
        # What one file of a person holds is not missing for lacking in another of theirs.
        done = lists["done"]
        refused = lists["refused"] - done
        missing = lists["missing"] - done - refused
        reviewers.append(
            {
                "stage": stage,
                "reviewer": reviewer,
                "assigned": len(done | refused | missing),
                "done": len(done),
                "refused": sorted(refused),
                "missing": sorted(missing),
            }
        )
    return {
        "items": len(merged.items),
        "first": len(merged.first),
        "second": len(merged.second),
        "reviewers": reviewers,
        "without_first": [one for one in merged.items if one not in merged.first],
        "without_second": [
            one for one in merged.items if one in merged.first and one not in merged.second
        ],
    }


def status_lines(language: str, state: dict[str, Any], shown: int = 5) -> list[str]:
    """The status as lines for a terminal; of long id lists the first few."""

    def some(ids: list[str]) -> str:
        more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
        return f"{len(ids)} ({', '.join(ids[:shown])}{more})" if ids else "0"

    lines = [
        f"{language}: {state['items']} items, {state['first']} with a first review, "
        f"{state['second']} finished"
    ]
    lines += [
        f"  reviewer {one['stage']} {one['reviewer']}: {one['done']} of {one['assigned']} done, "
        f"missing {some(one['missing'])}, refused {some(one['refused'])}"
        for one in state["reviewers"]
    ]
    lines.append(f"  without a first review: {some(state['without_first'])}")
    lines.append(f"  waiting for reviewer 2: {some(state['without_second'])}")
    return lines
