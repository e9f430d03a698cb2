"""Hooks on saved tensors: what they are given, in which order, and what is said when they fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity.printed import agree_in_print
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

EXPRESSIONS = [
    "a * b",
    "a * 2",
    "a / b",
    "a / 2",
    "2 / a",
    "a ** b",
    "a ** 2",
    "2 ** a",
    "a + b",
    "a.exp()",
    "a.tanh()",
    "a.sqrt()",
    "a.log()",
    "a.abs()",
    "a.relu()",
    "m.mm(m)",
    "m.mv(a[:2])",
    "a.dot(b)",
    "a.max(0)[0]",
    "a.max()",
    "a.softmax(0)",
    "a.log_softmax(0)",
    "a.logsumexp(0)",
    "torch.where(a > 2, a, b)",
    "a.sum()",
    "a.prod()",
    "a.var()",
    "a.std()",
    "a.norm()",
    "torch.addmm(m, m, m)",
    "torch.nn.functional.binary_cross_entropy(a.sigmoid(), torch.ones(3))",
    "torch.nn.functional.mse_loss(a, b)",
    "torch.nn.functional.cross_entropy(m, torch.tensor([0, 1]))",
    "torch.nn.functional.linear(m, m, a[:2])",
    "(a * 1).exp_()",
    "a.cumprod(0)",
    "a.clamp(0, 2)",
    "torch.maximum(a, b)",
    "a.masked_fill(a > 2, 0.0)",
    "a.sort()[0]",
    "torch.stack([a, b])",
    "torch.nn.functional.cosine_similarity(m, m.flip(0))",
    "a.take(torch.tensor([0, 2]))",
    "a.cummax(0)[0]",
    "a ** torch.tensor([1, 2, 3])",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_is_packed(expression: str) -> None:
    def program(torch: Any) -> None:
        def pack(tensor: Any) -> Any:
            print("pack", tensor, tensor.grad_fn, tensor.requires_grad)
            return tensor.detach().clone()

        def unpack(tensor: Any) -> Any:
            print("unpack", tensor)
            return tensor

        names = {
            "torch": torch,
            "a": torch.tensor([1.0, 2.0, 3.0], requires_grad=True),
            "b": torch.tensor([4.0, 5.0, 6.0], requires_grad=True),
            "m": torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True),
        }
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = eval(expression, names)
        y.sum().backward()
        print(names["a"].grad, names["b"].grad, names["m"].grad)

    assert_same(program)


def leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def hooks(
    torch: Any,
    pack: Callable[[Any], Any] = lambda tensor: tensor.detach(),
    unpack: Callable[[Any], Any] = lambda packed: packed,
) -> Any:
    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


def packing_fails(torch: Any) -> Any:
    with hooks(torch, lambda tensor: 1 / 0):
        leaf(torch) ** 2


def unpacking_fails(torch: Any) -> Any:
    with hooks(torch, unpack=lambda packed: 1 / 0):
        y = leaf(torch) ** 2
    y.sum().backward()


def unpacking_fails_when_looked_at(torch: Any) -> Any:
    with hooks(torch, unpack=lambda packed: 1 / 0):
        y = leaf(torch) ** 2
    return y.grad_fn._saved_self


def something_else_is_unpacked(torch: Any) -> Any:
    with hooks(torch, unpack=lambda packed: 3):
        y = leaf(torch) ** 2
    y.sum().backward()


def changed_while_packed(torch: Any) -> Any:
    with hooks(torch, lambda tensor: tensor.add_(1)):
        return torch.ones(3) * leaf(torch)


def saved_tensors_are_parts_of_the_graph(torch: Any) -> Any:
    x = leaf(torch)
    t = x * 1
    with hooks(torch):
        square, product, power = x * x, t * t, x.exp()
    saved = square.grad_fn._saved_self
    print(saved, saved is x, saved.requires_grad, saved.grad_fn, saved._version)
    saved = product.grad_fn._saved_self
    print(saved, saved is t, saved.grad_fn is t.grad_fn)
    saved = power.grad_fn._saved_result
    print(saved, saved.grad_fn is power.grad_fn)


def changed_after_packing(torch: Any) -> Any:
    x = leaf(torch)
    t = x * 1
    with hooks(torch, lambda tensor: tensor.detach().clone()):
        y = t * t
    t.add_(100)
    y.sum().backward()
    return x.grad


def nested(torch: Any) -> Any:
    def named(name: str) -> Any:
        return hooks(
            torch,
            lambda tensor: print("pack", name) or tensor,
            lambda packed: print("unpack", name) or packed,
        )

    x = leaf(torch)
    with named("outer"):
        with named("inner"):
            y = x * x
        z = y * y
    z.sum().backward()
    return x.grad


def disabled(torch: Any) -> Any:
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        leaf(torch) ** 2
        with hooks(torch):
            pass


def disabled_too_late(torch: Any) -> Any:
    with hooks(torch), torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        pass


def no_longer_disabled(torch: Any) -> Any:
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        pass
    with hooks(torch):
        return leaf(torch) ** 2


def registered_on_one_saved_tensor(torch: Any) -> Any:
    x = leaf(torch)
    y = x * x
    raw = y.grad_fn._raw_saved_self
    raw.register_hooks(
        lambda tensor: print("pack", tensor, tensor.requires_grad) or tensor,
        lambda packed: print("unpack", packed) or packed,
    )
    saved = y.grad_fn._saved_self
    print(saved, saved is x, raw, type(raw))
    y.sum().backward()
    return x.grad


def registered_twice(torch: Any) -> Any:
    y = leaf(torch) ** 2
    raw = y.grad_fn._raw_saved_self  # PyTorch crashes if y is gone when it is used
    raw.register_hooks(lambda tensor: tensor, lambda packed: packed)
    raw.register_hooks(lambda tensor: tensor, lambda packed: packed)


def registered_after_backward(torch: Any) -> Any:
    y = leaf(torch) ** 2
    raw = y.grad_fn._raw_saved_self
    y.sum().backward()
    raw.register_hooks(lambda tensor: tensor, lambda packed: packed)


def registered_on_nothing(torch: Any) -> Any:
    y = leaf(torch) * torch.ones(3)
    node = y.grad_fn
    print(node._saved_self, node._raw_saved_self)
    node._raw_saved_self.register_hooks(lambda tensor: tensor, lambda packed: packed)


def registered_on_a_result(torch: Any) -> Any:
    y = leaf(torch).exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda tensor: tensor, lambda packed: packed)
    return y.grad_fn._saved_result


def registered_what_is_no_hook(torch: Any) -> Any:
    y = leaf(torch).exp()
    y.grad_fn._raw_saved_result.register_hooks(3, 4)


def registered_one_that_changes(torch: Any) -> Any:
    y = leaf(torch).exp()
    raw = y.grad_fn._raw_saved_result
    raw.register_hooks(lambda tensor: tensor.mul_(2), lambda packed: packed)


def made_by_hand(torch: Any) -> Any:
    y = leaf(torch) ** 2
    return type(y.grad_fn._raw_saved_self)()


def entered_with_what_is_no_hook(torch: Any) -> Any:
    with hooks(torch, 1, 2):  # type: ignore[arg-type]
        pass


def custom_functions(torch: Any) -> Any:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x * x
            ctx.save_for_backward(x, y, None)
            return y

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return ctx.saved_tensors[0] * 2 * gradient

    x = leaf(torch)
    with hooks(
        torch,
        lambda tensor: print("pack", tensor) or tensor.detach(),
        lambda packed: print("unpack", packed) or packed,
    ):
        y = Square.apply(x)
    y.sum().backward()
    return x.grad, Square.apply(x).grad_fn._raw_saved_tensors


def grad_mode_in_hooks(torch: Any) -> Any:
    def told(tensor: Any) -> Any:
        print(torch.is_grad_enabled(), (tensor * tensor).requires_grad)
        return tensor

    with hooks(torch, told, told):
        y = leaf(torch) ** 2
    y.sum().backward()


def operations_in_hooks(torch: Any) -> Any:
    x = leaf(torch)
    with hooks(torch, lambda tensor: (tensor * x).detach()):
        y = x * x
    y.sum().backward()
    return x.grad


def on_the_cpu(torch: Any) -> Any:
    x = leaf(torch)
    with torch.autograd.graph.save_on_cpu():
        y = x * x.exp()
    y.sum().backward()
    return x.grad


def differentiated_twice(torch: Any) -> Any:
    x = leaf(torch)
    with hooks(
        torch,
        lambda tensor: print("pack") or tensor.detach(),
        lambda packed: print("unpack") or packed,
    ):
        y = x**3
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x)


def nothing_recorded(torch: Any) -> Any:
    with torch.no_grad(), hooks(torch, print):
        leaf(torch) ** 2
    with hooks(torch, print):
        torch.ones(3) ** 2


def freed(torch: Any) -> Any:
    with hooks(torch):
        y = leaf(torch) ** 2
    y.sum().backward()
    return y.grad_fn._saved_self


def walked_twice(torch: Any) -> Any:
    x = leaf(torch)
    with hooks(torch):
        y = x * x
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    print(x.grad)
    y.sum().backward()


def changed_in_place(torch: Any) -> Any:
    x = leaf(torch)
    with hooks(torch):
        y = x * 1
        y.mul_(y)
        y.exp_()
    y.sum().backward()
    return x.grad


@pytest.mark.parametrize(
    "program",
    [
        value
        for name, value in list(globals().items())
        if getattr(value, "__module__", None) == __name__
        and not name.startswith("test_")
        and name not in ("leaf", "hooks")
    ],
    ids=lambda program: program.__name__,
)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program)


def test_what_a_saved_tensor_shows_of_itself() -> None:
    agree_in_print(
        """
        def show(saved):
            print(saved.data, saved.unpack_hook)
            attempt(saved.unpack)
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                y = x * 2
                ctx.save_for_backward(x, None, y)
                return y
            @staticmethod
            def backward(ctx, gradient):
                return gradient * 2
        x = torch.tensor([2.0, 3.0], requires_grad=True)
        product, power, double = x * x, x.exp(), Double.apply(x)
        node = product.grad_fn
        node._raw_saved_other.register_hooks(lambda tensor: tensor.tolist(), torch.tensor)
        raw = [node._raw_saved_self, node._raw_saved_other, power.grad_fn._raw_saved_result,
               *double.grad_fn._raw_saved_tensors]
        print(raw[0].data is x, raw[0].unpack() is x, raw[1].unpack_hook is torch.tensor)
        for saved in (raw[0], *raw[2:]):
            show(saved)
        print(raw[1].data, raw[1].unpack())
        (product + power + double).sum().backward()
        for saved in (raw[0], raw[2]):
            show(saved)
        y = x.clone()
        saved = (y * y).grad_fn._raw_saved_self
        y.data = torch.zeros(2)
        with torch.no_grad():
            y.add_(1)
        show(saved)
        attempt(torch.autograd.SavedTensor)
        """
    )


def test_indices_are_packed_as_tensors_are() -> None:
    agree_in_print(
        """
        def pack(tensor):
            print("pack", tensor)
            return tensor.tolist()
        def unpack(packed):
            print("unpack", packed)
            return torch.tensor(packed)
        x = torch.arange(4.0).reshape(2, 2).requires_grad_()
        i = torch.tensor([1, 1])
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = x * x
            read = [y[i], y[:, i], y[i, i], y[x > 1], y[[0, 1]]]
            y[i] = x
        for one in (*read, y):
            (slope,) = torch.autograd.grad(one.sum(), x, retain_graph=True)
            print(slope)
        hooks = torch.autograd.graph.saved_tensors_hooks
        with hooks(print, print), hooks(pack, unpack):
            (slope,) = torch.autograd.grad((x[i] ** 3).sum(), x, create_graph=True)
        print(torch.autograd.grad(slope.sum(), x))
        """
    )


@pytest.mark.parametrize("hooked", [None, 0, 1])
def test_hooks_on_one_of_several_indices(hooked: int | None) -> None:
    agree_in_print(
        f"""
        x = torch.ones(2, 2, requires_grad=True)
        for changed in (0, 1):
            indices = torch.tensor([0, 1]), torch.tensor([1, 1])
            y = x[indices]
            node = y.grad_fn
            print(node._saved_indices, [a is b for a, b in zip(node._saved_indices, indices)])
            raw = node._raw_saved_indices
            hooked = {hooked}
            if hooked is not None:
                raw[hooked].register_hooks(lambda tensor: tensor.tolist(), torch.tensor)
                attempt(lambda: raw[hooked].register_hooks(print, print))
            for one in raw:
                print(one.data, one.unpack_hook is None, one.unpack())
            indices[changed].zero_()
            attempt(lambda: y.sum().backward())
            print(x.grad)
        y = x[:, indices[0]]
        raw = y.grad_fn._raw_saved_indices
        attempt(lambda: raw[0].register_hooks(print, print))
        y.sum().backward()
        attempt(lambda: y.grad_fn._raw_saved_indices)
        attempt(lambda: y.grad_fn._saved_indices)
        """
    )


def test_views_that_were_not_recorded_are_packed() -> None:
    agree_in_print(
        """
        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, other):
                ctx.save_for_backward(one, other)
                return one * other

            @staticmethod
            def backward(ctx, gradient):
                one, other = ctx.saved_tensors
                print(one, one.is_leaf, other.is_leaf)
                return gradient * other, gradient * one

        x = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            view = x.view(2, 1)
        hooks = (lambda one: one, lambda one: one), (lambda one: one * 1, lambda one: one)
        for pack, unpack in hooks:
            with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
                y = Product.apply(view, x * 1)
            y.sum().backward()
        print(x.grad)
        """
    )


def test_whatever_an_unpack_hook_raises_is_seen() -> None:
    agree_in_print(
        """
        x, nothing = torch.tensor([1.0, 2.0], requires_grad=True), iter(())
        def unpack(kept):
            return next(nothing)  # StopIteration, which loops take for their own end
        with torch.autograd.graph.saved_tensors_hooks(lambda kept: kept, unpack):
            results = x * x, x.exp(), x[[0]], torch.nn.functional.layer_norm(x, (2,))
        for one in results:
            attempt(lambda: one.sum().backward(retain_graph=True))
            attempt(lambda: torch.autograd.grad(one.sum(), x, create_graph=True))
        print(x.grad)
        """
    )


def test_hooks_see_a_copy_of_what_is_changed_in_place() -> None:
    agree_in_print(
        """
        def pack(tensor):
            print("pack", tensor)
            return tensor

        x = torch.tensor([0.5, 1.5], requires_grad=True)
        hooks = torch.autograd.graph.saved_tensors_hooks
        for change in ("sin_()", "pow_(3)", "clamp_(0, 1)", "mul_(y)", "exp_()", "lerp_(x, x)"):
            with hooks(pack, lambda tensor: print("unpack", tensor) or tensor):
                y = x / 4
                eval(f"y.{change}")
                (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
            print(change, slope, [one for one in dir(y.grad_fn) if one.startswith("_saved")])
        """
    )


def test_hooks_get_the_output_itself() -> None:
    agree_in_print(
        """
        class Exponential(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                result = x.exp()
                ctx.save_for_backward(result, x)
                return result

            @staticmethod
            def backward(ctx, gradient):
                return gradient * ctx.saved_tensors[0]

        x, packed = torch.tensor([0.5, 1.5], requires_grad=True), []
        keep = lambda tensor: packed.append(tensor) or tensor
        for function in (torch.exp, Exponential.apply, lambda x: x.softmax(0), torch.norm):
            with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
                y = function(x)
            print([(one is x, one is y) for one in packed], y.grad_fn is packed[-1].grad_fn)
            packed.clear()
            y.sum().backward()
            print(x.grad)
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            values, indices = x.max(0)
        print([one is indices for one in packed])
        """
    )


def test_hooks_get_the_tensor_itself_that_was_changed_to_what_is_saved() -> None:
    agree_in_print(
        """
        def keep(tensor):
            packed.append(tensor)
            print(tensor.tolist(), type(tensor.grad_fn).__name__, tensor._version)
            return tensor

        def drop(tensor):
            raise ValueError

        x = torch.tensor([0.5, 1.5], requires_grad=True)
        for change in ("exp_", "tanh_", "sigmoid_", "sqrt_", "sin_"):
            for part in (..., slice(1)):
                packed, y = [], x * 1
                view = y if part is ... else y[part]
                with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor * 1):
                    getattr(view, change)()
                print(change, packed[0] is view, torch.autograd.grad(y.sum(), x, create_graph=True))
                view.mul_(3)
                print(packed[0])
            y = x * 1
            try:
                with torch.autograd.graph.saved_tensors_hooks(drop, drop):
                    getattr(y, change)()
            except ValueError:
                print(y, y._version)
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            y = (x * 1).exp_().mul_(2)
        y.sum().backward()
        print(x.grad)
        """
    )


def test_hooks_that_compute_while_a_tensor_is_changed_in_place_have_hooks_of_their_own() -> None:
    agree_in_print(
        """
        def outer(tensor):
            with torch.enable_grad(), hooks(inner, inner):
                (x * 1).exp().sin_().tanh_()
            return tensor.detach()

        def inner(tensor):
            print("inner", tensor)
            return tensor.detach()

        hooks = torch.autograd.graph.saved_tensors_hooks
        x = torch.tensor([0.5, 1.5], requires_grad=True)
        with hooks(outer, lambda tensor: tensor):
            y = (x * 1).exp_().mul_(x)
        """
    )
