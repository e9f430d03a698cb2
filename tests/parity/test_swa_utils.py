"""Averages of parameters over training, and their learning rate, are PyTorch's."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_averages_of_a_network() -> None:
    agree_in_print(
        """
        U = optim.swa_utils
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
                self.wide = nn.Parameter(torch.ones(2, dtype=torch.float64))
                self.whole = nn.Parameter(torch.tensor([4, 5]), requires_grad=False)
            def forward(self, x):
                return self.layers(x) * self.wide
        half = lambda average, now, count: (average + now) / 2
        for options in ({}, {"avg_fn": U.get_ema_avg_fn(0.9)}, {"avg_fn": U.get_swa_avg_fn()},
                        {"avg_fn": half}, {"multi_avg_fn": U.get_ema_multi_avg_fn(0.5)}):
            for use_buffers in (False, True):
                torch.manual_seed(0)
                net = Net()
                averages = U.AveragedModel(net, use_buffers=use_buffers, **options)
                for step in range(3):
                    net(torch.rand(4, 2))
                    with torch.no_grad():
                        for parameter in net.parameters():
                            parameter.add_(step)
                    averages.update_parameters(net)
                print(averages.state_dict())
                output = averages.eval()(torch.ones(2, 2))
                print(output.grad_fn.name(), [p.grad for p in averages.parameters()])
        print(averages, averages.module is net)
        torch.manual_seed(0)
        net = nn.Linear(2, 1)
        averages = U.AveragedModel(net, "cpu", multi_avg_fn=U.get_swa_multi_avg_fn())
        for step in range(4):
            net.weight.data.add_(0.1)
            averages.update_parameters(net)
        print(averages.state_dict(), averages.n_averaged)
        attempt(lambda: U.AveragedModel(net, avg_fn=half, multi_avg_fn=half))
        for decay in (-0.1, 1.1):
            attempt(lambda: U.get_ema_avg_fn(decay))
            attempt(lambda: U.get_ema_multi_avg_fn(decay))
        """
    )


def test_batch_norms_see_the_data_again() -> None:
    agree_in_print(
        """
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3, momentum=0.3), nn.Dropout(0.1))
        batches = [torch.rand(4, 2) for _ in range(3)]
        for loader in (batches, [(one, 1) for one in batches], [[one] for one in batches]):
            net(torch.rand(4, 2))
            net.eval()
            optim.swa_utils.update_bn(loader, net, "cpu")
            print(net[1].state_dict(), net[1].momentum, net.training, net[1].training)
        print(optim.swa_utils.update_bn([1], nn.Linear(1, 1)))
        """
    )


def test_the_learning_rate_goes_to_another_and_stays() -> None:
    agree_in_print(
        """
        SWALR, S = optim.swa_utils.SWALR, optim.lr_scheduler
        def optimizer(lr=1.0):
            groups = [{"params": [nn.Parameter(torch.ones(1))]},
                      {"params": [nn.Parameter(torch.ones(1))], "lr": 0.5}]
            return optim.SGD(groups, lr=lr)
        for options in ({}, {"anneal_epochs": 3}, {"anneal_epochs": 0}, {"swa_lr": [0.1, 0.2]},
                        {"anneal_epochs": 2, "anneal_strategy": "linear"}):
            for lr in (1.0, torch.tensor(1.0)):
                o = optimizer(lr)
                s = SWALR(o, **{"swa_lr": 0.05, **options})
                for epoch in range(5):
                    o.step()
                    s.step()
                    print(s.get_last_lr())
                state = s.state_dict()
                print(state, {k: v for k, v in o.param_groups[1].items() if k != "params"})
                other = SWALR(optimizer(), 0.3)
                other.load_state_dict(state)
                print(other.state_dict() == state, other.anneal_func(0.25))
        o = optimizer()
        first, then = S.ExponentialLR(o, 0.5), SWALR(o, 0.01, anneal_epochs=2)
        for epoch in range(4):
            o.step()
            (first if epoch < 2 else then).step()
            print([group["lr"] for group in o.param_groups])
        then.get_lr()
        for options in ({"swa_lr": [0.1]}, {"anneal_strategy": "other"}, {"anneal_epochs": -1},
                        {"anneal_epochs": 1.5}):
            attempt(lambda: SWALR(optimizer(), **{"swa_lr": 0.05, **options}))
        """
    )
