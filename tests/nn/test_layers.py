"""Layers, losses, how weights begin, and what is done to all parameters at once."""

from __future__ import annotations

import math
from typing import Any

import pytest

import minigrad as torch
from minigrad import nn


def test_linear() -> None:
    linear = nn.Linear(3, 2)
    x = torch.randn(4, 3)
    assert torch.equal(linear(x), torch.addmm(linear.bias, x, linear.weight.t()))
    assert nn.Linear(3, 2, bias=False).bias is None
    assert linear.weight.abs().max().item() <= 1 / math.sqrt(3)
    torch.manual_seed(3)
    first = nn.Linear(3, 2)
    torch.manual_seed(3)
    assert torch.equal(nn.Linear(3, 2).weight, first.weight)


@pytest.mark.parametrize(
    ("module", "function"),
    [
        (nn.ReLU(), nn.functional.relu),
        (nn.ELU(0.5), lambda x: nn.functional.elu(x, 0.5)),
        (nn.LeakyReLU(0.2), lambda x: nn.functional.leaky_relu(x, 0.2)),
        (nn.GELU("tanh"), lambda x: nn.functional.gelu(x, approximate="tanh")),
        (nn.Softplus(2), lambda x: nn.functional.softplus(x, 2)),
        (nn.Softmax(0), lambda x: x.softmax(0)),
        (nn.Hardtanh(-0.5, 0.2), lambda x: x.clamp(-0.5, 0.2)),
        (nn.Flatten(0), lambda x: x.reshape(-1)),
        (nn.Identity(), lambda x: x),
    ],
)
def test_modules_compute_what_functions_do(module: nn.Module, function: Any) -> None:
    x = torch.randn(3, 2)
    assert torch.equal(module(x), function(x))


@pytest.mark.parametrize(
    "module",
    [nn.ReLU(True), nn.ELU(0.7, True), nn.LeakyReLU(0.2, True), nn.SiLU(True), nn.Threshold(0, 1)],
)
def test_in_place_gives_the_same_values_and_gradients(module: Any) -> None:
    x = torch.tensor([-1.5, -0.1, 0.3, 2.0], dtype=torch.float64, requires_grad=True)
    results = []
    for inplace in (False, True):
        module.inplace, x.grad, before = inplace, None, x * 1
        after = module(before)
        (after * torch.arange(4.0, dtype=torch.float64)).sum().backward()
        assert (after is before) == inplace
        results.append((after.tolist(), x.grad.tolist()))
    assert results[0][0] == results[1][0]
    assert results[0][1] == pytest.approx(results[1][1])


def test_dropout_drops_in_training_alone() -> None:
    torch.manual_seed(0)
    drop, x = nn.Dropout(0.25), torch.ones(10_000)
    dropped = drop(x)
    assert set(dropped.tolist()) == {0.0, (torch.tensor(1.0) / 0.75).item()}
    assert dropped.mean().item() == pytest.approx(1, abs=0.02)
    assert drop.eval()(x) is x
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1"):
        nn.Dropout(1.5)


def test_losses_keep_weights_as_buffers() -> None:
    loss = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]), reduction="sum")
    assert list(loss.state_dict()) == ["weight"]
    scores = torch.zeros(2, 2)
    assert loss(scores, torch.tensor([0, 1])).item() == pytest.approx(4 * math.log(2))
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert nn.MSELoss(size_average=False).reduction == "sum"


def test_initialisation_is_not_recorded() -> None:
    weight = nn.Parameter(torch.empty(30, 20))
    for fill in (
        nn.init.xavier_uniform_, nn.init.kaiming_normal_, nn.init.trunc_normal_, nn.init.zeros_
    ):  # fmt: skip
        assert fill(weight) is weight
        assert weight.is_leaf
    assert nn.init.trunc_normal_(weight, std=5.0).abs().max().item() <= 2
    assert nn.init.trunc_normal_(weight, mean=0.0, a=1.5, b=2.0).min().item() >= 1.5
    nn.init.orthogonal_(weight, gain=3)
    assert torch.allclose(weight.t() @ weight, torch.eye(20) * 9, atol=1e-4)
    assert nn.init.calculate_gain("leaky_relu", 1) == 1


def test_gradients_are_clipped() -> None:
    a, b = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(1))
    a.grad, b.grad = torch.tensor([3.0, 4.0]), torch.tensor([12.0])
    assert nn.utils.clip_grad_norm_([a, b], 6.5).item() == 13.0
    assert a.grad.tolist() == pytest.approx([1.5, 2.0])
    nn.utils.clip_grad_value_([a, b], 1.75)
    assert (a.grad.tolist(), b.grad.tolist()) == (pytest.approx([1.5, 1.75]), [1.75])
    b.grad.fill_(math.nan)
    with pytest.raises(RuntimeError, match="is non-finite, so it cannot be clipped"):
        nn.utils.clip_grad_norm_([a, b], 1.0, error_if_nonfinite=True)


def test_parameters_become_a_vector_and_back() -> None:
    linear = nn.Linear(2, 1)
    vector = nn.utils.parameters_to_vector(linear.parameters())
    nn.utils.vector_to_parameters(vector.detach() * 0 + 1, linear.parameters())
    assert linear(torch.ones(2)).tolist() == [3.0]


def test_a_small_network_learns() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    criterion = nn.BCEWithLogitsLoss()
    for _ in range(300):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.05


def test_embedding_looks_up_rows_and_adds_their_gradients_up() -> None:
    embedding = nn.Embedding(4, 2, padding_idx=-1)
    assert embedding.weight[3].tolist() == [0.0, 0.0]
    indices = torch.tensor([[0, 2], [2, 3]])
    assert torch.equal(embedding(indices), embedding.weight[indices])
    embedding(indices).sum().backward()
    assert embedding.weight.grad[:, 0].tolist() == [1.0, 0.0, 2.0, 0.0]
    with pytest.raises(IndexError, match="index out of range in self"):
        embedding(torch.tensor([4]))


def test_embedding_differentiates_twice() -> None:
    weight = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
    indices = torch.tensor([0, 2, 2])
    (slope,) = torch.autograd.grad(
        (nn.functional.embedding(indices, weight, padding_idx=0) ** 3).sum(),
        weight,
        create_graph=True,
    )
    (curvature,) = torch.autograd.grad(slope.sum(), weight)
    expected = weight.detach() * torch.tensor([[0.0], [0.0], [12.0]])
    assert torch.allclose(curvature, expected.to(torch.float64))


def test_layer_norm_makes_samples_of_mean_0_and_variance_1() -> None:
    norm = nn.LayerNorm((3, 4))
    samples = norm(torch.randn(5, 3, 4) * 7 + 3).reshape(5, 12)
    assert samples.mean(1).abs().max().item() < 1e-5
    assert samples.var(1, correction=0).tolist() == pytest.approx([1] * 5, abs=1e-4)
    assert [name for name, _ in norm.named_parameters()] == ["weight", "bias"]
    with pytest.raises(RuntimeError, match="expected input with shape"):
        norm(torch.ones(2, 4))


def test_layer_norm_differentiates_twice() -> None:
    def norm(x: Any, weight: Any, bias: Any) -> Any:
        return nn.functional.layer_norm(x, (3,), weight, bias, 0.1)

    inputs = [torch.randn(size, dtype=torch.float64, requires_grad=True) for size in ((2, 3), 3, 3)]
    assert torch.autograd.gradcheck(norm, inputs)
    assert torch.autograd.gradgradcheck(norm, inputs)


def test_normalization_differentiates_three_times() -> None:
    def twice(norm: Any) -> Any:
        def derivative(x: Any, weight: Any) -> Any:
            first = torch.autograd.grad((norm(x, weight) ** 3).sum(), (x, weight), None, None, True)
            length = sum((one**2).sum() for one in first)
            return torch.autograd.grad(length, (x, weight), create_graph=True)

        return derivative

    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(3, dtype=torch.float64, requires_grad=True)
    layer, batch = nn.functional.layer_norm, nn.functional.batch_norm
    assert torch.autograd.gradcheck(twice(lambda x, w: layer(x, (3,), w)), (x, weight))
    by_batch = twice(lambda x, w: batch(x, None, None, w, training=True))
    assert torch.autograd.gradcheck(by_batch, (x, weight))


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        (nn, "Linaer", "module 'torch.nn' has no attribute 'Linaer'. Near it: Linear"),
        (nn.functional, "reluu", "module 'torch.nn.functional' has no attribute 'reluu'. Near it"),
        (nn.init, "xavier_norm", "module 'torch.nn.init' has no attribute 'xavier_norm'"),
        (nn.utils, "clip_grad_nrm_", "Near it: clip_grad_norm_"),
        (torch.optim, "Adamm", "module 'torch.optim' has no attribute 'Adamm'. Near it: Adam"),
    ],
)
def test_a_name_that_is_missing_says_what_is_near(module: Any, name: str, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        getattr(module, name)
