"""Hooks of optimizers: around steps, and around saving and loading."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def optimizer(torch: Any) -> Any:
    """Return an optimizer of one parameter that has a gradient."""
    param = torch.ones(2, requires_grad=True)
    param.grad = torch.ones(2)
    return torch.optim.SGD([param], lr=0.5, momentum=0.9)


def test_hooks_run_around_a_step(optimizer: Any) -> None:
    (param,) = optimizer.param_groups[0]["params"]
    seen: list[Any] = []
    before = optimizer.register_step_pre_hook(
        lambda one, args, kwargs: seen.append((one is optimizer, len(args), kwargs, param.tolist()))
    )
    after = optimizer.register_step_post_hook(lambda one, args, kwargs: seen.append(param.tolist()))
    optimizer.step(closure=None)
    assert seen == [(True, 1, {"closure": None}, [1.0, 1.0]), [0.5, 0.5]]
    before.remove()
    after.remove()
    optimizer.step()
    assert len(seen) == 2


def test_a_hook_before_a_step_may_change_its_arguments(torch: Any, optimizer: Any) -> None:
    handle = optimizer.register_step_pre_hook(lambda one, *_: ((one, lambda: 5.0), {}))
    assert optimizer.step() == 5.0
    handle.remove()
    optimizer.register_step_pre_hook(lambda *_: (1,))
    with pytest.raises(RuntimeError, match=r"must return None or a tuple of \(new_args, new_kw"):
        optimizer.step()


def test_hooks_of_all_optimizers_are_the_outer_ones(torch: Any, optimizer: Any) -> None:
    import importlib

    module = importlib.import_module(f"{torch.__name__}.optim.optimizer")
    order: list[str] = []
    handles = [
        module.register_optimizer_step_pre_hook(lambda *_: order.append("all before")),
        module.register_optimizer_step_post_hook(lambda *_: order.append("all after")),
    ]
    optimizer.register_step_pre_hook(lambda *_: order.append("before"))
    optimizer.register_step_post_hook(lambda *_: order.append("after"))
    optimizer.step()
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert order == ["all before", "before", "after", "all after", "before", "after"]


def test_a_step_of_ones_own_is_hooked_once(torch: Any) -> None:
    class Twice(torch.optim.SGD):  # type: ignore[name-defined, misc]
        def step(self, closure: Any = None) -> Any:
            return "stepped"

    one = Twice([torch.ones(1, requires_grad=True)], lr=0.1)
    order: list[str] = []
    one.register_step_post_hook(lambda *_: order.append("after"))
    assert one.step() == "stepped"
    assert order == ["after"]


class Base:
    """What is mixed into an optimizer, to have a `step` that was not hooked in another test."""

    def step(self, closure: Any = None) -> Any:
        return "stepped"


def hooks_around(optimizer_class: Any, torch: Any) -> list[str]:
    """Make an optimizer, and return which hooks run around its step."""
    one = optimizer_class([torch.ones(1, requires_grad=True)], lr=0.1)
    order: list[str] = []
    one.register_step_pre_hook(lambda *_: order.append("before"))
    one.register_step_post_hook(lambda *_: order.append("after"))
    assert one.step() == "stepped"
    return order


def test_hooks_run_around_any_step(torch: Any) -> None:
    class Mixed(Base, torch.optim.SGD):  # type: ignore[name-defined, misc]
        pass

    class Later(torch.optim.SGD):  # type: ignore[name-defined, misc]
        pass

    Later.step = lambda self, closure=None: "stepped"
    assert hooks_around(Mixed, torch) == hooks_around(Later, torch) == ["before", "after"]
    Later.step = lambda self, closure=None: "stepped"
    assert hooks_around(Later, torch) == ["before", "after"]


def test_a_step_that_calls_its_bases_step_is_hooked_once_unless_that_one_is(torch: Any) -> None:
    class Lower(torch.optim.SGD):  # type: ignore[name-defined, misc]
        def step(self, closure: Any = None) -> Any:
            return "stepped"

    class Upper(Lower):
        def step(self, closure: Any = None) -> Any:
            return super().step(closure)

    assert hooks_around(Upper, torch) == ["before", "after"]
    assert hooks_around(Lower, torch) == ["before", "after"]
    assert hooks_around(Upper, torch) == ["before", "before", "after", "after"]


def test_a_step_is_hooked_when_its_optimizer_is_made_anew_from_its_state(torch: Any) -> None:
    class Own(Base, torch.optim.SGD):  # type: ignore[name-defined, misc]
        pass

    state = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1).__getstate__()
    one = Own.__new__(Own)
    one.__setstate__(state)
    assert Own.step is not Base.step
    assert one.param_groups is state["param_groups"]


@pytest.mark.parametrize("name", ["SGD", "Adam", "RMSprop", "Adagrad", "NAdam", "Rprop"])
def test_a_step_is_named_after_its_class(torch: Any, name: str) -> None:
    made = getattr(torch.optim, name)
    assert made.step.__qualname__ == f"{name}.step"
    optimizer = made([torch.ones(1, requires_grad=True)])
    optimizer.register_step_pre_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match=f"^<function {name}.step at 0x"):
        optimizer.step()
    assert optimizer.step.__name__ == "step"
    assert torch.optim.AdamW.step.__qualname__ == "Adam.step"


def test_hooks_see_and_replace_what_is_saved(optimizer: Any) -> None:
    order: list[Any] = []
    optimizer.register_state_dict_pre_hook(lambda one: order.append("second"))
    optimizer.register_state_dict_pre_hook(lambda one: order.append("first"), prepend=True)
    optimizer.register_state_dict_post_hook(lambda one, state: order.append(sorted(state)))
    optimizer.register_state_dict_post_hook(lambda one, state: {**state, "more": 1}, prepend=True)
    assert sorted(optimizer.state_dict()) == ["more", "param_groups", "state"]
    assert order == ["first", "second", ["more", "param_groups", "state"]]


def test_hooks_see_and_replace_what_is_loaded(optimizer: Any) -> None:
    state = optimizer.state_dict()
    order: list[Any] = []

    def faster(one: Any, state: Any) -> Any:
        return {**state, "param_groups": [{**state["param_groups"][0], "lr": 7.0}]}

    optimizer.register_load_state_dict_pre_hook(
        lambda one, state: order.append(state["param_groups"][0]["lr"])
    )
    optimizer.register_load_state_dict_pre_hook(faster, prepend=True)
    optimizer.register_load_state_dict_post_hook(
        lambda one: order.append(one.param_groups[0]["lr"])
    )
    optimizer.register_load_state_dict_post_hook(lambda one: order.append("first"), prepend=True)
    optimizer.load_state_dict(state)
    assert order == [7.0, "first", 7.0]
    assert state["param_groups"][0]["lr"] == 0.5
