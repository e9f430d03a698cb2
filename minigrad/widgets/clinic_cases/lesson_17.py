"""The clinic's cases of lesson 17."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "17_one_number",
        "I want the slope of my loss for each of the three weights. I get a single number.",
        """
        def loss(w):
            return (w**2).sum()

        w = torch.tensor([1.0, 2.0, 3.0])
        _, slopes = torch.autograd.functional.jvp(loss, w, torch.ones(3))
        print(slopes)
        """,
        cause="jvp moves all three weights at once; a gradient needs vjp",
        others={
            "the loss should return three numbers": "A loss is one number, and it has a slope for "
            "each weight. The question is how you ask for them.",
            "w doesn't require grad": "It doesn't have to. jvp makes its own copy that does.",
            "the vector should be w and not ones": "Then the weights would move in direction w, "
            "and you'd get 28, which is one number again.",
        },
        because="jvp returns Jv, with one number per output, and a loss is one output. 12 is the "
        "sum of the three slopes. vjp goes backward from that output and returns one number per "
        "input.",
        hints=(
            "How many numbers does the loss return, and how many does jvp return?",
            "Which of the two products has one number per input, Jv or vᵀJ?",
        ),
        fix="""
        def loss(w):
            return (w**2).sum()

        w = torch.tensor([1.0, 2.0, 3.0])
        _, slopes = torch.autograd.functional.vjp(loss, w)
        print(slopes)
        """,
        cured="slopes.tolist() == [2.0, 4.0, 6.0]",
    ),
)
