"""The dataset card of a Hugging Face export: the benchmark's own card under hub front matter."""

import io
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from isogloss.qac.card import ATTRIBUTION_HEADING, NO_ATTRIBUTION
from isogloss.qac.exports.finished import Finished
from isogloss.qac.exports.licences import Licence
from isogloss.qac.exports.tables import COLUMNS, DESCRIPTIONS, data_file

SPLIT = "test"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
_LARGER = "1M<n<10M"
_MAKERS = {"title": "machine-generated", "cloze": "machine-generated"}


def hub_card(finished: Finished, licence: Licence) -> str:
    """Write README.md: front matter, what the benchmark's card says, columns, licence and credit.

    Args:
        finished: The benchmark.
        licence: Its licence.
    """
    stream = io.StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.width = 10_000
    yaml.dump(_quoted(front_matter(finished, licence)), stream)
    sections = [
        f"---\n{stream.getvalue()}---",
        finished.card,
        f"## Tables\n\n{_tables()}",
        f"## Loading\n\n{_loading()}",
        f"{ATTRIBUTION_HEADING}\n\n{finished.attribution or NO_ATTRIBUTION}",
    ]
    return "\n\n".join(sections) + "\n"


def front_matter(finished: Finished, licence: Licence) -> dict[str, Any]:
    """The keys that the hub and the `datasets` library read."""
    stats = finished.stats
    maker = _MAKERS.get(str(stats["made"].get("maker")))
    return {
        "pretty_name": finished.name,
        "language": finished.languages,
        "multilinguality": ["multilingual" if len(finished.languages) > 1 else "monolingual"],
        **licence.hub,
        **({"annotations_creators": [maker]} if maker else {}),
        "size_categories": [size_category(len(finished.benchmark.documents))],
        "task_categories": ["text-retrieval"],
        "task_ids": ["document-retrieval"],
        "tags": ["cross-lingual-retrieval", "mteb", "croissant", *finished.labels],
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": SPLIT, "path": data_file(name)}],
                **({"default": True} if name == "corpus" else {}),
            }
            for name in COLUMNS
        ],
    }


def size_category(rows: int) -> str:
    """The hub's word for a number of rows, of which the corpus has the most."""
    return next((name for limit, name in _SIZES if rows < limit), _LARGER)


def _quoted(value: Any) -> Any:
    # Readers of YAML 1.1, the hub's among them, take a bare `no` for false.
    if isinstance(value, dict):
        return {key: _quoted(held) for key, held in value.items()}
    if isinstance(value, list):
        return [_quoted(held) for held in value]
    return DoubleQuotedScalarString(value) if isinstance(value, str) else value


def _tables() -> str:
    parts = []
    for name, columns in COLUMNS.items():
        rows = [f"| `{one.name}` | {one.type} | {one.description} |" for one in columns]
        head = ["| column | type | meaning |", "| --- | --- | --- |"]
        parts += [f"`{name}`: {DESCRIPTIONS[name]}", "\n".join([*head, *rows])]
    return "\n\n".join(parts)


def _loading() -> str:
    lines = "\n".join(
        f'{name} = load_dataset(FOLDER, "{name}", split="{SPLIT}")' for name in COLUMNS
    )
    return (
        "`FOLDER` is a copy of this folder, or its name on a hub.\n\n"
        f"```python\nfrom datasets import load_dataset\n\n{lines}\n```"
    )
