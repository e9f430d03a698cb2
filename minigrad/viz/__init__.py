"""Pictures of autograd graphs, of any tensors that speak PyTorch's public protocol.

>>> import minigrad as torch
>>> from minigrad.viz import draw
>>> x = torch.ones(2, requires_grad=True)
>>> y = x * 3
>>> draw(y.sum(), names={"x": x, "y": y})
Graph of n2: 1 leaf, 2 operations
x: leaf, float32 [2] = [1, 1], grad None
n0 AccumulateGrad: adds to x.grad
n1 MulBackward0(x, no grad)
  keeps other = 3
  gives y: float32 [2] = [3, 3]
n2 SumBackward0(y)
  gives n2: result, float32 [] = 6
"""

from minigrad.viz.draw.difference import diff as diff
from minigrad.viz.draw.drawing import Drawing as Drawing
from minigrad.viz.draw.drawing import draw as draw
from minigrad.viz.draw.legend import Legend as Legend
from minigrad.viz.draw.legend import legend as legend
from minigrad.viz.live import live as live
from minigrad.viz.live.step import step as step
from minigrad.viz.read.snapshot import Snapshot as Snapshot
from minigrad.viz.read.snapshot import take_snapshot as take_snapshot
from minigrad.viz.record.recording import Recording as Recording
from minigrad.viz.record.recording import record as record
