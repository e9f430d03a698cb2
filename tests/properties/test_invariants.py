"""What must hold whatever a program does: refused calls change nothing, and nothing leaks."""

from __future__ import annotations

import gc
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import minigrad
from tests.properties import test_hooks, test_views
from tests.properties.programs import inspect, outcome, statements, templates, transcript

# Calls that an engine must refuse, or do completely.
DOUBTFUL = templates("""
    $x.add_('a'); $x.mul_(None); $x.copy_('a'); $x.copy_($y); $x += 'a'; $x.sub_($y); $x.div_($y)
    $x[7] = 1.0; $x['a'] = 1.0; $x[0, 0, 0] = 1.0; $x[0] = $y; $x[[9]] = 1.0; $x[$y > 0] = $z
    $x[0] = 'a'; $x.fill_([1.0, 2.0]); $x.fill_($y); $x.masked_fill_(3, 1.0)
    $x.masked_fill_($y > 0, $z); $x.scatter_(9, $y, 1.0); $x.scatter_(0, torch.tensor([[5]]), 1.0)
    $x.unsqueeze_(9); $x.zero_(1); $x.clamp_('a'); $x.pow_('a'); $x.uniform_(3, 1)
    $x.normal_(0, -1); $x.bernoulli_(2.0); $x.exp_(1); $x.grad = 3; $x.grad = torch.ones(7)
    $x.grad = $x; $x.grad = torch.ones(2, 3, dtype=torch.float64); $x.requires_grad = 'a'
    $x.requires_grad_(1, 2); $x.requires_grad = False; $x.detach_(); $x.data = 3; $x.backward(3)
    $x.backward(torch.ones(7)); $x.backward(inputs=[]); $x.backward(inputs=[d])
    torch.autograd.grad($x, $y); torch.autograd.grad($x.sum(), []); torch.autograd.grad($x, d, $y)
    torch.autograd.backward([$x, $y], [None]); $x.register_hook(lambda g: g, 3); $x.retain_grad(1)
    torch.cat([$x, 1]); $x.view(5, 5); $x[9]; $x @ 'a'; torch.where($x, 1); $x.sum(9)
    $x.expand(7, 7, 7); torch.nn.init.uniform_($x, 3, 1); torch.optim.SGD([$x], lr=-1)
    torch.optim.SGD([$x, $x * 1], lr=1); torch.nn.utils.clip_grad_norm_([$x], 'a')
    torch.multinomial($x, 99); torch.randint(5, 5, (2,)); torch.manual_seed('a'); torch.randperm(-1)
    torch.rand(-1); torch.nn.Parameter($x, 'a', 3)
""")
changes = statements(
    [*test_views.VIEWS, *test_views.CHANGES, *test_views.AROUND], test_views.NAMES, "abcde"
)
doubtful = statements(DOUBTFUL, test_views.NAMES, "abcde", ("", "", "with torch.no_grad(): "))


@given(st.lists(changes, max_size=4), st.lists(doubtful, min_size=1, max_size=4))
def test_a_refused_call_changes_nothing(torch: Any, program: list[str], calls: list[str]) -> None:
    names: dict[str, Any] = {"torch": torch, "show": lambda *_: None}
    torch.manual_seed(1)
    for statement in (*test_views.START, "x.grad = torch.ones(3)", *program):
        outcome(statement, names)
    for statement in calls:
        before = state(torch, names)
        if "Error" in outcome(statement, names):
            assert state(torch, names) == before, [*program, statement]


def state(torch: Any, names: dict[str, Any]) -> list[str]:
    """Everything that a call could change."""
    seen = [inspect(names[name]) for name in test_views.NAMES]
    return [*seen, str(torch.is_grad_enabled()), str(torch.get_rng_state().tolist())]


def leaked(program: list[str]) -> list[Any]:
    """The tensors and nodes that a program leaves behind when the garbage collector is off."""
    transcript(minigrad, program)  # fills what is cached
    gc.disable()
    gc.freeze()  # so that only new objects are looked at
    try:
        transcript(minigrad, program)
        kinds = (minigrad.Tensor, minigrad.autograd.graph.Node)
        return [one for one in gc.get_objects() if isinstance(one, kinds)]
    finally:
        gc.unfreeze()
        gc.enable()


whole_programs = st.one_of(
    [
        module.programs.map(lambda program, module=module: [*module.START, *program, *module.END])
        for module in (test_views, test_hooks)
    ]
)


@given(whole_programs)
def test_nothing_leaks(program: list[str]) -> None:
    # PyTorch, too, warns that `backward(create_graph=True)` makes a cycle.
    assert not leaked([one for one in program if "backward(create_graph" not in one])
