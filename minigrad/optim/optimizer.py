"""What all optimizers share: groups of parameters, state, and how both are saved and loaded."""

from __future__ import annotations

import copy
import functools
import math
import types
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from minigrad import creation, dtypes
from minigrad.arrays import multiply_add, multiply_add_to
from minigrad.autograd.grad_mode import enable_grad
from minigrad.autograd.node import quiet_copy
from minigrad.layout import preserve_format
from minigrad.ops.pointwise import between
from minigrad.optim.hooks import OptimizerHooks
from minigrad.optim.hooks import (
    register_optimizer_step_post_hook as register_optimizer_step_post_hook,
)
from minigrad.optim.hooks import (
    register_optimizer_step_pre_hook as register_optimizer_step_pre_hook,
)
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array
from minigrad.typename import NamedAsInTorch, typename


class _Required:
    """The default of an option that has to be given."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()

Parameters = Iterable[Tensor] | Iterable[tuple[str, Tensor]] | Iterable[dict[str, Any]]
Closure = Callable[[], Any]

# Options that states of older versions lack, and what holds for these.
WAYS = {"foreach": None, "maximize": False, "differentiable": False, "capturable": False}
# What optimizers keep as tensors, and older versions kept as numbers.
NUMBERS = ("step", "mu_product", "eta", "mu")


class Optimizer(OptimizerHooks, NamedAsInTorch):
    """Base class of optimizers: a subclass says in `update` what a step does to one group.

    Args:
        params: an iterable of leaf tensors, or of pairs of names and these, or of dicts that have
            some under ``"params"`` and may give options of their own beside it.
        defaults: the options of groups that do not give them.

    Attributes:
        param_groups: a list of dicts, each with ``"params"`` and its options.
        state: for each parameter, what the optimizer remembers of it.

    Raises:
        TypeError: if `params` is a tensor or holds something else than tensors.
        ValueError: if it is empty, a tensor is no leaf, or belongs to two groups.
    """

    _added_options: ClassVar[Mapping[str, Any]] = {}  # since the first version of a class

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "update" in vars(cls) and cls.step is Optimizer.step:
            cls.step = own(cls.step, cls.__qualname__)  # type: ignore[method-assign]

    def __init__(self, params: Parameters, defaults: dict[str, Any]) -> None:
        self._hook_step()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {typename(params)}"
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

        The dict itself becomes one of `param_groups`.

        Raises:
            TypeError, ValueError: as the class; nothing is added then.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        differentiable = bool(self.defaults.get("differentiable"))
        params, names = checked_parameters(param_group["params"], differentiable)
        if len(params) != len(set(params)):
            warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information"
            )
        if any(bool(names) != ("param_names" in group) for group in self.param_groups):
            raise ValueError(
                "all optimizer param groups should be with/without names. cannot add param group "
                f"{'with' if names else 'without'} names to the optimizer"
            )
        if not set(params).isdisjoint(self._parameters()):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params
        if names:
            param_group["param_names"] = names
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

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
        for group in self.param_groups:
            params = [one for one in group["params"] if one._grad is not None]
            quiet_copy().run(self.update, params, group)
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
        for hook in self._hooks("state_dict_pre"):
            hook(self)
        numbers: dict[Tensor, int] = {}
        for param in self._parameters():
            numbers.setdefault(param, len(numbers))
        state_dict: dict[str, Any] = {
            "state": {numbers.get(param, param): state for param, state in self.state.items()},
            "param_groups": [
                {
                    **{name: value for name, value in group.items() if name != "params"},
                    "params": [numbers[param] for param in group["params"]],
                }
                for group in self.param_groups
            ],
        }
        return self._replaced("state_dict_post", state_dict)

    def _replaced(self, kind: str, state_dict: dict[str, Any]) -> dict[str, Any]:
        """Let hooks see and replace a state."""
        for hook in self._hooks(kind):
            replacement = hook(self, state_dict)
            if replacement is not None:
                state_dict = replacement
        return state_dict

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned, of an optimizer with as many parameters.

        Raises:
            ValueError: if groups or parameters are not as many; nothing is changed then.
        """
        state_dict = self._replaced("load_state_dict_pre", state_dict.copy())
        groups = copy.deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        pairs = list(zip(groups, self.param_groups, strict=True))
        if any(len(theirs["params"]) != len(ours["params"]) for theirs, ours in pairs):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        numbers = chain.from_iterable(theirs["params"] for theirs, _ in pairs)
        parameters = dict(zip(numbers, self._parameters(), strict=True))
        loaded: defaultdict[Any, Any] = defaultdict(dict)
        for number, state in state_dict["state"].items():
            param = parameters.get(number, number)
            loaded[param] = converted(param, state) if number in parameters else state
        for theirs, ours in pairs:
            theirs["params"] = ours["params"]
            if "param_names" in ours:
                theirs.setdefault("param_names", ours["param_names"])
        self.__setstate__({"state": loaded, "param_groups": groups})
        for hook in self._hooks("load_state_dict_post"):
            hook(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._hook_step()
        self.defaults.setdefault("differentiable", False)
        if self._added_options:
            for group in self.param_groups:
                self._bring_up_to_date(group)

    def _bring_up_to_date(self, group: dict[str, Any]) -> None:
        """Add what a group and the states of its parameters lack if an older version saved them."""
        for name, value in self._added_options.items():
            group.setdefault(name, value)
        for param in group["params"]:
            state = self.state.get(param, {})
            for name in NUMBERS:
                if name in state and not isinstance(state[name], Tensor):
                    state[name] = scalar(state[name])

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {number}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
            lines += [""]
        return "\n".join([*lines[:-1], ")"])


def own(method: Any, owner: str) -> Any:
    """Return a copy of a method that tells another class as its own, as PyTorch's steps do."""
    copied = types.FunctionType(
        method.__code__,
        method.__globals__,
        method.__name__,
        method.__defaults__,
        method.__closure__,
    )
    functools.update_wrapper(copied, method)
    copied.__qualname__ = f"{owner}.{method.__name__}"
    return copied


def converted(param: Tensor, value: Any, name: Any = None) -> Any:
    """Return a copy of what is remembered of a parameter, with all tensors in its dtype.

    The number of steps keeps its own. PyTorch keeps the tensors that are in the right dtype
    already, and so do we.
    """
    if isinstance(value, Tensor):
        keep = name == "step" or not param.is_floating_point()
        return value if keep else value.to(param.dtype)
    if isinstance(value, dict):
        return {key: converted(param, one, key) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)(converted(param, one) for one in value)  # type: ignore[call-arg]
    return value


def checked_parameters(given: Any, differentiable: bool) -> tuple[list[Tensor], list[str]]:
    """Return the parameters of a group, and their names if they come with them.

    They are leaves, unless steps are to be recorded (`differentiable`).

    Raises:
        TypeError, ValueError: if they cannot be optimized, with PyTorch's texts.
    """
    if isinstance(given, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of "
            "tensors in sets will change between runs. Please use a list instead."
        )
    listed: list[Any] = [given] if isinstance(given, Tensor) else list(given)
    names = [one[0] for one in listed if isinstance(one, tuple)]
    if names and len(names) != len(listed):
        raise ValueError(
            "all optimizer params should be with/without names. Some param names are missing"
        )
    params: list[Tensor] = [one[1] for one in listed] if names else listed
    for param in params:
        if not isinstance(param, Tensor):
            raise TypeError(
                "optimizer can only optimize Tensors, but one of the params is " + typename(param)
            )
        if not (differentiable or param.is_leaf or param.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")
    return params, names


def check_implementations(fused: Any, foreach: Any, differentiable: Any) -> None:
    """Refuse ways to compute a step that exclude each other.

    Raises:
        RuntimeError: with PyTorch's texts.
    """
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_capturable(
    params: list[Tensor],
    group: dict[str, Any],
    xla: bool = True,
    what: str = "params and state_steps",
) -> None:
    """Refuse a step that is to be captured, unless `fused`: the cpu does not.

    Raises:
        AssertionError: with PyTorch's text, which tells devices that do, with `xla` or without,
            and `what` would have to be there.
    """
    if params and group["capturable"] and not group.get("fused"):
        devices = ["cuda", "xpu", "hpu", "privateuseone", *["xla"] * xla]
        raise AssertionError(f"If capturable=True, {what} must be on supported devices: {devices}.")


def check_way(params: list[Tensor], group: dict[str, Any], **texts: Any) -> None:
    """Refuse a step that is to be captured or recorded, in the order in which PyTorch does.

    Raises:
        AssertionError, RuntimeError, NotImplementedError: as the functions beside do.
    """
    if not group["foreach"]:
        check_capturable(params, group, **texts)
    check_recorded(params, group, params and group["foreach"])
    check_capturable(params, group, **texts)


def check_recorded(params: list[Tensor], group: dict[str, Any], foreach: Any = False) -> None:
    """Refuse a step that is to be recorded: of all parameters together (`foreach`), or of leaves.

    Raises:
        AssertionError, RuntimeError: with PyTorch's texts.
        NotImplementedError: for parameters that are no leaves, which PyTorch can record.
    """
    if not group["differentiable"]:
        return
    if foreach:
        raise AssertionError("_foreach ops don't support autograd")
    for param in params:
        param._check_in_place(param._requires_grad)
        if param._requires_grad:
            raise NotImplementedError("minigrad does not record optimizers' steps")


def check_positive(name: str, value: Any) -> None:
    """Refuse an option that is not 0 or more.

    Raises:
        ValueError: with PyTorch's text.
    """
    if not 0.0 <= value <= math.inf:
        raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas: tuple[float, float]) -> None:
    """Refuse parts of running means that are not at least 0 and below 1.

    Raises:
        ValueError: with PyTorch's text.
    """
    for index in (0, 1):
        if not 0.0 <= betas[index] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")


def checked(name: str, value: Any) -> Any:
    """Return an option that must not be negative.

    Raises:
        ValueError: if it is.
    """
    if value < 0.0:
        raise ValueError(f"Invalid {name}: {value}")
    return value


def check_single(lr: Any) -> None:
    """Refuse a learning rate that is a tensor of more elements than one.

    Raises:
        ValueError: with PyTorch's text.
    """
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def scalar(value: float) -> Tensor:
    """Return a number that an optimizer keeps: a tensor of float32, or of the default dtype."""
    wide = dtypes.get_default_dtype() is dtypes.float64
    return from_array(np.array(value, np.float64 if wide else np.float32))


def check_adaptive(lr: Any, eps: float, betas: tuple[float, float], weight_decay: float) -> None:
    """Refuse the options of Adam and its kin that are out of range, in PyTorch's order.

    Raises:
        ValueError: as the functions above.
    """
    check_single(lr)
    check_positive("learning rate", lr)
    check_positive("epsilon value", eps)
    check_betas(betas)
    check_positive("weight_decay value", weight_decay)


def state_of(
    states: dict[Tensor, dict[str, Any]], param: Tensor, zeros: str, **numbers: float
) -> dict[str, Any]:
    """Return the state of a parameter; before its first step: no steps yet, numbers, then zeros.

    The zeros are like the parameter, by the names that `zeros` lists.
    """
    state = states[param]
    if state:
        return state
    state["step"] = scalar(0)
    state.update({name: scalar(number) for name, number in numbers.items()})
    state.update({name: zeros_like(param) for name in zeros.split()})
    return state


def averaged(state: dict[str, Any], gradient: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    """Return the running means of gradients and of their squares, which now have this one."""
    mean, squares = state["exp_avg"]._array, state["exp_avg_sq"]._array
    mean[...] = between(mean, gradient, 1 - beta1)
    average_square(squares, gradient, beta2)
    return mean, squares


def average_square(squares: Any, gradient: Any, kept: float) -> None:
    """Let a running mean of squares have one more, and keep this part of what it was."""
    squares *= kept
    multiply_add_to(squares, (1 - kept) * gradient, gradient)


def counted(state: dict[str, Any]) -> float:
    """Return the number of a parameter's steps, which is now one more."""
    state["step"]._modify(state["step"]._array + 1)
    number: float = state["step"].item()
    return number


def decayed(param: Tensor, group: dict[str, Any], lr: float) -> Any:
    """Return the gradient as a group's options change it, after the decay of the weights.

    It is turned around by `maximize`; `decoupled_weight_decay` shrinks the parameter itself.
    """
    array, gradient = param._array, param._grad._array  # type: ignore[union-attr]
    if group["maximize"]:
        gradient = -gradient
    if not group["weight_decay"]:
        return gradient
    if not group.get("decoupled_weight_decay"):
        return multiply_add(gradient, array, group["weight_decay"])
    array *= 1 - lr * group["weight_decay"]
    param._count_change()
    return gradient


def zeros_like(param: Tensor) -> Tensor:
    """Return a tensor of zeros, for an optimizer to remember something of a parameter.

    A subclass answers of which class it is.
    """
    return creation.zeros_like(param, memory_format=preserve_format)
