"""Lesson 20: an engine of the learner's own, in six parts."""

from typing import Any

from minigrad.exercises.engine_file import STEPS, parts
from minigrad.exercises.engine_programs import probe_of
from minigrad.exercises.exercise import Exercise, Slip
from minigrad.exercises.predictions import Explanation, Prediction

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
        "Lesson 14. A bias of shape [8] is added to 200 rows. What's added up to get its gradient?",
        "what arrives in the 200 rows",
        {
            "what arrives in the 8 columns": "Each column has a bias element of its own.",
            "what arrives in the 200 rows": "One bias element is used in 200 places, and paths "
            "add.",
            "nothing: it's a mean": "If there's a mean, it's in the loss. Broadcasting's "
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
        "We make d = b * c again, and call d.backward(). Which tensors then have a .grad?",
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
        "out = x @ w + b has 200 rows and 8 columns. The rule of + returns a gradient for b. "
        "What's its shape?",
        "[200, 8]",
        {
            "[8]": "That's the shape of b. The rule of + passes on what arrives, whatever that is.",
            "[200, 8]": "Both terms get what arrives. `unbroadcast` then sums it down to [8].",
            "[1, 8]": "A rule doesn't know how its inputs were stretched. It passes on what "
            "arrives.",
        },
    ),
    Prediction(
        "20_p7",
        "We run lesson 03's program with your engine as torch. What's in x.grad?",
        "4.5 in every entry",
        {
            "4.5 in every entry": "1/4 from the mean, 3 from the factor, 2 · 3 from y · y.",
            "18 in every entry": "That's the gradient of a sum. The mean divides it by 4.",
            "an error: it isn't PyTorch": "It has every name that this program uses.",
        },
    ),
    Explanation(
        "20_explain",
        "A friend's engine keeps a gradient on every tensor, and sets them all to 0 before each "
        "pass. Tell them in a sentence or two what that does to a weight that two losses share, "
        "and what your engine does instead.",
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


_RECORD, _RULES = parts()[1:3]


# 1. A result remembers.


record = Exercise(
    id=STEPS[0],
    title="Part 1 · A result remembers",
    prompt="""
**15 minutes.** Write three functions.

`record(name, value, inputs, rule, **saved)` returns a `Tensor` with that value. If recording is on
(`Tensor.recording`) and at least one of the inputs requires grad, the tensor gets a `grad_fn`:
`Node(name, inputs, rule, **saved)`. Otherwise it has no history.

`add(a, b)` and `mul(a, b)` call `record` and return its result, under the names `"AddBackward0"`
and `"MulBackward0"`. Their rules are `add_rule` and `mul_rule`, which you'll write in part 2. (The
check lends you these two. If you call `add` yourself before part 2, you get a `NameError`.) The
product's rule needs both factors, so save them, as PyTorch does: `self=a, other=b`.
""",
    starter="""
def record(name, value, inputs, rule, **saved):
    ...


def add(a, b):
    ...


def mul(a, b):
    ...
""",
    answers=("record", "add", "mul"),
    solutions=(_RECORD,),
    hints=(
        "`record` has two cases. Which one is `Tensor(value)` and nothing else?",
        "One input that requires grad is enough, and `any(...)` finds out whether there is one. "
        "The numbers of a tensor are in `.data`.",
        '`add` is one line: `return record("AddBackward0", ..., (a, b), add_rule)`. For `mul`, the '
        "saved tensors follow at the end.",
    ),
    because="Every operation you'll ever add goes through `record`. It's the whole recorder.",
    probe=probe_of(STEPS[0]),
    slips=(
        Slip(
            "All inputs have to require grad",
            _RECORD.replace("any(", "all("),
            "`a * data` has no graph, although `a` requires grad. You recorded only if *all* "
            "inputs require grad, so every network would lose its weights at the first product "
            "with data. How many of the inputs are enough?",
        ),
        Slip(
            "Everything is recorded",
            _RECORD.replace("Tensor.recording and any(one.requires_grad for one in inputs)", "1"),
            "`data + data` has a graph, and neither of its inputs requires grad. A backward pass "
            "through it would have nowhere to go. Ask the inputs before you make a node.",
            when=lambda seen: seen["the graph of `data + data`"] not in ("no graph", "no result"),
        ),
        Slip(
            "Recording can't be off",
            _RECORD.replace("Tensor.recording and ", ""),
            "With `Tensor.recording` set to `False`, `a * b` still got a node. Part 5 will build "
            "`no_grad` on that flag, so `record` has to look at it. Where in the condition?",
        ),
        Slip(
            "An input counts once",
            _RECORD.replace("Node(name, inputs,", "Node(name, dict.fromkeys(inputs),"),
            "The graph of `a + a` has one edge. There are two *uses* of `a`, and each will bring a "
            "gradient back (lesson 04). Pass `inputs` on as they are.",
        ),
        Slip(
            "The result is all that a product needs",
            _RECORD.replace("self=a, other=b", "result=Tensor(a.data * b.data)"),
            "Your product saved its result. Look at the rule in part 2: each factor gets upstream "
            "times the *other* factor. What does it need, then?",
            when=lambda seen: seen["what the node of `a * b` saved"].endswith(" = another tensor"),
        ),
        Slip(
            "An array is as good as a tensor",
            _RECORD.replace("self=a, other=b", "self=a.data, other=b.data"),
            "Your product saved arrays. What a node saves are *tensors*: `mul_rule` will read "
            "their `.data`, and the picture shows them by name. Which part of "
            "`self=a.data` has to go?",
            when=lambda seen: "not a tensor" in seen["what the node of `a * b` saved"],
        ),
        Slip(
            "The rule knows the factors",
            _RECORD.replace(", self=a, other=b", ""),
            "The node of `a * b` saved nothing, so Python says that `mul_rule` is *missing 2 "
            "required positional arguments*. Does `mul` pass its factors to `record`, and does "
            "`record` pass them on to `Node`, with both stars?",
        ),
        Slip(
            "grad_fn is all that makes a history",
            _RECORD.replace(
                "return Tensor(value, grad_fn=Node(name, inputs, rule, **saved))",
                "result = Tensor(value)\n        result.grad_fn = Node(name, inputs, rule, **saved)"
                "\n        return result",
            ),
            "`a * b` has its `grad_fn`, but the graph of `a * b + a` doesn't lead to it. You set "
            "`grad_fn` on a finished tensor, so its `node` and `requires_grad` still say that "
            "there's no history. `Tensor(...)` sets all of them. Which argument does it take?",
            when=lambda seen: seen["the graph of `a * b + a`"] == "AddBackward0(no grad, a)",
        ),
        Slip(
            "No history, no result",
            _RECORD.replace("    return Tensor(value)\n", ""),
            "`data + data` returned `None`. You return a tensor if there's something to record, "
            "and nothing otherwise. A result without a history is a tensor, too.",
        ),
    ),
)


# 2. Local slopes.

_AT_ONE = "`mul_rule` at upstream 1, for 2 × 5,"


rules = Exercise(
    id=STEPS[1],
    title="Part 2 · Local slopes",
    prompt="""
**5 minutes.** A rule gets the gradient that arrives at its node (upstream), then what the node
saved. It returns one gradient for each input: *upstream × local*.

Write `add_rule(gradient)` for an addition, and `mul_rule(gradient, a, b)` for a product of the
tensors `a` and `b`. `gradient` and `a.data` are numpy arrays, or plain numbers. What you return is
of that kind, too, and not a `Tensor`.
""",
    starter="def add_rule(gradient):\n    ...\n\n\ndef mul_rule(gradient, a, b):\n    ...",
    answers=("add_rule", "mul_rule"),
    solutions=(_RULES,),
    hints=(
        "Look at the numbers on the edges in lesson 03. What did the `+` pass on to each side, and "
        "what did the `×`?",
        "Nudge one term of a sum by 0.1, and the sum moves by 0.1. Nudge one factor of a product "
        "by 0.1, and it moves by 0.1 times the other.",
        "Both functions end in `return ..., ...`. In the second, each entry is a product of "
        "`gradient` and a `.data`.",
    ),
    because="An addition passes on what arrives, and a product swaps its factors. So far, "
    "that's all your engine knows about slopes.",
    probe=probe_of(STEPS[1]),
    slips=(
        Slip(
            "Only one factor gets a gradient",
            _RULES.replace(", gradient * a.data", ", 0 * gradient"),
            "Your `mul_rule` has a gradient for one of the two factors only. A product moves when "
            "you nudge *either* of them. What's the slope with respect to the other one?",
            when=lambda seen: (
                seen[_AT_ONE] in ("not two gradients", "a gradient and None")
                or seen[_AT_ONE] in ([5, 0], [0, 2], [2, 0], [0, 5])
            ),
        ),
        Slip(
            "Both factors get the same gradient",
            _RULES.replace(", gradient * a.data", ", gradient * b.data"),
            "Both factors got upstream × `b`. That's right for the first. By how much does `a * b` "
            "move when you nudge `b` by 0.1, if `a` is 2?",
        ),
        Slip(
            "Each factor gets its own value",
            _RULES.replace("b.data, gradient * a.data", "a.data, gradient * b.data"),
            "For 2 × 5 you passed 2 to the 2, and 5 to the 5. Nudge the 2: the product moves five "
            "times as far. So whose value belongs in the gradient of `a`?",
        ),
        Slip(
            "The local slope is all",
            "def add_rule(gradient):\n    return 1.0, 1.0\n\n\n"
            "def mul_rule(gradient, a, b):\n    return b.data, a.data",
            "With upstream 1 you're right. With upstream 3 you pass on the same numbers, so "
            "whatever happened toward the loss is lost. Multiply the local slope by what arrives.",
        ),
        Slip(
            "A gradient is a tensor",
            _RULES.replace("gradient * b.data, gradient * a.data", "gradient * b, gradient * a"),
            "Your `mul_rule` returns tensors. Inside a backward pass, gradients are numpy arrays, "
            "and nothing about them is recorded. Where are a tensor's numbers?",
            when=lambda seen: seen[_AT_ONE] == "a Tensor, and not an array",
        ),
        Slip(
            "A sum divides its gradient",
            _RULES.replace("gradient, gradient\n", "gradient / 2, gradient / 2\n"),
            "Your sum splits what arrives between its two terms. But nudge one of them by 0.1: the "
            "sum moves by 0.1, not by half of it. What does each term get?",
        ),
    ),
)

_ORDER, _ACCUMULATE = parts()[3:5]


# 3. An order, and sums.


_ORDER_AT_TWO = "the order for `d = b * c` at 2"
_RUNS = "how many times ten doublings ran a node"


def _at_two(seen: dict[str, Any], product: str) -> Any:
    """What arrived at `a` when it was 2."""
    return seen[f"what arrives for `d = {product}` at 2"][-1]


_DEPTH_FIRST = """
def order(root):
    seen, found = set(), []

    def visit(node):
        if node not in seen:
            seen.add(node)
            for source in node.sources:
                visit(source)
            found.append(node)

    visit(root)
    return found[::-1]


""" + _ORDER.partition("\n\n\n")[2]

ordered = Exercise(
    id=STEPS[2],
    title="Part 3 · An order, and sums",
    prompt="""
**20 minutes.** Write two functions.

`order(root)` returns a list of all nodes of the graph that ends at the node `root`, each once,
leaves' nodes included. Every node comes *after* all those that send it a gradient. `node.sources`
lists the nodes of its inputs. An input that was used twice is listed twice.

`gradients(root, gradient)` runs each node once, in that order, by calling it: `node(gradient)`
returns the gradients for its inputs, in the order of `node.next_functions`. Start with `gradient`
at `root`, and *add* what arrives at a node from several sides. Return a dictionary: for each node,
the gradient that arrived there in this pass. (`next_functions` has pairs, as in lesson 05:
`for (source, _), one in zip(...)`. A `source` may be `None`. A leaf's node returns nothing to pass
on; running it stores its gradient.)
""",
    starter="def order(root):\n    ...\n\n\ndef gradients(root, gradient):\n    ...",
    answers=("order", "gradients"),
    solutions=(_ORDER,),
    hints=(
        "Lesson 05's third engine did both. What did it count before it started?",
        "Count the arrows that lead to each node. A node is ready when that many gradients have "
        "been sent to it, and not before. The dictionary of sums is new in each pass.",
        "In `gradients`: `arrived[source] = arrived.get(source, 0) + one`, inside a loop over "
        "`zip(node.next_functions, node(arrived[node]))`.",
    ),
    because="Each node ran once, and you get 44 both ways. The order takes care of the waiting, "
    "and the `+` of the sums.",
    probe=probe_of(STEPS[2]),
    slips=(
        Slip(
            "The order doesn't matter",
            "def order(root):\n    seen = [root]\n    for node in seen:\n"
            "        seen += [one for one in dict.fromkeys(node.sources) if one not in seen]\n"
            "    return seen\n\n\n" + _ORDER.partition("\n\n\n")[2],
            "You run a node as soon as you've found it. For `d = b * c`, `b` ran while `c` still "
            "had something to send to it, so that part never got to `a`: 28 instead of 44. How "
            "could `b` know that something is still on its way?",
            5,
            when=lambda seen: _at_two(seen, "b * c") == 28 or _at_two(seen, "c * b") == 20,
        ),
        Slip(
            "What arrives last is the gradient",
            _ORDER.replace("arrived.get(source, 0) + one", "one"),
            "The order is right. But where two gradients meet, you kept the one that came last: "
            "`a` has 8, not 44. You stored with `=`. What should happen to the one that was there?",
            5,
        ),
        Slip(
            "A node runs once for each arrow",
            "def order(root):\n    found = [root]\n    for node in found:\n"
            "        found.extend(node.sources)\n    return found\n\n\n"
            + _ORDER.partition("\n\n\n")[2],
            "Some of your nodes run twice, once for each arrow that leads to them. When such a "
            "node runs again, the first share is still in its sum, and it passes that on a second "
            "time. It's the mistake in the eleven lines at the top of this lesson. Each node "
            "should run once. When is it ready?",
            5,
            when=lambda seen: (
                len(seen[_ORDER_AT_TWO].split()) > 4
                or (_at_two(seen, "b * c") != 44 and seen[_RUNS] > 10)
            ),
        ),
        Slip(
            "Along every path by itself",
            _ORDER.partition("def gradients")[0] + "def gradients(root, gradient):\n"
            "    arrived = {}\n\n    def pass_on(node, gradient):\n"
            "        arrived[node] = arrived.get(node, 0) + gradient\n"
            "        for (source, _), one in zip(node.next_functions, node(gradient)):\n"
            "            if source is not None:\n                pass_on(source, one)\n\n"
            "    pass_on(root, gradient)\n    return arrived",
            "The numbers are right, 44 both ways. But you carry each arrival on at once, so ten "
            "doublings ran 1,023 nodes instead of 10. That's lesson 05's first engine, and fifty "
            "doublings would take it 71 years. Loop over `order(root)` instead, and let each node "
            "run once, on its sum.",
            5,
            when=lambda seen: _at_two(seen, "b * c") == 44 and seen[_RUNS] == 1023,
        ),
        Slip(
            "The sums of the last pass are still there",
            _ORDER.replace(
                "arrived = {root: gradient}\n",
                "arrived = vars(root).setdefault('sums', {})\n"
                "    arrived[root] = arrived.get(root, 0) + gradient\n",
            ),
            "The first pass is right. In a second one through the same graph, the nodes still hold "
            "the sums of the first, so they pass both on. Only leaves keep a gradient between "
            "passes. Where does your dictionary begin, and when should it?",
            when=lambda seen: (
                _at_two(seen, "b * c") == _at_two(seen, "c * b") == 44
                and seen["whether that's what arrived in the first"] is False
            ),
        ),
        Slip(
            "The inputs come first",
            _ORDER.replace("    return ready\n", "    return ready[::-1]\n"),
            "Your order begins at the leaves: `a` first, and the result last. That's the order of "
            "the *forward* pass. A backward pass begins at `root`, the only node whose gradient "
            "is known at the start. What would you have to do with your list?",
            when=lambda seen: seen[_ORDER_AT_TWO] == "a b c d",
        ),
        Slip(
            "Every time a node is found, its arrows count",
            _ORDER.partition("def order")[0] + "def order(root):\n"
            "    arrows, found = {root: 0}, [root]\n    for node in found:\n"
            "        for source in node.sources:\n            found.append(source)\n"
            "            arrows[source] = arrows.get(source, 0) + 1\n    ready = [root]\n"
            "    for node in ready:\n        for source in node.sources:\n"
            "            arrows[source] -= 1\n            if arrows[source] == 0:\n"
            "                ready.append(source)\n    return ready\n\n\n"
            + _ORDER.partition("\n\n\n")[2],
            "A node of the graph is missing from your list. If you count arrows, one count never "
            "gets down to 0, because arrows of the same node were counted twice. Which nodes does "
            "your counting loop go through more than once?",
            when=lambda seen: 0 < len(set(seen[_ORDER_AT_TWO].split())) < 4,
        ),
        Slip(
            "A leaf's node has nothing to do",
            _ORDER.replace(
                "    for node in order(root):\n",
                "    for node in order(root):\n        if not node.sources:\n"
                "            continue\n",
            ),
            "44 arrived at `a`'s node, and `a.grad` is still `None`. You never ran that node. It "
            "has nothing to pass on, but running it is what stores the gradient in the leaf.",
            when=lambda seen: (
                _at_two(seen, "b * c") == 44 and seen["`a.grad` for `d = b * c` at 2"] == "None"
            ),
        ),
        Slip(
            "Every input has a node",
            _ORDER.replace(
                "(source, _), one in zip(node.next_functions", "source, one in zip(node.sources"
            ),
            "For `data * a`, `a` got the gradient that was meant for `data`. A rule returns one "
            "gradient for *every* input, and `sources` leaves out those that don't require grad. "
            "Which list has a place for each of them?",
        ),
        Slip(
            "Functions may call themselves as deep as they like",
            _DEPTH_FIRST,
            "Right, but your `order` calls itself once for each step of a path. A chain of 3,000 "
            "additions raises a `RecursionError`, and a recurrent network makes such chains. "
            "Counting arrows needs no recursion.",
            accepted=True,
            when=lambda seen: (
                seen["whether a chain of 3,000 additions can be put in order"] == "recursion"
                and seen["whether that's what arrived in the first"] is True
                and seen[_RUNS] == 10
                and _at_two(seen, "b * c") == _at_two(seen, "c * b") == 44
            ),
        ),
    ),
)


# 4. Leaves keep their gradient.


accumulate = Exercise(
    id=STEPS[3],
    title="Part 4 · Leaves keep their gradient",
    prompt="""
**10 minutes.** Write the two ends of a backward pass.

`accumulate(leaf, gradient)` is the rule of a leaf's node. It returns nothing. If `leaf.grad` is
`None`, it puts a `Tensor` with that gradient there. If not, it adds (lesson 04: calls add).

`start(result, gradient)` returns the number, or array, that a backward pass begins with at the
tensor `result`. With a gradient, that's `gradient.data`. With `None`, it's a 1, in the shape of
`result.data`. It raises a `RuntimeError` in two cases:

- `result.node` is `None`: *element 0 of tensors does not require grad and does not have a grad_fn*
- there's no gradient, and `result` has several elements: *grad can be implicitly created only for
  scalar outputs*
""",
    starter="def accumulate(leaf, gradient):\n    ...\n\n\ndef start(result, gradient):\n    ...",
    answers=("accumulate", "start"),
    solutions=(_ACCUMULATE,),
    hints=(
        "A pass has two ends. Where does it begin, and where do its gradients end up? Write "
        "`accumulate` first.",
        "`gradient` is an array, and `.grad` is a `Tensor` or `None`. So the sum is of "
        "`leaf.grad.data` and `gradient`.",
        "`start` has two `if`s with a `raise` below each, and then `np.ones_like(result.data)` or "
        "`gradient.data`.",
    ),
    because="3, 6, 9. Only leaves keep a gradient, so only leaves need clearing.",
    probe=probe_of(STEPS[3]),
    slips=(
        Slip(
            "The newest gradient is the gradient",
            "def accumulate(leaf, gradient):\n    leaf.grad = Tensor(gradient)\n\n\n"
            + _ACCUMULATE.partition("\n\n\n")[2],
            "After three calls of `backward()` your leaf has 3, and PyTorch's has 9. You stored "
            "with `=`. Two losses that share a weight would lose one of their gradients. What "
            "should happen to the one that's there already?",
            2,
        ),
        Slip(
            "A pass begins with the value",
            _ACCUMULATE.replace("np.ones_like(result.data)", "result.data"),
            "You start with the value of the result, so every gradient comes out multiplied by it. "
            "By how much does `result` move when you move `result` itself by 0.1?",
        ),
        Slip(
            "A pass begins with a tensor",
            _ACCUMULATE.replace("np.ones_like(result.data)", "Tensor(1.0)"),
            "Your `start` returned a `Tensor`, and the first rule couldn't work with it. Inside a "
            "backward pass, gradients are numpy arrays. Look at what numpy has for an array of "
            "ones.",
            when=lambda seen: "'Tensor' object has no attribute 'ndim'" in seen["error"],
        ),
        Slip(
            "Anything has a gradient",
            _ACCUMULATE.replace("result.node is None", "False"),
            "`start` returned a 1 for a tensor without a graph. There's no node to give it to, so "
            "`backward()` would fail later, with a message about something else. Look at "
            "`result.node` first.",
        ),
        Slip(
            "A vector starts with ones",
            _ACCUMULATE.replace("gradient is None and result.data.size != 1", "False"),
            "For a vector you start with ones, without an error. That's the gradient of the *sum* "
            "(lesson 06), which may not be what was meant. PyTorch makes you pass those ones "
            "yourself. What should happen when there's no gradient and more than one element?",
            4,
        ),
    ),
)

_FREE, _TENSORS = parts()[5:]


# 5. Freeing, and recording off.


free = Exercise(
    id=STEPS[4],
    title="Part 5 · Free, detach, stop recording",
    prompt="""
**20 minutes.** Write a whole backward pass, and the ways to keep its memory small.

`backward(result, gradient, retain_graph)` puts your parts together: `start`, then `gradients` from
`result.node`. After the pass, unless `retain_graph` is true, it calls `node.free()` for every node
of the graph. (A freed node that had saved something raises PyTorch's error when it's run again. One
that saved nothing runs as often as you like.)

`detach(a)` returns a `Tensor` with the same numbers, in the same memory, without a history.

`no_grad` is a class for `with no_grad():`. It has two methods. `__enter__(self)` sets
`Tensor.recording` to `False`, and `__exit__(self, *error)` sets it back to what it was before.
""",
    starter="def backward(result, gradient, retain_graph):\n    ...\n\n\n"
    "def detach(a):\n    ...\n\n\nclass no_grad:\n    ...",
    answers=("backward", "detach", "no_grad"),
    solutions=(_FREE,),
    hints=(
        "`backward` has two halves: run the pass, then clean up. Everything it needs is in parts 3 "
        "and 4.",
        "A node may be freed when nothing in this pass needs it anymore. `order(result.node)` "
        "lists them all. And `no_grad()` may be inside another one: what was the flag before?",
        "`for node in order(result.node): node.free()`, under an `if`. In `__enter__`: keep the "
        "old flag in `self.before`, then set it.",
    ),
    because="A second pass through a product raises PyTorch's error, and `retain_graph=True` "
    "prevents it. Nothing that's still needed is freed, and nothing that isn't is kept.",
    probe=probe_of(STEPS[4]),
    slips=(
        Slip(
            "Free first, then run",
            "def backward(result, gradient, retain_graph):\n    if not retain_graph:\n"
            "        for node in order(result.node):\n            node.free()\n"
            "    gradients(result.node, start(result, gradient))\n\n\n"
            + _FREE.partition("\n\n\n")[2],
            "Your first `y.backward()` raises *Trying to backward through the graph a second "
            "time*. You freed the saved values before the pass had used them. Which of your two "
            "halves has to come first?",
            when=lambda seen: seen["the error of a first `y.backward()`"].startswith("Trying"),
        ),
        Slip(
            "A pass always frees",
            _FREE.replace("if not retain_graph:", "if True:"),
            "With `retain_graph=True`, one more pass still raises an error. You freed the nodes "
            "although you were asked to keep them, so they were freed one pass too early. Where "
            "does `retain_graph` come in?",
            3,
        ),
        Slip(
            "A graph can be used again and again",
            _FREE.replace("if not retain_graph:", "if False:"),
            "A second `y.backward()` runs without an error, because nothing is freed. It's "
            "convenient, and it costs memory: every saved tensor lives as long as the graph. "
            "PyTorch frees them unless you say `retain_graph=True`.",
            3,
        ),
        Slip(
            "The last node is the graph",
            _FREE.partition("    if not")[0] + "    if not retain_graph:\n"
            "        result.node.free()\n\n\n" + _FREE.partition("\n\n\n")[2],
            "After a pass through `(x * x) * x`, the first product still holds its factors. You "
            "freed the node of the result, and the others kept what they had saved. What lists "
            "all nodes of a graph?",
        ),
        Slip(
            "detach() copies",
            _FREE.replace("Tensor(a.data)", "Tensor(a.data.copy())"),
            "Your detached tensor has its own memory. PyTorch's shares it (lesson 09), so that "
            "detaching a large tensor costs nothing. `Tensor(...)` doesn't copy an array that's "
            "already float32. Which call made the copy?",
            10,
        ),
        Slip(
            "Recording is on outside",
            _FREE.replace("Tensor.recording = self.before", "Tensor.recording = True"),
            "When an inner `no_grad()` ends, you switch recording on, and the outer one isn't over "
            "yet. Put back what you found. Where could `__enter__` leave it for `__exit__`?",
        ),
    ),
)


# 6. Tensors.


tensors = Exercise(
    id=STEPS[5],
    title="Part 6 · Tensors",
    prompt="""
**20 minutes.** `data` has been an array all along. What's missing is what happens to gradients when
shapes change.

`unbroadcast(gradient, shape)` undoes broadcasting: `gradient` is an array, and `shape` is the shape
that numpy stretched to get it. Return an array of that shape. Each element gets the *sum* over all
places it was stretched to (lesson 14). `Node` calls it for every gradient that a rule returns.

Then four operations, each of which returns the result of `record`:

- `total(a)` and `mean(a)`, of all elements: `"SumBackward0"` and `"MeanBackward0"`. A rule may
  return a single number; `Node` stretches it to the input's shape.
- `tanh(a)`: `"TanhBackward0"`, with the slope $1 - y^2$. It saves its result: `result=y`, where `y`
  is a `Tensor` (what a node saves are always tensors).
- `matmul(a, b)`, of two matrices: `"MmBackward0"`. It saves `self=a, mat2=b`, and its rule returns
  $G\\,B^\\mathsf{T}$ and $A^\\mathsf{T}\\,G$ for the gradient $G$.

A rule can be a `lambda`. It always returns a list or a tuple, even for one input.
""",
    starter="def unbroadcast(gradient, shape):\n    ...\n\n\ndef total(a):\n    ...\n\n\n"
    "def mean(a):\n    ...\n\n\ndef tanh(a):\n    ...\n\n\ndef matmul(a, b):\n    ...",
    answers=("unbroadcast", "total", "mean", "tanh", "matmul"),
    solutions=(_TENSORS,),
    hints=(
        "Numpy stretches in two ways: it adds dimensions on the left, and it repeats dimensions of "
        "size 1. Undo them one after the other.",
        "Both are undone by a sum over the right axes. The second must keep its dimensions. For "
        "the rules: what did each operation do to *one* element?",
        "`gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))`, then a sum over the axes "
        "where `shape` has 1, with `keepdims=True`. Rules: `lambda g: [g]` for the sum, and "
        "`[g / a.data.size]` for the mean.",
    ),
    because="Paths add, once more: a bias that was used in every row gets the sum over the rows.",
    probe=probe_of(STEPS[5]),
    slips=(
        Slip(
            "Only the missing dimensions were stretched",
            _TENSORS.replace(
                "return gradient.sum(axis=tuple(i for i, n in enumerate(shape) if n == 1), "
                "keepdims=True)",
                "return gradient",
            ),
            "You sum over the dimensions that numpy added. It also repeats those of size 1: for "
            "the shape [1, n] your gradient still has all its rows. Which axes are these, and what "
            "keeps them from disappearing when you sum?",
            20,
        ),
        Slip(
            "Stretched copies share the gradient by its mean",
            _TENSORS.replace("gradient.sum(", "gradient.mean("),
            "The shapes are right, and the numbers are too small. You averaged over the copies. "
            "Each copy is a path to the loss, and paths add (lesson 04).",
        ),
        Slip(
            "A mean is a sum",
            _TENSORS.replace("[g / a.data.size]", "[g]"),
            "The gradient of your `mean` is that of a sum. If you move one of n elements by 0.1, "
            "how far does the mean move?",
        ),
        Slip(
            "tanh's slope comes from its input",
            _TENSORS.replace("[g * (1 - y.data**2)], result=y", "[g * (1 - a.data**2)], result=a"),
            "Your `tanh` has the slope 1 - x². The formula is 1 - y², and y is the *result*. Save "
            "that one.",
        ),
        Slip(
            "An array can be saved as it is",
            _TENSORS.replace("result=y)", "result=y.data)").replace("y.data**2", "y**2"),
            "The numbers of your `tanh` are right, but what it saved isn't a tensor. What a node "
            "saves are tensors: the pictures can't show an array. How do you wrap one in a "
            "`Tensor`?",
            when=lambda seen: seen["what the node of `tanh` saved"] == "result = not a tensor",
        ),
        Slip(
            "One input, one number",
            _TENSORS.replace("lambda g: [g])", "lambda g: g)"),
            "One of your rules returned a gradient instead of a list of gradients. `Node` goes "
            "through what a rule returns, one gradient for each input, and there it found a bare "
            "number. Where are the brackets missing?",
            when=lambda seen: (
                "iteration over a 0-d array" in seen["error"]
                or "object is not iterable" in seen["error"]
            ),
        ),
        Slip(
            "A matrix product swaps like a product",
            _TENSORS.replace("(g @ b.data.T, a.data.T @ g)", "(g @ b.data, a.data @ g)"),
            "In your rule for `matmul`, the shapes don't fit. Try it on paper: for `a` [3, 2] and "
            "`b` [2, 4], the gradient `g` that arrives is [3, 4]. What do you have to multiply it "
            "by, and from which side, to get [3, 2]?",
            when=lambda seen: seen.get("error", "").startswith("ValueError: matmul"),
        ),
    ),
)
