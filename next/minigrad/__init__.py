"""A small autograd engine on numpy that behaves like PyTorch's: `import minigrad as torch`."""

from math import inf, nan, pi

import numpy as _np

from minigrad import dtypes, tensor, views  # views complete Tensor
from minigrad.ops import shapes, joins, pointwise, reductions, linear_algebra, indexing
from minigrad import creation, random
from minigrad.dtypes import dtype, get_default_dtype, set_default_dtype
from minigrad.op import functions as _functions
from minigrad.printing import set_printoptions
from minigrad.tensor import Size, Tensor, device
from minigrad import autograd, nn, optim, utils
from minigrad import device as _device, serialization
from minigrad.modes import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
_np.seterr(all="ignore")
globals().update(_functions)
