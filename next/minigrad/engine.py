"""The backward pass: gradients go along the edges, from the newest node to the oldest."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from minigrad import dtypes
from minigrad.graph import AccumulateGrad, Node, state
from minigrad.tensor import Tensor, from_array


sequence_of = attrgetter("sequence")


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes, without the tensor."""

    node: Node
    output_nr: int
    ownership_token: Any = None


def run(
    roots: list[tuple[tuple, Any]], keep: bool, taped: bool, targets: dict | None = None
) -> None:
    """Run the graph below `roots`, pairs of an edge and a gradient.

    Nodes run in the order of their making, the newest first: all that use a node are newer. A leaf
    runs as soon as all its gradients have arrived. `targets` maps (node, number) to None: only what
    leads there runs, and the gradients are put there. It may have nodes that are to run as well.
    """
    nodes, waiting = below([edge[0] for edge, _ in roots])
    needed = None
    if targets is not None:
        needed = leading_to({t[0] if isinstance(t, tuple) else t for t in targets}, nodes)
    watched = needed is not None or state.anomaly
    arrived: dict[Node, list[Any]] = {}
    for (node, number, *_), grad in roots:
        grads = arrived.setdefault(node, [None] * node.outputs)
        grads[number] = grad if grads[number] is None else grads[number] + grad
    for node in nodes:
        grads = arrived.pop(node, None)
        if grads is None:
            continue
        if watched or node._hooks is not None:
            results = run_watched(node, grads, taped, targets, needed)
            if results is None:
                continue
        else:
            results = node.apply(grads, taped)
        if not keep:
            node.release()
        for edge, grad in zip(node.edges, results):
            if edge is None:
                continue
            target, number, shape, dtype = edge
            if grad is not None:
                array = grad._array if taped else grad
                if array.shape != shape or array.dtype is not dtype:
                    grad = fit(node, results, grad, shape, dtype)
            grads = arrived.get(target)
            if grads is None:
                arrived[target] = grads = [None] * target.outputs
            before = grads[number]
            grads[number] = grad if before is None else before if grad is None else before + grad
            if type(target) is AccumulateGrad:
                waiting[target] -= 1
                if not waiting[target]:
                    del arrived[target]
                    if watched or target._hooks is not None:
                        run_watched(target, grads, taped, targets, needed)
                    else:
                        target.apply(grads, taped)


def below(roots: list[Node]) -> tuple[list[Node], dict[Node, int]]:
    """All nodes that can be reached, the newest first; how many gradients each leaf waits for."""
    found, waiting = set(roots), {}
    todo = list(found)
    while todo:
        for edge in todo.pop().edges:
            if edge is not None:
                node = edge[0]
                if type(node) is AccumulateGrad:
                    waiting[node] = waiting.get(node, 0) + 1
                elif node not in found:
                    found.add(node)
                    todo.append(node)
    return sorted(found, key=sequence_of, reverse=True), waiting


def leading_to(targets: set[Node], nodes: list[Node]) -> set[Node]:
    """The nodes from which a target can be reached."""
    needed = set(targets)
    for node in reversed(nodes):
        if any(edge is not None and edge[0] in needed for edge in node.edges):
            needed.add(node)
    return needed


def fit(node: Node, results: Sequence, grad: Any, shape: tuple, dtype: Any) -> Any:
    """The gradient in the shape and dtype of its input: what was broadcast is summed."""
    have = tuple(grad.shape)
    extra = len(have) - len(shape)
    if have[extra:] == shape and extra > 0 and type(grad) is np.ndarray:
        return np.add.reduce(grad, tuple(range(extra)), dtype)
    if extra < 0 or any(want not in (1, got) for want, got in zip(shape, have[extra:])):
        index = next(i for i, one in enumerate(results) if one is grad)
        raise RuntimeError(
            f"Function {node.name()} returned an invalid gradient at index {index} - got "
            f"{list(have)} but expected shape compatible with {list(shape)}"
        )
    if have != shape:
        same = [i + extra for i, n in enumerate(shape) if n == 1 != have[i + extra]]
        if dims := (*range(extra), *same):
            keep = {"keepdim" if isinstance(grad, Tensor) else "keepdims": True}
            grad = grad.sum(dims, **keep)
        grad = grad.reshape(shape) if grad.shape != shape else grad
    if isinstance(grad, Tensor):
        return grad.to(dtypes.from_numpy[dtype])
    return np.asarray(grad).astype(dtype, copy=False)


# Nodes with hooks, passes that want only some gradients, and anomaly mode


def run_watched(node: Node, grads: list, taped: bool, targets: Any, needed: Any) -> Any:
    """Run a node with its hooks, and take the gradients that are wanted; None if it ends there."""
    hooks = node._hooks
    if needed is not None and node not in needed:
        return None
    if hooks is not None:
        for number in sorted({*hooks.tensor, *hooks.retain}):
            grads[number] = run_tensor_hooks(hooks, number, grads[number])
    for number in range(len(grads)) if targets else ():
        if (node, number) in targets:
            targets[node, number] = grads[number]
    if needed is not None and not (
        node in targets or any(e is not None and e[0] in needed for e in node.edges)
    ):
        return None
    if hooks is not None and hooks.before:
        grads = run_hooks(hooks.before, grads, 1)
    results = node.apply(grads, taped) if not state.anomaly else explain(node, grads, taped)
    if hooks is not None and hooks.after:
        results = run_hooks(hooks.after, results, 2, grads)
    return results


def as_tensor(grad: Any) -> Tensor | None:
    return from_array(np.asarray(grad)) if grad is not None and type(grad) is not Tensor else grad


def like(result: Any, old: Any) -> Any:
    """What a hook returned, as an array where the pass runs on arrays."""
    if result is None or isinstance(old, Tensor) or state.enabled:
        return result
    return result._array


def run_tensor_hooks(hooks: Any, number: int, grad: Any) -> Any:
    for hook in tuple(hooks.tensor.get(number, {}).values()):
        result = hook(as_tensor(grad))
        if result is not None:
            if not isinstance(result, Tensor):
                raise TypeError(
                    f"hook's return value has incorrect type (expected Tensor but got "
                    f"{type(result).__name__})"
                )
            check_hook_result(hook, result, grad)
            grad = like(result, grad)
    if (kept := hooks.retain.get(number)) is not None and (tensor := kept()) is not None:
        tensor._accumulate(grad, isinstance(grad, Tensor))
    return grad


def check_hook_result(hook: Any, result: Any, grad: Any) -> None:
    name = getattr(hook, "__name__", "<unknown>")
    if grad is not None and tuple(result.shape) != tuple(grad.shape):
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    if grad is not None and result._array.dtype != as_tensor(grad)._array.dtype:
        raise RuntimeError(f"hook '{name}' has changed the type of value")


def run_hooks(hooks: Any, grads: Sequence, kind: int, inputs: Any = None) -> Sequence[Any]:
    """Hooks on a node, before it (1) or after it (2): they may replace all gradients."""
    shown = tuple(map(as_tensor, grads))
    for hook in tuple(hooks.values()):
        result = hook(shown) if kind == 1 else hook(shown, tuple(map(as_tensor, inputs)))
        if result is not None:
            result = result if isinstance(result, tuple) else (result,)
            if len(result) != len(shown):
                raise RuntimeError(
                    f"hook '{getattr(hook, '__name__', '<unknown>')}' has returned an incorrect "
                    f"number of values (got {len(result)}, but expected {len(shown)})"
                )
            shown = result
    return [like(new, old) if new is not old else old for new, old in zip(shown, grads)]


def explain(node: Node, grads: list, taped: bool) -> Sequence[Any]:
    """Run a node in anomaly mode: say where it was recorded if it fails or gives nan."""
    parent, state.running = state.running, node
    try:
        results = node.apply(grads, taped)
        for number, grad in enumerate(results if state.check_nan else ()):
            if grad is not None and np.isnan(as_tensor(grad)._array).any():
                raise RuntimeError(
                    f"Function '{node.name()}' returned nan values in its {number}th output."
                )
        return results
    except RuntimeError:
        warn_of_origin(node)
        raise
    finally:
        state.running = parent


def warn_of_origin(node: Node) -> None:
    told, text = node.metadata, "Error detected in {}. {}"
    if "traceback_" not in told:
        warnings.warn(
            text.format(
                node.name(),
                "No forward pass information available. Enable detect "
                "anomaly during forward pass for more information.",
            )
        )
        return
    trace = "Traceback of forward call that caused the error:\n" + "".join(told["traceback_"])
    warnings.warn(text.format(node.name(), trace))
    while (node := told.get("parent_")) is not None:
        told = node.metadata
        warnings.warn(
            f"\n\nPrevious calculation was induced by {node.name()}. Traceback of forward call "
            f"that induced the previous calculation:\n{''.join(told.get('traceback_', ()))}"
        )


def note_origin(node: Node, inner: int = 3) -> None:
    """In anomaly mode, keep where a node is recorded, but for the calls within the engine."""
    node.metadata["traceback_"] = traceback.format_stack()[:-inner]
    if state.running is not None:
        node.metadata["parent_"] = state.running


# What users call


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `grad` of the leaves, or of `inputs`."""
    tensors, given = as_list(tensors), grad_tensors if grad_tensors is not None else grad_variables
    given = [None] * len(tensors) if given is None else as_list(given)
    targets, wanted = None, []
    if inputs is not None:
        wanted = as_list(inputs)
        if not wanted:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        targets = {edge_of(one)[0]: None for one in wanted}
        for one in wanted:
            if isinstance(one, Tensor):
                one.retain_grad()
    if create_graph:
        warnings.warn(
            "Using backward() with create_graph=True will create a reference cycle between the "
            "parameter and its gradient which can cause a memory leak. We recommend using "
            "autograd.grad when creating the graph to avoid this. If you have to use this "
            "function, make sure to reset the .grad fields of your parameters to None after use "
            "to break the cycle and avoid the leak.",
            stacklevel=3,
        )
    keep = create_graph if retain_graph is None else retain_graph
    call_engine(tensors, given, keep, create_graph, targets)


def tensor_backward(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradients of this tensor to the `grad` of the leaves it was computed from."""
    backward(self, gradient, retain_graph, create_graph, None, inputs)


Tensor.backward = tensor_backward


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
    """The gradients of the sum of `outputs` with respect to `inputs`."""
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    outputs, wanted = as_list(outputs), as_list(inputs)
    given = [None] * len(outputs) if grad_outputs is None else as_list(grad_outputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if any(isinstance(one, Tensor) and not one.requires_grad for one in wanted):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    edges = [edge_of(one) for one in wanted]
    targets = {edge[:2]: None for edge in edges}
    keep = create_graph if retain_graph is None else retain_graph
    call_engine(outputs, given, keep, create_graph, targets)
    found = [as_tensor(targets[edge[:2]]) for edge in edges]
    for i, one in enumerate(found):
        if one is None and materialize_grads:
            if not isinstance(wanted[i], Tensor):
                raise RuntimeError(
                    "materialize_grads cannot be used when the given input is a GradientEdge"
                )
            found[i] = from_array(np.zeros_like(wanted[i]._array))
            found[i].requires_grad = create_graph
        elif one is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used in the "
                "graph. Set allow_unused=True if this is the desired behavior."
            )
    return tuple(found)


def as_list(things: Any) -> list[Any]:
    alone = things is None or isinstance(things, (Tensor, GradientEdge, Node))
    return [things] if alone else list(things)


def edge_of(one: Any) -> tuple:
    if isinstance(one, GradientEdge):
        return (one.node, one.output_nr, None, None)
    if isinstance(one, Node):
        return (one, 0, None, None)
    edge = one._fresh_edge()
    if edge is None:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edge


def call_engine(tensors: list, given: list, keep: bool, taped: bool, targets: dict | None) -> None:
    roots = []
    if len(given) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(given)} gradients")
    for number, (tensor, grad) in enumerate(zip(tensors, given)):
        start = starting_grad(tensor, grad, number, taped)
        if isinstance(tensor, Tensor) and not tensor.requires_grad:
            raise RuntimeError(
                f"element {number} of tensors does not require grad and does not have a grad_fn"
            )
        roots.append((edge_of(tensor), start))
    before, state.enabled = (state.enabled, state.hooks), taped
    try:
        run(roots, keep, taped, targets)
    finally:
        state.enabled, state.hooks = before


def starting_grad(tensor: Any, grad: Any, number: int, taped: bool) -> Any:
    if grad is None:
        if not isinstance(tensor, Tensor):
            raise RuntimeError("a gradient must be given where an edge starts the pass")
        if tensor._array.size != 1 and tensor.requires_grad:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        array = tensor._array
        if array.ndim or taped:
            return from_array(np.ones_like(array)) if taped else np.ones_like(array)
        return array.dtype.type(1)
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if isinstance(tensor, Tensor) and grad.shape != tensor.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{number}] has a shape of {grad.shape} and "
            f"output[{number}] has a shape of {tensor.shape}."
        )
    return grad if taped else grad._array
