"""The clinic's cases of lesson 00."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "00_nothing_asked",
        "I want the slope of x² at 3, and it won't give it to me.",
        """
        x = torch.tensor(3.0)
        y = x * x
        y.backward()
        """,
        cause="x doesn't require grad, so nothing was recorded",
        others={
            "x * x has no slope": "It has one, 2x. The engine never got far enough to need it.",
            "y should be a list, not a single number": "A single number is exactly what backward() "
            "wants. Read the message again: what does element 0 not do?",
        },
        because="No tensor in this program requires grad, so y has no grad_fn and there's no "
        "graph to go back through.",
        hints=(
            "Read the last line of the error. Which property of a tensor does it name?",
            "Print x.requires_grad, then compare the first line with the cell that rebuilds the "
            "neuron.",
        ),
        fix="""
        x = torch.tensor(3.0, requires_grad=True)
        y = x * x
        y.backward()
        print(x.grad)
        """,
        cured="x.grad is not None and x.grad.item() == 6",
    ),
)
