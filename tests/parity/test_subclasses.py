"""Subclasses of Tensor, and types like it, answer on minigrad what they answer on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_results_are_of_the_subclass_but_gradients_are_not() -> None:
    agree_in_print(
        """
        class P(torch.Tensor):
            pass

        p = P([1.0, 2.0])
        results = p + 1, 1 - p, p.sum(), torch.ones(2) + p, p[0], p.detach(), p.data, p.clone()
        print(p, [type(one).__name__ for one in results])
        print(type(p.as_subclass(torch.Tensor)), type(p.numpy()), type(p.max(0)), p.max(0).values)
        print([type(one) for one in (*p.unbind(), torch.stack([p, p]), p.new_zeros(2))])
        p.requires_grad_()
        print(p, p * 2)
        p.register_hook(lambda g: print("hook", type(g)))
        (p * 2).sum().backward()
        print(p.grad, type(p.grad), torch.autograd.grad((p * p).sum(), p))
        print(torch.nn.Linear(2, 2)(p).relu().grad_fn)
        with torch.no_grad():
            print(p.zero_())
        t = torch.ones(1)
        t += P([1.0])
        print(type(t))
        """
    )


def test_a_subclass_sees_the_calls_that_it_is_part_of() -> None:
    agree_in_print(
        """
        class Logging(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func is not torch.Tensor.__repr__:
                    print(func.__name__, types, args, kwargs or {})
                return super().__torch_function__(func, types, args, kwargs)

        x = Logging([0.5, 0.5])
        y = torch.tensor([1.0, 1.0])
        print(x + y, y * x, 2**x, torch.add(y, x, alpha=2), x.sum(0), x[0], x.shape, len(x))
        x[0] = 2
        x += 1
        x.requires_grad_()
        with torch._C.DisableTorchFunction():
            (x / 2).sum().backward()
        print(x.grad, x.is_leaf, torch.relu(x), torch.stack([y, x]), x.tolist())
        with torch._C.DisableTorchFunctionSubclass():
            print(type(x + 1))
        """
    )


def test_classes_that_do_not_know_each_other() -> None:
    agree_in_print(
        """
        class A(torch.Tensor):
            pass
        class B(A):
            pass
        class C(torch.Tensor):
            pass
        a, b, c = A([1.0]), B([1.0]), C([1.0])
        print(type(a + b), type(b + a), type(a.as_subclass(C)))
        attempt(lambda: a + c)
        attempt(lambda: torch.add(a, c))
        attempt(lambda: torch.stack([a, c]))
        """
    )


def test_subclasses_are_made_copied_and_pickled() -> None:
    agree_in_print(
        """
        import copy
        class Q(torch.Tensor):
            @staticmethod
            def __new__(cls, x, extra, *args, **kwargs):
                return super().__new__(cls, x, *args, **kwargs)
            def __init__(self, x, extra):
                self.extra = extra
        q = Q([1.0, 2.0], "more")
        print(q, q.extra, hasattr(q + 1, "extra"), type(copy.copy(q)), copy.copy(q).extra)
        attempt(lambda: copy.deepcopy(q))
        m = torch.Tensor._make_subclass(Q, torch.zeros(2), True)
        print(m, m.is_leaf, m._is_view())
        attempt(lambda: torch.Tensor._make_subclass(3, torch.zeros(2)))
        attempt(lambda: torch.Tensor._make_subclass(Q, 3))
        attempt(lambda: torch.Tensor._make_subclass(int, torch.zeros(2)))
        x = torch.ones(2, requires_grad=True, dtype=torch.double)
        print(torch.Tensor(x), torch.Tensor(x).grad_fn, torch.Tensor(x.long()))
        """
    )


def test_parameters_and_subclasses() -> None:
    agree_in_print(
        """
        import copy
        class P(torch.Tensor):
            pass
        class Named(nn.Parameter):
            @staticmethod
            def __new__(cls, data, tag=None, requires_grad=True):
                made = super().__new__(cls, data, requires_grad)
                made.tag = tag
                return made
        n = Named(torch.ones(2), tag=5)
        print(n, n.tag, type(n + 1), type(copy.deepcopy(nn.Parameter(torch.ones(1)))))
        p = nn.Parameter(P([1.0]))
        print(type(p), isinstance(p, nn.Parameter), isinstance(P([1.0]), nn.Parameter))
        class Off(torch.Tensor):
            __torch_function__ = torch._C._disabled_torch_function_impl
        o = torch.ones(2).as_subclass(Off)
        print(type(o), type(o + 1), type(o.view(2, 1)))
        """
    )


def test_types_that_are_no_tensors_answer_too() -> None:
    agree_in_print(
        """
        known = {}

        class Diagonal:
            def __init__(self, n, value):
                self.n, self.value = n, value
            def __repr__(self):
                return f"Diagonal({self.n}, {self.value})"
            def tensor(self):
                return self.value * torch.eye(self.n)
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func not in known or not all(issubclass(t, (torch.Tensor, cls)) for t in types):
                    return NotImplemented
                return known[func](*args, **(kwargs or {}))

        d, ones = Diagonal(2, 2), torch.ones(2, 2)
        known[torch.mean] = lambda one: one.value / one.n
        known[torch.cat] = lambda many: len(many)
        full = lambda one: one.tensor() if isinstance(one, Diagonal) else one
        known[torch.add] = lambda a, b: full(a) + full(b)
        known[torch.Tensor.add] = lambda a, b: "method"
        attempt(lambda: torch.cat([ones, d]))
        attempt(lambda: torch.mean(d))
        attempt(lambda: torch.add(d, d))
        attempt(lambda: torch.add(ones, d))
        attempt(lambda: ones + d)
        attempt(lambda: ones.add(d))
        attempt(lambda: torch.mul(d, ones))
        attempt(lambda: ones.mul(d))
        attempt(lambda: F.relu(d))
        """
    )


def test_modes_come_before_types() -> None:
    agree_in_print(
        """
        class P(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print("type", func.__name__)
                return super().__torch_function__(func, types, args, kwargs)

        class Mode(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print("mode", func.__name__, types)
                return func(*args, **(kwargs or {}))

        p = P([1.0])
        with Mode():
            p + 1
            torch.exp(p)
            with torch._C.DisableTorchFunctionSubclass():
                p + 1
            with torch._C.DisableTorchFunction():
                p + 1
            p **= 2

        class Refusing(Mode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                return NotImplemented

        x = torch.ones(1)
        with Refusing():
            attempt(lambda: x - 1)
            attempt(lambda: torch.sub(x, 1))
        attempt(lambda: torch.overrides.is_tensor_method_or_property(torch.Tensor.add))
        """
    )


def test_functions_of_ones_own_ask_subclasses() -> None:
    agree_in_print(
        """
        overrides = torch.overrides

        class Duck:
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return func.__name__, types, args[1:], kwargs

        class P(torch.Tensor):
            pass

        @overrides.wrap_torch_function(lambda a, b=None: (a, b))
        def quack(a, b=None):
            "Quack."
            return a, b

        print(quack(1), quack.__name__, quack.__doc__, quack(Duck(), 3), quack(1, b=Duck()))
        print(quack(P([1.0])))
        one, some = overrides.has_torch_function_unary, overrides.has_torch_function_variadic
        print(one(Duck()), one(torch.ones(1)), one(P([1.0])), one(nn.Parameter(torch.ones(1))))
        print(some(1, Duck()), some())
        with torch._C.DisableTorchFunctionSubclass():
            print(one(Duck()), one(P([1.0])))
        getters = overrides.get_default_nowrap_functions()
        print(torch.Tensor.grad.__get__ in getters, torch.Tensor.data.__get__ in getters)
        methods = torch.Tensor.__getitem__, torch.Tensor.__rsub__, torch.Tensor.split
        print([one.__name__ for one in methods])
        """
    )


def test_operators_that_nobody_answers() -> None:
    agree_in_print(
        """
        class Strict(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func in (torch.Tensor.add, torch.Tensor.__repr__):
                    return super().__torch_function__(func, types, args, kwargs)
                raise TypeError(f"no {func.__name__}")

        s = Strict([1.0, 2.0])
        for call in (
            lambda: s + 1, lambda: s * 2, lambda: 1 - s, lambda: torch.ones(2) * s, lambda: s == s,
            lambda: s.mul(2), lambda: s.shape, lambda: F.relu(s), lambda: s[0], lambda: -s,
            lambda: torch.linalg.norm(s),
        ):
            attempt(call)
        print(torch.tensor(s), torch.as_tensor(s) is s)
        """
    )


@pytest.mark.parametrize(
    "call",
    [
        "torch.ones(1) + D()", "torch.ones(1) @ D()", "D() + torch.ones(1)", "torch.ones(1)[D()]",
        "torch.ones(1) * Own()", "torch.cat([torch.ones(1), D()])", "F.cross_entropy(D(), 1)",
        "F.linear(D(), torch.ones(1))", "torch.einsum('i,i', D(), D())", "torch.linalg.norm(D())",
        "torch.add(torch.ones(1), D(), alpha=2)", "torch.ones(1).mul(D())", "torch.sum(D(), 0)",
    ],
)  # fmt: skip
def test_a_type_answers_the_first_call_that_it_is_part_of(call: str) -> None:
    agree_in_print(
        f"""
        class D:
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return func.__name__, types, len(args), kwargs

        class Own:
            def __rmul__(self, other):
                return "its own"
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return NotImplemented

        attempt(lambda: {call})
        attempt(lambda: {call})
        with torch._C.DisableTorchFunctionSubclass():
            try:
                {call}
            except (TypeError, AttributeError):
                print("refused")
        """
    )


def test_what_numpy_computes_of_a_subclass_is_of_it() -> None:
    agree_in_print(
        """
        import numpy as np

        class Own(torch.Tensor):
            pass

        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(func.__name__, types == (torch.Tensor,))
                return func(*args, **(kwargs or {}))

        x, y = Own([1.0, 2.0]), torch.ones(2)
        for call in (lambda: np.sin(x), lambda: np.add(1, x), lambda: np.maximum(x, y)):
            print(type(call()).__name__, call())
        with Log():
            np.sqrt(y)
        """
    )


def test_a_tensor_is_asked_of_what_is_assigned_to_it_by_its_own_type_alone() -> None:
    agree_in_print(
        """
        class Quiet(torch.Tensor):
            pass
        class Loud(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function, types, args=(), kwargs=None):
                print(function.__name__, [one.__name__ for one in types])
                return super().__torch_function__(function, types, args, kwargs or {})
        class Weight(nn.Parameter):
            pass
        for given in (Quiet(torch.ones(2)), Loud(torch.ones(2))):
            for receiver in (torch.ones(2), Quiet(torch.ones(2)), Loud(torch.ones(2)),
                             nn.Parameter(torch.ones(2)), Weight(torch.ones(2))):
                attempt(lambda: setattr(receiver, "grad", given))
                print(type(receiver.grad).__name__)
                attempt(lambda: setattr(receiver, "grad", torch.ones(2)))
                attempt(lambda: setattr(receiver, "data", given))
                attempt(lambda: setattr(receiver, "requires_grad", True))
        weight = nn.Parameter(torch.ones(2))
        weight.grad = Quiet(torch.ones(2))
        (weight * 2).sum().backward()
        print(weight.grad)
        """
    )
