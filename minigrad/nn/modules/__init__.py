"""The parts of networks as classes."""

from typing import Any

from minigrad.nn.modules.activation import CELU as CELU
from minigrad.nn.modules.activation import ELU as ELU
from minigrad.nn.modules.activation import GELU as GELU
from minigrad.nn.modules.activation import GLU as GLU
from minigrad.nn.modules.activation import SELU as SELU
from minigrad.nn.modules.activation import Hardshrink as Hardshrink
from minigrad.nn.modules.activation import Hardsigmoid as Hardsigmoid
from minigrad.nn.modules.activation import Hardswish as Hardswish
from minigrad.nn.modules.activation import Hardtanh as Hardtanh
from minigrad.nn.modules.activation import LeakyReLU as LeakyReLU
from minigrad.nn.modules.activation import LogSigmoid as LogSigmoid
from minigrad.nn.modules.activation import LogSoftmax as LogSoftmax
from minigrad.nn.modules.activation import Mish as Mish
from minigrad.nn.modules.activation import PReLU as PReLU
from minigrad.nn.modules.activation import ReLU as ReLU
from minigrad.nn.modules.activation import ReLU6 as ReLU6
from minigrad.nn.modules.activation import RReLU as RReLU
from minigrad.nn.modules.activation import Sigmoid as Sigmoid
from minigrad.nn.modules.activation import SiLU as SiLU
from minigrad.nn.modules.activation import Softmax as Softmax
from minigrad.nn.modules.activation import Softmax2d as Softmax2d
from minigrad.nn.modules.activation import Softmin as Softmin
from minigrad.nn.modules.activation import Softplus as Softplus
from minigrad.nn.modules.activation import Softshrink as Softshrink
from minigrad.nn.modules.activation import Softsign as Softsign
from minigrad.nn.modules.activation import Tanh as Tanh
from minigrad.nn.modules.activation import Tanhshrink as Tanhshrink
from minigrad.nn.modules.activation import Threshold as Threshold
from minigrad.nn.modules.batchnorm import BatchNorm1d as BatchNorm1d
from minigrad.nn.modules.container import ModuleDict as ModuleDict
from minigrad.nn.modules.container import ModuleList as ModuleList
from minigrad.nn.modules.container import ParameterDict as ParameterDict
from minigrad.nn.modules.container import ParameterList as ParameterList
from minigrad.nn.modules.container import Sequential as Sequential
from minigrad.nn.modules.distance import CosineSimilarity as CosineSimilarity
from minigrad.nn.modules.distance import PairwiseDistance as PairwiseDistance
from minigrad.nn.modules.dropout import AlphaDropout as AlphaDropout
from minigrad.nn.modules.dropout import Dropout as Dropout
from minigrad.nn.modules.dropout import Dropout1d as Dropout1d
from minigrad.nn.modules.dropout import Dropout2d as Dropout2d
from minigrad.nn.modules.dropout import Dropout3d as Dropout3d
from minigrad.nn.modules.dropout import FeatureAlphaDropout as FeatureAlphaDropout
from minigrad.nn.modules.flatten import Flatten as Flatten
from minigrad.nn.modules.flatten import Unflatten as Unflatten
from minigrad.nn.modules.linear import Bilinear as Bilinear
from minigrad.nn.modules.linear import Identity as Identity
from minigrad.nn.modules.linear import Linear as Linear
from minigrad.nn.modules.loss import BCELoss as BCELoss
from minigrad.nn.modules.loss import BCEWithLogitsLoss as BCEWithLogitsLoss
from minigrad.nn.modules.loss import CosineEmbeddingLoss as CosineEmbeddingLoss
from minigrad.nn.modules.loss import CrossEntropyLoss as CrossEntropyLoss
from minigrad.nn.modules.loss import GaussianNLLLoss as GaussianNLLLoss
from minigrad.nn.modules.loss import HingeEmbeddingLoss as HingeEmbeddingLoss
from minigrad.nn.modules.loss import HuberLoss as HuberLoss
from minigrad.nn.modules.loss import KLDivLoss as KLDivLoss
from minigrad.nn.modules.loss import L1Loss as L1Loss
from minigrad.nn.modules.loss import MarginRankingLoss as MarginRankingLoss
from minigrad.nn.modules.loss import MSELoss as MSELoss
from minigrad.nn.modules.loss import MultiLabelMarginLoss as MultiLabelMarginLoss
from minigrad.nn.modules.loss import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from minigrad.nn.modules.loss import MultiMarginLoss as MultiMarginLoss
from minigrad.nn.modules.loss import NLLLoss as NLLLoss
from minigrad.nn.modules.loss import PoissonNLLLoss as PoissonNLLLoss
from minigrad.nn.modules.loss import SmoothL1Loss as SmoothL1Loss
from minigrad.nn.modules.loss import SoftMarginLoss as SoftMarginLoss
from minigrad.nn.modules.loss import TripletMarginLoss as TripletMarginLoss
from minigrad.nn.modules.loss import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from minigrad.nn.modules.module import Module as Module
from minigrad.nn.modules.normalization import GroupNorm as GroupNorm
from minigrad.nn.modules.normalization import LayerNorm as LayerNorm
from minigrad.nn.modules.normalization import RMSNorm as RMSNorm
from minigrad.nn.modules.sparse import Embedding as Embedding


def __getattr__(name: str) -> Any:
    if name == "utils":  # later, as `minigrad.nn` takes all that is here, and has utils of its own
        import minigrad.nn.modules.utils as utils

        return utils
    raise AttributeError(f"module 'torch.nn.modules' has no attribute '{name}'")
