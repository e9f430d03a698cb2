"""What an operation computes and passes back, in the program's own names and numbers."""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import NO_MARKS, Gradient, Marks
from minigrad.viz.draw.text import Words, shorten
from minigrad.viz.read.saved import HELD
from minigrad.viz.read.snapshot import Node, Saved
from minigrad.viz.read.values import Value, format_number
from minigrad.viz.rules import RULES, sign_of
from minigrad.viz.rules.formula import (
    MINUS,
    OMITTED,
    ONE,
    UNKNOWN,
    derivative,
    equations,
    is_product,
    names_in,
    number,
    parse,
    text_of,
    write,
)

_LONGEST_NUMBERS = 16
_LONGEST_INSIDE = 24  # an operation's formula inside another one's
_LONGEST_FORMULA = 60
_MOST_ENTRIES = 4
_NUMBERS = re.compile(r"-?(nan|inf)|[-\d.e+, \[\]]+")
_FIRST = re.compile(r"^(?:all |\[+)([^,\]]*).*")
_UNKNOWN = re.compile("constant|size")

Scope = dict[str, ast.expr]  # what the names in a rule are to be replaced by


class Operation:
    """What there is to say of one operation.

    >>> import minigrad as torch
    >>> from minigrad.viz import draw
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> words = Words(draw(x * 2).snapshot)
    >>> Operation(words, words.nodes["n1"]).sentence
    'The result is x × 2. x gets 2 times what arrives.'
    >>> marks = Marks(gradients={("t1", 0): Gradient("0.5"), ("n1", 0): Gradient("1")})
    >>> Operation(words, words.nodes["n1"], marks).sentence
    '0.5 arrives at ×. x gets 0.5 × 2 = 1.'
    """

    def __init__(self, words: Words, node: Node, marks: Marks = NO_MARKS) -> None:
        self.words, self.node, self.marks = words, node, marks
        self.rule, self.sign = RULES.get(node.name), shorten(sign_of(node.name))
        self.known, self.scope = _known(words, node), _scope(words, node)
        self.formula, text = _forward(words, node)
        outputs = words.outputs.get(node.id, [])
        self.names = [name for name in (words.named(node.id, one) for one in outputs) if name]
        self.computes = f"{', '.join(self.names) + ' =' if self.names else 'The result is'} {text}"
        self.scope["result"] = ast.Name(self.names[0]) if self.names else self.formula
        keys = self.rule.inputs if self.rule else ("",)
        self.targets = [
            (index, keys[min(index, len(keys) - 1)], *_place(words, source.node, source.output))
            for index, source in enumerate(node.inputs)
            if source.node is not None
        ]
        self.arriving = self._arriving() if outputs == [0] else []
        self.total = _total(self.arriving)

    @property
    def explanation(self) -> str:
        """What stands beside the picture: ``y = x × 2, so x gets 2 times what arrives.``"""
        clauses = self._clauses()
        return f"{self.computes}{', so ' * bool(clauses)}{clauses}.{self._keeps}"

    @property
    def sentence(self) -> str:
        """What is said when somebody points at it: with numbers, if a gradient has arrived."""
        start = self._arrives if self.arriving else self.computes
        clauses = re.sub("^[et](?=ach |he )", lambda one: one[0].upper(), self._clauses(True))
        return f"{start}.{' ' * bool(clauses)}{clauses}{'.' * bool(clauses)}{self._keeps}"

    @property
    def mathematics(self) -> str:
        """The operation and its derivatives in MathML; nothing where words say it better."""
        if self.rule is None or self.rule.says:
            return ""
        result = self.scope["result"]
        drawn = [one.names[:1] for one in self.words.snapshot.tensors if one.drawn]
        loss = ast.Name("ℒ")  # which no program has as a name
        if len(drawn) == 1 and drawn[0] and shorten(drawn[0][0]) not in self.names:
            loss = ast.Name(shorten(drawn[0][0]))
        sides = [(result, self.formula)] if self.names else []
        for _, key, target, _ in self.targets:
            local = is_product(self.rule.backward[key])
            scope = {**self.scope, "grad": ONE if local else derivative(loss, result)}
            passed = write(self.rule.backward[key], scope)
            sides.append((derivative(result if local else loss, target), passed))
        return equations(sides)

    @property
    def _keeps(self) -> str:
        """What an operation without a rule keeps, as a sentence of its own."""
        kept = [_saved(self.words, one) for one in self.node.saved if one.state == HELD]
        texts = dict.fromkeys(text_of(one) for one in kept if one is not None)
        return f" It keeps {', '.join(texts)}." if texts and self.rule is None else ""

    @property
    def _arrives(self) -> str:
        parts = " + ".join(map(_shown, self.arriving)).replace(f"+ {MINUS}", f"{MINUS} ")
        if not all(map(_is_short, self.arriving)):
            result = self.known.get("result")
            parts = f"A gradient of shape {list(result.shape)}" if result else "A gradient"
        elif len(self.arriving) > 1:
            parts += f" = {_shown(self.total)}" if self.total else ", added up,"
        return f"{parts} arrives at {self.sign}"

    def _arriving(self) -> list[str]:
        """The gradients that add up to what arrives; none while one of them is on its way."""
        result = self.words.at.get((self.node.id, 0))
        edges = [*self.words.uses.get(self.node.id, ()), *([(result.id, 0)] if result else [])]
        known = [self._gradient(*edge) for edge in edges if edge in self.marks.gradients]
        has_run = any(self._gradient(self.node.id, index) for index, *_ in self.targets)
        return [one for one in known if one] if has_run or all(known) else []

    def _gradient(self, part: str, index: int) -> str:
        """The gradient on an edge; of ``1 × 2 = 2``, the last number."""
        return self.marks.gradients.get((part, index), Gradient()).text.rpartition(" = ")[2]

    def _clauses(self, pointed: bool = False) -> str:
        """What each input gets; pointed: numbers instead of words, where they say it all."""
        counted = Counter(self._clause(*target, pointed) for target in self.targets)
        times = {1: "", 2: ", twice"}
        return "; ".join(one + times.get(n, f", {n} times") for one, n in counted.items())

    def _clause(self, index: int, key: str, _: ast.expr, name: str, pointed: bool) -> str:
        formula = self.rule.backward[key] if self.rule and not self.rule.says else ""
        passed = self._gradient(self.node.id, index)
        shape = self.known[key].shape if key in self.known else None
        if "expand_as" in formula and shape != ():
            passed, name = _FIRST.sub(r"\1", passed), f"each entry of {name}"  # all are equal
        numbers = [_shown(passed)] if _is_short(passed) else []
        if not formula:
            says = self.rule.says if self.rule else "{} gets what its backward returns"
            return ": ".join([says.replace("{}", name), *numbers])
        size = self._size(shape, formula)
        if is_product(formula) and "summed" not in size:
            numbers = [*dict.fromkeys([*self._products(formula), *numbers])]
            if pointed and numbers:
                return f"{name} gets {' = '.join(numbers)}"
        equal = [" = ".join(numbers)] if numbers else []
        return ": ".join([f"{name} gets {self._passes(formula)}{size}", *equal])

    def _passes(self, formula: str) -> str:
        """What a formula passes back, in words."""
        if not is_product(formula):
            return text_of(write(formula, {**self.scope, "grad": ast.Name("what arrives")}))
        factor = write(formula, {**self.scope, "grad": ONE})
        text = text_of(ast.BinOp(factor, ast.Mult(), ast.Name(" "))).removesuffix(" ×  ")
        if len(text) > _LONGEST_FORMULA:
            text = f"the slope of {self.sign}"
        return {"1": "", f"{MINUS}1": "minus "}.get(text, f"{text} times ") + "what arrives"

    def _products(self, formula: str) -> Iterator[str]:
        """What arrives times something: by its name, and in numbers where they are few."""
        values = {key: number(one.text) for key, one in self.known.items() if _is_short(one.text)}
        values |= _exact(self.words, self.node, self.known)
        used = names_in(parse(formula)) & self.scope.keys()
        for scope in (self.scope, values) if self.total else ():
            text = text_of(write(formula, {**scope, "grad": number(self.total)}))
            if used <= scope.keys() and len(text) <= _LONGEST_FORMULA and not _UNKNOWN.search(text):
                yield text

    def _size(self, shape: tuple[int, ...] | None, formula: str) -> str:
        """What shape an input's gradient has, where it is large or was summed to it."""
        result = self.known["result"].shape if "result" in self.known else shape
        if shape is None or result is None:
            return ""
        is_summed = math.prod(shape) < math.prod(result)
        if is_product(formula) and (is_summed or (not shape and "[" in self.total)):
            return f", summed to shape {list(shape)}" if shape else ", summed"
        return f", shape {list(shape)}" if math.prod(shape) > _MOST_ENTRIES else ""


def _known(words: Words, node: Node) -> dict[str, Value]:
    """The values of what a node's rule names, as far as they are known."""
    saved = [
        (one.name, words.tensors[one.tensor].value if one.tensor else one.value)
        for one in node.saved
    ]
    places = {**_places(node), "result": (node.id, 0)}
    known = {key: value for key, value in saved if value is not None}
    return known | {
        key: words.at[place].value for key, place in places.items() if place in words.at
    }


def _places(node: Node) -> dict[str, tuple[str, int]]:
    """Where in the graph the inputs are, by what the rule of the node calls them."""
    inputs = RULES[node.name].inputs if node.name in RULES else ()
    pairs = zip(inputs, node.inputs, strict=False)
    return {key: (source.node, source.output) for key, source in pairs if source.node}


def _scope(words: Words, node: Node, depth: int = 2) -> Scope:
    """What the program calls what a node's rule names."""
    saved = {one.name: _saved(words, one, depth - 1) for one in node.saved if one.name != "result"}
    inputs = RULES[node.name].inputs if "@" in sign_of(node.name) else ()
    return {
        **dict.fromkeys(inputs, ast.Name("data")),
        "mask": ast.Name("the mask"),
        "condition": ast.Name("the condition holds"),
        **{key: one for key, one in saved.items() if one is not None},
        **{key: _place(words, *place, depth)[0] for key, place in _places(node).items()},
        **_exact(words, node, _known(words, node)),
    }


def _exact(words: Words, node: Node, known: dict[str, Value]) -> Scope:
    """The plain numbers that a node was given, and how many entries tensors have."""
    numbers = {
        key: ast.Constant(ast.literal_eval(text)) if text[-1].isdigit() else number(text)
        for key, text in node.numbers
    }
    is_mean = dict(node.numbers).get("reduction", "1") == "1"  # else a loss isn't divided
    sizes = {
        f"{key}.numel()": ast.Constant(math.prod(one.shape) if is_mean else 1)
        for key, one in known.items()
    }
    return {"alpha": ONE, **_given(words, node, known), **numbers, **sizes}


def _given(words: Words, node: Node, known: dict[str, Value]) -> Scope:
    """The number that an operation was given beside a tensor, as the values around it tell it."""
    rule, places = RULES.get(node.name), _places(node)
    tensor, result = words.at.get(places.get("self", ("", 0))), known.get("result")
    if rule is None or rule.sign not in "+−×÷" or "other" in {**known, **places}:
        return {}
    if tensor is None or result is None or tensor.version or tensor.value.shape != result.shape:
        return {}  # with another version, the tensor holds other numbers than it did
    pairs = list(zip(_floats(tensor.value.text), _floats(result.text), strict=True))
    for x, y in pairs[:1]:
        for exact in (y - x, x - y, x + y, y / (x or math.nan), x / (y or math.nan)):
            scopes = [{"alpha": 1, "self": one, "other": round(exact, 2)} for one, _ in pairs]
            again = [eval(rule.forward, scope) for scope in scopes if scope["other"]]
            if again and all(
                math.isclose(one, y, rel_tol=1e-3, abs_tol=1e-3)
                for one, (_, y) in zip(again, pairs, strict=True)
            ):
                return {"other": number(format_number(round(exact, 2)))}
    return {}


def _forward(words: Words, node: Node, depth: int = 2) -> tuple[ast.expr, str]:
    """What a node computes; by its sign alone where that is long, or where there is no rule."""
    rule = RULES.get(node.name)
    if rule is not None and rule.inputs != ("tensors",):
        formula = write(rule.forward, _scope(words, node, depth))
        if len(text := text_of(formula)) <= _LONGEST_FORMULA:
            return formula, text
    given = [
        _place(words, one.node, one.output, 0)[1] if one.node else UNKNOWN.id for one in node.inputs
    ]
    text = f"{shorten(sign_of(node.name))}({shorten(', '.join(given), _LONGEST_FORMULA)})"
    return ast.Name(text), text


def _place(words: Words, node: str, output: int, depth: int = 2) -> tuple[ast.expr, str]:
    """A tensor by its name, or by what made it in short."""
    if (node, output, depth) not in words.formulas:
        words.formulas[node, output, depth] = _made(words, words.nodes[node], output, depth)
    return words.formulas[node, output, depth]


def _made(words: Words, node: Node, output: int, depth: int) -> tuple[ast.expr, str]:
    name = words.named(node.id, output) or "a leaf" * (node.kind == "accumulate")
    for level in range(0 if name or isinstance(node, Folded) else depth, 0, -1):
        formula, text = _forward(words, node, level - 1)
        if len(text) <= _LONGEST_INSIDE:
            return formula, text
    sign = shorten(node.title if isinstance(node, Folded) else sign_of(node.name))
    name = name or (f"the result of {sign}" if depth else OMITTED.id)
    return ast.Name(name), name


def _saved(words: Words, saved: Saved, depth: int = 1) -> ast.expr | None:
    """A saved value by its name, or as numbers if they are few."""
    tensor = words.tensors[saved.tensor] if saved.tensor else None
    if tensor is not None and tensor.node is not None:
        return _place(words, tensor.node, tensor.output, depth)[0]
    names, value = (tensor.names, tensor.value) if tensor else (saved.names, saved.value)
    if names or value is None or value.dtype == "bool":
        return ast.Name(shorten(names[0])) if names else None
    is_short = _is_short(value.text)
    return number(value.text) if is_short else ast.Name(f"data of shape {list(value.shape)}")


def _total(arriving: list[str]) -> str:
    """The sum of what arrives, if it can be shown."""
    if not all(map(_is_short, arriving)) or any("[" in one for one in arriving[1:]):
        return ""
    return format_number(sum(map(float, arriving))) if arriving[1:] else "".join(arriving)


def _floats(text: str) -> list[float]:
    """The numbers, if they are few."""
    return [float(one) for one in re.findall(r"[-\d.e]+", text)] if _is_short(text) else []


def _shown(numbers: str) -> str:
    return text_of(number(numbers))


def _is_short(text: str) -> bool:
    """Whether a text is a few numbers."""
    return len(text) <= _LONGEST_NUMBERS and _NUMBERS.fullmatch(text) is not None
