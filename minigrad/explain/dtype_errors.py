"""Errors about dtypes, and about things that aren't tensors."""

import re

from minigrad.explain.case import Case
from minigrad.explain.page import Causes, Fields

CAUSES = Causes()


@CAUSES.declare("nly Tensors of floating point .*can require gradients", "02_recording_the_graph")
def integers_that_require_grad(case: Case) -> Fields:
    """A tensor of integers is asked to require grad.

    A tensor of integers can't require grad: a derivative asks what a small change does, and
    integers have no small changes.

    cause: asks for gradients of integers
    line a: made `{a}` of integers
    fix: {floats} -- floating point from the start

    Example::

        w = torch.tensor([1, 2], requires_grad=True)  # cause
    """
    text, birth = case.raised.text, case.operands[0].birth if case.operands else None
    source = birth.text if birth and ".requires_grad" in text else text
    floats = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", source)
    if ".requires_grad" in text or floats == source:
        floats = re.sub(r"\)$", f", dtype={case.torch}.float32)", source)
    return {"floats": floats}


@CAUSES.page(r"mean\(\): could not infer output dtype", "14_shapes")
def mean_of_integers(case: Case) -> None:
    """The mean of integers.

    `{a}` holds integers, and their mean needs a floating point dtype.

    cause: the mean of integers
    line a: made `{a}` of integers
    fix: {a:.float()} -- one more array

    Example::

        x = torch.arange(3)
        m = x.mean()  # cause
    """


@CAUSES.declare("(must|to) have the same dtype, but got", "14_shapes")
def factors_of_different_dtypes(case: Case) -> Fields:
    """A product of tensors with different dtypes.

    A matrix product needs both factors in the same dtype, and {here} has {dtypes}.

    cause: {dtypes}
    line a: made `{a}`, {a.dtype}
    line b: made `{b}`, {b.dtype}
    fix: {fixed} -- float32, as weights are: a copy

    Example::

        x = torch.ones(2, 2)
        labels = torch.ones(2, 2).long()
        y = x @ labels  # cause
    """
    dtypes = [one.dtype for one in case.arguments if one.shape is not None][:2]
    odd = [one for one in case.operands if getattr(one, "dtype", "float32") != "float32"]
    fixed = f"{odd[0]:.float()}" if odd else None
    return {"dtypes": " and ".join(dtypes) or "different ones", "fixed": fixed}


@CAUSES.page(r"Found dtype (\w+) but expected (\w+)", "14_shapes")
def loss_of_different_dtypes(case: Case) -> None:
    """A loss was computed from tensors with different dtypes.

    A gradient would have the dtype {0}, and its tensor has {1}: somewhere in the forward pass, the
    two were combined.

    cause: {0} for {1}
    fix: target = target.float() -- before the loss: the dtype of the prediction
    graph: root

    Example::

        x = torch.ones(2, requires_grad=True)
        target = torch.ones(2).long()
        loss = torch.nn.functional.binary_cross_entropy(x * 0.5, target)  # cause
    """


@CAUSES.declare(
    r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'"
    r"|can only concatenate (\w+) \(not \"(\w+)\"\)|can't multiply sequence by non-int",
    "02_recording_the_graph",
)
def operands_that_do_not_combine(case: Case) -> Fields | None:
    """A tensor is combined with something that isn't a number.

    A tensor can be combined with tensors and numbers, and `{other}` is of type {kind}.

    cause: combines a tensor with a {kind}
    fix: {tensor:=str({tensor.text})} -- {text}to join two texts
    fix: {other:=float({other.text})} -- {text}if the text is a number
    fix: {other:={torch}.tensor({other.text})} -- {values}if it holds numbers

    Example::

        x = torch.ones(2)
        y = x + "a"  # cause
    """
    kinds = [one or other for one, other in re.findall(r"'(\w+)'|concatenate (\w+)", case.text)]
    if "sequence" in case.text:
        kinds = [type(case.resolved(one.text)).__name__ for one in case.operands]
        index = 0 if kinds[:1] == ["list"] else 1
    else:
        index = 1 if kinds[0] == "Tensor" else 0
        if "Tensor" not in case.text:
            return None
    if len(case.operands) < 2 or len(kinds) <= index:
        return None
    return {
        "kind": kinds[index],
        "other": case.operands[index],
        "tensor": case.operands[1 - index],
        "text": "" if kinds[index] == "str" else None,
        "values": "" if kinds[index] in ("list", "tuple", "ndarray") else None,
    }


@CAUSES.page(
    r"argument '\w+' \(position \d+\) must be Tensor, not (?:\w+\.)?(\w+)", "15_train_a_small_net"
)
def argument_that_is_no_tensor(case: Case) -> None:
    """A layer or function is given a list or a numpy array.

    It takes tensors, and {here} gives it one thing of type {0}.

    cause: gives it a {0}
    fix: {a:={torch}.tensor({a.text}, dtype={torch}.float32)} -- a copy as a tensor

    Example::

        layer = torch.nn.Linear(2, 1)
        y = layer([1.0, 2.0])  # cause
    """


@CAUSES.page("expected target dtype to be Long|expected scalar type Long", "15_train_a_small_net")
def class_numbers_as_floats(case: Case) -> None:
    """cross_entropy gets class numbers of floating point.

    The target `{b}` of cross_entropy must hold integers: the number of each sample's class.

    cause: a target of floating point
    line b: made `{b}`
    fix: {b:.long()} -- a copy as integers

    Example::

        scores = torch.ones(2, 3)
        labels = torch.tensor([0.0, 2.0])
        loss = torch.nn.functional.cross_entropy(scores, labels)  # cause
    """


@CAUSES.page("multi-target not supported", "15_train_a_small_net")
def class_numbers_in_a_column(case: Case) -> None:
    """cross_entropy gets class numbers of shape [N, 1].

    The target `{b}` of cross_entropy must have the shape [N], one class for each sample, and it has
    {b.shape}.

    cause: a target of shape {b.shape}
    line b: made `{b}` {b.shape}
    fix: {b:.squeeze(1)} -- [N]

    Example::

        scores = torch.ones(2, 3)
        labels = torch.tensor([[0], [2]])
        loss = torch.nn.functional.cross_entropy(scores, labels)  # cause
    """


@CAUSES.declare(r"Target (-?\d+) is out of bounds", "15_train_a_small_net")
def class_that_is_not_there(case: Case) -> Fields:
    """A class number is larger than the number of scores.

    `{b}` has the class {0}, and `{a}` {a.shape} has scores for the classes 0 to {last}.

    cause: class {0}
    line a: made `{a}` {a.shape}
    line b: made `{b}`
    fix: {b:=({b} - 1)} -- if the labels begin at 1
    fix: Linear(..., {needed}) -- a score for each class: a larger last layer

    Example::

        scores = torch.ones(2, 3)
        labels = torch.tensor([0, 3])
        loss = torch.nn.functional.cross_entropy(scores, labels)  # cause
    """
    sizes = case.operands[0].sizes if case.operands else None
    label = int(re.findall(r"Target (-?\d+)", case.text)[0])
    return {"last": sizes[-1] - 1 if sizes else None, "needed": label + 1}


@CAUSES.page(
    r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)",
    "15_train_a_small_net",
)
def batch_of_another_size(case: Case) -> None:
    """The scores and the labels belong to different numbers of samples.

    `{a}` has scores for {0} samples, and `{b}` has {1} labels.

    cause: {0} samples, {1} labels
    line a: made `{a}` {a.shape}
    line b: made `{b}` {b.shape}
    fix: {b:[:{a.sizes[0]}]} -- the labels of these samples

    Example::

        scores = torch.ones(2, 3)
        labels = torch.tensor([0, 1, 2])
        loss = torch.nn.functional.cross_entropy(scores, labels)  # cause
    """


@CAUSES.declare(
    "used as indices must be|valid indices|scalar types: Long, Int|arrays used as indices",
    "14_shapes",
)
def index_that_is_no_integer(case: Case) -> Fields:
    """A tensor is indexed with numbers of floating point.

    An index must be an integer, or a mask of true and false, and {here} indexes with floating
    point.

    cause: an index of floating point
    line b: made `{b}`
    fix: {b:.long()} -- {tensor}whole numbers

    Example::

        x = torch.ones(3)
        order = torch.tensor([0.0, 2.0])
        y = x[order]  # cause
    """
    tensor = len(case.operands) > 1 and case.operands[1].tensor is not None
    return {"tensor": "" if tensor else None}


@CAUSES.declare("all elements of input should be between 0 and 1", "15_train_a_small_net")
def probability_out_of_range(case: Case) -> Fields:
    """binary_cross_entropy gets scores instead of probabilities.

    binary_cross_entropy takes probabilities, between 0 and 1, and `{a}` has other values.

    cause: not probabilities
    line a: made `{a}`
    fix: {logits} -- takes scores as they are, and computes more exactly
    fix: {a:.sigmoid()} -- probabilities

    Example::

        scores = torch.tensor([2.0, -1.0])
        target = torch.ones(2)
        loss = torch.nn.functional.binary_cross_entropy(scores, target)  # cause
    """
    logits = case.raised.text.replace("cross_entropy(", "cross_entropy_with_logits(")
    return {"logits": logits if logits != case.raised.text else None}
