"""The clinic's cases of lesson 18."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "18_minus_infinity",
        "My Newton step works on other losses. Here it jumps to minus infinity.",
        """
        def newton_step(f, x):
            (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
            (curvature,) = torch.autograd.grad(slope, x)
            with torch.no_grad():
                return x - slope / curvature


        x = torch.tensor(2.0, requires_grad=True)
        new = newton_step(lambda x: 3 * torch.relu(x), x)
        print(new)
        """,
        cause="the curvature is 0, and the step divides by it",
        others={
            "create_graph=True belongs in the second call": (
                "It belongs where the gradient that you want to differentiate is computed, and "
                "that's the first call."
            ),
            "the slope is wrong": (
                "Print it. 3 is right: that's how fast `3 * relu(x)` grows at 2."
            ),
            "x should be changed in place": (
                "In a loop, yes. But the number subtracted from `x` would still be infinite."
            ),
        },
        because=(
            "`3 * relu(x)` is a straight line around 2: slope 3, curvature 0, no error. 3 / 0 is "
            "infinity."
        ),
        hints=(
            "Three numbers go into the step: `x`, `slope` and `curvature`. Print all three.",
            "What's the second derivative of a straight line?",
        ),
        fix="""
        def newton_step(f, x):
            (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
            (curvature,) = torch.autograd.grad(slope, x)
            step = slope / curvature if curvature > 0 else 0.1 * slope
            with torch.no_grad():
                return x - step


        x = torch.tensor(2.0, requires_grad=True)
        new = newton_step(lambda x: 3 * torch.relu(x), x)
        print(new)
        """,
        cured="new.isfinite().item() and new.item() < 2",
    ),
)
