"""Jacobians, Hessians and their products with vectors, of Python functions of tensors.

PyTorch has them in the namespace ``torch.autograd.functional``. All of them call the function once
on new tensors, which share memory with the given ones, and differentiate what it returned. With
``create_graph=True`` the results can be differentiated again, and with ``strict=True`` a derivative
that is zero because nothing depends on an input is an error rather than zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from minigrad.autograd.differentiate import grad
from minigrad.autograd.grad_mode import enable_grad, is_grad_enabled, set_grad_enabled
from minigrad.creation import eye, zeros_like
from minigrad.functions import stack
from minigrad.ops.check import check
from minigrad.tensor import Tensor

Function: TypeAlias = Callable[..., Any]
Tensors: TypeAlias = tuple[Any, ...]

OUTPUTS = "outputs of the user-provided function"
STRATEGIES = ("forward-mode", "reverse-mode")

NO_GRADIENT = {
    "outputs": (
        "Output {} of the user-provided function does not require gradients. The outputs must be "
        "computed in a differentiable manner from the input when running in strict mode."
    ),
    "grad_inputs": (
        "The gradient with respect to input {} is independent of the inputs of the user-provided "
        "function. This is not allowed in strict mode."
    ),
    "jacobian": (
        "While computing the hessian, found that the jacobian of the user-provided function with "
        "respect to input {} is independent of the input. This is not allowed in strict mode. You "
        "should ensure that your function is twice differentiable and that the jacobian depends on "
        "the inputs (this would be violated by a linear function for example)."
    ),
    "hessian": (
        "The hessian of the user-provided function with respect to input {} is independent of the "
        "input. This is not allowed in strict mode. You should ensure that your function is thrice "
        "differentiable and that the hessian depends on the inputs."
    ),
}
INDEPENDENT = {
    "output": (
        "The output of the user-provided function is independent of input {}. This is not allowed "
        "in strict mode."
    ),
    "grad_outputs": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs "
        "when using the double backward trick to compute forward mode gradients. This is not "
        "allowed in strict mode."
    ),
    "jacobian": (
        "The jacobian of the user-provided function is independent of input {}. This is not "
        "allowed in strict mode."
    ),
    "grad_jacobian": (
        "The hessian of the user-provided function is independent of entry {} in the "
        "grad_jacobian. This is not allowed in strict mode as it prevents from using the double "
        "backward trick to replace forward mode AD."
    ),
}
CONSTANT = (
    "The {} of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode when create_graph=True."
)
ONE_OUTPUT = (
    "The vector v can only be None if the user-provided function returns a single Tensor with a "
    "single element."
)
ONE_INPUT = (
    "The vector v can only be None if the input to the user-provided function is a single Tensor "
    "with a single element."
)
FORWARD_MODE = (
    'torch.autograd.functional.jacobian: `{}=True` and `strategy="forward-mode"` are not supported '
    'together (yet). Please either set `{}=False` or `strategy="reverse-mode"`.'
)


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the outputs of `func` and the product of `v` with its Jacobian.

    Args:
        func: takes Tensors and returns a Tensor or a tuple of them.
        inputs: a Tensor or a tuple of them, at which `func` is called.
        v: as many tensors as there are outputs, of the same shapes; may be left out for a single
            output of one element.
        create_graph, strict: as for the whole module.

    Returns:
        The outputs, and for each input a tensor of its shape.

    Raises:
        TypeError, RuntimeError: if anything is no Tensor or `v` does not fit, or in strict mode.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.vjp.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vjp(lambda x: x * x, x, torch.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        several, inputs = fresh_inputs(inputs, "vjp", create_graph)
        many, outputs = called(func, inputs, "vjp", strict)
        v = vector(v, outputs, many, "vjp", create_graph, ONE_OUTPUT)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        product = gradients(outputs, inputs, v, create_graph)
        product = filled(product, inputs, strict, create_graph, "output")
    return result(outputs, many, create_graph), result(product, several, create_graph)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the outputs of `func` and the product of its Jacobian with `v`.

    It differentiates the gradient with respect to the vector that it is linear in, so `func` must
    be differentiable twice.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        v: as many tensors as there are inputs, of the same shapes; may be left out for a single
            input of one element.

    Returns:
        The outputs, and for each output a tensor of its shape.

    Raises:
        TypeError, RuntimeError: as `vjp`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.jvp.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.jvp(lambda x: (x * x).sum(), x, torch.tensor([1.0, 0.0]))
    (tensor(5.), tensor(2.))
    """
    with enable_grad():
        several, inputs = fresh_inputs(inputs, "jvp", create_graph)
        v = vector(v, inputs, several, "jvp", create_graph, ONE_INPUT)
        many, outputs = called(func, inputs, "jvp", strict)
        grad_outputs = tuple([zeros_like(output, requires_grad=True) for output in outputs])
        grad_inputs = gradients(outputs, inputs, grad_outputs, True)
        check_requires_grad(grad_inputs, "grad_inputs", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        product = gradients(grad_inputs, grad_outputs, v, create_graph)
        product = filled(product, outputs, strict, create_graph, "grad_outputs")
    return result(outputs, many, create_graph), result(product, many, create_graph)


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the output of `func`, a single number, and the product of `v` with its Hessian.

    Args:
        func, inputs, v, create_graph, strict: as for `jvp`; `func` returns one element.

    Returns:
        The output, and for each input a tensor of its shape.

    Raises:
        TypeError, RuntimeError: as `vjp`; also if `func` does not return one element.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.vhp.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.vhp(lambda x: (x**3).sum(), x, torch.tensor([1.0, 0.0]))
    (tensor(9.), tensor([6., 0.]))
    """
    with enable_grad():
        several, inputs = fresh_inputs(inputs, "vhp", create_graph)
        v = vector(v, inputs, several, "vhp", create_graph, ONE_INPUT)
        outputs, slope = slope_of_number(func, inputs, "vhp", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        product = gradients(slope, inputs, v, create_graph)
        product = filled(product, inputs, strict, create_graph, "jacobian")
    return result(outputs, False, create_graph), result(product, several, create_graph)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> Any:
    """Return the output of `func`, a single number, and the product of its Hessian with `v`.

    As `vhp`, which is faster, where the Hessian is symmetric.

    Raises:
        TypeError, RuntimeError: as `vhp`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.hvp.html

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, torch.tensor([1.0, 0.0]))
    (tensor(9.), tensor([6., 0.]))
    """
    with enable_grad():
        several, inputs = fresh_inputs(inputs, "hvp", create_graph)
        v = vector(v, inputs, several, "hvp", create_graph, ONE_INPUT)
        outputs, slope = slope_of_number(func, inputs, "hvp", strict)
        grad_slope = tuple([zeros_like(one, requires_grad=True) for one in inputs])
        curvature = gradients(slope, inputs, grad_slope, True)
        check_requires_grad(slope, "hessian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        product = gradients(curvature, grad_slope, v, create_graph)
        product = filled(product, inputs, strict, create_graph, "grad_jacobian")
    return result(outputs, False, create_graph), result(product, several, create_graph)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the Jacobian of `func`.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        vectorize: accepted; it changes nothing but what is refused.
        strategy: "reverse-mode", a backward pass for each element of the outputs, or
            "forward-mode", tangents along all elements of the inputs at once.

    Returns:
        A Tensor, whose shape is that of the output followed by that of the input; a tuple of these
        if inputs or outputs are a tuple, a tuple of tuples, one for each output, if both are.

    Raises:
        TypeError, RuntimeError: as `vjp`; also for arguments that PyTorch does not combine.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.jacobian.html

    >>> import minigrad as torch
    >>> torch.autograd.functional.jacobian(lambda x: x * x, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    check_strategy(strategy, create_graph, strict, vectorize)
    if strategy == "forward-mode":
        return forward_jacobian(func, inputs)
    with enable_grad():
        several, inputs = fresh_inputs(inputs, "jacobian", create_graph)
        many, outputs = called(func, inputs, "jacobian", strict)
        if strict and vectorize:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                "supported together. Please either set `strict=False` or `vectorize=False`."
            )
        rows = [
            jacobian_of(index, output, inputs, create_graph, strict)
            for index, output in enumerate(outputs)
        ]
        jacobians = tuple([result(row, several, create_graph) for row in rows])
    return jacobians if many else jacobians[0]


def forward_jacobian(func: Function, inputs: Any) -> Any:
    """Return the Jacobian of `func` by its derivatives along all elements of the inputs at once.

    Where there are several inputs it has lists for tuples, as in PyTorch.
    """
    from minigrad.autograd import forward_ad  # rarely needed
    from minigrad.autograd.forward_ad.following import dual_level_within
    from minigrad.autograd.forward_ad.tangents import mode

    check(not mode.levels, forward_ad.NESTED)
    several, inputs = tensors_of(inputs, "inputs", "jacobian")
    for one in inputs:
        forward_ad.check_dual(one, one)
    lengths = [one.numel() for one in inputs]
    count, basis = sum(lengths), _construct_standard_basis_for(inputs, lengths)
    with dual_level_within(count) as level:
        duals = [
            forward_ad.dual_at(level, one, directions.view(count, *one.shape))
            for one, directions in zip(inputs, basis, strict=True)
        ]
        many, outputs = tensors_of(func(*duals), "outputs", "None")
        tangents = [level.tangent_of(one) for one in outputs]
    rows = []
    for output, tangent in zip(outputs, tangents, strict=True):
        joined = level.zeros_for(output) if tangent is None else tangent
        rows.append(
            [
                part.movedim(0, -1).reshape(output.shape + one.shape)
                for part, one in zip(joined.split(lengths), inputs, strict=True)
            ]
        )
    if not several:
        return tuple([row[0] for row in rows]) if many else rows[0][0]
    return rows if many else rows[0]


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the Hessian of `func`, which returns a single number.

    Args:
        func, inputs, create_graph, strict, vectorize: as for `jacobian`.
        outer_jacobian_strategy: as `strategy` of `jacobian`.

    Returns:
        A Tensor, whose shape is twice that of the input; for a tuple of inputs a tuple of tuples.

    Raises:
        TypeError, RuntimeError: as `jacobian`; also if `func` does not return one element.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.hessian.html

    >>> import minigrad as torch
    >>> torch.autograd.functional.hessian(lambda x: (x**3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    several, inputs = tensors_of(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in STRATEGIES:
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def number(*inputs: Tensor) -> Any:
        outputs = func(*inputs)
        many, tensors = tensors_of(outputs, OUTPUTS, "hessian")
        check_requires_grad(tensors, "outputs", strict)
        check_number(many, tensors, "hessian")
        return outputs.squeeze()

    def slope(*inputs: Tensor) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            inputs = tuple([one.requires_grad_() for one in inputs])
        slopes = jacobian(number, inputs, create_graph=True)
        check_requires_grad(slopes, "jacobian", strict)
        return slopes

    rows = jacobian(slope, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return rows if several else rows[0][0]


def _construct_standard_basis_for(tensors: Tensors, tensor_numels: Sequence[int]) -> Tensors:
    """Return the identity matrix of all elements, divided among the tensors by its columns.

    Libraries import it from here, which map `grad` over its rows.

    >>> import minigrad as torch
    >>> x, y = torch.ones(2), torch.ones(1, dtype=torch.float64)
    >>> torch.autograd.functional._construct_standard_basis_for((x, y), (2, 1))[0]
    tensor([[1., 0.],
            [0., 1.],
            [0., 0.]])
    """
    rows = eye(sum(tensor_numels)).split(list(tensor_numels), 1)
    return tuple([part.to(one.dtype) for part, one in zip(rows, tensors, strict=True)])


def tensors_of(value: Any, name: str, function: str) -> tuple[bool, Tensors]:
    """Return whether something is a tuple, and its tensors.

    Raises:
        TypeError: if there is anything else in it.
    """
    several = isinstance(value, tuple)
    tensors = value if several else (value,)
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            where = f"value at index {index}" if several else f"given {name}"
            raise TypeError(
                f"The {name} given to {function} must be either a Tensor or a tuple of Tensors but "
                f"the {where} has type {type(tensor)}."
            )
    return several, tensors


def fresh(tensors: Tensors, create_graph: bool, requires_grad: bool) -> Tensors:
    """Return new tensors of the same memory, so that those that a function captures are others."""
    return tuple(
        [
            one.view_as(one)
            if create_graph and one.requires_grad
            else one.detach().requires_grad_(requires_grad)
            for one in tensors
        ]
    )


def fresh_inputs(inputs: Any, function: str, create_graph: bool) -> tuple[bool, Tensors]:
    """Return whether the inputs are a tuple, and new tensors of them that require grad."""
    several, tensors = tensors_of(inputs, "inputs", function)
    return several, fresh(tensors, create_graph, True)


def called(func: Function, inputs: Tensors, function: str, strict: bool) -> tuple[bool, Tensors]:
    """Return whether the outputs are a tuple, and the outputs."""
    many, outputs = tensors_of(func(*inputs), OUTPUTS, function)
    check_requires_grad(outputs, "outputs", strict)
    return many, outputs


def vector(
    v: Any, like: Tensors, several: bool, function: str, create_graph: bool, missing: str
) -> Tensors | None:
    """Return the vector of a product, None if it is 1.

    Raises:
        TypeError, RuntimeError: if it does not fit the tensors it must be `like`.
    """
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(missing)
        return None
    tensors = fresh(tensors_of(v, "v", function)[1], create_graph, False)
    if len(like) != len(tensors):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(tensors)}."
            if several
            else "The given v should contain a single Tensor."
        )
    for index, (one, other) in enumerate(zip(tensors, like, strict=True)):
        if one.shape != other.shape:
            entry = f"Entry {index} in " if several else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {other.shape} but got {one.shape}."
            )
    return tensors


def check_requires_grad(tensors: Sequence[Any], kind: str, strict: bool) -> None:
    """Refuse, if strict, what is missing or does not require grad."""
    for index, tensor in enumerate(tensors if strict else ()):
        if tensor is None:
            raise RuntimeError(INDEPENDENT["output"].format(index))
        if not tensor.requires_grad:
            raise RuntimeError(NO_GRADIENT[kind].format(index))


def check_number(many: bool, outputs: Tensors, function: str) -> None:
    """Refuse outputs that are not a single number."""
    if many:
        raise RuntimeError(f"The function given to {function} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {function} should contain a single "
            "element"
        )


def check_strategy(strategy: str, create_graph: bool, strict: bool, vectorize: bool) -> None:
    """Refuse what PyTorch does not do in forward mode."""
    if strategy not in STRATEGIES:
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(FORWARD_MODE.format("create_graph", "create_graph"))
        if strict:
            raise RuntimeError(FORWARD_MODE.format("strict", "strict"))
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly "
                "implemented for `vectorize=True`."
            )


def slope_of_number(
    func: Function, inputs: Tensors, function: str, strict: bool
) -> tuple[Tensors, Tensors]:
    """Return the output of a function that returns a number, and its gradient."""
    many, outputs = called(func, inputs, function, strict)
    check_number(many, outputs, function)
    slope = gradients(outputs, inputs, None, True)
    check_requires_grad(slope, "jacobian", strict)
    return outputs, slope


def gradients(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Tensors | None,
    create_graph: bool,
    retain_graph: bool | None = None,
) -> Tensors:
    """Return gradients as `grad` does, None for all if no output requires grad."""
    given = (None,) * len(outputs) if grad_outputs is None else grad_outputs
    pairs = [
        pair
        for pair in zip(outputs, given, strict=True)
        if pair[0] is not None and pair[0].requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    differentiable, vectors = zip(*pairs, strict=True)
    found: Tensors = grad(
        differentiable, inputs, vectors, retain_graph, create_graph, allow_unused=True
    )
    return found


def filled(product: Tensors, like: Tensors, strict: bool, create_graph: bool, of: str) -> Tensors:
    """Return a product with zeros where it is None.

    Raises:
        RuntimeError: in strict mode, where it is None or, with a graph, a constant.
    """
    tensors = []
    for index, one in enumerate(product):
        if one is None:
            if strict:
                raise RuntimeError(INDEPENDENT[of].format(index))
            one = zeros_like(like[index])
        elif strict and create_graph and not one.requires_grad:
            kind = "hessian" if "jacobian" in of else "jacobian"
            raise RuntimeError(CONSTANT.format(kind, index))
        tensors.append(one)
    return tuple(tensors)


def jacobian_of(
    index: int, output: Tensor, inputs: Tensors, create_graph: bool, strict: bool
) -> Tensors:
    """Return the Jacobian of one output with respect to each input: a row for each element."""
    columns: list[list[Tensor]] = [[] for _ in inputs]
    for place in range(output.numel()):
        element = output.reshape(-1)[place]
        row = gradients((element,), inputs, None, create_graph, retain_graph=True)
        for number, (one, column) in enumerate(zip(row, columns, strict=True)):
            if one is None:
                if strict:
                    raise RuntimeError(
                        f"Output {index} of the user-provided function is independent of input "
                        f"{number}. This is not allowed in strict mode."
                    )
                one = zeros_like(inputs[number])
            elif strict and create_graph and not one.requires_grad:
                raise RuntimeError(CONSTANT.format("jacobian", index))
            column.append(one)
    return tuple(
        [
            stack(column, dim=0).view(output.size() + one.size())
            for column, one in zip(columns, inputs, strict=True)
        ]
    )


def result(tensors: Tensors, several: bool, create_graph: bool) -> Any:
    """Return tensors as users get them: cut off unless there is to be a graph."""
    if not create_graph:
        tensors = tuple([one.detach() for one in tensors])
    return tensors if several else tensors[0]
