"""The data card: what was searched, how it came about, and exactly which versions were measured."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isogloss.report.layout.shown import UNDEFINED
from isogloss.report.page.gathered import Gathered, Target
from isogloss.report.page.names import language_name
from isogloss.report.page.table import Cell, Column, Row, Table

# Sections of card.md that the page quotes, by their headings.
QUOTED = ("How it was made", "Origin of the text", "Licence and attribution")
COUNTS = (
    ("corpus_docs", "documents"),
    ("families", "families"),
    ("queries", "queries"),
    ("queries_dual_gold", "of them with gold on both sides"),
    ("qrels", "gold pairs"),
    ("cross_qrels", "gold pairs across languages"),
)


_ADDRESS = re.compile(r"<(https?://[^<>\s]+)>")


@dataclass(frozen=True)
class Card:
    """One benchmark's card.

    Attributes:
        target: The benchmark.
        origins: How its documents came about, with their number.
        sections: Headings and paragraphs quoted from card.md.
        languages: Documents, queries and gold by language.
    """

    target: Target
    origins: list[tuple[str, int]]
    sections: list[tuple[str, list[str]]]
    languages: Table | None


def card(target: Target) -> Card:
    """The card of a benchmark; what its folder does not say is left out."""
    origins = sorted((str(k), int(v)) for k, v in (target.stats.get("origins") or {}).items())
    sections = card_sections(target.card)
    quoted = [(name, sections[name]) for name in QUOTED if name in sections]
    return Card(target, origins, quoted, _languages(target))


def card_sections(text: str) -> dict[str, list[str]]:
    """The paragraphs under each second-level heading of a Markdown file, as plain text."""
    found: dict[str, list[str]] = {}
    heading = ""
    for block in text.split("\n\n"):
        lines = [line for line in block.strip().splitlines() if line]
        if lines and lines[0].startswith("## "):
            heading = lines.pop(0).removeprefix("## ").strip()
            found[heading] = []
        # The page makes tables of its own.
        if heading and lines and not lines[0].startswith("|"):
            found[heading] += _paragraphs(lines)
    return found


def _paragraphs(lines: list[str]) -> list[str]:
    """A block as plain text: list items apart, without the signs of Markdown."""
    joined: list[str] = []
    for line in lines:
        if joined and not line.startswith("- "):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.removeprefix("- ").strip())
    return [_ADDRESS.sub(r"\1", text.replace("`", "")) for text in joined]


def size_table(gathered: Gathered) -> Table:
    """What each benchmark holds, side by side."""
    rows = []
    for target in gathered.targets:
        if target.is_pool or not target.stats:
            continue
        cells = [_count(target.stats.get(key)) for key, _ in COUNTS]
        origins = sorted(target.stats.get("origins") or {})
        made = ", ".join(sorted(target.stats.get("setups") or {}))
        cells += [Cell(", ".join(origins) or UNDEFINED), Cell(made or UNDEFINED)]
        rows.append(Row((target.key,), tuple(cells)))
    columns = (
        *(Column(key, heading) for key, heading in COUNTS),
        Column("origin", "origin of text"),
        Column("setup", "kind of query"),
    )
    return Table("data", "What was searched", ("benchmark",), columns, tuple(rows), kind="words")


def _languages(target: Target) -> Table | None:
    languages = target.stats.get("languages") or {}
    if not languages:
        return None
    kinds = ("documents", "queries", "gold")
    rows = tuple(
        Row((language_name(code),), tuple(_count(held.get(kind)) for kind in kinds))
        for code, held in sorted(languages.items())
    )
    columns = tuple(Column(kind, "gold pairs to it" if kind == "gold" else kind) for kind in kinds)
    key = f"languages.{target.slug}"
    return Table(key, f"{target.key}: languages", ("language",), columns, rows)


def _count(value: int | None) -> Cell:
    return Cell(UNDEFINED, kind="undefined") if value is None else Cell(f"{value:,}", value)


def model_table(gathered: Gathered) -> Table:
    """Every model as it was used: release, weights and how texts were sent."""
    releases = {
        one.model: str(one.identity.get("release", UNDEFINED))
        for target in gathered.targets
        for one in target.evaluated
        if one.identity
    }
    rows = []
    for model, release in releases.items():
        declared = gathered.declarations.get(model, {})
        prompts = declared.get("prompts") or {}
        cells = (
            Cell(release),
            Cell(_weights(declared)),
            Cell(_text(declared.get("parameters_millions"))),
            Cell(_text(declared.get("dtype"))),
            Cell(_text(declared.get("pooling"))),
            Cell(_text(declared.get("max_length"))),
            Cell(" / ".join(prompts.get(side) or "none" for side in ("query", "document"))),
            Cell(_text(declared.get("licence"))),
        )
        rows.append(Row((model,), cells, {"model": model}))
    columns = (
        Column("release", "release"),
        Column("weights", "weights"),
        Column("millions", "million parameters"),
        Column("dtype", "numbers"),
        Column("pooling", "pooling"),
        Column("max_length", "longest text, tokens"),
        Column("prompts", "prompt of query / document"),
        Column("licence", "licence"),
    )
    return Table("models", "Models as used", ("model",), columns, tuple(rows), kind="words")


def _weights(declared: Mapping[str, Any]) -> str:
    kind = declared.get("kind")
    if kind == "hub":
        return f"{declared.get('name')} at {declared.get('revision')}"
    if kind == "package":
        return f"{declared.get('package')} {declared.get('version')}"
    return UNDEFINED if kind is None else f"none ({kind})"


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return UNDEFINED if value in (None, "") else str(value)


def version_table(gathered: Gathered) -> Table:
    """The dataset version of each benchmark."""
    rows = tuple(
        Row((target.key,), (Cell(str(target.evaluated[0].identity.get("dataset_version"))),))
        for target in gathered.targets
        if not target.is_pool and not target.whole and target.evaluated[0].identity
    )
    columns = (Column("dataset_version", "dataset version"),)
    return Table("versions", "Dataset versions", ("benchmark",), columns, rows, kind="words")
