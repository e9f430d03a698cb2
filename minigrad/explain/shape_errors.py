"""Errors about shapes: each says which shapes met, in the user's own line."""

import ast
import math
import re
from typing import Any

from minigrad.explain.case import Case, Thing
from minigrad.explain.page import Causes, Fields, Fix

CAUSES = Causes()
_PRODUCT = (
    "mat1 and mat2 shapes cannot be multiplied|size mismatch, got input|inconsistent tensor size"
    "|mat2 must be a matrix|Expected size for first two dimensions of batch2"
)


def _pair(case: Case) -> tuple[Thing, Thing] | None:
    """The two tensors that met, if both of their shapes are known."""
    known = [one for one in case.operands if one.sizes is not None]
    if len(known) < 2:
        known = [Thing("it", argument=one) for one in case.arguments if one.shape is not None]
    return (known[0], known[1]) if len(known) > 1 else None


def _met(case: Case) -> Fields:
    """The fields of two tensors that met."""
    pair = _pair(case)
    return {} if pair is None else {"a": pair[0], "b": pair[1]}


@CAUSES.declare("mat1 and mat2 shapes cannot be multiplied", "15_train_a_small_net")
def layer_of_another_size(case: Case) -> Fields | None:
    """A layer gets inputs of another size than it was made for.

    `{layer}` takes inputs whose last size is {size}, and it got one of shape {got}.

    cause: {got} into {layer}
    line made: made {layer}
    line a: made `{a}` {got}
    fix: Linear({last}, {out}) -- if the inputs have {last} features each
    fix: {a} = {a}.flatten(1) -- each {sample} as one row of {size}
    fix: {a} = {a}.T -- {swapped}: if rows and columns are swapped
    more: A linear layer multiplies the last dimension. All dimensions before it count the samples.

    Example::

        layer = torch.nn.Linear(3, 2)
        x = torch.ones(5, 4)
        y = layer(x)  # cause
    """
    layers: list[Any] = [one.get("self") for one in case.library_locals()]
    sizes = [(one.in_features, one.out_features) for one in layers if hasattr(one, "in_features")]
    shape = case.arguments[0].shape if case.arguments else None
    if not sizes or not shape:
        return None
    (size, out), product = sizes[0], math.prod(shape[1:])
    linear = next(one for one in layers if hasattr(one, "in_features"))
    return {
        "layer": f"Linear({size}, {out})",
        "size": size,
        "out": out,
        "got": str(list(shape)),
        "last": shape[-1],
        "made": case.layer_made(linear),
        "sample": "sample" if len(shape) > 2 and product == size else None,
        "swapped": str(list(shape[::-1])) if len(shape) == 2 and shape[0] == size else None,
    }


@CAUSES.declare(_PRODUCT, "14_shapes")
def inner_sizes_differ(case: Case) -> Fields:
    """The inner sizes of a matrix product differ.

    `{a}` {a.shape} and `{b}` {b.shape} can't be multiplied: the inner sizes, {inner}, must be the
    same.

    cause: {a.shape} @ {b.shape}
    line a: made `{a}` {a.shape}
    line b: made `{b}` {b.shape}
    fix: {a} * {b} -- {elementwise}element by element
    more: In a matrix product, [n, k] @ [k, m] gives [n, m]: each row of the first meets each column
    of the second, so both need the same length k.

    Example::

        x = torch.ones(2, 3)
        w = torch.ones(2, 3)
        y = x @ w  # cause
    """
    pair = _pair(case)
    if pair is None or not pair[0].sizes or not pair[1].sizes:
        return {}
    (a, b), left, right = pair, pair[0].sizes, pair[1].sizes
    inner = f"{left[-1]} and {right[-2] if len(right) > 1 else right[-1]}"
    turned = [Fix(f"{b:.T}", f"{list(right[::-1])}: no copy")] * (right[1:] == left[-1:])
    turned += [Fix(f"{a:.T}", f"{list(left[::-1])}: no copy")] * (
        len(left) == 2 and left[0] == right[0]
    )
    return {
        **_met(case),
        "inner": inner,
        "fixes": turned,
        "elementwise": "" if left == right else None,
    }


@CAUSES.declare(
    r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-\D*(\d+)",
    "14_shapes",
)
def shapes_that_do_not_broadcast(case: Case) -> Fields:
    """Two shapes can't be broadcast together.

    `{a}` {a.shape} and `{b}` {b.shape} don't fit together: read from the right, sizes must be the
    same or 1, and in dimension {2} they are {0} and {1}.

    cause: {a.shape} and {b.shape}
    line a: made `{a}` {a.shape}
    line b: made `{b}` {b.shape}
    more: Broadcasting lines shapes up from the right, adds missing dimensions on the left, and
    repeats a size of 1.

    Example::

        x = torch.ones(2, 3)
        scale = torch.ones(2)
        y = x * scale  # cause
    """
    pair = _pair(case)
    if pair is None or not pair[0].sizes or not pair[1].sizes:
        return _met(case)
    fixes: list[Fix] = []
    for one, other in (pair, pair[::-1]):
        sizes, wanted = one.sizes or (), other.sizes or ()
        if len(sizes) == 1 and len(wanted) == 2 and sizes[0] == wanted[0]:
            fixes.append(Fix(f"{one:.unsqueeze(1)}", f"[{sizes[0]}, 1]: one for each row"))
        if len(sizes) == 2 and sizes[::-1] == wanted:
            fixes.append(Fix(f"{one:.T}", f"{list(wanted)}: rows become columns"))
        if (
            not fixes
            and sizes[-1] > wanted[-1]
            and one is (pair[0] if wanted is pair[1].sizes else one)
        ):
            fixes.append(Fix(format(one, f"[..., :{wanted[-1]}]"), "leaves the rest out"))
    return {**_met(case), "fixes": fixes}


@CAUSES.declare(r"shape '(\[.*?\])' is invalid for input of size (\d+)", "14_shapes")
def view_of_another_size(case: Case) -> Fields:
    """view or reshape to a shape with another number of elements.

    `{a}` has {1} elements, and they can't be arranged as {0}.

    cause: {1} elements as {0}
    line a: made `{a}` {a.shape}
    fix: {flat} -- one dimension of all elements
    fix: {computed} -- -1 is computed from the rest

    Example::

        x = torch.ones(2, 3)
        y = x.view(4)  # cause
    """
    size = int(re.findall(r"size (\d+)", case.text)[-1])
    sizes = [int(one) for one in re.findall(r"-?\d+", case.text.partition("]")[0])]
    rest = math.prod(sizes[:-1])
    divides = len(sizes) > 1 and -1 not in sizes and rest and size % rest == 0
    computed = ", ".join(map(str, [*sizes[:-1], -1]))
    return {
        "flat": _called_with(case, "-1"),
        "computed": _called_with(case, computed) if divides else None,
    }


def _called_with(case: Case, arguments: str) -> str | None:
    """The line with other arguments in its call."""
    node = case.raised.node
    if not isinstance(node, ast.Call):
        return None
    return case.raised.replaced(node, f"{case.raised.source(node.func)}({arguments})")


@CAUSES.declare("view size is not compatible with input tensor's size and stride", "14_shapes")
def view_across_memory(case: Case) -> Fields:
    """view of a tensor whose elements don't lie in this order in memory.

    The elements of `{a}` don't lie in this order in memory, and view never copies.

    cause: a view across the rows
    fix: {reshaped} -- copies where it has to
    fix: {a:.contiguous()} -- always copies
    more: transpose, permute and expand change how memory is read, not the memory.

    Example::

        x = torch.ones(2, 3)
        y = x.t().view(6)  # cause
    """
    return {"reshaped": case.raised.text.replace(".view(", ".reshape(")}


@CAUSES.declare(r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", "14_shapes")
def index_past_the_end(case: Case) -> Fields:
    """An index is past the end of a dimension.

    `{a}` has size {2} in dimension {1}, so its last index is {last}, and the index was {0}.

    cause: index {0} of {2}
    line a: made `{a}` {a.shape}
    fix: {b:=-1} -- the last element

    Example::

        x = torch.ones(3)
        y = x[3]  # cause
    """
    return {"last": int(re.findall(r"size (\d+)", case.text)[-1]) - 1}


@CAUSES.declare(r"too many indices for tensor of dimension (\d+)", "14_shapes")
def too_many_indices(case: Case) -> Fields:
    """A tensor gets more indices than it has dimensions.

    `{a}` has {0} {many}, and the line gives {count} indices.

    cause: {count} indices for {0} {many}
    line a: made `{a}` {a.shape}
    fix: {fewer} -- one index for each dimension

    Example::

        x = torch.ones(2)
        y = x[0, 0]  # cause
    """
    number, node = int(re.findall(r"\d+", case.text)[-1]), case.raised.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return {"many": "dimensions", "count": "more"}
    kept = ", ".join(case.raised.source(one) for one in node.slice.elts[:number])
    many = "dimension" if number == 1 else "dimensions"
    fewer = case.raised.replaced(node.slice, kept) if number else None
    return {"many": many, "count": len(node.slice.elts), "fewer": fewer}


@CAUSES.declare(r"Dimension out of range \(.*?\[(-?\d+), (-?\d+)\], but got (-?\d+)\)", "14_shapes")
def dimension_that_is_not_there(case: Case) -> Fields:
    """A reduction over a dimension that the tensor doesn't have.

    The dimensions of `{a}` are counted from 0 to {1} (or {0} to -1), and the line asks for {2}.

    cause: asks for dimension {2}
    line a: made `{a}` {a.shape}
    fix: {last} -- the last dimension

    Example::

        x = torch.ones(3)
        y = x.sum(1)  # cause
    """
    got = re.findall(r"got (-?\d+)", case.text)[-1]
    last = re.sub(rf"(\(|=|, ){got}\b", r"\g<1>-1", case.raised.text, count=1)
    return {"last": last if last != case.raised.text else None}


@CAUSES.declare(
    r"Sizes of tensors must match except in dimension (\d+)\. Expected size (\d+) but got \D*(\d+)",
    "14_shapes",
)
def concatenation_of_other_sizes(case: Case) -> Fields:
    """cat of tensors that differ in another dimension than the one they are joined along.

    {shapes} can't be joined along dimension {0}: they must agree in all others, and one has {2}
    where {1} was expected.

    cause: size {2} instead of {1}
    fix: {line:+dim=1} -- {beside}joins them side by side
    fix: {line:+dim=0} -- {below}joins them one below the other

    Example::

        a = torch.ones(2, 3)
        b = torch.ones(2, 2)
        c = torch.cat([a, b])  # cause
    """
    shapes = [str(list(one.shape)) for one in case.arguments if one.shape is not None]
    parts = [f"`{one:}` {shape}" for one, shape in zip(case.listed(0), shapes, strict=False)]
    joined = " and ".join(parts if len(parts) == len(shapes) else shapes[:2]) or "The tensors"
    along = re.findall(r"in dimension (\d+)", case.text)[0]
    made = [(one.birth, f"made `{one:}`") for one in case.listed(0)[:2] if one.birth]
    named = "dim" in case.raised.text
    beside, below = along == "0" and not named, along == "1" and not named
    return {
        "shapes": joined,
        "lines": made,
        "beside": "" if beside else None,
        "below": "" if below else None,
    }


@CAUSES.declare(
    r"stack expects each tensor to be equal size, but got (\[.*?\]) at .* and (\[.*?\])",
    "14_shapes",
)
def stack_of_other_shapes(case: Case) -> Fields:
    """stack of tensors with different shapes.

    The tensors have the shapes {0} and {1}, and only equal ones can be stacked.

    cause: {0} and {1}
    fix: {joined} -- one after the other, if they agree in all but one dimension

    Example::

        a = torch.ones(2)
        b = torch.ones(3)
        c = torch.stack([a, b])  # cause
    """
    return {"joined": case.raised.text.replace("stack(", "cat(")}


@CAUSES.page(r"expected sequence of length (\d+) at dim (\d+) \(got (\d+)\)", "14_shapes")
def rows_of_different_lengths(case: Case) -> None:
    """A tensor made of lists of different lengths.

    A tensor is rectangular, and these lists have different lengths: {0} and {2} in dimension {1}.

    cause: lengths {0} and {2}
    fix: rows = [row + [0] * ({0} - len(row)) for row in rows] -- fills the short ones up
    fix: [{torch}.tensor(row) for row in rows] -- a list of tensors

    Example::

        x = torch.tensor([[1, 2], [3]])  # cause
    """


@CAUSES.declare(
    r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)", "14_shapes"
)
def expansion_of_a_size_over_one(case: Case) -> Fields:
    """expand of a dimension whose size isn't 1.

    Only a dimension of size 1 can be expanded, and `{a}` has {1} where {0} is asked for.

    cause: {1} to {0}
    line a: made `{a}` {a.shape}
    fix: {kept} -- keeps the {1}, and repeats along a new dimension

    Example::

        x = torch.ones(3)
        y = x.expand(2, 2)  # cause
    """
    node, own = case.raised.node, re.findall(r"existing size \((\d+)\)", case.text)[0]
    called = isinstance(node, ast.Call) and node.args
    return {"kept": case.raised.replaced(node.args[-1], own) if called else None}  # type: ignore[union-attr]


@CAUSES.page(
    r"(?:T|t)arget size \(torch\.Size\((\[.*?\])\)\)(?: that is different to| must be the same as)"
    r"(?: the)? input size \(torch\.Size\((\[.*?\])\)\)",
    "14_shapes",
)
def target_of_another_shape(case: Case) -> None:
    """A loss gets a target of another shape than the prediction.

    The prediction `{a}` has shape {1}, and the target `{b}` has shape {0}.

    cause: {1} against {0}
    line a: made `{a}` {1}
    line b: made `{b}` {0}
    fix: {a:.squeeze(1)} -- the prediction as [N]
    fix: {b:.unsqueeze(1)} -- the target as [N, 1]

    Example::

        logits = torch.ones(2, 1)
        target = torch.ones(2)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, target)  # cause
    """


@CAUSES.page(
    r"assign a gradient of size '(\[.*?\])' to a tensor of size '(\[.*?\])'", "04_gradients_add_up"
)
def gradient_assigned_of_another_shape(case: Case) -> None:
    """A gradient is set by hand, with another shape than its tensor.

    `{a}` has shape {1}, and the gradient assigned to it has shape {0}: they must be the same.

    cause: {0} for {1}
    line a: made `{a}` {1}
    fix: {a}.grad = {torch}.zeros_like({a}) -- a gradient of the right shape
    fix: {a}.grad = None -- clears it: the next backward pass starts again

    Example::

        w = torch.ones(2, requires_grad=True)
        w.grad = torch.ones(3)  # cause
    """


@CAUSES.declare("Tensors must have same number of dimensions: got (\\d+) and (\\d+)", "14_shapes")
def concatenation_of_other_ranks(case: Case) -> Fields:
    """cat of tensors with different numbers of dimensions.

    One tensor has {0} dimensions and another {1}, and cat joins only tensors with equally many.

    cause: {0} and {1} dimensions
    fix: {first}.unsqueeze(0) -- the first one with a dimension of size 1 in front
    fix: {last}.unsqueeze(0) -- the last one

    Example::

        a = torch.ones(2, 3)
        b = torch.ones(3)
        c = torch.cat([a, b])  # cause
    """
    parts = case.listed(0)
    return {"first": parts[0], "last": parts[-1]} if len(parts) > 1 else {}


@CAUSES.page(
    "(of|over) a 0-d tensor|index of a 0-dim tensor|at least 1D, but they are", "14_shapes"
)
def number_used_as_a_vector(case: Case) -> None:
    """A tensor without dimensions, a single number, is used as if it had elements.

    `{a}` is a single number: it has no dimensions, so it can't be indexed, looped over or
    multiplied as a vector.

    cause: a tensor of shape []
    line a: made `{a}`
    fix: {a}.item() -- the number itself, without a graph
    fix: {a}.reshape(1) -- a vector with one element

    Example::

        x = torch.ones(3)
        total = x.sum()
        first = total[0]  # cause
    """


@CAUSES.page("shape of the mask|boolean index did not match", "14_shapes")
def mask_of_another_shape(case: Case) -> None:
    """A mask has another shape than the tensor that it chooses from.

    `{a}` {a.shape} and the mask `{b}` don't have the same shape.

    cause: a mask of another shape
    line a: made `{a}` {a.shape}
    line b: made `{b}`
    fix: {a}[{a} > 0] -- a mask computed from the tensor itself

    Example::

        x = torch.ones(3)
        mask = torch.ones(2) > 0
        y = x[mask]  # cause
    """


@CAUSES.declare(r"expected Tensor as element (\d+) in argument 0, but got (\w+)", "14_shapes")
def element_that_is_no_tensor(case: Case) -> Fields:
    """cat or stack gets a list with other things than tensors.

    `{a}` has a {1} at index {0}, and only tensors can be joined.

    cause: joins a {1}
    line added: adds to `{a}`
    fix: {made} -- a tensor of the numbers

    Example::

        x = torch.stack([1.0, 2.0])  # cause
    """
    node, name = case.raised.node, case.operands[0].text if case.operands else "?"
    made = case.raised.replaced(node, f"{case.torch}.tensor({name})") if node else None
    return {"made": made, "added": next(case.lines(rf"^{re.escape(name)}\.append\("), None)}


@CAUSES.page(
    r"split_sizes to sum exactly to (\d+) \(input tensor's size at dimension (-?\d+)\), but got "
    r"split_sizes=(\[.*?\])",
    "14_shapes",
)
def split_of_another_size(case: Case) -> None:
    """split gets sizes that don't add up to the size of the dimension.

    The sizes {2} must add up to {0}, the size of dimension {1}.

    cause: {2} of {0}
    line a: made the tensor

    Example::

        a, b = torch.ones(10).split([7, 2])  # cause
    """


@CAUSES.page(
    r"subscript (\w) has size (\d+) for operand (\d+) which does not broadcast with previously "
    r"seen size (\d+)",
    "14_shapes",
)
def einsum_of_other_sizes(case: Case) -> None:
    """einsum gets two sizes for one letter.

    The letter `{0}` stands for one size, and the operands have two: {3} and {1}.

    cause: {3} and {1} for `{0}`
    line b: made `{b}` {b.shape}
    line c: made `{c}` {c.shape}
    """


@CAUSES.page(
    r"permute\(.*?(?:dim\(\) = |has )(\d+) (?:dimensions, not|is not equal to len\(dims\) =) (\d+)",
    "14_shapes",
)
def permutation_of_other_dimensions(case: Case) -> None:
    """permute gets another number of dimensions than the tensor has.

    `{a}` has {0} dimensions, and the line puts {1} in order.

    cause: {1} dimensions of {0}
    line a: made `{a}` {a.shape}
    fix: {a:.unsqueeze(0)} -- if a dimension is missing, such as that of the batch

    Example::

        x = torch.ones(2, 3)
        y = x.permute(0, 2, 1)  # cause
    """


@CAUSES.page(r"Expected target size (\[.*?\]), got (\[.*?\])", "15_train_a_small_net")
def class_target_of_another_shape(case: Case) -> None:
    """cross_entropy of several dimensions gets the classes in another one than 1.

    cross_entropy takes the classes in dimension 1: for `{a}` {a.shape} it needs a target of shape
    {0}, and `{b}` has {1}.

    cause: {1} for {0}
    line a: made `{a}` {a.shape}
    line b: made `{b}`
    fix: {a:.transpose(1, -1)} -- the classes in dimension 1
    """


@CAUSES.declare(
    r"'(?:torch\.)?(?:return_types\.)?(tuple|max|min|median|mode|sort|topk)'", "14_shapes"
)
def tuple_used_as_a_tensor(case: Case) -> Fields | None:
    """A tuple of tensors is used as if it were one tensor.

    `{tuple}` is a tuple of {count} tensors, and the line uses it as one.

    cause: uses a tuple as a tensor
    line made: gives a tuple
    fix: {first} -- its first element

    Example::

        best = torch.ones(2, 3).max(1)  # cause
        loss = best - 1
    """
    for one in case.operands:
        value = case.resolved(one.text)
        if isinstance(value, tuple):
            made = next(case.lines(rf"^{re.escape(one.text)} *="), None)
            known = {"tuple": one, "count": len(value), "first": f"{one:[0]}"}
            return {**known, "cause": made or case.raised}
    return None


@CAUSES.page(r"'(?:torch\.)?Size' object is not callable", "14_shapes")
def shape_that_is_called(case: Case) -> None:
    """x.shape is called.

    A shape is a tuple, and {here} calls it.

    cause: calls a shape
    fix: x.shape[0] -- one size
    fix: x.size(0) -- the same as a method

    Example::

        x = torch.ones(2, 3)
        rows = x.shape(0)  # cause
    """


@CAUSES.declare(r"values to unpack \(expected (\d+)", "14_shapes")
def shape_of_another_length(case: Case) -> Fields | None:
    """A shape is unpacked into another number of names than it has sizes.

    `{tensor}` has shape {tensor.shape}, and the line unpacks {0} sizes.

    cause: unpacks {0} sizes
    line tensor: made `{tensor}` {tensor.shape}

    Example::

        x = torch.ones(3)
        rows, columns = x.shape  # cause
    """
    named = re.search(r"= *(\w+)(\.shape|\.size\(\))?$", case.raised.text)
    thing = case.named(named[1]) if named else None
    return {"tensor": thing} if thing is not None and thing.sizes is not None else None
