"""Averages of a network's parameters over training, and the learning rate that goes with them."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any

from minigrad.autograd.grad_mode import no_grad
from minigrad.creation import tensor
from minigrad.dtypes import dtype, int64
from minigrad.nn.modules.batchnorm import _BatchNorm
from minigrad.nn.modules.module import Module
from minigrad.optim.lr_scheduler import LRScheduler, check_anneal_strategy, per_group
from minigrad.optim.optimizer import Optimizer
from minigrad.tensor import Tensor

# Of one parameter: its average, what it is now, and how many were averaged; returns the next.
Average = Callable[[Tensor, Tensor, Any], Tensor]
# Of several at once, whose averages it changes.
MultiAverage = Callable[[list[Tensor], list[Tensor], Any], None]


def checked_decay(decay: float) -> float:
    """Return how much of an average is kept.

    Raises:
        ValueError: if it is not between 0 and 1.
    """
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )
    return decay


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Return a function that keeps this much of an average, and takes the rest from a parameter.

    Raises:
        ValueError: if `decay` is not between 0 and 1.
    """
    checked_decay(decay)

    @no_grad()
    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Average:
    """Return a function that averages a parameter with all that was averaged, equally weighted."""

    @no_grad()
    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> MultiAverage:
    """Return what does for several parameters, in place, as `get_ema_avg_fn` says.

    Raises:
        ValueError: if `decay` is not between 0 and 1.
    """
    checked_decay(decay)

    @no_grad()
    def ema_update(ema_param_list: Any, current_param_list: Any, num_averaged: Any) -> None:
        for average, current in zip(ema_param_list, current_param_list, strict=True):
            if average.is_floating_point():
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> MultiAverage:
    """Return what does for several parameters, in place, as `get_swa_avg_fn` says."""

    @no_grad()
    def swa_update(averaged_param_list: Any, current_param_list: Any, num_averaged: Any) -> None:
        for average, current in zip(averaged_param_list, current_param_list, strict=True):
            average.lerp_(current, float(1 / (num_averaged + 1)))

    return swa_update


class AveragedModel(Module):
    """A copy of a network, whose parameters are the averages of the network's.

    Args:
        model: the network.
        device: where the averages are, which is the cpu.
        avg_fn: how a parameter is averaged; equally weighted if there is none.
        multi_avg_fn: how several are at once, those of each dtype; in place of `avg_fn`.
        use_buffers: average buffers, too, which are copied otherwise.

    Attributes:
        module: the copy.
        n_averaged: a buffer, how often it was updated.

    Raises:
        AssertionError: if there are both functions.

    Source: https://arxiv.org/abs/1803.05407

    >>> import minigrad as torch
    >>> net = torch.nn.Linear(1, 1, bias=False)
    >>> averages = torch.optim.swa_utils.AveragedModel(net)
    >>> for weight in (1.0, 2.0, 6.0):
    ...     _ = net.weight.data.fill_(weight)
    ...     averages.update_parameters(net)
    >>> averages(torch.ones(1))
    tensor([3.], grad_fn=<SqueezeBackward4>)
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: MultiAverage | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", tensor(0, dtype=int64, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Average the parameters with those that the network has now; the first are copied."""
        pairs = [
            (average.detach(), current.detach())
            for average, current in zip(self._averaged(self.module), self._averaged(model))  # noqa: B905
        ]
        if self.n_averaged == 0:
            for average, current in pairs:
                average.copy_(current)
        elif self.multi_avg_fn is not None:
            groups: dict[dtype, tuple[list[Tensor], list[Tensor]]] = {}
            for pair in pairs:
                for group, one in zip(
                    groups.setdefault(pair[0].dtype, ([], [])), pair, strict=True
                ):
                    group.append(one)
            for averages, now in groups.values():
                self.multi_avg_fn(averages, now, self.n_averaged)
        else:
            next_average = self.avg_fn or get_swa_avg_fn()
            for average, current in pairs:
                average.copy_(next_average(average, current, self.n_averaged))
        if not self.use_buffers:
            for kept, buffer in zip(self.module.buffers(), model.buffers(), strict=True):
                kept.detach().copy_(buffer.detach())
        self.n_averaged += 1

    def _averaged(self, model: Module) -> Iterable[Tensor]:
        buffers = model.buffers() if self.use_buffers else ()
        return itertools.chain(model.parameters(), buffers)


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Let the batch norms of a network see data, from the beginning and all batches alike.

    Args:
        loader: gives the batches, or lists and tuples that begin with them.
        model: the network, which computes in training mode, and is left in its own.
        device: where the batches are put first.
    """
    momenta = {one: one.momentum for one in model.modules() if isinstance(one, _BatchNorm)}
    if not momenta:
        return
    was_training = model.training
    model.train()
    for norm in momenta:
        norm.reset_running_stats()
        norm.momentum = None
    for batch in loader:
        first = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(first if device is None else first.to(device))
    for norm, momentum in momenta.items():
        norm.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Lets the learning rate go to another, `swa_lr`, and stay there.

    Args:
        swa_lr: of all groups, or a list of one for each.
        anneal_epochs: in how many epochs it goes there.
        anneal_strategy: ``"cos"`` or ``"linear"``.

    Raises:
        ValueError: for another strategy, wrong epochs, or a wrong number of rates.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        rates = per_group(optimizer, "swa_lr", swa_lr)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["swa_lr"] = rate
        check_anneal_strategy(anneal_strategy)
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t: float) -> float:
        """Return how much of the way is done after a part of the epochs."""
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self) -> list[Any]:
        self._warn_if_called_alone()
        step = self._step_count - 1
        if not self.anneal_epochs:
            step = max(1, step)
        before, now = (
            self.anneal_func(max(0, min(1, number / max(1, self.anneal_epochs))))
            for number in (step - 1, step)
        )
        rates = []
        for group in self.optimizer.param_groups:
            aim = group["swa_lr"]
            # Where it came from, as the way there is known, unless it is at its end.
            start = aim if before == 1 else (group["lr"] - before * aim) / (1 - before)
            rates.append(aim * now + start * (1 - now))
        return rates
