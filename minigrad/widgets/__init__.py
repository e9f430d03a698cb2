"""The lessons' instruments: each but ``nudge`` asks for a prediction before it shows.

An instrument works on the notebook's own tensors and functions, of minigrad or of PyTorch: by
mouse, by keyboard, or without a browser (``instrument.predict(3)``). Each is one file: a plain
state, ``instrument.state``, and a thin widget around it. ``nudge`` shows the graph of a function
whose numbers can be dragged.

>>> import minigrad.widgets
>>> "Instrument" in dir(minigrad.widgets)
True
"""

import importlib
from typing import TYPE_CHECKING, Any

from minigrad.widgets.questions import PredictFirst as PredictFirst
from minigrad.widgets.questions import teacher_mode as teacher_mode

if TYPE_CHECKING:
    from minigrad.widgets.accumulation_ledger import AccumulationLedger as AccumulationLedger
    from minigrad.widgets.backward_stepper import BackwardStepper as BackwardStepper
    from minigrad.widgets.base import Instrument as Instrument
    from minigrad.widgets.clinic import Clinic as Clinic
    from minigrad.widgets.gradient_check import GradientCheck as GradientCheck
    from minigrad.widgets.graph_cutter import GraphCutter as GraphCutter
    from minigrad.widgets.leaf_inspector import LeafInspector as LeafInspector
    from minigrad.widgets.loop_lamps import LoopLamps as LoopLamps
    from minigrad.widgets.nudge import Nudge as Nudge
    from minigrad.widgets.nudge import neuron as neuron
    from minigrad.widgets.nudge import nudge as nudge
    from minigrad.widgets.playground import Playground as Playground
    from minigrad.widgets.vjp_bench import VJPBench as VJPBench

# Each is imported when it is first used, so a lesson loads only those that it needs.
_WHERE = {
    "AccumulationLedger": "accumulation_ledger",
    "BackwardStepper": "backward_stepper",
    "Instrument": "base",
    "Clinic": "clinic",
    "GradientCheck": "gradient_check",
    "GraphCutter": "graph_cutter",
    "LeafInspector": "leaf_inspector",
    "LoopLamps": "loop_lamps",
    "Nudge": "nudge",
    "neuron": "nudge",
    "nudge": "nudge",
    "Playground": "playground",
    "VJPBench": "vjp_bench",
}
INSTALL = 'The instruments need ipywidgets and anywidget: pip install "minigrad-lessons[lab]"'


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"minigrad.widgets.{_WHERE[name]}")
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets"):
            raise
        raise ImportError(INSTALL, name=error.name) from error
    for other, where in _WHERE.items():  # so that nudge is the function, not its module
        if where == _WHERE[name]:
            globals()[other] = getattr(module, other)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
