"""Lesson 08: what it asks before it shows."""

from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "08_r1",
        "Lesson 07. w is a leaf that requires grad. Which of these is a leaf, too?",
        "torch.ones(2) * 2",
        {
            "w[0]": "Indexing is an operation, and it's recorded because w requires grad.",
            "w.double()": "Converting float32 to float64 is an operation, and it's recorded.",
            "torch.ones(2) * 2": "Computed, but nothing was recorded: it has no grad_fn.",
        },
    ),
    Prediction(
        "08_r2",
        "Lesson 05. b = a + a and c = b + b. When may the engine run the node of a + a?",
        "when both gradients from b + b have arrived",
        {
            "as soon as the first gradient arrives": "Then it passes on an incomplete sum.",
            "when both gradients from b + b have arrived": "It counts, waits, and runs once.",
            "twice, once for each gradient": "The sum comes out right, but long chains get "
            "exponentially slow.",
        },
    ),
    Prediction(
        "08_r3",
        "Lesson 02. Which attribute tells you which operation made a tensor?",
        "grad_fn",
        {
            "grad": "That's the gradient.",
            "grad_fn": "It's the node that made the tensor, or None for a leaf.",
            "requires_grad": "That says whether operations on it are recorded.",
        },
    ),
    Prediction(
        "08_p1",
        "y = u * v. What does y.grad_fn._saved_self is u print?",
        "True",
        {
            "True": "The node saves the tensor itself.",
            "False, it's a copy": "A copy would cost time and memory for each operation.",
        },
    ),
    Prediction(
        "08_p2",
        "The derivative of tanh(u) is 1 - tanh(u)². What does its node save?",
        "its result",
        {
            "its input": "It could, but then it would have to compute tanh again.",
            "its result": "The derivative can be written with the result alone.",
            "both": "One of the two is enough.",
            "nothing": "Then its slope would be the same everywhere.",
        },
    ),
    Prediction(
        "08_p3",
        "Three results: (u + 2).sum(), (u * v).sum(), (u.exp() + u).sum(). On which of them does a "
        "second backward() work?",
        "only the first",
        {
            "none": "It fails only where a rule needs a value that's gone. Does adding 2 need one?",
            "only the first": "No node in it has saved anything.",
            "the first and the third": "The + in the third saves nothing. What about exp?",
            "all three": "What did the product's node do with its factors?",
        },
    ),
    Prediction(
        "08_p4",
        "tripled = x * 3 is computed before the loop, with retain_graph=True. What do the three "
        "losses do while x moves downhill?",
        "they stay at 36",
        {
            "they fall": "The loss is computed from tripled. Who updates tripled?",
            "they stay at 36": "tripled keeps the number from before the loop.",
            "an error in iteration 2": "retain_graph=True prevents that.",
        },
    ),
    Prediction(
        "08_p5",
        "We draw the state of iteration 2. How many tanh operations are in its graph?",
        "2",
        {
            "0": "Each iteration makes its state with a tanh.",
            "1": "That would be right if the first state were a plain number.",
            "2": "The second state was computed from the first.",
        },
        number=True,
    ),
    Prediction(
        "08_p6",
        "h.retain_grad() comes before the first backward(). What does that change?",
        "h.grad is filled, and that's all",
        {
            "a second backward() works, and that's all": "For that, the nodes would have to keep "
            "what they saved. What is kept here?",
            "h.grad is filled, and that's all": "It keeps one gradient, and nothing that the nodes "
            "saved.",
            "both": "Only retain_graph=True keeps what the nodes saved.",
        },
    ),
    Prediction(
        "08_p7",
        "There are 8 layers with 128 KiB of weights, and a batch of 64 KiB. How much do the nodes "
        "save, not counting the weights and the batch?",
        "512 KiB",
        {
            "64 KiB": "That's one layer. All eight are needed on the way back.",
            "128 KiB": "The weights are there anyway. What else do the rules need?",
            "512 KiB": "Eight results of tanh, 64 KiB each.",
            "1,024 KiB": "That's every product and every tanh. Does any rule need the product?",
        },
    ),
    Prediction(
        "08_p8",
        "Forward through a network takes some time. How long does its backward pass take?",
        "about as long, within a small factor",
        {
            "next to nothing, the values are there": "Saved values are inputs. The products with "
            "the upstream gradient are still to be computed.",
            "about as long, within a small factor": "It takes two products for each one on the way "
            "forward.",
            "32,768 times as long, once per weight": "That's nudging.",
        },
    ),
    Explanation(
        "08_explain",
        "A colleague's loop raises 'backward through the graph a second time'. They added "
        "retain_graph=True and it runs. What would you ask them, and why?",
        "I'd ask what connects the iterations: a tensor computed before the loop, or a state "
        "that's carried over? In the first case they train on old numbers; in the second, each "
        "pass goes back through all earlier ones. Compute it in the loop, add up the losses, or "
        "detach.",
        ("what connects the iterations", "old numbers, or growing cost", "a cure for each"),
    ),
)
