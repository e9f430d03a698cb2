"""Adagrad: steps over the root of the sum of all squared gradients."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from minigrad.arrays import multiply_add
from minigrad.creation import full_like
from minigrad.optim.optimizer import (
    Optimizer,
    Parameters,
    check_implementations,
    check_positive,
    check_recorded,
    check_single,
    counted,
    decayed,
    scalar,
)
from minigrad.tensor import Tensor


class Adagrad(Optimizer):
    """Steps of the gradient, over the root of the sum of its squares so far.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        lr_decay: by how much of it the learning rate's divisor grows with each step.
        weight_decay: how much of the parameter is added to its gradient.
        initial_accumulator_value: what the sum of squares begins with.
        eps: added to the root, lest it be 0.
        maximize: go up, not down.
        foreach, fused: how PyTorch computes a step; they change nothing here.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative.
        RuntimeError: if `fused` comes with `foreach` or `differentiable`.

    Source: https://jmlr.org/papers/v12/duchi11a.html

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adagrad([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    """

    _added_options: ClassVar = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "fused": None,
    }

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_single(lr)
        check_positive("learning rate", lr)
        check_positive("lr_decay value", lr_decay)
        check_positive("weight_decay value", weight_decay)
        check_positive("initial_accumulator_value value", initial_accumulator_value)
        check_positive("epsilon value", eps)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        check_implementations(fused, foreach, differentiable)
        for group in self.param_groups:
            for param in group["params"]:
                begin = group["initial_accumulator_value"]
                squares = full_like(param, begin)
                self.state[param]["step"] = scalar(0)
                self.state[param]["sum"] = squares

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_recorded(params, group, group["foreach"])
        lr = float(group["lr"])
        for param in params:
            array, gradient = param._array, decayed(param, group, lr)
            state = self.state[param]
            rate = lr / (1 + (counted(state) - 1) * group["lr_decay"])
            squares = state["sum"]._array
            squares[...] = multiply_add(squares, gradient, gradient)
            array -= rate * (gradient / (np.sqrt(squares) + group["eps"]))
            param._count_change()
