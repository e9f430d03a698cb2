"""The base class of the optimizers: parameter groups, state, and how both are saved."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from minigrad.dtypes import type_name
from minigrad.modes import enable_grad, quiet
from minigrad.tensor import Tensor, from_array

Group = dict[str, Any]
Params = Iterable[Tensor] | Iterable[Group]


class Optimizer:
    """Changes parameters by their gradients. A subclass defines what one step does.

    Args:
        params: tensors or dicts. A dict is a parameter group: it
            has its tensors under ``"params"``, and options of its own beside them.
        defaults: the options of the groups that don't set them.

    Attributes:
        param_groups: the groups, each with all its options.
        state: for each parameter, what the optimizer remembers about it (momentum, for example).

    Raises:
        TypeError: if `params` is a tensor, or contains something that isn't one.
        ValueError: if it is empty, or contains a non-leaf tensor or one of another group.

    A subclass overrides `step`, or `_update`, which `step` calls for each group.
    https://docs.pytorch.org/docs/stable/optim.html
    """

    _opt_called: bool | None = None  # whether `step` was called since a scheduler was made

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {params.type()}"
            )
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: Group) -> None:
        """Let the optimizer change more parameters, with options of their own.

        The dict becomes an element of `param_groups`. If an error is raised, nothing is added.
        """
        params = param_group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    + type_name(param)
                )
            if not param.is_leaf and not param.retains_grad:
                raise ValueError("can't optimize a non-leaf Tensor")
        if not set(params).isdisjoint(self._parameters()):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

    def _parameters(self) -> Iterator[Tensor]:
        return chain.from_iterable(group["params"] for group in self.param_groups)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradient of every parameter to None, or to zeros if `set_to_none` is False."""
        for param in self._parameters():
            if set_to_none:
                param._grad = None
            elif param._grad is not None:
                param._grad.detach_().zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update each parameter that has a gradient.

        `closure` runs first, if there is one. It should compute the loss and its gradients; `step`
        returns what it returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            quiet().run(self._update, group)
        if self._opt_called is not None:
            self._opt_called = True
        return loss

    def _update(self, group: Group) -> None:
        """Update the parameters of one group that have a gradient; see `descents`."""
        raise NotImplementedError

    def _state_of(self, param: Tensor, *names: str) -> list[Any]:
        """The number of this step, and the arrays that a parameter's state has under these names.

        They are zeros at first. PyTorch counts the steps in a tensor, too, and saves it.
        """
        state = self.state[param]
        if not state:
            state["step"] = from_array(np.zeros((), np.float32))
            for name in names:
                state[name] = from_array(np.zeros_like(param._array))
        state["step"]._array += 1
        return [float(state["step"]._array), *[state[name]._array for name in names]]

    def state_dict(self) -> dict[str, Any]:
        """The state and the groups as a dict that can be saved, with numbers for the parameters."""
        numbers = {param: number for number, param in enumerate(self._parameters())}
        groups = []
        for group in self.param_groups:
            options = {name: value for name, value in group.items() if name != "params"}
            groups.append({**options, "params": [numbers[param] for param in group["params"]]})
        state = {numbers.get(param, param): value for param, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` of an optimizer with as many parameters returned.

        Raises ValueError if the numbers of groups or parameters differ; then nothing is changed.
        """
        groups = copy.deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        numbers = chain.from_iterable(group["params"] for group in groups)
        params = dict(zip(numbers, self._parameters(), strict=True))
        self.state.clear()
        for number, values in state_dict["state"].items():
            self.state[params[number]] = {**values}
        for group, own in zip(groups, self.param_groups, strict=True):
            group["params"] = own["params"]
        self.param_groups = groups

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {number}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
            lines += [""]
        return "\n".join([*lines[:-1], ")"])


def descents(group: Group) -> Iterator[tuple[Tensor, Any]]:
    """Each parameter that has a gradient, and what to go against; its change is counted after that.

    That is the gradient, negated to maximize, with the coupled weight decay added.
    """
    maximize = group["maximize"]
    decay = 0 if group.get("decoupled_weight_decay") else group["weight_decay"]
    for param in group["params"]:
        if param._grad is not None:
            grad = -param._grad._array if maximize else param._grad._array
            yield param, grad + decay * param._array if decay else grad
            param._bump_version()
