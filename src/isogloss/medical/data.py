"""The room's YAML files, read once: what is data stays data."""

from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML


@cache
def load(name: str) -> Any:
    """Read one YAML file of this package; YAML 1.2, so that `no` stays a word.

    Args:
        name: The file's name without its ending.
    """
    text = files("isogloss.medical").joinpath(f"{name}.yaml").read_text("utf-8")
    return YAML(typ="safe", pure=True).load(text)
