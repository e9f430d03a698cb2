"""torch.nn.utils: the gradients of a whole network at once."""

from __future__ import annotations

from typing import Any

from minigrad.creation import tensor
from minigrad.missing import module_hooks
from minigrad.modes import no_grad
from minigrad.ops.shapes import stack
from minigrad.tensor import Tensor

__all__ = ["clip_grad_norm_"]
__dir__, __getattr__ = module_hooks(__name__, __all__)


@no_grad()
def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0) -> Any:
    """Scale the gradients in place so that their total norm is at most `max_norm`.

    `parameters` are one tensor or several. The total norm, which is returned, is that of all
    gradients as one vector.
    https://arxiv.org/abs/1211.5063
    """
    every = [parameters] if isinstance(parameters, Tensor) else parameters
    grads = [parameter._grad for parameter in every if parameter._grad is not None]
    if not grads:
        return tensor(0.0)
    total = stack([grad.norm(norm_type) for grad in grads]).norm(norm_type)
    scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(scale)
    return total
