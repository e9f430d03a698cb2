"""Lesson 20, parts 3 and 4: an order for the backward pass, and where its gradients end up."""

from typing import Any

from minigrad.exercises.engine_file import STEPS, parts
from minigrad.exercises.engine_programs import probe_of
from minigrad.exercises.exercise import Exercise, Slip

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
            "You go to a node as soon as you've found it. For `d = b * c`, `b` ran while `c` still "
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
    because="3, 6, 9. Nothing but a leaf keeps a gradient, so nothing else needs clearing.",
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
            "For a vector you start with ones and say nothing. That's the gradient of the *sum* "
            "(lesson 06), which may not be what was meant. PyTorch asks for it explicitly. What "
            "should happen when there's no gradient and more than one element?",
            4,
        ),
    ),
)
