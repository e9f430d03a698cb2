"""PyTorch's autograd on numpy, small enough to read: ``import minigrad as torch``.

The operations declare their public names themselves (see public.py); the others are listed here.
"""

from math import e, inf, nan, pi
from types import ModuleType as _ModuleType

from minigrad import autograd, creation, distributions, nn, ops, optim, overrides, random, utils
from minigrad.anomaly import is_anomaly_enabled
from minigrad.device import accelerator, backends, cuda, device, set_default_device
from minigrad.dtypes import bool_ as bool
from minigrad.dtypes import (
    dtype,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from minigrad.missing import module_hooks as _module_hooks
from minigrad.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from minigrad.printing import set_printoptions
from minigrad.public import functions as _functions
from minigrad.random import Generator, get_rng_state, manual_seed, set_rng_state
from minigrad.serialization import load, save
from minigrad.shape import Size
from minigrad.tensor import Tensor
from minigrad.version import __version__

float, double, short, int, long = float32, float64, int16, int32, int64

globals().update(_functions)
_modules = (autograd, distributions, nn, optim, overrides, random, utils)
__all__ = [
    name
    for name, value in globals().items()
    if name[0] != "_" and (type(value) is not _ModuleType or value in _modules)
]
__dir__, __getattr__ = _module_hooks(__name__, __all__)
