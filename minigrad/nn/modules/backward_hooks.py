"""The full backward hooks of a module: they see the gradients of its inputs and outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.autograd.hooks import Hook
from minigrad.outside import warn
from minigrad.tensor import Tensor


class BackwardHookFunction(Function):
    """Hands tensors on, and their gradients back: a node that hooks can be registered on."""

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        ctx.mark_non_differentiable(*[one for one in args if not one.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        return grad_outputs


class BackwardHook:
    """What the hooks of one call of a module are told, once a backward pass comes by.

    There is a node before the module, which knows the gradients of its inputs, and one after it,
    which knows those of its outputs. Values that are no tensors have None for a gradient.
    """

    def __init__(self, module: Any, hooks: Sequence[Hook], pre_hooks: Sequence[Hook]) -> None:
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None
        # Where the tensors are among inputs and outputs; None if no gradient passes there.
        self.inputs: list[int] | None = None
        self.outputs: list[int] | None = None
        self.number_of_inputs = self.number_of_outputs = 0

    def watch_inputs(self, args: Any) -> Any:
        """Return the arguments, after the node that knows their gradients."""
        self.number_of_inputs = len(args)
        args, self.inputs = through_node(args, self.after_inputs)
        return args

    def watch_outputs(self, result: Any) -> Any:
        """Return the output, after the node that knows its gradient."""
        single = not isinstance(result, tuple)
        results = (result,) if single else result
        self.number_of_outputs = len(results)
        results, self.outputs = through_node(results, self.after_outputs)
        return results[0] if single else results

    def after_outputs(self, _: Any, gradients: tuple[Any, ...]) -> Any:
        """Run the pre-hooks, and what runs now or never since no gradient reaches the inputs."""
        assert self.outputs is not None
        grad_outputs = spread(gradients, self.outputs, self.number_of_outputs)
        self.grad_outputs = grad_outputs
        for hook in self.pre_hooks:
            replacement = hook(self.module, self.grad_outputs)
            if replacement is not None:
                check_length("pre hook", "grad_output", replacement, grad_outputs)
                self.grad_outputs = grad_outputs = replacement
        if self.inputs is None:
            self.run_without_inputs()
        return tuple([grad_outputs[place] for place in self.outputs])

    def run_without_inputs(self) -> None:
        """Run the hooks though no input has a gradient: they can replace none."""
        warn(
            "Full backward hook is firing when gradients are computed with respect to module "
            "outputs since no inputs require gradients. See "
            "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
            "#torch.nn.Module.register_full_backward_hook for more details."
        )
        for hook in self.hooks:
            result = hook(self.module, (None,) * self.number_of_inputs, self.grad_outputs)
            if result is not None and not (
                isinstance(result, tuple) and all(one is None for one in result)
            ):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always "
                    "return None or None for all gradients."
                )
        self.grad_outputs = None

    def after_inputs(self, gradients: tuple[Any, ...], _: Any) -> Any:
        """Run the hooks, which may replace the gradients of the inputs."""
        if self.grad_outputs is None:
            return None
        assert self.inputs is not None
        grad_inputs = spread(gradients, self.inputs, self.number_of_inputs)
        for hook in self.hooks:
            replacement = hook(self.module, grad_inputs, self.grad_outputs)
            if replacement is not None:
                check_length("hook", "grad_input", replacement, grad_inputs)
                grad_inputs = replacement
        self.grad_outputs = None
        return tuple([grad_inputs[place] for place in self.inputs])


def through_node(values: Any, after: Callable[..., Any]) -> tuple[Any, list[int] | None]:
    """Return values with the tensors among them after a node with a hook, and where these are.

    If no gradient passes, the values themselves and None.
    """
    places = [place for place, one in enumerate(values) if isinstance(one, Tensor)]
    tensors = [values[place] for place in places]
    if not (is_grad_enabled() and any(one.requires_grad for one in tensors)):
        return values, None
    replaced = list(values)
    for place, tensor in zip(places, BackwardHookFunction.apply(*tensors), strict=True):
        replaced[place] = tensor
    node = next(one.grad_fn for one in replaced if isinstance(one, Tensor) and one.requires_grad)

    def hook(gradients: Any, others: Any) -> Any:  # which errors name
        return after(gradients, others)

    node.register_hook(hook)
    return tuple(replaced) if type(values) is tuple else type(values)(*replaced), places


def spread(gradients: Sequence[Any], places: Sequence[int], length: int) -> tuple[Any, ...]:
    """Return gradients at their places among values that have none."""
    found = dict(zip(places, gradients, strict=True))
    return tuple([found.get(place) for place in range(length)])


def check_length(hook: str, what: str, given: Sequence[Any], expected: Sequence[Any]) -> None:
    """Refuse what a hook returned if it is not as many gradients as it was told."""
    if len(given) != len(expected):
        raise RuntimeError(
            f"Backward {hook} returned an invalid number of {what}, got {len(given)}, but expected "
            f"{len(expected)}"
        )
