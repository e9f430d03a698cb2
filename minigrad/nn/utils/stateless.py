"""Calling a module with other parameters and buffers than its own."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

from minigrad.nn.modules.module import Module
from minigrad.tensor import Tensor

Tensors = dict[str, Any]


def functional_call(
    module: Module,
    parameters_and_buffers: Tensors,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Do what `torch.func.functional_call` does, of which this is the deprecated name."""
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 "
        "and will be removed in a future version of PyTorch. "
        "Please use `torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def _functional_call(
    module: Module,
    parameters_and_buffers: Tensors,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Return what a module gives with other tensors in the place of some of its own."""
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    with exchanged(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))


@contextlib.contextmanager
def exchanged(module: Module, given: Tensors, tie_weights: bool, strict: bool) -> Iterator[None]:
    """Put tensors in the place of a module's own for a while; note in `given` what became of them.

    Raises:
        ValueError: if two are given for what the module has once, under two names.
        RuntimeError: if `strict` and the names are not just those of the module.
    """
    tensors = with_ties(module, given) if tie_weights else given
    if strict:
        check_names(module, tensors)
    own: Tensors = {}
    try:
        for name, tensor in tensors.items():
            own[name] = swapped(module, name, tensor)
        yield
    finally:
        left = {name: swapped(module, name, tensor) for name, tensor in own.items()}
        given.update({name: left[name] for name in given if left.get(name, ABSENT) is not ABSENT})


ABSENT: Any = object()


def own_tensors(module: Module) -> dict[str, Tensor]:
    """Return the parameters and buffers of a module, by all their names."""
    parameters = module.named_parameters(remove_duplicate=False)
    return dict(parameters) | dict(module.named_buffers(remove_duplicate=False))


def with_ties(module: Module, given: Tensors) -> Tensors:
    """Return what is given, by all names that the module has for it."""
    names: dict[int, set[str]] = {}
    for name, tensor in own_tensors(module).items():
        names.setdefault(id(tensor), set()).add(name)
    tied = {name: same for same in names.values() if len(same) > 1 for name in same}
    complete = dict(given)
    for name in given.keys() & tied.keys():
        same = tied[name]
        if len({id(given.get(one)) for one in same}) > 1 and len(same & given.keys()) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(same)}, "
                "which are tied. Consider using tie_weights=False"
            )
        complete.update(dict.fromkeys(same, given[name]))
    return complete


def check_names(module: Module, given: Tensors) -> None:
    """Refuse names that the module has not, and the lack of those that it has."""
    own = own_tensors(module)
    wrong = ""
    for kind, names in (
        ("Unexpected", [name for name in given if name not in own]),
        ("Missing", [name for name in own if name not in given]),
    ):
        wrong += f"\n\t{kind} key(s): {', '.join(map(repr, sorted(names)))}." if names else ""
    if wrong:
        raise RuntimeError(f"Error(s) in reparametrizing for {module._get_name()}:{wrong}")


def swapped(module: Module, name: str, tensor: Any) -> Any:
    """Put a tensor in the place of one of a module's, by its name, and return that; or ABSENT."""
    path, _, last = name.rpartition(".")
    if not last:
        raise KeyError('tensor name can\'t be empty string ""')
    for part in filter(None, path.split(".")):
        if part not in module._modules:
            raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
        module = module._modules[part]
    if tensor is not ABSENT and tensor is not None and not isinstance(tensor, Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    for holder in (module._parameters, module._buffers):
        if last in holder:
            return exchange(holder, last, tensor)
    before = getattr(module, last, ABSENT)
    if before is not ABSENT and not isinstance(before, Tensor):
        text = "attribute `{}`: {} is not an instance of torch.Tensor"
        raise TypeError(text.format(name, before))
    if tensor is not ABSENT:
        setattr(module, last, tensor)  # a parameter becomes one of the module's
    elif before is not ABSENT:
        delattr(module, last)
    return before


def exchange(holder: dict[str, Any], name: str, value: Any) -> Any:
    """Set what a dictionary holds by a name, or remove it if ABSENT; return what it held."""
    before = holder.get(name, ABSENT)
    if value is ABSENT:
        holder.pop(name, None)
    else:
        holder[name] = value
    return before
