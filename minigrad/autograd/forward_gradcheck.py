"""What `gradcheck` checks of forward mode: are tangents what finite differences say?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.autograd.forward_ad import dual_level, make_dual, unpack_dual
from minigrad.autograd.gradcheck import (
    Check,
    GradcheckError,
    Tensors,
    as_tuple,
    check_no_change,
    mismatch,
    random_direction,
    requires_grad,
)
from minigrad.creation import zeros, zeros_like
from minigrad.ops.pointwise import allclose
from minigrad.random import Generator
from minigrad.tensor import Tensor, from_array

FORWARD = "computed with forward mode "


def run(check: Check, fast: bool, undefined: bool, outputs: Tensors, computed: Tensors) -> None:
    """Compare tangents with finite differences, and zeros with what has no tangent.

    Raises:
        GradcheckError: if they do not agree.
    """
    (run_fast if fast else run_slowly)(check, outputs, computed)
    if undefined:
        check_undefined_tangents(check)


def run_slowly(check: Check, outputs: Tensors, computed: Tensors) -> None:
    """Compare whole Jacobians."""
    numerical = [check.numerical(one, computed) for one in check.checked()]
    if not outputs:
        check_no_change(numerical, 0)
        return
    found = jacobians(check, computed)
    places = [place for place, one in enumerate(floating(computed)) if one.requires_grad]
    for index, place in enumerate(places):
        for number, analytical in enumerate(found):
            expected, given = numerical[number][index], analytical[place]
            if not check.close(given, expected, check.atol):
                raise GradcheckError(mismatch(index, number, expected, given, FORWARD))


def run_fast(check: Check, outputs: Tensors, computed: Tensors) -> None:
    """Compare the derivatives along one random vector for each input."""
    generator, inputs = Generator(), check.checked()
    directions = [random_direction(one, generator) for one in inputs]
    found = derivatives(check, computed, [[one] for one in directions])
    places = [place for place, one in enumerate(computed) if one.is_floating_point()]
    for number, (moved, direction) in enumerate(zip(inputs, directions, strict=True)):
        step = (direction * check.eps)._array.reshape(moved.shape)
        changes = check.differences(moved, (...,), step)
        for index, place in enumerate(places):
            expected, given = changes[place], found[number][index][0]
            if not check.close(given, expected, check.atol * float(direction.sum())):
                text = mismatch(index, number, expected, given, FORWARD)
                slow = (
                    check.numerical(moved, computed)[index],
                    jacobians(check, computed)[number][index],
                )
                raise GradcheckError(text + check.in_slow_mode(*slow))


def jacobians(check: Check, computed: Tensors) -> list[list[Tensor]]:
    """Return for each input the Jacobian of each output, a row for each element of the input."""
    return derivatives(check, computed, [basis(one) for one in check.checked()])


def basis(like: Tensor) -> list[Tensor]:
    """Return for each element of a tensor the vector that has 1 there, and 0 elsewhere."""
    return list(map(from_array, np.eye(like.numel(), dtype=like._value.dtype)))


def derivatives(
    check: Check, computed: Tensors, vectors: Sequence[Sequence[Tensor]]
) -> list[list[Tensor]]:
    """Return for each input, and each output of floating point, its derivatives along vectors."""
    found = [
        [zeros(len(along), one.numel(), dtype=one.dtype) for one in floating(computed)]
        for along in vectors
    ]
    with dual_level():
        duals = with_tangents(check)
        tangents = [unpack_dual(one).tangent for one in floating(duals)]
        known = [one for one in tangents if one is not None]
        for rows, tangent, along in zip(found, known, vectors, strict=True):
            for place, vector in enumerate(along):
                tangent.copy_(vector.view_as(tangent))
                outputs = floating(as_tuple(check.func(*duals)))
                for row, output in zip(rows, outputs, strict=True):
                    derivative = unpack_dual(output).tangent
                    if derivative is not None:
                        row._array[place] = derivative._array.reshape(-1)
            tangent.zero_()
    return found


def with_tangents(check: Check) -> list[Any]:
    """Return the inputs, those that are checked with tangents that are zero."""
    return [
        make_dual(one.detach(), zeros_like(one)) if requires_grad(one) else one
        for one in check.inputs
    ]


def floating(outputs: Iterable[Any]) -> list[Tensor]:
    """Return the outputs of floating point."""
    return [one for one in outputs if isinstance(one, Tensor) and one.is_floating_point()]


def check_undefined_tangents(check: Check) -> None:
    """Refuse tangents that are other where that of an input is missing than where it is zero."""
    generator = Generator()
    directions = [random_direction(one, generator) for one in check.checked()]
    with dual_level():
        duals = with_tangents(check)
        places = [place for place, one in enumerate(check.inputs) if requires_grad(one)]
        for place, direction in zip(places, directions, strict=True):
            tangent = unpack_dual(duals[place]).tangent
            tangent.copy_(direction.view_as(tangent))  # type: ignore[union-attr]
        for place in places:
            given, before = check.inputs[place], duals[place]
            results = []
            for other in (make_dual(given.detach(), zeros_like(given)), given.detach()):
                duals[place] = other
                results.append(floating(as_tuple(check.func(*duals))))
            duals[place] = before
            for index, pair in enumerate(zip(*results, strict=False)):
                one, other = [unpack_dual(output).tangent for output in pair]
                if not (one is None or other is None or allclose(one, other)):
                    texts = (
                        "Mismatch in tangent values for output with index: ",
                        " when input: ",
                        " has an undefined tangent value. ",
                    )
                    values = index, given, " Got: "
                    said = [one for pair in zip(texts, values, strict=True) for one in pair]
                    raise GradcheckError(*said, one, " but expected: ", other)
