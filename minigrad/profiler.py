"""Names for parts of a program, where PyTorch's profiler is: minigrad does not measure."""

from minigrad.autograd.profiler import record_function as record_function
