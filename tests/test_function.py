"""autograd.Function: each test runs on minigrad and on PyTorch."""

import gc
import weakref

import pytest


def make(torch, forward, backward=None, setup_context=None):
    """A Function of plain functions."""
    methods = {"forward": forward, "backward": backward, "setup_context": setup_context}
    static = {name: staticmethod(method) for name, method in methods.items() if method}
    return type("My", (torch.autograd.Function,), static)


def leaf(torch, *values):
    return torch.tensor(values, requires_grad=True)


@pytest.fixture(scope="module")
def mul(torch):
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad * b, grad * a

    return make(torch, forward, backward)


def test_gradients_and_the_node(torch, mul):
    a, b = leaf(torch, 2.0), leaf(torch, 5.0)
    y = mul.apply(a, b)
    y.backward()
    assert (a.grad.item(), b.grad.item()) == (5.0, 2.0)
    assert repr(y) == "tensor([10.], grad_fn=<MyBackward>)"
    assert y.grad_fn.name() == type(y.grad_fn).__name__ == "MyBackward"
    assert [node.name() for node, _ in y.grad_fn.next_functions] == [
        "torch::autograd::AccumulateGrad"
    ] * 2


def test_second_derivative_through_saved_inputs_and_outputs(torch, mul):
    def forward(ctx, x):
        ctx.save_for_backward(y := x.exp())
        return y

    exp = make(torch, forward, lambda ctx, grad: grad * ctx.saved_tensors[0])
    x = leaf(torch, 1.0)
    y = exp.apply(mul.apply(x, x))
    assert y.grad_fn.saved_tensors[0].grad_fn is y.grad_fn
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first / y, second / y) == (2.0, 6.0)


def test_ctx_is_the_node_and_each_call_has_its_own(torch):
    seen = []

    def forward(ctx, x, factor):
        ctx.factor = factor
        seen.append(ctx)
        return x * factor

    def backward(ctx, grad):
        seen.append(ctx)
        return grad * ctx.factor, None

    scale = make(torch, forward, backward)
    x = leaf(torch, 1.0)
    y, z = scale.apply(x, 2), scale.apply(x, 3)
    (y + z).backward()
    assert seen[0] is seen[3] is y.grad_fn
    assert seen[1] is seen[2] is z.grad_fn
    assert (y.grad_fn.factor, x.grad.item()) == (2, 5.0)


def test_setup_context_gets_inputs_with_defaults_and_the_output(torch):
    def setup_context(ctx, inputs, output):
        ctx.inputs, ctx.output_value = inputs[1:], output.item()

    power = make(
        torch,
        lambda x, exponent=2, shift=0.0: x**exponent,
        lambda ctx, grad: (grad * ctx.inputs[0], None, None),
        setup_context,
    )
    x = leaf(torch, 3.0)
    y = power.apply(x)
    y.backward()
    assert (y.grad_fn.inputs, y.grad_fn.output_value, x.grad.item()) == ((2, 0.0), 9.0, 2.0)
    assert power.apply(x, exponent=3).grad_fn.inputs == (3, 0.0)


def test_only_tensor_arguments_have_edges(torch):
    log = []

    def forward(ctx, scale, x, weights, y):
        log.append(ctx.needs_input_grad)
        return x * weights[0] * scale * y

    fn = make(torch, forward, lambda ctx, grad: (None, grad, None, grad))
    x = leaf(torch, 2.0)
    out = fn.apply(3, x, [leaf(torch, 5.0)], y=torch.ones(1))
    assert log == [(False, True, False, False)]
    assert [node is not None for node, _ in out.grad_fn.next_functions] == [True, False]
    out.backward()
    assert x.grad.item() == 1.0


def test_forward_is_not_recorded_and_backward_only_under_create_graph(torch):
    modes = []

    def note(ctx, value):
        modes.append(torch.is_grad_enabled())
        return value * 2

    fn, x = make(torch, note, note), leaf(torch, 1.0)
    fn.apply(x).backward()
    torch.autograd.grad(fn.apply(x), x, create_graph=True)
    with torch.no_grad():
        assert fn.apply(x).grad_fn is None
    assert modes == [False, False, False, True, False]


@pytest.mark.parametrize("materialize", [True, False])
def test_missing_gradients_are_zeros_or_none(torch, materialize):
    log = []

    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        outputs = x * 2, x * 3, x * 4, x.long(), "text", None
        ctx.mark_non_differentiable(outputs[2])
        return outputs

    def backward(ctx, *grads):
        log.extend(None if g is None else g.item() for g in grads)
        return grads[0]

    y, z, mask, index, *others = make(torch, forward, backward).apply(leaf(torch, 1.0))
    assert (z.requires_grad, mask.requires_grad, index.requires_grad) == (True, False, False)
    assert others == ["text", None]
    y.backward()
    assert log == ([1.0, 0.0, 0.0, 0] if materialize else [1.0, None, None, None]) + [None, None]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda g: g, r"MyBackward returned an incorrect number of gradients .expected 2, got 1"),
        (lambda g: [g, g], r"an incorrect number of gradients .expected 2, got 1"),
        (lambda g: (g, None, g), r"an incorrect number of gradients .expected 2, got 3"),
        (lambda g: (3.0, None), r"expected Variable or None .got float"),
        (lambda g: (g, g), "function MyBackward returned a gradient different than None at pos"),
        (
            lambda g: (g[:1], None),
            r"^Function MyBackward returned an invalid gradient at index 0 - "
            r"got \[1\] but expected shape compatible with \[3\]$",
        ),
    ],
)
def test_wrong_results_of_backward(torch, result, message):
    fn = make(torch, lambda ctx, x, k: x * k, lambda ctx, grad: result(grad))
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match=message):
        fn.apply(x, 2).sum().backward()
    assert x.grad is None


def test_wrong_use_of_ctx(torch):
    x = leaf(torch, 1.0)
    with pytest.raises(TypeError, match="only save variables, but argument 1 is of type int"):
        make(torch, lambda ctx, x: ctx.save_for_backward(x, 3)).apply(x)
    with pytest.raises(RuntimeError, match="marked as dirty during the forward method were not"):
        make(torch, lambda ctx, x: ctx.mark_dirty(x)).apply(x * 1)


def test_missing_methods_and_instances(torch):
    x = leaf(torch, 1.0)
    with pytest.raises(NotImplementedError, match="You must implement the forward function"):
        make(torch, None).apply(x)
    y = make(torch, lambda ctx, x: x * 2).apply(x)
    with pytest.raises(NotImplementedError, match="You must implement either the backward"):
        y.backward()
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        instance = make(torch, lambda ctx, x: x)()
    with pytest.raises(RuntimeError, match="Legacy autograd function"):
        instance(x)


def test_saved_tensors_are_checked_and_freed(torch, mul):
    x = leaf(torch, 2.0)
    changed = x * 1
    product = mul.apply(changed, x)
    changed.add_(1)
    with pytest.raises(RuntimeError, match="output 0 of Add, is at version 1; expected version 0"):
        product.backward()
    product = mul.apply(x, x)
    product.backward()
    for use in (product.backward, lambda: product.grad_fn.saved_tensors):
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            use()


def test_nothing_is_kept_until_the_function_is_recorded(torch):
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        seen.append(ctx)
        return x * len(ctx.saved_tensors)

    x = leaf(torch, 2.0)
    assert make(torch, forward).apply(x).item() == 0.0
    make(torch, forward).apply(x.detach())
    assert [len(ctx.saved_tensors) for ctx in seen] == [1, 0]


def test_a_changed_view_is_saved_as_an_output(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        ctx.save_for_backward(x.mul_(2))
        return x

    def backward(ctx, grad):
        assert ctx.saved_tensors[0].grad_fn is ctx
        return grad * 2

    x = torch.ones(2, requires_grad=True)
    make(torch, forward, backward).apply((x * 3)[:1]).backward()
    assert x.grad.tolist() == [6.0, 0.0]


def test_inputs_changed_in_place(torch):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    double = make(torch, forward, lambda ctx, grad: grad * 2)
    x = torch.ones(4, requires_grad=True)
    y = x.clone()
    assert double.apply(y) is y
    assert (y.grad_fn.name(), y._version) == ("MyBackward", 2)
    double.apply(y[:2])
    assert y.grad_fn.name() == "torch::autograd::CopySlices"
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 4.0, 2.0, 2.0]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        double.apply(x)


def test_inputs_returned_unchanged_become_views(torch):
    identity = make(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = leaf(torch, 1.0)
    y = identity.apply(x)
    y.backward()
    assert (y is x, y.data_ptr() == x.data_ptr(), x.grad.item()) == (False, True, 5.0)
    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        identity.apply(x * 1).add_(1)


def test_views_returned_by_forward_must_not_change(torch):
    halves = make(torch, lambda ctx, x: (x[:1], x[1:]), lambda ctx, a, b: torch.cat([a, b]))
    first = make(torch, lambda ctx, x: x[:1], lambda ctx, grad: torch.cat([grad, grad]))
    x = torch.ones(2, requires_grad=True)
    (halves.apply(x)[0] * 3).backward()
    assert x.grad.tolist() == [3.0, 0.0]
    with pytest.raises(RuntimeError, match=r"Output 1 of My is a view.*returns multiple views"):
        halves.apply(x * 1)[1].add_(1)
    base = x * 1
    view = first.apply(base)
    base.mul_(2)
    with pytest.raises(RuntimeError, match="its base or another view of its base has been mod"):
        view.grad_fn  # noqa: B018


def test_once_differentiable(torch):
    def backward(ctx, grad):
        assert not torch.is_grad_enabled()
        return grad * 2

    fn = make(torch, lambda ctx, x: x * 2, torch.autograd.function.once_differentiable(backward))
    x, v = leaf(torch, 1.0), leaf(torch, 1.0)
    (grad,) = torch.autograd.grad(fn.apply(x), x, v, create_graph=True)
    assert (grad.item(), grad.grad_fn.name()) == (2.0, "torch::autograd::Error")
    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        grad.backward()


def test_no_reference_cycles(torch):
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    fn = make(torch, forward, lambda ctx, grad: grad * ctx.saved_tensors[1])
    x = leaf(torch, 1.0)
    gc.collect()
    gc.disable()
    try:
        for use in (lambda y: None, lambda y: y.backward()):
            y = fn.apply(x)
            marker = y.grad_fn.metadata["marker"] = type("Marker", (), {})()
            died = weakref.ref(marker)
            use(y)
            del y, marker
            assert died() is None
    finally:
        gc.enable()


def test_only_inputs_are_to_be_marked_as_dirty(torch, recwarn):
    def forward(ctx, x):
        ctx.mark_dirty(y := x * 2)
        return y

    double = make(torch, forward, lambda ctx, grad: grad * 2)
    double.apply(torch.ones(1))
    assert not recwarn.list
    with pytest.warns(UserWarning, match="mark_dirty.. received a tensor that was not an input"):
        double.apply(leaf(torch, 1.0)).backward()
