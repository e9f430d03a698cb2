"""torch.overrides: modes that see public calls."""

from minigrad.missing import module_hooks
from minigrad.modes import DisableTorchFunction as DisableTorchFunction
from minigrad.modes import TorchFunctionMode
from minigrad.modes import _get_current_function_mode as _get_current_function_mode

__all__ = ["TorchFunctionMode"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
