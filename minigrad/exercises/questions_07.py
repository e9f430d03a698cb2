"""Lesson 07: what it asks before it shows."""

from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "07_r1",
        "Lesson 06. x has shape [2] and y has shape [3]. Which shape must v have in y.backward(v)?",
        "[3]",
        {
            "[2]": "That's the shape of x.grad. v weighs the outputs.",
            "[3]": "One weight for each output.",
            "[3, 2]": "That's the Jacobian's shape, and backward() never builds it.",
        },
    ),
    Prediction(
        "07_r2",
        "Lesson 04. w.grad is 3, and another backward() finds 3 again. What's w.grad now?",
        "6",
        {
            "3": "That would be so if the new number replaced the old one. Does it?",
            "6": "Calls add.",
            "9": "The gradients are added, not multiplied.",
        },
    ),
    Prediction(
        "07_r3",
        "Lesson 01. Central nudging for 5 inputs: how many runs of the program?",
        "10",
        {
            "1": "One run gives one number, and a slope takes the difference of two.",
            "5": "Each input is nudged up and down.",
            "10": "Two for each input. backward() needs one pass for all five.",
        },
    ),
    Prediction(
        "07_p1",
        "backward() ran and weights.grad is None. Where did the gradient go?",
        "into a tensor that has no name",
        {
            "nowhere, because weights doesn't require grad": "It does: the opening cell printed "
            "True.",
            "into weights, and then backward() cleared it": "backward() adds and never clears.",
            "into a tensor that has no name": "The leaf is what randn returned.",
            "into loss.grad": "The pass starts at loss with a 1. It's going toward the inputs.",
        },
    ),
    Prediction(
        "07_p2",
        "Nine of these ten go into the sum. After backward(), how many of the ten have a .grad?",
        "3",
        {
            "2": "w and the Parameter, yes. What does w.float() return if w is float32 already?",
            "3": "w, w.float() and the Parameter.",
            "4": "There are four leaves that require grad. Did all of them go into the sum?",
            "7": "Seven of them require grad and are used. Is that enough?",
        },
    ),
    Prediction(
        "07_p3",
        "In the first program below, out doesn't use skip. What's skip.grad after backward()?",
        "None",
        {
            "None": "No path leads from out to skip, so no gradient arrives.",
            "tensor(0.)": "That says: a gradient arrived and it's 0. Did one arrive?",
            "an error": "backward() follows the paths that exist. It doesn't look for others.",
        },
    ),
    Prediction(
        "07_p4",
        "x = (1, 2), h = 3x, out is the sum of the squares of h. h retains its grad. What is it?",
        "(6, 12)",
        {
            "(3, 3)": "That's the slope of h with respect to x. What's the slope of out?",
            "(6, 12)": "The slope of h² is 2h, and h is (3, 6).",
            "(18, 36)": "That's the gradient of x: one operation further, so times 3.",
            "None, because h isn't a leaf": "That's the rule, and retain_grad() makes an "
            "exception.",
        },
    ),
    Prediction(
        "07_p5",
        "Now h.retain_grad() comes one line after backward(). What does h.grad print?",
        "None",
        {
            "(6, 12)": "For that, backward() would have to keep it in case you ask later.",
            "None": "The gradient was dropped before the call.",
            "zeros": "A zero would mean that a gradient arrived and was stored.",
        },
    ),
    Explanation(
        "07_explain",
        "Before backward() you printed None three times; afterward, twos, ones and a 1. Say in two "
        "sentences where the 1 comes from, and what you'd have seen without retain_grad().",
        "The backward pass starts at total with a 1, the slope of total with respect to itself, "
        "and total kept it. Without retain_grad() only the leaf x has a .grad; doubled and total "
        "print None, with a warning, because their gradients are used and dropped.",
        (
            "the pass starts with 1",
            "without retain_grad() only x has one",
            "they're used and dropped",
        ),
    ),
)
