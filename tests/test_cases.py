"""Programs of learners, from the data set to the trained model, print PyTorch's numbers."""

from __future__ import annotations

from typing import Any

import pytest


def test_a_net_learns_from_a_random_part(torch: Any) -> None:
    data = torch.utils.data
    torch.manual_seed(0)
    x = torch.randn(12, 3)
    whole = data.TensorDataset(x, (x.sum(1) > 0).float())
    rest, held = data.random_split(whole, [8, 4], generator=torch.Generator().manual_seed(5))
    assert (rest.indices, held.indices) == ([11, 0, 9, 6, 10, 3, 4, 5], [8, 7, 1, 2])
    data.random_split(whole, [0.75, 0.25])  # uses up random numbers
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    losses = []
    for _ in range(4):
        losses.append(0.0)
        for inputs, answers in data.DataLoader(rest, batch_size=3, shuffle=True, drop_last=True):
            optimizer.zero_grad()
            loss = torch.nn.BCEWithLogitsLoss()(net(inputs).squeeze(1), answers)
            loss.backward()
            optimizer.step()
            losses[-1] += loss.item() * len(answers)
    assert losses == pytest.approx([4.0317, 3.1426, 3.0206, 2.6091], abs=5e-5)


def test_a_distribution_is_fitted_by_its_likelihood(torch: Any) -> None:
    normal = torch.distributions.Normal
    torch.manual_seed(4)
    heights = normal(torch.tensor(3.0), torch.tensor(0.5)).sample((40,))
    center, spread = torch.zeros(1, requires_grad=True), torch.ones(1, requires_grad=True)
    optimizer = torch.optim.RMSprop([center, spread], lr=0.02, momentum=0.5)
    for _ in range(15):
        for part in torch.utils.data.DataLoader(heights, batch_size=16, shuffle=True):
            optimizer.zero_grad()
            (-normal(center, spread.abs()).log_prob(part).sum()).backward()
            optimizer.step()
    assert (center.item(), spread.item()) == pytest.approx((2.3758, 1.5050), abs=5e-5)


def test_words_of_different_length_are_padded_by_a_collate_function(torch: Any) -> None:
    def padded(items: list[Any]) -> Any:
        longest = max(map(len, items))
        pad = torch.nn.functional.pad
        return torch.stack([pad(item, (0, longest - len(item))) for item in items])

    words = torch.utils.data.Subset([torch.ones(n) for n in range(1, 6)], [2, 0, 1])
    loader = torch.utils.data.DataLoader(words, batch_size=2, collate_fn=padded)
    assert [batch.tolist() for batch in loader] == [[[1, 1, 1], [1, 0, 0]], [[1, 1]]]
