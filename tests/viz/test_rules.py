"""The formulas beside nodes: each is run, and is what the engine does."""

import builtins
import importlib
import math
import re
from xml.etree import ElementTree

import pytest

import minigrad
from minigrad.op import declarations
from minigrad.viz.draw.sentences import Operation
from minigrad.viz.draw.text import Words
from minigrad.viz.read.snapshot import take_snapshot
from minigrad.viz.rules import RULES, sign_of


def runs_on_minigrad(name):
    """Whether minigrad has all that the rule calls; PyTorch has everything."""
    rule = RULES[name]
    called = re.findall(r"(\w+)\(", " ".join([rule.forward, *rule.backward.values()]))
    places = (minigrad, minigrad.Tensor, minigrad.nn.functional, math, builtins, tuple)
    known = {name for place in places for name in dir(place)}
    return set(called) <= set(known)


# What only formulas call something; no learner does.
FORMAL = {"self", "other", "grad", "result", "dim", "exponent", "negative_slope", "alpha"}
OURS = {name for name in RULES if runs_on_minigrad(name)}
BOTH = [("minigrad", name) for name in sorted(OURS)]
BOTH += [pytest.param("torch", name, marks=pytest.mark.parity) for name in sorted(RULES)]

NUMBERS = {"alpha": 0.5, "exponent": 3.0, "negative_slope": 0.1, "other": 2.0}
NUMBERS |= {"max": 1.6, "min": 0.4, "value": 3.0, "weight": 0.25}
NUMBERS |= dict.fromkeys(["dim1", "end", "index", "k", "shifts", "size"], 1)
NUMBERS |= {"dim": 0, "dim0": 0, "start": 0, "dims": (1, 0), "shape": (4,), "sizes": [1, 1]}
NUMBERS |= {"times": 2}
# Tensors that need no gradient.
CONSTANTS = {
    "condition": [[True, False], [False, True]],
    "mask": [[True, False], [False, True]],
    "indices": [1, 1, 0],
    "places": [[1, 0]],
    "classes": [1, 0],
}
INPUTS = {
    "self": [[0.5, 1.5], [2.0, 0.25]],
    "other": [[1.0, 3.0], [2.0, 2.0]],
    "tensors": [[1.0, 3.0], [2.0, 2.0]],
    "source": [[4.0, 5.0], [6.0, 7.0], [8.0, 9.0]],
    "weight": [[0.1, 0.3], [0.2, 0.2]],
    "mat1": [[1.0, 3.0], [0.5, 2.0]],
    "mat2": [[1.0, 3.0], [0.5, 2.0]],
    "vec": [1.0, 2.0],
    "tensor": [3.0, 4.0],
    "exponent": [[1.0, 3.0], [0.5, 2.0]],
    "target": [[0.2, 0.3], [0.9, 3.0]],
}
OF_BOTH_SIGNS = {"self": [[-0.5, 1.5], [2.0, -0.25]]}
# Where a rule needs other inputs.
OTHER_INPUTS = {
    "BinaryCrossEntropyBackward0": {
        "self": [[0.5, 0.125], [0.25, 0.75]],
        "target": [[0.0, 1.0], [0.5, 1.0]],
    },
    **dict.fromkeys(["ReluBackward0", "LeakyReluBackward0", "AbsBackward0"], OF_BOTH_SIGNS),
    "DotBackward0": {"self": [1.0, 2.0]},
    "BmmBackward0": {"self": [[[1.0, 2.0]]], "mat2": [[[3.0], [4.0]]]},
    "SqueezeBackward0": {"self": [[1.0, 2.0]]},
    "SqueezeBackward1": {"self": [[1.0, 2.0]]},
    "ScatterAddBackward0": {"source": [[4.0, 5.0]]},
    "MaxBackward1": {"self": [[2.0, 1.0], [2.0, 1.0]]},
    "MinBackward1": {"self": [[2.0, 1.0], [2.0, 1.0]]},
}
OTHER_NUMBERS = {"ExpandBackward0": {"shape": (3, 2, 2)}, "PowBackward2": {"self": 2.0}}
# These are recorded where memory is not in order.
TRANSPOSED = {"UnsafeViewBackward0"}


def tensors(torch, name):
    """The tensors that go into the rule of a node, by name."""
    values = INPUTS | OTHER_INPUTS.get(name, {})
    found = {word: torch.tensor(values[word], dtype=torch.float64) for word in RULES[name].inputs}
    if name in TRANSPOSED:
        found = {word: tensor.t() for word, tensor in found.items()}
    return {word: tensor.requires_grad_() for word, tensor in found.items()}


def run(torch, name):
    """The inputs and the result of the rule's forward formula, and all that is in its scope."""
    inputs = tensors(torch, name)
    others = INPUTS | OTHER_INPUTS.get(name, {})
    scope = {
        **{word: one for word, one in vars(torch).items() if word != "range"},
        "math": math,
        "F": importlib.import_module(f"{torch.__name__}.nn.functional"),
        **{word: torch.tensor(value) for word, value in CONSTANTS.items()},
        **{word: torch.tensor(others[word], dtype=torch.float64) for word in ["target"]},
        **NUMBERS,
        **OTHER_NUMBERS.get(name, {}),
        **inputs,
    }
    return inputs, eval(RULES[name].forward, scope), scope


@pytest.mark.parametrize(("engine", "name"), BOTH)
def test_each_rule_is_what_the_engine_does(engine, name):
    """The formulas run: the forward one records this node, the others give its gradients."""
    torch, rule = importlib.import_module(engine), RULES[name]
    inputs, result, scope = run(torch, name)
    several = isinstance(result, tuple | list)
    results = tuple(result) if several else (result,)
    assert {one.grad_fn.name() for one in results} == {name}
    grads = [(torch.arange(one.numel(), dtype=one.dtype) + 1).reshape(one.shape) for one in results]
    torch.autograd.backward(results, grads)
    scope |= {"grad": grads if several else grads[0], "result": result}
    for word, formula in rule.backward.items():
        expected = eval(formula, scope)
        # What was broadcast is summed by the engine, whatever the operation.
        assert torch.allclose(inputs[word].grad, expected, equal_nan=True), (word, formula)


@pytest.mark.parametrize(("engine", "name"), BOTH)
def test_each_rule_has_a_sentence_in_the_learners_names(engine, name):
    inputs, result, _ = run(importlib.import_module(engine), name)
    result = result[0] if isinstance(result, tuple | list) else result
    called = dict(zip(inputs, ("p", "q", "r"), strict=False))
    named = [("s", result), *((called[word], inputs[word]) for word in inputs)]
    words = Words(take_snapshot([result], named))
    (node,) = [one for one in words.snapshot.nodes if one.name == name]
    operation = Operation(words, node)
    said = f"{operation.explanation} {operation.sentence}"
    assert len(re.findall(r" gets? | share ", said)) >= 2
    assert not set(re.findall(r"\w+", said)) & {*FORMAL, *inputs}, said
    assert bool(RULES[name].says) != ("∂" in operation.mathematics)
    ElementTree.fromstring(operation.mathematics or "<math/>")


def test_each_rule_is_of_an_operation_of_ours_and_has_a_short_sign() -> None:
    assert set(RULES) <= {declaration.node_class.__name__ for declaration in declarations}
    assert not [sign for sign in map(sign_of, RULES) if not 1 <= len(sign) <= 8]


def test_the_sign_of_an_operation() -> None:
    signs = {"SubBackward0": "\N{MINUS SIGN}", "AddmmBackward0": "@ +", "CubeBackward": "Cube"}
    signs |= {"PixelShuffleBackward0": "PixelShuffle", "Backward": "Backward"}
    signs |= {"torch::autograd::AccumulateGrad": "AccumulateGrad"}
    assert {name: sign_of(name) for name in signs} == signs
