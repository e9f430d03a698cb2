"""The clinic's cases of lesson 05."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "05_paths_lost",
        "I walk the graph of b = a + a, c = b + b by hand. The slope should be 4.",
        """
        edges = [("b", "c"), ("b", "c"), ("a", "b"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 1.0}
        for source, result in edges:
            grad[source] = grad[result]
        print(grad["a"])
        """,
        cause="= forgets the gradient of the other path",
        others={
            "the order of the edges is wrong": "b comes before a, so the order is right.",
            "the pass should begin with 0": "It begins with dc/dc, which is 1.",
        },
        because="Two paths leave a, so two gradients come back to it, and they add up.",
        hints=("How often is grad['b'] written to?", "Which character before = would add?"),
        fix="""
        edges = [("b", "c"), ("b", "c"), ("a", "b"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 1.0}
        for source, result in edges:
            grad[source] += grad[result]
        print(grad["a"])
        """,
        cured="grad['a'] == 4",
    ),
)
