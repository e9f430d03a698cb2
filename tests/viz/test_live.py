"""The live graph without a browser: what it holds after each cell, and what it leaves in a file."""

import sys
from types import SimpleNamespace

import nbformat
import pytest
from nbconvert import HTMLExporter

from minigrad.viz import live


def test_it_follows_the_cells(shell):
    shell.run("x = torch.tensor([1., 2.], requires_grad=True)\ny = x * x")
    graph = shell.run("graph = live()\ngraph")
    assert repr(graph) == "<LiveGraph of y: 1 leaf, 1 operation>"
    shell.run("out = y.sum()")
    assert repr(graph) == "<LiveGraph of out: 1 leaf, 2 operations>"
    assert graph.news == "1 operation added: SumBackward0"
    shell.run("out.backward()")
    assert graph.news == "1 operation freed what was kept. x.grad is now [2, 4]"
    assert "grad [2, 4]" in graph.outline
    shell.run("del out, y")
    assert repr(graph) == "<LiveGraph of x: 1 leaf, 0 operations>"
    shell.run("del x")
    assert repr(graph) == "<LiveGraph: No variable holds a tensor that needs a gradient yet>"


def test_a_tensor_is_followed_by_its_name(shell):
    shell.run("x = torch.tensor(2., requires_grad=True)\nloss = x * 3\nother = x.exp()")
    graph = shell.run("live(loss)")
    assert "ExpBackward0" not in graph.outline
    shell.run("loss = loss + 1")
    assert [node.name for node in graph.snapshot.nodes][1:] == ["MulBackward0", "AddBackward0"]
    assert "gives loss: result, float32 [] = 7" in graph.outline


def test_a_tensor_without_a_name_is_kept(shell):
    shell.run("x = torch.tensor(2., requires_grad=True)")
    graph = shell.run("live(x * 3)")
    shell.run("x.grad = torch.tensor(5.)")
    assert "MulBackward0" in graph.outline
    assert "grad 5" in graph.outline


def test_a_cell_that_raises_leaves_the_graph_up_to_date(shell):
    shell.run("x = torch.tensor(2., requires_grad=True)\ny = x * x\ny.backward()")
    graph = shell.run("live(y)")
    with pytest.raises(RuntimeError, match="second time"):
        shell.run("x.grad = None\ny.backward()")
    assert "grad None" in graph.outline


def test_only_what_has_changed_is_sent(shell, monkeypatch):
    shell.run("x = torch.tensor(2., requires_grad=True)\ny = x * x")
    graph = shell.run("live(y)")
    sent = []
    monkeypatch.setattr(graph, "send_state", lambda names: sent.append(set(names)))
    shell.run("unrelated = 1")
    assert sent == []
    shell.run("y.backward()")
    (names,) = sent
    assert names == {"svg", "outline", "details", "news", "travel"}


def test_closed_it_follows_no_longer_and_keeps_nothing(shell):
    shell.run("x = torch.tensor(2., requires_grad=True)")
    before = list(shell.events.callbacks["post_run_cell"])
    graph = shell.run("live(x * 2)")
    graph.close()
    assert shell.events.callbacks["post_run_cell"] == before
    graph.close()
    shell.run("x.grad = torch.tensor(1.)")
    assert "grad None" in graph.outline


def test_without_ipython_it_is_refreshed_by_hand(torch):
    space = {"torch": torch, "live": live}
    exec("x = torch.tensor(2., requires_grad=True)\ngraph = live()\ny = x * x", space)
    assert "MulBackward0" not in space["graph"].outline
    space["graph"].refresh()
    assert "MulBackward0" in space["graph"].outline


def test_what_it_leaves_where_no_kernel_runs(torch):
    x = torch.tensor(2.0, requires_grad=True)
    graph = live(x * x)
    data, _ = graph._repr_mimebundle_()
    assert data["text/plain"] == graph.outline
    assert data["image/svg+xml"].startswith("<svg")
    assert "application/vnd.jupyter.widget-view+json" in data
    output = nbformat.v4.new_output("execute_result", data=data, execution_count=1)
    cell = nbformat.v4.new_code_cell("live()", outputs=[output], execution_count=1)
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert "data:image/svg+xml;base64," in page


def test_what_is_no_tensor_is_refused(torch):
    with pytest.raises(TypeError, match="live\\(\\) takes tensors, but got list"):
        live([torch.ones(1)])
    with pytest.raises(ValueError, match="limit must be at least 1, but got 0"):
        live(limit=0)


def test_without_anywidget_it_says_what_to_install(monkeypatch, torch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    for module in ("live_graph", "graph_widget"):
        monkeypatch.delitem(sys.modules, f"minigrad.viz.live.{module}")
    with pytest.raises(ImportError, match=r"minigrad-lessons\[lab\]"):
        live(torch.ones(1, requires_grad=True))


def test_reasons_are_shown_from_the_next_cell_on(shell):
    shell.run("x = torch.tensor(2., requires_grad=True)\ngraph = live(record=True)")
    shell.run("y = x * 3\nd = y.detach()\nz = y * d")
    assert "d: no graph (detached, from y)" in graph_outline(shell)
    assert "  no edge from d (requires_grad=False)" in graph_outline(shell)
    assert shell.run("graph.news").endswith("d has no edge: detached, from y")
    shell.run("graph.close()")
    before = graph_outline(shell)
    shell.run("e = z.detach()")
    assert graph_outline(shell) == before
    said = "e: no graph (requires_grad=False), float32 [] = 36"
    assert shell.run("draw(e)").outline.endswith(said)


def graph_outline(shell):
    return shell.run("graph.outline")


def test_what_a_cell_raised_is_told_however_it_is_worded(shell):
    shell.run("x = torch.tensor(2., requires_grad=True)\ny = x * x")
    graph = shell.run("live(y)")
    with pytest.raises(ValueError, match="<b>"):
        shell.run("y.backward()\nraise ValueError('<b>' + 'long' * 2_500)")
    assert graph.news.startswith("The cell raised ValueError: <b>longlong")
    assert graph.news.endswith("…. 1 operation freed what was kept. x.grad is now 4")
    assert len(graph.news) < 200
    mute = shell.run("class Mute(Exception):\n    def __str__(self): raise OSError\nMute")
    shell.events.trigger("post_run_cell", SimpleNamespace(error_in_exec=mute()))
    assert graph.news == "The cell raised Mute"
    shell.run("x.grad = None")
    assert graph.news == "x.grad is now None"


def test_a_backward_that_raises_halfway_is_shown_as_far_as_it_came(shell):
    shell.run(
        "class Trap(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x): return x * 1\n"
        "    @staticmethod\n"
        "    def backward(ctx, grad): raise ArithmeticError('sprung')\n"
        "x = torch.tensor(2., requires_grad=True)\n"
        "out = Trap.apply(x.exp()).tanh()"
    )
    graph = shell.run("live()")
    with pytest.raises(ArithmeticError):
        shell.run("out.backward()")
    assert "The cell raised ArithmeticError: sprung" in graph.news
    assert "TanhBackward0(n2)\n  freed result" in graph.outline
    assert "ExpBackward0(x)\n  keeps result" in graph.outline


def test_names_and_values_of_a_megabyte_are_shortened(shell):
    graph = shell.run("graph = live()\ngraph")
    shell.run("x = torch.ones(100, 100, requires_grad=True)")
    shell.run("much = {'<i>' + 'a' * 1_000_000: x * 2, '\\ud800\\0\\n\"': x + 1}")
    assert "much['<i>aaa" in graph.outline
    sent = [graph.svg, graph.outline, graph.summary, graph.news, str(graph.details)]
    assert sum(map(len, sent)) < 100_000
    for text in sent:
        text.encode()
