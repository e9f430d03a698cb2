"""Adadelta: steps as large as the last ones, by the running mean of squared gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.arrays import multiply_add_to
from minigrad.optim.optimizer import (
    WAYS,
    Optimizer,
    Parameters,
    average_square,
    check_positive,
    check_single,
    check_way,
    counted,
    decayed,
    state_of,
)
from minigrad.tensor import Tensor


class Adadelta(Optimizer):
    """Steps of the gradient, by the ratio of the means of squared steps and squared gradients.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        rho: how much of the running means is kept.
        eps: added under both roots, lest they be 0.
        weight_decay: how much of the parameter is added to its gradient.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative, or `rho` above 1.

    Source: https://arxiv.org/abs/1212.5701

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adadelta([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9997, 1.9997], requires_grad=True)
    """

    _added_options = WAYS

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_single(lr)
        check_positive("learning rate", lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_positive("epsilon value", eps)
        check_positive("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_way(params, group, xla=False)
        lr, rho, eps = float(group["lr"]), group["rho"], group["eps"]
        for param in params:
            gradient = decayed(param, group, lr)
            state = state_of(self.state, param, "square_avg acc_delta")
            counted(state)
            squares, steps = state["square_avg"]._array, state["acc_delta"]._array
            average_square(squares, gradient, rho)
            step = np.sqrt(steps + eps) / np.sqrt(squares + eps) * gradient
            average_square(steps, step, rho)
            multiply_add_to(param._array, step, -lr)
            param._count_change()
