"""The clinic's cases of lesson 13."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "13_one_gradient_each",
        "My own multiplication works forward.",
        """
        class Multiply(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad * b


        x = torch.tensor(2.0, requires_grad=True)
        y = Multiply.apply(x, torch.tensor(3.0))
        y.backward()
        """,
        cause="backward returns one gradient, but forward took two inputs",
        others={
            "save_for_backward saved too much": "It can save any tensors.",
            "3.0 does not require grad": "It doesn't have to, but it needs a None.",
        },
        because="backward returns something for each input in turn: a gradient, or None.",
        hints=("How many inputs does forward have, without ctx?", "Return a pair."),
        fix="""
        class Multiply(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad * b, grad * a


        x = torch.tensor(2.0, requires_grad=True)
        y = Multiply.apply(x, torch.tensor(3.0))
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 3",
    ),
)
