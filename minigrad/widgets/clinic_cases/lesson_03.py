"""The clinic's cases of lesson 03."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "03_closed_gate",
        "The neuron should say 1 for three inputs. It says 0, and w never moves.",
        """
        w = torch.tensor(1.0, requires_grad=True)
        x = torch.tensor([-2.0, 1.0, 2.0])
        out = torch.relu(w * x - 5)
        loss = ((out - 1) * (out - 1)).mean()
        loss.backward()
        print(w.item(), "becomes", w.item() - 0.1 * w.grad.item())
        """,
        cause="w * x - 5 is negative for every input, so relu passes no gradient on",
        others={
            "0.1 is too small a step": "Print w.grad. Would a larger factor help?",
            "w isn't part of the graph": "Then w.grad would be None, and the last line would "
            "raise an error.",
            "backward() should have moved w": "It never moves a weight. The last line is supposed "
            "to do that.",
        },
        because="relu is the maximum of its input and 0. Here the 0 is always larger, so nudging w "
        "changes nothing. The field calls this a dead ReLU.",
        hints=(
            "Print w.grad, then w * x - 5.",
            "Max routes. Where does the gradient go if 0 is the larger input? Another number than "
            "-5 would keep the gate open.",
        ),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        x = torch.tensor([-2.0, 1.0, 2.0])
        out = torch.relu(w * x + 1)
        loss = ((out - 1) * (out - 1)).mean()
        loss.backward()
        print(w.item(), "becomes", w.item() - 0.1 * w.grad.item())
        """,
        cured="w.grad.item() != 0",
    ),
)
