"""What torch itself has of the functions of networks does what PyTorch's does."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_activations() -> None:
    agree_in_print(
        """
        x = torch.randn(4, 3, requires_grad=True)
        for given in ((x,), (x * 1, 0.5), (x, 0), (3,), (x, True), (torch.ones(2).long(),)):
            attempt(lambda: torch.selu(*given[:1]))
            attempt(lambda: torch.celu(*given))
            attempt(lambda: torch.selu(*given))
        attempt(lambda: torch.celu(x, alpha=2))
        attempt(lambda: torch.rrelu(x))
        attempt(lambda: torch.rrelu(x, training=True))
        attempt(lambda: torch.rrelu_(x * 1, 0.1, 0.2, True))
        attempt(lambda: torch.rrelu(x, 0.1, 0.3, True, torch.Generator().manual_seed(3)))
        attempt(lambda: torch.rrelu(x, 0.3, 0.1))
        """
    )


@pytest.mark.parametrize(
    "name", ["dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"]
)
def test_dropouts(name: str) -> None:
    agree_in_print(
        f"""
        function, in_place = torch.{name}, torch.{name}_
        x = torch.randn(4, 3, requires_grad=True)
        for p in (0.5, 0.0, 1.0, 1.5, -1, float("nan"), "a"):
            for train in (True, False, 1):
                attempt(lambda: function(x, p, train))
                attempt(lambda: in_place(x * 1, p, train))
        attempt(lambda: function(x, p=0.5, train=True))
        attempt(lambda: function(x, 0.5))
        attempt(lambda: in_place(x, 0.5, True))
        attempt(lambda: function(x[0], 0.5, True))
        attempt(lambda: function(torch.ones(3).long(), 0.5, True))
        """
    )


def test_layers() -> None:
    agree_in_print(
        """
        weight = torch.randn(5, 2, requires_grad=True)
        indices = torch.tensor([[0, 4], [1, 1]])
        attempt(lambda: torch.embedding(weight, indices))
        attempt(lambda: torch.embedding(weight=weight, indices=indices, padding_idx=4))
        attempt(lambda: torch.embedding(indices, weight))
        attempt(lambda: torch.embedding(weight, indices + 3))
        for padding in (1, -1, -4):
            for by_frequency in (False, True):
                found = torch.embedding(weight, indices, padding, by_frequency)
                print(torch.autograd.grad(found.sum(), weight))
        x, rows = torch.randn(4, 3, requires_grad=True), torch.randn(2, 4, 3)
        attempt(lambda: torch.layer_norm(x, (3,)))
        attempt(lambda: torch.layer_norm(x, [3], torch.ones(3), torch.ones(3), 1e-3, False))
        attempt(lambda: torch.layer_norm(x, 3))
        attempt(lambda: torch.layer_norm(x, (4,)))
        attempt(lambda: torch.group_norm(rows, 2))
        attempt(lambda: torch.group_norm(rows, 3))
        attempt(lambda: torch.rms_norm(x, (3,)))
        attempt(lambda: torch.rms_norm(x, (3,), eps=0.1))
        mean, spread = torch.zeros(3), torch.ones(3)
        attempt(lambda: torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False))
        attempt(lambda: torch.batch_norm(x, None, None, mean, spread, False, 0.1, 1e-5, True))
        attempt(lambda: torch.batch_norm(x, spread, mean, mean, spread, True, 0.1, 1e-5, True))
        attempt(lambda: torch.batch_norm(x, None, None, None, None, False, 0.1, 1e-5, True))
        print(mean, spread)
        """
    )


@pytest.mark.parametrize("reduction", [-1, 0, 1, 2, 3])
def test_losses(reduction: int) -> None:
    agree_in_print(
        f"""
        number = {reduction}
        x, y = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3)
        p, sign = torch.sigmoid(y), torch.tensor([1.0, -1.0, 1.0, -1.0])
        attempt(lambda: torch.binary_cross_entropy_with_logits(x, p, None, None, number))
        attempt(lambda: torch.kl_div(x, p, number))
        attempt(lambda: torch.kl_div(x, p, reduction=number, log_target=True))
        attempt(lambda: torch.hinge_embedding_loss(x[:, 0], sign, 1.0, number))
        attempt(lambda: torch.margin_ranking_loss(x[:, 0], y[:, 0], sign, 0.1, number))
        attempt(lambda: torch.cosine_embedding_loss(x, y, sign, 0.2, number))
        attempt(lambda: torch.triplet_margin_loss(x, y, y + 1, 1.0, 2.0, 1e-6, True, number))
        attempt(lambda: torch.poisson_nll_loss(x, p, True, True, 1e-8, number))
        attempt(lambda: torch.kl_div(x, p, "mean"))
        attempt(lambda: torch.poisson_nll_loss(x, p))
        """
    )


def test_who_asks_is_told() -> None:
    agree_in_print(
        """
        import pickle
        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(torch.overrides.resolve_name(func), args[1:], kwargs)
                return func(*args, **(kwargs or {}))
        x = torch.ones(2, 3)
        with Log():
            torch.layer_norm(x, (3,))
            torch.dropout(x, 0.5, True)
            torch.nn.functional.layer_norm(x, (3,))
            torch.selu(x)
        listed = torch.overrides.get_overridable_functions()[torch]
        print([one in listed for one in (torch.selu, torch.dropout, torch.kl_div, torch.rrelu_)])
        print(pickle.loads(pickle.dumps(torch.selu)) is torch.selu, torch.selu.__name__)
        """
    )
