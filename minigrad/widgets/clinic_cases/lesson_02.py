"""The clinic's cases of lesson 02."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "02_number_in_between",
        "I only took the number out and put it back in.",
        """
        x = torch.tensor(2.0, requires_grad=True)
        number = (x * 3).item()
        y = torch.tensor(number) * 5
        y.backward()
        """,
        cause=".item() gives a Python number, and the graph ends there",
        others={
            "x does not require grad": "It does: read its line again.",
            "y was computed twice": "It was computed once. Look at what it was computed from.",
        },
        because="A float has no grad_fn. torch.tensor(number) is a new leaf without a history.",
        hints=(
            "Which of the three names has a grad_fn?",
            "The tensor x * 3 would have one. Where is it lost?",
        ),
        fix="""
        x = torch.tensor(2.0, requires_grad=True)
        y = x * 3 * 5
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 15",
    ),
)
