"""The clinic's cases of lesson 14."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "14_center",
        "I subtract the mean of each row. After that, each row's mean should be 0, but it isn't.",
        """
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
        centered = x - x.mean(dim=1)
        print(centered.mean(dim=1))
        """,
        cause="the means have shape [3], so each of them is subtracted from a column",
        others={
            "mean(dim=1) returns the means of the columns, not of the rows": (
                "Print what it returns: [2, 5, 8] are the means of the rows."
            ),
            "the rows' means are 0 up to rounding": "Rounding errors are far smaller than 3.",
            "x has to require grad": "That changes what is recorded, but it doesn't change any "
            "values.",
        },
        because=(
            "mean(dim=1) drops dimension 1. Shapes line up from the right, so the three means "
            "meet the three columns."
        ),
        hints=(
            "Print x.mean(dim=1).shape, and write it under the shape of x, lined up from the "
            "right.",
            "Which argument keeps a dimension, with size 1? You used it in unbroadcast.",
        ),
        fix="""
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
        centered = x - x.mean(dim=1, keepdim=True)
        print(centered.mean(dim=1))
        """,
        cured="centered.mean(dim=1).abs().max().item() < 1e-6",
    ),
)
