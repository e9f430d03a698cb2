"""Record how PyTorch 2.13 prints tensors, for tests/test_printing.py.

    python -m tests.data.record_printed_tensors

writes tests/data/printed_tensors.json. A case is a program, the array it finds as the tensor `x`
(dtype, shape, bytes in hexadecimal), the print options and the default dtype it runs under, and
the text it prints. Needs the extra `parity`; run from the root of the repository.
"""

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from textwrap import dedent
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

TORCH = "2.13"
ANSWERS = Path(__file__).with_name("printed_tensors.json")
Array = npt.NDArray[Any]


class Case(TypedDict, total=False):
    """One program; what is left out has PyTorch's default."""

    program: str
    array: dict[str, Any]
    options: dict[str, Any]
    default_dtype: str
    text: str


PROGRAMS = {
    "a leaf that requires grad": "print(x.requires_grad_())",
    "a result": "print(x.requires_grad_() * 2 + 1)",
    "a result of no recorded operation": "print(x * 2 + 1)",
    "a sum": "print(x.requires_grad_().sum())",
    "str and repr": "print(str(x) == repr(x), [x], {'x': x})",
    "a parameter": """
        p = torch.nn.Parameter(x)
        print(p, [p], {"weight": p}, f"{p}", repr(p) == str(p))
        print(p * 2, p.data, p.detach(), torch.nn.Parameter(x, requires_grad=False))
        """,
    "parameters of each size": """
        for data in (torch.tensor(1.5), torch.zeros(0), torch.ones(2, 20).double() / 3):
            print(torch.nn.Parameter(data))
        """,
    "format of a parameter": "print(f'{torch.nn.Parameter(x[0]):.3f}')",
    "a base and a view that were changed in place": """
        y = x.requires_grad_() * 1
        view, first = y[1:], y.unbind()[0]
        with torch.no_grad():
            unseen = y[:1]
        view.mul_(2)
        print(y, view, first, unseen)
        """,
    "a gradient": """
        x.requires_grad_()
        (x * x).sum().backward()
        print(x.grad)
        """,
    "a suffix that starts a line": """
        wide = torch.ones(2, 8, requires_grad=True)
        print(wide / 2)
        print(wide.double().exp())
        for linewidth in range(20, 70, 3):
            torch.set_printoptions(linewidth=linewidth)
            print(torch.zeros(0, 3, dtype=torch.float64, requires_grad=True))
        """,
    "dtypes": """
        for dtype in (torch.float16, torch.float32, torch.float64, torch.uint8, torch.int8,
                      torch.int16, torch.int32, torch.int64, torch.bool):
            print(torch.ones(2, dtype=dtype), torch.ones(0, dtype=dtype))
        """,
    "empty": """
        print(torch.zeros(0), torch.zeros(0, 3), torch.zeros(3, 0, dtype=torch.int64))
        print(torch.zeros(2, 0, requires_grad=True), torch.zeros(0, 1, 2).double() * 2)
        """,
    "options stay, sci_mode does not": """
        t = torch.tensor([1.23456, 100.0])
        torch.set_printoptions(precision=2, sci_mode=True)
        print(t)
        torch.set_printoptions(linewidth=20)
        print(t)
        torch.set_printoptions(profile="default")
        print(t)
        """,
    "profiles": """
        for profile in ("short", "full", "default"):
            torch.set_printoptions(profile=profile)
            print(torch.arange(1001.0) / 3)
        """,
    "format of a number": """
        for number in (torch.tensor(1.5), torch.tensor(2), torch.tensor(True)):
            print(f"{number} {number:.3f} {number:>10} {number:6.1e}")
        print(f"{torch.tensor(3):05d}", f"{torch.tensor(1.5, requires_grad=True) * 2:.3f}")
        """,
    "format of a vector": "print(f'{x}', format(x[:2], ''))",
    "format of a vector with a specification": "print(f'{x:.3f}')",
    "format of a float as an integer": "print(f'{x[1]:d}')",
    "format unknown": "print(f'{x[1]:zz}')",
}


def pack(array: Array) -> dict[str, Any]:
    """An array as JSON keeps it, to the bit."""
    return {"dtype": array.dtype.name, "shape": list(array.shape), "hex": array.tobytes().hex()}


def unpack(packed: dict[str, Any]) -> Array:
    """The array that was packed."""
    flat = np.frombuffer(bytearray.fromhex(packed["hex"]), dtype=packed["dtype"])
    return flat.reshape(packed["shape"])


def printed(torch: Any, case: Case) -> str:
    """What the case prints on an engine, ending with the error if it raises one."""
    names = {"torch": torch}
    if "array" in case:
        names["x"] = torch.from_numpy(unpack(case["array"]))
    before, output = torch.get_default_dtype(), io.StringIO()
    torch.set_default_dtype(getattr(torch, case.get("default_dtype", "float32")))
    torch.set_printoptions(**{"profile": "default", **case.get("options", {})})
    try:
        with redirect_stdout(output):
            exec(case["program"], names)
    except (TypeError, ValueError, OverflowError) as error:
        output.write(f"{type(error).__name__}: {error}")
    finally:
        torch.set_printoptions(profile="default")
        torch.set_default_dtype(before)
    return output.getvalue()


def values() -> Iterator[Array]:
    """Arrays at the edges of the rules."""
    nan, inf = np.nan, np.inf
    rows: list[list[float]] = [
        [1, 2, 3],
        [1.5, -2, 30],
        [0.0, -0.0],
        [0.25, -0.0, 0.0],
        [nan],
        [inf, -inf, nan],
        [1, nan, -inf],
        [1.5, nan, inf, -inf],
        [nan, 123456, 0],
        [1, 1000],
        [1, 1001],
        [0.5, 500],
        [0.5, 500.5],
        [1e8],
        [1.5e8],
        [1e8 + 8],
        [12345678.5],
        [1e-4],
        [0.00011],
        [9.9e-5],
        [-1e-5, 1],
        [1e-4, 0.1],
        [1e-45, 1e-40],
        [3.4e38, 1],
        [1e20, nan, -3e20],
        [0.99995, 0.99994],
        [999.99995, 1],
        [0.00005, 1],
        [6e-8, 65504],
        [-0.1, 0.12345678901234],
    ]
    with np.errstate(over="ignore", under="ignore"):
        for row in rows:
            yield from (np.array(row, dtype=name) for name in ("float16", "float32", "float64"))
            yield np.array(row[0], dtype="float32")
    yield np.array([5e-324, 1e-310])
    yield np.array([1.7e308, 2.3e-308])
    for name in ("uint8", "int8", "int16", "int32", "int64"):
        limits = np.iinfo(name)
        yield np.array([limits.min, 0, 7, limits.max], dtype=name)
        yield np.array(limits.min, dtype=name)
    yield np.array([True, False])
    yield np.array(True)


def shapes() -> Iterator[tuple[Array, dict[str, Any]]]:
    """Arrays whose size, dimensions or options decide the layout."""
    for size in (6, 13, 14, 15, 79, 1000, 1001):
        yield np.arange(size, dtype=np.float32), {}
        yield np.arange(size), {}
        yield np.arange(size) % 3 == 0, {}
    for shape in ((2, 3), (1, 1, 1), (2, 2, 2), (2, 1, 3, 2), (3, 40), (2, 2, 2, 2, 2)):
        yield np.arange(np.prod(shape), dtype=np.float32).reshape(shape) / 4, {}
    for shape in ((1001, 1), (1, 1001), (40, 40), (6, 200), (7, 200), (11, 10, 10), (2, 251, 2)):
        yield np.arange(np.prod(shape), dtype=np.float64).reshape(shape), {}
    for shape in ((), (0,), (0, 3), (2, 0), (3, 0, 2)):
        yield np.zeros(shape, dtype=np.float32), {}
        yield np.zeros(shape, dtype=np.int16), {}
        yield np.zeros(shape, dtype=bool), {"edgeitems": 0}
    yield np.zeros(40, dtype=np.float32), {}
    grid = np.linspace(-2, 200, 60, dtype=np.float32).reshape(3, 4, 5)
    choices: list[dict[str, Any]] = [
        {"precision": 0},
        {"precision": 8},
        {"threshold": 10},
        {"threshold": 0, "edgeitems": 1},
        {"threshold": 10, "edgeitems": 0},
        {"edgeitems": 0},
        {"threshold": 59, "edgeitems": 2, "linewidth": 30},
        {"linewidth": 40},
        {"linewidth": 0},
        {"linewidth": 500},
        {"profile": "short"},
        {"profile": "short", "precision": 5},
        {"profile": "full"},
        {"sci_mode": True},
        {"sci_mode": False},
        {"sci_mode": True, "precision": 1},
    ]
    for options in choices:
        yield grid, options
        yield np.float32(grid[0, 0, 0]) * np.ones(()), options
        yield np.array([0.0, np.nan, 1e-9, 4.0]), options
        yield np.arange(12).reshape(3, 4), options


def cases() -> dict[str, Case]:
    """All cases by title, without their texts."""
    found: dict[str, Case] = {}
    for title, program in PROGRAMS.items():
        x = np.array([1.0, 2.5, -3.0], dtype=np.float32)
        found[title] = {"program": dedent(program).strip(), "array": pack(x)}
    laid_out = [*((array, {}) for array in values()), *shapes()]
    for number, (array, options) in enumerate(laid_out):
        title = f"{number}: {array.dtype} {array.shape} {options or ''}".rstrip()
        found[title] = {"program": "print(x)", "array": pack(array), "options": options}
    for default in ("float16", "float64"):
        for name in ("float16", "float32", "float64", "int32", "int64"):
            for size in (0, 2):
                found[f"default {default}: {name} ({size},)"] = {
                    "program": "print(x)",
                    "array": pack(np.ones(size, dtype=name)),
                    "default_dtype": default,
                }
    return found


def record() -> dict[str, Case]:
    """The cases with the installed PyTorch's texts; RuntimeError if it is not the one promised."""
    import torch

    if not torch.__version__.startswith(TORCH + "."):
        raise RuntimeError(f"the answers are PyTorch {TORCH}'s, but this is {torch.__version__}")
    return {title: {**case, "text": printed(torch, case)} for title, case in cases().items()}


if __name__ == "__main__":
    ANSWERS.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")
