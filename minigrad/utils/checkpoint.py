"""Activation checkpointing: compute again in the backward pass what was not kept in the forward.

PyTorch has it in the namespace ``torch.utils.checkpoint``.
Source: https://docs.pytorch.org/docs/stable/checkpoint.html
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from minigrad.autograd import backward
from minigrad.autograd.function import Function
from minigrad.autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, state
from minigrad.autograd.saved_tensors_hooks import saved_tensors_hooks
from minigrad.creation import empty
from minigrad.nn import Sequential
from minigrad.outside import warn
from minigrad.overrides import DisableTorchFunction
from minigrad.random import fork_rng, get_rng_state, set_rng_state
from minigrad.tensor import Tensor
from minigrad.utils._pytree import tree_leaves

HOW_TO_CHOOSE = (
    "use_reentrant=False is recommended, but if you need to preserve the current default behavior, "
    "you can pass use_reentrant=True. Refer to docs for more details on the differences between "
    "the two variants."
)
WHICH_VARIANT = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in "
    "PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. "
) + HOW_TO_CHOOSE
WHICH_VARIANT_OF_ALL = (
    "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed "
    "explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. "
) + HOW_TO_CHOOSE
TARGETS = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
    "`inputs` parameter to .backward(). To resolve this error, you can either set "
    "use_reentrant=False, or call .backward() without passing the `inputs` argument."
)
OVERLAPPING = (
    "Performing two backward calls that overlap (i.e. require the same saved activation in order "
    "to compute gradients) is not allowed while under the torch.utils.checkpoint.GraphExecGroup "
    "context. "
)
SUPPRESSED = (
    "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception "
    "raised during the checkpointed forward. This is not supported because checkpoint cannot "
    "return a value for a failed forward."
)
Contexts = tuple[AbstractContextManager[Any], AbstractContextManager[Any]]


class CheckpointError(RuntimeError):
    """The function did something else when it was run again."""

    __module__ = "torch.utils.checkpoint"


class _StopRecomputationError(Exception):
    """All that was saved has been computed again."""


def noop_context_fn() -> Contexts:
    """Return two contexts that change nothing."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def metadata(tensor: Tensor) -> dict[str, Any]:
    """Return what must be the same when a tensor is computed again."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


CHECKS: dict[str, Callable[[Tensor], Any]] = {"default": metadata, "none": lambda tensor: None}
early_stops: list[bool] = []  # the last one counts; see `set_checkpoint_early_stop`
debugs: list[bool | None] = [None]  # the last one counts; see `set_checkpoint_debug_enabled`
TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""


class Group(threading.local):
    """The group of backward passes that a thread is in, if any."""

    now: GraphExecGroup | None = None


group = Group()


class GraphExecGroup:
    """Backward passes inside a ``with`` block, which share what checkpoints compute again.

    Each checkpoint runs its function at most once for all of them; so no two may need the same
    saved tensor. It is for ``use_reentrant=False``.

    Raises:
        RuntimeError: if they are nested.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import GraphExecGroup, checkpoint
    >>> x = torch.tensor(0.0, requires_grad=True)
    >>> def twice(x):
    ...     print("running")
    ...     y = x.exp()
    ...     return y, y.exp()
    >>> y, z = checkpoint(twice, x, use_reentrant=False)
    running
    >>> with GraphExecGroup():
    ...     (of_y,) = torch.autograd.grad(z, y)
    ...     (of_x,) = torch.autograd.grad(y, x, of_y)
    running
    """

    __module__ = "torch.utils.checkpoint"

    def __enter__(self) -> GraphExecGroup:
        if group.now is not None:
            raise RuntimeError(
                f"GraphExecGroup contexts cannot be nested. Already inside group {group.now}"
            )
        group.now = self
        return self

    def __exit__(self, *exception: object) -> None:
        group.now = None


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Say whether checkpoints made in this block stop as soon as all is there that was saved.

    Here `early_stop` of `checkpoint` does not count.
    """
    early_stops.append(enable)
    try:
        yield
    finally:
        early_stops.pop()


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Say for all checkpoints made in this block whether to `debug`; None leaves it to them."""
    debugs.append(enabled)
    try:
        yield
    finally:
        debugs.pop()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call a function; let the graph keep nothing of it but its inputs, and run it again for more.

    Args:
        function: what to compute, the same each time it is given the same.
        use_reentrant: whether the function becomes one custom function that runs a backward pass of
            its own (the way of old), or the graph is as ever and its saved tensors come back when
            one is needed.
        context_fn: returns the contexts for the first run, and for the runs in backward passes.
        determinism_check: ``"default"`` or ``"none"``: whether to compare shapes and dtypes.
        debug: whether a CheckpointError shows which operations ran both times, and where.
        early_stop: whether to run no further than to the last tensor that was saved.
        preserve_rng_state: whether random numbers are the same when it runs again.

    Raises:
        CheckpointError: in the backward pass, if the function did not do the same again.
        ValueError: for arguments that do not go together.
        RuntimeError: if the context of the first run keeps an error of the function to itself.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import checkpoint
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> def square(x):
    ...     print("running")
    ...     return x * x
    >>> y = checkpoint(square, x, use_reentrant=False)
    running
    >>> y.sum().backward()
    running
    >>> x.grad
    tensor([2., 4.])
    """
    if use_reentrant is None:
        warn(WHICH_VARIANT)
        use_reentrant = True
    if not use_reentrant:
        runs = None
        if debug if debugs[-1] is None else debugs[-1]:
            if context_fn is not noop_context_fn:
                raise ValueError("debug=True is incompatible with non-default context_fn")
            from minigrad.utils.checkpoint_debug import Runs  # rarely needed

            runs = Runs()
            context_fn = runs.contexts
        if determinism_check not in CHECKS:
            raise ValueError(
                f"determinism_check should be one of {list(CHECKS)}, but got {determinism_check}"
            )
        look_at_devices(args)
        original, again = context_fn()
        if not is_grad_enabled():
            return function(*args, **kwargs)
        run = Recomputation(function, args, kwargs, again, preserve_rng_state)
        run.early_stop = early_stops[-1] if early_stops else early_stop
        run.check = CHECKS[determinism_check]
        unpack = runs.explaining(run.tensor) if runs else run.tensor
        with saved_tensors_hooks(run.note, unpack), original:
            result = function(*args, **kwargs)
            run.completed = True
        if not run.completed:
            raise RuntimeError(SUPPRESSED)
        return result
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call functions one after the other, in so many segments of which all but the last is kept.

    Args and errors are those of `checkpoint`.
    """
    if use_reentrant is None:
        warn(WHICH_VARIANT_OF_ALL)
        use_reentrant = True
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    steps = list(functions.children() if isinstance(functions, Sequential) else functions)
    length, kept = len(steps) // segments, 0
    for start in range(0, length * (segments - 1), length):
        kept = start + length
        input = checkpoint(
            in_turn(steps[start:kept]),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve_rng_state,
        )
    return in_turn(steps[kept:])(input)


def in_turn(functions: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Return a function that gives each function what the one before it returned."""

    def forward(input: Any) -> Any:
        for function in functions:
            input = function(input)
        return input

    return forward


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the same tensors as leaves, and other things as they are.

    Raises:
        RuntimeError: if they are in no tuple.
    """
    if not isinstance(inputs, tuple):
        raise RuntimeError(
            "Only tuple of tensors is supported. Got Unsupported input type: "
            f"{type(inputs).__name__}"
        )
    return tuple(
        [
            one.detach().requires_grad_(one.requires_grad) if isinstance(one, Tensor) else one
            for one in inputs
        ]
    )


def look_at_devices(args: tuple[Any, ...]) -> None:
    """Look where tensors are, as PyTorch does, though there is but one place: modes see it."""
    for one in tree_leaves(args):
        if isinstance(one, Tensor):
            _ = one.device


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn if no tensor among the inputs requires grad."""
    if not any(one.requires_grad for one in inputs if isinstance(one, Tensor)):
        warn("None of the inputs have requires_grad=True. Gradients will be None")


@contextlib.contextmanager
def random_numbers_of(generator: Tensor | None) -> Iterator[None]:
    """Draw the random numbers that a generator in this state gives; none changes nothing."""
    with fork_rng(enabled=generator is not None):
        if generator is not None:
            set_rng_state(generator)
        yield


class Inputs(Function):
    """Saves the inputs of a checkpoint: as tensors of the graph, for the checkpoint around it."""

    generate_vmap_rule = True

    @staticmethod
    def forward(recorded: Tensor, inputs: Sequence[Any]) -> Any:
        return empty(0)

    @staticmethod
    def setup_context(ctx: Any, given: Any, output: Any) -> None:
        _, inputs = given
        # A batched tensor, within `vmap`, has no memory that could be saved.
        ctx.tensors = [hasattr(one, "_counter") for one in inputs]
        pairs = [*zip(inputs, ctx.tensors, strict=True)]
        ctx.save_for_backward(*[one for one, is_tensor in pairs if is_tensor])
        ctx.others = [None if is_tensor else one for one, is_tensor in pairs]

    @staticmethod
    def again(ctx: Any) -> list[Any]:
        """Return the inputs, as they were."""
        tensors = iter(ctx.saved_tensors)
        return [
            next(tensors) if is_tensor else other
            for is_tensor, other in zip(ctx.tensors, ctx.others, strict=True)
        ]


class Recomputation:
    """One call of a function whose saved tensors are computed again when they are needed.

    In their place the graph keeps numbers: which of them it is.
    """

    early_stop: bool
    check: Callable[[Tensor], Any]
    completed = False  # whether the function has returned: it may differentiate what it computes

    def __init__(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        kwargs: dict[str, Any],
        context: AbstractContextManager[Any],
        preserve_rng_state: bool,
    ) -> None:
        self.function, self.kwargs, self.context = function, kwargs, context
        self.generator = get_rng_state() if preserve_rng_state else None
        with DisableTorchFunction(), enable_grad():
            self.inputs = Inputs.apply(empty(0, requires_grad=True), args).grad_fn
        self.saved: list[Any] = []  # what each saved tensor was like
        self.found: dict[int, Tensor] = {}  # those computed again and not used yet
        # Gives the backward pass, or the group of them, that they were computed for.
        self.recomputed_for: Any = lambda: None

    def note(self, tensor: Tensor) -> int:
        """Note what a tensor is like that is being saved, and return its number."""
        self.saved.append(self.check(tensor))
        return len(self.saved) - 1

    def tensor(self, number: int) -> Tensor:
        """Return a tensor that was saved."""
        owner = group.now or state.walk
        if owner is None or self.recomputed_for() is not owner:
            self.run()
            self.recomputed_for = (lambda: None) if owner is None else weakref.ref(owner)
        if number not in self.found:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                f"unpacked once. {OVERLAPPING if group.now else ''}If you are calling "
                "ctx.saved_tensors in backward, make sure to do so only once. Otherwise please "
                "open an issue with details on your use case."
            )
        return self.found.pop(number)

    def run(self) -> None:
        """Run the function again and keep what is saved.

        Raises:
            CheckpointError: if that is not what was saved before.
        """
        tensors: list[Tensor] = []

        def keep(tensor: Tensor) -> Tensor:
            tensor = tensor.detach() if tensor._requires_grad else tensor
            if len(tensors) == len(self.saved):
                if not self.completed:
                    return tensor
                raise CheckpointError(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation than "
                    f"during the original forward pass.\n{TIP}"
                )
            tensors.append(tensor)
            if self.early_stop and len(tensors) == len(self.saved):
                raise _StopRecomputationError
            return tensor

        inputs = Inputs.again(self.inputs)
        hooks = saved_tensors_hooks(keep, lambda tensor: tensor)
        with (
            contextlib.suppress(_StopRecomputationError),
            random_numbers_of(self.generator),
            hooks,
            enable_grad(),
            self.context,
        ):
            self.function(*inputs, **self.kwargs)
        self.compare(tensors)
        self.found = dict(enumerate(tensors))

    def compare(self, tensors: Sequence[Tensor]) -> None:
        """Refuse tensors that are not what was saved before."""
        if len(tensors) != len(self.saved):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                "original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.saved)}\n"
                f"Number of tensors saved during recomputation: {len(tensors)}.\n{TIP}"
            )
        pairs = enumerate(zip(self.saved, map(self.check, tensors), strict=True))
        different = [
            f"tensor at position {number}:\nsaved metadata: {before}\nrecomputed metadata: {now}\n"
            for number, (before, now) in pairs
            if before != now
        ]
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have "
                f"different metadata than during the forward pass.\n{''.join(different)}.\n{TIP}"
            )


class CheckpointFunction(Function):
    """A checkpoint as one node, which runs the function and a backward pass inside the other."""

    __module__ = "torch.utils.checkpoint"

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        tensors = [one for one in args if isinstance(one, Tensor)]
        check_backward_validity(tensors)
        ctx.function = function
        look_at_devices(args)
        ctx.generator = get_rng_state() if preserve_rng_state else None
        ctx.others = [None if isinstance(one, Tensor) else one for one in args]
        ctx.places = [place for place, one in enumerate(args) if isinstance(one, Tensor)]
        ctx.save_for_backward(*tensors)
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        if state.walk.running is not None:
            raise RuntimeError(TARGETS)
        inputs = list(ctx.others)
        for place, tensor in zip(ctx.places, detach_variable(ctx.saved_tensors), strict=True):
            inputs[place] = tensor
        with random_numbers_of(ctx.generator), enable_grad():
            outputs = ctx.function(*inputs)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [
            (output, gradient)
            for output, gradient in zip(outputs, gradients, strict=True)
            if isinstance(output, Tensor) and output.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([output for output, _ in pairs], [gradient for _, gradient in pairs])
        return (None, None, *[one.grad if isinstance(one, Tensor) else None for one in inputs])
