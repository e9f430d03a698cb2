"""What computes beneath PyTorch: programs ask for it, and set it, before they begin."""

from minigrad.backends import cuda as cuda
from minigrad.backends import cudnn as cudnn
from minigrad.backends import mps as mps
