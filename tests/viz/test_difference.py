"""Before and after: what was added, removed and changed, in one picture."""

import pytest

from minigrad.viz import diff, draw, live


def test_what_backward_changes(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    out = y.sum()
    before = draw(out)
    out.backward()
    told = diff(before, draw(out)).outline
    assert told.startswith("Difference: 2 changed\n")
    assert "  grad was None\n" in told
    assert "MulBackward0(x, x)\n  freed self, other\n" in told
    assert "  self was held; other was held\n" in told


def test_what_is_rebuilt_in_another_way(torch):
    x = torch.tensor(2.0, requires_grad=True)
    out = (x * 3).exp()
    before = draw(out)
    out = (x * 3).sin()
    after = diff(before, draw(out))
    assert after.outline.startswith("Difference: 1 added, 1 removed, 1 changed\n")
    assert "= -0.2794\n  + added\n  out: value was 403.4288\n" in after.outline
    assert "ExpBackward0(n1)\n  keeps result = out\n  − removed" in after.outline
    for part in ("box operation added", "box operation removed", "road removed"):
        assert f'class="{part}"' in after.svg()
    assert ">− removed</text>" in after.svg()


def test_a_graph_is_not_different_from_itself(torch):
    x = torch.tensor(2.0, requires_grad=True)
    out = (x * x).exp()
    same = diff(draw(out), draw(out))
    assert same.outline.startswith("Difference: none\n")
    assert same.svg().split("<style>")[1] == draw(out).svg().split("<style>")[1]


def test_everything_may_be_different(torch):
    x = torch.tensor(2.0, requires_grad=True)
    z = torch.tensor([3.0], requires_grad=True)
    told = diff(draw(x * 2, names={"x": x}), draw(z.exp(), names={"z": z})).outline
    assert "MulBackward0" in told
    assert "ExpBackward0" in told


def test_two_states_of_a_live_graph_are_compared(torch):
    x = torch.tensor(2.0, requires_grad=True)
    graph = live(x * x)
    before = graph.drawing
    x.grad = torch.tensor(1.0)
    graph.refresh()
    assert "grad was None" in diff(before, graph.drawing).outline
    graph.close()


def test_what_was_added_to_a_large_graph_is_not_folded_with_the_rest(torch):
    y = torch.ones(2, requires_grad=True)
    for _ in range(100):
        y = y.exp()
    before = draw(y, names={})
    for _ in range(3):
        y = y.exp()
    told = diff(before, draw(y, names={})).outline
    assert "folded: 99 × ExpBackward0" in told or "folded: 100 × ExpBackward0" in told
    assert told.count("+ added") >= 2


def test_only_drawings_are_compared(torch):
    x = torch.ones(1, requires_grad=True)
    with pytest.raises(TypeError, match="diff\\(\\) takes two drawings, but got Tensor"):
        diff(draw(x), x)
