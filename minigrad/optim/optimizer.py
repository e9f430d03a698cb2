"""What all optimizers share: groups of parameters, state, and how both are saved and loaded."""

from __future__ import annotations

import copy
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import enable_grad
from minigrad.tensor import Tensor, from_array

Parameters = Iterable[Tensor] | Iterable[dict[str, Any]]
Closure = Callable[[], Any]


class Optimizer:
    """Base class of optimizers: a subclass says in `update` what a step does to one group.

    Args:
        params: an iterable of leaf tensors, or of dicts that have some under ``"params"`` and may
            give options of their own beside it.
        defaults: the options of groups that do not give them.

    Attributes:
        param_groups: a list of dicts, each with ``"params"`` and its options.
        state: for each parameter, what the optimizer remembers of it.

    Raises:
        TypeError: if `params` is a tensor or holds something else than tensors.
        ValueError: if it is empty, a tensor is no leaf, or belongs to two groups.
    """

    def __init__(self, params: Parameters, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {params.type()}"
            )
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Let the optimizer change more parameters, with options of their own.

        Raises:
            TypeError, ValueError: as the class; nothing is added then.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = checked_parameters(param_group["params"])
        if len(params) != len(set(params)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                UserWarning,
                stacklevel=3,
            )
        if not set(params).isdisjoint(self._parameters()):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**param_group, "params": params})
        for name, default in self.defaults.items():
            self.param_groups[-1].setdefault(name, default)

    def _parameters(self) -> Iterator[Tensor]:
        return chain.from_iterable(group["params"] for group in self.param_groups)

    def step(self, closure: Closure | None = None) -> Any:
        """Change each parameter that has a gradient, and return what `closure` returned.

        Args:
            closure: computes the loss anew, with its gradients, before the step.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with np.errstate(all="ignore"):
            for group in self.param_groups:
                self.update([one for one in group["params"] if one._grad is not None], group)
        return loss

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        """Change the parameters of one group that have gradients."""
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or else to zeros where there are any."""
        for param in self._parameters():
            grad = param._grad
            if set_to_none:
                param._grad = None
            elif grad is not None:
                if grad.is_leaf:
                    grad.requires_grad_(False)
                else:
                    grad = param._grad = grad.detach()
                grad._modify(np.zeros((), grad._array.dtype))

    def state_dict(self) -> dict[str, Any]:
        """Return state and options, with numbers in place of the parameters themselves."""
        numbers: dict[Tensor, int] = {}
        for param in self._parameters():
            numbers.setdefault(param, len(numbers))
        return {
            "state": {numbers[param]: state for param, state in self.state.items()},
            "param_groups": [
                {
                    **{name: value for name, value in group.items() if name != "params"},
                    "params": [numbers[param] for param in group["params"]],
                }
                for group in self.param_groups
            ],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned, of an optimizer with as many parameters.

        Raises:
            ValueError: if groups or parameters are not as many; nothing is changed then.
        """
        loaded = copy.deepcopy(state_dict)
        if len(loaded["param_groups"]) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        pairs = list(zip(loaded["param_groups"], self.param_groups, strict=True))
        if any(len(theirs["params"]) != len(ours["params"]) for theirs, ours in pairs):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        numbers = chain.from_iterable(theirs["params"] for theirs, _ in pairs)
        parameters = dict(zip(numbers, self._parameters(), strict=True))
        self.state = defaultdict(
            dict, {parameters[number]: state for number, state in loaded["state"].items()}
        )
        self.param_groups = [{**theirs, "params": ours["params"]} for theirs, ours in pairs]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {number}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
            lines += [""]
        return "\n".join([*lines[:-1], ")"])


def checked_parameters(params: Any) -> list[Tensor]:
    """Return the parameters of a group as a list.

    Raises:
        TypeError, ValueError: if they cannot be optimized, with PyTorch's texts.
    """
    if isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of "
            "tensors in sets will change between runs. Please use a list instead."
        )
    listed: list[Tensor] = [params] if isinstance(params, Tensor) else list(params)
    for param in listed:
        if not isinstance(param, Tensor):
            raise TypeError(
                "optimizer can only optimize Tensors, but one of the params is "
                f"{type(param).__name__}"
            )
        if not (param.is_leaf or param.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")
    return listed


def checked(name: str, value: Any) -> Any:
    """Return an option that must not be negative.

    Raises:
        ValueError: if it is.
    """
    if value < 0.0:
        raise ValueError(f"Invalid {name}: {value}")
    return value


def checked_lr(lr: Any) -> Any:
    """Return a learning rate: a number, or a tensor with one element.

    Raises:
        ValueError: if it is negative or has more elements.
    """
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    return checked("learning rate", lr)


def zeros_like(param: Tensor) -> Tensor:
    """Return a tensor of zeros, for an optimizer to remember something of a parameter."""
    return from_array(np.zeros_like(param._array))
