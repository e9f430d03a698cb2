"""The backward pass: gradients go along the edges, from the newest node to the oldest.

Whoever uses the result of a node is recorded later, so sorting all reachable nodes by sequence
number, newest first, gives an order in which every gradient is complete before it is used. It is
PyTorch's order, and nothing is recursive.
Source: https://docs.pytorch.org/docs/stable/notes/autograd.html
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from operator import add, attrgetter
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.anomaly import anomaly, run_traced
from minigrad.graph import AccumulateGrad, Edge, GradientEdge, Node
from minigrad.hooks import as_tensor, run_node_hooks, run_tensor_hooks
from minigrad.modes import overridable, quiet, rare_modes, state
from minigrad.targets import Targets, announce
from minigrad.tensor import Tensor, from_array

CREATE_GRAPH = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)

ONES = {np.dtype(kind): np.dtype(kind).type(1) for kind in ("f4", "f8")}
sequence_of = attrgetter("sequence_nr")


# The loop


def run_backward(
    roots: Sequence[tuple[Edge, Any]],
    retain_graph: bool,
    create_graph: bool,
    targets: Targets | None = None,
) -> None:
    """Send gradients from the roots, pairs of an edge and a gradient, to the leaves or targets.

    A node runs when all newer nodes have run. A leaf runs as soon as its last gradient arrives.
    """
    nodes, edge_counts = reachable([edge[0] for edge, _ in roots])
    if targets is not None or rare_modes:
        announce(nodes, edge_counts, targets)
    extras = targets is not None or anomaly.enabled
    gradients: dict[Node, list[Any]] = {}
    leaves: list[tuple[Node, list[Any]]] = []
    for (node, number, _, _), grad in roots:
        receive(gradients, node, number, grad)
    for node in nodes:
        grads = gradients.pop(node, None)
        if grads is None:
            continue
        if extras or node._hooks is not None:
            results = run_with_extras(node, grads, create_graph, targets)
            if results is None:
                continue
        else:
            results = node.apply(grads, create_graph)
        if not retain_graph:
            node.release_variables()
        for edge, grad in zip(node.next_edges, results):  # noqa: B905  strict costs time
            if edge is None:
                continue
            target, number, shape, dtype = edge
            if grad is not None:
                array = grad._array if create_graph else grad
                if array.shape != shape or array.dtype is not dtype:
                    grad = unbroadcast(node, results, grad, shape, dtype)
            if target in gradients or target.output_count > 1:
                receive(gradients, target, number, grad)
            else:
                gradients[target] = [grad]
            if type(target) is AccumulateGrad:
                edge_counts[target] -= 1
                if not edge_counts[target]:
                    leaves.append((target, gradients.pop(target)))
        if leaves:
            # A leaf keeps a gradient that nobody else refers to, and copies any other.
            grads = results = grad = array = None
            run_leaves(leaves, create_graph, targets)


def run_leaves(leaves: list[Any], create_graph: bool, targets: Targets | None) -> None:
    """Run the leaves in a list, each with its gradient, and empty it."""
    for leaf, grads in leaves:
        if targets is not None or leaf._hooks is not None or anomaly.enabled:
            run_with_extras(leaf, grads, create_graph, targets)
        else:
            leaf.apply(grads, create_graph)
    leaves.clear()


def reachable(roots: list[Node]) -> tuple[list[Node], dict[Node, int]]:
    """All operations below the roots, newest first; and for each leaf how many edges lead to it."""
    edge_counts: dict[Node, int] = {}
    nodes = set(roots)
    stack = list(nodes)
    while stack:
        for edge in stack.pop().next_edges:
            if edge is not None:
                node = edge[0]
                if type(node) is AccumulateGrad:
                    edge_counts[node] = edge_counts.get(node, 0) + 1
                elif node not in nodes:
                    nodes.add(node)
                    stack.append(node)
    # A root that is also a leaf of the others is treated as a leaf.
    return sorted(nodes.difference(edge_counts), key=sequence_of, reverse=True), edge_counts


def receive(gradients: dict[Node, list[Any]], node: Node, number: int, grad: Any) -> None:
    """Add a gradient to what an output of a node has received."""
    grads = gradients.get(node)
    if grads is None:
        gradients[node] = grads = [None] * node.output_count
    before = grads[number]
    if before is None or grad is None:
        grads[number] = grad if before is None else before
    else:
        # A new array: the old one may be saved somewhere, or be the gradient of another input.
        both = before, grad
        grads[number] = before + grad if isinstance(grad, Tensor) else quiet().run(add, *both)


def unbroadcast(
    node: Node, results: Sequence[Any], grad: Any, shape: tuple[int, ...], dtype: Any
) -> Any:
    """A gradient in the shape and dtype of its input: the dimensions that broadcasting added are
    summed.

    Raises RuntimeError, with the node's name, if the shapes don't fit.
    """
    actual = tuple(grad.shape)
    extra = len(actual) - len(shape)
    if actual[extra:] == shape and extra > 0 and type(grad) is np.ndarray:
        return quiet().run(np.add.reduce, grad, tuple(range(extra)), dtype)
    if extra < 0 or any(n not in (1, m) for n, m in zip(shape, actual[extra:], strict=True)):
        index = next(i for i, result in enumerate(results) if result is grad)
        raise RuntimeError(
            f"Function {node.name()} returned an invalid gradient at index {index} - got "
            f"{list(actual)} but expected shape compatible with {list(shape)}"
        )
    if isinstance(grad, Tensor) and shape == () != actual:
        grad = grad.sum()
    elif actual != shape:
        stretched = [i + extra for i, n in enumerate(shape) if n == 1 != actual[i + extra]]
        if dims := (*range(extra), *stretched):
            keepdims = {"keepdim" if isinstance(grad, Tensor) else "keepdims": True}
            grad = grad.sum(dims, **keepdims)
        grad = grad.reshape(shape) if grad.shape != shape else grad
    if isinstance(grad, Tensor):
        return grad.to(dtypes.from_numpy[dtype])
    return quiet().run(np.asarray(grad).astype, dtype, copy=False)


# Hooks, targets, and anomaly mode


def run_with_extras(
    node: Node, grads: list[Any], create_graph: bool, targets: Targets | None
) -> Sequence[Any] | None:
    """Run a node with its hooks and capture what is asked for; None if the pass ends here."""
    hooks = node._hooks
    if targets is not None and node not in targets.leading:
        return None
    runs = targets is None or targets.runs(node)
    if targets is not None and runs:  # what passes on the way to others hasn't seen the hooks
        targets.capture(node, grads)
    if hooks is not None:
        for number in sorted({*hooks.tensor, *hooks.retain_grad}):
            grads[number] = run_tensor_hooks(hooks, number, grads[number])
    if targets is not None and not runs:
        targets.capture(node, grads)
        return None
    if hooks is not None and hooks.pre:
        grads = run_node_hooks(hooks.pre, grads)
    run = run_traced if anomaly.enabled else type(node).apply
    results = run(node, grads, create_graph)
    if hooks is not None and hooks.post:
        leading = node.next_edges if targets is None else targets.leading_edges(node)
        results = [
            None if edge is None or grad is None else unbroadcast(node, results, grad, *edge[2:])
            for edge, grad in zip(leading, results)  # noqa: B905  as in run_backward
        ]
        results = run_node_hooks(hooks.post, results, tuple(map(as_tensor, grads)))
    return results


# What users call


@overridable
def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `grad` of the leaves, or only of `inputs`.

    `grad_tensors` are the vectors of the vector-Jacobian products, one for each tensor; None is
    enough for a tensor with one element. `retain_graph` keeps what the nodes saved, so that the
    graph can be used again (default: `create_graph`). `create_graph` records the pass itself, for
    second derivatives.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.backward.html
    """
    vectors = grad_tensors if grad_tensors is not None else grad_variables
    roots = find_roots(as_list(tensors), vectors, create_graph)
    run_accumulating(roots, retain_graph, create_graph, inputs)


@overridable
def _tensor_backward(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradients of this tensor to the `grad` of the leaves, or only of `inputs`.

    `gradient` is the vector of the vector-Jacobian product; a tensor with one element needs none.
    Raises RuntimeError if the tensor requires no grad, or if the graph was freed.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (x * x).backward()
    >>> x.grad
    tensor(6.)
    """
    roots = [find_root(self, gradient, 0, create_graph)]
    run_accumulating(roots, retain_graph, create_graph, inputs)


_tensor_backward.__name__ = "backward"
Tensor.backward = _tensor_backward  # type: ignore[attr-defined]


@overridable
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
) -> tuple[Any, ...]:
    """The gradients of the sum of `outputs` with respect to `inputs`, as a tuple of tensors.

    No `grad` attribute changes. An input that the outputs don't depend on raises RuntimeError,
    unless `allow_unused` (its gradient is None) or `materialize_grads` (zeros).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad.html
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    outputs, inputs = as_list(outputs), as_list(inputs)
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    roots = find_roots(outputs, grad_outputs, create_graph)
    edges = [edge_of(one) for one in inputs]
    targets = Targets(edges, capture=True)
    run_in_mode(roots, retain_graph, create_graph, targets)
    grads = [as_tensor(targets.captured[edge[:2]]) for edge in edges]
    for index, (input, gradient) in enumerate(zip(inputs, grads, strict=True)):
        if gradient is None and materialize_grads:
            if not isinstance(input, Tensor):
                raise RuntimeError(
                    "materialize_grads cannot be used when the given input is a GradientEdge"
                )
            zeros = from_array(np.zeros_like(input._array))
            zeros.requires_grad = create_graph
            grads[index] = zeros
        elif gradient is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {index} appears to not have been used in the "
                "graph. Set allow_unused=True if this is the desired behavior."
            )
    return tuple(grads)


def as_list(tensors: Any) -> list[Any]:
    single = isinstance(tensors, Tensor | GradientEdge | Node) or tensors is None
    return [tensors] if single else list(tensors)


def edge_of(input: Any) -> Edge:
    """The edge of a tensor, GradientEdge or node that a user named."""
    if isinstance(input, GradientEdge):
        return (input.node, input.output_nr, (), np.dtype("f4"))
    if isinstance(input, Node):
        return (input, 0, (), np.dtype("f4"))
    if not isinstance(input, Tensor):
        kind = type(input).__name__
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {kind}")
    edge: Edge | None = input._current_edge()
    if edge is None:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edge


def find_roots(tensors: list[Any], vectors: Any, create_graph: bool) -> list[tuple[Edge, Any]]:
    """The edges where a pass begins, each with its first gradient."""
    vectors = [None] * len(tensors) if vectors is None else as_list(vectors)
    if len(vectors) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(vectors)} gradients")
    pairs = enumerate(zip(tensors, vectors, strict=True))
    return [find_root(tensor, vector, index, create_graph) for index, (tensor, vector) in pairs]


def find_root(tensor: Any, vector: Any, index: int, create_graph: bool) -> tuple[Edge, Any]:
    """The edge of a tensor, with the vector that was given, or 1 for a scalar."""
    edge = tensor._current_edge() if isinstance(tensor, Tensor) else edge_of(tensor)
    if vector is not None:
        if not isinstance(vector, Tensor):
            raise TypeError(
                f"gradients can be either Tensors or None, but got {type(vector).__name__}"
            )
        if isinstance(tensor, Tensor) and vector.shape != tensor.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{index}] has a shape of {vector.shape} and "
                f"output[{index}] has a shape of {tensor.shape}."
            )
    elif not isinstance(tensor, Tensor):
        raise RuntimeError("a gradient must be given where an edge starts the pass")
    elif tensor._array.size != 1 and edge is not None:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if edge is None:
        raise RuntimeError(
            f"element {index} of tensors does not require grad and does not have a grad_fn"
        )
    if vector is not None:
        return edge, vector if create_graph else vector._array
    array = tensor._array
    if array.ndim or create_graph:
        ones = np.ones(array.shape, array.dtype)
        return edge, from_array(ones) if create_graph else ones
    return edge, ONES[array.dtype]


def run_accumulating(
    roots: list[tuple[Edge, Any]], retain_graph: bool | None, create_graph: bool, inputs: Any
) -> None:
    """Run a pass that adds to the `grad` of all leaves, or of `inputs` alone."""
    targets = None
    if inputs is not None:
        inputs = as_list(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        if any(isinstance(one, Tensor) and not one.requires_grad for one in inputs):
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        targets = Targets([edge_of(one) for one in inputs], capture=False)
        for one in inputs:
            if isinstance(one, Tensor):
                one.retain_grad()
    if create_graph:
        # At this line, so that Python shows it once in a program, as for PyTorch's own line.
        warnings.warn(CREATE_GRAPH, stacklevel=1)
    run_in_mode(roots, retain_graph, create_graph, targets)


def run_in_mode(
    roots: list[tuple[Edge, Any]],
    retain_graph: bool | None,
    create_graph: bool,
    targets: Targets | None,
) -> None:
    """Run a pass with grad mode on exactly if the pass is recorded."""
    outer, state.enabled = state.enabled, create_graph
    rare = (state.backward_pass, state.saved_hooks) if rare_modes else None
    try:
        retain = create_graph if retain_graph is None else retain_graph
        run_backward(roots, retain, create_graph, targets)
    finally:
        state.enabled = outer
        if rare is not None:
            state.backward_pass, state.saved_hooks = rare
