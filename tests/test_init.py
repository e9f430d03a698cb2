"""nn.init: what parameters start with, and the defaults of layers."""

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ("uniform_(w, -1, 1)", "[[-0.0075,  0.5364], [-0.8230, -0.7359]]"),
        ("normal_(w, 1, 0.1)", "[[1.1541, 0.9707], [0.7821, 1.0568]]"),
        ("xavier_uniform_(w)", "[[-0.0092,  0.6570], [-1.0080, -0.9013]]"),
        ("xavier_normal_(w, gain=2)", "[[ 2.1793, -0.4150], [-3.0813,  0.8039]]"),
        ("kaiming_uniform_(w)", "[[-0.0130,  0.9291], [-1.4256, -1.2747]]"),
        (
            "kaiming_normal_(w, mode='fan_out', nonlinearity='tanh')",
            "[[ 1.8161, -0.3458], [-2.5677,  0.6699]]",
        ),
        ("constant_(w, 3)", "[[3., 3.], [3., 3.]]"),
        ("zeros_(w)", "[[0., 0.], [0., 0.]]"),
    ],
)
def test_first_values(torch: Any, call: str, printed: str) -> None:
    w = torch.nn.Parameter(torch.empty(2, 2))
    torch.manual_seed(0)
    result = eval(f"init.{call}", {"init": torch.nn.init, "w": w})
    assert result is w
    assert w.is_leaf
    assert w.requires_grad
    assert " ".join(repr(w.data).split()) == " ".join(f"tensor({printed})".split())


def test_defaults_of_layers(torch: Any) -> None:
    torch.manual_seed(0)
    linear, embedding = torch.nn.Linear(2, 3), torch.nn.Embedding(2, 2)
    printed = [repr(one.data) for one in (linear.weight, linear.bias, embedding.weight)]
    assert printed == [
        "tensor([[-0.0053,  0.3793],\n        [-0.5820, -0.5204],\n        [-0.2723,  0.1896]])",
        "tensor([-0.0140,  0.5607, -0.0628])",
        "tensor([[ 0.6472,  0.2490],\n        [-0.3354,  0.4564]])",
    ]
    assert torch.nn.Linear(2, 3, dtype=torch.float64).weight.dtype is torch.float64


def test_fans_need_two_dimensions(torch: Any) -> None:
    assert torch.nn.init.calculate_gain("leaky_relu", 3) == pytest.approx(0.2**0.5)
    with pytest.raises(ValueError, match="Fan in and fan out can not be computed for tensor with"):
        torch.nn.init.xavier_uniform_(torch.empty(2))
