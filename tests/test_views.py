"""Views and in-place changes, where gradients must follow the memory."""

from typing import Any

import pytest

MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace"


def test_a_change_of_a_view_changes_the_history_of_its_base(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    view, other = y[:2], y.view(3, 1)
    view.mul_(10)
    assert repr(y) == "tensor([10., 20.,  3.], grad_fn=<CopySlices>)"
    assert view.grad_fn.name() == "AsStridedBackward0"
    assert other.grad_fn.name() in ("ViewBackward0", "AsStridedBackward0")
    (y + other.squeeze()).sum().backward()
    assert x.grad.tolist() == [20, 20, 2]


def test_assignment_cuts_the_old_values_off(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    w = torch.tensor(5.0, requires_grad=True)
    y = x * 2
    y[1] = w
    (y * y).sum().backward()
    assert x.grad.tolist() == [8, 0, 8]
    assert w.grad.item() == 10


@pytest.mark.parametrize("layout", ["x * 1", "(x * 1).t().clone().t()"])
def test_views_of_views_in_any_memory_layout(torch: Any, layout: str) -> None:
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    base = eval(layout)
    base.t()[1:, 0].mul_(torch.tensor([10.0, 100.0]))
    base.sum().backward()
    assert x.grad.tolist() == [[1, 10, 100], [1, 1, 1]]


def test_second_derivative_through_an_in_place_change(torch: Any) -> None:
    x = torch.tensor([4.0, 9.0], requires_grad=True)
    y = x * 1
    y[0:1].sqrt_()
    (g,) = torch.autograd.grad((y**4).sum(), x, create_graph=True)
    assert g.tolist() == [8, 4 * 729]
    (gg,) = torch.autograd.grad(g.sum(), x)
    assert gg.tolist() == [2, 12 * 81]


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("x.add_(1)", "a leaf Variable that requires grad is being used in an in-place operation."),
        ("x[0] = 1.0", "a view of a leaf Variable that requires grad is being used in an in-place"),
        ("y.unbind()[0].mul_(2)", "Output 0 of Unbind is a view and is being modified inplace."),
        ("hidden.mul_(2)", "A view was created in no_grad mode and is being modified inplace with"),
        ("y.add_(torch.ones(2, 3))", "output with shape [3] doesn't match the broadcast shape"),
        ("n.add_(1.5)", "result type Float can't be cast to the desired output type Long"),
    ],
)
def test_refused_changes_change_nothing(torch: Any, program: str, text: str) -> None:
    x = torch.ones(3, requires_grad=True)
    y, n = x * 2, torch.arange(3)
    with torch.no_grad():
        hidden = y[:2]
    before = [(t.tolist(), t._version, t.grad_fn) for t in (x, y, n, hidden)]
    with pytest.raises(RuntimeError) as error:
        exec(program, {"torch": torch, "x": x, "y": y, "n": n, "hidden": hidden})
    assert str(error.value).startswith(text)
    assert [(t.tolist(), t._version, t.grad_fn) for t in (x, y, n, hidden)] == before


@pytest.mark.parametrize(
    ("program", "fails"),
    [
        ("y.exp()", True),  # saves its result
        ("y * y", True),  # saves its inputs
        ("y * 10", False),  # saves the number only
        ("y + 1", False),
    ],
)
def test_changing_what_a_node_saved(torch: Any, program: str, fails: bool) -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    z = eval(program)
    (z if program == "y.exp()" else y).add_(1)
    if not fails:
        z.sum().backward()
        return
    with pytest.raises(RuntimeError) as error:
        z.sum().backward()
    assert str(error.value).startswith(MODIFIED)
    assert "is at version 1; expected version 0 instead. Hint: enable anomaly" in str(error.value)


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("y.mul_(y)", "Mul"),
        ("y.pow_(y)", "Pow1"),
        ("y.pow_(y.view(3))", "AsStrided"),
        ("y.div_(y); y.add_(1)", "Add"),
        ("part = y[1:]; part.mul_(part)", "AsStrided"),
    ],
)
def test_the_error_names_what_the_saved_tensor_is_now(torch: Any, program: str, name: str) -> None:
    y = torch.ones(3, requires_grad=True) * 2
    exec(program)
    with pytest.raises(RuntimeError, match=f"which is output 0 of {name}, is at version"):
        y.sum().backward()


def test_a_change_saves_a_clone_of_the_old_value(torch: Any) -> None:
    x, w = [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2)]
    y = x * 3
    y.div_(w)
    old = y.grad_fn._saved_self
    assert (old.tolist(), old.grad_fn.name()) == ([3, 6], "CloneBackward0")
    assert old.grad_fn.next_functions[0][0].name() == "MulBackward0"
    (slope,) = torch.autograd.grad(y.sum(), w, create_graph=True)
    assert torch.autograd.grad(slope.sum(), x)[0].tolist() == [-3, -0.75]


def test_versions_are_shared_by_views(torch: Any) -> None:
    x = torch.zeros(3)
    view = x[1:]
    view.add_(1)
    x.mul_(2)
    assert (x._version, view._version, view._base is x) == (2, 2, True)


def test_a_view_made_under_no_grad_requires_grad_without_history(torch: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        view = x[1:]
    assert (view.requires_grad, view.is_leaf, view.grad_fn) == (True, True, None)
    assert (view * view).grad_fn.next_functions == ((None, 0), (None, 0))


def test_retain_grad_follows_an_in_place_change(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    (y * 5).sum().backward()
    assert y.grad.tolist() == [5, 5]


def test_detaching_a_saved_tensor_in_place(torch: Any) -> None:
    a = torch.tensor(1.0, requires_grad=True).clone()
    b = a.sin()
    a.detach_()
    with pytest.raises(RuntimeError, match="saved tensor that has been detached in-place"):
        b.backward()
