"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any, ClassVar

from minigrad.arrays import multiply_add, multiply_add_to
from minigrad.optim.optimizer import (
    Optimizer,
    Parameters,
    check_implementations,
    check_recorded,
    check_single,
    checked,
)
from minigrad.tensor import Tensor, from_array


class SGD(Optimizer):
    """Gradient descent: ``param -= lr * grad``, possibly with momentum.

    Args:
        params: as of `Optimizer`.
        lr: the learning rate.
        momentum: how much of the last step goes on: the gradient is replaced by the buffer
            ``momentum * buffer + (1 - dampening) * grad``.
        dampening: what the gradient loses on its way into the buffer.
        weight_decay: how much of the parameter is added to its gradient.
        nesterov: take the gradient plus ``momentum * buffer`` rather than the buffer.
        maximize: go up, not down.
        foreach, fused: how PyTorch computes a step; they change nothing here.
        differentiable: record the step, which is refused for leaves, and not supported otherwise.

    Raises:
        ValueError: if an option is negative, or `nesterov` comes without momentum or with
            dampening.
        RuntimeError: if `fused` comes with `foreach` or `differentiable`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    _added_options: ClassVar = {
        "nesterov": False,
        "maximize": False,
        "foreach": None,
        "differentiable": False,
        "fused": False,
    }

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_single(lr)
        defaults = {
            "lr": checked("learning rate", lr),
            "momentum": checked("momentum value", momentum),
            "dampening": dampening,
            "weight_decay": checked("weight_decay value", weight_decay),
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)
        check_implementations(fused, foreach, differentiable)

    def update(self, params: list[Tensor], group: dict[str, Any]) -> None:
        check_recorded(params, group)
        lr, momentum = float(group["lr"]), group["momentum"]
        weight_decay, maximize = group["weight_decay"], group["maximize"]
        for param in params:
            gradient = param._grad._array  # type: ignore[union-attr]
            if maximize:
                gradient = -gradient
            if weight_decay:
                gradient = multiply_add(gradient, param._array, weight_decay)
            if momentum:
                gradient = self.with_momentum(param, gradient, group)
            multiply_add_to(param._array, gradient, -lr)
            param._count_change()

    def with_momentum(self, param: Tensor, gradient: Any, group: dict[str, Any]) -> Any:
        """Return what takes the gradient's place: the buffer, or a look ahead of it."""
        state, momentum = self.state[param], group["momentum"]
        if state.get("momentum_buffer") is None:
            state["momentum_buffer"] = from_array(gradient.copy())
        else:
            buffer = state["momentum_buffer"]._array
            buffer *= momentum
            multiply_add_to(buffer, gradient, 1 - group["dampening"])
        buffer = state["momentum_buffer"]._array
        return multiply_add(gradient, buffer, momentum) if group["nesterov"] else buffer
