"""What PyTorch says of a call that fits no signature of a function.

Calls are looked at here once they failed, or if an argument is not of a type that surely fits. The
signatures are kept as PyTorch writes them: in `signatures.txt`, which
`tools/record_signatures.py` writes.
Source: https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/python_arg_parser.cpp
"""

from __future__ import annotations

import functools
import itertools
import numbers
import operator
import os
import re
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from minigrad import dtypes
from minigrad.c_code import type_name
from minigrad.device import device
from minigrad.layout import layout, memory_format
from minigrad.ops.promotion import is_foreign
from minigrad.size import Size
from minigrad.storage import is_storage
from minigrad.tensor import Tensor

FILE = os.path.join(os.path.dirname(__file__), "signatures.txt")
# Compiled when they are first needed.
LINE = r"(?P<name>[\w.]+)\((?P<parameters>.*)\)(?P<hidden>\|deprecated)?"
PARAMETER = r"(?P<kind>[\w:<>*]+)(\[(?P<size>\d*)\])?(?P<none>\??) (?P<name>\w+)(=(?P<default>.*))?"
# Parameters that have another name as well.
OTHER_NAMES = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"),
               "other": ("x2",)}  # fmt: skip
# Functions of two tensors that take numbers for them as well.
NUMBERS_TOO = {
    "add", "div", "divide", "mul", "multiply", "sub", "subtract", "true_divide", "floor_divide",
    "copy", "to",
}  # fmt: skip

# Of all other numbers it takes a moment to tell; numpy's become Python's then.
INTEGERS: frozenset[type] = frozenset({int, np.int64, np.int32})
NUMBERS: frozenset[type] = frozenset({int, float, bool})
PYTHON = (float, int, bool, complex)  # what stands for a dtype as well


def is_int(value: Any) -> bool:
    """Return whether a value is taken for an integer: no bool is, but a tensor of no dimensions."""
    if isinstance(value, Tensor):
        return value._array.ndim == 0 and value._array.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_index(value: Any) -> bool:
    """Return whether a value is taken for a length: all that Python counts with, but no bool.

    What answers calls itself is, too.
    """
    if isinstance(value, (bool, np.bool_)):
        return False
    if is_foreign(value):
        return True
    try:
        operator.index(value)
    except (TypeError, ValueError):
        return False
    return True


def is_number(value: Any) -> bool:
    """Return whether a value is taken for a number: a tensor of no dimensions is."""
    if isinstance(value, Tensor):
        return value._array.ndim == 0 and not value._requires_grad
    return isinstance(value, (numbers.Number, np.generic))


def is_float(value: Any) -> bool:
    """Return whether a value is taken for a floating point number: none that is complex is."""
    return is_number(value) and not isinstance(value, (complex, np.complexfloating))


def items(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return what tells whether a value holds such items; of several it looks at the first."""
    return lambda value: isinstance(value, (tuple, list)) and all(map(fits, value[:1]))


def is_tensor(value: Any) -> bool:
    """Return whether a value is a tensor, or its type answers in the place of one."""
    return isinstance(value, Tensor) or is_foreign(value)


class Kind(NamedTuple):
    """What a parameter takes: the name for it in errors, and what tells whether a value fits.

    `plain` are types that surely fit; where there are none, the function itself notices what does
    not.
    """

    name: str
    fits: Callable[[Any], bool]
    plain: frozenset[type] = frozenset()


KINDS = {
    "Tensor": Kind("Tensor", is_tensor, frozenset({Tensor})),
    "Scalar": Kind("Number", is_number, NUMBERS),
    "int64_t": Kind("int", is_int, INTEGERS),
    "SymInt": Kind("int", is_index, INTEGERS),
    "double": Kind("float", is_float, NUMBERS),
    "bool": Kind("bool", lambda value: isinstance(value, bool), frozenset({bool})),
    "TensorList": Kind("tuple of Tensors", lambda value: isinstance(value, (tuple, list))),
    "ScalarList": Kind("tuple of Scalars", items(is_number)),
    "IntArrayRef": Kind("tuple of ints", items(is_index), frozenset({tuple, list, Size})),
    "ArrayRef<double>": Kind("tuple of floats", items(is_float)),
    "string_view": Kind("str", lambda value: isinstance(value, str), frozenset({str})),
    "ScalarType": Kind(
        "torch.dtype",
        lambda value: isinstance(value, dtypes.dtype) or any(value is one for one in PYTHON),
        frozenset({dtypes.dtype}),
    ),
    "Layout": Kind("torch.layout", lambda value: isinstance(value, layout)),
    "MemoryFormat": Kind("torch.memory_format", lambda value: isinstance(value, memory_format)),
    "Device": Kind(
        "torch.device",
        lambda value: isinstance(value, (str, int, device)) and not isinstance(value, bool),
        frozenset({str, device}),
    ),
    "Generator": Kind("torch.Generator", lambda value: hasattr(type(value), "manual_seed")),
    "Storage": Kind("torch.Storage", is_storage),
    "PyObject*": Kind("object", lambda value: True),
}


class Parameter(NamedTuple):
    """One parameter of a signature.

    `single` says that one integer does for a tuple of them, `none` that None is no value.
    """

    kind: Kind
    name: str
    single: bool
    none: bool
    default: str | None
    by_name: bool

    @property
    def names(self) -> tuple[str, ...]:
        """By which names it is given."""
        return (self.name, *OTHER_NAMES.get(self.name, ()))

    def plain(self, function: str) -> frozenset[type]:
        """Return of which types a value surely fits."""
        more = INTEGERS if self.single else frozenset()
        more |= NUMBERS if self.takes_numbers(function) else frozenset()
        return self.kind.plain and self.kind.plain | more | ({type(None)} if self.none else set())

    def takes(self, value: Any, function: str) -> bool:
        """Return whether a value is of the kind that the parameter takes, or answers itself."""
        if self.kind.fits(value) or (self.single and is_index(value)):
            return True
        return (self.takes_numbers(function) and is_number(value)) or is_foreign(value)

    def takes_numbers(self, function: str) -> bool:
        """Return whether it is for a tensor, and numbers do as well."""
        numbers_too = self.kind.name == "Tensor" and function.rstrip("_") in NUMBERS_TOO
        return numbers_too and self.name in ("input", "other", "tensor")

    def made(self, value: Any, function: str) -> Any:
        """Return a value that fits as functions want it: numbers as Python's, types as dtypes.

        Raises:
            NotImplementedError: for complex numbers.
        """
        name = self.kind.name
        if value is None or isinstance(value, (tuple, list)):
            return value
        if name in ("int", "tuple of ints"):
            return operator.index(value)
        if name == "torch.dtype":
            return dtypes.of_python(value)
        numbers = name in ("Number", "float")
        if isinstance(value, Tensor):
            return value.item() if numbers else value
        return dtypes.python_number(value) if numbers or self.takes_numbers(function) else value

    def wrong_item(self, place: int, values: Any) -> str:
        """Return why not all of several values fit; empty if they do. The first one does."""
        if not isinstance(values, (tuple, list)) or any(map(is_foreign, values)):
            return ""
        if self.kind.name == "tuple of ints":
            for number, one in enumerate(values, 1):
                if not (is_index(one) or isinstance(one, bool)):
                    return (
                        f"argument '{self.name}' failed to unpack the object at pos {number} with "
                        f'error "type must be {self.kind.name},but got {type_name(one)}"'
                    )
        if self.kind.name == "tuple of Tensors":
            for number, one in enumerate(values):
                if not isinstance(one, (Tensor, np.ndarray)):  # arrays come from assignments here
                    return (
                        f"expected Tensor as element {number} in argument {place}, but got "
                        f"{type_name(one)}"
                    )
        return ""

    def __str__(self) -> str:
        default = "" if self.default is None else f" = {self.default}"
        return f"{self.kind.name} {self.name}{default}"


class Signature:
    """One way to call a function. Hidden ones are deprecated, and no error names them.

    Attributes:
        needed: how many arguments cannot be left out.
        places: how many arguments can be given by position.
        parts: the parameters as errors write them, with the asterisk: one empty part if none.
    """

    def __init__(self, function: str, parameters: tuple[Parameter, ...], hidden: bool) -> None:
        self.function, self.parameters, self.hidden = function, parameters, hidden
        self.needed = sum(one.default is None for one in parameters)
        self.places = sum(not one.by_name for one in parameters)
        self.parts = [str(one) for one in parameters]
        if self.places < len(parameters):
            self.parts.insert(self.places, "*")
        elif not parameters:
            self.parts = [""]
        self.in_c = not parameters or self.parts == ["object only"]
        # One list of integers may be given one by one.
        self.in_line = self.places == 1 and parameters[0].kind.name == "tuple of ints"

    def __str__(self) -> str:
        return f"({', '.join(self.parts)})"

    def refusal(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> str:
        """Return why arguments do not fit; empty if they do."""
        if self.in_c:
            return self.refusal_of_c(arguments, keywords)
        in_line = self.in_line
        if len(arguments) > self.places and not in_line:
            return self.too_many(len(arguments))
        unused, items = dict(keywords), ""
        for place, one in enumerate(self.parameters):
            named = one.by_name or place >= len(arguments)
            known = [key for key in one.names if key in unused] if unused else []
            if named and not known:
                if one.default is None:
                    return self.missing(place)
                continue
            value = unused.pop(known[0]) if named else arguments[place]
            if value is None and one.none:
                continue
            if in_line and not (named or one.takes(value, "")) and one.kind.fits(arguments):
                value = arguments
            elif in_line and not named and len(arguments) > 1:
                # sic: beside what answers itself nobody counts, unless options follow
                if len(self.parameters) > self.places or not is_foreign(value):
                    return self.too_many(len(arguments))
            elif not one.takes(value, self.function):
                return self.wrong(one, value, "" if named else f" (position {place + 1})")
            items = items or one.wrong_item(place, value)
        if unused:
            return self.unexpected(len(arguments), keywords)
        return items if items.startswith("expected") or not items else f"{self.function}(): {items}"

    def given(
        self, arguments: Sequence[Any], keywords: dict[str, Any]
    ) -> Iterator[tuple[Parameter, int, int | str, Any]]:
        """Yield what was given in a call that fits: for which parameter, its place, where, what."""
        for place, one in enumerate(self.parameters):
            if place < len(arguments):
                one_by_one = self.in_line and len(arguments) > 1
                value = arguments if one_by_one else arguments[place]
                yield one, place, place, one.made(value, self.function)
            for key in one.names:
                if key in keywords:
                    yield one, place, key, one.made(keywords[key], self.function)

    def wrong(self, one: Parameter, value: Any, where: str) -> str:
        """Return the error for an argument of another kind."""
        text = f"{self.function}(): argument '{one.name}'{where} must be {one.kind.name}"
        if one.kind.name == "tuple of ints" and isinstance(value, (tuple, list)):
            return f"{text}, but found element of type {type_name(value[0])} at pos 0"
        return f"{text}, not {type_name(value)}"

    def refusal_of_c(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> str:
        """Return the error of a method that takes nothing but its tensor, or one argument."""
        name, given = f"TensorBase.{self.function}()", len(arguments)
        if keywords:
            return f"{name} takes no keyword arguments"
        if given == len(self.parameters):
            return ""
        taken = "exactly one argument" if self.parameters else "no arguments"
        return f"{name} takes {taken} ({given} given)"

    def too_many(self, given: int) -> str:
        """Return the error for more arguments than there are places."""
        most, least = self.places, self.needed
        taken = f"{most}" if least == most else f"from {least} to {most}"
        plural = "" if least == most == 1 else "s"
        told = "was" if given == 1 and least == most else "were"
        return (
            f"{self.function}() takes {taken} positional argument{plural} but {given} {told} given"
        )

    def unexpected(self, given: int, keywords: dict[str, Any]) -> str:
        """Return the error for the first keyword of no use, to which numpy's names belong here."""
        places = {one.name: place for place, one in enumerate(self.parameters)}
        key = next(key for key in keywords if places.get(key, -1) < given)
        text = "multiple values for argument" if key in places else "an unexpected keyword argument"
        return f"{self.function}() got {text} '{key}'"

    def missing(self, first: int) -> str:
        """Return the error for arguments that were left out, from a parameter on."""
        missed = [f'"{one.name}"' for one in self.parameters[first:] if one.default is None]
        plural = "s" if len(missed) == 1 else ""  # sic
        return (
            f"{self.function}() missing {len(missed)} required positional argument{plural}: "
            f"{', '.join(missed)}"
        )

    def mismatch(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> str:
        """Return why as many arguments as there are parts do not fit; empty for others."""
        if len(arguments) + len(keywords) != len(self.parts):
            return ""
        unknown = self.unknown(arguments, keywords)
        if unknown:
            return f"some of the keywords were incorrect: {', '.join(unknown)}"
        return f"some of the arguments have invalid types: {self.marked(arguments, keywords)}"

    def unknown(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> list[str]:
        """Return the keywords that are none of the parameters that are left.

        PyTorch takes the last word of a part for the name: one with a default has none.
        """
        names = [part.rpartition(" ")[2] for part in self.parts]
        return [key for key in reversed(keywords) if key not in names[len(arguments) :]]

    def marked(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> str:
        """Return the types of arguments; those that do not fit stand between exclamation marks."""
        told = []
        for place, part in enumerate(self.parts):
            kind, _, name = part.rpartition(" ")
            by_name = place >= len(arguments)
            value = keywords[name] if by_name else arguments[place]
            mark = "" if type_name(value) == kind else "!"
            told.append(f"{mark}{f'{name}=' * by_name}{described(value)}{mark}")
        return f"({', '.join(told)}{', ' * (not arguments and bool(keywords))})"


def described(value: Any) -> str:
    """Return the type of a value, with those of its items."""
    kind = type_name(value)
    if not isinstance(value, (tuple, list)):
        return kind
    inner = ", ".join([type_name(one) for one in value])
    return f"{kind} of [{inner}]" if isinstance(value, list) else f"{kind} of ({inner})"


def combination(
    signatures: Sequence[Signature], arguments: Sequence[Any], keywords: dict[str, Any]
) -> str:
    """Return the error for arguments that fit none of several signatures."""
    kinds = [type_name(one) for one in arguments]
    # PyTorch gathers keywords in a hash table, which gives them the other way round.
    kinds += [f"{key}={type_name(keywords[key])}" for key in reversed(keywords)]
    got = f"({', '.join(kinds)}{', ' * (not arguments and bool(keywords))})"
    text = f"{signatures[0].function}() received an invalid combination of arguments - got"
    if len(signatures) == 1:
        (one,) = signatures
        unknown = one.unknown(arguments, keywords)
        if unknown:
            return f"{text} unrecognized keyword arguments: {', '.join(unknown)}"
        if len(arguments) + len(keywords) == len(one.parts):
            got = one.marked(arguments, keywords)
        return f"{text} {got}, but expected {one}"
    lines = [f"{text} {got}, but expected one of:"]
    for one in signatures:
        lines.append(f" * {one}")
        mismatch = one.mismatch(arguments, keywords)
        if mismatch:
            lines.append(f"      didn't match because {mismatch}")
    return "\n".join(lines) + "\n"


@functools.cache
def signatures_of(name: str) -> list[Signature]:
    """Return the signatures of what PyTorch has by a name: none of what it has in Python."""
    return [signature(text) for text in lines().get(name, []) if not text.startswith("def ")]


def refusal_by(
    signatures: Sequence[Signature], arguments: Sequence[Any], keywords: dict[str, Any]
) -> str:
    """Return why arguments fit none of the signatures; empty if they fit one."""
    refusals = [one.refusal(arguments, keywords) for one in signatures]
    if "" in refusals or len(refusals) == 1:
        return "" if "" in refusals else refusals[0]
    for text in refusals:  # of items, which are looked at when a signature is chosen
        if " failed to unpack " in text or text.startswith("expected Tensor"):
            return text
    given = len(arguments) + len(keywords)
    near = [
        text
        for one, text in zip(signatures, refusals, strict=True)
        if one.needed <= given <= len(one.parameters) and not one.hidden
    ]
    shown = [one for one in signatures if not one.hidden]
    return near[0] if len(near) == 1 else combination(shown, arguments, keywords)


@functools.cache
def lines() -> dict[str, list[str]]:
    """Return what is written of PyTorch's functions and methods, by their names."""
    found: dict[str, list[str]] = {}
    with open(FILE, encoding="utf-8") as file:
        text = file.read()
    for line in text.splitlines():
        found.setdefault(line.removeprefix("def ").partition("(")[0], []).append(line)
    return found


def chosen(name: str, arguments: Sequence[Any], keywords: dict[str, Any]) -> Signature | None:
    """Return the signature by which PyTorch takes a call, by a name: "sum" or "Tensor.sum".

    None if PyTorch has nothing of that name, or has it in Python.

    Raises:
        TypeError: if it refuses the call, with its text.
    """
    signatures = signatures_of(name)
    for one in signatures:
        if not one.refusal(arguments, keywords):
            return one
    if signatures:
        raise TypeError(refusal_by(signatures, arguments, keywords)) from None
    for line in lines().get(name, []):
        text = of_python(line, (None, *arguments) if "." in name else arguments, keywords)
        if text:
            raise TypeError(text) from None
    return None


def deprecation(name: str, taken: Signature) -> str:
    """Return the warning for a call by a hidden signature of what has a name."""
    others = [one for one in signatures_of(name) if not one.hidden]
    shown = "".join([f"\n\t{one.function}{one}" for one in others])
    return (
        f"This overload of {taken.function} is deprecated:\n\t{taken.function}{taken}\n"
        f"Consider using one of the following signatures instead:{shown}"
    )


def own_name(one: Parameter, place: int, positional: Sequence[str], options: Container[str]) -> str:
    """Return by which name a function here takes a parameter: the same, or that at its place."""
    if one.name in options or one.by_name or place >= len(positional):
        return one.name
    return positional[place]


class Taken(NamedTuple):
    """What a function's parameters take, by their names here, over all signatures.

    `plain` are the types that surely fit, for those parameters that have such; a value of another
    type need not be wrong. By name fewer may fit, if signatures differ in what they call it:
    `named`. `needing` are pairs of which the one is given only with the other, `apart` pairs of
    which one is given.
    """

    plain: dict[str, frozenset[type]]
    named: dict[str, frozenset[type]]
    needing: list[tuple[str, str]]
    apart: list[tuple[str, str]]


def taken_by(name: str, positional: Sequence[str], options: Container[str]) -> Taken:
    """Return what the parameters of a function take.

    `options` are the names of all of them, `positional` those of what is given by position:
    PyTorch's own differ between signatures.
    """
    plain: dict[str, frozenset[type]] = {}
    named: dict[str, frozenset[type]] = {}
    ways = []
    for one in signatures_of(name):
        way = {
            own_name(parameter, place, positional, options): parameter
            for place, parameter in enumerate(one.parameters)
        }
        for own, parameter in way.items():
            fits = parameter.plain(one.function)
            before = plain.get(own, fits)
            plain[own] = before and fits and before | fits
            named[own] = named.get(own, frozenset()) | (fits if own == parameter.name else set())
        if not one.hidden:
            ways.append(way)
    names = dict.fromkeys(own for way in ways for own in way if own in options)
    needing, apart = [], []
    for own, other in itertools.permutations(names, 2):
        with_own = [way for way in ways if own in way]
        if all(other in way and way[other].default is None for way in with_own):
            needing.append((own, other))
        if own < other and not any(other in way for way in with_own):
            apart.append((own, other))
    plain = {own: types for own, types in plain.items() if types}
    named = {own: types for own, types in named.items() if own in plain and types != plain[own]}
    return Taken(plain, named, needing, apart)


def of_python(line: str, arguments: Sequence[Any], keywords: dict[str, Any]) -> str:
    """Return why a function that PyTorch has in Python cannot be called so, as Python says it."""
    name, _, parameters = line.removeprefix("def ").partition("(")
    scope: dict[str, Any] = {}
    exec(f"def function({parameters}: pass", scope)
    function = scope.pop("function")  # or they would be a circle
    function.__qualname__ = name
    try:
        function(*arguments, **keywords)
    except TypeError as error:
        return str(error)
    return ""


@functools.cache
def signature(text: str) -> Signature:
    """Return what a signature says, as PyTorch writes it."""
    line = re.fullmatch(LINE, text)
    assert line is not None, text
    parameters, by_name = [], False
    for part in line["parameters"].split(", ") if line["parameters"] else ():
        if part == "*":
            by_name = True
            continue
        one = re.fullmatch(PARAMETER, part)
        assert one is not None, text
        parameters.append(
            Parameter(
                KINDS[one["kind"]],
                one["name"],
                bool(one["size"]),
                bool(one["none"]) or one["default"] in ("None", "nullopt"),
                one["default"],
                by_name,
            )
        )
    name = line["name"].rpartition(".")[2]
    return Signature(name, tuple(parameters), line["hidden"] is not None)
