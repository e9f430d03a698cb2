"""The programs measured, each written once for both engines: `torch` is the module to run on.

A program takes the engine and returns two functions: `run`, which is timed, and `results`, the
arrays (gradients or updated weights) that must agree with the same program written by hand for
numpy in by_hand.py. Inputs are the same float32 arrays everywhere.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = list[npt.NDArray[Any]]
Built = tuple[Callable[[], object], Callable[[], Arrays]]
Program = Callable[[Any], Built]

CHAIN_LENGTH = 10_000
FACTOR = 1.0001
SMALL_NET = (2, 16, 16, 1)
WIDE_NET = (784, 128, 10)
LEARNING_RATE = 0.01


def normal(*shape: int, seed: int = 0) -> npt.NDArray[np.float32]:
    """Standard normal float32 numbers, the same at every call."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def layers(sizes: tuple[int, ...]) -> list[npt.NDArray[np.float32]]:
    """Weight (out, in) and bias (out) of each layer of a net, scaled to the layer's input."""
    parameters = []
    for number, (entering, leaving) in enumerate(pairwise(sizes)):
        parameters.append(normal(leaving, entering, seed=number) / np.float32(entering**0.5))
        parameters.append(normal(leaving, seed=number + 10) * np.float32(0.1))
    return parameters


def tutorial(torch: Any) -> Built:
    """The graph of the autograd tutorials, on three elements."""
    x = torch.tensor(normal(3), requires_grad=True)

    def run() -> None:
        x.grad = None
        y = x + 2
        z = y * y * 3
        z.mean().backward()

    return run, lambda: [x.grad.numpy()]


def second_derivative(torch: Any) -> Built:
    """The derivative of the tutorial graph's gradient, summed."""
    x = torch.tensor(normal(3), requires_grad=True)

    def run() -> None:
        x.grad = None
        y = x + 2
        z = y * y * 3
        (slope,) = torch.autograd.grad(z.mean(), x, create_graph=True)
        slope.sum().backward()

    return run, lambda: [x.grad.numpy()]


def one_layer(torch: Any) -> Built:
    """One layer of three neurons with binary cross-entropy, as in PyTorch's first tutorial."""
    x, y = torch.ones(5), torch.zeros(3)
    w = torch.tensor(normal(5, 3), requires_grad=True)
    b = torch.tensor(normal(3), requires_grad=True)

    def run() -> None:
        w.grad = b.grad = None
        z = torch.matmul(x, w) + b
        torch.nn.functional.binary_cross_entropy_with_logits(z, y).backward()

    return run, lambda: [w.grad.numpy(), b.grad.numpy()]


def small_net(torch: Any) -> Built:
    """A gradient-descent step of a 2-16-16-1 tanh net on 100 points, mean squared error."""
    parameters = [torch.tensor(array, requires_grad=True) for array in layers(SMALL_NET)]
    w1, b1, w2, b2, w3, b3 = parameters
    x, y = torch.tensor(normal(100, 2)), torch.tensor(normal(100, 1, seed=1))
    linear, mse_loss = torch.nn.functional.linear, torch.nn.functional.mse_loss
    optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)

    def run() -> None:
        optimizer.zero_grad()
        hidden = torch.tanh(linear(x, w1, b1))
        hidden = torch.tanh(linear(hidden, w2, b2))
        mse_loss(linear(hidden, w3, b3), y).backward()
        optimizer.step()

    return run, lambda: [parameter.detach().numpy() for parameter in parameters]


def wide_net(torch: Any) -> Built:
    """A gradient-descent step of a 784-128-10 relu net on a batch of 64, cross-entropy."""
    parameters = [torch.tensor(array, requires_grad=True) for array in layers(WIDE_NET)]
    w1, b1, w2, b2 = parameters
    x, labels = torch.tensor(normal(64, 784)), torch.tensor(np.arange(64) % 10)
    linear, cross_entropy = torch.nn.functional.linear, torch.nn.functional.cross_entropy
    optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)

    def run() -> None:
        optimizer.zero_grad()
        hidden = torch.relu(linear(x, w1, b1))
        cross_entropy(linear(hidden, w2, b2), labels).backward()
        optimizer.step()

    return run, lambda: [parameter.detach().numpy() for parameter in parameters]


def chain(torch: Any, length: int = CHAIN_LENGTH) -> Built:
    """A scalar multiplied `length` times by a Python number, and the walk back."""
    return _chain(torch, FACTOR, length)


def chain_of_tensors(torch: Any) -> Built:
    """A scalar multiplied 10,000 times by a 0-d tensor, and the walk back."""
    return _chain(torch, torch.tensor(FACTOR), CHAIN_LENGTH)


def _chain(torch: Any, factor: object, length: int) -> Built:
    x = torch.tensor(1.0, requires_grad=True)

    def run() -> None:
        x.grad = None
        y = x
        for _ in range(length):
            y = y * factor
        y.backward()

    return run, lambda: [x.grad.numpy()]


def forward(torch: Any, recorded: bool = True) -> Built:
    """Six operations on 1,000 elements without a walk back, recorded or under no_grad."""
    x = torch.tensor(normal(1000), requires_grad=True)
    out = x

    def run() -> None:
        nonlocal out
        with torch.set_grad_enabled(recorded):
            y = x * 2 + 1
            out = (torch.tanh(y) * x - y).mean()

    return run, lambda: [out.detach().numpy()]


def sums(torch: Any) -> Built:
    """The squared sums of a 100-by-50 matrix along each dimension, added up, and the walk back."""
    x = torch.tensor(normal(100, 50), requires_grad=True)

    def run() -> None:
        x.grad = None
        (x.sum(0).square().sum() + x.sum(1).square().sum()).backward()

    return run, lambda: [x.grad.numpy()]


PROGRAMS: dict[str, Program] = {
    "tutorial": tutorial,
    "one-layer": one_layer,
    "small-net": small_net,
    "wide-net": wide_net,
    "chain": chain,
    "chain-of-tensors": chain_of_tensors,
    "second-derivative": second_derivative,
    "forward": forward,
    "sums": sums,
}
