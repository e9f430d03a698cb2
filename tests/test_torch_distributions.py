"""Distributions: what they draw, how probable it is, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

import minigrad as torch

D = torch.distributions


def test_gradients_reach_the_parameters_of_a_policy() -> None:
    logits = torch.zeros(2, requires_grad=True)
    D.Categorical(logits=logits).log_prob(torch.tensor(0)).backward()
    assert logits.grad.tolist() == [0.5, -0.5]


def test_samples_have_no_gradient_but_rsamples_have() -> None:
    normal = D.Normal(torch.zeros(2, requires_grad=True), 1.0)
    assert not normal.sample((3,)).requires_grad
    assert normal.rsample((3,)).shape == (3, 2)
    assert normal.rsample().requires_grad


def test_shapes_of_batches_and_events() -> None:
    batch = D.Normal(torch.zeros(3, 2), 1.0)
    one = D.Independent(batch, 1)
    assert (one.batch_shape, one.event_shape) == ((3,), (2,))
    assert torch.equal(one.log_prob(torch.ones(2)), batch.log_prob(torch.ones(2)).sum(-1))
    assert one.expand((4, 3)).sample().shape == (4, 3, 2)


def test_divergences() -> None:
    assert D.kl_divergence(D.Normal(0.0, 1.0), D.Normal(1.0, 1.0)).item() == 0.5
    never, fair = D.Categorical(torch.tensor([1.0, 0.0])), D.Categorical(torch.ones(2))
    assert D.kl_divergence(never, fair).item() == pytest.approx(math.log(2))
    assert D.kl_divergence(fair, never).item() == math.inf
    with pytest.raises(NotImplementedError, match="p type Categorical and q type Normal"):
        D.kl_divergence(fair, D.Normal(0.0, 1.0))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: D.Categorical(), "Either `probs` or `logits` must be specified"),
        (lambda: D.Normal(0.0, 0.0), r"to satisfy the constraint GreaterThan\(lower_bound=0.0\)"),
        (lambda: D.Bernoulli(1.5), "found invalid values:\n1.5"),
        (lambda: D.Uniform(1.0, 0.0), "LessThan"),
        (lambda: D.Bernoulli(0.5).log_prob(torch.tensor(0.5)), r"within the support \(Boolean"),
        (lambda: D.Categorical(torch.ones(3)).log_prob(3), "must be a Tensor"),
        (lambda: D.Independent(D.Normal(0.0, 1.0), 1), "actual 1 vs 0"),
    ],
)
def test_what_does_not_fit_is_refused(make: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        make()


def test_only_classes_of_distributions_have_divergences() -> None:
    with pytest.raises(TypeError, match="type_q to be a Distribution subclass"):
        D.register_kl(D.Normal, int)
