"""The clinic's cases of lesson 08."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "08_written_over",
        "I add 1 without using more memory.",
        """
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = x.exp()
        y += 1
        y.sum().backward()
        """,
        cause="exp saved its result, and += overwrote it",
        others={
            "in-place operations are never allowed": "After 10 * x it would have worked.",
            "x is a leaf and was changed": "y was changed, not x.",
        },
        because="The slope of exp is its own result, and the version shows that this has changed.",
        hints=("What does ExpBackward0 keep?", "y = y + 1 makes a new tensor."),
        fix="""
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = x.exp()
        y = y + 1
        y.sum().backward()
        """,
        cured="x.grad is not None and abs(x.grad[1].item() - 2.718) < 0.01",
    ),
)
