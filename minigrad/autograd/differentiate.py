"""backward() and grad(): what they accept, before the engine starts and after it has run.

PyTorch has them in the namespace ``torch.autograd``. Tensors are known here only by what they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad.arrays import constant
from minigrad.autograd.bridge import tensors as tensor_bridge
from minigrad.autograd.engine import run_backward
from minigrad.autograd.grad_mode import state
from minigrad.autograd.gradient_edge import GradientEdge, edge_of
from minigrad.autograd.node import NO_EDGE, Edge, Gradient
from minigrad.outside import warn

IN_TRANSFORM = (
    "backward() called inside a functorch transform. This is not supported, please use "
    "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
)
CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We "
    "recommend using autograd.grad when creating "
    "the graph to avoid this. If you have to use this function, "
    "make sure to reset the .grad fields "
    "of your parameters to None after use to break the cycle and avoid the leak."
)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> Any:
    """Add the gradients of `tensors` to the `.grad` of the leaves they were computed from.

    Args:
        tensors: one or several Tensors that require grad, or GradientEdges.
        grad_tensors: for each, the vector of the vector-Jacobian product, of the same shape; may be
            left out, or None, for those with a single element, where it is 1.
        retain_graph: keep what the graph has saved, so that it can be walked again; by default just
            when `create_graph` is set.
        create_graph: record the backward pass itself, for higher derivatives.
        grad_variables: the former name of `grad_tensors`.
        inputs: accumulate into these tensors only: Tensors, GradientEdges, or a dict of them.

    Raises:
        RuntimeError: if a tensor does not require grad, a gradient is missing or has another shape,
            the graph was freed by an earlier pass, or the function of a transform runs (see
            `minigrad.func`). Nothing is accumulated then, except what had been before a node
            failed.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.backward.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward([(x * x).sum(), x.sum()])
    >>> x.grad
    tensor([3., 5.])
    """
    if state.transforms:
        raise RuntimeError(IN_TRANSFORM)
    if grad_variables is not None:
        grad_tensors = renamed(grad_tensors, grad_variables)
    targets = None if inputs is None else targets_of(inputs, "backward()")
    single = type(tensors) is tensor_bridge.type and inputs is None
    if not single and tensor_bridge.foreign(tensors, targets):
        given = tensors, grad_tensors, retain_graph, create_graph, None, inputs
        return tensor_bridge.answer(backward, given)
    roots, gradients = start(as_tuple(tensors), grad_tensors, create_graph)
    for target in targets or ():
        check_target(target)
        if not isinstance(target, GradientEdge):
            target.retain_grad()
    check_flags(retain_graph, create_graph)
    try:
        run_backward(
            roots,
            gradients,
            retain_graph=create_graph if retain_graph is None else retain_graph,
            create_graph=create_graph,
            inputs=None if targets is None else list(map(edge_of, targets)),
            accumulate=True,
        )
    finally:
        if create_graph:
            warn(CYCLE)


def check_flags(retain_graph: Any, create_graph: Any) -> None:
    """Refuse flags that are neither bools nor integers."""
    if create_graph.__class__ is not bool:
        as_index(create_graph)
    if retain_graph is not None and retain_graph.__class__ is not bool:
        as_index(retain_graph)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Return the gradients of `outputs` with respect to `inputs`, without touching any `.grad`.

    Args:
        outputs, grad_outputs, retain_graph, create_graph: as for `backward`.
        inputs: one or several Tensors or GradientEdges, or a dict of them.
        only_inputs: has no effect any more.
        allow_unused: give None for an input that the outputs do not depend on, rather than raise.
        is_grads_batched: each of `grad_outputs` has one more dimension, its first, and so has each
            result: one pass is made for each place in it.
        materialize_grads: give zeros for such an input.

    Returns:
        A tuple with one Tensor (or None) for each input; a dict if `inputs` is one.

    Raises:
        RuntimeError: as `backward`; also if an input does not require grad or was not used.
        ValueError, TypeError: for arguments that do not go together.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad.html

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (slope,) = torch.autograd.grad(x**3, x, create_graph=True)
    >>> torch.autograd.grad(slope, x)
    (tensor(18.),)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got: allow_unused=False."
        )
    targets = targets_of(inputs, "grad()")
    plain = type(outputs) is type(inputs) is tensor_bridge.type
    if not plain and tensor_bridge.foreign(outputs, targets):
        flags = retain_graph, create_graph, only_inputs, allow_unused, is_grads_batched
        given = outputs, inputs, grad_outputs, *flags, materialize_grads
        return tensor_bridge.answer(grad, given)
    if not only_inputs:
        warn(
            "only_inputs argument is deprecated and is ignored now "
            "(defaults to True). To accumulate "
            "gradient for other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
        )
    check_flags(retain_graph, create_graph)
    retain_graph = create_graph if retain_graph is None else retain_graph
    walk = capture_batch if is_grads_batched else capture
    captured = walk(as_tuple(outputs), targets, grad_outputs, retain_graph, create_graph)
    results = tuple(
        finished(index, gradient, tensor, create_graph, allow_unused, materialize_grads)
        for index, (gradient, tensor) in enumerate(zip(captured, targets, strict=True))
    )
    return dict(zip(inputs, results, strict=True)) if type(inputs) is dict else results


def capture(
    outputs: Sequence[Any],
    targets: Sequence[Any],
    grad_outputs: Any,
    retain_graph: bool,
    create_graph: bool,
) -> list[Gradient]:
    """Return what one backward pass brings to each target."""
    roots, gradients = start(outputs, grad_outputs, create_graph)
    for target in targets:
        check_target(target)
        if not isinstance(target, GradientEdge) and not target.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    return run_backward(
        roots,
        gradients,
        retain_graph=retain_graph,
        create_graph=create_graph,
        inputs=list(map(edge_of, targets)),
    )


def capture_batch(
    outputs: Sequence[Any],
    targets: Sequence[Any],
    grad_outputs: Any,
    retain_graph: bool,
    create_graph: bool,
) -> list[Gradient]:
    """Return what several passes bring to each target, one for each place in `grad_outputs`."""
    vectors = start_batch(outputs, grad_outputs, create_graph)
    last = len(vectors[0]) - 1
    passes = [
        capture(
            outputs,
            targets,
            [vector[place] for vector in vectors],
            retain_graph or place < last,
            create_graph,
        )
        for place in range(last + 1)
    ]
    stack = tensor_bridge.stack
    return [None if one[0] is None else stack(one) for one in zip(*passes, strict=True)]


def start_batch(outputs: Sequence[Any], grad_outputs: Any, create_graph: bool) -> tuple[Any, ...]:
    """Return the gradients that start several walks.

    Raises:
        RuntimeError, ValueError: if one is missing or does not fit, with PyTorch's texts.
    """
    vectors: tuple[Any, ...] = (None,) * len(outputs)
    if grad_outputs is not None:
        vectors = tensors_in(grad_outputs)
    for output, vector in zip(outputs, vectors, strict=False):
        if vector is None:
            one(output, create_graph)
            raise ValueError(
                "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input "
                "is a Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
            )
        if not isinstance(output, GradientEdge) and vector[0].shape != output.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output "
                "as the batch dimension. The sizes of the remaining dimensions are expected to "
                "match the shape of corresponding output, but a mismatch was detected: "
                f"grad_output[{vectors.index(vector)}] has a shape of {vector[0].shape[1:]} and "
                f"output[{outputs.index(output)}] has a shape of {output.shape}. If you only want "
                "some tensors in `grad_output` to be considered batched, consider using vmap."
            )
    sizes = [len(vector) for vector in vectors]
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return vectors


def finished(
    index: int,
    gradient: Gradient,
    tensor: Any,
    create_graph: bool,
    allow_unused: bool | None,
    materialize_grads: bool,
) -> Any:
    """Return one gradient as `grad` gives it."""
    if gradient is not None:
        return gradient
    if materialize_grads:
        if isinstance(tensor, GradientEdge):
            raise RuntimeError(
                "materialize_grads cannot be used when the given input is a GradientEdge"
            )
        zeros = tensor_bridge.wrap(np.zeros(tensor._array.shape, tensor._array.dtype))
        return zeros.requires_grad_(create_graph)
    if not allow_unused:
        raise RuntimeError(
            f"The differentiated Tensor at index {index} appears to not "
            f"have been used in the graph. "
            "Set allow_unused=True if this is the desired behavior."
        )
    return None


def as_tuple(values: Any) -> tuple[Any, ...]:
    """Return one tensor, or what answers as one, or several, as a tuple."""
    return (values,) if hasattr(values, "__torch_function__") else tensors_in(values)


def tensors_in(values: Any) -> tuple[Any, ...]:
    """Return one tensor, or several, as a tuple."""
    single = isinstance(values, (tensor_bridge.type, GradientEdge))
    return (values,) if single else tuple(values)


def targets_of(inputs: Any, function: str) -> tuple[Any, ...]:
    """Return what to differentiate with respect to, as a tuple.

    Raises:
        TypeError, RuntimeError: if it is a mapping but no dict, or empty, with PyTorch's texts.
    """
    if isinstance(inputs, Mapping) and type(inputs) is not dict:
        raise TypeError(
            f"`inputs` argument to `{function}` must be a dict, not {type(inputs).__name__}. "
            "Other Mapping types are not supported."
        )
    together = tensors_in if function == "backward()" else as_tuple
    targets = together(inputs.values() if type(inputs) is dict else inputs)
    if not targets:
        raise RuntimeError(f"`inputs` argument to `{function}` cannot be empty.")
    return targets


def check_target(target: Any) -> None:
    """Refuse to differentiate with respect to anything but a Tensor or GradientEdge."""
    if not isinstance(target, (tensor_bridge.type, GradientEdge)):
        raise RuntimeError(
            f"all inputs have to be Tensors or GradientEdges, but got {type(target).__name__}"
        )


def renamed(grad_tensors: Any, grad_variables: Any) -> Any:
    """Return the gradients that were given by the former name of their argument."""
    warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
    if grad_tensors is not None:
        raise RuntimeError(
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
            "`backward()`. Please only use `grad_tensors`."
        )
    return grad_variables


def start(
    outputs: Sequence[Any], grad_outputs: Any, create_graph: bool
) -> tuple[list[Edge], list[Gradient]]:
    """Return the edges where a walk starts and the gradient that starts it at each.

    Raises:
        RuntimeError, TypeError: if an output or gradient will not do, with PyTorch's texts.
    """
    given = (None,) * len(outputs) if grad_outputs is None else tensors_in(grad_outputs)
    ends, gradients = [], []
    for output, gradient in zip(outputs, given, strict=False):
        is_tensor = isinstance(output, tensor_bridge.type)
        end = output if is_tensor else stand_in(output, gradient)
        if gradient is None:
            gradients.append(one(end, create_graph))
        elif not isinstance(gradient, tensor_bridge.type):
            kind = type(gradient).__name__
            raise TypeError(f"gradients can be either Tensors or None, but got {kind}")
        elif gradient._value.shape != end._value.shape:
            # PyTorch finds these places by ==, which does not compare several elements.
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{given.index(gradient)}] has a shape of "
                f"{gradient.shape} and output[{outputs.index(output)}] has a shape of {end.shape}."
            )
        else:
            gradients.append(gradient)
        ends.append(end)
    if len(given) < len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    roots: list[Edge] = []
    for output in ends:
        edge = edge_of(output) if output._requires_grad else NO_EDGE
        if edge[0] is None:
            raise RuntimeError(
                f"element {len(roots)} of tensors does not require grad and does not have a grad_fn"
            )
        roots.append(edge)
    return roots, gradients


def stand_in(output: Any, gradient: Any) -> Any:
    """Return a tensor without memory of its own that has the edge where a walk is to start.

    Raises:
        AssertionError: if it is no GradientEdge.
    """
    if not isinstance(output, GradientEdge):
        raise AssertionError("Expected output to be a torch.Tensor")
    node, number, shape, dtype = edge_of(output)
    if output.edge is None and isinstance(gradient, tensor_bridge.type):
        shape, dtype = gradient._value.shape, gradient._value.dtype
    tensor = tensor_bridge.wrap(np.broadcast_to(np.zeros((), dtype), shape))
    tensor._edge, tensor._requires_grad = (node, number, shape, dtype), True
    return tensor


def one(output: Any, create_graph: bool) -> Gradient:
    """Return the gradient 1 that a tensor of a single element starts with."""
    value = output._value
    if output._requires_grad and value.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    ones = np.ones(value.shape, value.dtype) if value.ndim else constant(1, value.dtype)[()]
    return tensor_bridge.wrap(ones) if create_graph else ones
