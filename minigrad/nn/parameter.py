"""Parameter and Buffer: the tensors that modules own."""

from __future__ import annotations

from typing import Any

from minigrad import creation
from minigrad.c_code import disabled_torch_function
from minigrad.copying import own_attributes
from minigrad.tensor import Tensor

OTHER_CLASS = (
    "Creating a Parameter from an instance of type {} requires that detach() returns an instance "
    "of the same type, but return type {} was found instead. To use the type as a Parameter, "
    "please correct the detach() semantics defined by its __torch_dispatch__() implementation."
)


class ParameterType(type):
    """Knows a parameter of a subclass of Tensor by its mark."""

    def __instancecheck__(cls, instance: Any) -> bool:
        marked = cls is Parameter and isinstance(instance, Tensor) and "_is_param" in vars(instance)
        return marked or super().__instancecheck__(instance)


class Parameter(Tensor, metaclass=ParameterType):
    """A leaf that a `Module` counts among its parameters when it becomes an attribute.

    Args:
        data: a tensor, whose memory the parameter shares; an empty one by default.
        requires_grad: whether operations on the parameter are recorded.

    Raises:
        RuntimeError: if it requires grad and is not of floating point dtype.
        TypeError: if `requires_grad` is no bool.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html

    >>> import minigrad as torch
    >>> torch.nn.Parameter(torch.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __module__ = "torch.nn.parameter"

    __torch_function__: Any = disabled_torch_function
    _shown_as_parameter = True  # those of other classes are marked, one by one

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        given: Any = creation.empty(0) if data is None else data
        if type(given) in (Tensor, Parameter):
            return Tensor._make_subclass(cls, given, requires_grad)
        kept = given.detach().requires_grad_(requires_grad)
        if type(kept) is not type(given):
            raise RuntimeError(OTHER_CLASS.format(type(given).__name__, type(kept).__name__))
        vars(kept)["_is_param"] = True
        return kept

    def __repr__(self) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        """Return a copy without the gradient, as PyTorch does."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        copied: Parameter = memo[id(self)]
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        given = self.data, self.requires_grad
        return rebuilt_parameter, given, own_attributes(self) or None


def rebuilt_parameter(data: Tensor, requires_grad: bool) -> Any:
    """Return the parameter that was pickled."""
    return Parameter(data, requires_grad)


class BufferType(type):
    """Knows a buffer by its mark: a plain tensor carries it."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(metaclass=BufferType):
    """A tensor that a `Module` counts among its buffers when it becomes an attribute.

    Args:
        data: a tensor, whose memory the buffer shares; an empty one by default.
        persistent: whether it is part of the module's `state_dict`.
    """

    __module__ = "torch.nn.parameter"

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        data = creation.empty(0) if data is None else data
        buffer: Any = data.detach().requires_grad_(data.requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer
