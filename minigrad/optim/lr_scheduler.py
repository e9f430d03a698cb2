"""Schedulers: they change the learning rate of an optimizer from epoch to epoch."""

from __future__ import annotations

import bisect
import collections
import functools
import math
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.optim.optimizer import Optimizer
from minigrad.outside import warn
from minigrad.tensor import Tensor
from minigrad.typename import NamedAsInTorch

TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
    "initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. "
    "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)


def own(value: Any) -> Any:
    """Return a copy of a tensor, or a number as it is."""
    return value.clone() if isinstance(value, Tensor) else value


def put(group: dict[str, Any], rate: Any) -> None:
    """Set a group's learning rate: a tensor stays the same one, and is filled."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(rate.squeeze() if isinstance(rate, Tensor) else rate)
    else:
        group["lr"] = rate


def per_group(optimizer: Optimizer, name: str, value: Any) -> list[Any]:
    """Return an option of all groups, or a list of one for each, as a list.

    Raises:
        ValueError: if it is not as long as the groups are many.
    """
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [own(value) for _ in range(groups)]
    if len(value) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has "
            f"{len(value)} values, param_groups has {groups}."
        )
    return list(map(own, value))


def check_anneal_strategy(strategy: str) -> None:
    """Refuse what is no way in which a learning rate goes to another."""
    if strategy not in ("cos", "linear"):
        raise ValueError(
            f"anneal_strategy must be one of 'cos' or 'linear', instead got {strategy}"
        )


class LRScheduler(NamedAsInTorch):
    """Base class of schedulers: a subclass says in `get_lr` what the learning rates are next.

    Args:
        optimizer: whose groups' ``"lr"`` is changed; they keep the first as ``"initial_lr"``.
        last_epoch: the number of the last epoch, to go on after it; -1 to begin.

    Raises:
        TypeError: if it is no Optimizer.
        KeyError: if a group has no ``"initial_lr"`` to go on from.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", own(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming "
                    "scheduler with last_epoch >= 0.\nThis typically happens when:\n1. You're "
                    "trying to resume training from a checkpoint but haven't properly loaded the "
                    "optimizer state\n2. You're using last_epoch >= 0 for a fresh training run "
                    "(not recommended)"
                )
        self.base_lrs = [own(group["initial_lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        watch_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        """Set the learning rates of the first epoch."""
        self._step_count = 0
        self._is_initial = True
        self._get_lr_called_within_step = False
        self.step()
        self._is_initial = False

    def get_lr(self) -> list[Any]:
        """Return the learning rates of the groups for the epoch `last_epoch`."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """Return the learning rates that were set last."""
        return self._last_lr

    def _get_closed_form_lr(self) -> list[Any]:
        """Return the learning rates of an epoch that does not follow the last one."""
        return self.get_lr()

    def step(self, epoch: int | None = None) -> None:
        """Set the learning rates of the next epoch; warns if the optimizer made no step before.

        It warns too if it cannot know, as the optimizer has another `step` by now. Another epoch
        than the next may be given; this is deprecated, and warns.
        """
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warn(OVERRIDDEN)
            elif not getattr(self.optimizer, "_opt_called", False):
                warn(TOO_EARLY)
        self._step_count += 1
        if epoch is not None:
            warn(EPOCH_DEPRECATION_WARNING)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        """Go to the next epoch, or to any one, and set its learning rates."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set(self.get_lr if epoch is None else self._get_closed_form_lr)

    def _set(self, rates_of: Callable[[], list[Any]]) -> None:
        """Give the groups the rates of `last_epoch`."""
        self._get_lr_called_within_step = True
        rates = rates_of()
        self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            put(group, rate)
        self._last_lr = self._rates()

    def _rates(self) -> list[Any]:
        return [own(group["lr"]) for group in self.optimizer.param_groups]

    def _warn_if_called_alone(self) -> None:
        if not self._get_lr_called_within_step:
            warn(
                "To get the last learning rate computed by the scheduler, please use "
                "`get_last_lr()`."
            )

    def state_dict(self) -> dict[str, Any]:
        """Return all there is but the optimizer."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        vars(self).update(state_dict)


class _LRScheduler(LRScheduler):
    """The base class by its old name."""


class StepLR(LRScheduler):
    """Multiplies the learning rate by `gamma` after every `step_size` epochs.

    >>> import minigrad as torch
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    >>> for epoch in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [1.0]
    [0.5]
    [0.5]
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return self._rates()
        return [rate * self.gamma for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        return [rate * self.gamma ** (self.last_epoch // self.step_size) for rate in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Multiplies the learning rate by `gamma` after every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        return self._rates() if self._is_initial else [rate * self.gamma for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        return [rate * self.gamma**self.last_epoch for rate in self.base_lrs]


class LambdaLR(LRScheduler):
    """Multiplies the first learning rate by a function of the number of the epoch.

    Args:
        lr_lambda: a function for all groups, or a list of one for each.

    Raises:
        ValueError: if the list is not as long as the groups are many.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        self.optimizer = optimizer
        groups = len(optimizer.param_groups)
        functions = list(lr_lambda) if isinstance(lr_lambda, Sequence) else [lr_lambda] * groups
        if len(functions) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(functions)}")
        self.lr_lambdas = functions
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        return [
            rate * function(self.last_epoch)
            for function, rate in zip(self.lr_lambdas, self.base_lrs, strict=True)
        ]

    def state_dict(self) -> dict[str, Any]:
        """Return all there is but the optimizer; of functions only what objects of classes keep."""
        state = super().state_dict()
        del state["lr_lambdas"]
        state["lr_lambdas"] = [
            None if isinstance(one, types.FunctionType) else vars(one).copy()
            for one in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        state = dict(state_dict)
        for function, kept in zip(self.lr_lambdas, state.pop("lr_lambdas"), strict=True):
            vars(function).update(kept or {})
        super().load_state_dict(state)


class MultiplicativeLR(LambdaLR):
    """Multiplies the learning rate by a function of the number of the epoch, after each.

    Args and errors are those of `LambdaLR`.
    """

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self._is_initial:
            return self._rates()
        pairs = zip(self.lr_lambdas, self._rates(), strict=True)
        return [rate * function(self.last_epoch) for function, rate in pairs]


class MultiStepLR(LRScheduler):
    """Multiplies the learning rate by `gamma` after each of some epochs, `milestones`."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = collections.Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self.last_epoch not in self.milestones:
            return self._rates()
        factor = self.gamma ** self.milestones[self.last_epoch]
        return [rate * factor for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        passed = sum(epoch <= self.last_epoch for epoch in self.milestones.elements())
        return [rate * self.gamma**passed for rate in self.base_lrs]


class ConstantLR(LRScheduler):
    """Multiplies the learning rate by `factor` for the first `total_iters` epochs.

    Raises:
        ValueError: if the factor is not between 0 and 1.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self._rates()]
        if self.last_epoch != self.total_iters:
            return self._rates()
        return [rate * (1.0 / self.factor) for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        over = self.last_epoch >= self.total_iters
        return [rate * (self.factor + over * (1 - self.factor)) for rate in self.base_lrs]


class LinearLR(LRScheduler):
    """Multiplies the first learning rate by a factor that grows evenly for `total_iters` epochs.

    Raises:
        ValueError: if the factors do not lie between 0 and 1.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self._rates()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        growth = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * growth
        return [rate * (1.0 + growth / before) for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        growth = self.end_factor - self.start_factor
        done = min(self.total_iters, self.last_epoch)
        return [
            rate * (self.start_factor + growth * done / self.total_iters) for rate in self.base_lrs
        ]


class PolynomialLR(LRScheduler):
    """Lets the learning rate fall to 0 in `total_iters` epochs, as a power of what is left."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        left = 1.0 - self.last_epoch / self.total_iters
        factor = (left / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power
        return [rate * factor for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [rate * left**self.power for rate in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Lets the learning rate fall to `eta_min` in `T_max` epochs, as half a period of a cosine.

    Source: https://arxiv.org/abs/1608.03983
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self._is_initial:
            return self._rates()
        least = self.eta_min
        if self._step_count == 1 and self.last_epoch > 0:
            return self._get_closed_form_lr()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            height = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(self.base_lrs, self._rates(), strict=True)
            return [rate + (base - least) * height for base, rate in pairs]
        now, before = [
            1 + math.cos(math.pi * epoch / self.T_max)
            for epoch in (self.last_epoch, self.last_epoch - 1)
        ]
        return [now / before * (rate - least) + least for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        least, height = self.eta_min, (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [least + (base - least) * height for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Lets the learning rate fall as half a period of a cosine, and begins anew again and again.

    Args:
        T_0: after how many epochs it begins anew for the first time.
        T_mult: by how much longer each time is than the one before.
        eta_min: what the learning rate falls to.

    Raises:
        ValueError: if these are no such numbers.

    Source: https://arxiv.org/abs/1608.03983
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0 = self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Set the learning rates of the next epoch, or of any one, which may be a fraction.

        Raises:
            ValueError: if `epoch` is negative.
        """
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0 if epoch is None else epoch
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self._begin(epoch)
        self.last_epoch = math.floor(epoch)
        self._set(self.get_lr)

    def _begin(self, epoch: float) -> None:
        """Work out which time an epoch is in, and how far."""
        self.T_i, self.T_cur = self.T_0, epoch
        if epoch < self.T_0:
            return
        if self.T_mult == 1:
            self.T_cur = epoch % self.T_0
            return
        number = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
        self.T_cur = epoch - self.T_0 * (self.T_mult**number - 1) / (self.T_mult - 1)
        self.T_i = self.T_0 * self.T_mult**number


class Cycling(LRScheduler):
    """What schedulers share that move the momentum against the learning rate.

    Of Adam and its like, the first of ``"betas"`` is the momentum.

    Raises:
        ValueError: if the optimizer knows neither.
    """

    def _take(self, optimizer: Optimizer) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer

    def _find_momentum(self, cycle_momentum: bool) -> None:
        """Note whether there is a momentum to move, and which of both it is."""
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if not {"momentum", "betas"} & set(self.optimizer.defaults):
                raise ValueError(
                    "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
                )
            self.use_beta1 = "betas" in self.optimizer.defaults

    def _begin_momentum(self, base: list[float], most: list[float]) -> None:
        """Let the groups begin with their greatest momentum, and keep both bounds."""
        for group, least, greatest in zip(self.optimizer.param_groups, base, most, strict=True):
            self._set_momentum(group, greatest)
            group["max_momentum"], group["base_momentum"] = greatest, least

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class OneCycleLR(Cycling):
    """Raises the learning rate to `max_lr` and lowers it far below the first, once in a training.

    It is stepped after every batch.

    Args:
        max_lr: the greatest learning rate, of all groups or a list of one for each.
        total_steps: how many steps there are; or else `epochs` and `steps_per_epoch`.
        pct_start: which part of them the learning rate rises.
        anneal_strategy: ``"cos"`` or ``"linear"``.
        cycle_momentum: whether the momentum goes from `max_momentum` to `base_momentum` meanwhile,
            and back.
        div_factor: by how much the first learning rate is smaller than the greatest.
        final_div_factor: by how much the last is smaller than the first.
        three_phase: fall as long as it rose, to the first, before it goes down to the last.

    Raises:
        ValueError: if an option is none of these, or a step is made after the last.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        self._take(optimizer)
        self.total_steps = counted_steps(total_steps, epochs, steps_per_epoch)
        self._schedule_phases = phases(self.total_steps, pct_start, three_phase)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        check_anneal_strategy(anneal_strategy)
        self._anneal_func_type = anneal_strategy
        greatest = per_group(optimizer, "max_lr", max_lr)
        self._find_momentum(cycle_momentum)
        most = per_group(optimizer, "max_momentum", max_momentum) if cycle_momentum else []
        base = per_group(optimizer, "base_momentum", base_momentum) if cycle_momentum else []
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, greatest, strict=True):
                group["initial_lr"], group["max_lr"] = rate / div_factor, rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
            if cycle_momentum:
                self._begin_momentum(base, most)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        number = 0
        while number < len(self._schedule_phases) - 1 and (
            self.last_epoch > self._schedule_phases[number]["end_step"]
        ):
            number += 1
        phase = self._schedule_phases[number]
        start = self._schedule_phases[number - 1]["end_step"] if number else 0.0
        part = (self.last_epoch - start) / (phase["end_step"] - start)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._between(*ends, part))
        return rates

    def _between(self, start: Any, end: Any, part: float) -> Any:
        """Return what lies after a part of the way, which is straight or half a cosine."""
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def counted_steps(total: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """Return how many steps a training has, by one of two ways to say it."""
    given = {"total_steps": total}
    if total is None:
        if epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    for name, value in given.items():
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return math.prod(given.values())


def phases(steps: int, rising: float, three: bool) -> list[dict[str, Any]]:
    """Return when the phases of one cycle end, and between which options of a group they lead."""
    up, down = ("max_momentum", "base_momentum"), ("base_momentum", "max_momentum")
    ways: list[tuple[Any, ...]] = [
        (float(rising * steps) - 1, "initial_lr", "max_lr", *up),
        (steps - 1, "max_lr", "min_lr", *down),
    ]
    if three:
        ways[1:] = [
            (float(2 * rising * steps) - 2, "max_lr", "initial_lr", *down),
            (steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
        ]
    names = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
    return [dict(zip(names, way, strict=True)) for way in ways]


class CyclicLR(Cycling):
    """Lets the learning rate go up and down between two bounds, again and again.

    It is stepped after every batch.

    Args:
        base_lr, max_lr: the bounds, of all groups or lists of one for each.
        step_size_up, step_size_down: how many steps it goes up, and down; as many, if left out.
        mode: ``"triangular"``; ``"triangular2"``, half as high in each cycle; ``"exp_range"``,
            lower by `gamma` in each step.
        scale_fn: a function that says how high instead, of the number of the cycle, or of the
            step if `scale_mode` is ``"iterations"``.
        cycle_momentum: whether the momentum goes down from `max_momentum` to `base_momentum` where
            the learning rate goes up.

    Raises:
        ValueError: if an option is none of these.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        self._take(optimizer)
        least = per_group(optimizer, "base_lr", base_lr)
        self.max_lrs = per_group(optimizer, "max_lr", max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        own = "iterations" if mode == "exp_range" else "cycle"
        self.scale_mode = scale_mode if scale_fn is not None else own
        self._find_momentum(cycle_momentum)
        if cycle_momentum:
            self.base_momentums = per_group(optimizer, "base_momentum", base_momentum)
            self.max_momentums = per_group(optimizer, "max_momentum", max_momentum)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, least, strict=True):
                put(group, rate)
            if cycle_momentum:
                self._begin_momentum(self.base_momentums, self.max_momentums)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = least

    def scale_fn(self, x: float) -> float:
        """Return how high the learning rate goes, of its whole way, in a cycle or a step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular2":
            return float(2.0 ** (1 - x))
        return float(self.gamma**x) if self.mode == "exp_range" else 1.0

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        part = 1.0 + self.last_epoch / self.total_size - cycle
        rising = part <= self.step_ratio
        height = part / self.step_ratio if rising else (part - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            bounds = zip(self.base_momentums, self.max_momentums, strict=True)
            for group, (least, most) in zip(self.optimizer.param_groups, bounds, strict=True):
                self._set_momentum(group, most - (most - least) * height * scale)
        return [
            least + (most - least) * height * scale
            for least, most in zip(self.base_lrs, self.max_lrs, strict=True)
        ]

    def state_dict(self) -> dict[str, Any]:
        """Return all there is but the optimizer; of a function only what an object keeps."""
        state = super().state_dict()
        function = state.pop("_scale_fn_custom")
        kept = function is None or isinstance(function, types.FunctionType)
        return state | {"_scale_fn_custom": None if kept else vars(function).copy()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        state = dict(state_dict)
        kept = state.pop("_scale_fn_custom")
        super().load_state_dict(state)
        if kept is not None:
            vars(self._scale_fn_custom).update(kept)


class ReduceLROnPlateau(LRScheduler):
    """Multiplies the learning rate by `factor` when a metric has not improved for a while.

    Args:
        mode: ``"min"`` or ``"max"``: in which direction the metric improves.
        patience: after how many epochs without improvement.
        threshold: by how much it has to improve, of its best value with `threshold_mode`
            ``"rel"``, or as it is with ``"abs"``.
        cooldown: how many epochs to wait after that.
        min_lr: the least learning rate, of all groups or a list of one for each.
        eps: a smaller change is not made.

    Raises:
        ValueError: for another mode, a factor that is not below 1, a wrong number of rates.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        groups = len(optimizer.param_groups)
        several = isinstance(min_lr, (list, tuple))
        if several and len(min_lr) != groups:
            raise ValueError(f"expected {groups} min_lrs, got {len(min_lr)}")
        # In PyTorch's order, which is that of the state.
        self.factor, self.optimizer = factor, optimizer
        self.default_min_lr = None if several else min_lr
        self.min_lrs = list(min_lr) if several else [min_lr] * groups
        self.patience, self.cooldown, self.eps, self.last_epoch = patience, cooldown, eps, 0
        self._last_lr = self._rates()
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Take note of the metric of an epoch, and lower the learning rates if it is time to."""
        current = float(metrics)
        if epoch is not None:
            warn(EPOCH_DEPRECATION_WARNING)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        improved = self.is_better(current, self.best)
        self.num_bad_epochs = 0 if improved else self.num_bad_epochs + 1
        if improved:
            self.best = current
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._rates()

    def _reduce(self) -> None:
        groups = len(self.optimizer.param_groups)
        if groups != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({groups}) differs from when "
                    f"`ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due to a "
                    "new param group being added to the optimizer. Please modify the `min_lrs` "
                    "field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * groups
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            before = float(group["lr"])
            rate = max(before * self.factor, least)
            if before - rate > self.eps:
                put(group, rate)

    def is_better(self, a: float, best: float) -> bool:
        """Return whether a metric is better than the best so far, by the threshold at least."""
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            return sign * a > sign * best * (1.0 + sign * self.threshold)
        return sign * a > sign * best + self.threshold


class Composed(LRScheduler):
    """What schedulers made of others share: those, and their state.

    Raises:
        ValueError: if there are none, for another optimizer's, and for `ReduceLROnPlateau`, which
            wants a metric at each step.
    """

    _nothing = "expects at least one scheduler, but got no scheduler."

    def _take(self, optimizer: Optimizer | None, schedulers: Sequence[Any]) -> None:
        """Take over schedulers, whose optimizer is that of the first unless it is given."""
        name = type(self).__name__
        if not schedulers:
            raise ValueError(f"{name} {self._nothing}")
        optimizer = optimizer or schedulers[0].optimizer
        for number, one in enumerate(schedulers):
            if not hasattr(one, "optimizer"):
                raise TypeError(
                    f"{name} at index {number} should have `optimizer` as its attribute."
                )
            if isinstance(one, ReduceLROnPlateau):
                raise ValueError(
                    f"{name} does not support `ReduceLROnPlateau` scheduler as it requires "
                    f"additional kwargs to be specified when calling `step`, but got one at index "
                    f"{number} in the given schedulers sequence."
                )
            if optimizer != one.optimizer:
                raise ValueError(
                    f"{name} expects all schedulers to belong to the same optimizer, but got "
                    f"scheduler {type(one).__name__} at index {number} has {one.optimizer}, which "
                    f"is different from {type(optimizer).__name__}."
                )
        self._schedulers = schedulers
        self.optimizer = optimizer

    def state_dict(self) -> dict[str, Any]:
        """Return all there is but the optimizer, and the states of the schedulers."""
        state = super().state_dict()
        del state["_schedulers"]
        return state | {"_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        state = dict(state_dict)
        for one, kept in zip(self._schedulers, state.pop("_schedulers"), strict=True):
            one.load_state_dict(kept)
        super().load_state_dict(state)


class SequentialLR(Composed):
    """Follows one scheduler after the other: the next from each epoch in `milestones` on.

    Raises:
        ValueError: as for all that are composed, and if milestones are not one fewer.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        last_epoch: int = -1,
    ) -> None:
        self._take(optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                f"the number of milestone points, but got number of schedulers {len(schedulers)} "
                f"and the number of milestones to be equal to {len(milestones)}"
            )
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            put(group, group["initial_lr"])
        undo_first_steps(schedulers)
        first = schedulers[bisect.bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """Let the scheduler whose turn it is set the learning rates of the next epoch."""
        self.last_epoch += 1
        place = bisect.bisect_right(self._milestones, self.last_epoch)
        now = self._schedulers[place]
        if place and self._milestones[place - 1] == self.last_epoch:
            now._update_lr(0)
        else:
            now.step()
        self._last_lr = now.get_last_lr()


def undo_first_steps(schedulers: Sequence[Any]) -> None:
    """Let schedulers, also those that others are composed of, begin anew."""
    for one in schedulers:
        if hasattr(one, "_schedulers"):
            undo_first_steps(one._schedulers)
        else:
            one.last_epoch -= 1


class ChainedScheduler(Composed):
    """Lets several schedulers change the learning rates, each what the one before has set."""

    _nothing = "expects at least one scheduler to be chained, but got no scheduler."

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        self._take(optimizer, schedulers)
        self._last_lr = self._rates()

    def step(self) -> None:  # type: ignore[override]
        """Let all of them set the learning rates of the next epoch."""
        for one in self._schedulers:
            one.step()
        self._last_lr = self._rates()


def watch_steps(optimizer: Any) -> None:
    """Let an optimizer note that it has made a step: a step after the first epoch's is late."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    step, reference = optimizer.step.__func__, weakref.ref(optimizer)

    @functools.wraps(step)
    def noted(*args: Any, **kwargs: Any) -> Any:
        watched: Any = reference()
        watched._opt_called = True
        return step(watched, *args, **kwargs)

    noted._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = noted
