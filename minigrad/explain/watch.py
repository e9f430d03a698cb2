"""What checkup sees of a block: its calls, its backward passes, and its optimizers' steps."""

import math
import re
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from types import CodeType, FrameType, MethodType
from typing import Any, NamedTuple

import numpy as np

from minigrad.explain.history import function_name
from minigrad.explain.source import Place, place_of, users_frames
from minigrad.explain.trail import RawCall, Trail, current
from minigrad.viz.read.engines import Engine, loaded_engines, tensor_packages
from minigrad.viz.read.names import names_in_frame
from minigrad.viz.read.protocol import is_tensor, keeps_grad, version_of
from minigrad.viz.record.reasons import reads_no_numbers
from minigrad.viz.record.watching import Watching

_MOST_PASSES = 50
_MOST_EVENTS = 1_000
_PASSES_TO_LOOK_AROUND = 3
_LARGE = 10_000  # elements that are compared
CLEARING = r"\.zero_grad\(|\.grad *= *None|\.grad\.zero_\("  # a line that clears gradients
REGRESSION = {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"}
LOSSES = REGRESSION | {"cross_entropy", "nll_loss", "binary_cross_entropy_with_logits"}
DIFFERENCES = {"sub", "__sub__", "__rsub__", "rsub"}
EQUAL = {"eq", "__eq__"}
FETCHES = {"__getitem__", "stack", "index_select", "narrow"}
# Where the slope of an activation is next to 0, by its result.
_FLAT: dict[str, Callable[[Any], Any]] = {
    "relu": lambda result: result <= 0,
    "tanh": lambda result: abs(result) > 0.9995,
    "sigmoid": lambda result: abs(result - 0.5) > 0.49975,
}
_STEEP = {"sqrt", "norm", "std", "pow", "__pow__"}  # their slopes may be infinite where they give 0
_NOISY = re.compile("Dropout|BatchNorm")
_NOTED = LOSSES | DIFFERENCES | EQUAL | FETCHES | set(_FLAT)


class Event(NamedTuple):
    """A call that findings ask about.

    shapes: those of the tensors that it was given, and of its result. weights: the ids of the
    parameters among them. data: the id of a tensor without a gradient that met them, and a number
    for its elements. layer: the last matrix that a call was given before. size: the largest element
    of what met them. flat: where an activation's slope is 0, as a share. noisy: whether a module of
    these parameters has dropout or batch norm in training mode, and nothing is recorded.
    """

    raw: RawCall
    name: str
    shapes: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    data: tuple[int, int] | None
    layer: int
    size: float
    flat: float
    noisy: bool


class Strange(NamedTuple):
    """The first call that gave NaN, or inf, or 0 where the slope is infinite.

    number: of such elements. given: the id, smallest and largest element of what it was given.
    """

    raw: RawCall
    name: str
    number: int
    given: tuple[tuple[int, float, float], ...]


@dataclass
class Pass:
    """A backward pass, and the calls since the one before.

    before, after: the largest element of .grad of each parameter. moved: the parameters that have
    changed since the pass before. evaluating: the modules that were in evaluation mode.
    """

    number: int
    raw: Any = None  # of the backward pass, once it has ended
    value: float = math.nan
    root: Any = None  # a weak reference
    of_a_leaf: bool = False
    events: "deque[Event]" = field(default_factory=lambda: deque(maxlen=_MOST_EVENTS))
    strange: dict[str, Strange] = field(default_factory=dict)
    before: dict[int, float | None] = field(default_factory=dict)
    after: dict[int, float | None] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    evaluating: list[Any] = field(default_factory=list)

    @property
    def is_finite(self) -> bool:
        """Whether the loss and all gradients are."""
        return math.isfinite(self.value) and all(
            math.isfinite(one) for one in self.after.values() if one is not None
        )


class Step(NamedTuple):
    """A step of an optimizer, by its id. empty: whether all gradients were None or 0."""

    optimizer: int
    place: Place
    empty: bool


class Watch(Watching):
    """It looks on while a block runs. It holds tensors by weak references alone.

    params: the parameters by their ids; those of ``listed`` were given one by one. names: what the
    program calls them. lost: for each name of a leaf that a computed tensor has taken, the ids of
    both, and a call that came later. broken: the first pass that isn't finite.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trail = current() or Trail()
        self.modules: list[Any] = []
        self.optimizers: list[Any] = []
        self.params: dict[int, weakref.ref[Any]] = {}
        self.names: dict[int, str] = {}
        self.passes: deque[Pass] = deque(maxlen=_MOST_PASSES)
        self.steps: deque[Step] = deque(maxlen=10 * _MOST_PASSES)
        self.lost: dict[str, tuple[int, int, RawCall]] = {}
        self.broken: Pass | None = None
        self.now = Pass(1)
        self.stepping = False  # whether an optimizer makes a step
        self._engines: list[Engine] = []
        self._prints: dict[int, tuple[int, int | None]] = {}
        self._leaves: dict[tuple[CodeType, str], int] = {}
        self._noisy: dict[int, list[Any]] = {}  # dropout and batch norm beside each parameter
        self._wrapped: list[tuple[Any, Any, Any]] = []
        self._layer = 0
        self.listed: set[int] = set()
        self._given = False

    def begin(self, models: list[Any], optimizers: list[Any], frame: FrameType) -> None:
        """Watch modules, tensors and optimizers, and what the code that is running has of them."""
        self._add(filter(is_tensor, models))
        self.listed = set(self.params)
        for model in models:
            if not is_tensor(model):
                self._add_module(model)
        self._given = bool(self.params)
        for optimizer in optimizers:
            self._add_optimizer(optimizer)
        self.look_around(frame)

    def _enter(self, stack: ExitStack) -> None:
        self._engines = list(loaded_engines())
        if current() is not self.trail:
            stack.enter_context(self.trail)
        super()._enter(stack)

    def _mode(self, engine: Engine) -> Any:
        watch = self

        class Look(engine.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
            def __torch_function__(
                self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
            ) -> Any:
                __tracebackhide__ = True  # IPython shows the user's lines alone
                if watch.stepping or getattr(func, "__name__", "") in ("__get__", "__set__"):
                    return func(*args, **kwargs) if kwargs else func(*args)
                backward = getattr(func, "__name__", "") == "backward"
                if backward:
                    with suppress(Exception), engine.unseen():
                        watch._begin_pass(args[0], sys._getframe(1))
                result = func(*args, **kwargs) if kwargs else func(*args)
                with suppress(Exception), engine.unseen():
                    newest = watch.trail.calls[-1]
                    if newest[0] is func and backward:
                        watch._end_pass(newest)
                    elif newest[0] is func:
                        watch._note(newest, (*args, *(kwargs or {}).values()), result)
                return result

        return Look()

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """What is read in the block is no part of the program."""
        with ExitStack() as stack:
            for engine in self._engines:
                stack.enter_context(engine.unseen())
            yield

    # What is watched

    def alive(self) -> Iterator[tuple[int, Any]]:
        """The parameters that are alive, with their ids."""
        for number, reference in list(self.params.items()):
            tensor = reference()
            if tensor is not None:
                yield number, tensor

    def _add(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            if id(tensor) not in self.params:
                self.params[id(tensor)] = weakref.ref(tensor)
                self._prints[id(tensor)] = _print(tensor)

    def _add_module(self, module: Any) -> None:
        if any(module is one for one in self.modules):
            return
        self.modules.append(module)
        self._add(module.parameters())
        noisy = [one for one in module.modules() if _NOISY.search(type(one).__name__)]
        noisy = [one for one in noisy if getattr(one, "p", 1)]
        self._noisy |= {id(parameter): noisy for parameter in module.parameters()}

    def _add_optimizer(self, optimizer: Any) -> None:
        if any(optimizer is one for one in self.optimizers):
            return
        self.optimizers.append(optimizer)
        self._add(parameters_of(optimizer))
        before = vars(optimizer).get("step")
        optimizer.step = _watched_step(optimizer, weakref.ref(self))
        self._wrapped.append((optimizer, optimizer.step, before))

    def forget(self) -> None:
        """Give back the optimizers as they were, and let go of all that was watched."""
        for optimizer, watched, before in self._wrapped:
            if vars(optimizer).get("step") is watched:  # nothing has wrapped it again
                del optimizer.step
                if before is not None:
                    optimizer.step = before
        for kept in (self._wrapped, self.optimizers, self.modules, self._noisy, self.passes):
            kept.clear()

    def look_around(self, frame: FrameType | None) -> None:
        """Find optimizers, and what has a name, in the user's code that is running."""
        optimizers, modules = classes("optim", "Optimizer"), classes("nn", "Module")
        for running in users_frames(frame):
            code, everywhere = running.f_code, running.f_globals
            used = {name: everywhere[name] for name in code.co_names if name in everywhere}
            used |= running.f_locals
            used |= getattr(used.get("self"), "__dict__", {})
            for name, thing in used.items():
                if isinstance(thing, optimizers):
                    moved = {id(one) for one in parameters_of(thing)}
                    if not self._given or moved & self.params.keys():
                        self._add_optimizer(thing)
                elif isinstance(thing, modules) and not self._given:
                    self._add_module(thing)
                elif is_tensor(thing) and thing.requires_grad:
                    self._look_at(code, name, thing)
            listed = [item for item in used.items() if type(item[1]) is list]
            for name, number, module in (
                (a, n, m) for a, b in listed for n, m in enumerate(b[:100])
            ):
                for inner, one in module.named_parameters() if isinstance(module, modules) else ():
                    self.names.setdefault(id(one), f"{name}[{number}].{inner}")
            for name, tensor in names_in_frame(running):
                if id(tensor) in self.params:
                    self.names.setdefault(id(tensor), name)

    def _look_at(self, code: CodeType, name: str, tensor: Any) -> None:
        if tensor.is_leaf:
            self._leaves[code, name] = id(tensor)
            if not self._given:
                self._add([tensor])
        else:
            leaf = self._leaves.get((code, name))
            if leaf in self.params:
                self.lost.setdefault(name, (leaf, id(tensor), self.trail.calls[-1]))

    # What happens

    def _begin_pass(self, root: Any, frame: FrameType) -> None:
        if self.now.number <= _PASSES_TO_LOOK_AROUND:
            self.look_around(frame)
        self.now.moved = self.moved()
        self.now.before = self._sizes()
        root = root[0] if isinstance(root, list | tuple) else root
        self.now.root, self.now.of_a_leaf = weakref.ref(root), root.is_leaf
        self.now.value = float(root.detach().sum())
        self.now.evaluating = [one for one in self.modules if self._is_quiet(one)]

    def _end_pass(self, raw: RawCall) -> None:
        self.now.raw, self.now.after = raw, self._sizes()
        self.passes.append(self.now)
        if self.broken is None and not self.now.is_finite:
            self.broken = self.now
        self.now = Pass(self.now.number + 1)

    def _note(self, raw: RawCall, given: tuple[Any, ...], result: Any) -> None:
        name = function_name(raw[0])
        value = result[0] if isinstance(result, list | tuple) else result
        if reads_no_numbers(name) or not is_tensor(value):
            return
        tensors, array = [one for one in given if is_tensor(one)], _array(value)
        if array.dtype.kind == "f":
            self._note_strange(raw, name, array, tensors)
        weights = [one for one in tensors if id(one) in self.params]
        if tensors and id(tensors[0]) in self.params and name.endswith("_"):  # an update
            return
        self._layer = next((id(one) for one in weights if len(one.shape) > 1), self._layer)
        if not weights and name not in _NOTED:
            return
        inputs = [one for one in tensors[:2] if id(one) not in self.params] if weights else []
        data = [one for one in inputs if not one.requires_grad]
        arrays = [one for one in map(_array, inputs) if one.dtype.kind == "f" and one.size]
        noisy = [one for each in weights for one in self._noisy.get(id(each), ())]
        event = Event(
            raw,
            name,
            tuple(tuple(one.shape) for one in (*tensors, value)),
            tuple(map(id, weights)),
            (id(data[0]), _print(data[0])[0]) if data else None,
            self._layer,
            float(abs(arrays[0]).max()) if arrays else 1.0,
            float(_FLAT[name](array).mean()) if name in _FLAT and array.size else 0.0,
            not raw[5] and any(one.training for one in noisy),
        )
        self.now.events.append(event)

    def _note_strange(self, raw: RawCall, name: str, array: Any, tensors: list[Any]) -> None:
        kinds = {} if np.isfinite(array).all() else {"nan": np.isnan(array), "inf": np.isinf(array)}
        if name in _STEEP:
            kinds["steep"] = array == 0
        for kind, found in kinds.items():
            if kind not in self.now.strange and found.any():
                arrays = [(id(one), _array(one)) for one in tensors]
                ends = (
                    (one, float(has.min()), float(has.max())) for one, has in arrays if has.size
                )
                self.now.strange[kind] = Strange(raw, name, int(found.sum()), tuple(ends))

    def moved(self) -> set[int]:
        """The parameters that have changed since this was asked last."""
        prints = {number: _print(tensor) for number, tensor in self.alive()}
        found = {number for number, one in prints.items() if self._prints.get(number) != one}
        self._prints = prints
        return found

    def _sizes(self) -> dict[int, float | None]:
        return {number: _size(tensor) for number, tensor in self.alive()}

    def _is_quiet(self, module: Any) -> bool:
        """Whether a module that learns as a whole evaluates."""
        parameters = list(module.parameters())
        noisy = [one for each in parameters[:1] for one in self._noisy.get(id(each), ())]
        quiet = noisy and not module.training and not any(one.training for one in noisy)
        return bool(quiet) and all(one.requires_grad for one in parameters)


def _watched_step(optimizer: Any, watch: "weakref.ref[Watch]") -> Any:
    """The method ``step`` of an optimizer, of whose calls a note is made."""
    step = optimizer.step

    @wraps(step)
    def watched(own: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        looking = watch()
        if looking is None or args or kwargs:  # a closure computes the gradients itself
            return step(*args, **kwargs)
        with suppress(Exception), looking.unseen():
            running = next(users_frames(sys._getframe(1)))
            place = place_of(running.f_code, running.f_lasti)
            looking.steps.append(Step(id(own), place, not any(map(_size, parameters_of(own)))))
        looking.stepping = True
        try:
            return step()
        finally:
            looking.stepping = False

    return MethodType(watched, optimizer)


def parameters_of(optimizer: Any) -> list[Any]:
    """The tensors that an optimizer moves."""
    return [one for group in optimizer.param_groups for one in group["params"]]


def classes(module: str, name: str) -> tuple[Any, ...]:
    """The classes that the imported engines have under this name."""
    places = [getattr(package, module, None) for package in tensor_packages()]
    found = [getattr(place, name, None) for place in places]
    return tuple(one for one in found if one is not None)


def _array(tensor: Any) -> Any:
    return np.asarray(tensor.detach().cpu())


def _size(tensor: Any) -> float | None:
    """The largest element of a gradient; None if there is none."""
    grad = tensor.grad if keeps_grad(tensor) else None
    if grad is None:
        return None
    array = _array(grad)
    return float(abs(array).max()) if array.size else 0.0


def _print(tensor: Any) -> tuple[int, int | None]:
    """A number for the elements; of a large tensor, for some of them, and its version."""
    flat = _array(tensor).reshape(-1)
    version = version_of(tensor) if flat.size > _LARGE else None
    return hash(flat[:: max(1, flat.size // _LARGE)].tobytes()), version
