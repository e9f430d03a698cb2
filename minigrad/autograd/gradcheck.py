"""gradcheck and gradgradcheck: are gradients what finite differences say they are?

Each element of each input is moved up and down a little, and what that does to the outputs must be
what the backward pass says it does. The fast mode compares one random combination of all elements
instead. PyTorch has them in the namespace ``torch.autograd``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minigrad.autograd.differentiate import grad
from minigrad.creation import empty, zeros, zeros_like
from minigrad.dtypes import promote_types
from minigrad.ops.pointwise import allclose
from minigrad.outside import warn
from minigrad.random import Generator, rand
from minigrad.tensor import Tensor, from_array

Tensors = tuple[Any, ...]

NOT_DOUBLE = (
    "Input #{} requires gradient and is not a double precision floating point or complex. This "
    "check will likely fail if all the inputs are not of double precision floating point or "
    "complex. "
)
OVERLAPPING = (
    "The {}th input has a dimension with stride 0. gradcheck only supports inputs that are "
    "non-overlapping to be able to compute the numerical gradients correctly. You should call "
    ".contiguous on the input before passing it to gradcheck."
)
NOT_REENTRANT = """Backward is not reentrant, i.e., running backward with same input and \
grad_output multiple times gives different values, although analytical gradient matches numerical \
gradient.The tolerance for nondeterminism was {}.

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""
IN_SLOW_MODE = """
The above quantities relating the numerical and analytical jacobians are computed \n\
in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n\
about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:

Numerical:
 {}
Analytical:
{}

The max per-element difference (slow mode) is: {}.
"""
ONLY_FAST_MODE_FAILED = """\
Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`"""
UNDEFINED_IS_NEW = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by "
    "default, but it may break existing callers of this function. If this is true for you, you can "
    'call this function with "check_undefined_grad=False" to disable the feature'
)
UNDEFINED_FAILED = (
    "Expected backward function to handle undefined output grads. "
    'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
UNDEFINED_NOT_ZERO = (
    "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
    'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` and `gradgradcheck` where gradients are wrong."""

    __module__ = "torch.autograd.gradcheck"


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Return True if the gradients of `func` agree with finite differences.

    Args:
        func: takes Tensors and returns a Tensor or a tuple of them.
        inputs: a Tensor or a tuple; those that require grad are checked, best in float64.
        eps: how far elements are moved.
        atol, rtol: how close gradients must come to the differences, as for `allclose`.
        raise_exception: whether to raise where they do not, rather than return False.
        nondet_tol: how much two backward passes may differ.
        check_undefined_grad: check too that gradients may be undefined.
        fast_mode: compare a random combination of all elements.
        check_forward_ad: check tangents of forward mode as well.
        check_backward_ad: check gradients; if not, tangents alone.
        check_grad_dtypes, check_batched_grad, check_batched_forward_grad, masked: accepted; the
            engine gives no other dtype, batches of gradients are made one by one here, and no
            tensor is sparse.

    Raises:
        GradcheckError: if they do not agree.
        ValueError: if no input requires grad.
        RuntimeError: if elements of an input share memory.
        NotImplementedError: if something has no derivative in forward mode.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.gradcheck.gradcheck.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, x)
    True
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if check_batched_grad and not check_backward_ad:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
        )
    check = Check(func, as_tuple(inputs), eps, atol, rtol, nondet_tol)
    try:
        return check.run(fast_mode, check_undefined_grad, check_forward_ad, check_backward_ad)
    except GradcheckError:
        if raise_exception:
            raise
        return False


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Return True if the gradients of the gradients of `func` agree with finite differences.

    Args:
        func, inputs and what is not told here: as for `gradcheck`.
        grad_outputs: the gradients that the backward pass starts with; random ones if left out,
            with gaps in their memory if `gen_non_contig_grad_outputs`.

    Raises:
        GradcheckError and others: as `gradcheck`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.gradcheck.gradgradcheck.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, x)
    True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    for flag in ("check_undefined_grad", "check_batched_grad"):
        if locals()[flag] and not check_rev_over_rev:
            raise AssertionError(f"Setting {flag}=True requires check_rev_over_rev to be True")
    tensors = as_tuple(inputs)
    if grad_outputs is None:
        vectors = tuple(
            [
                random_vector(output, gen_non_contig_grad_outputs)
                for output in differentiable(func(*tensors))
            ]
        )
    else:
        vectors = as_tuple(grad_outputs)
    count = -len(vectors)  # so a function without gradients gets no arguments, as in PyTorch
    needed = [*map(requires_grad, tensors), *[one.requires_grad for one in vectors]]

    def gradients(*arguments: Any) -> Tensors:
        given = [
            one.requires_grad_() if need else one
            for one, need in zip(arguments, needed, strict=True)
        ]
        outputs = differentiable(func(*given[:count]))
        found = grad(
            outputs,
            [one for one, need in zip(given[:count], needed, strict=False) if need],
            given[count:],
            create_graph=True,
            allow_unused=True,
        )
        return tuple([one for one in found if one is not None])

    return gradcheck(
        gradients,
        tensors + vectors,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


class Check(NamedTuple):
    """What is checked, and how exactly."""

    func: Callable[..., Any]
    inputs: Tensors
    eps: float
    atol: float
    rtol: float
    nondet_tol: float

    def run(self, fast: bool, undefined: bool, forward: bool, backward: bool) -> bool:
        """Return True; check tangents of forward mode, gradients of backward passes, or both.

        Raises:
            GradcheckError: if a gradient is wrong.
        """
        self.check_inputs()
        computed = as_tuple(self.func(*self.inputs))
        outputs = differentiable(computed)
        if backward:
            (self.run_fast if fast else self.run_slowly)(outputs, computed)
        if forward:  # which few ask for
            from minigrad.autograd import forward_gradcheck

            forward_gradcheck.run(self, fast, undefined, outputs, computed)
        if not backward:
            return True
        self.check_gradients_of_zero(outputs)
        if undefined:
            self.check_undefined_gradients()
        return True

    def check_inputs(self) -> None:
        """Refuse inputs that cannot be checked, and warn of those that are not precise."""
        for index, one in enumerate(self.inputs):
            if requires_grad(one):
                if one._value.dtype != np.float64:
                    warn(NOT_DOUBLE.format(index))
                if one.numel() and not all(
                    step > 0 or size <= 1
                    for step, size in zip(one.stride(), one.shape, strict=True)
                ):
                    raise RuntimeError(OVERLAPPING.format(index))
        if not self.checked():
            raise ValueError(
                "gradcheck expects at least one input tensor to require gradient, but none of them "
                "have requires_grad=True."
            )

    def checked(self) -> list[Tensor]:
        """Return the inputs whose gradients are checked."""
        return [one for one in self.inputs if requires_grad(one)]

    # Element by element

    def run_slowly(self, outputs: Tensors, computed: Tensors) -> None:
        """Compare whole Jacobians."""
        numerical = [self.numerical(one, computed) for one in self.checked()]
        if not outputs:
            check_no_change(numerical, 0)
        for index, output in enumerate(outputs):
            for number, analytical in enumerate(self.analytical(output)):
                expected = numerical[number][index]
                if not self.close(analytical, expected, self.atol):
                    raise GradcheckError(mismatch(index, number, expected, analytical))

    def numerical(self, moved: Tensor, computed: Tensors) -> list[Tensor]:
        """Return the Jacobian of each relevant output by finite differences, a row an element."""
        rows = [
            self.differences(moved, place, self.eps, f"on index {place} ")
            for place in np.ndindex(moved.shape)
        ]
        jacobians = []
        for number in relevant(computed):
            output = computed[number]
            jacobian = np.zeros((len(rows), output.numel()), output._value.dtype)
            for place, row in enumerate(rows):
                jacobian[place] = row[number]._value
            jacobians.append(from_array(jacobian))
        return jacobians

    def differences(
        self, moved: Tensor, place: tuple[Any, ...], step: Any, where: str = ""
    ) -> list[Tensor]:
        """Return how each output changes, per `eps`, when an input moves by a step at a place."""
        memory = moved._array
        before = memory[place].copy()
        try:
            memory[place] = before - step
            below = [one.clone() for one in as_tuple(self.func(*self.inputs))]
            memory[place] = before + step
            above = [one.clone() for one in as_tuple(self.func(*self.inputs))]
        finally:
            memory[place] = before
        changes = []
        for low, high in zip(below, above, strict=True):
            for kind in ("shape", "dtype"):
                if getattr(low, kind) != getattr(high, kind):
                    raise AssertionError(
                        f"Expected `func` to return outputs with the same {kind} when inputs are "
                        f"perturbed {where}by {self.eps}, but got: {kind}s {getattr(low, kind)} "
                        f"and {getattr(high, kind)}."
                    )
            changes.append(((high - low) / (2 * self.eps)).detach().reshape(-1))
        return changes

    def analytical(self, output: Tensor) -> list[Tensor]:
        """Return the Jacobian of an output with respect to each input, by backward passes."""
        vectors = np.eye(output.numel(), dtype=output._value.dtype)
        first, second = (self.products(output, vectors) for _ in range(2))
        self.check_reentrant(first, second)
        return first

    def products(self, output: Tensor, vectors: Any) -> list[Tensor]:
        """Return, for each input, the products of some vectors with its Jacobian, as columns."""
        inputs = self.checked()
        columns = [zeros(one.numel(), len(vectors), dtype=one.dtype) for one in inputs]
        for number, vector in enumerate(vectors):
            seed = from_array(vector.reshape(output.shape).copy())
            found = grad(output, inputs, seed, retain_graph=True, allow_unused=True)
            for column, gradient in zip(columns, found, strict=True):
                if gradient is not None:
                    column._array[:, number] = gradient._value.reshape(-1)
        return columns

    def check_reentrant(self, first: list[Tensor], second: list[Tensor]) -> None:
        """Refuse gradients that come out differently when they are computed again."""
        for one, other in zip(first, second, strict=True):
            if one.numel() and bool((one - other).abs().max() > self.nondet_tol):
                raise GradcheckError(NOT_REENTRANT.format(self.nondet_tol))

    def close(self, analytical: Tensor, numerical: Tensor, atol: float) -> bool:
        """Return whether two derivatives agree."""
        dtype = promote_types(analytical.dtype, numerical.dtype)
        return bool(allclose(analytical.to(dtype), numerical.to(dtype), self.rtol, atol))

    # A random combination of all elements

    def run_fast(self, outputs: Tensors, computed: Tensors) -> None:
        """Compare one product of each Jacobian with random vectors."""
        generator = Generator()
        inputs = self.checked()
        right = [random_direction(one, generator) for one in inputs]
        left = [random_direction(one, generator) for one in outputs]
        numerical = [
            self.differences(one, (...,), (vector * self.eps)._array.reshape(one.shape))
            for one, vector in zip(inputs, right, strict=True)
        ]
        if not outputs:
            check_no_change(numerical, self.nondet_tol)
        places = relevant(computed)
        analytical = []
        for output, vector in zip(outputs, left, strict=True):
            first, second = (self.products(output, vector._array[None]) for _ in range(2))
            self.check_reentrant(first, second)
            analytical.append([one[:, 0].dot(u) for one, u in zip(first, right, strict=True)])
        for number, u in enumerate(right):
            for index, v in enumerate(left):
                expected = (v * numerical[number][places[index]]).sum()
                found = analytical[index][number]
                atol = self.atol * float(u.sum()) * float(v.sum())
                if not self.close(found, expected, atol):
                    message = mismatch(index, number, expected, found)
                    slow = (
                        self.numerical(inputs[number], computed)[index],
                        self.analytical(outputs[index])[number],
                    )
                    raise GradcheckError(message + self.in_slow_mode(*slow))

    def in_slow_mode(self, numerical: Tensor, analytical: Tensor) -> str:
        """Return what the slow mode says of two Jacobians, where the fast one failed."""
        difference = (numerical - analytical).abs().max()
        message = IN_SLOW_MODE.format(numerical, analytical, difference)
        close = allclose(analytical, numerical, self.rtol, self.atol)
        return message + ONLY_FAST_MODE_FAILED if close else message

    # Gradients that are zero, or not there

    def check_gradients_of_zero(self, outputs: Tensors) -> None:
        """Refuse a backward pass that gives anything else than zero for gradients of zero."""
        vectors = [zeros_like(one) for one in outputs]
        for gradient in grad(outputs, self.checked(), vectors, allow_unused=True):
            if gradient is not None and not bool(gradient.eq(0).all()):
                raise GradcheckError("backward not multiplied by grad_output")

    def check_undefined_gradients(self) -> None:
        """Refuse a backward pass that cannot do without the gradients of all outputs, or of one."""
        outputs = differentiable(self.func(*self.inputs))
        self.check_zero([undefined(one) for one in outputs])
        for place in range(len(outputs) if len(outputs) > 1 else 0):
            outputs = differentiable(self.func(*self.inputs))
            self.check_zero(
                [undefined(one) if at == place else one for at, one in enumerate(outputs)]
            )

    def check_zero(self, outputs: list[Tensor]) -> None:
        """Refuse gradients that are neither undefined nor zero."""
        vectors = [zeros_like(one) for one in outputs]
        try:
            found = grad(outputs, self.checked(), vectors, allow_unused=True)
        except RuntimeError as error:
            warn(UNDEFINED_IS_NEW)
            raise GradcheckError(UNDEFINED_FAILED) from error
        for gradient in found:
            if gradient is not None and not bool(gradient.eq(0).all()):
                warn(UNDEFINED_IS_NEW)
                raise GradcheckError(UNDEFINED_NOT_ZERO)


def as_tuple(value: Any) -> Tensors:
    """Return one tensor, or a list or tuple of them, as a tuple."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def requires_grad(value: Any) -> bool:
    """Return whether something is a tensor that requires grad."""
    return isinstance(value, Tensor) and value.requires_grad


def differentiable(outputs: Any) -> Tensors:
    """Return the outputs that require grad."""
    return tuple([one for one in as_tuple(outputs) if one.requires_grad])


def relevant(outputs: Tensors) -> list[int]:
    """Return the places of outputs of floating point; if some require grad, of those that do."""
    found = [place for place, one in enumerate(outputs) if one.is_floating_point()]
    return [place for place in found if outputs[place].requires_grad] or found


def undefined(output: Tensor) -> Tensor:
    """Return a tensor like `output` from which no gradient comes back."""
    end: Tensor = output.view_as(output)
    if end.grad_fn is not None:
        end.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (None,))
    return end


def check_no_change(numerical: list[list[Tensor]], tolerance: float) -> None:
    """Refuse a function that says it has no gradient but changes with its inputs."""
    for changes in numerical:
        for change in changes:
            if change.numel() and bool(change.abs().max() > tolerance):
                raise GradcheckError("Numerical gradient for function expected to be zero")


def mismatch(index: int, number: int, numerical: Tensor, analytical: Tensor, how: str = "") -> str:
    """Return PyTorch's message for derivatives that do not agree; `how` they were computed."""
    return (
        f"Jacobian {how}mismatch for output {index} with respect to input {number},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def random_direction(like: Tensor, generator: Generator) -> Tensor:
    """Return a random vector of length 1 with as many elements as a tensor, none negative."""
    vector: Tensor = rand(like.numel(), generator=generator).to(like.dtype)
    length: Tensor = vector.norm()
    return vector / length


def random_vector(like: Tensor, spaced: bool) -> Tensor:
    """Return random numbers from -1 to 1 in the shape of a tensor; `spaced`: not contiguous."""
    *others, last = like.shape or (1,)
    spaced = spaced and like.numel() > 1
    shape = (*others, 2 * last) if spaced else like.shape
    vector: Tensor = empty(shape, dtype=like.dtype).uniform_(-1, 1)
    chosen: Tensor = vector[..., 1::2] if spaced else vector
    chosen.requires_grad = True
    return chosen
