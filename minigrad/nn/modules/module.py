"""Module: what every part of a network is."""

from __future__ import annotations

import inspect
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minigrad import dtypes
from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import empty_like
from minigrad.device import check_device
from minigrad.nn.modules.everywhere import HoldingHooks, as_registered
from minigrad.nn.modules.everywhere import (
    register_module_backward_hook as register_module_backward_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_buffer_registration_hook as register_module_buffer_registration_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_forward_hook as register_module_forward_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_forward_pre_hook as register_module_forward_pre_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_full_backward_hook as register_module_full_backward_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_full_backward_pre_hook as register_module_full_backward_pre_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_module_registration_hook as register_module_module_registration_hook,
)
from minigrad.nn.modules.everywhere import (
    register_module_parameter_registration_hook as register_module_parameter_registration_hook,
)
from minigrad.nn.modules.hooks import KINDS, Hooked
from minigrad.nn.modules.state_dict import STATE_HOOKS, Stateful
from minigrad.nn.modules.state_dict import _IncompatibleKeys as _IncompatibleKeys
from minigrad.nn.parameter import Buffer, Parameter
from minigrad.ops.pointwise import dtype_like
from minigrad.ops.signatures import chosen
from minigrad.tensor import Tensor
from minigrad.typename import NamedAsInTorch, typename

Named = Iterator[tuple[str, Any]]


class Module(Hooked, Stateful, NamedAsInTorch):
    """Base class of the parts of networks, and of networks.

    A subclass calls ``super().__init__()``, makes parameters and other modules its attributes, and
    says in `forward` what it computes. Calling the module calls `forward` and the hooks.

    Attributes:
        training: whether the module is in training mode; see `train`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html

    >>> import minigrad as torch
    >>> class Double(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.Parameter(torch.tensor(2.0))
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> Double()(torch.ones(2))
    tensor([2., 2.], grad_fn=<MulBackward0>)
    """

    call_super_init = False
    training: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init:
            self._refuse(args, kwargs)
        for name in ("_parameters", "_buffers", "_modules"):
            object.__setattr__(self, name, {})
        for name in (*KINDS, *STATE_HOOKS):
            object.__setattr__(self, name, OrderedDict())
        object.__setattr__(self, "_non_persistent_buffers_set", set())
        object.__setattr__(self, "training", True)
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def _refuse(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        where = f"{type(self).__name__}.__init__()"
        if kwargs:
            raise TypeError(f"{where} got an unexpected keyword argument '{next(iter(kwargs))}'")
        if args:
            raise TypeError(f"{where} takes 1 positional argument but {len(args) + 1} were given")

    def forward(self, *input: Any) -> Any:
        """Compute the output; each subclass says how.

        Raises:
            NotImplementedError: if it does not.
        """
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    # Attributes: parameters, buffers and modules live in dicts of their own

    def __getattr__(self, name: str) -> Any:
        attributes = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            members = attributes.get(kind, ())
            if name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if isinstance(value, Parameter):
            self._make_room(name, "_parameters", "parameters")
            self.register_parameter(name, value)
        elif name in attributes.get("_parameters", ()):
            refuse_unless_none(value, "parameter", name, "torch.nn.Parameter")
            self.register_parameter(name, None)
        elif isinstance(value, Module):
            self._make_room(name, "_modules", "module")
            self._modules[name] = as_registered(self, "module", name, value)
        elif name in attributes.get("_modules", ()):
            refuse_unless_none(value, "child module", name, "torch.nn.Module")
            self._modules[name] = as_registered(self, "module", name, None)
        elif name in attributes.get("_buffers", ()) or isinstance(value, Buffer):
            if not isinstance(value, Tensor):
                refuse_unless_none(value, "buffer", name, "torch.nn.Buffer, torch.Tensor")
            persistent = name not in attributes.get("_non_persistent_buffers_set", ())
            if isinstance(value, Buffer):
                persistent = vars(value)["persistent"]
            self.register_buffer(name, value, *persistence(self, persistent))
        else:
            object.__setattr__(self, name, value)

    def _make_room(self, name: str, kind: str, what: str) -> None:
        """Take a name away from other kinds of attributes."""
        if kind not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        self.__dict__.pop(name, None)
        for other in {"_parameters", "_buffers", "_modules"} - {kind}:
            self.__dict__[other].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for members in (self._parameters, self._buffers, self._modules):
            if name in members:
                del members[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__]
        names += [*self._parameters, *self._modules, *self._buffers]
        return sorted([name for name in names if not name[0].isdigit()])

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Make a parameter, or None, an attribute.

        Raises:
            KeyError: if the name is empty, has a dot in it, or is that of another attribute.
            TypeError: if the name is no string or `param` no Parameter.
            ValueError: if `param` is not a leaf.
        """
        self._check_name(name, "parameter", self.__dict__.get("_parameters"))
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                f"created explicitly. To express '{name}' as a function of another Tensor, compute "
                "the value in the forward() method."
            )
        if param is not None:
            param = as_registered(self, "parameter", name, param)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Make a tensor, or None, an attribute that is saved with the parameters but not trained.

        A buffer that is not `persistent` is no part of `state_dict`.

        Raises:
            KeyError, TypeError: as `register_parameter`.
        """
        self._check_name(name, "buffer", self.__dict__.get("_buffers"))
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = as_registered(self, "buffer", name, tensor)
        change = self._non_persistent_buffers_set
        (change.discard if persistent else change.add)(name)

    def _check_name(self, name: str, kind: str, members: Any) -> None:
        if members is None:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in members:
            raise KeyError(f"attribute '{name}' already exists")

    def add_module(self, name: str, module: Module | None) -> None:
        """Make a module, or None, an attribute.

        Raises:
            KeyError: if the name is empty, has a dot in it, or is that of another attribute.
            TypeError: if the name is no string or `module` no Module.
        """
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = as_registered(self, "module", name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """Do what `add_module` does."""
        self.add_module(name, module)

    def get_submodule(self, target: str) -> Module:
        """Return the module of a name such as ``"layers.0"``; this one for ``""``.

        Raises:
            AttributeError: if there is no module of that name.
        """
        module = self
        for name in target.split(".") if target else ():
            module = attribute(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module in the place of the one of a name such as ``"layers.0"``, or add it there.

        Args:
            strict: refuse a name that there is not yet.

        Raises:
            ValueError: if the name is empty, or `module` no Module.
            AttributeError: if there is no module to put it in, something else has that name, or
                nothing has, with `strict`.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self if target.count(".") == 0 else self.get_submodule(path)
        before = attribute(parent, name) if strict or hasattr(parent, name) else module
        if not isinstance(before, Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter of a name such as ``"layers.0.weight"``.

        Raises:
            AttributeError: if there is none of that name.
        """
        path, _, name = target.rpartition(".")
        param = attribute(self.get_submodule(path), name)
        if not isinstance(param, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return param

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer of a name such as ``"layers.0.mean"``.

        Raises:
            AttributeError: if there is none of that name.
        """
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        buffer: Tensor = attribute(module, name)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return buffer

    # All there is, in this module and those in it

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Named:
        """Yield this module and all in it, each once, with their names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                full = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, full, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """Yield this module and all in it, each once."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Named:
        """Yield the modules directly in this one, each once, with their names."""
        memo = set()
        for name, module in self._modules.items():
            if module is not None and module not in memo:
                memo.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """Yield the modules directly in this one, each once."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self,
        get_members_fn: Callable[[Module], Iterable[tuple[str, Any]]],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Named:
        memo = set()
        modules: Iterable[tuple[str, Module]] = [(prefix, self)]
        if recurse:
            modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or member in memo:
                    continue
                if remove_duplicate:
                    memo.add(member)
                yield f"{path}.{name}" if path else name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Named:
        """Yield the parameters, each once, with their names.

        >>> import minigrad as torch
        >>> [name for name, _ in torch.nn.Linear(2, 3).named_parameters()]
        ['weight', 'bias']
        """
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield the parameters, each once; with `recurse` those of modules in this one too."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Named:
        """Yield the buffers, each once, with their names."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the buffers, each once; with `recurse` those of modules in this one too."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    # What is done to all of it

    def apply(self, fn: Callable[[Module], Any]) -> Module:
        """Call ``fn(module)`` for all modules in this one and for itself, and return it."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Module:
        """Set the mode in which `Dropout` drops, of all modules, and return this one.

        Raises:
            ValueError: if `mode` is no bool.
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Module:
        """Leave training mode: ``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Set whether operations on the parameters are recorded, and return the module."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or else to zeros where there are any."""
        for param in self.parameters():
            grad = param._grad
            if set_to_none:
                param._grad = None
            elif grad is not None:
                grad.detach_() if grad.grad_fn is not None else grad.requires_grad_(False)
                grad.zero_()

    def _apply(self, fn: Callable[[Tensor], Any], recurse: bool = True) -> Module:
        """Put ``fn(tensor)`` in place of each parameter's memory, its gradient and each buffer."""
        for module in self.children() if recurse else ():
            module._apply(fn)
        with no_grad():
            for param in self._parameters.values():
                if param is not None:
                    param.data = fn(param)
                    if param._grad is not None:
                        param._grad.data = fn(param._grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Module:
        """Convert parameters and buffers of floating point to another such dtype.

        It takes what `Tensor.to` takes: a dtype, or a tensor of it, and a device, which is the cpu.

        Raises:
            TypeError: if the dtype is no floating point dtype.
            RuntimeError: for another device, or a `copy`.
        """
        taken = chosen("Tensor.to", args, kwargs)
        assert taken is not None
        given = {one.name: value for one, _, _, value in taken.given(args, kwargs)}
        if "copy" in given:
            raise RuntimeError(".to() does not accept copy argument")
        check_device(given.get("device"))
        dtype = dtype_like(given["tensor"]) if "tensor" in given else given.get("dtype")
        if dtype is None:
            return self
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype}"
            )
        return self._apply(lambda one: one.to(dtype) if one.is_floating_point() else one)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Module:
        """Put new memory, of which nothing is known, in place of that of parameters and buffers."""
        return self._apply(lambda one: empty_like(one, device=device), recurse)

    def float(self) -> Module:
        """Convert parameters and buffers of floating point to float32, and return the module."""
        return self.to(dtypes.float32)

    def double(self) -> Module:
        """Convert parameters and buffers of floating point to float64, and return the module."""
        return self.to(dtypes.float64)

    def half(self) -> Module:
        """Convert parameters and buffers of floating point to float16, and return the module."""
        return self.to(dtypes.float16)

    def type(self, dst_type: Any) -> Module:
        """Convert all parameters and buffers to a dtype, and return the module."""
        return self._apply(lambda one: one.type(dst_type))

    def cuda(self, device: Any = None) -> Module:
        """Copy parameters and buffers to a graphics processor.

        Raises:
            AssertionError: with PyTorch's text, as minigrad computes on the cpu.
        """
        return self._apply(lambda one: one.cuda(device))

    def cpu(self) -> Module:
        """Return the module: it is on the cpu."""
        return self

    # How it is shown and kept

    def _get_name(self) -> str:
        return self.__class__.__name__

    def extra_repr(self) -> str:
        """Return what the printed form says of the module itself; a subclass may say more."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr().split("\n") if self.extra_repr() else []
        children = [indented(f"({name}): {module!r}") for name, module in self._modules.items()]
        if len(own) == 1 and not children:
            return f"{self._get_name()}({own[0]})"
        lines = "".join([f"  {line}\n" for line in own + children])
        return f"{self._get_name()}(\n{lines})" if lines else f"{self._get_name()}()"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in (*KINDS, *STATE_HOOKS):  # which PyTorch's files may not have
            self.__dict__.setdefault(name, OrderedDict())


sys.modules[__name__].__class__ = HoldingHooks

# Messages name methods by the class that users know them of.
for part in (Hooked, Stateful):
    for name, method in vars(part).items():
        if inspect.isfunction(method):
            method.__qualname__ = f"Module.{name}"


def attribute(module: Any, name: str) -> Any:
    """Return an attribute of a module.

    Raises:
        AttributeError: if it has none of that name.
    """
    if not hasattr(module, name):
        raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
    return getattr(module, name)


def persistence(module: Module, persistent: bool) -> tuple[bool, ...]:
    """Return what to tell a module of a buffer's persistence: nothing, if it does not ask for it.

    Raises:
        RuntimeError: if it should know, as the buffer is not persistent, with PyTorch's text.
    """
    register = module.register_buffer
    if getattr(register, "__func__", None) is Module.register_buffer:
        return (persistent,)
    if "persistent" in inspect.signature(register).parameters:
        return (persistent,)
    if not persistent:
        raise RuntimeError(
            "Registering a non-persistent buffer on a Module subclass that implements "
            "register_buffer() without the persistent argument is not allowed."
        )
    return ()


def refuse_unless_none(value: Any, kind: str, name: str, expected: str) -> None:
    """Refuse a value that does not fit in the place of a parameter, module or buffer."""
    if value is not None:
        raise TypeError(
            f"cannot assign '{typename(value)}' as {kind} '{name}' ({expected} or None expected)"
        )


def indented(text: str) -> str:
    """Return text whose lines after the first, unless blank, are indented."""
    first, *rest = text.split("\n")
    return "\n".join([first, *[f"  {line}" if line.strip() else "" for line in rest]])
