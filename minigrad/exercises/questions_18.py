"""Lesson 18: what it asks before it shows."""

from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "18_r1",
        "Lesson 17. f takes 3 numbers and returns 1. How many forward-mode passes give its whole "
        "gradient?",
        "3",
        {
            "1": "That's reverse mode, which does it in one pass because there is one *output*.",
            "2": "One pass tells you how f reacts to one input. How many inputs are there?",
            "3": "One pass per input.",
        },
    ),
    Prediction(
        "18_r2",
        "Lesson 15. Which call in the training loop puts numbers into .grad?",
        "backward()",
        {
            "zero_grad()": "It empties `.grad`.",
            "backward()": "`step()` reads `.grad`, `zero_grad()` empties it.",
            "step()": "It reads `.grad` and moves the weights. Who wrote what it reads?",
        },
    ),
    Prediction(
        "18_r3",
        "Lesson 12. What is w.grad right after optimizer.zero_grad()?",
        "None",
        {
            "zeros": "The name says so. Print it once, and you'll see `None`.",
            "None": "The name says zero; the default is `set_to_none=True`.",
            "what it was before": "Then the gradients of all iterations would add up.",
        },
    ),
    Prediction(
        "18_p1",
        "At 3, x³ has slope 27. How fast does that slope grow there?",
        "18",
        {
            "3": "The factor in 3x² stays in front; what is the slope of x²?",
            "6": "6x, yes, and x is 3.",
            "18": "The slope is 3x², and the slope of *that* is 6x.",
            "27": "That's the slope. The question is how fast it changes.",
        },
    ),
    Prediction(
        "18_p2",
        "slope is a tensor, so it has a backward(). What does slope.backward() do?",
        "an error: slope has no graph",
        {
            "puts 18 into x.grad": "That needs a graph from `slope` to `x`. Is there one?",
            "puts 27 into x.grad": "27 is already in `slope`. Going back from there would give "
            "18, if there were a graph.",
            "an error: the graph was freed": "The values saved for `y` were freed, yes. But the "
            "message is about `slope`.",
            "an error: slope has no graph": "The engine computed it with recording off.",
        },
    ),
    Prediction(
        "18_p3",
        "The graph of y = x * x has 1 operation. How many does the graph of its slope have?",
        "3, two products and a sum",
        {
            "0, a slope is just a number": "Without create_graph it would be.",
            "1, the same multiplication": "The graph shows how the *slope* was computed, and that "
            "took other operations.",
            "2, one for each factor": "Two gradients arrive at `x`. What happens to them there?",
            "3, two products and a sum": "`1 * x`, `1 * x`, and the `+` between them.",
        },
    ),
    Prediction(
        "18_p4",
        "Cube passes gradcheck. Now y = Cube(x)², which is x⁶. Its curvature at 2 is 30 · 2⁴ = "
        "480. What does the engine say?",
        "another number, and no error",
        {
            "480": "gradcheck promises a right *slope*. What does the second pass know about "
            "`ctx.square`?",
            "another number, and no error": "`ctx.square` is a constant to the second pass.",
            "an error": "An error would be kinder. There is a path from the slope to `x`, just "
            "not the whole one.",
        },
    ),
    Prediction(
        "18_p5",
        "At 2, relu has slope 1. What's the slope of that slope?",
        "0",
        {
            "0": "relu is straight on either side of its corner.",
            "1": "1 is the slope. Does it change when you move x from 2 to 2.1?",
            "an error: the slope has no graph": "relu's backward is recorded, so there is a "
            "graph. What flows through it is another question.",
        },
    ),
    Prediction(
        "18_p6",
        "x³ at 3: slope 27, curvature 18. We call backward(create_graph=True), then "
        "x.grad.backward(). What's in x.grad?",
        "45",
        {
            "18": "Only if the second pass replaced what the first one left. What does backward() "
            "do with a .grad that's already there?",
            "27": "The second pass does arrive at x.",
            "45": "backward() adds: 27 + 18.",
            "an error": "create_graph=True was there, so x.grad has a graph.",
        },
    ),
    Prediction(
        "18_p7",
        "The third run starts at 0.5, between the hilltop at 0 and the minimum at 1.2247. Where "
        "does it end?",
        "on the hilltop, at 0",
        {
            "at 1.2247": "Downhill from 0.5, yes. But what's the sign of the curvature there, and "
            "what does dividing by it do to the step?",
            "at -1.2247": "It does jump to the other side, and then it comes back.",
            "on the hilltop, at 0": "Newton looks for slope 0, and a hilltop has that too.",
            "it never settles": "It settles after a few steps, at a place where the slope is 0.",
        },
    ),
    Explanation(
        "18_explain",
        "A colleague writes backward(create_graph=True) everywhere, 'to be on the safe side'. "
        "Tell them in a sentence or two what it costs and when they need it.",
        "It makes the engine record the backward pass as well, so that pass's graph and "
        "everything it saved stay in memory, and gradients in `.grad` drag a graph along. You "
        "need it only when you're going to differentiate the gradient itself.",
        (
            "it records the backward pass",
            "that keeps memory",
            "only for differentiating a gradient",
        ),
    ),
)
