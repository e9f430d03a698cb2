"""AdamW: Adam that keeps the decay of weights apart from their gradients."""

from __future__ import annotations

from typing import Any

from minigrad.optim.adam import Adam
from minigrad.optim.optimizer import Parameters


class AdamW(Adam):
    """Adam that takes a part of the parameter away in each step, apart from its gradient.

    Args and errors are those of `Adam`; `weight_decay` is 0.01 unless given.

    Source: https://arxiv.org/abs/1711.05101
    """

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
