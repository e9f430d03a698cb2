"""In which order the elements of results and gradients lie in memory is as in PyTorch."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import pytest

import minigrad

pytestmark = pytest.mark.parity

# Leaves: contiguous, dense in another order, with gaps, and expanded.
LEAVES = (
    "torch.ones(2, 3)",
    "torch.ones(3, 2).t()",
    "torch.ones(2, 6)[:, ::2]",
    "torch.ones(6, 2)[::2].t()",
    "torch.ones(3).expand(2, 3)",
    "torch.ones(2, 1).expand(2, 3)",
)
LOSSES = (
    "(x.t() * torch.ones(3, 2)).sum()",
    "(x * torch.ones(3, 2).t()).sum()",
    "x.sum(0).pow(2).sum()",
    "x.sum()",
    "(x @ torch.ones(3, 4)).pow(2).sum()",
    "(torch.ones(4, 2) @ x).pow(2).sum()",
    "torch.nn.functional.linear(torch.ones(4, 3), x).sum()",
    "x.t()[0].sum()",
)
COPIES = (
    "{}.clone()",
    "{}.double()",
    "{}.to(torch.int64)",
    "{}.to(torch.float32, copy=True)",
    "{}.contiguous()",
    "{} + torch.ones(3)",
    "{}.exp()",
    "{} * 2",
)


def layout(tensor: Any) -> Any:
    """Return the strides that matter, and whether the tensor can be seen as one line."""
    strides = [step for step, one in zip(tensor.stride(), tensor.shape, strict=True) if one != 1]
    try:
        line: Any = tensor.view(-1).stride()
    except RuntimeError as error:
        line = str(error)
    return strides, tensor.is_contiguous(), line


def both(program: Any) -> None:
    """Assert that a program of an engine gives the same on minigrad and PyTorch."""
    import torch

    ours, theirs = program(minigrad), program(torch)
    assert ours == theirs


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("leaf", LEAVES)
def test_the_gradient_lies_as_its_leaf(leaf: str, loss: str, create_graph: bool) -> None:
    def program(torch: Any) -> Any:
        x = eval(leaf).detach().requires_grad_()
        seen = []
        for _ in range(2):  # The second pass adds to what the first one left.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                eval(loss).backward(create_graph=create_graph)
            seen.append((layout(x.grad), x.grad.tolist()))
        return seen

    both(program)


def test_the_gradients_of_a_linear_layer_can_be_seen_as_one_line() -> None:
    def program(torch: Any) -> Any:
        layer = torch.nn.Linear(3, 2)
        layer(torch.ones(4, 3)).sum().backward()
        return [layout(one.grad) for one in layer.parameters()]

    both(program)


@pytest.mark.parametrize("made", COPIES)
@pytest.mark.parametrize("leaf", LEAVES)
def test_copies_lie_as_what_they_are_of(leaf: str, made: str) -> None:
    def program(torch: Any) -> Any:
        return layout(eval(made.format(leaf)))

    both(program)


def test_a_deep_copy_lies_as_what_it_is_of() -> None:
    both(lambda torch: layout(copy.deepcopy(torch.ones(3, 2).t())))
