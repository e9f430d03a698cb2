"""Views, and the nodes that they record."""

import re
from typing import Any

import pytest


def outline(node: Any) -> str:
    """The names of the nodes behind a tensor, without "Backward"."""
    if node is None:
        return "-"
    inner = ", ".join(outline(source) for source, _ in node.next_functions)
    name = re.sub(r"Backward(\d)$", r"\1", node.name().removeprefix("torch::autograd::"))
    return f"{name}({inner})" if inner else name


@pytest.mark.parametrize(
    ("program", "shape", "nodes"),
    [
        ("x.view(-1)", (6,), "View0"),
        ("x.t().reshape(6)", (6,), "UnsafeView0(Clone0(T0"),
        ("torch.reshape(x, shape=(3, 2))", (3, 2), "View0"),
        ("x.flatten()", (6,), "View0"),
        ("x.T", (3, 2), "Permute0"),
        ("x.t()", (3, 2), "T0"),
        ("x.transpose(0, -1)", (3, 2), "Transpose0"),
        ("x.permute(1, 0)", (3, 2), "Permute0"),
        ("x[None].permute(dims=(2, 0, -2))", (3, 1, 2), "Permute0(Unsqueeze0"),
        ("x.unsqueeze(-1)", (2, 3, 1), "Unsqueeze0"),
        ("x[None].squeeze()", (2, 3), "Squeeze0(Unsqueeze0"),
        ("x[None].squeeze(0)", (2, 3), "Squeeze1(Unsqueeze0"),
        ("x[:1].expand(4, -1)", (4, 3), "Expand0(Slice0"),
        ("x.expand_as(torch.ones(5, 2, 3))", (5, 2, 3), "Expand0"),
        ("x.narrow(1, -2, 2)", (2, 2), "Slice0"),
        ("x.t().contiguous()", (3, 2), "Clone0(T0"),
        ("x.unbind(1)[2]", (2,), "Unbind0"),
        ("x.diagonal(1)", (2,), "Diagonal0"),
        ("x.split([1, 2], 1)[1]", (2, 2), "SplitWithSizes0"),
        ("torch.cat([x, x])", (4, 3), "Cat0"),
        ("torch.cat([torch.ones(0), x], dim=-1)", (2, 3), "Cat0(-, "),
        ("torch.stack([x, x], -1)", (2, 3, 2), "Stack0"),
    ],
)
def test_shape_and_node(torch: Any, program: str, shape: tuple[int, ...], nodes: str) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    result = eval(program, {"torch": torch, "x": x})
    assert result.shape == shape
    assert outline(result.grad_fn).startswith(nodes)


@pytest.mark.parametrize(
    ("program", "nodes"),
    [
        ("x.unsqueeze(0)", "Squeeze1"),
        ("x.select(0, 1)", "SelectBackward0"),
        ("x[:, 1:]", "SliceBackward0"),
        ("x.diagonal()", "DiagonalBackward0"),
        ("x.split(1)[0]", "Cat0"),
        ("x.unbind()[1]", "Stack0(-, "),
        ("torch.cat([x])", "Slice0"),
        ("torch.stack([x])", "Select0"),
        ("x.expand(2, 2, 3)", "View0(Sum1"),
    ],
)
def test_gradients_record_pytorchs_nodes(torch: Any, program: str, nodes: str) -> None:
    x = torch.ones(2, 3, requires_grad=True)
    (grad,) = torch.autograd.grad((eval(program) ** 2).sum(), x, create_graph=True)
    assert outline(grad.grad_fn).startswith(nodes)


def test_views_share_memory_and_version(torch: Any) -> None:
    x = torch.arange(6.0).view(2, 3).clone()
    views = [x.view(6), x.t(), x[1], x.unsqueeze(0), x.expand(2, 2, 3), x.diagonal()]
    x.mul_(2)
    assert views[0].tolist() == [0, 2, 4, 6, 8, 10]
    assert all(view._base is x and view._version == 1 for view in views)
    assert x.t().reshape(6)._base is None
    assert x.clone()._base is x.detach()._base is None


def test_no_view_where_nothing_changes(torch: Any) -> None:
    x = torch.ones(3)
    assert x.flatten() is x
    assert x.contiguous() is x


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("x.view(4)", RuntimeError, "shape '[4]' is invalid for input of size 6"),
        ("x.t().view(6)", RuntimeError, "Use .reshape(...) instead."),
        ("x.expand(2, 2)", RuntimeError, "The expanded size of the tensor (2) must match the exis"),
        ("x.squeeze(2)", IndexError, "range of [-2, 1], but got 2)"),
        ("x.unsqueeze(-4)", IndexError, "range of [-3, 2], but got -4)"),
        ("x[None].t()", RuntimeError, "t() expects a tensor with <= 2 dimensions, but self is 3D"),
        ("x.narrow(1, 2, 2)", RuntimeError, "start (2) + length (2) exceeds dimension size (3)."),
        ("x.split([1, 1], 1)", RuntimeError, "expects split_sizes to sum exactly to 3"),
        ("torch.cat([x, x[:, :2]])", RuntimeError, "Expected size 3 but got size 2 for tensor num"),
        ("torch.cat([x, 1])", TypeError, "expected Tensor as element 1 in argument 0, but got int"),
        ("torch.stack([x, x[0]])", RuntimeError, "got [2, 3] at entry 0 and [3] at entry 1"),
        ("torch.cat([])", ValueError, "torch.cat(): expected a non-empty list of Tensors"),
        ("torch.cat([x.sum()])", RuntimeError, "cannot be concatenated"),
        ("torch.stack([])", RuntimeError, "stack expects a non-empty TensorList"),
        ("torch.stack([x, x], 3)", IndexError, "range of [-3, 2], but got 3)"),
        ("torch.cat([x, x[0]])", RuntimeError, "have same number of dimensions: got 2 and 1"),
        ("x.view(-1, -1)", RuntimeError, "only one dimension can be inferred"),
        ("x.expand(3)", RuntimeError, "expand(torch.FloatTensor{[2, 3]}, size=[3]): the number"),
        ("x.expand(-1, 2, 3)", RuntimeError, "(-1) isn't allowed in a leading, non-existing dime"),
        ("x.split(0)", RuntimeError, "dimension size is 0, but got dimension size of 2"),
        ("x.chunk(0)", RuntimeError, "chunk expects `chunks` to be greater than 0, got: 0"),
        ("x.sum().unbind()", IndexError, "Dimension specified as 0 but tensor has no dimensions"),
        ("x.sum().size(0)", IndexError, "Dimension specified as 0 but tensor has no dimensions"),
        ("x.unbind(2)", IndexError, "range of [-2, 1], but got 2)"),
        ("x.diagonal(0, 1, -1)", RuntimeError, "diagonal dimensions cannot be identical 1, -1"),
    ],
)
def test_what_is_refused(torch: Any, program: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        eval(program, {"torch": torch, "x": torch.ones(2, 3)})
    assert text in str(caught.value)


def test_unsqueeze_in_place(torch: Any) -> None:
    x = torch.ones(3)
    assert x.unsqueeze_(0) is x
    assert (x.shape, x._version) == ((1, 3), 1)
    with pytest.raises(RuntimeError):
        torch.ones(3, requires_grad=True).unsqueeze_(0)


def test_the_parts_of_a_vector_share_its_memory(torch: Any) -> None:
    x = torch.zeros(3)
    for part in x:
        part.add_(1)
    x.unbind()[0].mul_(5)
    assert x.tolist() == [5, 1, 1]
