"""PyTorch's random numbers: mt19937, and what PyTorch makes of its words."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.creation import finished
from minigrad.op import functions, public
from minigrad.ops.shapes import flat_shape
from minigrad.tensor import Tensor, from_array


class Generator:
    """A stream of random numbers with a seed of its own."""

    def __init__(self, device: Any = "cpu") -> None:
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        self.seed, self.kept = int(seed), []
        self.__dict__.pop("bits", None)
        return self

    @cached_property
    def bits(self) -> Any:
        """The words' source, made when it is first needed: importing numpy.random takes time."""
        bits = np.random.MT19937(0)
        np.random.RandomState(bits).seed(self.seed % 2**32)
        return bits

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {hex(id(self))}>"

    def initial_seed(self) -> int:
        return self.seed

    def words(self, count: int, wide: bool = False) -> np.ndarray:
        words = self.bits.random_raw((1 + wide) * count)
        return words[::2] << 32 | words[1::2] if wide else words

    def uniforms(self, count: int, wide: bool) -> np.ndarray:
        """Numbers from [0, 1): 24 random bits as float32, or 53 as float64."""
        bits, kind = (53, np.float64) if wide else (24, np.float32)
        return (self.words(count, wide) & (2**bits - 1)).astype(kind) * kind(2.0**-bits)

    def normals(self, count: int, wide: bool) -> np.ndarray:
        """Fewer than 16 come in pairs, of which the second is kept; more in blocks of 16."""
        if count >= 16:
            return self.blocks(count, wide)
        pairs = self.uniforms(max(0, count - len(self.kept) + 1) // 2 * 2, True)
        for turn, chance in pairs.reshape(-1, 2).tolist():
            radius, angle = math.sqrt(-2 * math.log1p(-chance)), 2 * math.pi * turn
            self.kept += [radius * math.cos(angle), radius * math.sin(angle)]
        values, self.kept = self.kept[:count], self.kept[count:]
        return np.array(values)

    def blocks(self, count: int, wide: bool) -> np.ndarray:
        chances = self.uniforms(count, wide)
        if count % 16:
            chances = np.concatenate((chances[: count - count % 16], self.uniforms(16, wide)))
        radii, turns = np.moveaxis(chances.reshape(-1, 2, 8), 1, 0)
        radii = np.sqrt(-2 * np.log(1 - radii))
        angles = chances.dtype.type(2 * math.pi) * turns
        flat = np.stack((radii * np.cos(angles), radii * np.sin(angles)), 1).reshape(-1)
        return np.concatenate((flat[: count - 16], flat[-16:])) if count % 16 else flat


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    return default_generator.manual_seed(seed)


def uniform_(self: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Any = None) -> Tensor:
    source = generator or default_generator
    kind, wide = self._array.dtype.type, self._array.itemsize == 8
    values = source.uniforms(self._array.size, wide)
    if (a, b) != (0, 1):
        span = float(kind(b) - kind(a))
        values = (values.astype("f8") * span + float(kind(a))).astype(kind)
    return fill(self, values)


def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    source = generator or default_generator
    values = source.normals(self._array.size, self._array.itemsize == 8)
    return fill(self, values.astype("f8") * std + mean if (mean, std) != (0, 1) else values)


def bernoulli_(self: Tensor, p: float = 0.5, *, generator: Any = None) -> Tensor:
    source = generator or default_generator
    return fill(self, source.uniforms(self._array.size, True) < p)


def exponential_(self: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    source = generator or default_generator
    return fill(self, -np.log1p(-source.uniforms(self._array.size, True)) / lambd)


def random_(
    self: Tensor, low: int = 0, high: int | None = None, *, generator: Any = None
) -> Tensor:
    """Whole numbers from `low` to below `high`: to the largest of the dtype if none is given."""
    source, kind = generator or default_generator, self._array.dtype
    if high is None:
        low, high = 0, low
    if not high:
        high = 2 ** np.finfo(kind).nmant * 2 if kind.kind == "f" else np.iinfo(kind).max + 1
    words = source.words(self._array.size, high - low >= 2**28)
    return fill(self, (words % (high - low)).astype("i8") + low)


def fill(self: Tensor, values: np.ndarray) -> Tensor:
    self._check_writable(self.requires_grad)
    self._array[...] = values.reshape(self._array.shape)
    self._stamp()
    return self


for call in (uniform_, normal_, bernoulli_, exponential_, random_):
    public(call, call.__name__, "method")


def rand(*size: Any, requires_grad: bool = False, generator: Any = None, **k: Any) -> Tensor:
    return uniform_(empty(k.pop("size", size), **k), generator=generator).requires_grad_(
        requires_grad
    )


def randn(*size: Any, requires_grad: bool = False, generator: Any = None, **k: Any) -> Tensor:
    return normal_(empty(k.pop("size", size), **k), generator=generator).requires_grad_(
        requires_grad
    )


def empty(size: tuple, dtype: Any = None, device: Any = None) -> Tensor:
    return from_array(np.empty(flat_shape(size), dtypes.numpy_dtype(dtype)))


def like(draw: Any) -> Any:
    def call(input: Tensor, dtype: Any = None, **k: Any) -> Tensor:
        return draw(*input.shape, dtype=dtype or input.dtype, **k)

    return call


def randint(low: int, high: Any, size: Any = None, *, dtype: Any = None, **k: Any) -> Tensor:
    low, high, size = (0, low, high) if size is None else (low, high, size)
    return random_(empty(tuple(size), dtype or dtypes.int64), low, high, **k)


def randint_like(input: Tensor, low: int, high: int | None = None) -> Tensor:
    return random_(from_array(np.empty_like(input._array)), low, high)


def randperm(n: int, *, generator: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    order = np.arange(n, dtype=(dtype or dtypes.int64).numpy)
    words = (generator or default_generator).words(max(0, n - 1))
    for place, word in enumerate(words.tolist()):
        other = place + word % (n - place)
        order[place], order[other] = order[other], order[place]
    return finished(order)


def normal(mean: Any, std: Any = 1.0, size: Any = None, *, dtype: Any = None, **k: Any) -> Tensor:
    if size is not None:
        return normal_(empty(tuple(size), dtype), mean, std, **k)
    shaped = mean + 0 * std if isinstance(mean, Tensor) else std
    return normal_(from_array(np.empty_like(shaped._array)), **k) * std + mean


def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    source = generator or default_generator
    wide = input._array.itemsize == 8
    drawn = source.uniforms(input._array.size, wide).reshape(input._array.shape) < input._array
    return from_array(drawn.astype(input._array.dtype))


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Numbers of categories, drawn with the given weights, for each row."""
    source, weights = generator or default_generator, np.atleast_2d(input._array)
    if num_samples == 1 or not replacement:
        waits = -np.log1p(-source.uniforms(weights.size, True)).reshape(weights.shape)
        ranks = np.argsort(-(weights / waits.astype(weights.dtype)), -1, kind="stable")
        drawn = ranks[:, :num_samples]
    else:
        shares = np.cumsum(weights, -1) / np.sum(weights, -1, keepdims=True)
        chances = source.uniforms(len(weights) * num_samples, True).reshape(len(weights), -1)
        drawn = np.stack([np.searchsorted(*pair, "right") for pair in zip(shares, chances)])
    return from_array(drawn.reshape(*input._array.shape[:-1], num_samples))


functions.update(
    multinomial=multinomial,
    Generator=Generator,
    manual_seed=manual_seed,
    default_generator=default_generator,
    initial_seed=default_generator.initial_seed,
    rand=rand,
    randn=randn,
    rand_like=like(rand),
    randn_like=like(randn),
    randint=randint,
    randint_like=randint_like,
    randperm=randperm,
    normal=normal,
    bernoulli=bernoulli,
)
