"""RMSprop: steps over the root of a running mean of squared gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.arrays import multiply_add
from minigrad.ops.pointwise import between
from minigrad.optim.optimizer import (
    Optimizer,
    Parameters,
    check_capturable,
    check_positive,
    check_recorded,
    check_single,
    zeros_like,
)
from minigrad.tensor import Tensor, from_array


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
        if not group["foreach"]:
            check_capturable(params, group)
        check_recorded(params, group, params and group["foreach"])
        check_capturable(params, group)
        lr, alpha, momentum = float(group["lr"]), group["alpha"], group["momentum"]
        for param in params:
            array, gradient = param._array, param._grad._array  # type: ignore[union-attr]
            if group["maximize"]:
                gradient = -gradient
            if group["weight_decay"]:
                gradient = multiply_add(gradient, array, group["weight_decay"])
            state = self.state[param] or self.first_state(param, group)
            state["step"]._modify(state["step"]._array + 1)
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
            param._counter[0] += 1

    def first_state(self, param: Tensor, group: dict[str, Any]) -> dict[str, Any]:
        """Return what is remembered of a parameter before its first step."""
        state = self.state[param]
        state["step"] = from_array(np.zeros((), np.float32))
        state["square_avg"] = zeros_like(param)
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(param)
        if group["centered"]:
            state["grad_avg"] = zeros_like(param)
        return state
