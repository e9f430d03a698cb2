"""The algorithms. Each step computes in the order of PyTorch's, so that it rounds the same way."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any, ClassVar

import numpy as np

from minigrad.graph import Array
from minigrad.optim.base import Group, Optimizer, descents
from minigrad.tensor import from_array

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

    def _update(self, group: Group) -> None:
        lr, momentum = float(group["lr"]), group["momentum"]
        for param, grad in descents(group):
            if momentum:
                state = self.state[param]
                if "momentum_buffer" in state:
                    buffer = state["momentum_buffer"]._array
                    fade(buffer, momentum, (1 - group["dampening"]) * grad)
                else:
                    buffer = np.array(grad)
                    state["momentum_buffer"] = from_array(buffer)
                grad = grad + momentum * buffer if group["nesterov"] else buffer
            param._array -= lr * grad


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

    def _update(self, group: Group) -> None:
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        names = ["exp_avg", "exp_avg_sq"] + ["max_exp_avg_sq"] * bool(group["amsgrad"])
        for param, grad in descents(group):
            array, (step, mean, squares, *largest) = param._array, self._state_of(param, *names)
            if group["decoupled_weight_decay"]:
                array *= 1 - lr * group["weight_decay"]
            mean += (1 - beta1) * (grad - mean)
            fade(squares, beta2, (1 - beta2) * grad * grad)
            if largest:
                squares = np.maximum(largest[0], squares, out=largest[0])
            root = np.sqrt(squares) / (1 - beta2**step) ** 0.5 + group["eps"]
            array -= lr / (1 - beta1**step) * mean / root


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

    def _update(self, group: Group) -> None:
        lr, alpha, momentum = float(group["lr"]), group["alpha"], group["momentum"]
        names = ["square_avg"] + ["momentum_buffer"] * (momentum > 0)
        names += ["grad_avg"] * bool(group["centered"])
        for param, grad in descents(group):
            _, squares, *others = self._state_of(param, *names)
            fade(squares, alpha, (1 - alpha) * grad * grad)
            if group["centered"]:
                mean = others[-1]
                mean += (1 - alpha) * (grad - mean)
                squares = squares - mean * mean
            root = np.sqrt(squares) + group["eps"]
            if momentum:
                fade(others[0], momentum, grad / root)
                param._array -= lr * others[0]
            else:
                param._array -= lr * grad / root


class Adagrad(Algorithm):
    """Steps by the gradient over the root of the sum of all its squares so far.

    `lr_decay` divides the learning rate by ``1 + (step - 1) * lr_decay``. The sum starts at
    `initial_accumulator_value`. The other options are those of `SGD` and `Adam`.
    https://jmlr.org/papers/v12/duchi11a.html
    """

    options: ClassVar = {"lr": 1e-2, "lr_decay": 0, "weight_decay": 0}
    options |= {"initial_accumulator_value": 0, "eps": 1e-10, "fused": None} | HOW

    def _update(self, group: Group) -> None:
        for param, grad in descents(group):
            step, squares = self._state_of(param, "sum")
            if step == 1:
                squares += group["initial_accumulator_value"]
            squares += grad * grad
            lr = float(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
            param._array -= lr * grad / (np.sqrt(squares) + group["eps"])


def fade(array: Array, kept: float, value: Any) -> None:
    """Keep a share of each element of a running mean or sum, and add a value."""
    array *= kept
    array += value
