"""The clinic's cases of lesson 11."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "11_all_under_no_grad",
        "The step must be under no_grad(), so I put the whole loop there. Now backward() fails.",
        """
        w = torch.tensor(5.0, requires_grad=True)
        with torch.no_grad():
            for iteration in range(20):
                loss = (w - 2) ** 2
                loss.backward()
                w -= 0.1 * w.grad
                w.grad = None
        print(w)
        """,
        cause="the loss is computed under no_grad(), so it has no graph",
        others={
            "backward() can't be called under no_grad()": "It can, as long as "
            "the graph was recorded earlier. Was it?",
            "w doesn't require grad anymore": "Print w.requires_grad: no_grad() leaves the flag "
            "alone. Which tensor is element 0?",
            "w -= ... turns w into a result": "Under no_grad() a change in place is fine. And the "
            "error comes in the first iteration, before that line.",
        },
        because="Nothing in the block is recorded, so loss has no grad_fn, and backward() has "
        "nowhere to go. Only the step belongs under no_grad().",
        hints=(
            "backward() was called on one tensor. Print it. What's missing next to its value?",
            "Which of the four moves has to be recorded, and which one must not be?",
        ),
        fix="""
        w = torch.tensor(5.0, requires_grad=True)
        for iteration in range(20):
            loss = (w - 2) ** 2
            loss.backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
            w.grad = None
        print(w)
        """,
        cured="abs(w.item() - 2) < 0.1 and w.is_leaf and w.requires_grad",
    ),
)
