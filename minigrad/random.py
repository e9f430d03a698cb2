"""PyTorch's random numbers: mt19937 and what PyTorch makes of its words.

A `Generator` gives words and uniform numbers, the in-place methods of tensors make of them what
they need, and the functions that return new tensors fill them by the in-place methods, as in
PyTorch. All numbers are those of PyTorch 2.13 on an x86 processor with AVX2 or later, bit for bit,
except that 16 or more normals are within 1e-6 of them: PyTorch computes these with approximations
of its own. (On Intel's processors PyTorch has `bernoulli_(p)` drawn by a library of theirs; here
it never is.)
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.c_code import type_name
from minigrad.creation import like_another, made, of_size
from minigrad.data import element, largest
from minigrad.device import CPU, check_device
from minigrad.memory import order_of
from minigrad.ops import pointwise, promotion, shape
from minigrad.ops.calls import NOTHING
from minigrad.ops.check import check, check_cast
from minigrad.ops.declare import op
from minigrad.ops.registry import public
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array

Method = TypeVar("Method", bound=Callable[..., Any])

# How PyTorch saves a state: seed, words left, seeded, next word, words, a normal kept for later
# between two unused fields, whether there is one, and what an older generator used.
STATE = np.dtype("<u8, <i4, <i4, <u8, (624,)<u8, <f8, <f8, <f8, <i4, (3,)<i4")

# The names of dtypes in C, and the bits of the integers that they hold without gaps.
C_TYPES = {
    "float16": ("c10::Half", 11), "float32": ("float", 24), "float64": ("double", 53),
    "bool": ("bool", 1), "uint8": ("unsigned char", 8), "int8": ("signed char", 7),
    "int16": ("short int", 15), "int32": ("int", 31), "int64": ("long", 63),
}  # fmt: skip
OVERFLOW = "Overflow when unpacking long long"
ASKED_ANYWAY = {"check_uniform_bounds", "randperm", "poisson_cpu"}


def locked(method: Method) -> Method:
    """Let only one thread at a time run these methods of a generator."""

    @functools.wraps(method)
    def alone(self: Generator, *arguments: Any, **keywords: Any) -> Any:
        with self._lock:
            return method(self, *arguments, **keywords)

    return cast(Method, alone)


class Generator:
    """A stream of random numbers with a seed of its own: the Mersenne Twister mt19937.

    A new generator always starts from the same seed.

    Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998) 3-30.
    """

    __module__ = "torch._C"
    device = CPU

    def __init__(self, device: Any = "cpu") -> None:
        check_device(device)
        self._lock = threading.RLock()
        self.manual_seed(67280421310721)

    @locked
    def manual_seed(self, seed: int) -> Generator:
        """Start anew from `seed`, an integer from -2**63 to 2**64 - 1, and return the generator.

        Only the lowest 32 bits choose the stream.
        """
        check(type(seed) is int, "manual_seed expected a long, but got {}", type_name(seed))
        check(-(2**63) <= seed < 2**64, OVERFLOW, error=ValueError)
        self._seed = seed % 2**64
        self._kept: list[float] = []
        vars(self).pop("_bits", None)
        return self

    def seed(self) -> int:
        """Start anew from a seed that nobody can guess, and return the seed."""
        return self.manual_seed(int.from_bytes(os.urandom(8), "little"))._seed

    def clone_state(self) -> Generator:
        """Return a new generator in the same state, which goes on by itself."""
        clone = Generator()
        clone.set_state(self.get_state())
        return clone

    def initial_seed(self) -> int:
        """Return the seed that the generator last started from."""
        return self._seed

    @locked
    def get_state(self) -> Tensor:
        """Return the state as PyTorch's 5056 bytes, a uint8 tensor for `set_state`.

        >>> import minigrad as torch
        >>> state = torch.get_rng_state()
        >>> before = torch.rand(2)
        >>> torch.set_rng_state(state)
        >>> torch.equal(torch.rand(2), before)
        True
        """
        at = cast(Any, self._bits.state)["state"]
        words, position = at["key"], at["pos"]
        # A generator that has not drawn yet still has its seed as first word.
        following = 0 if int(words[0]) == self._seed % 2**32 else position
        normal = (0, sum(self._kept), 0, len(self._kept), 0)
        state = np.array((self._seed, 625 - position, 1, following, words, *normal), STATE)
        return from_array(np.frombuffer(bytearray(state.tobytes()), np.uint8))

    @locked
    def set_state(self, new_state: Tensor) -> Generator:
        """Continue from a state that `get_state` returned, here or in PyTorch; return `self`.

        Raises:
            TypeError: if `new_state` is not a uint8 tensor.
            RuntimeError: if it is of the wrong size, or no state of an mt19937.
        """
        text = "expected a torch.ByteTensor, but got {}"
        check(isinstance(new_state, Tensor), text, type_name(new_state), error=TypeError)
        text = "RNG state must be a torch.ByteTensor"
        check(new_state.dtype is dtypes.uint8, text, error=TypeError)
        data = new_state._array.tobytes()
        text = (
            "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to "
            "be {}"
        )
        check(len(data) == 5056, text, len(data))
        seed, left, seeded, following, words, _, kept, _, keeps, _ = np.frombuffer(data, STATE)[0]
        check(seeded == 1 and 0 < left <= 624 and following <= 624, "Invalid mt19937 state")
        self._seed = int(seed)
        self._kept = [float(kept)] if keeps else []
        at: Any = {"key": words.astype(np.uint32), "pos": 625 - int(left)}
        self._bits.state = {"bit_generator": "MT19937", "state": at}
        return self

    @functools.cached_property
    def _bits(self) -> np.random.MT19937:
        """numpy's mt19937, made when it is first needed: numpy.random is slow to import."""
        bits = np.random.MT19937(0)
        np.random.RandomState(bits).seed(self._seed % 2**32)
        return bits

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'torch._C.Generator' object has no attribute '{name}'")

    def __reduce__(self) -> tuple[Any, ...]:
        return _at_state, (self.get_state(),)

    @locked
    def words(self, count: int, wide: bool) -> Array:
        """Return `count` random words of 32 bits, or wide ones: two words each, the first high."""
        words = self._bits.random_raw((1 + wide) * count)
        return cast(Array, words[::2] << 32 | words[1::2] if wide else words)

    def uniforms(self, count: int, wide: bool) -> Array:
        """Return `count` numbers from [0, 1): 24 random bits as float32, or 53 as float64."""
        bits, kind = (53, np.float64) if wide else (24, np.float32)
        words = self.words(count, wide) & (2**bits - 1)
        return cast(Array, words.astype(kind) * kind(2.0**-bits))

    @locked
    def normals(self, count: int) -> Array:
        """Return `count` normals, two from two uniforms; an odd one is kept for later."""
        pairs = self.uniforms(max(0, count - len(self._kept) + 1) // 2 * 2, wide=True)
        for turn, chance in pairs.reshape(-1, 2).tolist():
            self._kept += box_muller(math, chance, 2 * math.pi * turn)
        values, self._kept = self._kept[:count], self._kept[count:]
        return np.array(values)


def _at_state(state: Tensor) -> Generator:
    generator = Generator()
    generator.set_state(state)
    return generator


# The generator that is used where none is given

default_generator = Generator()
default_generator.seed()
seed = default_generator.seed
initial_seed = default_generator.initial_seed
get_rng_state = default_generator.get_state


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator continue from a state, as its `set_state`."""
    default_generator.set_state(new_state)


def manual_seed(seed: Any) -> Generator:
    """Start the default generator anew from `seed` and return it.

    `seed` is made an integer; a ValueError is raised if it is not from -2**63 to 2**64 - 1.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


@contextlib.contextmanager
def fork_rng(devices: Sequence[Any] = (), enabled: bool = True) -> Iterator[None]:
    """Leave the default generator, after the block, as it was before, if `enabled`.

    `devices` is of no consequence here; it is PyTorch's list of graphics processors.
    """
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(state)


# Arguments: of their kinds they are, which PyTorch's signatures tell


def chosen(generator: Generator | None) -> Generator:
    """Return the generator to draw from."""
    return default_generator if generator is None else generator


def low_and_high(*bounds: Any) -> list[int]:
    """Return low and high, which are given as two integers or, for 0 and high, as one."""
    return [0, *[unpacked(bound) for bound in bounds if bound not in (None, NOTHING)]][-2:]


def unpacked(number: Any) -> int:
    """Return an integer; refuse one of more than 64 bits."""
    number = int(number)
    check(-(2**63) <= number < 2**63, OVERFLOW, error=ValueError)
    return cast(int, number)


def check_bounds(like: Array, bottom: float, top: float, **bounds: float) -> None:
    """Refuse bounds that do not fit into the dtype."""
    for name, bound in bounds.items():
        if not bottom <= bound <= top:
            raise RuntimeError(f"{name} is out of bounds for {C_TYPES[like.dtype.name][0]}")


def held_bounds(low: int, high: int, like: Array) -> tuple[int, int]:
    """Return bounds of integers, nearer to each other where a floating dtype rounds them outwards.

    Warns of bounds beyond which the dtype does not hold every integer.

    Raises:
        RuntimeError: if they are beyond all that it holds, or nothing is left between them.
    """
    bits, top = C_TYPES[like.dtype.name][1], largest(like.dtype)
    check_bounds(like, -top, top, **{"from": low, "to - 1": high - 1})
    low, most = held_low(low, like), int(like.dtype.type(high - 1))
    if high <= most < 2**63:  # C takes more for a negative number
        high = most - 2 ** (abs(high - 1).bit_length() - bits)
    text = (
        "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
        "from={} >= to={}"
    )
    check(low < high, text, low, high)
    warn_of_gaps(like, **{"from": low, "to - 1": high - 1})
    return low, high


def held_low(low: int, like: Array) -> int:
    """Return a lower bound, or the next above it that a floating dtype does not round down."""
    least, bits = int(like.dtype.type(low + 1)), C_TYPES[like.dtype.name][1]
    return least + 2 ** (abs(low + 1).bit_length() - bits) if least < low else low


def warn_of_gaps(like: Array, **bounds: int) -> None:
    """Warn of bounds beyond which a floating dtype does not hold every integer."""
    name, bits = C_TYPES[like.dtype.name]
    for bound, value in bounds.items():
        if abs(value) > 2**bits:
            warn(
                f"{bound} is out of bounds [-(2^{bits}), 2^{bits}]. Due to precision limitations "
                f"{name} can support discrete uniform distribution only within this range. This "
                "warning will become an error in version 1.7 release, please fix the code in "
                "advance"
            )


def bounds_from(low: int, like: Array) -> tuple[int, int]:
    """Return the bounds where there is a lower one alone: up to what the dtype counts to.

    Raises:
        RuntimeError: if it does not count so far.
    """
    if low == -(2**63):  # All that 64 bits can be.
        return 0, 2**64
    bottom, top = integer_limits(like)
    if like.dtype.kind != "f":
        check_bounds(like, bottom, top, **{"from": low})
        return low, top + 1
    bound = largest(like.dtype)
    check_bounds(like, -bound, bound, **{"from": low})
    low = held_low(low, like)
    text = (
        "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to "
        f"dtype, but got from={low} > to_inc={top}"
    )
    check(low < top, text)
    warn_of_gaps(like, **{"from": low})
    return low, top + 1


def check_kind(like: Array, kernel: str, kinds: str = "f") -> bool:
    """Refuse other kinds of dtypes, as PyTorch's kernel does; return whether it is float64.

    Some kernels are not asked where there is nothing to draw.
    """
    dtype = dtypes.of_numpy(like.dtype)
    if like.dtype.kind not in kinds and (like.size or kernel in ASKED_ANYWAY):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype.scalar_name}'")
    return dtype is dtypes.float64


def integer_limits(like: Array) -> tuple[int, int]:
    """Return the smallest and largest integer of a dtype."""
    bits, kind = C_TYPES[like.dtype.name][1], like.dtype.kind
    return -(2**bits) if kind in "if" else 0, 2**bits if kind == "f" else 2**bits - 1


# Arithmetic

TURN = 2 * math.pi
quiet = np.errstate(all="ignore")  # As PyTorch is where a number becomes infinite.


def exp(x: float) -> float:
    """Return e to the power of x: of C, because numpy's own differs in the last bit."""
    return math.inf if x > math.log(sys.float_info.max) else math.exp(x)


def box_muller(library: Any, chance: Any, angle: Any) -> tuple[Any, Any]:
    """Return two normals made of a uniform number and an angle.

    `library` is `math` for numbers, which computes bit for bit as C does, or `numpy` for arrays.

    Source: Box and Muller, "A Note on the Generation of Random Normal Deviates", Annals of
    Mathematical Statistics 29 (1958) 610-611.
    """
    radius = library.sqrt(-2 * library.log1p(-chance))
    return radius * library.cos(angle), radius * library.sin(angle)


def halves(x: Any) -> tuple[Any, Any]:
    """Return the upper 26 bits of a float64, and the rest."""
    upper = x * 134217729.0 - (x * 134217729.0 - x)
    return upper, x - upper


@quiet
def arranged(values: Array, like: Array) -> Array:
    """Return flat values as an array like `like`, in the order in which that lies in memory."""
    array = np.empty_like(like)
    # PyTorch's way from float64 to float16 leads through float32.
    array.ravel("K")[:] = values.astype(np.float32) if like.dtype == np.float16 else values
    return array


def scaled(values: Array, scale: float, offset: float, like: Array) -> Array:
    """Return values * scale + offset, rounded once as by the processor's fused instruction."""
    if scale == 1 and offset == 0:
        return arranged(values, like)
    with np.errstate(all="ignore"):  # As quiet as PyTorch where a number becomes infinite.
        if values.dtype == np.float32:  # Double precision holds their product.
            return arranged(values.astype(np.float64) * scale + offset, like)
        return arranged(rounded_once(values, scale, offset), like)


def rounded_once(values: Array, scale: float, offset: float) -> Array:
    """Return values * scale + offset.

    Source: the errors of product and sum after Dekker, "A floating-point technique for extending
    the available precision", Numerische Mathematik 18 (1971) 224-242.
    """
    product = values * scale
    total = product + offset
    part = total - product
    (a, b), (c, d) = halves(values), halves(scale)
    error = (product - (total - part)) + (offset - part)
    error += ((a * c - product) + a * d + b * c) + b * d
    rounded: Array = np.where(np.isfinite(error), total + error, total)
    return rounded


# In-place methods: these return what takes the place of the tensor's values. PyTorch records that,
# with zeros as gradient.


def zeros(grad: Any) -> Any:
    """Return zeros: what was drawn does not depend on the tensor differentiably."""
    return pointwise.flat(grad)


@functools.cache
def recorded(node_name: str) -> Callable[..., Tensor]:
    """Return the operation on a tensor, and on what was drawn for it, that has a node so named."""
    return op("", node_name, lambda self, drawn: drawn, self=zeros)


@public("uniform", "inplace")
def uniform_(self: Tensor, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers drawn uniformly from [from_, to)."""
    source, like = chosen(generator), self._array
    low, high = float(from_), float(to)
    wide, top = check_kind(like, "check_uniform_bounds"), largest(like.dtype)
    check_bounds(like, -top, top, **{"from": low, "to": high})
    text = "uniform_ expects to return a [from, to) range, but found from={:g} > to={:g}"
    check(low <= high, text, low, high)
    text = (
        "uniform_ expects to-from <= std::numeric_limits<{}>::max(), but found to={:g} and "
        "from={:g} which result in to-from to exceed the limit"
    )
    check(high - low <= top, text, self.dtype.scalar_name, high, low)
    self._check_apart()
    kind = np.float64 if wide else np.float32
    span = float(kind(high) - kind(low))
    array = scaled(source.uniforms(like.size, wide), span, float(kind(low)), like)
    # Rounding may reach what the interval leaves out.
    np.putmask(array, array == like.dtype.type(high), low)
    return recorded("UniformBackward0")(self, array)


@public("normal", "inplace")
def normal_(self: Tensor, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with normally distributed numbers."""
    source, like = chosen(generator), self._array
    mean, std = float(mean), float(std)
    check(std >= 0, "normal expects std >= 0.0, but found std {:g}", std)
    check_kind(like, "normal_kernel_cpu")
    self._check_apart()
    if like.size >= 16 and like.flags.c_contiguous:
        values, kind = normal_blocks(source, like), np.result_type(like, np.float32).type
        with np.errstate(over="ignore"):
            mean, std = float(kind(mean)), float(kind(std))
    else:
        values = source.normals(like.size)
    return recorded("NormalBackward0")(self, scaled(values, std, mean, like))


def normal_blocks(source: Generator, like: Array) -> Array:
    """Return 16 or more normals: each block has radii from eight uniforms and angles from eight.

    If the size is no multiple of 16, the last 16 are drawn anew. Float16 is drawn as float32.
    """
    wide, spare = like.dtype == np.float64, like.size % 16
    with source._lock:
        chances = source.uniforms(like.size - (spare if like.dtype == np.float16 else 0), wide)
        if spare:
            last = source.uniforms(16, wide)
            chances = np.concatenate((chances[: like.size - spare], last))
    blocks = chances.reshape(-1, 2, 8)
    kind = np.float32 if like.dtype == np.float32 else np.float64
    values: Array = np.empty_like(blocks, kind)
    values[:, 0], values[:, 1] = normal_pairs(blocks[:, 0], blocks[:, 1], like.dtype)
    flat = values.reshape(-1)
    return np.concatenate((flat[: like.size - 16], flat[-16:])) if spare else flat


def normal_pairs(chances: Array, turns: Array, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """Return two normals for each pair of uniform numbers, computed as for tensors of a dtype."""
    if dtype == np.float32:
        from minigrad.normals import box_muller_single  # its tables are made when first needed

        return box_muller_single(chances, turns)
    if dtype == np.float16:  # as float32, without vector instructions
        angles: Array = np.float32(TURN) * turns
        return box_muller(np, chances.astype(np.float64), angles.astype(np.float64))
    # C's functions: numpy's own differ in the last bit.
    radii = np.sqrt([-2 * math.log(1 - one) for one in chances.flat])
    angles = (TURN * turns).ravel()
    cosines, sines = ([f(one) for one in angles.tolist()] for f in (math.cos, math.sin))
    return (radii * cosines).reshape(-1, 8), (radii * sines).reshape(-1, 8)


@public("random", "inplace")
def random_(
    self: Tensor, from_: Any = NOTHING, to: Any = NOTHING, *, generator: Any = None
) -> Tensor:
    """Fill the tensor with integers: ``random_()``, ``random_(to)`` or ``random_(from, to)``.

    They are from [0, to) or [from, to); without bounds, from 0 to the largest integer that the
    dtype counts to, and so far if `to` is None. Warns of bounds beyond that of a floating dtype.

    Raises:
        RuntimeError: if there is no integer between the bounds, or the dtype does not hold them.
    """
    source, like = chosen(generator), self._array
    self._check_apart()
    (bottom, top), given = integer_limits(like), (from_ is not NOTHING) + (to is not NOTHING)
    if given == 2 and to is None:
        low, high = bounds_from(unpacked(from_), like)
    else:
        low, high = low_and_high(from_, to) if given else (0, top + 1)
        text = "random_ expects 'from' to be less than 'to', but got from={} >= to={}"
        check(low < high, text, low, high)
        if like.dtype.kind == "f":
            low, high = held_bounds(low, high, like)
        else:
            check_bounds(like, bottom, top, **{"from": low, "to - 1": high - 1})
    words = source.words(like.size, high - low >= 2**28 if given else like.itemsize == 8)
    if high - low < 2**64:
        words %= high - low
    integers = (words + low % 2**64).view(np.int64)
    return recorded(f"RandomBackward{2 - given}")(self, arranged(integers, like))


@public("bernoulli", "inplace")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill the tensor with ones, of probability `p` (a number, or a tensor of them), and zeros."""
    source, like = chosen(generator), self._array
    if isinstance(p, Tensor):
        limits = shape.expand(p, self.shape)._array
        text = (
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message "
            "be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    else:
        limits = np.array(float(p))
        text = "bernoulli_ expects p to be in [0, 1], but got p={:g}"
    wide = check_kind(limits, "bernoulli_tensor_cpu_p_")
    check(((limits >= 0) & (limits <= 1)).all(), text, limits)
    self._check_apart()
    chances = arranged(source.uniforms(like.size, wide), np.empty_like(like, np.float64))
    array = (chances < limits).astype(like.dtype)
    if isinstance(p, Tensor):
        return cast(Tensor, by_chances(self, p, array))
    return recorded("BernoulliBackward2")(self, array)


by_chances = op(
    "",
    "BernoulliBackward1",
    lambda self, p, drawn: drawn,
    self=lambda grad: zeros(grad),
    p=lambda grad, p_sym_sizes: shape.zeros(p_sym_sizes, grad),
)


@public("exponential", "inplace")
def exponential_(self: Tensor, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with exponentially distributed numbers, of mean 1 / lambd."""
    source, like = chosen(generator), self._array
    rate = float(lambd)
    check(rate > 0, "exponential_ expects lambda > 0.0, but found lambda={:g}", rate)
    self._check_apart()
    text = (
        "Exponential distribution is a continuous probability distribution. dtype must be a "
        "floating point but you specified {}"
    )
    check(like.dtype.kind == "f" or not like.size, text, self.dtype.scalar_name)
    # C's log1p: numpy's own differs in the last bit.
    values = np.array([math.log1p(-one) for one in source.uniforms(like.size, True).tolist()])
    return recorded("ExponentialBackward0")(self, scaled(values, -1 / rate, 0.0, like))


@public("cauchy", "inplace")
def cauchy_(self: Tensor, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers of the Cauchy distribution, half of them below the median."""
    source, like = chosen(generator), self._array
    median, sigma = float(median), float(sigma)
    check(sigma > 0, "cauchy_ expects sigma > 0.0, but found sigma={:g}", sigma)
    text = (
        "Cauchy distribution is a continuous probability distribution. dtype must be a floating "
        "point but you specified {}"
    )
    check(like.dtype.kind == "f", text, self.dtype.cpp_name)
    self._check_apart()
    turns = source.uniforms(like.size, True).tolist()
    values = np.array([math.tan(math.pi * (one - 0.5)) for one in turns])
    return recorded("CauchyBackward0")(self, scaled(values, sigma, median, like))


@public("log_normal", "inplace")
def log_normal_(self: Tensor, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers whose logarithms are normally distributed."""
    source, like = chosen(generator), self._array
    mean, std = float(mean), float(std)
    check(std > 0, "log_normal_ expects std > 0.0, but found std={:g}", std)
    self._check_apart()
    check_kind(like, "log_normal_cpu")
    values = np.array([exp(one * std + mean) for one in source.normals(like.size).tolist()])
    return recorded("LogNormalBackward0")(self, arranged(values, like))


@public("geometric", "inplace")
def geometric_(self: Tensor, p: Any, *, generator: Any = None) -> Tensor:
    """Fill the tensor with numbers of trials until the first success, whose probability is p."""
    source, like = chosen(generator), self._array
    chance = float(p)
    check(0 < chance < 1, "geometric_ expects p to be in (0, 1), but got p={:g}", chance)
    self._check_apart()
    check_kind(like, "geometric_cpu", "fiu")
    rate, drawn = math.log1p(-chance), source.uniforms(like.size, True).tolist()
    values = np.array([math.ceil(math.log(one) / rate) for one in drawn])
    return recorded("GeometricBackward0")(self, arranged(values, like))


# New tensors are filled by the in-place methods, as in PyTorch.


def drawn(tensor: Tensor, draw: Any, *bounds: Any, generator: Any, requires_grad: bool) -> Tensor:
    """Return a new leaf with what an in-place method fills a tensor with."""
    filled = draw(tensor.detach(), *bounds, generator=generator)._array
    return made(draw.__name__, filled, requires_grad)


@public("rand", "function")
def rand(
    *sizes: Any,
    size: Any = None,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of numbers drawn uniformly from [0, 1), of a floating point dtype.

    The size is one sequence of integers, or several integers.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.rand(2, 2)
    tensor([[0.4963, 0.7682],
            [0.0885, 0.1320]])
    """
    given = sizes if size is None else (size,)
    tensor = of_size("rand", np.empty, given, dtype, device)
    return drawn(tensor, uniform_, generator=generator, requires_grad=requires_grad)


@public("randn", "function")
def randn(
    *sizes: Any,
    size: Any = None,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of normals of mean 0 and variance 1, of a floating point dtype.

    The size is one sequence of integers, or several integers.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    given = sizes if size is None else (size,)
    tensor = of_size("randn", np.empty, given, dtype, device)
    return drawn(tensor, normal_, generator=generator, requires_grad=requires_grad)


@public("rand_like", "function")
def rand_like(
    input: Tensor,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Return numbers drawn uniformly from [0, 1), of the size and dtype of `input`."""
    tensor = like_another("rand_like", np.empty, input, dtype, device, False, memory_format)
    return drawn(tensor, uniform_, generator=generator, requires_grad=requires_grad)


@public("randn_like", "function")
def randn_like(
    input: Tensor,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Return normals of mean 0 and variance 1, of the size and dtype of `input`."""
    tensor = like_another("randn_like", np.empty, input, dtype, device, False, memory_format)
    return drawn(tensor, normal_, generator=generator, requires_grad=requires_grad)


@public("randint", "function")
def randint(
    low: Any = 0,
    high: Any = None,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of integers from [low, high): ``randint(low=0, high, size)``.

    They are int64 unless `dtype` is given, which may be any that holds them.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randint(10, (4,)), torch.randint(3, 5, (4,))
    (tensor([4, 9, 3, 0]), tensor([4, 4, 4, 4]))
    """
    bounds = low_and_high(low, high)
    tensor = of_size("randint", np.empty, (size,), dtype or dtypes.int64, device)
    return drawn(tensor, random_, *bounds, generator=generator, requires_grad=requires_grad)


@public("randint_like", "function")
def randint_like(
    input: Tensor,
    low: Any = 0,
    high: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Return integers from [low, high): ``randint_like(input, low=0, high)``.

    They are of the size and, unless another is given, the dtype of `input`, floating point as well.
    """
    bounds = low_and_high(low, high)
    tensor = like_another("randint_like", np.empty, input, dtype, device, False, memory_format)
    return drawn(tensor, random_, *bounds, generator=generator, requires_grad=requires_grad)


@public("randperm", "function")
def randperm(
    n: Any,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return the integers from 0 to n - 1 in random order, int64 unless `dtype` is given.

    Raises:
        RuntimeError: if n is negative, or the dtype cannot count so far.

    Source: Durstenfeld, "Algorithm 235: Random permutation", Communications of the ACM 7 (1964)
    420.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    source, n = chosen(generator), unpacked(n)
    tensor = of_size("randperm", np.empty, (n,), dtype or dtypes.int64, device)
    order = tensor._array
    check_kind(order, "randperm", "iuf")
    element(n - 1, order.dtype)
    if order.dtype.kind == "f":
        bits = C_TYPES[order.dtype.name][1]
        most = "2049" if bits == 11 else f"2^{bits}+1"
        text = f"n cannot be greater than {most} for {tensor.dtype.scalar_name} type."
        check(n <= 2**bits + 1, text)
    order[:] = range(n)
    for place, word in enumerate(source.words(max(0, n - 1), wide=False).tolist()):
        other = place + word % (n - place)
        order[place], order[other] = order[other], order[place]
    return made("randperm", order, requires_grad)


@public("normal", "function")
def normal(
    mean: Any,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return normally distributed numbers of given means and standard deviations.

    Args:
        mean, std: tensors that broadcast with each other, a tensor and a number, or two numbers.
        size: of the result where `mean` and `std` are numbers, and needed there.
        dtype, device, requires_grad: of the result there. Otherwise it has the dtype of `mean`, or
            of `std` if `mean` is a number.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.normal(torch.tensor([0.0, 100.0]), 0.5)
    tensor([ 0.7705, 99.8533])
    """
    if size is not None:
        mean, std = (as_number(one) for one in (mean, std))
    tensors = [one for one in (mean, std) if isinstance(one, Tensor)]
    if not tensors:
        tensor = of_size("normal", np.empty, (size,), dtype, device)
        return drawn(tensor, normal_, mean, std, generator=generator, requires_grad=requires_grad)
    if size is not None:
        raise TypeError("normal() takes size, dtype and the like only with two numbers")
    if not isinstance(mean, Tensor):
        mean = float(mean)
    lengths = shape.common_shape(*[one.shape for one in tensors])
    kind = tensors[0]._array.dtype if dtype is None else dtype.numpy_dtype  # of `out`
    empty = from_array(np.empty(lengths, kind))
    spread, factor = (1.0, std._array) if isinstance(std, Tensor) else (std, 1.0)
    check(np.all(factor >= 0), "normal expects all elements of std >= 0.0")
    array = normal_(empty, 0.0, spread, generator=generator)._array
    check_cast(empty, dtypes.common(*[one._array for one in tensors]))
    with np.errstate(over="ignore"):
        np.multiply(array, factor, out=array, casting="unsafe")
        np.add(array, promotion.array_of(mean), out=array, casting="unsafe")
    record = around_std if tensors[0] is std else around_mean
    return cast(Tensor, (around_both if len(tensors) == 2 else record)(*tensors, array))


def as_number(value: Any) -> Any:
    """Return the number of a 0-d tensor that requires no grad; anything else as it is."""
    number = isinstance(value, Tensor) and not value.ndim and not value.requires_grad
    return value.item() if number else value


def zeros_of_mean(grad: Any, mean_sym_sizes: tuple[int, ...]) -> Any:
    """Return the gradient of a mean: zeros."""
    return shape.zeros(mean_sym_sizes, grad)


def zeros_of_std(grad: Any, std_sym_sizes: tuple[int, ...]) -> Any:
    """Return the gradient of a standard deviation: zeros."""
    return shape.zeros(std_sym_sizes, grad)


around_mean = op("", "NormalBackward1", lambda mean, drawn: drawn, mean=zeros_of_mean)
around_std = op("", "NormalBackward2", lambda std, drawn: drawn, std=zeros_of_std)
around_both = op(
    "",
    "NormalBackward3",
    lambda mean, std, drawn: drawn,
    mean=zeros_of_mean,
    std=zeros_of_std,
)


of_one_chance = op(
    "",
    "NotImplemented",
    lambda self, drawn: drawn,
    self=lambda grad: pointwise.refuse_backward("bernoulli"),
)


@public("bernoulli")
def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None) -> Tensor:
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
    empty = like_another("bernoulli", np.empty, input).contiguous()
    array = bernoulli_(empty, input if p is None else p, generator=generator)._array
    return (recorded("BernoulliBackward0") if p is None else of_one_chance)(input, array)


@public("poisson", "function")
def poisson(input: Tensor, generator: Any = None) -> Tensor:
    """Return Poisson distributed numbers, whose means are the elements of `input`.

    Raises:
        RuntimeError: if a mean is negative or nan.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.poisson(torch.tensor([0.0, 5.0, 30.0]))
    tensor([ 0.,  8., 26.])
    """
    source, means = chosen(generator), input._array
    check_kind(means, "poisson_cpu")
    check((means >= 0).all(), "invalid Poisson rate, expected rate to be non-negative")
    drawn = [poisson_number(source, mean) for mean in means.ravel().tolist()]
    array = np.array(drawn).astype(means.dtype).reshape(means.shape)
    return recorded("PoissonBackward0")(input, array)


def poisson_number(source: Generator, mean: float) -> int:
    """Return a Poisson distributed number.

    Source of the means from 10 on: Hörmann, "The transformed rejection method for generating
    Poisson random variables", Insurance: Mathematics and Economics 12 (1993) 39-45.
    """

    def uniform() -> float:
        return float(source.uniforms(1, True)[0])

    if mean < 10:
        number, product = 0, uniform() if mean else 0.0
        while product > math.exp(-mean):
            number, product = number + 1, product * uniform()
        return number
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    while True:
        u, v = uniform() - 0.5, uniform()
        away = 0.5 - abs(u)
        number = math.floor((2 * a / away + b) * u + mean + 0.43)
        if away >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return number
        if number < 0 or (away < 0.013 and v > away) or not v:
            continue
        density = number * math.log(mean) - mean - math.lgamma(number + 1)
        if math.log(v) + math.log(inverse_alpha) - math.log(a / away**2 + b) <= density:
            return number


@public("multinomial")
def multinomial(
    input: Tensor, num_samples: Any, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Return places drawn with the probabilities in a vector, or in each row of a matrix.

    They need not sum up to 1. No place comes twice, unless with `replacement`.

    Raises:
        RuntimeError: if they are no probabilities, or not as many places can be drawn.

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.multinomial(torch.tensor([0.0, 1.0]), 3, replacement=True)
    tensor([1, 1, 1])
    """
    source, chances = chosen(generator), input._array
    check(chances.ndim in (1, 2), "prob_dist must be 1 or 2 dim")
    text = "multinomial only supports floating-point dtypes for input, got: {}"
    check(chances.dtype.kind == "f", text, input.dtype.scalar_name)
    check(num_samples > 0, "cannot sample n_sample <= 0 samples")
    text = "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
    check(replacement or num_samples <= chances.shape[-1], text)
    check(chances.shape[-1] <= 2**24, "number of categories cannot exceed 2^24")
    if chances.ndim == 2 and not len(chances):
        return from_array(np.empty((0, num_samples), np.int64))
    racing = not replacement or num_samples == 1
    fits, finite = chances >= 0, chances < np.inf
    if racing:
        text = "probability tensor contains either `inf`, `nan` or element < 0"
        check((fits & finite).all(), text)
        text = (
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
        check(chances.size > 0, text)
    text = "invalid multinomial distribution (encountering probability entry {})"
    check(fits.all(), text, "< 0")
    check(finite.all(), text, "= infinity or NaN")
    text = "invalid multinomial distribution (sum of probabilities <= 0)"
    check((chances.sum(-1) > 0).all(), text)
    if racing:
        empty = from_array(np.empty_like(chances, order=order_of(chances)))
        races = exponential_(empty, generator=generator)
        order = (-chances / races._array).argsort(-1, kind="stable")
        return from_array(order[..., :num_samples].copy())
    rows = chances.reshape(-1, chances.shape[-1])
    found = np.empty((len(rows), num_samples), np.int64)
    for place, row in enumerate(rows):
        total = row.cumsum()
        total /= total[-1]
        total[-1] = 1
        found[place] = total.searchsorted(source.uniforms(num_samples, True))
    return from_array(found.reshape(*chances.shape[:-1], num_samples))
