import subprocess
import sys

import pytest

import isogloss
from isogloss.errors import BenchmarkError, UsageError
from versions.pinned_project import FIRST, write_families


def test_importing_isogloss_stays_light():
    code = "import sys, isogloss; print(sorted({n.split('.')[0] for n in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    for heavy in ("dvc", "numpy", "mlflow", "torch", "lancedb", "pydantic"):
        assert f"'{heavy}'" not in done.stdout.decode()


def test_the_project_as_it_is_now(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"no params\.yaml"):
        isogloss.load_benchmark("alpha")
    (tmp_path / "params.yaml").write_text("run: {}\n", "utf-8")
    with pytest.raises(BenchmarkError, match="alpha"):
        isogloss.load_benchmark("alpha")
    with pytest.raises(UsageError, match="a-z, 0-9 and hyphens"):
        isogloss.load_benchmark("../benchmark")
    write_families(tmp_path / "benchmark/alpha", FIRST)
    assert len(isogloss.load_benchmark("alpha").documents) == 8
