"""Grad modes, function modes, anomaly mode, and saved-tensor hooks across threads."""

import threading
import warnings
from typing import Any

import numpy as np
import pytest


def test_no_grad_and_enable_grad(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
    assert (x * 2).requires_grad
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("parentheses", [True, False])
def test_no_grad_decorates(torch: Any, parentheses: bool) -> None:
    @(torch.no_grad() if parentheses else torch.no_grad)
    def double(x: Any) -> Any:
        """Twice."""
        return x * 2

    assert not double(torch.ones(2, requires_grad=True)).requires_grad
    assert (double.__name__, double.__doc__) == ("double", "Twice.")


def test_a_decorated_generator_leaves_its_caller_alone(torch: Any) -> None:
    @torch.no_grad()
    def modes() -> Any:
        while True:
            yield torch.is_grad_enabled()

    generator = modes()
    assert (next(generator), torch.is_grad_enabled(), next(generator)) == (False, True, False)


def test_set_grad_enabled_acts_at_once(torch: Any) -> None:
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    mode = torch.set_grad_enabled(False)
    torch.set_grad_enabled(True)
    for _ in range(2):
        with mode:
            assert not torch.is_grad_enabled()
        assert torch.is_grad_enabled()


def test_inference_mode(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled()
        assert not (x * 2).requires_grad
        with torch.inference_mode(mode=False):
            assert torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled()


def test_an_exception_restores_the_mode(torch: Any) -> None:
    with pytest.raises(KeyError), torch.no_grad():
        raise KeyError
    assert torch.is_grad_enabled()


def test_modes_belong_to_their_thread(torch: Any) -> None:
    seen: list[bool] = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_threads_can_run_backward_at_the_same_time(torch: Any) -> None:
    x = torch.ones(100, requires_grad=True)

    def work() -> None:
        for _ in range(20):
            (x * 2).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad is not None


def test_a_function_mode_sees_public_calls(torch: Any) -> None:
    names: list[str] = []

    class Names(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            names.append(func.__name__)
            return func(*args, **(kwargs or {}))

    x = torch.ones(2, requires_grad=True)
    with Names():
        y = torch.tanh(x * 2).sum()
        y.backward()
        x.detach()
        x[0]
        x @ torch.eye(2)
    assert names[:6] == ["mul", "tanh", "sum", "backward", "detach", "__getitem__"]
    assert names[6:] == ["eye", "matmul"]


def test_a_function_mode_can_answer_instead(torch: Any) -> None:
    class Seven(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            return 7

    x = torch.ones(2)
    with Seven():
        assert x + 1 == 7
    assert (x + 1).tolist() == [2, 2]


def test_anomaly_mode_shows_the_forward_call(torch: Any) -> None:
    x = torch.tensor([-1.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = x.sqrt()
        with (
            pytest.warns(UserWarning, match=r"Error detected in SqrtBackward0(.|\n)*x\.sqrt\(\)"),
            pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan values in its 0th"),
        ):
            y.sum().backward()
    assert not torch.is_anomaly_enabled()


def test_detect_anomaly_warns_that_it_is_slow(torch: Any) -> None:
    with (
        pytest.warns(UserWarning, match="Anomaly Detection has been enabled."),
        torch.autograd.detect_anomaly(),
    ):
        pass


def test_numpys_warnings_stay_the_users(torch: Any) -> None:
    x = torch.zeros(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (x.log() + 1 / x).sum().backward()
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.log(np.zeros(1))
