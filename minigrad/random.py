"""Random numbers, the same that PyTorch draws from the same seed.

A `Generator` makes 32-bit words with the Mersenne Twister mt19937. Methods such as `uniform_` turn
them into other distributions, as PyTorch's CPU kernels do (aten/src/ATen/core/DistributionsHelper.h
and aten/src/ATen/native/cpu/DistributionTemplates.h); functions such as `rand` fill a new tensor
with one of these methods. Integers and uniform numbers agree with PyTorch's to the bit. Logarithm,
sine and cosine are numpy's, so the last digits of normals may differ.

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
from minigrad.creation import as_tensor, empty, empty_like
from minigrad.device import require_cpu
from minigrad.dtypes import Array
from minigrad.missing import module_hooks
from minigrad.op import no_gradient, op
from minigrad.ops.shapes import Shape, variadic
from minigrad.public import public
from minigrad.tensor import Tensor, from_array

# The bytes of a state: words, number of the next word, a normal in reserve, is there one?
STATE = np.dtype("(624,)u4, i8, f8, i8")


class Generator:
    """A stream of random numbers with a seed of its own, which is the same for new generators.

    >>> import minigrad as torch
    >>> torch.rand(2, generator=torch.Generator().manual_seed(0))
    tensor([0.4963, 0.7682])
    """

    def __init__(self, device: Any = "cpu") -> None:
        require_cpu(device)
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Restart from an integer, of which the lowest 32 bits count; return the generator."""
        self._seed = index(seed) % 2**64
        self._reserve: list[float] = []  # of normals, which are made in pairs
        self.__dict__.pop("_bits", None)
        return self

    def get_state(self) -> Tensor:
        """Return the state for `set_state`, as a uint8 tensor."""
        words, position = self._bits.state["state"].values()
        state = (words, position, sum(self._reserve), len(self._reserve))
        return from_array(np.frombuffer(bytearray(np.array(state, STATE).tobytes()), np.uint8))

    def set_state(self, new_state: Tensor) -> Generator:
        """Continue from a state that `get_state` returned, and return the generator."""
        if new_state.dtype is not dtypes.uint8 or new_state.numel() != STATE.itemsize:
            raise TypeError("RNG state must be a torch.ByteTensor that get_rng_state returned")
        ((words, position, normal, reserve),) = np.frombuffer(new_state._array, STATE)
        state = {"key": words, "pos": int(position)}
        self._bits.state = {"bit_generator": "MT19937", "state": state}
        self._reserve = [float(normal)] * int(reserve)
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
        uniforms: Array = words.astype(dtype) * 2.0**-bits
        return uniforms

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


default_generator = Generator().manual_seed(int.from_bytes(os.urandom(8), "little"))
get_rng_state = default_generator.get_state


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
def fork_rng(devices: Any = ()) -> Iterator[None]:
    """Leave the default generator as it was before the block, whatever the block draws."""
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


# Samples in place. A sample doesn't depend on what the tensor held, so its gradient is zero.


@cache
def sample_node(node_name: str) -> Callable[..., Tensor]:
    """Return the operation that records a sample: of a tensor, or of a distribution's parameter."""
    return op("", node_name, lambda self, sample: sample, self=no_gradient)


def check(self: Tensor, kernel: str = "") -> None:
    """Refuse to fill a tensor, before random numbers are used up for it."""
    if self.requires_grad:
        self._check_in_place()
    if kernel and self._array.dtype.kind != "f":
        title = dtypes.TITLES[self._array.dtype]
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{title}'")


def fill(self: Tensor, node_name: str, values: Array) -> Tensor:
    """Fill a tensor with flat values, in the order in which its elements lie in memory."""
    sample = np.empty_like(self._array)
    sample.ravel("K")[:] = values
    return self._overwrite(sample_node(node_name)(self, sample))


@public("uniform_", "method")
def uniform_(self: Tensor, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers from the uniform distribution on [from_, to)."""
    check(self, "check_uniform_bounds")
    kind, dtype = self._array.dtype.type, self._array.dtype
    values = (generator or default_generator)._uniforms(self._array.size, dtype)
    low, span = float(kind(from_)), float(kind(to) - kind(from_))
    if (low, span) != (0, 1):
        values = (values.astype(np.float64) * span + low).astype(dtype)
        values[values == to] = from_  # rounding reached what the interval excludes
    return fill(self, "UniformBackward0", values)


@public("normal_", "method")
def normal_(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers from a normal distribution."""
    check(self, "normal_kernel_cpu")
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    array, source = self._array, generator or default_generator
    if array.size >= 16 and array.flags.c_contiguous:
        values = source._blocks_of_normals(array.size, array.dtype)
    else:
        values = source._normals(array.size)
    if (mean, std) != (0, 1):
        values = values.astype(np.float64) * float(std) + float(mean)
    return fill(self, "NormalBackward0", values)


@public("bernoulli_", "method")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill the tensor with ones, each with probability p (a number or a tensor), and zeros."""
    check(self)
    p = p._array if isinstance(p, Tensor) else np.float64(p)
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    chances = (generator or default_generator)._uniforms(self._array.size, p.dtype)
    bounds = np.empty_like(self._array, p.dtype)
    bounds[...] = p
    return fill(self, "BernoulliBackward2", chances < bounds.ravel("K"))


# New tensors. `options` are the arguments of `torch.empty`: dtype, device, requires_grad.


def filled(tensor: Tensor, draw: Callable[..., Tensor], *args: Any, generator: Any) -> Tensor:
    """Fill a new tensor through `data`: its version stays 0, and it may require grad already."""
    draw(tensor.data, *args, generator=generator)
    return tensor


def family(name: str, draw: Callable[..., Tensor], words: str) -> tuple[Callable[..., Tensor], ...]:
    """Declare a function of a size, such as `rand`, and one of another tensor (`rand_like`)."""

    @variadic
    def of_size(size: Shape, *, generator: Any = None, **options: Any) -> Tensor:
        return filled(empty(size, **options), draw, generator=generator)

    def like(input: Tensor, *, generator: Any = None, **options: Any) -> Tensor:
        return filled(empty_like(input, **options), draw, generator=generator)

    of_size.__doc__ = f"{words}: ``{name}(2, 3)`` or ``{name}((2, 3))``."
    like.__doc__ = f"{words}, by default in the shape and dtype of another tensor."
    return public(name, "function")(of_size), public(f"{name}_like", "function")(like)


rand, rand_like = family("rand", uniform_, "Uniform random numbers from [0, 1)")
randn, randn_like = family("randn", normal_, "Normal random numbers with mean 0 and variance 1")


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
        low, high, size = 0, low, high
    low, high = index(low or 0), index(high)
    if low >= high:
        text = f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        raise RuntimeError(text)
    tensor = empty(size, **{"dtype": dtypes.int64, **options})
    words = (generator or default_generator)._words(tensor._array.size, high - low >= 2**28)
    tensor._array.ravel("K")[:] = (words % (high - low)).astype(np.int64) + low
    return tensor


@public("randperm", "function")
def randperm(n: int, *, generator: Any = None, **options: Any) -> Tensor:
    """Return the integers from 0 to n - 1 in random order. They are int64 unless `dtype` is given.

    Source: Durstenfeld, "Algorithm 235: Random permutation", CACM 7 (1964) 420.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    tensor, order = empty(n, **{"dtype": dtypes.int64, **options}), list(range(n))
    words = (generator or default_generator)._words(max(n - 1, 0)).astype(np.int64)
    places = words % np.arange(n, 1, -1) + np.arange(len(words))
    for here, other in enumerate(places.tolist()):
        order[here], order[other] = order[other], order[here]
    tensor._array[:] = order
    return tensor


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
        return filled(empty(size, **options), normal_, mean, std, generator=generator)
    sample = normal_(empty_like((mean * std).detach()), generator=generator) * std + mean
    parameters = isinstance(mean, Tensor) + 2 * isinstance(std, Tensor)
    return normal_node(parameters)(as_tensor(mean), std, sample._array)


@cache
def normal_node(number: int) -> Callable[..., Tensor]:
    name, node = f"NormalBackward{number}", lambda mean, std, sample: sample
    return op("", name, node, mean=no_gradient, std=no_gradient)


@public("bernoulli")
def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Return ones and zeros; the elements of `input` are the probabilities of a one."""
    sample = bernoulli_(empty(input.shape, dtype=input.dtype), input, generator=generator)
    return sample_node("BernoulliBackward0")(input, sample._array)


@public("multinomial")
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
    if weights.dtype.kind != "f":
        text = "multinomial only supports floating-point dtypes for input, got: "
        raise RuntimeError(text + dtypes.TITLES[weights.dtype])
    if not replacement and num_samples > weights.shape[-1]:
        text = "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        raise RuntimeError(text)
    if not ((weights >= 0) & (weights < np.inf)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    source = generator or default_generator
    if num_samples == 1 or not replacement:  # the elements race; the first to arrive are drawn
        times = np.empty_like(weights)
        times.ravel("K")[:] = -np.log1p(-source._uniforms(weights.size))
        return from_array(np.argsort(-weights / times, -1, kind="stable")[..., :num_samples].copy())
    rows = np.cumsum(weights.reshape(-1, weights.shape[-1]), -1)
    rows /= rows[:, -1:]
    drawn = [np.searchsorted(row, source._uniforms(num_samples)) for row in rows]
    return from_array(np.reshape(drawn, (*weights.shape[:-1], num_samples)))


__all__ = ["Generator", "default_generator", "fork_rng", "get_rng_state", "manual_seed"]
__all__ += ["set_rng_state"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
