"""What PyTorch says, minigrad says: results, warnings and errors of short programs, as text."""

from __future__ import annotations

import re
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minigrad

pytestmark = pytest.mark.parity

# Each line runs with x (a leaf), y = x * 2, n (no grad), k (integers), m (a matrix that is a leaf).
PROGRAMS = """
torch.zeros((2, 'a'))
torch.zeros(2, 'a')
torch.zeros('a', 2)
torch.ones((2.0,))
torch.ones(2.5)
torch.empty((2, None))
torch.empty(None)
torch.zeros((True, 2))
torch.zeros(2, True)
torch.zeros(2, torch.tensor(3))
torch.zeros(2, torch.tensor(3.0))
torch.zeros((2,), 3)
torch.zeros(2, -1)
torch.ones(2, -1)
x.shape, x.dtype, x.ndim, x.requires_grad, x.is_leaf, x.grad, x.grad_fn
y.is_leaf, y.requires_grad, y.retains_grad, y.output_nr
type(x), type(x.dtype), type(x.shape), x.device
y.grad
y.sum().backward()
y.backward()
y.backward(torch.ones(2))
y.backward(3)
y.backward(torch.ones(3, dtype=torch.float64))
n.backward()
n.sum().backward()
x.backward(torch.ones(3)), x.grad
y.sum().backward(inputs=[])
y.sum().backward(inputs=[x]), x.grad
y.sum().backward(inputs=x), x.grad
[y.sum().backward(), y.sum().backward()]
[(x + 2).sum().backward(), (x + 2).sum().backward(), x.grad]
(lambda s: [s.backward(), s.backward()])((x * x).sum())
(lambda s: [s.backward(), s.backward(), x.grad])((x + 2).sum())
(lambda s: [s.backward(retain_graph=True), s.backward(), x.grad])((x * x).sum())
(lambda s: [s.backward(), s.grad_fn.next_functions[0][0]._saved_self])((x * x).sum())
(x * x).sum().backward(create_graph=True)
torch.autograd.grad(y.sum(), [])
torch.autograd.grad(y.sum(), n)
torch.autograd.grad(y.sum(), m)
torch.autograd.grad(y.sum(), m, allow_unused=True)
torch.autograd.grad(y.sum(), m, materialize_grads=True)
torch.autograd.grad(y.sum(), [x, m], materialize_grads=True, allow_unused=False)
torch.autograd.grad(y, x)
torch.autograd.grad(y, x, torch.ones(3))
torch.autograd.grad(y, x, torch.ones(2))
torch.autograd.grad([y.sum(), (y * y).sum()], [x, y])
torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
torch.autograd.grad(torch.autograd.grad((x ** 3).sum(), x, create_graph=True)[0].sum(), x)
torch.autograd.grad({'a': y}, x)
torch.autograd.grad(y.sum(), {'a': x})
torch.autograd.backward([y.sum(), (x * x).sum()]), x.grad
torch.autograd.backward(5)
torch.autograd.backward(y, [torch.ones(3)]), x.grad
x.requires_grad_(False)
y.requires_grad_(False)
k.requires_grad_()
setattr(y, 'requires_grad', False)
setattr(k, 'requires_grad', True)
torch.tensor([1, 2], requires_grad=True)
torch.ones(2, dtype=torch.int64, requires_grad=True)
n.retain_grad()
x.retain_grad()
[y.retain_grad(), y.sum().backward(), y.grad, y.retains_grad]
n.register_hook(print)
[y.register_hook(lambda g: g * 3), y.sum().backward(), x.grad]
[x.register_hook(lambda g: g * 3), y.sum().backward(), x.grad]
[y.register_hook(lambda g: 3), y.sum().backward()]
[y.register_hook(lambda g: torch.ones(2)), y.sum().backward()]
[y.grad_fn.register_hook(lambda gi, go: gi[0]), y.sum().backward()]
[y.grad_fn.register_prehook(lambda go: (go[0] * 7,)), y.sum().backward(), x.grad]
x.add_(1)
x.mul_(2)
x.zero_()
x.fill_(1)
x.__iadd__(1)
x.__setitem__(0, 3.0)
x[0].add_(1)
x.view(3).mul_(2)
x.detach().add_(1), x
x.data.add_(1), x
y.add_(1), y.grad_fn
y.data.add_(1), y
n.add_(1), n
n.add_(torch.ones(2, 3))
k.add_(1.5)
k.mul_(2), k
n.add_(k), n
n.add_('a')
n.add_(x), n.grad_fn
x.grad.zero_()
(lambda e: [e.add_(1), e.sum().backward()])(x.exp())
(lambda e: [e.add_(1), e.sum().backward(), x.grad])(x + 1)
(lambda a: [(lambda s: [a.add_(1), s.backward()])((a * a).sum())])(x * 1)
x.numpy()
n.numpy()
y.detach().numpy()
x.item()
x.sum().item()
float(x)
float(x.sum())
int(n.sum())
bool(n)
bool(torch.tensor([]))
bool(torch.tensor(0.0))
len(torch.tensor(1))
list(torch.tensor(1))
iter(torch.tensor(1))
list(n)
n.tolist(), k.tolist()
n.foo
x + 'a'
x * None
'a' * x
x + [1, 2, 3]
x @ 3
torch.add(x, 'a')
torch.exp(3)
torch.exp('a')
x + torch.ones(4)
x * torch.ones(2, 2)
m + torch.ones(3, 2)
m @ torch.ones(2, 3)
m @ torch.ones(2)
torch.ones(2) @ torch.ones(3, 2)
torch.tensor(1.0) @ x
m @ torch.ones(3, 3, dtype=torch.float64)
x @ torch.ones(3, dtype=torch.float64)
torch.mm(x, m)
torch.dot(m, m)
torch.bmm(m, m)
x.view(2)
x.view(-1, -1)
x.view(2, -1)
m.t().view(6)
x.reshape(2)
x.sum(1)
x.sum(dim=5)
x.mean(3)
k.mean()
k.float().mean()
m.max(5)
m.argmax(3)
m.softmax(5)
x.squeeze(4)
x.unsqueeze(7)
x.transpose(0, 1)
x.permute(1)
m.permute(0, 0)
m.permute(0)
torch.ones(2, 2, 2).t()
x.expand(2)
x.expand(2, -1, 3)
m.flatten(1, 0)
torch.cat([])
torch.cat([x, m])
torch.cat([m, torch.ones(2, 2)])
torch.cat(x)
torch.stack([x, torch.ones(2)])
torch.stack([])
x[5]
x[0, 0]
x[1.0]
x[k]
x[torch.tensor([True, False])]
m[5]
m[:, 7]
m[torch.tensor([5])]
x[::-1]
n.__setitem__(5, 1.0)
n.__setitem__(0, torch.ones(2))
[n.__setitem__(0, 7.0), n]
[n.__setitem__(slice(1, 3), torch.tensor([8.0, 9.0])), n]
[n.__setitem__(n > 1, 0.0), n]
k / 2, k // 2, k % 2, k ** 2, -k, k * 2.5, k + True
k / 0, n / 0, n // 0
k // 0
k % 0
k ** -1
torch.tensor([True]) - torch.tensor([True])
-torch.tensor([True])
torch.tensor([True]) + torch.tensor([True])
torch.tensor([1, 2], dtype=torch.int8) + 300
torch.ones(2, dtype=torch.float16) * 1e6
n == None
n != None
n == [1]
n < 'a'
n > 1, n == n, k >= 2
n in [n]
1 in n
torch.tensor(3e38) * 10
torch.tensor([1.0, -1.0]).log()
torch.tensor([1e30]).exp()
torch.tensor(['a'])
torch.tensor(None)
torch.tensor([[1, 2], [3]])
torch.tensor([1, [2]])
torch.tensor([1, 2.5, True])
torch.tensor(2 ** 70)
torch.tensor({})
torch.tensor('a')
torch.tensor(x)
torch.tensor(3.7, dtype=torch.int64)
torch.tensor([1.0], dtype=float)
torch.tensor([1.0], dtype='a')
torch.ones(-1)
torch.ones(2.5)
torch.ones('a')
torch.ones()
torch.zeros(2, 3), torch.ones((2, 3)), torch.full((2,), 3), torch.full((2,), 3.0), torch.eye(2, 3)
torch.full(2, 3)
torch.arange(5), torch.arange(1, 2, 0.5), torch.arange(5.0), torch.arange(5, 0, -2)
torch.arange(1, 0)
torch.arange(0, 1, 0)
torch.linspace(0, 1, 5), torch.linspace(0, 10, 5, dtype=torch.int64), torch.linspace(3, 2, 1)
torch.linspace(1, 2, -1)
torch.empty((2, 0)), torch.empty(0)
torch.ones_like(x), torch.zeros_like(k), torch.full_like(x, 3), torch.ones_like(x, requires_grad=True)
torch.ones_like([1])
torch.FloatTensor([1, 2]), torch.LongTensor([1.5, 2]), torch.FloatTensor((1, 2)), torch.BoolTensor([1, 0])
torch.FloatTensor(2, 0), torch.Tensor([1, 2]), torch.Tensor(2, 0), torch.DoubleTensor([1])
torch.FloatTensor(1.5)
torch.Tensor('a')
torch.FloatTensor, type(torch.FloatTensor), isinstance(x, torch.FloatTensor), isinstance(x, torch.DoubleTensor)
x.type(), k.type(), x.double().type(), x.type(torch.float64)
torch.from_numpy([1])
torch.Size([2, 3]), torch.Size([2, 3])[1:], torch.Size([2, 3]).numel(), torch.Size([2]) + (3,)
torch.set_default_dtype(torch.int32)
x.grad_fn, y.grad_fn.name(), y.grad_fn.next_functions[1], type(y.grad_fn).__module__
y.grad_fn.metadata, isinstance(y.grad_fn, torch.autograd.graph.Node)
setattr(y.grad_fn, 'foo', 1)
setattr(y, 'grad_fn', None)
setattr(y, 'is_leaf', None)
setattr(x, 'grad', torch.ones(2))
setattr(x, 'grad', 3)
setattr(x, 'grad', torch.ones(3, dtype=torch.float64))
setattr(x, 'grad', x)
[setattr(x, 'grad', torch.ones(3)), y.sum().backward(), x.grad]
y.grad_fn._saved_self, y.grad_fn._saved_other
(x / 2).grad_fn._saved_other, (x ** 2).grad_fn._saved_exponent, (x ** 2).grad_fn._saved_self is x
x.exp().grad_fn._saved_result
x.T, m.T.shape, m.mT.shape
x.stride(), m.stride(), m.t().stride(), m.is_contiguous(), m.t().is_contiguous()
x.size(), m.size(1), m.size(-1), m.numel(), m.dim(), m.nbytes, m.itemsize, m.element_size()
m.size(2)
x._version, [n.add_(1), n._version], x.detach()._version
m[0]._is_view(), m[0]._base is m, x.detach()._is_view(), m[0][0]._base is m
torch.nn.functional.mse_loss(x, torch.ones(2))
torch.nn.functional.binary_cross_entropy_with_logits(x, torch.ones(2))
torch.nn.functional.cross_entropy(m, torch.tensor([0, 5]))
torch.nn.functional.cross_entropy(m, torch.tensor([0, 1, 2]))
torch.nn.functional.nll_loss(m, torch.tensor([0.0, 1.0]))
torch.nn.functional.linear(m, torch.ones(2, 2))
torch.optim.SGD(x, lr=0.01)
torch.optim.SGD([], lr=0.01)
torch.optim.SGD([y], lr=0.01)
torch.optim.SGD([1], lr=0.01)
torch.optim.SGD([x], lr=-1)
torch.optim.SGD([x], lr=0.1, momentum=-1)
torch.optim.SGD([x], lr=0.1, nesterov=True)
torch.optim.SGD([x, x], lr=0.1)
torch.optim.SGD([x], lr=0.1)
torch.optim.Adam([x], lr=0.1, betas=(1.5, 0.9))
torch.optim.Adam([x])
torch.optim.Adam(5)
[(lambda o: [y.sum().backward(), o.step(), o.zero_grad(), x, x.grad])(torch.optim.SGD([x], lr=0.1))]
[(lambda o: [y.sum().backward(), o.step(), o.zero_grad(set_to_none=False), x, x.grad])(torch.optim.Adam([x], lr=0.1))]
torch.manual_seed(0).initial_seed(), torch.rand(3), torch.randn(3), torch.randint(5, (4,)), torch.randperm(4)
torch.randint(5, 5, (2,))
torch.rand(-1)
torch.normal(0.0, -1.0, (2,))
torch.bernoulli(n)
x.copy_(3)
n.copy_(3), n.copy_(True), n.copy_(3.5), k.copy_(3.7), k.copy_(other=2), y.copy_(4)
n.copy_([1, 2, 3])
n.copy_('a')
n.copy_(None)
n.copy_(10**30)
torch.relu_(n), torch.sqrt_(n), torch.neg_(n), torch.zero_(n), torch.clamp_(n, 1), torch.fill_(n, 2)
torch.exp_(x)
torch.sigmoid_(3)
torch.detach_(y), y.grad_fn
sorted(name for name in dir(torch) if name in ('abs_', 'add_', 'mul_', 'cos_', 'copy_', 'detach_'))
reversed(x), reversed(m), reversed(k), reversed(torch.tensor(1.0))
torch.ones(2, 2, 2).H
torch.ones(2).H
torch.ones(2).mH
torch.set_grad_enabled(True).prev
x.gather(0, k - 1).grad_fn._saved_self, x.gather(0, k - 1).grad_fn._saved_index
torch.exp()
torch.relu()
torch.mul(x)
x.mul()
x.register_hook()
x.register_post_accumulate_grad_hook()
x.sum(0, 1)
x.mean(0, 1)
x.prod(0, 'a')
x.max(0, 1)
x.argmax(0, 1)
x.argmax(0.5)
x.argmin('a')
x.squeeze('a')
x.squeeze(0.5)
torch.zeros(2, requires_grad=1)
torch.zeros(2, requires_grad=None)
torch.tensor([1.0], requires_grad='a')
torch.full((2,), 1.0, requires_grad=1)
torch.zeros_like(x, requires_grad=1)
y.backward(torch.ones(3), retain_graph='a')
torch.autograd.grad(y.sum(), x, create_graph='a')
torch.autograd.grad(y.sum(), x, retain_graph=[])
torch.autograd.grad(y.sum(), x, retain_graph=1, create_graph=0)
torch.newaxis, torch.strided, torch.preserve_format, torch.contiguous_format, x.layout
type(torch.strided), type(torch.preserve_format), x.layout is torch.strided
[(lambda z: [setattr(x, 'data', torch.zeros(2)), z.backward()])((x * x).sum())]
x.__delattr__('data')
x.__delattr__('requires_grad')
torch.no_grad, torch.is_grad_enabled()
f'{x.sum():.2f}', f'{x}', str(k), repr(m)
f'{x:.2f}'
n[..., ..., 0]
n[..., ..., [0]]
m[..., ..., 1:]
n[np.bool_(True)]
n[np.array([0.5, 1.5])]
n[np.array([1], dtype=np.int8)], n[np.array(1, dtype=np.uint8)]
n[np.array(['a'])]
n[torch.tensor(1, dtype=torch.int16)], n[torch.tensor(1, dtype=torch.uint8)]
n[torch.tensor([1], dtype=torch.int16)]
n[torch.tensor(1.):]
n.__setitem__(0, 1e39)
n.__setitem__([0], 2**64)
n.__setitem__(n > 1, -(2**70))
k.__setitem__(0, float('inf'))
k.__setitem__(k > 1, float('nan'))
k.int().__setitem__(0, 2**31)
k.to(torch.uint8).__setitem__(0, -1.5)
k.to(torch.uint8).fill_(-1), k.to(torch.uint8).fill_(-255)
k.to(torch.uint8).fill_(-256)
n.fill_(2**64)
n.masked_fill(n > 1, 1e39)
k.masked_fill(k > 1, float('inf'))
k + 2**63, k == 2**63
k + 2**64
k * -(2**64)
torch.relu(torch.tensor([-0.0])), torch.clamp(torch.tensor([-0.0]), 0), F.relu6(torch.tensor([-0.0]))
torch.tensor([-1.0, -0.0, 3.0]) % 1, torch.tensor([4.0, -0.0]) % -2, -7 % torch.tensor([7.0, 2.0])
F.binary_cross_entropy(torch.tensor([1.0]), torch.tensor([1.0])), torch.tensor([-0.0]).sum()
torch.tensor([-0.0, -0.0, 1.0]).cumsum(0), torch.tensor([-0.0]).mean()
torch.linspace(-10, 10, 7), torch.linspace(0.1, 0.7, 4)
torch.tensor([float('nan')]).mode(), torch.tensor([2.0, 2.0, float('nan')]).mode()
torch.bincount(k, minlength=-1)
torch.histc(n, bins=0), torch.histc(n, bins=-1)
torch.histc(n, bins=2, min=3, max=0)
torch.histc(torch.tensor([1.0, float('inf')]), bins=4)
torch.histc(n, bins=4, min=float('nan'))
torch.gather(torch.tensor(1.0), 0, torch.tensor([0, 0]))
m.detach().scatter(1, torch.tensor([[0], [1]]), torch.ones(1, 1))
m.detach().scatter(0, torch.tensor([[0], [1]]), torch.ones(1, 4))
m.detach().scatter(1, torch.tensor([[0], [1], [1]]), torch.ones(3, 1))
m.detach().scatter_add(1, torch.tensor([[0], [1]]), torch.ones(2, 0))
m.detach().scatter_add_(1, torch.tensor([[0], [1]]), torch.ones(1, 1))
n.quantile(torch.tensor([0.5], dtype=torch.float64))
m.all(dim=()), m.any(dim=[])
torch.tril_indices(-1, 3)
torch.triu_indices(3, -1)
n.tensor_split(torch.tensor([1.0, 2.0]))
n.tensor_split(torch.tensor([[1, 2]]))
n.tensor_split(torch.tensor(2, dtype=torch.int32))
n.repeat_interleave(torch.tensor([1.0]))
n.repeat_interleave(torch.tensor([[1, 2, 3]]))
torch.repeat_interleave(k), torch.repeat_interleave(k, output_size=6)
torch.repeat_interleave(k, output_size=5)
torch.repeat_interleave(torch.tensor([[1, 2]]))
torch.repeat_interleave(torch.tensor([1, -2]))
torch.repeat_interleave(n)
torch.tensor([6, 2]).clamp_max_(0.5)
torch.tensor([6, 2]).clamp_max_(torch.tensor(0.5))
torch.where(torch.tensor([True, False]), n, n)
torch.where(n > 1, torch.ones(2), torch.ones(2, 1))
torch.tensordot(n, n.double(), 1)
torch.broadcast_shapes(n.shape, [2])
F.binary_cross_entropy(torch.ones(2), torch.ones(2), weight=torch.ones(3))
F.binary_cross_entropy(torch.ones(2), torch.ones(2), weight=torch.ones(2, 2))
F.binary_cross_entropy(torch.ones(2, 2), torch.zeros(2, 2), weight=torch.tensor([1.0, 2.0]))
F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2), weight=torch.ones(3))
F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2), pos_weight=torch.ones(3))
F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(2), pos_weight=torch.ones(2, 1))
torch.iinfo(torch.int32), torch.iinfo(torch.uint8)
torch.tensor([torch.ones(1), torch.ones(1, 1)]), torch.tensor([torch.ones(1), 2.0]).shape
torch.tensor([[torch.ones(1)], [2.0]])
torch.tensor([torch.ones(2), torch.ones(2)])
torch.multinomial(torch.arange(1.0, 13.0).view(4, 3).t(), 2)
torch.multinomial(torch.arange(1.0, 13.0).view(4, 3).t(), 1, True)
torch.multinomial(torch.ones(3).expand(4, 3), 2)
torch.randint(-(2**31), 2**31, (3,), dtype=torch.float32), torch.rand(1)
torch.randint(0, 2**53 + 9, (3,), dtype=torch.float64)
torch.randint(0, 2**12, (3,), dtype=torch.float16)
torch.randint(2**30 + 1, 2**30 + 2, (3,), dtype=torch.float32)
torch.zeros(2).random_(-(2**25) - 1, -5), torch.zeros(2).random_(2**62)
torch.zeros(2).half().random_(2**17)
torch.tensor([x.sum(), x.sum()]), torch.as_tensor([x[0]])
torch.tensor([x.sum().detach(), x[0]])
torch.tensor([x[:1], torch.ones(2)])
torch.nn.BatchNorm1d(2)(torch.arange(6.0).view(3, 2)), torch.nn.BatchNorm1d(2).reset_running_stats()
torch.randint(2**63, (2,))
torch.randint(-(2**63) - 1, 2, (2,))
torch.randint(0, 2**63, (2,), dtype=torch.uint8)
torch.randint_like(k, 2**63)
torch.randint(-(2**63), 2**63 - 1, (2,))
k.random_(2**63)
k.random_(-(2**63) - 1, None)
n.random_(2**70)
torch.randperm(2**63)
torch.ones(2, 2).sum((0, True)), torch.ones(2, 2).mean((0, True)), torch.ones(2, 2).amax((0, True))
torch.ones(2, 2).std((0, True)), torch.ones(2, 2).logsumexp((0, True)), m.norm(2, (0, True))
torch.ones(2, 2).all((0, True)), torch.ones(2, 1).squeeze((0, True)), m.sum((0, True)).grad_fn
torch.ones(2, 2).sum((True, 0))
torch.ones(2, 2).sum((0, False))
torch.ones(2, 2).squeeze((True, 0))
torch.ones(1, 3).squeeze_((0, True))
torch.ones(2, 2).unflatten(0, (2, True))
torch.ones(2, 2).unflatten(0, (True, 2))
n.tensor_split(np.int64(1)), n.hsplit(np.int64(3)), n.chunk(np.int32(2))
torch.ones(1, 3).squeeze_(np.int64(0)), torch.ones(1, 3).squeeze_(np.int64(-1))
n.to(memory_format=1)
n.to('cpu', memory_format='x')
n.to(memory_format=None), n.cpu(memory_format=None)
n.contiguous(memory_format=1)
n.contiguous(memory_format=None)
n.contiguous(memory_format=torch.preserve_format)
m.t().contiguous(memory_format=torch.preserve_format)
m.t().cpu(memory_format=torch.contiguous_format).stride()
n.cpu(memory_format=1)
n.cpu(torch.contiguous_format)
torch.nn.Linear(1, 1).to(copy=True)
torch.nn.Linear(1, 1).to(torch.int64, copy=False)
torch.nn.Linear(1, 1).to('cpu', torch.float64, False, True)
torch.nn.Linear(1, 1).to('fro', copy=True)
torch.ones(2, dtype=torch.float16, out=torch.ones(2))
torch.ones(2, dtype=torch.float32, out=torch.ones(2, dtype=torch.int64))
torch.full((2,), 1.0, dtype=torch.float16, out=torch.ones(2))
torch.linspace(0, 1, 2, dtype=torch.float16, out=torch.ones(2))
torch.zeros(2, requires_grad=True, out=torch.ones(2)), torch.eye(2, requires_grad=True, out=n)
torch.rand(2, requires_grad=True, out=torch.ones(2)).requires_grad
torch.arange(2, requires_grad=True, out=torch.ones(2, dtype=torch.int64))
torch.logspace(0, 1, 2, requires_grad=True, device='cpu')
torch.logspace(0, 1, 2, requires_grad=True, device='fro')
torch.zeros(3, out=x)
torch.lt(x, 2, out=torch.zeros(3, dtype=torch.bool)), torch.not_equal(x, 2, out=torch.zeros(3))
torch.eq(x, 1, out=x), torch.ge(n, 1, out=y)
torch.logical_and(x, y, out=torch.zeros(3)), torch.signbit(x, out=torch.ones(3, dtype=torch.bool))
torch.argmax(x, out=torch.tensor(0)), torch.all(x, out=torch.tensor(False))
torch.searchsorted(n, x, out=torch.tensor([0, 0, 0])), torch.nonzero(x, out=torch.tensor([0]))
torch.cummax(n, 0, out=(torch.ones(3), torch.ones(3)))
torch.cummin(n, 0, out=(torch.ones(3).double(), torch.ones(3)))
torch.cummax(n, 0, out=(torch.ones(3), torch.tensor([0, 0, 0])))
torch.min(torch.tensor([True, False]), out=torch.tensor(1.0)), torch.max(k, out=torch.tensor(1.0))
torch.max(k, k, out=torch.ones(3)), torch.max(n, n, out=torch.ones(3).double())
torch.max(n, 0, out=(torch.tensor(1.0).double(), torch.tensor(1)))
torch.linspace(0, 1000, 36, dtype=torch.float16).tolist()
torch.linspace(23.7, -499.0, 49, dtype=torch.float16).tolist()
torch.linspace(torch.tensor(1.0), 3, 5, dtype=torch.float16), torch.linspace(1, 9, 4).half()
torch.as_tensor(n, device='fro')
torch.as_tensor(n, device='cuda')
torch.as_tensor(n, device='cpu') is n
torch.linalg.pinv(torch.eye(3), rcond=torch.ones(2)), torch.linalg.pinv(m[:, :2], torch.zeros(2))
torch.linalg.pinv(torch.eye(3).expand(2, 3, 3), rtol=torch.tensor([0.1, 2.0]))
torch.roll(torch.zeros(0), 1, 3), torch.roll(torch.zeros(2, 0), (1, 2), (0, 5))
torch.roll(torch.zeros(2, 0), (1, 2))
torch.roll(torch.zeros(()), 1, 0)
(lambda g: g.set_state(g.get_state()) is g)(torch.Generator())
torch.set_rng_state(torch.get_rng_state())
torch.set_rng_state(3)
torch.linalg.eigh(torch.ones(2, 2).half(), UPLO='z')
torch.linalg.eigvalsh(torch.ones(2, 2, dtype=torch.int64), UPLO='z')
torch.linalg.eigvalsh(torch.ones(2, 2), UPLO='Lz')
torch.linalg.eigvalsh(torch.ones(2, 3), UPLO='z')
torch.linalg.eigvalsh(torch.tensor([[2.0, 9.0], [0.0, 3.0]]), UPLO='l')
torch.linalg.solve(torch.ones(2, 2).half(), torch.ones(3).half())
torch.linalg.solve(torch.ones(2, 2).half(), torch.ones(2))
torch.linalg.solve(torch.ones(2, 2).half(), torch.ones(2).half())
torch.linalg.solve(k[:, None] * k, k)
torch.linalg.det(torch.ones(2, 2).half())
torch.linalg.cholesky(torch.eye(2).half())
n.new(2, device='fro')
torch.linalg.pinv(torch.eye(3).expand(2, 3, 3), rcond=torch.ones(3))
torch.linalg.pinv(torch.eye(3), atol=torch.ones(2), rtol=torch.ones(3))
torch.linalg.matrix_rank(torch.eye(3).expand(2, 3, 3), rtol=torch.ones(3))
k.masked_fill(k > 1, x[0])
k.bool().masked_fill(k > 1, x[0])
k.index_fill(0, torch.tensor([0]), x[0])
torch.fill(k, x[0])
k.int().select_scatter(x[0], 0, 0)
k.slice_scatter(x, 0)
(lambda i: (i.masked_fill_(i > 1, x[0]), i.fill_(x[0]), i._version))(k.clone())
torch.floor_divide(x, 2, out=n), n
torch.heaviside(n, n, out=torch.ones(3, requires_grad=True))
torch.bitwise_and(k, k, out=torch.ones(3, requires_grad=True))
torch.matmul(m, m.t(), out=torch.ones(3, dtype=torch.int64))
torch.poisson(n, out=n)
n.to(1.5), k.to(True)
n.to(1)
n.to(-1)
torch.nn.Linear(1, 1).to(1.5).weight.dtype
torch.nn.Linear(1, 1).to(True)
n.expand(2, 3, implicit=True)
n.expand(2, 3, implicit=1)
torch.rand_like(n, pin_memory=True)
torch.zeros(2, pin_memory=True)
torch.zeros(2, pin_memory=False)
m.detach().masked_scatter_(n[:2] > 1, m)
n.masked_scatter_(m > 1, m.detach())
n.masked_scatter_(k, n)
""".strip().splitlines()


def said(torch: Any, program: str) -> str:
    """Return all that a program says: what it gives, its warnings, its error, and what is left."""
    torch.manual_seed(0)
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    names = {
        "torch": torch,
        "F": torch.nn.functional,
        "np": np,
        "x": x,
        "y": x * 2,
        "n": torch.tensor([1.0, 2.0, 3.0]),
        "k": torch.tensor([1, 2, 3]),
        "m": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True),
    }
    before = {
        name: str(value) for name, value in names.items() if not isinstance(value, ModuleType)
    }
    lines = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            lines.append(str(eval(program, names)))
        except Exception as error:
            lines.append(f"{type(error).__name__}: {error}")
            after = {name: str(names[name]) for name in before}
            if after != before:
                lines.append(f"changed: {after}")
    for warning in caught:
        text = str(warning.message).split(" (Triggered internally")[0]
        lines.append(f"{warning.category.__name__}: {text}")
    return re.sub("0x[0-9a-f]+", "0x...", "\n".join(lines))


@pytest.mark.parametrize("program", PROGRAMS)
def test_minigrad_says_what_pytorch_says(program: str) -> None:
    import torch

    torch.set_warn_always(True)
    try:
        expected = said(torch, program)
    finally:
        torch.set_warn_always(False)
    assert said(minigrad, program) == expected
