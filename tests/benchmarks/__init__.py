"""minigrad, PyTorch and hand-written numpy side by side: `python -m tests.benchmarks`."""
