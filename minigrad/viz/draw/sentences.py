"""What an operation computes and passes back, in the program's own names and numbers."""

import ast
import math
import operator
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import NO_MARKS, EdgeKey, Gradient, Marks
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
    number,
    text_of,
    write,
)

_LONGEST_NUMBERS = 16
_LONGEST_INSIDE = 24  # an operation's formula inside another one's
_LONGEST_FORMULA = 60
_MOST_ENTRIES = 4
_NUMBERS = re.compile(r"-?(nan|inf)|[-\d.e+, \[\]]+")
_ANY = re.compile(r"^(?:all |\[+)([^,\]]*).*")
_TIMES = {1: "", 2: ", twice"}

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
        self.rule = RULES.get(node.name)
        self.sign = shorten(sign_of(node.name))
        self.known = _known(words, node)
        self.scope, self.formula = _scope(words, node), _forward(words, node)
        outputs = words.outputs.get(node.id, [])
        self.names = list(filter(None, (words.named(node.id, output) for output in outputs)))
        self.scope["result"] = ast.Name(self.names[0]) if self.names else self.formula
        self.arriving = self._arriving() if outputs == [0] else []
        self.total = _total(self.arriving)

    @property
    def explanation(self) -> str:
        """What stands beside the picture: ``y = x × 2, so x gets 2 times what arrives.``"""
        clauses = self._clauses()
        return f"{self._computed}{', so ' * bool(clauses)}{clauses}.{self._keeps}"

    @property
    def sentence(self) -> str:
        """What is said when somebody points at it: with numbers, if a gradient has arrived."""
        start = self._arrives if self.arriving else self._computed
        clauses = re.sub(
            "^(each|the) ", lambda word: word[0].capitalize(), self._clauses(pointed=True)
        )
        return f"{start}.{' ' * bool(clauses)}{clauses}{'.' * bool(clauses)}{self._keeps}"

    @property
    def mathematics(self) -> str:
        """The operation and its derivatives in MathML; nothing where words say it better."""
        if self.rule is None or self.rule.says:
            return ""
        result = self.scope["result"]
        drawn = {self.words.tensor(one) for one in self.words.snapshot.tensors if one.drawn}
        is_loss = len(drawn) == 1 and drawn.isdisjoint([*self.names, "unnamed"])
        loss = ast.Name(*drawn if is_loss else "ℒ")  # no program has ℒ as a name
        sides = [(result, self.formula)] if self.names else []
        for _, key, target in self._targets():
            local = is_product(self.rule.backward[key])
            scope = {**self.scope, "grad": ONE if local else derivative(loss, result)}
            passed = write(self.rule.backward[key], scope)
            sides.append((derivative(result if local else loss, target), passed))
        return equations(sides)

    @property
    def _computed(self) -> str:
        result = f"{', '.join(self.names)} =" if self.names else "The result is"
        return f"{result} {text_of(self.formula)}"

    @property
    def _keeps(self) -> str:
        kept = [_saved(self.words, one) for one in self.node.saved if one.state == HELD]
        texts = dict.fromkeys(text_of(one) for one in kept if one is not None)
        return f" It keeps {', '.join(texts)}." if texts and self.rule is None else ""

    @property
    def _arrives(self) -> str:
        parts = " + ".join(map(_shown, self.arriving)).replace(f"+ {MINUS}", f"{MINUS} ")
        if not all(map(_is_short, self.arriving)):
            shape = (
                f" of shape {list(self.known['result'].shape)}" if "result" in self.known else ""
            )
            parts = f"A gradient{shape}"
        elif len(self.arriving) > 1:
            parts += f" = {_shown(self.total)}" if self.total else ", added up,"
        return f"{parts} arrives at {self.sign}"

    def _targets(self) -> Iterator[tuple[int, str, ast.expr]]:
        """The inputs that get a gradient: which one, what the rule calls it, and its name."""
        inputs = self.rule.inputs if self.rule else ("",)
        for index, source in enumerate(self.node.inputs):
            if source.node is not None:
                target = _place(self.words, source.node, source.output)
                yield index, inputs[min(index, len(inputs) - 1)], target

    def _clauses(self, pointed: bool = False) -> str:
        """What each input gets; pointed: numbers instead of words, where they say it all."""
        counted = Counter(self._clause(*target, pointed) for target in self._targets())
        return "; ".join(
            f"{clause}{_TIMES.get(times, f', {times} times')}"
            for clause, times in counted.items()
            if clause
        )

    def _clause(self, index: int, key: str, target: ast.expr, pointed: bool) -> str:
        formula = self.rule.backward[key] if self.rule and not self.rule.says else ""
        passed, subject = self._gradient((self.node.id, index)), text_of(target)
        if "expand_as" in formula and not (key in self.known and not self.known[key].shape):
            passed, subject = _ANY.sub(r"\1", passed), f"each entry of {subject}"  # all are equal
        numbers = [_shown(passed)] if _is_short(passed) else []
        if not formula:
            says = self.rule.says if self.rule else "{} gets what its backward returns"
            return ": ".join([says.replace("{}", subject), *numbers])
        size = self._size(key, formula)
        if is_product(formula) and "summed" not in size:
            numbers = [*dict.fromkeys([*self._products(formula), *numbers])]
            if pointed and numbers:
                return f"{subject} gets {' = '.join(numbers)}"
        what = f"{subject} gets {self._passes(formula)}{size}"
        return ": ".join([what, *[" = ".join(numbers)] * bool(numbers)])

    def _passes(self, formula: str) -> str:
        """What a formula passes back, in words."""
        if not is_product(formula):
            return text_of(write(formula, {**self.scope, "grad": ast.Name("what arrives")}))
        factor = write(formula, {**self.scope, "grad": ONE})
        text = text_of(ast.BinOp(factor, ast.Mult(), ast.Name(" "))).removesuffix(" ×  ")
        words = {"1": "", "−1": "minus "}.get(text, f"{text} times ")
        too_long = len(text) > _LONGEST_FORMULA
        return f"{f'the slope of {self.sign} times ' if too_long else words}what arrives"

    def _products(self, formula: str) -> Iterator[str]:
        """What arrives times something: by its name, and in numbers where they are few."""
        values = {key: number(one.text) for key, one in self.known.items() if _is_short(one.text)}
        values |= _exact(self.words, self.node, self.known)
        used = {one.id for one in ast.walk(ast.parse(formula)) if isinstance(one, ast.Name)}
        for scope in (self.scope, values) if self.total else ():
            text = text_of(write(formula, {**scope, "grad": number(self.total)}))
            is_known = used & self.scope.keys() <= scope.keys() | {"grad"}
            is_known = is_known and not re.search("constant|its size", text)
            if is_known and len(text) <= _LONGEST_FORMULA:
                yield text

    def _size(self, key: str, formula: str) -> str:
        """What shape an input's gradient has, where it is large or was summed to it."""
        if key not in self.known:
            return ""
        shape, result = self.known[key].shape, self.known.get("result", self.known[key]).shape
        result = (1,) if self.total.startswith("[") and not shape else result
        to = f" shape {list(shape)}"
        if shape != result and len(shape) <= len(result) and is_product(formula):
            return ", summed" + (f" to{to}" if shape else "")
        return f",{to}" if math.prod(shape) > _MOST_ENTRIES else ""

    def _arriving(self) -> list[str]:
        """The gradients that add up to what arrives; none while one of them is on its way."""
        result = self.words.at.get((self.node.id, 0))
        edges = [*self.words.uses.get(self.node.id, ()), *([(result.id, 0)] if result else [])]
        known = [self._gradient(edge) for edge in edges if edge in self.marks.gradients]
        has_run = any(self._gradient((self.node.id, index)) for index, *_ in self._targets())
        return [one for one in known if one] if has_run or all(known) else []

    def _gradient(self, edge: EdgeKey) -> str:
        """The gradient on an edge; of ``1 × 2 = 2``, the last number."""
        return self.marks.gradients.get(edge, Gradient()).text.rpartition(" = ")[2]


def _known(words: Words, node: Node) -> dict[str, Value]:
    """The values of what a node's rule names, as far as they are known."""
    saved = {
        one.name: words.tensors[one.tensor].value if one.tensor else one.value for one in node.saved
    }
    places = {**_places(node), "result": (node.id, 0)}
    known = {key: words.at[place].value for key, place in places.items() if place in words.at}
    return {key: one for key, one in {**saved, **known}.items() if one is not None}


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
        **{key: _place(words, *place, depth) for key, place in _places(node).items()},
        **_exact(words, node, _known(words, node)),
    }


def _given(words: Words, node: Node, known: dict[str, Value]) -> Scope:
    """The number that an operation was given beside a tensor, as the values around it tell it."""
    rule, places = RULES.get(node.name), _places(node)
    tensor = words.at.get(places.get("self", ("", 0)))
    if rule is None or rule.sign not in "+−×÷" or "other" in {**known, **places}:
        return {}
    if tensor is None or tensor.version or "result" not in known:  # changed since
        return {}
    xs, ys = _floats(tensor.value), _floats(known["result"])
    for solve in (operator.sub, operator.add, operator.truediv, lambda y, x: x / y):
        with suppress(ZeroDivisionError):
            found = {round(solve(y, x), 2) for x, y in zip(xs, ys, strict=True)}
            scopes = [{"alpha": 1, "self": x, "other": one} for one in found for x in xs]
            again = [eval(rule.forward, scope) for scope in scopes if len(found) == 1]
            if any(found) and again and all(map(_close, again, ys)):
                return {"other": number(format_number(found.pop()))}
    return {}


def _exact(words: Words, node: Node, known: dict[str, Value]) -> Scope:
    """The plain numbers that a node was given, and how many entries tensors have."""
    return {
        "alpha": ONE,
        **_given(words, node, known),
        **{key: ast.Constant(ast.literal_eval(text)) for key, text in node.numbers},
        **{f"{key}.numel()": ast.Constant(math.prod(one.shape)) for key, one in known.items()},
    }


def _forward(words: Words, node: Node, depth: int = 2) -> ast.expr:
    """What a node computes; by its sign alone where that is long, or where there is no rule."""
    rule = RULES.get(node.name)
    if rule is not None and rule.inputs != ("tensors",):
        formula = write(rule.forward, _scope(words, node, depth))
        if len(text_of(formula)) <= _LONGEST_FORMULA:
            return formula
    given = [_place(words, one.node, one.output, 0) if one.node else UNKNOWN for one in node.inputs]
    inputs = shorten(", ".join(map(text_of, given)), _LONGEST_FORMULA)
    return ast.Name(f"{shorten(sign_of(node.name))}({inputs})")


def _place(words: Words, node_id: str, output: int, depth: int = 2) -> ast.expr:
    """A tensor by its name, or by what made it in short."""
    named, node = words.named(node_id, output), words.nodes[node_id]
    if named or node.kind == "accumulate":
        return ast.Name(named or "a leaf")
    for level in range(0 if isinstance(node, Folded) else depth, 0, -1):
        formula = _forward(words, node, level - 1)
        if len(text_of(formula)) <= _LONGEST_INSIDE:
            return formula
    sign = node.title if isinstance(node, Folded) else sign_of(node.name)
    return ast.Name(f"the result of {shorten(sign)}") if depth else OMITTED


def _saved(words: Words, saved: Saved, depth: int = 1) -> ast.expr | None:
    """A saved value by its name, or as numbers if they are few."""
    tensor = words.tensors[saved.tensor] if saved.tensor else None
    if tensor is not None and tensor.node is not None:
        return _place(words, tensor.node, tensor.output, depth)
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


def _floats(value: Value) -> list[float]:
    """The numbers, if they are few."""
    return (
        [float(one) for one in re.findall(r"-?[\d.e-]+", value.text)]
        if _is_short(value.text)
        else []
    )


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-3)


def _shown(numbers: str) -> str:
    return text_of(number(numbers))


def _is_short(text: str) -> bool:
    """Whether a text is a few numbers."""
    return len(text) <= _LONGEST_NUMBERS and _NUMBERS.fullmatch(text) is not None
