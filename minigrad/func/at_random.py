"""Random numbers within `vmap`: refused, the same for all slices, or different for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.func.batched import Vmap
from minigrad.func.slices import batched_in, in_slices, stacked_slices
from minigrad.functions import stack
from minigrad.ops.in_place import FILLING
from minigrad.overrides import TorchFunctionMode
from minigrad.random import get_rng_state, rand_like, randint_like, randn_like, set_rng_state
from minigrad.utils._pytree import tree_map

Call = Callable[..., Any]

REFUSED = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
)
SAME_FOR_BATCH = (
    "Vmap does not currently support same randomness with a batched tensor input. Please file an "
    "issue with functorch"
)
DIFFERENT_IN_PLACE = (
    "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear "
    "like same randomness. If this is necessary for your usage, please file an issue with "
    "functorch."
)
# Functions that draw: a tensor of a size, as another tensor, in place, by values, or a mask.
BY_SIZE = {"rand", "randn", "randint"}
LIKE = {"rand_like", "randn_like", "randint_like"}
BY_VALUES = {"normal", "bernoulli", "poisson", "multinomial"}
MASKS = {"dropout", "alpha_dropout", "feature_alpha_dropout"}
RANDOM = BY_SIZE | LIKE | FILLING | BY_VALUES | MASKS | {"randperm"}


def draws(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether a call draws: dropout does so only in training."""
    return name not in MASKS or bool(kwargs.get("training", args[2] if len(args) > 2 else True))


def at_random(vmap: Vmap, name: str, func: Call, args: Any, kwargs: Any) -> Any:
    """Return what a random function gives.

    Raises:
        RuntimeError: if the `vmap` refuses these, or cannot do what it is asked.
    """
    if vmap.randomness == "error":
        raise RuntimeError(REFUSED)
    if vmap.randomness == "same":
        return same(vmap, name, func, args, kwargs)
    return different(vmap, name, func, args, kwargs)


def same(vmap: Vmap, name: str, func: Call, args: Any, kwargs: Any) -> Any:
    """Draw once for all slices.

    Raises:
        RuntimeError: if what is drawn depends on slices.
    """
    if not batched_in(vmap, (args, kwargs)):
        return func(*args, **kwargs)
    if name in BY_VALUES:
        raise RuntimeError(SAME_FOR_BATCH)
    (first, named), *others = in_slices(vmap, (args, kwargs))
    if name in LIKE:
        return func(*first, **named)
    state = get_rng_state()
    results = [func(*first, **named)]
    for rest, named in others:
        set_rng_state(state)
        results.append(func(*rest, **named))
    return args[0] if name in FILLING else stacked_slices(vmap, results)


def different(vmap: Vmap, name: str, func: Call, args: Any, kwargs: Any) -> Any:
    """Draw for all slices at once, as many as these have together.

    Raises:
        RuntimeError: if a tensor is to be filled that is the same for all.
    """
    if name in FILLING:
        filled = next(iter((*args, *kwargs.values())))
        if not vmap.has(filled):
            raise RuntimeError(DIFFERENT_IN_PLACE)
        func(filled.batch, *args[1:], **kwargs)
        return filled
    if name == "randperm":
        return vmap.of(stack([func(*args, **kwargs) for _ in range(vmap.size)]))
    if name in BY_SIZE or (name == "normal" and not batched_in(vmap, (args, kwargs))):
        return vmap.of(of_size(vmap, name, func, args, kwargs))
    first, *rest = tree_map(lambda one: one.batch if vmap.has(one) else one, args)
    if not vmap.has(args[0]):
        first = vmap.batch_of(first).contiguous()
    return vmap.of(func(first, *rest, **kwargs))


def of_size(vmap: Vmap, name: str, func: Call, args: Any, kwargs: Any) -> Any:
    """Return a tensor as a function makes one, with a further dimension in front."""
    state = get_rng_state()
    like = func(*args, **kwargs)
    set_rng_state(state)
    every = vmap.batch_of(like).contiguous()
    if name == "randint":
        bounds = [one for one in args if isinstance(one, int)]
        bounds += [kwargs[key] for key in ("low", "high") if key in kwargs]
        return randint_like(every, *bounds)
    if name == "normal":
        mean, std = [kwargs.get(key, one) for key, one in zip(("mean", "std"), args, strict=False)]
        return every.normal_(mean, std)
    return (rand_like if name == "rand" else randn_like)(every)


class Refusing(TorchFunctionMode):
    """Refuses random functions in its ``with`` block."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if func.__name__ in RANDOM and draws(func.__name__, args, kwargs):
            raise RuntimeError(REFUSED)
        return func(*args, **kwargs)


def check_randomness(randomness: str) -> None:
    """Refuse what does not say how random functions are to draw."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )
