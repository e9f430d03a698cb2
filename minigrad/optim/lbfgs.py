"""L-BFGS: Newton's steps, by an approximation of the Hessian that the last gradients give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from minigrad.autograd.grad_mode import enable_grad, no_grad
from minigrad.functions import cat, mul
from minigrad.layout import contiguous_format
from minigrad.optim.optimizer import Closure, Optimizer, Parameters, check_positive, check_single
from minigrad.tensor import Tensor

KEPT = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")


class LBFGS(Optimizer):
    """Steps by an approximate inverse of the Hessian, which the last steps and gradients give.

    The function is computed several times in each step, which therefore needs a closure. All
    parameters are in one group.

    Args:
        params: as of `Optimizer`, without groups.
        lr: the length of a step, where no line is searched; else the first that is tried.
        max_iter: how many iterations make a step.
        max_eval: how often the function is computed in a step; 5/4 of `max_iter` if None.
        tolerance_grad: a step ends where no gradient is larger.
        tolerance_change: or where neither parameters nor the function change more.
        history_size: how many iterations are remembered.
        line_search_fn: ``"strong_wolfe"`` to search each line for a point that is low enough.

    Raises:
        ValueError: if `lr` is negative, or there are groups.

    Source: https://www.cs.ubc.ca/~schmidtm/Software/minFunc.html

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - 3) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)
    tensor(5., grad_fn=<SumBackward0>)
    >>> w
    tensor([3.0000, 3.0000], requires_grad=True)
    """

    def __init__(
        self,
        params: Parameters,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_single(lr)
        check_positive("learning rate", lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    @no_grad()
    def step(self, closure: Closure) -> Any:  # type: ignore[override]
        """Go on for some iterations, and return what `closure` returned at first.

        Args:
            closure: computes the loss anew, with its gradients.

        Raises:
            RuntimeError: if there is no such line search.
        """
        if len(self.param_groups) != 1:
            raise AssertionError(
                f"Expected exactly one param_group, but got {len(self.param_groups)}"
            )
        (group,) = self.param_groups
        closure = enable_grad()(closure)
        # The state is that of the first parameter, whose dtype it has.
        state = self.state[group["params"][0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        state["func_evals"] += 1
        gradient = self._gradient()
        if gradient.abs().max() <= group["tolerance_grad"]:
            return first_loss
        memory = {name: state.get(name) for name in KEPT}
        self._iterate(closure, group, memory, float(first_loss), gradient)
        state.update(memory)
        return first_loss

    def _iterate(
        self,
        closure: Closure,
        group: dict[str, Any],
        memory: dict[str, Any],
        loss: float,
        gradient: Any,
    ) -> None:
        """Go down until one of the group's limits is reached."""
        state = self.state[group["params"][0]]
        lr, most, tolerance = rate(group), group["max_eval"], group["tolerance_change"]
        computed = 1
        for left in reversed(range(group["max_iter"])):
            state["n_iter"] += 1
            beginning = state["n_iter"] == 1
            if beginning:
                memory.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
                direction = gradient.neg()
            else:
                weights = state.setdefault("al", [None] * group["history_size"])
                direction = next_direction(memory, gradient, weights)
            memory.update(d=direction, prev_flat_grad=gradient, prev_loss=loss)
            memory["t"] = min(1.0, 1.0 / gradient.abs().sum()) * lr if beginning else lr
            slope = gradient.dot(direction)
            if slope > -tolerance:
                break
            evaluations = 0
            if group["line_search_fn"] is not None:
                start = Point(0, loss, gradient, slope)
                found, evaluations = self._search(closure, group, memory, start, most - computed)
                memory["t"], loss, gradient = found.step, found.loss, found.gradient
                self._move(memory["t"], direction)
            else:
                self._move(memory["t"], direction)
                if left:
                    loss, gradient, evaluations = float(closure()), self._gradient(), 1
            computed += evaluations
            state["func_evals"] += evaluations
            if (
                computed >= most
                or gradient.abs().max() <= group["tolerance_grad"]
                or direction.mul(memory["t"]).abs().max() <= tolerance
                or abs(loss - memory["prev_loss"]) < tolerance
            ):
                break

    def _search(
        self,
        closure: Closure,
        group: dict[str, Any],
        memory: dict[str, Any],
        start: Point,
        most: int,
    ) -> tuple[Point, int]:
        """Return a point on the line, and how often the function was computed."""
        if group["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        direction, params = memory["d"], group["params"]
        there = [one.clone(memory_format=contiguous_format) for one in params]

        def evaluate(step: Any) -> Point:
            self._move(step, direction)
            loss, gradient = float(closure()), self._gradient()
            for param, before in zip(params, there, strict=True):
                param.copy_(before)
            return Point(step, loss, gradient, gradient.dot(direction))

        largest, tolerance = direction.abs().max(), group["tolerance_change"]
        return strong_wolfe(
            evaluate, start, memory["t"], lambda width: width * largest < tolerance, most
        )

    def _gradient(self) -> Any:
        """Return the gradients of all parameters in a row, zeros where there are none."""
        return cat(
            [
                param.new_zeros(param.numel()) if param.grad is None else param.grad.view(-1)
                for param in self._parameters()
            ]
        )

    def _move(self, step: Any, direction: Any) -> None:
        """Add a part of a direction to the parameters."""
        begin = 0
        for param in self._parameters():
            end = begin + param.numel()
            param.add_(direction[begin:end].view_as(param), alpha=step)
            begin = end


def rate(group: dict[str, Any]) -> Any:
    """Return the learning rate of a group, without dimensions if it is a tensor."""
    lr = group["lr"]
    return lr.squeeze() if isinstance(lr, Tensor) else lr


def next_direction(memory: dict[str, Any], gradient: Any, weights: list[Any]) -> Any:
    """Return the gradient times the approximate inverse of the Hessian, turned around.

    What has become of the gradient by the last step is remembered first, for as many steps as
    there are `weights`.
    """
    changes, steps, inverses = memory["old_dirs"], memory["old_stps"], memory["ro"]
    change, step = gradient.sub(memory["prev_flat_grad"]), memory["d"].mul(memory["t"])
    curvature = change.dot(step)
    if curvature > 1e-10:
        if len(changes) == len(weights):
            for remembered in (changes, steps, inverses):
                remembered.pop(0)
        changes.append(change)
        steps.append(step)
        inverses.append(1.0 / curvature)
        memory["H_diag"] = curvature / change.dot(change)
    direction = gradient.neg()
    for number in reversed(range(len(changes))):
        weights[number] = steps[number].dot(direction) * inverses[number]
        direction.add_(changes[number], alpha=-weights[number])
    direction = mul(direction, memory["H_diag"])
    for number, change in enumerate(changes):
        weight = change.dot(direction) * inverses[number]
        direction.add_(steps[number], alpha=weights[number] - weight)
    return direction


class Point(NamedTuple):
    """Where a line was looked at: how far from its start, and what is there."""

    step: Any
    loss: float
    gradient: Any
    slope: Any


def strong_wolfe(
    evaluate: Callable[[Any], Point],
    start: Point,
    step: Any,
    is_narrow: Callable[[Any], Any],
    most: int,
) -> tuple[Point, int]:
    """Return a point of a line that is low enough and flat enough, and how many were looked at.

    The conditions are Wolfe's: the function has fallen by at least a ten-thousandth of what the
    slope at the start promised, and the slope is at most nine tenths of what it was. Two points
    with a good one between them are found first, and brought together until they are narrow.

    Source: J. Nocedal, S. Wright, Numerical Optimization (2006), algorithms 3.5 and 3.6
    """

    def is_high(point: Point) -> Any:
        return point.loss > start.loss + 1e-4 * point.step * start.slope

    def is_flat(point: Point) -> Any:
        return abs(point.slope) <= -0.9 * start.slope

    before, point, looked = start, evaluate(step), 1
    while looked <= most:
        if is_high(point) or (looked > 2 and point.loss >= before.loss):
            break
        if is_flat(point):
            return point, looked
        if point.slope >= 0:
            break
        bounds = point.step + 0.01 * (point.step - before.step), point.step * 10
        before, point = point, evaluate(lowest(before, point, bounds))
        looked += 1
    else:
        before = start
    ends, was_near = [before, point], False
    low = lower(ends)
    while looked <= most and not is_narrow(abs(ends[1].step - ends[0].step)):
        step, was_near = between_ends(ends, was_near)
        point = evaluate(step)
        looked += 1
        if is_high(point) or point.loss >= ends[low].loss:
            ends[1 - low] = point
            low = lower(ends)
            continue
        if is_flat(point):
            return point, looked
        if point.slope * (ends[1 - low].step - ends[low].step) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = point
    return ends[low], looked


def lower(ends: list[Point]) -> int:
    """Return the number of the lower one of two points."""
    return 0 if ends[0].loss <= ends[1].loss else 1


def between_ends(ends: list[Point], was_near: bool) -> tuple[Any, bool]:
    """Return where to look between two points, and whether it is near one of them.

    Twice in a row it may not be: then it is a tenth of the way off.
    """
    first, last = sorted((ends[0].step, ends[1].step))
    step, margin = lowest(ends[0], ends[1], (first, last)), 0.1 * (last - first)
    if not min(last - step, step - first) < margin:
        return step, False
    if was_near or step >= last or step <= first:
        return last - margin if abs(step - last) < abs(step - first) else first + margin, False
    return step, True


def lowest(one: Point, other: Point, bounds: tuple[Any, Any]) -> Any:
    """Return where the cubic through two points, with their slopes, is lowest between bounds."""
    first, last = (one, other) if one.step <= other.step else (other, one)
    least, most = bounds
    way = last.step - first.step
    bend = first.slope + last.slope - 3 * (first.loss - last.loss) / (first.step - last.step)
    square = bend**2 - first.slope * last.slope
    if not square >= 0:
        return (least + most) / 2.0
    root = square.sqrt()
    step = last.step - way * ((last.slope + root - bend) / (last.slope - first.slope + 2 * root))
    return min(max(step, least), most)
