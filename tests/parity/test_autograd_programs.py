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
