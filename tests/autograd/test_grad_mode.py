"""Whether operations are recorded: in blocks, decorated functions, generators and threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def recording(torch: Any) -> Iterator[None]:
    """Every test starts, and is followed by one that starts, with recording on."""
    torch.set_grad_enabled(True)
    yield
    torch.set_grad_enabled(True)


def records(torch: Any) -> bool:
    """Whether operations are recorded, seen from what they leave behind."""
    recorded = (torch.ones(1, requires_grad=True) * 2).grad_fn is not None
    assert torch.is_grad_enabled() is recorded
    return recorded


def test_no_grad_holds_inside_its_block(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    assert records(torch)
    with torch.no_grad():
        assert not records(torch)
        y = x * 2
        assert x.requires_grad
        assert (y.requires_grad, y.grad_fn, y.is_leaf) == (False, None, True)
    assert records(torch)
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        y.sum().backward()


def test_leaves_made_under_no_grad_may_require_grad(torch: Any) -> None:
    with torch.no_grad():
        x = torch.ones(2, requires_grad=True)
        assert x.requires_grad
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_modes_nest(torch: Any) -> None:
    with torch.no_grad():
        with torch.enable_grad():
            assert records(torch)
            with torch.set_grad_enabled(False):
                assert not records(torch)
            assert records(torch)
        assert not records(torch)
    assert records(torch)


@pytest.mark.parametrize("mode", ["no_grad", "enable_grad"])
def test_a_mode_ends_with_an_exception_too(torch: Any, mode: str) -> None:
    with pytest.raises(ValueError, match="stop"), getattr(torch, mode)():
        raise ValueError("stop")
    assert records(torch)


def test_set_grad_enabled_works_at_once(torch: Any) -> None:
    torch.set_grad_enabled(False)
    assert not records(torch)
    torch.set_grad_enabled(True)
    assert records(torch)


def test_set_grad_enabled_is_undone_by_its_block(torch: Any) -> None:
    mode = torch.set_grad_enabled(False)
    assert not records(torch)
    with mode:
        assert not records(torch)
    assert records(torch)
    assert repr(mode) == "torch.autograd.grad_mode.set_grad_enabled(mode=False)"


@pytest.mark.parametrize("mode", [0, 1, None, "on"])
def test_set_grad_enabled_takes_a_bool(torch: Any, mode: Any) -> None:
    with pytest.raises(TypeError, match="must be bool, not"):
        torch.set_grad_enabled(mode)
    assert records(torch)


def test_decorated_functions(torch: Any) -> None:
    @torch.no_grad()
    def called(scale: int, *, offset: int = 0) -> tuple[bool, int]:
        """Some function."""
        return records(torch), scale + offset

    @torch.no_grad
    def bare() -> bool:
        return records(torch)

    @torch.enable_grad()
    def enabled() -> bool:
        return records(torch)

    assert called(2, offset=3) == (False, 5)
    assert (called.__name__, called.__doc__) == ("called", "Some function.")
    assert not bare()
    assert records(torch)
    with torch.no_grad():
        assert enabled()
        assert not records(torch)


def test_decorating_with_set_grad_enabled_changes_nothing_outside(torch: Any) -> None:
    @torch.set_grad_enabled(False)
    def function() -> bool:
        return records(torch)

    assert records(torch)
    assert not function()
    assert records(torch)


def test_a_decorated_function_may_call_itself_and_raise(torch: Any) -> None:
    @torch.no_grad()
    def down(depth: int) -> int:
        assert not records(torch)
        if depth == 0:
            raise ValueError("bottom")
        with torch.enable_grad():
            return down(depth - 1)

    for _ in range(2):
        with pytest.raises(ValueError, match="bottom"):
            down(3)
        assert records(torch)


def test_a_generator_runs_in_its_mode_and_its_caller_does_not(torch: Any) -> None:
    @torch.no_grad()
    def generator() -> Iterator[bool]:
        yield records(torch)
        yield records(torch)

    seen = []
    for inside in generator():
        seen.append((inside, records(torch)))
        with torch.no_grad():
            pass
    assert seen == [(False, True)] * 2


def test_a_generator_does_not_disturb_the_mode_of_its_caller(torch: Any) -> None:
    @torch.enable_grad()
    def generator() -> Iterator[bool]:
        yield records(torch)
        torch.set_grad_enabled(False)
        yield records(torch)

    running = generator()
    with torch.no_grad():
        assert next(running)
        assert not records(torch)
    assert not next(running)
    assert records(torch)


def test_a_generator_gets_what_is_sent_and_thrown_and_returns_its_value(torch: Any) -> None:
    @torch.no_grad()
    def generator() -> Any:
        received = [(yield "first"), records(torch)]
        try:
            yield received
        except KeyError as error:
            yield (error.args, records(torch))
        return "value"

    running = generator()
    assert next(running) == "first"
    assert running.send("sent") == ["sent", False]
    assert running.throw(KeyError("thrown")) == (("thrown",), False)
    with pytest.raises(StopIteration) as stopped:
        next(running)
    assert stopped.value.value == "value"
    assert records(torch)


def test_a_closed_generator_cleans_up_in_its_mode(torch: Any) -> None:
    cleaned: list[bool] = []

    @torch.no_grad()
    def generator() -> Any:
        try:
            yield 1
        finally:
            cleaned.append(records(torch))

    running = generator()
    next(running)
    running.close()
    assert cleaned == [False]
    assert records(torch)


def test_an_exception_leaves_a_generator_and_its_mode(torch: Any) -> None:
    @torch.no_grad()
    def generator() -> Any:
        yield 1
        raise ValueError("inside")

    running = generator()
    next(running)
    with pytest.raises(ValueError, match="inside"):
        next(running)
    assert records(torch)
    assert list(running) == []


def test_each_thread_has_its_own_mode(torch: Any) -> None:
    seen: list[bool] = []
    entered, looked = threading.Event(), threading.Event()

    def other() -> None:
        seen.append(records(torch))
        with torch.no_grad():
            entered.set()
            looked.wait()
            seen.append(records(torch))

    thread = threading.Thread(target=other)
    with torch.no_grad():
        thread.start()
        entered.wait()
    seen.append(records(torch))
    looked.set()
    thread.join()
    assert seen == [True, True, False]


def test_views_and_in_place_changes_under_no_grad_leave_no_history(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        x.mul_(3)
        x[0] = 7.0
        x.view(2).add_(1)
    assert x.tolist() == [8.0, 7.0]
    assert (x.is_leaf, x.requires_grad, x.grad_fn, x._version) == (True, True, None, 3)


def test_inference_mode_records_nothing(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled()
        assert not (x * 2).requires_grad
        with torch.inference_mode(False):
            assert (x * 2).requires_grad
    assert not torch.is_inference_mode_enabled()
    assert (x * 2).requires_grad


def test_a_decorated_class_is_warned_of(torch: Any) -> None:
    with pytest.warns(FutureWarning, match="Decorating classes is deprecated"):

        @torch.no_grad()
        class Made:
            def __init__(self) -> None:
                self.enabled = torch.is_grad_enabled()

    assert not Made().enabled


def test_what_is_decorated_is_named_as_in_pytorch(torch: Any) -> None:
    decorated = torch.no_grad(torch.ones)
    assert decorated.__name__ == "ones"
    assert repr(torch.no_grad(1)).startswith(
        "<function context_decorator.<locals>.decorate_context"
    )
    with pytest.raises(TypeError, match="_NoParamDecoratorContextManager.__new__"):
        torch.no_grad(1, 2)


def test_operations_on_inference_tensors_alone_are_never_recorded(torch: Any) -> None:
    with torch.inference_mode():
        leaf = torch.ones(2, requires_grad=True)
    assert leaf.requires_grad is True
    assert not (leaf * leaf).requires_grad
    assert not leaf.exp().requires_grad
    assert not leaf[0].requires_grad
    (leaf * torch.ones(2)).sum().backward()
    assert leaf.grad.tolist() == [1.0, 1.0]


def test_a_gradient_computed_in_inference_mode_is_an_inference_tensor(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    with torch.inference_mode():
        y.backward(torch.ones(2))
        assert y.detach_() is y  # which does nothing here
    assert x.grad.is_inference()
    assert y.requires_grad
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside"):
        (x * 3).sum().backward()
