import errno
import shutil
import subprocess
import sys

import pytest
from vector_stubs import StubEmbed, rows_of, spec_of

from isogloss.errors import StoreError
from isogloss.retrieval.bm25 import search_text
from isogloss.retrieval.store import Counts, VectorStore
from isogloss.retrieval.store_faults import store_faults

V1, V2 = "1" * 32, "2" * 32
TEXTS = {f"d{i:02d}": f"text {i}" for i in range(40)}
NAME = "b.r.documents"
DAMAGES = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:50]),
    "flipped": lambda path: path.write_bytes(bytes(byte ^ 255 for byte in path.read_bytes())),
    "overwritten": lambda path: path.write_bytes(b"no table at all" * 20),
    "gone": lambda path: path.unlink(),
}


@pytest.fixture
def folder(tmp_path):
    store = VectorStore(str(tmp_path / "lancedb"))
    store.update(spec_of(full_text=True), rows_of(TEXTS), StubEmbed(), V1)
    return tmp_path / "lancedb"


def harm(folder, part, damage, table=NAME):
    harmed = [path for path in (folder / f"{table}.lance" / part).rglob("*") if path.is_file()]
    assert harmed
    for path in harmed:
        DAMAGES[damage](path)


def way_out(folder, table=NAME):
    return f"delete {folder}/{table}.lance and run isogloss embed b stub"


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("part", ["data", "_versions", "_refs", "_indices"])
def test_damage_is_one_line_with_a_way_out_that_works(folder, part, damage):
    harm(folder, part, damage)
    store = VectorStore(str(folder), "stub")
    more = rows_of({**TEXTS, "x": "y"})
    said = []
    for use in (
        lambda: store.read(NAME, V1),
        lambda: search_text(store, NAME, V1, ["text"]),
        lambda: store.update(spec_of(full_text=True), more, StubEmbed(), V2),
    ):
        try:
            use()
        except StoreError as error:
            said.append(str(error))
    # Without its versions a table counts as none, and is made again without being asked to.
    if (part, damage) in (("_versions", "gone"), ("_refs", "gone")):
        assert all("run isogloss embed" in line for line in said)
    else:
        assert any(way_out(folder) in line for line in said)
    for line in said:
        assert "\n" not in line
        assert ".rs" not in line
        assert "cargo" not in line
        assert NAME in line
        assert str(folder) in line
    shutil.rmtree(folder / f"{NAME}.lance")
    update = VectorStore(str(folder)).update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    assert update == Counts(40, 0, 0)


def test_a_damaged_staging_table_is_named_itself(tmp_path):
    class Failing(StubEmbed):
        def __call__(self, rows):
            yield next(iter(super().__call__(rows)))

    folder = tmp_path / "lancedb"
    store = VectorStore(str(folder), "stub")
    with pytest.raises(StoreError, match="came back without vectors"):
        store.update(spec_of(), rows_of(TEXTS), Failing(), V1)
    harm(folder, "data", "cut", f"{NAME}.staging")
    with pytest.raises(StoreError) as error:
        store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    assert way_out(folder, f"{NAME}.staging") in str(error.value)


def test_without_a_known_model_the_release_is_named(folder):
    harm(folder, "_versions", "cut")
    with pytest.raises(StoreError, match=r"isogloss embed b with the model of release r$"):
        VectorStore(str(folder)).tags(NAME)


LANCE_FULL = (
    "lance error: LanceError(IO): Generic LocalFileSystem error: Unable to write: No space left on "
    "device (os error 28), /root/.cargo/registry/src/index-1/lance-io-13.0.0/src/local.rs:27:40"
)


@pytest.mark.parametrize(
    ("raised", "advice"),
    [
        (RuntimeError(LANCE_FULL), "free space and run it again"),
        (OSError(errno.ENOSPC, "No space left on device"), "free space and run it again"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "free space and run it again"),
        (OSError(errno.EACCES, "Permission denied"), "get the right to read and write there"),
        (RuntimeError("lance error: Commit conflict for version 3"), "another writer"),
        (ValueError("bad\nmagic"), "delete store/b.r.queries.lance and run isogloss embed b m"),
    ],
)
def test_each_cause_has_its_own_way_out(raised, advice):
    with pytest.raises(StoreError) as error, store_faults("store", "b.r.queries", "m"):
        raise raised
    said = str(error.value)
    assert said.startswith("store: table b.r.queries: ")
    assert advice in said
    assert ("delete" in said) == advice.startswith("delete")
    assert "\n" not in said
    assert ".rs" not in said


def test_a_full_disk_while_vectors_are_written(tmp_path, monkeypatch):
    store = VectorStore(str(tmp_path / "lancedb"), "stub")

    def full(*_, **__):
        raise RuntimeError(LANCE_FULL)

    # The disk of a test cannot be filled; the writing call is the one thing replaced.
    with monkeypatch.context() as patch:
        patch.setattr(store._database, "create_table", full)
        with pytest.raises(StoreError, match=r"No space left.*; free space and run it again"):
            store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1)
    assert store.update(spec_of(), rows_of(TEXTS), StubEmbed(), V1) == Counts(40, 0, 0)


LIMITED = """
import resource, sys
from isogloss.errors import StoreError
from isogloss.retrieval.store import VectorStore
from vector_stubs import StubEmbed, rows_of, spec_of
store = VectorStore(sys.argv[1], "stub")
texts = {f"d{i:04d}": f"text {i}" for i in range(2000)}
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
for again in range(2):
    try:
        print(store.update(spec_of(full_text=True), rows_of(texts), StubEmbed(), "1" * 32))
    except StoreError as error:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


def test_a_write_that_the_system_stops_is_made_good_by_the_next_run(tmp_path, root):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "lancedb")],
        capture_output=True,
        text=True,
        check=True,
        cwd=root / "tests" / "retrieval",
    )
    stopped, written = done.stdout.strip().splitlines()
    assert f"{tmp_path}/lancedb: table {NAME}.staging: " in stopped
    assert stopped.endswith("; free space and run it again")
    assert written == "Counts(embedded=2000, reused=0, deleted=0, repeats=0)"


def test_what_is_not_lances_passes(tmp_path):
    def broken(_):
        raise RuntimeError("the encoder's own")

    with pytest.raises(RuntimeError, match="the encoder's own"):
        VectorStore(str(tmp_path / "s")).update(spec_of(), rows_of(TEXTS), broken, V1)
    with pytest.raises(KeyboardInterrupt), store_faults("store"):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("name", "base"), [("PanicException", BaseException), ("RustPanic", Exception)]
)
def test_a_panic_of_lance_is_a_fault_too(name, base):
    panic = type(name, (base,), {})
    said = pytest.raises(StoreError, match=r"range start .*; if it is damaged, delete")
    with said, store_faults("store", "b.r.queries", "m"):
        raise panic("range start must not be greater than end")


def test_a_store_that_is_a_file(tmp_path):
    (tmp_path / "lancedb").write_text("x")
    with pytest.raises(StoreError, match=r"lancedb.*; check that lancedb\.uri"):
        VectorStore(str(tmp_path / "lancedb"))
