"""The algorithms. Each step computes in the order of PyTorch's, so that it rounds the same way."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any, ClassVar

import numpy as np

from minigrad.graph import Array
from minigrad.optim.base import Group, Optimizer, descent_gradient, step_counter
from minigrad.tensor import Tensor, from_array

# Options that must not be negative. Error texts call the others of them by their own names.
NOT_NEGATIVE = {"lr", "eps", "momentum", "weight_decay", "alpha", "lr_decay"}
TITLES = {"lr": "learning rate", "eps": "epsilon value"}

# How PyTorch computes a step. Only `maximize` changes something here.
HOW = {"maximize": False, "foreach": None, "differentiable": False}


class Algorithm(Optimizer):
    """An optimizer with declared options: names and defaults, in the order of the arguments.

    `maximize` goes up instead of down. `foreach`, `fused`, `capturable` and `differentiable` choose
    how PyTorch computes a step; here they change nothing. Raises ValueError if an option is out of
    range.
    """

    options: ClassVar[dict[str, Any]]
    __signature__: Signature

    def __init_subclass__(cls) -> None:
        kind = Parameter.POSITIONAL_OR_KEYWORD
        options = [Parameter(name, kind, default=value) for name, value in cls.options.items()]
        cls.__signature__ = Signature([Parameter("params", kind), *options])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        options = dict(bound.arguments)
        params = options.pop("params")
        for name, value in options.items():
            if name in NOT_NEGATIVE and not value >= 0.0:
                raise ValueError(f"Invalid {TITLES.get(name, f'{name} value')}: {value}")
        for number, beta in enumerate(options.get("betas", ())):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {number}: {beta}")
        super().__init__(params, options)


class SGD(Algorithm):
    """Stochastic gradient descent: ``param -= lr * grad``, optionally with momentum.

    With momentum, the buffer ``momentum * buffer + (1 - dampening) * grad`` takes the place of the
    gradient; with `nesterov`, ``grad + momentum * buffer`` does. `weight_decay` adds that part of
    the parameter to the gradient. Raises ValueError if `nesterov` comes without momentum or with
    dampening. https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    options: ClassVar = {"lr": 1e-3, "momentum": 0, "dampening": 0, "weight_decay": 0}
    options |= {"nesterov": False, "fused": None} | HOW

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        options = self.defaults
        if options["nesterov"] and (options["momentum"] <= 0 or options["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def _update(self, params: list[Tensor], group: Group) -> None:
        lr, plain = float(group["lr"]), not (group["maximize"] or group["weight_decay"])
        for param in params:
            grad: Any = param._grad._array if plain else descent_gradient(param, group)  # type: ignore[union-attr]
            if group["momentum"]:
                grad = self._with_momentum(param, grad, group)
            param._array -= lr * grad
            param._bump_version()

    def _with_momentum(self, param: Tensor, grad: Array, group: Group) -> Any:
        """What takes the place of the gradient: the buffer, or a look ahead of it."""
        state, momentum = self.state[param], group["momentum"]
        if state.get("momentum_buffer") is None:
            state["momentum_buffer"] = from_array(np.array(grad))
        else:
            buffer = state["momentum_buffer"]._array
            buffer *= momentum
            buffer += (1 - group["dampening"]) * grad
        buffer = state["momentum_buffer"]._array
        return grad + momentum * buffer if group["nesterov"] else buffer


class Adam(Algorithm):
    """Steps by running means of the gradient and of its square (https://arxiv.org/abs/1412.6980).

    ``param -= lr * mean / (sqrt(mean of squares) + eps)``, where `betas` say what share of the
    means is kept in each step. Both start at zero and are corrected for it. `amsgrad` divides by
    the largest mean of squares so far. `weight_decay` adds that part of the parameter to the
    gradient, or with `decoupled_weight_decay` shrinks the parameter itself, as `AdamW` does.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    """

    options: ClassVar = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0}
    options |= {"amsgrad": False, "capturable": False, "fused": None} | HOW
    options |= {"decoupled_weight_decay": False}

    def _update(self, params: list[Tensor], group: Group) -> None:
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * bool(group["amsgrad"])
        decoupled = group["decoupled_weight_decay"]
        coupled = {**group, "weight_decay": 0} if decoupled else group
        for param in params:
            array, state = param._array, self._state_of(param, *names)
            if decoupled:
                array *= 1 - lr * group["weight_decay"]
            grad, step = descent_gradient(param, coupled), float(state["step"]._array)
            mean, squares = state["exp_avg"]._array, state["exp_avg_sq"]._array
            mean += (1 - beta1) * (grad - mean)
            add_square(squares, grad, beta2)
            if group["amsgrad"]:
                largest = state["max_exp_avg_sq"]._array
                squares = np.maximum(largest, squares, out=largest)
            root = np.sqrt(squares) / (1 - beta2**step) ** 0.5 + group["eps"]
            array -= lr / (1 - beta1**step) * mean / root
            param._bump_version()


class AdamW(Adam):
    """Adam with decoupled weight decay: each step shrinks the parameter apart from its gradient.

    The other options are those of `Adam`. https://arxiv.org/abs/1711.05101
    """

    options = Adam.options | {"weight_decay": 1e-2, "decoupled_weight_decay": True}


class RMSprop(Algorithm):
    """Steps by the gradient over the root of the running mean of its square.

    `alpha` is the share of the mean that is kept in each step. `centered` subtracts the square of
    the gradient's own mean, which leaves its variance. The other options are those of `SGD` and
    `Adam`. https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html
    """

    options: ClassVar = {"lr": 1e-2, "alpha": 0.99, "eps": 1e-8, "weight_decay": 0, "momentum": 0}
    options |= {"centered": False, "capturable": False} | HOW

    def _update(self, params: list[Tensor], group: Group) -> None:
        lr, alpha, momentum = float(group["lr"]), group["alpha"], group["momentum"]
        names = ["square_avg"] + ["momentum_buffer"] * (momentum > 0)
        names += ["grad_avg"] * bool(group["centered"])
        for param in params:
            grad, state = descent_gradient(param, group), self._state_of(param, *names)
            squares = state["square_avg"]._array
            add_square(squares, grad, alpha)
            if group["centered"]:
                mean = state["grad_avg"]._array
                mean += (1 - alpha) * (grad - mean)
                squares = squares - mean * mean
            root = np.sqrt(squares) + group["eps"]
            if momentum:
                buffer = state["momentum_buffer"]._array
                buffer *= momentum
                buffer += grad / root
                param._array -= lr * buffer
            else:
                param._array -= lr * grad / root
            param._bump_version()


class Adagrad(Algorithm):
    """Steps by the gradient over the root of the sum of all its squares so far.

    `lr_decay` divides the learning rate by ``1 + (step - 1) * lr_decay``. The sum starts at
    `initial_accumulator_value`. The other options are those of `SGD` and `Adam`.
    https://jmlr.org/papers/v12/duchi11a.html
    """

    options: ClassVar = {"lr": 1e-2, "lr_decay": 0, "weight_decay": 0}
    options |= {"initial_accumulator_value": 0, "eps": 1e-10, "fused": None} | HOW

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Unlike the others, it has a state before its first step.
        for group in self.param_groups:
            for param in group["params"]:
                squares = np.full_like(param._array, group["initial_accumulator_value"])
                self.state[param] = {"step": step_counter(), "sum": from_array(squares)}

    def _update(self, params: list[Tensor], group: Group) -> None:
        for param in params:
            grad, state = descent_gradient(param, group), self._state_of(param)
            passed = float(state["step"]._array) - 1
            squares = state["sum"]._array
            squares += grad * grad
            lr = float(group["lr"]) / (1 + passed * group["lr_decay"])
            param._array -= lr * grad / (np.sqrt(squares) + group["eps"])
            param._bump_version()


def add_square(mean: Array, value: Array, kept: float) -> None:
    """Let a running mean of squares, of which this share is kept, follow a new value."""
    mean *= kept
    mean += (1 - kept) * value * value
