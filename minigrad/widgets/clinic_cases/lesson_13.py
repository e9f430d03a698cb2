"""The clinic's cases of lesson 13."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "13_swapped",
        "My own product gives the right value. a's slope should be 3, and it's 2.",
        """
        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad * a, grad * b


        a = torch.tensor(2.0, requires_grad=True)
        b = torch.tensor(3.0, requires_grad=True)
        Product.apply(a, b).backward()
        print(a.grad, b.grad)
        """,
        cause="backward returns the two gradients in the wrong order",
        others={
            "a and b were saved in the wrong order": (
                "They come back from `saved_tensors` as they went in. Print them."
            ),
            "the rule ignores grad": (
                "It multiplies by `grad` twice. Which factor goes with which input?"
            ),
            "a.grad and b.grad were added up": (
                "Then at least one of them would be 5. Each is the slope of the other."
            ),
        },
        because=("The first gradient goes to a, and the slope of a * b with respect to a is b."),
        hints=(
            "How fast does a * b grow when you move a? Which of the two numbers is that?",
            "The gradients are handed out in the order of forward's arguments.",
        ),
        fix="""
        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad * b, grad * a


        a = torch.tensor(2.0, requires_grad=True)
        b = torch.tensor(3.0, requires_grad=True)
        Product.apply(a, b).backward()
        print(a.grad, b.grad)
        """,
        cured="a.grad.item() == 3 and b.grad.item() == 2",
    ),
)
