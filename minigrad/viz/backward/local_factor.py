"""The local derivative: by what an operation multiplies the gradient that arrives, elementwise.

A rule's formula such as ``grad * other`` says it: leave out ``grad``, and ``other`` remains. What
is no product with ``grad``, such as ``grad @ mat2.t()``, has no such factor.
"""

import ast
import math
import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.viz.backward.amounts import Array
from minigrad.viz.read.protocol import GraphNode
from minigrad.viz.read.saved import read_saved
from minigrad.viz.rules import RULES

# As the rule writes it, and in numbers.
Factor = tuple[str, Array]

FUNCTIONS = ("cos", "cosh", "exp", "log", "sign", "sin", "sinh", "sqrt")
_FUNCTIONS = {"math": math, **{name: getattr(np, name) for name in FUNCTIONS}}
_PRODUCT = re.compile(r"(?P<sign>-?)grad(\.expand_as\(self\))?((?P<times> \* )|(?= / )|$)")


def factor_of(formula: str) -> str | None:
    """The formula without its ``grad``; None if it is no product with ``grad``.

    >>> factor_of("grad * other"), factor_of("-grad * self / other**2"), factor_of("-grad")
    ('other', '-self / other**2', '-1')
    >>> factor_of("grad.expand_as(self)"), factor_of("grad @ mat2.t()"), factor_of("grad.t()")
    ('1', None, None)
    """
    if not _PRODUCT.match(formula):
        return None
    factor = _PRODUCT.sub(lambda found: found["sign"] + "1" * (not found["times"]), formula)
    return ast.unparse(ast.parse(factor)).replace(" ** ", "**")


def factors(node: GraphNode) -> list[Factor | None]:
    """For each input of ``node`` its factor, where there is one.

    To be asked before the node has run: afterwards what it had saved is gone.
    """
    rule = RULES.get(node.name())
    formulas = [] if rule is None else list(rule.backward.values())
    written = [factor_of(formula) for formula in formulas]
    if not any(written):
        return []
    known = _known(node)
    return [None if factor is None else _evaluated(factor, known) for factor in written]


def _known(node: GraphNode) -> dict[str, Any]:
    """What ``node`` has saved, in numbers: tensors, exponents and other constants."""
    known: dict[str, Any] = {
        saved.name: np.asarray(saved.tensor.detach().tolist(), dtype=float)
        for saved in read_saved(node)
        if saved.tensor is not None
    }
    known["alpha"] = getattr(node, "_saved_alpha", 1)  # minigrad multiplies by alpha beforehand
    exponent = getattr(node, "_saved_exponent", None)
    if isinstance(exponent, int | float):
        known["exponent"] = exponent
    sizes = getattr(node, "_saved_self_sym_sizes", None)
    if sizes is not None:
        known.setdefault("self", SimpleNamespace(numel=lambda: math.prod(sizes)))
    return known


def _evaluated(factor: str, known: Mapping[str, Any]) -> Factor | None:
    try:
        # The formulas are those of viz's own table.
        with np.errstate(all="ignore"):
            number = eval(factor, dict(_FUNCTIONS), dict(known))
    except (AttributeError, NameError, TypeError, ValueError):  # something is not kept
        return None
    if known.get("alpha") == 1:
        factor = factor.replace("alpha", "1")
    return factor, np.asarray(number, dtype=float)
