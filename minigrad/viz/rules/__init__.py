"""What operations compute and how they are differentiated, by the name of their node.

In formulas, ``grad`` is the gradient that arrives (several for several outputs); the inputs and the
result are called what PyTorch calls them. This is the one table of formulas: every view that shows
a rule takes it here.
"""

import re
from collections.abc import Mapping

from minigrad.viz.rules.activations import ACTIVATIONS
from minigrad.viz.rules.losses import LOSSES
from minigrad.viz.rules.pointwise import POINTWISE
from minigrad.viz.rules.products import PRODUCTS
from minigrad.viz.rules.reductions import REDUCTIONS
from minigrad.viz.rules.rule import Rule as Rule
from minigrad.viz.rules.shapes import SHAPES

# The signs that stand between two operands, one of which may be a plain number.
BETWEEN = ("+", "−", "×", "÷", "**", "%")

RULES: Mapping[str, Rule] = {
    **POINTWISE,
    **ACTIVATIONS,
    **REDUCTIONS,
    **SHAPES,
    **PRODUCTS,
    **LOSSES,
}


def sign_of(node_name: str) -> str:
    """What to write large on an operation; without a rule, its name as the program knows it.

    >>> sign_of("MulBackward0"), sign_of("TanhBackward0"), sign_of("MyFunctionBackward")
    ('×', 'tanh', 'MyFunction')
    """
    rule = RULES.get(node_name)
    name = node_name.rpartition("::")[2]
    return rule.sign if rule else re.sub(r"(?<=.)Backward\d*$", "", name)
