"""Checkpoints run again what PyTorch's do, as often, and refuse the same."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_the_gradients_are_those_without() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        lin = nn.Linear(3, 3)
        x = torch.ones(2, 3, requires_grad=True)
        print(checkpoint(lin, x, use_reentrant=False).sum().backward())
        print(x.grad)
        """
    )


def test_a_function_runs_again_when_it_is_needed() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(2, requires_grad=True)
        def f(a, b):
            print("run")
            return (a * b).exp()
        y = checkpoint(f, x, x * 2, use_reentrant=False)
        print(y)
        y.sum().backward()
        print(x.grad)
        x.grad = None
        y = checkpoint(f, x, x * 2, use_reentrant=True)
        print(y)
        attempt(lambda: torch.autograd.grad(y.sum(), x))
        y = checkpoint(f, x, x * 2, use_reentrant=True)
        y.sum().backward()
        print(x.grad)
        attempt(lambda: checkpoint(f, x, x * 2))
        attempt(
            lambda: (
                torch.utils.checkpoint.checkpoint_sequential(
                    nn.Sequential(nn.Linear(2, 2), nn.Tanh()), 2, x, use_reentrant=False
                ).shape
            )
        )
        attempt(
            lambda: torch.utils.checkpoint.checkpoint_sequential(
                [torch.exp, torch.sin, torch.cos], 2, x
            )
        )
        y = checkpoint(f, x, x * 2, use_reentrant=False)
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        attempt(lambda: y.sum().backward())
        attempt(
            lambda: torch.autograd.grad(
                checkpoint(f, x, x * 2, use_reentrant=False).sum(), x, create_graph=True
            )
        )
        y = checkpoint(f, x, x * 2, use_reentrant=False)
        print(y.grad_fn._saved_result)
        attempt(lambda: checkpoint(f, x, x, foo=3, use_reentrant=True))
        attempt(lambda: checkpoint(f, x, x, determinism_check="x", use_reentrant=False))
        attempt(lambda: checkpoint(f, torch.ones(2), torch.ones(2), use_reentrant=True))
        attempt(lambda: checkpoint(f, torch.ones(2), torch.ones(2), use_reentrant=False))
        """
    )


def test_random_numbers_are_the_same_again() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(4, requires_grad=True)
        torch.manual_seed(3)
        def f(a):
            r = torch.rand(4)
            print(r)
            return (a * r).exp()
        checkpoint(f, x, use_reentrant=False).sum().backward()
        print(x.grad, torch.rand(1))
        checkpoint(f, x, use_reentrant=True).sum().backward()
        print(x.grad, torch.rand(1))
        checkpoint(f, x, use_reentrant=False, preserve_rng_state=False).sum().backward()
        """
    )


def test_checkpoints_in_checkpoints() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(4, requires_grad=True)
        def outer(a):
            print("outer")
            def inner(b):
                print("inner")
                return b.sin().exp()
            return checkpoint(inner, a * 2, use_reentrant=False).cos()
        y = checkpoint(outer, x, use_reentrant=False)
        y.sum().backward()
        print(x.grad)
        """
    )


def test_functions_that_differentiate_themselves() -> None:
    agree_in_print(
        """
        c = lambda f: lambda x: torch.utils.checkpoint.checkpoint(f, x, use_reentrant=False)
        def slope(f):
            def of(x):
                with torch.enable_grad():
                    return torch.autograd.grad(f(x), x, create_graph=True)[0]
            return of
        def f(x):
            print("run")
            return x.sin().exp().cos()
        x = torch.tensor(0.7, requires_grad=True)
        for early in (True, False):
            with torch.utils.checkpoint.set_checkpoint_early_stop(early):
                print(slope(c(slope(f)))(x), c(slope(slope(c(f))))(x), slope(c(slope(c(f))))(x))
                y = slope(c(slope(slope(c(f)))))(x)
                print(y)
                y.backward()
        """
    )


def test_the_block_says_whether_to_stop_early_and_then_the_argument() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        stop = torch.utils.checkpoint.set_checkpoint_early_stop
        def f(a):
            y = a.sin().cos()
            print("saved all")
            return y
        x = torch.ones(2, requires_grad=True)
        for argument in (True, False):
            checkpoint(f, x, use_reentrant=False, early_stop=argument).sum().backward()
            for block in (True, False):
                print(argument, block)
                with stop(not block), stop(block):
                    y = checkpoint(f, x, use_reentrant=False, early_stop=argument)
                y.sum().backward()
        """
    )


def test_what_needs_no_gradient_comes_back_itself() -> None:
    agree_in_print(
        """
        class Keep(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b
            @staticmethod
            def backward(ctx, gradient):
                a, b = ctx.saved_tensors
                print(a is x, b is y, a.requires_grad, b.requires_grad)
                return gradient * b, None
        x, y = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0)
        torch.utils.checkpoint.checkpoint(Keep.apply, x, y, use_reentrant=False).backward()
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            z = Keep.apply(x, y)
        z.backward()
        """
    )


def test_a_function_that_does_something_else_is_refused() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(4, requires_grad=True)
        n = [0]
        def f(a):
            n[0] += 1
            if n[0] % 2:
                return a.sin().exp()
            return a * 2
        def go(f, **k):
            try:
                checkpoint(f, x, use_reentrant=False, **k).sum().backward()
            except torch.utils.checkpoint.CheckpointError as e:
                print(str(e).split("\nTip")[0])
        go(f)
        n[0] = 1
        with torch.utils.checkpoint.set_checkpoint_early_stop(False):
            go(f)
        n[0] = 0
        def g(a):
            n[0] += 1
            if n[0] % 2:
                return (a * a).sum()
            return (a[:2] * a[:2]).sum()
        go(g)
        def h(a):
            n[0] += 1
            return a.exp() if n[0] % 2 else a.exp().exp()
        n[0] = 0
        go(h)
        with torch.utils.checkpoint.set_checkpoint_early_stop(False):
            go(h)
        n[0] = 0
        go(h, early_stop=False)
        class C(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * 1
            @staticmethod
            def backward(ctx, g):
                ctx.saved_tensors
                ctx.saved_tensors
                return g
        go(lambda a: C.apply(a))
        """
    )


def test_what_differs_is_told_with_a_tip() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(3, requires_grad=True)
        runs = []
        def other(x):
            runs.append(1)
            return x.sin().exp() if len(runs) % 2 else x.sin()
        attempt(lambda: checkpoint(other, x, use_reentrant=False).sum().backward())
        def shapes(x):
            runs.append(1)
            return (x if len(runs) % 2 else x[:2]).sin().sum()
        attempt(lambda: checkpoint(shapes, x, use_reentrant=False).backward())
        more = lambda x: other(x) if len(runs) % 2 else other(other(x))
        with torch.utils.checkpoint.set_checkpoint_early_stop(False):
            attempt(lambda: checkpoint(more, x, use_reentrant=False).sum().backward())
        """
    )


def test_debugging_ends_in_how_to_read_it() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        debugging = torch.utils.checkpoint.set_checkpoint_debug_enabled
        x = torch.ones(3, requires_grad=True)
        runs = []
        def other(x):
            runs.append(1)
            return x.sin().exp() if len(runs) % 2 else x.sin()
        def told(**how):
            try:
                checkpoint(other, x, use_reentrant=False, **how).sum().backward()
            except torch.utils.checkpoint.CheckpointError as error:
                text = str(error)
                print(text[: text.find("$")], text[text.find(" ERROR"):], type(error.__cause__))
        told(debug=True)
        with debugging(True):
            told(debug=False)
            with debugging(None):
                told()
            with debugging(False):
                told(debug=True)
        attempt(lambda: checkpoint(other, x, use_reentrant=True, debug=True))
        contexts = lambda: torch.utils.checkpoint.noop_context_fn()
        attempt(lambda: checkpoint(other, x, use_reentrant=False, debug=True, context_fn=contexts))
        attempt(lambda: checkpoint(other, x, use_reentrant=False, context_fn=lambda: 3))
        """
    )


def test_only_the_inputs_are_saved_for_a_checkpoint_around() -> None:
    agree_in_print(
        """
        import contextlib
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(3, requires_grad=True)
        hooks = torch.autograd.graph.saved_tensors_hooks
        with hooks(lambda t: print("packed", t), lambda t: t):
            checkpoint(torch.exp, x, use_reentrant=False)
        @contextlib.contextmanager
        def entered():
            print("entered")
            yield
        with torch.no_grad():
            checkpoint(torch.exp, x, use_reentrant=False, context_fn=lambda: (entered(), entered()))
        checks = torch.utils.checkpoint
        print(checks.detach_variable((x, 3, x * 2)))
        attempt(lambda: checks.detach_variable([x]))
        checks.check_backward_validity([x.detach(), 3])
        """
    )


def test_anomaly_mode_asks_for_no_inputs() -> None:
    agree_in_print(
        """
        checkpoint = torch.utils.checkpoint.checkpoint
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.set_detect_anomaly(True):
            for reentrant in (True, False):
                checkpoint(torch.exp, x, use_reentrant=reentrant).sum().backward()
                print(x.grad)
        """
    )


def test_modes_see_what_the_function_does_and_no_machinery() -> None:
    agree_in_print(
        """
        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(torch.overrides.resolve_name(func), func.__name__)
                return func(*args, **(kwargs or {}))

        checkpoint = torch.utils.checkpoint.checkpoint
        x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        def f(a, b):
            return (a * b).sin()

        for options in (
            {"use_reentrant": False}, {"use_reentrant": True},
            {"use_reentrant": False, "preserve_rng_state": False},
            {"use_reentrant": True, "preserve_rng_state": False},
            {"use_reentrant": False, "early_stop": False},
        ):
            print(options)
            with Log():
                y = checkpoint(f, x, w, **options)
                print("computed")
                y.sum().backward()
            with Log():
                y = checkpoint(f, x, w, **options)
            print("left")
            y.sum().backward()
        with Log(), torch.no_grad():
            checkpoint(f, x, w, use_reentrant=False)
        with Log():
            sequential = torch.utils.checkpoint.checkpoint_sequential
            sequential([nn.Linear(2, 2), nn.Tanh(), nn.Sigmoid()], 2, x * 1, use_reentrant=False)
        """
    )


def test_a_context_that_keeps_errors_to_itself_is_refused() -> None:
    agree_in_print(
        """
        import contextlib
        x = torch.ones(2, requires_grad=True)
        def fails(x):
            raise ValueError("no")
        def contexts():
            return contextlib.suppress(ValueError), contextlib.nullcontext()
        def run():
            torch.utils.checkpoint.checkpoint(fails, x, use_reentrant=False, context_fn=contexts)
        attempt(run)
        """
    )
