"""torch.overrides: modes that see public calls."""

from minigrad.modes import (
    DisableTorchFunction,
    TorchFunctionMode,
    _get_current_function_mode,
)

__all__ = ["DisableTorchFunction", "TorchFunctionMode", "_get_current_function_mode"]
