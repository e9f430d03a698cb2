"""One call of each operation that has a gradient, found by walking the registry.

`tests.parity.programs` draws arguments; of the calls that it makes those are kept that are
differentiable where they stand: all tensors become float64, and their elements lie apart from each
other and from where functions have a kink.
"""

from __future__ import annotations

import functools
import random
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import minigrad as torch
import minigrad.autograd.forward_ad  # which declares one more
from minigrad.ops.declare import rules
from minigrad.ops.registry import registry
from minigrad.ops.rule import Rule
from tests.parity.programs import UNDEFINED, Author, Operation, parameters

TRIES = 60
ENOUGH = 4
# Where elements may lie: the first in which an operation is finite is taken.
DOMAINS = [(-0.9, 0.9), (0.2, 0.9), (1.2, 2.2)]


# Finite differences see no slope there: another precision, places that are written twice, leaves
# that are statistics, random numbers.
ROUGH = re.compile(
    r"float|half\(|scatter\(|index_put\(|index_copy\(|dist\(v0, v0|corrcoef|embedding|\.put\("
    r"|rrelu\(.*True|cholesky_solve|det\(|inverse\(|scatter_reduce|pinverse|nextafter\(v0, v0"
    r"|batch_norm"
)
# Calls that random arguments rarely make, or only at such places.
WRITTEN = """
torch.autograd.forward_ad.without_tangent(v0)
torch.scatter(v0, 1, torch.tensor([[0, 2], [1, 0]]), v1)
torch.cdist(v0, v1, compute_mode="use_mm_for_euclid_dist")
torch.renorm(v0, 2, 0, 0.5)
torch.index_reduce(v0, 1, torch.tensor([2, 0, 0]), v1, "prod")
torch.index_put(v0, (torch.tensor([0, 1]), torch.tensor([2, 1])), v2)
torch.scatter(v0, 1, torch.tensor([[0], [1]]), 2.0)
torch.index_copy(v0, 1, torch.tensor([2, 0, 1]), v1)
torch.masked_scatter(v0, torch.tensor([True, False, True]), v1)
F.embedding(torch.tensor([1, 0, 1]), v0)
F.soft_margin_loss(v0, torch.ones_like(v0))
torch.pow(v0, 3)
torch.xlogy(v0, 2.5)
torch.xlogy(2.5, v0.exp())
F.layer_norm(v0, (3,), v6, v6)
F.layer_norm(v0, (3,), v6, v7)
F.group_norm(v0, 3, v6, v7)
F.soft_margin_loss(v0, torch.tensor([1.0, -1.0, 1.0]))
torch.unsafe_split_with_sizes(v0, [1, 2], 1)[0]
torch.unsafe_split(v0, 2, 1)[1]
torch.index_fill(v0, 1, torch.tensor([0]), v3)
torch.fill(v0, v3)
v0.clone().fill_(v3)
v0.clone().fill_(2)
v0.clone().zero_()
v0.clone().copy_(v1)
torch.addmv(v2, v4, v2)
torch.addr(v4, v2, v2)
torch.baddbmm(v5, v5, v5)
torch.det(v4)
torch.inverse(v4)
torch.linalg.slogdet(v4)[1]
torch.slogdet(v4)[1]
torch.linalg.solve(v4, v2)
torch.linalg.solve(v4, v4.T, left=False)
torch.linalg.cond(v4, "fro")
torch.linalg.eigh(v4 + v4.T)[0]
torch.linalg.cholesky(v4 @ v4.T + torch.eye(2, dtype=torch.float64))
F.threshold(v0.clone(), 0.1, 2.0, True)
F.leaky_relu(v0.clone(), 0.1, True)
F.elu(v0.clone(), 1.0, True)
F.celu(v0.clone(), 2.0, True)
F.celu(v0, 2.0)
F.mish(v0)
F.hardsigmoid(v0)
F.hardswish(v0)
F.hardshrink(v0, 0.2)
F.softshrink(v0, 0.2)
F.prelu(v0, v6)
F.glu(v4)
F.scaled_dot_product_attention(v0, v1, v0 * v1)
F.scaled_dot_product_attention(v0[None, None], v1[None, None], (v0 * v1)[None, None])
F.scaled_dot_product_attention(v0[None, None], v1[None, None], (v0 + v1)[None, None], scale=0.3)
F.binary_cross_entropy(v0.sigmoid(), v1.sigmoid())
torch.block_diag(v0, v1)
v0.clone().t_()
v0.clone().squeeze_()
v0.unsqueeze(0).clone().squeeze_(0)
v0.unsqueeze(0).clone().squeeze_((0,))
v0.clone().unsqueeze_(0)
v0.clone().transpose_(0, 1)
v0.clone().as_strided_((2, 2), (1, 2))
v2 @ v4
torch.sort(v0, 1, stable=True)[0]
torch.linalg.qr(v4)[0]
F.batch_norm(v0, None, None, v6, v7, True)
torch.div(v0, v1, rounding_mode=None)
F.batch_norm(v5, None, None, v2, v2, True)
F.batch_norm(v0, torch.zeros(3), torch.ones(3), v6, v7)
torch.linalg.qr(v4)[1]
torch.linalg.svd(v4)[0].abs()
torch.linalg.svdvals(v0)
torch.linalg.svd(v0, full_matrices=False)[2].abs()
torch.linalg.svd(v0.T, full_matrices=False)[0].abs()
torch.linalg.pinv(v0)
torch.linalg.pinv(v0.T)
torch.linalg.solve_triangular(v4, v0, upper=True)
torch.linalg.solve_triangular(v4, v4, upper=False, left=False)
torch.select_scatter(v0, v6, 0, 1)
torch.slice_scatter(v0, v1[:, :2], 1, 0, 3, 2)
torch.diagonal_scatter(v0, v2)
torch.scatter_reduce(v0, 1, torch.tensor([[0, 2], [1, 0]]), v1, "sum")
torch.scatter_reduce(v0, 1, torch.tensor([[0, 2, 0], [1, 0, 0]]), v1, "prod")
torch.scatter_reduce(v0, 1, torch.tensor([[0, 2], [1, 0]]), v1, "mean", include_self=False)
torch.scatter_reduce(v0, 1, torch.tensor([[0, 2], [1, 0]]), v1, "amax")
F.pad(v0, (1, -1, 0, 2))
F.pairwise_distance(v0, v1)
torch.matrix_exp(v4)
torch.cholesky_solve(v4, (v4 + torch.eye(2, dtype=torch.float64)).tril())
torch.linalg.lstsq(v0.T, v1.T)[0]
torch.linalg.lstsq(v0.T, v1.T, driver="gels")[1]
torch.linalg.solve_ex(v4, v4.T)[0]
torch.linalg.cholesky_ex(v4 @ v4.T + torch.eye(2, dtype=torch.float64))[0]
torch.ldexp(v0, v1)
torch.ldexp(v0, torch.tensor([1, 2, 0]))
F.bilinear(v0[:, :2], v1[:, 1:], v5, v2)
F.rrelu(v0)
F.rrelu(v0.clone(), inplace=True)
F.multi_margin_loss(v0, torch.tensor([0, 2]), p=2)
F.multilabel_margin_loss(v0, torch.tensor([[0, -1, 0], [1, 2, -1]]))
"""
WRITTEN_SHAPES = [(2, 3), (2, 3), (2,), (), (2, 2), (2, 2, 2), (3,), (3,)]  # of v0, v1, ...


class Example(NamedTuple):
    """A function of leaves, and points for these; the names of the leaves, and what others mean."""

    line: str
    function: Callable[..., Any]
    points: list[Any]
    leaves: list[str]
    names: dict[str, Any]


class Drawn(Author):
    """An author that draws by itself."""

    def __init__(self, seed: int) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.random = random.Random(seed)

    def choose(self, options: Sequence[Any]) -> Any:
        return self.random.choice(list(options))

    def integer(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def shuffled(self, items: Sequence[Any]) -> Sequence[Any]:
        return self.random.sample(list(items), len(items))


def declared_in(function: Any) -> str:
    """Return the module that declares an operation."""
    rule = getattr(function, "rule", None)
    written = [function] if rule is None else [rule.forward, *rule.formulas.values()]
    modules = [getattr(one, "__module__", "") for one in written]
    return next((one for one in modules if one.startswith("minigrad")), "")


def calls() -> Iterator[Operation]:
    """Yield one way to call each operation of the registry, and each function of networks."""
    for name, function, variants in registry:
        if name in UNDEFINED or declared_in(function) == "minigrad.random":
            continue
        form = "item" if name.startswith("__") else "torch" if "function" in variants else "method"
        if "property" in variants or variants == {"inplace"} or name == "__setitem__":
            continue
        yield Operation(form, name, parameters(function))
    for name, function in list(vars(torch.nn.functional).items()):
        if getattr(function, "__module__", "") == "minigrad.nn.functional" and callable(function):
            yield Operation("F", name, parameters(function))


def example(operation: Operation, seed: int) -> Example | None:
    """Return a call of an operation with drawn arguments; None if it has no gradient there."""
    author = Drawn(seed)
    try:
        author.call(operation)
    except Exception:
        return None
    if author.failed:
        return None
    *_, line = author.lines
    used = [name for name in author.tensors if re.search(rf"\b{name}\b", line.partition("=")[2])]
    floating = [name for name in used if author.tensors[name].is_floating_point()]
    result, _, expression = line.partition(" = ")
    if not floating or not result.isidentifier() or ROUGH.search(line):
        return None

    def function(*leaves: Any) -> Any:
        found = eval(expression, author.names | dict(zip(floating, leaves, strict=True)))
        found = found if isinstance(found, (tuple, list)) else [found]
        tensors = [one for one in found if isinstance(one, torch.Tensor)]
        return tuple(one for one in tensors if one.is_floating_point())

    shapes = [tuple(author.tensors[name].shape) for name in floating]
    for low, high in DOMAINS:
        points = spread(shapes, low, high, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                outputs = function(*points)
            except Exception:
                return None
        smooth = all(bool(one.isfinite().all()) for one in outputs)
        if smooth and any(one.requires_grad and one.numel() for one in outputs):
            return Example(expression, function, points, floating, author.names)
    return None


def spread(shapes: Sequence[tuple[int, ...]], low: float, high: float, seed: int) -> list[Any]:
    """Return leaves whose elements all differ, by enough to move each a little."""
    sizes = [int(np.prod(shape)) for shape in shapes]
    # No element is where halves and quarters are, at which functions have their kinks.
    values = np.linspace(low, high, max(sum(sizes), 2) + 2)[1:-1] + 0.0137
    values = np.random.default_rng(seed).permutation(values)[: sum(sizes)]
    parts = np.split(values, np.cumsum(sizes)[:-1])
    return [
        torch.tensor(part.reshape(shape), dtype=torch.float64, requires_grad=True)
        for part, shape in zip(parts, shapes, strict=True)
    ]


def written(line: str) -> Example:
    """Return the example that a line of `WRITTEN` is."""
    names = sorted(set(re.findall(r"\bv\d\b", line)))
    shapes = [WRITTEN_SHAPES[int(name[1:])] for name in names]
    known = {"torch": torch, "F": torch.nn.functional}

    def function(*leaves: Any) -> Any:
        return (eval(line, known | dict(zip(names, leaves, strict=True))),)

    return Example(line, function, spread(shapes, -0.9, 0.9, 1), names, known)


def node_classes(outputs: Sequence[Any]) -> dict[Rule, type]:
    """Return the declarations whose nodes are in the graphs of some tensors, and their classes."""
    found, stack = {}, [one.grad_fn for one in outputs if one.grad_fn is not None]
    while stack:
        node = stack.pop()
        if node not in found:
            found[node] = node.plan.rule if hasattr(node, "plan") else None
            stack.extend(to for to, _ in node.next_functions if to is not None)
    return {rule: type(node) for node, rule in found.items() if rule is not None}


def differentiated(one: Example) -> dict[Rule, type]:
    """Return the declarations that an example's first and second derivatives go through."""
    outputs = [output for output in one.function(*one.points) if output.requires_grad]
    found = node_classes(outputs)
    starts = [torch.ones_like(output, requires_grad=True) for output in outputs]
    gradients = torch.autograd.grad(
        outputs, one.points, starts, create_graph=True, allow_unused=True
    )
    return found | node_classes([gradient for gradient in gradients if gradient is not None])


def declared() -> list[Rule]:
    """Return the declarations of minigrad that have formulas."""
    return [
        rule
        for rule in rules
        if any(formula.__module__.startswith("minigrad.") for formula in rule.formulas.values())
    ]


@functools.cache
def examples() -> dict[Rule, tuple[type, list[Example]]]:
    """Return, for each declaration, the class of its nodes and examples that go through it."""
    found: dict[Rule, tuple[type, list[Example]]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in WRITTEN.strip().splitlines():
            keep(found, written(line))
        for operation in calls():
            kept = 0
            for seed in range(TRIES):
                one = example(operation, seed)
                kept += one is not None and keep(found, one)
                if kept == ENOUGH:
                    break
    return found


def keep(found: dict[Rule, tuple[type, list[Example]]], one: Example) -> bool:
    """Add an example to those of the declarations that it goes through, where there are few."""
    try:
        classes = differentiated(one)
    except (RuntimeError, TypeError):
        return False  # where PyTorch has no formula, or none that works
    for rule, kind in classes.items():
        _, others = found.setdefault(rule, (kind, []))
        if len(others) < ENOUGH:
            others.append(one)
    return True
