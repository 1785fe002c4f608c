"""Devices: names are checked before any work, without loading what would compute on them."""

import re

from isogloss.errors import EncoderError, UsageError
from isogloss.files import one_line

_NAMES = re.compile(r"cpu|mps|(cuda|xpu)(:(0|[1-9]\d?))?")


AUTO = "auto"


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
    if not _NAMES.fullmatch(device):
        raise UsageError(
            f"device {device!r}: no such device; accepted are auto, cpu, cuda, cuda:N, mps, xpu "
            "and xpu:N; auto takes what there is"
        )
    return device


def usable_device(device: str | None) -> str | None:
    """Read the name of a device and try it, before minutes of loading end in a traceback.

    Raises:
        UsageError: The name is none of those accepted.
        EncoderError: The device is not here.
    """
    named = device_named(device)
    if named not in (None, "cpu"):
        import torch

        try:
            torch.empty(1, device=named)
        except (RuntimeError, AssertionError, NotImplementedError) as error:
            raise EncoderError(
                f"device {named}: cannot be used here ({one_line(error)[:120]}); leave it out to "
                "take what there is, or say cpu"
            ) from error
    return named


def accelerator() -> str | None:
    """The kind of accelerator that torch finds here, such as ``cuda``; None where there is none."""
    import torch

    if not torch.accelerator.is_available():
        return None
    found: torch.device | None = torch.accelerator.current_accelerator()
    return None if found is None else found.type
