"""What a recording notes: why edges are missing, which line made what; and that it only looks."""

import gc
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest

from minigrad.viz import draw, record
from minigrad.viz.draw.details import details
from minigrad.viz.live.graph_widget import GraphWidget
from tests.viz.backward_programs import double


def inference_mode(torch, x):
    with torch.inference_mode():
        return x * 2


def no_grad(torch, x):
    with torch.no_grad():
        return x * 2


REASONS = {
    "detached": lambda torch, x: x.detach(),
    "detached ": lambda torch, x: x.data,
    "made under no_grad": no_grad,
    "made in inference_mode": inference_mode,
    "a comparison has no gradient": lambda torch, x: x > 1,
    "integers have no gradient": lambda torch, x: x.argmax(),
    "integers have no gradient ": lambda torch, x: x.max(0)[1],
    "integers have no gradient  ": lambda torch, x: x.long(),
    "True and False have no gradient": lambda torch, x: x.isnan(),
    "tensor() copies numbers, not the graph": lambda torch, x: torch.tensor(x),
    "grad() without create_graph=True": lambda torch, x: torch.autograd.grad((x * x).sum(), x)[0],
}


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.filterwarnings("ignore:To copy construct from a tensor")
def test_why_a_result_has_no_edge(torch, reason):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        result = REASONS[reason](torch, x)
    assert recording.why(result) == (reason.strip(),)
    drawing = draw(result)
    assert f"result: no graph ({reason.strip()}, from " in drawing.outline
    assert 'class="road missing"' in drawing.svg()


@pytest.mark.parity
def test_why_an_operation_that_has_no_derivative_gives_no_edge():
    import torch

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        counts = torch.histc(x)
    assert recording.why(counts) == ("histc has no gradient",)


def test_what_has_no_input_with_a_gradient(torch):
    data, other = torch.ones(2), torch.ones(2)
    with record() as recording:
        scaled = data * 2 + other
        fresh = torch.zeros(2)
    assert recording.why(scaled) == ()  # nothing was cut off: there was nothing to begin with
    assert "scaled: no graph (no input requires grad, from other)" in draw(scaled).outline
    assert "fresh: no graph (requires_grad=False)" in draw(fresh).outline


def test_without_a_recording_only_what_tensors_tell(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    d = x.detach()
    drawing = draw(x * d, d)
    assert "d: no graph (requires_grad=False)" in drawing.outline
    assert drawing.snapshot.cuts == ()


def test_a_graph_shows_where_it_was_cut(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    data = torch.tensor([3.0, 4.0])
    with record():
        y = x * data
        d = y.detach()
        out = (y * d).sum()
    snapshot = draw(out).snapshot
    names = {tensor.id: tensor.names[0] for tensor in snapshot.tensors}
    found = [(c.node, names.get(c.tensor), names.get(c.target, c.target)) for c in snapshot.cuts]
    assert found == [(None, "data", "n1"), (None, "d", "n2"), ("n1", None, "d")]


def test_what_has_no_name_is_passed_over(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record():
        y = x * 3
        out = y + (y.detach() * 2 + 1)
    assert "  no edge from y (detached)" in repr(draw(out)).splitlines()


def test_behind_a_cut_the_picture_goes_on(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record():
        y = x.exp()
        z = y.detach().requires_grad_()
        out = z * z
    outline = draw(out).outline
    assert "z: leaf (detached, from y)" in outline
    assert "ExpBackward0(x)" in outline


def test_changes_in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    total, w = torch.zeros(2), torch.ones(2, requires_grad=True)
    with record() as recording:
        y = x * 3
        z = x * 4
        z.detach_()
        total += y.detach()
        total[:] = z
        w.requires_grad_(False)
    assert recording.why(z) == ("detached",)
    outline = draw(y, z, total).outline
    assert "total: no graph (detached, from y; no input requires grad, from z)" in outline
    assert "w: no graph (requires_grad was switched off)" in draw(w).outline


def test_a_choice_by_comparison(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record():
        positive = x > 1
        out = torch.where(positive, x, x * 2)
    outline = draw(out).outline
    assert "  no edge from positive (True and False have no gradient)" in outline
    assert "positive: no graph (a comparison has no gradient, from x)" in outline


def test_numbers_that_leave_for_python(torch):
    x = torch.tensor(2.0, requires_grad=True)
    with record():
        loss = x * x
        number = loss.item()
        loss.tolist()
        loss.item()
    drawing = draw(loss)
    said = ".item() gives a number without a graph; .tolist() gives numbers without a graph"
    assert drawing.outline.endswith(f"gives loss: result, float32 [] = {number:.0f}; {said}")
    assert drawing.svg().count('data-part="exit') == 2


def test_a_source_that_is_gone(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record():
        d = (x * 2).exp().detach()
    assert "d: no graph (detached), float32 [2]" in draw(d).outline


# Lines


def test_lines_that_made_nodes_and_tensors(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def square(it):
        return it * it  # made here

    with record() as recording:
        y = square(x)
        out = torch.nn.functional.cross_entropy(y.reshape(1, 2), torch.tensor([0]))
    snapshot = draw(out).snapshot
    made = [node.made for node in snapshot.nodes if node.kind == "operation"]
    assert {line.where for line in made} == {"test_recording.py"}
    assert made[0].text == "return it * it  # made here"
    assert [line.number - made[1].number for line in made[1:]] == [0] * (len(made) - 1)
    assert recording.line(out) == made[-1]
    rows = dict(details(snapshot)["n1"]["rows"])
    assert rows["made in"] == f"test_recording.py, line {made[0].number}: {made[0].text}"


def test_from_a_line_to_its_nodes(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = (x * 2).exp()
        out = y.sum()
    snapshot = draw(out).snapshot
    line = recording.line(y)
    parts = snapshot.made_at(line.where, line.number)
    names = [node.name for node in snapshot.nodes if node.id in parts]
    assert names == ["MulBackward0", "ExpBackward0"]
    assert [tensor.names for tensor in snapshot.tensors if tensor.id in parts] == [("y",)]
    assert snapshot.made_at("nowhere.py", 1) == ()
    offered = GraphWidget(snapshot).lines
    assert [parts for text, parts in offered if text == str(line)] == [list(parts)]


def test_lines_are_offered_in_the_programs_order_and_folds_are_found_by_theirs(torch):
    x = torch.tensor(0.5, requires_grad=True)
    with record():
        y = x * 1
        for _ in range(40):
            y = y.sin().cos()
        out = y * 2
    widget = GraphWidget(draw(out).snapshot)
    texts = [text.partition(": ")[2] for text, _ in widget.lines]
    assert texts == ["y = x * 1", "y = y.sin().cos()", "out = y * 2"]
    ((folded,),) = (parts for text, parts in widget.lines if "sin" in text)
    assert widget.details[folded]["title"] == "40 × (SinBackward0, CosBackward0)"


def test_the_line_that_applies_a_function_of_ones_own(torch):
    x, function = torch.ones(2, requires_grad=True), double(torch)
    with record():
        y = function.apply(x)
        out = y.sum()
    made = [node.made for node in draw(out).snapshot.nodes if node.kind == "operation"]
    assert [line.text for line in made] == ["y = function.apply(x)", "out = y.sum()"]
    assert "no edge" not in draw(out).outline


def test_the_line_of_a_module(torch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
    data = torch.ones(1, 2)
    with record():
        out = net(data)
    snapshot = draw(out).snapshot
    made = {node.made.text for node in snapshot.nodes if node.kind == "operation"}
    assert made == {"out = net(data)"}
    assert "  no edge from data (requires_grad=False)" in draw(out).outline.splitlines()


# It only looks


def test_exceptions_pass_and_the_recording_goes_on(torch):
    x = torch.ones(2, requires_grad=True)
    with record() as recording:
        with pytest.raises(RuntimeError, match="size|broadcast"):
            x + torch.ones(3)
        d = x.detach()
    assert recording.why(d) == ("detached",)
    with pytest.raises(ZeroDivisionError), record():
        raise ZeroDivisionError
    e = x.detach()
    assert recording.why(e) == ()


def test_recordings_nest_and_can_be_entered_again(torch):
    x = torch.ones(2, requires_grad=True)
    outer = record()
    with outer, record(), outer:
        inside = x.detach()
    with outer:
        again = x.detach()
    assert outer.why(inside) == outer.why(again) == ("detached",)
    assert outer.why(x.detach()) == ()


@pytest.mark.parametrize("inside", [False, True])
def test_other_modes_see_what_they_would(torch, inside):
    def seen(other):
        found = []

        class Watch(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                found.append(func.__name__)
                return func(*args, **(kwargs or {}))

        x = torch.ones(2, requires_grad=True)
        with other if inside else Watch(), Watch() if inside else other:
            y = x * 2
            y.detach().add_(1)
            y.sum().backward()
        return found, x.grad.tolist()

    found, grad = seen(nullcontext())
    assert seen(record()) == (found, grad)
    assert "detach" in found
    assert grad == [2.0, 2.0]


def test_other_threads_are_not_watched_and_not_disturbed(torch):
    x = torch.ones(2, requires_grad=True)
    results = []

    def work():
        for _ in range(50):
            with record() as recording:
                d = (x * 2).detach()
                results.append(recording.why(d))

    with record() as recording, ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work) for _ in range(4)]:
            done.result()
        apart = pool.submit(x.detach).result()
    assert results == [("detached",)] * 200
    assert recording.why(apart) == ()


def test_a_warning_names_the_users_line_each_time(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    def warn():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for _ in range(3):
                _ = y.grad
            _ = y.grad
            torch.nn.functional.softmax(y)
        return [(str(one.message), one.filename, one.lineno) for one in caught]

    alone = warn()
    with record():
        watched = warn()
    with record(), record():
        twice = warn()
    assert [place[1:] for place in watched] == [place[1:] for place in alone]
    assert twice == watched
    assert len(alone) == 3
    assert alone[0][1] == __file__


def test_filters_for_the_users_module_hold(torch):
    y = torch.ones(2, requires_grad=True) * 2
    before = warnings.showwarning, list(warnings.filters)
    with record(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _ = y.grad
        warnings.filterwarnings("error", module=__name__)
        with pytest.raises(UserWarning, match="leaf"):
            _ = y.grad
    assert (warnings.showwarning, list(warnings.filters)) == before


def test_views_that_have_lost_their_history_are_no_trouble(torch):
    x = torch.ones(4, requires_grad=True)
    with record():
        y = x * 2
        first, second = y.unbind()[:2]
        y.mul_(2)
        with pytest.raises(RuntimeError, match="modified inplace|modified in place"):
            first.mul_(2)
        assert second.requires_grad


def test_metadata_of_ones_own_stays(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.grad_fn.metadata["mine"] = 1
    with record():
        y.sum()
    assert y.grad_fn.metadata["mine"] == 1


def test_nothing_is_kept_alive(torch):
    from minigrad.viz.read import notes

    before = len(notes._notes)
    x = torch.ones(2, requires_grad=True)

    def program():
        w, seen = x * 1, []
        for _ in range(20):
            with torch.no_grad():
                w = w - 0.1 * w
            seen.append(w.detach() + x.detach())
        out = (x * w * seen[-1]).sum()
        out.backward()
        return weakref.ref(out), weakref.ref(w)

    gc.collect()
    gc.disable()
    try:
        with record():
            references = program()
        assert [reference() for reference in references] == [None, None]
        assert len(notes._notes) <= before + 1  # that of x.grad may be there
    finally:
        gc.enable()


def test_a_loop_does_not_gather_causes(torch):
    x = torch.ones(2, requires_grad=True)
    with record() as recording:
        w = x.detach()
        for _ in range(100):
            w = w * 0.9 + x.detach()
    assert recording.why(w) == ("detached",)
    assert draw(w).outline.count("detached") == 1


def test_a_graph_too_deep_to_touch_is_left_alone(torch):
    x = torch.tensor(1.0, requires_grad=True)
    with record() as recording:
        y = x
        for _ in range(60_000):
            y = y * 1.0
        d = y.detach()
    assert recording.why(d) == ("detached",)
    y.backward()
    assert x.grad.item() == 1
    del y  # PyTorch would crash here


def test_cells_are_named_by_their_number(shell):
    shell.run("x = torch.tensor([1., 2.], requires_grad=True)")
    shell.run("recording = record().start()")
    shell.run("y = x * 2\nd = y.detach()")
    shell.run("recording.stop()\nout = (y * d).sum()")
    line = shell.run("recording.line(d)")
    assert (line.where, line.number, line.text) == ("In[3]", 2, "d = y.detach()")
    assert shell.run("recording.line(out)") is None


def test_start_is_for_notebooks(torch):
    with pytest.raises(RuntimeError, match="start\\(\\) needs a notebook"):
        record().start()


def test_a_user_error_shows_the_users_lines_alone(shell, capsys):
    shell.run("x = torch.ones(2)\nrecording = record().start()")
    with pytest.raises(RuntimeError):
        shell.run("x + torch.ones(3)")
    assert "recording.py" not in capsys.readouterr().out
