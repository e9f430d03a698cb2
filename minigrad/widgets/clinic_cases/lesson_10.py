"""The clinic's cases of lesson 10."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "10_one_buffer",
        "I write all states into one tensor that I made before the loop, to be fast.",
        """
        w = torch.tensor(0.5, requires_grad=True)
        states = torch.zeros(3)
        states[0] = 1.0
        for t in range(2):
            states[t + 1] = torch.tanh(w * states[t])
        states[2].backward()
        """,
        cause="each write into states changes the version of what the products saved",
        others={
            "states should require grad": "It does, once the first result is written into it. "
            "Which tensor was modified, according to the message?",
            "w is a leaf and was changed in place": "Nothing writes into w. The loop writes into "
            "states.",
            "the graph has to be kept with retain_graph=True": "There's only one backward pass, "
            "and the message is about a version.",
        },
        because="w * states[t] saves states[t], which is a view. It shares its memory and its "
        "version counter with all of states, so the next write into states counts for it, too.",
        hints=(
            "Which tensor does w * states[t] save, and what happens to its version?",
            "What if each state were a tensor of its own, in a Python list?",
        ),
        fix="""
        w = torch.tensor(0.5, requires_grad=True)
        states = [torch.tensor(1.0)]
        for t in range(2):
            states.append(torch.tanh(w * states[t]))
        states[2].backward()
        """,
        cured="w.grad is not None and abs(w.grad.item() - 0.8113) < 0.001",
    ),
)
