"""torch.optim: gradient descent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.modes import enable_grad, no_grad
from minigrad.tensor import Tensor, from_array


class Optimizer:
    """Changes parameters by their gradients."""

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {params.type()}"
            )
        self.defaults, self.state = defaults, defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, group: dict[str, Any]) -> None:
        params = group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        for one in params:
            if not isinstance(one, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    f"{type(one).__name__}"
                )
            if not one.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        self.param_groups.append({**self.defaults, **group, "params": params})

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for one in group["params"]:
                if not set_to_none and one._grad is not None:
                    one._grad.detach_().zero_()
                else:
                    one._grad = None

    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for one in group["params"]:
                    if (grad := one._grad) is not None:
                        self.update(one, grad._array, group, self.state)
                        one._stamp()
        return loss

    def update(self, param: Tensor, grad: np.ndarray, group: dict, state: Any) -> None:
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        order = [one for group in self.param_groups for one in group["params"]]
        number = {id(one): i for i, one in enumerate(order)}
        groups = [{**g, "params": [number[id(p)] for p in g["params"]]} for g in self.param_groups]
        return {
            "state": {number[id(p)]: dict(s) for p, s in self.state.items()},
            "param_groups": groups,
        }

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        order = [one for group in self.param_groups for one in group["params"]]
        self.state = defaultdict(dict, {order[i]: dict(s) for i, s in saved["state"].items()})
        for group, given in zip(self.param_groups, saved["param_groups"]):
            group.update({k: v for k, v in given.items() if k != "params"})

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {k}: {group[k]}\n" for k in sorted(group) if k != "params")
        return text + ")"


def check_rates(**values: float) -> None:
    titles = {
        "lr": "learning rate",
        "momentum": "momentum value",
        "weight_decay": "weight_decay value",
        "eps": "epsilon value",
    }
    for name, value in values.items():
        if not value >= 0:
            raise ValueError(f"Invalid {titles[name]}: {value}")


UNUSED = dict(foreach=None, differentiable=False)  # settings that change nothing here


def buffer_of(state: dict, name: str, like: np.ndarray) -> np.ndarray:
    """The memory of a tensor that an optimizer keeps for a parameter: zeros at first."""
    if name not in state:
        state[name] = from_array(np.zeros_like(like))
    return state[name]._array


def count_step(state: dict) -> int:
    state.setdefault("step", from_array(np.zeros((), "f4")))._array[...] += 1
    return int(state["step"])


def directed(param: Tensor, grad: np.ndarray, group: dict) -> np.ndarray:
    """The gradient to go against: with the decay of weights, and turned round to maximize."""
    grad = -grad if group["maximize"] else grad
    decay = group["weight_decay"]
    return grad + decay * param._array if decay else grad


class SGD(Optimizer):
    """Steps against the gradient, or along a momentum gathered from it."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        **unused: Any,
    ) -> None:
        check_rates(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        given = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay)
        given.update(nesterov=nesterov, maximize=maximize, **UNUSED, fused=None)
        super().__init__(params, given | unused)

    def update(self, param: Tensor, grad: np.ndarray, group: dict, state: Any) -> None:
        if group["maximize"] or group["weight_decay"]:
            grad = directed(param, grad, group)
        if momentum := group["momentum"]:
            mine = state[param]
            if "momentum_buffer" not in mine:
                mine["momentum_buffer"] = from_array(grad.copy())
            else:
                buffer = mine["momentum_buffer"]._array
                buffer *= momentum
                buffer += (1 - group["dampening"]) * grad
            buffer = mine["momentum_buffer"]._array
            grad = grad + momentum * buffer if group["nesterov"] else buffer
        param._array -= group["lr"] * grad


class Adam(Optimizer):
    """Steps by running means of the gradient and of its square."""

    decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        **unused: Any,
    ) -> None:
        check_rates(lr=lr, eps=eps)
        for i, beta in enumerate(betas):
            if not 0 <= beta < 1:
                raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
        check_rates(weight_decay=weight_decay)
        given = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
        given.update(maximize=maximize, decoupled_weight_decay=self.decoupled)
        super().__init__(params, given | UNUSED | dict(capturable=False, fused=None) | unused)

    def update(self, param: Tensor, grad: np.ndarray, group: dict, state: Any) -> None:
        mine, (beta1, beta2), array = state[param], group["betas"], param._array
        if self.decoupled:
            array *= 1 - group["lr"] * group["weight_decay"]
            grad = -grad if group["maximize"] else grad
        else:
            grad = directed(param, grad, group)
        step = count_step(mine)
        mean, square = (buffer_of(mine, name, array) for name in ("exp_avg", "exp_avg_sq"))
        mean += (grad - mean) * (1 - beta1)
        square *= beta2
        square += (1 - beta2) * grad * grad
        if group["amsgrad"]:
            most = buffer_of(mine, "max_exp_avg_sq", array)
            square = np.maximum(most, square, out=most)
        root = np.sqrt(square) / (1 - beta2**step) ** 0.5 + group["eps"]
        array -= group["lr"] / (1 - beta1**step) * mean / root


class AdamW(Adam):
    """Adam whose weight decay is apart from the gradient."""

    decoupled = True

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **others: Any,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **others)


class RMSprop(Optimizer):
    """Steps by the gradient over the root of a running mean of its square."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        *,
        maximize: bool = False,
        **unused: Any,
    ) -> None:
        check_rates(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay)
        given = dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered)
        given.update(weight_decay=weight_decay, capturable=False, maximize=maximize)
        super().__init__(params, given | UNUSED | unused)

    def update(self, param: Tensor, grad: np.ndarray, group: dict, state: Any) -> None:
        mine, array, alpha = state[param], param._array, group["alpha"]
        grad = directed(param, grad, group)
        count_step(mine)
        square = buffer_of(mine, "square_avg", array)
        square *= alpha
        square += (1 - alpha) * grad * grad
        spread = square
        if group["centered"]:
            mean = buffer_of(mine, "grad_avg", array)
            mean += (grad - mean) * (1 - alpha)
            spread = square - mean * mean
        step = grad / (np.sqrt(spread) + group["eps"])
        if group["momentum"]:
            buffer = buffer_of(mine, "momentum_buffer", array)
            buffer *= group["momentum"]
            buffer += step
            step = buffer
        array -= group["lr"] * step


class Adagrad(Optimizer):
    """Steps by the gradient over the root of the sum of its squares."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
        **unused: Any,
    ) -> None:
        check_rates(lr=lr, weight_decay=weight_decay, eps=eps)
        given = dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay)
        given["initial_accumulator_value"] = initial_accumulator_value
        super().__init__(params, given | dict(maximize=maximize, **UNUSED, fused=None) | unused)

    def update(self, param: Tensor, grad: np.ndarray, group: dict, state: Any) -> None:
        mine, array = state[param], param._array
        grad = directed(param, grad, group)
        rate = group["lr"] / (1 + (count_step(mine) - 1) * group["lr_decay"])
        if "sum" not in mine:
            buffer_of(mine, "sum", array).fill(group["initial_accumulator_value"])
        total = mine["sum"]._array
        total += grad * grad
        array -= rate * grad / (np.sqrt(total) + group["eps"])


class Adadelta(Optimizer):
    """Steps whose size follows from the steps before, by running means of squares."""

    def __init__(
        self,
        params: Any,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
        **unused: Any,
    ) -> None:
        check_rates(lr=lr, eps=eps, weight_decay=weight_decay)
        given = dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize)
        super().__init__(params, given | dict(capturable=False, **UNUSED) | unused)

    def update(self, param: Tensor, grad: np.ndarray, group: dict, state: Any) -> None:
        mine, rho, eps = state[param], group["rho"], group["eps"]
        grad = directed(param, grad, group)
        count_step(mine)
        square, steps = (buffer_of(mine, name, grad) for name in ("square_avg", "acc_delta"))
        square *= rho
        square += (1 - rho) * grad * grad
        step = np.sqrt(steps + eps) / np.sqrt(square + eps) * grad
        steps *= rho
        steps += (1 - rho) * step * step
        param._array -= group["lr"] * step
