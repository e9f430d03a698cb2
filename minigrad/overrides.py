"""Who answers public calls instead: modes in their ``with`` blocks, and types of arguments.

A mode sees every call, and may replace its result; a subclass of Tensor, or any type that has
``__torch_function__``, those that it is an argument of. Nothing looks for either while there is
none. When the first mode is entered, in any thread, or the first such type is met, the public
functions and what Tensor has are exchanged for such as ask them; when the last mode is left, and
there is no such type, everything is put back. Within a call nobody is asked: what the library does
inside is no public call.
Source: https://docs.pytorch.org/docs/stable/torch.overrides.html
"""

from __future__ import annotations

import functools
import importlib
import inspect
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minigrad.c_code import disabled_torch_function
from minigrad.ops.promotion import MADE_OF_ANYTHING, OPERANDS
from minigrad.outside import warn
from minigrad.tensor import Tensor

# Where public functions are; PyTorch has no names for those that are not told.
NAMESPACES = {
    "minigrad": "torch",
    "minigrad.nn.functional": "torch.nn.functional",
    "minigrad.linalg": "torch.linalg",
    "minigrad.autograd": "",
}
DIFFERENTIATING = {"backward", "grad"}
# Functions that work on no tensor, and helpers.
UNSEEN = {
    "are_deterministic_algorithms_enabled", "get_default_device", "get_float32_matmul_precision",
    "get_num_threads", "is_deterministic_algorithms_warn_only_enabled", "is_storage",
    "set_default_device", "set_float32_matmul_precision", "set_num_threads",
    "use_deterministic_algorithms",
    "broadcast_shapes", "fork_rng", "from_numpy", "get_default_dtype", "get_rng_state",
    "initial_seed", "is_grad_enabled", "is_tensor", "manual_seed", "seed", "set_default_dtype",
    "set_printoptions", "set_rng_state",
    "kernel", "refusing", "warn", "missing", "implicit_dim", "chosen_reduction", "like_sized",
    "padding_row",
}  # fmt: skip
# As which method PyTorch shows an operator.
SHOWN_AS = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_",
    "__sub__": "sub", "__isub__": "sub_",
    "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul_",
    "__truediv__": "div", "__itruediv__": "div_", "__ifloordiv__": "floor_divide_",
    "__mod__": "remainder", "__imod__": "remainder_", "__matmul__": "matmul",
    "__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor",
    "__ne__": "ne", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge",
    "__neg__": "neg", "__pos__": "positive", "__abs__": "abs",
}  # fmt: skip
CLASS_METHOD = (
    "Defining your mode's `__torch_function__` as a classmethod is not supported, please make it a "
    "plain method"
)
# What PyTorch has in Python: it hands on by name what may be left out, and counts plain tensors
# among the types. Of nn.functional that is all but what is in C++.
IN_FUNCTIONAL = {
    "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod",
    "cdist", "chain_matmul", "einsum", "meshgrid", "norm", "split", "tensordot", "unique",
    "unique_consecutive",
}  # fmt: skip
IN_TENSOR = {
    "__array__", "__contains__", "__deepcopy__", "__floordiv__", "__format__", "__ipow__",
    "__len__", "__pow__", "__repr__", "__reversed__", "__rfloordiv__", "__rlshift__",
    "__rmatmul__", "__rmod__", "__rpow__", "__rrshift__", "__rsub__", "__rtruediv__", "backward",
    "norm", "register_hook", "register_post_accumulate_grad_hook", "split", "unflatten", "unique",
    "unique_consecutive",
}  # fmt: skip
IN_CPP = {
    "celu_", "cosine_similarity", "elu_", "gelu", "hardshrink", "hardtanh_", "leaky_relu_",
    "linear", "logsigmoid", "one_hot", "pairwise_distance", "prelu", "relu_", "selu_", "sigmoid",
    "softplus", "softshrink", "tanh", "threshold_",
}  # fmt: skip
# Operators of two operands: if nobody answers, Python says that it does not know them together.
BINARY = {
    *(SHOWN_AS.keys() - {"__neg__", "__pos__", "__abs__"}), "__pow__", "__rpow__", "__ipow__",
    "__rsub__", "__rtruediv__", "__floordiv__", "__rfloordiv__", "__rmod__", "__and__", "__or__",
    "__xor__", "__rlshift__", "__rrshift__", "__rmatmul__", "__eq__",
}  # fmt: skip
# The names of operators that differ from those of their methods.
NAMED = {"__ipow__": "pow_", "__pow__": "pow", "__rtruediv__": "__rdiv__"}
# What else of Tensor is public though its name begins with an underscore.
PUBLIC = {
    *SHOWN_AS, "__pow__", "__rpow__", "__ipow__", "__rsub__", "__rtruediv__", "__floordiv__",
    "__rfloordiv__", "__rmod__", "__and__", "__or__", "__xor__", "__iand__", "__ior__", "__ixor__",
    "__lshift__", "__rshift__", "__rlshift__", "__rrshift__", "__rmatmul__", "__invert__",
    "__eq__", "__getitem__", "__setitem__", "__len__", "__reversed__", "__contains__", "__bool__",
    "__float__", "__int__", "__index__", "__repr__", "__format__", "__array__", "__deepcopy__",
    "_version", "_is_view",
}  # fmt: skip


class _Modes(threading.local):
    """The modes that a thread is in, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[TorchFunctionMode] = []
        self.types_answer = True


_modes = _Modes()
_lock = threading.RLock()  # types may be collected at any time
_entered = 0  # modes, by all threads, and types that answer
_types: weakref.WeakSet[type] = weakref.WeakSet()
MISSING = object()


class TorchFunctionMode:
    """Sees every public call in its ``with`` block: ``__torch_function__`` is called in its stead.

    `func` is what was called: ``torch.add``, ``torch.Tensor.add`` for a method or an operator,
    ``torch.Tensor.grad.__get__`` for a property. What ``__torch_function__`` returns is the result;
    it may call ``func(*args, **kwargs)``, for which the next mode further out is asked.

    >>> import minigrad as torch
    >>> class Names(torch.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(torch.overrides.resolve_name(func))
    ...         return func(*args, **(kwargs or {}))
    >>> x = torch.ones(2)
    >>> with Names():
    ...     y = torch.exp(x * 2).shape
    torch.Tensor.mul
    torch.exp
    torch.Tensor.shape.__get__
    """

    __module__ = "torch.overrides"

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        raise NotImplementedError

    def __enter__(self) -> TorchFunctionMode:
        _watch()
        _modes.stack.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        _modes.stack.pop()
        _leave()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> TorchFunctionMode:
        """Return a new mode; entering it is left to the caller, as in PyTorch."""
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that only calls what was called."""

    __module__ = "torch.overrides"

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        return func(*args, **(kwargs or {}))


class DisableTorchFunctionSubclass:
    """No type answers what this thread calls in the ``with`` block."""

    def __enter__(self) -> None:
        self.before, _modes.types_answer = _modes.types_answer, False

    def __exit__(self, *exception: object) -> None:
        _modes.types_answer = self.before


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """No mode of this thread sees what is called in the ``with`` block, and no type answers it."""

    def __enter__(self) -> None:
        super().__enter__()
        self.stack, _modes.stack = _modes.stack, []

    def __exit__(self, *exception: object) -> None:
        _modes.stack = self.stack
        super().__exit__()


def _watch() -> None:
    """Let public calls be seen, until `_leave` is called as often."""
    global _entered
    with _lock:
        _entered += 1
        if _entered == 1:
            _exchange()


def _leave() -> None:
    global _entered
    with _lock:
        _entered -= 1
        if not _entered:
            _put_back()


def watch_type(kind: type) -> None:
    """Let a type answer public calls from now on, as long as it exists."""
    if kind not in _types:
        _types.add(kind)
        _watch()
        weakref.finalize(kind, _leave).atexit = False


def _answers(kind: type) -> bool:
    """Return whether objects of a type answer calls: plain tensors do not, nor parameters."""
    answer = getattr(kind, "__torch_function__", None)
    return answer not in (None, disabled_torch_function) and kind is not Tensor


def _answering(args: Iterable[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Return one argument, also of those in lists, of each type that answers a call."""
    if not _types or not _modes.types_answer:
        return []
    return _overloaded([one for one in _given(args, kwargs) if _answers(type(one))])


def _given(args: Iterable[Any], kwargs: dict[str, Any]) -> list[Any]:
    """Return all arguments, and what is in lists among them."""
    given = [*args, *kwargs.values()]
    return given + [one for many in given if isinstance(many, (list, tuple)) for one in many]


def _asked(
    func: Any,
    overloaded: list[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    quoted: str = "`__torch_function__`",
    category: type[Warning] = UserWarning,
) -> Any:
    """Return the answer to a call of the innermost mode, which is off meanwhile, or of the types.

    It is NotImplemented if nobody has one. PyTorch's Python and its C++ warn otherwise of plain
    methods.
    """
    kinds, stack = tuple(map(type, overloaded)), _modes.stack
    if stack:
        mode = stack.pop()
        try:
            if isinstance(getattr(mode.__torch_function__, "__self__", None), type):
                raise RuntimeError(CLASS_METHOD)
            result = mode.__torch_function__(func, kinds, args, kwargs)
        finally:
            stack.append(mode)
        if result is not NotImplemented:
            return result
    for one in overloaded:
        if not _answers(type(one)):  # plain tensors have no answer for others
            continue
        answer = one.__torch_function__
        if getattr(answer, "__self__", None) is one:
            warn(PLAIN_METHOD.format(quoted), category)
        result = answer(func, kinds, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def _ask(
    func: Any,
    overloaded: list[Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    path: str,
) -> Any:
    """Return the answer to a call, or raise TypeError if nobody has one."""
    result = _asked(func, overloaded, args, kwargs)
    if result is not NotImplemented:
        return result
    if path.startswith("torch.nn.functional."):
        raise _no_answer(path, overloaded)
    asked = [f"  - mode object {_modes.stack[-1]!r}\n"] if _modes.stack else []
    asked += [f"  - tensor subclass {type(one)!r}\n" for one in overloaded]
    raise TypeError(
        f"Multiple dispatch failed for '{path}'; all __torch_function__ handlers returned "
        f"NotImplemented:\n\n{''.join(asked)}\nFor more information, try re-running "
        "with TORCH_LOGS=not_implemented"
    )


def _no_answer(name: str, overloaded: list[Any]) -> TypeError:
    """Return the error for a function in Python that nobody has an answer to."""
    text = f"no implementation found for '{name}' on types that implement __torch_function__: "
    mode = _get_current_function_mode()
    kinds = [type(one) for one in overloaded]
    return TypeError(f"{text}{kinds}" + ("" if mode is None else f" nor in mode {mode}"))


class _Seen:
    """A function or method that modes see; equal to what it stands for."""

    def __init__(self, function: Callable[..., Any], name: str, path: str) -> None:
        functools.update_wrapper(self, function)
        self.__name__ = name
        self.function = function
        self.path = path
        owner, _, last = path.rpartition(".")
        self.in_python = (
            owner in ("", "torch.functional")
            or (owner == "torch.nn.functional" and last not in IN_CPP)
            or (owner == "torch.Tensor" and last in IN_TENSOR)
        )
        self.by_types = owner != "torch" or last not in MADE_OF_ANYTHING
        self.is_operator = owner == "torch.Tensor" and last in BINARY
        self.shown: _Seen = self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        overloaded = _answering(args, kwargs) if self.by_types else []
        if not _modes.stack and not overloaded:
            return self.function(*args, **kwargs)
        # What an operator does not know is left to the other operand.
        known = overloaded or all(isinstance(one, OPERANDS) for one in args)
        if self.shown is not self and not known:
            return self.function(*args, **kwargs)
        by_name: Any = kwargs or None
        if self.in_python:
            try:
                args, by_name = self.handed_on(args, kwargs)
            except TypeError:
                return self.function(*args, **kwargs)  # which says what is wrong
            overloaded = _overloaded(_given(args, by_name))
        try:
            return _ask(self.shown, overloaded, args, by_name, self.shown.path)
        except TypeError:
            if self.is_operator:  # as in PyTorch, whatever was raised
                return NotImplemented
            raise

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """What the function takes."""
        return inspect.signature(self.function)

    def handed_on(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a call as PyTorch's Python hands them on."""
        if self.__name__ in SHOWN_AS or self.path.endswith("__"):
            return args, kwargs
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        by_name = {
            name: bound.arguments[name]
            for name, one in bound.signature.parameters.items()
            if one.default is not one.empty
        }
        for name in by_name:
            del bound.arguments[name]
        return bound.args, by_name

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        return self if tensor is None else types.MethodType(self, tensor)

    def __eq__(self, other: object) -> bool:
        return self.function is (other.function if isinstance(other, _Seen) else other)

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return repr(self.function)

    def __reduce__(self) -> str:
        return self.function.__qualname__  # which is how copy and pickle know functions


# What errors call it: whoever is in no mode is to notice nothing.
_Seen.__module__, _Seen.__name__, _Seen.__qualname__ = "builtins", "function", "function"


class _SeenProperty:
    """A property of Tensor that modes see."""

    def __init__(self, wrapped: property, name: str) -> None:
        self.wrapped = wrapped
        self.path = f"torch.Tensor.{name}"

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        if tensor is None:
            return self.wrapped
        return self.ask("__get__", tensor)

    def __set__(self, tensor: Any, value: Any) -> None:
        self.ask("__set__", tensor, value)

    def __delete__(self, tensor: Any) -> None:
        self.ask("__delete__", tensor)

    def ask(self, action: str, *args: Any) -> Any:
        func = getattr(self.wrapped, action)
        if not _modes.stack and not _answering(args[:1], {}):
            return func(*args)
        return _ask(func, list(args[:1]), args, None, f"{self.path}.{action}")


KINDS = (property, _Seen, _SeenProperty)


def _public_functions() -> Iterator[tuple[types.ModuleType, str, Any, str]]:
    """Yield all public functions: module, name, function, and PyTorch's path, or nothing."""
    for module_name, path in NAMESPACES.items():
        module = importlib.import_module(module_name)
        for name, function in list(vars(module).items()):
            seen = name in DIFFERENTIATING if not path else name not in UNSEEN
            is_function = isinstance(function, _Seen) or inspect.isfunction(function)
            if seen and is_function and not name.startswith("_"):
                in_functional = path == "torch" and name in IN_FUNCTIONAL
                owner = "torch.functional" if in_functional else path
                yield module, name, function, f"{owner}.{name}" if path else ""


def _public_attributes() -> Iterator[tuple[str, Any]]:
    """Yield all methods and properties of Tensor that are seen."""
    for name in dir(Tensor):
        attribute = inspect.getattr_static(Tensor, name)
        public = name in PUBLIC or (not name.startswith("_") and name != "as_subclass")
        if public and (isinstance(attribute, KINDS) or inspect.isfunction(attribute)):
            yield name, attribute


def _exchange() -> None:
    """Put what asks the modes in the place of all public functions, methods and properties.

    What the user has exchanged himself stays.
    """
    for owner, name, before, seen in _seen():
        if vars(owner).get(name, MISSING) is before:
            setattr(owner, name, seen)


@functools.cache
def _seen() -> list[tuple[Any, str, Any, Any]]:
    """Return where all that is public is: whose, its name, it itself or MISSING, what asks modes.

    MISSING is what Tensor inherits.
    """
    found: list[tuple[Any, str, Any, Any]] = []
    for module, name, function, path in _public_functions():
        shown = f"linalg_{name}" if path.startswith("torch.linalg.") else name
        found.append((module, name, function, _Seen(function, shown, path)))
    methods: dict[str, _Seen] = {}
    for name, attribute in _public_attributes():
        seen: Any = _SeenProperty(attribute, name)
        if not isinstance(attribute, property):
            seen = methods[name] = _Seen(attribute, NAMED.get(name, name), f"torch.Tensor.{name}")
        found.append((Tensor, name, vars(Tensor).get(name, MISSING), seen))
    for name, seen in methods.items():
        seen.shown = methods.get(SHOWN_AS.get(name, name), seen)
    return found


def _put_back() -> None:
    """Undo what `_exchange` did, where nobody has exchanged more."""
    for owner, name, before, seen in _seen():
        if vars(owner).get(name) is not seen:
            continue
        if before is MISSING:
            delattr(owner, name)
        else:
            setattr(owner, name, before)


def resolve_name(f: Any) -> str | None:
    """Return the name of what a mode was called with, such as ``"torch.Tensor.add"``."""
    if isinstance(f, _Seen):
        return f.path or None
    for _, _, function, path in _public_functions():
        if f is function and path:
            return path
    for name, attribute in _public_attributes():
        wrapped = getattr(attribute, "wrapped", attribute)
        if isinstance(wrapped, property):
            if getattr(f, "__self__", None) is wrapped:
                return f"torch.Tensor.{name}.{f.__name__}"
        elif f is wrapped:
            return f"torch.Tensor.{name}"
    return None


def types_answer() -> bool:
    """Return whether types answer what this thread calls."""
    return _modes.types_answer


def answer_of_types(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the answer to a call whose arguments' types have one, though none was met before.

    `name` is "sum", "Tensor.sum", "linalg_norm" or "nn.functional.dropout".
    """
    for one in _given(args, kwargs):
        if _answers(type(one)):
            watch_type(type(one))
    owner, _, last = name.replace("linalg_", "linalg.").rpartition(".")
    places = [f"minigrad.{owner}"] if owner else ["minigrad", "minigrad.nn.functional"]
    holders = [Tensor] if owner == "Tensor" else map(importlib.import_module, places)
    return next(vars(one)[last] for one in holders if last in vars(one))(*args, **kwargs)


def get_overridable_functions() -> dict[Any, list[Callable[..., Any]]]:
    """Return all that modes and classes see, by where it is: modules and Tensor."""
    found: dict[Any, list[Callable[..., Any]]] = {}
    for module, _, function, _ in _public_functions():
        found.setdefault(module, []).append(function)
    for _, attribute in _public_attributes():
        function = attribute.__get__ if isinstance(attribute, property) else attribute
        found.setdefault(Tensor, []).append(function)
    return found


def is_tensor_like(inp: Any) -> bool:
    """Return whether something is a tensor, or behaves as one by having ``__torch_function__``."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Return whether what a mode was called with is a method or property of Tensor."""
    path = resolve_name(func) or ""
    return func.__name__ == "__get__" or path.rpartition(".")[0] == "torch.Tensor"


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Return whether a function of one's own has to ask somebody else, as below.

    That is so if a mode is on, or an argument is no plain tensor and has ``__torch_function__``.

    >>> import minigrad as torch
    >>> class Duck:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return f"{func.__name__} of a duck"
    >>> def quack(one):
    ...     if torch.overrides.has_torch_function((one,)):
    ...         return torch.overrides.handle_torch_function(quack, (one,), one)
    ...     return one * 2
    >>> quack(Duck())
    'quack of a duck'
    >>> quack(torch.ones(1))
    tensor([2.])
    """
    asked = _modes.types_answer and any(_answers(type(one)) for one in relevant_args)
    return bool(_modes.stack) or asked


def has_torch_function_unary(inp: Any) -> bool:
    """Return what `has_torch_function` does, of one argument."""
    return has_torch_function((inp,))


def has_torch_function_variadic(*args: Any) -> bool:
    """Return what `has_torch_function` does, of arguments one by one."""
    return has_torch_function(args)


def wrap_torch_function(
    dispatcher: Callable[..., Iterable[Any]],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a function of one's own ask those of its arguments that `dispatcher` returns.

    >>> import minigrad as torch
    >>> class Duck:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return f"{func.__name__} of a duck"
    >>> @torch.overrides.wrap_torch_function(lambda one: (one,))
    ... def quack(one):
    ...     return one * 2
    >>> quack(Duck()), quack(3)
    ('quack of a duck', 6)
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def asking(*args: Any, **kwargs: Any) -> Any:
            relevant_args = tuple(dispatcher(*args, **kwargs))
            if has_torch_function(relevant_args):
                return handle_torch_function(asking, relevant_args, *args, **kwargs)
            return function(*args, **kwargs)

        return asking

    return decorate


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Return what a subclass by default answers with plain tensors: the getter of gradients."""
    gradient = vars(Tensor)["grad"]
    return {getattr(gradient, "wrapped", gradient).__get__}


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Return what the mode, or else the arguments' own ``__torch_function__``, make of a call.

    Raises:
        TypeError: if nobody knows an answer: all return NotImplemented.

    Source: https://docs.pytorch.org/docs/stable/torch.overrides.html
    """
    overloaded = _overloaded(relevant_args)
    plain = "`__torch_function__", DeprecationWarning
    result = _asked(public_api, overloaded, args, kwargs, *plain)
    if result is NotImplemented:
        raise _no_answer(f"{public_api.__module__}.{public_api.__name__}", overloaded)
    return result


PLAIN_METHOD = (
    "Defining your {} as a plain method is deprecated and will be an error in "
    "future, please define it as a classmethod."
)


def _overloaded(relevant_args: Iterable[Any]) -> list[Any]:
    """Return one tensor, or the like, of each type, subclasses before their bases."""
    found: list[Any] = []
    for one in relevant_args:
        kind = type(one)
        disabled = getattr(kind, "__torch_function__", None) is disabled_torch_function
        if is_tensor_like(one) and not disabled and kind not in map(type, found):
            later = [place for place, other in enumerate(found) if issubclass(kind, type(other))]
            found.insert(min(later, default=len(found)), one)
    return found


def _get_current_function_mode_stack() -> list[TorchFunctionMode]:
    return list(_modes.stack)


def _get_current_function_mode() -> TorchFunctionMode | None:
    return _modes.stack[-1] if _modes.stack else None


def subclass_answers(cls: type, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Return what a subclass answers by default: results, except gradients, are of that class."""
    if not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    with DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
    return result if func in get_default_nowrap_functions() else _converted(result, cls)


def _converted(result: Any, cls: type) -> Any:
    """Return tensors, also in lists, as such of a class."""
    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return result.as_subclass(cls)
    if isinstance(result, (list, tuple)):
        return type(result)(_converted(one, cls) for one in result)
    return result
