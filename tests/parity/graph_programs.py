"""Random programs about the graph: statements of text, and all that is to be seen after each.

Tensors, their views and changes in place, functions of one's own, hooks, modes and walks are drawn
in any order; most programs do something that is refused, which they note and pass over.
"""

from __future__ import annotations

import io
import re
import string
import warnings
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

from hypothesis import strategies as st

NAMES = "abcdef"
START = (
    "a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)",
    "b = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, -2.0]], requires_grad=True)",
    "c = a * 2",
    "d = torch.tensor([1.0, 2.0, 3.0])",
    "e = c.view(3, 2)",
    "f = (a * b).sum()",
)
# $x, $y and $z are tensors of any names, by which a statement may have the same one twice.
RESULTS = (
    "$x.exp()", "$x * 2", "$x.clone()", "$x.sum()", "$x.sum(0)", "$x.mean()", "$x.relu()",
    "$x.max(0)[0]", "$x.max()", "$x.cumsum(0)", "$x.softmax(0)", "$x.sqrt()", "$x.pow(2)",
    "$x ** $y", "$x / $y", "$x @ $y", "$x + $y", "$x - $y", "$x * $y", "$x.norm()", "$x.prod()",
    "$x.std()", "$x.abs()", "$x.clamp(0, 2)", "$x.lerp($y, 0.5)", "torch.stack([$x, $y])",
    "torch.cat([$x, $y])", "torch.where($x > 0, $x, $y)", "$x.masked_fill($x > 1, 0.0)",
    "$x.index_select(0, torch.tensor([0]))", "$x[torch.tensor([0, 0])]", "$x[$x > 0]",
    "$x.double()", "$x.float()", "$x.contiguous()", "torch.zeros_like($x)", "$x.new_ones(2)",
    "torch.ones(2, 3, requires_grad=True)", "torch.nn.Parameter($x)", "copy.deepcopy($x)",
    "checkpoint(lambda z: z.exp() * 2, $x, use_reentrant=False)",
)  # fmt: skip
VIEWS = (
    "$x.t()", "$x.view(-1)", "$x[0]", "$x[..., 0]", "$x[:1]", "$x.detach()", "$x.unsqueeze(0)",
    "$x.squeeze()", "$x.expand(2, 3)", "$x.transpose(0, -1)", "$x.data", "$x.reshape(-1)",
    "$x.split(1)[0]", "$x.split(1)[-1]", "$x.unbind(0)[0]", "$x.chunk(2)[1]", "$x.diagonal()",
    "$x.flatten()", "$x.view_as($y)", "$x.narrow(0, 0, 1)", "$x.select(0, -1)", "$x._base",
    "$x.detach().requires_grad_()", "torch.no_grad()(lambda: $x.view(-1))()",
    "torch.no_grad()(lambda: $x[0])()", "$x.as_strided((2,), (1,))", "$x.mT", "$x.expand_as($y)",
)  # fmt: skip
CUSTOM = (
    "Double.apply($x)", "Product.apply($x, $y)", "Tripled.apply($x)", "Pair.apply($x)[0]",
    "Pair.apply($x)[1]", "Same.apply($x)", "Flat.apply($x)", "Partly.apply($x, $y)",
    "Row.apply($x)[0]", "Row.apply($x)[1]", "Kept.apply($x)", "Swapped.apply($x, $y)[0]",
    "Swapped.apply($x, $y)[1]",
)  # fmt: skip
CHANGES = (
    "$x.mul_(2)", "$x.add_($y)", "$x.exp_()", "$x.zero_()", "$x.copy_($y * 1)", "$x.fill_(1.0)",
    "$x[0] = 1.0", "$x[0] = $y", "$x[..., 0] *= 2", "$x += 1", "$x *= $y", "$x.data.mul_(2)",
    "$x.detach_()", "$x.requires_grad_()", "$x.requires_grad_(False)", "$x.requires_grad = True",
    "$x.requires_grad = False", "$x.sigmoid_()", "$x.t_()", "$x.unsqueeze_(0)", "$x.squeeze_()",
    "$x.masked_fill_($x > 1, 0.0)", "$x.data = $y.clone()", "$x.data = torch.ones(2, 3)",
    "$x.index_fill_(0, torch.tensor([0]), 3.0)", "$x.view(-1).mul_(2)", "$x.detach().mul_(3)",
    "$x[torch.tensor([0])] = 2.0", "$x[$x > 0] = 0.0", "$x.T.mul_(2)", "torch.relu_($x)",
    "$x.addcmul_($y, $z)", "$x.div_(2)", "$x.sub_($y)", "$x.pow_(2)", "$x.transpose_(0, 1)",
)  # fmt: skip
GRADIENTS = (
    "$x.grad = None", "$x.grad = $y.clone()", "$x.grad = torch.ones(2, 3)", "$x.grad.zero_()",
    "$x.retain_grad()", "$x = $y.grad",
)  # fmt: skip
WALKS = (
    "$x.sum().backward()", "$x.backward()", "$x.sum().backward(retain_graph=True)",
    "$x.backward(torch.ones_like($y))", "$x.sum().backward(inputs=[$y])",
    "$x.sum().backward(create_graph=True)", "torch.autograd.backward([$x.sum(), $y.sum()])",
    "print(torch.autograd.grad($x.sum(), [$y, $z], allow_unused=True))",
    "print(torch.autograd.grad($x.sum(), $y, retain_graph=True))",
    "print(torch.autograd.grad($x.sum(), $y, create_graph=True, allow_unused=True))",
    "print(torch.autograd.grad($x, $y, torch.ones(2, 3), allow_unused=True,"
    " materialize_grads=True))",
)  # fmt: skip
HOOKS = (
    "$x.register_hook(lambda g: print('tensor', g))", "$x.register_hook(lambda g: g * 2)",
    "$x.register_hook(lambda g: g.mul_(2) and None)",
    "$x.register_post_accumulate_grad_hook(lambda p: print('leaf', p.grad))",
    "$x.grad_fn.register_hook(lambda i, o: print('node', i, o))",
    "$x.grad_fn.register_prehook(lambda o: print('before', o))",
    "$x.grad_fn.register_hook(lambda i, o: tuple(None if g is None else g * 2 for g in i))",
    "$x.grad_fn.next_functions[0][0].register_hook(lambda i, o: print('below', i, o))",
    "$x.grad_fn.next_functions[0][0].register_prehook(lambda o: print('before it', o))",
    "$x.grad_fn._raw_saved_self.register_hooks(lambda t: t * 1, lambda t: (print(t), t)[1])",
    "$x.register_hook(lambda g: print(g.requires_grad, torch.is_grad_enabled()))",
    "torch.autograd.graph.register_multi_grad_hook([$x, $y], lambda g: print('several', g))",
    "torch.autograd.graph.register_multi_grad_hook([$x, $y], lambda g: print(g), mode='any')",
    "print($x.grad_fn._saved_self)", "print($x.grad_fn._saved_result)",
    "print($x.grad_fn.saved_tensors)",
    "print(torch.autograd.graph.get_gradient_edge($x).output_nr)",
)  # fmt: skip
MODES = (
    "torch.no_grad()", "torch.enable_grad()", "torch.autograd.graph.save_on_cpu()",
    "torch.autograd.graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t)",
    "torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t + 0)",
    "torch.autograd.graph.disable_saved_tensors_hooks('none here')",
    "torch.autograd.graph.allow_mutation_on_saved_tensors()", "torch.set_grad_enabled(False)",
)  # fmt: skip
FUNCTIONS = """
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2
    @staticmethod
    def backward(ctx, g):
        ctx.saved_tensors
        return g * 2
class Product(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        return x * y
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
    @staticmethod
    def backward(ctx, g):
        x, y, _ = ctx.saved_tensors
        return g * y if ctx.needs_input_grad[0] else None, g * x
class Tripled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(3)
    @staticmethod
    def backward(ctx, g):
        return g * 3
class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        positive = x.detach() > 0
        ctx.mark_non_differentiable(positive)
        ctx.set_materialize_grads(False)
        return x.exp(), positive
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g, none):
        print("pair", g is None, none)
        return None if g is None else g * 5
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 7
class Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)
    @staticmethod
    def backward(ctx, g):
        return g.view(2, 3)
class Row(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[0], x * 2
    @staticmethod
    def backward(ctx, g, h):
        result = h * 2
        result[0] += g
        return result
class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        z = y * 2
        ctx.save_for_backward(y, z, x)
        ctx.mark_non_differentiable(z)
        return y
    @staticmethod
    def backward(ctx, g):
        y, z, x = ctx.saved_tensors
        return g * (y + z)
class Swapped(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        x.mul_(2)
        return y, x
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])
        ctx.set_materialize_grads(False)
    @staticmethod
    def backward(ctx, g, h):
        print("swapped", g is None, h is None)
        return None if h is None else h * 2, g
class Partly(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y
    @staticmethod
    def backward(ctx, g):
        return None, g
"""
ADDRESS = re.compile(r"0x[0-9a-f]+")
TRIGGERED = re.compile(r" \(Triggered internally at .*?\)", re.DOTALL)


@st.composite
def programs(draw: Any) -> tuple[str, ...]:
    """Draw a program: statements that make or change some tensors, or look at them."""

    def filled(templates: tuple[str, ...]) -> str:
        names = {one: draw(st.sampled_from(NAMES)) for one in "xyz"}
        return string.Template(draw(st.sampled_from(templates))).substitute(names)

    def made() -> str:
        kinds = st.sampled_from((RESULTS, VIEWS, VIEWS, CUSTOM))
        return f"{draw(st.sampled_from(NAMES))} = {filled(draw(kinds))}"

    lines = list(START)
    for _ in range(draw(st.integers(2, 12))):
        kind = draw(st.sampled_from("rrrrcccgwwhhm"))
        if kind == "r":
            lines.append(made())
        elif kind == "m":
            lines.append(f"with {filled(MODES)}: {made()}")
        else:
            chosen = {"c": CHANGES, "g": GRADIENTS, "w": WALKS, "h": HOOKS}[kind]
            lines.append(filled(chosen))
    return tuple(lines)


def shown(engine: Any, program: tuple[str, ...]) -> list[Any]:
    """Return for each statement its text, errors, output and warnings, and what tensors are."""
    checkpoint = import_module(f"{engine.__name__}.utils.checkpoint").checkpoint
    names = {"torch": engine, "copy": import_module("copy"), "checkpoint": checkpoint}
    exec(FUNCTIONS, names)
    found = []
    for line in program:
        output, raised = io.StringIO(), ""
        with warnings.catch_warnings(record=True) as caught, redirect_stdout(output):
            warnings.simplefilter("always")
            try:
                exec(line, names)
            except Exception as error:
                raised = f"{type(error).__name__}: {error}"
            tensors = [described(engine, names, name) for name in NAMES if name in names]
        warned = [TRIGGERED.sub("", str(one.message)) for one in caught]
        told = [ADDRESS.sub("0x", one) for one in (raised, output.getvalue(), *warned)]
        found.append((line, *told, *tensors))
    return found


def described(engine: Any, names: dict[str, Any], name: str) -> tuple[str, ...]:
    """Return what is to be seen of a tensor: the same on both engines."""
    tensor = names[name]
    if not isinstance(tensor, engine.Tensor):
        return name, repr(tensor)
    looks = {
        "elements": lambda: tensor,
        "flags": lambda: (tensor.requires_grad, tensor.is_leaf, tensor.retains_grad),
        "version": lambda: tensor._version,
        "base": lambda: [one for one in NAMES if names.get(one) is tensor._base],
        "output": lambda: tensor.output_nr,
        "history": lambda: history(tensor.grad_fn),
        "gradient": lambda: tensor.grad,
    }
    return (name, *[f"{what}: {attempt(look)}" for what, look in looks.items()])


def attempt(look: Any) -> str:
    """Return what a look shows, or why it does not."""
    try:
        return ADDRESS.sub("0x", repr(look()))
    except RuntimeError as error:
        return str(error)


def history(node: Any, depth: int = 3) -> str:
    """Return the names of a node and of those below it."""
    if node is None or not depth:
        return "..." if node else "-"
    below = [f"{history(one, depth - 1)}:{number}" for one, number in node.next_functions]
    return f"{node.name()}({', '.join(below)})"
