"""Parts of neural networks, as functions: `minigrad.nn.functional`."""

from minigrad.nn import functional as functional
