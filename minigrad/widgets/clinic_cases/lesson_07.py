"""The clinic's cases of lesson 07."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "07_left_out",
        "w gets its gradient. b was made in the same way, and it gets nothing.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        b = torch.tensor(0.5, requires_grad=True)
        y = w * 3
        y + b
        loss = (y * y).sum()
        loss.backward()
        print(w.grad * 2)
        print(b.grad * 2)
        """,
        cause="loss wasn't computed from b",
        others={
            "b isn't a leaf": "You made it, so no operation did. Print b.is_leaf.",
            "b needs retain_grad()": "That's for non-leaves. On a leaf it does nothing.",
            "b is one number and can't be added to two": "y + b ran, and it has two elements. "
            "Where did they go?",
        },
        because="The line y + b makes a new tensor, and nothing keeps it. No path leads from loss "
        "to b, so no gradient arrives.",
        hints=(
            "Ask the three questions of b. Which answer is no?",
            "Find b in the picture. Is there an arrow from it toward loss?",
        ),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        b = torch.tensor(0.5, requires_grad=True)
        y = w * 3 + b
        loss = (y * y).sum()
        loss.backward()
        print(w.grad * 2)
        print(b.grad * 2)
        """,
        cured="b.grad is not None and b.grad.item() == 20 and w.grad.tolist() == [21, 39]",
    ),
)
