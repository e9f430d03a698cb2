"""torch.optim.lr_scheduler: learning rates that change from epoch to epoch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.optim.optimizers import Optimizer


class LRScheduler:
    """Sets the learning rate of each group of parameters when `step` is called."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self.optimizer, self.last_epoch = optimizer, last_epoch
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def next_rate(self, rate: float, first: float) -> float:
        """The rate in this epoch, given that of the epoch before and the first."""
        raise NotImplementedError

    def get_lr(self) -> list[float]:
        groups = zip(self.optimizer.param_groups, self.base_lrs)
        return [self.next_rate(group["lr"], first) for group, first in groups]

    def get_last_lr(self) -> list[float]:
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._last_lr = self.get_lr()
        for group, rate in zip(self.optimizer.param_groups, self._last_lr):
            group["lr"] = rate

    def state_dict(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.__dict__.update(state_dict)


class LambdaLR(LRScheduler):
    """The first rate times a function of the epoch."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        many = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = lr_lambda if many else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [f(self.last_epoch) * first for f, first in zip(self.lr_lambdas, self.base_lrs)]


class StepLR(LRScheduler):
    """Times gamma, every so many epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def next_rate(self, rate: float, first: float) -> float:
        due = self.last_epoch and self.last_epoch % self.step_size == 0
        return rate * self.gamma if due else rate


class MultiStepLR(LRScheduler):
    """Times gamma, in some epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def next_rate(self, rate: float, first: float) -> float:
        return rate * self.gamma ** self.milestones.count(self.last_epoch)


class ExponentialLR(StepLR):
    """Times gamma, every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        super().__init__(optimizer, 1, gamma, last_epoch)


class CosineAnnealingLR(LRScheduler):
    """Down to a least rate (and up again) along a cosine."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def next_rate(self, rate: float, first: float) -> float:
        now, turn = self.last_epoch, math.pi / self.T_max
        if now == 0:
            return rate
        if (now - 1 - self.T_max) % (2 * self.T_max) == 0:
            return rate + (first - self.eta_min) * (1 - math.cos(turn)) / 2
        part = (1 + math.cos(turn * now)) / (1 + math.cos(turn * (now - 1)))
        return part * (rate - self.eta_min) + self.eta_min


class ReduceLROnPlateau(LRScheduler):
    """Times a factor, when what is measured has not become better for some epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0.0,
        eps: float = 1e-8,
    ) -> None:
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.relative = threshold, threshold_mode == "rel"
        self.cooldown, self.min_lr, self.eps = cooldown, min_lr, eps
        self.best = math.inf if mode == "min" else -math.inf
        self.last_epoch = self.num_bad_epochs = self.cooldown_counter = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def is_better(self, now: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        margin = self.threshold * (abs(self.best) if self.relative else 1)
        return sign * now > sign * self.best + (margin if math.isfinite(self.best) else 0)

    def step(self, metrics: Any, epoch: int | None = None) -> None:
        now = float(metrics)
        self.last_epoch += 1
        if self.is_better(now):
            self.best, self.num_bad_epochs = now, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        if self.num_bad_epochs > self.patience:
            for group in self.optimizer.param_groups:
                lower = max(group["lr"] * self.factor, self.min_lr)
                group["lr"] = lower if group["lr"] - lower > self.eps else group["lr"]
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


_LRScheduler: Callable = LRScheduler
