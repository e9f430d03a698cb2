"""Views and changes in place: versions, the grad_fn of every view, errors, and gradients."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.programs import (
    assert_same,
    check_derivatives,
    moved,
    run,
    statements,
    templates,
)

# Two leaves, and tensors for the names that a program may bind again.
START = (
    "x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)",
    "m = torch.tensor([[0.5, 1.5, -1.0], [2.0, 0.25, 0.75]], requires_grad=True)",
    "a = m * 1",
    "b = a[0]",
    "c = a.view(-1)",
    "d = torch.ones(2, 3)",
    "e = x.exp()",
)
VIEWS = templates("""
    $t = $x[0]; $t = $x[-1]; $t = $x[1:]; $t = $x[:2]; $t = $x[:, 0]; $t = $x[:, 1:]
    $t = $x[..., ::2]; $t = $x[None]; $t = $x[...]; $t = $x.t(); $t = $x.T; $t = $x.view(-1)
    $t = $x.view(3, -1); $t = $x.reshape(-1); $t = $x.reshape(3, -1); $t = $x.unsqueeze(0)
    $t = $x.unsqueeze(-1); $t = $x.squeeze(); $t = $x.squeeze(0); $t = $x.squeeze(-1)
    $t = $x.transpose(0, -1); $t = $x.flatten(); $t = $x.expand(2, 3); $t = $x.expand_as($y)
    $t = $x.ravel(); $t = $x.narrow(0, 0, 1); $t = $x.unbind()[0]; $t = $x.unbind(-1)[-1]
    $t = $x.split(1)[0]; $t = $x.split([1, 2])[1]; $t = $x.chunk(2)[0]; $t = $x.detach()
    $t = $x.detach()[:1]; $t = $x.data; $t = $x.permute(1, 0); $t = $x.select(0, 0)
    $t = $x.view_as($y); $t = $x.contiguous()
""")
USES = templates("""
    $t = $x * $y; $t = $x.sum(); $t = $x.exp(); $t = $x + 1; $t = ($x * $x).sum(); $t = $x @ $y
    $t = $x.pow(3); $t = $x.clone(); $t = torch.stack([$x, $y]); $t = torch.zeros(3)
    $t = torch.ones(2, 3, dtype=torch.float64); $t = $x.detach().requires_grad_()
""")
CHANGES = templates("""
    $x.mul_(2); $x.add_($y); $x.mul_($y); $x.sub_(x[0]); $x.div_(3); $x.exp_(); $x.sin_()
    $x.pow_(2); $x.neg_(); $x.zero_(); $x.fill_(2.0); $x.fill_(x[0]); $x.copy_($y)
    $x.clamp_(max=1.5); $x.masked_fill_($x > 1, 2.0); $x.sigmoid_(); $x.add_(1, alpha=2); $x.sqrt_()
    $x.tanh_(); $x.relu_(); $x.mul_($x); $x[0] = 2.0; $x[1:] = $y; $x[:, 0] = $y; $x[...] = $y
    $x[0] = x[1]; $x[[0]] = $y; $x[$x > 1] = 0.5; $x[$x > 1] *= 2; $x[None] = 3; $x[0] *= $y
    $x[:2] += 1; $x[[0]] += x[2]; $x *= $y; $x += x; $x -= $y; $x /= 2; $x[0, 0] = x[0]
""")
AROUND = templates("""
    e.detach_(); $x.detach().mul_(2); $x.data.mul_(2); $x.retain_grad(); $x.requires_grad_()
    e.requires_grad_(False); $x.requires_grad = True; $x.data = $x.data * 2; $x.view(-1).mul_(2)
    $x.grad_fn and $x.register_hook(lambda grad: show(grad.detach())); $x.T.add_(1)
    $x.sum().backward(retain_graph=True); $x.sum().backward()
    show(torch.autograd.grad($x.sum(), [x, m], retain_graph=True, allow_unused=True))
""")
MODES = ("", "", "", "", "with torch.no_grad(): ", "with torch.enable_grad(): ")
# All gradients there are, of first and second order.
END = (
    "total = sum((one * one).sum() for one in (a, b, c, d, e))",
    "show(total)",
    "slopes = torch.autograd.grad(total, [x, m], create_graph=True, allow_unused=True)",
    "again = sum((one * one).sum() for one in slopes if one is not None)",
    "show(torch.autograd.grad(again, [x, m], allow_unused=True))",
    "total.backward()",
)
NAMES, BOUND = "abcdexm", "abcde"
programs = st.lists(
    statements([*VIEWS, *USES, *CHANGES, *CHANGES, *AROUND], NAMES, BOUND, MODES),
    min_size=1,
    max_size=12,
)


@pytest.mark.parity
@given(programs, st.booleans())
def test_views_and_changes_in_place_do_what_they_do_in_pytorch(
    pytorch: Any, program: list[str], every: bool
) -> None:
    assert_same(pytorch, [*START, *program, *END], NAMES, every=every)


# Programs whose result is a smooth function of the leaves, as autograd sees it, in float64.
CUT = ("detach", "data", "torch.zeros")
RECORDED = [one for one in [*VIEWS, *USES, *CHANGES] if not any(cut in one for cut in CUT)]


@pytest.mark.filterwarnings("ignore")
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(st.lists(statements(RECORDED, NAMES, BOUND), min_size=1, max_size=8))
def test_gradients_after_changes_are_finite_differences(torch: Any, program: list[str]) -> None:
    def curve(time: Any) -> Any:
        names = run(torch, START[:2])
        names |= {name: moved(torch, names[name], time) for name in "xm"}
        for statement in (*START[2:], "d = d.double()", *program, END[0]):
            with contextlib.suppress(Exception):
                exec(statement, names)
        return names["total"]

    check_derivatives(torch, curve)
