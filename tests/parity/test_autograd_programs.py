"""Programs such as experts write to test autograd do, and print, here what they do on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_what_a_scalar_result_is_overwritten_with_by_way_of_data_is_seen() -> None:
    agree_in_print(
        """
        x = torch.tensor(1.5, requires_grad=True)
        for f in (torch.exp, torch.tanh, torch.sigmoid, torch.sqrt, torch.reciprocal):
            y = f(x)
            y.data.zero_()
            x.grad = None
            y.backward()
            print(x.grad)
            y = f(x)
            y.detach().numpy()[...] = 2.0
            x.grad = None
            y.backward()
            print(x.grad)
            y = f(x)
            v = y.view(1).detach().numpy()
            v[0] = 0.5
            x.grad = None
            print(y.grad_fn._saved_result, y)
            y.backward()
            print(x.grad)
            y = f(x)
            y.data = torch.tensor(7.0)
            x.grad = None
            y.backward()
            print(x.grad)
        y = torch.ones(2, requires_grad=True).prod()
        y.data.zero_()
        attempt(lambda: y.backward())
        y = x.exp()
        z = y * y
        y.data.fill_(3.0)
        z.backward()
        print(x.grad)
        """
    )


def test_anomaly_mode_keeps_where_a_view_was_changed() -> None:
    agree_in_print(
        """
        x = torch.ones(4, requires_grad=True)
        with torch.autograd.detect_anomaly():
            y = x.clone()
            v = y[:2]
            v.mul_(float("nan"))
            print(y.grad_fn.metadata.keys(), v.grad_fn.metadata.keys())
        """
    )


def test_operands_and_places_of_other_kinds() -> None:
    agree_in_print(
        """
        import numpy
        x = torch.ones(2, requires_grad=True)
        attempt(lambda: x * numpy.ones(2))
        attempt(lambda: x + numpy.ones(2))
        attempt(lambda: x @ numpy.ones(2))
        y = torch.zeros(3)
        attempt(lambda: y.index_put((torch.tensor(1),), torch.tensor(1.0)))
        attempt(lambda: y.index_put_((torch.tensor(1),), torch.tensor([1.0, 2])))
        attempt(lambda: torch.zeros(2, 3).index_put((torch.tensor(1),), torch.tensor(1.0)))
        attempt(
            lambda: torch.zeros(2, 3).index_put(
                (torch.tensor(1), torch.tensor([0, 1])), torch.tensor(1.0)
            )
        )
        """
    )


def test_nodes_are_called_with_as_many_gradients_as_they_have_outputs() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        attempt(lambda: y.grad_fn())
        attempt(lambda: y.grad_fn(torch.ones(2)))
        attempt(lambda: y.grad_fn(torch.ones(2), torch.ones(2)))
        attempt(lambda: y.grad_fn(3))
        attempt(lambda: y.grad_fn(None))
        attempt(lambda: x.exp().grad_fn(torch.ones(2)))
        attempt(
            lambda: torch.ones(2, 2, requires_grad=True).unbind()[0].grad_fn(torch.ones(2), None)
        )
        attempt(lambda: y.grad_fn.next_functions[0][0](torch.ones(2)))
        print(x.grad)
        attempt(lambda: x.name)
        """
    )


def test_new_tensors_of_tensors() -> None:
    agree_in_print(
        """
        x = torch.ones(2)
        print(x.new_tensor(x), x.new_tensor([1, 2]), x.name)
        """
    )


def test_parts_are_written_into_copies() -> None:
    agree_in_print(
        """
        torch.manual_seed(0)
        x = torch.rand(3, 4, dtype=torch.double, requires_grad=True)
        s = torch.rand(4, dtype=torch.double, requires_grad=True)
        y = torch.rand(3, 4, dtype=torch.double, requires_grad=True)
        idx = torch.tensor([[0, 1, 2, 0], [0, 1, 0, 2], [1, 1, 0, 0]])
        fs = [
            lambda: x.select_scatter(s, 0, 1),
            lambda: x.select_scatter(s[:3], -1, -2),
            lambda: x.slice_scatter(y[:2], 0, 0, 2),
            lambda: x.slice_scatter(y[:, :2], 1, 0, 4, 2),
            lambda: x.slice_scatter(y),
            lambda: x.diagonal_scatter(s[:3]),
            lambda: torch.diagonal_scatter(x, s[:2], -1),
            lambda: torch.select_scatter(x, s, 0, 2),
        ]
        for r in ("sum", "prod", "mean", "amax", "amin"):
            for inc in (True, False):
                fs.append(lambda r=r, inc=inc: x.scatter_reduce(0, idx, y, r, include_self=inc))
                if r != "prod":
                    fs.append(
                        lambda r=r, inc=inc: torch.scatter_reduce(
                            (x * 2).floor(), 0, idx, (y * 2).floor() + 0 * y, r, include_self=inc
                        )
                    )
        for f in fs:
            o = f()
            print(o, o.grad_fn, o.is_contiguous())
            g = torch.autograd.grad(
                o,
                [x, y, s],
                torch.arange(12.0, dtype=torch.double).view(3, 4).requires_grad_(),
                create_graph=True,
                allow_unused=True,
            )
            print(g)
            gg = [a for a in g if a is not None and a.requires_grad]
            if gg:
                print(torch.autograd.grad([a.sum() for a in gg], [x, y, s], allow_unused=True))
        z = x.clone()
        z.scatter_reduce_(0, idx, y, "sum")
        print(z)
        print(
            torch.tensor([[1, 7]]).scatter_reduce(
                0, torch.tensor([[0, 0]]), torch.tensor([[4, 3]]), "mean"
            )
        )
        x = torch.ones(3, 4)
        i = torch.zeros(3, 4, dtype=torch.long)
        for f in (
            lambda: x.select_scatter(torch.ones(3), 0, 1),
            lambda: x.select_scatter(torch.ones(4), 0, 5),
            lambda: x.select_scatter(torch.ones(4).double(), 0, 1),
            lambda: x.slice_scatter(torch.ones(3, 4), 0, 0, 2),
            lambda: x.diagonal_scatter(torch.ones(4)),
            lambda: x.slice_scatter(torch.ones(4)),
            lambda: x.scatter_reduce(0, i, x, "foo"),
            lambda: x.scatter_reduce(0, i, x.double(), "sum"),
            lambda: x.scatter_reduce(0, i + 7, x, "sum"),
            lambda: x.scatter_reduce(0, i, x[:1], "sum"),
            lambda: x.long().scatter_reduce(0, i, x.long() * 2, "mean"),
        ):
            attempt(f)
        """
    )


def test_losses_of_distances_and_margins() -> None:
    agree_in_print(
        """
        def ol(o):
            def r(n, k):
                if n is None:
                    return "-"
                return n.name() + (
                    ("(" + ", ".join(r(a, k - 1) for a, _ in n.next_functions) + ")")
                    if k and n.next_functions
                    else ""
                )
            return r(o.grad_fn, 7)
        torch.manual_seed(0)
        x = torch.randn(3, 4, requires_grad=True)
        y = torch.randn(3, 4, requires_grad=True)
        z = torch.randn(3, 4, requires_grad=True)
        t = torch.tensor([[1.0, -1, 1, -1]] * 3)
        v = torch.rand(3, 4) + 0.1
        fs = [
            lambda: F.margin_ranking_loss(x, y, t),
            lambda: F.margin_ranking_loss(x, y, t, 0.5, reduction="sum"),
            lambda: F.hinge_embedding_loss(x, t),
            lambda: F.hinge_embedding_loss(x, t, 2.0, reduction="none"),
            lambda: F.triplet_margin_loss(x, y, z),
            lambda: F.triplet_margin_loss(x, y, z, swap=True, p=1.0, reduction="none"),
            lambda: F.cosine_embedding_loss(x, y, torch.tensor([1, -1, 1])),
            lambda: F.cosine_embedding_loss(x[0], y[0], torch.tensor(-1), margin=-0.5),
            lambda: F.gaussian_nll_loss(x, y, v),
            lambda: F.gaussian_nll_loss(x, y, v[:, :1], full=True),
            lambda: F.gaussian_nll_loss(x, y, 0.5, reduction="none"),
            lambda: F.poisson_nll_loss(x, y.abs() * 3),
            lambda: F.poisson_nll_loss(x.abs(), y.abs() * 3, full=True, log_input=False),
            lambda: F.multilabel_soft_margin_loss(x, (t > 0).float()),
            lambda: F.pairwise_distance(x, y),
            lambda: F.pairwise_distance(x, y, p=1, keepdim=True),
            lambda: F.pairwise_distance(x[0], y[0], p=3.0),
        ]
        for f in fs:
            o = f()
            print(o, ol(o))
            g = torch.autograd.grad(o.sum(), [x, y, z], allow_unused=True, create_graph=True)
            print(g)
        attempt(lambda: F.margin_ranking_loss(x, y, t[0]))
        attempt(lambda: F.cosine_embedding_loss(x, y, t))
        attempt(lambda: F.cosine_embedding_loss(x[0], y[0], t[0]))
        attempt(lambda: F.triplet_margin_loss(x, y, z, margin=-1))
        attempt(lambda: F.gaussian_nll_loss(x, y, -v))
        attempt(lambda: F.poisson_nll_loss(x, y, reduction="foo"))
        attempt(lambda: F.triplet_margin_loss(x, y, z[0]))
        attempt(lambda: F.gaussian_nll_loss(x, y, v[:2]))
        attempt(lambda: F.cosine_embedding_loss(x, y, torch.tensor(1)))
        """
    )


def test_padding_with_constants() -> None:
    agree_in_print(
        """
        x = torch.arange(6.0).view(2, 3).requires_grad_()
        for p in ((1, 1), (1, 2, 0, 1), (-1, 1), (0, -2), (-1, -1, 1, 0)):
            o = F.pad(x, p)
            print(o, o.stride(), o.grad_fn)
            (g,) = torch.autograd.grad(
                o,
                x,
                torch.arange(float(o.numel())).view(o.shape).requires_grad_(),
                create_graph=True,
            )
            print(g)
        print(F.pad(x, (1, 0), value=7.0), F.pad(torch.tensor([1, 2]), (1, 1)))
        attempt(lambda: F.pad(x, (1,)))
        attempt(lambda: F.pad(x, (1,) * 6))
        attempt(lambda: F.pad(x, (-3, -3)))
        attempt(lambda: F.pad(x, (1, 1), "foo"))
        """
    )


def test_losses_as_modules() -> None:
    agree_in_print(
        """
        x = torch.randn(3, 4)
        y = torch.randn(3, 4)
        z = torch.randn(3, 4)
        t = torch.tensor([[1.0, -1, 1, -1]] * 3)
        for m, a in (
            (nn.MarginRankingLoss(0.5), (x, y, t)),
            (nn.HingeEmbeddingLoss(), (x, t)),
            (nn.CosineEmbeddingLoss(), (x, y, torch.tensor([1, -1, 1]))),
            (nn.TripletMarginLoss(swap=True), (x, y, z)),
            (nn.PoissonNLLLoss(full=True), (x, y.abs())),
            (nn.GaussianNLLLoss(), (x, y, z.abs())),
            (nn.MultiLabelSoftMarginLoss(), (x, (t > 0).float())),
            (nn.PairwiseDistance(), (x, y)),
            (nn.CosineSimilarity(), (x, y)),
        ):
            print(m, m(*a), m.margin if hasattr(m, "margin") else "")
        attempt(lambda: nn.TripletMarginLoss(margin=-1.0))
        attempt(lambda: nn.MarginRankingLoss(reduction="foo")(x, y, t))
        """
    )


def test_batch_normalization() -> None:
    agree_in_print(
        """
        torch.manual_seed(0)
        for shape in ((5, 3), (4, 3, 2)):
            x = torch.randn(*shape, requires_grad=True)
            w = torch.rand(3, requires_grad=True)
            b = torch.rand(3, requires_grad=True)
            for tr in (True, False):
                rm, rv = torch.zeros(3) + 0.1, torch.ones(3) * 2
                o = F.batch_norm(x, rm, rv, w, b, tr)
                print(o, o.grad_fn, [n and n.name() for n, _ in o.grad_fn.next_functions])
                print(rm, rv)
                g = torch.autograd.grad(
                    o, [x, w, b], torch.linspace(1, 2, x.numel()).view(x.shape), create_graph=True
                )
                print([(t.detach() * 100).round() / 100 + 0.0 for t in g])
                print(
                    [
                        (t * 10).round() / 10 + 0.0
                        for t in torch.autograd.grad((g[0] ** 2).sum() + (g[1] ** 2).sum(), [x, w])
                    ]
                )
        m = nn.BatchNorm1d(3)
        print(m)
        x = torch.randn(6, 3)
        for _ in range(3):
            y = m(x)
        print(y, m.state_dict())
        m.eval()
        print(m(x))
        print(nn.BatchNorm1d(3, affine=False, track_running_stats=False)(x))
        k = nn.BatchNorm1d(3, momentum=None)
        k(x)
        k(x * 2)
        print(k.running_mean, k.running_var, k.num_batches_tracked)
        attempt(lambda: m.train()(torch.ones(1, 3)))
        attempt(lambda: m(torch.ones(3)))
        attempt(lambda: F.batch_norm(x, None, None))
        """
    )


def test_dictionaries_of_parameters() -> None:
    agree_in_print(
        """
        d = nn.ParameterDict({"a": torch.ones(2), "b": nn.Parameter(torch.zeros(1, 3))})
        d["c"] = 5
        print(d, list(d), len(d), "a" in d, d["c"], list(d.keys()))
        print([n for n, _ in d.named_parameters()], d.state_dict())
        d.update([("z", torch.ones(1))])
        print(d.pop("a"), d.popitem(), d.get("q", 3), d.setdefault("y", torch.ones(1)))
        del d["b"]
        print(d)
        attempt(lambda: d[3])
        attempt(lambda: d["nope"])
        attempt(lambda: d(3))
        attempt(lambda: d.update(3))
        d.clear()
        print(d, nn.ParameterDict())
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.p = nn.ParameterDict({"w": torch.ones(2)})
        print(M(), [n for n, _ in M().named_parameters()])
        """
    )


def test_integrals() -> None:
    agree_in_print(
        """
        def ol(o):
            def r(n, k):
                if n is None:
                    return "-"
                return n.name() + (
                    ("(" + ", ".join(r(a, k - 1) for a, _ in n.next_functions) + ")")
                    if k and n.next_functions
                    else ""
                )
            return r(o.grad_fn, 9)
        torch.manual_seed(0)
        y = torch.rand(3, 4, requires_grad=True)
        x = torch.rand(4, requires_grad=True)
        z = torch.rand(3, 4, requires_grad=True)
        for f in (
            lambda: torch.trapezoid(y),
            lambda: torch.trapezoid(y, dx=2.0),
            lambda: torch.trapezoid(y, x),
            lambda: torch.trapezoid(y, z),
            lambda: torch.trapezoid(y, dim=0),
            lambda: torch.trapezoid(y, z, dim=0),
            lambda: torch.trapz(y),
            lambda: torch.cumulative_trapezoid(y),
            lambda: torch.cumulative_trapezoid(y, x),
            lambda: torch.cumulative_trapezoid(y, dx=0.5, dim=0),
            lambda: torch.cumulative_trapezoid(y, z, dim=-2),
            lambda: torch.trapezoid(y[0], x),
        ):
            o = f()
            print(o, ol(o))
            print(torch.autograd.grad(o.sum(), [y, x, z], allow_unused=True))
        attempt(lambda: torch.trapezoid(y, x[:2]))
        attempt(lambda: torch.trapezoid(torch.zeros(2, 0)))
        attempt(lambda: torch.trapezoid(y, dim=3))
        attempt(lambda: torch.trapezoid(torch.tensor([1, 5, 10])))
        """
    )


def test_booleans_are_reduced_into_places() -> None:
    agree_in_print(
        """
        index = torch.tensor([0, 1, 1, 0])
        for own, given in [([True, False, True], [False, True, False, False]),
                           ([False, True, False], [True, True, False, False])]:
            for way in ("sum", "prod", "mean", "amax", "amin"):
                for include in (True, False):
                    x, y = torch.tensor(own), torch.tensor(given)
                    attempt(lambda: x.scatter_reduce(0, index, y, way, include_self=include))
                    attempt(lambda: x.scatter_reduce_(0, index, y, way, include_self=include))
                    print(x if way != "mean" else "PyTorch has changed some before it refuses")
        none = torch.tensor([], dtype=torch.int64)
        attempt(lambda: torch.tensor([True]).scatter_reduce(0, none, torch.tensor([True]), "mean"))
        """
    )


def test_batch_normalization_refuses_what_has_not_the_channels_of_its_input() -> None:
    agree_in_print(
        """
        x, two, three = torch.arange(8.0).view(4, 2), torch.ones(2), torch.ones(3)
        for training in (True, False):
            for given in [(three, two), (two, three), (two, two, three), (two, two, two, three),
                          (None, three), (three, None), (None, two), (two, None),
                          (three, three, three, three)]:
                mean, var, weight, bias = (*given, None, None)[:4]
                attempt(lambda: F.batch_norm(x, mean, var, weight, bias, training))
        attempt(lambda: F.batch_norm(torch.ones(1, 2), three, three, training=True))
        print(two, three)
        for options in ({}, {"affine": False}, {"track_running_stats": False}):
            layer = nn.BatchNorm1d(3, **options)
            attempt(lambda: layer(x))
            attempt(lambda: layer(x.view(4, 2, 1)))
            attempt(lambda: layer.eval()(x))
            print(layer.state_dict())
        """
    )


def test_batch_normalization_takes_states_of_its_first_version() -> None:
    agree_in_print(
        """
        from collections import OrderedDict
        layer = nn.BatchNorm1d(2)
        state = layer.state_dict()
        print(state._metadata)
        old = {key: value + 1 for key, value in state.items() if "num" not in key}
        layer(torch.ones(4, 2))
        print(layer.load_state_dict(old), layer.state_dict(), list(old))
        new = OrderedDict(old)
        new._metadata = state._metadata
        attempt(lambda: layer.load_state_dict(new))
        attempt(lambda: nn.BatchNorm1d(2, track_running_stats=False).load_state_dict(state))
        attempt(lambda: nn.Sequential(nn.BatchNorm1d(2)).load_state_dict(
            {"0." + key: value for key, value in old.items()}
        ))
        """
    )


def test_parameter_dicts_are_united_and_made_of_keys() -> None:
    agree_in_print(
        """
        one = nn.ParameterDict({"a": torch.ones(1), "b": torch.ones(2)})
        other = nn.ParameterDict({"b": torch.zeros(3), "c": torch.zeros(1)})
        print(one | other, other | one)
        print(one | {"d": torch.ones(1)}, one, other)
        attempt(lambda: {"a": torch.zeros(1)} | one)
        attempt(lambda: one | 3)
        same = one
        one |= other
        print(one is same, one)
        print(one.fromkeys(["x", "y"]), one.fromkeys("xy", torch.ones(1))["y"])
        """
    )


def test_where_zeros_meet_in_a_product_there_is_no_second_derivative() -> None:
    agree_in_print(
        """
        import warnings
        warnings.simplefilter("ignore")  # index_reduce is in beta
        index = torch.tensor([0, 0])
        for function in (torch.scatter_reduce, torch.index_reduce):
            for elements in ([0.0, 0.0], [0.0, 2.0]):
                x = torch.ones(1, requires_grad=True)
                y = torch.tensor(elements, requires_grad=True)
                product = function(x, 0, index, y, "prod").sum()
                print(torch.autograd.grad(product, (x, y), retain_graph=True))
                slopes = torch.autograd.grad(product, (x, y), create_graph=True)
                print(slopes)
                attempt(lambda: torch.autograd.grad(sum(slopes).sum(), (x, y), retain_graph=True))
                attempt(lambda: torch.autograd.grad(slopes[0].sum(), (x, y)))
        """
    )


def test_what_is_saved_though_no_formula_reads_it_must_not_change_either() -> None:
    agree_in_print(
        """
        operations = (
            lambda y: y.take(torch.tensor([0, 2])),
            lambda y: y.masked_select(torch.tensor([True, False, True])),
            lambda y: y.cummax(0)[0],
            lambda y: torch.cummin(y, 0)[0],
            lambda y: y ** torch.tensor([1, 2, 3]),
        )
        x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
        for operation in operations:
            for which in (0, 1):
                y = x * 1
                z = operation(y)
                (y, z)[which].data.mul_(1)
                with torch.no_grad():
                    (y, z)[which].mul_(1)
                attempt(lambda: z.sum().backward())
        """
    )


def test_hooks_may_change_gradients_in_place_that_lie_in_one_piece() -> None:
    agree_in_print(
        """
        results = (
            lambda y: y.sum(), lambda y: y.mean(), lambda y: y.sum(0)[0], lambda y: y[0, 0],
            lambda y: y.max(), lambda y: y.view(-1)[0], lambda y: y.reshape(()), lambda y: y.prod(),
        )
        for result in results:
            x = torch.tensor([[2.0]], requires_grad=True)
            y = x * 3
            z = result(y)
            w = z.sum()
            for one in (y, z, w):
                one.register_hook(lambda gradient: gradient.mul_(2) and None)
            w.backward()
            print(x.grad)
        x = torch.ones(2, requires_grad=True)
        y = x * 3
        y.register_hook(lambda gradient: gradient.mul_(2) and None)
        attempt(lambda: y.sum().backward())
        """
    )


def test_a_gradient_that_a_walk_starts_with_has_to_fit_what_was_computed() -> None:
    agree_in_print(
        """
        a = torch.ones(2, 3, requires_grad=True)
        e = (a * 2).view(3, 2)
        for data in (torch.ones(2, 3), torch.tensor(1.0), torch.ones(3, 2)):
            e.data = data
            attempt(lambda: torch.autograd.backward(e, torch.ones_like(e), retain_graph=True))
            attempt(lambda: torch.autograd.grad(e, a, torch.ones_like(e), retain_graph=True))
            both = [torch.tensor(1.0), torch.ones_like(e)]
            attempt(lambda: torch.autograd.backward([a.sum(), e], both, retain_graph=True))
            print(a.grad)
        attempt(lambda: torch.autograd.backward([]))
        """
    )


def test_flags_and_nodes_of_what_is_no_leaf() -> None:
    agree_in_print(
        """
        graph = torch.autograd.graph
        a = torch.ones(2, requires_grad=True)
        c = a * 2
        with torch.no_grad():
            of_leaf, of_result = a.view(-1), c[0]
        with torch.inference_mode():
            inferred = c.view(-1)
        for flag in (True, False):
            attempt(lambda: setattr(c, "requires_grad", flag))
            attempt(lambda: c.requires_grad_(flag))
        for one in (torch.ones(2), of_leaf, of_result, inferred):
            attempt(lambda: graph.get_gradient_edge(one).output_nr)
            attempt(lambda: graph.register_multi_grad_hook([a, one], print))
            attempt(lambda: graph.register_multi_grad_hook([one], print, mode="any") and None)
        """
    )


def test_an_expanded_tensor_is_filled_at_indices_with_a_warning() -> None:
    agree_in_print(
        """
        for value in (3.0, torch.tensor(9.0)):
            e = torch.ones(1, 3).expand(2, 3)
            attempt(lambda: e.index_fill_(0, torch.tensor([0]), value))
            print(e)
        """
    )


def test_smoothed_targets_are_summed_over_the_dimension_of_classes() -> None:
    agree_in_print(
        """
        scores = torch.randn(2, 3, requires_grad=True)
        for one, target in ((scores, torch.tensor([0, 2])), (scores[0], torch.tensor(1))):
            loss = F.cross_entropy(one, target, label_smoothing=0.1)
            nodes = [loss.grad_fn]
            for node in nodes:
                print(node.name(), getattr(node, "_saved_dim", None))
                nodes += [one for one, _ in node.next_functions if one is not None]
        """
    )


def test_classes_of_several_places() -> None:
    agree_in_print(
        """
        def graph(result):
            nodes = [result.grad_fn]
            for node in nodes:
                kept = {name: getattr(node, name) for name in dir(node) if name[:6] == "_saved"}
                shapes = {n: v.shape if torch.is_tensor(v) else v for n, v in kept.items()}
                print(node.name(), shapes)
                nodes += [one for one, _ in node.next_functions if one is not None]
        weight = torch.tensor([1.0, 2.0, 3.0]).double()
        for places in ((4,), (4, 2), (2, 2, 2), (0,)):
            scores = torch.randn(2, 3, *places).double().requires_grad_()
            target = torch.randint(0, 3, (2, *places))
            for options in ({}, {"reduction": "none"}, {"reduction": "sum"}, {"weight": weight},
                            {"ignore_index": 1}, {"label_smoothing": 0.1},
                            {"label_smoothing": 0.1, "weight": weight, "ignore_index": 1}):
                loss = F.cross_entropy(scores, target, **options)
                print(loss)
                graph(loss)
                slope, = torch.autograd.grad(loss.sum(), scores, create_graph=True)
                print(slope)
                graph(slope)
                print(torch.autograd.grad(slope.square().sum(), scores))
        flat = torch.randn(3, 4).double().requires_grad_()
        loss = F.nll_loss(flat**2, torch.tensor([0, 1, 3]))
        graph(torch.autograd.grad(loss, flat, create_graph=True)[0])
        other = torch.randn(2, 3, 4, 5)
        zeros = lambda *shape: torch.zeros(shape, dtype=torch.long)
        for target in (zeros(2, 5), zeros(2), zeros(2, 4, 1), zeros(3, 4), zeros(2, 4).float(),
                       zeros(2, 4).int(), zeros(2, 4) + 7, zeros(2, 5, 4), zeros(2, 4, 5) - 1):
            attempt(lambda: F.cross_entropy(torch.ones(2, 3, 4), target))
            attempt(lambda: F.nll_loss(other, target))
        for weight in (torch.ones(2), torch.ones(3).double(), torch.ones(3, 1),
                       torch.ones(3, requires_grad=True)):
            attempt(lambda: F.nll_loss(other, zeros(2, 4, 5), weight=weight))
            attempt(lambda: nn.NLLLoss(weight)(torch.ones(2, 3, 4), zeros(2, 4)))
        """
    )


def test_attention_in_one_operation_and_in_many() -> None:
    agree_in_print(
        """
        attend = F.scaled_dot_product_attention
        def graph(result):
            nodes = [result.grad_fn]
            for node in nodes:
                kept = {name: getattr(node, name) for name in dir(node) if name[:6] == "_saved"}
                print(node.name(), {n: tuple(v.shape) if torch.is_tensor(v) else v
                                    for n, v in kept.items()})
                nodes += [one for one, _ in node.next_functions if one is not None]
        def show(*given, **options):
            print(options)
            try:
                result = attend(*given, **options)
            except RuntimeError as error:
                return print(error)
            print(result, result.dtype)
            graph(result)
            for slope in torch.autograd.grad(result.cos().sum(), given):
                print(slope)
        def leaf(*shape):
            return torch.randn(shape).double().requires_grad_()
        q, k, v = (leaf(2, 2, 3, 4) for _ in range(3))
        one, other = (leaf(2, 1, 3, 4) for _ in range(2))
        wide = leaf(2, 2, 3, 5)
        seen = torch.ones(3, 3, dtype=torch.bool).tril()
        for options in ({}, {"is_causal": True}, {"attn_mask": seen}, {"scale": -0.3},
                        {"attn_mask": torch.randn(3, 3).double()}, {"attn_mask": seen[None, None]},
                        {"attn_mask": leaf(3, 3)},
                        {"attn_mask": torch.zeros(3, 3, dtype=torch.bool)}, {"dropout_p": 0.5},
                        {"attn_mask": seen.long()}, {"attn_mask": seen[:2]}):
            show(q, k, v, **options)
        for options in ({}, {"is_causal": True}, {"attn_mask": seen}):
            show(*(one.detach()[0].requires_grad_() for one in (q, k, v)), **options)
        show(q, k, wide)
        show(q, wide, v)
        show(q, leaf(2, 2, 5, 4), leaf(2, 2, 5, 4))
        show(q, one, other, enable_gqa=True)
        show(q, k.float(), v)
        show(q.detach()[0, 0, 0], k, v)
        slope, = torch.autograd.grad(attend(q, k, v).sum(), q, create_graph=True)
        print(slope.grad_fn)
        attempt(lambda: torch.autograd.grad(slope.sum(), k))
        attempt(lambda: attend(q, k))
        attempt(lambda: attend(q, k, v, 0.5))
        """
    )


def test_normalization_by_the_root_of_the_mean_square() -> None:
    agree_in_print(
        """
        def graph(result):
            nodes = [result.grad_fn]
            for node in nodes:
                print(node.name(), getattr(node, "_saved_dim", None))
                nodes += [one for one, _ in node.next_functions if one is not None]
        x = torch.randn(2, 3, 4, requires_grad=True)
        norm = nn.RMSNorm(4)
        print(norm, nn.RMSNorm([3, 4], eps=1e-5, elementwise_affine=False), norm.state_dict())
        y = norm(x)
        print(y, norm.eps, norm.normalized_shape)
        y.sum().backward()
        print(x.grad, norm.weight.grad)
        half = torch.ones(4, dtype=torch.half)
        double = torch.ones(4).double()
        for given in ((x, (3, 4)), (x.double(), (4,), double, 1e-3), (x, (4,), half),
                      (x.half(), (4,), half), (x.half(), [4]), (x, ()), (x, 4), (x, (5,)),
                      (x, (3, 5)), (x, (4,), torch.ones(3)), (x.long(), (4,)), (3, (4,)),
                      (x, (4,), None, "a")):
            try:
                y = F.rms_norm(*given)
            except (RuntimeError, TypeError) as error:
                print(type(error).__name__, error)
            else:
                print(y)
                graph(y)
        """
    )


def test_rows_that_are_looked_up_are_shortened() -> None:
    agree_in_print(
        """
        rows, index = torch.tensor([[3.0, 4.0], [0.3, 0.4], [1.0, 0.0]]), torch.tensor([0, 0, 2])
        for most, norm in ((1.0, 2.0), (1.0, 1.0), (0.5, float("inf")), (-1.0, 2.0), (0.0, 2.0),
                           (1, 2), (1.0, 0.0), (9.0, 2.0)):
            weight = rows.clone().requires_grad_()
            y = F.embedding(index, weight, max_norm=most, norm_type=norm)
            print(y, weight, weight._version)
            y.sum().backward()
            print(weight.grad)
        print(F.embedding(index.int(), rows.half(), max_norm=1.0))
        attempt(lambda: F.embedding(torch.tensor([-1]), rows, max_norm=1.0))
        table = nn.Embedding(4, 3, padding_idx=0, max_norm=0.5, norm_type=1.0)
        print(table, table(torch.tensor([[1, 0], [3, 1]])), table.weight)
        table = nn.Embedding(50, 8, max_norm=1.0)
        print(table(torch.arange(50)).norm(dim=1))
        """
    )


def test_what_attention_embeddings_ranges_and_distributions_refuse() -> None:
    agree_in_print(
        """
        attend, q = F.scaled_dot_product_attention, torch.ones(1, 1, 3, 4)
        of_three = torch.ones(2, 3, 4)
        attempt(lambda: attend(q.long(), q.long(), q.long()))
        attempt(lambda: attend(q > 0, q > 0, q > 0))
        attempt(lambda: attend(q, q, q, dropout_p=2.0))
        attempt(lambda: attend(of_three, of_three, of_three, torch.zeros(1, 2, 3, 3)))
        with torch.inference_mode():
            inferred = torch.tensor([[3.0, 4.0]])
        row = torch.tensor([0])
        attempt(lambda: F.embedding(row, inferred, max_norm=1.0))
        attempt(lambda: F.embedding(row, torch.tensor([[3, 4]]), max_norm=1.0))
        attempt(lambda: F.embedding(row, torch.zeros(1, 2), max_norm=1.0, norm_type=-1.0))
        attempt(lambda: torch.linspace(0, float("inf"), 3))
        attempt(lambda: torch.linspace(0, 1, 3, dtype=torch.bool))
        attempt(lambda: torch.logspace(0, 1, 3, dtype=torch.bool))

        class Own(torch.distributions.Normal):
            def __init__(self, loc):
                super().__init__(loc, 1.0)

        attempt(lambda: Own(torch.tensor(0.0)).expand((2,)))
        attempt(lambda: torch.distributions.Normal(0.0, 1.0).expand((2,)))
        attempt(lambda: torch.overrides.BaseTorchFunctionMode().__exit__(None, None, None))
        from importlib import import_module
        module = import_module(torch.__name__ + ".utils.checkpoint")
        x = torch.zeros(1, requires_grad=True)
        for segments in (3, 2, 1, -1, 0):
            attempt(lambda: module.checkpoint_sequential(
                [torch.exp, torch.exp, torch.exp], segments, x, use_reentrant=False))
        """
    )


def test_gradients_pass_through_as_the_tensors_that_were_given() -> None:
    agree_in_print(
        """
        class Same(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one):
                return one.clone()

            @staticmethod
            def backward(ctx, gradient):
                print(gradient is given)
                return gradient

        x, w = (torch.ones(3, requires_grad=True) for _ in range(2))
        given, other = torch.arange(3.0), torch.ones(3)
        y = x + Same.apply(w)
        y.register_hook(lambda gradient: print(gradient is given))
        y.grad_fn.register_prehook(lambda gradients: print(gradients[0] is given))
        y.grad_fn.register_hook(lambda inputs, _: print([one is given for one in inputs]))
        print([one is given for one in torch.autograd.grad(y, (x, w), given)])
        y = x + w
        y.retain_grad()
        y.backward(given)
        print(y.grad is given, x.grad is given)
        y = x + 1
        y.register_hook(lambda gradient: other)
        y.register_hook(lambda gradient: print(gradient is other))
        print(torch.autograd.grad(y.sum(), x)[0] is other)
        """
    )


def test_graphs_recorded_after_data_got_another_dtype_have_another_end() -> None:
    agree_in_print(
        """
        x = torch.ones(3, requires_grad=True)
        x.register_hook(lambda gradient: print("hook", gradient))
        x.register_post_accumulate_grad_hook(lambda leaf: print("after", leaf.grad))
        before = x * x
        for data in (torch.ones(2), torch.ones(2).double(), torch.ones(2)):
            x.data = data
            y = x * 2
            ends = [one.grad_fn.next_functions[0][0] for one in (before, y)]
            print(ends[0] is ends[1])
            attempt(lambda: y.sum().backward())
            x.grad = None
        """
    )


def test_edges_made_by_hand_of_something_else() -> None:
    agree_in_print(
        """
        GradientEdge = torch.autograd.graph.GradientEdge
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        for wrong in ((None, 0), (5, 0), (x, 0), (y.grad_fn, "a"), (y.grad_fn, None)):
            edge = GradientEdge(*wrong)
            attempt(lambda: torch.autograd.grad(y.sum(), edge))
            attempt(lambda: y.sum().backward(inputs=[x, edge]))
        print(x.grad)
        leaf = y.grad_fn.next_functions[0][0]
        attempt(lambda: setattr(leaf, "variable", x))
        attempt(lambda: torch.autograd.Variable(x, 1))
        attempt(lambda: torch.autograd.Variable(x, "a"))
        """
    )


def test_whether_a_change_may_be_is_asked_before_where_it_would_be() -> None:
    agree_in_print(
        """
        x, mask = torch.ones(2, 3, requires_grad=True), torch.tensor([True, False, True])
        part, _ = x.clone().unbind()
        for target in (x, x * 1, x.detach(), x[0], part):
            for index in (mask, mask[:2], (mask, mask), mask[None], (0, mask[:2])):
                attempt(lambda: target.__setitem__(index, 0.0))
            attempt(lambda: target.index_put_((mask,), torch.tensor(0.0)))
            attempt(lambda: target.index_put((mask,), torch.tensor(0.0)))
            attempt(lambda: target.masked_fill_(mask[:2], 0.0))
            attempt(lambda: target.masked_fill(mask[:2], 0.0))
        """
    )


def test_copies_count_what_they_show_as_a_change() -> None:
    agree_in_print(
        """
        import copy
        import pickle
        x = torch.ones(2, requires_grad=True)
        for one in (x, x.detach(), x.detach()[:1], torch.nn.Parameter(x)):
            twin = copy.copy(one)
            print(twin._version, pickle.loads(pickle.dumps(one))._version)
            print(copy.deepcopy(one)._version, twin.data_ptr() == one.data_ptr())
        """
    )


def test_a_gradient_that_does_not_fit_is_named_by_what_it_equals() -> None:
    agree_in_print(
        """
        x = torch.ones(2, requires_grad=True)
        y, z = x * 2, x.sum()
        two, three, none = torch.ones(2), torch.ones(3), torch.zeros(())
        for outputs, gradients in (
            ((y, z), (two, two)),
            ((z, y), (None, three)),
            ((z, y), (none, three)),
            ((z, z), (none, torch.ones(1))),
            ((z, z), (none, torch.zeros(1))),
            ((y, y), (two, three)),
            ((y, z), (two, 3)),
            ((z, z * 2), (torch.ones(()), torch.zeros(1))),
        ):
            attempt(lambda: torch.autograd.backward(outputs, gradients, retain_graph=True))
            attempt(lambda: torch.autograd.grad(outputs, x, gradients, retain_graph=True))
        several = torch.ones(4, 2), torch.ones(4, 3)
        attempt(lambda: torch.autograd.grad((y, y), x, several, is_grads_batched=True))
        """
    )


def test_what_a_function_has_changed_has_no_gradient_yet() -> None:
    agree_in_print(
        """
        class Add(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, other):
                ctx.mark_dirty(one)
                return one.add_(other)

            @staticmethod
            def backward(ctx, gradient):
                return gradient, gradient

        x = torch.ones(2, requires_grad=True)
        for target in (x * 2, torch.zeros(2)):
            target.grad = torch.ones(2)
            if target.requires_grad:
                target.retain_grad()
            Add.apply(target, torch.zeros(2))
            print(target.grad, target.retains_grad)
            Add.apply(target, x)
            print(target.grad, target.retains_grad)
            target.sum().backward()
            print(target.grad, x.grad)
        """
    )


def test_sources_have_the_dimensions_of_what_they_are_written_to() -> None:
    agree_in_print(
        """
        for size in ((), (1,), (3,), (2, 3)):
            for source in (torch.ones(()), torch.ones(1), torch.ones(3), torch.ones(1, 3)):
                x, place = torch.zeros(size), torch.tensor([0])
                attempt(lambda: x.index_add(0, place, source))
                attempt(lambda: x.index_add_(0, place, source))
                attempt(lambda: x.index_copy(0, place, source))
                attempt(lambda: x.index_reduce(0, place, source, "prod"))
        """
    )


def test_what_a_function_gives_back_is_refused_before_anything_is_freed() -> None:
    agree_in_print(
        """
        class Wrong(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one):
                ctx.save_for_backward(one)
                return one * 2

            @staticmethod
            def backward(ctx, gradient):
                print(ctx.saved_tensors)
                return wrong

        x = torch.ones(2, requires_grad=True)
        for wrong in (torch.ones(5), torch.ones(1, 1, 2), 3, (x, x), torch.ones(2).double()):
            y = Wrong.apply(x).sum()
            attempt(lambda: y.backward())
            attempt(lambda: y.backward())
        print(x.grad)
        """
    )


def test_what_was_saved_is_looked_at_where_no_gradient_arrives() -> None:
    agree_in_print(
        """
        class Nothing(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one):
                return one.clone()

            @staticmethod
            def backward(ctx, gradient):
                return None

        def unpack(one):
            print("unpacking", one)
            return one

        x = torch.ones(2, requires_grad=True)
        functions = torch.exp, torch.square, torch.sum, lambda one: one * 3, lambda one: one[:1]
        for function in functions:
            with torch.autograd.graph.saved_tensors_hooks(lambda one: one, unpack):
                y = Nothing.apply(function(x)).sum()
            attempt(lambda: y.backward())
            attempt(lambda: y.backward())
        a = x * 1
        y = Nothing.apply(a * a).sum()
        a.add_(1)
        attempt(lambda: y.backward())
        print(x.grad)
        """
    )


def test_what_a_function_marks_and_saves_is_checked_in_pytorch_s_order() -> None:
    agree_in_print(
        """
        class Marks(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, marks):
                result = one * 2
                for mark in marks.split():
                    getattr(ctx, mark)(3)
                if not marks:
                    ctx.mark_dirty(result)
                    ctx.mark_non_differentiable(result)
                    ctx.save_for_backward(result)
                    return result, one.clone()
                return result

            @staticmethod
            def backward(ctx, *gradients):
                print(ctx.saved_tensors)
                return gradients[-1], None

        class View(Marks):
            @staticmethod
            def forward(ctx, one, marks):
                result = one * 2
                ctx.save_for_backward(result.view(-1), result)
                return result

        x = torch.ones(2, requires_grad=True)
        attempt(lambda: Marks.apply(x, "save_for_backward mark_dirty mark_non_differentiable"))
        attempt(lambda: Marks.apply(x, "mark_dirty mark_non_differentiable"))
        attempt(lambda: Marks.apply(x, "mark_dirty"))
        Marks.apply(x, "")[1].sum().backward()
        View.apply(x, "").sum().backward()
        """
    )


def test_values_are_put_at_places_in_the_shape_that_they_have() -> None:
    agree_in_print(
        """
        x = torch.zeros(2, 3)
        places = (torch.tensor([0]),), (torch.tensor([True, False]),), (torch.tensor([[0, 1]]),)
        values = (1, 2), (2,), (1, 3), (1, 1, 3), (1, 1, 2), (), (1,), (1, 1, 1), (2, 1)
        for place in places:
            for value in map(torch.ones, values):
                attempt(lambda: x.index_put(place, value))
                attempt(lambda: x.clone().index_put_(place, value))
                attempt(lambda: x.index_put(place, value, accumulate=True))
                attempt(lambda: x.clone().__setitem__(place, value))
        """
    )


def test_what_a_function_returns_as_it_is_follows_it() -> None:
    agree_in_print(
        """
        class Same(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one):
                return one

            @staticmethod
            def backward(ctx, gradient):
                return gradient

        w = torch.ones(2, requires_grad=True)
        base = torch.ones(2)
        view = Same.apply(base)
        base.requires_grad_()
        print(view._base is base, view.requires_grad, view.is_leaf)
        attempt(lambda: view.sum().backward())
        attempt(lambda: view.mul_(2))
        base = torch.ones(2)
        view = Same.apply(base)
        base.mul_(w)
        print(view.requires_grad)
        attempt(lambda: view.grad_fn)
        attempt(lambda: torch.autograd.backward((view, view), (torch.ones(3),)))
        attempt(lambda: torch.autograd.backward((base, base), (torch.ones(3),)))
        attempt(lambda: torch.autograd.backward((base, base), (torch.ones(2),)))
        """
    )
