"""The clinic's cases of lesson 02."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "02_collected_losses",
        "I collected two losses in one tensor. Each of them had a grad_fn.",
        """
        w = torch.tensor(2.0, requires_grad=True)
        losses = [w * 3, w * 5]
        total = torch.tensor(losses).sum()
        print(total)
        total.backward()
        """,
        cause="torch.tensor(losses) copies the numbers and leaves their history behind",
        others={
            "w doesn't require grad": "It does: read the first line again. Both products were "
            "recorded.",
            "a list can't hold tensors that require grad": "It can. Print losses[0]: its grad_fn "
            "is there.",
            "sum() isn't recorded": "It is, if its input requires grad. Does it?",
        },
        because="torch.tensor makes a new leaf from bare numbers. PyTorch warns you, but only the "
        "first time in a session: a tensor that requires grad was converted to a scalar.",
        hints=(
            "Which is the first tensor without a grad_fn?",
            "Add up the two losses without torch.tensor, or join them with torch.stack.",
        ),
        fix="""
        w = torch.tensor(2.0, requires_grad=True)
        losses = [w * 3, w * 5]
        total = torch.stack(losses).sum()
        print(total)
        total.backward()
        """,
        cured="w.grad is not None and w.grad.item() == 8",
    ),
)
