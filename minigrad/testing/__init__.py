"""For tests: tensors to test with, and comparing results."""

from minigrad.testing.comparison import assert_allclose as assert_allclose
from minigrad.testing.comparison import assert_close as assert_close
from minigrad.testing.creation import make_tensor as make_tensor
