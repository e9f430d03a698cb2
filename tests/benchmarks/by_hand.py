"""The programs of programs.py with their derivatives worked out by hand, in numpy alone.

What somebody would write who knows the answer: no graph, float32 throughout, updates in place.
"""

from collections.abc import Callable

import numpy as np

from tests.benchmarks.programs import (
    CHAIN_LENGTH,
    FACTOR,
    LEARNING_RATE,
    SMALL_NET,
    WIDE_NET,
    Arrays,
    Built,
    layers,
    normal,
)


def tutorial() -> Built:
    x = normal(3)
    grad = x

    def run() -> None:
        nonlocal grad
        y = x + 2
        (y * y * 3).mean()
        grad = y * (6 / y.size)

    return run, lambda: [grad]


def second_derivative() -> Built:
    x = normal(3)
    grad = x

    def run() -> None:
        nonlocal grad
        y = x + 2
        (y * y * 3).mean()
        (y * (6 / y.size)).sum()
        grad = np.full_like(x, 6 / x.size)

    return run, lambda: [grad]


def one_layer() -> Built:
    x, y = np.ones(5, np.float32), np.zeros(3, np.float32)
    w, b = normal(5, 3), normal(3)
    grads: Arrays = []

    def run() -> None:
        nonlocal grads
        z = x @ w + b
        (np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z)))).mean()
        to_z = (1 / (1 + np.exp(-z)) - y) / z.size
        grads = [np.outer(x, to_z), to_z]

    return run, lambda: grads


def small_net() -> Built:
    parameters = layers(SMALL_NET)
    w1, b1, w2, b2, w3, b3 = parameters
    x, y = normal(100, 2), normal(100, 1, seed=1)

    def run() -> None:
        hidden1 = np.tanh(x @ w1.T + b1)
        hidden2 = np.tanh(hidden1 @ w2.T + b2)
        error = hidden2 @ w3.T + b3 - y
        (error * error).mean()
        to_out = error * (2 / error.size)
        to_hidden2 = to_out @ w3 * (1 - hidden2 * hidden2)
        to_hidden1 = to_hidden2 @ w2 * (1 - hidden1 * hidden1)
        _step(w3, b3, to_out, hidden2)
        _step(w2, b2, to_hidden2, hidden1)
        _step(w1, b1, to_hidden1, x)

    return run, lambda: parameters


def wide_net() -> Built:
    parameters = layers(WIDE_NET)
    w1, b1, w2, b2 = parameters
    x, labels, rows = normal(64, 784), np.arange(64) % 10, np.arange(64)

    def run() -> None:
        hidden = np.maximum(x @ w1.T + b1, 0)
        out = hidden @ w2.T + b2
        shifted = out - out.max(1, keepdims=True)
        exponentials = np.exp(shifted)
        sums = exponentials.sum(1, keepdims=True)
        (np.log(sums[:, 0]) - shifted[rows, labels]).mean()
        to_out = exponentials / sums
        to_out[rows, labels] -= 1
        to_out /= len(rows)
        to_hidden = (to_out @ w2) * (hidden > 0)
        _step(w2, b2, to_out, hidden)
        _step(w1, b1, to_hidden, x)

    return run, lambda: parameters


def chain() -> Built:
    grad = factor = np.float32(FACTOR)

    def run() -> None:
        nonlocal grad
        y = grad = np.float32(1)
        for _ in range(CHAIN_LENGTH):
            y = y * factor
        for _ in range(CHAIN_LENGTH):
            grad = grad * factor

    return run, lambda: [np.asarray(grad)]


def forward() -> Built:
    x = normal(1000)
    out = np.float32(0)

    def run() -> None:
        nonlocal out
        y = x * 2 + 1
        out = (np.tanh(y) * x - y).mean()

    return run, lambda: [np.asarray(out)]


def sums() -> Built:
    x = normal(100, 50)
    grad = x

    def run() -> None:
        nonlocal grad
        of_columns, of_rows = x.sum(0), x.sum(1)
        (of_columns * of_columns).sum() + (of_rows * of_rows).sum()
        grad = 2 * of_columns + 2 * of_rows[:, None]

    return run, lambda: [grad]


def _step(weight: np.ndarray, bias: np.ndarray, to_out: np.ndarray, into: np.ndarray) -> None:
    """Update a layer in place from the gradient of its output and from its input."""
    weight -= LEARNING_RATE * (to_out.T @ into)
    bias -= LEARNING_RATE * to_out.sum(0)


BY_HAND: dict[str, Callable[[], Built]] = {
    "tutorial": tutorial,
    "one-layer": one_layer,
    "small-net": small_net,
    "wide-net": wide_net,
    "chain": chain,
    "chain-of-tensors": chain,
    "second-derivative": second_derivative,
    "forward": forward,
    "sums": sums,
}
