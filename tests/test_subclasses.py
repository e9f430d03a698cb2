"""Classes derived from Tensor: results of their class, and what they answer for themselves."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest


def derived(torch: Any, name: str = "Own", *bases: Any, **members: Any) -> Any:
    """Return a class derived from Tensor, or from others."""
    return type(name, bases or (torch.Tensor,), members)


def logging(torch: Any, calls: list[str]) -> Any:
    """Return a class that notes what it is asked, and leaves the answer to Tensor."""

    class Logging(torch.Tensor):  # type: ignore[name-defined, misc]
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            assert types == (cls,)
            calls.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    return Logging


def test_results_are_of_the_class(torch: Any) -> None:
    own = derived(torch)
    x, plain = own([1.0, 2.0]), torch.ones(2)
    for result in (
        x + 1, 1 + x, plain + x, x + plain, -x, x[0], x.sum(), torch.exp(x), torch.add(plain, x),
        torch.cat([plain, x]), torch.nn.functional.relu(x), x.view(-1), x.max(0).values, x.data,
        x.detach(), x == plain, x.mul_(1), *x, *x.unbind(), torch.nn.Linear(2, 1)(x),
    ):  # fmt: skip
        assert type(result) is own
    assert type(x.tolist()) is list
    assert type(x.shape) is torch.Size
    assert type(x.as_subclass(torch.Tensor)) is torch.Tensor
    assert repr(x) == "Own([1., 2.])"


def test_the_class_derived_last_wins_and_strangers_do_not_mix(torch: Any) -> None:
    own, other = derived(torch), derived(torch, "Other")
    narrower = derived(torch, "Narrower", own)
    assert type(own([1.0]) + narrower([1.0])) is narrower
    assert type(narrower([1.0]) + own([1.0])) is narrower
    with pytest.raises(TypeError, match=r"unsupported operand type\(s\) for \+: 'Own' and 'Other'"):
        own([1.0]) + other([1.0])
    text = "(?s)Multiple dispatch failed for 'torch.add'; all .*tensor subclass .*Own.*Other"
    with pytest.raises(TypeError, match=text):
        torch.add(own([1.0]), other([1.0]))


def test_gradients_of_such_tensors_are_plain(torch: Any) -> None:
    own = derived(torch)
    x = own([1.0, 2.0]).requires_grad_()
    y = (x * x).sum()
    assert type(y) is own
    assert y.grad_fn.name() == "AliasBackward0"
    y.backward()
    assert type(x.grad) is torch.Tensor
    assert x.grad.tolist() == [2.0, 4.0]
    (gradient,) = torch.autograd.grad((x * x).sum(), x)
    assert type(gradient) is own


def test_a_class_sees_each_call_with_its_tensors_once(torch: Any) -> None:
    calls: list[str] = []
    x = torch.ones(2).as_subclass(logging(torch, calls))
    y = torch.nn.functional.softmax(x + 1, 0)
    torch.ones(2) * 3
    _ = y.shape
    assert calls == ["add", "softmax", "__get__"]


def test_what_a_class_answers_is_the_result(torch: Any) -> None:
    class Zero(torch.Tensor):  # type: ignore[name-defined, misc]
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return 0 if func is torch.mm else NotImplemented

    x = Zero([[1.0]])
    assert torch.mm(x, x) == torch.mm(torch.ones(1, 1), x) == 0
    with pytest.raises(TypeError, match="Multiple dispatch failed for 'torch.exp'"):
        torch.exp(x)


def test_what_a_class_keeps_with_its_tensors_is_handed_on_by_itself(torch: Any) -> None:
    class Metres(torch.Tensor):  # type: ignore[name-defined, misc]
        unit: str

        def __new__(cls, data: Any, unit: str) -> Any:
            return torch.as_tensor(data).as_subclass(cls)

        def __init__(self, data: Any, unit: str) -> None:
            self.unit = unit

        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = super().__torch_function__(func, types, args, kwargs)
            if isinstance(result, cls):
                result.unit = next(one.unit for one in args if isinstance(one, cls))
            return result

    assert (Metres([1.0], "km") * 2).sum().unit == "km"


def test_a_constructor_of_ones_own_need_not_call_tensors(torch: Any) -> None:
    class Named(torch.Tensor):  # type: ignore[name-defined, misc]
        def __init__(self, data: Any) -> None:
            self.tag = "x"

    leaf = torch.ones(2, dtype=torch.float64, requires_grad=True)
    x = Named(leaf)
    assert x.tag == "x"
    assert x.dtype is torch.float64
    assert x.data_ptr() == leaf.data_ptr()
    x.sum().backward()
    assert leaf.grad.tolist() == [1.0, 1.0]


def test_modes_are_asked_before_classes(torch: Any) -> None:
    own = derived(torch)
    seen: list[Any] = []

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(types)
            return NotImplemented if types else func(*args, **(kwargs or {}))

    x = own([1.0])
    with Mode():
        assert type(torch.neg(x)) is own
    assert seen == [(own,), ()]


def test_a_class_may_decline(torch: Any) -> None:
    declines = torch._C._disabled_torch_function_impl
    own = derived(torch, __torch_function__=declines)
    assert type(own([1.0]) + 1) is torch.Tensor
    asked = derived(torch, "Asked")([1.0])
    with torch._C.DisableTorchFunctionSubclass():
        assert type(asked + 1) is torch.Tensor
    assert type(asked + 1) is type(asked)
    assert not torch.overrides.has_torch_function((own([1.0]), torch.nn.Parameter(torch.ones(1))))
    assert torch.overrides.has_torch_function((asked,))


def test_a_leaf_of_a_class_shares_the_memory(torch: Any) -> None:
    own = derived(torch)
    x = torch.ones(2)
    made = torch.Tensor._make_subclass(own, x, True)
    assert type(made) is own
    assert made.is_leaf
    assert made.requires_grad
    x.add_(1)
    assert made.tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match="'data' .position 2. must be Tensor, not int"):
        torch.Tensor._make_subclass(own, 3)
    with pytest.raises(TypeError, match="class that does not inherit from Tensor is not possible"):
        torch.Tensor._make_subclass(int, x)


class Kept:
    """Where pickle finds the class of the test below."""

    own: Any = None


def test_pickle_keeps_the_class_and_deepcopy_wants_new_empty(
    torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = derived(torch, __module__=__name__, __qualname__="Kept.own")
    monkeypatch.setattr(Kept, "own", own)
    x = own([1.0])
    x.note = "kept"
    for copied in (pickle.loads(pickle.dumps(x)), copy.copy(x)):
        assert type(copied) is own
        assert (copied.note, copied.tolist()) == ("kept", [1.0])
    with pytest.raises(RuntimeError, match="subclass types that implement new_empty()"):
        copy.deepcopy(x)

    def new_empty(self: Any, *size: Any) -> Any:
        return torch.empty(*size).as_subclass(own)

    own.new_empty = new_empty
    assert type(copy.deepcopy(x)) is own


def test_a_parameter_of_a_class_stays_of_it(torch: Any) -> None:
    own = derived(torch)
    layer = torch.nn.Linear(1, 1)
    layer.weight = torch.nn.Parameter(own([[2.0]]))
    assert type(layer.weight) is own
    assert isinstance(layer.weight, torch.nn.Parameter)
    assert repr(layer.weight) == "Parameter(Own([[2.]], requires_grad=True))"
    assert [name for name, _ in layer.named_parameters()] == ["weight", "bias"]
    plain = derived(torch, "Plain", detach=lambda self: torch.ones(1))
    with pytest.raises(RuntimeError, match="type Plain requires that detach.. returns an instance"):
        torch.nn.Parameter(plain([1.0]))


def test_functions_are_pickled_by_name_while_there_is_a_class(torch: Any) -> None:
    own = derived(torch)
    for function in (torch.add, torch.nn.functional.softmax):
        assert pickle.loads(pickle.dumps(function)) is function
        assert copy.deepcopy(function) is function
    assert type(torch.add(own([1.0]), 1)) is own


def test_a_mode_does_not_see_how_a_parameter_is_made(torch: Any) -> None:
    seen: list[Any] = []

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(func)
            return func(*args, **(kwargs or {}))

    x = torch.ones(2)
    with Mode():
        torch.nn.Parameter(x)
        derived(torch)(x)
        x.as_subclass(derived(torch))
    assert seen == []


ALONE = """
import gc
import minigrad as torch

class Mode(torch.overrides.BaseTorchFunctionMode):
    pass

def use():
    with Mode():
        torch.ones(1)

use()
gc.collect()
before = len(gc.get_objects())
gc.disable()
for _ in range(3):
    use()
assert len(gc.get_objects()) - before < 100
gc.enable()

x, exp = torch.ones(1), torch.exp
exp(x)
code = exp.__code__
class Own(torch.Tensor):
    pass
assert torch.exp is exp
assert type(exp(Own([1.0]))) is Own
assert torch.exp.__code__ is not code
torch.exp, torch.Tensor.mul = len, "the user's"
del Own
gc.collect()
assert torch.exp is len, "what the user has exchanged stays"
assert torch.Tensor.mul == "the user's"
assert exp(x - 1) == 1
assert x + 1 == 2
"""


# What the user has in the place of the library's when the first mode is entered is his; what was
# first called inside a mode works after it; and what modes have met they do not keep.
FIRST_MODE = """
import gc, weakref
import minigrad as torch

met = []
class Names(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        met.append(func.__name__)
        return func(*args, **(kwargs or {}))

x = torch.ones(2)
total, exp = torch.Tensor.sum, torch.exp
torch.Tensor.sum = torch.Tensor.more = torch.exp = lambda one: 42
with Names():
    assert x.sum() == torch.exp(x) == x.more() == 42
assert met == []
torch.Tensor.sum, torch.exp = total, exp
with Names():
    x.sum(), torch.exp(x), torch.lgamma(x)
assert met == ["sum", "exp", "lgamma"]
assert torch.lgamma(x).tolist() == [0.0, 0.0]

class Own(torch.Tensor):
    pass
with torch.overrides.DisableTorchFunctionSubclass(), Names():
    torch.add(Own([1.0]), Own([1.0]))
kept = weakref.ref(Own)
del Own
gc.collect()
assert kept() is None
torch.exp(x)
assert torch.exp.__code__.co_name != "asking", "from the second call on"
"""


@pytest.mark.parametrize("program", [ALONE, FIRST_MODE])
def test_modes_and_classes_leave_nothing_behind_and_what_the_user_exchanges(program: str) -> None:
    # In a process of its own: the classes of other tests may still be there.
    subprocess.run([sys.executable, "-c", program], check=True)


def test_subclasses_say_what_is_kept_of_them(torch: Any, monkeypatch: Any) -> None:
    told: list[Any] = []

    class Kept(torch.Tensor):  # type: ignore[misc]
        def __reduce__(self) -> Any:
            told.append("never asked")

        def __reduce_ex__(self, protocol: Any) -> Any:
            told.append(protocol)
            return super().__reduce_ex__(protocol)

        def __getstate__(self) -> dict[str, str]:
            return {"unit": "km"}

        def __setstate__(self, state: dict[str, str]) -> None:
            told.append(state)

    Kept.__qualname__ = "Kept"
    monkeypatch.setitem(globals(), "Kept", Kept)  # where pickle finds it
    x = torch.ones(2).as_subclass(Kept)
    assert type(copy.copy(x)) is Kept
    assert type(pickle.loads(pickle.dumps(x, 2))) is Kept
    assert told == [4, {"unit": "km"}, 2, {"unit": "km"}]


def test_parameters_are_pickled_with_what_the_user_gave_them(torch: Any) -> None:
    layer = torch.nn.Linear(1, 1)
    layer.weight.unit = "km"
    assert copy.copy(layer.weight).unit == "km"
    assert pickle.loads(pickle.dumps(layer)).weight.unit == "km"
    assert not hasattr(copy.deepcopy(layer).weight, "unit")
