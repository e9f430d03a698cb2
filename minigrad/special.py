"""Special functions, as ``torch.special`` names them; most are in ``torch`` as well."""

from typing import Any

from minigrad import functions
from minigrad.ops.bind import missing
from minigrad.tensor import Tensor

digamma = psi = functions.digamma
erf, erfc, erfinv = functions.erf, functions.erfc, functions.erfinv
exp2, expm1, log1p = functions.exp2, functions.expm1, functions.log1p
expit, logit = functions.sigmoid, functions.logit
gammaln, polygamma = functions.lgamma, functions.polygamma
log_softmax, logsumexp, softmax = functions.log_softmax, functions.logsumexp, functions.softmax
sinc, xlogy = functions.sinc, functions.xlogy


def round(input: Tensor, *, decimals: int = 0) -> Any:
    """Round to so many decimals, halves to even digits."""
    return functions.round(input, decimals=decimals)


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.special'", name, globals())
