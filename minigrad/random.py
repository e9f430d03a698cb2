"""PyTorch's random numbers, bit for bit: mt19937 and what PyTorch makes of its words.

A `Generator` fills arrays; the functions and in-place methods below it wrap that for tensors. The
numbers are those of PyTorch 2.13 on an x86 processor with AVX2 or later. Integers, uniforms,
exponentials, and normals of float32 and float16 are equal to the bit, and so are float64 normals
of fewer than 16 elements; longer ones may differ in the last bit, as numpy's sine does from C's.
(On Intel's processors PyTorch has `bernoulli_(p)` drawn by a library of theirs; here it never is.)
"""

from __future__ import annotations

import contextlib
import math
import operator
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.creation import made, numpy_dtype, shape_from
from minigrad.device import CPU
from minigrad.device import device as Device
from minigrad.ops.declare import op
from minigrad.ops.filling import zero
from minigrad.ops.promotion import broadcasting_error
from minigrad.ops.registry import public
from minigrad.ops.shape import expand
from minigrad.tensor import Tensor, from_array

# What torch.Generator() starts from, and the number of elements from which normals are drawn in
# blocks of that size.
DEFAULT_SEED = 67280421310721
BLOCK = 16

# How PyTorch saves a state: seed, words left, seeded, next word, words, a normal kept for later
# between two unused fields, whether there is one, and what an older generator used.
STATE = np.dtype("<u8, <i4, <i4, <u8, (624,)<u8, <f8, <f8, <f8, <i4, (3,)<i4")

C_NAMES = {
    "float16": "c10::Half", "float32": "float", "float64": "double", "bool": "bool",
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long",
}  # fmt: skip


class Generator:
    """A stream of random numbers with a seed of its own: the Mersenne Twister mt19937.

    The `fill_` methods fill a numpy array in the order of its memory, as PyTorch does, and draw
    nothing if they raise. A new generator always starts from the same seed.

    Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998) 3-30.
    """

    __module__ = "torch._C"
    __slots__ = ("_bits", "_next_normal", "_seed")

    # None until the first draw: numpy.random is slow to import.
    _bits: np.random.MT19937 | None
    _next_normal: float | None
    _seed: int

    def __init__(self, device: Any = CPU) -> None:
        Device(device)
        self.manual_seed(DEFAULT_SEED)

    @property
    def device(self) -> Device:
        """Where the generator draws: the cpu."""
        return CPU

    def manual_seed(self, seed: int, /) -> Generator:
        """Start anew from `seed`, an integer from -2**63 to 2**64 - 1, and return the generator.

        Only the lowest 32 bits choose the stream.
        """
        if type(seed) is not int:
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % 2**64
        self._bits = None
        self._next_normal = None
        return self

    def seed(self) -> int:
        """Start anew from a seed that the operating system gives, and return it."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """Return the seed that the generator last started from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Return the state as PyTorch's 5056 bytes, a uint8 tensor for `set_state`."""
        mt19937 = self._engine().state["state"]
        words, position = mt19937["key"], int(mt19937["pos"])
        # A generator that has not drawn yet still has its seed as first word.
        following = 0 if int(words[0]) == self._seed % 2**32 else position
        kept = () if self._next_normal is None else (self._next_normal,)
        normal = (0, sum(kept), 0, len(kept), 0)
        state = (self._seed, 625 - position, 1, following, words, *normal)
        return from_array(np.frombuffer(bytearray(np.array(state, STATE).tobytes()), np.uint8))

    def set_state(self, new_state: Tensor, /) -> None:
        """Continue from a state that `get_state` returned, here or in PyTorch.

        Raises:
            TypeError: if `new_state` is not a uint8 tensor.
            RuntimeError: if it is of the wrong size, or no state of an mt19937.
        """
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if new_state.dtype is not dtypes.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        data = new_state._array.tobytes()
        if len(data) != STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE.itemsize} "
                f"but found the input RNG state size to be {len(data)}"
            )
        seed, left, seeded, following, words, _, kept, _, keeps, _ = np.frombuffer(data, STATE)[0]
        if not (seeded == 1 and 0 < left <= 624 and following <= 624):
            raise RuntimeError("Invalid mt19937 state")
        self._seed = int(seed)
        self._next_normal = float(kept) if keeps else None
        self._engine().state = {
            "bit_generator": "MT19937",
            "state": {"key": words.astype(np.uint32), "pos": 625 - int(left)},
        }

    def _engine(self) -> np.random.MT19937:
        if self._bits is None:
            self._bits = np.random.MT19937(0)
            np.random.RandomState(self._bits).seed(self._seed % 2**32)
        return self._bits

    def words(self, count: int) -> Array:
        """Return the next `count` words, 32-bit numbers in an array of uint64."""
        return self._engine().random_raw(count)

    def long_words(self, count: int) -> Array:
        """Return the next `count` pairs of words as 64-bit numbers, the first word high."""
        words = self.words(2 * count)
        return (words[::2] << np.uint64(32)) | words[1::2]

    def uniforms(self, count: int, dtype: npt.DTypeLike) -> Array:
        """Return `count` numbers from [0, 1): 24 random bits in float32, 53 in float64."""
        if dtype == np.float64:
            return (self.long_words(count) & np.uint64(2**53 - 1)) * 2.0**-53
        low = self.words(count).astype(np.uint32) & np.uint32(2**24 - 1)
        return low.view(np.int32).astype(np.float32) * np.float32(2.0**-24)

    def fill_uniform(self, array: Array, low: float = 0.0, high: float = 1.0) -> None:
        """Fill a floating point array with numbers from [low, high).

        Raises:
            NotImplementedError: if the array is not of a floating point dtype.
            RuntimeError: if the bounds are out of order or too large for the dtype.
        """
        dtype = _floating(array, "check_uniform_bounds")
        _check_uniform_bounds(dtype, low, high)
        kind: Any = np.float64 if array.dtype == np.float64 else np.float32
        span = float(kind(high) - kind(low))
        values = _affine(self.uniforms(array.size, kind), span, float(kind(low)))
        values = values.astype(array.dtype, copy=False)
        # Rounding may reach `high`, which the interval leaves out.
        values[values == array.dtype.type(high)] = low
        _write(array, values)

    def fill_normal(
        self, array: Array, mean: float = 0.0, std: float = 1.0, contiguous: bool = True
    ) -> None:
        """Fill a floating point array with normally distributed numbers.

        `contiguous` is False if the array stands for a tensor that is not: it is drawn otherwise.

        Raises:
            NotImplementedError: if the array is not of a floating point dtype.
            RuntimeError: if `std` is negative.
        """
        if not std >= 0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        _floating(array, "normal_kernel_cpu")
        if array.size >= BLOCK and contiguous and array.flags.c_contiguous:
            values = self._normal_blocks(array.size, array.dtype)
        else:
            values = self._normal_pairs(array.size)
        _write(array, _affine(values, std, mean))

    def _normal_pairs(self, count: int) -> Array:
        """Return `count` normals in float64, two from two uniforms; an odd one is kept for later.

        Source: Box and Muller, "A Note on the Generation of Random Normal Deviates", Annals of
        Mathematical Statistics 29 (1958) 610-611.
        """
        values = [] if self._next_normal is None else [self._next_normal]
        pairs = max(0, count - len(values) + 1) // 2
        for first, second in self.uniforms(2 * pairs, np.float64).reshape(-1, 2).tolist():
            radius = math.sqrt(-2 * math.log1p(-second))
            angle = 2 * math.pi * first
            values += [radius * math.cos(angle), radius * math.sin(angle)]
        self._next_normal = values.pop() if len(values) > count else None
        return np.array(values, np.float64)

    def _normal_blocks(self, count: int, dtype: npt.DTypeLike) -> Array:
        """Return `count` normals, 16 or more, made of 16 uniforms at a time.

        If `count` is no multiple of 16, the last 16 are drawn anew. Float16 is drawn as float32.
        """
        kind = np.float64 if dtype == np.float64 else np.float32
        spare = count % BLOCK
        values = self.uniforms(count - spare if dtype == np.float16 else count, kind)
        values = _box_muller(values[: count - spare])
        if spare:
            values = np.append(values[: count - BLOCK], _box_muller(self.uniforms(BLOCK, kind)))
        return values

    def fill_integers(self, array: Array, low: int, high: int) -> None:
        """Fill an array of any dtype with integers from [low, high).

        Raises:
            RuntimeError: if the range is empty, or the dtype does not hold every integer in it.
        """
        if low >= high:
            raise RuntimeError(
                f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            )
        bottom, top = _integers(dtypes.of_numpy(array.dtype))
        for name, bound in (("from", low), ("to - 1", high - 1)):
            if not bottom <= bound <= top:
                raise RuntimeError(f"{name} is out of bounds for {C_NAMES[array.dtype.name]}")
        span = high - low
        words = self.words(array.size) if span < 2**28 else self.long_words(array.size)
        _write(array, (words % np.uint64(span) + np.uint64(low % 2**64)).view(np.int64))

    def fill_all_integers(self, array: Array) -> None:
        """Fill an array with integers from 0 to the largest that its dtype counts to."""
        top = _integers(dtypes.of_numpy(array.dtype))[1]
        wide = array.dtype in (np.int64, np.float64)
        words = self.long_words(array.size) if wide else self.words(array.size)
        _write(array, words % np.uint64(top + 1))

    def fill_bernoulli(self, array: Array, p: float | Array) -> None:
        """Fill an array of any dtype with ones, each with probability `p`, and zeros.

        Raises:
            NotImplementedError: if `p` is an array, and not of a floating point dtype.
            RuntimeError: if a probability is not from [0, 1].
        """
        if isinstance(p, float):
            if not 0 <= p <= 1:
                raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
            _write(array, self.uniforms(array.size, np.float64) < p)
            return
        _floating(p, "bernoulli_tensor_cpu_p_")
        if not ((p >= 0) & (p <= 1)).all():
            raise RuntimeError(
                "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error "
                "message be improved?  If so, please report an enhancement request to PyTorch.)"
            )
        kind = np.float64 if p.dtype == np.float64 else np.float32
        limits = p.transpose(_memory_order(array)).reshape(-1)
        _write(array, self.uniforms(array.size, kind) < limits)

    def fill_exponential(self, array: Array, rate: float = 1.0) -> None:
        """Fill a floating point array with exponentially distributed numbers, of mean 1 / rate.

        Raises:
            RuntimeError: if `rate` is not positive, or the dtype is no floating point one.
        """
        dtype = dtypes.of_numpy(array.dtype)
        if not dtype.is_floating_point:
            raise RuntimeError(
                "Exponential distribution is a continuous probability distribution. "
                f"dtype must be a floating point but you specified {dtype.scalar_name}"
            )
        if not rate > 0:
            raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
        # C's log1p: numpy's own differs in the last bit.
        logarithms = map(math.log1p, (-self.uniforms(array.size, np.float64)).tolist())
        _write(array, np.fromiter(logarithms, np.float64, array.size) * (-1.0 / rate))

    def fill_permutation(self, array: Array) -> None:
        """Fill a flat array with the integers from 0, as many as it is long, shuffled.

        Raises:
            NotImplementedError: for bool.
            RuntimeError: if the dtype cannot count so far.

        Source: Durstenfeld, "Algorithm 235: Random permutation", Communications of the ACM 7
        (1964) 420.
        """
        dtype, count = dtypes.of_numpy(array.dtype), array.size
        if dtype is dtypes.bool_:
            raise NotImplementedError("\"randperm\" not implemented for 'Bool'")
        if count - 1 > _integers(dtype)[1]:
            raise RuntimeError(f"value cannot be converted to type {dtype.name}_t without overflow")
        order = list(range(count))
        for place, word in enumerate(self.words(max(0, count - 1)).tolist()):
            other = place + word % (count - place)
            order[place], order[other] = order[other], order[place]
        array[...] = order


def _memory_order(array: Array) -> list[int]:
    """Return the array's dimensions, the one with the longest stride first."""
    return sorted(range(array.ndim), key=lambda dim: -array.strides[dim])


@np.errstate(over="ignore")
def _write(array: Array, values: Array) -> None:
    """Store the values, a flat array, in the order in which `array` lies in memory."""
    target = array if array.flags.c_contiguous else array.transpose(_memory_order(array))
    # PyTorch's way from float64 to float16 leads through float32.
    narrow = values.astype(np.float32) if array.dtype == np.float16 else values
    target[...] = narrow.reshape(target.shape)


def _floating(array: Array, kernel: str) -> dtypes.dtype:
    """Return the dtype of an array; raise for PyTorch's kernel if it is none."""
    dtype = dtypes.of_numpy(array.dtype)
    if not dtype.is_floating_point:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype.scalar_name}'")
    return dtype


def _check_uniform_bounds(dtype: dtypes.dtype, low: float, high: float) -> None:
    top = float(np.finfo(dtype.numpy_dtype).max)
    for name, bound in (("from", low), ("to", high)):
        if not -top <= bound <= top:
            raise RuntimeError(f"{name} is out of bounds for {C_NAMES[dtype.name]}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > top:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{dtype.scalar_name}>::max(), but "
            f"found to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def _integers(dtype: dtypes.dtype) -> tuple[int, int]:
    """Return the smallest and largest integer of a dtype, for a floating one those without gaps."""
    if dtype.is_floating_point:
        top = 2 ** (int(np.finfo(dtype.numpy_dtype).nmant) + 1)
        return -top, top
    if dtype is dtypes.bool_:
        return 0, 1
    limits: Any = np.iinfo(dtype.numpy_dtype)
    return int(limits.min), int(limits.max)


def _fused(x: Array, y: Array | np.float32, z: Array | np.float32) -> Array:
    """Return x * y + z in float32, rounded once, as the processor's fused instruction does.

    The product is exact in float64.
    """
    return (np.multiply(x, y, dtype=np.float64) + z).astype(np.float32)


@np.errstate(all="ignore")  # As quiet as PyTorch where a number becomes infinite.
def _affine(values: Array, scale: float, offset: float) -> Array:
    """Return values * scale + offset, rounded once; float32 or float64 as `values`.

    Source: for float64, the exact errors of product and sum after Dekker, "A floating-point
    technique for extending the available precision", Numerische Mathematik 18 (1971) 224-242.
    """
    if scale == 1 and offset == 0:
        return values
    if values.dtype == np.float32:
        return _fused(values, np.float32(scale), np.float32(offset))
    if not math.isfinite(scale + offset):
        return values * scale + offset
    exponent = math.frexp(max(abs(scale), abs(offset)))[1]
    scale, offset = math.ldexp(scale, -exponent), math.ldexp(offset, -exponent)
    product = values * scale
    value_high, scale_high = _upper_half(values), _upper_half(scale)
    value_low, scale_low = values - value_high, scale - scale_high
    product_error = value_low * scale_low - (
        ((product - value_high * scale_high) - value_low * scale_high) - value_high * scale_low
    )
    total = product + offset
    rounded = total - product
    total_error = (product - (total - rounded)) + (offset - rounded)
    result: Array = np.ldexp(total + (total_error + product_error), exponent)
    return result


def _upper_half(x: Any) -> Any:
    """Return the upper 26 bits of a float64."""
    shifted = x * 134217729.0
    return shifted - (shifted - x)


def _box_muller(uniforms: Array) -> Array:
    """Return normals, sixteen of each sixteen uniforms: radii from the first eight, then angles."""
    first, second = np.split(uniforms.reshape(-1, 2, BLOCK // 2), 2, axis=1)
    if uniforms.dtype == np.float64:
        radius = np.sqrt(-2 * np.log(1 - first))
        sine, cosine = np.sin(2 * math.pi * second), np.cos(2 * math.pi * second)
    else:
        radius = np.sqrt(np.float32(-2) * _logarithm(np.float32(1) - first))
        sine, cosine = _sine_and_cosine(np.float32(2 * math.pi) * second)
    return np.concatenate([radius * cosine, radius * sine], axis=1).reshape(-1)


# PyTorch computes its float32 normals with approximations of its own. These two follow them
# operation by operation, since the logarithm, sine and cosine of numpy round otherwise in one
# normal out of seven. Source: the polynomials of logf, sinf and cosf in Moshier's Cephes library,
# https://www.netlib.org/cephes/.
LOGARITHM = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
# Minus a quarter of pi in three parts, so that what is left of an angle keeps its digits.
EIGHTH_TURN = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)


def _polynomial(x: Array, *coefficients: float) -> Array:
    """Return the value of a polynomial, the coefficient of the highest power first."""
    result = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        result = _fused(result, x, np.float32(coefficient))
    return result


def _logarithm(x: Array) -> Array:
    """Return the natural logarithm of float32 numbers from (0, 1]."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < np.float32(math.sqrt(0.5))
    exponent = (exponent - small).astype(np.float32)
    m = (mantissa - np.float32(1)) + np.where(small, mantissa, np.float32(0))
    square = m * m
    series = m * _polynomial(m, *LOGARITHM)
    series = _fused(series, square, exponent * np.float32(-2.12194440e-4))
    m = m + (series - np.float32(0.5) * square)
    return _fused(exponent, np.float32(0.693359375), m)


def _sine_and_cosine(x: Array) -> tuple[Array, Array]:
    """Return sine and cosine of float32 angles from [0, 2 pi)."""
    octant = (x * np.float32(4 / math.pi)).astype(np.int32) + 1 & ~1
    turned = octant.astype(np.float32)
    for part in EIGHTH_TURN:
        x = _fused(turned, np.float32(part), x)
    square = x * x
    even = square * _polynomial(square, *COSINE)
    even = _fused(even, square, np.float32(-0.5) * square) + np.float32(1)
    odd = square * _polynomial(square, *SINE)
    odd = _fused(odd, x, x)
    swapped = octant & 2 != 0
    sine, cosine = np.where(swapped, even, odd), np.where(swapped, odd, even)
    return (
        np.where(octant & 4 != 0, -sine, sine),
        np.where(octant + 2 & 4 != 0, -cosine, cosine),
    )


Source = Generator | None
Fill = Callable[[Generator, Array], None]
Plan = Callable[..., tuple[Any, Fill]]

# The generator that is used where none is given

default_generator = Generator()
default_generator.seed()


def manual_seed(seed: Any) -> Generator:
    """Start the default generator anew from `seed` and return it.

    `seed` is made an integer; a ValueError is raised if it is not from -2**63 to 2**64 - 1.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the default generator anew from a seed that nobody can guess, and return the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed that the default generator last started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the default generator, a uint8 tensor for `set_rng_state`.

    >>> import minigrad as torch
    >>> state = torch.get_rng_state()
    >>> before = torch.rand(2)
    >>> torch.set_rng_state(state)
    >>> torch.equal(torch.rand(2), before)
    True
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator continue from a state; the errors are those of `set_state`."""
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices: Sequence[Any] = (), enabled: bool = True) -> Iterator[None]:
    """Leave the default generator, after the block, as it was before.

    Args:
        devices: of no consequence here; PyTorch's list of graphics processors.
        enabled: whether to do anything.
    """
    state = default_generator.get_state()
    try:
        yield
    finally:
        if enabled:
            default_generator.set_state(state)


# Reading arguments, with PyTorch's texts for those that do not fit


def _generator(function: str, generator: Any) -> Generator:
    if generator is None:
        return default_generator
    if not isinstance(generator, Generator):
        raise TypeError(
            f"{function}(): argument 'generator' must be torch.Generator, "
            f"not {type(generator).__name__}"
        )
    return generator


def _is_integer(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value._array.ndim == 0 and value._array.dtype.kind in "iu"
    return hasattr(value, "__index__") and not isinstance(value, bool | np.bool_)


def _argument(function: str, name: str, position: int, value: Any, kind: str) -> Any:
    """Return an argument that is to be an int, a float or a Tensor."""
    if kind == "int" and _is_integer(value):
        return operator.index(value)
    if kind == "float" and hasattr(value, "__float__"):
        return float(value)
    if kind == "Tensor" and isinstance(value, Tensor):
        return value
    raise TypeError(
        f"{function}(): argument '{name}' (position {position}) must be {kind}, "
        f"not {type(value).__name__}"
    )


def _sequence(function: str, position: int, size: Any) -> tuple[int, ...]:
    """Return a size that must be one sequence of integers."""
    if not isinstance(size, tuple | list):
        raise TypeError(
            f"{function}(): argument 'size' (position {position}) must be tuple of ints, "
            f"not {type(size).__name__}"
        )
    return shape_from(function, (size,))


def _empty_like(array: Array, dtype: npt.DTypeLike) -> Array:
    """Return an array of the same shape whose dimensions lie in memory in the same order."""
    return np.empty_like(array, dtype, order="C" if 0 in array.strides else "K")


# What was drawn depends on the old values, or on mean, std or p, but not differentiably: PyTorch
# records it all the same, with zeros as gradient.


def _drawn(node_name: str) -> Callable[..., Tensor]:
    return op("", node_name, lambda self, drawn: drawn, self=lambda grad: zero(grad))


_normal_of_both = op(
    "",
    "NormalBackward3",
    lambda mean, std, drawn: drawn,
    mean=lambda grad: zero(grad),
    std=lambda grad: zero(grad),
)
_normal_of_mean, _normal_of_std = _drawn("NormalBackward1"), _drawn("NormalBackward2")
_bernoulli_of = _drawn("BernoulliBackward0")
_in_place = {
    name: _drawn(name)
    for name in (
        "UniformBackward0", "NormalBackward0", "RandomBackward0", "RandomBackward1",
        "RandomBackward2", "BernoulliBackward1", "BernoulliBackward2", "ExponentialBackward0",
    )
}  # fmt: skip


def _refilled(node_name: str, tensor: Tensor, fill: Callable[[Array], None]) -> Tensor:
    """Return what an in-place method puts in the place of a tensor's values."""
    array = _empty_like(tensor._array, tensor._array.dtype)
    fill(array)
    return _in_place[node_name](tensor, array)


# New tensors


def _drawing(
    name: str, default: dtypes.dtype | None = None
) -> Callable[[Plan], Callable[..., Tensor]]:
    """Make the function `name`, which draws a new tensor, of one that says what to draw.

    The plan returns a shape, or a tensor to be like, and fills an array from a generator. Arguments
    of all such functions are `generator` (the default one, if None), `dtype` (that of the tensor to
    be like; else `default`, if None the default dtype), `device` and `requires_grad`.
    """

    def decorate(plan: Plan) -> Callable[..., Tensor]:
        plan.__qualname__ = name  # which Python names where an argument does not fit

        def function(
            *args: Any,
            generator: Source = None,
            dtype: Any = None,
            device: Any = None,
            requires_grad: bool = False,
            **named: Any,
        ) -> Tensor:
            like, fill = plan(*args, **named)
            if isinstance(like, Tensor):
                array = _empty_like(like._array, numpy_dtype(name, dtype, like.dtype))
            else:
                usual = default or dtypes.get_default_dtype()
                array = np.empty(like, numpy_dtype(name, dtype, usual))
            source = _generator(name, generator)
            made(array, requires_grad, device)  # refuses before anything is drawn
            fill(source, array)
            return made(array, requires_grad, device)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = plan.__doc__
        return function

    return decorate


@public("rand", "function")
@_drawing("rand")
def rand(*sizes: Any, size: Any = None) -> tuple[Any, Fill]:
    """Return a tensor of numbers drawn uniformly from [0, 1), of a floating point dtype.

    The size is one sequence of integers, or several integers.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.rand(2, 2)
    tensor([[0.4963, 0.7682],
            [0.0885, 0.1320]])
    """
    return shape_from("rand", sizes if size is None else (*sizes, size)), Generator.fill_uniform


@public("randn", "function")
@_drawing("randn")
def randn(*sizes: Any, size: Any = None) -> tuple[Any, Fill]:
    """Return a tensor of normals of mean 0 and variance 1, of a floating point dtype.

    The size is one sequence of integers, or several integers.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    return shape_from("randn", sizes if size is None else (*sizes, size)), Generator.fill_normal


@public("randint", "function")
@_drawing("randint", dtypes.int64)
def randint(low: Any = 0, high: Any = None, size: Any = None) -> tuple[Any, Fill]:
    """Return a tensor of integers from [low, high): ``randint(low=0, high, size)``.

    They are int64 unless `dtype` is given, which may be any that holds them.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randint(10, (4,)), torch.randint(3, 5, (4,))
    (tensor([4, 9, 3, 0]), tensor([4, 4, 4, 4]))
    """
    position = 2 if size is None else 3
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    low = _argument("randint", "low", 1, low, "int")
    high = _argument("randint", "high", position - 1, high, "int")
    shape = _sequence("randint", position, size)
    return shape, lambda source, array: source.fill_integers(array, low, high)


@public("randperm", "function")
@_drawing("randperm", dtypes.int64)
def randperm(n: int) -> tuple[Any, Fill]:
    """Return the integers from 0 to n - 1 in random order, int64 unless `dtype` is given.

    Raises:
        RuntimeError: if n is negative, or the dtype cannot count so far.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    shape = shape_from("randperm", (_argument("randperm", "n", 1, n, "int"),))
    return shape, Generator.fill_permutation


@public("rand_like", "function")
@_drawing("rand_like")
def rand_like(input: Tensor) -> tuple[Any, Fill]:
    """Return numbers drawn uniformly from [0, 1), of the size and dtype of `input`."""
    return _argument("rand_like", "input", 1, input, "Tensor"), Generator.fill_uniform


@public("randn_like", "function")
@_drawing("randn_like")
def randn_like(input: Tensor) -> tuple[Any, Fill]:
    """Return normals of mean 0 and variance 1, of the size and dtype of `input`."""
    return _argument("randn_like", "input", 1, input, "Tensor"), Generator.fill_normal


@public("randint_like", "function")
@_drawing("randint_like")
def randint_like(input: Tensor, low: Any = 0, high: Any = None) -> tuple[Any, Fill]:
    """Return integers from [low, high): ``randint_like(input, low=0, high)``.

    They are of the size and, unless another is given, the dtype of `input`, floating point as well.
    """
    if high is None:
        low, high = 0, low
    like = _argument("randint_like", "input", 1, input, "Tensor")
    low = _argument("randint_like", "low", 2, low, "int")
    high = _argument("randint_like", "high", 2, high, "int")
    return like, lambda source, array: source.fill_integers(array, low, high)


@public("normal", "function")
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Source = None, **options: Any
) -> Tensor:
    """Return normally distributed numbers of given means and standard deviations.

    Args:
        mean, std: tensors that broadcast with each other, a tensor and a number, or two numbers.
        size: of the result where `mean` and `std` are numbers, and needed there.
        options: `dtype`, `device` and `requires_grad`, for two numbers as well. Otherwise the
            result has the dtype of `mean`, or of `std` if `mean` is a number.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.normal(torch.tensor([0.0, 100.0]), 0.5)
    tensor([ 0.7705, 99.8533])
    """
    if not isinstance(mean, Tensor):
        mean = _argument("normal", "mean", 1, mean, "float")
    if not isinstance(std, Tensor):
        std = _argument("normal", "std", 2, std, "float")
    if isinstance(mean, float) and isinstance(std, float):
        return _normal_of_size(mean, std, size, generator=generator, **options)
    if size is not None or options:
        raise TypeError(
            "normal() takes size, dtype, device and requires_grad only with two numbers"
        )
    return _normal_around(mean, std, _generator("normal", generator))


@_drawing("normal")
def _normal_of_size(mean: float, std: float, size: Any) -> tuple[Any, Fill]:
    shape = _sequence("normal", 3, size)
    return shape, lambda source, array: source.fill_normal(array, mean, std)


def _normal_around(mean: Any, std: Any, source: Generator) -> Tensor:
    """Return normals where mean, std, or both are tensors."""
    tensors = [value for value in (mean, std) if isinstance(value, Tensor)]
    shapes = [one._array.shape for one in tensors]
    try:
        drawn: Array = np.empty(np.broadcast_shapes(*shapes), tensors[0]._array.dtype)
    except ValueError:
        raise broadcasting_error(*shapes) from None
    if isinstance(std, float):
        source.fill_normal(drawn, 0.0, std)
        drawn += mean._array
        return _normal_of_mean(mean, drawn)
    if not (std._array >= 0).all():
        raise RuntimeError("normal expects all elements of std >= 0.0")
    source.fill_normal(drawn)
    np.multiply(drawn, std._array, out=drawn, casting="same_kind")
    centre = drawn.dtype.type(mean) if isinstance(mean, float) else mean._array
    np.add(drawn, centre, out=drawn, casting="same_kind")
    if isinstance(mean, float):
        return _normal_of_std(std, drawn)
    both: Tensor = _normal_of_both(mean, std, drawn)
    return both


@public("bernoulli")
def bernoulli(input: Tensor, p: Any = None, *, generator: Source = None) -> Tensor:
    """Return ones and zeros in the shape and dtype of `input`.

    Args:
        input: the probability of a one, for each element.
        p: one probability for all, in their place.

    Raises:
        RuntimeError: if a probability is not from [0, 1].

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.bernoulli(torch.tensor([0.0, 0.5, 1.0]))
    tensor([0., 0., 1.])
    """
    array = _argument("bernoulli", "input", 1, input, "Tensor")._array
    source = _generator("bernoulli", generator)
    drawn = np.empty(array.shape, array.dtype)
    chance = array if p is None else _argument("bernoulli", "p", 2, p, "float")
    source.fill_bernoulli(drawn, chance)
    return _bernoulli_of(input, drawn)


@public("multinomial")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Source = None
) -> Tensor:
    """Return indices drawn with probabilities in proportion to the weights in `input`.

    Args:
        input: floating point weights, of shape (n) or (rows, n).
        num_samples: how many indices to draw, from each row.
        replacement: whether an index may be drawn more than once.

    Returns:
        An int64 tensor of shape (num_samples) or (rows, num_samples).

    Raises:
        RuntimeError: if weights are negative, not finite, all zero, or fewer than are to be drawn.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.multinomial(torch.tensor([0.0, 1.0, 3.0]), 4, replacement=True)
    tensor([2, 2, 2, 2])
    """
    weights = _argument("multinomial", "input", 1, input, "Tensor")._array
    count = _argument("multinomial", "num_samples", 2, num_samples, "int")
    source = _generator("multinomial", generator)
    _check_weights(input, count, replacement)
    if replacement and count > 1:
        sums = np.add.accumulate(weights, axis=-1)
        sums /= sums[..., -1:].copy()
        sums[..., -1] = 1
        rows = sums.reshape(-1, sums.shape[-1])
        drawn = source.uniforms(len(rows) * count, np.float64).reshape(-1, count)
        chosen = np.array([np.searchsorted(*pair) for pair in zip(rows, drawn, strict=True)])
    else:
        # The first of several alarms to ring is each one with the probability of its weight.
        times = _empty_like(weights, weights.dtype)
        source.fill_exponential(times)
        with np.errstate(divide="ignore", over="ignore"):
            chosen = np.argsort(-(weights / times), axis=-1, stable=True)[..., :count]
    return from_array(np.array(chosen.reshape(*weights.shape[:-1], count), np.int64))


def _check_weights(input: Tensor, count: int, replacement: bool) -> None:
    weights = input._array
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, "
            f"got: {input.dtype.scalar_name}"
        )
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if not ((weights >= 0) & (weights < np.inf)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not weights.any(axis=-1).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


# In-place methods: these return what takes the place of the tensor's values


@public("uniform", "inplace")
def uniform_values(
    self: Tensor, from_: Any = 0.0, to: Any = 1.0, *, generator: Source = None
) -> Tensor:
    """Fill the tensor with numbers drawn uniformly from [from_, to)."""
    low = _argument("uniform_", "from", 1, from_, "float")
    high = _argument("uniform_", "to", 2, to, "float")
    source = _generator("uniform_", generator)
    return _refilled("UniformBackward0", self, lambda array: source.fill_uniform(array, low, high))


@public("normal", "inplace")
def normal_values(
    self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Source = None
) -> Tensor:
    """Fill the tensor with normally distributed numbers."""
    mean = _argument("normal_", "mean", 1, mean, "float")
    std = _argument("normal_", "std", 2, std, "float")
    source = _generator("normal_", generator)
    contiguous = self.is_contiguous()
    return _refilled(
        "NormalBackward0", self, lambda array: source.fill_normal(array, mean, std, contiguous)
    )


@public("random", "inplace")
def random_values(self: Tensor, *bounds: Any, generator: Source = None) -> Tensor:
    """Fill the tensor with integers: ``random_()``, ``random_(to)`` or ``random_(from, to)``.

    They are from [0, to) or [from, to); without bounds, from 0 to the largest integer that the
    dtype counts to.
    """
    if len(bounds) > 2:
        raise TypeError(f"random_() takes 2 positional arguments but {len(bounds)} were given")
    source = _generator("random_", generator)
    if not bounds:
        return _refilled("RandomBackward2", self, source.fill_all_integers)
    low = _argument("random_", "from", 1, bounds[0], "int") if len(bounds) == 2 else 0
    high = _argument("random_", "to", len(bounds), bounds[-1], "int")
    name = "RandomBackward0" if len(bounds) == 2 else "RandomBackward1"
    return _refilled(name, self, lambda array: source.fill_integers(array, low, high))


@public("bernoulli", "inplace")
def bernoulli_values(self: Tensor, p: Any = 0.5, *, generator: Source = None) -> Tensor:
    """Fill the tensor with ones, of probability `p` (a number, or a tensor of them), and zeros."""
    source = _generator("bernoulli_", generator)
    if isinstance(p, Tensor):
        chance, name = expand(p, self.shape)._array, "BernoulliBackward1"
    else:
        chance, name = _argument("bernoulli_", "p", 1, p, "float"), "BernoulliBackward2"
    return _refilled(name, self, lambda array: source.fill_bernoulli(array, chance))


@public("exponential", "inplace")
def exponential_values(self: Tensor, lambd: Any = 1.0, *, generator: Source = None) -> Tensor:
    """Fill the tensor with exponentially distributed numbers, of mean 1 / lambd."""
    rate = _argument("exponential_", "lambd", 1, lambd, "float")
    source = _generator("exponential_", generator)
    return _refilled("ExponentialBackward0", self, lambda a: source.fill_exponential(a, rate))
