"""Writes minigrad/ops/signatures.txt: how PyTorch's functions and methods are called.

`python tools/record_signatures.py` finds the texts in PyTorch's library, and asks PyTorch itself,
by calls that it refuses, which belong to a function and which to a method, and in which order.
"""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import minigrad
from minigrad import functions, linalg
from minigrad.nn import functional
from minigrad.ops.signatures import FILE, refusal_by, signature

LIBRARY = Path(torch.__file__).parent / "lib" / "libtorch_python.so"
TEXT = re.compile(rb"(?<=\0)[A-Za-z_0-9]+\([^\0\n]*\)(?:\|deprecated)?(?=\0)")
UNKNOWN = ("DimnameList", "Dimname", "Stream", "DispatchKeySet", "ITensorListRef")
CREATION = (
    "arange as_tensor asarray can_cast empty empty_like empty_strided eye frombuffer full "
    "full_like linspace logspace ones ones_like promote_types scalar_tensor tensor zeros zeros_like"
)
# What the functions of networks that are written in Python hand their arguments to.
KERNELS = (
    "alpha_dropout alpha_dropout_ batch_norm binary_cross_entropy binary_cross_entropy_with_logits "
    "celu cosine_embedding_loss cross_entropy_loss dropout dropout_ elu embedding "
    "feature_alpha_dropout feature_alpha_dropout_ feature_dropout feature_dropout_ glu group_norm "
    "hardtanh hinge_embedding_loss huber_loss kl_div layer_norm leaky_relu margin_ranking_loss "
    "multi_margin_loss multilabel_margin_loss nll_loss_nd "
    "pad pairwise_distance poisson_nll_loss relu6 rms_norm rrelu rrelu_ selu smooth_l1_loss "
    "soft_margin_loss threshold triplet_margin_loss"
)
# Calls that PyTorch refuses, and that tell signatures apart.
PROBES: tuple[tuple[Any, dict[str, Any]], ...] = (
    ((), {}),
    ((...,) * 40, {}),
    ((), {"foo": 1}),
)


def library() -> dict[str, list[str]]:
    """Return the signatures in PyTorch's library, by name."""
    found: dict[str, list[str]] = {}
    for one in TEXT.findall(LIBRARY.read_bytes()):
        text = one.decode().replace("c10::List<::std::optional<Tensor>>", "TensorList")
        text = re.sub(r"(c10|std)::", "", text).replace("SymIntArrayRef", "IntArrayRef")
        found.setdefault(text.partition("(")[0], []).append(text)
    return found


def answer(function: Callable[..., Any], arguments: Any, keywords: Any) -> str:
    """Return the text by which PyTorch refuses a call; empty if it does not."""
    try:
        function(*arguments, **keywords)
    except TypeError as error:
        return str(error)
    except (RuntimeError, ValueError, IndexError, AssertionError):
        pass
    return ""


def of_library(
    name: str, function: Callable[..., Any], texts: list[str], method: bool
) -> list[str]:
    """Return those signatures of a name by which PyTorch answers."""
    if "takes no arguments" in answer(function, (...,) * 40, {}):
        return [f"{name}()"]
    if "takes exactly one argument" in answer(function, (...,) * 40, {}):
        return [f"{name}(PyObject* only)"]
    hidden = [
        one for one in texts if one.endswith("deprecated") and ("Tensor input" in one) != method
    ]
    shown = [one for one in texts if not one.endswith("deprecated")]
    told = [line[3:] for line in answer(function, (...,) * 40, {}).splitlines() if line[:2] == " *"]
    if told:
        known = {str(signature(one)): one for one in reversed(shown)}
        return [*[known[one] for one in told], *hidden]
    for one in shown:
        group = [one, *hidden]
        parsed = [signature(text) for text in group]
        if all(refusal_by(parsed, *call) == answer(function, *call) for call in PROBES):
            return group
    raise LookupError(f"{[answer(function, *p) for p in PROBES]} {shown}")


def recorded(name: str, function: Any, texts: list[str], owner: str) -> list[str]:
    """Return the lines for a function or method, if PyTorch has one that is called so."""
    if isinstance(function, types.FunctionType):
        return [f"def {owner}{plain(function)}"]
    chosen = of_library(name, function, texts, bool(owner))
    return [f"{owner}{one}" for one in chosen]


def plain(function: Any) -> str:
    """Return how a Python function is called, without annotations."""
    signature = inspect.signature(function)
    bare = [
        one.replace(annotation=one.empty, default=one.empty if one.default is one.empty else None)
        for one in signature.parameters.values()
    ]
    told = signature.replace(parameters=bare, return_annotation=signature.empty)
    return f"{function.__name__}{told}"


def functions_of() -> dict[str, Any]:
    """Return PyTorch's twins of minigrad's functions, by name."""
    names = [*functions.__all__, *CREATION.split()]
    twins = vars(torch.nn.functional)
    in_c = types.BuiltinFunctionType
    names += [one for one in dir(functional) if isinstance(twins.get(one), in_c)]
    found = {one: getattr(torch, one, None) or twins.get(one) for one in set(names)}
    for name in KERNELS.split():
        found[name] = getattr(torch._C._nn, name, None) or getattr(torch, name)
    for name in dir(linalg):
        if isinstance(vars(torch.linalg).get(name), in_c):
            found[f"linalg_{name}"] = getattr(torch.linalg, name)
    # Those of networks that are written in Python answer for themselves.
    return {
        name: function
        for name, function in sorted(found.items())
        if callable(function)
        and (hasattr(torch, name) or not isinstance(function, types.FunctionType))
    }


def methods_of() -> dict[str, Any]:
    """Return PyTorch's twins of a minigrad tensor's methods, by name; those in C are bound."""
    names = sorted({*dir(minigrad.Tensor)} - {"_make_subclass"})  # which is called of the class
    found = {one: getattr(torch.Tensor, one, None) for one in names}
    x = torch.ones(2, 2)
    return {
        name: method
        if isinstance(method, types.FunctionType)
        else functools.partial(method, x.clone())
        for name, method in found.items()
        if callable(method) and not name.startswith("__")
    }


def text() -> str:
    """Return what `signatures.txt` has to hold; what cannot be told apart is printed."""
    texts, lines = library(), []
    texts["logsigmoid"] = texts.get("log_sigmoid", [])
    for owner, twins in (("", functions_of()), ("Tensor.", methods_of())):
        for name, function in twins.items():
            try:
                lines += recorded(name, function, texts.get(name, []), owner)
            except LookupError as error:
                print(owner + name, error)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(FILE).write_text(text(), encoding="utf-8")
