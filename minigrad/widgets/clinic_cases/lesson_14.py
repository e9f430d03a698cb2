"""The clinic's cases of lesson 14."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "14_center",
        "I subtract the mean of each row. Afterward the rows' means should be 0, and they aren't.",
        """
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
        centered = x - x.mean(dim=1)
        print(centered.mean(dim=1))
        """,
        cause="the means have shape [3], so each is subtracted from a column",
        others={
            "mean(dim=1) averages over the columns' entries, not the rows'": (
                "Print it: [2, 5, 8] are the means of the rows."
            ),
            "the numbers are rounded": "Rounding errors are far smaller than 3.",
            "x has to require grad": "That changes what is recorded. No value changes.",
        },
        because=(
            "mean(dim=1) drops dimension 1. Shapes line up from the right, so the three means "
            "meet the three columns."
        ),
        hints=(
            "Print x.mean(dim=1).shape, and write it under the shape of x, lined up from the "
            "right.",
            "Which argument keeps a dimension, with size 1? You've used it in unbroadcast.",
        ),
        fix="""
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
        centered = x - x.mean(dim=1, keepdim=True)
        print(centered.mean(dim=1))
        """,
        cured="centered.mean(dim=1).abs().max().item() < 1e-6",
    ),
)
