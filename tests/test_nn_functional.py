"""nn.functional: each function against PyTorch; reductions, refusals."""

import importlib
import warnings
from typing import Any

import pytest

from tests.properties.programs import templates

# x, y: (4, 3), requires grad; p: probabilities; t: targets; c: classes; w: a weight for each class
CALLS = templates("""
    linear(x, x[:2]); linear(x, x[:2], y[0, :2]); linear(x.view(2, 2, 3), x[:2], y[0, :2])
    linear(x[0], x[:2], y[0, :2]); relu(x); leaky_relu(x, 0.2); softplus(x); softplus(x, 3.0, 2.0)
    sigmoid(x); tanh(x); softmax(x, 1); softmax(x, dim=0, dtype=torch.float64); log_softmax(x, -1)
    pad(x, (1, -1, 0, 2), value=3.0); mse_loss(x, y); mse_loss(x, t, reduction='sum')
    mse_loss(x, c[:, None].expand(4, 3), reduction='none'); l1_loss(x, y)
    smooth_l1_loss(x, y, beta=0.5); smooth_l1_loss(x, y, reduction='none')
    binary_cross_entropy(p, t); binary_cross_entropy(p, t, weight=w, reduction='sum')
    binary_cross_entropy_with_logits(x, t)
    binary_cross_entropy_with_logits(x, t, weight=w, pos_weight=w, reduction='none')
    nll_loss(log_softmax(x, 1), c); nll_loss(x, c, weight=w, ignore_index=1); nll_loss(x[0], c[0])
    cross_entropy(x, c); cross_entropy(x, c, w); cross_entropy(x, c, reduction='none')
    cross_entropy(x, c, reduction='sum', ignore_index=0); cross_entropy(x, c, w, ignore_index=2)
    cross_entropy(x, softmax(y, 1)); cross_entropy(x, softmax(y, 1), w, reduction='none')
    cross_entropy(x[0], c[0])
""")


def names(torch: Any) -> dict[str, Any]:
    """What the calls may use; the numbers are the same in both engines."""
    torch.manual_seed(1)
    x, y = torch.randn(4, 3), torch.randn(4, 3)
    functions = {name: getattr(torch.nn.functional, name) for name in FUNCTIONS}
    values = {
        "x": x.requires_grad_(),
        "y": y.requires_grad_(),
        "p": x.sigmoid(),
        "t": (y.detach() > 0).to(x.dtype),
        "c": torch.tensor([2, 0, 1, 2]),
        "w": torch.tensor([0.5, 1.0, 2.0], dtype=x.dtype),
    }
    return {"torch": torch, **functions, **values}


FUNCTIONS = {call.split("(")[0] for call in CALLS}


@pytest.mark.parity
@pytest.mark.parametrize("call", CALLS)
def test_values_nodes_and_gradients(pytorch: Any, call: str) -> None:
    printed = []
    for torch in (importlib.import_module("minigrad"), pytorch):
        space = names(torch)
        result = eval(call, space)
        (result * result).sum().backward()
        grads = (repr(space[name].grad) for name in "xy")
        printed.append((repr(result), result.grad_fn.name(), *grads))
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        ("linear(x, x[:, :2])", RuntimeError, "mat1 and mat2 shapes cannot be multiplied (4x3 and"),
        ("linear(x.double(), x, w)", RuntimeError, "mat1 and mat2 must have the same dtype, but g"),
        ("linear([1.0], x)", TypeError, "linear(): argument 'input' (position 1) must be Tensor"),
        ("mse_loss(x, y, reduction='avg')", ValueError, "avg is not a valid value for reduction"),
        ("binary_cross_entropy(p, t[0])", ValueError, "Using a target size (torch.Size([3])) that"),
        ("binary_cross_entropy(p, t.long())", RuntimeError, "Found dtype Long but expected Float"),
        ("logits_loss(x, t[0])", ValueError, "Target size (torch.Size([3])) must be the same as i"),
        ("logits_loss(x, t.long())", RuntimeError, "result type Float can't be cast to the desire"),
        ("cross_entropy(x, c + 1)", IndexError, "Target 3 is out of bounds."),
        ("cross_entropy(x, c[:3])", ValueError, "Expected input batch_size (4) to match target ba"),
        ("cross_entropy(x, c[:, None])", RuntimeError, "0D or 1D target tensor expected, multi-ta"),
        ("cross_entropy(x, c.float())", RuntimeError, "expected target dtype to be Long or Byte, "),
        ("cross_entropy(x, t.long())", RuntimeError, "Expected floating point type for target wit"),
        ("one_hot(c, 2)", RuntimeError, "Class values must be smaller than num_classes."),
        ("one_hot(c - 1)", RuntimeError, "Class values must be non-negative."),
        ("one_hot(t)", RuntimeError, "one_hot is only applicable to index tensor of type LongTens"),
        ("dropout(x, 2)", ValueError, "dropout probability has to be between 0 and 1, but got 2"),
        ("relu(x, inplace=True)", RuntimeError, "a leaf Variable that requires grad is being used"),
    ],
)
def test_refusals(torch: Any, call: str, error: type[Exception], text: str) -> None:
    functional = torch.nn.functional
    space = names(torch) | {"one_hot": functional.one_hot, "dropout": functional.dropout}
    space["logits_loss"] = functional.binary_cross_entropy_with_logits
    with pytest.raises(error) as caught:
        eval(call, space)
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("mse_loss(x, y[0])", "Using a target size (torch.Size([3])) that is different to the inp"),
        ("softmax(x)", "Implicit dimension choice for softmax has been deprecated. Change the cal"),
    ],
)
def test_warnings(torch: Any, call: str, text: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = eval(call, names(torch))
    assert [str(one.message)[: len(text)] for one in caught] == [text]
    assert result.grad_fn is not None


def test_dropout(torch: Any) -> None:
    functional, x = torch.nn.functional, torch.ones(1000)
    torch.manual_seed(0)
    assert functional.dropout(x[:6], 0.5).tolist() == DROPPED
    y = functional.dropout(x, 0.2)
    assert set(y.unique().tolist()) == {0.0, 1.25}
    assert 0.75 < (y > 0).float().mean() < 0.85
    assert functional.dropout(x, training=False) is x
    assert not functional.dropout(x, 1.0).any()
    z = x.clone()
    assert functional.dropout(z, 0.5, inplace=True) is z
    assert not torch.equal(z, x)


DROPPED = [0.0, 0.0, 2.0, 0.0, 0.0, 0.0]


def test_one_hot(torch: Any) -> None:
    functional = torch.nn.functional
    assert functional.one_hot(torch.tensor([[0], [2]])).tolist() == [[[1, 0, 0]], [[0, 0, 1]]]
    assert functional.one_hot(torch.tensor(1), 3).tolist() == [0, 1, 0]
