"""Functions as users call them: by numpy's names too, with `out`, and with PyTorch's refusals.

What users call is compiled when they first do: there are five hundred functions, and importing
them has to be quick.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

from minigrad import dtypes
from minigrad.device import check_device
from minigrad.layout import preserve_format, strided
from minigrad.ops.check import check, check_receiver
from minigrad.ops.first_call import on_first_call
from minigrad.ops.out import IN_DTYPE_OF_OUT, dtype_beside, written_to
from minigrad.ops.promotion import MADE_OF_ANYTHING, answer, foreign, is_foreign
from minigrad.ops.registry import Operation
from minigrad.ops.rule import compiled, listed
from minigrad.ops.signatures import chosen, deprecation, own_name, signatures_of, taken_by
from minigrad.outside import warn
from minigrad.size import Size
from minigrad.subclasses import WITHOUT_GRADIENTS
from minigrad.tensor import Tensor

Written = TypeVar("Written", bound=Callable[..., Any])

# Functions that PyTorch has without `out`.
WITHOUT = {
    "adjoint", "allclose", "argwhere", "as_strided", "atleast_1d", "atleast_2d", "atleast_3d",
    "bincount", "block_diag", "broadcast_shapes", "broadcast_tensors", "broadcast_to", "can_cast",
    "cartesian_prod", "chunk", "clone", "combinations", "conj", "corrcoef", "count_nonzero", "cov",
    "det", "detach", "diag_embed", "diagflat", "diagonal", "dist", "dsplit", "einsum", "equal",
    "fill", "flatten", "flip", "fliplr", "flipud", "get_device", "hsplit", "imag", "index_fill",
    "index_put", "is_complex", "is_floating_point", "is_nonzero", "is_same_size", "is_signed",
    "is_tensor", "isclose", "isfinite", "isinf", "isnan", "isreal", "logdet", "masked_fill",
    "masked_scatter", "meshgrid", "moveaxis", "movedim", "narrow", "numel", "permute", "poisson",
    "positive",
    "promote_types", "put", "rand_like", "randint_like", "randn_like", "ravel", "real", "relu",
    "repeat_interleave", "reshape", "resolve_conj", "resolve_neg", "result_type", "roll", "rot90",
    "rsub", "select", "split", "split_with_sizes", "squeeze", "std_mean", "swapaxes", "swapdims",
    "t", "tensor_split", "tile", "trace",
    "transpose", "tril_indices", "triu_indices", "unbind", "unflatten", "unique",
    "unique_consecutive", "unravel_index", "unsafe_chunk", "unsafe_split",
    "unsafe_split_with_sizes", "unsqueeze", "vander", "var_mean", "vsplit", "chain_matmul",
}  # fmt: skip


# Methods that would take a number for the tensor, as the operators do.
TENSOR_FIRST = {
    f"Tensor.{name}"
    for name in (
        "copysign", "eq", "float_power", "fmod", "ge", "gt", "le", "lt", "ne", "pow", "remainder",
    )
}  # fmt: skip
NO_PINNED_MEMORY = (
    "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is "
    "available on this system."
)
# Where nothing was given.
NOTHING: Any = type("Nothing", (), {"__repr__": lambda self: "NOTHING"})()
# What PyTorch may be told besides, and is so here anyway.
ANYWAY: dict[str, Callable[[Any, Any], bool]] = {
    "layout": lambda value, first: value in (None, strided),
    "device": lambda value, first: check_device(value),
    "memory_format": lambda value, first: value in (None, preserve_format) or in_order(first),
    "driver": lambda value, first: value is None,  # of linear algebra on GPUs
    "implicit": lambda value, first: True,  # which PyTorch itself makes use of
    "pin_memory": lambda value, first: stays_unpinned(value),
    "requires_grad": lambda value, first: stays_without(value),  # of integers
    "non_blocking": lambda value, first: isinstance(value, bool),
}
# Parameters that may be given one by one instead.
ONE_BY_ONE = {"size", "dims", "shape", "repeats"}

# Whether arguments are of their kinds is asked where something went wrong, or looks wrong. What is
# given by place and what by name is kept apart, for the errors. Lines that are in no file are left
# out of a notebook's tracebacks.
ANSWERED = """if foreign({every}): return answered(call, {given}, unknown, {first})"""
CALL = """
def call({signature}):
    {joined}
    {answered_first}
    if {wrong}:
        settled = as_before({asked}, unknown, {first})
        if settled is None:
            __tracebackhide__ = True
            {answered}
            settled = settle({asked}, unknown, {first})
        {values}, = settled
    {completed}
    {if_out}
    try:
        return function({given})
    except Exception:
        __tracebackhide__ = True
        {answered}
        refuse_given({asked}, unknown, {first})
        raise
"""
KERNEL = """
def call({signature}):
    if {wrong}:
        if foreign({given}):
            return answer(call, ({given},))
        __tracebackhide__ = True
        {values}, = taken({values})
    try:
        return function({given})
    except TypeError:
        __tracebackhide__ = True
        taken({values})
        raise
"""
ASKING = """
def call({signature}):
    if {others}:
        return answer(call, ({places}), dict({named}))
    return function({places}{named})
"""
AS_OUT = """if given_out is not None: given_dtype = dtype_beside(name, given_out, given_dtype)
    """
IF_OUT = """if {out} is not None:
        return written(name, {out}, lambda: function({given}), ({arguments}))"""


def in_order(value: Any) -> bool:
    """Return whether what comes of a tensor, or of no tensor, lies in memory in its order."""
    return not isinstance(value, Tensor) or value.is_contiguous()


def stays_without(requires_grad: Any) -> bool:
    """Return True unless integers are to have gradients, for which RuntimeError is raised."""
    check(not requires_grad, WITHOUT_GRADIENTS)
    return True


def stays_unpinned(pin_memory: bool) -> bool:
    """Return True unless memory is to be pinned, for which RuntimeError is raised."""
    check(not pin_memory, NO_PINNED_MEMORY)
    return True


class Parameters(NamedTuple):
    """What a function takes, and for what may be left out (`known`) its default."""

    positional: tuple[str, ...]
    star: tuple[str, ...]
    keywords: tuple[str, ...]
    known: dict[str, Any]


def parameters_of(function: Operation) -> Parameters:
    """Return what a function takes, from its code: `inspect` takes too long for all of them."""
    written = inspect.unwrap(function)
    rule = getattr(written, "rule", None)
    if rule is not None:
        return Parameters(("input", *rule.parameters[1:]), (), (), {})
    code = written.__code__
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = ["input" if one == "self" else one for one in code.co_varnames]
    star = names[count + only : count + only + 1] if code.co_flags & inspect.CO_VARARGS else ()
    defaults = written.__defaults__ or ()
    known = dict(zip(names[count - len(defaults) : count], defaults, strict=True))
    known |= written.__kwdefaults__ or {}
    return Parameters(tuple(names[:count]), tuple(star), tuple(names[count : count + only]), known)


def nobody(*given: Any) -> bool:
    """Return that nobody is to answer."""
    return False


def as_function(name: str, function: Operation) -> Operation:
    """Return a function as users call it: with `out`, refusing what PyTorch refuses."""
    return called(name, function, 0, name not in WITHOUT)


def as_method(name: str, function: Operation) -> Operation:
    """Return a method as users call it: refusing what PyTorch refuses."""
    return called(f"Tensor.{name}", function, 1, False)


def refusing(name: str = "", out: bool = False) -> Callable[[Written], Written]:
    """Let a function refuse what PyTorch's refuses that is called so: by its own name unless given.

    `out` says whether it takes that.
    """

    def decorate(function: Written) -> Written:
        return cast(Written, called(name or function.__name__, function, 0, out))

    return decorate


def asking(function: Written) -> Written:
    """Let a function of tensors ask their types first: one that is composed of what fails late."""
    return cast(Written, on_first_call(function, asking_call, function))


def asking_call(function: Operation) -> Operation:
    """Compile what users call of a function whose types are asked before anything is done."""
    positional, _, keywords, known = parameters_of(function)
    options = (*positional, *keywords)
    annotations = inspect.unwrap(function).__annotations__.values()
    others = [
        f"({one} is not None and {one}.__class__ is not Tensor and is_foreign({one}))"
        for one, annotation in zip(options, annotations, strict=False)
        if annotation.startswith(("Tensor", "Any"))
    ]

    def given(one: str) -> str:
        return one + f"=known_{one}" * (one in known)

    source = ASKING.format(
        signature=", ".join(
            [*map(given, positional), *["*"] * bool(keywords), *map(given, keywords)]
        ),
        others=" or ".join(others),
        places=listed(positional),
        named=", ".join([f"{one}={one}" for one in keywords]),
    )
    scope = {"function": function, "is_foreign": is_foreign, "answer": answer, "Tensor": Tensor}
    return compiled(source, scope | {f"known_{one}": value for one, value in known.items()})


def kernel(name: str, python: str = "", **names: str) -> Callable[[Written], Written]:
    """Let a function of networks refuse what PyTorch's kernel of that name refuses.

    PyTorch has these functions in Python, and they hand arguments to the kernel, which takes
    numbers of every kind. `names` are what it calls parameters otherwise, and what they are called
    here. What Python itself looks at before is listed in `python`.
    """

    def decorate(function: Written) -> Written:
        made = on_first_call(function, kernel_call, name, function, python.split(), names)
        return cast(Written, made)

    return decorate


def kernel_call(
    name: str, function: Operation, python: list[str], names: dict[str, str]
) -> Operation:
    """Compile what users call of a function whose arguments are handed to a kernel."""
    positional, _, keywords, known = parameters_of(function)
    options = (*positional, *keywords)
    (signature,) = signatures_of(name)
    handed = {
        own: (place, one)
        for place, one in enumerate(signature.parameters)
        if (own := names.get(one.name, one.name)) in options and own != "reduction"
    }
    scope: dict[str, Any] = {f"known_{one}": value for one, value in known.items()}
    wrong = []
    for one, (_, parameter) in handed.items():
        types = parameter.plain(name)
        scope[f"plain_{one}"] = types | ({type(known[one])} if one in known else set())
        tensor = f"not isinstance({one}, Tensor) and "
        wrong.append(f"({tensor * (Tensor in types)}{one}.__class__ not in plain_{one})")

    def taken(*values: Any) -> list[Any]:
        """Return what was given as functions want it, or raise TypeError with PyTorch's text."""
        found = []
        for (own, (place, one)), value in zip(handed.items(), values, strict=True):
            fits = one.takes(value, name) or (value is None and one.none)
            where = "" if one.by_name else f" (position {place + 1})"
            if not fits and own not in python:
                raise TypeError(signature.wrong(one, value, where)) from None
            found.append(one.made(value, name) if fits else value)
        return found

    source = KERNEL.format(
        signature=", ".join([one + f"=known_{one}" * (one in known) for one in options]),
        wrong=" or ".join(wrong),
        values=", ".join(handed),
        given=", ".join(options),
    )

    scope |= {"function": function, "taken": taken, "Tensor": Tensor}
    return compiled(source, scope | {"foreign": foreign, "answer": answer})


def called(name: str, function: Operation, first: int, out: bool) -> Operation:
    """Return what users call, by a name that is "sum" or "Tensor.sum".

    `first` is the number of arguments that are not counted in errors: 1 of methods.
    """
    return on_first_call(function, call_of, name, function, first, out)


def call_of(name: str, function: Operation, first: int, out: bool) -> Operation:
    """Compile what users call: one that takes any arguments and hands them on would be slower."""
    positional, star, keywords, known = parameters_of(function)
    receiver, by_place = positional[:first], positional[first:]
    options = (*by_place, *keywords, *(["out"] if out else []))
    known = {"out": None} | known
    values = {one: f"given_{one}" for one in options}
    places = [f"_{number}" for number in range(len(by_place))]
    joined = [
        f"{value} = {one}" + f" if _{place} is NOTHING else _{place}" * (place < len(by_place))
        for place, (one, value) in enumerate(values.items())
    ]
    completed = [
        f"if {value} is NOTHING: {value} = known_{one}"
        for one, value in values.items()
        if one in known
    ]
    before = [*receiver, *[f"{place}=NOTHING" for place in places]]
    rest = [f"*{star[0]}" if star else "*rest"]
    named = [f"{one}=NOTHING" for one in options]
    given = [*receiver, *[values[one] for one in by_place], *(rest if star else [])]
    arguments = ", ".join([*given, *[f"{one}={values[one]}" for one in keywords]])
    wrong, types = suspicions(name, by_place, star, values, known)
    wrong += [f"not isinstance({receiver[0]}, Tensor)"] if name in TENSOR_FIRST else []
    if_out = IF_OUT.format(out="given_out", given=arguments, arguments=listed(given)) * out
    as_out = AS_OUT * (out and name in IN_DTYPE_OF_OUT and "dtype" in options)
    receiver_or_first = next(iter([*receiver, *[values[one] for one in by_place]]), None)
    asked = f"({listed([*places, *rest])}), ({listed(options)})"
    every = ", ".join([*places, *rest, *options])
    answered = ANSWERED.format(every=every, given=asked, first=receiver_or_first)
    in_python = first == 0 and not signatures_of(name)  # which fails late, or not at all
    source = CALL.format(
        signature=", ".join([*before, *(["/"] if before else []), *rest, *named, "**unknown"]),
        joined="\n    ".join(joined) or "pass",
        answered=answered,
        answered_first=answered * in_python,
        asked=asked,
        wrong=" or ".join(wrong),
        values=", ".join(values.values()) or "*_",
        completed="\n    ".join(completed) or "pass",
        first=receiver_or_first,
        given=arguments,
        if_out=as_out + if_out,
    )
    how = Call(name, by_place, options, known, bool(star), {})
    scope = {
        "function": function, "name": name, "NOTHING": NOTHING, "Tensor": Tensor,
        "written": written_to, "dtype_beside": dtype_beside,
        "as_before": how.as_before, "settle": how.settle,
        "foreign": nobody if name in MADE_OF_ANYTHING else foreign, "answered": how.answered,
        "refuse_given": how.asked,
    }  # fmt: skip
    return compiled(source, scope | {f"known_{one}": value for one, value in known.items()} | types)


# Types that say for what a value is taken: what is in lists, functions look at themselves. Types of
# users are not kept.
TELLING = {type(NOTHING), type(None), bool, int, float, str, dtypes.dtype, Tensor, tuple, list}


class Call(NamedTuple):
    """How something is called, to tell what a call means, or what is wrong with it.

    `name` is "sum" or "Tensor.sum"; `options` are the names of what may be given by name, `known`
    the defaults, `orders` what signatures said of calls, by the types and names in them: at which
    place the value of each option is, the last one if it was left out.
    """

    name: str
    by_place: tuple[str, ...]
    options: tuple[str, ...]
    known: dict[str, Any]
    starred: bool
    orders: dict[tuple[Any, ...], tuple[int, ...]]

    def as_before(
        self, places: Any, named: Any, unknown: dict[str, Any], first: Any
    ) -> list[Any] | None:
        """Return what `settle` would; None if it was not yet asked of arguments like these."""
        given = (*places, *named, *unknown.values(), NOTHING)
        order = self.orders.get((*map(type, given), *unknown))
        if order is None or not (isinstance(first, Tensor) or self.name[:7] != "Tensor."):
            return None
        return [given[place] for place in order]

    def settle(self, places: Any, named: Any, unknown: dict[str, Any], first: Any) -> list[Any]:
        """Return the values of all options, whatever PyTorch calls them in the signature it takes.

        What was left out is `NOTHING`.

        Raises:
            TypeError: with PyTorch's text, for surplus, unknown and missing arguments, unless what
                is unknown makes no difference here.
        """
        name = self.name.rpartition(".")[2]
        arguments, keywords, taken = self.asked(places, named, unknown, first)
        if taken is None:
            found = self.placed(arguments, keywords)
        else:
            if taken.hidden:
                warn(deprecation(self.name, taken))
            found = {
                own_name(one, place, self.by_place, self.options): (source, value)
                for one, place, source, value in taken.given(
                    arguments[: len(self.by_place) if self.starred else None], keywords
                )
            }
        for key, (_, value) in found.items():
            if key not in self.options and not (key in ANYWAY and ANYWAY[key](value, first)):
                raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
        missed = [f'"{one}"' for one in self.options if one not in found and one not in self.known]
        if missed:
            plural = "s" if len(missed) == 1 else ""  # sic
            raise TypeError(
                f"{name}() missing {len(missed)} required positional argument{plural}: "
                f"{', '.join(missed)}"
            )
        if taken is None or not taken.hidden:
            self.remember(places, named, unknown, found)
        return [found[one][1] if one in found else NOTHING for one in self.options]

    def placed(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> dict[str, tuple[int | str, Any]]:
        """Return by their names the arguments of what PyTorch has no signature for."""
        name, most = self.name.rpartition(".")[2], len(self.by_place)
        if len(arguments) > most and not self.starred:
            raise TypeError(
                f"{name}() takes {most} positional argument{'s' * (most > 1)} but "
                f"{len(arguments)} were given"
            )
        found = dict(zip(self.by_place, enumerate(arguments), strict=False))
        for one in found:
            if one in keywords:
                raise TypeError(f"{name}() got multiple values for argument '{one}'")
        return found | {key: (key, value) for key, value in keywords.items()}

    def remember(
        self, places: Any, named: Any, unknown: dict[str, Any], found: dict[str, Any]
    ) -> None:
        """Keep where the value of each option was, if the types of what was given tell that."""
        given = (*places, *named, *unknown.values(), NOTHING)
        names = (*range(len(places)), *self.options, *unknown)
        where = {own: names.index(source) for own, (source, _) in found.items()}
        types = tuple(map(type, given))
        if (
            TELLING.issuperset(types)
            and all(given[where[own]] is value for own, (_, value) in found.items())
            and where.keys() <= {*self.options}
        ):
            self.orders[(*types, *unknown)] = tuple([where.get(one, -1) for one in self.options])

    def asked(self, places: Any, named: Any, unknown: dict[str, Any], first: Any) -> Any:
        """Return what was given by place and by name, and the signature by which PyTorch takes it.

        Raises:
            TypeError: with PyTorch's text, if it does not.
        """
        owner, _, method = self.name.rpartition(".")
        if owner:
            check_receiver(method, first)
        arguments, keywords = self.given(places, named, unknown)
        return arguments, keywords, chosen(self.name, arguments, keywords)

    def given(self, places: Any, named: Any, unknown: dict[str, Any]) -> Any:
        """Return what was given by place and by name."""
        arguments = tuple([one for one in places if one is not NOTHING])
        pairs = zip(self.options, named, strict=True)
        return arguments, {one: value for one, value in pairs if value is not NOTHING} | unknown

    def answered(
        self, function: Any, places: Any, named: Any, unknown: dict[str, Any], first: Any
    ) -> Any:
        """Return what the types of the arguments answer, of which one is `foreign`."""
        arguments, keywords = self.given(places, named, unknown)
        receiver = (first,) if self.name.startswith("Tensor.") else ()
        return answer(function, (*receiver, *arguments), keywords)


def suspicions(
    name: str,
    by_place: tuple[str, ...],
    star: tuple[str, ...],
    values: dict[str, str],
    known: dict[str, Any],
) -> tuple[list[str], dict[str, frozenset[type]]]:
    """Return the conditions under which signatures have to be asked, and what these name.

    That is where an argument is missing, is given twice, is not of a type that surely fits, or
    where no signature has it beside the others.
    """
    conditions = ["unknown", *([] if star else ["rest"])]
    scope: dict[str, frozenset[type]] = {}
    missing = {one: f"{value} is NOTHING" for one, value in values.items()}
    for number, one in enumerate(by_place):
        conditions.append(f"({one} is not NOTHING and _{number} is not NOTHING)")
    for one in ONE_BY_ONE & values.keys() if star else ():
        conditions.append(f"({star[0]} and {values[one]} is not NOTHING)")
        missing[one] += f" and not {star[0]}"
    signatures = signatures_of(name)
    if star and signatures and not any(one.in_line for one in signatures):
        scope["sequences"] = frozenset({tuple, list, Size})
        wrong = f"len({star[0]}) > 1 or {star[0]}[0].__class__ not in sequences"
        conditions.append(f"({star[0]} and ({wrong}))")
    plain, by_name, needing, apart = taken_by(name, by_place, values)
    for one, types in by_name.items():
        if one in values:
            scope[f"named_{one}"] = types | {type(NOTHING)}
            conditions.append(f"{one}.__class__ not in named_{one}")
    for one, types in plain.items():
        if one in values:
            scope[f"plain_{one}"] = types | ({type(NOTHING)} if one in known else set())
            wrong = f"{values[one]}.__class__ not in plain_{one}"
            tensor = f"not isinstance({values[one]}, Tensor) and "
            conditions.append(f"({tensor * (Tensor in types)}{wrong})")
    for one in values:
        if one not in known and f"plain_{one}" not in scope:
            conditions.append(missing[one])
    tensors = [one for one in values if one not in known and Tensor in plain.get(one, ())]
    numbers_too = all(int in plain[one] for one in tensors)
    if tensors and numbers_too and "." not in name:  # but not for all of them
        given = [f"isinstance({values[one]}, Tensor)" for one in tensors]
        conditions.append(f"not ({' or '.join(given)})")
    for one, other in needing:
        if other in known:
            in_line = f" and not {star[0]}" if star else ""
            conditions.append(
                f"({values[one]} is not NOTHING and {values[other]} is NOTHING{in_line})"
            )
    for one, other in apart:
        if other in known:
            conditions.append(f"not ({missing[one]} or {missing[other]})")
    return conditions, scope
