"""torch.optim.lr_scheduler: learning rates that change from epoch to epoch.

https://docs.pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate
"""

from __future__ import annotations

import math
from typing import Any

from minigrad.missing import module_hooks
from minigrad.optim.base import Optimizer
from minigrad.warn import warn

TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)


class LRScheduler:
    """Sets the learning rate of each parameter group when `step` is called, once per epoch.

    Args:
        optimizer: the optimizer; each of its groups keeps its first rate as ``"initial_lr"``.
        last_epoch: the epoch after which to resume, or -1 to start.

    A subclass overrides `get_lr`, which returns the rates for epoch `last_epoch`, or `_next_lr`.

    Raises KeyError if there is no rate to resume from.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self.optimizer, self.last_epoch, self._step_count = optimizer, last_epoch, 0
        for group in optimizer.param_groups if last_epoch == -1 else ():
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        # Only the base class's own `step` tells that it was called.
        optimizer._opt_called = optimizer._opt_called or type(optimizer).step is not Optimizer.step
        self.step()

    def get_lr(self) -> list[Any]:
        """The rates for epoch `last_epoch`. Only `step` should call it; see `get_last_lr`."""
        rates = self.get_last_lr()
        return list(map(self._next_lr, rates, self.base_lrs)) if self.last_epoch else rates

    def _next_lr(self, lr: Any, base: Any) -> Any:
        """The rate for epoch `last_epoch`, from the rate before it and the first rate."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last, one for each group."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def step(self) -> None:
        """Set the rates for the next epoch."""
        if self._step_count == 1 and not self.optimizer._opt_called:
            warn(TOO_EARLY)
        self._step_count += 1
        self.last_epoch += 1
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = rate

    def state_dict(self) -> dict[str, Any]:
        """What the schedule has reached, as a dict to be saved. The optimizer keeps the rates."""
        return {name: value for name, value in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        vars(self).update(state_dict)


class StepLR(LRScheduler):
    """Multiplies the learning rate by `gamma` every `step_size` epochs.

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
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _next_lr(self, lr: Any, base: Any) -> Any:
        return lr if self.last_epoch % self.step_size else lr * self.gamma


class CosineAnnealingLR(LRScheduler):
    """Lowers the learning rate to `eta_min` in `T_max` epochs, along half a period of a cosine.

    After that it rises again the same way. https://arxiv.org/abs/1608.03983 (without restarts).
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _next_lr(self, lr: Any, base: Any) -> Any:
        height = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return self.eta_min + (base - self.eta_min) * height


class ReduceLROnPlateau(LRScheduler):
    """Multiplies the learning rate by `factor` when a metric has stopped improving.

    Args:
        mode: ``"min"`` or ``"max"``, the direction in which the metric improves.
        patience: the number of epochs without improvement that are tolerated.
        threshold: the least improvement that counts, relative to the best value so far.
        min_lr: the lowest rate.

    Raises ValueError if `factor` isn't below 1, or for another mode.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        *,
        min_lr: float = 0,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.min_lr = threshold, min_lr
        self.best = math.inf if mode == "min" else -math.inf
        self.last_epoch = self.num_bad_epochs = 0

    def step(self, metrics: Any) -> None:  # type: ignore[override]
        """Note the metric of an epoch, and reduce the rates if it's time to."""
        current, sign = float(metrics), 1 if self.mode == "max" else -1
        self.last_epoch += 1
        self.num_bad_epochs += 1
        if sign * current > sign * self.best * (1.0 + sign * self.threshold):
            self.best, self.num_bad_epochs = current, 0
        if self.num_bad_epochs > self.patience:
            for group in self.optimizer.param_groups:
                lr = max(group["lr"] * self.factor, self.min_lr)
                if group["lr"] - lr > 1e-8:  # PyTorch ignores smaller reductions, too
                    group["lr"] = lr
            self.num_bad_epochs = 0


__all__ = [name for name in globals() if name.endswith(("LR", "Plateau"))] + ["LRScheduler"]
__dir__, __getattr__ = module_hooks(__name__, __all__)
