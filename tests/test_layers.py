"""Layers, activations and losses as modules: results, statistics, printing."""

from typing import Any

import pytest

MODULES = {
    "Linear(3, 2, bias=False)": "Linear(in_features=3, out_features=2, bias=False)",
    "Embedding(3, 2)": "Embedding(3, 2)",
    "BatchNorm1d(3)": "BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, "
    "track_running_stats=True)",
    "Dropout(0.2)": "Dropout(p=0.2, inplace=False)",
    "Flatten()": "Flatten(start_dim=1, end_dim=-1)",
    "Identity(3, a=1)": "Identity()",
    "ReLU()": "ReLU()",
    "ReLU(True)": "ReLU(inplace=True)",
    "LeakyReLU(0.2)": "LeakyReLU(negative_slope=0.2)",
    "Softplus()": "Softplus(beta=1.0, threshold=20.0)",
    "Sigmoid()": "Sigmoid()",
    "Tanh()": "Tanh()",
    "Softmax(dim=1)": "Softmax(dim=1)",
    "LogSoftmax(1)": "LogSoftmax(dim=1)",
    "CrossEntropyLoss(weight=torch.ones(3))": "CrossEntropyLoss()",
}


@pytest.mark.parametrize("call", MODULES)
def test_printing(torch: Any, call: str) -> None:
    assert repr(eval(f"torch.nn.{call}", {"torch": torch})) == MODULES[call]


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("LeakyReLU(0.3)(x)", "leaky_relu(x, 0.3)"),
        ("Softplus(2.0)(x)", "softplus(x, 2.0)"),
        ("MSELoss(reduction='sum')(x, y)", "mse_loss(x, y, reduction='sum')"),
        ("SmoothL1Loss(beta=0.5)(x, y)", "smooth_l1_loss(x, y, beta=0.5)"),
        ("BCELoss(w)(y, y.round())", "binary_cross_entropy(y, y.round(), w)"),
        ("NLLLoss(ignore_index=1)(x, c)", "nll_loss(x, c, ignore_index=1)"),
        ("CrossEntropyLoss(w, reduction='none')(x, c)", "cross_entropy(x, c, w, reduction='none')"),
        (
            "BCEWithLogitsLoss(pos_weight=w)(x, y)",
            "binary_cross_entropy_with_logits(x, y, pos_weight=w)",
        ),
    ],
)
def test_modules_use_their_settings(torch: Any, module: str, expected: str) -> None:
    torch.manual_seed(0)
    names = {"x": torch.randn(4, 3), "y": torch.rand(4, 3), "c": torch.tensor([0, 1, 2, 0])}
    names["w"] = torch.tensor([1.0, 2.0, 3.0])
    result = eval(f"nn.{module}", names | {"nn": torch.nn})
    assert torch.equal(result, eval(f"F.{expected}", names | {"F": torch.nn.functional}))


def test_weights_are_buffers(torch: Any) -> None:
    assert list(torch.nn.BCELoss(torch.ones(1)).state_dict()) == ["weight"]


def test_batch_norm_in_training_and_evaluation(torch: Any) -> None:
    torch.manual_seed(0)
    norm, x = torch.nn.BatchNorm1d(3), torch.randn(8, 3, requires_grad=True)
    y = norm(x * 2 + 1)
    assert torch.allclose(y.mean(0), torch.zeros(3), atol=1e-6)
    assert torch.allclose(y.var(0, unbiased=False), torch.ones(3), atol=1e-4)
    mean, var = (x * 2 + 1).mean(0), (x * 2 + 1).var(0)
    assert torch.allclose(norm.running_mean, 0.1 * mean)
    assert torch.allclose(norm.running_var, 0.9 + 0.1 * var)
    assert norm.num_batches_tracked == 1
    norm.eval()
    z = norm(x)
    assert torch.allclose(z, (x - norm.running_mean) / (norm.running_var + 1e-5).sqrt())
    assert norm.num_batches_tracked == 1
    assert norm(x[:1]).shape == (1, 3)
    with pytest.raises(ValueError, match="Expected more than 1 value per channel when training"):
        norm.train()(x[:1])
    with pytest.raises(ValueError, match="expected 2D or 3D input \\(got 1D input\\)"):
        norm(x[0])
    with pytest.raises(RuntimeError, match="running_mean should contain 2 elements not 3"):
        norm(x[:, :2])


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("shape", [(5, 3), (3, 3, 2)])
def test_batch_norm_is_differentiated_twice(torch: Any, shape: Any, training: bool) -> None:
    norm = torch.nn.BatchNorm1d(3).double().train(training)
    x = torch.randn(*shape, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: norm(x).tanh(), (x,))
    assert torch.autograd.gradgradcheck(lambda x: norm(x).tanh(), (x,))
    y = norm(x).detach()
    grads = torch.autograd.grad((norm(x) ** 2).sum(), (norm.weight, norm.bias))
    dims = [dim for dim in range(len(shape)) if dim != 1]
    assert torch.allclose(grads[0], (2 * y**2).sum(dims))
    assert torch.allclose(grads[1], (2 * y).sum(dims), atol=1e-9)


def test_embedding(torch: Any) -> None:
    embedding = torch.nn.Embedding(4, 2)
    rows = torch.tensor([[0, 1], [3, 0]])
    result = embedding(rows)
    assert result.shape == (2, 2, 2)
    assert result.grad_fn.name() == "EmbeddingBackward0"
    result.sum().backward()
    assert embedding.weight.grad.tolist() == [[2.0, 2.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    with pytest.raises(IndexError, match="index out of range in self"):
        embedding(torch.tensor([4]))


def test_dropout_and_flatten(torch: Any) -> None:
    dropout, x = torch.nn.Dropout(0.5), torch.ones(2, 3, 4)
    assert set(dropout(x).unique().tolist()) <= {0.0, 2.0}
    assert dropout.eval()(x) is x
    assert torch.nn.Flatten()(x).shape == (2, 12)
    assert torch.nn.Identity(1, b=2)(x) is x
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1, but"):
        torch.nn.Dropout(-1)
