"""What is asked of tensors and dtypes is answered on minigrad as on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
torch.result_type(x,i)
torch.result_type(i,2.)
torch.result_type(1,True)
torch.result_type(s,d)
torch.finfo(torch.float32)
torch.finfo()
torch.finfo(torch.float64)
torch.finfo(torch.float16)
[torch.finfo(torch.float64).eps, torch.finfo(torch.float32).max, torch.finfo(torch.float32).tiny]
[torch.finfo(torch.float16).bits, torch.finfo(torch.float16).dtype, torch.finfo().resolution]
torch.finfo(torch.int8)
torch.iinfo(torch.int8)
[torch.iinfo(torch.int64).max, torch.iinfo(torch.uint8).bits, torch.iinfo(torch.int32).dtype]
torch.iinfo(torch.float32)
[type(torch.finfo()), type(torch.iinfo(torch.int8))]
x.type(torch.DoubleTensor)
x.type('torch.DoubleTensor')
x.type(torch.int32)
x.type(dtype=torch.float64)
x.type(torch.FloatTensor)
x.type(int)
x.type('abc')
x.type(5)
x.cpu()
x.get_device()
torch.is_floating_point(x)
torch.is_floating_point(3)
torch.is_complex(x)
torch.is_nonzero(s)
torch.is_nonzero(x)
s.is_nonzero()
[x.is_signed(), u.is_signed()]
x.is_same_size(y)
torch.is_same_size(x,M)
torch.typename(x)
torch.typename(3)
torch.typename(i)
torch.detach(x)
[x.is_cpu, x.is_sparse, x.is_quantized, x.is_meta]
"""
)


@pytest.mark.parametrize("expression", PROGRAMS)
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression)
