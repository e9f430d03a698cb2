"""NAdam: Adam that looks ahead, as Nesterov's momentum does."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from minigrad.optim.optimizer import (
    Optimizer,
    Parameters,
    averaged,
    check_adaptive,
    check_positive,
    check_way,
    counted,
    decayed,
    state_of,
)
from minigrad.tensor import Tensor


class NAdam(Optimizer):
    """Adam's steps, with the gradient's mean as it will be after the next one.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        betas: how much of the running means of the gradient, and of its square, is kept.
        eps: added to the root, lest it be 0.
        weight_decay: how much of the parameter is added to its gradient.
        momentum_decay: how fast the part of the mean that is kept grows.
        decoupled_weight_decay: decay the parameter itself, as `AdamW` does.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative or a beta is not below 1.

    Source: https://openreview.net/forum?id=OM0jvwB8jIp57ZJjtNEZ

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.NAdam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8944, 1.8944], requires_grad=True)
    """

    _added_options: ClassVar = {
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
    }

    def __init__(
        self,
        params: Parameters,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_adaptive(lr, eps, betas, weight_decay)
        check_positive("momentum_decay value", momentum_decay)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        what = f"params, mu_products{',' if group['foreach'] else ''} and state_steps"
        check_way(params, group, xla=not group["foreach"], what=what)
        lr, (beta1, beta2) = float(group["lr"]), group["betas"]
        for param in params:
            gradient = decayed(param, group, lr)
            state = state_of(self.state, param, "exp_avg exp_avg_sq", mu_product=1)
            step = counted(state)
            momentum, following = (
                beta1 * (1 - 0.5 * 0.96 ** (one * group["momentum_decay"]))
                for one in (step, step + 1)
            )
            state["mu_product"]._modify(state["mu_product"]._array * momentum)
            product = state["mu_product"].item()
            mean, squares = averaged(state, gradient, beta1, beta2)
            root = np.sqrt(squares / (1 - beta2**step)) + group["eps"]
            array = param._array
            array += -lr * (1 - momentum) / (1 - product) * gradient / root
            array += -lr * following / (1 - product * following) * mean / root
            param._counter[0] += 2
