"""Forward mode does on minigrad what it does on PyTorch.

Tangents are compared of calls that nobody wrote, of all operations, with tangents for some inputs;
then what programs print that were written for what is particular.
"""

from __future__ import annotations

import importlib
import random
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.ops.examples import Drawn
from tests.parity.compare import Array
from tests.parity.expressions import lines
from tests.parity.printed import agree_in_print
from tests.parity.programs import Operation, operations
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

SEEDS = range(3)
# Calls whose tangents differ, and why.
EXCUSED = {
    r"index_reduce|scatter_reduce": "PyTorch has no formula, or none for products",
    r"slogdet": "PyTorch's sign has a tangent of zeros that numpy does not get",
    r"cholesky": "of matrices that are not symmetric, in directions that are not either",
    r"F.batch_norm": "PyTorch refuses tangents of running statistics",
    r"F.binary_cross_entropy": "PyTorch's formula fails where all arguments have tangents",
    r"logical_\w+_\(": "PyTorch leaves the tangent as it was",
    r"fill_?\(": "PyTorch's own assertion fails where an integer gets a tangent",
    r"copysign|nextafter": "PyTorch gives no tangent to a result without elements",
    r"lerp": "weights of bool; in place by itself",
    r"dist\(": "its formula refuses the power 0",
}


@pytest.fixture(autouse=True, scope="module")
def loaded() -> Iterator[None]:
    """What PyTorch loads for its first tensor with a tangent warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importlib.import_module("torch._decomp.decompositions_for_jvp")
        yield


def drawn(operation: Operation, seed: int) -> list[str]:
    """Return the lines of a program that calls an operation; none if it cannot be drawn."""
    author = Drawn(seed)
    try:
        author.call(operation)
    except Exception:
        return []
    return [] if author.failed else author.lines


class Run:
    """A program's last line with tangents for some of its tensors, on one engine."""

    def __init__(self, engine: Any, program: list[str], seed: int) -> None:
        self.engine, self.choice = engine, random.Random(seed)
        self.forward = importlib.import_module(f"{engine.__name__}.autograd.forward_ad")
        self.names = {"torch": engine, "F": engine.nn.functional, "seen": []}
        self.refused = ""
        self.tangents: dict[str, Any] = {}
        engine.manual_seed(0)
        with self.forward.dual_level(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for place, line in enumerate(program[:-1]):
                exec(line.replace("requires_grad=True", "requires_grad=False"), self.names)
                if " = torch.tensor" in line:
                    self.move(line.partition(" ")[0], place)
            try:
                exec(program[-1], self.names)
            except Exception as error:
                self.refused = type(error).__name__
                return
            self.read()

    def move(self, name: str, place: int) -> None:
        """Move the elements of a tensor from where functions have kinks, and give some tangents."""
        tensor, has_tangent = self.names[name], self.choice.random() < 0.7
        if not tensor.is_floating_point():
            return
        offsets = np.arange(tensor.numel()) * 0.0137 + 0.0071 * (place + 1)
        directions = np.sin(offsets * 211 + place)
        moved, tangent = [
            self.engine.tensor(one.tolist(), dtype=tensor.dtype).reshape(tuple(tensor.shape))
            for one in (offsets, directions)
        ]
        moved += tensor
        dual = self.forward.make_dual(moved, tangent).clone() if has_tangent else moved
        self.names[name] = dual

    def read(self) -> None:
        """Read the tangents of all tensors there are."""
        for name, value in self.names.items():
            if re.fullmatch(r"v\d+", name):
                values = value if isinstance(value, (tuple, list)) else [value]
                for place, one in enumerate(values):
                    if isinstance(one, self.engine.Tensor):
                        tangent = self.forward.unpack_dual(one).tangent
                        self.tangents[f"{name}[{place}]"] = tangent


def array_of(tangent: Any) -> Array | None:
    return None if tangent is None else np.array(tangent.tolist())


@pytest.mark.parametrize("operation", operations().values(), ids=str)
def test_tangents_of_drawn_calls(operation: Operation) -> None:
    import torch

    for seed in SEEDS:
        program = drawn(operation, seed)
        if not program or any(re.search(one, program[-1]) for one in EXCUSED):
            continue
        theirs, ours = Run(torch, program, seed), Run(minigrad, program, seed)
        text = "\n".join(program)
        assert ours.refused == theirs.refused, text
        assert ours.tangents.keys() == theirs.tangents.keys(), text
        for name, tangent in theirs.tangents.items():
            expected, found = array_of(tangent), array_of(ours.tangents[name])
            assert (found is None) == (expected is None), f"{name} in\n{text}"
            if expected is not None:
                np.testing.assert_allclose(found, expected, 1e-4, 1e-5, err_msg=text)


# Of these: d, e and s have tangents, v is that of d; x and w have none, and w requires grad.
EXPRESSIONS = lines(
    """
d.clone().atanh_()
d.set_(torch.ones(2))
d.clone().resize_(1)
d.clone().asinh_()
d.apply_(lambda x: x)
d.detach_()
(d*1).detach_()
torch.normal(d, 1.)
torch.normal(d, d.abs())
torch.multinomial(d.abs(),1)
F.dropout(d)
F.alpha_dropout(d)
F.gumbel_softmax(d)
torch.bernoulli(d.sigmoid())
F.embedding(torch.tensor([0]), d)
d.unique()
d.histc().shape
torch.tensor([d[0,0]])
torch.as_tensor(d)
torch.asarray(d)
d.new_tensor(d)
d.nonzero()
torch.nextafter(d,d)
d.sign()
d//2
d%2
d.clone().uniform_()
d.cummax(0)
d.median(0)
d.mode(0)
d.logical_not()
torch.heaviside(d,d)
torch.empty_like(d).copy_(torch.ones(2,3))
d.to(torch.int).float()
d.half()
d.requires_grad_()
d.double().float()
d.isnan()
d.ceil(), d.round(), d.trunc(), d.frac()
d.clone().fill_(s)
torch.full((2,), s)
torch.clamp(d, min=0.5)
d.add(d, alpha=2)
d.pow(2), 2**d, d.abs()**d
d[d>0]
d[[0,1],[1,2]]
d.t()[1:]
d[..., None].squeeze()
d.reshape(3,2).t()
d.contiguous() is d
d.flatten()._base is None
d.repeat(2,1)
d.expand(2,2,3)
torch.cat([d,x]), torch.stack([x,d]), torch.where(d>0,d,x)
torch.einsum('ij,j->i', d, e)
d@e, e@d.t(), e@e, torch.outer(e,e)
e@torch.ones(3,2)
torch.ones(3)@d.t()
x.t()@d, d@x.t()
d.max(), d.min(1), d.amax(0), d.argmax(), d.topk(2), d.sort(1), d.kthvalue(1)
d.softmax(1), d.log_softmax(0)
d.cumsum(0), d.cumprod(1), d.diff(), d.flip(0), d.roll(1), d.tril()
d.is_leaf, d.requires_grad, d.grad_fn, d._version
(w*d).sum().backward(); w.grad
torch.autograd.grad((w*d).sum(), w)
y=fw.make_dual(w, torch.ones(3)); torch.autograd.grad((y**3).sum(), w)
y=fw.make_dual(w, torch.ones(3)); torch.autograd.grad((y**3).sum(), y)
y=fw.make_dual(w, torch.ones(3)); (y.exp()*3).sum().backward(); w.grad
t=torch.ones(3,requires_grad=True); y=fw.make_dual(torch.ones(3), t); y.mul_(3)
fw.make_dual(w, torch.ones(3)).mul_(2)
d.mul_(2).add_(1), v
d.zero_()
d.fill_(2)
d[0]=0; d
d[0,1]=s; d
d[d>0]=0; d
d[d>0]*=2; d
z=torch.zeros(2,3); z[:,1]=s; z
z=torch.zeros(2,3); z[[0,1],[1,2]]=s; z
z=torch.zeros(2,3); z[0]+=e; z
z=torch.zeros(2,3); z.view(3,2)[0].copy_(e[:2]); z
z=torch.zeros(2,3); y=z.view(-1)[1:4]; y.copy_(e); (z,y)
z=torch.zeros(2,3); y=z[0]; z.mul_(d); (z,y)
z=torch.zeros(2,3); y=z.detach(); z.mul_(d); (z,y)
z=torch.zeros(2,3); z.data=d; z
z=torch.zeros(2,3); z.copy_(d); y=z.clone(); y[0].zero_(); (z,y)
z=torch.zeros(2,3,dtype=torch.int); z.copy_(d); z
d.copy_(torch.ones(2,3))
d.copy_(x.double())
d.masked_fill_(d>0, s)
d.index_add_(0, torch.tensor([0]), e[None])
d.scatter_(1, torch.tensor([[0]]), d[:1,2:]*2)
d.t_(); d
d.unsqueeze_(0); (d, d[0])
d.squeeze_(); d.transpose_(0,1); d.as_strided_((2,2),(1,2)); d
y=d.view(-1); d.t_(); d.mul_(2); (y,d)
d.clamp_(0), d.relu_(), d.sqrt_()
d.normal_()
d.bernoulli_(0.5)
torch.rand_like(d), torch.empty_like(d).shape, torch.zeros_like(d), torch.ones_like(d)
fw.unpack_dual(d).primal is d, fw.unpack_dual(d)[0]._base is d
y=d*2; p=fw.unpack_dual(y).primal; p.mul_(2); (y,p)
y=d*2; p=fw.unpack_dual(y).primal; (p[0], p.view(-1), y[0])
y=d*2; p=fw.unpack_dual(y).primal; p.mul_(d); (y,p)
fw.unpack_dual(torch.tensor(3))
fw.unpack_dual(x), fw.unpack_dual(x).primal is x
isinstance(fw.unpack_dual(d), tuple), fw.unpack_dual(d)._fields
torch.equal(d,d), torch.allclose(d,d)
d==d, d>x
str(d), format(s), f'{s}', f'{s:.2f}'
s.item(), float(s), int(s), bool(s)
d.numpy()
d.tolist()
list(d)
len(d), d.shape
torch.linalg.inv(d[:,:2]), torch.linalg.det(d[:,:2]), torch.linalg.solve(d[:,:2], x)
torch.linalg.svdvals(d), torch.linalg.qr(d)[0].abs(), torch.linalg.norm(d).reshape(1)
torch.logcumsumexp(d,1), torch.cdist(d,x)
torch.linalg.eigvalsh(d[:,:2]@d[:,:2].t())
nn.functional.scaled_dot_product_attention(d[None,None],d[None,None],d[None,None])
d.to(torch.float64), d.float() is d, d.to('cpu') is d
d.unbind(), d.chunk(2), d.split(1,1), torch.tensor_split(d,2)
torch.meshgrid(e,e,indexing='ij')[0], torch.broadcast_tensors(d,e)[1]
torch.block_diag(d,e), torch.cartesian_prod(e,e[:1]), torch.combinations(e)
d.movedim(0,1), d.unfold(1,2,1), d.diagonal(), d.as_strided((2,),(1,)), d.swapaxes(0,1)
torch.no_grad()(lambda: d*2)()
torch.inference_mode()(lambda: d*2)()
torch.set_grad_enabled(False); d*2; torch.set_grad_enabled(True)
torch.addmm(torch.ones(2,2), d, x.t()), torch.baddbmm(torch.ones(1,2,2), d[None], x.t()[None])
torch.nn.utils.parameters_to_vector([d,e])
torch.searchsorted(e.sort()[0],d), torch.bucketize(d,x[0]), torch.isin(d,x)
torch.count_nonzero(d), torch.any(d), d.all()
torch.add(d,1,out=torch.zeros(2,3))
torch.sum(d,0,out=torch.zeros(3))
torch.argmax(d,out=torch.zeros((),dtype=torch.long))
torch.eq(d,x,out=torch.zeros(2,3,dtype=torch.bool))
torch.mm(d,x.t(),out=torch.zeros(2,2))
torch.max(d,0,out=(torch.zeros(3),torch.zeros(3,dtype=torch.long)))
m=nn.Linear(3,3); m.weight=fw.make_dual(m.weight, torch.ones(3,3)); m(x)
m=nn.Linear(3,3); q=nn.Parameter(fw.make_dual(m.weight, torch.ones(3,3))); (q, fw.unpack_dual(q))
m=nn.Dropout(0.5); m(d)
m=nn.Embedding(4,3); F.embedding(torch.tensor([0,1]), d)
torch.autograd.functional.jvp(lambda a: a**2, x, v)
torch.autograd.functional.vjp(lambda a: a*e, x, v)
torch.autograd.functional.jacobian(lambda a: a*e, x[0])
torch.autograd.functional.hvp(lambda a: (a**3).sum(), x, v)
fw.enter_dual_level()
fw.exit_dual_level(level=0), fw.enter_dual_level()
fw.exit_dual_level(level=1)
fw.exit_dual_level(level=-1)
fw.exit_dual_level(); fw.exit_dual_level()
fw._current_level
fw.make_dual(x, v, level=0)
fw.make_dual(x, v, 0)
fw.make_dual(x)
fw.unpack_dual(d, 0)
fw.unpack_dual(d, level=-1)
fw.unpack_dual()
fw.make_dual(torch.tensor(3), torch.tensor(3))
fw.make_dual(torch.tensor(3.), torch.tensor(3))
fw.make_dual(torch.tensor(3.), torch.tensor([3.]))
fw.make_dual(torch.zeros(0), torch.zeros(0))
fw.make_dual(torch.ones(2).half(), torch.ones(2).half())*2
fw.make_dual(x.t(), v.t()), fw.make_dual(x.t(), v.t().contiguous())
y=fw.make_dual(x[0], v[0]); y.mul_(2); (x,v,y)
y=fw.make_dual(x.clone(), v[:, :]); y.mul_(2); (v,y)
y=fw.make_dual(x.clone(), v.t().clone().t()); y.mul_(2); (v,y)
y=fw.make_dual(nn.Parameter(x), v); (y, type(y), y.is_leaf, y.requires_grad)
y=fw.make_dual(w, torch.ones(3)); (y._is_view(), y._base is w)
y=fw.make_dual(w*2, w*3); z=(y*y).sum(); z.backward(); w.grad
y=fw.make_dual(w, torch.ones(3)); z=y*2; z.retain_grad(); (z*y).sum().backward(); z.grad
torch.utils.checkpoint.checkpoint(lambda a: a.sin()*a, d, use_reentrant=False)
torch.from_numpy(d.detach().numpy())
torch.tensor(d.tolist())
y=d.detach(); y.mul_(2); (d,y)
y=d.data; y.mul_(d); (d,y)
d.new_ones(2), torch.full_like(d,2.), torch.randn_like(d).shape
d.index_put_((torch.tensor([0]),), e); d
d.index_put((torch.tensor([0]),torch.tensor([1])), s)
x.select_scatter(e,0,1), x.slice_scatter(d[:1],0,0,1), x[:, :2].diagonal_scatter(e[:2])
torch.where(x>0, s, x), torch.where(x>0, 2.0, d), torch.where(x>0,d,0.)
x.add_(d); x
x+=d; x
x*=s; x
x-=1; x
d+=1; d
d/=2; (d,v)
d**=2; d
x[0]+=e; x
x[0][1]=s; x
x[:, None].squeeze(1)[0].copy_(e); x
x.view(-1)[::2]=e; x
z=torch.zeros(3); z[torch.tensor([True,False,True])]=e[:2]; z
z=torch.empty(3); torch.stack([s,s,s],out=z)
a=x.clone(); b=a[0]; c=a[1]; b.mul_(e); c.add_(1); (a,b,c)
a=x.clone(); b=a.view(-1); b[2:4]=e[:2]; a.mul_(2); (a,b)
a,b=x.clone().unbind(); a.mul_(e); (a,b,a._base)
d.clamp(0,1), d.clamp(min=0), d.clip(max=.5)
d.sum().item(), d.mean(), d.max().item()
d.T, d.mT, d.H, d.real
torch.is_tensor(d), torch.numel(d), d.is_floating_point()
d.requires_grad_(False), d.requires_grad
d.type(torch.float64), d.type_as(x.double()), d.to(x.double())
torch.promote_types(d.dtype, x.dtype), torch.result_type(d,x)
d.cpu() is d, d.contiguous() is d, d.view_as(x), d.reshape_as(x), d.expand_as(x)
[i for i in e], e.tolist(), max(e), sum(e), min(e)
e.flip(0).cumsum(0).roll(1), e.repeat_interleave(2), e.tile(2), e.unfold(0,2,1), e.diff()
"""
)
# Of leaves in double precision, X and Y, and custom functions.
CHECKS = lines(
    """
G(torch.exp, X)
G(torch.exp, X, check_forward_ad=True)
G(torch.exp, X, check_forward_ad=True, check_backward_ad=False)
G(torch.exp, X, check_forward_ad=True, fast_mode=True)
G(lambda x,y: (x*y, x.sum(), (x>0), y.long()), (X,Y), check_forward_ad=True)
G(lambda x,y: (x*y, x.sum(), (x>0), y.detach()), (X,Y), check_forward_ad=True)
G(Wrong.apply, X, check_forward_ad=True)
G(Wrong.apply, X, check_forward_ad=True, fast_mode=True)
G(Wrong.apply, X, check_forward_ad=True, raise_exception=False)
G(Wrong.apply, X, check_forward_ad=True, check_backward_ad=False)
G(Right.apply, X, check_forward_ad=True)
G(NoJ.apply, X, check_forward_ad=True)
G(NoJ.apply, X, check_forward_ad=True, check_backward_ad=False)
G(Zero.apply, (X,Y), check_forward_ad=True)
G(Zero.apply, (X,Y), check_forward_ad=True, check_undefined_grad=False)
G(torch.exp, X, check_forward_ad=True, check_batched_forward_grad=True)
G(torch.exp, X, check_batched_forward_grad=True)
G(lambda x: x.long(), X, check_forward_ad=True)
G(lambda x: x.detach()*2, X, check_forward_ad=True)
G(lambda x: x.detach()*0, X, check_forward_ad=True)
G(torch.exp, torch.zeros(0,dtype=torch.float64,requires_grad=True), check_forward_ad=True)
G(torch.matmul, (X.view(1,3).detach().requires_grad_(), Y), check_forward_ad=True, fast_mode=True)
G(lambda x,n: x*n, (X, 3.), check_forward_ad=True)
G(lambda x,n: x*n, (X, Y.detach()), check_forward_ad=True)
GG(torch.sin, X, check_fwd_over_rev=True)
GG(torch.sin, X, check_fwd_over_rev=True, check_rev_over_rev=False, check_undefined_grad=False)
GG(lambda x,y: (x*y).exp(), (X,Y), check_fwd_over_rev=True)
J(lambda x: x**2, X.detach(), vectorize=True, strategy="forward-mode")
J(lambda x,y: x*y.sum(), (X.detach(),Y.detach()), vectorize=True, strategy="forward-mode")
J(lambda x,y: (x*y.sum(), y[0]), (X.detach(),Y.detach()), vectorize=True, strategy="forward-mode")
J(lambda x: x**2, X, vectorize=True, strategy="forward-mode")
J(lambda x: x.detach(), X.detach(), vectorize=True, strategy="forward-mode")
J(lambda x: 3, X, vectorize=True, strategy="forward-mode")
J(lambda x: (x,3), X, vectorize=True, strategy="forward-mode")
J(lambda x: x, 3, vectorize=True, strategy="forward-mode")
J(lambda x: x, X, strategy="forward-mode")
J(lambda x: x, X, strategy="forward-mode", strict=True)
J(lambda x: x, X, strategy="forward-mode", create_graph=True)
J(lambda x: x, X, strategy="forwar")
J(lambda x: x, torch.zeros(0), vectorize=True, strategy="forward-mode")
J(lambda x: x.double(), torch.ones(2), vectorize=True, strategy="forward-mode")
H(lambda x: (x**3).sum(), X.detach(), vectorize=True, outer_jacobian_strategy="forward-mode")
H(lambda x: (x**3).sum(), X, vectorize=True, outer_jacobian_strategy="forward-mode")
H(lambda x: (x**3).sum(), X, outer_jacobian_strategy="forward-mode")
H(lambda x: (x**3).sum(), X, outer_jacobian_strategy="forwa")
H(lambda x: x**3, X, vectorize=True, outer_jacobian_strategy="forward-mode")
"""
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_programs_print(expression: str) -> None:
    statements, _, expression = expression.rpartition("; ")

    def program(torch: Any) -> Any:
        fw = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
        v = torch.tensor([[1.0, 0.0, 2.0], [3.0, 1.0, -1.0]])
        x = torch.tensor([[1.0, 2.0, 3.0], [-4.0, 0.5, 0.25]])
        names: dict[str, Any] = {"torch": torch, "fw": fw, "nn": torch.nn, "x": x, "v": v}
        names |= {"F": torch.nn.functional, "w": torch.ones(3, requires_grad=True)}
        torch.manual_seed(0)
        fw.enter_dual_level()
        try:
            names["d"] = fw.make_dual(x.clone(), v.clone())
            e = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 1.0, 0.0])
            names["e"] = fw.make_dual(*e)
            names["s"] = fw.make_dual(torch.tensor(2.0), torch.tensor(3.0))
            exec(statements, names)
            return repr(eval(expression, names))
        finally:
            if fw._current_level >= 0:
                fw.exit_dual_level()

    assert_same(program)


@pytest.mark.parametrize("expression", CHECKS)
def test_what_is_checked_and_computed_by_tangents(expression: str) -> None:
    def program(torch: Any) -> Any:
        class Right(torch.autograd.Function):  # type: ignore[misc]
            factor = 2

            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                ctx.save_for_forward(x)
                return x**2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return 2 * ctx.saved_tensors[0] * g

            @classmethod
            def jvp(cls, ctx: Any, t: Any) -> Any:
                return cls.factor * ctx.saved_tensors[0] * t

        class Wrong(Right):
            factor = 3

        class NoJ(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * 2

        class Zero(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, x: Any, y: Any) -> Any:
                ctx.set_materialize_grads(False)
                return x + y

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g, g

            @staticmethod
            def jvp(ctx: Any, a: Any, b: Any) -> Any:
                return b * 7 if a is None else a * 5 if b is None else a + b

        double = {"dtype": torch.float64, "requires_grad": True}
        names: dict[str, Any] = {one.__name__: one for one in (Right, Wrong, NoJ, Zero)}
        names |= {"X": torch.tensor([1.0, 2.0, -0.5], **double), "torch": torch}
        names |= {"Y": torch.tensor([0.3, 0.2, 1.5], **double)}
        names |= {"G": torch.autograd.gradcheck, "GG": torch.autograd.gradgradcheck}
        functional = torch.autograd.functional
        names |= {"J": functional.jacobian, "H": functional.hessian}
        return repr(eval(expression, names))

    assert_same(program)


def test_custom_functions() -> None:
    agree_in_print(
        """
        import importlib
        fw = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
        Fn = torch.autograd.Function
        class Fun(Fn):
            @staticmethod
            def forward(ctx, foo):
                print("fwd", foo, foo * 2)
                result = torch.exp(foo)
                ctx.result = result
                ctx.save_for_forward(foo, result)
                print(ctx.saved_tensors)
                return result
            @staticmethod
            def jvp(ctx, gI):
                print(
                    "jvp",
                    gI,
                    ctx.saved_tensors,
                    ctx.saved_tensors[0] * 2,
                    torch.is_grad_enabled(),
                    fw._is_fwd_grad_enabled(),
                )
                gO = gI * ctx.result
                del ctx.result
                return gO
        class Sq(Fn):
            @staticmethod
            def forward(x):
                return x * x
            @staticmethod
            def setup_context(ctx, inputs, output):
                (x,) = inputs
                ctx.save_for_backward(x)
                ctx.save_for_forward(x)
            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                print("bwd", x, g)
                return 2 * x * g
            @staticmethod
            def jvp(ctx, t):
                (x,) = ctx.saved_tensors
                return 2 * x * t
        class NoJvp(Fn):
            @staticmethod
            def forward(ctx, x):
                return x * 2
        class Two(Fn):
            @staticmethod
            def forward(ctx, x, n, y):
                ctx.n = n
                return x * n, (y * 3).long(), "s", y + 1
            @staticmethod
            def jvp(ctx, a, b, c):
                print(a, b, c)
                return eval(RET)
        class Mat(Two):
            @staticmethod
            def forward(ctx, x, n, y):
                ctx.set_materialize_grads(False)
                return x * n, (y * 3).long(), "s", y + 1
            @staticmethod
            def jvp(ctx, a, b, c):
                print(a, b, c)
                return a * 2, None, None, None
        class NonDiff(Fn):
            @staticmethod
            def forward(ctx, x):
                r = x * 2
                ctx.mark_non_differentiable(r)
                return r
            @staticmethod
            def jvp(ctx, t):
                return t
        class Dirty(Fn):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x.mul_(2)
            @staticmethod
            def jvp(ctx, t):
                return eval(DIRTY)
        class View(Fn):
            @staticmethod
            def forward(ctx, x):
                return x.view(-1)
            @staticmethod
            def jvp(ctx, t):
                return eval(VIEW)
        class AsIs(Fn):
            @staticmethod
            def forward(ctx, x):
                return x
            @staticmethod
            def jvp(ctx, t):
                return eval(VIEW)
        x = torch.tensor([1.0, 2.0])
        t = torch.tensor([1.0, 3.0])
        with fw.dual_level():
            d = fw.make_dual(x, t)
            attempt(lambda: Fun.apply(d))
            attempt(lambda: Sq.apply(d))
            attempt(lambda: NoJvp.apply(d))
            attempt(lambda: NoJvp.apply(x))
            attempt(lambda: Sq.apply(Sq.apply(d)))
            w = torch.ones(2, requires_grad=True)
            y = fw.make_dual(w, t)
            attempt(lambda: Sq.apply(y))
            attempt(lambda: torch.autograd.grad(Sq.apply(y).sum(), w))
            attempt(lambda: torch.autograd.grad(fw.unpack_dual(Sq.apply(y)).tangent.sum(), w))
            with torch.no_grad():
                attempt(lambda: Sq.apply(y))
            for RET in (
                "(a*2, None, None, c)",
                "(a*2,)",
                "a",
                "(a,None,None,c,c)",
                "(a,a,None,c)",
                "(a,None,a,c)",
                "(3,None,None,c)",
                "[a,None,None,c]",
                "None",
                "(a[:1],None,None,c)",
                "(a.double(),None,None,c)",
                "(d,None,None,c)",
            ):
                print(RET)
                attempt(lambda: Two.apply(d, 2.0, x))
            RET = "(a*2, None, None, c)"
            attempt(lambda: Two.apply(x, 2.0, d))
            attempt(lambda: Two.apply(d, torch.tensor(2), d))
            attempt(lambda: Mat.apply(x, 2.0, d))
            attempt(lambda: NonDiff.apply(d))
            for DIRTY in ("t.mul_(2)", "t", "t*2", "t.mul_(2).clone()", "None"):
                print(DIRTY)
                z = fw.make_dual(x.clone(), t.clone())
                attempt(lambda: Dirty.apply(z))
                print(z)
                z2 = z * 1
                attempt(lambda: Dirty.apply(z2[0]))
                print(z2)
            for VIEW in ("t.view(-1)", "t", "t.clone()", "t.clone().view(-1)"):
                print(VIEW)
                attempt(lambda: View.apply(fw.make_dual(x.clone(), t.clone())))
                attempt(lambda: AsIs.apply(fw.make_dual(x.clone(), t.clone())))
                attempt(lambda: View.apply(d * 2))
                attempt(lambda: View.apply(d[:1]))
            class Bad(Fn):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_forward(x, 3)
                    return x
            attempt(lambda: Bad.apply(d))
            class B2(Fn):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_forward(x, None)
                    ctx.save_for_backward(x * 2)
                    print(ctx.saved_tensors)
                    return x * 2
                @staticmethod
                def jvp(ctx, t):
                    print(ctx.saved_tensors, ctx.needs_input_grad)
                    return t
                @staticmethod
                def backward(ctx, g):
                    print(ctx.saved_tensors)
                    return g
            attempt(lambda: B2.apply(y))
            attempt(lambda: B2.apply(y).sum().backward())
            with fw._set_fwd_grad_enabled(False):
                attempt(lambda: Sq.apply(d))
        """
    )


def test_levels_within_vmap_are_refused() -> None:
    agree_in_print(
        """
        from warnings import filterwarnings

        filterwarnings("ignore", "`torch.jit.script` is deprecated")
        fw, x = torch.autograd.forward_ad, torch.ones(2, 3)

        def moved(one, tangent):
            with fw.dual_level():
                return fw.unpack_dual(fw.make_dual(one, tangent) * 2).tangent

        def unpacked(one):
            with fw.dual_level():
                return fw.unpack_dual(one).primal

        attempt(lambda: torch.vmap(lambda one: moved(one, one))(x))
        attempt(lambda: torch.vmap(lambda one: moved(x[0], one))(x))
        attempt(lambda: torch.vmap(lambda one: moved(one, x))(x))
        attempt(lambda: torch.vmap(lambda one: one + moved(x[0], x[0]))(x))
        attempt(lambda: torch.vmap(unpacked)(x))
        attempt(lambda: torch.vmap(lambda one: fw.unpack_dual(one).primal)(x))
        """
    )


def test_out_of_what_requires_grad_is_refused_for_that_first() -> None:
    agree_in_print(
        """
        fw, ones = torch.autograd.forward_ad, torch.ones(2)
        x = torch.ones(2, requires_grad=True)
        with fw.dual_level():
            d, e = fw.make_dual(ones, ones), fw.make_dual(x, ones)
            for one, other, out in ((d, d, ones), (e, d, ones), (x, d, ones), (ones, ones, e)):
                attempt(lambda: torch.add(one, other, out=out))
                with torch.no_grad():
                    attempt(lambda: torch.add(one, other, out=out))
        """
    )


def test_the_node_of_a_primal_has_pytorchs_name() -> None:
    agree_in_print(
        """
        fw, x = torch.autograd.forward_ad, torch.ones(2, requires_grad=True)
        with fw.dual_level():
            primal = fw.unpack_dual(fw.make_dual(x, torch.ones(2)) * 2).primal
        print(primal, primal.grad_fn.name(), primal.grad_fn.next_functions)
        """
    )
