"""Module and Parameter: what networks are made of."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

from minigrad.dtypes import float32, float64, type_name
from minigrad.graph import Hook, HookDict, RemovableHandle
from minigrad.printing import tensor_text
from minigrad.tensor import Tensor, from_array, new

Pairs = Iterator[tuple[str, Any]]  # names and members


class Parameter(Tensor):
    """A leaf that a `Module` adds to its parameters when it is assigned to an attribute.

    It shares the memory of `data`. Raises RuntimeError if it should require grad and isn't of a
    floating point dtype.
    https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html

    >>> import minigrad as torch
    >>> torch.nn.Parameter(torch.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __module__ = "torch.nn.parameter"  # as PyTorch prints the class

    def __new__(cls, data: Any, requires_grad: bool = True) -> Any:
        source = data.detach()
        if requires_grad and source._array.dtype.kind != "f":
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        parameter = new(cls)
        parameter._array = source._array
        parameter._version_counter = source._version_counter
        parameter.requires_grad = requires_grad
        return parameter

    def __repr__(self) -> str:
        return "Parameter containing:\n" + tensor_text(self)

    __deepcopy__ = None  # copies are made as for pickle: without the gradient, as in PyTorch

    def __reduce_ex__(self, protocol: Any) -> Any:
        return rebuild_parameter, (self._array, self.requires_grad)


def rebuild_parameter(array: Any, requires_grad: bool) -> Any:
    """The parameter that was pickled."""
    return Parameter(from_array(array), requires_grad)


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")):
    """What `load_state_dict` returns: the names it missed, and those it had no use for."""

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class Module:
    """The base class of layers, losses and networks.

    A subclass calls ``super().__init__()``, assigns parameters and other modules to its attributes,
    and computes its output in `forward`. Calling the module calls `forward` and the hooks.

    Attributes:
        training: whether the module is in training mode; see `train`.

    https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html

    >>> import minigrad as torch
    >>> class Scale(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.Parameter(torch.tensor(2.0))
    ...     def forward(self, x):
    ...         return x * self.factor
    >>> Scale()(torch.ones(2))
    tensor([2., 2.], grad_fn=<MulBackward0>)
    """

    def __init__(self) -> None:
        self.__dict__.update(_parameters={}, _buffers={}, _modules={})
        self.training, self._forward_hooks = True, HookDict()

    def forward(self, *input: Any) -> Any:
        """Compute the output. Each subclass defines it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        hooks, result = self._forward_hooks, self.forward(*args, **kwargs)
        for hook in tuple(hooks.values()) if hooks else ():
            if (replacement := hook(self, args, result)) is not None:
                result = replacement
        return result

    def register_forward_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after `forward`; it may return another output."""
        return RemovableHandle(self._forward_hooks, hook)

    # Attributes: parameters, buffers and modules are kept in dicts of their own

    def __getattr__(self, name: str) -> Any:
        attributes = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in (members := attributes.get(kind, ())):
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        for kind, own in (("_parameters", Parameter), ("_modules", Module), ("_buffers", ())):
            if isinstance(value, own) or name in attributes.get(kind, ()):
                if kind not in attributes:
                    title = "module" if kind == "_modules" else "parameters"
                    raise AttributeError(f"cannot assign {title} before Module.__init__() call")
                check(kind, name, value)
                if name not in attributes[kind]:
                    self._forget(name)
                attributes[kind][name] = value
                return
        object.__setattr__(self, name, value)

    def _forget(self, name: str) -> None:
        for members in (self.__dict__, self._parameters, self._buffers, self._modules):
            members.pop(name, None)

    def __delattr__(self, name: str) -> None:
        getattr(self, name)  # raises AttributeError if there is no such attribute
        self._forget(name)

    def __dir__(self) -> list[str]:
        names = [*object.__dir__(self), *self._parameters, *self._buffers, *self._modules]
        return [name for name in names if not name[0].isdigit()]

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, or None, under a name.

        Raises KeyError if the name is empty, contains a dot, or belongs to something else, and
        TypeError if `param` is no Parameter.
        """
        self._register("_parameters", name, param)

    def register_buffer(self, name: str, tensor: Tensor | None) -> None:
        """Add a tensor that belongs to the state but isn't trained.

        Raises as `register_parameter` does.
        """
        self._register("_buffers", name, tensor)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a module, or None, under a name. Raises as `register_parameter` does."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._register("_modules", name, module)

    def _register(self, kind: str, name: str, value: Any) -> None:
        check(kind, name, value)
        if "." in name or name == "":
            raise KeyError(f"name can't be empty or contain a dot: {name!r}")
        if hasattr(self, name) and name not in self.__dict__[kind]:
            raise KeyError(f"attribute '{name}' already exists")
        self.__dict__[kind][name] = value

    # All members, of this module and of those in it

    def _walk(self, path: str = "") -> Iterator[tuple[str, Module]]:
        """This module and all in it, as often as they occur, with what their members' names get."""
        yield path, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module._walk(f"{path}{name}.")

    def _members(self, kind: str, path: str = "", recurse: bool = True) -> Pairs:
        modules = self._walk(path) if recurse else [(path, self)]
        return each_once(
            (path + name, one)
            for path, module in modules
            for name, one in getattr(module, kind).items()
        )

    def named_modules(self) -> Pairs:
        """This module and all modules in it, each once, with their names (``"layers.0"``)."""
        return each_once((path.removesuffix("."), module) for path, module in self._walk())

    def modules(self) -> Iterator[Module]:
        """This module and all modules in it, each once."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Pairs:
        """The modules directly in this one, each once, with their names."""
        return each_once(self._modules.items())

    def children(self) -> Iterator[Module]:
        """The modules directly in this one, each once."""
        return (module for _, module in self.named_children())

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Pairs:
        """The parameters, each once, with their names; without `recurse`, only this module's own.

        >>> import minigrad as torch
        >>> [name for name, _ in torch.nn.Linear(2, 3).named_parameters()]
        ['weight', 'bias']
        """
        return self._members("_parameters", f"{prefix}." if prefix else "", recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once; without `recurse`, only this module's own."""
        return (param for _, param in self._members("_parameters", recurse=recurse))

    # What is done with all of them

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call ``fn(module)`` for all modules in this one, and then for this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Self:
        """Set training mode (dropout and batch norm act as in training), or leave it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        """Set evaluation mode: ``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` of all parameters."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradient of every parameter to None, or to zeros if `set_to_none` is False."""
        for param in self.parameters():
            if set_to_none:
                param._grad = None
            elif param._grad is not None:
                param._grad.detach_().zero_()

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Convert the floating point parameters and buffers, as `Tensor.to` does, in place."""
        for kind in ("_parameters", "_buffers"):
            for _, tensor in self._members(kind):
                for one in (tensor, tensor._grad):
                    if one is not None and one.is_floating_point():
                        one.data = one.data.to(*args, **kwargs)
        return self

    def float(self) -> Self:
        """Convert the floating point parameters and buffers to float32."""
        return self.to(float32)

    def double(self) -> Self:
        """Convert the floating point parameters and buffers to float64."""
        return self.to(float64)

    def cpu(self) -> Self:
        """Return this module: its tensors are on the CPU."""
        return self

    def cuda(self) -> Self:
        """Move the tensors, as `Tensor.cuda` does, which refuses it."""
        return self.to("cuda")

    # Saving and loading

    def state_dict(self, *, prefix: str = "") -> OrderedDict[str, Tensor]:
        """The parameters and buffers by name, as tensors that share their memory."""
        state = OrderedDict()
        for path, module in self._walk(prefix):
            for name, tensor in (module._parameters | module._buffers).items():
                if tensor is not None:
                    state[path + name] = tensor.detach()
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> Any:
        """Copy the tensors of `state_dict` into the parameters and buffers of the same names.

        Raises RuntimeError if a shape differs, or if names differ and `strict` is set; then, unlike
        in PyTorch, nothing is copied. Raises TypeError if `state_dict` is no mapping.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        own, errors = self.state_dict(), []
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        for title, names in (("Missing", missing), ("Unexpected", unexpected)):
            if strict and names:
                listed = ", ".join([f'"{name}"' for name in names])
                errors.append(f"{title} key(s) in state_dict: {listed}. ")
        known = [name for name in own if name in state_dict]
        for name in known:
            if not isinstance(state_dict[name], Tensor):
                errors.append(
                    f'While copying the parameter named "{name}", expected torch.Tensor or '
                    "Tensor-like object from checkpoint but received "
                    f"{type(state_dict[name])}"
                )
            elif (shape := state_dict[name].shape) != own[name].shape:
                errors.append(
                    f"size mismatch for {name}: copying a param with shape {shape} from "
                    f"checkpoint, the shape in current model is {own[name].shape}."
                )
        if errors:
            title = f"Error(s) in loading state_dict for {type(self).__name__}:"
            raise RuntimeError("\n\t".join([title, *errors]))
        for name in known:
            own[name].copy_(state_dict[name].detach())
        return _IncompatibleKeys(missing, unexpected)

    # Printing

    def extra_repr(self) -> str:
        """What the printed form shows in parentheses. Subclasses override it."""
        return ""

    def _child_lines(self) -> list[str]:
        return [f"({name}): {module!r}" for name, module in self._modules.items()]

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = self._child_lines()
        if not children and len(lines) <= 1:
            return f"{type(self).__name__}({extra})"
        lines += [child.replace("\n", "\n  ") for child in children]
        return "\n  ".join([f"{type(self).__name__}(", *lines]) + "\n)"


# What can be a member of each kind, and what error texts call it.
MEMBERS: dict[str, tuple[type, str, str]] = {
    "_parameters": (Parameter, "parameter", "torch.nn.Parameter or None"),
    "_buffers": (Tensor, "buffer", "torch.nn.Buffer, torch.Tensor or None"),
    "_modules": (Module, "child module", "torch.nn.Module or None"),
}


def check(kind: str, name: str, value: Any) -> None:
    """Refuse a value that is neither None nor of the class of this kind."""
    accepted, title, expected = MEMBERS[kind]
    if value is not None and not isinstance(value, accepted):
        got = value.type() if isinstance(value, Tensor) else type_name(value)
        raise TypeError(f"cannot assign '{got}' as {title} '{name}' ({expected} expected)")


def each_once(pairs: Iterable[tuple[str, Any]]) -> Pairs:
    """Each member with the first of its names; None is no member."""
    names: dict[Any, str] = {}
    for name, member in pairs:
        names.setdefault(member, name)
    names.pop(None, None)
    return ((name, member) for member, name in names.items())
