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
    if named is not None:
        _try(named, "leave it out to take what there is, or say cpu")
    return named


def chosen_device(device: str | None) -> str:
    """What to compute on: one choice for models and searches alike.

    Args:
        device: A name, ``auto`` or None.

    Returns:
        The name; where the choice is open, the accelerator that torch finds, else ``cpu``.

    Raises:
        UsageError: The name is none of those accepted.
        EncoderError: The device is not here, or the accelerator that was found does not work.
    """
    named = usable_device(device)
    if named is not None:
        return named
    import torch

    # It is none where none is available.
    found: torch.device | None = torch.accelerator.current_accelerator(check_available=True)
    if found is None:
        return "cpu"
    _try(found.type, "it is what torch finds here; say --device cpu")
    return found.type


def without(device: str) -> str:
    """What to do where something fails on a device; nothing where it is the processor already."""
    return "" if device == "cpu" else "; say --device cpu"


def _try(name: str, advice: str) -> None:
    if name == "cpu":
        return
    import torch

    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise EncoderError(
            f"device {name}: cannot be used here ({one_line(error)[:120]}); {advice}"
        ) from error
