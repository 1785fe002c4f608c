"""Names of devices, told from mistakes without loading what would compute on them."""

import re

from isogloss.errors import UsageError

AUTO = "auto"
ACCEPTED = "auto, cpu, cuda, cuda:N, mps, xpu and xpu:N; auto takes what there is"

_NAMES = re.compile(r"cpu|mps|(cuda|xpu)(:(0|[1-9]\d?))?")


def is_device(name: str) -> bool:
    """Whether a text names a device, or leaves the choice open."""
    return name == AUTO or _NAMES.fullmatch(name) is not None


def device_named(device: str | None) -> str | None:
    """Read the name of a device; whether it is there shows once a model is loaded.

    Args:
        device: A name, ``auto`` or None.

    Returns:
        The name; None for ``auto``: an accelerator where there is one, else the processor.

    Raises:
        UsageError: The name is none of those accepted.
    """
    if device is None or device == AUTO:
        return None
    if not is_device(device):
        raise UsageError(f"device {device!r}: no such device; accepted are {ACCEPTED}")
    return device
