"""PyTorch's autograd on numpy, small enough to read: ``import minigrad as torch``.

The operations declare their public names themselves (see `op.publish`); the others are listed here.
"""

from math import inf, nan, pi

from minigrad.anomaly import is_anomaly_enabled
from minigrad import views  # noqa: F401  it completes Tensor
from minigrad.device import (
    accelerator,
    backends,
    cuda,
    device,
    mps,
    set_default_device,
)
from minigrad.dtypes import (
    bool_ as bool,
    dtype,
    finfo,
    float32,
    float64,
    get_default_dtype,
    iinfo,
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
from minigrad.public import functions as _functions
from minigrad.printing import set_printoptions
from minigrad.size import Size
from minigrad.tensor import Tensor
from minigrad.version import __version__
from minigrad import ops, creation  # noqa: F401  they declare operations
from minigrad import autograd, nn, optim, overrides, random, serialization, utils

strided = "torch.strided"
float, double, short, int, long = float32, float64, int16, int32, int64
e = 2.718281828459045

_names = [name for name in globals() if not name.startswith("_")]
globals().update(_functions)
