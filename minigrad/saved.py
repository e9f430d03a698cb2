"""What a node saves of a tensor: packed by hooks if there are any, and checked when it is used."""

from __future__ import annotations

from typing import Any

from minigrad import dtypes
from minigrad.anomaly import anomaly
from minigrad.graph import Array
from minigrad.modes import state
from minigrad.tensor import Tensor

SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is "
    "not supported, please use out-of-place `.detach()` instead"
)
HINT = (
    "enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
ANOMALY_HINT = (
    "the backtrace further above shows the operation that failed to compute its gradient. The "
    "variable in question was changed in there or anywhere later. Good luck!"
)
PACK_IN_PLACE = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)


class PackedTensor:
    """What a pack hook made of a saved tensor (see `graph.saved_tensors_hooks`)."""

    def __init__(self, tensor: Tensor) -> None:
        hooks, self.edge = state.saved_hooks[-1], tensor._current_edge()
        self.unpack_hook, version = hooks.unpack_hook, tensor._version
        packed = hooks.pack_hook(tensor)
        # An output that is kept as it is would keep its own node alive.
        self.packed = tensor._alias() if packed is tensor else packed
        if tensor._version != version:
            raise RuntimeError(PACK_IN_PLACE)

    def unpack(self) -> Tensor:
        """The tensor that the unpack hook returns, with the history of the saved one."""
        tensor = self.unpack_hook(self.packed)
        if not isinstance(tensor, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(tensor).__name__}"
            )
        tensor = tensor._alias()
        tensor._edge = self.edge
        return tensor

    @property
    def _array(self) -> Array:
        return self.unpack()._array


def pack(saved: Any) -> Any:
    """What a node keeps for a saved value while saved-tensor hooks are entered."""
    return PackedTensor(saved) if isinstance(saved, Tensor) and saved._number is None else saved


def check_version(tensor: Tensor, time: int, source: tuple[Any, int] | None) -> None:
    """Raise RuntimeError if a saved tensor was changed in place after a time of the clock.

    `source` is the node and the number of the output that it is; by default, those it has now.
    """
    counter = tensor._version_counter
    if counter is None or not counter.times or counter.times[-1] < time:
        return
    node, number = source or (tensor.grad_fn, tensor.output_nr)
    producer = f", which is output {number} of {node.operation_name()}," if node else ""
    title, shape = dtypes.TITLES[tensor._array.dtype], list(tensor._array.shape)
    raise RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.{title}Tensor {shape}]{producer} is at version {counter.version}; "
        f"expected version {counter.version_at(time)} instead. Hint: "
        f"{ANOMALY_HINT if anomaly.enabled else HINT}"
    )


def holds_memory(saved: Any) -> bool:
    """Whether a saved value is a tensor or contains one."""
    if type(saved) is tuple:
        return any(map(holds_memory, saved))
    return isinstance(saved, (Tensor, PackedTensor))


CONTAINERS = (tuple, PackedTensor)


def to_array(value: Any) -> Any:
    """An argument as the forward function gets it: tensors as arrays, also within a tuple."""
    if type(value) is tuple:
        return tuple(map(to_array, value))
    return value._array if isinstance(value, (Tensor, PackedTensor)) else value


def to_arrays(values: Any) -> list[Any]:
    """The same for several arguments, without a call for most of them."""
    return [
        one._array if isinstance(one, Tensor) else to_array(one) if type(one) in CONTAINERS else one
        for one in values
    ]
