"""Programs with a backward pass in them, of every kind that a recording has to leave alone."""

import warnings
from types import SimpleNamespace

from minigrad.viz.backward.recording import BackwardRecorder
from minigrad.viz.read.protocol import is_tensor


def diamond(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    b = x * y
    c = b + x
    loss = c * b
    return SimpleNamespace(leaves=[x, y], roots=[loss], run=loss.backward, names=locals())


def accumulated(torch):
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    (w * 3).sum().backward()
    loss = (w * w).sum()
    return SimpleNamespace(leaves=[w], roots=[loss], run=loss.backward, names=locals())


def matrices(torch):
    x = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
    w = torch.tensor([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]], requires_grad=True)
    b = torch.tensor([0.01, 0.02], requires_grad=True)
    hidden = torch.tanh(x @ w + b)
    loss = (hidden**2).mean()
    return SimpleNamespace(leaves=[w, b], roots=[loss], run=loss.backward, names=locals())


def vector(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * x
    v = torch.tensor([0.1, 1.0, 0.01])
    return SimpleNamespace(
        leaves=[x], roots=[y], gradients=[v], run=lambda: y.backward(v), names=locals()
    )


def non_scalar(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * x
    return SimpleNamespace(leaves=[x], roots=[y], run=y.backward, names=locals())


def freed(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    z = y + 1
    z.backward()
    return SimpleNamespace(leaves=[x], roots=[z], run=z.backward, names=locals())


def retained_graph(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x.exp()
    y.retain_grad()
    z = y * y
    return SimpleNamespace(
        leaves=[x, y], roots=[z], run=lambda: z.backward(retain_graph=True), names=locals()
    )


def only_some_inputs(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)
    b = x * y
    z = b.exp() + y
    return SimpleNamespace(
        leaves=[x, y], roots=[z], run=lambda: z.backward(inputs=[x]), names=locals()
    )


def several_roots(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    s = x.sum()
    p = (x * x).sum()
    q = p * s
    return SimpleNamespace(
        leaves=[x], roots=[q, s], run=lambda: torch.autograd.backward([q, s]), names=locals()
    )


def several_outputs(torch):
    x = torch.tensor([[1.0, 4.0], [3.0, 2.0]], requires_grad=True)
    first, second = x.unbind(0)
    top, _ = x.max(0)
    loss = (first * second + top).sum()
    return SimpleNamespace(leaves=[x], roots=[loss], run=loss.backward, names=locals())


def own_function(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = double(torch).apply(x)
    z = y * y
    return SimpleNamespace(leaves=[x], roots=[z], run=z.backward, names=locals())


def failing_function(torch):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            raise ArithmeticError("no gradient today")

    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    z = Fails.apply(y) * 2
    return SimpleNamespace(leaves=[x], roots=[z], run=z.backward, names=locals())


def hooks(torch):
    log = []
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y * y
    x.register_hook(lambda g: log.append(f"x {g.item()}"))
    y.register_hook(lambda g: g * 10)
    z.grad_fn.register_prehook(lambda gs: log.append(f"z before {gs[0].item()}"))
    z.grad_fn.register_hook(lambda gs, _: log.append(f"z after {gs[0].item()}"))
    x.register_post_accumulate_grad_hook(lambda leaf: log.append(f"stored {leaf.grad.item()}"))
    return SimpleNamespace(leaves=[x], roots=[z], run=z.backward, log=log, names=locals())


def higher_order(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    return SimpleNamespace(
        leaves=[x], roots=[y], run=lambda: y.backward(create_graph=True), names=locals()
    )


def modified_in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.mul_(2)
    return SimpleNamespace(leaves=[x], roots=[z], run=z.backward, names=locals())


PROGRAMS = [one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__]


def double(torch):
    """A Function of one's own that keeps its input, and a number."""

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, torch.tensor(2.0))
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * ctx.saved_tensors[1]

    return Double


def named(program):
    return [(name, thing) for name, thing in program.names.items() if is_tensor(thing)]


def recorder_of(program):
    return BackwardRecorder(program.roots, getattr(program, "gradients", None), named(program))


def record(program):
    """The recording of a program's pass, and the exception that ended it."""
    recorder = recorder_of(program)
    error = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # create_graph warns
        try:
            with recorder:
                program.run()
        except Exception as caught:
            error = caught
    return recorder.recording, error


def recording_of(root, **names):
    """The recording of ``root.backward()``; names: of the tensors."""
    with BackwardRecorder([root], named=list(names.items())) as recorder:
        root.backward()
    return recorder.recording
