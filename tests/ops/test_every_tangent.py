"""Every operation carries tangents that are right: what finite differences say.

The declarations are found by walking the registry: a new one is tested without being listed.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad as torch
from minigrad.ops.rule import Rule
from tests.ops.examples import Example, examples
from tests.ops.test_every_formula import NAMES, RULES

# What PyTorch does not differentiate forward, nor therefore its formulas here, by its texts.
REFUSED = (
    r"Trying to use forward AD with (_cdist_forward|_scaled_dot_product_flash_attention_for_cpu"
    r"|aten::hardsigmoid_backward) that does not support it"
)
# What it does not differentiate twice.
ONCE = r"derivative for aten::multi(label)?_margin_loss_backward is not implemented"


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def right(one: Example) -> bool:
    """Return whether tangents of results, and of gradients, are what finite differences say."""
    options: dict[str, Any] = {
        "raise_exception": False,
        "check_undefined_grad": False,
        "fast_mode": True,
    }
    try:
        if not torch.autograd.gradcheck(
            one.function, one.points, check_forward_ad=True, check_backward_ad=False, **options
        ):
            return False
        return bool(
            torch.autograd.gradgradcheck(
                one.function,
                one.points,
                check_fwd_over_rev=True,
                check_rev_over_rev=False,
                **options,
            )
        )
    except RuntimeError as error:  # NotImplementedError is one
        return bool(re.match(f"{REFUSED}|{ONCE}", str(error)))


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_tangents_are_what_finite_differences_say(rule: Rule) -> None:
    _, found = examples()[rule]
    assert [one.line for one in found if not right(one)] == []


def columns(one: Example, at_once: bool) -> list[Any]:
    """Return the Jacobians of an example, by one call along all directions, or by one for each."""
    points = tuple([point.detach() for point in one.points])

    def function(*points: Any) -> Any:
        torch.manual_seed(0)
        outputs = one.function(*points)
        outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
        return tuple([output for output in outputs if output.is_floating_point()])

    if at_once:
        places = tuple(range(len(points)))
        found = torch.func.jacfwd(function, places, randomness="same")(*points)
        return [
            part.flatten(-point.ndim) if point.ndim else part.unsqueeze(-1)
            for row in found
            for part, point in zip(row, points, strict=True)
        ]
    each = []
    for place, point in enumerate(points):
        steps = torch.eye(point.numel(), dtype=point.dtype).view(-1, *point.shape)
        zero = [torch.zeros_like(other) for other in points]
        products = [
            torch.func.jvp(function, points, (*zero[:place], step, *zero[place + 1 :]))[1]
            for step in steps
        ]
        each.append([torch.stack(column, -1) for column in zip(*products, strict=True)])
    return [part for row in zip(*each, strict=True) for part in row]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_many_directions_at_once_are_as_each_by_itself(rule: Rule) -> None:
    for one in examples()[rule][1]:
        if not all(point.numel() for point in one.points):
            continue
        try:
            wanted = columns(one, False)
        except RuntimeError as error:
            with pytest.raises(type(error), match=re.escape(str(error))):
                columns(one, True)
        else:
            for found, part in zip(columns(one, True), wanted, strict=True):
                torch.testing.assert_close(found, part, rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_hessians_are_jacobians_of_jacobians_whichever_way(rule: Rule) -> None:
    for one in examples()[rule][1]:

        def total(*points: Any, one: Example = one) -> Any:
            torch.manual_seed(0)
            outputs = one.function(*points)
            outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
            return sum(
                [(part * (part + 0.3)).sum() for part in outputs if part.is_floating_point()]
            )

        points = tuple([point.detach() for point in one.points])
        jacrev, places = torch.func.jacrev, tuple(range(len(points)))
        try:
            wanted = jacrev(jacrev(total, places), places)(*points)
            found = torch.func.jacfwd(jacrev(total, places), places, randomness="same")(*points)
        except RuntimeError as error:
            if not re.search(f"{REFUSED}|derivative for .* is not implemented", str(error)):
                raise
        else:
            torch.testing.assert_close(found, wanted, rtol=1e-7, atol=1e-7, equal_nan=True)


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_many_rows_at_once_are_as_each_by_itself(rule: Rule, monkeypatch: Any) -> None:
    monkeypatch.setattr("minigrad.func.reverse.FEW", 0)
    for one in examples()[rule][1]:

        def first(*points: Any, one: Example = one) -> Any:
            torch.manual_seed(0)
            outputs = one.function(*points)
            outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
            return [part for part in outputs if part.is_floating_point()]

        points = tuple([point.detach() for point in one.points])
        rows = {
            size: torch.func.jacrev(first, tuple(range(len(points))), chunk_size=size)(*points)
            for size in (1, 2, None)
        }
        torch.testing.assert_close(rows[2], rows[1], rtol=1e-9, atol=1e-9, equal_nan=True)
        torch.testing.assert_close(rows[None], rows[1], rtol=1e-9, atol=1e-9, equal_nan=True)


def bent(one: Example) -> list[float]:
    """Return the second derivative of an example along a line, by two levels of each mode."""
    jvp, grad = torch.func.jvp, torch.func.grad
    points = [point.detach() for point in one.points]
    steps = [torch.linspace(0.5, 1.5, point.numel()).view(point.shape) for point in points]
    start, step = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)

    def along(t: Any) -> Any:
        torch.manual_seed(0)
        moved = [point + t * way for point, way in zip(points, steps, strict=True)]
        outputs = one.function(*moved)
        outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
        real = [output for output in outputs if output.is_floating_point()]
        return sum([(output * (output + 0.3)).sum() for output in real], 0 * t)

    def slope(t: Any) -> Any:
        return jvp(along, (t,), (step,))[1]

    derivatives = jvp(slope, (start,), (step,))[1], grad(grad(along))(start)
    return [derivative.item() for derivative in derivatives]


def agree(one: Example) -> bool:
    """Return whether both modes find the same second derivative, or it is refused."""
    try:
        forward, backward = bent(one)
    except RuntimeError as error:
        return bool(re.match(f"{REFUSED}|{ONCE}", str(error)))
    return forward == pytest.approx(backward, rel=1e-6)


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_tangents_have_tangents(rule: Rule) -> None:
    _, found = examples()[rule]
    assert [one.line for one in found[:1] if not agree(one)] == []
