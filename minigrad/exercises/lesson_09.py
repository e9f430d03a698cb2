"""Lesson 09: three tools that cut the graph, what each of them leaves, and eval()."""

from collections.abc import Callable, Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "09_r1",
        "Lesson 08. y = (x * x).sum(). What does a second y.backward() do?",
        "it raises an error",
        {
            "it adds the gradient again": "It would if the saved factors were still there.",
            "it raises an error": "x * x saves its factors, and the first pass freed them.",
            "nothing": "It needs the saved factors and can't find them. It doesn't ignore that.",
        },
    ),
    Prediction(
        "09_r2",
        "Lesson 06. x has shape [3] and y = f(x) has shape [2]. Which shape does y.backward(v) "
        "need?",
        "[2]",
        {
            "[3]": "x.grad gets that shape. v weighs the outputs.",
            "[2]": "v weighs the outputs, one weight for each.",
            "[2, 3]": "That's the Jacobian's shape. v weighs its rows.",
        },
    ),
    Prediction(
        "09_r3",
        "Lesson 03. y = x * w with x = 3, w = 5. The gradient 2 arrives at y. What goes on to x?",
        "10",
        {
            "2": "An addition would pass it on unchanged. What's the local slope of a product?",
            "6": "That goes to w: upstream times the other factor.",
            "10": "The upstream gradient, 2, times the other factor, 5.",
        },
    ),
    Prediction(
        "09_p1",
        "Which of the names a, b and c now belongs to a tensor that requires grad?",
        "only b",
        {
            "none of them": "The printout suggests it. But was it b that the third cell displayed?",
            "only b": "The cell displayed b.detach(), and b stayed as it was.",
            "only a": "requires_grad_(False) changed a itself.",
            "b and c": "b, yes. But c is the result of c+0, computed where nothing is recorded.",
        },
    ),
    Prediction(
        "09_p2",
        "w1 is frozen with requires_grad_(False). Which of the gradients 15, 10 and 6 become None?",
        "only that of w1",
        {
            "those of w0 and w1": "Multiplying by a constant scales a gradient. Does it stop one?",
            "only that of w1": "Frozen isn't cut: the gradient passes through the product to w0.",
            "none, w1 gets 0": "A 0 would be a gradient that arrived. At w1, none arrives.",
        },
    ),
    Prediction(
        "09_p3",
        "out = w2 * h1.detach() + h1. What is w1.grad?",
        "2",
        {
            "None": "One use of h1 is cut. What about the other?",
            "2": "Slope 1 through the sum, times h0 = 2.",
            "8": "That's the path through the product with w2, the one that's cut.",
            "10": "Without the cut, yes: 8 through the product and 2 through the sum.",
        },
    ),
    Prediction(
        "09_p4",
        "You freeze the backbone, or you run it under no_grad(). When does the adapter learn?",
        "only if it's frozen",
        {
            "both times": "One of the two ways leaves the features without a history.",
            "only if it's frozen": "The adapter's gradient passes through the frozen backbone.",
            "only under no_grad()": "Then features has no history. Nothing leads to the adapter.",
            "neither time": "Think of w0 in the chain, when w1 was frozen.",
        },
    ),
    Prediction(
        "09_p5",
        "After net.eval(), does the result of net(x) require grad?",
        "yes",
        {
            "yes": "eval() changes layers such as dropout. Autograd goes on recording.",
            "no": "The name suggests it. But eval() only changes the mode of the layers.",
            "only if x requires grad": "The network's weights require grad, and that's enough.",
        },
    ),
    Prediction(
        "09_p6",
        "The loss is (value - target)², and both depend on w. Where does a step downhill move w?",
        "down",
        {
            "up": "The value should go up. But moving w moves the target as well.",
            "down": "If w falls, the target falls faster than the value, so the gap shrinks.",
            "nowhere": "Value and target don't move equally fast, so their distance changes.",
        },
    ),
    Explanation(
        "09_explain",
        "A colleague validates with model.eval() alone, because “eval switches gradients off”, and "
        "runs out of memory. Say in two sentences what eval() does and what's missing.",
        "model.eval() changes what layers such as dropout do, but the forward pass is still "
        "recorded, and its graph takes memory. Put the validation under torch.no_grad() as well.",
        ("eval() changes layers", "recording goes on under eval()", "no_grad() is missing"),
    ),
)


def _half(attempt: Attempt) -> Iterator[Observation]:
    half = attempt.function("half_recorded")
    for values in ([3.0, 5.0], attempt.drawn(2)):
        x = attempt.torch.tensor(values, requires_grad=True)
        y = attempt.checked_tensor(half(x), "What `half_recorded` returns")
        yield f"the value for {values}", y
        yield "`requires_grad` of the result", y.requires_grad
        if y.requires_grad:
            (gradient,) = attempt.torch.autograd.grad(y.sum(), x, allow_unused=True)
            yield f"the gradient for {values}", gradient
        yield "`x.requires_grad` afterward", x.requires_grad


half = Exercise(
    id="09_half",
    title="Cut one path of two",
    prompt=r"""
**5 minutes.** Write `half_recorded(x)`. It returns $x^2$, but its gradient is $x$, not $2x$: one of
the two factors counts as a constant. Leave `x` itself as it is.
""",
    starter="def half_recorded(x):\n    ...",
    answers=("half_recorded",),
    solutions=(
        "def half_recorded(x):\n    return x * x.detach()",
        "def half_recorded(x):\n    with torch.no_grad():\n        y = x + 0\n    return y * x",
    ),
    hints=(
        "How many times does `x` appear in `x * x`, and how many of those uses should lead back?",
        "One tool acts on a single use of a value and leaves the other uses alone. Which one?",
        "It's one line: a product of `x` and something with the same values and no history.",
    ),
    because="Only the use that isn't detached leads back, so only one factor contributes.",
    probe=_half,
    slips=(
        Slip(
            "The result is what gets cut",
            "def half_recorded(x):\n    return (x * x).detach()",
            "*Neither* factor leads back: your result doesn't require grad, so no gradient can "
            "reach `x`. Make the cut at only one of the two places where `x` goes in.",
            misconception=9,
        ),
        Slip(
            "Nothing is cut",
            "def half_recorded(x):\n    return x**2",
            "At 3 your gradient is 6, the whole slope of `x²`. Both factors still lead back. Write "
            "the square as a product, so that you can treat its two factors differently.",
        ),
        Slip(
            "Half of the gradient is half of the value",
            "def half_recorded(x):\n    return x * x / 2",
            "Your gradient is right, 3 at 3. But the value is 4.5, and it should be 9. The factor "
            "1/2 scales both. You need something that changes the gradient and not the value.",
        ),
    ),
)

_SAME, _RECORDED = "the claim that two calls return the same", "`requires_grad` of the result"
_LEFT, _WEIGHTS = "`net.training` afterward", "the claim that all weights still require grad"


def _evaluate(attempt: Attempt) -> Iterator[Observation]:
    evaluate, torch = attempt.function("evaluate"), attempt.torch
    for values, training in (([1.0, -2.0], True), (attempt.drawn(2), False)):
        torch.manual_seed(3)
        layers = torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1)
        net = torch.nn.Sequential(*layers).train(training)
        modes: list[bool] = []
        net.register_forward_hook(lambda *_, to=modes: to.append(torch.is_grad_enabled()))
        called = [evaluate(net, torch.tensor([values])) for _ in range(2)]
        first, second = (attempt.checked_tensor(one, "What `evaluate` returns") for one in called)
        yield _SAME, bool(first.item() == second.item())
        yield _RECORDED, first.requires_grad
        yield f"the result for {values}", first
        yield _LEFT, net.training
        yield _WEIGHTS, all(one.requires_grad for one in net.parameters())
        yield "recording while the network ran", modes[0]


def _evaluates(*lines: str) -> str:
    return "\n    ".join(["def evaluate(net, x):", *lines])


_BEFORE, _BACK = "before = net.training", "net.train(before)\n    return out"

evaluate = Exercise(
    id="09_evaluate",
    title="Evaluate a network",
    prompt="""
**8 minutes.** Write `evaluate(net, x)`. It returns the output of `net` for `x`, without dropout (so
two calls return the same) and without recording a graph. It leaves the network as it found it: in
training mode if `net.training` was `True`, in evaluation mode if it was `False`.
""",
    starter="def evaluate(net, x):\n    ...",
    answers=("evaluate",),
    solutions=(
        _evaluates(_BEFORE, "net.eval()", "with torch.no_grad():\n        out = net(x)", _BACK),
        "@torch.no_grad()\n" + _evaluates(_BEFORE, "out = net.train(False)(x)", _BACK),
    ),
    hints=(
        "The table in the section on `eval()` has two columns. Which requirement belongs to which?",
        "You need two switches, and one of them has to be put back. Store its position first.",
        "Store `net.training`, call `net.eval()`, run `net` in a `with` block, put the mode back.",
    ),
    because="`eval()` for the layers, `no_grad()` for the recording, and the mode is put back.",
    probe=_evaluate,
    slips=(
        Slip(
            "`eval()` is `no_grad()`",
            _evaluates(_BEFORE, "net.eval()", "out = net(x)", _BACK),
            "Dropout is off. But your result requires grad: the whole graph was recorded. `eval()` "
            "changes the layers and nothing else. What switches recording off?",
            misconception=22,
            when=lambda seen: seen[_SAME] and seen[_RECORDED],
        ),
        Slip(
            "`no_grad()` is `eval()`",
            _evaluates("with torch.no_grad():", "    return net(x)"),
            "Nothing was recorded. But two calls returned different values: dropout is still "
            "active, because `no_grad()` doesn't change the layers. What does?",
            misconception=22,
            when=lambda seen: not seen[_SAME] and not seen[_RECORDED],
        ),
        Slip(
            "The mode ends with the call",
            _evaluates("net.eval()", "with torch.no_grad():", "    return net(x)"),
            "The result is right. But a network that was in training mode is in evaluation mode "
            "now, so the rest of the training would run without dropout. Put the mode back.",
        ),
        Slip(
            "Record it, then throw it away",
            _evaluates(_BEFORE, "net.eval()", "out = net(x).detach()", _BACK),
            "Right, but the network ran with recording on, and `detach()` dropped the graph "
            "afterward. Under `torch.no_grad()` it's never built, so it never takes memory.",
            accepted=True,
        ),
    ),
)

_CUTS = ("nothing", "requires_grad_(False)", "detach()", "no_grad()")


def _chain(torch: Any, cut: str) -> Callable[[Any, Any, Any], Any]:
    """The lesson's chain, with that cut in it."""

    def chain(w0: Any, w1: Any, w2: Any) -> Any:
        if cut == "requires_grad_(False)":
            w1.requires_grad_(False)
        with torch.set_grad_enabled(cut != "no_grad()"):
            h1 = w1 * (w0 * 1)
        return w2 * (h1.detach() if cut == "detach()" else h1) + h1

    return chain


def _which(attempt: Attempt) -> Iterator[Observation]:
    which, all_four = attempt.function("which_cut"), attempt.random.permutation
    drawn: list[Any] = [(attempt.drawn(3), all_four(4)) for _ in range(2)]
    for values, order in [([2.0, 3.0, 4.0], range(4)), *drawn]:
        for cut in (_CUTS[index] for index in order):
            found = which(_chain(attempt.torch, cut), list(values))
            yield f"`which_cut` for a chain with `{cut}` and the values {values}", found


_RUN = """def which_cut(chain, values):
    w0, w1, w2 = [torch.tensor(value, requires_grad=True) for value in values]
    out = chain(w0, w1, w2)
    out.backward()
"""
_FROZEN = '    if w1.grad is None:\n        return "requires_grad_(False)"\n'
_UNRECORDED = '    if w0.grad is None:\n        return "no_grad()"\n'
_WHOLE = "abs(w1.grad.item() - (values[2] + 1) * values[0]) < 1e-4"

which = Exercise(
    id="09_which",
    title="Which cut was it?",
    prompt="""
**20 minutes.** You get a function `chain(w0, w1, w2)` that computes $w_2 h_1 + h_1$ with
$h_1 = w_1 w_0$, and you can't see its code. There are four possibilities:

- `"nothing"`: there's no cut
- `"requires_grad_(False)"`: called on `w1`
- `"detach()"`: called on `h1` in the product with `w2`
- `"no_grad()"`: used around the line that computes `h1`

Write the experiment that exposes the cut, `which_cut(chain, values)`. Make three weights from the
three numbers in `values` (none is 0), run the chain, and return one of the four strings.
""",
    starter="def which_cut(chain, values):\n    ...",
    answers=("which_cut",),
    solutions=(f'{_RUN}{_UNRECORDED}{_FROZEN}    return "nothing" if {_WHOLE} else "detach()"',),
    hints=(
        "Make a table for the values 2, 3, 4: the three gradients for each of the four chains.",
        "Two of the chains differ in *which* gradients are `None`. The other two have all three "
        "gradients, so compare a number: what's `w1.grad` without a cut?",
        "Test `w0.grad is None` first, then `w1.grad is None`, then compare `w1.grad` with a "
        "formula.",
    ),
    because="Two `None`s tell `no_grad()` from a frozen leaf; a number tells the other two apart.",
    probe=_which,
    slips=(
        Slip(
            "A cut shows in the result",
            f'{_RUN}    return "nothing" if out.requires_grad else "no_grad()"',
            "You said `nothing` for all four chains. The result requires grad each time, because "
            "`w2` always leads to it. A cut shows in what *arrives*: look at the leaves' `.grad`.",
        ),
        Slip(
            "None means frozen",
            f'{_RUN}{_FROZEN}    return "nothing" if {_WHOLE} else "detach()"',
            "You took `no_grad()` for a frozen leaf. `w1.grad` is `None` in both chains, yes. But "
            "a frozen leaf lets gradients pass. Which other leaf tells you whether they did?",
            misconception=9,
        ),
        Slip(
            "A gradient that arrives is whole",
            f'{_RUN}{_UNRECORDED}{_FROZEN}    return "nothing"',
            "With `detach()` all three leaves have a gradient, and you said `nothing`. But one of "
            "two paths is cut. Which numbers change then?",
            misconception=9,
        ),
        Slip(
            "One example is a rule",
            f"{_RUN}{_UNRECORDED}{_FROZEN}"
            '    return "nothing" if w1.grad.item() == 10 else "detach()"',
            "For the values 2, 3, 4 you're right each time. For others, a chain without a cut was "
            "called `detach()`. 10 is `w1.grad` for 2, 3, 4 only. Write it as a formula of "
            "`values`.",
        ),
    ),
)
