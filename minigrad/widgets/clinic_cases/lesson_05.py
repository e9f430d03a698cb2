"""The clinic's cases of lesson 05."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "05_paths_lost",
        "I pass gradients on along a list of edges, and I do add them. a should get 44, not 28.",
        """
        slope = {"bd": 6.0, "cd": 4.0, "bc": 1.0, "ac": 1.0, "ab": 4.0}
        edges = [("b", "d"), ("a", "b"), ("c", "d"), ("b", "c"), ("a", "c")]
        grad = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 1.0}
        for source, result in edges:
            grad[source] += grad[result] * slope[source + result]
        print(grad)
        """,
        cause="b passes its gradient on to a before c has sent its share to b",
        others={
            "an edge is missing": "There are five in slope and five in edges. Are they the same?",
            "the slope of a * a should be 2, not 4": "It's 2a, and a is 2.",
            "= is needed instead of +=": "Then a would keep only what c sends, and that's 4.",
        },
        because="Every gradient arrives, but the 4 that c sends to b comes too late to be passed "
        "on. What's missing at a is 4 * 4 = 16.",
        hints=(
            "grad['b'] is right in the end. What was it when the loop got to ('a', 'b')?",
            "An edge has to wait until everything has arrived at its result. Sort the edges.",
        ),
        fix="""
        slope = {"bd": 6.0, "cd": 4.0, "bc": 1.0, "ac": 1.0, "ab": 4.0}
        edges = [("b", "d"), ("c", "d"), ("b", "c"), ("a", "c"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 1.0}
        for source, result in edges:
            grad[source] += grad[result] * slope[source + result]
        print(grad)
        """,
        cured="grad['a'] == 44",
    ),
)
