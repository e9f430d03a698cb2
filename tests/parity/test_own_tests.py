"""What PyTorch's own tests of autograd try and nothing else here does, in programs that print."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_numpy_where_nothing_is_recorded() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            array = x.numpy()
            print(repr(array), (x * 2).numpy(), x.__array__())
        array[0] = 5
        print(x, x._version)
        with torch.inference_mode():
            print(x.numpy())
        attempt(lambda: x.numpy())
        """
    )


def test_functions_of_numpy_return_tensors() -> None:
    agree_in_print(
        """
        import numpy as np
        import warnings
        x = torch.tensor([1.0, 4.0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            print(np.sqrt(x), np.add(x, np.ones(2)), np.square(torch.tensor([1, 2])))
            print(np.greater(x, 2), np.cumsum(x), np.add.reduce(torch.ones(2, 2)))
            with torch.no_grad():
                print(np.exp(torch.zeros(1, requires_grad=True)))
        """
    )


def test_a_spread_with_its_mean_may_be_changed() -> None:
    agree_in_print(
        """
        for function in (torch.var_mean, torch.std_mean):
            x = torch.tensor([[1.0, 2.0], [3.0, 7.0]], requires_grad=True)
            spread, mean = function(x, dim=0)
            print([name for name in dir(spread.grad_fn) if name.startswith("_saved")])
            spread.mul_(2)
            attempt(lambda: (spread * mean).sum().backward())
            print(x.grad)
        """
    )


def test_a_leaf_of_other_memory() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        edge = torch.autograd.graph.get_gradient_edge(x)
        y = x.clone()
        with torch.no_grad():
            print(x.set_(torch.zeros(2)), x.is_leaf, x._version)
            print(torch.zeros(1).set_(x))
        attempt(lambda: torch.autograd.grad(y.sum(), x))
        print(torch.autograd.grad(y.sum(), edge))
        print(torch.autograd.grad(x.sum(), x))
        attempt(lambda: x.set_(torch.zeros(2)))
        """
    )


def test_attributes_of_old() -> None:
    agree_in_print(
        """
        import warnings
        x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(x.volatile)
            x.volatile = True
        print([str(one.message) for one in caught])
        print(x.new(2, 3).shape, x.new(), x.new([1, 2]), x.new(torch.Size([1])).dtype)
        print(torch.tensor([1]).new([3]), x.new(2, device="cpu").requires_grad)
        attempt(lambda: x.new(2.5))
        attempt(lambda: x.imag)
        attempt(lambda: torch.imag(x))
        attempt(lambda: hasattr(x, "imag"))
        attempt(lambda: torch.set_warn_always(1))
        for name in ("_backward_hooks", "_post_accumulate_grad_hooks", "grad", "data", "is_leaf"):
            attempt(lambda: delattr(x, name))
        """
    )


def test_constants_that_were_packed_come_back_themselves() -> None:
    agree_in_print(
        """
        x, constant = torch.ones(2, requires_grad=True), torch.ones(2)
        for given in (constant, torch.ones(2, requires_grad=True), x * 2):
            with torch.autograd.graph.saved_tensors_hooks(lambda one: one, lambda one: given):
                y = x * constant
            saved = y.grad_fn._saved_other
            print(saved is given, saved.requires_grad, saved.is_leaf)
        """
    )


def test_a_checkpoint_gives_the_function_what_it_got() -> None:
    agree_in_print(
        """
        import gc
        import weakref
        from functools import partial
        checkpoint = partial(torch.utils.checkpoint.checkpoint, use_reentrant=False)
        leaf, constant = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0)
        given, kept = leaf * 2, []

        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, other):
                result = one * other
                kept.append(weakref.ref(result))
                ctx.save_for_backward(one, other, result)
                return result

            @staticmethod
            def backward(ctx, gradient):
                one, other, result = ctx.saved_tensors
                print(one.requires_grad, other is constant, result)
                return gradient * other, None

        def product(one, other):
            print(one.requires_grad, one.is_leaf, other is constant)
            return Product.apply(one, other)

        gc.disable()
        for one in (leaf, given):
            checkpoint(product, one, constant).backward()
        print(leaf.grad, [one() for one in kept])
        gc.enable()
        """
    )


def test_backward_passes_that_share_what_is_computed_again() -> None:
    agree_in_print(
        """
        GraphExecGroup = torch.utils.checkpoint.GraphExecGroup
        checkpoint = torch.utils.checkpoint.checkpoint

        def twice(x):
            print("running")
            y = x.sin().cos()
            return y, y.sin().cos()

        x = torch.tensor([0.5, 1.0], requires_grad=True)
        for context in (GraphExecGroup(), torch.no_grad()):
            y, z = checkpoint(twice, x, use_reentrant=False)
            with context:
                (of_y,) = torch.autograd.grad(z.sum(), y)
                print(torch.autograd.grad(y, x, of_y))
        y, z = checkpoint(twice, x, use_reentrant=False)
        y.sum().backward(retain_graph=True)
        with GraphExecGroup() as group:
            print(type(group), x.grad)
            y.sum().backward(retain_graph=True)
            attempt(lambda: y.sum().backward())
            try:
                with group:
                    pass
            except RuntimeError as error:
                print(error)
        y.sum().backward()
        print(x.grad)
        """
    )


def test_nodes_by_their_classes() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        functions = torch._C._functions
        leaf = y.grad_fn.next_functions[0][0]
        print(isinstance(leaf, functions.AccumulateGrad), type(y.grad_fn) is functions.MulBackward0)
        attempt(lambda: functions.Nonsense)
        """
    )


def test_gradients_that_end_on_the_way() -> None:
    agree_in_print(
        """
        class Same(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, materialize):
                ctx.set_materialize_grads(materialize)
                return one.clone()

            @staticmethod
            def backward(ctx, gradient):
                print(gradient)
                return gradient, None

        x = torch.ones(2, requires_grad=True)
        for materialize in (True, False):
            y = torch._C._functions.UndefinedGrad()(Same.apply(x, materialize))
            y.sum().backward()
            print(y, y.grad_fn.name(), x.grad)
        late = torch._C._functions.DelayedError("too late", 2)
        y, constant = late(x, torch.ones(1))
        print(y, y.grad_fn.name(), y.grad_fn.next_functions[1])
        attempt(lambda: y.sum().backward())
        attempt(lambda: torch.autograd.grad(y.sum(), y))
        print(torch._C._functions.DelayedError("", 1)(torch.ones(1)).grad_fn)
        Node = torch.autograd.graph.Node
        print([issubclass(one, Node) for one in (functions.DelayedError, functions.UndefinedGrad)])
        print(issubclass(functions.AccumulateGrad, Node), issubclass(torch.Tensor, Node))
        for wrong in ((3,), (), (x, x)):
            attempt(lambda: torch._C._functions.UndefinedGrad()(*wrong))
        """
    )


def test_which_nodes_a_pass_runs() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        z, other = y.exp(), y.sin()
        class Triple(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one):
                return one * 3

            @staticmethod
            def backward(ctx, gradient):
                return gradient * 3

        w = Triple.apply(z)
        leaf = y.grad_fn.next_functions[0][0]
        nodes = (leaf, y.grad_fn, z.grad_fn, other.grad_fn, w.grad_fn)

        def report(gradient):
            for node in (*nodes, w):
                attempt(lambda: torch._C._will_engine_execute_node(node))

        z.register_hook(report)
        total = w.sum()
        total.backward(retain_graph=True)
        for inputs in ([x], [y], [x, y]):
            total.backward(retain_graph=True, inputs=inputs)
            torch.autograd.grad(total, inputs, retain_graph=True)
        report(None)
        """
    )


def test_what_gradgradcheck_does_not_know() -> None:
    agree_in_print(
        """
        x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
        for name in ("check_forward_ad", "check_backward_ad", "nonsense"):
            attempt(lambda: torch.autograd.gradgradcheck(torch.sin, x, **{name: True}))
        options = {"eps": 1e-5, "atol": 1e-4, "nondet_tol": 1e-9, "masked": True}
        attempt(lambda: torch.autograd.gradgradcheck(torch.sin, x, fast_mode=True, **options))
        """
    )


def test_what_the_running_pass_says_of_itself() -> None:
    agree_in_print(
        """
        class Triple(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one):
                return one * 3

            @staticmethod
            def backward(ctx, gradient):
                print(torch._C._current_autograd_node() is ctx)
                return gradient * 3

        def say(gradient):
            print(torch._C._current_autograd_node().name())
            print(torch._C._autograd._get_current_graph_task_keep_graph())

        def order(gradient):
            print([node.name() for node in torch._C._current_graph_task_execution_order()])

        def again(gradient):
            say(gradient)
            with torch.enable_grad():
                inner = gradient.clone().requires_grad_() * 2
                inner.register_hook(say)
                inner.sum().backward()
            say(gradient)

        x = torch.ones(2, requires_grad=True)
        first = x.sum()
        y = Triple.apply(x * 2)
        y.register_hook(again)
        z = y.exp()
        z.register_hook(order)
        last = y.sin().sum()
        last.register_hook(order)
        with torch.autograd.set_multithreading_enabled(False):
            z.backward(torch.ones(2), retain_graph=True)
            torch.autograd.grad((last, first), x, retain_graph=True)
            torch.autograd.grad(z, y, torch.ones(2), retain_graph=True)
            z.backward(torch.ones(2), inputs=[y], retain_graph=True)
            torch.autograd.grad(z, (z, y), torch.ones(2))
        attempt(lambda: z.backward(torch.ones(2)))
        attempt(torch._C._current_graph_task_execution_order)
        print(torch._C._current_autograd_node())
        print(torch._C._autograd._get_current_graph_task_keep_graph(), torch._C.is_grad_enabled())
        """
    )


def test_hooks_registered_while_a_saved_tensor_is_unpacked() -> None:
    agree_in_print(
        """
        def unpack(tensor):
            torch._C._current_autograd_node().register_hook(lambda *gradients: print(gradients))
            return tensor

        x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
            y = x.exp()
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        """
    )


def test_hooks_on_saved_tensors_switched_by_hand() -> None:
    agree_in_print(
        """
        switches = torch._C._autograd
        same, other = (lambda tensor: tensor), (lambda tensor: tensor)
        print(switches._saved_tensors_hooks_is_enabled())
        print(switches._top_saved_tensors_default_hooks(False))
        switches._saved_tensors_hooks_disable("not now")
        print(switches._saved_tensors_hooks_is_enabled())
        print(switches._saved_tensors_hooks_get_disabled_error_message())
        attempt(lambda: switches._push_saved_tensors_default_hooks(same, other))
        switches._saved_tensors_hooks_disable("not yet")
        print(switches._saved_tensors_hooks_get_disabled_error_message())
        switches._saved_tensors_hooks_enable()
        switches._push_saved_tensors_default_hooks(same, other)
        print(switches._top_saved_tensors_default_hooks(False) == (same, other))
        attempt(lambda: switches._saved_tensors_hooks_disable("too late"))
        switches._saved_tensors_hooks_enable()
        switches._pop_saved_tensors_default_hooks()
        attempt(lambda: switches._push_saved_tensors_default_hooks(3, 4))
        y = torch.ones(2, requires_grad=True).exp()
        print(isinstance(y.grad_fn._raw_saved_result, switches.SavedTensor))
        """
    )


def test_weak_references_and_tangents_switched_by_hand() -> None:
    agree_in_print(
        """
        x = torch.ones(2)
        reference = torch._C._WeakTensorRef(x)
        print(reference, reference.expired())
        del x
        print(reference.expired())
        torch._C._set_fwd_grad_enabled(False)
        print(torch._C._is_fwd_grad_enabled())
        attempt(lambda: torch._C._set_fwd_grad_enabled(1))
        torch._C._set_fwd_grad_enabled(True)
        print(torch.autograd.forward_ad._is_fwd_grad_enabled())
        """
    )


def test_a_custom_function_returns_its_input_of_a_subclass() -> None:
    agree_in_print(
        """
        class Same(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, constant):
                if constant:
                    ctx.mark_non_differentiable(one)
                return one

            @staticmethod
            def backward(ctx, gradient):
                return gradient, None

        class Wrapper(torch.Tensor):
            def __init__(self, data):
                super().__init__()
                self.inner = data

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print(func.__name__)
                inner = [one.inner if isinstance(one, cls) else one for one in args]
                return cls(func(*inner, **(kwargs or {})))

        class Derived(torch.Tensor):
            pass

        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(func.__name__, torch.is_grad_enabled())
                return func(*args, **(kwargs or {}))

        print(type(Same.apply(Wrapper(torch.ones(2)), False)).__name__)
        x = torch.ones(2, requires_grad=True)
        for one in (torch.ones(2), x, torch.ones(2).as_subclass(Derived), x.as_subclass(Derived)):
            for constant in (False, True):
                with Log():
                    y = Same.apply(one, constant)
                print(type(y).__name__, y.grad_fn, y.requires_grad, y._is_view())
            with torch.no_grad():
                print(type(Same.apply(one, False)).__name__)
        """
    )


def test_what_a_custom_function_saved_for_each_mode() -> None:
    agree_in_print(
        """
        import warnings

        forward_ad = torch.autograd.forward_ad
        warnings.simplefilter("ignore", DeprecationWarning)  # PyTorch warns itself once

        class Copy(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, backward, forward):
                if backward:
                    ctx.save_for_backward(one)
                if forward:
                    ctx.save_for_forward(one, one * 2)
                return one.clone()

            @staticmethod
            def jvp(ctx, tangent, *_):
                print(ctx.saved_tensors)
                return tangent

            @staticmethod
            def vjp(ctx, gradient):
                print(ctx.saved_tensors)
                return gradient, None, None

        for modes in ((True, False), (False, True), (True, True)):
            x = torch.tensor(1.0, requires_grad=True)
            with forward_ad.dual_level():
                y = Copy.apply(forward_ad.make_dual(x, torch.tensor(1.0)), *modes)
                y.backward()
        """
    )


def test_modes_and_types_switched_on_again() -> None:
    agree_in_print(
        """
        class Derived(torch.Tensor):
            pass

        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(func.__name__)
                return func(*args, **(kwargs or {}))

        x = Derived(torch.ones(2))

        def say():
            print(torch._C._is_torch_function_enabled(), torch._C._is_torch_function_all_disabled())
            print(torch._C._is_torch_function_mode_enabled(), type(torch.sum(x)).__name__)

        say()
        with torch._C.DisableTorchFunctionSubclass():
            say()
            enabled = torch._C._EnableTorchFunction()
            say()
            del enabled
            say()
        with Log():
            say()
            with torch._C.DisableTorchFunction():
                say()
                with torch.overrides._enable_torch_function():
                    say()
                say()
        for arguments in ((x,), [3], iter([x]), {x}, 3, object()):
            attempt(lambda: torch.overrides.has_torch_function(arguments))
        """
    )
