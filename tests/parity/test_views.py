"""Views and changes in place: what they are, record and raise, is what it is in PyTorch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.parity.printed import agree_in_print
from tests.parity.transcript import agree
from tests.parity.view_programs import programs

pytestmark = pytest.mark.parity

# Divided by blank lines. Each begins with x, a leaf that requires grad: [1., 2., 3.].
PROGRAMS = """
y = x * 1; v = y[:2]; v.mul_(2)
y, v, y.grad_fn, v.grad_fn, y._version, v._version
(y.sum() + v.sum()).backward(); x.grad

# the base is changed, or memory that it shares
y = x * 1; v = y[1:]; w = v[1:]; y.mul_(2)
v.grad_fn, w.grad_fn, w.grad_fn._saved_size, w.grad_fn._saved_stride
w.grad_fn._saved_storage_offset, w.storage_offset(), w._base is y
(w * 2).sum().backward(); x.grad

y = x * 1; v = y[1:]; w = v[1:]; v.mul_(2)
w.grad_fn; w.mul_(3); y, v, w
(v.sum() + y.sum() + w.sum()).backward(); x.grad

y = x * 1; v = y[:2]
with torch.no_grad(): y.add_(1)
v, y

y = x * 1; v = y[:2]; y.detach().add_(1); v; y

y = x * 1; v = y[:2]; y.data.add_(1); v; y

z = torch.zeros(3); v = z[:2]; z.add_(x); v, z
v.sum().backward(); x.grad

z = torch.zeros(3); v = z[:2]; w = v[0]; v.add_(x[:2]); v, z, w
(z * z).sum().backward(); x.grad

z = torch.zeros(3); v = z[:2]; z.requires_grad_(); v
(v * 2).grad_fn; v.add_(1); (v * 2).sum().backward(); z.grad, v.grad
v.requires_grad_(); v.requires_grad_(False); v

z = torch.zeros(3); v = z[:2].requires_grad_(); v, z; v.add_(1)
z.add_(1); v; (v * 2).sum().backward(); v.grad, z.grad

# under no_grad
with torch.no_grad(): v = x[:2]
v, v._base is x; v.add_(1)
with torch.no_grad(): v.add_(1)
v.grad_fn; v * 2; v.is_leaf; v.output_nr; v.requires_grad; repr(v)

y = x * 1
with torch.no_grad(): v = y[:2]
v * 2; v.add_(1); y.mul_(2)
v; v * 2; v.grad_fn

y = x * 1
with torch.no_grad(): v = y[:2]
w = v[:1]; w; w.add_(1); y.mul_(2); w; w * 1

with torch.no_grad(): v = x[0]
v.backward(); torch.autograd.grad(v * 2, v); torch.autograd.grad((x * 2).sum(), v); v.retain_grad()
v.grad, v.is_leaf, v.retains_grad; v.requires_grad_(); (v * 2).backward(); v.grad

y = x * 1; v = y[:2]
with torch.no_grad(): w = v[:1]
w.add_(1); v.add_(1); w; v

z = torch.zeros(3)
with torch.no_grad(): v = z[:2]
v.add_(1); v.add_(x[:2]); v

w = torch.ones(3, requires_grad=True)
with torch.no_grad(): v = w[:2]
w.requires_grad_(False); v.requires_grad; w.requires_grad_(); v.requires_grad

# of leaves
v = x[:2]; v.mul_(2); x.mul_(2); x.detach().mul_(2); v; x
with torch.no_grad(): v.mul_(2)
v; (v * 1).sum().backward(); x.grad
with torch.no_grad(): x[0] = 7.0
x.data[1] = 3.0; x

x.view(3)[0] = 1.0; x[...] = 1.0; x[:] = 1.0; x[0] = 1.0; x[None] = 1.0; x[False] = 1.0
x[[0]] = 1.0
x[x > 1] = 1.0; x[()] = 1.0; x.expand(2, 3).add_(1); x[:2].zero_(); x.fill_(1); x

# one of several outputs
y = x * 1; a, b, c = y.unbind(); b.add_(1); y.mul_(2); b.grad_fn; b * 2; b

y = x * 1; a, b = y.split([1, 2]); a.add_(1); a[0:1].add_(1)
with torch.no_grad(): a.add_(1)
a.grad_fn; b; y * 1

y = x * 1; a, b = y.chunk(2); c = a[0:1]; c.mul_(2); a.mul_(2)

z = torch.zeros(3); a, b, c = z.unbind(); a.add_(1); a.add_(x[0]); z.add_(x); a.grad_fn
a.requires_grad

with torch.no_grad(): a, b, c = (x * 1).unbind()
a, b.output_nr; a.add_(1)

y = (x * 1).view(3, 1); a, b = y.split([1, 2]); a.add_(1); y.add_(1); a; y; y._base

[one.add_(1) for one in x]

# chains of views, several views, shapes
y = (x * 1).reshape(1, 3).t(); b = y._base; y.mul_(2); y, b
y.grad_fn._saved_size, y.grad_fn._saved_stride
g, = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True); g; torch.autograd.grad(g.sum(), x)

m = torch.outer(x, x); r = m[1]; c = m[:, 1]; c.mul_(r); r.add_(c); m.t()[0].exp_()
m, r, c; (m.sum() + r.prod()).backward(); x.grad

m = torch.outer(x, x); m.diagonal().mul_(2); m[0, 1:].copy_(x[1:]); m.T[2].fill_(5.0); m
m.sum().backward(); x.grad

m = torch.outer(x, x); m.unsqueeze(0).transpose(1, 2).squeeze().flatten()[::2].sin_(); m
m.sum().backward(); x.grad

y = x * 1; y.view(3, 1).expand(3, 2).add_(1); y.expand(2, 3).mul_(2); y.expand(2, 3).copy_(x)
e = y.expand(2, 3); e.fill_(1); e.zero_(); y, e; e.fill_(torch.tensor(1.0)); e[:] = 2.0
e

y = x * 1; y[:2].add_(y[1:]); y.add_(y[:1]); y[:2].copy_(y[1:]); y[:2].mul_(y[:2]); y[:2] = y[1:]
y[[0, 1]] = y[1:]; y[[0, 1]] = y[:2]; y[:2] = y[:2]; y[:2] = y[0]; y

# saved values
y = x * 1; w = (y * y).sum(); y[0] = 1.0; w.backward()

y = x * 1; v = y[:2]; v.exp_(); w = (v * v).sum(); y.mul_(2); w.backward()

y = x * 1; v = y[:2]; v.exp_(); y[0] = 1.0; y.sum().backward()

y = x * 1; v = y[:2]; w = (y * y).sum(); v.mul_(2); w.backward()

y = x * 1; v = y[:2]; w = (v * v).sum(); y.detach()[2] = 5.0; w.backward()

y = x * 1; y.mul_(x * 3); y.grad_fn._saved_self; y.grad_fn._saved_other; y.pow_(2)
y.grad_fn._saved_self

y = x * 1; y.mul_(y); y.sum().backward()

y = x * 1; v = y[:2]; v.mul_(v); y.sum().backward()

y = x * 1; v = y[:2]; v.mul_(2); s = y.sum(); s.backward(retain_graph=True); s.backward()
s.backward()

y = x * 1; v = y[:2]; v.add_(2); s = y.sum(); s.backward(); s.backward(); x.grad

# second derivatives
y = x * 1; v = y[:2]; v.exp_(); g, = torch.autograd.grad(y.sum(), x, create_graph=True); g
torch.autograd.grad(g.sum(), x)

z = torch.zeros(3); z[:2].copy_(x[:2] * x[1:])
g, = torch.autograd.grad(z.prod() + z.sum(), x, create_graph=True)
g; torch.autograd.grad(g.sum(), x)

y = x * x; v = y[1:]; v.mul_(x[:2]); v[0].sin_()
g, = torch.autograd.grad((y * y).sum(), x, create_graph=True)
g; torch.autograd.grad((g * g).sum(), x)

y = x * x; y[[0, 2]] = (x * x * x)[1:]; y[y > 5] *= 2
g, = torch.autograd.grad((y * y).sum(), x, create_graph=True)
g; torch.autograd.grad((g * g).sum(), x)

# gradients that are kept, and hooks
log = []; y = x * 1; v = y[:2]
h = y.register_hook(lambda g: log.append(('y before', g.tolist())))
h = v.register_hook(lambda g: log.append(('v before', g.tolist())))
y.retain_grad(); v.retain_grad(); v.mul_(2); v.retains_grad, y.retains_grad
h = y.register_hook(lambda g: log.append(('y after', g.tolist())))
h = v.register_hook(lambda g: log.append(('v after', g.tolist())))
(y.sum() + (v * 3).sum()).backward(); log; y.grad, v.grad, x.grad

y = x * 1; v = y[:2]; v.retain_grad(); y.mul_(2); v.retains_grad; (v * 1).sum().backward(); v.grad

y = x * 1; v = y[:2]; y.retain_grad(); y.mul_(2); v.sum().backward(); y.grad, y.retains_grad

log = []; y = x * 1; v = y[:2]; v.mul_(2)
h = y.grad_fn.register_hook(lambda i, o: log.append((len(i), len(o), i[0].tolist(), o[0].tolist())))
h = y.grad_fn.register_prehook(lambda o: (o[0] * 10,)); y.sum().backward(); log; x.grad

y = x * 1; y.sum().backward(); x.grad.mul_(2); x.grad[0] = 9.0; x.grad; (x * x).sum().backward()
x.grad

# detach_, .data, requires_grad_
y = x * 1; v = y[:2]; v.detach_(); v.requires_grad_(); v.requires_grad_(False); y.detach_(); y; v
v.mul_(2); y.mul_(2); v; y

y = x * 1; v = y[:2]; v.data = torch.zeros(2); v, y; v.mul_(2); y, v; y.sum().backward(); x.grad

y = x * 1; d = y.detach(); v = d[:1]; v._base is d; d._is_view(); v; v.add_(1); y; d

# __setitem__
z = torch.zeros(2, 3); z[:, [0, 1]] = x[:2]; z; z[0, [0, 1]] = x[:2]; z; z[0][[0, 1]] = x[:2]; z

z = torch.zeros(2, 3); z[0] = x; z[1] = x * 2; z.sum().backward(); z; x.grad

z = torch.zeros(2, 3); z[:] = x; z; z += x; z[0] *= 2; z; z[0, 1] += x[0]; z; z[z == 2] = x[0]; z
z.sum().backward(); x.grad

z = torch.ones(3, dtype=torch.int64); z[0] = x[0]; z[[0]] = x[:1]; z[:2].copy_(x[:2]); z

z = (x * 1).double(); z[0] = x[0]; z; z[[0]] = x[0:1]
z[torch.tensor([True, False, False])] = x[0]; z
z[0] = 1; z[0] = [1]; z[0] = None; z[5] = 1; z[0, 0] = 1; z[:2] = torch.ones(3)
z[:2] = torch.ones(2, 2)
z[0:0] = torch.ones(0); z[0:0] = 1.0; z

y = x * 1; y.index_put_((torch.tensor([0, 1]),), x[:2] * 2); y
y.index_put_([torch.tensor([0, 0])], x[:2], accumulate=True)
y; y.index_put_((torch.tensor([0]),), torch.tensor(2))
y.index_put_((torch.tensor([0, 1]),), torch.ones(3))
y.sum().backward(); x.grad

# as_strided
v = x.as_strided((2, 2), (1, 1)); v; (v * v).sum().backward(); x.grad

y = x * 1; y.as_strided((2,), (2,)).mul_(x[:2]); y; y.sum().backward(); x.grad

e = (x[:1] * 1).expand(3).as_strided((2,), (0,)); e; (e * x[:2]).sum().backward(); x.grad

(x * 1)[1:].as_strided((1, 1), (4, 2)); (x * 1)[1:].as_strided((2,), (1,), 0)
x.as_strided((0, 2), (1, 1)).sum().backward()

torch.as_strided(x, (2,), (3,)); torch.as_strided(x, (2,), (1, 1))
torch.as_strided(x, (2,), (-1,))
torch.as_strided(x, (-2,), (1,)); torch.as_strided(x, (2,), (1,), -1)
torch.as_strided(x, (2,), (1,), 2)
"""
for value in (
    "5.0",
    "torch.tensor(5.0)",
    "x[0] * 1",
    "torch.tensor([7.0])",
    "x[:1]",
    "x * 2",
    "x[None]",
):
    PROGRAMS += "\n" + "".join(
        f"y = x * 1; y[{index}] = {value}; y; g = torch.autograd.grad((y * y).sum(), x); g\n"
        for index in (
            *(
                "0",
                ":2",
                ":",
                "...",
                "None",
                "True",
                "False",
                "[0, 1]",
                "0,",
                "()",
                ":,",
                "None, :2",
            ),
            *("torch.tensor([0, 2])", "torch.tensor([True, False, True])", "torch.tensor(1)", "-1"),
            *("[True, False, False]", "True,", "...,0", "::2", "torch.tensor(True)", "[[0], [1]]"),
        )
    )


# Found by the test below.
PROGRAMS += """

y = x * 1; w = y.sin().sum(); y.detach_(); w.backward(); y.add_(1); w.backward(); x.grad

y = x * 1; w = y.exp(); y.detach_(); w.sum().backward(); x.grad

y = x * 1; y.detach_(); y.requires_grad_(); w = y.sin().sum(); w.backward(); y.grad

y = x * 1; v = y[:2]; w = (v * v).sum(); y.detach_(); w.backward(); x.grad

y = x * 1; v = y.unbind()[0]; y.mul_(2); v.grad; v.grad_fn

z = torch.zeros(3); v = z[:2]; z.add_(x); v.add_(1); z

y = x[0] * 2; y[0] = x[1]; y[-1]; y[0]; y[1]; y[None, 0]; y.movedim(0, -1); y[1:]
y.index_put_((torch.tensor([0]),), x[:1])

x[1:] = x; y = x * 1; y[1:] = x
with torch.no_grad(): x[1:] = x
with torch.no_grad(): x.masked_fill_(x > 0, x[0])
x

w = (x * 1)[[0, 1]]; w.sum().backward(); w.sum().backward()

y = x * 1; y[y > 1] = 0.5; y.sum().backward(); y.sum().backward(); y.grad_fn._saved_indices

y = x * 1; y.masked_fill_(y > 1, x[0])
g, = torch.autograd.grad((y * y).sum(), x, create_graph=True); g

y = x * 1; e = y.expand(2, 3); e.index_put_((torch.tensor([0]),), x[:1]); e; y
e.masked_fill_(e > 5, x[0]); e

y = m * 1; a, b = y.unsafe_split(1); a.mul_(b); a, b; y; a.sum().backward(); m.grad
y = m * 1; a, b = y.unsafe_chunk(2, 1); a.mul_(2); c, d, e = y.unsafe_split_with_sizes([1, 1, 1], 1)
c.mul_(d); (c.sum() + b.sum()).backward(); m.grad

x.logical_not_(); x[:2].logical_and_(x[:2]); y = x * 1; y.logical_or_(x); y

y = x * 1; w = y * x; y.detach_(); y.add_(x); w.sum().backward()

y = x * 1
with torch.no_grad(): v = y[:2]
y.mul_(2); v.retain_grad(); v.retains_grad; y.data.mul_(2); d = y.data; d.add_(y[0])

y = x * 1; w = y.fill_(2.0) * x; y.detach().mul_(2); w.sum().backward()

y = (x * 1).sum(0); w = y * y; y.detach().mul_(2); w.backward()

y = x * 1; e = y.expand(2, 3); y.mul_(2); e.mul_(2); s = y[0]; e._version
g, = torch.autograd.grad((e * e).sum() + s * s, x, create_graph=True); g
"""


@pytest.mark.parametrize("program", PROGRAMS.strip().split("\n\n"))
def test_a_program_shows_the_same(program: str) -> None:
    agree(program)


@settings(max_examples=100, deadline=None)
@given(programs())
def test_any_program_shows_the_same(program: str) -> None:
    agree(program, "float64")


def test_what_shares_memory_with_where_it_is_assigned() -> None:
    agree_in_print(
        """
        values = ["m", "m[0]", "m[:1]", "m[:2]", "m[:, 0]", "m[:, :1]", "m[0, 0]", "m[0:1, 0:1]"]
        values += ["m.t()", "m[None]", "m[0].expand(3, 4)"]
        places = ["0", "slice(None)", "slice(0, 2)", "None", "(slice(None), 0)", "(0, 0)", "m > 3"]
        for place in places:
            for value in values:
                m = torch.arange(12.0).reshape(3, 4)
                index, given = eval(place), eval(value)
                try:
                    m[index] = given
                except RuntimeError as error:
                    print(error)
                print(place, value, m)
        """
    )


def test_strides_where_a_dimension_is_put_in() -> None:
    agree_in_print(
        """
        x = torch.arange(24.0).reshape(2, 3, 4)
        parts = [x, x[:, :1], x[..., :1], x[:1], x.transpose(0, 2), x[..., 0], x[:, :, ::2], x[:0]]
        parts += [x[0].expand(2, 3, 4), x[:, :1].expand(2, 3, 4), x.diagonal(), x.mT, x[0, 0, 0]]
        for part in parts:
            for dim in range(part.dim() + 1):
                view = part.unsqueeze(dim)
                print(view.shape, view.stride(), view.storage_offset(), view)
        """
    )


def test_what_was_detached_and_recorded_again_is_named_by_its_own_node() -> None:
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
                return gradient * other, gradient * one
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        for product in (torch.mul, Product.apply):
            for given in (x, 1, None):
                y = x * 1
                z = product(y, x)
                y.detach_()
                if given is not None:
                    y.add_(given)
                attempt(lambda: z.sum().backward())
        """
    )
