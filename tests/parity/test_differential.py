"""Random programs do on minigrad what they do on PyTorch: `tests.parity.programs` writes them.

``pytest --programs=N`` says how many; the nightly run has 100,000. A counterexample is printed as a
program that can be pasted, and becomes a plain test in `COUNTEREXAMPLES`.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase

import minigrad
from minigrad.ops.declare import rules
from tests.parity.compare import (
    ADDRESS,
    TRIGGERED,
    ULPS,
    Array,
    described,
    flattened,
    largest,
    noise,
    outline,
    precision,
    same,
    values,
)
from tests.parity.programs import COMMON, operations, programs
from tests.parity.reached import LARGE, REACHED

pytestmark = pytest.mark.parity

# Nodes whose formulas PyTorch composes of other operations, running products only where a factor is
# zero: the values of second derivatives are the same, the graph of the first ones is not.
OTHERWISE_COMPOSED = {"CumprodBackward0", "NativeGroupNormBackward0"}


class Execution:
    """One program on one engine: what could be seen of it, as plain data and arrays.

    Rounding must not decide between two sides of a step such as `floor`: each result that agrees
    with the other engine's is overwritten with it, without the graph noticing.
    """

    def __init__(self, engine: Any, program: str, followed: Execution | None = None) -> None:
        self.engine = engine
        self.followed = followed
        self.names: dict[str, Any] = {"torch": engine, "F": engine.nn.functional, "seen": []}
        self.steps: list[dict[str, Array]] = []
        self.versions: dict[str, int] = {}
        self.seen: dict[str, Any] = {}
        self.graph: list[Any] = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.seen["program"] = attempt(lambda: self.run(program))
            self.seen["tensors"] = {
                name: attempt(functools.partial(self.shown, name)) for name in [*self.tensors()]
            }
            self.seen["recorded"] = attempt(self.recorded)
            self.seen["accumulated"] = attempt(self.accumulated)
        self.seen["warnings"] = [
            [one.category.__name__, TRIGGERED.sub("", str(one.message))] for one in caught
        ]

    def shown(self, name: str) -> dict[str, Any]:
        """Return a tensor as plain data; one that may not be asked for its grad_fn raises."""
        tensor = self.tensors()[name]
        seen: dict[str, Any] = described(self.engine, tensor, [])
        return seen | {"changes": self.changes(name, tensor)}

    def tensors(self) -> dict[str, Any]:
        """Return the tensors there are, by the expressions that give them."""
        return {
            f"{name}[{place}]" if isinstance(value, (tuple, list)) else name: one
            for name, value in self.names.items()
            if name[0] == "v"
            for place, one in enumerate(flattened(self.engine, value))
        }

    def changes(self, name: str, tensor: Any) -> int:
        """Return how often a tensor was changed in place since the operation that made it."""
        return tensor._version - self.versions.get(name, 0)

    def run(self, program: str) -> dict[str, Any]:
        for line in program.splitlines():
            exec(line, self.names)
            self.steps.append({name: values(one) for name, one in self.tensors().items()})
            for name, tensor in self.tensors().items():
                self.versions.setdefault(name, tensor._version)
            if self.followed:
                self.follow()
        return {
            name: str(value)
            for name, value in self.names.items()
            if name[0] == "v" and not [*flattened(self.engine, value)]
        }

    def follow(self) -> None:
        """Take over the other engine's elements where they are the same up to rounding."""
        assert self.followed
        if len(self.followed.steps) < len(self.steps):
            return
        theirs = self.followed.steps[len(self.steps) - 1]
        for name, tensor in self.tensors().items():
            memory, wanted = tensor.numpy(force=True), theirs.get(name)
            if memory.dtype.kind != "f" or wanted is None or memory.shape != wanted.shape:
                continue
            if memory.flags.writeable and near(memory, wanted):
                np.copyto(memory, wanted)

    def derivatives(self) -> tuple[list[Any], list[Any], list[Any]]:
        """Return the results that have a graph, the leaves, and what to start with."""
        tensors = list({id(one): one for one in self.tensors().values()}.values())
        outputs = [one for one in tensors if one.grad_fn is not None]
        leaves = [one for one in tensors if one.requires_grad and one.is_leaf]
        return outputs, leaves, [noise(self.engine, one, seed) for seed, one in enumerate(outputs)]

    def recorded(self) -> Any:
        """Return first and second derivatives, and the graph of the first."""
        outputs, leaves, upstream = self.derivatives()
        if not outputs or not leaves:
            return None
        self.graph = [one.grad_fn for one in outputs]
        upstream = [one.requires_grad_() for one in upstream]
        grad = self.engine.autograd.grad
        first = grad(outputs, leaves, upstream, create_graph=True, allow_unused=True)
        roots = [None if one is None else one.grad_fn for one in first]
        found = [one for one in first if one is not None and one.requires_grad]
        self.graph += roots
        second: Any = ()
        if found:
            starts = [noise(self.engine, one, 100 + seed) for seed, one in enumerate(found)]
            inputs = [*leaves, *upstream]
            second = grad(found, inputs, starts, retain_graph=True, allow_unused=True)
        return {
            "gradients": [None if one is None else values(one) for one in first],
            "second derivatives": [None if one is None else values(one) for one in second],
            "graph of the gradients": outline(roots),
        }

    def accumulated(self) -> Any:
        """Return what `backward` leaves behind."""
        outputs, _, upstream = self.derivatives()
        if not outputs:
            return None
        self.engine.autograd.backward(outputs, upstream)
        return {
            "grad": [
                None if one.grad is None else values(one.grad) for one in self.tensors().values()
            ],
            "seen by hooks": self.plain(self.names["seen"]),
        }

    def plain(self, seen: Any) -> Any:
        if isinstance(seen, self.engine.Tensor):
            return values(seen)
        if isinstance(seen, (tuple, list)):
            return [self.plain(one) for one in seen]
        return seen


def attempt(function: Any) -> Any:
    """Return what a function gives, or the type and text of what it raises."""
    try:
        return function()
    except NotImplementedError as error:
        if "minigrad" in str(error) or "yet" in str(error):
            hypothesis.reject()
        return [type(error).__name__, str(error)]
    except Exception as error:
        text = ADDRESS.sub("0x", str(error)).partition("\nException raised from")[0]
        return [type(error).__name__, text]


def near(ours: Array, theirs: Array) -> bool:
    return np.allclose(ours, theirs, rtol=1e-4, atol=1e-5, equal_nan=True)


# What is known to differ from PyTorch, in a line of a program: no program with it counts.
KNOWN = {
    r"zeros\(\[.*torch\.bool": "an operation without a kernel for booleans does without elements",
    r"zeros\(\[.*dtype=torch.int64[\s\S]*embedding": "no second derivative without indices",
    r"unique_consecutive\(\S+, (True|False)": "PyTorch's function loses what is given by position",
    r"layer_norm\([^w]*bias=": "PyTorch differentiates a bias without weights once alone",
    r"svdvals\([\s\S]*grad_fn.register": "signs of singular vectors",
    r"(matrix_norm|linalg\.norm)\(": "`follow` corrects the result, not what it was chosen from",
    r"linalg\.diagonal\([\s\S]*_\(": "reads what it writes, in an order of PyTorch's own",
    r"(/ |div|%|log|sqrt|acos|asin|tanh|fmod|remainder|cov)[\s\S]*(histc|histogram)\(": "signs of nan, as text",
    r"/ v[\s\S]*(pinv|svd|matrix_rank|cond)": "what LAPACK makes of infinities",
    r"int64[\s\S]*batch_norm\(": "which of two refusals comes first",
    r"v\d+\[\d\] [^=\s]+= ": "what Python calls the type of a result with several parts",
    r"(?m)(int64|bool|eq\(|==)[\s\S]*fill\(.*v\d+\)$": "who refuses to differentiate integers",
    r"zeros\(\[[\s\S]*(tile|repeat)\(.*-\d": "negative repetitions of nothing",
    r"(/ |log|sqrt|asin|acos|tanh|pow|\*\*)[\s\S]*hardshrink\(": "nans, which PyTorch takes otherwise where it takes four at a time",
    r"(/ |log|sqrt|asin|acos|erfinv|pow|\*\*)[\s\S]*mode\(": "in what order PyTorch sorts nans",
    r"as_strided\([\s\S]*(_\(|[-+*/%|&^]= )": "what overlaps is changed in an order of PyTorch's own",
    r"(pairwise_distance\(v\d+, v\d+, |triplet_margin_loss\(.*)-\d": "rounding of large terms that cancel",
    r"corrcoef\([\s\S]*(register|acos|asin|div|/ )": "rounding, of what is clipped at 1",
    r"inference_mode\(\): v\d+ = torch.unsafe_split": "whose version counts what inference changes",
    r"(log|gamma|sin|cos|tan|sqrt|pow|reciprocal|erfinv|/|div|\*\*)[\s\S]*(abs|sgn|l1_loss|norm\(|p=1\))": "0 times infinity, where PyTorch knows of the 0",
    r"isin\(": "PyTorch refuses some views",
    r"(det|solve|inv)\w*\([\s\S]*\.data\b": "what PyTorch does by factors that it kept",
    r"layer_norm\(v\d+, \(1,\)": "of one element nothing is left but rounding",
    r"(/ |div|log|tanh|reciprocal|pow|\*\*)[\s\S]*gelu\(": "what oneDNN makes of infinities",
    r"\[\[\[[\s\S]*cdist\(.*use_mm": "how PyTorch broadcasts batches before it",
    r"det\([\s\S]*(/|div|log|exp|cosh|sinh)": "what factors are made of infinities and nans",
    r"(expand|broadcast_to|meshgrid)[\s\S]*(triu_|tril_|relu_)\(": "who asks first whether elements overlap",
    r"addmm_\(|bool[\s\S]*baddbmm_\(": "which of two refusals comes first",
    r"(cholesky|inv|solve)_ex\(": "what is left of work that failed",
    r"group_norm\([\s\S]*register_hook": "hooks that PyTorch calls without a gradient",
    r"split\w*\([\s\S]*as_strided\(": "where an empty view begins",
    r"unbind\([\s\S]*no_grad\(\): v\d+\[\d\]\.\w+_\(": "which of two refusals comes first",
    r"(log|sqrt|acos|asin|erfinv|/ |div|\*\*)[\s\S]*unique\(": "in what order PyTorch sorts nans",
    r"add(cmul|mv)_\([\s\S]*bool|bool[\s\S]*add(cmul|mv)_\(": "whether shapes or booleans are refused first",
}


def check(program: str) -> set[int]:
    """Assert that a program does the same on both engines; return the rules it differentiated."""
    import torch

    if any(re.search(pattern, program) for pattern in KNOWN):
        hypothesis.reject()
    torch.set_warn_always(True)
    theirs = Execution(torch, program)
    if REJECTED.search(str(theirs.seen)):
        hypothesis.reject()
    ours = Execution(minigrad, program, theirs)
    settle(program, ours.seen, theirs.seen)
    tolerance = 4 * ULPS * precision(theirs.seen) * largest(theirs.seen)
    try:
        same("", ours.seen, theirs.seen, tolerance)
    except AssertionError as error:
        error.add_note(program)
        raise
    return rules_of(ours.graph)


# PyTorch asks to report it; memory that numpy has seen, as here, is not made larger.
REJECTED = re.compile("INTERNAL ASSERT FAILED|resize storage that is not resizable")
# What PyTorch says when it has changed some elements already; here nothing has changed.
TOO_LATE = re.compile(
    "ZeroDivisionError|is out of bounds|out of range|number of ones in mask|div_floor|reduce_mean"
)
IN_PLACE = re.compile(r"_\(|[/%]=|\] = ")
OF_A_VIEW = re.compile(r"which is output \d+ of AsStrided,")
OUTPUT_OF = re.compile(r"which is output \d+ of \w+,")
IN_PLACE_ON_LEAF = re.compile("a (view of a )?leaf Variable that requires grad is being used")


def settle(program: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Leave out what need not be the same."""
    refused = isinstance(theirs["program"], list) and ours["program"] == theirs["program"]
    late = refused and TOO_LATE.search(theirs["program"][1])
    if late and IN_PLACE.search(program.splitlines()[-1]):
        theirs.update(ours)
        return
    for part, seen in theirs.items():
        if "linalg.cond(" in program and "modified by an inplace operation" in str(seen):
            # Its derivative wants what it has changed.
            theirs[part], theirs["warnings"] = ours[part], ours["warnings"]
            continue
        mine = ours[part]
        both_raise = part == "program" and isinstance(mine, list) and isinstance(seen, list)
        if both_raise and any(IN_PLACE_ON_LEAF.match(one[1]) for one in (mine, seen)):
            # Of two errors in one line, either may come first.
            theirs[part] = mine
            continue
        if "clamp(" in program and all("broadcast shape" in str(one) for one in (mine, seen)):
            # Of two bounds, either may be refused first.
            theirs[part] = mine
            continue
        if isinstance(mine, list) and OF_A_VIEW.search(str(seen)):
            # PyTorch names the node of a view for as long as somebody keeps it.
            ours[part], theirs[part] = (OUTPUT_OF.sub("", str(one)) for one in (mine, seen))
            continue
        if isinstance(seen, list) and len(seen) == 2 and "invalid combination" in str(seen[1]):
            # A list of signatures: the type is enough.
            theirs[part] = seen[0]
            ours[part] = ours[part][0] if isinstance(ours[part], list) else ours[part]
    graphs = [one["graph"] for one in theirs["tensors"].values() if isinstance(one, dict)]
    names = {line.split()[1] for graph in graphs for line in graph[1:]}
    recorded = isinstance(ours["recorded"], dict) and isinstance(theirs["recorded"], dict)
    if recorded and re.search(r"linalg\.(cond|lstsq)\(|group_norm\(v\d+, 2", program):
        # They divide by differences of singular values, or by small ones; and of two groups of the
        # four channels that programs have little is left but rounding.
        ours["recorded"].pop("second derivatives", None)
        theirs["recorded"].pop("second derivatives", None)
    # Which way is shorter is seen from strides, which numpy forgets of dimensions of length 1.
    shortened = "inner(" in program or "tensordot(" in program
    # Whether a gradient is added up or converted first.
    mixed = "float64" in program and re.search(r"\.pow_\(|cumsum\(.*dtype=", program)
    if recorded and (shortened or mixed or names & OTHERWISE_COMPOSED):
        ours["recorded"].pop("graph of the gradients", None)
        theirs["recorded"].pop("graph of the gradients", None)


def rules_of(roots: Any) -> set[int]:
    """Return the declarations whose nodes are in a graph, by their places in `rules`."""
    found, stack = {}, [one for one in roots if one is not None]
    while stack:
        node = stack.pop()
        if node not in found:
            found[node] = getattr(getattr(node, "plan", None), "rule", None)
            stack.extend(to for to, _ in node.next_functions if to is not None)
    return {rules.index(rule) for rule in found.values() if rule is not None}


@pytest.fixture
def reached(record_property: Callable[[str, object], None]) -> Iterator[set[int]]:
    """The declarations that are differentiated: in the large run, by all tests, each of them."""
    found: set[int] = set()
    yield found
    record_property(REACHED, sorted(found))


@pytest.mark.parametrize("name", operations())
def test_random_programs_do_the_same_on_both_engines(
    name: str, pytestconfig: Any, reached: set[int]
) -> None:
    wanted = pytestconfig.getoption("--programs")

    @hypothesis.settings(
        max_examples=max(1, wanted // len(operations())),
        deadline=None,
        database=None,
        derandomize=wanted < LARGE,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @hypothesis.given(programs(name, COMMON if wanted < LARGE else list(operations())))
    def compare(program: str) -> None:
        reached.update(check(program))

    compare()


# Programs that were found to differ, one on each line.
COUNTEREXAMPLES = """
v0 = torch.tensor([True]); v0.add_(2, alpha=True)
v0 = torch.tensor(1.5, requires_grad=True); v1 = v0 * 1; v1.xlogy_(2); v2 = torch.expm1(v1)
v0 = torch.cross(torch.tensor(1.0), torch.tensor(1.0), 0)
v0 = torch.trace(torch.tensor([True]))
v0 = F.threshold_(torch.tensor([True]), 0.5, 2)
v0 = torch.ones(2, 3, requires_grad=True).t(); v1 = torch.diagflat(v0)
v0 = torch.lerp(torch.ones(3, dtype=torch.float64), torch.zeros(3, dtype=torch.float64), torch.tensor(1.5))
v0 = torch.index_add(torch.tensor(1.5), 0, torch.tensor([0, 0]), torch.tensor(1.5))
v0 = torch.tensor(6); v0.add_(torch.ones(3), alpha=2)
v0 = torch.ones(3).cross(2)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.clamp(v0, v1, v2); v2.requires_grad_(False)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([0.5, 0.2], requires_grad=True); v2 = torch.quantile(v0, v1)
v0 = torch.ones(2, 3, requires_grad=True).cumsum(1); v1 = torch.tensor(0.3, requires_grad=True); v2 = torch.quantile(v0, v1, dim=1)
v0 = F.alpha_dropout(torch.tensor([True, True, True]), training=True)
v0 = F.alpha_dropout(torch.tensor([1, 2, 3]), training=True)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.quantile(v0, 0.5); v2 = F.hardtanh_(v1); v2.divide_(v1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.quantile(v0, torch.tensor([0.5, 0.2]), interpolation="midpoint")
v0 = torch.ones(3, requires_grad=True) * 2; v1 = v0.unsqueeze_(0)
v0 = torch.tensor([1.5, 0.5], dtype=torch.float64, requires_grad=True); v1 = F.hardsigmoid(v0)
v0 = F.softmin(torch.tensor([True, True]))
v0 = F.hardtanh_(torch.tensor([True, True]))
v0 = torch.zeros(0, requires_grad=True); v1 = F.mse_loss(v0, torch.zeros(0, requires_grad=True))
v0 = torch.tensor([True, False]); v0.add_(2, alpha=0.5)
v0 = torch.tensor([True, False]); v0.sub_(2, alpha=0.5)
v0 = torch.tensor(1.5, requires_grad=True); v1 = v0.expand((-1,))
v0 = torch.ones(3).expand((2, -1, 3))
v0 = torch.ones(3).expand((-2, 3))
v0 = torch.tensor([True, True]); v0.geometric_(2)
v0 = torch.ones(2, 2); v0.baddbmm_(torch.ones(2, 2, 2), torch.ones(2, 2, 2))
v0 = torch.ones(3).kron(2)
v0 = torch.ones(3).is_same_size(2)
v0 = F.celu_(torch.tensor([6, 2]))
v0 = torch.tensor(1.5, requires_grad=True); v1 = v0 * 2; v2 = torch.scatter(v1, 0, torch.tensor(0), v0)
v0 = torch.ones(3, requires_grad=True); v1 = torch.floor_divide(torch.ones(3), v0)
v0 = torch.tensor([1.5, 0.0, -1.0], requires_grad=True); v1 = F.elu(v0)
v0 = torch.tensor([1.5, -1.0], requires_grad=True); v1 = F.elu(v0.log())
v0 = torch.addcmul(torch.tensor([6, 2]), torch.tensor([6, 2]), torch.tensor([1, 1]), value=1.5)
v0 = torch.addcmul(torch.tensor([True]), torch.tensor([True]), torch.tensor([True]))
v0 = torch.trace(torch.ones(2, 2, dtype=torch.uint8))
v0 = torch.trace(torch.ones(2, 2, dtype=torch.bool))
v0 = torch.bitwise_not(torch.ones(2))
v0 = torch.tensor([True, False]).where(torch.tensor([False, True]), torch.tensor([True, True]))
v0 = torch.ones(3).where(torch.tensor([False, True, True]), torch.zeros(3))
v0 = torch.ones(2, requires_grad=True) * 2; v1 = torch.ones(2, requires_grad=True) * v0; v0.uniform_()
v0 = torch.split(torch.ones(3), [1, 1], -1)
v0 = torch.add(torch.tensor([True]), torch.tensor([True]), alpha=2)
v0 = torch.add(torch.tensor([2]), torch.tensor([1]), alpha=True)
v0 = torch.add(torch.ones(3, 3), torch.ones(2, 2, 3), alpha=-1)
v0 = torch.pow(torch.ones(2, 3), torch.ones(3, 3))
v0 = torch.pow(torch.tensor([True]), torch.tensor([True]))
v0 = torch.ones(2, 1, requires_grad=True); v1 = torch.tensordot(v0, torch.ones(2, 1))
v0 = torch.ones(2, 3, 1, requires_grad=True); v1 = torch.inner(v0, torch.ones(2, 3, 1))
v0 = torch.tensordot(torch.ones(3), torch.ones(3))
v0 = torch.ones(3, requires_grad=True); v1 = F.cosine_similarity(v0, torch.ones(2, 3))
v0 = F.cosine_similarity(torch.tensor([6, 2]), torch.tensor([6, 2]), 0)
v0 = F.kl_div(torch.tensor([6, 2]), torch.ones(2))
v0 = F.nll_loss(torch.ones(2, 3, dtype=torch.int64), torch.tensor([0, 1]))
v0 = torch.tensor([0.5], dtype=torch.float64, requires_grad=True); v1 = F.binary_cross_entropy(v0, v0 * 2)
v0 = torch.tensor([1.0, 2.0], requires_grad=True); v1 = v0 ** v0; v2 = v1 * v1; v1.detach().mul_(2)
v0 = torch.tensor([1.5, -0.25], requires_grad=True); v1 = v0.sgn(); v1.addcdiv_(v0, v0)
v0 = torch.meshgrid(torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True), indexing='xy')
v0 = torch.movedim(torch.tensor(1.0, requires_grad=True), 0, 0)
v0 = torch.kthvalue(torch.zeros(2, 0), 1, 1)
v0 = torch.index_put(torch.tensor(1.0), (torch.tensor([0]),), torch.tensor(2.0))
v0 = torch.index_select(torch.tensor(1.0), 0, torch.tensor([0, 0]))
v0 = torch.index_add(torch.zeros(2), 0, torch.tensor([5, 0]), torch.ones(2))
v0 = torch.zeros(0, requires_grad=True); v1 = F.dropout(v0)
v0 = torch.tensor([True, False]); v1 = v0 % torch.tensor([2.0, 3.0], requires_grad=True)
v0 = torch.tensor([1.5, 0.5, 1.5], requires_grad=True); v1 = v0.unique()
v0 = torch.tensor([1.5, 0.5, 1.5], requires_grad=True); v1 = torch.unique(v0, dim=0, return_counts=True)
v0 = torch.tensor([1.5, 1.5, 0.5], requires_grad=True); v1 = torch.unique_consecutive(v0)
v0 = torch.tensor([1.5, 0.0], requires_grad=True); v1 = torch.xlogy(v0, 2)
v0 = torch.tensor([1.5, 0.0], requires_grad=True); v1 = torch.xlogy(v0, -1.0)
v0 = torch.tensor([1.5, 0.5], requires_grad=True); v1 = torch.xlogy(2, v0)
v0 = torch.tensor([1, 2]); v1 = torch.xlogy(v0, 2)
v0 = torch.ones(2, requires_grad=True); v1 = v0 * 2; v1.xlogy_(3)
v0 = torch.ones(2, requires_grad=True); v1 = v0 * 2; v1.floor_divide_(v0)
v0 = torch.ones(2, requires_grad=True); v1 = v0 * 2; v1 //= 3
v0 = torch.ones(2, requires_grad=True); v1 = v0 // 3
v0 = torch.tensor(1.5).unflatten(0, (1, 1))
v0 = torch.broadcast_shapes((2, 3), (4, 3))
v0 = torch.broadcast_shapes((3,), (0,))
v0 = torch.broadcast_shapes((2, -3))
v0 = torch.broadcast_shapes((2, 3), torch.ones(2))
v0 = torch.ones(2, requires_grad=True); v1 = v0.clamp(2, torch.tensor(1.5))
v0 = torch.ones(2, requires_grad=True); v1 = v0.clamp(torch.tensor(0.5), 1)
v0 = torch.ones(2, requires_grad=True); v1 = v0.clamp(2, v0[0])
v0 = torch.tensor([3, 4]); v1 = torch.addmv(v0, torch.ones(2, 2, dtype=torch.int64), v0, beta=0.5, alpha=1.5)
v0 = torch.ones(2, 2, dtype=torch.int64); v1 = torch.addmm(v0, v0, v0, beta=-2.5, alpha=-1.5)
v0 = torch.ones(2, 2, 2, dtype=torch.int64); v1 = torch.baddbmm(v0, v0, v0, beta=0.5, alpha=2.5)
v0 = torch.tensor([True, False]); v1 = torch.addr(torch.zeros(2, 2, dtype=torch.bool), v0, v0, beta=2)
v0 = torch.tensor([True, False]); v1 = torch.addr(torch.zeros(2, 2), v0, v0)
v0 = torch.tensor([1, 2]); v1 = torch.addr(torch.ones(2, 2, dtype=torch.int64), v0, v0, alpha=2.5)
v0 = torch.tensor([1, 2]); v1 = torch.addr(torch.ones(2, 2), v0, v0, beta=True)
v0 = torch.ones(4, requires_grad=True); v1 = torch.take_along_dim(v0, torch.tensor([7, -1]), 0)
v0 = torch.ones(3, requires_grad=True); v1 = torch.gather(v0, 0, torch.zeros(0, dtype=torch.uint8))
v0 = torch.ones(3, requires_grad=True); v1 = torch.scatter(v0, 0, torch.zeros(0), torch.ones(3))
v0 = torch.ones(3, requires_grad=True); v1 = torch.tensor(2.0, requires_grad=True); v2 = torch.index_fill(v0, 0, torch.tensor([0, 1, 0]), v1)
v0 = torch.nonzero(torch.tensor([[1.5, 0.0], [0.0, 2.0]]), as_tuple=True); v1 = v0[0]._base
v0 = torch.ones(2, requires_grad=True); v1 = torch.diff(v0, n=0, prepend=v0)
v0 = torch.ones(2, 2, requires_grad=True); v1 = torch.linalg.matrix_power(v0, 0)
v0 = torch.tensor(3.0, requires_grad=True); v1 = torch.quantile(v0, 0.5, dim=0, keepdim=True)
v0 = torch.tensor([1.5, 0.5], requires_grad=True); v1 = torch.round(v0, decimals=0)
v0 = torch.round(torch.tensor([1, 2]), decimals=0)
v0 = torch.arange(-2.5, 3.5, 1, dtype=torch.int64)
v0 = torch.arange(-2.5, 3.5, 1, dtype=torch.int32)
v0 = torch.arange(0.5, 2.5, 0.5, dtype=torch.int64)
v0 = torch.arange(3, dtype=torch.bool)
v0 = F.pairwise_distance(torch.tensor([1, 2]), torch.tensor([2, 4]))
v0 = F.hinge_embedding_loss(torch.tensor([1, 2]), torch.tensor([1, -1]), reduction='none')
v0 = F.margin_ranking_loss(torch.tensor([1, 2]), torch.tensor([1, 5]), torch.tensor([1, -1]))
v0 = F.cosine_embedding_loss(torch.tensor([[1, 2]]), torch.tensor([[2, 4]]), torch.tensor([1]))
v0 = F.poisson_nll_loss(torch.tensor([1, 2]), torch.tensor([2, 4]), log_input=False, full=True)
v0 = F.batch_norm(torch.zeros(2, 0), torch.zeros(0), torch.zeros(0), training=True)
v0 = torch.zeros(3); v1 = F.batch_norm(torch.ones(2, 3), v0, torch.zeros(3), training=True)
v0 = torch.ones(2).to('cpu', torch.float64, True, True)
v0 = torch.ones(2); v1 = v0.to(torch.float32, False, True); v1.add_(1)
v0 = F.embedding(torch.tensor(5), torch.tensor(2.0))
v0 = torch.Tensor.__rsub__(torch.ones(2), torch.tensor([1, 2]))
v0 = torch.Tensor.atan2(2, 3)
v0 = torch.Tensor.eq(2, torch.ones(2))
v0 = torch.Tensor.add_(2, 3)
v0 = torch.eq(2, torch.ones(2))
v0 = torch.linspace(0, 3, 1.0)
v0 = torch.linspace(torch.ones(1), torch.ones(2, 2), 4)
v0 = torch.logspace(torch.tensor(1.0), torch.ones(2), 4)
v0 = torch.ones(2, 3).narrow(0, torch.tensor([1]), 1)
v0 = torch.ones(2, 3).narrow(0, torch.tensor(True), 1)
v0 = torch.roll(torch.tensor(1.0), 0, 0)
v0 = torch.roll(torch.ones(2), ())
v0 = torch.scatter(torch.ones(3, 5), 0, torch.tensor([[7]]), torch.ones(2, 5, 2))
v0 = torch.hstack(())
v0 = torch.vstack([])
v0 = torch.multinomial(torch.tensor([1.0, -1.0]), 2, replacement=True)
v0 = torch.multinomial(torch.tensor([1.0, float('inf')]), 2, replacement=True)
v0 = torch.multinomial(torch.tensor([1.0, float('nan')]), 2)
v0 = torch.zeros(1); v0.addmv_(torch.ones(2, 2), torch.ones(2))
v0 = torch.zeros(0, 3, requires_grad=True); v1 = F.batch_norm(v0, None, None, torch.ones(3), torch.ones(3), training=True)
v0 = torch.zeros(3); v1 = F.batch_norm(torch.zeros(0, 3), v0, v0, training=True)
v0 = F.batch_norm(torch.ones(2, 3), torch.zeros(3), torch.zeros(3), training=True, eps=0)
v0 = F.batch_norm(torch.ones(2, 3), torch.zeros(3), torch.zeros(3), eps=-1.0)
v0 = F.batch_norm(torch.ones(2, 3, dtype=torch.int64), None, None, training=True)
v0 = F.cross_entropy(torch.ones(2, 3), torch.ones(2, 3), ignore_index=1)
v0 = F.cross_entropy(torch.ones(2, 3), torch.ones(2, 3), weight=torch.ones(2))
v0 = F.gaussian_nll_loss(torch.ones(2, 3, 4), torch.zeros(2, 3, 4), torch.ones(2, 1, 4))
v0 = F.gaussian_nll_loss(torch.ones(2, 3, 4), torch.zeros(2, 3, 4), torch.ones(2, 1, 1))
v0 = torch.ones(2, requires_grad=True); v1 = torch.rsub(v0, 3, alpha=2)
v0 = torch.ones(2, requires_grad=True); v1 = torch.rsub(v0, v0 * 2, alpha=2)
v0 = torch.rsub(torch.tensor([1, 2]), 3, alpha=2.5)
v0 = torch.scatter(torch.ones(3), 0, torch.tensor([0, 0, 1]), torch.tensor([2.0, 3.0, 4.0]), reduce='multiply')
v0 = torch.ones(3, requires_grad=True); v1 = torch.scatter(v0, 0, torch.tensor([0, 0, 1]), 2, reduce='add')
v0 = torch.ones(3); v0.scatter_(0, torch.tensor([0, 0, 1]), 3.0, reduce='multiply')
v0 = torch.scatter(torch.ones(3), 0, torch.tensor([0, 0, 1]), torch.ones(3), reduce='mean')
v0 = torch.tensor([[1, 1.5], [1, 1.5], [2, 1]], requires_grad=True); v1 = torch.unique_consecutive(v0, dim=0)
v0 = torch.unique_consecutive(torch.tensor([[1, 1], [1, 1], [2, 1]]), return_inverse=True, return_counts=True, dim=-1)
v0 = torch.unique_consecutive(torch.zeros(0, 2), dim=1)
v0 = torch.triu_indices(3, 3, dtype=torch.int32)
v0 = torch.tril_indices(3, 3, dtype=torch.float32)
v0 = torch.repeat_interleave(torch.arange(3), torch.tensor([1, 0, 2]), output_size=3)
v0 = torch.repeat_interleave(torch.arange(3), torch.tensor([1, 0, 2]), output_size=4)
v0 = torch.repeat_interleave(torch.arange(3), 2, output_size=4)
v0 = torch.linalg.matrix_rank(torch.eye(2), atol=0.5, rtol=2.0, hermitian=True)
v0 = torch.tensor([[4.0, 1.0], [1.0, 3.0]], requires_grad=True); v1 = torch.linalg.pinv(v0, atol=0.5, hermitian=True)
v0 = torch.tensor([[1.0, 2.0, 3.0], [2.0, 1.0, 5.0]], requires_grad=True); v1 = torch.cov(v0, fweights=torch.tensor([1, 2, 1]), aweights=torch.tensor([0.5, 0.25, 1.0]))
v0 = torch.cov(torch.tensor([1.0, 2.0]), correction=2)
v0 = torch.cov(torch.tensor([1.0, 2.0]), aweights=torch.tensor([1, 1]))
v0 = torch.rand(2, layout=torch.strided, pin_memory=False)
v0 = torch.bucketize(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 2.0]), out_int32=True)
v0 = torch.bucketize(torch.tensor([1.0, 2.0]), torch.ones(2, 2))
v0 = torch.searchsorted(torch.tensor([2.0, 1.5]), torch.tensor([1.0, 2.0]), sorter=torch.tensor([1, 0]))
v0 = torch.searchsorted(torch.ones(()), 1.0, sorter=torch.tensor(0))
v0 = torch.searchsorted(torch.tensor([1.5, 2.0]), torch.tensor([1.0, 2.0]), side='left', right=True)
v0 = torch.zeros(2, 0).unflatten(0, (-1,))
v0 = torch.zeros(2, 0).unflatten(0, (-1, 1))
v0 = torch.zeros(2, 0).unflatten(1, (0, -1))
v0 = torch.zeros(2, 0, requires_grad=True); v1 = v0.exp(); v1[:, [0]] = 1.0
v0 = torch.zeros(2, 0, requires_grad=True); v1 = v0[[5]]
v0 = torch.zeros(2, 3, requires_grad=True) * 2; v0[:, [7]] = 1.0
v0 = torch.zeros(2, 3, requires_grad=True) * 2; v0[:, [7]] = torch.ones(5)
v0 = torch.zeros(2, 3, requires_grad=True) * 2; v0[:, [0]] = torch.ones(1, dtype=torch.int64)
v0 = torch.zeros(2, 3); v0[[0], [7]] = torch.ones(5)
v0 = torch.zeros(2, 0)[[], [5]]
v0 = torch.zeros(2, 0)[[5], [0]]
v0 = torch.tensor([6, 2, 0]); v0.add_(torch.ones(2, 3), alpha=0.5)
v0 = torch.tensor([6, 2, 0]); v0.sub_(torch.ones(2, 3, dtype=torch.int64), alpha=0.5)
v0 = torch.add(torch.tensor([6, 2]), torch.tensor([6, 2, 0]), alpha=0.5)
v0 = torch.tensor([6, 2, 0]); v0.bitwise_and_(torch.ones(2, 3))
v0 = torch.ones(3); v0.cumsum_(0, dtype=torch.float64)
v0 = torch.tensor([6, 2]).char(); v0.cumprod_(0, dtype=torch.int64)
v0 = torch.tensor([True, False]); v0.cumsum_(0)
v0 = torch.tensor([6, 2]); v0.cumsum_(3, dtype=torch.float32)
v0 = torch.repeat_interleave(torch.ones(2, 3))
v0 = torch.tensor(1.5).unflatten(-1, (-1,))
v0 = torch.tensor(6).unflatten(0, ())
v0 = torch.select_scatter(torch.tensor(1.5), torch.tensor(1.5), 0, 1)
v0 = torch.slice_scatter(torch.tensor(1.5), torch.tensor(1.5))
v0 = torch.tensor(1.5).mv(torch.tensor([1.5]))
v0 = torch.inner(torch.ones(3), torch.tensor([1]))
v0 = torch.ones(2, 3, requires_grad=True); v1 = torch.prod(v0, 2, dtype=torch.int64)
v0 = torch.floor_divide(torch.zeros(0, dtype=torch.int64), 0)
v0 = torch.tensor([6, 2, 0]).remainder(torch.zeros(2, 2, dtype=torch.int64))
v0 = torch.tensor([True, False]); v0.floor_divide_(0)
v0 = torch.tensor([True, False]); v0.div_(0)
v0 = torch.tensor([True, False]); v0.div_(0, rounding_mode='trunc')
v0 = torch.kthvalue(torch.tensor(True), 1)
v0 = torch.tensor([True, True]).clamp_min(True)
v0 = torch.tensor([1.5, 0.5, 0.0]); v1 = F.hardtanh_(v0, 2.0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = F.hardtanh(v0 * 1, 2.0, inplace=True)
v0 = torch.ones(3, requires_grad=True); v1 = F.mse_loss(torch.ones(2, 1), v0 * 2, weight=torch.ones(2, 1))
v0 = torch.ones(3, requires_grad=True); v1 = F.l1_loss(v0 * 2, torch.ones(2, 3), weight=torch.ones(2, 3))
v0 = torch.ones(3, requires_grad=True); v1 = F.mse_loss(v0, torch.ones(3), weight=torch.ones(3), reduction='x')
v0 = torch.tensor([6, 2, 0]); v0.div_(v0, rounding_mode='floor')
v0 = torch.tensor([6, 2, 0]); v0 //= v0
v0 = torch.tensor([6, 2, 0]); v0 %= v0
v0 = torch.tensor(True); v0 >>= torch.tensor([True, True])
v0 = torch.tensor(1); v0 >>= 1.5
v0 = torch.tensor(1.5); v0 &= torch.tensor([1, 2])
v0 = torch.tensor(6); v0.remainder_(torch.tensor([0, 2]))
v0 = torch.tensor([True]); v0.floor_divide_(torch.tensor([0]))
v0 = torch.tensor(6); v0.div_(torch.tensor([0, 2]), rounding_mode='trunc')
v0 = torch.tensor(True); v0.gcd_(torch.tensor([True, False]))
v0 = torch.tensor([6, 2, 0]); v1 = torch.tensor([1.5], dtype=torch.float64, requires_grad=True); v2 = v0.pow(v1)
v0 = torch.tensor([6.0, 2, 1], requires_grad=True); v1 = torch.tensor([1.5], dtype=torch.float64, requires_grad=True); v2 = v0.pow(v1)
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones(2, 3, requires_grad=True); v2 = torch.clip(v0, v0 * 2, v1)
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones(3, 1, requires_grad=True); v2 = torch.clamp(v1, v0, v1 * 2)
v0 = torch.tensor([6, 1, 2]); v1 = torch.tensor(1.5, requires_grad=True); v2 = torch.clamp(v1, torch.tensor(1.0, requires_grad=True), v0)
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones(2, 3, requires_grad=True); v2 = torch.clip(v1, v0, v0 * 2)
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones(2, 3, requires_grad=True); v2 = torch.clip(v0, None, v1)
v0 = torch.ones(3); v1 = torch.ones(3, requires_grad=True); v2 = v0.set_(v1, 0, (3,), (2, 1))
v0 = torch.ones(3); v1 = v0.set_(torch.ones(3), 0, (2, 3), (1,))
v0 = torch.tensor([0.0, 1, -1], requires_grad=True); v1 = torch.tensor(1.75); v2 = F.prelu(v0, v1)
v0 = torch.ones(3, 1); v1 = torch.ones(2); v2 = torch.rsub(torch.ones(2, 3, dtype=torch.int64), torch.ones(2, 3, 1, dtype=torch.int64), alpha=2)
v0 = torch.ones(3, requires_grad=True); v1 = v0 * 2; v1.floor_divide_(v0); v2 = torch.floor_divide(v0, torch.ones(3, requires_grad=True))
v0 = torch.tensor([True, True]); v1 = torch.clamp(v0, v0, v0)
v0 = torch.tensor([True, True]); v1 = torch.pow(v0, True)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.split(v0, 1); v1[2].logical_not_()
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.split(v0 * 2, 1); v1[2].logical_not_()
v0 = torch.tensor(1.5, requires_grad=True); v1 = torch.lerp(v0, v0, torch.tensor(False))
v0 = torch.ones(3); v1 = torch.ones(3, requires_grad=True); v2 = v0.set_(v1)
v0 = torch.zeros(0, 1, requires_grad=True); v1 = torch.mm(v0, torch.tensor([[1.5, 0.5]], requires_grad=True))
v0 = torch.tensor([[[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], [[-1.75, -2.0, -1.5], [1.25, 0.75, 1.75]]], requires_grad=True); v1 = torch.pinverse(v0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.cumprod(v0, 0); v1.data.mul_(2)
v0 = torch.tensor([True, True]); v1 = v0 >> v0
v0 = torch.tensor([0.0, 0.0, 1.0], requires_grad=True); v1 = torch.kthvalue(v0, 1)
v0 = torch.tensor([True, True]); v1 = v0.kthvalue(2)
v0 = torch.tensor([True, True]); v1 = v0.kthvalue(0)
v0 = torch.tensordot(torch.tensor([1.5]), torch.tensor([1.5, 0.5, 0.0]), 0)
v0 = torch.tensor([1.5], requires_grad=True); v1 = torch.tensordot(v0, torch.tensor([1.5, 0.5, 0.0], requires_grad=True), 0)
v0 = torch.tensor([0.0], requires_grad=True); v1 = v0.prod()
v0 = torch.tensor(True); v0.cumsum_(0)
v0 = torch.tensor([True, True]); v1 = torch.gcd(v0, v0)
v0 = torch.tensor([True, True, True]); v1 = v0.cross(torch.ones(3))
v0 = torch.tensor([True, True, True]); v1 = v0.bitwise_right_shift(torch.zeros(0).logical_not())
v0 = torch.tensor([[1.5, 0.5, 0.0, 2.0, 3.0, 0.0, 4.0],[0, 1, 2, 3, 0, 1, 0], [1,1,1,1,1,1,2]], requires_grad=True); v1 = torch.cumprod(v0, 1)
v0 = torch.tensor([[1.5, 0.5, 0.0, 2.0, 3.0, 0.0, 4.0],[0, 1, 2, 3, 0, 1, 0], [1,1,1,1,1,1,2]], requires_grad=True); v1 = torch.cumprod(v0, 0)
v0 = torch.tensor([[0.0, 1], [2, 3], [0, 0]], dtype=torch.float64, requires_grad=True); v1 = torch.cumprod(v0, -2)
v0 = torch.ones(2, 3, requires_grad=True); v1 = v0.t() + torch.ones(3, 2); v2 = v1.view(6)
v0 = torch.ones(2, 3, requires_grad=True); v1 = torch.kron(v0.t(), v0)
v0 = torch.tensor([[1.0, 2, 3], [4, 5, 6]], requires_grad=True); v1 = torch.kron(v0.t(), v0.t())
v0 = torch.clamp(torch.tensor([True]), True, False)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = (v0 * 2).chunk(2); v1[0].data.mul_(2)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0.chunk(1); v1[0].logical_and_(v0)
v0 = torch.tensor([6, 2, 0]); v1 = v0.apply_(lambda *given: given[0] * 2)
v0 = torch.ones(3, requires_grad=True); v2 = v0.map_(torch.ones(2, 3), lambda *given: given[0] * 2)
v0 = torch.ones(3); v2 = v0.map_(torch.ones(2, 3), lambda *given: given[0] * 2)
v0 = torch.ones(2, 3); v2 = v0.map_(torch.ones(3), lambda a, b: a * 2 + b)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0 + 1; v1.asinh_()
v0 = torch.tensor([0.5, 0.25, 0.0], requires_grad=True); v1 = v0 * 1; v1.atanh_()
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0 + 1; v1.acosh_()
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = torch.lgamma(v0)
v0 = torch.tensor([1.5, 0.5], dtype=torch.float64, requires_grad=True); v1 = torch.lgamma(v0)
v0 = torch.tensor([1.5, -2.0, -1.5], dtype=torch.float64, requires_grad=True); v1 = torch.lgamma(v0)
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = torch.digamma(v0)
v0 = torch.tensor([1.5, 0.5], dtype=torch.float64, requires_grad=True); v1 = torch.digamma(v0)
v0 = torch.tensor([1.5, -2.0, -1.25], dtype=torch.float64, requires_grad=True); v1 = torch.digamma(v0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.digamma(v0)
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = torch.polygamma(0, v0)
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = torch.polygamma(1, v0)
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = v0.exp(); v2 = torch.polygamma(0, v1)
v3 = torch.tensor([6, 2, 0]); v3.nextafter_(torch.ones(2, 3, dtype=torch.int64))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0 + 1; v1.heaviside_(torch.tensor(1.5, requires_grad=True))
v0 = torch.ones(3, requires_grad=True); v1 = torch.adjoint(v0)
v0 = torch.tensor(1.5, requires_grad=True); v1 = torch.adjoint(v0)
v0 = torch.tensor(1.5, requires_grad=True); v1 = v0.mH
v0 = torch.tensor(1.5, requires_grad=True); v1 = v0.H
v0 = torch.tensor(1.5, requires_grad=True); v1 = v0.mT
v0 = torch.ones(3, requires_grad=True); v1 = v0.mH
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0.sum(); v2 = v1.H
v3 = torch.ones(2, 3, requires_grad=True); v4 = torch.sum(v3, 2, dtype=torch.int64)
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones(3, requires_grad=True); v2 = torch.block_diag(v0, v1)
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones((), requires_grad=True); v2 = torch.block_diag(v0, v1, torch.ones(2, 2, requires_grad=True))
v0 = torch.tensor(1.5, requires_grad=True); v2 = torch.aminmax(v0)
v0 = torch.tensor([1.5, 0.5, 0.5], requires_grad=True); v2 = torch.aminmax(v0)
v0 = torch.tensor([1.5, 0.5, 0.5], requires_grad=True); v2 = torch.aminmax(v0, dim=0)
v0 = torch.tensor(1.5, requires_grad=True); v2 = torch.aminmax(v0, dim=0)
v0 = torch.zeros([0], requires_grad=True); v1 = torch.cummax(v0, 0)
v0 = torch.zeros([2, 0], requires_grad=True); v1 = torch.cummin(v0, 0)
v0 = torch.tensor([True, True]); v1 = torch.addmv(v0, torch.ones(2, 2, dtype=torch.bool), v0)
v0 = torch.nanmean(torch.tensor([6, 2, 0]))
v0 = torch.nanmean(torch.tensor([True]))
v0 = torch.tensor([6, 2, 0]); v0.addr_(v0, v0)
v0 = torch.tensor([6, 2, 0]); v0.addr_(torch.ones(2), v0)
v0 = torch.ones(2, 2); v0.addr_(torch.ones(3), torch.ones(2))
v0 = torch.ones(1, 3); v0.addr_(torch.ones(2), torch.ones(3))
v0 = torch.tensor([[[2, 1.0], [1, 3]], [[1, 0], [0, 4]]], requires_grad=True); v1 = torch.inverse(v0)
v0 = torch.zeros([0], requires_grad=True); v1 = torch.corrcoef(v0)
v0 = torch.tensor([[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], requires_grad=True); v1 = torch.renorm(v0, 2, 0, 1.0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.vander(v0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.vander(v0, 0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.vander(v0, 1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.vander(v0, 2, increasing=True)
v0 = torch.tensor([1, 2]); v1 = torch.vander(v0)
v2 = torch.tril_indices(1, -1)
v2 = torch.triu_indices(-1, 1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.trapezoid(v0, v1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.cumulative_trapezoid(v0, v1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.scatter_reduce(v0, 0, torch.tensor([2, 1, 1]), v2, 'amax')
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.scatter_reduce(v0, 0, torch.tensor([2, 1, 1]), v2, 'mean')
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.scatter_reduce(v0, 0, torch.tensor([2, 1, 1]), v2, 'prod')
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.index_reduce(v0, 0, torch.tensor([2, 1, 1]), v2, 'amax')
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.index_reduce(v0, 0, torch.tensor([2, 1, 1]), v2, 'prod')
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.index_reduce(v0, 0, torch.tensor([2, 1, 1]), v2, 'mean')
v0 = torch.tensor([1.5, 0.5, 0.0]); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v0.index_reduce_(0, torch.tensor([2, 1, 1]), v2, 'prod')
v0 = torch.tensor(1.5, requires_grad=True); v1 = torch.tensor(1.5, requires_grad=True); v2 = F.multilabel_soft_margin_loss(v0, v1)
v0 = torch.zeros([2, 0], requires_grad=True); v1 = torch.zeros([0]); v4 = F.batch_norm(v0, v1, v1, bias=v1)
v0 = torch.tensor([[[2, 1.0], [1, 3]], [[1, 0], [0, 4]]], requires_grad=True); v1 = torch.linalg.cond(v0)
v0 = torch.tensor([[[2, 1.0], [1, 3]], [[1, 0], [0, 4]]], requires_grad=True); v1 = torch.linalg.eigvalsh(v0)
v0 = torch.tensor([[[2, 1.0], [1, 3]], [[1, 0], [0, 4]]], requires_grad=True); v1 = torch.linalg.svdvals(v0)
v0 = torch.tensor([[[2, 1.0], [1, 3]], [[1, 0], [0, 4]]], requires_grad=True); v1 = torch.linalg.qr(v0)
v0 = torch.ones(3, requires_grad=True); v1 = torch.linalg.pinv(v0, atol=1e-08)
v0 = torch.ones(3, requires_grad=True); v1 = torch.linalg.pinv(v0, 0.5)
v0 = torch.ones(3, requires_grad=True); v1 = torch.linalg.pinv(v0)
v0 = torch.tensor([[[2, 1.0], [1, 3]], [[1, 0], [0, 4]]], requires_grad=True); v2 = torch.linalg.solve_triangular(v0, v0, upper=True)
v0 = torch.ones(3, requires_grad=True); v1 = torch.linalg.vecdot(v0, v0, 0)
v0 = torch.index_reduce(torch.ones(6), 0, torch.zeros(2).long(), torch.ones(3), 'prod')
v0 = torch.index_reduce(torch.ones(6), 0, torch.zeros(2).long(), torch.ones(2, 2), 'prod')
v0 = torch.index_reduce(torch.ones(6), 5, torch.zeros(2).long(), torch.ones(2, 2), 'prod')
v0 = torch.index_reduce(torch.ones(6), 0, torch.zeros(2, 1), torch.ones(2), 'prod')
v0 = torch.index_reduce(torch.ones(6), 0, torch.zeros(2).long(), torch.ones(2).long(), 'prod')
v0 = torch.index_reduce(torch.ones(6), 0, torch.zeros(2), torch.ones(2), 'mean')
v0 = torch.index_reduce(torch.tensor(1.5), 0, torch.tensor([0]), torch.tensor(2.0), 'prod')
v0 = torch.tensor(1.5); v0.index_reduce_(0, torch.tensor(0), torch.tensor(2.0), 'amax')
v0 = torch.tensor([True, True]); v1 = torch.index_reduce(v0, 0, torch.tensor([1]), v0[:1], 'prod')
v0 = torch.ones(1, 1, 2, dtype=torch.bool); v1 = torch.baddbmm(v0[..., :1], v0, v0.mT)
v0 = torch.dist(torch.tensor([6, 2]), torch.tensor([6, 2]))
v0 = torch.dist(torch.tensor([True]), torch.ones(1))
v0 = torch.dist(torch.tensor([6, 2]), torch.ones(2, requires_grad=True))
v0 = torch.ones(2, requires_grad=True); v1 = torch.dist(v0, v0 * 2, 0)
v0 = torch.ones(2, requires_grad=True); v1 = torch.dist(v0, v0 * 2, -1)
v0 = torch.dist(torch.ones(3), torch.ones(2))
v0 = torch.nanmean(torch.ones(3, requires_grad=True), dtype=torch.int64)
v0 = torch.cov(torch.tensor([True, False]))
v0 = torch.corrcoef(torch.tensor([True, False]))
v0 = torch.quantile(torch.tensor([6, 2]), 2.0)
v0 = torch.quantile(torch.zeros(0), 2.0)
v0 = torch.tensor([[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], requires_grad=True); v1 = torch.lgamma(v0)
v0 = torch.tensor([[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], requires_grad=True); v1 = torch.digamma(v0)
v0 = torch.heaviside(torch.tensor([float('nan'), -0.0]), torch.tensor([0.5, 0.5]))
v0 = torch.tensor([[True, True], [False, True]]); v1 = torch.where(v0); v1[1].logical_xor_(v1[0])
v0 = torch.where(torch.tensor(True))
v0 = torch.tensor([-0.0, 0.25], requires_grad=True); v1 = torch.pow(v0, 0.5)
v0 = torch.ones(3, requires_grad=True); v1 = torch.block_diag(v0)
v0 = torch.linalg.vecdot(torch.ones(3), torch.ones(3, dtype=torch.float64))
v0 = torch.linalg.vecdot(torch.tensor([6, 2]), torch.tensor([6, 2]))
v0 = torch.zeros(0, dtype=torch.int64).log_normal_()
v0 = torch.diff(torch.ones(3), prepend=torch.ones(2, 3))
v0 = torch.diff(torch.ones(2, 3), append=torch.ones(3, 3))
v0 = torch.diff(torch.ones(3), n=0, prepend=torch.ones(2, 3))
v0 = torch.diff(torch.tensor([6, 2]), append=torch.ones(2))
v0 = torch.cummin(torch.zeros(2, 0), 5)
v0 = torch.histc(torch.tensor([True]))
v0 = torch.trapezoid(torch.ones(2, 0, dtype=torch.int64))
v0 = torch.zeros(2, 0).fill_diagonal_(2, True)
v0 = torch.ones(3); v1 = torch.linalg.cross(v0, v0, 0)
v0 = torch.linalg.pinv(torch.tensor([6, 2]), atol=1e-08)
v0 = torch.linalg.pinv(torch.tensor(1.5), atol=1e-08)
v0 = F.pad(torch.zeros(0), [-1, 1])
v0 = F.pad(torch.zeros(1), [1, -3])
v0 = F.pad(torch.zeros(1), [-1, 1])
v0 = F.batch_norm(torch.tensor(1.5), torch.ones(1), torch.ones(1), training=True)
v0 = torch.tensor([[float('nan'), 1], [1, 2]]); v1 = v0.pinverse()
v0 = torch.tensor([[[1.0, 1], [1, 2]], [[float('nan'), 1], [1, 2]]]); v1 = torch.linalg.svdvals(v0)
v0 = torch.tensor([1.5, -1.0, -1.75], requires_grad=True); v1 = torch.logit(v0.log(), 1e-08)
v0 = torch.ones(3, requires_grad=True); v4 = F.pairwise_distance(v0, torch.zeros(3), -1)
v0 = torch.tensor([6, 2, 0]); v0.clip_(0.5)
v0 = torch.tensor([6, 2, 0]); v0.clip_(torch.tensor([0.5, 1, 1]))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); with torch.no_grad(): v1 = torch.sum(v0, dtype=torch.int64)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.bernoulli(v0, 1)
v0 = torch.matmul(torch.zeros(0, dtype=torch.bool), torch.zeros(0, 2, dtype=torch.bool))
v0 = torch.tensor([1.5, 0.5], requires_grad=True); v1 = torch.tensor([True, False]) ** v0
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = F.huber_loss(v0, torch.ones(3, dtype=torch.float64))
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = F.huber_loss(v0, torch.ones(3), reduction='none')
v0 = torch.zeros([0], requires_grad=True); v1 = torch.zeros([0, 2], requires_grad=True); v2 = torch.matmul(v0, v1)
v0 = torch.ones(3); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v3 = torch.put(v0, torch.tensor([2, 1, 1]), v2); v2.data.mul_(2)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.digamma(v0); v2 = torch.digamma(v1)
v0 = torch.zeros(0, 1, requires_grad=True); v1 = torch.mm(v0, torch.ones(1, 2, requires_grad=True))
v0 = torch.zeros(1, 0, requires_grad=True); v1 = torch.mm(v0, torch.ones(0, 2, requires_grad=True))
v0 = torch.zeros(2, 0, requires_grad=True); v1 = torch.mm(v0.t(), v0)
v0 = torch.ones(3); v0.div_(torch.ones(2, 3), rounding_mode='x')
v0 = torch.ones(3); v0.div_(torch.ones(2), rounding_mode='x')
v0 = torch.tensor([1, 2]); v0.div_(torch.ones(2), rounding_mode='x')
v0 = torch.zeros(2, 0)[[0, 1, 2], [0, 1]]
v0 = torch.zeros(2, 0); v0[[0, 1, 2], [0, 1]] = 1.0
v0 = torch.zeros(2, 0)[[0, 1], [0, 1]]
v0 = torch.zeros(2, 0)[[0, 7]]
v0 = torch.zeros(2, 3)[[0, 1, 1], [0, 1]]
v0 = torch.ones(3); v0.masked_scatter_(torch.tensor([True, True, True]), torch.ones(1))
v0 = torch.ones(3, requires_grad=True); v1 = torch.ones(1, requires_grad=True); v2 = F.prelu(v0 * -1, v1)
v0 = torch.ones(3, requires_grad=True); v2 = F.prelu(v0 * -1, torch.ones(1))
v0 = torch.ones(3); v1 = torch.ones(1, requires_grad=True); v2 = F.prelu(v0 * -1, v1)
v0 = torch.tensor([0.0, 1, -1], requires_grad=True); v1 = torch.tensor([0.5], requires_grad=True); v2 = F.prelu(v0, v1)
v0 = torch.ones(2, 0, requires_grad=True); v0.fill_diagonal_(2)
v0 = torch.ones(2, 3).long(); v1 = torch.linalg.pinv(v0, atol=1e-08)
v0 = torch.ones(2, 3).t(); v1 = torch.searchsorted(torch.ones(6)[::2], v0)
v0 = torch.ones(2, 3).long(); v1 = torch.cdist(v0, torch.ones(3).long())
v0 = torch.ones(3); v1 = v0.cuda('cpu')
v0 = torch.addmv(torch.tensor(1.5), torch.ones(2, 2), torch.ones(3))
v0 = torch.clip(torch.tensor([True, True]), torch.tensor([1.5, 0.5]))
v0 = torch.clip(torch.tensor([1, 2], dtype=torch.uint8), torch.tensor([300.0, 0.5]))
v0 = F.pairwise_distance(torch.ones(3, requires_grad=True), torch.zeros(2, 3))
v0 = torch.zeros(0, requires_grad=True); v1 = torch.zeros(0).long(); v2 = torch.take_along_dim(v0, v1, 0); v1.gcd_(v1)
v0 = torch.zeros(2, 0, requires_grad=True); v1 = torch.zeros(2, 0, dtype=torch.float64, requires_grad=True); v2 = torch.cdist(v0, v1)
v0 = torch.zeros(0, 2, requires_grad=True); v1 = torch.zeros(3, 2, requires_grad=True); v2 = torch.cdist(v0, v1, compute_mode='use_mm_for_euclid_dist')
v0 = torch.zeros(2, 0, requires_grad=True); v1 = torch.cdist(v0, v0 * 1, float('inf'))
v0 = torch.ones(3).long(); v1 = torch.ones(3, requires_grad=True); v2 = torch.cat([v0, v1]); v2.grad_fn.register_hook(lambda *given: seen.append(given))
v0 = torch.ones(3); v1 = torch.ones(3, requires_grad=True); v2 = torch.stack([v0, v1]); v2.grad_fn.register_hook(lambda *given: seen.append(given))
v0 = torch.ones(3); v1 = torch.ones(3, requires_grad=True); v2 = torch.block_diag(v0, v1); v2.grad_fn.register_hook(lambda *given: seen.append(given))
v0 = torch.ones(3, requires_grad=True); with torch.inference_mode(): v1 = v0.unsafe_chunk(1)
v0 = torch.ones(3, requires_grad=True); with torch.inference_mode(): v1 = v0.unsafe_split_with_sizes([1, 2])
v0 = torch.rand(1); v1 = v0.as_strided_((0,), (1,), 2)
v0 = torch.ones(3, requires_grad=True); v1 = torch.as_strided(v0, (0, 3), (7, 1), 5); v2 = v1.stride()
v0 = torch.arange(6.0); v1 = v0[1:].unfold(0, 2, 1); v2 = v1.storage_offset(); v3 = v1.is_set_to(v0.as_strided((4, 2), (1, 1), 1))
v0 = torch.arange(6.0); v1 = v0.unfold(0, 2, 2); v0[1:3].copy_(v1[0])
v0 = torch.arange(6.0).view(2, 3).t(); v1 = v0[1:].expand(2, 2, 2); v2 = v1.storage_offset(); v0.add_(v1[0][0][0])
v0 = torch.zeros(0, 3); v1 = v0.unfold(0, 0, 1); v2 = v1.stride()
v0 = torch.tensor([True, True]); v0.clamp_(torch.tensor(True), 2)
v0 = torch.tensor([1, 2]); v0.clamp_(0.5, torch.tensor(3))
v0 = torch.tensor([True]); v1 = torch.index_reduce(v0, 0, torch.tensor([0]), v0, 'prod', include_self=False)
v0 = torch.tensor([[True]]); v1 = torch.index_reduce(v0, 0, torch.tensor([0]), v0, 'mean')
v0 = torch.tensor([1, 3]); v0.index_reduce_(0, torch.tensor([0, 5]), v0 + 1, 'prod', include_self=False)
v0 = torch.bincount(torch.tensor([1.5, 0.5]), minlength=-1)
v0 = torch.ones(2, requires_grad=True); v1 = torch.bincount(torch.tensor([1, 2]), v0)
v0 = torch.quantile(torch.tensor([6, 2, 0]), torch.tensor([[0.5]]))
v0 = torch.quantile(torch.tensor([6, 2, 0]), torch.tensor(0.5))
v0 = torch.quantile(torch.tensor([6, 2, 0]), 0.5, interpolation='x')
v0 = torch.tensor([True]); v1 = v0.map_(torch.ones(1), lambda *given: given[0])
v0 = torch.zeros(0); v1 = torch.dist(v0, v0, -1)
v0 = torch.zeros(2, 0); v1 = F.pairwise_distance(v0, v0, float('inf'))
v0 = F.cosine_embedding_loss(torch.ones(2, 3), torch.ones(3), torch.ones(3))
v0 = torch.tensor([True, True, True]); v0 **= torch.ones(2, 3).bool()
v0 = torch.multinomial(torch.zeros(0), 1, True)
v0 = torch.multinomial(torch.zeros(0, 0), 2, True)
v0 = torch.ones(2, 3, requires_grad=True); v1 = torch.scatter(v0, 0, torch.zeros(0).long(), 3)
v0 = torch.ones(2, 3, requires_grad=True); v1 = torch.gather(v0, 0, torch.zeros(0, 7).long())
v0 = torch.tensor(1.5, requires_grad=True); v1 = torch.gather(v0, 0, torch.zeros(2).long())
v0 = torch.tensor(1.5, requires_grad=True); v1 = torch.arange(2.0, requires_grad=True); v2 = torch.scatter_add(v0, 0, torch.zeros(2).long(), v1)
v0 = torch.ones(3, requires_grad=True); v1 = torch.tensor(1.5, requires_grad=True); v2 = torch.scatter_reduce(v0, 0, torch.zeros(1).long(), v1, 'mean', include_self=False)
v0 = torch.ones(3); v1 = torch.scatter(v0, 0, torch.tensor(1), torch.ones(2), reduce='add')
v0 = torch.scatter(torch.ones(2, 3), 0, torch.tensor([[0, 1, 1]]), torch.ones(0))
v0 = torch.scatter(torch.ones(2, 3), 0, torch.tensor([[0, 5, 1]]), torch.ones(2))
v0 = torch.scatter_reduce(torch.ones(2, 3), 5, torch.tensor([[0, 1, 1]]), torch.ones(1, 3).long(), 'x')
v0 = torch.scatter_reduce(torch.tensor([True, True]), 0, torch.tensor([0, 5]), torch.tensor([True, True]), 'mean', include_self=False)
v0 = torch.tensor([6, 2], dtype=torch.uint8); v1 = torch.addcmul(v0, v0, v0, value=300)
v0 = torch.tensor([6, 2], dtype=torch.uint8); v1 = torch.add(v0, v0, alpha=-1)
v0 = torch.tensor([6, 2], dtype=torch.uint8); v1 = torch.rsub(v0, v0, alpha=-1)
v0 = torch.ones(2, 2, dtype=torch.uint8); v1 = torch.addmm(v0, v0, v0, beta=300)
v0 = torch.ones(2, 2); v1 = torch.addmm(v0, v0, v0, beta=1e40)
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0.index_fill(0, torch.tensor([0]), -1)
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0.scatter(0, torch.tensor([0]), 300)
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0.clamp(-1)
v0 = torch.ones(2, dtype=torch.int32); v1 = v0.clamp(2**62)
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0.index_add(0, torch.tensor([0]), v0[:1], alpha=300)
v0 = torch.ones(2, dtype=torch.uint8); v1 = F.pad(v0, [1, 1], value=300)
v0 = torch.ones(2, dtype=torch.uint8); v1 = F.threshold(v0, 300, 2)
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0.pow(300)
v0 = torch.ones(2, dtype=torch.uint8); v1 = 300 ** v0
v0 = torch.ones(2, dtype=torch.uint8); v1 = torch.where(v0 > 0, v0, 300)
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0 % 300
v0 = torch.ones(2, dtype=torch.uint8); v1 = v0.fmod(-1)
v0 = torch.linspace(0, 300, 3, dtype=torch.uint8)
v0 = torch.ones(2); v1 = torch.addcdiv(v0, v0, v0, value=1e40)
v0 = torch.tensor(1.5, requires_grad=True); v1 = torch.tensor(1.5, dtype=torch.float64, requires_grad=True); v2 = v0.lerp(v0 * 2, v1)
v0 = torch.ones(2, dtype=torch.int64); v1 = torch.lerp(v0, v0, torch.tensor(0.5))
v0 = torch.ones(2, dtype=torch.int64); v1 = torch.lerp(v0, v0, v0)
v0 = torch.ones(3, requires_grad=True); v1 = v0.sum_to_size(size=(1,))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0 ** torch.tensor([True, True, False])
v0 = torch.tensor([[2.0, 1.0], [0.5, 3.0]], requires_grad=True); v1 = torch.linalg.cholesky(v0, upper=True)
v0 = torch.ones(2, 3).t(); v1 = F.gumbel_softmax(v0, hard=True); v2 = v1.stride()
v0 = torch.tensor([[-2.0, 0.75, -0.25, 0.5], [-1.0, -1.5, 0.5, 1.5]], dtype=torch.float64); v1 = v0.histc()
v0 = torch.ones(2, 2); v1 = torch.linalg.cond(v0 + torch.eye(2), 1)
v0 = torch.ones(3, requires_grad=True); v1 = v0 * 1; v1.scatter_(0, torch.tensor([2, 1, 1]), v0, reduce='add')
v0 = torch.cumsum(torch.ones(3), 0, dtype=torch.bool)
v0 = torch.zeros(2, dtype=torch.int64); v1 = torch.sum(torch.tensor([[1.5, 0.5], [1.5, 2.5]]), 0, out=v0)
v0 = torch.zeros(2, dtype=torch.float64); v1 = torch.sum(torch.ones(2, 2), 0, dtype=torch.float32, out=v0)
v0 = torch.zeros(2, dtype=torch.float64); v1 = torch.quantile(torch.ones(2, 2), 0.5, 0, out=v0)
v0 = torch.ones(2, 3).t().requires_grad_(); v1 = torch.rot90(v0, 2); v2 = v1.stride(); v3 = torch.rot90(v0, 0).stride()
v0 = torch.tensor(float('nan'), requires_grad=True); v1 = torch.softmax(v0, 0)
v0 = torch.log_softmax(torch.tensor(float('-inf')), 0)
v0 = torch.tensor([[1.0, 2.0], [3.0, 3.0]], requires_grad=True); v1 = torch.cdist(v0, torch.tensor([[0.0, 1.0]]), float('inf'))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([[1.5], [0.5]], requires_grad=True); v2 = torch.cumulative_trapezoid(v0, v1)
v0 = torch.ones(3, requires_grad=True); v1 = v0 * 1; v2 = torch.full((3,), 0.5, requires_grad=True); v1.bernoulli_(v2)
v0 = torch.ones(3); v2 = torch.full((), 0.5, requires_grad=True); v0.bernoulli_(v2)
v0 = torch.zeros(3, 0, requires_grad=True); v1 = v0 * 1; v2 = v1.fill_diagonal_(2, True)
v0 = torch.zeros(7, 2, requires_grad=True); v1 = v0 * 1; v2 = v1.fill_diagonal_(2, True)
v0 = torch.ones(3, requires_grad=True); v1 = v0 * 1; v2 = torch.ones(3); v1.put_(torch.tensor([2, 1, 0]), v2); v2.mul_(2)
v0 = torch.tensor([True, True]); v0 **= -1
v0 = torch.tensor([1, 2]); v0.subtract_(torch.ones(2, 2).long(), alpha=0.5)
v0 = torch.ones(3); v1 = torch.tensordot(v0, torch.tensor(1.5), ([0], [0]))
v0 = torch.slice_scatter(torch.ones(2, 3), torch.ones(2, 3), 2, step=0)
v0 = torch.lerp(torch.ones(2), torch.ones(2).short(), 2)
v0 = torch.polygamma(2, torch.tensor([float('inf'), float('-inf'), 0.0]))
v0 = torch.tensor([[9.0, 1.0], [2.0, 8.0]], requires_grad=True); v1 = torch.linalg.qr(v0); v2 = torch.prod(v1[1])
v0 = torch.ones(2, 3, requires_grad=True); v1 = v0 * 1; v2 = v1.movedim(0, 0); with torch.no_grad(): v7 = v1.unsqueeze_(1)
v0 = torch.softmax(torch.zeros(0).long(), 0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.log2(v0); v2 = torch.tensor([1.5], requires_grad=True); v3 = v1.pow(v2)
v0 = torch.zeros([0], requires_grad=True); v1 = torch.var_mean(v0)
v0 = torch.zeros([2, 0], requires_grad=True); v1 = torch.std_mean(v0, 1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0.bool(); v2 = torch.tensor([[True, True, True], [True, False, True]]); v3 = F.soft_margin_loss(v1, v2)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.add(v0, v1); v3 = torch.unsqueeze(v2, 0); v3.rsqrt_(); v3.rsqrt_()
v2 = torch.tensor([[[1.5, 0.5], [0.0, -1.0], [-0.75, -2.0]], [[-1.75, -2.0], [-1.5, 1.25], [0.75, 1.75]]], requires_grad=True); v5 = F.scaled_dot_product_attention(v2, v2, v2, enable_gqa=True)
v0 = torch.tensor([1.5, 0.5, 0.0]); v1 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = v0.copysign(v1); v2.neg_()
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = v0 * 1; v2 = torch.tensor([1.5, 0.5, 0.0]); v1.lerp_(v1, v2)
v0 = torch.zeros([0], dtype=torch.int64); v1 = torch.signbit(v0); v2 = v1.histogram()
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.logit(v0); v2 = F.hardswish(v1)
v0 = torch.tensor([[1.5, 0.5], [0.0, -1.0], [-0.75, -2.0]], requires_grad=True); v1 = torch.tensor([[1.5, 0.5], [0.0, -1.0]], requires_grad=True); v2 = torch.cdist(v0, v1); v3 = torch.log2(v2)
v0 = torch.ones(1, 2, 3, 2, requires_grad=True); v2 = torch.zeros([2, 0], requires_grad=True); v3 = F.scaled_dot_product_attention(v0, v0, v2)
v0 = torch.tensor([[True, True, True], [True, False, True]]); v1 = torch.tensor([True, True]); v2 = torch.tensor([True, True, True]); v3 = torch.addr(v0, v1, v2, alpha=0)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], requires_grad=True); v2 = F.multilabel_soft_margin_loss(v0, v1)
v0 = torch.tensor([[1.5], [0.5]], requires_grad=True); v1 = torch.asin(v0); v3 = torch.tensor([0.0], requires_grad=True); v4 = v1.mv(v3)
v0 = torch.tensor([[float("inf"), 1.0], [1.0, 1.0]]); v1 = torch.addmm(torch.ones(2, 2), v0, v0, alpha=0)
v0 = torch.tensor([-float("inf"), -0.0, 4.0], requires_grad=True); v1 = torch.pow(v0, torch.tensor([0.5]))
v0 = torch.ones(2, 3, 2, requires_grad=True); v1 = torch.ones(2, 0, 2); v2 = F.scaled_dot_product_attention(v0, v1, v1)
v0 = torch.zeros(2, 3, 0); v1 = F.scaled_dot_product_attention(v0, v0, torch.ones(2, 3, 2))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([0]); v2 = v0.pow(v1)
v0 = torch.tensor([[1.5, 0.0, 0.0], [-1.0, -0.75, 0.0]], requires_grad=True); v1 = torch.tensor([-1]); v2 = torch.pow(v0, v1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.ldexp(v0, torch.tensor([True, True, True]))
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64); v0.ldexp_(torch.tensor([True, True, True]))
v0 = torch.tensor([6, 2]); v1 = torch.ldexp(v0, torch.tensor([True, False]))
v0 = torch.tensor([1e-38, 1e38, 0.0, float('inf')], requires_grad=True); v1 = torch.ldexp(v0, torch.tensor([130, -140, 500, -500]))
v0 = torch.tensor([3.0, -5.0]).ldexp(torch.tensor([2**32 + 1, -(2**40)]))
v0 = torch.tensor([6, 2, 0]); v1 = torch.square(v0); v2 = F.multilabel_margin_loss(v1, v0)
v0 = torch.tensor([1.5, 0.5, 0.0]); v1 = torch.unbind(v0); v2 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v0.atan2_(v2); v3 = torch.argsort(v1[2])
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.linalg.tensorsolve(torch.tensor(2.5), v0)
v0 = torch.linalg.tensorsolve(torch.tensor(2.5), torch.ones(1))
v0 = torch.linalg.lstsq(torch.ones(2, 3), torch.tensor([6, 2, 0]))
v0 = torch.tensor([6, 2, 0]).expand(2, 3); v0.cauchy_()
v0 = torch.tensor([1.5, 0.5]).expand(2, 2); v0.exponential_(-1.0)
v0 = torch.tensor([True]).expand(2); v0.normal_()
v0 = torch.tensor([1.5]).expand(2); v0.uniform_(2, 1)
v0 = torch.tensor([1.5]).expand(2); v0.random_(3, 1)
v0 = torch.tensor([1.5]).expand(2); v0.bernoulli_(0.5)
v0 = torch.tensor([6, 2]).expand(2, 2); v0.geometric_(2.0)
v0 = torch.tensor([1.5]).expand(2); v0.log_normal_(); v1 = torch.rand(2)
v0 = torch.randint_like(torch.tensor([True]), high=3, requires_grad=True)
v0 = torch.randint(300, (2,), dtype=torch.uint8, requires_grad=True)
v0 = torch.randperm(3, dtype=torch.bool, requires_grad=True)
v0 = torch.tensor([True, False, True]); v0.ldexp_(torch.tensor([[True, True, True], [True, False, True]]))
v0 = torch.tensor([6, 2, 0]); v0.ldexp_(torch.tensor([6, 2, 0, 1]))
v0 = torch.ldexp(torch.tensor([1.5, 0.5, 0.0], requires_grad=True), torch.tensor([[6, 2, 0], [-4, -3, -8]]))
v0 = torch.ldexp(torch.ones(2, 3), torch.tensor([6, 2, 0])); v1 = torch.ldexp(torch.ones(0, 1), torch.tensor([6, 2]))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.as_strided(v0 * 1, (2,), (0,)); v2 = torch.as_strided(v1, (2,), (1,))
v0 = torch.tensor([1.5], requires_grad=True); v1 = torch.square(v0); v2 = v0.inner(torch.unflatten(v1, 0, (1, 1)))
v0 = torch.ones(1, 3, requires_grad=True); v1 = torch.tensordot(v0, torch.ones(3, requires_grad=True), dims=1)
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.remainder(v0, v1); v3 = torch.prod(v2)
v0 = torch.tensor([-float("inf"), 1.0]); v1 = torch.tensor([0.25, 0.5], requires_grad=True); v2 = F.binary_cross_entropy_with_logits(v0, v1, pos_weight=torch.tensor([0.75, 2.0]))
v0 = torch.tensor([[1.5, 0.5, 0.0], [-1.0, -0.75, -2.0]], requires_grad=True); v1 = F.rms_norm(torch.rot90(v0), (2,))
v0 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v1 = torch.tensor([1.5, 0.5, 0.0], requires_grad=True); v2 = torch.tensor([[[0.0, 0.0, 1.0], [2.0, -2.0, -1.5], [1.25, 2.0, -1.0]], [[-0.75, 1.5, -0.25], [-1.0, 1.5, -1.0], [-0.5, 0.5, 0.25]]], requires_grad=True); v3 = torch.bilinear(v0, v1, v2).frac().lgamma()
v0 = torch.var_mean(torch.tensor(1.5)); v1 = torch.var_mean(v0[0], (0,))
v0 = torch.tensor([1.5, 0.5, 0.0], dtype=torch.float64, requires_grad=True); v1 = torch.prod(v0, dtype=torch.float32)
v0 = torch.tensor([0.75, 0.5], requires_grad=True); v1 = torch.tensor([0.75, 0.5], requires_grad=True); v2 = F.binary_cross_entropy(v0, v1, torch.tensor([2.0, 3.0]), reduction="sum")
v0 = torch.tensor([1.5, 0.5], requires_grad=True); v1 = torch.tensor([0.75, 0.5], requires_grad=True); v2 = F.binary_cross_entropy_with_logits(v0, v1, pos_weight=torch.tensor(2.0))
v0 = torch.rand(2, 3, requires_grad=True); v1 = torch.cdist(v0, v0 + 1, compute_mode="use_mm_for_euclid_dist")
v0 = torch.rand(3, dtype=torch.float64, requires_grad=True); v1 = torch.rand(2, 3) * 1; v1.copy_(v0); v2 = v1 * v1 * v1
v0 = torch.tensor([[9.0, 0.0], [1.0, 2.0]], requires_grad=True); v1 = torch.prod(v0.t())
"""


@pytest.mark.parametrize("program", COUNTEREXAMPLES.strip().splitlines())
def test_what_once_differed_does_not_any_more(program: str) -> None:
    check("torch.manual_seed(0)\n" + program.replace("; ", "\n"))
