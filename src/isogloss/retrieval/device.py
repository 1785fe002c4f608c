"""Devices that models and searches compute on: whether the one that is named is here."""

from isogloss.device_names import device_named
from isogloss.errors import EncoderError
from isogloss.files import one_line


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
