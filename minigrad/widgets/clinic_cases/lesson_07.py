"""The clinic's cases of lesson 07."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "07_not_kept",
        "backward() must have computed the gradient of h. Where is it?",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        h = x * 3
        loss = (h * h).sum()
        loss.backward()
        print(h.grad * 2)
        """,
        cause="h is not a leaf, and it was not told to keep its gradient",
        others={
            "the gradient of h is zero": "Then h.grad would be a tensor of zeros, not None.",
            "h was freed by backward()": "h still exists. Only saved values were freed.",
        },
        because="Gradients of results are not kept, unless you call retain_grad().",
        hints=("What is h.is_leaf?", "h.retain_grad() must come before backward()."),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        h = x * 3
        h.retain_grad()
        loss = (h * h).sum()
        loss.backward()
        print(h.grad * 2)
        """,
        cured="h.grad is not None and h.grad.tolist() == [6, 12]",
    ),
)
