"""What losses compute, their first and second derivatives, and their reductions."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch
import minigrad.nn.functional as F
from tests.ops.nudge import check_gradients, leaf

PREDICTION = [[0.3, -0.7], [1.9, 0.1]]
TARGET = [[0.5, 0.9], [-0.2, 0.15]]
PROBABILITY = [[0.3, 0.8], [0.95, 0.1]]
TRUTH = [[1.0, 0.0], [1.0, 0.3]]
SCORES = [[0.3, -0.7, 1.2], [1.9, 0.1, -0.4]]
CLASSES = torch.tensor([2, 0])
reductions = pytest.mark.parametrize("reduction", ["none", "mean", "sum"])


@reductions
@pytest.mark.parametrize(
    ("loss", "options"),
    [
        (F.mse_loss, {}),
        (F.l1_loss, {}),
        (F.smooth_l1_loss, {}),
        (F.smooth_l1_loss, {"beta": 0.4}),
        (F.huber_loss, {"delta": 0.4}),
    ],
)
def test_derivatives_of_losses_of_a_difference(loss: Any, options: Any, reduction: str) -> None:
    check_gradients(lambda x, y: loss(x, y, reduction=reduction, **options), PREDICTION, TARGET)


@reductions
def test_derivatives_of_binary_cross_entropies(reduction: str) -> None:
    weight = torch.tensor([2.0, 0.5], dtype=torch.float64)
    for options in ({}, {"weight": weight}):
        check_gradients(
            lambda x, y, options=options: F.binary_cross_entropy(
                x, y, reduction=reduction, **options
            ),
            PROBABILITY,
            [[0.9, 0.2], [0.7, 0.3]],
        )
    for options in ({}, {"weight": weight}, {"pos_weight": weight}):
        check_gradients(
            lambda x, y, options=options: F.binary_cross_entropy_with_logits(
                x, y, reduction=reduction, **options
            ),
            PREDICTION,
            TRUTH,
        )


@reductions
@pytest.mark.parametrize("loss", [F.nll_loss, F.cross_entropy])
def test_derivatives_of_losses_of_classes(loss: Any, reduction: str) -> None:
    weight = torch.tensor([2.0, 0.5, 1.0], dtype=torch.float64)
    for options in ({}, {"weight": weight}, {"ignore_index": 0}):
        check_gradients(
            lambda x, options=options: loss(x, CLASSES, reduction=reduction, **options), SCORES
        )


@reductions
def test_derivatives_of_smoothed_and_soft_cross_entropy(reduction: str) -> None:
    weight = torch.tensor([2.0, 0.5, 1.0], dtype=torch.float64)
    soft = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]], dtype=torch.float64)
    for target in (CLASSES, soft):
        for options in ({}, {"weight": weight}):
            check_gradients(
                lambda x, target=target, options=options: F.cross_entropy(
                    x, target, reduction=reduction, label_smoothing=0.2, **options
                ),
                SCORES,
            )


def test_losses_of_a_difference_by_hand() -> None:
    x, y = torch.tensor([1.0, 5.0]), torch.tensor([1.5, 2.0])
    assert F.mse_loss(x, y).item() == pytest.approx((0.25 + 9) / 2)
    assert F.mse_loss(x, y, reduction="sum").item() == pytest.approx(9.25)
    assert F.mse_loss(x, y, reduction="none").tolist() == pytest.approx([0.25, 9])
    assert F.l1_loss(x, y).item() == pytest.approx(1.75)
    assert F.smooth_l1_loss(x, y, reduction="none").tolist() == pytest.approx([0.125, 2.5])
    assert F.smooth_l1_loss(x, y, beta=0).item() == pytest.approx(1.75)
    assert F.huber_loss(x, y, reduction="none", delta=2).tolist() == pytest.approx([0.125, 4.0])


def test_weighted_mean_divides_by_the_weights() -> None:
    x, y, weight = torch.tensor([1.0, 5.0]), torch.tensor([2.0, 2.0]), torch.tensor([3.0, 1.0])
    assert F.mse_loss(x, y, weight=weight).item() == pytest.approx((3 * 1 + 9) / 4)
    assert F.l1_loss(x, y, weight=weight, reduction="sum").item() == pytest.approx(6)
    weight = torch.tensor([1.0, 1.0, 3.0])
    losses = F.cross_entropy(torch.tensor(SCORES), CLASSES, reduction="none").tolist()
    mean = F.cross_entropy(torch.tensor(SCORES), CLASSES, weight).item()
    assert mean == pytest.approx((3 * losses[0] + losses[1]) / 4, rel=1e-5)


def test_binary_cross_entropy_by_hand_and_at_certainty() -> None:
    losses = F.binary_cross_entropy(
        torch.tensor([0.25, 1.0, 0.0]), torch.tensor([1.0, 0.0, 0.0]), reduction="none"
    )
    assert losses.tolist() == pytest.approx([math.log(4), 100.0, 0.0])


@given(st.lists(st.floats(-15, 15), min_size=1, max_size=5), st.data())
def test_logits_agree_with_probabilities(logits: list[float], data: st.DataObject) -> None:
    truth = data.draw(
        st.lists(st.sampled_from([0.0, 1.0]), min_size=len(logits), max_size=len(logits))
    )
    x, y = leaf(logits), torch.tensor(truth, dtype=torch.float64)
    expected = F.binary_cross_entropy(torch.sigmoid(x), y).item()
    assert F.binary_cross_entropy_with_logits(x, y).item() == pytest.approx(expected, rel=1e-6)


def test_logits_far_out_give_finite_losses_and_gradients() -> None:
    x = torch.tensor([-500.0, 500.0], requires_grad=True)
    loss = F.binary_cross_entropy_with_logits(x, torch.tensor([1.0, 0.0]), reduction="sum")
    loss.backward()
    assert loss.item() == 1000.0
    assert x.grad.tolist() == [-1.0, 1.0]


def test_cross_entropy_of_even_scores_is_the_logarithm_of_their_number() -> None:
    assert F.cross_entropy(torch.zeros(2, 4), torch.tensor([0, 3])).item() == pytest.approx(
        math.log(4)
    )
    assert F.cross_entropy(torch.zeros(4), torch.tensor(1)).item() == pytest.approx(math.log(4))


def test_numbers_of_classes_and_certain_probabilities_agree() -> None:
    scores = torch.tensor(SCORES)
    certain = F.one_hot(CLASSES, 3).float()
    for smoothing in (0.0, 0.3):
        hard = F.cross_entropy(scores, CLASSES, label_smoothing=smoothing)
        soft = F.cross_entropy(scores, certain, label_smoothing=smoothing)
        assert hard.item() == pytest.approx(soft.item(), rel=1e-5)


def test_ignored_targets_count_for_nothing() -> None:
    scores = leaf(SCORES)
    loss = F.nll_loss(scores, torch.tensor([-100, 1]))
    loss.backward()
    assert loss.item() == pytest.approx(-0.1)
    assert scores.grad.tolist() == [[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
    nothing = leaf(SCORES)
    loss = F.nll_loss(nothing, torch.tensor([-100, -100]))
    loss.backward()
    assert math.isnan(loss.item())
    assert nothing.grad.tolist() == [[0.0] * 3] * 2


def test_kl_divergence_of_a_distribution_from_itself_is_zero() -> None:
    p = torch.tensor([[0.2, 0.8], [1.0, 0.0]])
    assert F.kl_div(torch.log(p + 1e-30), p, reduction="batchmean").item() == pytest.approx(0)
    logs = torch.log(torch.tensor([0.2, 0.8]))
    assert F.kl_div(logs, logs, reduction="sum", log_target=True).item() == pytest.approx(0)


def test_loss_of_a_large_batch_is_the_mean() -> None:
    x = torch.zeros(300, 70)
    assert F.mse_loss(x, torch.ones(300, 70)).item() == 1.0
