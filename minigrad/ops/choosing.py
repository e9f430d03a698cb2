"""Which of equal elements C++'s `sort`, `nth_element` and `partial_sort` take first, as PyTorch's.

The first two are Hoare's, the pivot being a median of three, with a heap where they go too deep.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

FEW = 16  # as many are left to insertion, which keeps the order of what is equal
# Of more than so many the first equal ones come first here, as numpy has them: it takes long else.
MANY = 10_000


class Ranked(float):
    """What is compared in place of an element, and where that is."""

    place: int

    def __neg__(self) -> Ranked:
        return ranked(float.__neg__(self), self.place)


def ranked(rank: float, place: int) -> Ranked:
    """Return a rank that knows its place."""
    one = Ranked(rank)
    one.place = place
    return one


def line_of(ranks: Sequence[float]) -> list[Ranked]:
    """Return ranks that know their places in a line; they are equal where elements are."""
    return list(map(ranked, ranks, range(len(ranks))))


def places_of(line: Sequence[Ranked]) -> list[int]:
    """Return where the elements of a line have been."""
    return [one.place for one in line]


def sort(line: list[Ranked], end: int) -> None:
    """Sort the first elements of a line."""
    parts = [(0, end, 2 * end.bit_length() - 2)]
    while parts:
        first, last, depth = parts.pop()
        while last - first > FEW and depth:
            depth -= 1
            middle = cut(line, first, last)
            parts.append((middle, last, depth))
            last = middle
        if last - first > FEW:
            line[first:last] = smallest(line[first:last], last - first)
    line[:end] = inserted(line[:end])


def inserted(line: list[Ranked]) -> list[Ranked]:
    """Return a line sorted by insertion: nans, which are in no order, stand in the way."""
    if not any(one != one for one in line):
        return sorted(line)
    result: list[Ranked] = []
    for place, one in enumerate(line):
        to = 0 if place < FEW and result and one < result[0] else place
        while to and one < result[to - 1]:
            to -= 1
        result.insert(to, one)
    return result


def nth_element(line: list[Ranked], nth: int) -> None:
    """Bring what is smaller than the n-th element before it, and what is larger behind it."""
    first, last = 0, len(line)
    depth = 2 * last.bit_length() - 2
    while last - first > 3 and depth:
        depth -= 1
        middle = cut(line, first, last)
        first, last = (middle, last) if middle <= nth else (first, middle)
    if last - first > 3:
        line[first:last] = heaped(line[first:last], nth + 1 - first)
        line[first], line[nth] = line[nth], line[first]
    else:
        line[first:last] = sorted(line[first:last])


def partial_sort(line: list[Ranked], count: int) -> None:
    """Bring the smallest elements of a line, in order, to its front; drop the others."""
    line[:] = smallest(line, count)


def smallest(line: list[Ranked], count: int) -> list[Ranked]:
    """Return the smallest elements in order, as they come from a heap."""
    heap, _ = heap_of(line, count)
    return [-heapq.heappop(heap) for _ in range(count)][::-1]


def heaped(line: list[Ranked], count: int) -> list[Ranked]:
    """Return a line whose smallest elements are a heap at its front."""
    heap, others = heap_of(line, count)
    return [-one for one in heap] + others


def heap_of(line: list[Ranked], count: int) -> tuple[list[Any], list[Ranked]]:
    """Return a heap of the smallest elements, with the largest of them on top, and the others."""
    heap, others = [-one for one in line[:count]], line[count:]
    heapq.heapify(heap)
    for place, one in enumerate(others):
        if -one > heap[0]:
            others[place] = -heapq.heapreplace(heap, -one)
    return heap, others


def cut(line: list[Ranked], first: int, last: int) -> int:
    """Bring what is smaller than a pivot before what is larger; return where the border is."""
    chosen = median(line, first + 1, first + (last - first) // 2, last - 1)
    line[first], line[chosen] = pivot, _ = line[chosen], line[first]
    up, down = first + 1, last
    while True:
        while line[up] < pivot:
            up += 1
        down -= 1
        while pivot < line[down]:
            down -= 1
        if up >= down:
            return up
        line[up], line[down] = line[down], line[up]
        up += 1


def median(line: list[Ranked], a: int, b: int, c: int) -> int:
    """Return which of three elements is between the others; which of equal ones is C++'s choice."""
    if line[a] < line[b]:
        return b if line[b] < line[c] else c if line[a] < line[c] else a
    return a if line[a] < line[c] else c if line[b] < line[c] else b
