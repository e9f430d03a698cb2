"""ASGD: gradient descent that also keeps the mean of where it was."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.arrays import multiply_add_to
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


class ASGD(Optimizer):
    """Steps of the gradient, ever smaller; the mean of the last ones is in the state, as `ax`.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate at first.
        lambd: how fast it falls, and the parameters with it.
        alpha: the power of that fall.
        t0: after how many steps the mean begins.
        weight_decay: how much of the parameter is added to its gradient.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative.

    Source: https://dl.acm.org/citation.cfm?id=131098

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.ASGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    _added_options = WAYS

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_single(lr)
        check_positive("learning rate", lr)
        check_positive("weight_decay value", weight_decay)
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_way(
            params, group, xla=not group["foreach"], what="params, mus, etas, and state_steps"
        )
        lr, lambd = float(group["lr"]), group["lambd"]
        for param in params:
            gradient = decayed(param, group, lr)
            state = state_of(self.state, param, "ax", eta=lr, mu=1)
            step, rate, weight = counted(state), state["eta"].item(), state["mu"].item()
            array, mean = param._array, state["ax"]._array
            array *= 1 - lambd * rate
            multiply_add_to(array, gradient, -rate)
            param._counter[0] += 2
            mean[...] = array if weight == 1 else mean + (array - mean) * weight
            state["eta"]._modify(np.asarray(lr / (1 + lambd * lr * step) ** group["alpha"]))
            state["mu"]._modify(np.asarray(1 / max(1, step - group["t0"])))
