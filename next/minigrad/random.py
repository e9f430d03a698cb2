"""Random numbers, the same that PyTorch draws from the same seed.

A `Generator` makes 32-bit words with the Mersenne Twister mt19937. The functions below turn words
into uniform numbers, and these into other distributions, as PyTorch's CPU kernels do
(aten/src/ATen/core/DistributionsHelper.h, aten/src/ATen/native/cpu/DistributionTemplates.h).
Integers and uniform numbers agree with PyTorch's to the bit. Logarithm, sine and cosine are
numpy's, so the last digits of normals may differ.

Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998) 3-30.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from operator import index
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.creation import empty, empty_like
from minigrad.device import CPU, require_cpu
from minigrad.dtypes import Array
from minigrad.op import functions, no_gradient, op, public
from minigrad.tensor import Tensor, from_array

# The bytes of a state, as in PyTorch: seed, words left, whether seeded, number of the next word,
# words, a normal in reserve between two unused fields, whether there is one, and padding.
STATE = np.dtype("<u8, <i4, <i4, <u8, (624,)<u8, <f8, <f8, <f8, <i4, (3,)<i4")


class Generator:
    """A stream of random numbers with a seed of its own, which is the same for new generators.

    >>> import minigrad as torch
    >>> torch.rand(2, generator=torch.Generator().manual_seed(0))
    tensor([0.4963, 0.7682])
    """

    device = CPU

    def __init__(self, device: Any = "cpu") -> None:
        require_cpu(device)
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Restart from `seed`, an integer from -2**63 to 2**64 - 1, and return the generator."""
        if not isinstance(seed, int):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % 2**64
        self._reserve: list[float] = []  # of normals, which are made in pairs
        self.__dict__.pop("_bits", None)
        return self

    def seed(self) -> int:
        """Restart from a seed that can't be guessed, and return the seed."""
        return self.manual_seed(int.from_bytes(os.urandom(8), "little"))._seed

    def initial_seed(self) -> int:
        """Return the seed that the generator started from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Return the state for `set_state`: PyTorch's 5056 bytes, as a uint8 tensor."""
        words, position = self._bits.state["state"].values()
        following = 0 if int(words[0]) == self._seed % 2**32 else position
        normal = (0, sum(self._reserve), 0, len(self._reserve), 0)
        state = np.array((self._seed, 625 - position, 1, following, words, *normal), STATE)
        return from_array(np.frombuffer(bytearray(state.tobytes()), np.uint8))

    def set_state(self, new_state: Tensor) -> Generator:
        """Continue from a state that `get_state` returned, and return the generator."""
        if new_state.dtype is not dtypes.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        (state,) = np.frombuffer(new_state._array.tobytes(), STATE)
        seed, left, seeded, _, words, _, normal, _, has_normal, _ = state
        if seeded != 1 or not 0 < left <= 625:
            raise RuntimeError("Invalid mt19937 state")
        self._seed, self._reserve = int(seed), [float(normal)] if has_normal else []
        position = {"key": words.astype(np.uint32), "pos": 625 - int(left)}
        self._bits.state = {"bit_generator": "MT19937", "state": position}
        return self

    @cached_property
    def _bits(self) -> Any:
        """numpy's mt19937. It's made when it is first needed, because numpy.random loads slowly."""
        bits = np.random.MT19937(0)
        np.random.RandomState(bits).seed(self._seed % 2**32)
        return bits

    def _words(self, count: int, wide: bool = False) -> Array:
        """Return random words of 32 bits, or of 64 bits made from two words, the high one first."""
        words: Array = self._bits.random_raw((1 + wide) * count)
        return words[::2] << 32 | words[1::2] if wide else words

    def _uniforms(self, count: int, dtype: Any = np.float64) -> Array:
        """Return numbers from [0, 1): with 24 random bits as float32, or 53 as float64."""
        bits = np.finfo(dtype).nmant + 1
        words = self._words(count, dtype == np.float64) & (2**bits - 1)
        return words.astype(dtype) * np.dtype(dtype).type(2.0**-bits)

    def _normals(self, count: int) -> Array:
        """Return normals, made in pairs. What is left of the last pair stays in reserve.

        Source: Box and Muller, Annals of Mathematical Statistics 29 (1958) 610-611.
        """
        normals = [self._reserve.pop() for _ in range(min(count, len(self._reserve)))]
        chances = self._uniforms((count - len(normals) + 1) // 2 * 2)
        for turn, chance in chances.reshape(-1, 2).tolist():
            radius, angle = math.sqrt(-2 * math.log1p(-chance)), 2 * math.pi * turn
            normals += [radius * math.cos(angle), radius * math.sin(angle)]
        self._reserve += normals[count:]
        return np.array(normals[:count])

    def _blocks_of_normals(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Return 16 or more normals, 16 at a time: 8 uniforms for radii, and 8 for angles.

        If the count is no multiple of 16, the last 16 are drawn again.
        """
        rest = count % 16
        chances = self._uniforms(count, dtype)
        if rest:
            chances = np.concatenate((chances[:-rest], self._uniforms(16, dtype)))
        radii, turns = np.moveaxis(chances.reshape(-1, 2, 8), 1, 0)
        radii, angles = np.sqrt(-2 * np.log(1 - radii)), dtype.type(2 * math.pi) * turns
        normals = np.stack((radii * np.cos(angles), radii * np.sin(angles)), 1).reshape(-1)
        return np.concatenate((normals[: count - 16], normals[-16:])) if rest else normals


default_generator = Generator()
default_generator.seed()
get_rng_state, seed = default_generator.get_state, default_generator.seed
initial_seed = default_generator.initial_seed


def manual_seed(seed: Any) -> Generator:
    """Restart the default generator from `seed`, which is made an integer, and return it.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator continue from a state that `get_rng_state` returned."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices: Any = (), enabled: bool = True) -> Iterator[None]:
    """Leave the default generator as it was before the block, whatever the block draws."""
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)


functions.update(
    Generator=Generator,
    default_generator=default_generator,
    get_rng_state=get_rng_state,
    initial_seed=initial_seed,
    manual_seed=manual_seed,
    seed=seed,
    set_rng_state=set_rng_state,
)  # until __init__ imports them

# Distributions. Each function fills a new array, in the order of its memory.


def put(array: Array, values: Array) -> None:
    """Write flat values into an array, in the order of its memory."""
    array.ravel("K")[:] = values


def check_floating(array: Array, kernel: str) -> None:
    if array.dtype.kind != "f":
        title = dtypes.TITLES[array.dtype]
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{title}'")


def draw_uniform(array: Array, source: Generator | None, low: float, high: float) -> None:
    check_floating(array, "check_uniform_bounds")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    dtype = array.dtype.type
    values = (source or default_generator)._uniforms(array.size, array.dtype)
    if (low, high) != (0, 1):
        values = values.astype(np.float64) * float(dtype(high) - dtype(low)) + float(dtype(low))
    put(array, values)
    array[array == high] = low  # rounding may have reached what the interval excludes


def draw_normal(array: Array, source: Generator | None, mean: float, std: float) -> None:
    check_floating(array, "normal_kernel_cpu")
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    source = source or default_generator
    if array.size >= 16 and array.flags.c_contiguous:
        values = source._blocks_of_normals(array.size, array.dtype)
    else:
        values = source._normals(array.size)
    put(array, values if (mean, std) == (0, 1) else values.astype(np.float64) * std + mean)


def draw_integers(array: Array, source: Generator | None, low: Any, high: Any) -> None:
    low, high = (0, index(low)) if high is None else (index(low or 0), index(high))
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    for name, bound in (("from", low), ("to - 1", high - 1)):
        if not dtypes.fits(bound, array.dtype):
            raise RuntimeError(f"{name} is out of bounds for {dtypes.from_numpy[array.dtype]}")
    words = (source or default_generator)._words(array.size, high - low >= 2**28)
    put(array, (words % (high - low)).astype(np.int64) + low)


def draw_bernoulli(array: Array, source: Generator | None, p: Any) -> None:
    if not np.all((p >= 0) & (p <= 1)):
        raise RuntimeError(f"bernoulli expects p to be in [0, 1], but got p={p}")
    chances = np.empty_like(array, p.dtype)
    put(chances, (source or default_generator)._uniforms(array.size, p.dtype))
    array[...] = chances < p


def draw_exponential(array: Array, source: Generator | None, lambd: float) -> None:
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    put(array, -np.log1p(-(source or default_generator)._uniforms(array.size)) / lambd)


# Changes in place. A sample doesn't depend on what the tensor held, so its gradient is zero.


@cache
def sample_node(node_name: str) -> Callable[..., Tensor]:
    """Return the operation that records a sample: of a tensor, or of a distribution's parameter."""
    return op("", node_name, lambda self, sample: sample, self=no_gradient)


def fill(self: Tensor, node_name: str, draw: Callable[..., None], *args: Any) -> Tensor:
    if self.requires_grad:
        self._check_in_place()  # before random numbers are used up
    sample = np.empty_like(self._array)
    draw(sample, *args)
    return self._overwrite(sample_node(node_name)(self, sample))


@public("uniform_", "method")
def uniform_(self: Tensor, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers from the uniform distribution on [from_, to)."""
    return fill(self, "UniformBackward0", draw_uniform, generator, float(from_), float(to))


@public("normal_", "method")
def normal_(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers from a normal distribution."""
    return fill(self, "NormalBackward0", draw_normal, generator, float(mean), float(std))


@public("exponential_", "method")
def exponential_(self: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers from the exponential distribution with mean 1 / lambd."""
    return fill(self, "ExponentialBackward0", draw_exponential, generator, float(lambd))


@public("bernoulli_", "method")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill the tensor with ones, each with probability p (a number or a tensor), and zeros."""
    p = p._array if isinstance(p, Tensor) else np.float64(p)
    return fill(self, "BernoulliBackward2", draw_bernoulli, generator, p)


@public("random_", "method")
def random_(self: Tensor, from_: Any = None, to: Any = None, *, generator: Any = None) -> Tensor:
    """Fill the tensor with integers: ``random_(from, to)``, or ``random_(to)`` for [0, to).

    Without bounds they are from 0 to the largest integer up to which the dtype has all of them.
    """
    if from_ is not None or to is not None:
        return fill(self, f"RandomBackward{int(to is None)}", draw_integers, generator, from_, to)
    return fill(
        self, "RandomBackward2", draw_integers, generator, 0, counts_to(self._array.dtype) + 1
    )


def counts_to(dtype: np.dtype[Any]) -> int:
    """Return the largest integer up to which a dtype has all of them."""
    if dtype.kind == "f":
        return 1 << np.finfo(dtype).nmant + 1
    return 1 if dtype.kind == "b" else int(np.iinfo(dtype).max)


# New tensors. `options` are the other arguments of `torch.empty`: dtype, device, requires_grad.


def drawn(tensor: Tensor, draw: Callable[..., None], *args: Any) -> Tensor:
    """Fill a new tensor, which may require grad already."""
    draw(tensor._array, *args)
    return tensor


@public("rand", "function")
def rand(*size: Any, generator: Any = None, **options: Any) -> Tensor:
    """Return numbers from the uniform distribution on [0, 1). The size is as for `torch.empty`.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.rand(2, 2)
    tensor([[0.4963, 0.7682],
            [0.0885, 0.1320]])
    """
    return drawn(empty(*size, **options), draw_uniform, generator, 0, 1)


@public("randn", "function")
def randn(*size: Any, generator: Any = None, **options: Any) -> Tensor:
    """Return numbers from the normal distribution with mean 0 and variance 1.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    return drawn(empty(*size, **options), draw_normal, generator, 0, 1)


@public("rand_like", "function")
def rand_like(input: Tensor, *, generator: Any = None, **options: Any) -> Tensor:
    """Return numbers from [0, 1), with the shape and dtype of `input`."""
    return drawn(empty_like(input, **options), draw_uniform, generator, 0, 1)


@public("randn_like", "function")
def randn_like(input: Tensor, *, generator: Any = None, **options: Any) -> Tensor:
    """Return numbers with mean 0 and variance 1, with the shape and dtype of `input`."""
    return drawn(empty_like(input, **options), draw_normal, generator, 0, 1)


@public("randint", "function")
def randint(
    low: Any = None, high: Any = None, size: Any = None, *, generator: Any = None, **options: Any
) -> Tensor:
    """Return integers from [low, high), or from [0, high): ``randint(high, size)``.

    They are int64 unless the argument `dtype` asks for something else.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randint(10, (4,)), torch.randint(3, 5, (4,))
    (tensor([4, 9, 3, 0]), tensor([4, 4, 4, 4]))
    """
    if size is None:
        high, size = None, high
    tensor = empty(size, **{"dtype": dtypes.int64, **options})
    return drawn(tensor, draw_integers, generator, low, high)


@public("randint_like", "function")
def randint_like(
    input: Tensor, low: Any = None, high: Any = None, *, generator: Any = None, **options: Any
) -> Tensor:
    """Return integers as `randint` does, with the shape and dtype of `input`."""
    return drawn(empty_like(input, **options), draw_integers, generator, low, high)


@public("randperm", "function")
def randperm(n: int, *, generator: Any = None, **options: Any) -> Tensor:
    """Return the integers from 0 to n - 1 in random order. They are int64 unless `dtype` is given.

    Source: Durstenfeld, "Algorithm 235: Random permutation", CACM 7 (1964) 420.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    tensor = empty(n, **{"dtype": dtypes.int64, **options})
    dtypes.cast(n - 1, tensor._array.dtype)  # the dtype must hold them all
    order = list(range(n))
    words = (generator or default_generator)._words(max(n - 1, 0)).astype(np.int64)
    places = words % np.arange(n, 1, -1) + np.arange(n - 1)
    for here, other in enumerate(places.tolist()):
        order[here], order[other] = order[other], order[here]
    tensor._array[:] = order
    return tensor


normal_node = op("", "NormalBackward3", lambda mean, std, _: _, mean=no_gradient, std=no_gradient)


@public("normal", "function")
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, **options: Any
) -> Tensor:
    """Return numbers from normal distributions.

    `mean` and `std` are numbers, and there is a `size`; or one or both are tensors that broadcast,
    with the mean and the standard deviation of each number. The gradients of these are zero, since
    a sample isn't differentiable. (Write ``mean + std * torch.randn(...)`` to get gradients.)
    """
    if size is not None:
        return drawn(empty(size, **options), draw_normal, generator, float(mean), float(std))
    tensors = [one for one in (mean, std) if isinstance(one, Tensor)]
    sample = np.empty((mean * std).shape, tensors[0]._array.dtype)
    draw_normal(sample, generator, 0, 1 if isinstance(std, Tensor) else std)
    if isinstance(std, Tensor):
        if (std._array < 0).any():
            raise RuntimeError("normal expects all elements of std >= 0.0")
        sample *= std._array
    sample += mean._array if isinstance(mean, Tensor) else mean
    if len(tensors) == 2:
        return normal_node(mean, std, sample)
    return sample_node(f"NormalBackward{1 if tensors[0] is mean else 2}")(tensors[0], sample)


@public("bernoulli", "function method")
def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Return ones and zeros; the elements of `input` are the probabilities of a one."""
    check_floating(input._array, "bernoulli_tensor_cpu_p_")
    sample = np.empty(input._array.shape, input._array.dtype)
    draw_bernoulli(sample, generator, input._array)
    return sample_node("BernoulliBackward0")(input, sample)


@public("multinomial", "function method")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Return the indices of elements, drawn from each row of `input` with these probabilities.

    The probabilities don't have to sum to 1. Without `replacement`, no index is drawn twice.

    >>> import minigrad as torch
    >>> torch.multinomial(torch.tensor([0.0, 1.0]), 3, replacement=True)
    tensor([1, 1, 1])
    """
    weights = input._array
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if not ((weights >= 0) & (weights < np.inf)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not (weights.sum(-1) > 0).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if num_samples == 1 or not replacement:  # the elements race; the first to arrive are drawn
        times = np.empty_like(weights)
        draw_exponential(times, generator, 1)
        ranking = np.argsort(-weights / times, -1, kind="stable")
        return from_array(ranking[..., :num_samples].copy())
    rows = np.cumsum(weights.reshape(-1, weights.shape[-1]), -1)
    rows /= rows[:, -1:]
    source = generator or default_generator
    drawn = [np.searchsorted(row, source._uniforms(num_samples)) for row in rows]
    return from_array(np.reshape(drawn, (*weights.shape[:-1], num_samples)))
