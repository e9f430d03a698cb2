"""Modules and parameters are PyTorch's: what they register, print, save, load and refuse."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Tanh()])
        self.last = nn.Linear(3, 1, bias=False)
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.nothing = None
        self.register_parameter("none", None)
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("hidden", torch.ones(1), persistent=False)
    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return self.last(x) * self.scale
net = Net()
"""

PROGRAMS = {
    "parameters": """
        x = torch.ones(2)
        p = nn.Parameter(x)
        print(p, [p], str(p), f"{p}")
        x.add_(1)
        print(p, p._version, x._version, p.data_ptr() == x.data_ptr())
        print(type(p), isinstance(x, nn.Parameter), isinstance(p, torch.Tensor), hash(p) == id(p))
        for one in (p + 1, p.detach(), p.data, p.clone(), p.t(), p.double(), torch.zeros_like(p)):
            print(type(one), one)
        print(p.requires_grad_() is p, p.float() is p, p.to(torch.float32) is p)
        (p * 2).sum().backward()
        print(p.grad, type(p.grad), p.is_leaf)
        attempt(lambda: p.add_(1))
        with torch.no_grad():
            print(p.add_(1) is p, p)
        p.data = torch.zeros(3)
        print(p)
        print(nn.Parameter(), nn.Parameter(torch.tensor([1]), requires_grad=False))
        print(nn.Parameter(p * 2), nn.Parameter(p, requires_grad=False))
        print(nn.Parameter(torch.tensor(1.5)), nn.Parameter(torch.ones(1, dtype=torch.float64)))
        attempt(lambda: f"{nn.Parameter(torch.tensor(1.0)):.2f}")
        attempt(lambda: nn.Parameter([1.0]))
        attempt(lambda: nn.Parameter(3))
        attempt(lambda: nn.Parameter(torch.tensor([1])))
        attempt(lambda: nn.Parameter(x, 1))
        attempt(lambda: nn.Parameter(x, requires_grad=None))
        """,
    "operations on parameters record them": """
        p, q = nn.Parameter(torch.tensor([1.0, 2.0])), nn.Parameter(torch.tensor([[3.0, 4.0]]))
        x = torch.tensor([5.0, 6.0], requires_grad=True)
        for y in (p + q, p - x, x * p, 2 * p, p / 2, p ** 2, 2 ** p, p @ p, q @ x, p == x, p > 1,
                  torch.cat([p, x]), torch.where(p > 1, p, q), p[0], p.exp(), q.T, p.view(2, 1),
                  F.linear(x, q), torch.stack((p, p)), p.max(0)[0], -p, p.sum()):
            print(y, y.grad_fn and y.grad_fn.next_functions)
        e = p * q
        print(e.grad_fn._saved_self is p, e.grad_fn._saved_other is q)
        e.sum().backward()
        print(p.grad, q.grad)
        print(torch.autograd.grad((p * x).sum(), [p, x]))
        (g,) = torch.autograd.grad((p ** 3).sum(), p, create_graph=True)
        print(type(g), g, torch.autograd.grad(g.sum(), p))
        """,
    "copies of parameters": """
        import copy, pickle
        p = nn.Parameter(torch.tensor([1.0, 2.0]), requires_grad=False)
        p.requires_grad_()
        p.sum().backward()
        for q in (copy.copy(p), copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
            print(type(q), q, q.grad, q.data_ptr() == p.data_ptr())
        pair = copy.deepcopy([p, p])
        print(pair[0] is pair[1], pair[0] is p)
        """,
    "buffers": """
        b = nn.Buffer(torch.ones(2), persistent=False)
        print(b, type(b), isinstance(b, nn.Buffer), isinstance(torch.ones(1), nn.Buffer))
        print(b.persistent, nn.Buffer(), nn.Buffer(nn.Parameter(torch.ones(1))))
        m = nn.Module()
        m.b, m.c = b, nn.Buffer(torch.zeros(1))
        print(list(m.named_buffers()), m.state_dict())
        m.b = torch.zeros(3)
        print(m.b, m.state_dict().keys(), m._non_persistent_buffers_set)
        """,
    "attributes": """
        print(net.first, net.scale, net.none, net.nothing, net.mean, net.layers[1])
        print(sorted(net._parameters), sorted(net._buffers), list(net._modules), net.training)
        print("first" in net.__dict__, "nothing" in net.__dict__, hasattr(net, "absent"))
        print([name for name in dir(net) if name in ("first", "scale", "mean", "forward", "0")])
        print([name for name in dir(net.layers) if name.isdigit()])
        attempt(lambda: net.absent)
        attempt(lambda: setattr(net, "scale", 3))
        attempt(lambda: setattr(net, "scale", torch.ones(1)))
        attempt(lambda: setattr(net, "first", 3))
        attempt(lambda: setattr(net, "mean", "text"))
        attempt(lambda: setattr(net, "mean", nn.Linear(1, 1)))
        net.mean = None
        print(net.mean, net._buffers)
        net.scale = None
        print(net.scale, net._parameters.keys())
        net.scale = nn.Parameter(torch.ones(1))
        net.first = None
        print(net, net.first)
        net.first = nn.Identity()
        net.nothing = nn.ReLU()
        print(net)
        net.nothing = nn.Parameter(torch.ones(2))
        print(net, list(net._modules), list(net._parameters))
        del net.nothing, net.layers, net.hidden
        print(net)
        attempt(lambda: delattr(net, "layers"))
        attempt(lambda: delattr(net, "other"))
        net.x = 3
        net.x = nn.Linear(1, 1)
        print("x" in net.__dict__, "x" in net._modules)
        net.y = torch.ones(2)
        print("y" in net.__dict__, list(net.buffers()))
        """,
    "before init": """
        class Late(nn.Module):
            def __init__(self, value):
                self.value = value
                super().__init__()
        attempt(lambda: Late(nn.Linear(1, 1)))
        attempt(lambda: Late(nn.Parameter(torch.ones(1))))
        attempt(lambda: Late(nn.Buffer(torch.ones(1))))
        print(Late(3).value, Late(torch.ones(2)).value)
        class Never(nn.Module):
            def __init__(self):
                pass
            def forward(self, x):
                return x
        never = Never()
        attempt(lambda: never(1))
        attempt(lambda: never.register_buffer("a", None))
        attempt(lambda: never.register_parameter("a", None))
        attempt(lambda: never.add_module("a", None))
        attempt(lambda: never.parameters())
        attempt(lambda: list(never.parameters()))
        attempt(lambda: never.a)
        attempt(lambda: delattr(never, "a"))
        attempt(lambda: never.train())
        never.b = 3
        print(never.b)
        """,
    "init": """
        attempt(lambda: nn.Module(3))
        attempt(lambda: nn.Module(1, 2))
        attempt(lambda: nn.Module(a=3))
        class Other:
            def __init__(self, value):
                self.value = value
        class Both(nn.Module, Other):
            call_super_init = True
            def __init__(self):
                super().__init__(5)
        print(Both().value, Both())
        """,
    "registering": """
        m = nn.Module()
        m.taken = 1
        p = nn.Parameter(torch.ones(1))
        for name in ("a", "a", "", "x.y", "taken", 3, None, "forward"):
            attempt(lambda: m.register_parameter(name, p))
            attempt(lambda: m.register_buffer(name, torch.ones(1)))
            attempt(lambda: m.add_module(name, nn.ReLU()))
            attempt(lambda: m.register_module(name, None))
        print(m._parameters.keys(), m._buffers.keys(), m._modules.keys())
        for value in (3, "a", torch.ones(1), p * 1, nn.ReLU(), int, [p], None, p):
            attempt(lambda: m.register_parameter("p", value))
            attempt(lambda: m.register_buffer("b", value))
            attempt(lambda: m.add_module("m", value))
        """,
    "walking": """
        for name, one in net.named_parameters():
            print(name, one.shape)
        print([one.shape for one in net.parameters(recurse=False)])
        print([name for name, _ in net.named_parameters("p", recurse=False)])
        print([name for name, _ in net.named_parameters(prefix="p")])
        print([name for name, _ in net.named_modules()], [type(one) for one in net.modules()])
        print([name for name, _ in net.named_modules(prefix="m")])
        print([name for name, _ in net.named_children()], len(list(net.children())))
        print(list(net.named_buffers()), list(net.buffers(False)))
        print(net.get_parameter("first.weight").shape, net.get_submodule("layers.0"))
        print(net.get_buffer("mean"), net.get_submodule("") is net)
        for name in ("absent", "layers.7", "first.weight", "first.absent", "layers.0.bias", "mean",
                     "scale", "none", "first", ""):
            attempt(lambda: net.get_parameter(name))
            attempt(lambda: net.get_buffer(name))
            attempt(lambda: net.get_submodule(name))
        net.again = net.first
        net.shared = net.first.weight
        print([name for name, _ in net.named_parameters()])
        print([name for name, _ in net.named_parameters(remove_duplicate=False)])
        print([name for name, _ in net.named_modules()])
        print([name for name, _ in net.named_modules(remove_duplicate=False)])
        print([name for name, _ in net.named_children()], len(list(net.modules())))
        print(type(net.parameters()), next(net.parameters()))
        """,
    "modes": """
        print(net.train() is net, net.eval() is net, net.training, net.layers[0].training)
        net.layers.train()
        print([one.training for one in net.modules()])
        attempt(lambda: net.train(1))
        attempt(lambda: net.train("yes"))
        print(net.requires_grad_(False) is net, [one.requires_grad for one in net.parameters()])
        print(net(torch.ones(2)))
        net.requires_grad_()
        net(torch.ones(2)).backward()
        print([one.grad for one in net.parameters()])
        grads = [one.grad for one in net.parameters()]
        net.zero_grad(set_to_none=False)
        print([one.grad for one in net.parameters()], grads[0] is next(net.parameters()).grad)
        net.zero_grad()
        print([one.grad for one in net.parameters()])
        seen = []
        print(net.apply(lambda one: seen.append(type(one).__name__)) is net, seen)
        net.scale.grad = torch.autograd.grad(net.scale ** 2, net.scale, create_graph=True)[0]
        net.zero_grad(False)
        print(net.scale.grad)
        """,
    "conversions": """
        weight = net.first.weight
        net(torch.ones(2)).backward()
        print(net.double() is net, net.first.weight is weight, weight.dtype, weight.grad.dtype)
        print(net.mean.dtype, net(torch.ones(2).double()))
        print(net.float().first.weight, net.mean, net.half().mean, net.to(torch.float64).mean)
        print(net.to("cpu").mean, net.to(torch.ones(1)).mean, net.cpu() is net)
        net.register_buffer("count", torch.tensor(3))
        print(net.to(torch.float64).count, net.to(dtype=torch.float32).mean, net.float().count)
        print(net.to("cpu", torch.float64).mean, net.to(device="cpu", dtype=torch.float32).mean)
        attempt(lambda: net.to(torch.int64))
        print(net.type(torch.float64).count)
        """,
    "forward missing": """
        class Empty(nn.Module):
            pass
        attempt(lambda: Empty()(1))
        attempt(lambda: Empty()(1, 2, 3))
        attempt(lambda: Empty().forward())
        attempt(lambda: nn.Module()(1))
        attempt(lambda: nn.Linear(1, 1)())
        attempt(lambda: net(1, 2))
        """,
    "reprs": """
        print(net)
        class Shown(nn.Module):
            def __init__(self, text):
                super().__init__()
                self.text = text
            def extra_repr(self):
                return self.text
        for text in ("", "a", "a\\nb", "\\n"):
            print(Shown(text))
            outer = Shown(text)
            outer.inner = Shown("x\\ny")
            outer.none = None
            outer.register_module("absent", None)
            print(outer)
            print(nn.Sequential(outer, nn.Sequential(), Shown("z")))
        class Own(nn.Module):
            def __repr__(self):
                return "first\\n\\n  third"
        print(nn.Sequential(Own()), nn.ModuleList([Own(), Own()]), nn.Module())
        print(type(nn.Linear(1, 1)), nn.Linear.__name__, nn.Module, type(net), nn.ReLU, nn.MSELoss)
        print(nn.Sequential, nn.ModuleList, nn.Dropout, nn.Flatten, nn.Parameter)
        print(str(nn.Module()) == repr(nn.Module()), repr(nn.ModuleList()))
        """,
    "saving": """
        state = net.state_dict()
        print(type(state), list(state), state["scale"], state["first.bias"])
        print(state["scale"].requires_grad, state["scale"].data_ptr() == net.scale.data_ptr())
        print(state._metadata)
        print(net.state_dict(keep_vars=True)["scale"], net.state_dict(prefix="a.").keys())
        print(net.state_dict(destination={}).keys())
        print(net.state_dict({}, "b.").keys(), net.state_dict({}, "b.", True)["b.scale"])
        class Extra(nn.Module):
            def get_extra_state(self):
                return {"seen": 3}
            def set_extra_state(self, state):
                print("set", state)
        extra = nn.Sequential(Extra())
        print(extra.state_dict(), extra.load_state_dict(extra.state_dict()))
        attempt(lambda: extra.load_state_dict({}))
        attempt(lambda: nn.Sequential(nn.ReLU()).load_state_dict(extra.state_dict()))
        attempt(lambda: nn.Module().get_extra_state())
        """,
    "loading": """
        other = Net()
        print(other.load_state_dict(net.state_dict()))
        print(all(torch.equal(a, b) for a, b in zip(net.parameters(), other.parameters())))
        state = net.state_dict()
        del state["first.weight"], state["mean"]
        state["odd"], state["layers.5.weight"] = torch.ones(1), torch.ones(2)
        attempt(lambda: other.load_state_dict(state))
        print(other.load_state_dict(state, strict=False))
        state = net.state_dict()
        state["first.weight"], state["scale"] = torch.ones(5, 5), torch.tensor([7.0])
        state["last.weight"] = [1, 2]
        attempt(lambda: other.load_state_dict(state))
        attempt(lambda: other.load_state_dict(state, strict=False))
        print(other.scale)
        attempt(lambda: other.load_state_dict([1]))
        attempt(lambda: other.load_state_dict({}))
        result = other.load_state_dict(dict(net.state_dict()))
        print(result.missing_keys, result.unexpected_keys, repr(result), len(result))
        weight = torch.zeros(3, 2)
        linear = nn.Linear(2, 3)
        before = linear.weight
        print(linear.load_state_dict({"weight": weight}, strict=False, assign=True))
        print(linear.weight, linear.weight is before, linear.weight.data_ptr() == weight.data_ptr())
        linear.load_state_dict({"weight": torch.ones(3, 2), "bias": torch.zeros(3).double()})
        print(linear.weight, linear.bias, linear.weight._version)
        """,
    "hooks of saving and loading": """
        linear = nn.Linear(1, 1)
        linear.register_state_dict_pre_hook(lambda *args: print("pre", type(args[0]), args[1:]))
        linear.register_state_dict_post_hook(lambda *args: print("post", len(args), args[2:]))
        handle = linear.register_load_state_dict_pre_hook(lambda *args: print("load", args[2:]))
        linear.register_load_state_dict_post_hook(lambda module, keys: print("loaded", keys))
        state = nn.Sequential(linear).state_dict()
        print(list(state), linear.load_state_dict(linear.state_dict()))
        handle.remove()
        linear.load_state_dict({}, strict=False)
        linear.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
        print(linear.load_state_dict({}))
        linear.register_load_state_dict_post_hook(lambda module, keys: 3)
        attempt(lambda: linear.load_state_dict({}))
        linear.register_state_dict_post_hook(lambda *args: 3)
        attempt(lambda: linear.state_dict())
        """,
    "forward hooks": """
        m = nn.Linear(1, 1)
        def pre(*args): print("pre", args[1:])
        def post(*args): print("post", args[1:])
        handles = [m.register_forward_pre_hook(pre), m.register_forward_hook(post)]
        print(m(torch.ones(1)))
        handles.append(m.register_forward_pre_hook(lambda module, args: args[0] * 2))
        handles.append(m.register_forward_hook(lambda module, args, output: output * 0))
        handles.append(m.register_forward_hook(lambda *args: print("first"), prepend=True))
        handles.append(m.register_forward_pre_hook(lambda *args: print("zeroth"), prepend=True))
        handles.append(m.register_forward_pre_hook(pre, with_kwargs=True))
        handles.append(m.register_forward_hook(post, with_kwargs=True))
        print(m(torch.ones(1)))
        attempt(lambda: m(input=torch.ones(1)))
        for handle in handles:
            handle.remove()
        print(len(m._forward_hooks), len(m._forward_pre_hooks))
        print(m(torch.ones(1)))
        with m.register_forward_hook(post):
            m(torch.ones(1))
        m.register_forward_pre_hook(lambda m, args, kwargs: (args, {"input": torch.zeros(1)}),
                                    with_kwargs=True)
        print(m())
        m.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
        attempt(lambda: m())
        """,
    "hooks that are always called": """
        class Fails(nn.Module):
            def forward(self, x):
                raise ValueError("forward")
        def fail(*args):
            raise KeyError("hook")
        m = Fails()
        m.register_forward_hook(lambda *args: print("never"))
        m.register_forward_hook(lambda *args: print("always", args[1:]), always_call=True)
        m.register_forward_hook(lambda *args: print("keywords", args[1:]), always_call=True,
                                with_kwargs=True)
        attempt(lambda: m(1))
        m.register_forward_hook(fail, always_call=True)
        attempt(lambda: m(2))
        n = nn.Identity()
        n.register_forward_hook(fail)
        n.register_forward_hook(lambda *args: print("after", args[2:]), always_call=True)
        attempt(lambda: n(1))
        """,
    "backward hooks": """
        def told(name):
            return lambda module, *args: print(name, type(module).__name__, args)
        linear = nn.Linear(2, 1)
        handles = [linear.register_full_backward_hook(told("hook")),
                   linear.register_full_backward_pre_hook(told("pre-hook")),
                   linear.register_full_backward_hook(told("first"), prepend=True),
                   linear.register_full_backward_pre_hook(told("first pre"), prepend=True)]
        x = torch.ones(3, 2, requires_grad=True)
        y = linear(x)
        print(y, y.grad_fn.next_functions, y.is_leaf)
        y.sum().backward()
        print(x.grad, linear.weight.grad)
        print(torch.autograd.grad(linear(x).sum(), x, create_graph=True))
        linear(torch.ones(3, 2)).sum().backward()
        with torch.no_grad():
            print(linear(x))
        print(len(linear._backward_hooks), len(linear._backward_pre_hooks))
        for handle in handles:
            handle.remove()
        print(len(linear._backward_hooks), len(linear._backward_pre_hooks), linear(x).grad_fn)
        """,
    "backward hooks that replace gradients": """
        tanh = nn.Tanh()
        handle = tanh.register_full_backward_hook(lambda module, gi, go: (gi[0] * 10,))
        x = torch.tensor([0.5, 1.0], requires_grad=True)
        tanh(x).sum().backward()
        print(x.grad)
        tanh.register_full_backward_pre_hook(lambda module, go: (go[0] * 0,))
        tanh.register_full_backward_hook(lambda module, gi, go: print(gi, go))
        x.grad = None
        tanh(x).sum().backward()
        print(x.grad)
        handle.remove()
        handle = tanh.register_full_backward_hook(lambda module, gi, go: (gi[0], gi[0]))
        attempt(lambda: tanh(x).sum().backward())
        handle.remove()
        handle = tanh.register_full_backward_hook(lambda module, gi, go: 3)
        attempt(lambda: tanh(x).sum().backward())
        handle.remove()
        tanh.register_full_backward_pre_hook(lambda module, go: ())
        attempt(lambda: tanh(x).sum().backward())
        other = nn.Tanh()
        other.register_full_backward_hook(lambda module, gi, go: (torch.ones(1),))
        attempt(lambda: other(torch.zeros(1)).sum())
        linear = nn.Linear(1, 1)
        linear.register_full_backward_hook(lambda module, gi, go: (torch.ones(1),))
        attempt(lambda: linear(torch.zeros(1)).sum().backward())
        """,
    "backward hooks of several inputs and outputs": """
        class Several(nn.Module):
            def forward(self, x, number, y=None, z=None):
                out = x * number
                return (out, 5, out + 1) if y is None else (out, y * 2)
        m = Several()
        m.register_full_backward_hook(lambda module, *args: print(args))
        x, y = torch.ones(2, requires_grad=True), torch.ones(2)
        outputs = m(x, 3)
        print(outputs)
        (outputs[0].sum() * 2 + outputs[2].sum()).backward()
        outputs = m(x, 3)
        outputs[2].sum().backward()
        print(m(x, 2, y))
        outputs = m(x, 2, y.requires_grad_())
        outputs[1].sum().backward()
        m(x, 2, y=y)[1].sum().backward()
        class Returns(nn.Module):
            def __init__(self, make):
                super().__init__()
                self.make = make
            def forward(self, x):
                return self.make(x)
        for make in (lambda x: [x * 2], lambda x: {"a": x * 2}, lambda x: None, lambda x: 3,
                     lambda x: (x * 2, "text"), lambda x: x, lambda x: x.detach()):
            m = Returns(make)
            m.register_full_backward_hook(lambda module, *args: print(args))
            attempt(lambda: m(x))
        """,
    "backward hooks and changes in place": """
        m = nn.ReLU(inplace=True)
        m.register_full_backward_hook(lambda module, *args: print(args))
        x = torch.ones(2, requires_grad=True)
        attempt(lambda: m(x * 2).sum().backward())
        linear = nn.Linear(2, 2)
        linear.register_full_backward_hook(lambda module, *args: print(args))
        y = linear(x)
        attempt(lambda: y.add_(1))
        net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
        for one in net.modules():
            one.register_full_backward_hook(lambda module, *args: print(module, args))
        net(x).backward()
        print(net[0].weight.grad)
        import copy
        copy.deepcopy(net)(x).backward()
        """,
    "views of parameters": """
        p = nn.Parameter(torch.arange(6.0).view(2, 3))
        v = p.view(-1)
        print(v, v._base is p, v._is_view(), p._is_view(), type(v._base))
        attempt(lambda: v.add_(1))
        attempt(lambda: p[0].zero_())
        with torch.no_grad():
            q = p.view(-1)
            q.mul_(2)
            p[0] = 0
            p[:, 1] += 1
        print(p, p._version, q._version)
        p.detach().zero_()
        print(p, p._version)
        p.data.fill_(3)
        print(p, p._version)
        for row in p:
            print(type(row), row)
        q = p.clone()
        q[0] = 5
        q[1].mul_(2)
        q.sum().backward()
        print(p.grad, q)
        s = nn.Parameter(torch.ones(2))
        s.retain_grad()
        print(s.retains_grad, s.grad_fn, s.output_nr)
        s.requires_grad = False
        print(s, s.requires_grad)
        s.requires_grad = True
        (s * 2).sum().backward()
        s.grad.zero_()
        s.grad += 1
        print(s.grad)
        del s.grad
        print(s.grad)
        attempt(lambda: setattr(s, 'grad', torch.ones(3)))
        attempt(lambda: setattr(s, 'grad', torch.ones(2).double()))
        attempt(lambda: setattr(s, 'grad', 3))
        s.grad = nn.Parameter(torch.ones(2))
        print(s.grad, type(s.grad))
        attempt(lambda: s.detach_())
        print(s)
        """,
    "what else a module is asked": """
        class N(nn.Module):
            count = 0
            def __init__(self):
                super().__init__()
                self.a = self.b = nn.Linear(1, 1)
                self._private = nn.Parameter(torch.ones(1))
                self.items = [nn.Linear(1, 1)]
            @property
            def bad(self):
                return self.missing
            def forward(self, *args, **kwargs):
                N.count += 1
                return args, kwargs
        n = N()
        print(n, list(n.state_dict()), n(1, b=2), n.count)
        attempt(lambda: n.bad)
        print(n.__class__.__name__, n._get_name(), callable(n), bool(n), n == n, n in {n})
        attempt(lambda: len(n))
        attempt(lambda: n[0])
        attempt(lambda: iter(n))
        print(nn.Module.forward is N.forward, hasattr(n, 'forward'), 'a' in dir(n))
        attempt(lambda: nn.Linear('a', 2))
        attempt(lambda: nn.Linear(-1, 2))
        attempt(lambda: nn.Linear(2.0, 2))
        attempt(lambda: nn.Linear(2, 3)(3))
        attempt(lambda: nn.Linear(2, 3)('a'))
        attempt(lambda: nn.ReLU()(3))
        attempt(lambda: nn.Sequential(nn.Linear(2, 2))(torch.ones(3)))
        attempt(lambda: nn.Dropout('a'))
        attempt(lambda: nn.Softmax(5)(torch.ones(2)))
        attempt(lambda: nn.MSELoss()(torch.ones(2), 3))
        attempt(lambda: nn.CrossEntropyLoss()(torch.ones(2, 3), torch.ones(2)))
        attempt(lambda: nn.CrossEntropyLoss()(torch.ones(2, 3), torch.ones(3).long()))
        attempt(lambda: nn.Flatten(5)(torch.ones(2, 3)))
        attempt(lambda: nn.Identity()(1, 2))
        attempt(lambda: nn.Parameter())
        n.train(False)
        for m in n.modules():
            print(m.training)
        n.register_buffer('buf', torch.zeros(2))
        n.buf += 1
        n.buf = n.buf * 2
        print(n.buf, n.state_dict()['buf'])
        n.buf.requires_grad_()
        print(list(n.named_buffers()))
        """,
    "copies": """
        import copy, pickle
        net.extra = [1, 2]
        net.eval()
        net(torch.ones(2)).backward()
        for other in (copy.deepcopy(net), copy.copy(net)):
            print(other, other.extra, other.training, other(torch.ones(2)))
            print([one.grad for one in other.parameters()], other.extra is net.extra)
            print([a is b for a, b in zip(net.parameters(), other.parameters())])
        small = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.ModuleDict({"a": nn.Linear(2, 1)}))
        loaded = pickle.loads(pickle.dumps(small))
        print(loaded, list(loaded.parameters()), type(loaded[0].weight), loaded[0].training)
        print(list(pickle.loads(pickle.dumps(small.state_dict()))))
        shared = nn.ModuleList([small[0], small[0]])
        twin = copy.deepcopy(shared)
        print(twin[0] is twin[1], twin[0] is small[0])
        """,
    "a parameter used twice and tied weights": """
        a, b = nn.Linear(2, 2), nn.Linear(2, 2)
        b.weight = a.weight
        print(b(a(torch.ones(2))).sum().backward(), a.weight.grad, b.weight is a.weight)
        print([name for name, _ in nn.Sequential(a, b).named_parameters()])
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_modules(name: str) -> None:
    agree_in_print(NET + dedent(PROGRAMS[name]))


def test_parameters_of_anything_and_hooks_that_are_not_saved() -> None:
    agree_in_print(
        """
        import io
        for call in (
            lambda: nn.Parameter(torch.ones(2), 3), lambda: nn.Parameter(torch.ones(2).long()),
            lambda: nn.Parameter(torch.ones(2).long(), False), lambda: nn.Parameter(None),
            lambda: nn.Parameter(3), lambda: nn.Parameter([1.0]),
            lambda: nn.Parameter(torch.ones(2, requires_grad=True) * 2),
            lambda: nn.Parameter(nn.Parameter(torch.ones(1))),
        ):
            attempt(call)
        x = torch.ones(2)
        p = nn.Parameter(x)
        x.add_(1)
        print(p, p._version, p._is_view())
        y = torch.ones(2, requires_grad=True)
        y.register_hook(print)
        torch.save(y, io.BytesIO())
        """
    )


def test_hooks_of_all_modules() -> None:
    agree_in_print(
        """
        every = torch.nn.modules.module
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
        x = torch.ones(1, 2, requires_grad=True)

        def tell(what, answer=None):
            def hook(module, *given):
                print(what, type(module).__name__, given)
                return answer
            return hook

        net[0].register_forward_hook(tell("own"))
        net[0].register_full_backward_hook(tell("own backward"))
        net[0].register_forward_pre_hook(tell("own before"))
        handles = [
            every.register_module_forward_pre_hook(tell("before")),
            every.register_module_forward_hook(tell("after")),
            every.register_module_forward_hook(tell("after, all"), with_kwargs=True),
            every.register_module_full_backward_pre_hook(tell("backward before")),
            every.register_module_full_backward_hook(tell("backward after")),
        ]
        net(x).sum().backward()
        net[0](input=x).sum().backward()
        attempt(lambda: every.register_module_backward_hook(tell("former")))
        for handle in handles:
            handle.remove()
        print(net(x))

        class Failing(nn.Module):
            def forward(self, x):
                raise ValueError("failing")

        with every.register_module_forward_hook(tell("always"), always_call=True):
            attempt(lambda: Failing()(x))
        with every.register_module_forward_hook(lambda *given: 1 / 0, always_call=True):
            attempt(lambda: Failing()(x))
        with every.register_module_forward_hook(lambda module, args, output: output * 2):
            print(net(x))
        """
    )


def test_hooks_of_all_modules_are_taken_away_at_once() -> None:
    agree_in_print(
        """
        from collections import OrderedDict
        every, net = torch.nn.modules.module, nn.Linear(1, 1)
        def tell(name):
            return lambda *given: print(name)
        def run():
            net(torch.ones(1, requires_grad=True)).backward()
        every.register_module_forward_pre_hook(tell("before"))
        every.register_module_forward_hook(tell("after"), with_kwargs=True, always_call=True)
        every.register_module_full_backward_hook(tell("backward"))
        print(len(every._global_forward_hooks_always_called), every._global_is_full_backward_hook)
        run()
        every._global_forward_hooks = OrderedDict()
        every._global_backward_hooks = OrderedDict()
        run()
        every._global_forward_pre_hooks.clear()
        run()
        every._global_is_full_backward_hook = None
        every.register_module_backward_hook(tell("former")).remove()
        every._global_is_full_backward_hook = None
        """
    )


def test_hooks_of_whatever_becomes_part_of_a_module() -> None:
    agree_in_print(
        """
        every = torch.nn.modules.module

        def tell(module, name, value):
            print(type(module).__name__, name, type(value).__name__)

        kinds = ("buffer", "module", "parameter")
        hooks = [getattr(every, f"register_module_{kind}_registration_hook") for kind in kinds]
        handles = [hook(tell) for hook in hooks]
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
        net.extra = nn.Tanh()
        net.extra = None
        net.add_module("more", nn.ReLU())
        net.weight = nn.Parameter(torch.ones(1))
        net.weight = None
        net.register_buffer("kept", torch.zeros(1))
        net.kept = torch.ones(1)
        for handle in handles:
            handle.remove()
        with hooks[1](lambda module, name, value: nn.Identity()):
            net.other = nn.Tanh()
        with hooks[2](lambda module, name, value: nn.Parameter(torch.zeros(1))):
            net.bias = nn.Parameter(torch.ones(1))
        print(net, net.bias)
        """
    )


def test_a_batch_norm_that_is_told_to_track_otherwise() -> None:
    agree_in_print(
        """
        torch.manual_seed(0)
        x = torch.rand(4, 2)
        for momentum in (0.1, None):
            for began in (True, False):
                norm = nn.BatchNorm1d(2, momentum=momentum, track_running_stats=began)
                norm.track_running_stats = not began
                for mode in (True, False):
                    print(norm.train(mode)(x), list(norm.buffers()))
        """
    )


def test_a_module_whose_register_buffer_does_not_know_of_persistence() -> None:
    agree_in_print(
        """
        class Former(nn.Module):
            def register_buffer(self, name, value):
                print("former", name)
                super().register_buffer(name, value)
        class Own(nn.Module):
            def register_buffer(self, name, value, persistent):
                print("own", name, persistent)
                super().register_buffer(name, value, persistent)
        for kind in (Former, Own):
            net = kind()
            net.one = nn.Buffer(torch.ones(1))
            attempt(lambda: setattr(net, "other", nn.Buffer(torch.ones(1), persistent=False)))
            net.one = torch.zeros(1)
            print(net.state_dict(), list(net.named_buffers()))
        """
    )


def test_a_prefix_is_taken_away_from_a_state() -> None:
    agree_in_print(
        """
        take = nn.modules.utils.consume_prefix_in_state_dict_if_present
        inner = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Linear(1, 1, bias=False)))
        outer = nn.Module()
        outer.module = inner
        for net, prefix in ((outer, "module."), (inner, "module."), (inner, "0."), (outer, "")):
            state = net.state_dict()
            print(take(state, prefix), list(state), list(state._metadata.items()))
        plain = {"module.a": 1, "b": 2}
        take(plain, "module.")
        print(plain)
        state = outer.state_dict()
        take(state, "module.")
        print(inner.load_state_dict(state))
        """
    )


def test_a_huber_loss_wants_a_number() -> None:
    agree_in_print(
        """
        for delta in (1, 0.5, True, float("nan"), "a", 1 + 0j, None, torch.tensor(0.5)):
            attempt(lambda: nn.HuberLoss(delta=delta))
        """
    )


def test_what_is_said_of_arguments_and_where_classes_are() -> None:
    agree_in_print(
        """
        net = nn.Linear(2, 2)
        attempt(lambda: net.register_forward_hook())
        attempt(lambda: net.load_state_dict())
        for options in (dict(dtype="x"), dict(x=3), dict(memory_format=torch.contiguous_format)):
            attempt(lambda: net.to(**options))
        attempt(lambda: net.to(torch.float32, torch.float64))
        print(net.to_empty(device="cpu").weight.shape)
        base = nn.modules.batchnorm._BatchNorm
        print(base, [isinstance(one, base) for one in (nn.BatchNorm1d(1), nn.LayerNorm(1))])
        keys = net.load_state_dict({"weight": torch.ones(2, 2), "some": 1}, strict=False)
        print(isinstance(keys, nn.modules.module._IncompatibleKeys), keys, type(keys).__name__)
        for function in (nn.Sigmoid(), nn.Tanh()):
            attempt(lambda: function([1.0]))
        parameters = nn.ParameterDict()
        for wrong in ([("a",)], [3], [("a", 1, 2)], "ab"):
            attempt(lambda: parameters.update(wrong))
        weights = {"z": torch.ones(2), "b": torch.ones(2)}
        attempt(lambda: torch.func.functional_call(net, weights, torch.ones(2), strict=True))
        print(nn.utils.clip_grad_norm(net.parameters(), 1.0))
        attempt(lambda: nn.utils.clip_grad_value_(net.parameters(), 1.0))
        for name in ("BatchNorm1d", "ParameterDict", "TripletMarginLoss", "PoissonNLLLoss"):
            print(getattr(nn, name))
        """
    )
