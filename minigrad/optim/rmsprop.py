"""RMSprop: steps over the root of a running mean of squared gradients."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from minigrad.arrays import multiply_add
from minigrad.ops.pointwise import between
from minigrad.optim.optimizer import (
    WAYS,
    Optimizer,
    Parameters,
    check_positive,
    check_single,
    check_way,
    counted,
    decayed,
    state_of,
)
from minigrad.tensor import Tensor


class RMSprop(Optimizer):
    """Steps of the gradient, over the root of the running mean of its square.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        alpha: how much of the running mean is kept.
        eps: added to the root, lest it be 0.
        weight_decay: how much of the parameter is added to its gradient.
        momentum: how much of the last step goes on.
        centered: whether the square of the mean is taken from the mean of squares.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.RMSprop([w], lr=0.01)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    """

    _added_options: ClassVar = {"momentum": 0, "centered": False, **WAYS}

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_single(lr)
        check_positive("learning rate", lr)
        check_positive("epsilon value", eps)
        check_positive("momentum value", momentum)
        check_positive("weight_decay value", weight_decay)
        check_positive("alpha value", alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_way(params, group)
        lr, alpha, momentum = float(group["lr"]), group["alpha"], group["momentum"]
        names = "square_avg" + " momentum_buffer" * (momentum > 0)
        names += " grad_avg" * bool(group["centered"])
        for param in params:
            array, gradient = param._array, decayed(param, group, lr)
            state = state_of(self.state, param, names)
            counted(state)
            squares = state["square_avg"]._array
            squares *= alpha
            squares[...] = multiply_add(squares, (1 - alpha) * gradient, gradient)
            if group["centered"]:
                mean = state["grad_avg"]._array
                mean[...] = between(mean, gradient, 1 - alpha)
                squares = squares - mean * mean
            step = gradient / (np.sqrt(squares) + group["eps"])
            if momentum:
                buffer = state["momentum_buffer"]._array
                buffer *= momentum
                buffer += step
                step = buffer
            array -= lr * step
            param._count_change()
