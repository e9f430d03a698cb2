"""Module: parameters, buffers and other modules under one name, called like a function."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from minigrad.graph import Hook, HookDict, RemovableHandle
from minigrad.modes import no_grad
from minigrad.nn.parameters import Parameter
from minigrad.tensor import Tensor, from_array


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` returns: the names it missed, and those it had no use for."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not any(self):
            return "<All keys matched successfully>"
        missing, unexpected = self
        return f"_IncompatibleKeys(missing_keys={missing!r}, unexpected_keys={unexpected!r})"


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

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]
    _forward_hooks: HookDict
    _forward_pre_hooks: HookDict

    def __init__(self) -> None:
        members: dict[str, Any] = {"_parameters": {}, "_buffers": {}, "_modules": {}}
        self.__dict__.update(members, training=True, _non_persistent_buffers_set=set())
        self._forward_hooks, self._forward_pre_hooks = HookDict(), HookDict()

    def forward(self, *input: Any) -> Any:
        """Compute the output. Each subclass defines it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._forward_hooks or self._forward_pre_hooks:
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for hook in tuple(self._forward_pre_hooks.values()):
            replacement = hook(self, args)
            if replacement is not None:
                args = replacement if isinstance(replacement, tuple) else (replacement,)
        result = self.forward(*args, **kwargs)
        for hook in tuple(self._forward_hooks.values()):
            replacement = hook(self, args, result)
            if replacement is not None:
                result = replacement
        return result

    def register_forward_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, args)`` before `forward`; it may return other arguments."""
        return RemovableHandle(self._forward_pre_hooks, hook)

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
        members = self.__dict__
        if isinstance(value, Parameter):
            self._free_name(name, "parameters")
            self.register_parameter(name, value)
        elif name in members.get("_parameters", ()):
            check_none(value, f"parameter '{name}' (torch.nn.Parameter")
            members["_parameters"][name] = None
        elif isinstance(value, Module):
            self._free_name(name, "module")
            members["_modules"][name] = value
        elif name in members.get("_modules", ()):
            check_none(value, f"child module '{name}' (torch.nn.Module")
            members["_modules"][name] = None
        elif name in members.get("_buffers", ()):
            if not isinstance(value, Tensor):
                check_none(value, f"buffer '{name}' (torch.nn.Buffer, torch.Tensor")
            members["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def _free_name(self, name: str, title: str) -> None:
        """Forget the attribute of a name, to give it to a parameter or module."""
        if "_modules" not in self.__dict__:
            raise AttributeError(f"cannot assign {title} before Module.__init__() call")
        for members in (self.__dict__, self._buffers, self._modules):
            members.pop(name, None)
        if title == "module":
            self._parameters.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for members in (self._parameters, self._buffers, self._modules):
            if name in members:
                del members[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*object.__dir__(self), *self._parameters, *self._buffers, *self._modules]
        return [name for name in names if not name[0].isdigit()]

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, or None, under a name.

        Raises KeyError if the name is empty, contains a dot or is taken, and TypeError if `param`
        is no Parameter.
        """
        self._check_name(name, "parameter", "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type_name(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the state but isn't trained.

        A buffer that isn't `persistent` is left out of `state_dict`. Raises as
        `register_parameter` does.
        """
        self._check_name(name, "buffer", "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type_name(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        transient = self._non_persistent_buffers_set
        (transient.discard if persistent else transient.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a module, or None, under a name. Raises as `register_parameter` does."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._check_name(name, "module", "_modules")
        self._modules[name] = module

    register_module = add_module

    def _check_name(self, name: Any, title: str, kind: str) -> None:
        if kind not in self.__dict__:
            raise AttributeError(f"cannot assign {title} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{title} name should be a string. Got {type_name(name)}")
        if "." in name:
            got = f", got: {name}" if kind == "_modules" else ""
            raise KeyError(f'{title} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{title} name can\'t be empty string ""')
        if hasattr(self, name) and name not in self.__dict__[kind]:
            raise KeyError(f"attribute '{name}' already exists")

    # All members, of this module and of those in it

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = ""
    ) -> Iterator[tuple[str, Module]]:
        """This module and all modules in it, each once, with their names (``"layers.0"``)."""
        memo = set() if memo is None else memo
        if self not in memo:
            memo.add(self)
            yield prefix, self
            for name, module in self._modules.items():
                if module is not None:
                    yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        """This module and all modules in it, each once."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly in this one, with their names."""
        memo: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in memo:
                memo.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules directly in this one, each once."""
        for _, module in self.named_children():
            yield module

    def _named_members(self, kind: str, prefix: str, recurse: bool) -> Iterator[tuple[str, Any]]:
        memo = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, member in getattr(module, kind).items():
                if member is not None and member not in memo:
                    memo.add(member)
                    yield f"{path}.{name}" if path else name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters, each once, with their names; without `recurse`, only this module's own.

        >>> import minigrad as torch
        >>> [name for name, _ in torch.nn.Linear(2, 3).named_parameters()]
        ['weight', 'bias']
        """
        return self._named_members("_parameters", prefix, recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once; without `recurse`, only this module's own."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """The buffers, as `named_parameters`."""
        return self._named_members("_buffers", prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, as `parameters`."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

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
        self.training = mode
        for module in self.children():
            module.train(mode)
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
                grad: Any = param._grad
                grad.detach_().zero_()

    def _apply(self, fn: Callable[[Any], Any]) -> Self:
        """Replace the memory of parameters, gradients and buffers by that of ``fn(tensor)``."""
        for module in self.children():
            module._apply(fn)
        for param in self._parameters.values():
            if param is not None:
                param.data = fn(param.data)
                if param._grad is not None:
                    param._grad.data = fn(param._grad.data)
        for name, buffer in self._buffers.items():
            self._buffers[name] = None if buffer is None else fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Convert the floating point parameters and buffers, as `Tensor.to` does, in place.

        Raises TypeError for a dtype that isn't a floating point one.
        """
        example: Any = from_array(np.empty(0, np.float32))
        target = example.to(*args, **kwargs)
        if not target.is_floating_point():
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={target.dtype}"
            )
        return self._apply(lambda t: t.to(*args, **kwargs) if t.is_floating_point() else t)

    def float(self) -> Self:
        """Convert the floating point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Convert the floating point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def cpu(self) -> Self:
        """Return this module: its tensors are on the CPU."""
        return self

    def cuda(self, device: Any = None) -> Self:
        """Move the tensors, as `Tensor.cuda` does, which refuses it."""
        return self._apply(lambda t: t.cuda(device))

    # Saving and loading

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> OrderedDict[str, Tensor]:
        """The parameters and persistent buffers by name, as tensors that share their memory.

        `keep_vars` returns the parameters themselves.
        """
        state = OrderedDict()
        for members in (self._parameters, self._buffers):
            for name, tensor in members.items():
                if tensor is not None and name not in self._non_persistent_buffers_set:
                    state[prefix + name] = tensor if keep_vars else tensor.detach()
        for name, module in self._modules.items():
            if module is not None:
                state |= module.state_dict(prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return state

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True
    ) -> IncompatibleKeys:
        """Copy the tensors of `state_dict` into the parameters and buffers of the same names.

        Raises RuntimeError if a shape differs, or if names differ and `strict` is set; then, unlike
        in PyTorch, nothing is copied. Raises TypeError if `state_dict` is no mapping.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        own = self.state_dict(keep_vars=True)
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        errors = []
        for title, names in (("Missing", missing), ("Unexpected", unexpected)):
            if strict and names:
                listed = ", ".join([f'"{name}"' for name in names])
                errors.append(f"{title} key(s) in state_dict: {listed}. ")
        loaded = [(name, own[name], state_dict[name]) for name in own if name in state_dict]
        errors += [
            f"size mismatch for {name}: copying a param with shape {source.shape} from checkpoint, "
            f"the shape in current model is {target.shape}."
            for name, target, source in loaded
            if source.shape != target.shape
        ]
        if errors:
            raise RuntimeError(
                "\n\t".join([f"Error(s) in loading state_dict for {type(self).__name__}:", *errors])
            )
        with no_grad():
            for _, target, source in loaded:
                target.copy_(source)
        return IncompatibleKeys(missing, unexpected)

    # Printing

    def extra_repr(self) -> str:
        """What the printed form shows in parentheses. Subclasses override it."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [
            f"({name}): {module!r}".replace("\n", "\n  ") for name, module in self._modules.items()
        ]
        if not children and len(lines) <= 1:
            return f"{type(self).__name__}({extra})"
        return "\n  ".join([f"{type(self).__name__}(", *lines, *children]) + "\n)"


def type_name(value: Any) -> str:
    """The type of a value in an error's text: ``torch.FloatTensor``, ``int``."""
    if isinstance(value, Tensor):
        text: str = value.type()  # type: ignore[attr-defined]
        return text
    kind = value if isinstance(value, type) else type(value)
    outside = kind.__module__ != "builtins"
    return f"{kind.__module__}.{kind.__qualname__}" if outside else kind.__qualname__


def check_none(value: Any, place: str) -> None:
    """Refuse to assign anything but None to the name of a parameter, module or buffer."""
    if value is not None:
        raise TypeError(f"cannot assign '{type_name(value)}' as {place} or None expected)")
