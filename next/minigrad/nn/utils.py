"""torch.nn.utils: gradients of many parameters at once."""

from __future__ import annotations

from typing import Any

from minigrad.modes import no_grad
from minigrad.op import functions
from minigrad.tensor import Tensor


def gradients(parameters: Any) -> list[Tensor]:
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [one._grad for one in parameters if one._grad is not None]


@no_grad()
def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, **_: Any) -> Tensor:
    """Scale gradients in place so that their norm, taken as one vector, is at most `max_norm`."""
    grads = gradients(parameters)
    if not grads:
        return functions["tensor"](0.0)
    total = functions["stack"]([one.norm(norm_type) for one in grads]).norm(norm_type)
    scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for one in grads:
        one.mul_(scale)
    return total


@no_grad()
def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    for one in gradients(parameters):
        one.clamp_(-clip_value, clip_value)
