"""autograd.functional: values against derivatives worked out by hand, and strict mode's errors."""

import pytest


@pytest.fixture(scope="module")
def functional(torch):
    return torch.autograd.functional


def cube(x):
    return (x**3).sum()


def pair(x, y):
    return (x * y).sum(), x + 1


def test_jacobian_of_every_shape(torch, functional):
    x = torch.tensor([1.0, 2.0])
    assert functional.jacobian(lambda x: x**2, x).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert functional.jacobian(cube, torch.tensor(2.0)).tolist() == 12.0
    assert functional.jacobian(lambda x: x.reshape(2, 1), x).shape == (2, 1, 2)
    blocks = functional.jacobian(pair, (x, torch.tensor([3.0, 4.0])), vectorize=True)
    values = [[block.tolist() for block in row] for row in blocks]
    assert values == [[[3.0, 4.0], [1.0, 2.0]], [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 0.0]] * 2]]


def test_hessian(torch, functional):
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    assert functional.hessian(cube, x).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    blocks = functional.hessian(lambda x, y: (x * x * y).sum(), (x, y))
    assert blocks[0][0].tolist() == [[6.0, 0.0], [0.0, 8.0]]
    assert blocks[0][1].tolist() == blocks[1][0].tolist() == [[2.0, 0.0], [0.0, 4.0]]
    assert blocks[1][1].tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_products_agree_with_matrices(torch, functional):
    torch.manual_seed(0)
    x, v = torch.rand(3, dtype=torch.float64), torch.rand(3, dtype=torch.float64)

    def func(x):
        return x.exp() * x.sum()

    def scalar(x):
        return func(x).sum() ** 2

    J, H = functional.jacobian(func, x), functional.hessian(scalar, x)
    for product, expected in [
        (functional.vjp(func, x, v), v @ J),
        (functional.jvp(func, x, v), J @ v),
        (functional.vhp(scalar, x, v), v @ H),
        (functional.hvp(scalar, x, v), H @ v),
    ]:
        assert torch.allclose(product[1], expected)
        assert not product[0].requires_grad
        assert not product[1].requires_grad


@pytest.mark.parametrize("name", ["vjp", "jvp", "vhp", "hvp", "jacobian", "hessian"])
def test_create_graph_and_no_trace_on_inputs(torch, functional, name):
    x = torch.tensor([2.0], requires_grad=True)
    without, with_graph = (
        getattr(functional, name)(cube, x, create_graph=g) for g in (False, True)
    )
    if isinstance(without, tuple):
        without, with_graph = without[1], with_graph[1]
    assert without.tolist() == with_graph.tolist()
    assert x.grad is None
    assert not without.requires_grad
    (third,) = torch.autograd.grad(with_graph.sum(), x)
    assert third.item() == (12.0 if name in ("vjp", "jvp", "jacobian") else 6.0)


def test_the_same_tensor_used_from_outside_is_a_constant(torch, functional):
    x = torch.tensor([2.0], requires_grad=True)
    assert functional.jacobian(lambda inner: inner * x, x).tolist() == [[2.0]]


def test_strict_mode(torch, functional):
    x, v = torch.ones(2), torch.ones(2)
    unused = torch.ones(2, requires_grad=True)
    linear, constant, independent = (
        torch.sum,
        lambda x: unused.detach().sum(),
        lambda x: unused.sum(),
    )
    for name, func, args, message in [
        ("vjp", constant, (), "Output 0 of the user-provided function does not require gradients"),
        ("vjp", independent, (), "independent of input 0. This is not allowed in strict mode"),
        ("jvp", independent, (v,), "independent of input 0. This is not allowed in strict mode"),
        ("vhp", linear, (v,), "found that the jacobian of the user-provided function with respect"),
        ("hvp", linear, (v,), "found that the jacobian of the user-provided function with respect"),
        ("jacobian", independent, (), "Output 0 of the user-provided function is independent of"),
        ("hessian", linear, (), "the jacobian of the user-provided function with respect to input"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            getattr(functional, name)(func, x, *args, strict=True)
        assert not getattr(functional, name)(func, x, *args)[-1].any()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f, x: f.jacobian(cube, [x]), TypeError, "a tuple of Tensors but the given inputs"),
        (lambda f, x: f.vjp(cube, (x, 2)), TypeError, "must be either a Tensor or a tuple"),
        (lambda f, x: f.hessian(lambda x: 3, x), TypeError, "outputs of the user-provided functio"),
        (lambda f, x: f.vjp(lambda x: x, x), RuntimeError, "v can only be None if the user-prov"),
        (lambda f, x: f.jvp(cube, x), RuntimeError, "v can only be None if the input to the user"),
        (lambda f, x: f.vjp(cube, x, x), RuntimeError, r"v has invalid size: should be torch.Size"),
        (lambda f, x: f.jvp(cube, x, (x, x)), RuntimeError, "v should contain a single Tensor"),
        (lambda f, x: f.jvp(pair, (x, x), x), RuntimeError, "v is a tuple of invalid length"),
        (lambda f, x: f.vhp(lambda x: x, x, x), RuntimeError, "should contain a single element"),
        (lambda f, x: f.hvp(lambda x: (x,), x, x), RuntimeError, "should return a single Tensor"),
        (
            lambda f, x: f.jacobian(cube, x, strict=True, vectorize=True),
            RuntimeError,
            "not supported together",
        ),
    ],
)
def test_wrong_arguments(torch, functional, call, error, message):
    with pytest.raises(error, match=message):
        call(functional, torch.ones(2))
