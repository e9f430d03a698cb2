"""Functions of functions: derivatives, and maps over a dimension of the inputs.

PyTorch has them in the namespace ``torch.func``. Each takes a function of tensors and returns
another, which may be transformed again: ``vmap(grad(f))``, ``jacfwd(jacrev(f))``.
Source: https://docs.pytorch.org/docs/stable/func.html
"""

from __future__ import annotations

from typing import Any

# Packages before modules of theirs: threads that import both might wait for each other otherwise.
from minigrad import nn, overrides, utils  # noqa: F401
from minigrad.autograd import forward_ad  # noqa: F401
from minigrad.func.calls import functional_call as functional_call
from minigrad.func.calls import stack_module_state as stack_module_state
from minigrad.func.forward import hessian as hessian
from minigrad.func.forward import jacfwd as jacfwd
from minigrad.func.forward import jvp as jvp
from minigrad.func.forward import linearize as linearize
from minigrad.func.mapping import vmap as vmap
from minigrad.func.reverse import grad as grad
from minigrad.func.reverse import grad_and_value as grad_and_value
from minigrad.func.reverse import jacrev as jacrev
from minigrad.func.reverse import vjp as vjp
from minigrad.ops.bind import missing

# What the modules above are called is no name of PyTorch's.
__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]


def __dir__() -> list[str]:
    return [*__all__, *[name for name in globals() if name[:2] == "__"]]


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.func'", name, __all__)
