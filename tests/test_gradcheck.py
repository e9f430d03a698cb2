"""gradcheck and gradgradcheck find wrong gradients, and leave their inputs alone."""

import pytest


@pytest.fixture
def x(torch):
    return torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)


@pytest.fixture(scope="module")
def gradcheck(torch):
    return torch.autograd.gradcheck


def hooked(hook):
    """The identity, with a hook on its gradient."""

    def func(x):
        y = x.clone()
        y.register_hook(hook)
        return y

    return func


def test_right_gradients_pass_and_inputs_stay(torch, gradcheck, x):
    fixed = torch.ones(2, dtype=torch.float64)
    before, version = x.tolist(), x._version
    assert gradcheck(lambda x, c: (x.exp() * c, x * 2), (x, fixed))
    assert torch.autograd.gradgradcheck(lambda x, c: (x * x * c, x.sin()), [x, fixed])
    assert gradcheck(lambda x: x.detach() * 0, x)
    assert gradcheck(torch.exp, torch.zeros(0, 3, dtype=x.dtype, requires_grad=True))
    assert gradcheck(
        lambda x: x.sum(), x.detach().reshape(1, 2).t().requires_grad_(), fast_mode=True
    )
    assert (x.tolist(), x._version, x.grad) == (before, version, None)


def test_a_failing_function_leaves_its_input(torch, gradcheck, x):
    def func(x):
        if x[0] != 0.5:
            raise ValueError("moved")
        return x * 2

    before = x.tolist()
    with pytest.raises(ValueError, match="moved"):
        gradcheck(func, x)
    if torch.__name__ == "minigrad":  # PyTorch leaves the moved value
        assert x.tolist() == before


@pytest.mark.parametrize(
    ("func", "message"),
    [
        (hooked(lambda grad: grad * 2), "Jacobian mismatch for output 0 with respect to input 0,"),
        (hooked(lambda grad: grad + 1e-6), "backward not multiplied by grad_output"),
        (lambda x: x.detach() * 2, "Numerical gradient for function expected to be zero"),
    ],
)
def test_wrong_gradients(torch, gradcheck, x, func, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        gradcheck(func, x)
    assert type(caught.value).__name__ == "GradcheckError"
    assert not gradcheck(func, x, raise_exception=False)


def test_an_output_without_gradient_does_not_shift_the_others(gradcheck, x):
    assert gradcheck(lambda x: (x.detach() * 5, x * 2), x)
    with pytest.raises(RuntimeError, match="output 0 with respect to input 0"):
        gradcheck(lambda x: (x.detach(), hooked(lambda grad: grad * 3)(x)), x)


def test_gradients_that_change_from_pass_to_pass(gradcheck, x):
    passes = []

    def hook(grad):
        passes.append(grad)
        return grad if grad is None else grad * (1 + 1e-9 * len(passes))

    with pytest.raises(RuntimeError, match="Backward is not reentrant"):
        gradcheck(hooked(hook), x)
    passes.clear()
    assert gradcheck(hooked(hook), x, nondet_tol=1e-5)


def test_missing_gradients_must_count_as_zeros(torch, gradcheck, x):
    def hook(grad):
        if grad is None:
            raise RuntimeError("none")

    with (
        pytest.warns(UserWarning, match="New undefined gradient support checking"),
        pytest.raises(RuntimeError, match="Expected backward function to handle undefined output"),
    ):
        gradcheck(hooked(hook), x)
    assert gradcheck(hooked(hook), x, check_undefined_grad=False)


def test_wrong_second_derivative(torch, x):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0].detach()

    vector = torch.ones(2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(torch.exp, x, vector)
    assert torch.autograd.gradcheck(Square.apply, x)
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradgradcheck(Square.apply, x)


def test_unsuitable_inputs(torch, gradcheck, x):
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(torch.exp, x.detach())
    with pytest.warns(UserWarning, match="Input #0 requires gradient and is not a double prec"):
        gradcheck(torch.exp, torch.ones(1, requires_grad=True), raise_exception=False)
    for func, message in [
        (lambda x: x[x >= 2], "the same shape"),
        (lambda x: x.float() if x[1] > 2 else x, "the same dtype"),
    ]:
        with pytest.raises(AssertionError, match=f"return outputs with {message} when inputs are"):
            gradcheck(func, x)
