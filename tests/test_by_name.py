"""What packages name of PyTorch, and minigrad does without: compilers, futures, other processes."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad as torch


def test_what_is_compiled_comes_back_as_it_is() -> None:
    net = torch.nn.Linear(1, 1)
    given: Any
    for given in (net, torch.sin, lambda x: x):
        assert torch.compile(given) is torch.compile(given, backend="eager") is given
        assert torch.compile(mode="reduce-overhead")(given) is given
        assert torch.compiler.disable(given) is torch.compiler.disable()(given) is given
        assert torch.jit.ignore(given) is torch.jit.ignore(drop=True)(given) is given
        assert torch.jit.unused(given) is torch.jit.export(given) is given
        with pytest.warns(DeprecationWarning, match="`torch.jit.script` is deprecated"):
            assert torch.jit.script(given) is given


def test_what_is_not_there_cannot_be_made() -> None:
    assert not isinstance(torch.nn.Linear(1, 1), torch.jit.ScriptModule)
    with pytest.raises(NotImplementedError, match="minigrad compiles nothing"):
        torch.jit.ScriptModule()
    assert not isinstance(torch.ones(1), torch.futures.Future[torch.Tensor].__origin__)
    for wrong in (torch.futures.Future, torch.Future, lambda: torch.futures.collect_all([])):
        with pytest.raises(NotImplementedError, match="minigrad has no futures"):
            wrong()


def test_networks_that_are_not_there_can_be_asked_for() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.BatchNorm1d(1))
    for name in ("Conv2d", "RNNBase", "MultiheadAttention", "BatchNorm2d"):
        kind = getattr(torch.nn, name)
        assert kind is getattr(torch.nn, name)
        assert not any(isinstance(module, kind) for module in net.modules())
        with pytest.raises(NotImplementedError, match=f"^minigrad has no torch.nn.{name}$"):
            kind(1, 1, kernel_size=3)
    with pytest.raises(NotImplementedError, match="minigrad computes on one device"):
        torch.nn.parallel.scatter_gather.scatter(torch.ones(2), [0, 1])
    with pytest.raises(NotImplementedError, match="minigrad has no data loaders"):
        torch.utils.data.DataLoader([1, 2], batch_size=2)
    with pytest.raises(AttributeError, match=r"module 'torch.nn' has no attribute 'Conv4d'"):
        torch.nn.Conv4d  # noqa: B018
    with pytest.raises(
        AttributeError, match=r"^module 'torch.utils' has no attribute 'benchmark'$"
    ):
        torch.utils.benchmark  # noqa: B018
    near = r"^module 'torch.utils.data' has no attribute 'Dataloader'. Near it: DataLoader.$"
    with pytest.raises(AttributeError, match=near):
        torch.utils.data.Dataloader  # noqa: B018
