"""The functions that networks are made of: activations, layers, losses.

They check what they are given as ``torch.nn.functional`` does, and are composed of the same
operations, so that their graphs are the same.

>>> import minigrad as torch
>>> import minigrad.nn.functional as F
>>> F.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
tensor(2.)
"""

from typing import Any

from minigrad.nn.functional.activations import _threshold as _threshold
from minigrad.nn.functional.activations import celu as celu
from minigrad.nn.functional.activations import celu_ as celu_
from minigrad.nn.functional.activations import elu as elu
from minigrad.nn.functional.activations import elu_ as elu_
from minigrad.nn.functional.activations import gelu as gelu
from minigrad.nn.functional.activations import glu as glu
from minigrad.nn.functional.activations import gumbel_softmax as gumbel_softmax
from minigrad.nn.functional.activations import hardshrink as hardshrink
from minigrad.nn.functional.activations import hardsigmoid as hardsigmoid
from minigrad.nn.functional.activations import hardswish as hardswish
from minigrad.nn.functional.activations import hardtanh as hardtanh
from minigrad.nn.functional.activations import hardtanh_ as hardtanh_
from minigrad.nn.functional.activations import leaky_relu as leaky_relu
from minigrad.nn.functional.activations import leaky_relu_ as leaky_relu_
from minigrad.nn.functional.activations import log_softmax as log_softmax
from minigrad.nn.functional.activations import logsigmoid as logsigmoid
from minigrad.nn.functional.activations import mish as mish
from minigrad.nn.functional.activations import prelu as prelu
from minigrad.nn.functional.activations import relu as relu
from minigrad.nn.functional.activations import relu6 as relu6
from minigrad.nn.functional.activations import relu_ as relu_
from minigrad.nn.functional.activations import rrelu as rrelu
from minigrad.nn.functional.activations import rrelu_ as rrelu_
from minigrad.nn.functional.activations import selu as selu
from minigrad.nn.functional.activations import selu_ as selu_
from minigrad.nn.functional.activations import sigmoid as sigmoid
from minigrad.nn.functional.activations import silu as silu
from minigrad.nn.functional.activations import softmax as softmax
from minigrad.nn.functional.activations import softmin as softmin
from minigrad.nn.functional.activations import softplus as softplus
from minigrad.nn.functional.activations import softshrink as softshrink
from minigrad.nn.functional.activations import softsign as softsign
from minigrad.nn.functional.activations import tanh as tanh
from minigrad.nn.functional.activations import tanhshrink as tanhshrink
from minigrad.nn.functional.activations import threshold as threshold
from minigrad.nn.functional.activations import threshold_ as threshold_
from minigrad.nn.functional.attention import (
    scaled_dot_product_attention as scaled_dot_product_attention,
)
from minigrad.nn.functional.classes import binary_cross_entropy as binary_cross_entropy
from minigrad.nn.functional.classes import (
    binary_cross_entropy_with_logits as binary_cross_entropy_with_logits,
)
from minigrad.nn.functional.classes import cross_entropy as cross_entropy
from minigrad.nn.functional.classes import kl_div as kl_div
from minigrad.nn.functional.classes import nll_loss as nll_loss
from minigrad.nn.functional.classes import soft_margin_loss as soft_margin_loss
from minigrad.nn.functional.differences import huber_loss as huber_loss
from minigrad.nn.functional.differences import l1_loss as l1_loss
from minigrad.nn.functional.differences import mse_loss as mse_loss
from minigrad.nn.functional.differences import smooth_l1_loss as smooth_l1_loss
from minigrad.nn.functional.distances import cosine_similarity as cosine_similarity
from minigrad.nn.functional.distances import pairwise_distance as pairwise_distance
from minigrad.nn.functional.dropouts import alpha_dropout as alpha_dropout
from minigrad.nn.functional.dropouts import dropout as dropout
from minigrad.nn.functional.dropouts import dropout1d as dropout1d
from minigrad.nn.functional.dropouts import dropout2d as dropout2d
from minigrad.nn.functional.dropouts import dropout3d as dropout3d
from minigrad.nn.functional.dropouts import feature_alpha_dropout as feature_alpha_dropout
from minigrad.nn.functional.layers import bilinear as bilinear
from minigrad.nn.functional.layers import embedding as embedding
from minigrad.nn.functional.layers import linear as linear
from minigrad.nn.functional.layers import one_hot as one_hot
from minigrad.nn.functional.layers import pad as pad
from minigrad.nn.functional.margins import cosine_embedding_loss as cosine_embedding_loss
from minigrad.nn.functional.margins import gaussian_nll_loss as gaussian_nll_loss
from minigrad.nn.functional.margins import hinge_embedding_loss as hinge_embedding_loss
from minigrad.nn.functional.margins import margin_ranking_loss as margin_ranking_loss
from minigrad.nn.functional.margins import multi_margin_loss as multi_margin_loss
from minigrad.nn.functional.margins import multilabel_margin_loss as multilabel_margin_loss
from minigrad.nn.functional.margins import (
    multilabel_soft_margin_loss as multilabel_soft_margin_loss,
)
from minigrad.nn.functional.margins import poisson_nll_loss as poisson_nll_loss
from minigrad.nn.functional.margins import triplet_margin_loss as triplet_margin_loss
from minigrad.nn.functional.margins import (
    triplet_margin_with_distance_loss as triplet_margin_with_distance_loss,
)
from minigrad.nn.functional.normalizations import batch_norm as batch_norm
from minigrad.nn.functional.normalizations import group_norm as group_norm
from minigrad.nn.functional.normalizations import layer_norm as layer_norm
from minigrad.nn.functional.normalizations import normalize as normalize
from minigrad.nn.functional.normalizations import rms_norm as rms_norm
from minigrad.ops.bind import missing

# What users find here: the rest helps.
__all__ = [
    "alpha_dropout", "batch_norm", "bilinear", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "celu", "celu_", "cosine_embedding_loss",
    "cosine_similarity", "cross_entropy", "dropout", "dropout1d", "dropout2d", "dropout3d",
    "elu", "elu_", "embedding", "feature_alpha_dropout", "gaussian_nll_loss", "gelu", "glu",
    "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "hinge_embedding_loss", "huber_loss", "kl_div", "l1_loss", "layer_norm",
    "leaky_relu", "leaky_relu_", "linear", "log_softmax", "logsigmoid", "margin_ranking_loss",
    "mish", "mse_loss", "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_soft_margin_loss", "nll_loss", "normalize", "one_hot", "pad",
    "pairwise_distance", "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rms_norm",
    "rrelu", "rrelu_", "scaled_dot_product_attention", "selu", "selu_", "sigmoid", "silu",
    "smooth_l1_loss", "soft_margin_loss", "softmax", "softmin", "softplus", "softshrink",
    "softsign", "tanh", "tanhshrink", "threshold", "threshold_", "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]  # fmt: skip

for name in __all__:  # Which family a function belongs to is nothing to users.
    globals()[name].__module__ = __name__
del name


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.nn.functional'", name, __all__)
