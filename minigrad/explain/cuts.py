"""Where a graph ends: which line cut it, freed it, or never asked for it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from minigrad.explain.case import Case, Scene, is_parameter
from minigrad.explain.history import Call
from minigrad.explain.source import Place
from minigrad.viz.read.protocol import TensorLike
from minigrad.viz.record.reasons import reads_no_numbers

COMPARISONS = {
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "isclose",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
}
COMPARISONS |= {"__gt__", "__ge__", "less", "greater", "not_equal", "logical_not"}
COUNTS = {"argmax", "argmin", "argsort", "long", "int", "bool", "short", "bucketize", "nonzero"}
NUMBERS = {"item", "__float__", "__int__", "tolist", "numpy", "__array__"}
COPIES = {"tensor", "as_tensor", "new_tensor", "from_numpy", "asarray", "FloatTensor", "Tensor"}
DETACHING = {"detach", "detach_", "data"}
NAMED = COMPARISONS | COUNTS | NUMBERS | COPIES | DETACHING | {"grad"}
_READ = {
    "shape",
    "size",
    "dim",
    "ndim",
    "numel",
    "__len__",
    "device",
    "dtype",
    "is_leaf",
    "grad_fn",
}
_READ |= {
    "requires_grad",
    "requires_grad_",
    "is_floating_point",
    "names",
    "retain_grad",
    "backward",
}
_WEIGHT = re.compile(r"[wWbamck]\w?|(theta|param|coef|bias|weight|slope|intercept).*")


class Cut(NamedTuple):
    """The call that ended a graph, and the id of the tensor that it took out of there."""

    call: Call
    source: int


class Freed(NamedTuple):
    """The backward pass that freed a part of another one's graph.

    shared: the last call that both graphs have. crossing: the first call after it that went on with
    a part of the old graph, ``carried``.
    """

    place: Place
    shared: Call
    crossing: Call | None
    carried: int


def find_cut(
    scene: Scene, tensor: int, wanted: TensorLike | None = None, before: int | None = None
) -> Cut | None:
    """The last place where the graph of a tensor was cut, on the way from ``wanted`` if given.

    tensor: its id at the time of the call with the index ``before``.
    """
    derived = None if wanted is None else scene.history.derived(id(wanted))
    for call in _calls_before(scene, tensor, before):
        if call.requires_grad or call.name in _READ or reads_no_numbers(call.name):
            continue
        for source in call.arguments:
            wanted_one = derived is None or source in derived.get(call.index, ())
            if wanted_one and _required_grad(scene, source, call.index):
                return Cut(call, source)
    return None


def _calls_before(scene: Scene, tensor: int, before: int | None) -> Iterator[Call]:
    """What a tensor came from, the latest first; then what left for numpy, if it came from it."""
    found = scene.history.ancestors(tensor, before)
    yield from found.values()
    made = [call.index for call in found.values() if call.name in COPIES]
    made += [call.index for call in found.values() if _takes_an_array(scene, call)]
    if made:
        earlier = reversed(scene.history.calls[: max(made)])
        yield from (call for call in earlier if call.name in NUMBERS or call.name == "detach")


def _takes_an_array(scene: Scene, call: Call) -> bool:
    """Whether a call was given a tensor that was made unseen, as PyTorch's from_numpy makes it."""
    unseen = [one for one in call.arguments if scene.history.birth(one, call.index) is None]
    named = [scene.variables[scene.alive[one]] for one in unseen if one in scene.alive]
    left = any(one.name in ("numpy", "__array__") for one in scene.history.calls[: call.index])
    return left and not all(map(is_parameter, named))


def _required_grad(scene: Scene, tensor: int, before: int) -> bool:
    if _is_leaf(scene, tensor, before):
        return scene.variables[scene.alive[tensor]].requires_grad
    return bool(scene.history.required_grad(tensor, before))


def _is_leaf(scene: Scene, tensor: int, before: int) -> bool:
    """Whether an id was that of a leaf that has a name: its flag may have been set unseen."""
    history = scene.history
    same = tensor in scene.alive and history.birth(tensor, before) is history.birth(tensor)
    return same and scene.variables[scene.alive[tensor]].is_leaf


def find_freeing(case: Case) -> Freed | None:
    """The first backward pass through what the failed one needs; None if none was recorded."""
    if case.root is None:
        return None
    needed = _recorded(case, id(case.root), None)
    for backward in case.history.backward_passes():
        kept = re.search(r"(retain|create)_graph\s*=\s*True", backward.place.text)
        if kept or not backward.arguments:
            continue
        freed = _recorded(case, backward.arguments[0], backward.index)
        shared = [index for index in needed if index in freed]
        if shared:
            last = case.history.calls[max(shared)]
            return Freed(backward.place, last, *_crossing(case, needed, freed, backward.index))
    return None


def _recorded(scene: Scene, tensor: int, before: int | None) -> dict[int, Call]:
    """The calls in the graph of a tensor: not those that made or changed leaves."""
    found = scene.history.ancestors(tensor, before)
    return {
        index: call
        for index, call in found.items()
        if call.requires_grad
        and any(_required_grad(scene, one, index) for one in call.arguments)
        and not (call.writes and _is_leaf(scene, call.arguments[0], index))
    }


def _crossing(
    case: Case, needed: dict[int, Call], freed: dict[int, Call], time: int
) -> tuple[Call | None, int]:
    for index in sorted(one for one in needed if one > time):
        for given in needed[index].arguments:
            birth = case.history.birth(given, index)
            if birth is not None and birth.index in freed:
                return needed[index], given
    return None, 0


def without_grad(scene: Scene, tensor: TensorLike | None) -> list[tuple[str, Place]]:
    """The named tensors that ``tensor`` was computed from, weights first, with their lines.

    What a single statement computes, such as ``torch.randn(3) * 0.1``, is made there.
    """
    found: dict[str, Place] = {}
    for call in reversed(list(scene.history.ancestors(id(tensor)).values())):
        births = [scene.history.birth(one, call.index) for one in call.arguments]
        elsewhere = any(one and one.place.statement is not call.place.statement for one in births)
        if elsewhere or call.writes or call.is_property or not call.results:
            continue
        held = [scene.alive[one] for one in call.results if one in scene.alive]
        alive = held and scene.history.birth(call.results[0]) is call
        name = call.place.target or (held[0] if alive else "")
        if name and id(tensor) not in call.results:
            found.setdefault(name, call.place)
    return sorted(found.items(), key=lambda item: not _is_weight(item[0]))


def _is_weight(name: str) -> bool:
    """Whether a tensor is called as weights are: ``w``, ``self.bias``, ``params['W1']``."""
    return _WEIGHT.fullmatch(re.findall(r"\w+", name)[-1]) is not None
