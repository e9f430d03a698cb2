"""Layers, losses, initialisation and training are PyTorch's, for the same seed as printed."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

PROGRAMS = {
    "linear": """
        for linear in (nn.Linear(2, 3), nn.Linear(4, 1, bias=False), nn.Linear(20, 30),
                       nn.Linear(2, 2, dtype=torch.float64), nn.Linear(3, 2, device="cpu")):
            print(linear, linear.weight, linear.bias)
            print(linear.in_features, linear.out_features, len(list(linear.parameters())))
            x = torch.randn(5, linear.in_features, dtype=linear.weight.dtype)
            y = linear(x)
            print(y, y.grad_fn.next_functions, linear(x[0]), linear(x[None]))
        linear.reset_parameters()
        print(linear.weight)
        attempt(lambda: nn.Linear(2, 3)(torch.ones(3)))
        attempt(lambda: nn.Linear(2, 3)(torch.ones(4, 3)))
        attempt(lambda: nn.Linear(2, 3)(torch.ones(2).double()))
        attempt(lambda: nn.Linear(2))
        attempt(lambda: nn.Linear("a", 2))
        attempt(lambda: nn.Linear(2, 2.0))
        attempt(lambda: nn.Linear(-1, 2))
        attempt(lambda: nn.Linear(2, 3)(3))
        attempt(lambda: F.linear(torch.ones(2), [1.0, 2.0]))
        attempt(lambda: F.linear("a", 3, torch.ones(2)))
        attempt(lambda: nn.Linear(2, 3, 4, 5, 6, 7))
        print(nn.Linear(0, 2), nn.Linear(2, 0).weight)
        print(nn.Identity(3, a=4), nn.Identity()(torch.ones(1)))
        print(nn.Flatten(), nn.Flatten(0, 1)(torch.ones(2, 3, 4)).shape)
        print(nn.Flatten()(torch.ones(2, 3, 4)).shape, nn.Flatten()(torch.ones(2)).shape)
        print(nn.Unflatten(1, (2, 3)), nn.Unflatten(1, (2, 3))(torch.ones(1, 6)).shape)
        attempt(lambda: nn.Unflatten(1, 3))
        attempt(lambda: nn.Unflatten(1, (2, "a")))
        """,
    "activations": """
        x = torch.tensor([[-2.0, -0.3, 0.0, 0.4, 7.0, 25.0]], requires_grad=True)
        for one in (nn.ReLU(), nn.ReLU6(), nn.Tanh(), nn.Sigmoid(), nn.LogSigmoid(), nn.Softsign(),
                    nn.Tanhshrink(), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.ELU(), nn.ELU(0.5),
                    nn.SELU(), nn.LeakyReLU(), nn.LeakyReLU(0.2), nn.Softplus(), nn.Softplus(2, 1),
                    nn.Hardtanh(), nn.Hardtanh(-2, 0.1), nn.Threshold(0.1, 3), nn.Softmax(dim=1),
                    nn.Softmax(0), nn.LogSoftmax(-1), nn.Softmin(1), nn.Softmax(), nn.LogSoftmax(),
                    nn.Softmin(), nn.ReLU(inplace=True), nn.ReLU6(True), nn.SiLU(True),
                    nn.ELU(inplace=True), nn.SELU(True), nn.LeakyReLU(0.1, True),
                    nn.Hardtanh(inplace=True), nn.Threshold(0.1, 3, True), nn.ELU(2.0, True),
                    nn.CELU(2.0), nn.CELU(0.5, True), nn.Mish(), nn.Mish(True), nn.Hardsigmoid(),
                    nn.Hardswish(), nn.Hardswish(True), nn.Hardshrink(), nn.Softshrink(0.1),
                    nn.PReLU(), nn.PReLU(3, 0.1), nn.GLU(0)):
            x.grad = None
            input = x * 1
            y = one(input)
            y.sum().backward()
            print(one, type(one), y, y is input, y.grad_fn, x.grad)
            attempt(lambda: one(x))
        attempt(lambda: nn.Hardtanh(2, 1))
        attempt(lambda: nn.GELU("other")(x))
        """,
    "activations in place on a leaf": """
        x = torch.tensor([-1.0, 2.0])
        for one in (F.relu, F.relu6, F.silu, F.elu, F.selu, F.leaky_relu, F.hardtanh):
            y = x.clone()
            print(one(y, inplace=True) is y, y, y._version)
        print(F.threshold(x.clone(), 0.0, 5.0, True), F.dropout(x, 0.0))
        for one in (F.relu_, F.leaky_relu_, F.elu_, F.selu_, F.hardtanh_):
            print(one(x.clone()))
        print(F.threshold_(x.clone(), 0.0, 5.0), F.elu_(x.clone(), 3), F.leaky_relu_(x.clone(), 1))
        """,
    "dropout": """
        for size in ((3,), (4, 5), (100,)):
            for p in (0.5, 0.2, 0.9, 0, 1, 0.0, 1.0):
                x = torch.ones(size, requires_grad=True)
                y = nn.Dropout(p)(x)
                print(y, y is x)
                y.sum().backward()
                print(x.grad)
        drop = nn.Dropout(0.3, inplace=True)
        x = torch.ones(6, dtype=torch.float64)
        print(drop, nn.Dropout(), drop(x) is x, x, drop.eval()(x) is x)
        print(F.dropout(x), F.dropout(x, 0.5, False), F.dropout(x, training=True, p=0.1))
        print(F.dropout(torch.ones(2, 3).t(), 0.5).stride())
        attempt(lambda: nn.Dropout(1.5))
        attempt(lambda: F.dropout(x, -0.1))
        attempt(lambda: F.dropout(x, "a"))
        attempt(lambda: F.dropout(3))
        print(nn.Dropout(0.5)(torch.randn(3, 3)))
        """,
    "losses": """
        a = torch.tensor([[0.2, 0.7], [1.5, -0.4]], requires_grad=True)
        b = torch.tensor([[0.5, 0.1], [1.0, 3.0]])
        t = torch.tensor([1, 0])
        p, w = torch.sigmoid(a), torch.tensor([1.0, 3.0])
        for reduction in ("mean", "sum", "none"):
            for loss, input, target in (
                (nn.MSELoss(reduction=reduction), a, b),
                (nn.L1Loss(reduction=reduction), a, b),
                (nn.SmoothL1Loss(reduction=reduction, beta=0.5), a, b),
                (nn.HuberLoss(reduction=reduction, delta=0.5), a, b),
                (nn.KLDivLoss(reduction=reduction, log_target=True), a, b),
                (nn.BCELoss(reduction=reduction), p, (b > 0.7).float()),
                (nn.BCELoss(weight=w, reduction=reduction), p, (b > 0.7).float()),
                (nn.BCEWithLogitsLoss(reduction=reduction), a, b),
                (nn.BCEWithLogitsLoss(pos_weight=w, weight=w, reduction=reduction), a, b),
                (nn.NLLLoss(reduction=reduction), F.log_softmax(a, 1), t),
                (nn.NLLLoss(weight=w, ignore_index=1, reduction=reduction), F.log_softmax(a, 1), t),
                (nn.CrossEntropyLoss(reduction=reduction), a, t),
                (nn.CrossEntropyLoss(w, reduction=reduction, label_smoothing=0.1), a, t),
                (nn.CrossEntropyLoss(reduction=reduction), a, torch.softmax(b, 1)),
            ):
                a.grad = None
                result = loss(input, target)
                result.sum().backward(retain_graph=True)
                print(loss, type(loss), result, a.grad, loss.state_dict(), loss.reduction)
        attempt(lambda: nn.MSELoss()(a, torch.ones(2)))
        attempt(lambda: nn.MSELoss(reduction="other")(a, b))
        attempt(lambda: nn.L1Loss(reduction="other")(a, b))
        attempt(lambda: nn.HuberLoss(delta=0)(a, b))
        attempt(lambda: nn.BCELoss()(a, b))
        attempt(lambda: nn.CrossEntropyLoss()(a, torch.tensor([2, 0])))
        attempt(lambda: nn.CrossEntropyLoss(weight=torch.ones(3))(a, t))
        attempt(lambda: nn.CrossEntropyLoss()(a))
        attempt(lambda: nn.BCEWithLogitsLoss()(a, b[0]))
        """,
    "losses reduced in the older way": """
        a, b = torch.tensor([0.2, 0.7]), torch.tensor([0.5, 0.1])
        for flags in ((True, None), (False, None), (None, True), (None, False), (False, False)):
            for loss in (nn.MSELoss, nn.L1Loss, nn.SmoothL1Loss, nn.KLDivLoss):
                print(loss(*flags).reduction)
            print(nn.CrossEntropyLoss(None, flags[0], reduce=flags[1]).reduction)
            print(F.mse_loss(a, b, *flags), F.l1_loss(a, b, *flags), F.kl_div(a, b, *flags))
            print(F.smooth_l1_loss(a, b, *flags), F.binary_cross_entropy(a, b, None, *flags))
            print(F.binary_cross_entropy_with_logits(a, b, None, *flags))
            print(F.cross_entropy(a, b, None, flags[0], reduce=flags[1]))
            print(F.nll_loss(a, torch.tensor(1), None, flags[0], -100, flags[1]))
        print(F.huber_loss(a, b, weight=torch.tensor([1.0, 2.0])))
        """,
    "embedding": """
        e = nn.Embedding(5, 3)
        i = torch.tensor([[0, 2], [2, 4]])
        y = e(i)
        print(e, e.weight, y, y.grad_fn.next_functions, e(torch.tensor(1)), e(i[:0]).shape)
        print(y.grad_fn._saved_indices, y.grad_fn._saved_scale_grad_by_freq, e(i.int()))
        (y * torch.arange(12.0).view(2, 2, 3)).sum().backward()
        print(e.weight.grad)
        (g,) = torch.autograd.grad((e(i) ** 3).sum(), e.weight, create_graph=True)
        print(g, g.grad_fn, torch.autograd.grad((g * g).sum(), e.weight))
        for padded in (nn.Embedding(4, 2, padding_idx=1), nn.Embedding(4, 2, -1),
                       nn.Embedding(4, 2, 0, scale_grad_by_freq=True)):
            x = torch.tensor([0, 1, 1, 3, 0, 0])
            (g,) = torch.autograd.grad((padded(x) ** 3).sum(), padded.weight, create_graph=True)
            print(padded, padded.weight, g, padded.padding_idx)
            print(torch.autograd.grad(g.sum(), padded.weight))
        print(nn.Embedding.from_pretrained(torch.ones(2, 3)).weight)
        print(nn.Embedding.from_pretrained(torch.ones(2, 3), freeze=False, padding_idx=1))
        w = torch.ones(5, 3, requires_grad=True)
        for bad in (lambda: e(torch.tensor([5])), lambda: e(torch.tensor([-1])), lambda: e([1]),
                    lambda: e(torch.tensor([0.5])), lambda: nn.Embedding(3, 2, padding_idx=3),
                    lambda: nn.Embedding(3, 2, padding_idx=-4), lambda: F.embedding(i, w[0]),
                    lambda: F.embedding(i, w, padding_idx=7), lambda: F.embedding(w, i),
                    lambda: nn.Embedding(2, 2, _weight=w)):
            attempt(bad)
        """,
    "layer normalization": """
        x = torch.randn(2, 3, 4).double().requires_grad_()
        for norm in (nn.LayerNorm(4), nn.LayerNorm((3, 4)), nn.LayerNorm([4], eps=0.1, bias=False),
                     nn.LayerNorm(4, elementwise_affine=False)):
            with torch.no_grad():
                for p in norm.double().parameters():
                    p.copy_(torch.rand(p.shape))
            y = norm(x)
            print(norm, y, [one[0] and one[0].name() for one in y.grad_fn.next_functions])
            print(y.grad_fn._saved_result1, y.grad_fn._saved_result2)
            leaves = [x, *norm.parameters()]
            grads = torch.autograd.grad((y ** 3).sum(), leaves, create_graph=True)
            print(grads[0].detach(), [one.detach() for one in grads])
            for one in torch.autograd.grad(sum((one * one).sum() for one in grads), leaves):
                print((one * 10).round())
        w, f = torch.ones(4).double(), torch.rand(4)
        for bad in (lambda: F.layer_norm(f, (4,), w), lambda: F.layer_norm(x, (4,), f),
                    lambda: F.layer_norm(x, (3,)), lambda: F.layer_norm(x, ()),
                    lambda: F.layer_norm(x, 4), lambda: F.layer_norm(x, (3, 4), w),
                    lambda: F.layer_norm(x, (4,), w, w[1:]), lambda: nn.LayerNorm(4)(x),
                    lambda: F.layer_norm(x.detach().long(), (4,)), lambda: nn.LayerNorm(5)(f)):
            attempt(bad)
        print(F.layer_norm(x, [4]).grad_fn, nn.LayerNorm(4, dtype=torch.float64)(x).dtype)
        print(nn.LayerNorm(4).state_dict(), nn.LayerNorm(4)(torch.rand(5, 4)))
        """,
    "groups of channels": """
        torch.manual_seed(0)
        for shape, groups in (((2, 4, 3), 2), ((2, 6, 2, 2), 3), ((1, 4, 2), 1)):
            x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
            w, b = (torch.randn(shape[1], dtype=torch.float64, requires_grad=True) for _ in "ab")
            y = F.group_norm(x, groups, w, b)
            print(y, [one[0] and one[0].name() for one in y.grad_fn.next_functions])
            node = y.grad_fn
            print(node._saved_N, node._saved_C, node._saved_HxW, node._saved_group, node._saved_eps)
            grads = torch.autograd.grad((y ** 3).sum(), (x, w, b), create_graph=True)
            print([one.detach() for one in grads])
            for one in torch.autograd.grad(sum((one * one).sum() for one in grads), (x, w)):
                print((one / 10).round() + 0.0)
            print(F.group_norm(x, groups, None, b, 0.1))
        norm = nn.GroupNorm(2, 4)
        print(norm, norm.state_dict(), nn.GroupNorm(2, 4, affine=False), norm(torch.rand(2, 4, 3)))
        print(nn.GroupNorm(2, 4, bias=False), F.group_norm(torch.ones(0, 4, 3), 2))
        print(F.group_norm(torch.full((2, 4), 0.1), 2), F.group_norm(100 * torch.rand(3, 4), 4))
        x, w = torch.rand(2, 4, 3), torch.ones(4)
        for bad in (lambda: F.group_norm(x, 3), lambda: F.group_norm(x, 2, w[1:]),
                    lambda: F.group_norm(x, 2, w, w[1:]), lambda: F.group_norm(x, 2, None, w[1:]),
                    lambda: F.group_norm(w, 2), lambda: F.group_norm(torch.ones(1, 2), 2),
                    lambda: F.group_norm(x, 0), lambda: F.group_norm(x, -1),
                    lambda: F.group_norm(x, 2.0), lambda: F.group_norm(x, "a"),
                    lambda: F.group_norm(3, 2), lambda: F.group_norm(x.long(), 2),
                    lambda: F.group_norm(x, 2, w.double()), lambda: F.group_norm(x, 2, eps="a"),
                    lambda: nn.GroupNorm(3, 4), lambda: norm(x[:, :3])):
            attempt(bad)
        """,
    "sequences": """
        from collections import OrderedDict
        a, b, c = nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)
        m = nn.Sequential(a, b, c)
        print(m, len(m), m[0] is a, m[-1] is c, m[1:], type(m[:2]), list(m) == [a, b, c])
        print(m(torch.ones(4, 2)), nn.Sequential()(3))
        named = nn.Sequential(OrderedDict([("in", a), ("act", b)]))
        print(named, named.act, getattr(named, "in") is a, named[0] is a, named[:1])
        print(m.append(nn.Tanh()) is m, m.insert(1, nn.Sigmoid()), m.pop(0) is a, m)
        m[0] = nn.Identity()
        del m[1]
        print(m, m.extend([a, b]), list(m._modules), m + named, named * 2, 2 * named)
        m += named
        m *= 2
        print(len(m), [name for name, _ in m.named_parameters()])
        del m[1:]
        print(m, list(m._modules))
        for bad in (lambda: m[7], lambda: m["a"], lambda: m + 3, lambda: m * 0, lambda: m * "a",
                    lambda: m.insert(9, a), lambda: m.append(3), lambda: nn.Sequential(1),
                    lambda: nn.Sequential(a, 2), lambda: m.__setitem__(5, a), lambda: m[1.5],
                    lambda: nn.Sequential([a, b]), lambda: m.insert(0, 3), lambda: m(1, 2),
                    lambda: m.__setitem__(0, 3)):
            attempt(bad)
        print(m.insert(-1, nn.Tanh()), nn.Sequential(a, nn.Sequential(b, c)))
        """,
    "lists and dicts of modules": """
        a, b = nn.Linear(2, 3), nn.ReLU()
        m = nn.ModuleList([a, b, nn.ReLU(), nn.ReLU(), nn.Linear(1, 1)])
        print(m, len(m), m[0] is a, m[-1], m[1:3], type(m[1:]), [type(one).__name__ for one in m])
        print(m.append(nn.Tanh()) is m, m.extend([a]) is m, m.insert(0, b), m.pop(0) is b)
        m[1] = nn.GELU()
        del m[0]
        m += [nn.Identity()]
        print(m, m + [a], list(m._modules), a in m)
        del m[1:3]
        print(m, nn.ModuleList(), nn.ModuleList([nn.ModuleList([a, a]), nn.ModuleList([a, a])]))
        for bad in (lambda: m[9], lambda: m.append(3), lambda: nn.ModuleList([1]), lambda: m["a"],
                    lambda: m.extend(3), lambda: m(1), lambda: nn.ModuleList(a),
                    lambda: m.__delitem__(9)):
            attempt(bad)
        d = nn.ModuleDict({"a": a, "b": b})
        d["c"] = nn.Tanh()
        d.update([("d", nn.ReLU())])
        d.update(nn.ModuleDict({"e": nn.ReLU()}))
        print(d, len(d), list(d), "a" in d, d["a"] is a, list(d.keys()), list(d.values()))
        print(list(d.items())[0], d.pop("b"), d.a is a, [name for name, _ in d.named_parameters()])
        del d["c"]
        print(d, nn.ModuleDict([["x", a]]), nn.ModuleDict())
        for bad in (lambda: d["z"], lambda: d.update(3), lambda: nn.ModuleDict({"a": 1}),
                    lambda: nn.ModuleDict([1]), lambda: nn.ModuleDict([["a", a, b]]),
                    lambda: nn.ModuleDict({"x.y": a}), lambda: nn.ModuleDict({"keys": a}),
                    lambda: nn.ModuleDict({1: a}), lambda: d(1), lambda: d.pop("z")):
            attempt(bad)
        d.clear()
        print(d)
        """,
    "lists of parameters": """
        p = nn.Parameter(torch.ones(2, 3))
        m = nn.ParameterList([p, torch.zeros(3, dtype=torch.float64), 5, "text"])
        print(m, len(m), m[0] is p, m[1], m[2], m[-1], list(m[:2]), type(m[:2]))
        print(m.append(torch.ones(())) is m, [name for name, _ in m.named_parameters()])
        m[2] = torch.zeros(1)
        m += [torch.ones(2)]
        m.extend([p])
        print(m, m.state_dict().keys(), nn.ParameterList(), nn.ParameterList([p]))
        for bad in (lambda: m[20], lambda: m(1), lambda: m.extend(p), lambda: m["a"],
                    lambda: m.extend(3), lambda: nn.ParameterList(p)):
            attempt(bad)
        """,
    "initialisation": """
        init = nn.init
        for size in ((3, 2), (20, 30), (2, 3, 4), (5, 1), (3, 1, 2)):
            for fill in (init.uniform_, init.ones_, init.zeros_, init.xavier_uniform_,
                         init.kaiming_uniform_):
                t = torch.empty(size)
                print(fill.__name__, fill(t) is t, t)
            # 16 normals or more are within 1e-6 alone.
            for fill in (init.normal_, init.xavier_normal_, init.kaiming_normal_,
                         init.trunc_normal_, init.orthogonal_):
                t = torch.empty(size)
                print(fill.__name__, fill(t) is t, t if t.numel() < 16 else f"{t.sum():.3f}")
        w = nn.Parameter(torch.empty(3, 5))
        print(init.uniform_(w, -2, 3), init.normal_(w, 1.0, 0.1), init.constant_(w, 0.25))
        print(init.eye_(w), init.xavier_uniform_(w, gain=2.0), init.xavier_normal_(w, 0.5))
        print(init.kaiming_uniform_(w, a=0.3, mode="fan_out"), w.is_leaf, w.requires_grad)
        print(init.kaiming_normal_(w, mode="fan_out", nonlinearity="relu"))
        print(init.kaiming_uniform_(w, nonlinearity="tanh"), init.orthogonal_(w, gain=2))
        print(init.trunc_normal_(w, 0.5, 2.0, -1.0, 1.0), init.trunc_normal_(w, std=0.02))
        print(init.trunc_normal_(w, 0.0, 1.0, 1.5, 2.0), init.trunc_normal_(w, 5.0, 1.0, 0.0, 1.0))
        generator = torch.Generator().manual_seed(7)
        print(init.normal_(w, generator=generator), init.uniform_(w, generator=generator))
        print(init.kaiming_uniform_(torch.empty(3, 2, dtype=torch.float64)))
        print(init.kaiming_uniform_(torch.empty(0, 2)), init.kaiming_normal_(torch.empty(2, 0)))
        print(init.orthogonal_(torch.empty(0, 2)), init.zeros_(torch.empty(2, dtype=torch.int64)))
        for name in ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
            print(init.calculate_gain(name))
        print(init.calculate_gain("leaky_relu", 0.2), init.calculate_gain("leaky_relu", 1))
        for bad in (lambda: init.calculate_gain("other"), lambda: init.eye_(torch.empty(2)),
                    lambda: init.calculate_gain("leaky_relu", "a"),
                    lambda: init.calculate_gain("leaky_relu", True),
                    lambda: init.xavier_uniform_(torch.empty(2)),
                    lambda: init.kaiming_uniform_(torch.empty(2)),
                    lambda: init.kaiming_uniform_(w, mode="other"),
                    lambda: init.orthogonal_(torch.empty(2)),
                    lambda: init.orthogonal_(torch.empty(2, 2).half()),
                    lambda: init.uniform_(w, 2, 1), lambda: init.normal_(w, std=-1)):
            attempt(bad)
        """,
    "clipping": """
        utils = nn.utils
        def fresh():
            w = nn.Parameter(torch.zeros(2, 2))
            b, unused = nn.Parameter(torch.zeros(3)), nn.Parameter(torch.zeros(1))
            w.grad, b.grad = torch.tensor([[3.0, -4.0], [0.5, 1.0]]), torch.tensor([12.0, 0.1, 0.0])
            return [w, b, unused]
        for options in ((1.0,), (100.0,), (2.0, 1), (2.0, float("inf")), (0.5, 3.0), (0.0,)):
            params = fresh()
            print(utils.clip_grad_norm_(params, *options), [one.grad for one in params])
        params = fresh()
        print(utils.clip_grad_value_(params, 0.75), [one.grad for one in params])
        print(utils.clip_grad_norm_(params[0], 1.0), utils.clip_grad_value_(params[1], 0.1))
        print(utils.clip_grad_norm_([], 1.0), utils.clip_grad_norm_(params[2], 1.0))
        print(utils.clip_grad_norm_((one for one in ()), 1.0))
        print(utils.clip_grad_norm_(iter(params), 1))
        print(utils.get_total_norm([one.grad for one in params[:2]]), utils.get_total_norm([]))
        print(utils.get_total_norm(params[0].grad, norm_type=1), params[0].grad._version)
        params[0].grad[0, 0] = float("inf")
        attempt(lambda: utils.clip_grad_norm_(params, 1.0, error_if_nonfinite=True))
        print(utils.clip_grad_norm_(params, 1.0), params[0].grad)
        print(utils.clip_grads_with_norm_(fresh(), 1.0, torch.tensor(2.0)))
        """,
    "parameters as a vector": """
        linear = nn.Linear(2, 3)
        vector = nn.utils.parameters_to_vector(linear.parameters())
        print(vector, vector.grad_fn)
        (vector * torch.arange(9.0)).sum().backward()
        print(linear.weight.grad, linear.bias.grad)
        flat = torch.arange(9.0)
        print(nn.utils.vector_to_parameters(flat, linear.parameters()), linear.weight, linear.bias)
        flat[0] = 100.0
        print(linear.weight[0, 0], linear.weight.is_leaf)
        attempt(lambda: nn.utils.vector_to_parameters([1.0], linear.parameters()))
        attempt(lambda: nn.utils.vector_to_parameters(torch.ones(3), linear.parameters()))
        attempt(lambda: nn.utils.parameters_to_vector([linear.weight.t()]))
        attempt(lambda: nn.utils.parameters_to_vector([]))
        """,
    "gradients of networks": """
        net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
        x = torch.randn(5, 2, requires_grad=True)
        loss = net(x).pow(2).mean()
        for one in torch.autograd.grad(loss, net.parameters(), retain_graph=True):
            print(one)
        grads = torch.autograd.grad(loss, list(net.parameters()), create_graph=True)
        penalty = sum((one * one).sum() for one in grads)
        print(grads[0], penalty)
        penalty.backward()
        print([one.grad for one in net.parameters()], x.grad)
        net.zero_grad()
        net(x).sum().backward(inputs=[net[0].weight])
        print([one.grad for one in net.parameters()])
        (g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
        ((g.norm(dim=1) - 1) ** 2).mean().backward()
        print(net[0].weight.grad, net[2].weight.grad, net[0].bias.grad)
        print(torch.autograd.grad(net(x).sum(), dict(net.named_parameters())).keys())
        """,
    "hooks on parameters": """
        linear = nn.Linear(2, 1)
        handle = linear.weight.register_hook(lambda g: g * 2)
        linear.bias.register_hook(lambda g: print("bias", g))
        linear.weight.register_post_accumulate_grad_hook(lambda p: print("after", type(p), p.grad))
        linear(torch.ones(3, 2)).sum().backward()
        handle.remove()
        linear(torch.ones(3, 2)).sum().backward()
        print(linear.weight.grad)
        """,
    "updates by hand": """
        linear = nn.Linear(2, 1)
        weight = linear.weight
        for step in range(3):
            loss = (linear(torch.ones(3, 2)) ** 2).sum()
            loss.backward()
            with torch.no_grad():
                for p in linear.parameters():
                    p -= 0.1 * p.grad
                    p.sub_(p.grad, alpha=0.01)
                    p.add_(p.grad * 0.001).clamp_(-1, 1)
                    p.grad.zero_()
            for p in linear.parameters():
                p.data -= 0.1
                p.data.mul_(0.9)
            print(linear.weight, linear.bias, linear.weight._version, loss)
        print(linear.weight is weight, weight.grad)
        attempt(lambda: weight.add_(1))
        attempt(lambda: weight.zero_())
        attempt(lambda: weight.__iadd__(1))
        attempt(lambda: weight[0].fill_(1))
        attempt(lambda: weight.__setitem__(0, 1.0))
        with torch.no_grad():
            weight[0, 0] = 5.0
            weight.copy_(torch.zeros(1, 2))
            weight.fill_(2.0), weight.normal_(), weight.uniform_(-1, 1)
        print(weight, type(weight), weight.is_leaf)
        loss = linear(torch.ones(1, 2)).sum() * weight.sum()
        with torch.no_grad():
            weight.mul_(2)
        attempt(lambda: loss.backward())
        average = nn.Parameter(weight.detach().clone(), requires_grad=False)
        average.lerp_(weight.data, 0.5)
        print(average)
        """,
    "frozen parameters and accumulated gradients": """
        net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        for p in net[0].parameters():
            p.requires_grad = False
        optimizer = optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
        for step in range(4):
            (net(torch.randn(4, 2)).sum() / 2).backward()
            if step % 2:
                optimizer.step()
                optimizer.zero_grad()
                print(list(net.parameters()))
        print(net(torch.ones(2)).grad_fn, net[0](torch.ones(2)).requires_grad)
        net[0].requires_grad_()
        print([p.requires_grad for p in net.parameters()])
        def reset(module):
            if isinstance(module, nn.Linear):
                nn.init.constant_(module.weight, 0.5)
                module.bias.data.zero_()
        print(net.apply(reset).state_dict())
        """,
    "training with gradient descent": """
        net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 16), nn.ReLU(),
                            nn.Linear(16, 1))
        x = torch.randn(64, 2)
        y = (x[:, :1] * x[:, 1:]).detach()
        optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        for epoch in range(30):
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            print(f"{epoch} {loss.item():.4f}", loss)
        print(net[0].weight, optimizer)
        """,
    "training with Adam and dropout": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.second = nn.Linear(784, 128), nn.Linear(128, 10)
                self.drop = nn.Dropout(0.2)
            def forward(self, x):
                return self.second(self.drop(F.relu(self.first(x))))
        net = Net()
        x, y = torch.rand(32, 784), torch.randint(10, (32,))
        criterion = nn.CrossEntropyLoss()
        optimizer = optim.Adam(net.parameters(), lr=1e-3)
        for epoch in range(10):
            net.train()
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            net.eval()
            with torch.no_grad():
                print(f"{loss.item():.4f}", criterion(net(x), y), net(x).argmax(1))
        """,
    "training a classifier": """
        net = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(), nn.Linear(8, 1))
        x = torch.randn(40, 2)
        y = (x.sum(1, keepdim=True) > 0).float()
        criterion = nn.BCEWithLogitsLoss()
        optimizer = optim.AdamW([{"params": net[0].parameters()},
                                 {"params": net[2].parameters(), "lr": 0.01}], lr=0.05)
        for epoch in range(20):
            def closure():
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                return loss
            print(optimizer.step(closure))
        print(((net(x) > 0) == y.bool()).float().mean())
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_networks(name: str) -> None:
    agree_in_print(PROGRAMS[name])


def test_initialisations_by_old_names_and_sparse_ones() -> None:
    agree_in_print(
        """
        x = torch.empty(5, 3)
        for name in ("uniform", "normal", "eye", "xavier_uniform", "kaiming_normal"):
            print(getattr(nn.init, name)(x))
        print(nn.init.constant(x, 2), nn.init.sparse(x, 0.4), torch.rand(1))
        print(nn.init.sparse_(nn.Parameter(torch.empty(4, 2)), 0.5, std=1))
        print(nn.init.sparse_(x, 0.5, generator=torch.Generator().manual_seed(3)))
        attempt(lambda: nn.init.sparse_(torch.empty(2), 0.1))
        """
    )
