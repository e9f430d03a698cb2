"""Lesson 20: an engine of the learner's own, in six parts."""

from minigrad.exercises import engine_parts_1_2, engine_parts_3_4, engine_parts_5_6
from minigrad.exercises.predictions import Explanation, Prediction

record, rules = engine_parts_1_2.record, engine_parts_1_2.rules
ordered, accumulate = engine_parts_3_4.ordered, engine_parts_3_4.accumulate
free, tensors = engine_parts_5_6.free, engine_parts_5_6.tensors

QUESTIONS = (
    Prediction(
        "20_r1",
        "Lesson 19. A gradient is wrong, and there's no error. What do you print first?",
        "is_leaf, requires_grad, grad_fn, _version and grad",
        {
            "the loss": "It tells you that something is wrong, which you know.",
            "is_leaf, requires_grad, grad_fn, _version and grad": "For each tensor on the way. The "
            "first one without a history is where to look.",
            "the optimizer's settings": "They matter only once the gradient is right.",
        },
    ),
    Prediction(
        "20_r2",
        "Lesson 17. Forward mode sends slopes toward the loss. What does it need to remember?",
        "nothing: value and slope travel together",
        {
            "the whole graph": "That's reverse mode, which can start only when the loss is known.",
            "nothing: value and slope travel together": "That's why it frees nothing, either. "
            "Today's engine goes the other way and has to remember.",
            "the saved values of each operation": "Forward mode uses a value at the moment when "
            "it's there. Which mode needs it later?",
        },
    ),
    Prediction(
        "20_r3",
        "Lesson 14. A bias of shape [8] is added to 200 rows. What does its gradient add up?",
        "what arrives in the 200 rows",
        {
            "what arrives in the 8 columns": "Each column has a bias element of its own.",
            "what arrives in the 200 rows": "One bias element is used in 200 places, and over "
            "paths we add.",
            "nothing: it takes the mean": "The mean is in the loss, if anywhere. Broadcasting's "
            "backward is a sum.",
        },
    ),
    Prediction(
        "20_p1",
        "b = a + a. How many inputs does the node of b list in next_functions?",
        "2",
        {
            "0": "Then nothing would ever get back to a.",
            "1": "It's one tensor, but two uses. What would a single edge bring back for a + a?",
            "2": "One for each use, and both lead to the same node.",
        },
    ),
    Prediction(
        "20_p2",
        "p = a * b, with a = 2 and b = 5. We call p's node by hand with the gradient 3. What does "
        "it return?",
        "15 and 6",
        {
            "5 and 2": "These are the local slopes. What arrived was 3.",
            "15 and 6": "3 × 5 for a, and 3 × 2 for b.",
            "6 and 15": "Each factor gets upstream times the *other* one.",
            "3 and 3": "That's what an addition would pass on.",
        },
    ),
    Prediction(
        "20_p3",
        "We run the nodes in the order in which we find them: d, b, c, a. For d = b * c, 44 is "
        "right. What do we get?",
        "28",
        {
            "44": "Every node is there, once. But c sends something to b, and b ran before it.",
            "28": "b passed on its 6 and was done when 4 more came from c. So 4 · 2a = 16 is "
            "missing at a.",
            "an error: a gradient is missing": "No node knows how many gradients it should wait "
            "for. That's the trouble.",
        },
    ),
    Prediction(
        "20_p4",
        "d = b * c once more, then d.backward() on your engine. Which tensors have a .grad?",
        "a",
        {
            "a": "Only a leaf's node stores what arrives.",
            "a, b and c": "Gradients arrived at their nodes, in a dictionary that's gone by now.",
            "a, b, c and d": "PyTorch would warn you. Your engine has no place for them at all.",
        },
    ),
    Prediction(
        "20_p5",
        "y = x * x and z = x + 2. We call backward() twice on each. Which second call raises an "
        "error?",
        "only y's",
        {
            "both": "An addition saved nothing, so there's nothing to miss.",
            "only y's": "A product needs its factors, and they were freed.",
            "neither": "Then every saved tensor would live as long as its graph.",
        },
    ),
    Prediction(
        "20_p6",
        "x @ w + b, with 200 rows and 8 columns. Which shape does the gradient have that the rule "
        "of + returns for b?",
        "[200, 8]",
        {
            "[8]": "That's the shape of b. The rule of + passes on what arrives, whatever that is.",
            "[200, 8]": "Both terms get what arrives. `unbroadcast` has to make [8] of it.",
            "[1, 8]": "Close to what happens next: one of the two ways of stretching adds "
            "dimensions on the left.",
        },
    ),
    Prediction(
        "20_p7",
        "Lesson 03's program, and torch is now your engine. What's in x.grad?",
        "4.5 in every place",
        {
            "4.5 in every place": "1/4 from the mean, 3 from the factor, 2 · 3 from y · y.",
            "18 in every place": "That's the gradient of a sum. The mean divides it by 4.",
            "an error: it isn't PyTorch": "It has every name that this program uses.",
        },
    ),
    Explanation(
        "20_explain",
        "A friend's engine keeps a gradient on every tensor, and sets them all to 0 before each "
        "pass. Tell them in a sentence or two what that does to a weight with two losses, and what "
        "your engine does instead.",
        "Setting everything to 0 throws away what the first loss left in the weight, so only the "
        "last backward() counts. My engine keeps the sums of a pass in a dictionary that's new "
        "each time, and only leaves store anything. So calls add, and nothing else needs clearing.",
        (
            "the first loss's gradient is lost",
            "sums of a pass are new in each pass",
            "only leaves keep a gradient",
        ),
    ),
)
