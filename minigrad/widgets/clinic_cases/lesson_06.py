"""The clinic's cases of lesson 06."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "06_which_slope",
        "I want to know how y depends on x.",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward()
        """,
        cause="y has two entries, and backward() does not know how to weigh them",
        others={
            "x has two entries": "A leaf may have any shape; it is y that backward() starts from.",
            "x * x saved nothing": "It saved both factors. They weren't needed yet.",
        },
        because="Backward computes vᵀJ. For a scalar, v is 1; for a vector, you have to give it.",
        hints=("What is y.shape?", "Sum y, or give backward() one weight for each entry."),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward(torch.ones(2))
        """,
        cured="x.grad is not None and x.grad.tolist() == [2, 4]",
    ),
)
