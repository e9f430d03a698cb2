"""The clinic's cases of lesson 03."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "03_once_more",
        "I called backward() again, to be sure.",
        """
        x = torch.ones(3, requires_grad=True)
        loss = (x * x).sum()
        loss.backward()
        loss.backward()
        """,
        cause="the first backward() freed what x * x had saved",
        others={
            "backward() can never be called twice": "With (x + 2).sum() it can: nothing is saved.",
            "x.grad must be zeroed first": "That would change the numbers, but not the error.",
        },
        because="x * x keeps its factors for one backward pass. The second pass finds them freed.",
        hints=(
            "What does the picture say about the factors that MulBackward0 kept?",
            "Either keep them with retain_graph=True, or compute the loss again.",
        ),
        fix="""
        x = torch.ones(3, requires_grad=True)
        loss = (x * x).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        """,
        cured="x.grad is not None and x.grad.tolist() in ([4, 4, 4], [2, 2, 2])",
    ),
)
