"""What is often believed about autograd and isn't true: twenty-two misconceptions.

A diagnosis names one of them by its number. Where the belief ends in an error or a warning, the
words are PyTorch's, with a program that brings them about; a test runs it on PyTorch.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    """What PyTorch says: a part of the text that is always the same, and what it means.

    program: brings it about, where ``torch`` is the engine; as an error, or as a warning.
    """

    text: str
    meaning: str
    program: str


@dataclass(frozen=True)
class Misconception:
    """One thing that is believed, and what is true instead."""

    number: int
    name: str
    belief: str
    fact: str
    messages: tuple[Message, ...] = ()


_LEAF = "w = torch.ones(3, requires_grad=True)\n"
_WRITTEN = (
    "A leaf that requires grad, or a part of one, was changed in place while autograd was "
    "recording. If this moves a weight, it belongs under `with torch.no_grad():`. If it is part of "
    "the computation, make a new tensor instead: `a = a + b`, not `a += b`."
)

_ALL = (
    Misconception(
        1,
        "every tensor gets .grad",
        "Every tensor has its gradient in `.grad` after `backward()`.",
        "Only leaves that require grad keep theirs. An intermediate tensor does so after "
        "`retain_grad()`.",
        (
            Message(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed",
                "A computed tensor keeps no gradient unless `retain_grad()` was called on it "
                "before `backward()`.",
                _LEAF + "y = w * 2\ny.sum().backward()\ny.grad",
            ),
        ),
    ),
    Misconception(
        2,
        "backward() overwrites .grad",
        "`backward()` replaces what is in `.grad`.",
        "It adds to what is there: old + new = now.",
    ),
    Misconception(
        3,
        "a second backward() always fails, or always works",
        "A second `backward()` through the same graph always fails, or always works.",
        "It fails if a node needs a value that it saved, because the first backward pass freed "
        "those values.",
        (
            Message(
                "Trying to backward through the graph a second time",
                "A node needs a value that it saved, and the first backward pass freed it. Add the "
                "results and go back once, compute the result again, or keep the values with "
                "`retain_graph=True`.",
                _LEAF + "y = (w * w).sum()\ny.backward()\ny.backward()",
            ),
        ),
    ),
    Misconception(
        4,
        "the vector in backward(v) is arbitrary",
        "The vector given to `backward` is arbitrary, or has the shape of the input.",
        "It holds one weight for each output: the upstream gradient, in the output's shape.",
        (
            Message(
                "grad can be implicitly created only for scalar outputs",
                "With several outputs, you have to say how much weight each one gets: "
                "`backward(v)`, where `v` has the output's shape.",
                _LEAF + "(w * 2).backward()",
            ),
            Message(
                "Mismatch in shape: grad_output[0] has a shape of",
                "*grad_output* is the vector that you passed, and *output* is the tensor on which "
                "you called `backward`. Their shapes must be the same.",
                _LEAF + "w[:2].backward(torch.ones(3))",
            ),
        ),
    ),
    Misconception(
        5,
        "no order and no sum are needed",
        "Gradients may be passed on as soon as they arrive, and stored with `=`.",
        "Gradients that arrive along several paths are added, and a node waits until all of them "
        "are there.",
    ),
    Misconception(
        6,
        "a weight can be changed in place while it is recorded",
        "`w -= lr * w.grad` is all it takes to update a weight.",
        "A leaf that requires grad may only be changed in place under `torch.no_grad()`.",
        (
            Message(
                "a leaf Variable that requires grad is being used in an in-place operation",
                _WRITTEN,
                _LEAF + "w -= 0.1",
            ),
            Message(
                "a view of a leaf Variable that requires grad is being used in an in-place",
                _WRITTEN,
                _LEAF + "w[0] = 3.0",
            ),
        ),
    ),
    Misconception(
        7,
        "w = w - lr * w.grad is the same weight",
        "`w = w - lr * w.grad` moves the weight and changes nothing else.",
        "It makes a new tensor that isn't a leaf, so its `.grad` stays None.",
    ),
    Misconception(
        8,
        "requires_grad can be switched anywhere",
        "`requires_grad` can be switched off on any tensor.",
        "Only a leaf's flag can be changed. For a computed tensor, use `detach()`.",
        (
            Message(
                "you can only change requires_grad flags of leaf variables",
                "This tensor was computed from others, and its flag follows from theirs. To use "
                "its value without its graph, call `detach()`.",
                _LEAF + "y = w * 2\ny.requires_grad = False",
            ),
        ),
    ),
    Misconception(
        9,
        "detach, no_grad and requires_grad_(False) are the same",
        "`detach()`, `no_grad()` and `requires_grad_(False)` do the same thing.",
        "`detach()` cuts one use of a value, `no_grad()` switches recording off for a block of "
        "code, and `requires_grad_(False)` freezes one leaf while gradients still flow past it.",
    ),
    Misconception(
        10,
        "detach() copies",
        "`detach()` makes a copy.",
        "It shares memory: what you write into one shows up in the other.",
    ),
    Misconception(
        11,
        "writing in place is always safe, or never",
        "Writing in place is always safe, or never is.",
        "It depends on whether a node has saved the value that is overwritten.",
        (
            Message(
                "one of the variables needed for gradient computation has been modified by an "
                "inplace operation",
                "A node saved this tensor for the backward pass, and its values were changed "
                "afterward. Write into a copy (`clone()`), or compute a new tensor.",
                _LEAF + "y = w.exp()\ny[0] = 0.0\ny.sum().backward()",
            ),
        ),
    ),
    Misconception(
        12,
        "zero_grad() leaves zeros",
        "After `zero_grad()` every `.grad` is a tensor of zeros.",
        "An optimizer's `zero_grad()` leaves None.",
        (
            Message(
                "'NoneType' object has no attribute 'zero_'",
                "`.grad` is None: no gradient has arrived yet, or `zero_grad()` removed it.",
                _LEAF + "w.grad.zero_()",
            ),
        ),
    ),
    Misconception(
        13,
        "backward() changes the weights",
        "`backward()` moves the weights.",
        "It only computes gradients. Moving the weights is a separate step.",
    ),
    Misconception(
        14,
        "any container will do for an optimizer",
        "An optimizer takes its tensors in any form.",
        "It takes a non-empty list (or another iterable) of leaves.",
        (
            Message(
                "params argument given to the optimizer should be an iterable of Tensors or dicts",
                "The optimizer got one tensor, and it needs a list of them: `[w]`.",
                _LEAF + "torch.optim.SGD(w, lr=0.1)",
            ),
            Message(
                "can't optimize a non-leaf Tensor",
                "An optimizer moves leaves. This tensor was computed; give it the leaf instead.",
                _LEAF + "torch.optim.SGD([w * 2], lr=0.1)",
            ),
            Message(
                "optimizer got an empty parameter list",
                "The list is empty. So is an iterator that has already been used.",
                "torch.optim.SGD([], lr=0.1)",
            ),
            Message(
                "'method' object is not iterable",
                "You passed a method instead of what it returns. Call it: `model.parameters()`, "
                "with parentheses.",
                "torch.optim.SGD(torch.nn.Linear(1, 1).parameters, lr=0.1)",
            ),
        ),
    ),
    Misconception(
        15,
        "integers can require grad",
        "A tensor of integers can require grad.",
        "A derivative is about small nudges, so it needs a floating point dtype.",
        (
            Message(
                "Only Tensors of floating point and complex dtype can require gradients",
                "Integers can't be nudged a little. Write `1.0` instead of `1`, or pass a floating "
                "point `dtype`.",
                "torch.tensor([1, 2], requires_grad=True)",
            ),
            Message(
                "only Tensors of floating point dtype can require gradients",
                "Integers can't be nudged a little. Make it floating point first: `.float()`.",
                "torch.tensor([1, 2]).requires_grad_()",
            ),
        ),
    ),
    Misconception(
        16,
        "the graph survives numbers, numpy and comparisons",
        "The graph continues through `.item()`, numpy, `>` or `argmax`.",
        "A number, an array, a comparison and an index carry no history.",
        (
            Message(
                "Can't call numpy() on Tensor that requires grad",
                "What numpy computes isn't recorded. Stay with tensors, or leave the graph "
                "explicitly with `detach()`.",
                _LEAF + "w.numpy()",
            ),
        ),
    ),
    Misconception(
        17,
        "intermediates must be zeroed too",
        "Intermediate tensors collect gradients from iteration to iteration.",
        "Each forward pass makes new ones, with an empty `.grad`. Only tensors that outlive an "
        "iteration collect gradients.",
    ),
    Misconception(
        18,
        "retain_grad is retain_graph",
        "`retain_grad()` and `retain_graph=True` are the same thing.",
        "`retain_grad()` keeps the gradient of an intermediate tensor. `retain_graph=True` keeps "
        "what the nodes saved, for another backward pass.",
        (
            Message(
                "can't retain_grad on Tensor that has requires_grad=False",
                "No gradient will ever reach this tensor, because nothing was recorded for it.",
                "torch.ones(3).retain_grad()",
            ),
        ),
    ),
    Misconception(
        19,
        "nan shows where it starts",
        "A loss of nan comes from the line that printed it, and `torch.where` keeps nan out.",
        "The backward pass multiplies: 0 times inf is nan, in the branch that wasn't chosen, too.",
    ),
    Misconception(
        20,
        "shapes that run are right",
        "If two shapes work together without an error, the result is the one you meant.",
        "[3, 1] and [3] broadcast to [3, 3]. The mean of that is a number, and a wrong loss.",
    ),
    Misconception(
        21,
        "a frozen weight has no gradient",
        "After `requires_grad_(False)`, an optimizer leaves a weight alone.",
        "The old `.grad` stays where it is, and the optimizer uses it until you set it to None.",
    ),
    Misconception(
        22,
        "eval() is no_grad()",
        "`model.eval()` switches gradients off.",
        "It changes what layers such as Dropout do. Recording is switched off by `no_grad()`.",
    ),
)

MISCONCEPTIONS = {misconception.number: misconception for misconception in _ALL}
