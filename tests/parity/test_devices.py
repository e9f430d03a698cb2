"""Devices are named, and those that are not there are refused, on minigrad as on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.expressions import agree_on, lines

pytestmark = pytest.mark.parity

PROGRAMS = lines(
    """
torch.device('cuda')
torch.device('cuda:1')
torch.device('cuda', 1)
torch.device('cuda:1', 1)
torch.device(type='cuda', index=2)
torch.device(0)
torch.device('cpu', 0)
torch.device('mps')
torch.device('meta')
torch.device('foo')
torch.device('cpu:x')
torch.device('cpu:')
torch.device('cpu:-1')
torch.device('cpu', -1)
torch.device('')
torch.device(None)
torch.device(2.0)
torch.device(torch.device('cpu'))
[torch.device('cpu') == torch.device('cpu', 0), torch.device('cpu') == 'cpu']
str(torch.device('cuda', 1))
__import__('copy').deepcopy(torch.device('cuda:1'))
x.to(torch.device('cuda'))
x.to('mps')
x.to('xpu')
x.to('foo')
x.to(0)
x.cuda()
x.cuda(0)
torch.ones(2, device='foo')
torch.ones(2, device=0)
torch.tensor([1.], device='cuda')
torch.as_tensor([1], device='cuda')
torch.rand(2, device='cuda')
torch.arange(2, device='cuda')
torch.zeros_like(x, device='cuda')
x.new_zeros(2, device='cuda')
torch.nn.Linear(2, 2).cuda()
torch.nn.Linear(2, 2).to('cuda')
torch.nn.Linear(2, 2, device='cuda')
torch.nn.Sequential().cuda()
torch.ones(2, device='cpu:0').device
torch.get_default_device()
torch.cuda.current_device()
torch.cuda.synchronize()
[torch.cuda.manual_seed(1), torch.cuda.manual_seed_all(1), torch.cuda.empty_cache()]
torch.cuda.manual_seed('a')
[torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark, torch.backends.cudnn.enabled]
[torch.backends.cudnn.is_available(), torch.backends.cudnn.version()]
[torch.backends.mps.is_available(), torch.backends.mps.is_built(), torch.backends.cuda.is_built()]
[torch.version.cuda, torch.version.hip]
torch.use_deterministic_algorithms(1)
torch.set_float32_matmul_precision('x')
[torch.set_float32_matmul_precision('high'), torch.get_float32_matmul_precision()]
[torch.set_float32_matmul_precision('highest'), torch.get_float32_matmul_precision()]
torch.cuda.is_initialized()
torch.set_num_threads(0)
torch.set_num_threads(1.5)
torch.set_num_threads(1), torch.get_num_threads()
torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
"""
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_devices_and_settings_are_answered_alike(program: str) -> None:
    agree_on(program)
