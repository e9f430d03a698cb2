"""The clinic's cases of lesson 11."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "11_one_weight",
        "There is only one weight, so I pass it to the optimizer.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD(w, lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        """,
        cause="the optimizer wants a list of tensors, and got one tensor",
        others={
            "w is not a leaf": "It is: it was made here, with requires_grad=True.",
            "backward() must come before the optimizer": "You can make the optimizer at any time.",
        },
        because="A tensor can be iterated over, too, entry by entry, so SGD refuses it explicitly.",
        hints=("What is the first argument of SGD?", "Put [ ] around w."),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        """,
        cured="abs(w[1].item() - 1.6) < 1e-5",
    ),
)
