"""Lesson 14: what it asks before it shows."""

from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "14_p1",
        "x * w has shape [4, 1] and y has shape [4]. What's the shape of x * w - y?",
        "[4, 4]",
        {
            "[4]": "That would be one difference per point, and it's what was meant.",
            "[4, 1]": "That's the shape of the first. The second has its 4 in another place.",
            "[4, 4]": "Both were stretched.",
            "an error: the shapes differ": "It would be kinder. Two shapes may differ as long as "
            "each can be stretched to fit.",
        },
    ),
    Prediction(
        "14_r1",
        "Lesson 13. A backward rule is off by a factor of 2. What tells you?",
        "gradcheck",
        {
            "backward() raises an error": "The engine believes every rule.",
            "gradcheck": "It compares the rule with a nudge.",
            "the loss goes up": "Half a gradient still points downhill.",
        },
    ),
    Prediction(
        "14_r2",
        "Lesson 11. In a training loop, between which two steps must you not clear .grad?",
        "backward() and the update",
        {
            "the update and the next forward pass": "That's the usual place.",
            "the forward pass and backward()": "That works: the new gradient isn't there yet.",
            "backward() and the update": "The gradient would be gone before it's used.",
        },
    ),
    Prediction(
        "14_r3",
        "Lesson 08. What does c = a + b save for the backward pass?",
        "nothing",
        {
            "a and b": "A product would. What's the slope of a sum?",
            "c": "exp saves its result. A sum doesn't need it.",
            "nothing": "Both slopes are 1, whatever a and b are.",
        },
    ),
    Prediction(
        "14_p2",
        "column is [[1], [2]], row is [0.5, 1, 1.5]. What's the gradient of column?",
        "[[3], [3]]",
        {
            "[[1], [1]]": "The mean of the row. Are paths averaged?",
            "[[1.5], [1.5]]": "That's the last use only.",
            "[[3], [3]]": "0.5 + 1 + 1.5: one path per use.",
            "a table of 2 × 3 numbers": "That's what arrives. A gradient has the shape of its "
            "tensor, so the table has to become a column.",
        },
    ),
    Prediction(
        "14_p3",
        "Plus passes a [2, 3] gradient to b, which has shape [3]. Total passes a single number to "
        "x, which has shape [2, 3]. Which of them raises an error?",
        "Total only",
        {
            "neither": "One of the two shapes can't have come from a broadcast.",
            "Plus only": "[3] can be stretched to [2, 3], so the engine knows how to undo it.",
            "Total only": "The engine sums down. It doesn't guess how to spread out.",
            "both": "[3] can be stretched to [2, 3], so the engine knows how to undo that one.",
        },
    ),
    Prediction(
        "14_p4",
        "grad is [2, 4], b is [3, 4], and the gradient of a must be [2, 3]. Which product is it?",
        "grad @ b.T",
        {
            "grad @ b": "[2, 4] times [3, 4]: the inner sizes differ.",
            "grad @ b.T": "[2, 4] times [4, 3] is [2, 3].",
            "b.T @ grad": "[4, 3] times [2, 4]: the inner sizes differ.",
            "grad * b": "Element by element, [2, 4] and [3, 4] don't fit.",
        },
    ),
    Prediction(
        "14_p5",
        "y = x.cumsum(0): each y is the sum of all x up to there. Where are the ones in its "
        "Jacobian?",
        "on the diagonal and to the left of it",
        {
            "on the diagonal only": "Then each output would depend on one input.",
            "on the diagonal and to the left of it": "Row i: output i depends on the inputs 0 to "
            "i.",
            "on the diagonal and to the right of it": "A row belongs to an output. Does output 0 "
            "depend on the later inputs?",
            "everywhere": "Does output 0 depend on input 3?",
        },
    ),
    Prediction(
        "14_p6",
        "The gradient of the logits has one row per example. What does each row add up to?",
        "0",
        {
            "0": "What the right class gains, the others lose.",
            "1": "The probabilities add up to 1.",
            "1/3: the mean over 3 examples": "Each row is divided by 3, yes. What is divided?",
            "the loss of that example": "The loss is a value. Add the same amount to all logits "
            "of a row: does the loss change?",
        },
    ),
    Explanation(
        "14_explain",
        "A bias of shape [10] is added to a batch of shape [32, 10]. Explain in two sentences why "
        "its gradient is a sum over 32 rows, and not their mean.",
        "Each entry of the bias is used in all 32 rows, so 32 paths lead from it to the loss, and "
        "paths add: nudge it once, and all 32 rows move. A mean appears only if the loss itself "
        "is a mean, and then its 1/32 is already in what arrives.",
        ("it's used once per row", "paths add", "a mean comes from the loss, not from the bias"),
    ),
)
