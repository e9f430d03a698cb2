"""gradcheck and gradgradcheck pass, fail, warn and refuse as PyTorch's, with the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity.logs import Log, attempt, same_notes, text

pytestmark = pytest.mark.parity

Case = Callable[[Any], tuple[Callable[..., Any], Any]]


def double(torch: Any, values: Any) -> Any:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def line(torch: Any) -> Any:
    return double(torch, [1.0, 2.0])


def square(torch: Any) -> Any:
    return double(torch, [[0.5, 1.5], [2.0, -1.0]])


def threefold(x: Any) -> Any:
    """A square whose gradient is three times as large as it should be."""
    y = x * x
    if y.requires_grad:
        y.register_hook(lambda gradient: gradient * 3)
    return y


RIGHT: dict[str, Case] = {
    "one": lambda torch: (torch.exp, line(torch)),
    "a tuple": lambda torch: (torch.exp, (line(torch),)),
    "a list": lambda torch: (torch.exp, [line(torch)]),
    "several outputs": lambda torch: (
        lambda a, b: (a.exp(), (b @ b).sum(), a.sum() * b),
        (line(torch), square(torch)),
    ),
    "one that is not checked": lambda torch: (lambda a, b: a * b, (line(torch), torch.ones(2))),
    "a number": lambda torch: (lambda a, b: a * b, (line(torch), 3)),
    "integers out": lambda torch: (lambda a: a.max(0), line(torch)),
    "lists out": lambda torch: (lambda a: [a, a * 2], line(torch)),
    "nothing out": lambda torch: (
        lambda a: a * torch.ones(0, 2, dtype=torch.float64),
        double(torch, [[1.0, 2.0]]),
    ),
    "nothing in": lambda torch: (
        lambda a: a * 2,
        torch.ones(0, dtype=torch.float64, requires_grad=True),
    ),
    "0-d": lambda torch: (lambda a: a**3, double(torch, 3.0)),
    "linear": lambda torch: (lambda a: a * 2, line(torch)),
    "not differentiable": lambda torch: (lambda a: torch.ones(2), line(torch)),
}
WRONG: dict[str, Case] = {
    "one": lambda torch: (threefold, line(torch)),
    "0-d": lambda torch: (threefold, double(torch, 3.0)),
    "second of two": lambda torch: (
        lambda a, b: (a * 1, threefold(a) * b.sum()),
        (square(torch), line(torch)),
    ),
    "cut off": lambda torch: (lambda a: (a * a).detach(), line(torch)),
}


@pytest.mark.parametrize("options", [{}, {"fast_mode": True}, {"check_undefined_grad": False}])
@pytest.mark.parametrize("case", RIGHT)
def test_right_gradients_pass(case: str, options: dict[str, Any]) -> None:
    def program(torch: Any, log: Log) -> None:
        func, inputs = RIGHT[case](torch)
        attempt(log, lambda: torch.autograd.gradcheck(func, inputs, **options))
        if case != "not differentiable":
            attempt(log, lambda: torch.autograd.gradgradcheck(func, inputs, **options))

    same_notes(program)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fast_mode": True},
        {"raise_exception": False},
        {"fast_mode": True, "raise_exception": False},
        {"atol": 100.0},
        {"rtol": 3.0},
        {"eps": 1e-3},
    ],
    ids=str,
)
@pytest.mark.parametrize("case", WRONG)
def test_wrong_gradients_are_shown_alike(case: str, options: dict[str, Any]) -> None:
    def program(torch: Any, log: Log) -> None:
        func, inputs = WRONG[case](torch)
        attempt(log, lambda: torch.autograd.gradcheck(func, inputs, **options))
        if case != "cut off":
            attempt(log, lambda: torch.autograd.gradgradcheck(func, inputs, **options))

    same_notes(program)


def test_inputs_that_cannot_be_checked_are_refused_alike() -> None:
    def program(torch: Any, log: Log) -> None:
        gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck
        x = line(torch)
        overlapping = torch.ones(1, dtype=torch.float64).expand(3).requires_grad_()
        for inputs in (torch.ones(2), 3, overlapping):
            attempt(log, lambda: gradcheck(torch.exp, inputs))
        attempt(log, lambda: gradcheck(lambda x: x * 2, torch.ones(2, requires_grad=True)))
        attempt(log, lambda: gradcheck(lambda x: 3, x))
        attempt(log, lambda: gradcheck(lambda x: 1 / 0, x))
        for options in (
            {"check_backward_ad": False},
            {"check_batched_forward_grad": True},
            {"check_batched_grad": True, "check_backward_ad": False, "check_forward_ad": True},
        ):
            attempt(log, lambda: gradcheck(torch.exp, x, **options))
        for more in (
            {"check_rev_over_rev": False},
            {"check_rev_over_rev": False, "check_fwd_over_rev": True},
        ):
            attempt(log, lambda: gradgradcheck(torch.exp, x, **more))
        log.append([x, x.grad, x._version])

    same_notes(program)


@pytest.mark.parametrize("fast", [False, True])
def test_outputs_must_keep_their_shape_and_dtype(fast: bool) -> None:
    def program(torch: Any, log: Log) -> None:
        calls: list[Any] = []

        def longer(x: Any) -> Any:
            calls.append(x)
            return torch.ones(len(calls), dtype=torch.float64) * x.sum()

        def another(x: Any) -> Any:
            calls.append(x)
            return x.sum().to(torch.float32 if len(calls) % 2 else torch.float64)

        for func in (longer, another):
            calls.clear()
            attempt(log, lambda: torch.autograd.gradcheck(func, line(torch), fast_mode=fast))

    same_notes(program)


@pytest.mark.parametrize(
    "options", [{}, {"nondet_tol": 1e-3}, {"fast_mode": True}, {"masked": True}], ids=str
)
def test_gradients_that_change_or_do_not_vanish_are_refused_alike(options: dict[str, Any]) -> None:
    def program(torch: Any, log: Log) -> None:
        calls: list[Any] = []

        def changing(x: Any) -> Any:
            def more(gradient: Any) -> Any:
                calls.append(gradient)
                return gradient * (1 + len(calls) * 1e-9)

            y = x * 1.0
            y.register_hook(more)
            return y

        def not_linear(x: Any) -> Any:
            y = x * 1.0
            y.register_hook(lambda gradient: gradient + 1e-7)
            return y

        for func in (changing, not_linear):
            attempt(log, lambda: torch.autograd.gradcheck(func, line(torch), **options))

    same_notes(program)


def test_undefined_gradients_are_tried_alike() -> None:
    def program(torch: Any, log: Log) -> None:
        def two(x: Any) -> Any:
            first, second = (x * 1).split(1)
            first.grad_fn.register_prehook(log.append)
            return first, second

        def picky(x: Any) -> Any:
            def hook(grad_inputs: Any, grad_outputs: Any) -> None:
                if grad_outputs[0] is None:
                    raise RuntimeError("no gradient")

            y = x * 1.0
            y.grad_fn.register_hook(hook)
            return y

        gradcheck, x = torch.autograd.gradcheck, line(torch)
        attempt(log, lambda: gradcheck(two, x))
        attempt(log, lambda: gradcheck(picky, x))
        attempt(log, lambda: gradcheck(picky, x, check_undefined_grad=False))
        attempt(log, lambda: gradcheck(picky, x, raise_exception=False))

    same_notes(program)


def test_gradgradcheck_draws_the_same_gradients() -> None:
    def program(torch: Any, log: Log) -> None:
        gradgradcheck, x = torch.autograd.gradgradcheck, line(torch)
        vector = double(torch, [1.0, 3.0])
        for given in (vector, (vector,), vector.detach(), torch.ones(3), (vector,) * 2, 3):
            attempt(log, lambda: gradgradcheck(lambda x: x**3, x, given))
        for spaced in (False, True):
            attempt(
                log,
                lambda: gradgradcheck(lambda x: x**3, x, gen_non_contig_grad_outputs=spaced),
            )
            log.append(torch.rand(3))
        attempt(log, lambda: gradgradcheck(lambda x: (x * x, x.detach()), x))
        attempt(log, lambda: gradgradcheck(torch.relu, x))
        attempt(log, lambda: gradgradcheck(lambda x: x.detach(), x))
        log.append(torch.rand(3))

    same_notes(program)


def test_the_error_is_known_by_the_same_names() -> None:
    def program(torch: Any, log: Log) -> None:
        log.append(type(torch.autograd.gradcheck).__name__)
        try:
            torch.autograd.gradcheck(threefold, line(torch))
        except RuntimeError as error:
            log.append([text(one.__module__ + one.__name__) for one in type(error).__mro__])

    same_notes(program)


def test_custom_functions_are_checked_alike() -> None:
    def program(torch: Any, log: Log) -> None:
        class Threefold(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                return gradient * ctx.saved_tensors[0] * 3

        class NeverUndefined(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any, y: Any) -> Any:
                ctx.set_materialize_grads(False)
                return x * 2, y * 3

            @staticmethod
            def backward(ctx: Any, first: Any, second: Any) -> Any:
                return first * 2, second * 3

        class Longer(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                return torch.ones(3, dtype=torch.float64)

        class Once(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            @torch.autograd.function.once_differentiable
            def backward(ctx: Any, gradient: Any) -> Any:
                return gradient * 2

        x = line(torch)
        for function in (Threefold, Longer, Once):
            attempt(log, lambda: torch.autograd.gradcheck(function.apply, x))
            attempt(log, lambda: torch.autograd.gradcheck(function.apply, x, fast_mode=True))
            attempt(log, lambda: torch.autograd.gradgradcheck(function.apply, x))
        attempt(log, lambda: torch.autograd.gradcheck(NeverUndefined.apply, (x, line(torch))))

    same_notes(program)
