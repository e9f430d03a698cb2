"""The clinic's cases of lesson 12."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "12_another_leaf",
        "I wanted more digits, so I converted the weights to float64. Now they don't learn.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        w = w.detach().double().requires_grad_()
        for iteration in range(3):
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
        print(w)
        """,
        cause="the optimizer still holds the old tensor, and w is a new one",
        others={
            "double() makes w a result, so it gets no gradient": "After detach(), double() records "
            "nothing, and requires_grad_() makes it a leaf. Print w.grad: it's there.",
            "zero_grad() clears the gradient before the step uses it": "It comes before "
            "backward(), so it clears the gradient of the previous iteration.",
            "the learning rate is too small for float64": "The weights didn't move at all, and 0.1 "
            "is the same number in either type.",
        },
        because="double() made a second tensor, and the name w moved to it. The optimizer "
        "still has the first one. Its .grad is None, so step() skips it without an error.",
        hints=(
            "Which tensor gets the gradients, and which tensor does the optimizer move?",
            "Compare optimizer.param_groups[0]['params'][0] with w. Then look at the order of the "
            "first three lines.",
        ),
        fix="""
        w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for iteration in range(3):
            optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
        print(w)
        """,
        cured="w.dtype == torch.float64 and abs(w[1].item() - 1.024) < 1e-6",
    ),
)
