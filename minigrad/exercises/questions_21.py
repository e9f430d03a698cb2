"""Lesson 21: what it asks before it shows."""

from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "21_r1",
        "Lesson 20. b is used twice. When may your engine run the rule of the node that made b?",
        "when both gradients have arrived and been added",
        {
            "as soon as one gradient arrives": "Then it would pass on an unfinished sum.",
            "when both gradients have arrived and been added": "Count, wait, add, run it once.",
            "at any time: the order doesn't matter": "Then it could pass on an unfinished sum.",
        },
    ),
    Prediction(
        "21_r2",
        "Lesson 18. Which argument records the backward pass, so you can differentiate a gradient?",
        "create_graph=True",
        {
            "retain_graph=True": "That keeps what the forward pass saved. It records nothing.",
            "create_graph=True": "The gradient it returns has a graph of its own.",
            "requires_grad=True": "That makes a leaf track its gradient, not the backward pass.",
        },
    ),
    Prediction(
        "21_r3",
        "Lesson 15. Why do you hold out some of the data?",
        "to test the network on data it wasn't trained on",
        {
            "to make training faster": "It hardly does. What's special about this data?",
            "to test the network on data it wasn't trained on": "A low training loss can come from "
            "learning by heart.",
            "to compute gradients on it": "Then it would be training data.",
        },
    ),
    Prediction(
        "21_p1",
        "With four letters of memory, what share of the held-out letters follows a group that was "
        "never counted?",
        "about a quarter",
        {
            "almost none": "With one letter, yes. How many groups of four letters are there?",
            "about a tenth": "That's nearer to what three letters give.",
            "about a quarter": "There are many more groups of four than words in the list.",
            "nearly all": "Many words share beginnings and endings, so it isn't quite that bad.",
        },
    ),
    Prediction(
        "21_p2",
        "A model has no opinion and gives all 27 letters the same logit. What's its loss?",
        "about 3.3",
        {
            "0": "That takes a probability of 1 for the right letter.",
            "about 1": "That takes a probability of 0.37. What does each letter get here?",
            "about 3.3": "Each letter gets 1/27, and -log(1/27) is log 27.",
            "27": "That's how many letters there are. The loss is a logarithm.",
        },
    ),
    Prediction(
        "21_p3",
        "The batch is just the word cat. How many of the table's 27 rows get a gradient that isn't "
        "0?",
        "4",
        {
            "3": "c, a and t. Which row is looked up at the beginning of the input?",
            "4": "The rows that were looked up: the dot and three letters.",
            "9": "All 9 places look up a row. Are these 9 different rows?",
            "27": "What in the loss depends on the rows that weren't looked up?",
        },
    ),
    Prediction(
        "21_p4",
        "You multiply a vector by 10 before the layer norm. What happens to the result?",
        "it stays the same",
        {
            "it's 10 times as large": "What happens to the number it's divided by?",
            "it's a tenth as large": "The vector grows, and so does its standard deviation.",
            "it stays the same": "The standard deviation grows by the same factor.",
        },
    ),
    Prediction(
        "21_p5",
        "Without the mask: what's the loss on held-out words after 100 steps?",
        "almost 0",
        {
            "about 3.3": "More information can be ignored, so why should it do worse?",
            "about 2.3, as with the mask": "Each place sees the others. What's in the next?",
            "almost 0": "The answer is in the input, and the model looks it up.",
        },
    ),
    Prediction(
        "21_p6",
        "And the words that it writes?",
        "useless",
        {
            "better than before": "When it writes, is there a next letter to look at?",
            "words from the list": "For those, it would have to know what comes next.",
            "useless": "It learned to copy the next letter, and now there is none.",
        },
    ),
    Prediction(
        "21_p7",
        "The query weights are 1,000 times as large. What happens to their gradient?",
        "it shrinks",
        {
            "it grows": "The scores grow. What does softmax do with large scores?",
            "it stays about the same": "Remember the bench: what were the slopes of scores × 30?",
            "it shrinks": "The softmax is saturated, so its slopes are close to 0.",
        },
    ),
    Prediction(
        "21_p8",
        "The same training without attention. Where does the held-out loss end?",
        "a little higher than with attention",
        {
            "near 3.3": "It still knows the last letter, as the bigram model did.",
            "a little higher than with attention": "The last letter and the place tell a lot.",
            "at the same value": "Then the earlier letters wouldn't help at all.",
            "lower": "With so little data it could be. Here the earlier letters do help.",
        },
    ),
    Explanation(
        "21_explain",
        "A colleague asks: 'When the model writes, there's no future to look at. So why does it "
        "need a mask?' What do you say?",
        "The mask is for training. There the whole word goes in at once, so the letter that a "
        "place has to guess is in the input, one place further on. Without the mask the model "
        "learns to copy it, and that's no use when it writes.",
        (
            "in training the whole word is in the input",
            "without a mask the model copies the answer",
            "when it writes, there's nothing to copy",
        ),
    ),
)
