"""The clinic's cases of lesson 13."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "13_swapped",
        "My own product gives the right value, but the slope of a should be 3, and it's 2.",
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
                "They come out of `saved_tensors` in the order they went in. Print them."
            ),
            "the rule ignores grad": (
                "It uses `grad` for both inputs. Which factor goes with which input?"
            ),
            "a.grad and b.grad were added up": (
                "Then at least one of them would be 5. Each holds one slope. Which of the two "
                "slopes belongs to a?"
            ),
        },
        because=("The first gradient goes to a, and the slope of a * b with respect to a is b."),
        hints=(
            "How fast does a * b grow when you move a? Which of the two numbers is that?",
            "The engine hands out the gradients in the order of forward's arguments.",
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
