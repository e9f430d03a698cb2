"""Random programs do the same whether they are recorded or not, and leave nothing behind."""

import gc
import importlib

import hypothesis
import pytest

from minigrad.viz import record
from minigrad.viz.read import notes
from minigrad.warn import warned
from tests.properties.programs import transcript
from tests.properties.test_views import END, NAMES, START, programs


@pytest.mark.parametrize("name", ["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def test_a_recording_changes_nothing(name):
    engine = importlib.import_module(name)
    if name == "torch":
        engine.set_warn_always(True)

    @hypothesis.settings(max_examples=50, derandomize=True)
    @hypothesis.given(programs)
    def compare(program):
        program = [*START, *program, *END]
        warned.clear()  # some are given once per process only
        alone = transcript(engine, program, NAMES)
        before = len(notes._notes)
        warned.clear()
        with record():
            recorded = transcript(engine, program, NAMES)
        assert recorded == alone
        gc.collect()
        # PyTorch itself keeps graphs of hooks, of errors and of second derivatives.
        assert name == "torch" or len(notes._notes) <= before

    gc.freeze()  # what other tests have left isn't looked through fifty times
    try:
        compare()
    finally:
        gc.unfreeze()
