"""Names of devices: checked before any work, without loading what would compute on them."""

import re

from isogloss.errors import UsageError

_NAMES = re.compile(r"cpu|mps|(cuda|xpu)(:(0|[1-9]\d?))?")


def check_device_name(device: str | None) -> None:
    """Refuse what names no device; whether it is there shows once a model is loaded.

    Raises:
        UsageError: The name is none of those accepted.
    """
    if device is not None and not _NAMES.fullmatch(device):
        raise UsageError(
            f"device {device!r}: no such device; accepted are cpu, cuda, cuda:N, mps, xpu and "
            "xpu:N, or leave it out to take what there is"
        )
