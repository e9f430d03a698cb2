"""Functions of two tensors, and of angles: which dtypes they take, and what comes of them."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_distances_and_steps_of_every_pair_of_dtypes() -> None:
    agree_in_print(
        """
        whole = torch.tensor([1, 2, 4])
        real = whole.float()
        flags = real > 1
        for one in (whole, real, real.half(), flags):
            for other in (whole, real.flip(0), flags, torch.ones(2, dtype=one.dtype)):
                for function in (torch.dist, torch.heaviside, torch.linalg.cross):
                    attempt(lambda: function(one, other))
        x = real.half().requires_grad_()
        torch.dist(x, real * 2).backward()
        print(x.grad)
        steps = torch.tensor([float("nan"), 0.0, -0.0, -1.0, 3.0])
        print(torch.heaviside(steps, torch.tensor([1.0, 2.0, float("nan"), 4.0, 5.0])))
        """
    )


def test_degrees_are_rounded_once() -> None:
    agree_in_print(
        """
        x = torch.tensor([-2.5, 0.3, 1e-3, 7.77, 123.456])
        for one in (x, x.half(), x.double(), torch.tensor([3, 90]), torch.tensor([True])):
            print(torch.rad2deg(one).tolist(), torch.deg2rad(one).tolist())
        print(torch.erfinv(torch.tensor([-0.0, 0.0])))
        """
    )


def test_means_without_nan_are_of_floating_point() -> None:
    agree_in_print(
        """
        x = torch.tensor([1.0, float("nan"), 3.0])
        attempt(lambda: torch.nanmean(x, dtype=torch.float64))
        attempt(lambda: torch.nanmean(x, dtype=torch.int32))
        attempt(lambda: torch.nanmean(torch.tensor([1, 2])))
        attempt(lambda: torch.nanmean(torch.tensor([True]), dtype=torch.float32))
        """
    )


def test_a_power_of_flags_stays_one() -> None:
    agree_in_print(
        """
        flags = torch.tensor([True, False])
        attempt(lambda: flags**True)
        attempt(lambda: torch.pow(flags, 2))
        attempt(lambda: flags**flags)
        """
    )


def test_einsum_takes_lists_of_subscripts() -> None:
    agree_in_print(
        """
        A, v = torch.arange(6.0).view(2, 3), torch.tensor([1.0, 2.0])
        A.requires_grad_()
        for arguments in (
            (A, [0, 1], [1, 0]), (A, [0, 1]), (A, [0, 1], v, [0], [1]), (A, (27, 1), (1,)),
            (A, [..., 1], [...]), (A, [0, 52], [0]), (A, [-1, 0]), (A, [0]), (A,),
            (A, [0, 1], v, [0]),
        ):
            attempt(lambda: torch.einsum(*arguments))
        attempt(lambda: torch.tensordot(A, A, ([0, 1], [1])))
        """
    )
