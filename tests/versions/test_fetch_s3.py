"""The same promises against a real object store: an S3 server of its own on loopback."""

import socket
import subprocess
import sys
import time

import boto3
import pytest
from botocore.config import Config

from isogloss.errors import MissingExtraError, PullError
from isogloss.versions.fetch import Source, load
from versions.pinned_project import FIRST, git, make_project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    """The server's address; keys come from the environment, as in real life."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        try:
            until = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    assert process.poll() is None, "the server ended"
                    assert time.monotonic() < until, "the server does not answer"
                    time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture(scope="module")
def bucket(s3):
    client = boto3.client("s3", endpoint_url=s3, config=Config(retries={"max_attempts": 2}))
    client.create_bucket(Bucket="pinned")
    return client


@pytest.fixture(scope="module")
def bare(s3, bucket, tmp_path_factory):
    """A bare repository whose versions lie in the bucket."""
    folder = tmp_path_factory.mktemp("s3")
    make_project(folder / "project", "s3://pinned/store", options={"endpointurl": s3})
    git(folder, "clone", "-q", "--bare", "project", "bare.git")
    return folder / "bare.git"


def test_versions_come_from_the_object_store(bare):
    found = load(Source("alpha", str(bare), "v1"))
    assert {document.metadata.family for document in found.documents} == set(FIRST)
    assert load(Source("alpha", str(bare), "v2")).version != found.version


def test_a_lost_object_and_a_lost_bucket(bare, bucket, tmp_path, monkeypatch):
    whole = load(Source("alpha", str(bare), "v1"))
    listed = bucket.list_objects_v2(Bucket="pinned")["Contents"]
    bodies = {
        item["Key"]: bucket.get_object(Bucket="pinned", Key=item["Key"])["Body"].read()
        for item in listed
    }
    corpus = next(key for key, body in bodies.items() if b'"F0-de"' in body and b"deutsch" in body)
    bucket.delete_object(Bucket="pinned", Key=corpus)
    with pytest.raises(PullError, match=r"corpus\.jsonl is pinned, but s3://pinned/store"):
        load(Source("alpha", str(bare), "v1"))
    bucket.put_object(Bucket="pinned", Key=corpus, Body=bodies[corpus])
    assert load(Source("alpha", str(bare), "v1")).version == whole.version
    for key in bodies:
        bucket.delete_object(Bucket="pinned", Key=key)
    bucket.delete_bucket(Bucket="pinned")
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "site"))
    with pytest.raises(PullError) as raised:
        load(Source("alpha", str(bare), "v1"))
    assert "\n" not in str(raised.value)
    assert "s3://pinned" in str(raised.value)


@pytest.mark.parametrize(
    ("url", "error", "words"),
    [
        ("gs://bucket/x", PullError, "requires 'dvc-gs'"),
        ("s3://bucket/x", MissingExtraError, r"pip install 'isogloss\[s3\]'"),
    ],
)
def test_a_store_whose_driver_is_not_installed(pinned, tmp_path, monkeypatch, url, error, words):
    git(tmp_path, "clone", "-q", str(pinned / "bare.git"), "project")
    config = tmp_path / "project/.dvc/config"
    config.write_text(f"[core]\n    remote = r\n['remote \"r\"']\n    url = {url}\n", "utf-8")
    git(tmp_path / "project", "commit", "-q", "-am", "elsewhere")
    monkeypatch.setitem(sys.modules, "dvc_s3", None)
    with pytest.raises(error, match=words):
        load(Source("alpha", str(tmp_path / "project"), "HEAD"))
