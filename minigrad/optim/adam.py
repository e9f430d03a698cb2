"""Adam: steps by running means of gradients and of their squares."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from minigrad.optim.optimizer import (
    Optimizer,
    Parameters,
    averaged,
    check_adaptive,
    check_capturable,
    check_implementations,
    check_recorded,
    counted,
    decayed,
    state_of,
)
from minigrad.tensor import Tensor


class Adam(Optimizer):
    """Steps of the gradient's running mean, over the root of the running mean of its square.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        betas: how much of the running means of the gradient, and of its square, is kept.
        eps: added to the root, lest it be 0.
        weight_decay: how much of the parameter is added to its gradient.
        amsgrad: divide by the largest mean of squares so far.
        maximize: go up, not down.
        decoupled_weight_decay: decay the parameter itself, as `AdamW` does.
        foreach, fused: how PyTorch computes a step; they change nothing here.
        capturable: refused at the step: it is for other processors.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative or a beta is not below 1.
        RuntimeError: if `fused` comes with `foreach` or `differentiable`.

    Source: https://arxiv.org/abs/1412.6980

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    """

    _added_options: ClassVar = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and foreach and not capturable:
            raise ValueError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        check_adaptive(lr, eps, betas, weight_decay)
        betas = checked_kinds(betas, refused=foreach and not capturable)
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)
        check_implementations(fused, foreach, differentiable)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_capturable(params, group, xla=not group["foreach"])
        check_recorded(params, group, params and group["foreach"])
        lr, (beta1, beta2), eps = float(group["lr"]), map(float, group["betas"]), group["eps"]
        names = "exp_avg exp_avg_sq" + " max_exp_avg_sq" * bool(group["amsgrad"])
        for param in params:
            array, gradient = param._array, decayed(param, group, lr)
            state = state_of(self.state, param, names)
            step = counted(state)
            mean, squares = averaged(state, gradient, beta1, beta2)
            if group["amsgrad"]:
                largest = state["max_exp_avg_sq"]._array
                squares = np.maximum(largest, squares, out=largest)
            # Both means began at 0 and are made larger for it.
            root = np.sqrt(squares) / math.sqrt(1 - beta2**step) + eps
            array -= lr / (1 - beta1**step) * mean / root
            param._count_change()


def checked_kinds(betas: Any, refused: Any) -> Any:
    """Return two numbers, or two tensors of one number each; the latter may be `refused`.

    Raises:
        ValueError: with PyTorch's texts.
    """
    if not any(all(isinstance(beta, kind) for beta in betas[:2]) for kind in (float, Tensor)):
        raise ValueError("betas must be either both floats or both Tensors")
    if isinstance(betas[0], float):
        return tuple(betas)
    if refused:
        raise ValueError(
            "betas[0] as a Tensor is not supported for capturable=False and foreach=True"
        )
    return tuple([beta.reshape(()) for beta in betas])
