"""Rprop: steps by the signs of gradients alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.creation import full_like
from minigrad.optim.optimizer import (
    WAYS,
    Optimizer,
    Parameters,
    check_positive,
    check_single,
    check_way,
    counted,
    state_of,
)
from minigrad.tensor import Tensor


class Rprop(Optimizer):
    """Steps down by the sign of the gradient, each number with a step size of its own.

    Args:
        params: as of `Optimizer`.
        lr: the step size at first.
        etas: by what it is multiplied when the sign has changed, and when it has not.
        step_sizes: the smallest and the largest.
        maximize: go up, not down.
        foreach: how PyTorch computes a step; it changes nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative, or `etas` are not on both sides of 1.

    Source: https://doi.org/10.1109/ICNN.1993.298623

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Rprop([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    """

    _added_options = WAYS

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_single(lr)
        check_positive("learning rate", lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_way(params, group)
        smaller, larger = group["etas"]
        for param in params:
            array, gradient = param._array, param._grad._array  # type: ignore[union-attr]
            if group["maximize"]:
                gradient = -gradient
            state = state_of(self.state, param, "prev")
            if "step_size" not in state:
                state["step_size"] = full_like(param.grad, float(group["lr"]))  # type: ignore[arg-type]
            counted(state)
            last, sizes = state["prev"]._array, state["step_size"]._array
            alike = gradient * last
            factors = np.where(alike > 0, larger, np.where(alike < 0, smaller, 1))
            sizes *= factors.astype(sizes.dtype)
            np.clip(sizes, *group["step_sizes"], out=sizes)
            # Where the sign has changed the parameter waits for one step.
            last[...] = np.where(alike < 0, 0, gradient)
            array -= np.where(last > 0, sizes, np.where(last < 0, -sizes, 0))
            param._count_change()
