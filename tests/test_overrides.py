"""Modes: what they see, what they may change, and that nothing is left of them."""

from __future__ import annotations

import copy
import inspect
import pickle
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest


def watch(torch: Any, found: list[Any], change: Any = None) -> Any:
    """Return a mode that notes what it sees, and may change the results."""

    class Watch(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            found.append(func)
            result = func(*args, **(kwargs or {}))
            return result if change is None else change(result)

    return Watch()


def test_a_mode_is_called_with_what_was_called(torch: Any) -> None:
    found: list[Any] = []
    x = torch.ones(2, requires_grad=True)
    with watch(torch, found):
        torch.exp(x)
        x.exp()
        assert found[0] is torch.exp
        assert found[1] is torch.Tensor.exp
    assert found[0] == torch.exp
    assert found[1] in {torch.Tensor.exp: "known before"}


def test_properties_are_seen_as_their_get_and_set(torch: Any) -> None:
    found: list[Any] = []
    x = torch.ones(2, requires_grad=True)
    with watch(torch, found):
        _ = x.grad
        x.grad = None
    assert found == [torch.Tensor.grad.__get__, torch.Tensor.grad.__set__]


def test_what_a_mode_returns_is_the_result(torch: Any) -> None:
    x = torch.ones(2)
    with watch(torch, [], lambda result: result + 1):
        y = x.mul(3)
    assert y.tolist() == [4.0, 4.0]


def test_the_inside_of_a_call_is_not_seen(torch: Any) -> None:
    found: list[Any] = []
    x, target = torch.ones(2, 2, requires_grad=True), torch.tensor([0, 1])
    x.register_hook(lambda gradient: gradient * 2)
    with watch(torch, found):
        loss = torch.nn.functional.cross_entropy(x, target)
        loss.backward()
    assert [one.__name__ for one in found] == ["cross_entropy", "backward"]


def test_nested_modes_are_asked_from_the_inside_out(torch: Any) -> None:
    order: list[str] = []
    x = torch.ones(2)
    outer = watch(torch, [], lambda result: order.append("outer") or result)
    inner = watch(torch, [], lambda result: order.append("inner") or result)
    with outer, inner:
        x.exp()
    assert order == ["outer", "inner"]  # the inner one called the outer one


def test_a_mode_may_enter_itself_again(torch: Any) -> None:
    depth: list[int] = []

    class Again(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            depth.append(len(depth))
            if len(depth) < 3:
                with self:
                    return torch.Tensor.exp(*args)
            return func(*args, **(kwargs or {}))

    x = torch.ones(2)
    with Again():
        x.exp()
    assert depth == [0, 1, 2]


def test_after_the_last_mode_everything_is_as_before(torch: Any) -> None:
    before = torch.add, torch.Tensor.add, torch.nn.functional.relu, torch.autograd.grad
    x = torch.ones(2)
    with pytest.raises(TypeError), watch(torch, []), watch(torch, []):
        x.add("a")
    now = torch.add, torch.Tensor.add, torch.nn.functional.relu, torch.autograd.grad
    assert all(one is other for one, other in zip(before, now, strict=True))


def test_other_threads_do_not_see_a_mode(torch: Any) -> None:
    found: list[Any] = []
    x = torch.ones(2, requires_grad=True)
    with watch(torch, found):
        thread = threading.Thread(target=lambda: (x * 2).sum().backward())
        thread.start()
        thread.join()
    assert found == []
    assert x.grad.tolist() == [2.0, 2.0]


def test_names_are_resolved_without_a_mode_too(torch: Any) -> None:
    assert torch.overrides.resolve_name(torch.Tensor.grad.__get__) == "torch.Tensor.grad.__get__"
    assert torch.overrides.resolve_name(torch.nn.functional.mse_loss) == (
        "torch.nn.functional.mse_loss"
    )
    assert torch.overrides.resolve_name(print) is None
    assert torch.overrides.is_tensor_like(torch.ones(1))
    assert not torch.overrides.is_tensor_like(1)


def test_a_warning_names_the_line_that_calls_though_a_mode_is_on(torch: Any) -> None:
    y = torch.ones(2, requires_grad=True) * 2

    def softmax() -> list[tuple[str, int]]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.nn.functional.softmax(y)
        return [(one.filename, one.lineno) for one in caught]

    class Own(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return func(*args, **(kwargs or {}))

    alone = softmax()
    with Own():
        watched = softmax()
    assert alone[0][0] == watched[0][0] == __file__
    line = Own.__torch_function__.__code__.co_firstlineno
    assert line < watched[0][1] <= line + 4


@pytest.fixture
def mode_elsewhere(torch: Any) -> Iterator[None]:
    """Let another thread be in a mode during a test."""
    entered, done = threading.Event(), threading.Event()

    def stay() -> None:
        with watch(torch, []):
            entered.set()
            done.wait()

    thread = threading.Thread(target=stay, daemon=True)
    thread.start()
    assert entered.wait(60)
    yield
    done.set()
    thread.join()


def test_a_mode_of_another_thread_is_in_no_traceback(torch: Any, mode_elsewhere: None) -> None:
    with torch.autograd.set_detect_anomaly(True):
        node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    own = [one for one in node.metadata["traceback_"] if f'"{__file__}"' in one]
    assert len(own) == 1
    assert "in test_a_mode_of_another_thread_is_in_no_traceback\n" in own[0]


def test_a_warning_names_the_line_though_another_thread_is_in_a_mode(
    torch: Any, mode_elsewhere: None
) -> None:
    y = torch.ones(2, requires_grad=True) * 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = y.grad
        torch.nn.functional.softmax(y)
    assert [one.filename for one in caught] == [__file__] * 2


def test_functions_look_the_same_though_another_thread_is_in_a_mode(mode_elsewhere: None) -> None:
    import minigrad as torch

    assert repr(torch.relu).startswith("<function relu at 0x")
    with pytest.raises(TypeError, match="^'function' object is not iterable"):
        torch.optim.SGD(torch.relu, lr=0.1)


def test_what_no_mode_answers_is_refused(torch: Any) -> None:
    class Silent(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return NotImplemented

        def __repr__(self) -> str:
            return "Silent()"

    x = torch.ones(2)
    with Silent():
        with pytest.raises(TypeError, match=r"'torch.Tensor.__getitem__'.*\n.*\n  - mode object S"):
            x[0]
        with pytest.raises(TypeError, match=r"^unsupported operand type\(s\) for \+: 'Tensor' and"):
            x + 1


def test_a_mode_answers_by_a_plain_method(torch: Any) -> None:
    class Shared(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return func(*args, **(kwargs or {}))

    with Shared(), pytest.raises(RuntimeError, match="as a classmethod is not supported, please"):
        torch.ones(1)


def test_what_can_be_seen_is_listed(torch: Any) -> None:
    overrides = torch.overrides
    listed = overrides.get_overridable_functions()
    assert torch.add in listed[torch]
    assert torch.Tensor.add in listed[torch.Tensor]
    assert torch.nn.functional.relu in listed[torch.nn.functional]
    assert overrides.is_tensor_method_or_property(torch.Tensor.add)
    assert overrides.is_tensor_method_or_property(torch.Tensor.grad.__get__)
    assert not overrides.is_tensor_method_or_property(torch.add)
    assert not overrides.has_torch_function_unary(torch.ones(1))
    assert not overrides.has_torch_function_variadic(torch.ones(1), 2)


def test_a_mode_does_not_see_what_is_set_or_asked_of_the_machine(torch: Any) -> None:
    seen: list[Any] = []

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(func)
            return func(*args, **(kwargs or {}))

    with Mode():
        torch.set_num_threads(torch.get_num_threads())
        torch.use_deterministic_algorithms(torch.are_deterministic_algorithms_enabled())
        torch.is_deterministic_algorithms_warn_only_enabled()
        torch.set_float32_matmul_precision(torch.get_float32_matmul_precision())
        torch.is_storage(1)
        torch.cuda.is_available()
    assert seen == []


def test_what_functions_take_is_told_in_a_mode_as_outside() -> None:
    import minigrad as torch

    functions = [torch.add, torch.Tensor.__add__, torch.nn.functional.relu, torch.autograd.grad]
    functions += [torch.Tensor.__len__, torch.Tensor.add_, torch.stack, torch.ones(1).add]

    def told() -> list[Any]:
        return [(inspect.signature(one), inspect.getfullargspec(one)) for one in functions]

    alone = told()
    with watch(torch, []):
        assert told() == alone
    assert told() == alone
    assert inspect.getfullargspec(torch.nn.functional.relu).args == ["input", "inplace"]
    signature = inspect.signature(torch.nn.functional.mse_loss)
    assert pickle.loads(pickle.dumps(signature)) == copy.deepcopy(signature) == signature


def test_modes_of_calls_and_of_recording_are_pickled_and_copied(torch: Any) -> None:
    made = [torch.overrides.BaseTorchFunctionMode(), torch.no_grad(), torch.enable_grad()]
    made += [torch.inference_mode(), torch.set_grad_enabled(True)]
    made += [torch.autograd.set_detect_anomaly(False)]
    for one in made:
        for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert type(other) is type(one)
    with torch.no_grad(), copy.deepcopy(torch.enable_grad()):
        assert torch.is_grad_enabled()
    with pickle.loads(pickle.dumps(torch.no_grad())):
        assert not torch.is_grad_enabled()


def test_a_method_of_something_else_is_refused_in_a_mode_too(torch: Any) -> None:
    with watch(torch, []):
        with pytest.raises(TypeError, match="^descriptor 'mm' for 'torch._C.TensorBase' objects"):
            torch.Tensor.mm("a")
        with pytest.raises(TypeError, match=r"^unbound method TensorBase.mm\(\) needs an argument"):
            torch.Tensor.mm()
