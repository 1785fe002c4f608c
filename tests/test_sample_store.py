"""The remote that lies in git holds whatever a fresh clone cannot make for itself."""

import json
from pathlib import Path

from ruamel.yaml import YAML

KEPT = ("recordings/", "benchmark/")


def test_the_sample_store_holds_data_recordings_and_benchmarks(root: Path) -> None:
    yaml = YAML(typ="safe")
    locked = yaml.load((root / "dvc.lock").read_text("utf-8"))["stages"].values()
    outs = [out for stage in locked for out in stage.get("outs", [])]
    outs = [out for out in outs if out["path"].startswith(KEPT)]
    outs += yaml.load((root / "data.dvc").read_text("utf-8"))["outs"]
    missing = []
    for out in outs:
        stored = _path(root, out["md5"])
        missing += [] if stored.is_file() else [out["path"]]
        if stored.is_file() and out["md5"].endswith(".dir"):
            missing += [
                f"{out['path']}/{entry['relpath']}"
                for entry in json.loads(stored.read_bytes())
                if not _path(root, entry["md5"]).is_file()
            ]
    assert len(outs) > 30
    assert not missing, "dvc push them to the remote `sample`, and commit sample-store"


def _path(root: Path, md5: str) -> Path:
    return root / "sample-store" / "files" / "md5" / md5[:2] / md5[2:]
