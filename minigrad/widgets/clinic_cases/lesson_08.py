"""The clinic's cases of lesson 08."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "08_running_average",
        "I subtract a running average of the loss, as a plain number. Step 2 fails.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        average = 0.0
        for step in [1, 2, 3]:
            loss = (w * w).sum()
            (loss - average).backward()
            average = 0.9 * average + 0.1 * loss
        print(w.grad)
        """,
        cause="average is computed from the loss, so it carries the graph of the last step",
        others={
            "backward() has to be told retain_graph=True": "It would run, and go back through the "
            "earlier steps as well. The gradient would be a different one.",
            "w.grad has to be cleared in each step": "That would change the sum in w.grad, but the "
            "error would still be there.",
            "w * w should be computed once, before the loop": "Then even the loss would be an old "
            "one. Which tensor in the loop is older than its step?",
        },
        because="In step 2, average leads back to the loss of step 1, whose saved tensors are "
        "freed. The average was meant to be a number.",
        hints=(
            "Print average at the end of step 1. What does it have that a plain number doesn't?",
            "Which method gives you the value of loss without its history?",
        ),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        average = 0.0
        for step in [1, 2, 3]:
            loss = (w * w).sum()
            (loss - average).backward()
            average = 0.9 * average + 0.1 * loss.detach()
        print(w.grad)
        """,
        cured="w.grad is not None and w.grad.tolist() == [6, 12]",
    ),
)
