"""autograd.graph and autograd's names: saved-tensor hooks, gradient edges, multi-grad hooks."""

import gc
import threading
import weakref

import pytest

import minigrad


@pytest.fixture(scope="module")
def graph(torch):
    return torch.autograd.graph


@pytest.fixture
def x(torch):
    return torch.tensor([2.0], requires_grad=True)


def test_saved_tensors_are_packed_and_unpacked(torch, graph, x):
    log = []

    def pack(tensor):
        log.append(tensor.item())
        return tensor.item()

    def unpack(value):
        log.append("unpack")
        return torch.tensor([value * 10])

    with graph.saved_tensors_hooks(pack, unpack):
        y = x * x
        z = y.exp() + 3
    assert log == [2.0, 2.0, y.exp().item()]
    assert y.grad_fn._saved_self.item() == 20.0
    y.backward()
    assert (log[3:], x.grad.item()) == (["unpack"] * 3, 40.0)
    assert z.grad_fn is not None


@pytest.mark.parametrize("name", ["square", "sum", "cumsum", "prod", "norm", "std", "softmax"])
def test_what_is_packed_is_unpacked_after_the_block(torch, graph, name):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    args = (0,) if name in ("cumsum", "softmax") else ()
    with graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
        y = getattr(x, name)(*args)
    packed = torch.autograd.grad(y.sum(), x)[0]
    assert packed.tolist() == torch.autograd.grad(getattr(x, name)(*args).sum(), x)[0].tolist()


def test_the_innermost_hooks_apply_in_their_own_thread(torch, graph, x):
    log = []

    def hooks(name):
        return graph.saved_tensors_hooks(lambda t: (log.append(name), t)[1], lambda t: t)

    with hooks("outer"):
        with hooks("inner"):
            x.exp()
        thread = threading.Thread(target=x.exp)
        thread.start()
        thread.join()
        x.sin()
    x.sin()
    assert log == ["inner", "outer"]


def test_custom_functions_use_the_hooks(torch, graph, x):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, y := x.exp())
            return y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            assert y.grad_fn is ctx
            return grad * x

    with graph.saved_tensors_hooks(lambda t: t.item(), lambda value: torch.tensor([value * 10])):
        y = Exp.apply(x)
    y.backward()
    assert x.grad.item() == 20.0


def test_hooks_that_fail(torch, graph, x):
    with (
        pytest.raises(RuntimeError, match="pack hook is modifying its input in place"),
        graph.saved_tensors_hooks(lambda t: t.mul_(2), lambda t: t),
    ):
        x.exp()
    with graph.saved_tensors_hooks(lambda t: t, lambda t: 3):
        y = x.exp()
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got result of t"):
        y.backward()


def test_gradient_edges_stand_for_tensors(torch, graph, x):
    y = x * 3
    edge, leaf_edge = graph.get_gradient_edge(y), graph.get_gradient_edge(x)
    assert (edge.node is y.grad_fn, edge.output_nr) == (True, 0)
    assert leaf_edge.node.name() == "torch::autograd::AccumulateGrad"
    z = y * y
    grads = torch.autograd.grad(z, [edge, leaf_edge, x], retain_graph=True)
    assert [grad.item() for grad in grads] == [12.0, 36.0, 36.0]
    torch.autograd.backward(graph.get_gradient_edge(z), torch.ones(1), inputs=[leaf_edge])
    assert x.grad.item() == 36.0
    assert isinstance(edge.node, graph.Node)
    with pytest.raises(RuntimeError, match="not possible to get the gradient edge"):
        graph.get_gradient_edge(torch.ones(1))


def test_increment_version_counts_as_a_change(torch, graph, x):
    y = x * 1
    z = y * y
    graph.increment_version([y, y])
    assert y._version == 2
    with pytest.raises(RuntimeError, match="is at version 2; expected version 0"):
        z.backward()


def test_multi_grad_hook_waits_for_the_gradients_of_the_pass(torch, graph, x):
    y, unused = x * 3, torch.ones(1, requires_grad=True)
    z = y * 2
    calls = []
    handle = graph.register_multi_grad_hook(
        [x, unused, y], lambda grads: calls.append([g and g.item() for g in grads])
    )
    z.backward(retain_graph=True)
    z.sum().backward(inputs=[y], retain_graph=True)
    (unused * 5).backward()
    handle.remove()
    z.backward()
    assert calls == [[6.0, None, 2.0], [None, None, 2.0], [None, 5.0, None]]


def test_multi_grad_hook_any_runs_once_a_pass(torch, graph, x):
    other, fixed = torch.tensor([5.0], requires_grad=True), torch.ones(1)
    calls = []
    graph.register_multi_grad_hook([x, other, fixed], calls.append, mode="any")
    for _ in range(2):
        (x * other).backward()
    assert len(calls) == 2
    with pytest.raises(ValueError, match="Expects mode to be one of"):
        graph.register_multi_grad_hook([x], calls.append, mode="some")


def test_multi_grad_hook_keeps_passes_apart(torch, graph):
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    calls = []
    graph.register_multi_grad_hook([a, b], lambda grads: calls.append(len(grads)))
    broken = a.clone()
    broken.register_hook(lambda grad: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        (b + broken).backward()
    threads = [threading.Thread(target=lambda: (a * b).backward()) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [2] * 4


def test_variable_is_a_new_leaf_of_the_same_memory(torch):
    Variable = torch.autograd.Variable
    data = torch.ones(2)
    x = Variable(data, requires_grad=True)
    assert (x is data, x.requires_grad, data.requires_grad) == (False, True, False)
    assert x.data_ptr() == data.data_ptr()
    assert not Variable(x).requires_grad
    assert isinstance(data, Variable)
    assert not isinstance(3, Variable)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got list"):
        Variable([1.0])


def test_packed_outputs_do_not_keep_their_nodes_alive():
    x = minigrad.ones(2, requires_grad=True)
    gc.collect()
    gc.disable()
    try:
        with minigrad.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            node = weakref.ref(x.exp().grad_fn)
        assert node() is None
    finally:
        gc.enable()
