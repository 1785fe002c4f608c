"""Disks that are full or read-only: small file systems mounted in a namespace of their own."""

import shutil
import subprocess
import sys

import pytest

NAME = "b.r.documents"
# A user of his own may mount; where the system forbids that, root may.
WAYS = (["unshare", "-Urm"], ["unshare", "-m"])

BEGIN = """
import subprocess, sys
from isogloss.errors import StoreError
from isogloss.retrieval.store import VectorStore
from vector_stubs import StubEmbed, rows_of, spec_of
folder = sys.argv[1]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], check=True)
spec = spec_of(dimension=64)

def remount(options):
    subprocess.run(["mount", "-o", "remount," + options, folder], check=True)

def update(count, tag):
    texts = {f"d{i:04d}": f"text {i}" for i in range(count)}
    try:
        print(VectorStore(folder, "stub").update(spec, rows_of(texts), StubEmbed(64, 500), tag))
    except StoreError as error:
        print(error)
"""
FULL = """
remount("size=" + sys.argv[2])
update(2000, "1" * 32)
print(sorted(VectorStore(folder).tags(spec.name)))
remount("size=64m")
update(2000, "1" * 32)
print(len(VectorStore(folder).read(spec.name, "1" * 32).ids), VectorStore(folder).names())
"""
READ_ONLY = """
update(50, "1" * 32)
remount("ro")
update(60, "2" * 32)
print(len(VectorStore(folder).read(spec.name, "1" * 32).ids))
remount("rw")
update(60, "2" * 32)
"""


def mounted(tmp_path, root, script, *arguments):
    folder = tmp_path / "disk"
    folder.mkdir()
    for way in WAYS:
        if shutil.which(way[0]) is None:
            continue
        mount = [*way, "mount", "-t", "tmpfs", "tmpfs", str(folder)]
        if subprocess.run(mount, capture_output=True).returncode == 0:
            break
    else:
        pytest.skip("no file system can be mounted here (unshare -Urm, or root, is needed)")
    done = subprocess.run(
        [*way, sys.executable, "-c", BEGIN + script, str(folder), *arguments],
        capture_output=True,
        text=True,
        cwd=root / "tests" / "retrieval",
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout.splitlines()


# 2,000 vectors of 256 bytes: the staging table does not fit, or it does and the merge does not.
@pytest.mark.parametrize(
    ("size", "table", "embedded"), [("256k", f"{NAME}.staging", 2000), ("1000k", NAME, 0)]
)
def test_a_disk_full_while_vectors_are_written_is_told_and_made_good(
    tmp_path, root, size, table, embedded
):
    folder, said = mounted(tmp_path, root, FULL, size)
    assert said[0].startswith(f"{folder}: table {table}: ")
    assert "No space left on device" in said[0]
    assert said[0].endswith("; free space and run it again")
    assert said[1] == "[]"
    assert said[2] == f"Counts(embedded={embedded}, reused={2000 - embedded}, deleted=0, repeats=0)"
    assert said[3] == f"2000 ['{NAME}']"


def test_a_read_only_store_is_read_and_says_that_it_cannot_be_written(tmp_path, root):
    folder, said = mounted(tmp_path, root, READ_ONLY)
    assert said[0] == "Counts(embedded=50, reused=0, deleted=0, repeats=0)"
    assert said[1].startswith(f"{folder}: table {NAME}: ")
    assert "Read-only file system" in said[1]
    assert said[1].endswith("; get the right to read and write there and run it again")
    assert said[2:] == ["50", "Counts(embedded=10, reused=50, deleted=0, repeats=0)"]
