"""A device of torch that is not the processor: what can be tested of accelerators without one.

Its memory is its own: numpy cannot read it, an operation whose arguments lie in both places fails,
and it ends. It sums matrix products in another order than the processor, and in shorter floats
where the process allows them. It computes slowly and says nothing about speed.

A process has it or not, for good: `apart` runs functions in processes that have it.
"""

import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import torch
from torch.utils import _pytree
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "apart"
SECONDS = 300

_KEY = "PrivateUse1"
_aten = torch.ops.aten
_libraries: list[torch.library.Library] = []


class Memory:
    """What the device holds, counted once for all tensors that share it."""

    def __init__(self) -> None:
        self.limit = 1 << 40
        self.held = self.peak = self.products = 0
        self._blocks: weakref.WeakValueDictionary[int, _Block] = weakref.WeakValueDictionary()

    def block(self, tensor: torch.Tensor) -> "_Block":
        place = tensor.untyped_storage().data_ptr()
        block = self._blocks.get(place) if place else None
        if block is None:
            size = tensor.untyped_storage().nbytes()
            if self.held + size > self.limit:
                raise torch.OutOfMemoryError(f"{NAME} out of memory: {size} bytes more are asked")
            block = _Block(size)
            if place:
                self._blocks[place] = block
        return block

    def start(self) -> None:
        """Count the peak and the products from here on."""
        self.peak, self.products = self.held, 0


class _Block:
    def __init__(self, size: int) -> None:
        self.size = size
        memory.held += size
        memory.peak = max(memory.peak, memory.held)

    def __del__(self) -> None:
        memory.held -= self.size


memory = Memory()


class _There(torch.Tensor):
    """A tensor of the device: torch sees its shape and its type; what it holds lies behind it."""

    @staticmethod
    def __new__(cls, behind: torch.Tensor) -> "_There":
        # What torch makes in inference mode cannot be looked at by views of what it made before.
        with torch.inference_mode(False), torch.no_grad():
            made = torch._C._acc.create_empty_tensor(behind.shape, behind.dtype)
        made.__class__ = cls
        return made

    def __init__(self, behind: torch.Tensor) -> None:
        self.block = memory.block(behind)
        self.behind = behind


def _run(operation, *arguments, **named):
    """Run an operation of the device on what lies behind its arguments."""
    tensors: dict[int, _There] = {}

    def behind(value):
        if isinstance(value, _There):
            tensors[id(value.behind)] = value
            return value.behind
        if isinstance(value, torch.Tensor) and value.dim():
            raise RuntimeError(f"{operation}: an argument lies on {value.device}, not on {NAME}")
        return torch.device("cpu") if isinstance(value, torch.device) else value

    def there(value):
        if not isinstance(value, torch.Tensor):
            return value
        # What is written in place is given back as itself.
        return tensors[id(value)] if id(value) in tensors else _There(value)

    arguments, named = _pytree.tree_map(behind, (arguments, named))
    first = _FACTORS.get(operation)
    if first is not None:
        memory.products += 1
        factors = _otherwise(*arguments[first : first + 2])
        arguments = (*arguments[:first], *factors, *arguments[first + 2 :])
    # What lies behind a view need not lie there as torch thinks.
    operation = _aten.reshape.default if operation in _VIEWS else operation
    return _pytree.tree_map(there, operation(*arguments, **named))


_VIEWS = {_aten.view.default, _aten._unsafe_view.default}
_FACTORS = {
    **dict.fromkeys((_aten.mm.default, _aten.mm.out, _aten.bmm.default, _aten.bmm.out), 0),
    **dict.fromkeys((_aten.addmm.default, _aten.addmm.out, _aten.baddbmm.default), 1),
}


def _otherwise(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    if torch.backends.cuda.matmul.fp32_precision == "tf32":
        left, right = left.bfloat16().to(left.dtype), right.bfloat16().to(right.dtype)
    return left.flip(-1), right.flip(-2)


def _copy(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """Copy between the device and the processor, or within the device."""
    here, there = (one.behind if isinstance(one, _There) else one for one in (source, target))
    there.copy_(here)
    return target


def _ready_made() -> Iterator[str]:
    """Operations that torch would put together from others, past what lies behind."""
    for whole in torch._C._dispatch_get_all_op_names():
        space, _, name = whole.partition("::")
        if space != "aten" or name.startswith(("copy_", "_copy", "set_", "resize", "_to_copy")):
            continue
        if not torch._C._dispatch_has_kernel_for_dispatch_key(whole, "CompositeExplicitAutograd"):
            continue
        try:
            arguments = _named(name)._schema.arguments
        except AttributeError:
            continue
        tensor = arguments and arguments[0].type.kind() == "TensorType"
        if tensor and all(one.name != "device" for one in arguments):
            yield name


def _named(name: str):
    packet, _, overload = name.partition(".")
    return getattr(getattr(_aten, packet), overload or "default")


def install() -> None:
    """Give this process the device."""
    if _libraries:
        return
    _setup_privateuseone_for_python_backend(NAME)
    # Weights are exchanged for those on the device, as their memory cannot be exchanged in them.
    torch.__future__.set_swap_module_params_on_conversion(True)
    rest = torch.library.Library("_", "IMPL")
    rest.fallback(_run, _KEY)
    named = torch.library.Library("aten", "IMPL")
    named.impl("_copy_from", _copy, _KEY)
    for name in _ready_made():
        named.impl(name, _running(name), _KEY)
    _libraries.extend((rest, named))


def _running(name: str):
    operation = _named(name)
    return lambda *arguments, **named: _run(operation, *arguments, **named)


@contextmanager
def apart() -> Iterator[Callable[..., Any]]:
    """Calls functions of a test's module in a process that has the device."""
    with ProcessPoolExecutor(1, get_context("spawn"), install) as process:
        yield lambda function, *arguments: process.submit(function, *arguments).result(SECONDS)
