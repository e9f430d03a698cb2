"""The clinic's cases of lesson 01."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "01_whole_numbers",
        "x counts apples, so I made it a whole number.",
        """
        x = torch.tensor(2, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cause="x holds integers, and a nudge of an integer is not small",
        others={
            "backward() needs a vector here": "The error comes earlier, in the first line.",
            "2 is too small a number": "Any number works if you can nudge it a little.",
        },
        because="A derivative asks what a tiny nudge does. Between 2 and 3 there is no integer.",
        hints=(
            "In which line is the error raised?",
            "What does x.dtype say without requires_grad?",
        ),
        fix="""
        x = torch.tensor(2.0, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 4",
    ),
)
