"""A rule's formula with other names and numbers in it: as text, and in MathML.

Formulas are Python, so that a test can run them. Inside this module, a name may be any words.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache, partial

from minigrad.viz.rules.mathml import element, leaf

MINUS = "\N{MINUS SIGN}"
ONE, UNKNOWN, OMITTED = ast.Constant(1), ast.Name("a constant"), ast.Name("…")
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SIGNS = {" * ": " × ", " / ": " ÷ ", "-": MINUS}
_OPERATORS = {"Add": "+", "Sub": MINUS, "Mult": "·", "MatMult": "\u2062", "Mod": "%", "Gt": ">"}
_POWER = re.compile(r" \*\* (-?\d+)(?![\d.])")
_REPEATS = ("expand_as", "unsqueeze")  # of these is said "each entry"


def number(text: str) -> ast.expr:
    """A number, or several, to be shown as it is."""
    negative = text.startswith("-")
    return ast.UnaryOp(ast.USub(), ast.Name(text[1:])) if negative else ast.Name(text)


def write(formula: str, words: Mapping[str, ast.expr]) -> ast.expr:
    """The formula with words for its names; what has none is a constant, or left out.

    >>> text_of(write("grad * (1 - result**2)", {"grad": ONE, "result": ast.Name("y")}))
    '1 − y²'
    >>> text_of(write("grad @ mat2.t()", {"grad": ast.Name("what arrives"), "mat2": ast.Name("w")}))
    'what arrives @ wᵀ'
    """
    return _write(parse(formula), words)


@cache
def parse(formula: str) -> ast.expr:
    """A formula as a tree, which is never changed."""
    return ast.parse(formula, mode="eval").body


def names_in(tree: ast.expr) -> set[str]:
    """The names in a formula, those of functions among them."""
    return {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}


def text_of(tree: ast.expr) -> str:
    """A formula as a line of text."""
    text = tree.id if isinstance(tree, ast.Name) else ast.unparse(tree)  # which takes its time
    text = _POWER.sub(lambda power: power[1].translate(_RAISED), text)
    for python, sign in _SIGNS.items():
        text = text.replace(python, sign)
    return text


def is_product(formula: str) -> bool:
    """Whether the formula multiplies what arrives by something, entry by entry.

    >>> is_product("-grad * self / other**2"), is_product("grad @ mat2.t()")
    (True, False)
    """
    return _multiplies(parse(formula))


def _multiplies(tree: ast.expr) -> bool:
    match tree:
        case ast.Name("grad"):
            return True
        case ast.BinOp(_, _, ast.Compare()):
            return False
        case ast.UnaryOp(_, inner) | ast.BinOp(inner, ast.Mult() | ast.Div(), _):
            return _multiplies(inner)
        case ast.Call(ast.Attribute(inner, method)) if method in _REPEATS:
            return _multiplies(inner)
    return False


def _write(tree: ast.expr, words: Mapping[str, ast.expr]) -> ast.expr:
    again = partial(_write, words=words)
    match tree:
        case ast.Name(word):
            return words.get(word, UNKNOWN)
        case ast.Attribute(inner):  # ``x.max(0).values``
            return again(inner)
        case ast.Subscript(inner, place):
            return ast.Subscript(again(inner), _arguments([place], words)[0])
        case ast.UnaryOp(sign, inner):
            return ast.UnaryOp(sign, again(inner))
        case ast.BinOp(value, ast.Mult(), ast.Compare() as test):
            return ast.IfExp(again(test), again(value), ast.Constant(0))
        case ast.BinOp(left, sign, right):
            return _simplified(ast.BinOp(again(left), sign, again(right)))
        case ast.Compare(left, signs, [right]):
            return ast.Compare(again(left), signs, [again(right)])
        case ast.Call(ast.Name("where"), [test, yes, no]):
            return ast.IfExp(again(test), again(yes), again(no))
        case ast.Call(ast.Attribute(ast.Name(word), "numel")):
            size = ast.Name("its size" if word == "self" else "the result's size")
            return words.get(f"{word}.numel()", size)
        case ast.Call(ast.Name("addmm"), [added, left, right]):
            return again(ast.BinOp(ast.BinOp(left, ast.MatMult(), right), ast.Add(), added))
        case ast.Call(ast.Name("bmm"), [left, right]):
            return again(ast.BinOp(left, ast.MatMult(), right))
        case ast.Call(ast.Attribute(ast.Name("F" | "math"), name) | ast.Name(name), given):
            return ast.Call(ast.Name(name), _arguments(given, words), [])
        case ast.Call(ast.Attribute(inner, method), given):
            return _method(again(inner), method, _arguments(given, words))
    return tree


def _arguments(given: list[ast.expr], words: Mapping[str, ast.expr]) -> list[ast.expr]:
    """What is in parentheses; what the program has no word for is left out."""
    known = {*words, "math"}
    return [
        OMITTED if names_in(tree) and names_in(tree).isdisjoint(known) else _write(tree, words)
        for tree in given
    ]


def _simplified(tree: ast.BinOp) -> ast.expr:
    match tree:
        case ast.BinOp(ast.Constant(1), ast.Mult(), factor):
            return factor
        case ast.BinOp(factor, ast.Mult() | ast.Div() | ast.Pow(), ast.Constant(1)):
            return factor
        case ast.BinOp(ast.UnaryOp(minus, ast.Constant(1)), ast.Mult(), factor):
            return ast.UnaryOp(minus, factor)
        case ast.BinOp(ast.Constant(int() | float() as left), ast.Sub(), ast.Constant(1)):
            return ast.Constant(round(left - 1, 4))
        case ast.BinOp(ast.Constant(int() as left), ast.FloorDiv(), ast.Constant(int() as right)):
            return ast.Constant(left // right) if right else tree
    return tree


def _method(inner: ast.expr, method: str, arguments: list[ast.expr]) -> ast.expr:
    text = text_of(inner)
    if method in _REPEATS:
        return inner
    if method in ("t", "transpose", "permute"):
        transposed = f"({text})ᵀ" if " " in text else f"{text}ᵀ"
        return ast.Name(text[:-1] if text.endswith("ᵀ") else transposed)
    if method == "reciprocal":
        return ast.BinOp(ast.Name("1"), ast.Div(), inner)
    if " " in text:
        return ast.Call(ast.Name(method), [inner, *arguments], [])
    return ast.Call(ast.Attribute(inner, method), arguments, [])


def derivative(of: ast.expr, by: ast.expr) -> ast.expr:
    """A partial derivative."""
    texts = [text_of(one) if isinstance(one, ast.Name) else f"({text_of(one)})" for one in (of, by)]
    above, below = (ast.Name(f"∂{text}") for text in texts)
    return ast.BinOp(above, ast.Div(), below)


def equations(sides: Iterable[tuple[ast.expr, ast.expr]]) -> str:
    """Equations in MathML, one below another; those with the same left side are added up."""
    sums: dict[str, ast.expr] = {}
    for left, right in sides:
        known = sums.get(math_of(left))
        sums[math_of(left)] = ast.BinOp(known, ast.Add(), right) if known else right
    cells = [element("mtd", left, leaf("mo", "="), math_of(one)) for left, one in sums.items()]
    rows = [element("mtr", cell) for cell in cells]
    return f'<math display="block">{element("mtable", *rows)}</math>' if rows else ""


def math_of(tree: ast.expr) -> str:
    """A formula in MathML."""
    match tree:
        case ast.Name(text) if text.endswith("ᵀ"):
            return element("msup", leaf("mi", text[:-1]), leaf("mi", "T"))
        case ast.Name(text):
            return leaf("mtext" if " " in text else "mn" if text[0].isdigit() else "mi", text)
        case ast.UnaryOp(_, inner):
            return element("mrow", leaf("mo", MINUS), _grouped(inner))
        case ast.BinOp(left, ast.Div() | ast.FloorDiv(), right):
            return element("mfrac", math_of(left), math_of(right))
        case ast.BinOp(base, ast.Pow(), exponent):
            return element("msup", _grouped(base, power=True), math_of(exponent))
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            return _joined(math_of(left), sign, _grouped(right))
        case ast.BinOp(left, sign, right):
            return _joined(_grouped(left), sign, _grouped(right))
        case ast.Compare(left, [sign], [right]):
            return _joined(math_of(left), sign, math_of(right))
        case ast.IfExp(test, yes, no):
            parts = math_of(yes), leaf("mtext", " if "), math_of(test)
            return element("mrow", *parts, leaf("mtext", " else "), math_of(no))
        case ast.Call(ast.Name("exp"), [exponent]):
            return element("msup", leaf("mi", "e"), math_of(exponent))
        case ast.Call(ast.Name("sqrt"), [inner]):
            return element("msqrt", math_of(inner))
        case ast.Call(ast.Attribute(inner, "sum")) | ast.Call(ast.Name("sum"), [inner, *_]):
            return element("mrow", leaf("mo", "∑"), _grouped(inner))
        case ast.Call(ast.Attribute(inner, function), rest):
            return math_of(ast.Call(ast.Name(function), [inner, *rest], []))
        case ast.Call(ast.Name(function), [*arguments]):
            inside = leaf("mo", ",").join(map(math_of, arguments))
            return element("mrow", leaf("mi", function), leaf("mo", "("), inside, leaf("mo", ")"))
    return leaf("mn", text_of(tree))


def _joined(left: str, sign: ast.AST, right: str) -> str:
    return element("mrow", left, leaf("mo", _OPERATORS[type(sign).__name__]), right)


def _grouped(tree: ast.expr, power: bool = False) -> str:
    """In parentheses, where it would fall apart in a product or in a power."""
    is_sum = isinstance(tree, ast.BinOp) and (power or isinstance(tree.op, ast.Add | ast.Sub))
    if is_sum or isinstance(tree, ast.IfExp | ast.UnaryOp):
        return element("mrow", leaf("mo", "("), math_of(tree), leaf("mo", ")"))
    return math_of(tree)
