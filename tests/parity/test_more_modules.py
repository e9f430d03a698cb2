"""Modules and losses that fewer programs use do what PyTorch's do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity.compare import agree, numbers
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

ROWS, OTHERS = numbers(3, 4) * 4, numbers(3, 5)
PROGRAMS: dict[str, tuple[Any, ...]] = {
    "bilinear": (
        lambda t, a, b, w, bias: t.nn.functional.bilinear(a, b, w, bias),
        *(ROWS, OTHERS, numbers(2, 4, 5), numbers(2)),
    ),
    "bilinear of vectors": (lambda t, a, b, w: t.bilinear(a[0], b[0], w), ROWS, OTHERS,
                            numbers(2, 4, 5)),
    "rrelu": (lambda t, a: t.nn.functional.rrelu(a, training=True), ROWS),
    "rrelu evaluated": (lambda t, a: t.nn.functional.rrelu(a), ROWS),
    "rrelu in place": (lambda t, a: t.nn.functional.rrelu(a * 1, 0.1, 0.2, True, True), ROWS),
    "dropout1d": (lambda t, a: t.nn.functional.dropout1d(a), ROWS),
    "dropout2d": (lambda t, a: t.nn.functional.dropout2d(a[None]), ROWS),
    "dropout3d": (lambda t, a: t.nn.functional.dropout3d(a[None, None]), ROWS),
    "feature_alpha_dropout": (
        lambda t, a: t.nn.functional.feature_alpha_dropout(a[None], training=True), ROWS,
    ),
    "triplet": (
        lambda t, a: t.nn.functional.triplet_margin_with_distance_loss(
            a, a + 1, a * 2, swap=True, margin=2.0
        ),
        ROWS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_functions_and_their_graphs_are_as_in_pytorch(name: str) -> None:
    program, *inputs = PROGRAMS[name]

    def seeded(torch: Any, *tensors: Any) -> Any:
        torch.manual_seed(0)
        return program(torch, *tensors)

    agree(seeded, *inputs)


TOLD = """
def graph(node):
    names = []
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return names

def show(loss, x):
    (gradient,) = torch.autograd.grad(loss.sum(), x, create_graph=True)
    print(loss, graph(loss.grad_fn), gradient, graph(gradient.grad_fn))
    attempt(lambda: torch.autograd.grad(gradient.sum(), x))

x = torch.tensor([[1.0, 0.5, -1.0, 2.0], [0.0, 1.0, 0.25, -2.0]], requires_grad=True)
target, weight = torch.tensor([0, 3]), torch.tensor([0.5, 1.0, 2.0, 0.25])
several = torch.tensor([[0, 2, -1, 1], [3, 3, 1, -1]])
for how in ("none", "mean", "sum"):
    show(F.multilabel_margin_loss(x, several, reduction=how), x)
    show(F.multilabel_margin_loss(x[0], several[1], reduction=how), x)
    for p in (1, 2):
        show(F.multi_margin_loss(x, target, p=p, weight=weight, reduction=how), x)
        show(F.multi_margin_loss(x[0], target[1], p=p, margin=0.5, reduction=how), x)
        show(F.multi_margin_loss(x[0], target[1:], p=p, reduction=how), x)
for call in (
    lambda: F.multi_margin_loss(x, target[:1]), lambda: F.multi_margin_loss(x, target + 1),
    lambda: F.multi_margin_loss(x, target.float()), lambda: F.multi_margin_loss(x, target, p=3),
    lambda: F.multi_margin_loss(x, target, weight=weight[:2]), lambda: F.multi_margin_loss(x, 1),
    lambda: F.multi_margin_loss(x[None], target), lambda: F.multi_margin_loss(x.long(), target),
    lambda: F.multi_margin_loss(x.half(), target), lambda: F.multi_margin_loss(1, x),
    lambda: F.multilabel_margin_loss(x, several[:1]), lambda: F.multilabel_margin_loss(x, x),
    lambda: F.multilabel_margin_loss(x, several + 1), lambda: F.multilabel_margin_loss(x, 2),
    lambda: F.multilabel_margin_loss(x, several - 1), lambda: F.rrelu(x, 0.5, 0.2),
    lambda: F.multilabel_margin_loss(x.half(), several), lambda: F.rrelu(x.long()),
    lambda: F.rrelu(x, float("inf"), 1.0, True), lambda: F.rrelu(x.half(), training=True),
    lambda: F.dropout1d(x[0]), lambda: F.dropout1d(x, 2.0), lambda: F.dropout2d(x[0]).shape,
    lambda: F.dropout2d(x).shape, lambda: F.dropout2d(x[None]).shape,
    lambda: F.dropout3d(x[None]).shape, lambda: F.feature_alpha_dropout(x[0], training=True),
    lambda: F.triplet_margin_with_distance_loss(x, x, x[0]),
    lambda: F.triplet_margin_with_distance_loss(x, x, x, margin=0),
    lambda: F.bilinear(x, x, torch.ones(1, 4, 3)), lambda: F.bilinear(x, x[0], torch.ones(1, 4, 4)),
    lambda: F.bilinear(x, x, torch.ones(1, 4, 4).double()),
    lambda: F.bilinear(x, x[:1], torch.ones(1, 4, 4)),
    lambda: F.bilinear(x, x, torch.ones(1, 4, 4), x[:, 0]),
):
    attempt(call)
for make in (
    lambda: nn.Bilinear(2, 3, 4), lambda: nn.Bilinear(0, 3, 4), lambda: nn.RReLU(0.1, 0.2, True),
    lambda: nn.Dropout1d(0.3), lambda: nn.Dropout2d(), lambda: nn.Dropout3d(inplace=True),
    lambda: nn.FeatureAlphaDropout(), lambda: nn.Dropout2d(3), lambda: nn.MultiMarginLoss(p=3),
    lambda: nn.MultiMarginLoss(weight=torch.ones(2, 2)), lambda: nn.MultiLabelMarginLoss(),
    lambda: nn.TripletMarginWithDistanceLoss(), lambda: nn.Softmax2d()(x),
    lambda: nn.TripletMarginWithDistanceLoss(margin=-1), lambda: nn.Softmax2d()(x[None]),
    lambda: nn.init.dirac_(torch.ones(4, 2, 3), 2), lambda: nn.init.dirac_(torch.ones(4, 2)),
    lambda: nn.init.dirac_(torch.ones(4, 2, 3), 3), lambda: nn.init.dirac(torch.ones(1, 1, 2, 2)),
    lambda: nn.init.dirac_(torch.ones(2, 2, 2, 1, 1)), lambda: nn.Linear.__constants__,
):
    attempt(make)
torch.manual_seed(3)
print(nn.Bilinear(2, 3, 1).weight, nn.RReLU()(x), nn.Dropout2d()(x[None, None]))
"""


def test_what_they_say_is_as_in_pytorch() -> None:
    agree_in_print(TOLD)


def test_soft_shrinkage_has_zeros_without_sign_where_many_are_taken_at_once() -> None:
    agree_in_print(
        """
        x = torch.linspace(-0.4, 0.3, 35)
        for dtype in (torch.float16, torch.float32, torch.float64):
            for one in (x, x[:15], x[:17], x[::2], x.view(5, 7).t(), x[0]):
                print(F.softshrink(one.to(dtype)))
        """
    )


def test_dtypes_of_a_product_that_is_added_are_compared_before_shapes() -> None:
    agree_in_print(
        """
        a, b = torch.ones(2, 3), torch.ones(2, 3, dtype=torch.float64)
        attempt(lambda: torch.addmm(a, a, b))
        attempt(lambda: torch.addmm(a, b, a))
        attempt(lambda: torch.addmm(a, a[0], b))
        attempt(lambda: F.linear(a, b[:, :2], b[0]))
        attempt(lambda: nn.Linear(2, 1)(b))
        attempt(lambda: torch.addmm(a, a, a))
        """
    )
