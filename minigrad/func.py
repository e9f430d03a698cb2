"""What PyTorch has in the namespace ``torch.func``, so far as it calls modules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from minigrad.nn.modules.module import Module
from minigrad.nn.utils.stateless import Tensors, called_with
from minigrad.ops.bind import missing


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
    return called_with(module, given, args, kwargs, tie_weights, strict)


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.func'", name, globals())
