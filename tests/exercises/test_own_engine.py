"""Lesson 20: another author's engine is right, part by part, and six wrong engines are named."""

from pathlib import Path
from types import ModuleType

import pytest

from minigrad.exercises import build_engine
from minigrad.exercises.exercise import find
from minigrad.exercises.result import NOT_YET, RIGHT
from tests.exercises.answering import answer


def headed(text: str) -> list[tuple[str, str]]:
    """The headings in a text, and the code below each."""
    sections = (one.partition("\n") for one in text.split("## ")[1:])
    return [(heading, code) for heading, _, code in sections]


# Written from the lesson's text alone.
PARTS = dict(
    headed("""
## 20_record
def record(name, value, inputs, rule, **saved):
    result = Tensor(value)
    wanted = False
    for tensor in inputs:
        if tensor.requires_grad:
            wanted = True
    if wanted and Tensor.recording:
        result = Tensor(value, False, Node(name, inputs, rule, **saved))
    return result

def add(a, b):
    total = a.data + b.data
    return record("AddBackward0", total, [a, b], add_rule)

def mul(a, b):
    return record("MulBackward0", b.data * a.data, [a, b], mul_rule, self=a, other=b)

## 20_rules
def add_rule(gradient):
    return [gradient, gradient]

def mul_rule(gradient, a, b):
    return [b.data * gradient, a.data * gradient]

## 20_order
def sources_first(root):
    done, stack = [], [(root, False)]
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if ready:
            done.append(node)
        else:
            stack.append((node, True))
            stack.extend((source, False) for source in node.sources)
    return done

def order(root):
    return list(reversed(sources_first(root)))

def gradients(root, gradient):
    sums = dict.fromkeys(order(root), 0.0)
    sums[root] = gradient
    for node in order(root):
        passed = node(sums[node])
        for (source, number), one in zip(node.next_functions, passed):
            if source is None:
                continue
            sums[source] = sums[source] + one
    return sums

## 20_accumulate
def accumulate(leaf, gradient):
    if leaf.grad is None:
        leaf.grad = Tensor(gradient)
    else:
        leaf.grad = leaf.grad + Tensor(gradient)

def start(result, gradient):
    if result.node is None:
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
    if gradient is not None:
        return gradient.data
    if result.data.size > 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return np.ones(result.shape)

## 20_free
def backward(result, gradient, retain_graph):
    seed = start(result, gradient)
    gradients(result.node, seed)
    for node in order(result.node):
        if not retain_graph:
            node.free()

def detach(a):
    return tensor(a.data)

class no_grad:
    def __enter__(self):
        self.was = Tensor.recording
        Tensor.recording = False

    def __exit__(self, kind, value, traceback):
        Tensor.recording = self.was

## 20_tensors
def unbroadcast(gradient, shape):
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient

def total(a):
    return record("SumBackward0", np.sum(a.data), [a], lambda g: [g * np.ones(a.shape)])

def mean(a):
    share = 1 / a.data.size
    return record("MeanBackward0", np.mean(a.data), [a], lambda g: [g * np.full(a.shape, share)])

def tanh(a):
    y = Tensor(np.tanh(a.data))

    def rule(g, y):
        return [g * (1 - y.data * y.data)]

    return record("TanhBackward0", y.data, [a], rule, result=y)

def matmul(a, b):
    def rule(g, a, b):
        return g @ b.data.T, a.data.T @ g

    return record("MmBackward0", a.data @ b.data, [a, b], rule, self=a, mat2=b)
""")
)

WRONG = [
    ("20_order", "The order doesn't matter"),
    ("20_order", "What arrives last is the gradient"),
    ("20_accumulate", "The newest gradient is the gradient"),
    ("20_order", "A node runs once for each arrow"),
    ("20_order", "The sums of the last pass are still there"),
    ("20_rules", "Only one factor gets a gradient"),
    ("20_free", "Free first, then run"),
]

# The same as others would write it, and what else learners stumble over.
OTHERS = headed("""
## 20_order: The order doesn't matter
def order(root):
    done = []
    def visit(node):
        if node not in done:
            done.append(node)
            for source in node.sources:
                visit(source)
    visit(root)
    return done

## 20_order: A node runs once for each arrow
def order(root):
    if not root.sources:
        return [root]
    return [root] + [node for source in root.sources for node in order(source)]

## 20_order: A node runs once for each arrow
def gradients(root, gradient):
    sums = {}
    def pass_on(node, gradient):
        sums[node] = sums.get(node, 0) + gradient
        for (source, _), one in zip(node.next_functions, node(sums[node])):
            if source is not None:
                pass_on(source, one)
    pass_on(root, gradient)
    return sums

## 20_order: The sums of the last pass are still there
def gradients(root, gradient, sums={}):
    sums[root] = gradient
    for node in order(root):
        for (source, _), one in zip(node.next_functions, node(sums[node])):
            if source is not None:
                sums[source] = sums.get(source, 0) + one
    return sums

## 20_rules: Only one factor gets a gradient
def mul_rule(gradient, a, b):
    return gradient * b.data, None

## 20_rules: Only one factor gets a gradient
def mul_rule(gradient, a, b):
    return [gradient * b.data]

## 20_free: Free first, then run
def backward(result, gradient, retain_graph):
    sums = {result.node: start(result, gradient)}
    for node in order(result.node):
        if not retain_graph:
            node.free()
        for (source, _), one in zip(node.next_functions, node(sums[node])):
            if source is not None:
                sums[source] = sums.get(source, 0) + one

## 20_order: The sums of the last pass are still there
sums = {}
def gradients(root, gradient):
    sums[root] = sums.get(root, 0) + gradient
    for node in order(root):
        for (source, _), one in zip(node.next_functions, node(sums[node])):
            if source is not None:
                sums[source] = sums.get(source, 0) + one
    return sums

## 20_record: grad_fn is all that makes a history
def record(name, value, inputs, rule, **saved):
    result = Tensor(value)
    if Tensor.recording and any(one.requires_grad for one in inputs):
        result.grad_fn = Node(name, inputs, rule, **saved)
        result.requires_grad = True
    return result

## 20_order: The inputs come first
def order(root):
    return sources_first(root)

## 20_order: A leaf's node has nothing to do
def gradients(root, gradient):
    sums = {root: gradient}
    for node in order(root):
        for i, (source, _) in enumerate(node.next_functions):
            if source is not None:
                sums[source] = sums.get(source, 0) + node(sums[node])[i]
    return sums

## 20_tensors: An array can be saved as it is
def tanh(a):
    y = np.tanh(a.data)
    return record("TanhBackward0", y, [a], lambda g, y: [g * (1 - y * y)], result=y)
""")


@pytest.mark.parametrize("part", PARTS)
def test_another_authors_part_is_right(part: str) -> None:
    found = answer(find(part), PARTS[part])
    assert found.outcome == RIGHT, found
    assert not found.slip


@pytest.mark.parametrize(("part", "name"), WRONG)
def test_a_wrong_engine_is_named(part: str, name: str) -> None:
    slip = next(one for one in find(part).slips if one.name == name)
    found = answer(find(part), slip.code)
    assert (found.outcome, found.slip) == (NOT_YET, name)


@pytest.mark.parametrize(("heading", "code"), OTHERS)
def test_it_is_named_however_it_is_written(heading: str, code: str) -> None:
    part, _, name = heading.partition(": ")
    found = answer(find(part), with_its_rest(part, code))
    assert (found.outcome, found.slip) == (NOT_YET, name), found


def with_its_rest(part: str, code: str) -> str:
    """The part with these functions in place of its own."""
    defined = {line.partition("(")[0] for line in code.splitlines()}
    functions = PARTS[part].strip().split("\n\n")
    rest = [one for one in functions if one.partition("(")[0] not in defined]
    return "\n\n".join([*rest, code])


def test_an_error_is_shown_in_the_learners_cell_not_in_the_pocket_engine() -> None:
    code = PARTS["20_record"].replace("Node(name, inputs, rule", "Node(name, 5, rule")
    assert "Node(name, 5, rule" in answer(find("20_record"), code).message


def test_the_file_is_made_of_the_parts_that_are_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = [f"# exercise {part}\n{code.strip()}" for part, code in PARTS.items()]
    cells[1] = cells[1].replace("b.data * gradient,", "a.data * gradient,")
    space = {"In": cells, "build_engine": build_engine}
    for cell in cells:
        exec(cell, space)
    exec("engine = build_engine()", space)
    assert capsys.readouterr().out == "Your parts: 1, 3, 4, 5, 6. From the pocket engine: 2.\n"
    assert "sources_first" in Path("my_engine.py").read_text(encoding="utf-8")
    engine = space["engine"]
    assert isinstance(engine, ModuleType)
    a = engine.tensor(2.0, requires_grad=True)
    b = a * a
    (b * (b + a)).backward()
    assert a.grad.item() == 44
