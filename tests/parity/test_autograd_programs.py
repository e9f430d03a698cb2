"""Programs such as experts write to test autograd do, and print, here what they do on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_what_a_scalar_result_is_overwritten_with_by_way_of_data_is_seen() -> None:
    agree_in_print(
        """
        x = torch.tensor(1.5, requires_grad=True)
        for f in (torch.exp, torch.tanh, torch.sigmoid, torch.sqrt, torch.reciprocal):
            y = f(x)
            y.data.zero_()
            x.grad = None
            y.backward()
            print(x.grad)
            y = f(x)
            y.detach().numpy()[...] = 2.0
            x.grad = None
            y.backward()
            print(x.grad)
            y = f(x)
            v = y.view(1).detach().numpy()
            v[0] = 0.5
            x.grad = None
            print(y.grad_fn._saved_result, y)
            y.backward()
            print(x.grad)
            y = f(x)
            y.data = torch.tensor(7.0)
            x.grad = None
            y.backward()
            print(x.grad)
        y = torch.ones(2, requires_grad=True).prod()
        y.data.zero_()
        attempt(lambda: y.backward())
        y = x.exp()
        z = y * y
        y.data.fill_(3.0)
        z.backward()
        print(x.grad)
        """
    )


def test_anomaly_mode_keeps_where_a_view_was_changed() -> None:
    agree_in_print(
        """
        x = torch.ones(4, requires_grad=True)
        with torch.autograd.detect_anomaly():
            y = x.clone()
            v = y[:2]
            v.mul_(float("nan"))
            print(y.grad_fn.metadata.keys(), v.grad_fn.metadata.keys())
        """
    )


def test_operands_and_places_of_other_kinds() -> None:
    agree_in_print(
        """
        import numpy
        x = torch.ones(2, requires_grad=True)
        attempt(lambda: x * numpy.ones(2))
        attempt(lambda: x + numpy.ones(2))
        attempt(lambda: x @ numpy.ones(2))
        y = torch.zeros(3)
        attempt(lambda: y.index_put((torch.tensor(1),), torch.tensor(1.0)))
        attempt(lambda: y.index_put_((torch.tensor(1),), torch.tensor([1.0, 2])))
        attempt(lambda: torch.zeros(2, 3).index_put((torch.tensor(1),), torch.tensor(1.0)))
        attempt(
            lambda: torch.zeros(2, 3).index_put(
                (torch.tensor(1), torch.tensor([0, 1])), torch.tensor(1.0)
            )
        )
        """
    )


def test_nodes_are_called_with_as_many_gradients_as_they_have_outputs() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        attempt(lambda: y.grad_fn())
        attempt(lambda: y.grad_fn(torch.ones(2)))
        attempt(lambda: y.grad_fn(torch.ones(2), torch.ones(2)))
        attempt(lambda: y.grad_fn(3))
        attempt(lambda: y.grad_fn(None))
        attempt(lambda: x.exp().grad_fn(torch.ones(2)))
        attempt(
            lambda: torch.ones(2, 2, requires_grad=True).unbind()[0].grad_fn(torch.ones(2), None)
        )
        attempt(lambda: y.grad_fn.next_functions[0][0](torch.ones(2)))
        print(x.grad)
        attempt(lambda: x.name)
        """
    )


def test_new_tensors_of_tensors() -> None:
    agree_in_print(
        """
        x = torch.ones(2)
        print(x.new_tensor(x), x.new_tensor([1, 2]), x.name)
        """
    )
