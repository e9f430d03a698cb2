"""What somebody tries who knows autograd by heart: each program prints what it does on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_hooks_of_every_kind_in_one_pass() -> None:
    agree_in_print(
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y.register_hook(lambda g: print("tensor", g))
        y.retain_grad()
        y.register_hook(lambda g: g * 10)
        y.grad_fn.register_prehook(lambda g: print("before", g))
        y.grad_fn.register_hook(lambda a, b: print("after", a, b))
        leaf = y.grad_fn.next_functions[0][0]
        leaf.register_prehook(lambda g: (g[0] + 1,))
        leaf.register_hook(lambda a, b: print("leaf", a, b, x.grad))
        x.register_post_accumulate_grad_hook(lambda one: print("done", one.grad))
        y.sum().backward()
        print(y.grad, x.grad)
        """
    )


def test_what_hooks_may_return() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        kinds = (3, "a", [1], None, False, torch.ones(3), torch.ones(1, 2))
        for given in (*kinds, torch.ones(2).double(), torch.ones(2, requires_grad=True)):
            for hook in (given, (given,), (given, None), (given, given)):
                y = x * 1
                y.register_hook(lambda g: hook)
                attempt(lambda: torch.autograd.grad(y.sum(), x))
                y = x * 1
                y.grad_fn.register_hook(lambda a, b: hook)
                attempt(lambda: torch.autograd.grad(y.sum(), x))
                y = x * 1
                y.grad_fn.register_prehook(lambda a: hook)
                attempt(lambda: torch.autograd.grad(y.sum(), x))
        """
    )


def test_hooks_that_come_and_go_while_they_run() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        handles = []
        for number in range(3):
            def hook(g, number=number):
                print(number)
                handles[2].remove()
            handles.append(x.register_hook(hook))
        (x * 1).sum().backward()
        (x * 1).sum().backward()
        y = x * 2
        y.register_hook(lambda g: print(y.register_hook(lambda g: print("late")) is None))
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        """
    )


def test_every_wrong_call_of_backward_and_grad() -> None:
    agree_in_print(
        """
        x, w = (torch.ones(2, requires_grad=True) for _ in range(2))
        n = torch.ones(2)
        y = x * 2
        for args in ((), (torch.ones(3),), (1,), (n.double(),), (n.long(),), (torch.ones(1, 2),)):
            attempt(lambda: (x * 2).backward(*args))
        for inputs in ([], [3], 3, n, [y]):
            attempt(lambda: y.sum().backward(inputs=inputs))
        backward, grad = torch.autograd.backward, torch.autograd.grad
        for args in (([],), (3,), ([x.sum(), 3],), ([x.sum()], [None, None]), ([x * 2], [1])):
            attempt(lambda: backward(*args))
        for args in ((x.sum(), w), (x.sum(), [x, w]), (x.sum(), n), (n.sum(), x), (x * 2, x),
                     (x.sum(), []), ([], x), (x.sum(), 3), (3, x), (x.sum(), "a"),
                     (x.sum(), [None]), (x * 2, x, torch.ones(3)), (x.sum(), {"a": x})):
            attempt(lambda: grad(*args))
        for flags in ({"allow_unused": True}, {"materialize_grads": True}, {"only_inputs": False},
                      {"allow_unused": False, "materialize_grads": True}):
            attempt(lambda: grad(x.sum(), [x, w], **flags))
        """
    )


def test_what_a_custom_function_may_give_out() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        own = torch.ones(2, requires_grad=True)
        makers = (
            lambda x: None, lambda x: 3, lambda x: (x * 2, 3), lambda x: [x * 2], lambda x: (),
            lambda x: (None,), lambda x: (x * 2).long(), lambda x: ((x * 2).long(), x * 2),
            lambda x: x, lambda x: (x, x), lambda x: x.view(2), lambda x: x[:1], lambda x: own,
            lambda x: (x * 2, None, x * 3),
        )
        for make in makers:
            class Given(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    return make(x)
                @staticmethod
                def backward(ctx, *gradients):
                    print("backward", gradients)
                    return gradients[0]
            def use():
                y = Given.apply(x)
                outputs = y if isinstance(y, tuple) else (y,)
                print(y)
                for one in outputs:
                    if isinstance(one, torch.Tensor) and one.requires_grad:
                        one.sum().backward()
                        attempt(lambda: one.add_(1))
            attempt(use)
        """
    )


def test_what_a_custom_function_may_give_back() -> None:
    agree_in_print(
        """
        backs = (
            lambda g: (g, g), lambda g: (g.expand(3, 2),) * 2, lambda g: (g.double(),) * 2,
            lambda g: (None, g), lambda g: (g, None), lambda g: (None, None), lambda g: g,
            lambda g: (g, g, None), lambda g: (g, g, g), lambda g: (g, 1.0), lambda g: [g, g],
            lambda g: (g.new_ones(5), g), lambda g: (g, g.new_ones(5)), lambda g: (g.long(), g),
        )
        for back in backs:
            for needs in (True, False):
                class Given(torch.autograd.Function):
                    @staticmethod
                    def forward(ctx, a, b):
                        return a + b
                    @staticmethod
                    def backward(ctx, gradient):
                        return back(gradient)
                a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=needs)
                y = Given.apply(a, b)
                y.grad_fn.register_prehook(lambda g: print("before", g))
                y.grad_fn.register_hook(lambda g, h: print("after", g, h))
                attempt(lambda: y.sum().backward())
                print(a.grad, b.grad)
                with torch.autograd.set_detect_anomaly(True, check_nan=False):
                    attempt(lambda: torch.autograd.grad(y.sum(), a, allow_unused=True))
        """.replace("torch.autograd.set_detect_anomaly(True, check_nan=False)", "torch.no_grad()")
    )


def test_what_may_be_marked_and_saved() -> None:
    agree_in_print(
        """
        things = (1, None, "a", [1], torch.float32, len, object, torch.ones(2))
        for name in ("save_for_backward", "save_for_forward", "mark_dirty",
                     "mark_non_differentiable"):
            for thing in things:
                for needs in (True, False):
                    class Told(torch.autograd.Function):
                        @staticmethod
                        def forward(ctx, x):
                            getattr(ctx, name)(thing)
                            return x * 2
                    attempt(lambda: Told.apply(torch.ones(2, requires_grad=needs)))
        """
    )


def test_leaves_and_views_of_them_are_changed_in_place() -> None:
    agree_in_print(
        """
        changes = (
            lambda x: x.add_(1), lambda x: x[0].add_(1), lambda x: x.view(2).mul_(2),
            lambda x: x.detach().add_(1), lambda x: x.data.add_(1), lambda x: x.zero_(),
            lambda x: x.copy_(x * 2), lambda x: torch.add(x, 1, out=x), lambda x: x.unsqueeze_(0),
            lambda x: x.requires_grad_(False).add_(1), lambda x: x.detach_().add_(1),
        )
        for change in changes:
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            attempt(lambda: change(x))
            print(x, x._version)
            x = torch.tensor([1.0, 2.0], requires_grad=True)
            with torch.no_grad():
                attempt(lambda: change(x))
            print(x, x._version)
        """
    )


def test_views_show_what_their_base_has_become() -> None:
    agree_in_print(
        """
        x = torch.arange(4.0, requires_grad=True)
        y = x * 1
        first, second = y.view(2, 2), y.view(2, 2).t()[0]
        y.mul_(2)
        print(first, second, first.grad_fn.name())
        second.add_(1)
        print(y, first, second)
        node = second.grad_fn
        while node is not None:
            print(node.name(), len(node.next_functions))
            node = node.next_functions[0][0] if node.next_functions else None
        (y * y).sum().backward()
        print(x.grad)
        b = torch.zeros(4)
        b[:2] = x[:2]
        b[1:3].mul_(x[1:3])
        b.view(2, 2)[0].add_(1)
        print(b, [(one and one.name(), number) for one, number in b.grad_fn.next_functions])
        (b * b).sum().backward()
        print(x.grad)
        """
    )


def test_modes_of_every_kind() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            print(x * 2, torch.ones(1, requires_grad=True) * 1, nn.Parameter(torch.ones(1)))
            with torch.enable_grad():
                print(x * 2)
        with torch.set_grad_enabled(False):
            torch.set_grad_enabled(True)
            print(x * 2)
        with torch.inference_mode():
            made, view = x * 2, x.view(2)
        for one in (made, view):
            attempt(lambda: one.requires_grad_())
            attempt(lambda: one * x)
            attempt(lambda: one._version)
            attempt(lambda: one.clone() * x)
        @torch.no_grad()
        def numbers():
            yield torch.is_grad_enabled()
            yield torch.is_grad_enabled()
        print(list(numbers()), torch.is_grad_enabled())
        for wrong in (1, None, "a"):
            attempt(lambda: torch.set_grad_enabled(wrong))
            attempt(lambda: torch.autograd.set_detect_anomaly(wrong))
            attempt(lambda: torch.inference_mode(wrong))
        """
    )


def test_derivatives_of_derivatives_of_derivatives() -> None:
    agree_in_print(
        """
        x = torch.tensor([1.5, 0.5, 2.0], dtype=torch.float64, requires_grad=True)
        functions = (
            lambda x: x**3, lambda x: x.exp() * x, lambda x: x.sin() / x, lambda x: x.pow(x),
            lambda x: x.prod() * x, lambda x: torch.outer(x, x).sum(0) * x, lambda x: x.var() * x,
            lambda x: torch.where(x > 1, x**2, x), lambda x: x[[0, 0, 1]] ** 2,
            lambda x: torch.cat([x, x * x]).prod() * x, lambda x: x.sort()[0] ** 3,
            lambda x: x.roll(1) * x, lambda x: F.silu(x), lambda x: 2**x,
        )
        def names(node):
            return node and [node.name(), *[names(one) for one, _ in node.next_functions]]
        for function in functions:
            (first,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
            (second,) = torch.autograd.grad((first * first).sum(), x, create_graph=True)
            (third,) = torch.autograd.grad(second.sum(), x)
            print(first, names(first.grad_fn))
            print(second, third)
        """
    )


def test_functional_refuses_what_does_not_fit() -> None:
    agree_in_print(
        """
        functional = torch.autograd.functional
        x = torch.ones(2)
        vectors = (None, 3, torch.ones(3), (torch.ones(2),), (x, x), x.double(), torch.ones(()))
        for name in ("vjp", "jvp", "vhp", "hvp"):
            for vector in vectors:
                for function in (lambda x: (x**2).sum(), lambda x: x**2, lambda x: x.detach()):
                    for strict in (False, True):
                        call = getattr(functional, name)
                        attempt(lambda: call(function, x, vector, strict=strict))
        for name in ("jacobian", "hessian"):
            call = getattr(functional, name)
            for function in (lambda x: 3, lambda x: [x * 2], lambda x: (x * 2, 3), 3):
                attempt(lambda: call(function, x))
            attempt(lambda: call(lambda x: x * 2, 3))
            attempt(lambda: call(lambda x, y: x * 2, (x, 3)))
        """
    )


def test_saved_tensors_are_packed_changed_and_freed() -> None:
    agree_in_print(
        """
        hooks = torch.autograd.graph.saved_tensors_hooks
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        pairs = (
            (lambda one: one, lambda one: one * 2), (lambda one: one.add_(1), lambda one: one),
            (lambda one: 1 / 0, lambda one: one), (lambda one: one, lambda one: 1 / 0),
            (lambda one: one, lambda one: 3), (lambda one: None, lambda one: torch.ones(3)),
            (3, 4), (len, 4),
        )
        for pack, unpack in pairs:
            def use():
                with hooks(pack, unpack):
                    y = (x * 1).exp()
                return torch.autograd.grad(y.sum(), x)
            attempt(use)
        for make in (lambda x: x * x, lambda x: x + x, lambda x: x.exp(), lambda x: x.sum(),
                     lambda x: x.view(2, 1), lambda x: x.norm(), lambda x: x.max(),
                     lambda x: torch.cat([x, x]), lambda x: x.softmax(0), lambda x: x / 2):
            y = make(x)
            y.sum().backward()
            attempt(lambda: y.sum().backward())
            base = x * 1
            y = make(base)
            base.add_(1)
            attempt(lambda: y.sum().backward())
        """
    )


def test_leaves_that_are_none_any_more() -> None:
    agree_in_print(
        """
        def leaf(change, hooked=False):
            x = torch.ones(3, requires_grad=True)
            w = torch.full((3,), 2.0, requires_grad=True)
            y = x * 2
            if hooked:
                x.register_hook(lambda g: print("hook", g))
                x.register_post_accumulate_grad_hook(lambda one: print("after", one.grad))
            x.requires_grad_(False)
            change(x, w)
            node = y.grad_fn.next_functions[0][0]
            print(node.variable is x, x.is_leaf, x.requires_grad, x)
            attempt(lambda: y.sum().backward(retain_graph=True))
            attempt(lambda: x.grad)
            if x.requires_grad:
                attempt(lambda: torch.autograd.grad(y.sum(), x, retain_graph=True))
            attempt(lambda: (x * y * w).sum().backward())
            print(w.grad)

        for hooked in (False, True):
            leaf(lambda x, w: x.mul_(w), hooked)
            leaf(lambda x, w: x.copy_(w), hooked)
            leaf(lambda x, w: x[:2].mul_(w[:2]), hooked)
            leaf(lambda x, w: x.__setitem__(0, w[0]), hooked)
            leaf(lambda x, w: x.mul_(2), hooked)
            leaf(lambda x, w: x.mul_(w).detach_(), hooked)
            leaf(lambda x, w: x.mul_(w).detach_().requires_grad_(), hooked)
            leaf(lambda x, w: x.detach_().requires_grad_(), hooked)
            leaf(lambda x, w: None, hooked)

        base, w = torch.ones(3), torch.ones(3, requires_grad=True)
        view = base[:2].requires_grad_()
        y = view * 2
        attempt(lambda: base.mul_(w))
        attempt(lambda: y.sum().backward())
        """
    )


def test_memory_seen_otherwise_while_hooks_pack() -> None:
    agree_in_print(
        """
        x = torch.ones(2, 3, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            y = x * 1
            row = y[0]
            y.t_()
            row.unsqueeze_(0)
            y.detach().zero_()
            print(y, row)
        with torch.autograd.detect_anomaly():
            c = torch.ones(2, 3)
            d = c.detach()
            d.t_().fill_(4)
            print(c, d)
        """
    )


def test_modes_that_hooks_change_hold_until_their_node_has_run() -> None:
    agree_in_print(
        """
        def tell(name):
            return lambda *given: print(name, torch.is_grad_enabled())

        def change(*given):
            torch.set_grad_enabled(True)

        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a):
                return a * 2
            @staticmethod
            def backward(ctx, grad):
                print("formula", torch.is_grad_enabled())
                return grad * 2

        x = torch.ones(2, requires_grad=True)
        for y in (x * 2, Twice.apply(x)):
            leaf = y.grad_fn.next_functions[0][0]
            z = y * 1
            z.grad_fn.register_hook(change)
            y.register_hook(change)
            y.grad_fn.register_prehook(tell("before"))
            y.grad_fn.register_hook(tell("after"))
            handles = [x.register_hook(tell("x")), x.register_post_accumulate_grad_hook(change)]
            leaf.register_hook(tell("after the leaf"))
            z.sum().backward()
            print(torch.is_grad_enabled())
            [handle.remove() for handle in handles]
        """
    )


def test_leaves_that_got_another_shape_or_dtype_before_backward() -> None:
    agree_in_print(
        """
        shapes = ((3,), (3, 2), (1,), (), (6,), (1, 2, 3), (2, 1), (2, 3))
        for shape in shapes:
            for function in (lambda x: x * 2, lambda x: x.exp(), torch.sum, torch.t):
                x = torch.ones(2, 3, requires_grad=True)
                y = function(x).sum()
                x.data = torch.zeros(shape)
                attempt(lambda: y.backward())
                attempt(lambda: x.grad)
                z = (x * 2).sum()
                attempt(lambda: torch.autograd.grad(z, x))
                del y, z
                attempt(lambda: (x * 2).sum().backward())
                attempt(lambda: x.grad)
        for kind in (torch.float64, torch.float32):
            x = torch.ones(2, requires_grad=True)
            y = x * 2
            x.data = torch.ones(2, dtype=kind)
            attempt(lambda: y.sum().backward())
            attempt(lambda: torch.autograd.grad((x * 2).sum(), x))
            attempt(lambda: x.grad)
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 2
        with torch.no_grad():
            x.t_()
        attempt(lambda: y.sum().backward())
        """
    )


def test_gradients_that_do_not_lie_as_their_leaves_do() -> None:
    agree_in_print(
        """
        import warnings
        warnings.simplefilter("always")
        layouts = {
            "rows": torch.ones(2, 3),
            "columns": torch.ones(3, 2).t(),
            "parts": torch.ones(4, 6)[::2, ::2],
            "all one": torch.ones(3).expand(2, 3),
        }
        for name, layout in layouts.items():
            for other, grad in layouts.items():
                print(name, other)
                x = layout.detach().requires_grad_()
                parts = torch.ones(4, 9)[::2, ::3]
                x.grad = {"all one": grad.clone(), "parts": parts}.get(other, grad)
                (x * 2).sum().backward()
                print(x.grad.stride())
        """
    )


def test_nodes_can_be_neither_pickled_nor_copied() -> None:
    agree_in_print(
        """
        import copy, pickle
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2
            @staticmethod
            def backward(ctx, g):
                return g * 2
        x = torch.ones(1, requires_grad=True)
        y = x * 2
        for node in (y.grad_fn, y.grad_fn.next_functions[0][0], Double.apply(x).grad_fn):
            for copied in (pickle.dumps, copy.copy, copy.deepcopy):
                attempt(lambda: copied(node))
        layer = nn.Linear(1, 1)
        layer.kept = y.grad_fn
        attempt(lambda: copy.deepcopy(layer))
        """
    )


def test_arrays_beside_tensors() -> None:
    agree_in_print(
        """
        import warnings
        import numpy as np
        warnings.filterwarnings("ignore", message="__array")
        a, x = np.array([1.0, 2.0]), torch.tensor([1.0, 2.0])
        for function in (
            lambda: a / x, lambda: a[:, None] / x, lambda: torch.tensor([1.0, 2.0, 3.0]) in x,
            lambda: torch.tensor(np.arange(3)[::-1]), lambda: torch.tensor([a, a]),
            lambda: torch.from_numpy(np.float64(3)), lambda: torch.from_numpy([3]),
            lambda: setattr(x, "grad", a), lambda: torch.tensor([[], []]),
        ):
            attempt(function)
        x.requires_grad_()
        x.register_hook(lambda g: a)
        attempt(lambda: (x * 2).sum().backward())
        """
    )


def test_what_is_noticed_by_the_way() -> None:
    agree_in_print(
        """
        print(nn.ParameterDict({"w": 1, "a": torch.ones(1)}))
        print(nn.ParameterDict([("w", 1), ("a", 2)]))
        first = torch.Generator().manual_seed(3)
        torch.rand(2, generator=first)
        second = first.clone_state()
        print(torch.rand(2, generator=first), torch.randn(2, generator=second))
        w = torch.ones(2, 2, requires_grad=True)
        print(F.embedding(torch.tensor([0]), w).grad_fn._saved_padding_idx)
        """
    )


def test_names_that_few_know() -> None:
    agree_in_print(
        """
        graph, overrides = torch.autograd.graph, torch.overrides
        for switch in (
            graph.set_warn_on_accumulate_grad_stream_mismatch,
            graph.set_override_stale_capture_stream,
        ):
            attempt(lambda: switch(True))
            attempt(lambda: switch(3))

        class Duck:
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return func.__name__, types, kwargs

        x, duck = torch.ones(1, requires_grad=True), Duck()
        print([overrides.has_torch_function_unary(one) for one in (x, duck, nn.Parameter(x), 3)])
        print(overrides.has_torch_function_variadic(x, 3))
        print(overrides.has_torch_function_variadic(x, duck))
        print(overrides.has_torch_function_variadic())

        @overrides.wrap_torch_function(lambda one, other=None: (one, other))
        def plus(one, other=None):
            return one if other is None else one + other

        print(plus.__name__, plus(x, x), plus(duck), plus(x, other=duck))
        torch.utils.hooks.warn_if_has_hooks(x)
        x.register_hook(print)
        torch.utils.hooks.warn_if_has_hooks(x)
        """
    )


def test_hooks_on_what_was_changed_since_it_was_saved() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        a = x * 1
        y = a * a
        with torch.no_grad():
            a.add_(1)
        y.grad_fn._raw_saved_self.register_hooks(lambda t: print("packed", t), lambda t: x + 1)
        attempt(lambda: y.grad_fn._saved_self)
        attempt(lambda: y.sum().backward())
        y.grad_fn._raw_saved_other.register_hooks(lambda t: None, lambda t: x + 1)
        y.sum().backward()
        print(x.grad)
        attempt(lambda: torch.autograd.graph.disable_saved_tensors_hooks(3).__enter__())
        """
    )


def test_what_retained_its_gradient_once_says_so_ever_after() -> None:
    agree_in_print(
        """
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        y.retain_grad()
        y.unsqueeze_(0)
        print(y.retains_grad)
        y.sum().backward()
        print(y.grad)
        y = x * 2
        y.retain_grad()
        print(y.detach_().retains_grad, y.grad)
        y.requires_grad_()
        (y * 3).sum().backward()
        print(y.grad)
        base = x * 1
        view = base[:2]
        view.retain_grad()
        base.mul_(2)
        view.retain_grad()
        view.sum().backward()
        print(view.retains_grad, view.grad)
        """
    )


def test_the_cycle_is_warned_of_when_the_pass_is_over() -> None:
    agree_in_print(
        """
        import warnings
        warnings.simplefilter("error")
        x = torch.ones(2, requires_grad=True)
        x.register_hook(lambda gradient: print("seen"))
        try:
            (x**2).sum().backward(create_graph=True)
        except UserWarning:
            print(x.grad)
        """
    )


def test_handles_are_pickled_with_what_is_noted_of_their_hooks() -> None:
    agree_in_print(
        """
        import copy, pickle
        x = torch.ones(2, requires_grad=True)
        handle = x.register_hook(print)
        for protocol in range(6):
            again = pickle.loads(pickle.dumps(handle, protocol))
            print(again.id == handle.id, again.hooks_dict_ref(), again.extra_dict_ref)
        several = torch.autograd.graph.register_multi_grad_hook([x], print)
        copy.copy(several).remove()
        print(len(x._backward_hooks))
        layer = nn.Linear(2, 2)
        handle = layer.register_forward_hook(print, with_kwargs=True, always_call=True)
        layer, handle = pickle.loads(pickle.dumps([layer, handle]))
        handle.remove()
        print(layer._forward_hooks_with_kwargs, layer._forward_hooks_always_called)
        """
    )


def test_hooks_registered_where_the_graph_is_no_more_or_while_it_is_unpacked() -> None:
    agree_in_print(
        """
        x = torch.ones(4, requires_grad=True)
        base = x.clone()
        view = base[:2]
        view.register_hook(lambda gradient: print("first", gradient))
        base.mul_(3)
        view.register_hook(lambda gradient: print("beside it", gradient))
        view.grad_fn
        view.register_hook(lambda gradient: print("anew", gradient))
        (view.sum() + base.sum()).backward()
        print(x.grad)
        def unpack(tensor):
            square.grad_fn.register_hook(lambda inputs, outputs: print("after", inputs))
            return tensor
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
            square = x * x
        square.sum().backward()
        """
    )


def test_only_leaves_are_asked_to_require_grad() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        base = torch.ones(2)
        view = base.view(2)
        base.requires_grad_()
        for one in (x, x * 2, x.view(2), torch.ones(2), torch.tensor([1]), view):
            for flag in (True, False, 1):
                attempt(lambda: setattr(one, "requires_grad", flag))
                attempt(lambda: one.requires_grad_(flag))
        """
    )


def test_views_that_were_not_recorded_have_no_edge() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        base = torch.zeros(2)
        with torch.no_grad():
            views = x.view(2), base.view(2)
        base.requires_grad_()
        for view in views:
            attempt(lambda: torch.autograd.graph.get_gradient_edge(view))
            attempt(lambda: torch.autograd.graph.register_multi_grad_hook([x, view], print))
        base = torch.zeros(2)
        view = base.view(2)
        base.mul_(x)
        view.requires_grad = False
        print(view.is_leaf, view.requires_grad)
        """
    )


def test_hooks_that_a_custom_function_registers_while_it_runs() -> None:
    agree_in_print(
        """
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2
            @staticmethod
            def backward(ctx, gradient):
                ctx.register_hook(lambda a, b: print("late", a, b))
                ctx.register_hook(lambda a, b: (a[0] * 10,))
                ctx.register_prehook(lambda a: print("next time", a))
                return gradient * 2
        x = torch.ones(2, requires_grad=True)
        y = Twice.apply(x)
        for _ in range(2):
            y.sum().backward(retain_graph=True)
            print(x.grad)
        print(torch.autograd.grad(Twice.apply(x).sum(), x, create_graph=True))
        """
    )


def test_what_is_left_of_a_class_that_a_mode_decorates() -> None:
    agree_in_print(
        """
        for mode in (torch.no_grad(), torch.enable_grad(), torch.inference_mode()):
            @mode
            class Made:
                kind = "made"
                def __init__(self, x, *, scale=1):
                    print(torch.is_grad_enabled(), x * scale)
                def later(self):
                    return torch.is_grad_enabled()
            print(Made(2, scale=3).later(), Made.__name__, isinstance(Made, type))
            attempt(lambda: Made.kind)
        @torch.no_grad
        class Made:
            pass
        print(Made.__name__, type(Made()).__name__)
        """
    )
