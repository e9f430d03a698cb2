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
from minigrad import functions
from minigrad.nn import functional
from minigrad.ops.signatures import FILE, refusal_by, signature

LIBRARY = Path(torch.__file__).parent / "lib" / "libtorch_python.so"
TEXT = re.compile(rb"(?<=\0)[A-Za-z_0-9]+\([^\0\n]*\)(?:\|deprecated)?(?=\0)")
UNKNOWN = ("DimnameList", "Dimname", "Stream", "DispatchKeySet", "ITensorListRef")
CREATION = (
    "arange as_tensor asarray can_cast empty empty_like empty_strided eye frombuffer full "
    "full_like linspace logspace ones ones_like promote_types scalar_tensor tensor zeros zeros_like"
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
        text = re.sub(r"(c10|std)::", "", text).replace("SymInt", "Int").replace("Int ", "int64_t ")
        text = re.sub(r"\bInt\?", "int64_t?", text)
        found.setdefault(text.partition("(")[0], []).append(text)
    return found


def answer(function: Callable[..., Any], arguments: Any, keywords: Any) -> str:
    """Return the text by which PyTorch refuses a call; empty if it does not."""
    try:
        function(*arguments, **keywords)
    except TypeError as error:
        return str(error)
    except (RuntimeError, ValueError, IndexError):
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


def main() -> None:
    texts, lines = library(), []
    x = torch.ones(2, 2)
    names = [*functions.__all__, *CREATION.split()]
    in_c = types.BuiltinFunctionType
    twins = vars(torch.nn.functional)
    names += [one for one in dir(functional) if isinstance(twins.get(one), in_c)]
    texts["logsigmoid"] = texts.get("log_sigmoid", [])
    for name in sorted(dict.fromkeys(names)):
        function = getattr(torch, name, None) or getattr(torch.nn.functional, name, None)
        if isinstance(function, types.FunctionType) and not hasattr(torch, name):
            continue  # whose twin is a Python function too
        if callable(function):
            try:
                lines += recorded(name, function, texts.get(name, []), "")
            except LookupError as error:
                print("function", name, error)
    for name in sorted(dir(minigrad.Tensor)):
        method = getattr(torch.Tensor, name, None)
        if name.startswith("__") or not callable(method):
            continue
        if not isinstance(method, types.FunctionType):
            method = functools.partial(method, x.clone())
        try:
            found = recorded(name, method, texts.get(name, []), "Tensor.")
        except LookupError as error:
            print("method", name, error)
            continue
        lines += found
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
