"""Modules: things with parameters, and modules in a row, a list or a dict."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from minigrad.modes import no_grad
from minigrad.op import functions
from minigrad.printing import tensor_text
from minigrad.tensor import Tensor, new


class Parameter(Tensor):
    """A tensor that a module registers when it is assigned."""

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        data = functions["empty"](0) if data is None else data
        parameter = new(cls)
        parameter._array, parameter._changes = data._array, data._shared_changes()
        parameter.requires_grad = requires_grad
        return parameter

    def __repr__(self) -> str:
        return "Parameter containing:\n" + tensor_text(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return parameter_of, (Tensor.detach(self), self.requires_grad)


def parameter_of(data: Tensor, requires_grad: bool) -> Parameter:
    return Parameter(data, requires_grad)


Parameter.__module__ = "torch.nn.parameter"


ALL_MATCHED = "<All keys matched successfully>"


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` did not find, and what it had no place for."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        return f"{type(self).__name__}{tuple(self)}" if any(self) else ALL_MATCHED


class Module:
    """Something with parameters and modules of its own, called like a function."""

    training = True

    def __init__(self) -> None:
        self.__dict__.update(_parameters={}, _buffers={}, _modules={}, _forward_hooks={})

    def __setattr__(self, name: str, value: Any) -> None:
        kind = "_parameters" if isinstance(value, Parameter) else "_modules"
        if isinstance(value, (Parameter, Module)):
            if "_parameters" not in self.__dict__:
                what = "parameters" if kind == "_parameters" else "module"
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            self.__dict__.pop(name, None)
            self.__dict__[kind][name] = value
        elif name in self.__dict__.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__module__}.{type(value).__name__}' as parameter "
                    f"'{name}' (torch.nn.Parameter or None expected)"
                )
            self._parameters[name] = None
        elif name in self.__dict__.get("_buffers", ()):
            self._buffers[name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kind, ()):
                return self.__dict__[kind][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def register_buffer(self, name: str, tensor: Tensor | None) -> None:
        self._buffers[name] = tensor

    def register_parameter(self, name: str, parameter: Parameter | None) -> None:
        self._parameters[name] = parameter

    def add_module(self, name: str, module: Module) -> None:
        self._modules[name] = module

    def forward(self, *args: Any) -> Any:
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.forward(*args, **kwargs)
        for hook in tuple(self._forward_hooks.values()):
            changed = hook(self, args, result)
            result = result if changed is None else changed
        return result

    def register_forward_hook(self, hook: Callable) -> Any:
        from minigrad.graph import Handle, HookDict

        if not isinstance(self._forward_hooks, HookDict):
            self._forward_hooks = HookDict()
        return Handle(self._forward_hooks, hook)

    # What it is made of

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        yield prefix, self
        for name, module in self._modules.items():
            yield from module.named_modules(f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        return iter(self._modules.items())

    def children(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def _members(self, kind: str) -> Iterator[tuple[str, Any]]:
        seen = set()
        for prefix, module in self.named_modules():
            for name, one in module.__dict__[kind].items():
                if one is not None and id(one) not in seen:
                    seen.add(id(one))
                    yield f"{prefix}.{name}" if prefix else name, one

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        return self._members("_parameters")

    def parameters(self) -> Iterator[Parameter]:
        return (one for _, one in self.named_parameters())

    def buffers(self) -> Iterator[Tensor]:
        return (one for _, one in self._members("_buffers"))

    def state_dict(self) -> OrderedDict[str, Tensor]:
        members = [*self._members("_parameters"), *self._members("_buffers")]
        return OrderedDict((name, one.detach()) for name, one in members)

    def load_state_dict(self, state_dict: dict[str, Tensor], strict: bool = True) -> Any:
        own = dict([*self._members("_parameters"), *self._members("_buffers")])
        faults: list[str] = []
        extra = [key for key in state_dict if key not in own]
        missing = [key for key in own if key not in state_dict]
        if strict and extra:
            faults.append("Unexpected key(s) in state_dict: " + ", ".join(f'"{k}"' for k in extra))
        if strict and missing:
            faults.insert(
                0, "Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in missing)
            )
        faults = [fault + ". " for fault in faults]
        for key, one in own.items():
            given = state_dict.get(key)
            if given is not None and given.shape != one.shape:
                faults.append(
                    f"size mismatch for {key}: copying a param with shape {given.shape} from "
                    f"checkpoint, the shape in current model is {one.shape}."
                )
            elif given is not None:
                with no_grad():
                    one.copy_(given)
        if faults:
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t"
                + "\n\t".join(faults)
            )
        return IncompatibleKeys(missing, extra)

    def apply(self, function: Callable) -> Module:
        for module in self.children():
            module.apply(function)
        function(self)
        return self

    def train(self, mode: bool = True) -> Module:
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        return self.train(False)

    def zero_grad(self, set_to_none: bool = True) -> None:
        for one in self.parameters():
            one._grad = None

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        for one in self.parameters():
            one.requires_grad_(requires_grad)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Module:
        for one in self.parameters():
            one.data = one.data.to(*args, **kwargs)
        return self

    def double(self) -> Module:
        return self.to(functions["float64"])

    def float(self) -> Module:
        return self.to(functions["float32"])

    def extra_repr(self) -> str:
        return ""

    def __repr__(self) -> str:
        lines = [
            f"({name}): " + repr(module).replace("\n", "\n  ")
            for name, module in self._modules.items()
        ]
        name, extra = type(self).__name__, self.extra_repr()
        if not lines:
            return f"{name}({extra})"
        return f"{name}(\n  " + "\n  ".join(lines) + "\n)"


class Sequential(Module):
    """Modules one after the other."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        named = (
            modules[0]
            if modules and isinstance(modules[0], dict)
            else {str(i): module for i, module in enumerate(modules)}
        )
        for name, module in named.items():
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, index: Any) -> Any:
        chosen = list(self._modules.values())[index]
        return Sequential(*chosen) if isinstance(index, slice) else chosen

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())


class ModuleList(Sequential):
    """Modules in a list."""

    def __repr__(self) -> str:
        """Neighbours with the same text are told once, with their number."""
        runs: list[list] = []
        for place, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1][1] = place
            else:
                runs.append([place, place, text])
        lines = []
        for first, last, text in runs:
            several = f"({first}-{last}): {last - first + 1} x "
            lines.append((several if last > first else f"({first}): ") + text.replace("\n", "\n  "))
        name = type(self).__name__
        return f"{name}(\n  " + "\n  ".join(lines) + "\n)" if lines else f"{name}()"

    def __init__(self, modules: Any = ()) -> None:
        super().__init__(*modules)

    def append(self, module: Module) -> ModuleList:
        self.add_module(str(len(self)), module)
        return self


class ModuleDict(Sequential):
    """Modules by name."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__(dict(modules or {}))

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __iter__(self) -> Any:
        return iter(self._modules)

    def keys(self) -> Any:
        return self._modules.keys()

    def values(self) -> Any:
        return self._modules.values()

    def items(self) -> Any:
        return self._modules.items()
