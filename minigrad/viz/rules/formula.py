"""A rule's formula with other names and numbers in it: as text, and in MathML.

Formulas are Python, so that a test can run them. Inside this module, a name may be any words.
"""

import ast
import operator
import re
from collections.abc import Iterable, Mapping

from minigrad.viz.rules.mathml import element, leaf

MINUS = "\N{MINUS SIGN}"
ONE, UNKNOWN, OMITTED = ast.Constant(1), ast.Name("a constant"), ast.Name("…")
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SIGNS = {" * ": " × ", " / ": " ÷ ", " >= ": " ≥ ", " <= ": " ≤ ", " & ": " and ", "-": MINUS}
_BINARY = ast.Add, ast.Sub, ast.Mult, ast.MatMult, ast.Mod, ast.Gt, ast.Lt, ast.GtE, ast.LtE
_OPERATORS = dict(zip(_BINARY, f"+{MINUS}·\N{INVISIBLE TIMES}%><≥≤", strict=True))
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
    tree: ast.expr = _Words(words).visit(ast.parse(formula, mode="eval").body)
    return tree


def text_of(tree: ast.expr) -> str:
    """A formula as a line of text."""
    text = re.sub(r" \*\* (-?\d+)", lambda power: power[1].translate(_RAISED), ast.unparse(tree))
    for python, sign in _SIGNS.items():
        text = text.replace(python, sign)
    return text


def is_product(formula: str) -> bool:
    """Whether the formula multiplies what arrives by something, entry by entry.

    >>> is_product("-grad * self / other**2"), is_product("grad @ mat2.t()")
    (True, False)
    """
    return _multiplies(ast.parse(formula, mode="eval").body)


def _multiplies(tree: ast.expr) -> bool:
    match tree:
        case ast.Name("grad"):
            return True
        case ast.BinOp(_, _, ast.Compare() | ast.BinOp(op=ast.BitAnd())):
            return False
        case ast.UnaryOp(_, inner) | ast.BinOp(inner, ast.Mult() | ast.Div(), _):
            return _multiplies(inner)
        case ast.Call(ast.Attribute(inner, method)) if method in _REPEATS:
            return _multiplies(inner)
    return False


class _Words(ast.NodeTransformer):
    def __init__(self, words: Mapping[str, ast.expr]) -> None:
        self.words = words

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        return self.words.get(tree.id, UNKNOWN)

    def visit_Attribute(self, tree: ast.Attribute) -> ast.expr:
        """Of ``math.pi`` the constant, of ``x.max(0).values`` the tensor."""
        return ast.Name("π") if tree.attr == "pi" else self.visit(tree.value)

    def visit_Subscript(self, tree: ast.Subscript) -> ast.expr:
        return ast.Subscript(self.visit(tree.value), self._argument(tree.slice))

    def visit_BinOp(self, tree: ast.BinOp) -> ast.expr:
        match self.generic_visit(tree):
            case ast.BinOp(value, ast.Mult(), ast.Compare() | ast.BinOp(op=ast.BitAnd()) as test):
                return ast.IfExp(test, value, ast.Constant(0))
            case ast.BinOp(ast.Constant(1), ast.Mult(), factor):
                return factor
            case ast.BinOp(factor, ast.Mult() | ast.Pow(), ast.Constant(1)):
                return factor
            case ast.BinOp(ast.UnaryOp(minus, ast.Constant(1)), ast.Mult(), factor):
                return ast.UnaryOp(minus, factor)
            case ast.BinOp(
                ast.Constant(int() | float() as left), sign, ast.Constant(int() as right)
            ):
                exact = {ast.Sub: operator.sub, ast.FloorDiv: operator.floordiv}.get(type(sign))
                return tree if exact is None else ast.Constant(exact(left, right))
        return tree

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        if isinstance(tree.func, ast.Name) and tree.func.id == "where":
            return ast.IfExp(*map(self.visit, tree.args))
        arguments = [self._argument(one) for one in tree.args]
        match tree.func:
            case ast.Attribute(ast.Name("F" | "math"), function) | ast.Name(function):
                return _called(function, arguments)
            case ast.Attribute(ast.Name(word), "numel"):
                return self.words.get(f"{word}.numel()", ast.Name("its size"))
            case ast.Attribute(inner, method):
                return _method(self.visit(inner), method, arguments)
        return tree

    def _argument(self, tree: ast.expr) -> ast.expr:
        names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
        return OMITTED if names and names.isdisjoint(self.words) else self.visit(tree)


def _called(function: str, arguments: list[ast.expr]) -> ast.expr:
    match function, arguments:
        case "addmm" | "addmv", [added, left, right]:
            return ast.BinOp(ast.BinOp(left, ast.MatMult(), right), ast.Add(), added)
        case "bmm", [left, right]:
            return ast.BinOp(left, ast.MatMult(), right)
    return ast.Call(ast.Name(function), arguments, [])


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
    above, below = (
        f"∂{text}" if isinstance(one, ast.Name) and " " not in text else f"∂({text})"
        for one, text in ((of, text_of(of)), (by, text_of(by)))
    )
    return ast.BinOp(ast.Name(above), ast.Div(), ast.Name(below))


def equations(sides: Iterable[tuple[ast.expr, ast.expr]]) -> str:
    """Equations in MathML, one below another; those with the same left side are added up."""
    sums: dict[str, ast.expr] = {}
    for left, right in sides:
        known = sums.get(math_of(left))
        sums[math_of(left)] = ast.BinOp(known, ast.Add(), right) if known else right
    rows = [
        element("mtr", element("mtd", left, leaf("mo", "="), math_of(right)))
        for left, right in sums.items()
    ]
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
    return element("mrow", left, leaf("mo", _OPERATORS[type(sign)]), right)


def _grouped(tree: ast.expr, power: bool = False) -> str:
    """In parentheses, where it would fall apart in a product or in a power."""
    is_sum = isinstance(tree, ast.BinOp) and (power or isinstance(tree.op, ast.Add | ast.Sub))
    if is_sum or isinstance(tree, ast.IfExp | ast.UnaryOp):
        return element("mrow", leaf("mo", "("), math_of(tree), leaf("mo", ")"))
    return math_of(tree)
