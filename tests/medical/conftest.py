"""Small files in the forms that publishers use."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def lines(tmp_path: Path) -> Any:
    """Write rows as JSONL and give the path."""

    def write(name: str, rows: list[dict[str, Any]]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8"
        )
        return path

    return write
