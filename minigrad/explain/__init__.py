"""Errors and gradients explained, of minigrad's tensors and of PyTorch's.

``%load_ext minigrad.explain`` in a notebook records the cells that follow, and explains the error
that a cell ends with. ``explain()`` does what it can without that, and ``why(x)`` says why
``x.grad`` is what it is. ``with checkup(model, optimizer):`` prints what goes wrong without an
error in the iterations inside.
"""

from minigrad.explain.checkups import checkup as checkup
from minigrad.explain.shell import explain as explain
from minigrad.explain.shell import load_ipython_extension as load_ipython_extension
from minigrad.explain.shell import unload_ipython_extension as unload_ipython_extension
from minigrad.explain.shell import why as why

__all__ = ["checkup", "explain", "load_ipython_extension", "unload_ipython_extension", "why"]
