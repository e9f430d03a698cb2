"""Elements chosen by index, by mask or by their order."""

from typing import Any

import numpy as np
import pytest


def matrix(torch: Any) -> Any:
    return torch.arange(6.0, dtype=torch.float64).view(2, 3)


@pytest.mark.parametrize(
    ("key", "values", "node"),
    [
        ("0", [0, 1, 2], "Select"),
        ("-1, 1", 4, "Select"),
        ("torch.tensor(1)", [3, 4, 5], "Select"),
        (":", [[0, 1, 2], [3, 4, 5]], "Slice"),
        (":, 1:", [[1, 2], [4, 5]], "Slice"),
        ("...", [[0, 1, 2], [3, 4, 5]], "Alias"),
        (":, :", [[0, 1, 2], [3, 4, 5]], "Alias"),
        ("None, 1", [[3, 4, 5]], "Select"),
        (":, [2, 0]", [[2, 0], [5, 3]], "Index"),
        ("[[0], [1]], [2, 0]", [[2, 0], [5, 3]], "Index"),
        ("1, [2, 0]", [5, 3], "Index"),
        ("x > 2.5", [3, 4, 5], "Index"),
        (":, torch.tensor([True, False, True])", [[0, 2], [3, 5]], "Index"),
        ("True", [[[0, 1, 2], [3, 4, 5]]], "Index"),
        ("False", [], "Index"),
        ("[]", [], "Index"),
    ],
)
def test_keys(torch: Any, key: str, values: Any, node: str) -> None:
    x = matrix(torch).requires_grad_()
    select = eval(f"lambda x: x[{key}]", {"torch": torch, "np": np})
    result = select(x)
    assert result.tolist() == values
    assert result.grad_fn.name() == f"{node}Backward0"
    assigned = matrix(torch)
    exec(f"x[{key}] = 9", {"x": assigned, "torch": torch, "np": np})
    assert (select(assigned) == 9).all()


@pytest.mark.parametrize(
    ("statement", "values", "node"),
    [
        ("x[0] = 9", [[9, 9, 9], [3, 4, 5]], "CopySlices"),
        ("x[:, 1] = torch.tensor([7, 8])", [[0, 7, 2], [3, 8, 5]], "CopySlices"),
        ("x[:] = torch.ones(1, 1, 3)", [[1, 1, 1], [1, 1, 1]], "CopyBackwards"),
        ("x[[1]] = 9", [[0, 1, 2], [9, 9, 9]], "IndexPutBackward0"),
        ("x[:, [0, 2]] = torch.zeros(2).double()", [[0, 1, 0], [0, 4, 0]], "IndexPutBackward0"),
        ("x[x > 2] = -1", [[0, 1, 2], [-1, -1, -1]], "IndexPutBackward0"),
        ("x[1, [0, 1]] += 10", [[0, 1, 2], [13, 14, 5]], "CopySlices"),
        ("x[[0, 0]] += 1", [[1, 2, 3], [3, 4, 5]], "IndexPutBackward0"),
    ],
)
def test_assignment(torch: Any, statement: str, values: Any, node: str) -> None:
    x = matrix(torch).requires_grad_() * 1
    exec(statement)
    assert x.tolist() == values
    assert x.grad_fn.name().removeprefix("torch::autograd::") == node


def test_a_row_that_is_stretched_is_viewed_first(torch: Any) -> None:
    row = torch.ones(3, requires_grad=True) * 2
    x = torch.zeros(3, 3)
    x[1:] = row
    stretched = x.grad_fn.next_functions[-1][0]
    assert stretched.name() == "ExpandBackward0"
    assert stretched.next_functions[0][0].name() == "ViewBackward0"


def test_gradients_of_what_is_assigned(torch: Any) -> None:
    x, v = torch.ones(3, requires_grad=True), torch.tensor([2.0], requires_grad=True)
    y = x * 1
    y[[0, 2]] = v
    y[1:2] *= v
    (y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [0, 20, 0]
    assert v.grad.tolist() == [111]


def test_indices_are_saved_with_their_version(torch: Any) -> None:
    i, x = torch.tensor([0, 1, 1]), torch.ones(2, requires_grad=True)
    y, z = x[i], x[i]
    assert y.grad_fn._saved_indices[0].tolist() == [0, 1, 1]
    z.sum().backward()
    assert x.grad.tolist() == [1, 2]
    i.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation.*LongTensor"):
        y.sum().backward()


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        ("x[2]", IndexError, "index 2 is out of bounds for dimension 0 with size 2"),
        ("x[[-3]]", IndexError, "index -3 is out of bounds for dimension 0 with size 2"),
        ("x[0, 0][0]", IndexError, "invalid index of a 0-dim tensor"),
        ("x[0, 0][0:1]", IndexError, "slice() cannot be applied to a 0-dim tensor."),
        ("x[1.5]", IndexError, "only integers, slices (`:`), ellipsis (`...`), None and long"),
        ("x[torch.ones(2)]", IndexError, "tensors used as indices must be long, int, byte or bool"),
        ("x[torch.tensor([True])]", IndexError, ""),
        ("x[::-1]", ValueError, "step must be greater than zero"),
        ("x[0] = torch.ones(2)", RuntimeError, "The expanded size of the tensor (3) must match"),
        ("x[[0]] = torch.ones(3)", RuntimeError, "Index put requires the source and destination"),
        ("x[0] = [1, 2, 3]", TypeError, "can't assign a list to a torch.DoubleTensor"),
        ("x.gather(1, torch.tensor([[3]]))", RuntimeError, "index 3 is out of bounds for dimens"),
        ("x.gather(1, torch.tensor([0]))", RuntimeError, "must have the same number of dimensio"),
        ("x.index_select(0, torch.tensor([2]))", IndexError, "index out of range in self"),
        ("x.masked_fill(torch.tensor([1, 0, 1]), 0)", RuntimeError, "only supports boolean masks"),
        ("x.masked_fill(x[:, 0] > 1, 0)", RuntimeError, "at non-singleton dimension 1"),
        ("torch.where(x > 1, x, x[0, :2])", RuntimeError, "tensor b (2) at non-singleton dimensio"),
        ("x.masked_fill(x > 1, x[0])", RuntimeError, "but got tensor with 1 dimension(s)."),
        ("torch.ones(2, requires_grad=True)[[0]] = x", RuntimeError, "a leaf Variable that requir"),
        ("x.roll(1, 2)", IndexError, "range of [-2, 1], but got 2)"),
        ("x.topk(1, 2)", IndexError, "range of [-2, 1], but got 2)"),
        ("x.topk(4)", RuntimeError, "selected index k out of range"),
    ],
)
def test_what_is_refused(torch: Any, statement: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        exec(statement, {"torch": torch, "x": matrix(torch)})
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("program", "values", "node"),
    [
        ("x.gather(1, i)", [[2, 0], [3, 4]], "Gather"),
        ("x.scatter(1, i, 9.0)", [[9, 1, 9], [9, 9, 5]], "Scatter1"),
        ("x.scatter(1, i, x[:, :2])", [[1, 1, 0], [3, 4, 5]], "Scatter0"),
        ("x.scatter_add(1, i, x[:, :2])", [[1, 1, 2], [6, 8, 5]], "ScatterAdd"),
        ("x.index_select(1, i[0])", [[2, 0], [5, 3]], "IndexSelect"),
        ("x.index_add(1, i[0], x[:, :2])", [[1, 1, 2], [7, 4, 8]], "IndexAdd"),
        ("x.masked_fill(x > 3.5, -1)", [[0, 1, 2], [3, -1, -1]], "MaskedFill0"),
        ("x.masked_fill(x > 3.5, x[0, 1])", [[0, 1, 2], [3, 1, 1]], "MaskedFill1"),
        ("x.sort(descending=True)[0]", [[2, 1, 0], [5, 4, 3]], "Sort"),
        ("x.topk(2, largest=False)[0]", [[0, 1], [3, 4]], "Topk"),
        ("x[0, 0].sort()[0]", 0, "Sort"),
    ],
)
def test_values_and_nodes(torch: Any, program: str, values: Any, node: str) -> None:
    x, i = matrix(torch).requires_grad_(), torch.tensor([[2, 0], [0, 1]])
    result = eval(program, {"torch": torch, "x": x, "i": i})
    assert result.tolist() == values
    name, number = (node[:-1], node[-1]) if node[-1].isdigit() else (node, "0")
    assert result.grad_fn.name() == f"{name}Backward{number}"


def test_equal_elements_keep_their_order(torch: Any) -> None:
    x = torch.tensor([1, 0, 1, 0])
    assert x.sort(stable=True).indices.tolist() == [1, 3, 0, 2]
    assert x.sort(descending=True, stable=True).indices.tolist() == [0, 2, 1, 3]
    assert torch.tensor([2.0, float("nan"), 1.0]).argsort(descending=True).tolist() == [1, 0, 2]
    text = "torch.return_types.topk(\nvalues=tensor([3]),\nindices=tensor([1]))"
    assert repr(torch.tensor([2, 3, 1]).topk(1)) == text


def test_unique_and_nonzero(torch: Any) -> None:
    x = torch.tensor([[2, 1], [2, 0]])
    assert x.unique().tolist() == [0, 1, 2]
    values, inverse, counts = x.unique(return_inverse=True, return_counts=True)
    assert values[inverse].equal(x)
    assert counts.tolist() == [1, 1, 2]
    assert torch.unique(torch.stack([x, x]), dim=0).shape == (1, 2, 2)
    assert x.nonzero().tolist() == [[0, 0], [0, 1], [1, 0]]
    assert [one.tolist() for one in x.nonzero(as_tuple=True)] == [[0, 0, 1], [0, 1, 0]]
