"""minigrad: autograd on numpy, in the shape of PyTorch.

``import minigrad as torch`` runs the classic autograd tutorials and prints what PyTorch prints.
"""

import importlib
import sys
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from typing import TYPE_CHECKING, Any

if sys.platform == "emscripten":
    from minigrad.in_browser import require_numpy

    require_numpy()

from minigrad import autograd as autograd
from minigrad import random as random
from minigrad.autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled,
)
from minigrad.autograd.anomaly_mode import is_anomaly_enabled as is_anomaly_enabled
from minigrad.autograd.anomaly_mode import set_anomaly_enabled as set_anomaly_enabled
from minigrad.autograd.grad_mode import enable_grad as enable_grad
from minigrad.autograd.grad_mode import inference_mode as inference_mode
from minigrad.autograd.grad_mode import is_grad_enabled as is_grad_enabled
from minigrad.autograd.grad_mode import is_inference_mode_enabled as is_inference_mode_enabled
from minigrad.autograd.grad_mode import no_grad as no_grad
from minigrad.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from minigrad.creation import BoolTensor as BoolTensor
from minigrad.creation import ByteTensor as ByteTensor
from minigrad.creation import CharTensor as CharTensor
from minigrad.creation import DoubleTensor as DoubleTensor
from minigrad.creation import FloatTensor as FloatTensor
from minigrad.creation import HalfTensor as HalfTensor
from minigrad.creation import IntTensor as IntTensor
from minigrad.creation import LongTensor as LongTensor
from minigrad.creation import ShortTensor as ShortTensor
from minigrad.creation import arange as arange
from minigrad.creation import as_tensor as as_tensor
from minigrad.creation import asarray as asarray
from minigrad.creation import empty as empty
from minigrad.creation import empty_like as empty_like
from minigrad.creation import empty_strided as empty_strided
from minigrad.creation import eye as eye
from minigrad.creation import from_numpy as from_numpy
from minigrad.creation import frombuffer as frombuffer
from minigrad.creation import full as full
from minigrad.creation import full_like as full_like
from minigrad.creation import linspace as linspace
from minigrad.creation import logspace as logspace
from minigrad.creation import ones as ones
from minigrad.creation import ones_like as ones_like
from minigrad.creation import range as range
from minigrad.creation import scalar_tensor as scalar_tensor
from minigrad.creation import set_default_tensor_type as set_default_tensor_type
from minigrad.creation import tensor as tensor
from minigrad.creation import zeros as zeros
from minigrad.creation import zeros_like as zeros_like
from minigrad.device import device as device
from minigrad.device import get_default_device as get_default_device
from minigrad.device import set_default_device as set_default_device
from minigrad.dtypes import bfloat16 as bfloat16
from minigrad.dtypes import bool_ as bool
from minigrad.dtypes import complex32 as chalf
from minigrad.dtypes import complex32 as complex32
from minigrad.dtypes import complex64 as cfloat
from minigrad.dtypes import complex64 as complex64
from minigrad.dtypes import complex128 as cdouble
from minigrad.dtypes import complex128 as complex128
from minigrad.dtypes import dtype as dtype
from minigrad.dtypes import float8_e4m3fn as float8_e4m3fn
from minigrad.dtypes import float8_e5m2 as float8_e5m2
from minigrad.dtypes import float16 as float16
from minigrad.dtypes import float16 as half
from minigrad.dtypes import float32 as float
from minigrad.dtypes import float32 as float32
from minigrad.dtypes import float64 as double
from minigrad.dtypes import float64 as float64
from minigrad.dtypes import get_default_dtype as get_default_dtype
from minigrad.dtypes import int8 as int8
from minigrad.dtypes import int16 as int16
from minigrad.dtypes import int16 as short
from minigrad.dtypes import int32 as int
from minigrad.dtypes import int32 as int32
from minigrad.dtypes import int64 as int64
from minigrad.dtypes import int64 as long
from minigrad.dtypes import qint8 as qint8
from minigrad.dtypes import qint32 as qint32
from minigrad.dtypes import quint2x4 as quint2x4
from minigrad.dtypes import quint4x2 as quint4x2
from minigrad.dtypes import quint8 as quint8
from minigrad.dtypes import set_default_dtype as set_default_dtype
from minigrad.dtypes import uint8 as uint8
from minigrad.dtypes import uint16 as uint16
from minigrad.dtypes import uint32 as uint32
from minigrad.dtypes import uint64 as uint64
from minigrad.functions import *
from minigrad.layout import contiguous_format as contiguous_format
from minigrad.layout import layout as layout
from minigrad.layout import memory_format as memory_format
from minigrad.layout import preserve_format as preserve_format
from minigrad.layout import strided as strided
from minigrad.limits import finfo as finfo
from minigrad.limits import iinfo as iinfo
from minigrad.ops.bind import missing
from minigrad.outside import is_warn_always_enabled as is_warn_always_enabled
from minigrad.outside import set_warn_always as set_warn_always
from minigrad.printing import set_printoptions as set_printoptions
from minigrad.random import Generator as Generator
from minigrad.random import default_generator as default_generator
from minigrad.random import get_rng_state as get_rng_state
from minigrad.random import initial_seed as initial_seed
from minigrad.random import manual_seed as manual_seed
from minigrad.random import seed as seed
from minigrad.random import set_rng_state as set_rng_state
from minigrad.settings import (
    are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled,
)
from minigrad.settings import get_float32_matmul_precision as get_float32_matmul_precision
from minigrad.settings import get_num_threads as get_num_threads
from minigrad.settings import (
    is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled,
)
from minigrad.settings import set_float32_matmul_precision as set_float32_matmul_precision
from minigrad.settings import set_num_threads as set_num_threads
from minigrad.settings import use_deterministic_algorithms as use_deterministic_algorithms
from minigrad.size import Size as Size
from minigrad.storage import UntypedStorage as UntypedStorage
from minigrad.storage import is_storage as is_storage
from minigrad.tensor import Tensor as Tensor
from minigrad.typename import typename as typename
from minigrad.version import __version__ as __version__

if TYPE_CHECKING:
    from minigrad import _C as _C
    from minigrad import _tensor_str as _tensor_str
    from minigrad import backends as backends
    from minigrad import compiler as compiler
    from minigrad import cuda as cuda
    from minigrad import distributed as distributed
    from minigrad import distributions as distributions
    from minigrad import func as func
    from minigrad import futures as futures
    from minigrad import jit as jit
    from minigrad import linalg as linalg
    from minigrad import multiprocessing as multiprocessing
    from minigrad import nn as nn
    from minigrad import optim as optim
    from minigrad import overrides as overrides
    from minigrad import profiler as profiler
    from minigrad import return_types as return_types
    from minigrad import serialization as serialization
    from minigrad import special as special
    from minigrad import testing as testing
    from minigrad import utils as utils
    from minigrad.compiler import compile as compile
    from minigrad.func import vmap as vmap
    from minigrad.futures import Future as Future
    from minigrad.nn.functional import celu_ as celu_
    from minigrad.nn.functional import cosine_similarity as cosine_similarity
    from minigrad.nn.functional import hardshrink as hardshrink
    from minigrad.nn.functional import pairwise_distance as pairwise_distance
    from minigrad.nn.functional import prelu as prelu
    from minigrad.nn.functional import rrelu_ as rrelu_
    from minigrad.nn.functional import selu_ as selu_
    from minigrad.nn.kernels import alpha_dropout as alpha_dropout
    from minigrad.nn.kernels import alpha_dropout_ as alpha_dropout_
    from minigrad.nn.kernels import batch_norm as batch_norm
    from minigrad.nn.kernels import (
        binary_cross_entropy_with_logits as binary_cross_entropy_with_logits,
    )
    from minigrad.nn.kernels import celu as celu
    from minigrad.nn.kernels import cosine_embedding_loss as cosine_embedding_loss
    from minigrad.nn.kernels import dropout as dropout
    from minigrad.nn.kernels import dropout_ as dropout_
    from minigrad.nn.kernels import embedding as embedding
    from minigrad.nn.kernels import feature_alpha_dropout as feature_alpha_dropout
    from minigrad.nn.kernels import feature_alpha_dropout_ as feature_alpha_dropout_
    from minigrad.nn.kernels import feature_dropout as feature_dropout
    from minigrad.nn.kernels import feature_dropout_ as feature_dropout_
    from minigrad.nn.kernels import group_norm as group_norm
    from minigrad.nn.kernels import hinge_embedding_loss as hinge_embedding_loss
    from minigrad.nn.kernels import kl_div as kl_div
    from minigrad.nn.kernels import layer_norm as layer_norm
    from minigrad.nn.kernels import margin_ranking_loss as margin_ranking_loss
    from minigrad.nn.kernels import poisson_nll_loss as poisson_nll_loss
    from minigrad.nn.kernels import rms_norm as rms_norm
    from minigrad.nn.kernels import rrelu as rrelu
    from minigrad.nn.kernels import selu as selu
    from minigrad.nn.kernels import triplet_margin_loss as triplet_margin_loss
    from minigrad.serialization import load as load
    from minigrad.serialization import save as save

newaxis = None
del globals()["size"]  # the module: who writes torch.size(x) is told that there is no such function
# Which many programs never use.
ON_DEMAND = (
    "_C",
    "_tensor_str",
    "backends",
    "compiler",
    "cuda",
    "distributed",
    "distributions",
    "func",
    "futures",
    "jit",
    "linalg",
    "multiprocessing",
    "nn",
    "optim",
    "overrides",
    "profiler",
    "return_types",
    "serialization",
    "special",
    "testing",
    "utils",
)
OF_NETWORKS = (  # which torch has in both places
    "celu_", "cosine_similarity", "hardshrink", "pairwise_distance", "prelu", "rrelu_", "selu_",
)  # fmt: skip
KERNELS = (
    "alpha_dropout", "alpha_dropout_", "batch_norm", "binary_cross_entropy_with_logits", "celu",
    "cosine_embedding_loss", "dropout", "dropout_", "embedding", "feature_alpha_dropout",
    "feature_alpha_dropout_", "feature_dropout", "feature_dropout_", "group_norm",
    "hinge_embedding_loss", "kl_div", "layer_norm", "margin_ranking_loss", "poisson_nll_loss",
    "rms_norm", "rrelu", "selu", "triplet_margin_loss",
)  # fmt: skip
# What lies elsewhere, by name.
ELSEWHERE = {"Future": "futures", "compile": "compiler", "vmap": "func"}
ELSEWHERE |= dict.fromkeys(("load", "save"), "serialization")
ELSEWHERE |= dict.fromkeys(OF_NETWORKS, "nn.functional")
ELSEWHERE |= dict.fromkeys(KERNELS, "nn.kernels")
# What PyTorch leaves out as well, beside modules, of ``from torch import *``.
BY_NAME_ALONE = {
    "HalfTensor", "broadcast_shapes", "contiguous_format", "preserve_format",
    "set_default_dtype", "set_grad_enabled", "strided", "unique",
}  # fmt: skip
OF_THIS_FILE = {
    "Any", "BY_NAME_ALONE", "ELSEWHERE", "KERNELS", "OF_NETWORKS", "OF_THIS_FILE", "ON_DEMAND",
    "TYPE_CHECKING", "missing",
}  # fmt: skip
__all__ = [
    name
    for name, one in globals().items()
    if name[0] != "_"
    and name not in BY_NAME_ALONE | OF_THIS_FILE
    and type(one) is not type(importlib)
]


def __dir__() -> list[str]:
    own = [name for name in globals() if name[:2] == "__"]
    return sorted({*__all__, *BY_NAME_ALONE, *ELSEWHERE, *ON_DEMAND, "autograd", "random", *own})


def __getattr__(name: str) -> Any:
    if name in ON_DEMAND:
        return importlib.import_module(f"minigrad.{name}")
    if name in ELSEWHERE:
        return getattr(importlib.import_module(f"minigrad.{ELSEWHERE[name]}"), name)
    raise missing("module 'torch'", name, __dir__())
