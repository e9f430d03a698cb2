"""Programs of those who write modes, subclasses and types that answer for themselves."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_a_tensor_with_metadata() -> None:
    agree_in_print(
        r"""
        class MetadataTensor:
            def __init__(self, data, metadata=None, **kwargs):
                self._t = torch.as_tensor(data, **kwargs)
                self._metadata = metadata

            def __repr__(self):
                return f"Metadata:\n{self._metadata}\n\ndata:\n{self._t}"

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if kwargs is None:
                    kwargs = {}
                metadatas = tuple(a._metadata for a in args if hasattr(a, "_metadata"))
                args = [getattr(a, "_t", a) for a in args]
                assert len(metadatas) > 0
                ret = func(*args, **kwargs)
                return MetadataTensor(ret, metadata=metadatas[0])

        m = MetadataTensor([[1.0, 2.0], [3.0, 4.0]], "meta")
        print(torch.add(m, m))
        print(torch.mul(m, 2))
        print(torch.matmul(m, torch.ones(2, 2)))
        print(F.relu(m))
        print(torch.sum(m, 0))
        t = torch.ones(2, 2)
        print(t + m, t * m, t @ m, t - m)
        try:
            m + t
        except TypeError as e:
            print(e)
        """
    )


def test_a_table_of_what_is_implemented() -> None:
    agree_in_print(
        """
        HANDLED = {}
        import functools

        class ScalarTensor(object):
            def __init__(self, N, value):
                self._N = N
                self._value = value

            def __repr__(self):
                return f"ScalarTensor(N={self._N}, value={self._value})"

            def tensor(self):
                return self._value * torch.eye(self._N)

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if kwargs is None:
                    kwargs = {}
                if func not in HANDLED or not all(
                    issubclass(t, (torch.Tensor, ScalarTensor)) for t in types
                ):
                    return NotImplemented
                return HANDLED[func](*args, **kwargs)

        def implements(f):
            def dec(func):
                functools.update_wrapper(func, f)
                HANDLED[f] = func
                return func

            return dec

        @implements(torch.mean)
        def mean(input):
            return float(input._value) / input._N

        @implements(torch.add)
        def add(input, other):
            try:
                if input._N == other._N:
                    return ScalarTensor(input._N, input._value + other._value)
                raise ValueError("Shape mismatch!")
            except AttributeError:
                return torch.add(
                    input.tensor() if isinstance(input, ScalarTensor) else input,
                    other.tensor() if isinstance(other, ScalarTensor) else other,
                )

        d = ScalarTensor(5, 2)
        print(d, d.tensor(), torch.mean(d), torch.add(d, d))
        try:
            torch.mul(d, 3)
        except TypeError as e:
            print(e)
        try:
            torch.add(d, ScalarTensor(2, 1))
        except ValueError as e:
            print(e)
        t = torch.tensor([[1, 1.0], [1, 1]])
        s = ScalarTensor(2, 2)
        print(torch.add(s, t), torch.add(t, s))
        try:
            print(t + s)
        except TypeError as e:
            print(e)
        print(mean.__name__, mean.__doc__ is not None)
        """
    )


def test_a_subclass_that_logs() -> None:
    agree_in_print(
        """
        class LoggingTensor(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func is not torch.Tensor.__repr__:
                    print(f"func: {func.__name__}, args: {len(args)}, kwargs: {kwargs}")
                if kwargs is None:
                    kwargs = {}
                return super().__torch_function__(func, types, args, kwargs)

        t = torch.tensor([[1, 2.0], [3, 4]]).as_subclass(LoggingTensor)
        print(t.sum(), t.mean(dim=0), t[0], t.T, t.shape, t.view(-1), t.unsqueeze(0).shape)
        print(F.softmax(t, -1))
        print(torch.cat([t, t]))
        print(t.max())
        print(t.max(1))
        print((t > 1).any(), t.tolist(), t.numpy())
        t.requires_grad_()
        y = (t * t).sum()
        y.backward()
        print(t.grad, type(t.grad))
        """
    )


def test_the_types_of_results() -> None:
    agree_in_print(
        """
        class Sub(torch.Tensor):
            pass

        t = torch.ones(2, 2).as_subclass(Sub)
        for f in (
            lambda: t.view(4),
            lambda: t.reshape(4),
            lambda: t.T,
            lambda: t[0],
            lambda: t[0, 0],
            lambda: t.expand(3, 2, 2),
            lambda: t.narrow(0, 0, 1),
            lambda: t.chunk(2),
            lambda: t.split(1),
            lambda: t.unbind(),
            lambda: t.diagonal(),
            lambda: t.detach(),
            lambda: t.data,
            lambda: t.clone(),
            lambda: t.to(torch.float64),
            lambda: t.cpu(),
            lambda: t.contiguous(),
            lambda: t.sum(),
            lambda: t.sum().item(),
            lambda: t.max(0),
            lambda: t.topk(1),
            lambda: t.sort(),
            lambda: t.norm(),
            lambda: t.size(),
            lambda: t.stride(),
            lambda: t.dtype,
            lambda: t.device,
            lambda: t.grad,
            lambda: t.grad_fn,
            lambda: t.requires_grad,
            lambda: t.new_ones(2),
            lambda: t.new_tensor([1.0]),
            lambda: torch.zeros_like(t),
            lambda: torch.rand_like(t).shape,
            lambda: t == 1,
            lambda: t.bool(),
            lambda: t.int(),
            lambda: -t,
            lambda: ~t.bool(),
            lambda: t.abs_(),
            lambda: t.add_(1),
            lambda: t.fill_(3.0),
            lambda: t.copy_(torch.ones(2, 2)),
            lambda: torch.where(t > 0, t, 0.0),
            lambda: torch.stack([t, t]),
            lambda: torch.meshgrid(t[0], t[0], indexing="ij"),
            lambda: torch.linalg.inv(t + torch.eye(2)),
            lambda: torch.linalg.qr(t),
            lambda: torch.unique(t),
            lambda: t.nonzero(),
            lambda: torch.broadcast_tensors(t, torch.ones(1)),
            lambda: torch.einsum("ij->ji", t),
            lambda: t.unique(return_counts=True),
            lambda: t.type(torch.float64),
            lambda: t.__deepcopy__({}),
            lambda: t.storage_offset(),
            lambda: t.is_contiguous(),
            lambda: t.numpy(),
            lambda: t.tolist(),
            lambda: t.mT,
            lambda: t.H,
            lambda: t.real,
        ):
            r = f()
            print(
                type(r).__name__,
                [type(o).__name__ for o in r] if isinstance(r, (tuple, list)) else "",
                r if not isinstance(r, (tuple, list)) else "",
            )
        """
    )


def test_the_types_of_what_is_changed_in_place() -> None:
    agree_in_print(
        """
        class Sub(torch.Tensor):
            pass

        t = torch.ones(2).as_subclass(Sub)
        u = t
        t += 1
        print(type(t), t is u)
        t *= torch.ones(2)
        print(type(t), t is u)
        t[0] = 5
        print(t)
        p = torch.ones(2)
        q = p
        p += t
        print(type(p), p is q)
        p.add_(t)
        print(type(p), type(q))
        z = torch.zeros(2)
        torch.add(t, t, out=z)
        print(type(z), z)
        r = torch.add(p, p, out=t)
        print(type(r), r is t)
        v = t.view(2)
        v.mul_(2)
        print(type(v), t, v._is_view(), v._base is t, type(v._base))
        """
    )


def test_the_types_of_gradients_and_what_hooks_get() -> None:
    agree_in_print(
        """
        class Sub(torch.Tensor):
            pass

        x = torch.ones(2, requires_grad=True).as_subclass(Sub)
        print(x.is_leaf, x.grad_fn, x.requires_grad)
        x = torch.ones(2).as_subclass(Sub).requires_grad_()
        print(x.is_leaf)
        h = []
        x.register_hook(lambda g: h.append(type(g).__name__))
        y = x * 2
        y.register_hook(lambda g: h.append(("y", type(g).__name__)))
        y.retain_grad()
        y.sum().backward()
        print(h, type(x.grad), type(y.grad), y.grad)
        (g,) = torch.autograd.grad((x * x).sum(), x)
        print(type(g), g)
        (g,) = torch.autograd.grad((x * x).sum(), x, create_graph=True)
        print(type(g), g.grad_fn is not None)
        x.grad = None
        print(x.grad)
        x.grad = torch.ones(2)
        print(type(x.grad))
        x.grad = torch.ones(2).as_subclass(Sub)
        print(type(x.grad))
        x.register_post_accumulate_grad_hook(lambda p: print("post", type(p), type(p.grad)))
        (x * 1).sum().backward()
        print(x.grad)
        print(type(y.grad_fn(torch.ones(2))))
        print(
            type(y.grad_fn._saved_other) if hasattr(y.grad_fn, "_saved_other") else None,
            type(y.grad_fn._saved_self),
        )
        """
    )


def test_parameters_of_a_subclass_in_a_module() -> None:
    agree_in_print(
        """
        class Sub(torch.Tensor):
            pass

        class P(torch.nn.Parameter):
            pass

        s = torch.ones(2, 2).as_subclass(Sub)
        p = torch.nn.Parameter(s)
        print(type(p), isinstance(p, torch.nn.Parameter), isinstance(p, Sub), repr(p))

        class M(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.ones(2, 2).as_subclass(Sub))
                self.register_buffer("b", torch.zeros(2).as_subclass(Sub))
                self.v = P(torch.ones(2))

            def forward(self, x):
                return F.linear(x, self.w, self.b) * self.v

        m = M()
        print(
            m,
            [(n, type(q).__name__) for n, q in m.named_parameters()],
            [(n, type(q).__name__) for n, q in m.named_buffers()],
        )
        o = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
        y = m(torch.ones(1, 2))
        print(type(y), y)
        y.sum().backward()
        print([(type(q.grad).__name__, q.grad) for q in m.parameters()])
        o.step()
        print([(type(q).__name__, q) for q in m.parameters()])
        o.zero_grad()
        print(m.w.grad)
        sd = m.state_dict()
        print({k: type(v).__name__ for k, v in sd.items()})
        m2 = M()
        print(m2.load_state_dict(sd))
        print(type(m2.w), m2.w)
        m.double()
        print(type(m.w), m.w.dtype, type(m.b))
        o.step()
        import copy

        m3 = copy.deepcopy(m)
        print(type(m3.w), type(m3.v), type(m3.b))
        a = torch.optim.Adam(m3.parameters())
        m3(torch.ones(1, 2).double()).sum().backward()
        a.step()
        print([type(v).__name__ for v in a.state[m3.w].values()])
        """
    )


def test_who_answers_first() -> None:
    agree_in_print(
        """
        class A(torch.Tensor):
            @classmethod
            def __torch_function__(cls, f, t, a=(), k=None):
                print("A", f.__name__, [x.__name__ for x in t])
                return NotImplemented

        class B(torch.Tensor):
            @classmethod
            def __torch_function__(cls, f, t, a=(), k=None):
                print("B", f.__name__, [x.__name__ for x in t])
                return "B!"

        class C(A):
            @classmethod
            def __torch_function__(cls, f, t, a=(), k=None):
                print("C", f.__name__, [x.__name__ for x in t])
                return super().__torch_function__(f, t, a, k)

        a, b, c = [torch.ones(1).as_subclass(k) for k in (A, B, C)]
        print(torch.add(a, b))
        print(torch.add(b, a))
        print(torch.cat([a, c, b]))
        print(a + b, b * c)
        for f in (
            lambda: torch.add(a, c),
            lambda: a + c,
            lambda: torch.norm(a),
            lambda: a.norm(),
            lambda: F.relu(c),
            lambda: a.shape,
            lambda: a.sum(),
            lambda: torch.split(c, 1),
        ):
            try:
                print(f())
            except TypeError as e:
                print(str(e).replace("0x", ""))
        """
    )


def test_modes_within_modes() -> None:
    agree_in_print(
        """
        class L(torch.overrides.TorchFunctionMode):
            def __init__(self, n):
                self.n = n

            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(self.n, torch.overrides.resolve_name(func))
                return func(*args, **(kwargs or {}))

        x = torch.ones(2)
        with L("a"), L("b"):
            x + 1
            with L("c"):
                torch.ones(1)
        try:
            with L("d"):
                x.add("a")
        except TypeError as e:
            print(e)
        print(
            torch.overrides._get_current_function_mode_stack(),
            torch.overrides._get_current_function_mode(),
        )
        m = L("m")
        with m:
            with m:
                x * 2
        """
    )


def test_a_mode_that_changes_results() -> None:
    agree_in_print(
        """
        class Double(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                r = func(*args, **(kwargs or {}))
                return r * 2 if isinstance(r, torch.Tensor) and r.is_floating_point() else r

        x = torch.ones(2)
        with Double():
            print((x + 1).tolist())
            y = torch.add(x, 1)
            z = torch.rand(2) * 0
        print(y, z)
        """
    )


def test_a_mode_that_changes_arguments() -> None:
    agree_in_print(
        """
        class F64(torch.overrides.TorchFunctionMode):
            C = (
                torch.ones,
                torch.zeros,
                torch.rand,
                torch.tensor,
                torch.empty,
                torch.full,
                torch.arange,
                torch.randn,
            )

            def __torch_function__(self, func, types, args=(), kwargs=None):
                kwargs = dict(kwargs or {})
                if func in self.C:
                    kwargs.setdefault("dtype", torch.float64)
                return func(*args, **kwargs)

        with F64():
            print(
                torch.ones(2).dtype,
                torch.tensor([1.0]).dtype,
                torch.full((2,), 1.0).dtype,
                torch.arange(3).dtype,
                torch.nn.Linear(2, 2).weight.dtype,
                torch.zeros(2, dtype=torch.int32).dtype,
            )
        print(torch.ones(2).dtype)
        """
    )


def test_a_mode_and_a_subclass() -> None:
    agree_in_print(
        """
        class Sub(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print("sub", func.__name__)
                return super().__torch_function__(func, types, args, kwargs)

        class L(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print("mode", func.__name__, [t.__name__ for t in types])
                return func(*args, **(kwargs or {}))

        s = torch.ones(2).as_subclass(Sub)
        with L():
            s + 1
            torch.add(s, s)
            s.shape
            torch.ones(1)
            s.sum().backward if False else None
            with torch._C.DisableTorchFunctionSubclass():
                s * 2
            with torch._C.DisableTorchFunction():
                s * 3
            print(type(s + 1))
        print(
            torch._C._is_torch_function_enabled()
            if hasattr(torch._C, "_is_torch_function_enabled")
            else True
        )
        """
    )


def test_what_a_mode_can_forbid() -> None:
    agree_in_print(
        """
        import numpy as np

        class Raises(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                raise ValueError(func.__name__)

        x = torch.ones(2)
        for f in (
            lambda: x + 1,
            lambda: F.relu(x),
            lambda: x.grad,
            lambda: x.no_such,
            lambda: torch.zeros(1),
            lambda: x @ x,
            lambda: hash(x) == id(x),
            lambda: x is x,
            lambda: torch.is_tensor(x),
            lambda: isinstance(x, torch.Tensor),
            lambda: torch.get_default_dtype(),
            lambda: torch.manual_seed(1) is not None,
            lambda: torch.no_grad() and 1,
            lambda: torch.is_grad_enabled(),
            lambda: x.__class__.__name__,
            lambda: torch.nn.ReLU() and 1,
            lambda: torch.broadcast_shapes((1,), (2,)),
            lambda: torch.Size([1]).numel(),
            lambda: torch.finfo(torch.float32).eps,
            lambda: torch.can_cast(torch.int, torch.float),
            lambda: torch.promote_types(torch.int, torch.float),
            lambda: torch.Generator() and 1,
            lambda: torch.set_default_dtype(torch.float32),
            lambda: torch.from_numpy(np.ones(1)),
            lambda: torch.typename(x),
            lambda: torch.result_type(x, 1),
            lambda: torch.is_nonzero(x),
            lambda: torch.numel(x),
            lambda: torch.seed() and 1,
            lambda: torch.get_rng_state() is None,
        ):
            with Raises():
                try:
                    r = f()
                except Exception as e:
                    r = type(e).__name__ + ": " + str(e)
            print(r)
        """
    )


def test_functions_of_ones_own() -> None:
    agree_in_print(
        """
        ov = torch.overrides

        def f(a, b=1):
            if ov.has_torch_function_variadic(a, b):
                return ov.handle_torch_function(f, (a, b), a, b=b)
            return ("plain", a, b)

        class D:
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return (func.__name__, [t.__name__ for t in types], len(args), kwargs)

        class S(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return ("S", func.__name__, [t.__name__ for t in types])

        d = D()
        s = torch.ones(1).as_subclass(S)
        print(f(1), f(d), f(1, b=d), f(s, d), f(d, s), f(s), f(torch.ones(1), d))
        for h in (ov.has_torch_function_unary,):
            print(
                h(d),
                h(s),
                h(1),
                h(torch.ones(1)),
                h(torch.nn.Parameter(torch.ones(1))),
                h(D),
                h(None),
            )
        print(
            ov.has_torch_function((1, d)),
            ov.has_torch_function([]),
            ov.has_torch_function_variadic(),
            ov.has_torch_function_variadic(1, s),
        )
        with torch._C.DisableTorchFunctionSubclass():
            print(ov.has_torch_function((d,)), f(d)[0])

        class M(ov.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print("M", func.__name__, [t.__name__ for t in types], args, kwargs)
                return func(*args, **(kwargs or {}))

        with M():
            print(f(1), f(2, b=3))
            print(f(d))
        try:
            ov.handle_torch_function(f, (1,), 1)
        except TypeError as e:
            print(e)
        print(
            ov.is_tensor_like(d),
            ov.is_tensor_like(D),
            ov.is_tensor_like(s),
            ov.is_tensor_like(1),
            ov.is_tensor_like(torch.ones(1)),
        )
        """
    )


def test_functions_that_are_wrapped() -> None:
    agree_in_print(
        """
        ov = torch.overrides

        @ov.wrap_torch_function(lambda a, b=None: (a, b))
        def g(a, b=None):
            "doc"
            return ("plain", a)

        class D:
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return (func is g, args[1:], kwargs)

        print(g(1), g(D()), g(1, D())[0], g(1, b=D())[0], g.__name__, g.__doc__)
        """
    )


def test_the_base_of_modes() -> None:
    agree_in_print(
        """
        class B(torch.overrides.BaseTorchFunctionMode):
            pass

        x = torch.ones(2)
        with torch.overrides.BaseTorchFunctionMode() as m:
            print(type(m).__name__, x + 1)
        with B():
            print(x * 2, len(torch.overrides._get_current_function_mode_stack()))

        class T(torch.overrides.TorchFunctionMode):
            pass

        try:
            with T():
                x + 1
        except Exception as e:
            print(type(e).__name__, e)
        try:
            with T():
                F.relu(x)
        except Exception as e:
            print(type(e).__name__, e)
        try:
            torch.overrides.TorchFunctionMode().__exit__(None, None, None)
        except Exception as e:
            print(type(e).__name__, e)
        print(
            torch.overrides._len_torch_function_stack()
            if hasattr(torch.overrides, "_len_torch_function_stack")
            else 0
        )
        print(T.push().__class__.__name__)
        """
    )


def test_shapes_of_a_network() -> None:
    agree_in_print(
        """
        class Shape(torch.overrides.TorchFunctionMode):
            def __init__(self):
                super().__init__()
                self.log = []

            def __torch_function__(self, func, types, args=(), kwargs=None):
                out = func(*args, **(kwargs or {}))
                if isinstance(out, torch.Tensor):
                    self.log.append((func.__name__, tuple(out.shape)))
                return out

        net = torch.nn.Sequential(
            torch.nn.Linear(4, 8),
            torch.nn.ReLU(),
            torch.nn.LayerNorm(8),
            torch.nn.Dropout(0.5),
            torch.nn.Linear(8, 2),
            torch.nn.Softmax(-1),
        )
        with Shape() as s:
            out = net(torch.ones(3, 4))
            loss = F.cross_entropy(out, torch.tensor([0, 1, 0]))
            loss.backward()
        print(s.log)
        """
    )


def test_a_wrapper_that_converts() -> None:
    agree_in_print(
        """
        class Conv(torch.Tensor):
            @staticmethod
            def __new__(cls, t, scale=1.0):
                r = torch.Tensor._make_subclass(cls, t)
                r.scale = scale
                return r

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                def un(a):
                    return a.as_subclass(torch.Tensor) * a.scale if isinstance(a, Conv) else a

                with torch._C.DisableTorchFunctionSubclass():
                    return func(
                        *[un(a) for a in args], **{k: un(v) for k, v in (kwargs or {}).items()}
                    )

        c = Conv(torch.ones(2), 3.0)
        print(
            c + 1,
            torch.add(1, c) if False else torch.add(c, c),
            torch.mul(c, other=c),
            c.sum(),
            type(c * 2),
            c.shape,
            c.dtype,
        )
        print(F.linear(torch.ones(1, 2), c.view(1, 2)))
        """
    )


def test_a_wrapper_that_holds_a_tensor() -> None:
    agree_in_print(
        """
        class W:
            def __init__(self, t):
                self.t = t

            def __getattr__(self, n):
                if n.startswith("__"):
                    raise AttributeError(n)
                print("attr", n)
                return getattr(self.t, n)

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print("tf", func.__name__)
                un = lambda a: a.t if isinstance(a, W) else a
                from_ = lambda a: [un(b) for b in a] if isinstance(a, (list, tuple)) else un(a)
                return W(
                    func(*map(from_, args), **{k: from_(v) for k, v in (kwargs or {}).items()})
                )

        w = W(torch.ones(2, 2))
        print(type(w.sum()))
        print(
            type(torch.sum(w)),
            torch.cat([w, w]).t.shape,
            (torch.ones(2, 2) @ w).t,
            F.relu(w).t,
            torch.nn.Linear(2, 1)(w).t.shape,
            torch.stack((w, torch.ones(2, 2))).t.shape,
            torch.where(torch.ones(2, 2) > 0, w, 0.0).t,
        )
        print(
            F.mse_loss(w, torch.zeros(2, 2)).t,
            F.cross_entropy(w, torch.tensor([0, 1])).t,
            torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh(), torch.nn.Softmax(1))(w).t,
            F.dropout(w, 0.0).t.shape,
            F.layer_norm(w, (2,)).t,
            torch.einsum("ij,jk", w, w).t,
            torch.linalg.norm(w).t,
            torch.max(w, 0).t.values,
            torch.split(w, 1).t[0],
            torch.equal(w, torch.ones(2, 2)).t,
            torch.autograd.grad(w, w) if False else 0,
        )
        """
    )


def test_views_as_a_subclass() -> None:
    agree_in_print(
        """
        class S(torch.Tensor):
            pass

        a = torch.ones(2, requires_grad=True)
        s = a.as_subclass(S)
        print(s.grad_fn, s.is_leaf, s._is_view(), s.data_ptr() == a.data_ptr(), s is a)
        (s * 2).sum().backward()
        print(a.grad, type(a.grad))
        s2 = s.as_subclass(torch.Tensor)
        print(type(s2), s2.grad_fn)
        n = torch.ones(2).as_subclass(S)
        n.add_(1)
        print(n, n._version)
        for bad in (int, 3, torch.nn.Module, object):
            try:
                a.as_subclass(bad)
            except Exception as e:
                print(type(e).__name__, e)
        try:
            torch.Tensor._make_subclass(S, torch.ones(2), 1)
        except Exception as e:
            print(type(e).__name__, e)
        m = torch.Tensor._make_subclass(S, torch.ones(2), True)
        print(m, m.is_leaf)
        print(
            isinstance(m, torch.Tensor),
            torch.is_tensor(m),
            S.__mro__[1].__name__,
            issubclass(S, torch.Tensor),
            type(m).__name__,
        )
        """
    )


def test_a_subclass_that_does_not_answer() -> None:
    agree_in_print(
        """
        class S(torch.Tensor):
            __torch_function__ = torch._C._disabled_torch_function_impl

        s = S([1.0, 2.0])
        print(
            type(s + 1),
            type(s.view(2)),
            type(s.add_(1)),
            s,
            type(torch.stack([s, s])),
            torch.overrides.has_torch_function((s,)),
        )

        class T(S):
            pass

        print(type(T([1.0]) + 1))

        class U(torch.Tensor):
            pass

        print(type(s + U([1.0, 1.0])), type(U([1.0, 1.0]) + s))
        """
    )


def test_a_subclass_with_attributes() -> None:
    agree_in_print(
        """
        class Named(torch.Tensor):
            def __new__(cls, *a, name="n", **k):
                r = super().__new__(cls, *a, **k)
                r.name_ = name
                return r

            def __init__(self, *a, **k):
                pass

            @property
            def double_shape(self):
                return tuple(2 * i for i in self.shape)

            def twice(self):
                return self * 2

            def __add__(self, o):
                print("own add")
                return super().__add__(o)

        x = Named([1.0, 2.0], name="q")
        print(
            x.name_,
            x.double_shape,
            x.twice(),
            x + 1,
            type(x + 1),
            1 + x,
            hasattr(x + 1, "name_"),
        )
        """
    )


def test_a_subclass_that_refuses_changes() -> None:
    agree_in_print(
        """
        class Frozen(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func.__name__.endswith("_") and not func.__name__.endswith("__"):
                    raise RuntimeError(f"frozen: {func.__name__}")
                if func is torch.Tensor.__setitem__:
                    raise RuntimeError("frozen item")
                return super().__torch_function__(func, types, args, kwargs)

        f = torch.ones(2).as_subclass(Frozen)
        for g in (
            lambda: f.add_(1),
            lambda: f.__setitem__(0, 1),
            lambda: f.__iadd__(1),
            lambda: torch.relu_(f),
            lambda: F.relu(f, inplace=True),
            lambda: f.mul(2),
            lambda: torch.ones(2).add_(f),
            lambda: f.zero_(),
            lambda: torch.nn.init.ones_(f),
            lambda: f.requires_grad_(),
        ):
            try:
                print(g())
            except Exception as e:
                print(type(e).__name__, e)
        try:
            f += 1
        except Exception as e:
            print(e)
        """
    )


def test_quantities_with_units() -> None:
    agree_in_print(
        """
        class Unit:
            def __init__(self, v, u):
                self.v, self.u = v, u

            def __repr__(self):
                return f"{self.v} {self.u}"

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                kwargs = kwargs or {}
                us = [a.u for a in args if isinstance(a, cls)]
                vs = [a.v if isinstance(a, cls) else a for a in args]
                n = func.__name__
                if n in ("add", "sub", "__radd__", "__rsub__", "rsub"):
                    if len(set(us)) > 1:
                        raise TypeError("units differ")
                    return cls(func(*vs, **kwargs), us[0])
                if n in ("mul",):
                    return cls(func(*vs, **kwargs), "*".join(us))
                return NotImplemented

        a, b = Unit(torch.ones(2), "m"), Unit(torch.ones(2), "s")
        t = torch.ones(2)
        print(torch.add(a, a), torch.mul(a, b), t + a, t * a, torch.sub(a, t))
        for f in (
            lambda: torch.add(a, b),
            lambda: t / a,
            lambda: torch.exp(a),
            lambda: t @ a,
            lambda: t**a,
            lambda: a + t,
            lambda: t - b,
            lambda: t > a,
            lambda: t == a,
            lambda: t // a,
            lambda: t % a,
            lambda: torch.stack([t, a]),
        ):
            try:
                print(f())
            except TypeError as e:
                print(e)
        x = torch.ones(2)
        try:
            x += a
            print(x)
        except TypeError as e:
            print(e)
        """
    )


def test_a_subclass_in_python() -> None:
    agree_in_print(
        """
        import numpy as np

        class S(torch.Tensor):
            pass

        s = S([[1.0, 2.0], [3.0, 4.0]])
        print(
            [type(r) for r in s],
            [type(v).__name__ for v in s.unbind(1)],
            type(s[0][0]),
            type(next(iter(s))),
            type(reversed(s)),
            [type(z).__name__ for z in zip(s, s)][0],
        )
        print(
            sum(s.flatten()),
            max(s.flatten()),
            sorted(s.flatten().tolist()),
            np.asarray(s).tolist(),
            type(np.sin(s)),
            s.numpy().dtype,
            list(map(float, s[0])),
        )
        print(
            type(s.sum().item()),
            f"{s[0, 0]:.2f}",
            f"{s.sum()}",
            str(s),
            format(s),
            bool(s[0, 0] > 0),
            int(s[0, 0]),
            s[0, 0].__index__() if False else "",
        )
        d = {s[0, 0]: 1}
        print(len(d), hash(s) == id(s), s in [s], s.tolist() == [[1.0, 2.0], [3.0, 4.0]])
        """
    )


def test_threads_and_generators() -> None:
    agree_in_print(
        """
        import threading

        class L(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                seen.append(func.__name__)
                return func(*args, **(kwargs or {}))

        seen = []

        def work():
            torch.ones(2) + 1

        with L():
            t = threading.Thread(target=work)
            t.start()
            t.join()
            print(seen)

            def gen():
                yield torch.ones(1)
                yield torch.zeros(1)

            g = gen()
            next(g)
        next(g)
        print(seen)

        class Counter(torch.overrides.TorchFunctionMode):
            def __init__(self):
                self.n = {}

            def __torch_function__(self, func, types, args=(), kwargs=None):
                k = func.__name__
                self.n[k] = self.n.get(k, 0) + 1
                return func(*args, **(kwargs or {}))

        with Counter() as c:
            x = torch.randn(3, requires_grad=True)
            for i in range(3):
                (x * x).sum().backward()
            o = torch.optim.SGD([x], 0.1)
        print(c.n)
        """
    )


def test_functions_in_the_place_of_others() -> None:
    agree_in_print(
        """
        class Sw(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                if func is torch.relu or func is F.relu:
                    return F.leaky_relu(*args[:1], 0.5)
                if func is torch.Tensor.add:
                    return args[0] - args[1]
                return func(*args, **(kwargs or {}))

        x = torch.tensor([-1.0, 1.0])
        with Sw():
            print(
                torch.relu(x),
                F.relu(x),
                torch.nn.ReLU()(x),
                x + 1,
                x.add(1),
                torch.add(x, 1),
                x.relu(),
            )

        class Sub(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                if func in (torch.add, torch.Tensor.add):
                    func = torch.mul
                return super().__torch_function__(func, types, args, kwargs)

        s = torch.tensor([2.0, 3.0]).as_subclass(Sub)
        print(s + s, torch.add(s, s), s - s, s.add(s))
        """
    )


def test_all_that_a_subclass_sees() -> None:
    agree_in_print(
        """
        class Lazy(torch.Tensor):
            log = []

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                cls.log.append(getattr(func, "__name__", str(func)))
                return super().__torch_function__(func, types, args, kwargs)

        t = torch.arange(4.0).reshape(2, 2).as_subclass(Lazy)
        t.shape
        t.size()
        t.ndim
        t.dim()
        t.numel()
        len(t)
        t.dtype
        t.device
        t.requires_grad
        t.is_leaf
        t.grad
        t.T
        t[0]
        t[0, 1] = 5
        t.data
        t.detach()
        t.is_contiguous()
        t.stride()
        t.storage_offset()
        t.data_ptr()
        t.element_size()
        t.is_floating_point()
        t.tolist()
        t.numpy()
        t.item if False else 0
        for r in t:
            pass
        t == t
        t != 1
        t < 2
        -t
        abs(t)
        t @ t
        t**2
        2**t
        t // 1
        t % 2
        1 / t
        1 - t
        t > 0
        ~(t > 0)
        t.int() & 1
        t.__class__
        hash(t)
        id(t)
        bool(t[0, 0])
        float(t[0, 0])
        int(t[0, 0])
        str(t)
        f"{t}"
        repr(t)
        isinstance(t, torch.Tensor)
        torch.is_tensor(t)
        torch.numel(t)
        torch.is_floating_point(t)
        t += 1
        t -= 1
        t *= 2
        t /= 2
        t.zero_()
        t.fill_(1)
        t.copy_(t)
        t.requires_grad_()
        t.retain_grad()
        t.register_hook(lambda g: None)
        (t * 1).sum().backward()
        t.grad
        t.grad = None
        t.requires_grad = False
        t.data = torch.ones(2, 2)
        t.to(torch.float64)
        t.type(torch.int32)
        t.float()
        t.cpu()
        t.new_zeros(1)
        t.expand(2, 2, 2)
        t.split(1)
        t.chunk(2)
        t.unbind()
        t.where(t > 0, 0.0)
        t.masked_fill(t > 0, 0.0)
        t.index_select(0, torch.tensor([0]))
        t.gather(1, torch.tensor([[0], [0]]))
        t.max()
        t.max(0)
        t.argmax()
        t.sort()
        t.norm()
        t.std()
        t.var(0)
        t.cumsum(0)
        t.flatten()
        t.reshape(-1)
        t.permute(1, 0)
        t.transpose(0, 1)
        t.unsqueeze(0)
        t.squeeze()
        t.contiguous()
        t.clone()
        t.repeat(2, 1)
        t.unique()
        t.allclose(t)
        t.equal(t)
        print(Lazy.log)
        """
    )


def test_what_a_subclass_is_handed_by_functions() -> None:
    agree_in_print(
        """
        class Lazy(torch.Tensor):
            log = []

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                cls.log.append(
                    (getattr(func, "__name__", str(func)), len(args), sorted(kwargs or {}))
                )
                return super().__torch_function__(func, types, args, kwargs)

        t = torch.arange(4.0).reshape(2, 2).as_subclass(Lazy)
        T = torch
        for f in (
            lambda: T.cat([t, t]),
            lambda: T.stack((t, t), dim=0),
            lambda: T.where(t > 0, t, t),
            lambda: T.einsum("ij->i", t),
            lambda: T.split(t, 1),
            lambda: T.norm(t, p=1),
            lambda: T.unique(t, return_inverse=True),
            lambda: T.meshgrid(t[0], t[0], indexing="ij"),
            lambda: T.broadcast_tensors(t, t[0]),
            lambda: T.tensordot(t, t, 1),
            lambda: T.cdist(t, t),
            lambda: T.atleast_2d(t[0]),
            lambda: T.linalg.norm(t),
            lambda: T.linalg.svd(t),
            lambda: T.special.expit if False else 0,
            lambda: F.relu(t, inplace=False),
            lambda: F.dropout(t, 0.5, training=False),
            lambda: F.linear(t, t, t[0]),
            lambda: F.mse_loss(t, t, reduction="sum"),
            lambda: F.cross_entropy(t, T.tensor([0, 1]), label_smoothing=0.1),
            lambda: F.softmax(t, dim=1),
            lambda: F.log_softmax(t, -1),
            lambda: F.layer_norm(t, (2,), eps=1e-3),
            lambda: F.gelu(t, approximate="tanh"),
            lambda: F.pad(t, (1, 1), value=2.0),
            lambda: F.normalize(t, dim=0),
            lambda: F.embedding(T.tensor([0]), t),
            lambda: F.one_hot(T.tensor([0, 1]).as_subclass(Lazy)),
            lambda: F.nll_loss(t, T.tensor([0, 1])),
            lambda: F.kl_div(t, t.softmax(1), reduction="batchmean"),
            lambda: F.cosine_similarity(t, t),
            lambda: F.scaled_dot_product_attention(t[None], t[None], t[None]),
            lambda: F.batch_norm(t, None, None, training=True),
            lambda: F.softplus(t),
            lambda: F.elu(t, alpha=2.0),
            lambda: F.prelu(t, t[0, :1]),
            lambda: F.glu(t),
            lambda: F.huber_loss(t, t),
            lambda: F.smooth_l1_loss(t, t, beta=2.0),
            lambda: F.binary_cross_entropy_with_logits(t, t.sigmoid()),
            lambda: F.poisson_nll_loss(t, t),
            lambda: T.nn.init.normal_(t, std=2.0),
            lambda: T.nn.init.xavier_uniform_(t),
            lambda: T.autograd.grad((t.requires_grad_() * 2).sum(), t),
            lambda: T.autograd.backward((t * 2).sum()),
            lambda: T.utils.data if False else 0,
            lambda: T.clamp(t, min=0),
            lambda: T.sum(t, dim=0, keepdim=True),
            lambda: T.add(t, t, alpha=2),
            lambda: T.zeros_like(t, dtype=T.float64),
            lambda: T.rand_like(t),
            lambda: T.full_like(t, 2.0),
            lambda: T.bernoulli(t.sigmoid()),
            lambda: T.multinomial(t.exp(), 1),
            lambda: T.normal(t, 1.0),
            lambda: T.numel(t),
            lambda: T.save if False else 0,
            lambda: T.allclose(t, t),
            lambda: T.equal(t, t),
            lambda: T.can_cast(T.int, T.float),
            lambda: T.result_type(t, 1),
            lambda: T.is_nonzero(t[0, 0]),
            lambda: T.tensor(t[0, 0]),
            lambda: T.as_tensor(t),
            lambda: T.nn.functional.tanh(t),
            lambda: T.nn.functional.sigmoid(t),
            lambda: T.nn.functional.logsigmoid(t) if False else 0,
        ):
            n = len(Lazy.log)
            try:
                r = f()
                r = type(r).__name__
            except Exception as e:
                r = type(e).__name__ + str(e)
            print(r, Lazy.log[n:])
        """
    )


def test_a_quantized_parameter() -> None:
    agree_in_print(
        """
        import copy

        class Q(torch.Tensor):
            @staticmethod
            def __new__(cls, data, scale, requires_grad=False):
                return torch.Tensor._make_subclass(cls, data, requires_grad)

            def __init__(self, data, scale, requires_grad=False):
                self.scale = scale

            def __deepcopy__(self, memo):
                r = Q(
                    self.detach().as_subclass(torch.Tensor).clone(),
                    self.scale,
                    self.requires_grad,
                )
                memo[id(self)] = r
                return r

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                r = super().__torch_function__(func, types, args, kwargs)
                s = [a.scale for a in args if isinstance(a, Q) and hasattr(a, "scale")]
                if isinstance(r, Q) and s and not hasattr(r, "scale"):
                    r.scale = max(s)
                return r

        q = Q(torch.ones(2), 3, True)
        print(
            q,
            q.scale,
            copy.deepcopy(q).scale,
            (q * 2).scale,
            (q + Q(torch.ones(2), 7)).scale,
            q.is_leaf,
        )
        m = torch.nn.Module()
        m.p = torch.nn.Parameter(q.detach())
        print(type(m.p), hasattr(m.p, "scale"))
        m2 = copy.deepcopy(m)
        print(type(m2.p))
        (q * 2).sum().backward()
        print(q.grad, type(q.grad))
        o = torch.optim.SGD([q], lr=1.0)
        o.step()
        print(q, q.scale)
        o = torch.optim.Adam([q], lr=1.0)
        o.step()
        print(q, [type(v).__name__ for v in o.state[q].values()])
        """
    )


def test_subclasses_that_meet() -> None:
    agree_in_print(
        """
        class A(torch.Tensor):
            pass

        class B(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print("B", func.__name__, sorted(t.__name__ for t in types))
                with torch._C.DisableTorchFunctionSubclass():
                    return func(*args, **(kwargs or {}))

        a, b = torch.ones(1).as_subclass(A), torch.ones(1).as_subclass(B)
        print(
            type(a + b),
            type(b + a),
            type(torch.cat([a, b])),
            type(torch.add(a, b)),
            type(a.add_(b)),
            type(torch.where(a > 0, b, a)),
        )
        print(
            type(F.linear(a, b.view(1, 1))),
            type(a @ b),
            type(torch.stack([torch.ones(1), a, b])),
        )
        a += b
        print(type(a))
        """
    )


def test_modes_that_call_modes() -> None:
    agree_in_print(
        """
        class L(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                with self:
                    r = func(*args, **(kwargs or {})) if getattr(self, "d", 0) < 0 else None
                return func(*args, **(kwargs or {}))

        class Inner(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print("in", func.__name__)
                r = func(*args, **(kwargs or {}))
                print("r", torch.ones(1).tolist())
                return r

        class Outer(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print("out", func.__name__)
                return func(*args, **(kwargs or {}))

        with Outer():
            with Inner():
                torch.zeros(1)
            torch.zeros(2)
        m = Outer()
        try:
            with m:
                raise KeyError("k")
        except KeyError:
            print(len(torch.overrides._get_current_function_mode_stack()))

        @m.__enter__ if False else (lambda f: f)
        def f():
            pass

        from contextlib import ExitStack

        with ExitStack() as st:
            st.enter_context(Outer())
            st.enter_context(Inner())
            torch.exp(torch.zeros(1))
        print(torch.overrides._get_current_function_mode_stack())
        """
    )


def test_a_tape_and_patches() -> None:
    agree_in_print(
        """
        class Rec(torch.overrides.TorchFunctionMode):
            def __init__(self):
                self.tape = []

            def __torch_function__(self, func, types, args=(), kwargs=None):
                self.tape.append((func, args, kwargs or {}))
                return func(*args, **(kwargs or {}))

        torch.manual_seed(0)
        x = torch.tensor([1.0, 2.0])
        with Rec() as r:
            y = x * 2
            z = torch.sin(y)
            w = F.relu(z - 1).sum()
        print([f.__name__ for f, _, _ in r.tape])
        print([f(*a, **k) for f, a, k in r.tape])

        class Patch(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                kwargs = dict(kwargs or {})
                if func is F.dropout:
                    kwargs["training"] = False
                if func is torch.Tensor.sum and "dim" not in kwargs:
                    kwargs["dim"] = 0
                return func(*args, **kwargs)

        with Patch():
            print(F.dropout(x), torch.nn.Dropout(0.9)(x), torch.ones(2, 2).sum())

        class NoGrad(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                with torch.no_grad():
                    return func(*args, **(kwargs or {}))

        p = torch.ones(2, requires_grad=True)
        with NoGrad():
            print((p * 2).requires_grad, torch.nn.Linear(2, 2)(p).requires_grad)
        """
    )


def test_what_is_inverted_or_made_of_a_type() -> None:
    agree_in_print(
        """
        class Shown(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(func.__name__, types)
                return func(*args, **(kwargs or {}))

        with Shown():
            ~(torch.ones(2) > 0)
        ignored = torch.overrides.get_ignored_functions()
        print(torch.Tensor.as_subclass in ignored, torch.Tensor.add in ignored)
        """
    )


def test_modes_see_who_asks_what_a_tensor_is() -> None:
    agree_in_print(
        """
        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(torch.overrides.resolve_name(func))
                return func(*args, **(kwargs or {}))
        x = torch.ones(2)
        names = (
            "device", "dtype", "is_cpu", "is_cuda", "is_ipu", "is_maia", "is_meta", "is_mkldnn",
            "is_mps", "is_mtia", "is_nested", "is_quantized", "is_sparse", "is_sparse_csr",
            "is_vulkan", "is_xla", "is_xpu", "layout",
        )
        for name in names:
            with Log():
                print(getattr(x, name))
            attempt(lambda: setattr(x, name, True))
        """
    )
