"""Adamax: Adam that divides by the largest gradient, which is forgotten slowly."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.ops.pointwise import between
from minigrad.optim.optimizer import (
    WAYS,
    Optimizer,
    Parameters,
    check_adaptive,
    check_way,
    counted,
    decayed,
    state_of,
)
from minigrad.tensor import Tensor


class Adamax(Optimizer):
    """Steps of the running mean of the gradient, over the largest gradient, forgotten slowly.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        betas: how much of the running mean, and of the largest gradient, is kept.
        eps: added to the size of gradients, lest it be 0.
        weight_decay: how much of the parameter is added to its gradient.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative or a beta is not below 1.

    Source: https://arxiv.org/abs/1412.6980

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adamax([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    """

    _added_options = WAYS

    def __init__(
        self,
        params: Parameters,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_adaptive(lr, eps, betas, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_way(params, group, xla=not group["foreach"])
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        for param in params:
            gradient = decayed(param, group, lr)
            state = state_of(self.state, param, "exp_avg exp_inf")
            step = counted(state)
            mean, largest = state["exp_avg"]._array, state["exp_inf"]._array
            mean[...] = between(mean, gradient, 1 - beta1)
            np.maximum(largest * beta2, np.abs(gradient) + group["eps"], out=largest)
            array = param._array
            array -= lr / (1 - beta1**step) * mean / largest
            param._count_change()
