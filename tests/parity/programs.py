"""Random programs over every operation that minigrad declares, as text that runs on both engines.

The operations are found by walking the registry; what they are given is drawn by the names of their
parameters, from one table (`PARAMETERS`). A program is run on minigrad while it is written, since
what makes sense as an argument depends on the tensors that there are so far.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import math
import operator
import re
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import minigrad
import minigrad.nn.functional as F
from minigrad.ops.bind import COMPARISONS, OPERATORS
from minigrad.ops.distances import MODES as COMPUTE_MODES
from minigrad.ops.registry import registry

FLOATS = ["torch.float32", "torch.float64"]
DTYPES = [*FLOATS, "torch.int64", "torch.bool"]
SHAPES: list[tuple[int, ...]] = [(3,), (2, 3), (), (1,), (3, 3), (2, 1), (2, 2, 3), (2, 3, 1), (0,)]
SHAPES += [(2, 0)]
NUMBERS = ["2", "0.5", "-1.5", "1", "0", "3", "-1", "True"]
SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and": "&", "or": "|", "xor": "^", "matmul": "@", "lshift": "<<", "rshift": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
PREFIXES = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}
# What a small run has around the operation in question: so a new one changes no other programs.
COMMON = [
    "operator.+", "operator.*", "operator./", "method.sum", "method.mean", "method.exp",
    "method.sigmoid", "torch.tanh", "method.t", "method.reshape", "item.__getitem__",
    "method.clone", "inplace.mul", "inplace.add", "inplace.tanh", "torch.relu",
    "torch.matmul", "method.unsqueeze",
]  # fmt: skip
# Whose values nobody has decided, or their signs.
UNDEFINED = {
    "const_data_ptr", "new_empty", "new_empty_strided", "empty", "eigh", "svd", "resize_",
    "resize_as_", "set_",
}  # fmt: skip
# Those that take other than tensors and numbers; tests of their own compare them.
SINGULAR = {"new", "as_subclass"}
MODES = [
    "no_grad()", "inference_mode()", "set_grad_enabled(False)", "no_grad(), torch.enable_grad()",
]  # fmt: skip
# Parameters that may be left out only because others may be given in their stead.
REQUIRED = {"high", "std", "src", "repeat_interleave.input", "repeat_interleave.repeats"}
# What PyTorch takes by name only, whatever minigrad does.
BY_NAME = {
    "dtype", "alpha", "beta", "sparse_grad", "as_tuple", "decimals", "correction", "addcmul.value",
    "sort.dim", "sort.descending", "argsort.dim", "argsort.descending",
    "stable", "compute_mode", "scatter.reduce",
}  # fmt: skip
# Ways of old to say `reduction`, and what `embedding` has for networks of another kind.
DEPRECATED = {"size_average", "reduce", "max_norm", "norm_type", "scale_grad_by_freq", "sparse"}
# Parameters that are not given together with others.
EXCLUDED = {"other": "dim", "axis": "dim", "correction": "unbiased", "value": "src"}
# Operations along one dimension or several.
SEVERAL_DIMENSIONS = {
    "sum", "mean", "nansum", "amax", "amin", "var", "std", "norm", "logsumexp", "any", "all",
    "count_nonzero", "squeeze", "squeeze_", "var_mean", "std_mean",
}  # fmt: skip
# Operations of two tensors, neither of which may be a number.
TENSORS_ONLY = {
    "hypot", "atan2", "arctan2", "logaddexp", "logaddexp2", "maximum", "minimum", "logical_and",
    "logical_or", "logical_xor", "isclose", "allclose", "max", "min", "equal", "view_as",
    "reshape_as", "expand_as", "type_as", "vdot", "dist", "inner",
}  # fmt: skip
# Operations that PyTorch leaves undefined, or refuses in a way of their own, for other dtypes.
FLOATS_ONLY = {
    "atan2", "arctan2", "logaddexp", "logaddexp2", "hypot", "rand_like", "randn_like", "bernoulli",
    "uniform", "normal",
    "exponential", "relu6", "hardtanh", "linear", "lerp", "addmm", "inner",
    "tensordot", "nll_loss", "cross_entropy", "mse_loss", "smooth_l1_loss", "huber_loss", "l1_loss",
    "kl_div", "addcdiv", "binary_cross_entropy_with_logits", "elu", "selu",
}  # fmt: skip
INTEGERS_ONLY = {
    "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "gcd", "lcm", "bitwise_left_shift",
    "bitwise_right_shift", "<<", ">>", "<<=", ">>=",
    "&", "|", "^", "&=", "|=", "^=",
}  # fmt: skip
# The number of dimensions that an operation asks of its first argument.
DIMENSIONS = {
    "addmv": 1, "addr": 2, "baddbmm": 3, "combinations": 1, "dsplit": 3, "fill_diagonal_": 2,
    "pinv": 2, "pinverse": 2, "renorm": 2, "rot90": 2, "vdot": 1, "vsplit": 2, "H": 2,
    "select_scatter": 2, "slice_scatter": 2, "diagonal_scatter": 2,
    "mm": 2, "mv": 2, "addmm": 2, "bmm": 3, "dot": 1, "t": 2, "trace": 2, "outer": 1, "ger": 1,
    "tril": 2, "triu": 2, "diagonal": 2, "linear": 2, "nll_loss": 2, "cross_entropy": 2,
    "T": 2, "glu": 2,
}  # fmt: skip


class Operation(NamedTuple):
    """One way to call an operation: how it is written, and with which parameters.

    `form` is "torch", "F", "method", "inplace", "property", "operator", "item" or "statement".
    """

    form: str
    name: str
    parameters: tuple[inspect.Parameter, ...]

    def __str__(self) -> str:
        return f"{self.form}.{self.name}"

    @property
    def changes(self) -> bool:
        """Whether it changes the tensor that it is given first."""
        in_place = self.form in ("inplace", "statement") or self.name == "__setitem__"
        told = any(one.name == "inplace" for one in self.parameters)
        return in_place or told or self.name[-1] == "_" != self.name[-2]


def parameters(function: Any) -> tuple[inspect.Parameter, ...]:
    """Return the parameters that users see, those of declared operations by the rule's names."""
    rule = getattr(function, "rule", None)
    if rule is None:
        return tuple(inspect.signature(function).parameters.values())
    return tuple(
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in rule.parameters
    )


def known(name: str, parameter: inspect.Parameter) -> bool:
    """Return whether `PARAMETERS` says what to draw: if not, the large run misses the operation."""
    keys = (f"{name}.{parameter.name}", parameter.name, parameter.annotation)
    starred = inspect.Parameter.VAR_KEYWORD
    may_be_left_out = parameter.default is not parameter.empty or parameter.kind is starred
    return may_be_left_out or any(key in PARAMETERS for key in keys)


@functools.cache
def operations() -> dict[str, Operation]:
    """Return every way to call every operation there is, by a name for it."""
    found: list[Operation] = []
    forms = {"function": "torch", "method": "method", "inplace": "inplace", "property": "property"}
    for name, function, variants in registry:
        if name in UNDEFINED | SINGULAR:
            continue
        if not all(known(name, one) for one in parameters(function)):
            continue
        for variant, form in forms.items():
            if variant in variants:
                form = "item" if name.startswith("__") else form
                found.append(Operation(form, name, parameters(function)))
    for form, module in (("F", F), ("torch.linalg", minigrad.linalg)):
        for name, function in vars(module).items():
            public = isinstance(function, types.FunctionType) and in_torch(module, name)
            known_all = public and all(known(name, one) for one in parameters(function))
            if known_all and name[0] != "_" and name not in UNDEFINED:
                found.append(Operation(form, name, parameters(function)))
    two = (inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
           inspect.Parameter("other", inspect.Parameter.POSITIONAL_ONLY))  # fmt: skip
    for name in dict.fromkeys([*OPERATORS, *COMPARISONS, "matmul"]):
        found.append(Operation("operator", SYMBOLS[name], two))
    for name in sorted({*OPERATORS} - {"matmul"}):
        found.append(Operation("statement", SYMBOLS[name] + "=", two))
    return {str(one): one for one in found}


def in_torch(module: types.ModuleType, name: str) -> bool:
    """Return whether a module of PyTorch has that function, too: minigrad's own helpers are none.

    Without PyTorch, where the tests are only collected, every name counts.
    """
    if importlib.util.find_spec("torch") is None:
        return True
    import torch

    inside = operator.attrgetter(module.__name__.removeprefix("minigrad."))
    return hasattr(inside(torch), name)


class Author:
    """Writes one program, line by line, and knows what its names stand for.

    `tensors` holds the tensors of the program so far by the expressions that give them.
    """

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"torch": minigrad, "F": F, "seen": []}
        self.tensors: dict[str, minigrad.Tensor] = {}
        self.failed = False

    # Drawing

    def choose(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def shuffled(self, items: Sequence[Any]) -> Sequence[Any]:
        return list(self.draw(st.permutations(items)))

    def chance(self, tenths: int) -> bool:
        """Return True in so many of ten cases; False is simpler."""
        return self.integer(0, 9) >= 10 - tenths

    # Writing

    def write(self, line: str) -> None:
        """Add a line and run it; the program ends where it raises."""
        self.lines.append(line)
        try:
            exec(line, self.names)
        except Exception:
            self.failed = True
        self.tensors = dict(tensors_of(self.names))

    def new_name(self) -> str:
        return f"v{sum(name[0] == 'v' and name[1:].isdigit() for name in self.names)}"

    def new(
        self,
        shape: Sequence[int] | None = None,
        dtype: str = "",
        low: int = -8,
        high: int = 8,
    ) -> str:
        """Make a tensor, of random shape and dtype if these are not given, and return its name.

        Floating point elements are quarters between `low` / 4 and `high` / 4, others integers.
        """
        shape = self.choose(SHAPES) if shape is None else tuple(shape)
        dtype = dtype or self.choose([*FLOATS, *FLOATS, *DTYPES])
        drawn = np.random.default_rng(self.integer(0, 99)).integers(low, high + 1, shape)
        options = f"dtype={dtype}"
        values: Any = drawn
        if dtype in FLOATS:
            values = drawn / 4
            options += f", requires_grad={not self.chance(2)}"
        elif dtype == "torch.bool":
            values = drawn % 2 == 0
        literal = f"torch.tensor({values.tolist()}, {options})"
        if not math.prod(shape):
            literal = f"torch.zeros({list(shape)}, {options})"
        name = self.new_name()
        self.write(f"{name} = {literal}")
        return name

    def tensor(self, ndim: int | None = None) -> str:
        """Return a tensor that there is, or a new one, with so many dimensions."""
        fitting = [one for one, it in self.tensors.items() if ndim is None or it.ndim == ndim]
        if fitting and not self.chance(3):
            return str(self.choose(fitting[::-1]))
        return self.new(None if ndim is None else self.choose(SHAPES_OF[ndim]))

    def changeable(self, text: str) -> str:
        """Return a tensor in place of a leaf that requires grad, which may not be changed."""
        tensor = self.tensors.get(text)
        if tensor is None or not tensor.requires_grad or self.chance(1):
            return text
        if not (tensor if tensor._base is None else tensor._base).is_leaf:
            return text
        name = self.new_name()
        self.write(f"{name} = {text} * 1")
        return name

    def call(self, operation: Operation, mode: str = "") -> None:
        """Write one call of an operation, in a mode if there is one."""
        form, name, wanted = operation
        given: dict[str, str] = {}
        positional = True
        arguments: list[str] = []
        for number, parameter in enumerate(wanted):
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                continue
            if self.omitted(operation, parameter, given):
                positional = False
                continue
            text = self.argument(operation, parameter, given, number)
            if self.failed:
                return
            given[parameter.name] = text
            names = {parameter.name, f"{operation.name}.{parameter.name}"}
            by_name = parameter.kind is parameter.KEYWORD_ONLY or bool(names & BY_NAME)
            if by_name or not positional:
                positional = False
                arguments.append(f"{parameter.name}={text}")
            else:
                arguments.append(text)
        self.write(mode + self.phrase(form, name, arguments))

    def omitted(
        self, operation: Operation, parameter: inspect.Parameter, given: dict[str, str]
    ) -> bool:
        """Return whether to leave a parameter out: half of those that may be."""
        names = {parameter.name, f"{operation.name}.{parameter.name}"}
        if parameter.default is inspect.Parameter.empty or names & REQUIRED:
            return False
        if parameter.name == "stride" and "size" not in given:
            return True
        special = f"{operation.name}.{parameter.name}" in PARAMETERS
        if parameter.name in DEPRECATED and not special:
            return True
        if EXCLUDED.get(parameter.name, "") in given:
            return True
        if parameter.name == "keepdim" and "dim" not in given:
            return True
        if operation.name == "normal" and any(one[0] == "v" for one in given.values()):
            return parameter.name != "std" or not self.chance(5)  # the rest is for numbers alone
        if not known(operation.name, parameter.replace(default=inspect.Parameter.empty)):
            return True
        starred = any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in operation.parameters)
        if starred and parameter.name in ("shape", "size", "dims", "repeats", "dtype", "device"):
            return True
        return not self.chance(5)

    def argument(
        self, operation: Operation, parameter: inspect.Parameter, given: dict[str, str], place: int
    ) -> str:
        """Return what to give for a parameter: by its name, or else by its annotation."""
        if place == 0 and parameter.name in ("input", "self", "tensor"):
            special = PARAMETERS.get(f"{operation.name}.{parameter.name}")
            ndim = DIMENSIONS.get(operation.name)
            found = (
                special(self, given) if special else self.tensor(None if self.chance(1) else ndim)
            )
            return self.changeable(found) if operation.changes else found
        if parameter.name == "dim" and operation.name in SEVERAL_DIMENSIONS:
            return dimensions(self, given)
        keys = (f"{operation.name}.{parameter.name}", parameter.name, parameter.annotation)
        return next(PARAMETERS[key] for key in keys if key in PARAMETERS)(self, given)

    def phrase(self, form: str, name: str, arguments: Sequence[str]) -> str:
        """Return the line that calls an operation by one of its forms."""
        first, rest = (arguments[0] if arguments else ""), ", ".join(arguments[1:])
        result = self.new_name()
        if form == "operator":
            if rest in NUMBERS and self.chance(4):
                first, rest = rest, first
            return f"{result} = {first} {name} {rest}"
        if form == "statement":
            return f"{first} {name} {rest}"
        if form == "property":
            return f"{result} = {first}.{name}"
        if form == "method":
            return f"{result} = {first}.{name}({rest})"
        if form == "inplace":
            return f"{first}.{name}_({rest})"
        if form == "item":
            return self.item_phrase(result, name, arguments)
        return f"{result} = {form}.{name}({', '.join(arguments)})"

    def item_phrase(self, result: str, name: str, arguments: Sequence[str]) -> str:
        if name == "__setitem__":
            return f"{arguments[0]}[{arguments[1]}] = {arguments[2]}"
        if name == "__getitem__":
            return f"{result} = {arguments[0]}[{arguments[1]}]"
        if name in PREFIXES:
            return f"{result} = {PREFIXES[name]}{arguments[0]}"
        return f"{result} = {arguments[0]}.{name}({', '.join(arguments[1:])})"

    def has_node(self, tensor: str) -> bool:
        """Return whether a tensor has a grad_fn; one that may not even be asked has none."""
        try:
            return self.tensors[tensor].grad_fn is not None
        except RuntimeError:
            return False

    def step_aside(self) -> None:
        """Write a line that is no operation: hooks, flags, modes."""
        floating = [one for one, it in self.tensors.items() if it.requires_grad]
        if not floating:
            return
        one = self.choose(floating[::-1])
        result = self.new_name()
        hooks = [
            f"{one}.register_post_accumulate_grad_hook("
            "lambda leaf: seen.append(('stored', leaf.grad.clone())))",
        ]
        if self.has_node(one):
            hooks = [
                f"{one}.grad_fn.register_hook(lambda *given: seen.append(('after', *given)))",
                f"{one}.grad_fn.register_prehook(lambda given: seen.append(('before', given)))",
                f"{one}.grad_fn.register_prehook(lambda given: tuple(n and n * 2 for n in given))",
            ]
        self.write(
            self.choose(
                [
                    f"{one}.retain_grad()",
                    f"{one}.register_hook(lambda grad: grad * 2)",
                    f"{one}.register_hook(lambda grad: seen.append(('{one}', grad.clone())))",
                    *hooks,
                    f"{result} = {one}.detach()",
                    f"{result} = {one}.detach().requires_grad_()",
                    f"{result} = {one}.data",
                    f"with torch.no_grad(): {result} = {one} * 2",
                    f"with torch.no_grad(): {one}.mul_(2)",
                    f"with torch.inference_mode(): {result} = {one} * 2",
                    f"{one}.data.mul_(2)",
                    f"{one}.requires_grad_(False)",
                ]
            )
        )


def tensors_of(names: dict[str, Any]) -> Any:
    """Yield the tensors among the values of a program's names, and in its tuples."""
    for name, value in names.items():
        if isinstance(value, minigrad.Tensor):
            yield name, value
        elif isinstance(value, (tuple, list)) and name != "seen":
            for place, one in enumerate(value):
                if isinstance(one, minigrad.Tensor):
                    yield f"{name}[{place}]", one


SHAPES_OF = {ndim: [one for one in SHAPES if len(one) == ndim] for ndim in range(4)}


# What to draw for parameters

Given = dict[str, str]


def main(author: Author, given: Given) -> Any:
    """Return the tensor that is given first."""
    return eval(next(iter(given.values())), author.names)


def shape_of(author: Author, given: Given) -> tuple[int, ...]:
    """Return its shape; () if there is none."""
    return tuple(getattr(main(author, given), "shape", ())) if given else ()


def dtype_of(author: Author, given: Given) -> str:
    """Return its dtype as text; torch.float32 if there is none."""
    return str(getattr(main(author, given), "dtype", "torch.float32")) if given else "torch.float32"


def number(author: Author, given: Given) -> str:
    return str(author.choose(NUMBERS))


def fraction(author: Author, given: Given) -> str:
    return str(author.choose(["0.5", "2.0", "1", "0.25", "-1.0"]))


def boolean(author: Author, given: Given) -> str:
    return str(author.choose(["True", "False"]))


def literal(*options: Any) -> Callable[[Author, Given], str]:
    """Draw one of these values, as text; infinity is no name in a program."""
    texts = [re.sub(r"\binf\b", "float('inf')", repr(one)) for one in options]
    return lambda author, given: str(author.choose(texts))


def new(
    shape: Sequence[Any], dtypes: Sequence[str] = FLOATS, low: int = -8, high: int = 8
) -> Callable[[Author, Given], str]:
    """Draw a new tensor, of one of these shapes and dtypes."""
    return lambda author, given: author.new(author.choose(shape), author.choose(dtypes), low, high)


def plain(author: Author, given: Given) -> str:
    """Return a new tensor that does not require grad."""
    name = author.new()
    if author.tensors[name].requires_grad:
        author.write(f"{name}.requires_grad_(False)")
    return name


def any_tensor(author: Author, given: Given) -> str:
    return author.tensor()


def floats(author: Author, given: Given) -> str:
    """Return a floating point tensor."""
    fitting = [one for one, it in author.tensors.items() if it.is_floating_point()]
    return str(author.choose(fitting)) if fitting else author.new(dtype=author.choose(FLOATS))


def integers(author: Author, given: Given) -> str:
    """Return a tensor of integers or booleans."""
    fitting = [one for one, it in author.tensors.items() if not it.is_floating_point()]
    return str(author.choose(fitting)) if fitting else author.new(dtype="torch.int64")


def like_floats(author: Author, given: Given) -> str:
    """Return a floating point tensor that can be broadcast with the first."""
    return author.new(author.choose([shape_of(author, given), ()]), author.choose(FLOATS))


def broadcastable(author: Author, given: Given) -> str:
    """Return a tensor that can be broadcast with the first; rarely, any tensor."""
    shape = shape_of(author, given)
    if author.chance(1):
        return author.tensor()
    fitting = [one for one, it in author.tensors.items() if fits(it.shape, shape)]
    if fitting and author.chance(4):
        return str(author.choose(fitting))
    variants = [shape, shape[1:], tuple(1 for _ in shape), (), (2, *shape), (*shape[:-1], 1)]
    dtype = dtype_of(author, given) if not author.chance(3) else ""
    return author.new(author.choose(variants), dtype)


def fits(a: Sequence[int], b: Sequence[int]) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def operand(author: Author, given: Given) -> str:
    """Return a tensor or a number."""
    return number(author, given) if author.chance(3) else broadcastable(author, given)


def bound(author: Author, given: Given) -> str:
    return "None" if author.chance(3) else operand(author, given)


def like_bound(author: Author, given: Given) -> str:
    """Return a number beside a number, a tensor beside a tensor; rarely, the other."""
    lower = given.get("min", "None")
    if lower == "None" or author.chance(2):
        return operand(author, given)
    return (number if lower in NUMBERS else broadcastable)(author, given)


def strides_for(author: Author, given: Given) -> str:
    """Return a stride for each dimension of the size drawn before; rarely, one more."""
    wanted = len(eval(given["size"])) + author.chance(1)
    return str(tuple(author.choose([1, 2, 0]) for _ in range(wanted)))


def partition(author: Author, given: Given) -> str:
    """Return lengths that a dimension is split into; rarely, too many."""
    _, _, length = lengths_along(author, given)
    first = min(author.choose([1, 0, 2]), length)
    return str([first, length - first, *[1] * author.chance(1)])


def same_shape(author: Author, given: Given) -> str:
    """Return a tensor of the shape of the first; rarely, of another."""
    if author.chance(1):
        return author.new(None, dtype_of(author, given))
    return author.new(shape_of(author, given), dtype_of(author, given))


def of_same_dtype(author: Author, given: Given) -> str:
    """Return a tensor of the dtype of the first that can be broadcast with it."""
    shape = shape_of(author, given)
    return author.new(author.choose([shape, shape[1:], (), (2, *shape)]), dtype_of(author, given))


def attention_mask(author: Author, given: Given) -> str:
    """Return a mask for as many keys as there are queries; rarely, of another dtype."""
    length = shape_of(author, given)[-2]
    dtype = "" if author.chance(1) else author.choose([dtype_of(author, given), "torch.bool"])
    return author.new((length, length), dtype)


def mask(author: Author, given: Given) -> str:
    shape = shape_of(author, given)
    return author.new(author.choose([shape, shape[1:], shape]), "torch.bool")


def dimension(author: Author, given: Given) -> str:
    """Return a dimension of the first tensor; rarely, one that it does not have."""
    ndim = len(shape_of(author, given))
    beyond = ndim + 1 if author.chance(1) else max(ndim, 1)
    return str(author.integer(-beyond, beyond - 1))


def dimensions(author: Author, given: Given) -> str:
    """Return one dimension or several."""
    if author.chance(6):
        return dimension(author, given)
    first, *others = permutation(author, given).strip("()").split(", ")
    return f"({first.strip(',') or 0}, {', '.join(others[: author.choose([0, 1])])})"


def permutation(author: Author, given: Given) -> str:
    ndim = len(shape_of(author, given)) + author.chance(1)
    return str(tuple(author.shuffled(range(ndim)))) if ndim else "()"


def sizes(author: Author, given: Given) -> str:
    """Return a shape that the elements of the first tensor can be given."""
    size = math.prod(shape_of(author, given))
    options = [(-1,), (size,), (size, 1), (1, -1), shape_of(author, given)[::-1], (2, -1), (3, -1)]
    return str(author.choose(options))


def expanded(author: Author, given: Given) -> str:
    shape = shape_of(author, given)
    wider = tuple(2 if length == 1 else length for length in shape)
    return str(author.choose([wider, (2, *shape), (2, *wider), (*shape[:-1], -1), (3,)]))


def little(author: Author, given: Given) -> str:
    return str(author.choose([1, 2, 0, 3, -1]))


def shape_literal(author: Author, given: Given) -> str:
    return str(author.choose(SHAPES))


def along(given: Given) -> int:
    """Return the dimension that was drawn before."""
    try:
        return int(given.get("dim", "0"))
    except ValueError:
        return 0


def lengths_along(author: Author, given: Given) -> tuple[tuple[int, ...], int, int]:
    """Return the shape of the first tensor, a dimension of it, and the length there."""
    shape = shape_of(author, given) or (1,)
    dim = along(given)
    dim = dim % len(shape) if -len(shape) <= dim < len(shape) else 0
    return shape, dim, shape[dim]


def positions(author: Author, given: Given) -> str:
    """Return an integer tensor of positions along the dimension drawn before, all of one tensor."""
    shape, dim, length = lengths_along(author, given)
    if not shape_of(author, given):
        return author.new((), "torch.int64", 0, 0)
    wanted = author.choose([length, 1, length + 1]) if length else 0
    return author.new(
        (*shape[:dim], wanted, *shape[dim + 1 :]), "torch.int64", 0, max(length - 1, 0)
    )


def row_positions(author: Author, given: Given) -> str:
    """Return a vector of positions along the dimension drawn before."""
    _, _, length = lengths_along(author, given)
    number = author.choose([2, 1, 3]) if length else 0
    return author.new((number,), "torch.int64", 0, max(length - 1, 0))


def flat_positions(author: Author, given: Given) -> str:
    size = math.prod(shape_of(author, given))
    return author.new(author.choose([(3,), (2, 2), ()]), "torch.int64", 0, max(size - 1, 0))


def like_index(author: Author, given: Given, low: int = -8, high: int = 8) -> str:
    """Return values for the positions drawn before."""
    index = eval(given["index"], author.names)
    shape = index.shape
    if author.chance(2) and "src" not in given:
        shape = (*index.shape[:-1], 4) if index.ndim else ()
    return author.new(shape, dtype_of(author, given), low, high)


def selected(author: Author, given: Given) -> str:
    """Return values for one place along the first dimension."""
    return author.new(shape_of(author, given)[1:], dtype_of(author, given))


def on_diagonal(author: Author, given: Given) -> str:
    """Return values for the diagonal of the first two dimensions."""
    shape = shape_of(author, given)
    return author.new((*shape[2:], min(shape[:2], default=1)), dtype_of(author, given))


def rows_like_index(author: Author, given: Given, low: int = -8, high: int = 8) -> str:
    """Return rows for the positions drawn before: along the dimension, as many as positions."""
    shape, dim, _ = lengths_along(author, given)
    index = eval(given["index"], author.names)
    rows = (*shape[:dim], index.numel(), *shape[dim + 1 :])
    shape = rows if shape_of(author, given) else ()
    return author.new(shape, dtype_of(author, given), low, high)


def item(author: Author, given: Given) -> str:
    """Return what stands between brackets: numbers, slices, None, masks, arrays of integers."""
    shape = shape_of(author, given)
    parts = []
    if author.chance(2) and shape:
        return author.new(shape, "torch.bool") if author.chance(5) else f"{mask(author, given)}"
    for length in shape[: author.integer(0, len(shape))]:
        options = [":", "::2", "1:", ":-1", str(max(length - 1, 0)), "-1", "None, :", "...", "[0]"]
        part = author.choose(options)
        if author.chance(2) and length:
            part = author.new((2,), "torch.int64", -length, length - 1)
        parts.append("0" if part == "..." and "..." in parts else part)
    return ", ".join(parts) or str(author.choose(["...", "None", "()"]))


def item_value(author: Author, given: Given) -> str:
    """Return what may be written to the items drawn before."""
    names = list(given.values())
    if author.chance(4):
        return number(author, given)
    try:
        chosen = eval(f"{names[0]}[{names[1]}]", author.names)
    except Exception:
        return "1.0"
    return author.new(author.choose([chosen.shape, chosen.shape[-1:], ()]), str(chosen.dtype))


def matrix(author: Author, given: Given) -> str:
    """Return a matrix (or a batch) that the last tensor given can be multiplied by."""
    shape = tuple(eval(list(given.values())[-1], author.names).shape) or (1,)
    rows = shape[-1] + author.chance(1)
    return author.new((*shape[:-2], rows, author.choose([2, 3, 1])), dtype_of(author, given))


def vector(author: Author, given: Given) -> str:
    shape = shape_of(author, given) or (1,)
    return author.new((shape[-1] + author.chance(1),), dtype_of(author, given))


def addmm_first(author: Author, given: Given) -> str:
    rows = (shape_of(author, given) or (2,))[0]
    return author.new((rows, 2), dtype_of(author, given))


def addmm_second(author: Author, given: Given) -> str:
    columns = (shape_of(author, given) or (2,))[-1]
    return author.new((2, columns), dtype_of(author, given))


def product_operand(author: Author, given: Given) -> str:
    """Return what `matmul` takes: a vector, a matrix or a batch."""
    shape = shape_of(author, given) or (1,)
    rows = shape[-1] + author.chance(1)
    options = [(rows, 2), (rows,), (2, rows, 1), (2, 1, rows, 2)]
    return author.new(author.choose(options), dtype_of(author, given))


def several(author: Author, given: Given) -> str:
    """Return a list of tensors that can be joined."""
    first = author.tensor()
    shape = author.tensors[first].shape if first in author.tensors else (1,)
    others = [author.new(shape, author.choose(FLOATS)) for _ in range(author.choose([1, 2, 0]))]
    return f"[{', '.join([first, *others])}]"


def starred(function: Callable[[Author, Given], str]) -> Callable[[Author, Given], str]:
    return lambda author, given: f"*{function(author, given)}"


def probabilities(author: Author, given: Given) -> str:
    shape = shape_of(author, given) if given else None
    dtype = dtype_of(author, given) if given else author.choose(FLOATS)
    return author.new(shape, dtype, 1, 3)


def classes(author: Author, given: Given) -> str:
    """Return class numbers for scores."""
    shape = shape_of(author, given) or (1,)
    number = shape[1] if len(shape) > 1 else shape[0]
    return author.new((*shape[:1], *shape[2:]) if len(shape) > 1 else (), "torch.int64", 0,
                      max(number - 1, 0))  # fmt: skip


def class_weights(author: Author, given: Given) -> str:
    shape = shape_of(author, given) or (1,)
    name = author.new((shape[1] if len(shape) > 1 else shape[0],), dtype_of(author, given), 1, 8)
    author.write(f"{name}.requires_grad_(False)")
    return name


def plain_weights(author: Author, given: Given) -> str:
    name = author.new(shape_of(author, given), dtype_of(author, given), 1, 8)
    author.write(f"{name}.requires_grad_(False)")
    return name


def weight_matrix(author: Author, given: Given) -> str:
    shape = shape_of(author, given) or (1,)
    return author.new(author.choose([(2, shape[-1]), (3, shape[-1])]), dtype_of(author, given))


def bias(author: Author, given: Given) -> str:
    rows = eval(given["weight"], author.names).shape[:1]
    return author.new(rows, dtype_of(author, given))


def bilinear_weight(author: Author, given: Given) -> str:
    lengths = [eval(given[one], author.names).shape[-1:] for one in ("input1", "input2")]
    return author.new((2, *lengths[0], *lengths[1]), dtype_of(author, given))


def two_numbers(author: Author, given: Given) -> str:
    return str(author.choose([(1, 2), (-1, 3), (2, 1), (1,)]))


def einsum_arguments(author: Author, given: Given) -> str:
    equation = author.choose(["ij->ji", "ij->", "ij->i", "ij,ij->ij", "ij,kj->ik", "ii->i"])
    terms, dtype = equation.split("->")[0].split(","), author.choose(FLOATS)
    operands = [author.new((3, 3) if one == "ii" else (2, 3), dtype) for one in terms]
    return ", ".join([repr(equation), *operands])


def last_given(author: Author, given: Given) -> tuple[int, ...]:
    """Return the shape of the tensor given last, of at least one dimension."""
    return tuple(eval(list(given.values())[-1], author.names).shape) or (1,)


def rows_of_matrix(author: Author, given: Given) -> str:
    """Return a matrix with as many rows as the first tensor is long."""
    return author.new(((shape_of(author, given) or (2,))[0], 2), dtype_of(author, given))


def as_long_as_last(author: Author, given: Given) -> str:
    """Return a vector as long as the last dimension of what was given last; rarely, longer."""
    return author.new((last_given(author, given)[-1] + author.chance(1),), dtype_of(author, given))


def first_of_shape(author: Author, given: Given) -> str:
    """Return a vector as long as the first dimension."""
    return author.new((shape_of(author, given) or (2,))[:1], dtype_of(author, given))


def batch_rows(author: Author, given: Given) -> str:
    shape = (1, 1, 1, *shape_of(author, given))[-3:]
    return author.new((*shape[:2], 2), dtype_of(author, given))


def batch_columns(author: Author, given: Given) -> str:
    shape = (1, 1, 1, *shape_of(author, given))[-3:]
    return author.new((shape[0], 2, shape[2]), dtype_of(author, given))


def matrices(author: Author, given: Given) -> str:
    """Return two matrices or three that can be multiplied one by the other; rarely, that cannot."""
    rows, dtype = 2, author.choose(FLOATS)
    found = []
    for columns in author.choose([(3, 1), (3, 1, 2), (1, 2)]):
        found.append(author.new((rows + author.chance(1), columns), dtype))
        rows = columns
    return ", ".join(found)


def regular(author: Author, given: Given) -> str:
    """Return a matrix, or a batch, that has an inverse and is far from having none."""
    size, dtype = author.choose([2, 3]), author.choose(FLOATS)
    name = author.new(author.choose([(size, size), (2, size, size)]), dtype)
    result = author.new_name()
    author.write(f"{result} = {name} + 9 * torch.eye({size}, dtype={dtype})")
    return result


def channels(author: Author, given: Given) -> str:
    """Return a number for each channel, the second dimension."""
    shape = shape_of(author, given)
    name = author.new(shape[1:2] or (1,), dtype_of(author, given), 1, 8)
    author.write(f"{name}.requires_grad_(False)")
    return name


def last_dimension(author: Author, given: Given) -> str:
    """Return a number for each place along the last dimension."""
    return author.new(shape_of(author, given)[-1:], dtype_of(author, given))


Drawer = Callable[[Author, Given], str]
PARAMETERS: dict[str, Drawer] = {
    # by annotation, for a parameter whose name is not below
    "Tensor": broadcastable,
    "int": little,
    "float": fraction,
    "bool": boolean,
    # tensors
    "input": any_tensor,
    "self": any_tensor,
    "tensor": vector,
    "tensors": several,
    "broadcast_tensors.tensors": starred(several),
    "meshgrid.tensors": starred(lambda author, given: f"[{author.tensor(1)}, {author.tensor(1)}]"),
    "obj": any_tensor,
    "condition": lambda author, given: author.new(None, "torch.bool"),
    "where.input": operand,
    "where.condition": lambda author, given: (
        mask(author, given) if given else author.new(None, "torch.bool")
    ),
    "unfold.size": literal(1, 2, 0, 3),
    "other": operand,
    **{f"{name}.other": broadcastable for name in TENSORS_ONLY},
    "matmul.other": product_operand,
    "@.other": product_operand,
    "exponent": lambda author, given: (
        number(author, given) if author.chance(4) else author.new((1,), author.choose(DTYPES[:3]))
    ),
    **{f"{name}.input": floats for name in FLOATS_ONLY},
    **{f"{name}.self": floats for name in FLOATS_ONLY},
    **{
        f"{name}.other": like_floats
        for name in ("atan2", "arctan2", "logaddexp", "logaddexp2", "hypot")
    },
    **{f"{name}.self": integers for name in INTEGERS_ONLY},
    **{f"{name}.input": integers for name in INTEGERS_ONLY},
    **{f"{name}.other": integers for name in INTEGERS_ONLY},
    "norm.dtype": lambda author, given: "torch.float64",
    "nansum.dtype": lambda author, given: "torch.float64",
    "end": broadcastable,
    "slice_scatter.end": literal(1, 2, -1),
    "lerp.weight": operand,
    "tensor1": of_same_dtype,
    "tensor2": of_same_dtype,
    "mask": mask,
    "min": operand,
    "max": operand,
    "mat2": matrix,
    "addmm.mat1": addmm_first,
    "addmm.mat2": addmm_second,
    "vec": vector,
    "vec2": lambda author, given: author.tensor(1),
    "mat": rows_of_matrix,
    "addmv.vec": as_long_as_last,
    "vec1": first_of_shape,
    "addr.vec2": vector,
    "batch1": batch_rows,
    "batch2": batch_columns,
    "A": regular,
    "B": lambda author, given: author.new(shape_of(author, given), dtype_of(author, given)),
    "chain_matmul.matrices": matrices,
    "multi_dot.tensors": lambda author, given: f"[{matrices(author, given)}]",
    "block_diag.tensors": starred(several),
    "cartesian_prod.tensors": starred(
        lambda author, given: f"[{author.tensor(1)}, {author.tensor(1)}]"
    ),
    "elements": any_tensor,
    "test_elements": any_tensor,
    "sorted_sequence": lambda author, given: author.new((3,), author.choose(DTYPES[:3]), 0, 0),
    "boundaries": lambda author, given: author.new((3,), author.choose(DTYPES[:3]), 0, 0),
    "result_type.tensor2": operand,
    "q": lambda author, given: author.choose(["0.5", "0.25", "1.0", "2.0", "torch.tensor(0.5)"]),
    "y": any_tensor,
    "x": any_tensor,
    "vander.x": lambda author, given: author.tensor(1),
    "vecdot.y": broadcastable,
    "vdot.other": same_shape,
    "trapz.x": same_shape,
    "trapezoid.x": same_shape,
    "cumulative_trapezoid.x": same_shape,
    "__invert__.self": integers,
    "__invert__.input": integers,
    "apply_.input": plain,
    "map_.input": plain,
    "map_.other": same_shape,
    "batch_norm.input": new([(2, 3), (2, 3, 1), (3, 2), (0, 3), (3,)]),
    "bernoulli.input": probabilities,
    "bernoulli.p": lambda author, given: (
        author.choose(["0.5", "1"]) if author.chance(5) else probabilities(author, given)
    ),
    "bincount.input": new([(3,), (0,), (2, 3)], ["torch.int64"], 0, 4),
    "bincount.weights": lambda author, given: author.new(shape_of(author, given), FLOATS[0]),
    "minlength": literal(0, 5, -1),
    "broadcast_to.sizes": expanded,
    "expand.sizes": expanded,
    "from_": literal(0, 1),
    "can_cast.from_": lambda author, given: str(author.choose(DTYPES)),
    "can_cast.to": lambda author, given: str(author.choose(DTYPES)),
    "clamp.min": bound,
    "clip.min": bound,
    "clamp.max": like_bound,
    "clip.max": like_bound,
    "cosine_embedding_loss.input1": new([(2, 3), (3,), (2, 0)]),
    "cosine_embedding_loss.target": lambda author, given: author.new(
        eval(given["input1"], author.names).shape[:-1], "torch.int64", -1, 1
    ),
    "cross.self": new([(3,), (2, 3), (3, 3), (2, 2, 3)]),
    "cross.input": new([(3,), (2, 3), (3, 3), (2, 2, 3)]),
    "cross.other": same_shape,
    "diagonal_scatter.dim1": literal(0, 1),
    "diagonal_scatter.dim2": literal(1, -1),
    "geometric.self": floats,
    "geometric.p": literal(0.5, 0.25, 1),
    "glu.input": new([(2, 2), (3, 2), (2,), (2, 3)]),
    "index_reduce.index": row_positions,
    "index_reduce.reduce": literal("prod", "mean", "amax", "amin"),
    "is_nonzero.input": new([(), (1,), (3,)], DTYPES),
    "logdet.input": regular,
    "matrix_power.input": regular,
    "matrix_power.A": regular,
    "n": literal(5, 0, 3),
    "matrix_power.n": literal(2, 3, 0, 1, -1, -2, 5),
    "narrow.start": literal(0, 1, -1),
    "narrow.length": literal(1, 2, 0, 3),
    "new_ones.sizes": shape_literal,
    "new_zeros.sizes": shape_literal,
    "rand.sizes": shape_literal,
    "randn.sizes": shape_literal,
    "multinomial.num_samples": literal(1, 2, 4, 0),
    "normalize.input": floats,
    "one_hot.tensor": new([(3,), (2, 3), (), (0,)], ["torch.int64"], 0, 2),
    "poisson.input": probabilities,
    "prelu.input": new([(3,), (2, 3), (2, 3, 1), ()]),
    "prelu.weight": lambda author, given: author.new(
        author.choose([(), (1,), (shape_of(author, given)[1:2] or (1,))]), dtype_of(author, given)
    ),
    "repeat.times": lambda author, given: str(
        tuple(author.choose([1, 2, 0]) for _ in (*shape_of(author, given), *[0] * author.chance(3)))
    ),
    "as_strided.stride": strides_for,
    "as_strided_.stride": strides_for,
    "set_.stride": strides_for,
    "unfold.step": literal(1, 2, 3, 0),
    "axis0": dimension,
    "axis1": dimension,
    "k": literal(1, 2, 3, 0),
    "multinomial.input": new([(3,), (2, 3), (2, 0)], FLOATS, 0, 3),
    "normal.mean": lambda author, given: (
        fraction(author, given) if author.chance(4) or given else author.new(dtype=FLOATS[0])
    ),
    "normal.std": lambda author, given: (
        "0.5" if "self" in given or author.chance(2) else probabilities(author, given)
    ),
    "xlogy.input": lambda author, given: (
        number(author, given) if author.chance(2) else author.tensor()
    ),
    "remainder.input": lambda author, given: (
        number(author, given) if author.chance(1) else author.tensor()
    ),
    "fill.value": lambda author, given: (
        number(author, given) if author.chance(4) else author.new(())
    ),
    "cholesky.self": regular,
    "cdist.x1": new([(3, 2), (2, 2, 2), (2, 3), (0, 2), (2, 0)]),
    "cdist.x2": lambda author, given: author.new(
        (author.choose([2, 3, 1]), shape_of(author, given)[-1]), dtype_of(author, given)
    ),
    "cdist.p": literal(2, 1, 0.5, 3, 0, float("inf"), -1),
    "scatter.src": lambda author, given: (
        number(author, given) if author.chance(3) else like_index(author, given)
    ),
    "scatter.reduce": literal("add", "multiply"),
    # Several of which are zero.
    "scatter_reduce.src": lambda author, given: like_index(
        author, given, *author.choose([(-1, 1), (0, 0)])
    ),
    "index_reduce.source": lambda author, given: rows_like_index(
        author, given, *author.choose([(-1, 1), (0, 0)])
    ),
    # Far from having no inverse.
    "pinverse.input": regular,
    "pinv.self": regular,
    "compute_mode": literal(*COMPUTE_MODES),
    "input1": floats,
    "input2": same_shape,
    "anchor": floats,
    "positive": same_shape,
    "negative": same_shape,
    "var": probabilities,
    "running_mean": channels,
    "running_var": channels,
    "group_norm.input": new([(2, 4), (2, 2, 3), (1, 2), (0, 2), (3,)]),
    "group_norm.num_groups": literal(2, 1, 3, 0),
    "group_norm.weight": channels,
    "group_norm.bias": channels,
    "batch_norm.weight": channels,
    "batch_norm.bias": channels,
    "layer_norm.weight": last_dimension,
    "layer_norm.bias": last_dimension,
    "a": floats,
    "b": broadcastable,
    "tensordot.b": same_shape,
    "src": like_index,
    "copy.src": broadcastable,
    "select_scatter.src": selected,
    "slice_scatter.src": same_shape,
    "diagonal_scatter.src": on_diagonal,
    "x1": any_tensor,
    "x2": broadcastable,
    # positions
    "index": positions,
    "select.index": little,
    "select_scatter.index": little,
    "index_select.index": row_positions,
    "index_add.index": row_positions,
    "take.index": flat_positions,
    "take_along_dim.indices": positions,
    "indices": lambda author, given: f"({row_positions(author, given)},)",
    "values": lambda author, given: author.new(author.choose([(), (1,)]), dtype_of(author, given)),
    "__getitem__.index": item,
    "__setitem__.index": item,
    "__setitem__.value": item_value,
    # dimensions and sizes
    "dim": dimension,
    "axis": dimension,
    "dim0": dimension,
    "dim1": dimension,
    "dim2": dimension,
    "dimension": dimension,
    "start_dim": dimension,
    "end_dim": dimension,
    "source": rows_like_index,
    "movedim.source": dimension,
    "moveaxis.source": dimension,
    "put.index": flat_positions,
    "put.source": like_index,
    "set_.source": same_shape,
    "masked_scatter.source": same_shape,
    "index_copy.index": row_positions,
    "index_fill.index": row_positions,
    "destination": dimension,
    "order": permutation,
    "dims": permutation,
    "size": shape_literal,
    "sizes": sizes,
    "shape": sizes,
    "shapes": lambda author, given: f"{author.choose(SHAPES)}, {author.choose(SHAPES)}",
    "times": two_numbers,
    "repeats": little,
    "length": little,
    "start": little,
    "step": little,
    "chunks": literal(1, 2, 3, 5, 0),
    "split_size_or_sections": literal(1, 2, [1, 1], [1, 2], 0),
    "split_size": literal(1, 2, [1, 1], [1, 2], 0),
    "split_sizes": partition,
    "indices_or_sections": literal(2, 1, 3, [1], [1, 2], 0),
    "normalized_shape": lambda author, given: str(shape_of(author, given)[-1:]),
    "pad": literal([1, 1], [0, 1], [2, 0], [1, 0, 0, 1], [-1, 1], [0, -1], [1]),
    "num_samples": little,
    "row": little,
    "col": little,
    "prepend": same_shape,
    "append": same_shape,
    "padding_idx": literal(None, 0, 1, -1),
    "embedding.input": lambda author, given: author.new(None, "torch.int64", 0, 2),
    "embedding.weight": lambda author, given: author.new((3, 2), author.choose(FLOATS)),
    "storage_offset": literal(0, 1, 2),
    "as_strided.size": literal((2,), (1, 2), (1,), (2, 2), (0, 2)),
    "as_strided_.size": literal((2,), (1, 2), (1,), (2, 2), (0, 2)),
    "set_.size": literal((2,), (1, 2), (1,), (2, 2), (0, 2)),
    "offset": literal(0, 1, -1, 5),
    "diagonal": literal(0, 1, -1, 5),
    "shifts": little,
    "keepdim": boolean,
    # numbers and words
    "alpha": number,
    "beta": number,
    "maxnorm": literal(1.0, 0.5),
    "margin": literal(1.0, 0.5, 0),
    "callable": lambda author, given: "lambda *given: given[0] * 2",
    "reduce": literal("sum", "prod", "mean", "amax", "amin"),
    "interpolation": literal("linear", "lower", "higher", "nearest", "midpoint"),
    "ord": literal(2, 1, float("inf"), -1, 0),
    "matrix_norm.ord": literal("fro", "nuc", 1, float("inf"), 2),
    "hermitian": literal(False),
    "include_self": boolean,
    "increasing": boolean,
    "training": literal(True),
    "upper": boolean,
    "left": literal(True),
    "bins": literal(3, 5),
    "histc.min": literal(0),
    "histc.max": literal(0),
    "range": literal((-1.0, 2.5)),
    "density": boolean,
    "histogram.weight": plain_weights,
    "value": number,
    "p": literal(2, 1, 0, 3, float("inf"), -1),
    "normalize.p": literal(2.0, 1.0),
    "rounding_mode": literal("floor", "trunc", None),
    "decimals": literal(1, -1, 2),
    "nan": fraction,
    "posinf": fraction,
    "neginf": fraction,
    "rtol": literal(1e-5, 0.1),
    "atol": literal(1e-8, 0.1),
    "equal_nan": boolean,
    "descending": boolean,
    "stable": boolean,
    "sorted": boolean,
    "largest": boolean,
    "unbiased": boolean,
    "correction": literal(0, 1, 2),
    "accumulate": boolean,
    "dtype": lambda author, given: str(author.choose(DTYPES[:3])),
    "tensordot.dims": literal(1, 2, 0, ([0], [0])),
    "indexing": literal("ij", "xy"),
    "args": einsum_arguments,
    "approximate": literal("none", "tanh"),
    "reduction": literal("mean", "sum", "none"),
    "threshold": fraction,
    "label_smoothing": literal(0.0, 0.1),
    "ignore_index": literal(-100, 1),
    "num_classes": literal(-1, 5, 2),
    "inplace": boolean,
    "eps": literal(1e-8, 0.1),
    "data": literal([1.0, 2.0], [[1], [2]], 3),
    "fill_value": number,
    "low": literal(0, -2),
    "high": literal(3, 9),
    "mean": fraction,
    "std": literal(0.5, 1.0, 2.0),
    "generator": literal(None),
    "device": literal("cpu"),
    "lambd": literal(1.0, 2.0),
    "to": literal(2, 5),
    "non_blocking": boolean,
    "copy": boolean,
    "target": same_shape,
    "as_tuple": boolean,
    "sparse_grad": literal(False),
    "delta": literal(1.0, 0.5),
    # losses
    "binary_cross_entropy.input": probabilities,
    "binary_cross_entropy.target": probabilities,
    "binary_cross_entropy_with_logits.target": probabilities,
    "nll_loss.target": classes,
    "cross_entropy.target": classes,
    "nll_loss.weight": class_weights,
    "cross_entropy.weight": class_weights,
    "pos_weight": plain_weights,
    "weight": plain_weights,
    "bilinear.weight": bilinear_weight,
    "linear.weight": weight_matrix,
    "scaled_dot_product_attention.query": new([(1, 2, 3, 2), (2, 3, 2), (3, 2), (1, 1, 2, 3)]),
    "scaled_dot_product_attention.key": same_shape,
    "scaled_dot_product_attention.value": same_shape,
    "scaled_dot_product_attention.attn_mask": attention_mask,
    "scaled_dot_product_attention.dropout_p": literal(0.0),
    "scaled_dot_product_attention.scale": literal(None, 0.5, 2.0),
    "bias": bias,
}


@st.composite
def programs(draw: Callable[[Any], Any], name: str, others: Sequence[str]) -> str:
    """Return a program that calls one operation, and a few of others before and after it."""
    author = Author(draw)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        minigrad.manual_seed(0)
        author.write("torch.manual_seed(0)")
        everything = operations()
        before, after = draw(st.integers(0, 2)), draw(st.integers(0, 2))
        chosen = [author.choose(others) for _ in range(before + after)]
        for place, one in enumerate([*chosen[:before], name, *chosen[before:]]):
            if author.chance(2) and not author.failed:
                author.step_aside()
            mode = f"with torch.{author.choose(MODES)}: " if author.integer(0, 29) == 29 else ""
            if not author.failed:
                author.call(everything[one], mode)
            if author.failed and place < before and not author.chance(1):
                # Lest programs end before they come to the operation.
                author.lines.pop()
                author.failed = False
    return "\n".join(author.lines)
