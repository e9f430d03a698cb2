"""Modules as functions of their tensors: called with others, and stacked to be mapped over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from minigrad.functions import stack
from minigrad.nn.modules.module import Module
from minigrad.nn.utils.stateless import Tensors, _functional_call
from minigrad.tensor import Tensor


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Tensors | Sequence[Tensors],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Return what a module gives with other parameters and buffers in the place of its own.

    So gradients flow to these, which may have been computed: by a step of an optimizer that is
    to be differentiated, say.

    Args:
        module: what to call; it keeps its own tensors.
        parameter_and_buffer_dicts: the tensors by their names in the module, in one dictionary or
            several. What the module writes to them is found there afterwards.
        args: what to call it with: a tuple, or one argument.
        kwargs: arguments by name.
        tie_weights: whether what the module has under several names is given by one of them.
        strict: whether all tensors of the module have to be given, and no others.

    Raises:
        ValueError: if a name is given twice, or for something else than dictionaries.
        RuntimeError: if `strict` and the names are not just those of the module.
        AttributeError, TypeError: if the module has no such submodule, or no tensor of that name.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.functional_call.html

    >>> import minigrad as torch
    >>> layer = torch.nn.Linear(1, 1)
    >>> weights = {"weight": torch.tensor([[2.0]]), "bias": torch.tensor([1.0])}
    >>> torch.func.functional_call(layer, weights, torch.tensor([3.0]))
    tensor([7.])
    """
    given = parameter_and_buffer_dicts
    if not isinstance(given, (dict, Sequence)):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(given)}"
        )
    if not isinstance(given, dict):
        if not all(isinstance(one, dict) for one in given):
            text = "Expected all elements of parameter_and_buffer_dicts to be dictionaries"
            raise ValueError(text)
        counts = Counter(name for one in given for name in one)
        repeated = [name for name, count in counts.items() if count > 1]
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is "
                "ambiguous"
            )
        given = {name: tensor for one in given for name, tensor in one.items()}
    return _functional_call(module, given, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models: Sequence[Module]) -> tuple[Tensors, Tensors]:
    """Return the parameters of several like modules, stacked, and their buffers, by name.

    With `functional_call` and `vmap` an ensemble is so called at once. The stacked parameters are
    new leaves, which an optimizer can train.

    Args:
        models: modules of one class, all in training mode or none.

    Raises:
        RuntimeError: if there are none, or they are not alike.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.func.stack_module_state.html

    >>> import minigrad as torch
    >>> models = [torch.nn.Linear(2, 1) for _ in range(3)]
    >>> parameters, buffers = torch.func.stack_module_state(models)
    >>> {name: one.shape for name, one in parameters.items()}
    {'weight': torch.Size([3, 1, 2]), 'bias': torch.Size([3, 1])}
    >>> def call(parameters, x):
    ...     return torch.func.functional_call(models[0], parameters, x)
    >>> torch.vmap(call, (0, None))(parameters, torch.ones(5, 2)).shape
    torch.Size([3, 5, 1])
    """
    start = "stack_module_state: Expected"
    if len(models) == 0:
        raise RuntimeError(f"{start} at least one model, got 0.")
    if len({bool(one.training) for one in models}) > 1:
        raise RuntimeError(f"{start} all models to have the same training/eval mode.")
    if len({type(one) for one in models}) > 1:
        raise RuntimeError(f"{start} all models to be of the same class.")
    return (
        stacked_state([dict(one.named_parameters()) for one in models]),
        stacked_state([dict(one.named_buffers()) for one in models]),
    )


def stacked_state(states: Sequence[Tensors]) -> Tensors:
    """Return the tensors of each name, stacked: a leaf that requires grad if they do."""
    return {name: stacked_leaf([one[name] for one in states], name) for name in states[0]}


def stacked_leaf(tensors: Sequence[Tensor], name: str) -> Tensor:
    """Return tensors stacked to a leaf.

    Raises:
        RuntimeError: if some require grad and others do not.
    """
    (needed, *others) = {one.requires_grad for one in tensors}
    if others:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    together: Tensor = stack(tensors)
    if not needed:
        return together
    leaf: Tensor = together.detach()
    return leaf.requires_grad_()
