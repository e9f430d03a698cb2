"""The clinic's cases of lesson 04."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "04_too_large",
        "I kept the first gradient, to compare. It was 2, and now it says 5. I never touched it!",
        """
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        first = w.grad
        print(first)
        (3 * w).backward()
        print(first)
        """,
        cause="first and w.grad are the same tensor",
        others={
            "the two losses share a graph": "They share a leaf, but each loss has its own graph.",
            "w.grad should have been zeroed before the second backward()": "Then first would be 3 "
            "now, which isn't 2, either. Why does first change at all?",
            "backward() multiplied the gradients": "2 × 3 would be 6.",
        },
        because="first = w.grad makes a second name, not a copy. The second backward() added its 3 "
        "to that one tensor.",
        hints=(
            "Print first is w.grad.",
            "Which method makes a copy that later calls can't reach?",
        ),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        first = w.grad.clone()
        print(first)
        (3 * w).backward()
        print(first)
        """,
        cured="first.item() == 2 and w.grad is not None and w.grad is not first",
    ),
)
