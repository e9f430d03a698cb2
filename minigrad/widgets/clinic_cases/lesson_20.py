"""The clinic's cases of lesson 20."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "20_runs_twice",
        "I go through torch's own graph, and every operation in it is a +. The slope of c is 4. "
        "My engine says 8.",
        """
        a = torch.tensor(1.0, requires_grad=True)
        b = a + a
        c = b + b
        arrived = {c.grad_fn: 1}
        nodes = [c.grad_fn]
        for node in nodes:
            for source, _ in node.next_functions:
                arrived[source] = arrived.get(source, 0) + arrived[node]
                nodes.append(source)
        print(arrived[b.grad_fn.next_functions[0][0]])
        """,
        cause="b's node is in the list twice, so it runs twice",
        others={
            "the sum should be an =": "Two gradients of 1 arrive at b, and 2 is right there. Print "
            "the number at b.",
            "the order is wrong": "c, b, a is a good order. But print the length of the list.",
            "an addition should pass on half": "Nudge one term by 0.1: the sum moves by 0.1.",
        },
        because="Each arrow puts its source into the list. Two arrows lead to b, so b passes its 2 "
        "on twice, to both terms: 8.",
        hints=(
            "How many operations does the picture have, and how long is the list?",
            "Before you append a node, ask whether it's already there.",
        ),
        fix="""
        a = torch.tensor(1.0, requires_grad=True)
        b = a + a
        c = b + b
        arrived = {c.grad_fn: 1}
        nodes = [c.grad_fn]
        for node in nodes:
            for source, _ in node.next_functions:
                arrived[source] = arrived.get(source, 0) + arrived[node]
                if source not in nodes:
                    nodes.append(source)
        print(arrived[b.grad_fn.next_functions[0][0]])
        """,
        cured="arrived[b.grad_fn.next_functions[0][0]] == 4",
    ),
)
