"""autograd.functional: results, whether they require grad, graphs and refusals, as in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity.logs import Log, attempt, same_notes, text
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

Case = Callable[[Any], tuple[Callable[..., Any], Any]]

NAMES = ["jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"]
FLAGS: list[dict[str, bool]] = [
    {},
    {"create_graph": True},
    {"strict": True},
    {"strict": True, "create_graph": True},
]


def line(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0])


def square(torch: Any) -> Any:
    return torch.tensor([[0.5, 1.5], [2.0, -1.0]])


def leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0], requires_grad=True)


def captured(torch: Any) -> tuple[Callable[..., Any], Any]:
    x = leaf(torch)
    return lambda given: (given * x).sum(), x


CASES: dict[str, Case] = {
    "each": lambda torch: (lambda x: x * x, line(torch)),
    "sum": lambda torch: (lambda x: (x**3).sum(), line(torch)),
    "two in, two out": lambda torch: (
        lambda x, y: (x.sum() * y, (y * y).sum()),
        (line(torch), square(torch)),
    ),
    "one of two is not used": lambda torch: (
        lambda x, y: x.exp(),
        (line(torch), square(torch)),
    ),
    "0-d": lambda torch: (lambda x: x**3, torch.tensor(2.0)),
    "constant": lambda torch: (lambda x: torch.ones(2), line(torch)),
    "linear": lambda torch: (lambda x: x.sum(), line(torch)),
    "tuple of one out": lambda torch: (lambda x: (x.sin(),), line(torch)),
    "tuple of one in": lambda torch: (lambda x: x.sin().sum(), (line(torch),)),
    "bilinear": lambda torch: (
        lambda x, y: (x.sum() * y).sum(),
        (line(torch), square(torch)),
    ),
    "an input that requires grad": lambda torch: (lambda x: (x**4).sum(), leaf(torch)),
    "one that is also captured": captured,
    "empty": lambda torch: (lambda x: x * 2, torch.ones(0)),
    "another dtype": lambda torch: (
        lambda x, y: (x.double() * 2).sum() + y.double().sum(),
        (line(torch), square(torch)),
    ),
    "a list out": lambda torch: (lambda x: [x, x], line(torch)),
    "a number out": lambda torch: (lambda x: 3.0, line(torch)),
    "matrix": lambda torch: (lambda y: y @ y, square(torch)),
    "one element": lambda torch: (lambda x: (x * x).sum().reshape(1, 1), line(torch)),
    "cubic in both": lambda torch: (
        lambda x, y: (x * x).sum() + (y**3).sum() * x.sum(),
        (line(torch), square(torch)),
    ),
}
VECTORS: list[Callable[[Any], Any]] = [
    lambda torch: None,
    lambda torch: torch.ones(()),
    lambda torch: torch.ones(1),
    lambda torch: torch.ones(3),
    lambda torch: torch.ones(2),
    lambda torch: (torch.ones(3), torch.ones(2, 2)),
    lambda torch: (torch.ones(2, 2), torch.ones(())),
    lambda torch: torch.ones(2, 2),
    lambda torch: 3,
    lambda torch: (torch.ones(3),),
    lambda torch: torch.ones(3, requires_grad=True),
    lambda torch: torch.ones(2, requires_grad=True),
]


def described(results: Any) -> Any:
    """Return results with shapes and dtypes."""
    if isinstance(results, tuple):
        return tuple(map(described, results))
    return f"{text(results)} {tuple(results.shape)} {results.dtype}"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", NAMES)
def test_results_and_refusals_are_the_same(name: str, case: str) -> None:
    def program(torch: Any, log: Log) -> None:
        differentiate = getattr(torch.autograd.functional, name)
        for flags in FLAGS:
            for vector in VECTORS if name.endswith("p") else [None]:
                func, inputs = CASES[case](torch)
                given = () if vector is None else (vector(torch),)
                attempt(
                    log,
                    lambda: described(differentiate(func, inputs, *given, **flags)),
                )

    same_notes(program)


STRATEGIES: list[dict[str, Any]] = [
    {"vectorize": True},
    {"vectorize": True, "strict": True},
    {"strategy": "forward-mode"},
    {"strategy": "forward-mode", "create_graph": True},
    {"strategy": "forward-mode", "strict": True, "vectorize": True},
    {"strategy": "other"},
    {"strategy": "reverse-mode"},
]


@pytest.mark.parametrize("options", STRATEGIES, ids=str)
def test_what_cannot_be_combined_is_refused_alike(options: dict[str, Any]) -> None:
    def program(torch: Any, log: Log) -> None:
        functional, x = torch.autograd.functional, torch.tensor([1.0, 2.0])
        outer = {"outer_jacobian_strategy" if key == "strategy" else key: options[key]
                 for key in options}  # fmt: skip
        attempt(log, lambda: functional.jacobian(lambda a: a * a, x, **options))
        attempt(log, lambda: functional.jacobian(lambda a, b: (a.sum() * b, a), (x, x), **options))
        attempt(log, lambda: functional.hessian(lambda a: (a * a).sum(), x, **outer))
        attempt(log, lambda: functional.hessian(lambda a, b: (a * b).sum(), (x, x), **outer))

    same_notes(program)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_tensor_is_refused_alike(name: str) -> None:
    def program(torch: Any, log: Log) -> None:
        differentiate = getattr(torch.autograd.functional, name)
        x = torch.tensor([1.0, 2.0])

        def total(x: Any) -> Any:
            return (x * x).sum()

        for inputs in (3, [x], (x, 3), (), torch.tensor([1, 2])):
            attempt(log, lambda: differentiate(total, inputs))
        for output in (3, (x.sum(), 3), None, x > 1):
            attempt(log, lambda: differentiate(lambda _: output, x))
        with torch.no_grad():
            attempt(log, lambda: differentiate(total, x))
            attempt(log, lambda: differentiate(total, x, create_graph=True))
            log.append(torch.is_grad_enabled())

    same_notes(program)


def test_what_the_function_sees_is_the_same() -> None:
    def program(torch: Any, log: Log) -> None:
        x = torch.tensor([1.0, 2.0], requires_grad=True)

        def total(a: Any) -> Any:
            log.append(torch.is_grad_enabled())
            log.append([a is x, a.requires_grad, a.is_leaf, a.data_ptr() == x.data_ptr()])
            return (a * a).sum()

        for name in NAMES[:3]:
            for create_graph in (False, True):
                getattr(torch.autograd.functional, name)(total, x, create_graph=create_graph)
        log.append(x.grad)
        torch.autograd.functional.jacobian(total, x, create_graph=True).sum().backward()
        log.append(x.grad)

    same_notes(program)


def test_the_graph_of_the_results_is_the_same() -> None:
    def first_nodes(tensor: Any) -> list[str]:
        names, node = [], tensor.grad_fn
        while node is not None:
            names.append(node.name())
            node = node.next_functions[0][0] if node.next_functions else None
        return names

    def program(torch: Any, log: Log) -> None:
        functional = torch.autograd.functional
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        log.append(first_nodes(functional.jacobian(lambda a: a * a, x, create_graph=True)))
        for name in NAMES[2:]:
            results = getattr(functional, name)(
                lambda a: (a**3).sum(),
                x,
                None if name == "vjp" else torch.ones(2),
                create_graph=True,
            )
            log.append([first_nodes(one) for one in results])

    same_notes(program)


def test_jacobians_are_of_the_type_of_the_tensors() -> None:
    agree_in_print(
        """
        class Kind(torch.Tensor):
            pass
        functional, x = torch.autograd.functional, torch.tensor([1.0, 2.0]).as_subclass(Kind)
        def kinds(tree):
            return [*map(kinds, tree)] if isinstance(tree, tuple) else type(tree).__name__
        for flags in ({}, {"create_graph": True}, {"strict": True}):
            print(kinds(functional.jacobian(lambda a: a * 2, x, **flags)))
            print(kinds(functional.jacobian(lambda a: (a.sum(), a * a), x, **flags)))
            print(kinds(functional.jacobian(lambda a, b: a * b, (x, x), **flags)))
            print(kinds(functional.hessian(lambda a: (a**3).sum(), x, **flags)))
        print(kinds(functional.jacobian(lambda a: a.detach() * 2, x)))
        """
    )


def test_modes_see_what_a_jacobian_is_made_of() -> None:
    agree_in_print(
        """
        class Named(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(func.__name__)
                return func(*args, **(kwargs or {}))
        with Named():
            torch.autograd.functional.jacobian(lambda a: a * 2, torch.ones(2))
        """
    )


def test_forward_mode_calls_the_function_once() -> None:
    agree_in_print(
        """
        from warnings import filterwarnings
        filterwarnings("ignore", "`torch.jit.script` is deprecated")
        functional = torch.autograd.functional
        seen = []

        def doubled(x):
            seen.append((type(x).__name__, x.shape))
            return x.add_(x) * 3, x.sum(), torch.ones(1)

        x, forward = torch.tensor([1.0, 2.0]), {"vectorize": True, "strategy": "forward-mode"}
        print(functional.jacobian(doubled, x, **forward), x, seen)
        print(functional.jacobian(lambda x, y: (x @ y.float(), y), (x, x.double()), **forward))
        outer = {"vectorize": True, "outer_jacobian_strategy": "forward-mode"}
        print(functional.hessian(lambda x: seen.append(x.shape) or (x**3).sum(), x, **outer), seen)
        for given in (torch.ones(0), torch.tensor([1, 2]), (x, 3)):
            attempt(lambda: functional.jacobian(lambda *a: a[0] * 2, given, **forward))
        attempt(lambda: functional.jacobian(lambda x: (), x, **forward))
        with torch.autograd.forward_ad.dual_level():
            attempt(lambda: functional.jacobian(lambda x: x * 2, x, **forward))
        """
    )


def test_forward_mode_within_forward_mode_is_refused() -> None:
    agree_in_print(
        """
        jacobian = torch.autograd.functional.jacobian
        modes = {"vectorize": True, "strategy": "forward-mode"}
        inner = lambda x: jacobian(torch.square, x, **modes).sum(0)
        x = torch.tensor([1.0, 2.0])
        attempt(lambda: jacobian(inner, x, **modes))
        attempt(lambda: torch.func.jacfwd(inner)(x))
        attempt(lambda: inner(x))
        """
    )
