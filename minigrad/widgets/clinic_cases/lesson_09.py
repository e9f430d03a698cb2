"""The clinic's cases of lesson 09."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "09_a_copy",
        "I keep the first weights to compare with them later, but they change.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        first = w.detach()
        with torch.no_grad():
            w -= 0.5
        print(first)
        """,
        cause="detach() does not copy: first and w share their memory",
        others={
            "no_grad() was forgotten": "It is there, and it has nothing to do with memory.",
            "detach() makes first a leaf that is trained": "first is a leaf, but isn't trained.",
        },
        because="detach() gives a view of the same numbers, without a graph.",
        hints=("Which other tensor changes when you write to w?", "clone() copies."),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        first = w.detach().clone()
        with torch.no_grad():
            w -= 0.5
        print(first)
        """,
        cured="first.tolist() == [1, 2] and w.tolist() == [0.5, 1.5]",
    ),
)
