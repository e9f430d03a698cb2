"""`torch.func.functional_call` and `torch.utils._pytree` do on minigrad what they do on PyTorch."""

from __future__ import annotations

import collections
import importlib
from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.told import assert_same

pytestmark = pytest.mark.parity

Pair = collections.namedtuple("Pair", "a b")

CALLS = lines(
    """
call(layer, {'weight': two}, x)
call(layer, {'foo': two}, x), hasattr(layer, 'foo')
call(layer, {'weight': 3}, x)
call(layer, [{'weight': two}, {'bias': x[:1]}], (x,))
call(layer, [{'weight': two}, {'weight': two}], (x,))
call(layer, 3, x)
call(layer, [3], x)
call(layer, {'weight': two}, x, strict=True)
call(layer, {'weight': two, 'foo.bar': x}, x, strict=True)
call(layer, {'foo.bar': x}, x)
call(layer, {'in_features': x}, x)
call(layer, {'training': x}, x)
call(layer, {'': x}, x)
call(layer, {'weight': two}, None)
call(layer, {}, kwargs={'input': x})
nn.utils.stateless.functional_call(layer, {'weight': two}, x)
nn.utils.stateless._functional_call(layer, {'weight': two}, x, tie_weights=False)
call(nn.Sequential(layer), {'0.weight': two}, x)
call(nn.Sequential(layer), {'0.foo': two}, x)
call(nn.Sequential(layer), {'3.weight': two}, x)
call(tied, {'0.weight': two}, x)
call(tied, {'0.weight': two}, x, tie_weights=False)
call(tied, {'0.weight': two, '1.weight': x[None]}, x)
call(tied, {'0.weight': two, '1.weight': two}, x)
call(tied, {'0.weight': two, '1.weight': x[None]}, x, tie_weights=False)
(call(counting, counts, x), counts, counting.b)
torch.autograd.grad(call(layer, {'weight': stepped(layer, x)}, x).sum(), layer.weight)
"""
)
TREES = lines(
    """
tree.tree_map(lambda x: x + 1, Pair(1, [2]))
tree.tree_map(lambda x: x * 2, torch.ones(2).max(0))
tree.tree_map(lambda x: x * 2, collections.defaultdict(list, a=[1]))
tree.tree_map(lambda x: x * 2, collections.deque([1, 2]))
tree.tree_map(lambda x: x, collections.OrderedDict(b=1, a=2))
tree.tree_map(lambda a, b: a + b, [1, (2,)], [3, (4,)])
tree.tree_map(lambda a, b: a + b, [1, (2,)], [3, 4])
tree.tree_map(lambda a, b: a, [1, 2], [1])
tree.tree_map(lambda a, b: a, {'a': 1}, {'b': 1})
tree.tree_map(lambda a: len(a), [[1, 2], [3]], is_leaf=lambda a: a == [3] or a == [1, 2])
tree.tree_map_only(int, lambda x: -x, [1, 'a', (2., 3)])
[tree.tree_any(lambda x: x > 1, [1, [2]]), tree.tree_all(lambda x: x > 1, [1, [2]])]
tree.tree_unflatten(*tree.tree_flatten({'b': [1, (2, None)], 'a': 3, 'p': Pair(1, 2)}))
[tree.tree_leaves({'b': [1, (2, None)], 'a': 3}), tree.tree_leaves(torch.Size([1, 2]))]
tree.tree_structure([1, (2, {'a': 3})]).num_leaves
"""
)


@pytest.mark.parametrize("expression", CALLS)
def test_modules_are_called_with_other_tensors(expression: str) -> None:
    def program(torch: Any) -> Any:
        nn = torch.nn

        class Counting(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.register_buffer("b", torch.zeros(2))

            def forward(self, x: Any) -> Any:
                self.b = self.b + 1
                return x + self.b

        def stepped(layer: Any, x: Any) -> Any:
            loss = (layer(x) ** 2).sum()
            return layer.weight - torch.autograd.grad(loss, layer.weight, create_graph=True)[0]

        torch.manual_seed(0)
        names: dict[str, Any] = {"torch": torch, "nn": nn, "call": torch.func.functional_call}
        names |= {"layer": nn.Linear(2, 1), "x": torch.ones(2), "two": torch.full((1, 2), 2.0)}
        tied = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
        tied[1].weight = tied[0].weight
        names |= {"tied": tied, "counting": Counting(), "counts": {"b": torch.ones(2)}}
        return eval(expression, names | {"stepped": stepped})

    assert_same(program)


@pytest.mark.parametrize("expression", TREES)
def test_trees_are_walked(expression: str) -> None:
    def program(torch: Any) -> Any:
        tree = importlib.import_module(f"{torch.__name__}.utils._pytree")
        known = {"torch": torch, "tree": tree, "Pair": Pair, "collections": collections}
        return str(eval(expression, known))

    assert_same(program)
