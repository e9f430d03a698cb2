"""RAdam: Adam that divides only once its mean of squares has become reliable."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from minigrad.arrays import multiply_add_to
from minigrad.optim.optimizer import (
    Optimizer,
    Parameters,
    averaged,
    check_adaptive,
    check_way,
    counted,
    decayed,
    state_of,
)
from minigrad.tensor import Tensor


class RAdam(Optimizer):
    """Adam's steps, weighted by how reliable the mean of squares is, and without it at first.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        betas: how much of the running means of the gradient, and of its square, is kept.
        eps: added to the root, lest it be 0.
        weight_decay: how much of the parameter is added to its gradient.
        decoupled_weight_decay: decay the parameter itself, as `AdamW` does.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative or a beta is not below 1.

    Source: https://arxiv.org/abs/1908.03265

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.RAdam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    _added_options: ClassVar = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adaptive(lr, eps, betas, weight_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_way(params, group, xla=not group["foreach"])
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        for param in params:
            gradient = decayed(param, group, lr)
            state = state_of(self.state, param, "exp_avg exp_avg_sq")
            step = counted(state)
            mean, squares = averaged(state, gradient, beta1, beta2)
            way = mean / (1 - beta1**step) * lr
            grown = 1 - beta2**step
            # How many squares the mean is as good as, at last and by now.
            last = 2 / (1 - beta2) - 1
            now = last - 2 * step * beta2**step / grown
            if now > 5:
                way = way * (grown**0.5 / (np.sqrt(squares) + group["eps"]))
                way = way * ((now - 4) * (now - 2) * last / ((last - 4) * (last - 2) * now)) ** 0.5
            multiply_add_to(param._array, way, -1.0)
            param._count_change()
