"""The clinic's cases of lesson 03."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "03_closed_gate",
        "The neuron should say 1. It says 0, and however often I run this, w never moves.",
        """
        w = torch.tensor(-1.0, requires_grad=True)
        x = torch.tensor(2.0)
        out = torch.maximum(w * x, torch.tensor(0.0))
        loss = (out - 1) ** 2
        loss.backward()
        print(w.item(), "becomes", w.item() - 0.1 * w.grad.item())
        """,
        cause="w * x is below 0, so the maximum sends it no gradient",
        others={
            "0.1 is too small a step": "Print w.grad. Would a larger factor help?",
            "w isn't part of the graph": "Then w.grad would be None, and the last line would "
            "raise an error.",
            "backward() should have moved w": "It never moves a weight. The last line is supposed "
            "to do that.",
        },
        because="Max routes: the larger input gets everything, and that's the 0. Nudging w changes "
        "nothing. relu does the same, and the field calls it a dead ReLU.",
        hints=(
            "Print w.grad, then w * x.",
            "Which of the maximum's two inputs is larger? For which w would it be the other one?",
        ),
        fix="""
        w = torch.tensor(0.25, requires_grad=True)
        x = torch.tensor(2.0)
        out = torch.maximum(w * x, torch.tensor(0.0))
        loss = (out - 1) ** 2
        loss.backward()
        print(w.item(), "becomes", w.item() - 0.1 * w.grad.item())
        """,
        cured="w.grad is not None and w.grad.item() != 0",
    ),
)
