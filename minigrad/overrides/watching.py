"""Public calls are seen while there is somebody to ask, and run as they are when there is nobody.

When the first mode is entered, in any thread, or the first type that answers is met, the code of
every public function, method and property is exchanged for such as asks. Once the last mode is left
and there is no such type any more, each puts its own code back when it is next called: so entering
and leaving a mode costs as much as there were functions called in between. The functions themselves
stay: whoever has bound one before is asked as well. Within a call nobody is asked: what the library
does inside is no public call.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import weakref
from typing import Any

from minigrad import functions
from minigrad.autograd import differentiate
from minigrad.ops.check import check_receiver
from minigrad.ops.einsum import from_sublists
from minigrad.ops.first_call import SignatureOf
from minigrad.ops.promotion import MADE_OF_ANYTHING, OPERANDS
from minigrad.ops.registry import Operation
from minigrad.ops.signatures import chosen, signatures_of
from minigrad.overrides.asking import (
    PLAIN,
    DisableTorchFunctionSubclass,
    answer_in_python,
    answer_of,
    answering,
    answering_types,
    answers,
    given,
    modes,
    refuse_type,
)
from minigrad.overrides.exchange import Exchanged, Exchanges
from minigrad.overrides.names import (
    BINARY,
    HANDED_ON,
    NAMESPACES,
    PASSED_ON,
    SHOWN_AS,
    in_python,
    path_in_cpp,
    public_attributes,
    public_functions,
)
from minigrad.tensor import Tensor

# By which names signatures are known.
SIGNED_AS = {"torch.Tensor": "Tensor.{}", "torch.linalg": "linalg_{}"}
WITHOUT_ARGUMENTS = {
    f"torch.Tensor.__{name}__" for name in ("bool", "float", "index", "int", "invert")
}


def watch() -> None:
    """Let public calls be seen, until `leave` is called as often."""
    import_namespaces()  # whoever imports one may wait for the lock
    watching.begin()


@functools.cache
def import_namespaces() -> None:
    """Import all that has public functions."""
    for module in NAMESPACES:
        importlib.import_module(module.rpartition(".")[0] or module)  # its package first
        importlib.import_module(module)


def leave() -> None:
    """Undo what `watch` did."""
    watching.end()


def watch_type(kind: type) -> None:
    """Let a type answer public calls from now on, as long as it exists."""
    if kind not in answering_types:
        answering_types.add(kind)
        watch()
        weakref.finalize(kind, leave).atexit = False


def answer_of_types(function: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the answer to a call whose arguments' types have one, though none was met before."""
    for one in given(args, kwargs):
        if answers(one):
            refuse_type(function, one)  # else it would be watched for ever
            watch_type(type(one))
    function = getattr(function, "twin_of", function)
    one = watched_functions().get(function)
    if one is not None:
        return one.called(args, kwargs)
    with DisableTorchFunctionSubclass():  # it is not public, and refuses them
        return function(*args, **kwargs)


def known_as(kind: type) -> type:
    """Return what a type is known as where it must not be kept alive: all tensors are the same."""
    return Tensor if issubclass(kind, Tensor) else kind


class Watched(Exchanged):
    """An accessor of a property, whose code is exchanged while somebody is to be asked.

    Its tensor is asked, whatever is assigned. `path` is PyTorch's name of it, and `shown` what
    those who are asked get.
    """

    def __init__(self, function: Operation, path: str, shown: Any) -> None:
        super().__init__(function, watching)
        self.path, self.shown = path, shown
        if not hasattr(function, "__wrapped__"):  # for help and `inspect`
            self.own.__annotations__ = function.__annotations__
            function.__wrapped__ = self.own  # type: ignore[attr-defined]
            function.__signature__ = SignatureOf(self.own)  # type: ignore[attr-defined]

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the answer to a call, or what the function returns if nobody is to be asked."""
        relevant = answering(self.function, args[:1], {}, False)
        if not relevant and not modes.to_ask():
            return self.own(*args, **kwargs)
        return self.answer(relevant, args, kwargs)

    def answer(self, relevant: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the answer of a mode, or of types."""
        return answer_of(self.shown, list(args[:1]), args, None, self.path)


class WatchedFunction(Watched):
    """A function, or a method."""

    def __init__(self, function: Operation, path: str, shown: Any) -> None:
        super().__init__(function, path, shown)
        owner, _, name = path.rpartition(".")
        self.by_types = owner != "torch" or name not in MADE_OF_ANYTHING
        self.in_python = in_python(path)
        self.takes_lists = not self.in_python or owner in ("torch.functional", "")
        self.receivers = int(owner == "torch.Tensor")
        self.signature_name = SIGNED_AS.get(owner, "{}").format(name)
        self.fitting: set[tuple[Any, ...]] = set()

    def called(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        relevant = answering(self.function, args, kwargs, self.takes_lists) if self.by_types else []
        if not relevant and not modes.to_ask():
            return self.own(*args, **kwargs)
        return self.answer(relevant, args, kwargs)

    def answer(self, relevant: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.in_python:
            try:
                args, kwargs = self.handed_on(args, kwargs)
            except TypeError:
                with DisableTorchFunctionSubclass():
                    return self.own(*args, **kwargs)  # which says what is wrong
            name = self.path.replace("torch.Tensor.", "torch._tensor.")
            name = name or f"torch.autograd.{self.function.__name__}"
            asked = self.to_ask(args, kwargs)
            return answer_in_python(self.shown, name, asked, args, kwargs)
        self.check(args, kwargs)
        if not relevant and self.takes_nothing:
            relevant = list(args)
        return answer_of(self.shown, relevant, args, kwargs or None, path_in_cpp(self.path))

    def to_ask(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the arguments of which PyTorch's Python asks those that answer calls."""
        return given(args, kwargs, self.takes_lists)

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse, before anybody is asked, what PyTorch refuses; what fitted once is let pass."""
        if self.receivers:
            name = self.path.rpartition(".")[2]
            if not args:
                raise TypeError(f"unbound method TensorBase.{name}() needs an argument")
            check_receiver(name, args[0])
        kinds = tuple([known_as(type(one)) for one in (*args, *kwargs.values())])
        fitted = (*kinds, *kwargs)
        if fitted in self.fitting:
            return
        modes.checking = True
        try:
            chosen(self.signature_name, args[self.receivers :], kwargs)
        finally:
            modes.checking = False
        if PLAIN.issuperset(kinds):
            self.fitting.add(fitted)

    @functools.cached_property
    def takes_nothing(self) -> bool:
        """Whether this is a method without arguments: PyTorch names its tensor's type then."""
        if self.path in WITHOUT_ARGUMENTS:
            return True
        signatures = signatures_of(self.signature_name) if self.receivers else []
        return bool(signatures) and not any(one.parameters for one in signatures)

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """What the function takes, and what PyTorch's Python hands on besides."""
        known = dict(inspect.signature(self.function).parameters)
        for name in HANDED_ON.get(self.path, ()):
            by_name = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            known.setdefault(name, by_name)
        return inspect.Signature(list(known.values()))

    def handed_on(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a call as PyTorch's Python hands them on."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        all_by_name = self.path.startswith("torch.nn.init.")
        told = HANDED_ON.get(self.path, ())
        by_name = {
            name: bound.arguments.pop(name)
            for name, one in bound.signature.parameters.items()
            if all_by_name or name in told or one.default is not one.empty
        }
        if told:
            by_name = {name: by_name[name] for name in told}
        return bound.args, by_name


class WatchedMethod(WatchedFunction):
    """A method whose tensor is asked, whatever else is given: of those that Python has."""

    called = Watched.called

    def to_ask(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        return [*args[:1]]


class WatchedBackward(WatchedFunction):
    """`torch.autograd.backward`, which hands on tuples."""

    def handed_on(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        (tensors,), kwargs = super().handed_on(args, kwargs)
        former = kwargs.pop("grad_variables")
        if former is not None:
            kwargs["grad_tensors"] = differentiate.renamed(kwargs["grad_tensors"], former)
        if kwargs["inputs"] is not None:
            kwargs["inputs"] = differentiate.targets_of(kwargs["inputs"], "backward()")
        return (differentiate.as_tuple(tensors),), kwargs

    def to_ask(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        return [*args[0], *(kwargs["inputs"] or ())]


class WatchedGrad(WatchedFunction):
    """`torch.autograd.grad`, which does so too; for inputs in a dict it returns one."""

    def answer(self, relevant: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        inputs = kwargs["inputs"] if "inputs" in kwargs else (*args, None, None)[1]
        result = super().answer(relevant, args, kwargs)
        return dict(zip(inputs, result, strict=True)) if type(inputs) is dict else result

    def handed_on(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        (outputs, inputs), kwargs = super().handed_on(args, kwargs)
        if kwargs["allow_unused"] is None:
            kwargs["allow_unused"] = kwargs["materialize_grads"]
        return (differentiate.as_tuple(outputs), differentiate.targets_of(inputs, "grad()")), kwargs

    def to_ask(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        return [*args[0], *args[1]]


class WatchedEinsum(WatchedFunction):
    """`torch.einsum`, which hands on an equation and operands one by one."""

    def handed_on(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args, kwargs = super().handed_on(args, kwargs)
        if len(args) > 1 and isinstance(args[0], Tensor):
            args = tuple(from_sublists(args))
        listed = len(args) == 2 and isinstance(args[1], (tuple, list))
        if listed and not modes.to_ask():
            args = (args[0], *args[1])
        return args, kwargs


class WatchedOperator(WatchedFunction):
    """An operator of two operands: what it does not know is left to the other one."""

    def answer(self, relevant: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        known = relevant or all(isinstance(one, OPERANDS) for one in args)
        if not known and not self.in_python:
            return self.own(*args, **kwargs)
        try:
            return super().answer(relevant, args, kwargs)
        except TypeError:  # as in PyTorch, whatever was raised
            return NotImplemented

    def handed_on(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return args, kwargs


class WatchedEquality(WatchedFunction):
    """``==``: modes and its own tensor's type are asked of that, others of `eq`."""

    def answer(self, relevant: list[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        asked = bool(modes.to_ask()) or answering(self.function, args[:1], {}, False)
        eq = watched_functions()[public_attributes()["eq"]]
        answer = super().answer if asked else eq.answer
        try:
            return answer(relevant, args, kwargs)
        except TypeError:
            return NotImplemented


@functools.cache
def watched() -> list[Exchanged]:
    """Return all that is public."""
    own_kinds = {
        differentiate.backward: WatchedBackward,
        differentiate.grad: WatchedGrad,
        functions.einsum: WatchedEinsum,
    }
    found: list[Exchanged] = [
        own_kinds.get(function, WatchedFunction)(function, path, function)
        for _, function, path in public_functions()
        if path not in PASSED_ON
    ]
    attributes = public_attributes()
    for name, one in attributes.items():
        path = f"torch.Tensor.{name}"
        if isinstance(one, property):
            accessors = {"__get__": one.fget, "__set__": one.fset, "__delete__": one.fdel}
            found += [
                Watched(function, f"{path}.{accessor}", getattr(one, accessor))
                for accessor, function in accessors.items()
                if function is not None
            ]
        else:
            shown = SHOWN_AS.get(name, name)
            by_receiver = in_python(path) or f"Tensor.{name}" in MADE_OF_ANYTHING
            kind = WatchedMethod if by_receiver else WatchedFunction
            kind = WatchedOperator if name in BINARY else kind
            kind = WatchedEquality if name == "__eq__" else kind
            found.append(kind(one, f"torch.Tensor.{shown}", attributes[shown]))
    return found


@functools.cache
def watched_functions() -> dict[Operation, Any]:
    """Return the same by the functions whose code is exchanged."""
    return {one.function: one for one in watched()}


watching = Exchanges(watched)  # for modes that are entered, in any thread, and types that answer
