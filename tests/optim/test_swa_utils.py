"""Averages of a network's parameters, and the learning rate that goes with them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import minigrad as torch
from minigrad.optim.swa_utils import SWALR, AveragedModel, get_ema_avg_fn, update_bn


def network(weight: float) -> Any:
    """Return a network that multiplies by a weight."""
    net = torch.nn.Linear(1, 1, bias=False)
    net.weight.data.fill_(weight)
    return net


def test_an_average_weighs_all_equally_or_the_last_ones_more() -> None:
    equal = AveragedModel(network(0.0))
    latest = AveragedModel(network(0.0), avg_fn=get_ema_avg_fn(0.5))
    for weight in (1.0, 3.0, 8.0):
        for averages in (equal, latest):
            averages.update_parameters(network(weight))
    assert equal.module.weight.item() == 4.0
    assert latest.module.weight.item() == 5.0


def test_averages_are_kept_apart_from_the_network() -> None:
    net = network(2.0)
    averages = AveragedModel(net)
    averages.update_parameters(net)
    net.weight.data.fill_(7.0)
    assert averages(torch.ones(1)).item() == 2.0


def test_averages_are_copied_pickled_and_loaded() -> None:
    averages = AveragedModel(network(2.0))
    averages.update_parameters(network(3.0))
    loaded = AveragedModel(network(0.0))
    loaded.load_state_dict(averages.state_dict())
    for one in (copy.deepcopy(averages), pickle.loads(pickle.dumps(averages)), loaded):
        one.update_parameters(network(5.0))
        assert one.module.weight.item() == 4.0
        assert one.n_averaged.item() == 2


def test_batch_norms_see_the_data_again() -> None:
    net = torch.nn.Sequential(torch.nn.BatchNorm1d(1))
    net(torch.full((2, 1), 100.0))
    update_bn([torch.tensor([[1.0], [3.0]]), torch.tensor([[3.0], [5.0]])], net.eval())
    assert net[0].running_mean.item() == 3.0
    assert net[0].momentum == 0.1
    assert not net.training


def test_the_learning_rate_goes_to_another_and_stays() -> None:
    optimizer = torch.optim.SGD(network(1.0).parameters(), lr=1.0)
    scheduler = SWALR(optimizer, 0.5, anneal_epochs=2, anneal_strategy="linear")
    rates = []
    for _ in range(3):
        optimizer.step()
        scheduler.step()
        rates += scheduler.get_last_lr()
    assert rates == [0.75, 0.5, 0.5]
