"""The clinic's cases of lesson 04."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "04_too_large",
        "The second loss is 3w, and its slope is 3. Why 5?",
        """
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        print(w.grad)
        (3 * w).backward()
        print(w.grad)
        """,
        cause="w.grad still held the first gradient, and the second was added",
        others={
            "the two losses share a graph": "They share a leaf, but each has its own graph.",
            "backward() multiplied the gradients": "2 × 3 would be 6.",
        },
        because="backward() adds to .grad: 2 + 3 = 5. Clearing it is up to you.",
        hints=("What is 5 made of?", "What should happen to w.grad between the two?"),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        w.grad = None
        (3 * w).backward()
        print(w.grad)
        """,
        cured="w.grad is not None and w.grad.item() == 3",
    ),
)
