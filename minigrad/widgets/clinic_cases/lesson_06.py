"""The clinic's cases of lesson 06."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "06_sum_or_mean",
        "I train on the mean of three losses. No error, but my steps are three times too long.",
        """
        w = torch.tensor(2.0, requires_grad=True)
        losses = (w * torch.tensor([1.0, 2.0, 3.0]) - 6.0) ** 2
        losses.backward(torch.ones(3))
        print(w.grad)
        """,
        cause="a v of ones asks for the gradient of the sum",
        others={
            "w.grad wasn't cleared": "There's only one backward(), and w.grad was None before it.",
            "v must have the shape of w": "It has an entry for each output, and there are three.",
            "the factors 1, 2, 3 are too large": "They're the data. What happens to the three "
            "gradients that arrive at w?",
        },
        because="v holds one weight for each loss. In a mean of three, each has the weight 1/3.",
        hints=(
            "If one of the losses grows by 1, how much does their mean grow?",
            "That's what each entry of v should be. Or reduce losses to a scalar first.",
        ),
        fix="""
        w = torch.tensor(2.0, requires_grad=True)
        losses = (w * torch.tensor([1.0, 2.0, 3.0]) - 6.0) ** 2
        losses.backward(torch.ones(3) / 3)
        print(w.grad)
        """,
        cured="w.grad is not None and abs(w.grad.item() + 16 / 3) < 1e-3",
    ),
)
