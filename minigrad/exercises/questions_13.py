"""Lesson 13: what it asks before it shows."""

from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "13_r1",
        "Lesson 12. A weight's .grad is None. What does optimizer.step() do with it?",
        "skips it",
        {
            "skips it": "No gradient, no step.",
            "moves it by 0 or by its momentum": "That's what happens with a gradient of zeros.",
            "raises an error": "Then you couldn't leave a weight unused.",
        },
    ),
    Prediction(
        "13_r2",
        "Lesson 10. y = x.exp(), then y[0] = 0. What does y.sum().backward() do?",
        "raises an error: exp saved y",
        {
            "works: exp saved x": "The slope of exp is its own result, so that's what it saves.",
            "raises an error: exp saved y": "The version counter notices.",
            "gives a wrong gradient, silently": "It would, if the engine didn't count versions.",
        },
    ),
    Prediction(
        "13_r3",
        "Lesson 07. h = 2 * w, with a leaf w. What's h.grad after backward()?",
        "None",
        {
            "None": "Only leaves keep theirs, unless you call retain_grad().",
            "zeros": "A .grad that was never filled isn't zeros.",
            "the gradient of h": "It was computed, used and dropped. Which call keeps it?",
        },
    ),
    Prediction(
        "13_p1",
        "x is [1, 2, 3], and we call Cube.apply(x).sum().backward(). What's in x.grad?",
        "[3, 12, 27]",
        {
            "[1, 8, 27]": "Those are the values of x³.",
            "[3, 6, 9]": "3x. What's the slope of x³?",
            "[3, 12, 27]": "3x² at 1, 2 and 3, times the 1 that arrives from the sum.",
            "None: the engine has no rule for Cube": "You're about to give it one.",
        },
    ),
    Prediction(
        "13_p2",
        "forward computes x**3. Which operations will the graph of y show?",
        "CubeBackward",
        {
            "CubeBackward": "Recording is off while forward runs.",
            "PowBackward0": "Then your rule would never be used.",
            "PowBackward0 and CubeBackward": "Then x**3 would be differentiated twice, by the "
            "rule of pow and by yours.",
        },
    ),
    Prediction(
        "13_p3",
        "Both give the right gradient. After del y, is the tensor still in memory?",
        "with ShortExp only",
        {
            "with neither": "Python frees what is no longer referred to. Who still refers to "
            "ShortExp's result?",
            "with ShortExp only": "Its node holds the result, and the result holds its node.",
            "with Exp only": "save_for_backward knows about this. A plain attribute doesn't.",
            "with both": "save_for_backward stores an output without the tie to its own node.",
        },
    ),
    Prediction(
        "13_p4",
        "x is [1, 2]. First Forgetful(x).sum(), then (10 * Forgetful(x)).sum(). Which gradient is "
        "wrong?",
        "the second",
        {
            "neither": "Ten times the function should be ten times as steep.",
            "the first": "What arrives from sum() is 1, and 1 times 3x² is right.",
            "the second": "It should be ten times the first.",
            "both": "What arrives from sum() alone?",
        },
    ),
    Prediction(
        "13_p5",
        "The Jacobian of x³ is diagonal: 3 and 12. What does Forgetful's rule give instead?",
        "3 and 12 on the diagonal, and no zeros beside it",
        {
            "the same: its slopes are right": "gradcheck asks with a vector that contains zeros.",
            "3 and 12 on the diagonal, and no zeros beside it": "Whichever output you ask about, "
            "it answers the same.",
            "zeros everywhere": "It ignores grad, so it can't pass a zero on.",
            "a diagonal with other numbers": "The zeros come from multiplying by a grad of zero. "
            "Does it?",
        },
    ),
    Prediction(
        "13_p6",
        "The rule is grad * 2 * x**2. What will its Jacobian look like?",
        "diagonal, with 2 and 8",
        {
            "diagonal, with 2 and 8": "The zeros come from grad, and this rule uses it.",
            "diagonal, with 3 and 12": "The numerical one. This one comes from the rule.",
            "full, with 2 and 8": "A full one means that grad was ignored.",
        },
    ),
    Prediction(
        "13_p7",
        "When is the missing gradient noticed?",
        "at backward()",
        {
            "at Product.apply(a, b)": "apply runs forward, and forward is fine.",
            "at backward()": "That's when your rule runs for the first time.",
            "never: b.grad stays None": "The engine counts what the rule returns.",
        },
    ),
    Prediction(
        "13_p8",
        "RoundThrough hands grad on unchanged. What does gradcheck say about it?",
        "an error: nudging finds 0, the rule says 1",
        {
            "True: the engine uses the rule": "The engine uses any rule. gradcheck compares it "
            "with a nudge.",
            "an error: nudging finds 0, the rule says 1": "It isn't the derivative of rounding.",
            "an error: nudging finds 1, the rule says 0": "Nudge 0.3 by a millionth, and round. "
            "Does it change?",
        },
    ),
    Explanation(
        "13_explain",
        "A colleague's own operation trains a network, and the loss goes down. They conclude that "
        "its backward rule is right. Tell them in two sentences why that doesn't follow, and what "
        "to run.",
        "A loss often goes down with a wrong rule, too: one that's off by a factor only acts like "
        "another learning rate, and the engine checks nothing but the number and the shapes of "
        "the gradients. Run gradcheck in float64, which compares the rule with nudges.",
        (
            "a wrong rule can still go downhill",
            "the engine believes every rule",
            "compare with nudges: gradcheck",
        ),
    ),
)
