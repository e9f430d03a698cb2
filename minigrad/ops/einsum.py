"""Einstein's notation: products of tensors whose dimensions are named by letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minigrad.c_code import type_name
from minigrad.ops.check import check, checked_tensors
from minigrad.ops.linalg import bmm
from minigrad.ops.pointwise import mul
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    diagonal,
    movedim,
    permute_dims,
    reshaped,
    sum_dims,
    unsqueeze,
    view_as_size,
)
from minigrad.tensor import Tensor

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  # what numbers stand for
# What is said of dots that come again, or are not three; by operands and by the result.
DOTS_OF_OPERAND = (
    "einsum(): found '.' for operand {} for which an ellipsis was already found",
    "einsum(): found '.' for operand {} that is not part of any ellipsis",
)
DOTS_OF_RESULT = (
    "einsum(): found '.' for output but an ellipsis (...) was already found",
    "einsum(): found '.' for output that is not part of any ellipsis (...)",
)


@public("einsum", "function")
def einsum(*args: Any) -> Any:
    """Multiply tensors and sum as an equation, given first, says: letters name dimensions.

    ``"ij,jk->ik"`` is the product of matrices: what is missing after the arrow is summed over.
    Without an arrow, letters that occur once remain, in alphabetical order. ``...`` stands for
    further dimensions, which are broadcast. Instead, each operand may be followed by the list of
    its subscripts, numbers below 52 or ``...``; another list at the end is that of the result.

    Raises:
        ValueError: without an equation and an operand, or for other numbers.
        RuntimeError: if the equation is none, or does not fit the operands.

    >>> import minigrad as torch
    >>> torch.einsum("i,j->ij", torch.tensor([1, 2]), torch.tensor([10, 20]))
    tensor([[10, 20],
            [20, 40]])
    """
    text = (
        "einsum(): must specify the equation string and at least one operand, or at least one "
        "operand and its subscripts list"
    )
    if len(args) < 2:
        raise ValueError(text)
    equation, *given = from_sublists(args) if isinstance(args[0], Tensor) else args
    operands = checked_tensors(given, argument=1)
    if not operands:
        raise ValueError(text)
    text = "einsum(): argument 'equation' (position 1) must be str, not {}"
    check(isinstance(equation, str), text, type_name(equation), error=TypeError)
    terms, result = read_equation(equation, [one._array.ndim for one in operands])
    check_lengths(terms, operands)
    labels = result + sorted({label for term in terms for label in term} - set(result))
    aligned = [align(one, term, labels) for one, term in zip(operands, terms, strict=True)]
    summed = range(len(result), len(labels))
    if len(aligned) == 1:
        return sum_dims(aligned[0], tuple(summed), False, None) if summed else aligned[0]
    # How many operands still have a dimension: it is summed over when two are left.
    counts = {dim: sum(one.shape[dim] != 1 for one in aligned) for dim in summed}
    total = aligned[0]
    for right in aligned[1:]:
        total = contract(total, right, counts)
    if not summed:
        return total
    return view_as_size(total, total._array.shape[: len(result)])


def from_sublists(args: Sequence[Any]) -> list[Any]:
    """Return an equation and its operands, of operands that their subscripts follow."""

    def term(subscripts: Sequence[Any]) -> str:
        text = "einsum(): subscript in subscript list is not within the valid range [0, 52)"
        fit = all(one is ... or (one >= 0 and one < len(LETTERS)) for one in subscripts)
        check(fit, text, error=ValueError)
        return "".join(["..." if one is ... else LETTERS[one] for one in subscripts])

    equation = ",".join(map(term, args[1::2]))
    if len(args) % 2 == 0:
        return [equation, *args[::2]]
    return [f"{equation}->{term(args[-1])}", *args[:-1:2]]


def read_equation(equation: Any, ndims: Sequence[int]) -> tuple[list[list[str]], list[str]]:
    """Return the labels of each operand's dimensions, and those of the result.

    Dimensions that ``...`` stands for are labelled ``"...0"``, ``"...1"`` from the last on.
    """
    left, arrow, wanted = equation.partition("->")
    texts, read = left.split(","), []
    for number, text in enumerate(texts):
        count = "einsum(): fewer operands were provided than specified in the equation"
        check(number < len(ndims), count)
        start = sum(len(one) + 1 for one in texts[:number])
        read.append(labels_of(text, start, *(one.format(number) for one in DOTS_OF_OPERAND)))
    count = "einsum(): more operands were provided than specified in the equation"
    check(len(texts) == len(ndims), count)
    terms = [
        dotted(labels, dots_of(labels, ndim, number))
        for number, (labels, ndim) in enumerate(zip(read, ndims, strict=True))
    ]
    every = [label for term in terms for label in term]
    dots = sorted({label for label in every if len(label) > 1}, reverse=True)
    if not arrow:
        once = sorted(label for label in set(every) if every.count(label) == 1 and label.isalpha())
        return terms, dots + once
    result = dotted(labels_of(wanted, len(left) + 2, *DOTS_OF_RESULT), len(dots))
    for label in result:
        text = "einsum(): output subscript {} does not appear in the equation for any input operand"
        check(label in every, text, label)
        text = "einsum(): output subscript {} appears more than once in the output"
        check(result.count(label) == 1, text, label)
    return terms, result


def labels_of(text: str, start: int, twice: str, no_ellipsis: str) -> list[str]:
    """Return the letters of one term, and ``...`` where that stands; refuse what is neither.

    `start` is where the term begins in the equation; the texts are those about dots.
    """
    labels: list[str] = []
    place = 0
    while place < len(text):
        if text[place] == ".":
            check("..." not in labels, twice)
            check(text[place : place + 3] == "...", no_ellipsis)
            labels.append("...")
            place += 2
        elif text[place] != " ":
            invalid = (
                "einsum(): invalid subscript given at index {} in the equation string, subscripts "
                "must be in [a-zA-Z]"
            )
            check(text[place].isascii() and text[place].isalpha(), invalid, start + place)
            labels.append(text[place])
        place += 1
    return labels


def dots_of(labels: Sequence[str], ndim: int, number: int) -> int:
    """Return how many of an operand's dimensions ``...`` stands for."""
    named = len(labels) - labels.count("...")
    found = "einsum(): the number of subscripts in the equation ({}) "
    if "..." in labels:
        text = found + "is more than the number of dimensions ({}) for operand {}"
        check(named <= ndim, text, named, ndim, number)
    text = found + (
        "does not match the number of dimensions ({}) for operand {} and no ellipsis was given"
    )
    check("..." in labels or named == ndim, text, named, ndim, number)
    return ndim - named


def dotted(labels: Sequence[str], dots: int) -> list[str]:
    """Return labels with one for each dimension that ``...`` stands for."""
    several = [f"...{number}" for number in range(dots - 1, -1, -1)]
    return [one for label in labels for one in (several if label == "..." else [label])]


def check_lengths(terms: Sequence[Sequence[str]], operands: Sequence[Tensor]) -> None:
    """Refuse operands whose dimensions of one label have different lengths."""
    lengths: dict[str, int] = {}
    for number, (term, operand) in enumerate(zip(terms, operands, strict=True)):
        shape = operand._array.shape
        for dim, (label, length) in enumerate(zip(term, shape, strict=True)):
            text = (
                "einsum(): subscript {} is repeated for operand {} but the sizes don't match, "
                "{} != {}"
            )
            first = shape[term.index(label)]
            check(length == first, text, label, number, length, first)
            seen = lengths.setdefault(label, length)
            if seen == 1:
                lengths[label] = length
            elif length not in (1, seen):
                text = (
                    f"subscript {label} has size {length} for operand {number} which does not "
                    f"broadcast with previously seen size {seen}"
                )
                if len(label) > 1:
                    text = (
                        f"dimension {dim} covered by ellipsis in operand {number}has size {length} "
                        f"which does not broadcast with previously seen ellipsis with size {seen} "
                        "for the respective dimension"
                    )
                raise RuntimeError(f"einsum(): {text}")


def align(operand: Tensor, term: Sequence[str], labels: Sequence[str]) -> Any:
    """Return an operand with a dimension for each label, in their order; repeated ones as one."""
    term = list(term)
    for label in dict.fromkeys(term):
        while term.count(label) > 1:
            first = term.index(label)
            second = term.index(label, first + 1)
            operand = movedim(diagonal(operand, 0, first, second), -1, first)
            del term[second]
    for label in labels:
        if label not in term:
            operand = unsqueeze(operand, operand.ndim)
            term.append(label)
    return permute_dims(operand, tuple(map(term.index, labels)))


def contract(left: Tensor, right: Tensor, counts: dict[int, int]) -> Any:
    """Multiply two aligned operands and sum over the dimensions that no further operand has."""
    shared: list[int] = []
    lefts: list[int] = []
    rights: list[int] = []
    for dim in counts:
        in_left, in_right = left.shape[dim] != 1, right.shape[dim] != 1
        if in_left and in_right:
            counts[dim] -= 1
            if counts[dim] == 1:
                shared.append(dim)
        elif counts[dim] == 1 and (in_left or in_right):
            (lefts if in_left else rights).append(dim)
    for dim in (*shared, *lefts, *rights):
        counts[dim] = 0
    if lefts:
        left = sum_dims(left, tuple(lefts), True, None)
    if rights:
        right = sum_dims(right, tuple(rights), True, None)
    return batched(left, right, shared) if shared else mul(left, right)


def batched(left: Tensor, right: Tensor, summed: list[int]) -> Any:
    """Multiply two aligned operands and sum over dimensions of both: a product of batches."""
    a, b = left._array.shape, right._array.shape
    kept = [dim for dim in range(len(a)) if dim not in summed]
    shared = [dim for dim in kept if a[dim] != 1 and b[dim] != 1]
    lefts = [dim for dim in kept if a[dim] != 1 and b[dim] == 1]
    rights = [dim for dim in kept if a[dim] == 1]
    count, length = math.prod(a[dim] for dim in shared), math.prod(a[dim] for dim in summed)
    rows, columns = math.prod(a[dim] for dim in lefts), math.prod(b[dim] for dim in rights)
    order = [*shared, *lefts, *summed, *rights]
    one = reshaped(permute_dims(left, tuple(order)), (count, rows, length))
    other = (*shared, *summed, *rights, *lefts)
    products = bmm(one, reshaped(permute_dims(right, other), (count, length, columns)))
    lengths = {dim: a[dim] for dim in shared + lefts} | {dim: b[dim] for dim in rights}
    apart = view_as_size(products, tuple([lengths.get(dim, 1) for dim in order]))
    return permute_dims(apart, tuple(map(order.index, range(len(order)))))
