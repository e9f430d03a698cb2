"""Inference tensors: where they come from, and what autograd refuses to do with them."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print
from tests.parity.transcript import agree

PROGRAMS = {
    "which are": """
        with torch.inference_mode():
            i = torch.ones(2)
            made = [i, i * 2, x * 2, i.sum(), i[0], x[0], torch.randn(2), i.sort()[0], x.clone()]
            with torch.inference_mode(False):
                made += [torch.ones(2), i * 2]
        [one.is_inference() for one in made]
        [one.is_inference() for one in (i[0], i.detach(), i.data, i.t(), i + 1, i.clone(), x.data)]
        torch.is_inference(i), torch.is_inference(x)
        i._version
        x._version
        """,
    "computing with them": """
        with torch.inference_mode(): i = torch.ones(3)
        x + i
        x * i
        (x * 1).mul_(i)
        torch.matmul(x, i)
        with torch.no_grad(): y = x * i
        y.is_inference()
        torch.nn.functional.linear(i, torch.nn.Linear(3, 2).weight)
        """,
    "changing them": """
        with torch.inference_mode(): i = torch.ones(3)
        i.add_(1)
        i[0] = 3
        i += 1
        i[0:1].zero_()
        i.t_()
        i.add_(x)
        with torch.inference_mode(): i = torch.ones(3); i[0] = 5; i.add_(1)
        i
        i.requires_grad_()
        i.requires_grad = True
        i.requires_grad = False
        torch.autograd.graph.increment_version(i)
        """,
    "writing results to them": """
        with torch.inference_mode(): i, j = torch.ones(3), torch.ones(3, requires_grad=True)
        torch.exp(torch.zeros(3), out=i)
        torch.ones(3, out=i)
        torch.exp(torch.zeros(3), out=j)
        torch.exp(x, out=i)
        with torch.no_grad(): torch.exp(x, out=i)
        with torch.inference_mode(): torch.exp(x, out=i)
        i
        """,
    "resizing them": """
        with torch.inference_mode():
            i, j = torch.ones(3), torch.ones(3, requires_grad=True)
            j.resize_(2)
            j.resize_as_(torch.ones(1))
            y = x.clone()
            y.resize_(1)
        y._version, y.requires_grad
        i.resize_(2)
        i.resize_(3)
        j.resize_(2)
        """,
    "in the mode nothing is recorded": """
        with torch.inference_mode():
            with torch.enable_grad(): y = x * 2
            leaf = torch.ones(2, requires_grad=True)
            z = leaf * 2
        y
        leaf
        z
        leaf * 3
        leaf.add_(1)
        """,
    "views of ordinary tensors": """
        y = x * 1
        with torch.inference_mode():
            y.add_(1)
            view, v, r = y[:1], x[0:1], x.unbind(0)
            view.mul_(2)
        y, y._version
        view
        v.add_(1)
        view.add_(1)
        r[0].add_(1)
        v.is_inference(), v.requires_grad
        """,
    "computing with them alone": """
        with torch.inference_mode():
            i, j = torch.ones(3), torch.ones(3, requires_grad=True)
            k = torch.ones(3, 3, requires_grad=True)
        [f.is_inference() for f in (j * j, j[0], j.exp(), k.t(), k.unbind(0)[0])]
        [f.requires_grad for f in (j * j, j[0], j.exp(), k.t(), k.unbind(0)[0], j.clone(), j + i)]
        [f.requires_grad for f in (j.sum(), k @ k, torch.cat([j, j]), torch.stack([j, i]))]
        k @ torch.ones(3, 3)
        [f.requires_grad for f in (k.max(0).values, j.softmax(0), j.view(3, 1), j**2, -j)]
        j * 2
        j[[0, 1]]
        j[j > 0]
        torch.where(j > 0, j, i)
        j * torch.ones(3)
        j * x
        j + x
        torch.cat([j, x])
        torch.cat([j, i, torch.ones(1)])
        torch.autograd.grad((j + x).sum(), j)
        j.sum().backward()
        torch.autograd.grad(j * j, j)
        (j * torch.ones(3)).sum().backward()
        j.grad
        j.requires_grad, j.is_leaf
        j.requires_grad_(False) * 2
        """,
    "leaves in place": """
        with torch.inference_mode(): j = torch.ones(3, requires_grad=True)
        j.zero_()
        j.add_(j)
        j.add_(1)
        j.add_(x)
        torch.exp(j, out=j)
        torch.exp(j, out=torch.ones(3))
        j.detach_().requires_grad
        """,
    "parameters": """
        with torch.inference_mode():
            i, p = torch.ones(3), torch.nn.Parameter(torch.ones(3))
        torch.nn.Parameter(i)
        torch.nn.Parameter(i, False)
        p.is_inference(), p.requires_grad
        p.sum()
        p * x
        """,
    "gradients in the mode": """
        y = x * 2
        with torch.inference_mode(): y.backward(torch.ones(3))
        x.grad
        x.grad.is_inference()
        (x * 2).sum().backward()
        x.grad.zero_()
        with torch.inference_mode(): x.grad.zero_()
        x.grad
        """,
    "detaching in the mode": """
        y = x * 2
        with torch.inference_mode():
            a, b, c = y[:1].detach_(), y.detach_(), x.detach_()
        y
        b is y, c.requires_grad
        """,
    "the mode itself": """
        torch.inference_mode(True).mode, torch.inference_mode(False).mode
        torch.inference_mode().clone().mode
        """,
    "a function of one's own": """
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(b)
                return a * 2
            @staticmethod
            def backward(ctx, grad):
                return grad * 2, None
        with torch.inference_mode(): i = torch.ones(3)
        Double.apply(x, i)
        Double.apply(i, i)
        """,
}


@pytest.mark.parity
@pytest.mark.parametrize("name", PROGRAMS)
def test_inference_tensors_are_as_in_pytorch(name: str) -> None:
    agree(PROGRAMS[name].replace("\n        ", "\n"))


@pytest.mark.parity
def test_recording_may_be_asked_for_in_vain() -> None:
    agree_in_print(
        """
        def modes():
            return torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * 2
            @staticmethod
            def backward(ctx, gradient):
                print(modes())
                return gradient * 2
        x = torch.ones(2, requires_grad=True)
        square = (x * x).sum()
        with torch.inference_mode():
            print(torch.autograd.grad(square, x, create_graph=True, retain_graph=True))
            with torch.enable_grad():
                print(modes(), (x * 2).requires_grad, x.view(2).requires_grad)
                attempt(lambda: x.numpy())
                y = Twice.apply(x)
                print(y, y.is_inference())
                y.backward(torch.ones(2))
                print(x.grad, (y * 2).requires_grad)
                attempt(lambda: Twice.apply(torch.ones(2, requires_grad=True)))
                print(torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=False))
                with torch.no_grad():
                    print(modes())
                with torch.inference_mode(False):
                    print(modes(), (x * 2).requires_grad)
                print(modes())
            torch.set_grad_enabled(True)
            print(modes(), (x * 2).requires_grad)
            with torch.set_grad_enabled(False), torch.set_grad_enabled(True):
                print(modes())
            print(torch.enable_grad()(modes)(), modes())
        print(modes(), torch.no_grad().prev)
        attempt(lambda: torch.autograd.set_multithreading_enabled(3))
        """
    )


@pytest.mark.parity
def test_what_is_detached_of_inference_tensors_may_be_changed() -> None:
    agree_in_print(
        """
        with torch.inference_mode():
            i = torch.ones(3)
            attempt(lambda: i.detach()._version)
        x = torch.ones(3, requires_grad=True)
        for make in (lambda: i.detach(), lambda: i.data, lambda: i.detach().detach()):
            d = make()
            d.add_(1)
            attempt(lambda: d.__setitem__(0, 5))
            d.zero_()
            print(d.is_inference(), d._version, d.detach()._version, i)
            attempt(lambda: x * d)
            print(x + d)
            attempt(lambda: d.requires_grad_())
            attempt(lambda: d.mul_(x))
            attempt(lambda: d.view(3).add_(1))
        layer = nn.Linear(1, 1)
        with torch.inference_mode():
            layer = nn.Linear(1, 1)
        layer.weight.data.fill_(2)
        print(layer.weight)
        """
    )


@pytest.mark.parity
def test_several_views_of_a_view_made_in_inference_mode_are_told_of_that() -> None:
    agree_in_print(
        """
        y = torch.ones(2, 2, requires_grad=True).clone()
        for mode in (torch.no_grad, torch.inference_mode):
            with mode():
                view = y.view(2, 2)
            first, _ = view.unbind()
            attempt(lambda: first.add_(1))
        y.mul_(2)
        attempt(lambda: first.grad_fn)
        """
    )


@pytest.mark.parity
def test_an_inference_tensor_is_changed_in_place_before_that_is_refused() -> None:
    agree_in_print(
        """
        w = torch.ones(3, requires_grad=True)
        for change in (
            lambda i: i.add_(1),
            lambda i: i.mul_(torch.ones(4)),
            lambda i: i.__setitem__(0, 7),
            lambda i: i.__setitem__([0], w[:1] * 5),
            lambda i: i[1:].zero_(),
            lambda i: i.unsqueeze_(0),
            lambda i: i.as_strided_((2,), (1,)),
            lambda i: i.as_strided_((20,), (1,)),
            lambda i: i.resize_(2),
            lambda i: torch.exp(torch.ones(3), out=i),
            lambda i: torch.matmul(torch.ones(3, 3), w.detach(), out=i),
            lambda i: nn.init.zeros_(i),
        ):
            with torch.inference_mode():
                i = torch.arange(3.0) + 1
            attempt(lambda: change(i))
            with torch.no_grad():
                attempt(lambda: change(i))
            print(i)
            with torch.inference_mode():
                attempt(lambda: change(i))
        w.grad = torch.inference_mode()(torch.ones)(3)
        attempt(lambda: w.sum().backward())
        print(w.grad)
        """
    )


@pytest.mark.parity
def test_copies_made_in_inference_mode_are_of_it() -> None:
    agree_in_print(
        """
        import copy
        x = torch.ones(3, requires_grad=True)
        with torch.inference_mode():
            copies = copy.copy(x), copy.deepcopy(x), copy.deepcopy(nn.Linear(1, 1)).weight
        for made in copies:
            print(made.requires_grad, made.is_inference(), (made * 2).requires_grad)
            attempt(lambda: (made * made).sum().backward())
            attempt(lambda: made.add_(1))
            again = copy.deepcopy(made)
            print(again.requires_grad, again.is_inference(), (again * 2).requires_grad)
        """
    )
