"""Every declared operation: gradients by finite differences, and everything else by PyTorch.

An operation is found through its declaration, and fails without an example. Examples are
expressions. The names in them stand for inputs: `x y z` of shapes that broadcast, `p` positive,
matrices `m` (a, b), `n` (b, c), `q` (a, a), stacks `k` (2, a, b) and `l` (2, b, c), a vector `v`
(b), and integers: `i` of shape (2,) and `j` (2, b) below a, `g` (a, 2) below b.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad
from minigrad.op import declarations
from minigrad.overrides import TorchFunctionMode
from tests.properties.programs import assert_same, derivatives, templates, transcript

EXAMPLES = templates("""
    x + y; x - y; x * y; x / y; 1 - x; 2 / x; -x; x.detach() // y.detach(); p ** 2.5; x ** 3; p ** y
    2 ** p; p.reciprocal(); x.square(); x.exp(); p.log(); p.log2(); p.log10()
    p.log1p(); p.sqrt(); x.sin(); x.cos(); (x / 5).tan()
    x.atan(); x.sinh(); x.cosh(); x.tanh(); x.sigmoid(); x.abs(); x.sign(); x.floor(); x.ceil()
    x.round(); x.trunc(); x.relu(); torch.maximum(x, y); torch.minimum(x, y)
    torch.where(x > 0, y, z); x.clamp(-1, 1); x.clamp(min=0); p.clip(max=0.5); x == y; x != y; x < y
    x <= y; x > y; x >= y; torch.logical_and(x, y); torch.logical_or(x, y); torch.logical_xor(x, y)
    torch.logical_not(x); (x > 0) & (y > 0); (x > 0) | (y > 0); ~(x > 0); (x > 0) ^ (y > 0)
    torch.isnan(x); torch.isinf(x); torch.isfinite(x / 0); F.leaky_relu(x); F.leaky_relu(x, 0.3)
    F.softplus(x); F.softplus(x, 2, 1); F.relu(x); x.sum(); x.sum(0); x.sum(-1, keepdim=True)
    x.mean(); x.mean(-1); x.mean(0, True); x.prod(); x.prod(-1); x.prod(0, keepdim=True); k.var()
    k.var(0); k.std(); k.std(0, keepdim=True); k.std(0, unbiased=False); torch.var_mean(m, 0)[0]
    m.var(0, correction=0); x.norm(); x.norm(1, -1); m.norm(3); x.norm(float('inf'), 0, True)
    p.max(); p.max(0)[0]; p.max(-1, True)[1]; p.min(); p.min(0)[0]; p.argmax(); p.argmin(0)
    p.argmax(-1, True); x.all(); (x > 0).any(0); (x > 0).all(-1, keepdim=True); x.cumsum(0)
    x.cumsum(-1); p.softmax(-1); p.log_softmax(0); x.sort(0)[0]; x.sort(-1, True)[1]; x.argsort(0)
    x.topk(1, 0)[0]; x.topk(1, -1, largest=False)[1]; x.detach().unique(); x.nonzero(); m @ n
    m[:0] @ n; m[:, :0] @ n[:0]; m[:0].sum(0); m @ v; v @ n; v @ v; k @ l; m.mm(n); m.mv(v)
    v.dot(v); k.bmm(l); k @ n; m @ l; k @ v; F.linear(m, m); F.linear(m, m, m.sum(1))
    x.expand(2, *x.shape); m.contiguous().view(-1); x.reshape(-1, 1); x.clone(); m.t(); x.flatten()
    x.unsqueeze(0); x.unsqueeze(-1); x.squeeze(); x.squeeze(0); x.transpose(0, -1); m.permute(1, 0)
    k.permute(1, 2, 0); x[0]; x[-1]; x[1:]; x[..., ::2]; x[None]; x[...]; m[:, 0]; m[0, :1]; m[i]
    m[:, g[0]]; m[i, None]; m[x.ndim > 9]; x[x > 0]; m[i, g[0]]; x.unbind(0)[0]
    torch.cat(x.unbind(-1)); m.split(1)[0]; torch.stack(m.chunk(2)[:1]); v.split([1, 1])[1]
    m.gather(0, j); m.gather(1, g); m.index_select(0, j[0]); m.select(1, 0); m.narrow(1, 0, 1)
    x.masked_fill(x > 0, 2.0); x.flip(0); x.roll(1); m.roll(1, 0); m.tril(); k.triu(1)
    F.pad(m, (0, 2), value=1.5); x.repeat(2, *x.shape); x.double(); x.float(); x.long()
    q.diagonal(); k.diagonal(-1, 2, -2); x.type_as(y); m.scatter(0, j, 2.0)
    m.scatter(0, j[:1], m.flip(0)[:1])
    m.scatter_add(0, j[1:], m[:1]); m.index_add(0, j[0], m[j[0]] * 2); torch.cat([x, x * 2])
    torch.cat([m, m], -1); torch.stack([x, x], -1); torch.stack(torch.meshgrid(v, v, indexing='ij'))
    F.mse_loss(m, m.flip(0)); F.mse_loss(x, y, reduction='none'); F.l1_loss(m, m.flip(0))
    F.smooth_l1_loss(m, m.flip(0)); F.binary_cross_entropy(m.sigmoid(), m.flip(0).sigmoid())
    F.binary_cross_entropy_with_logits(m, m.flip(0)); F.cross_entropy(m, g[:, 0])
    F.nll_loss(m, g[:, 0])
    F.nll_loss(m, g[:, 0], torch.linspace(1, 2, m.shape[1]).to(m), reduction='sum'); F.one_hot(j)
    F.binary_cross_entropy_with_logits(m, m.flip(0), pos_weight=torch.ones(1).to(m))
    F.dropout(x, 0.5, False); torch.normal(p, p * p) * 0; (p * 1).normal_() * 0
    (p * 1).uniform_() * 0; (p * 1).bernoulli_() * 0
    torch.bernoulli(p / 9) * 0; [w := x * 1, w.copy_(y[...]), w][-1]; [w := x * 1, w.fill_(2.0)][-1]
    [w := x * 1, w.zero_()][-1]; [w := p * 1, w.fill_(y.sum())][-1]
    [w := x * 1, w.__setitem__(0, 2.0), w][-1]; [w := p * 1, w.__setitem__(0, y.sum()), w][-1]
    [w := m * 1, w.__setitem__(i, m[:1]), w][-1]; [w := m * 1, w.__setitem__(m > 0, m.sum()), w][-1]
    [w := x * 1, w[None].mul_(2), w][-1]; [w := x * 1, u := w[None], w.mul_(y), u * u][-1]
    [w := m * 1, w.t()[0].exp_(), w][-1]
    [w := m * 1, u := w[:, 0], w[i].mul_(3), w[0].mul_(3), u][-1]
""")
# Those whose nodes aren't PyTorch's.
COMPOSED = templates("""
    x % y; x % 2; torch.add(x, y, alpha=3)
    x.sub(y, alpha=2); x.addcmul(y, z, value=2); x.addcdiv(y, p); torch.einsum('ij,jk->ik', m, n)
    torch.einsum('bij,j->bi', k, v); F.cross_entropy(m, m.softmax(1)); torch.normal(p, 2.0) * 0
    torch.normal(2.0, p) * 0
""")
# `x.exp()` in place: `(x * 1).exp_()`. minigrad refuses to record unsqueeze_.
METHOD = re.compile(r"^([xpm])\.(\w+)\(")
IN_PLACE = [
    METHOD.sub(r"(\1 * 1).\2_(", one)
    for one in EXAMPLES
    if (call := METHOD.match(one)) and hasattr(minigrad.Tensor, f"{call[2]}_")
    if call[2] != "unsqueeze"
]
FLOATS, INTEGERS = "xyzpmnqklv", "ijg"
DTYPES = st.sampled_from(("float64", "float32", "int64"))
BROADCAST = (
    ((2, 3), (2, 3), (2, 3)),
    ((2, 3), (3,), ()),
    ((2, 1), (1, 3), (3,)),
    ((), (), ()),
    ((), (2, 2), (1,)),
    ((3,), (), (2, 3)),
    ((2, 2, 3), (2, 1), (1, 3)),
    ((0, 3), (3,), ()),
)


@st.composite
def inputs(draw: st.DrawFn) -> list[str]:
    """Statements that make the inputs, of any dtypes, shapes and layouts."""
    shapes, sizes = draw(st.sampled_from(BROADCAST)), draw(st.tuples(*[st.integers(1, 3)] * 3))
    dtypes = {name: draw(DTYPES) if name in "xy" else "float32" for name in FLOATS}
    return statements(shapes, sizes, dtypes | {"mnqklv": draw(DTYPES)}, draw(st.booleans()))


def statements(
    shapes: tuple[Any, ...] = BROADCAST[0],
    sizes: tuple[int, int, int] = (3, 2, 4),
    dtypes: dict[str, str] | None = None,
    transposed: bool = False,
) -> list[str]:
    """A statement for each input. All elements of an input are different, and none is 0."""
    a, b, c = sizes
    matrices = {"m": (a, b), "n": (b, c), "q": (a, a), "k": (2, a, b), "l": (2, b, c), "v": (b,)}
    program = ["F = torch.nn.functional"]
    places = dict(zip("xyz", shapes, strict=True)) | {"p": shapes[1]} | matrices
    for number, (name, shape) in enumerate(places.items()):
        dtype = (dtypes or {}).get(name, "float64")
        numbers = [(5 + number) * k % 13 - 6 for k in range(int(np.prod(shape)))]
        if dtype.startswith("float"):
            numbers = [k / 4.1 + 0.06 + number / 90 for k in numbers]
        if name == "p":
            numbers = [abs(k) for k in numbers]
        made = f"torch.tensor({numbers}, dtype=torch.{dtype}).reshape({shape})"
        if transposed:
            dims = tuple(range(len(shape)))[::-1]
            made = made.replace(f"{shape})", f"{shape[::-1]}).permute({dims})")
        grad = ".requires_grad_()" if dtype.startswith("float") else ""
        program.append(f"{name} = {made}{grad}")
    program.append(f"i = torch.tensor([0, -1]) if {a} else torch.tensor([], dtype=torch.int64)")
    program.append(f"j = (torch.arange({2 * b}) % {max(a, 1)}).reshape(2, {b})")
    program.append(f"g = (torch.arange({2 * a}) % {max(b, 1)}).reshape({a}, 2)")
    return program


@pytest.mark.parity
@pytest.mark.parametrize("expression", [*EXAMPLES, *IN_PLACE])
@settings(max_examples=max(2, settings.default.max_examples // 25))
@given(inputs())
def test_an_operation_does_as_in_pytorch(pytorch: Any, expression: str, program: list[str]) -> None:
    assert_same(pytorch, [*program, f"r = {expression}", *derivatives(FLOATS)])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", [*EXAMPLES, *IN_PLACE, *COMPOSED])
def test_gradients_are_those_of_finite_differences(torch: Any, expression: str) -> None:
    code = compile(expression, expression, "eval")
    used = [name for name in FLOATS if name in code.co_names]
    for shapes in BROADCAST[1], BROADCAST[3], BROADCAST[7]:
        names: dict[str, Any] = {"torch": torch}
        exec("\n".join(statements(shapes, transposed=True)), names)
        leaves = [names[name] for name in used]

        def function(*tensors: Any, names: dict[str, Any] = names) -> Any:
            return eval(code, {**names, **dict(zip(used, tensors, strict=True))})

        try:
            result = function(*leaves)
        except (RuntimeError, IndexError):
            assert shapes is not BROADCAST[1], "works only for some shapes"
            continue
        if result.requires_grad and result.dtype is torch.float64:
            assert torch.autograd.gradcheck(function, leaves)
            assert torch.autograd.gradgradcheck(function, leaves)


# A derivative that isn't constant records the operations of the backward pass.
SQUARE = "r = r * r if r.requires_grad else r"


class Calls(TorchFunctionMode):
    """Notes which declared operations are called."""

    def __init__(self) -> None:
        super().__init__()
        self.declarations: set[Any] = set()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.declarations.add(getattr(func, "declaration", None))
        return func(*args, **(kwargs or {}))


# What no expression reaches: fresh zeros, which have an edge in PyTorch, too; the rows of an
# embedding (test_layers.py); and parameters of a distribution that are numbers.
NOT_REACHED = [
    ("IndexPutImplBackward0", "self"),
    ("MaskedFillBackward1", "self"),
    ("embedding", "EmbeddingBackward0"),
    ("EmbeddingBackward0", "weight"),
    ("NormalBackward1", "std"),
    ("NormalBackward2", "mean"),
]


def test_every_declared_operation_has_an_example() -> None:
    for declaration in declarations:
        declaration.plans.clear()
    with Calls() as calls:
        for expression in [*EXAMPLES, *IN_PLACE, *COMPOSED]:
            program = [*statements(), f"r = {expression}", SQUARE, *derivatives(FLOATS)]
            result = transcript(minigrad, program)[len(statements())]
            assert result == f"r = {expression}  # ", "the example itself fails"
    missing = []
    for declaration in declarations:
        name, masks = declaration.node_class.__name__, list(declaration.plans)
        if not masks and declaration not in calls.declarations:
            missing.append((declaration.name, name))
        for number, parameter in enumerate(declaration.formulas):
            if not any(mask[number] for mask in masks):
                missing.append((name, parameter))
    new = sorted({*missing} - {*NOT_REACHED})
    assert not new, f"add an expression to EXAMPLES, or to COMPOSED, that reaches {new}"
    assert sorted(missing) == sorted(NOT_REACHED)
