"""Random programs do the same whether they are recorded or not, and leave nothing behind."""

import contextlib
import gc
import importlib
import io
import re
import warnings

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st

from minigrad.viz import notes, record
from tests.parity.programs import COMMON, operations, programs

ADDRESS = re.compile("0x[0-9a-f]+")
TRIGGERED = re.compile(r" \(Triggered internally at .*\)")

CHANGED_BY_ITSELF = re.compile(r"(v\d+)(\.\w+_\(| \S+= ).*\1")


def run(engine, program, watched):
    """What could be seen of a program: text, tensors, gradients, warnings, and its error."""
    names = {"torch": engine, "F": engine.nn.functional, "seen": []}
    said = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(said):
        warnings.simplefilter("default")
        error = None
        try:
            with record() if watched else contextlib.nullcontext():
                exec(compile(program, "program.py", "exec"), names)
                differentiate(engine, names)
        except Exception as raised:
            error = type(raised).__name__, ADDRESS.sub("0x", str(raised))
    tensors = [one for name, one in names.items() if name[0] == "v"]
    return {
        "values": [ADDRESS.sub("0x", repr(one)) for one in tensors],
        "grads": [repr(one.grad) for one in tensors if is_leaf(engine, one)],
        "seen": ADDRESS.sub("0x", repr(names["seen"])),
        "warnings": [(one.category, TRIGGERED.sub("", str(one.message))) for one in caught],
        "error": error,
        "said": said.getvalue(),
    }


def is_leaf(engine, one):
    return isinstance(one, engine.Tensor) and one.is_leaf


def differentiate(engine, names):
    """Print every tensor, and run backward from each that has a graph."""
    for name, one in list(names.items()):
        if name[0] == "v" and isinstance(one, engine.Tensor):
            print(name, one)
            if one.grad_fn is not None:
                one.backward(engine.ones_like(one), retain_graph=True)


@st.composite
def any_program(draw):
    return draw(programs(draw(st.sampled_from(sorted(operations()))), COMMON))


@pytest.mark.parametrize("name", ["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def test_a_recording_changes_nothing(name):
    engine = importlib.import_module(name)
    if name == "torch":
        engine.set_warn_always(True)  # some it gives once per process only

    @hypothesis.settings(
        max_examples=100,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(any_program())
    def compare(program):
        alone = run(engine, program, watched=False)
        before = len(notes._notes)
        try:
            assert run(engine, program, watched=True) == alone
            if len(notes._notes) > before:
                gc.collect()
            # PyTorch never frees what a hook refers to, nor what was changed in place by itself.
            by_itself = name == "torch" and CHANGED_BY_ITSELF.search(program)
            assert "hook(" in program or by_itself or len(notes._notes) <= before
        except AssertionError as error:
            error.add_note(program)
            raise

    compare()
