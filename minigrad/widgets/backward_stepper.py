"""BackwardStepper: the stepper of ``minigrad.viz.step``, beside the other instruments."""

from minigrad.viz.live.step import step

BackwardStepper = step
