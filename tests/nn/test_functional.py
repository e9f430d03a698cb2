"""What the functions of `minigrad.nn.functional` compute and what they refuse.

Losses are tested in tests/ops/test_loss.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import minigrad as torch
import minigrad.nn.functional as F
from tests.ops.nudge import check_gradients

POINTS = [-2.3, -0.6, 0.4, 1.7]
MATRIX = [[0.3, -0.7, 1.2], [1.9, 0.1, -0.4]]


@pytest.mark.parametrize(
    "function",
    [
        F.relu,
        F.tanh,
        F.sigmoid,
        F.leaky_relu,
        lambda x: F.leaky_relu(x, 0.3),
        F.elu,
        lambda x: F.elu(x, 1.7),
        F.selu,
        F.gelu,
        lambda x: F.gelu(x, approximate="tanh"),
        F.silu,
        F.softplus,
        lambda x: F.softplus(x, 2, 1),
        F.softsign,
        F.tanhshrink,
        F.hardtanh,
        lambda x: F.hardtanh(x, -0.5, 0.9),
        F.relu6,
        F.logsigmoid,
        lambda x: F.threshold(x, 0.5, 3.0),
    ],
)
def test_derivatives_of_activations(function: Any) -> None:
    check_gradients(function, POINTS)


def test_activations_by_hand() -> None:
    x = torch.tensor([-2.0, 0.0, 3.0])
    assert F.relu(x).tolist() == [0.0, 0.0, 3.0]
    assert F.leaky_relu(x, 0.5).tolist() == [-1.0, 0.0, 3.0]
    assert F.elu(x).tolist() == pytest.approx([math.expm1(-2), 0.0, 3.0])
    assert F.gelu(x).tolist() == pytest.approx([-0.0455, 0.0, 2.99595], rel=1e-3)
    assert F.silu(x).tolist() == pytest.approx([-2 / (1 + math.e**2), 0.0, 3 / (1 + math.e**-3)])
    assert F.softplus(x).tolist() == pytest.approx(
        [math.log1p(math.exp(one)) for one in (-2, 0, 3)]
    )
    assert F.hardtanh(x).tolist() == [-1.0, 0.0, 1.0]
    assert F.relu6(x * 3).tolist() == [0.0, 0.0, 6.0]
    assert F.threshold(x, 0.5, 9.0).tolist() == [9.0, 9.0, 3.0]
    assert F.softsign(x).tolist() == pytest.approx([-2 / 3, 0.0, 0.75])


def test_activations_far_out_neither_overflow_nor_warn() -> None:
    x = torch.tensor([-1e4, 1e4])
    assert F.logsigmoid(x).tolist() == [-1e4, 0.0]
    assert F.softplus(x).tolist() == [0.0, 1e4]
    assert F.silu(x).tolist() == [0.0, 1e4]
    assert F.elu(x).tolist() == [-1.0, 1e4]


def test_relu_in_place() -> None:
    x = torch.tensor([-1.0, 2.0])
    assert F.relu(x, inplace=True) is x
    assert x.tolist() == [0.0, 2.0]


@pytest.mark.parametrize("function", [F.softmax, F.log_softmax, F.softmin])
def test_derivatives_of_softmax_and_its_like(function: Any) -> None:
    weights = torch.tensor(MATRIX, dtype=torch.float64)
    for dim in (0, -1):
        check_gradients(lambda x, dim=dim: function(x, dim) * weights, MATRIX)


def test_softmax_without_a_dimension_warns_and_chooses_one() -> None:
    x = torch.tensor(MATRIX)
    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax"):
        assert torch.equal(F.softmax(x), F.softmax(x, 1))
    with pytest.warns(UserWarning, match="Implicit dimension choice for log_softmax"):
        assert torch.equal(F.log_softmax(x[0]), F.log_softmax(x[0], 0))


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3), (0, 3)])
@pytest.mark.parametrize("biased", [True, False])
def test_linear_is_a_product_and_a_sum(shape: tuple[int, ...], biased: bool) -> None:
    x = np.arange(math.prod(shape), dtype=np.float64).reshape(shape) - 2
    weight, bias = np.array(MATRIX), np.array([10.0, 20.0])
    found = F.linear(torch.tensor(x), torch.tensor(weight), torch.tensor(bias) if biased else None)
    np.testing.assert_allclose(found.numpy(), x @ weight.T + (bias if biased else 0))


def test_derivatives_of_linear() -> None:
    check_gradients(F.linear, MATRIX, [[1.0, 2.0, -1.0]], [0.5])
    check_gradients(F.linear, MATRIX[0], [[1.0, 2.0, -1.0], [0.0, 1.0, 3.0]], [0.5, -0.5])


def test_dropout_zeroes_a_share_of_the_elements_and_scales_the_others() -> None:
    torch.manual_seed(0)
    x = torch.ones(100, 100, requires_grad=True)
    y = F.dropout(x, 0.2)
    kept = (y != 0).float().mean().item()
    assert kept == pytest.approx(0.8, abs=0.02)
    assert sorted({round(one, 6) for one in y.flatten().tolist()}) == [0.0, 1.25]
    y.sum().backward()
    assert torch.equal(x.grad, y.detach())


def test_dropout_that_drops_nothing_returns_its_input() -> None:
    x = torch.ones(3)
    assert F.dropout(x, training=False) is x
    assert F.dropout(x, 0.0) is x
    assert F.dropout(x, 1.0).tolist() == [0.0] * 3


def test_one_hot() -> None:
    assert F.one_hot(torch.tensor([0, 2])).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert F.one_hot(torch.tensor([[1]]), 2).tolist() == [[[0, 1]]]
    assert F.one_hot(torch.tensor([1])).dtype is torch.int64


def test_normalized_vectors_have_length_one() -> None:
    x = torch.tensor([[3.0, 4.0], [0.0, 0.0]])
    assert F.normalize(x).tolist() == [pytest.approx([0.6, 0.8]), [0.0, 0.0]]
    check_gradients(lambda x: F.normalize(x) ** 3, MATRIX)


def test_cosine_similarity() -> None:
    x = torch.tensor([[1.0, 0.0], [1.0, 1.0]])
    y = torch.tensor([[0.0, 2.0], [3.0, 3.0]])
    assert F.cosine_similarity(x, y).tolist() == pytest.approx([0.0, 1.0])
    check_gradients(F.cosine_similarity, MATRIX, [[1.0, 0.5, 2.0], [0.3, 0.1, -1.0]])


def test_a_target_of_another_shape_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="Using a target size") as caught:
        loss = F.mse_loss(torch.ones(2), torch.zeros(3, 2))
    assert loss.item() == 1.0
    assert caught[0].filename == __file__


x, whole, scores = torch.ones(3), torch.tensor([1, 2, 0]), torch.zeros(3, 4)


@pytest.mark.parametrize(
    ("expression", "error", "message"),
    [
        (lambda: F.mse_loss(x, x, reduction="all"), ValueError, "all is not a valid value for"),
        (lambda: F.smooth_l1_loss(x, x, beta=-1), RuntimeError, "does not support negative values"),
        (lambda: F.huber_loss(x, x, delta=0), RuntimeError, "does not support non-positive values"),
        (lambda: F.mse_loss(x, x, weight=torch.ones(2)), ValueError, "must have the same size"),
        (lambda: F.mse_loss(whole, whole), NotImplementedError, '"mse_cpu" not implemented for'),
        (lambda: F.binary_cross_entropy(x, torch.ones(2)), ValueError, "Using a target size"),
        (lambda: F.binary_cross_entropy(x * 2, x), RuntimeError, "input should be between 0 and 1"),
        (lambda: F.binary_cross_entropy(x, -x), RuntimeError, "target should be between 0 and 1"),
        (lambda: F.binary_cross_entropy(x, whole), RuntimeError, "Found dtype Long but expected F"),
        (
            lambda: F.binary_cross_entropy(x, x, torch.ones(3, requires_grad=True)),
            RuntimeError,
            "not differentiable with respect to argument 'weight'",
        ),
        (
            lambda: F.binary_cross_entropy_with_logits(x, torch.ones(2)),
            ValueError,
            "Target size (torch.Size([2])) must be the same as input size (torch.Size([3]))",
        ),
        (lambda: F.binary_cross_entropy_with_logits(x, whole), RuntimeError, "can't be cast to"),
        (lambda: F.cross_entropy(scores, whole[:2]), ValueError, "Expected input batch_size (3)"),
        (lambda: F.cross_entropy(scores, whole + 3), IndexError, "Target 4 is out of bounds."),
        (lambda: F.cross_entropy(scores, whole - 1), IndexError, "Target -1 is out of bounds."),
        (lambda: F.cross_entropy(scores, whole.float()), RuntimeError, "to be Long or Byte, but"),
        (lambda: F.cross_entropy(scores, scores.long()), RuntimeError, "Expected floating point"),
        (lambda: F.cross_entropy(scores, whole, x), RuntimeError, "for all 4 classes"),
        (lambda: F.cross_entropy(x, whole), RuntimeError, "Expected floating point type"),
        (lambda: F.nll_loss(x, whole), ValueError, "For 1D input, 1D target must have size 1"),
        (lambda: F.nll_loss(torch.tensor(1.0), whole), ValueError, "Expected 1 or more dimensions"),
        (lambda: F.cross_entropy(scores, whole, label_smoothing=2), RuntimeError, "Got: 2"),
        (lambda: F.gelu(x, approximate="sin"), RuntimeError, "must be either none or tanh."),
        (lambda: F.hardtanh(x, 2, 1), ValueError, "min_val cannot be greater than max_val"),
        (lambda: F.dropout(x, 1.5), ValueError, "has to be between 0 and 1, but got 1.5"),
        (lambda: F.one_hot(x), RuntimeError, "only applicable to index tensor of type LongTensor"),
        (lambda: F.one_hot(-whole), RuntimeError, "Class values must be non-negative."),
        (lambda: F.one_hot(whole, 2), RuntimeError, "must be smaller than num_classes."),
        (lambda: F.leaky_relu(whole), NotImplementedError, "not implemented for 'Long'"),
        (lambda: F.softmax(x, 2), IndexError, "Dimension out of range"),
        (lambda: F.linear(x, torch.ones(2, 2)), RuntimeError, "cannot be multiplied (1x3 and 2x2)"),
    ],
)
def test_what_is_refused(expression: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        expression()
    assert message in str(caught.value)


@pytest.mark.parametrize("slope", [-1.0, math.nan])
@pytest.mark.parametrize("name", ["elu", "celu", "leakyReLu"])
def test_a_negative_slope_in_place_has_no_backward(torch: Any, name: str, slope: float) -> None:
    function = getattr(torch.nn.functional, {"leakyReLu": "leaky_relu_"}.get(name, f"{name}_"))
    y = function(torch.tensor([-1.0, 2.0], requires_grad=True) * 1, slope)
    kind = "leakyReLu" if name == "leakyReLu" else "elu"
    with pytest.raises(RuntimeError, match=f"^In-place {kind} backward calculation is triggered"):
        y.sum().backward()
