"""Cases for the tests of the clinic, which lessons may change as they like."""

from minigrad.widgets.clinic_cases.case import Case

WRITTEN_OVER = Case(
    "99_written_over",
    "I add 1 without using more memory.",
    """
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()
    """,
    cause="exp saved its result, and += overwrote it",
    others={
        "in-place operations are never allowed": "After 10 * x it would have worked.",
        "x is a leaf and was changed": "y was changed, not x.",
    },
    because="The slope of exp is its own result, and the version shows that this has changed.",
    hints=("What does ExpBackward0 keep?", "y = y + 1 makes a new tensor."),
    fix="""
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    y = x.exp()
    y = y + 1
    y.sum().backward()
    """,
    cured="x.grad is not None and abs(x.grad[1].item() - 2.718) < 0.01",
)

WHICH_SLOPE = Case(
    "99_which_slope",
    "I want to know how y depends on x.",
    """
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    y.backward()
    """,
    cause="y has two entries, and backward() does not know how to weigh them",
    others={
        "x has two entries": "A leaf may have any shape; it is y that backward() starts from.",
        "x * x saved nothing": "It saved both factors. They weren't needed yet.",
    },
    because="Backward computes vᵀJ. For a scalar, v is 1; for a vector, you have to give it.",
    hints=("What is y.shape?", "Sum y, or give backward() one weight for each entry."),
    fix="""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    y.backward(torch.ones(2))
    """,
    cured="x.grad is not None and x.grad.tolist() == [2, 4]",
)

PATHS_LOST = Case(
    "99_paths_lost",
    "I add up b = a + a, c = b + b by hand. The slope should be 4.",
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
)

SAMPLES = (WRITTEN_OVER, WHICH_SLOPE, PATHS_LOST)
