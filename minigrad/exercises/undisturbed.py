"""Looking at answers, and running them, without a trace: everything is put back as it was."""

import contextlib
import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from minigrad.exercises.limits import Silence
from minigrad.viz.read.names import names_in

_LARGEST = 10_000  # elements of a tensor that is copied, to be put back if it is written to


@contextlib.contextmanager
def undisturbed(torch: Any, namespace: dict[str, Any]) -> Iterator[None]:
    """Within it gradients are recorded and nothing is printed; after it, all is as before.

    Put back are the random generators (the engine's, numpy's, Python's), the grad mode, the names
    of `namespace`, the `.grad`, the flag and the numbers of the tensors among them, the recursion
    limit and the warnings' filters.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(contextlib.redirect_stdout(Silence()))
        stack.enter_context(contextlib.redirect_stderr(Silence()))
        stack.callback(sys.setrecursionlimit, sys.getrecursionlimit())
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())
        stack.callback(torch.set_rng_state, torch.get_rng_state())
        stack.callback(torch.set_grad_enabled, torch.is_grad_enabled())
        stack.callback(_put_back, namespace, dict(namespace))
        torch.set_grad_enabled(False)
        for tensor in {id(tensor): tensor for _, tensor in names_in(namespace)}.values():
            if isinstance(tensor, torch.Tensor) and tensor.is_leaf:
                stack.callback(_as_it_was(torch, tensor))
        torch.set_grad_enabled(True)
        yield


def _put_back(namespace: dict[str, Any], before: dict[str, Any]) -> None:
    for name in [name for name in namespace if name not in before]:
        del namespace[name]
    for name, thing in before.items():
        if namespace.get(name, namespace) is not thing:
            namespace[name] = thing


def _as_it_was(torch: Any, leaf: Any) -> Any:
    """What puts a leaf's `.grad`, flag and numbers back, if they have changed."""
    grad, flag = leaf.grad, leaf.requires_grad
    written = [(one, _copy(one)) for one in (leaf, grad) if one is not None]

    def put_back() -> None:
        with torch.no_grad():
            for one, copy in written:
                if copy is not None and _copy(one).tobytes() != copy.tobytes():
                    one.copy_(torch.tensor(copy.tolist(), dtype=one.dtype))
        if leaf.requires_grad != flag:
            leaf.requires_grad_(flag)
        if leaf.grad is not grad:
            leaf.grad = grad

    return put_back


def _copy(tensor: Any) -> Any:
    if tensor.numel() > _LARGEST:
        return None
    return np.array(tensor.detach().tolist())
