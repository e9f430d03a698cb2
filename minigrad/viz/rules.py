"""What operations compute and how they are differentiated, in code, by the name of their node.

``grad`` is the gradient that arrives from above; what the inputs and the result are called is what
PyTorch calls them. This is the one table of formulas: every view that shows a rule takes it here.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Rule(NamedTuple):
    """The forward formula, and for each input what is passed back to it."""

    forward: str
    backward: Mapping[str, str]


_ONE_INPUT = {
    "NegBackward0": ("-self", "-grad"),
    "ExpBackward0": ("exp(self)", "grad * result"),
    "LogBackward0": ("log(self)", "grad / self"),
    "SqrtBackward0": ("sqrt(self)", "grad / (2 * result)"),
    "SinBackward0": ("sin(self)", "grad * cos(self)"),
    "CosBackward0": ("cos(self)", "-grad * sin(self)"),
    "TanhBackward0": ("tanh(self)", "grad * (1 - result**2)"),
    "SigmoidBackward0": ("sigmoid(self)", "grad * result * (1 - result)"),
    "ReluBackward0": ("relu(self)", "grad * (result > 0)"),
    "AbsBackward0": ("abs(self)", "grad * sign(self)"),
    "ReciprocalBackward0": ("self.reciprocal()", "-grad * result**2"),
    "PowBackward0": ("self**exponent", "grad * exponent * self**(exponent - 1)"),
    "RsubBackward1": ("other - self", "-grad"),
    "SumBackward0": ("self.sum()", "grad, for every element"),
    "SumBackward1": ("self.sum(dim)", "grad, for every element along dim"),
    "MeanBackward0": ("self.mean()", "grad / self.numel(), for every element"),
    "TBackward0": ("self.t()", "grad.t()"),
    "PermuteBackward0": ("self.permute(dims)", "grad, its dimensions put back"),
    "ViewBackward0": ("self.view(shape)", "grad.reshape(self.shape)"),
    "UnsqueezeBackward0": ("self.unsqueeze(dim)", "grad.squeeze(dim)"),
    "ExpandBackward0": ("self.expand(shape)", "grad, summed where self was repeated"),
    "CloneBackward0": ("self.clone()", "grad"),
}

_TWO_INPUTS = {
    "AddBackward0": Rule("self + alpha * other", {"self": "grad", "other": "alpha * grad"}),
    "SubBackward0": Rule("self - alpha * other", {"self": "grad", "other": "-alpha * grad"}),
    "MulBackward0": Rule("self * other", {"self": "grad * other", "other": "grad * self"}),
    "DivBackward0": Rule(
        "self / other", {"self": "grad / other", "other": "-grad * self / other**2"}
    ),
    "PowBackward1": Rule(
        "self**exponent",
        {
            "self": "grad * exponent * self**(exponent - 1)",
            "exponent": "grad * result * log(self)",
        },
    ),
    "MmBackward0": Rule("self @ mat2", {"self": "grad @ mat2.t()", "mat2": "self.t() @ grad"}),
    "MvBackward0": Rule("self @ vec", {"self": "grad.outer(vec)", "vec": "self.t() @ grad"}),
    "DotBackward0": Rule("self @ tensor", {"self": "grad * tensor", "tensor": "grad * self"}),
}

RULES: Mapping[str, Rule] = _TWO_INPUTS | {
    name: Rule(forward, {"self": backward}) for name, (forward, backward) in _ONE_INPUT.items()
}
