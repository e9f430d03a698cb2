"""The pocket engine: reverse-mode autograd on numpy, in one file that you can read in one sitting.

Lesson 20 builds it as my_engine.py. Part 0 is given there: what a node and a tensor are,
so that they can be printed, drawn and stepped through. It computes no gradient. The six parts after
it are the engine:

1. record, add, mul: an operation leaves a node behind, which points at its inputs' nodes.
2. add_rule, mul_rule: each operation's local slopes.
3. order, gradients: go through the nodes once, and add up what arrives at each.
4. accumulate, start: the two ends of a backward pass.
5. backward, detach, no_grad: a whole pass, and how to keep things out of one.
6. unbroadcast, total, mean, tanh, matmul: tensors with more than one element.

>>> import minigrad.exercises.pocket as torch
>>> a = torch.tensor(2.0, requires_grad=True)
>>> b = a * a
>>> d = b * (b + a)
>>> d.backward()
>>> d, a.grad
(tensor(24., grad_fn=<MulBackward0>), tensor(44.))
"""

# Part 0: given.
import numpy as np

FREED = "Trying to backward through the graph a second time (or directly access saved tensors "
FREED += "after they have already been freed). Specify retain_graph=True if you need to do that."


class Node:
    """An operation in the graph: its name, where its inputs came from, its rule, what it saved."""

    variable = None  # in a leaf's node: the leaf

    # (The slash is there because a product saves one of its factors under the name `self`.)
    def __init__(self, name, inputs, rule, variable=None, /, **saved):
        self._name, self.rule, self.variable, self.saved = name, rule, variable, saved
        self.next_functions = tuple((one.node, 0) for one in inputs)
        self.shapes = [one.shape for one in inputs]
        self.prehooks, self.hooks = [], []  # for the stepper

    name = lambda self: self._name
    sources = property(lambda self: [node for node, _ in self.next_functions if node is not None])

    def free(self):
        """Drop what was saved, and keep the names for the picture."""
        self.saved = dict.fromkeys(self.saved)

    def __call__(self, gradient):
        """The gradients for the inputs, from the gradient that has arrived."""
        for hook in self.prehooks:
            hook((Tensor(gradient),))
        if any(one is None for one in self.saved.values()):
            raise RuntimeError(FREED)
        passed = self.rule(gradient, *self.saved.values()) or ()  # a leaf's rule returns None
        # Stretch a single number to the input's shape; sum what was stretched further (part 6).
        passed = [unbroadcast(g + np.zeros(shape), shape) for g, shape in zip(passed, self.shapes)]
        for hook in self.hooks:
            hook([Tensor(one) for one in passed], None)
        return passed


class Tensor:
    """Numbers, and the node that they came from. Its methods call the functions of parts 1 to 6."""

    # The pictures look for these names; `no_grad` switches `recording`.
    grad = grad_fn = requires_grad = is_leaf = None
    recording, retains_grad, output_nr, dtype = True, False, 0, "float32"

    def __init__(self, data, requires_grad=False, grad_fn=None):
        self.data = np.asarray(data, dtype=np.float32)
        self.requires_grad = requires_grad or grad_fn is not None
        self.grad_fn, self.is_leaf, self.node = grad_fn, grad_fn is None, grad_fn
        if requires_grad and self.is_leaf:
            self.node = Node("AccumulateGrad", (), lambda g: accumulate(self, g), self)

    shape = property(lambda self: self.data.shape)
    item = tolist = lambda self: self.data.tolist()
    __getitem__ = lambda self, index: Tensor(self.data[index])  # for the pictures: not recorded
    __add__ = __radd__ = lambda self, other: add(self, tensor(other))
    __mul__ = __rmul__ = lambda self, other: mul(self, tensor(other))
    __sub__ = lambda self, other: self + -1 * tensor(other)
    __matmul__ = lambda self, other: matmul(self, other)
    sum = lambda self: total(self)
    mean = lambda self: mean(self)
    detach = lambda self: detach(self)
    backward = lambda self, v=None, retain_graph=False: backward(self, v, retain_graph)

    def __repr__(self):
        numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
        leaf = ", requires_grad=True" * self.requires_grad
        return f"tensor({numbers}{f', grad_fn=<{self.grad_fn.name()}>' if self.grad_fn else leaf})"


def tensor(data, requires_grad=False):
    return data if isinstance(data, Tensor) else Tensor(data, requires_grad)


ones = lambda *shape, requires_grad=False: Tensor(np.ones(shape), requires_grad)
zeros = lambda *shape, requires_grad=False: Tensor(np.zeros(shape), requires_grad)
randn = lambda *shape, requires_grad=False: Tensor(np.random.randn(*shape), requires_grad)
manual_seed = np.random.seed


# Part 1: a result remembers.
def record(name, value, inputs, rule, **saved):
    """A tensor with that value; if an input requires grad, with a node that remembers it."""
    if Tensor.recording and any(one.requires_grad for one in inputs):
        return Tensor(value, grad_fn=Node(name, inputs, rule, **saved))
    return Tensor(value)


def add(a, b):
    """a + b."""
    return record("AddBackward0", a.data + b.data, (a, b), add_rule)


def mul(a, b):
    """a * b; its rule needs both factors, so they're saved."""
    return record("MulBackward0", a.data * b.data, (a, b), mul_rule, self=a, other=b)


# Part 2: local slopes.
def add_rule(gradient):
    """Both terms get what arrives."""
    return gradient, gradient


def mul_rule(gradient, a, b):
    """Each factor gets what arrives, times the other factor."""
    return gradient * b.data, gradient * a.data


# Part 3: an order, and sums.
def order(root):
    """The graph's nodes, each after all those that send it a gradient."""
    # First count the arrows that lead to each node. (`found` grows while the loop runs over it.)
    arrows, found = {root: 0}, [root]
    for node in found:
        for source in node.sources:
            if source not in arrows:
                found.append(source)
            arrows[source] = arrows.get(source, 0) + 1
    # Then go along the arrows. A node is ready when there's none left that leads to it.
    ready = [root]
    for node in ready:
        for source in node.sources:
            arrows[source] -= 1
            if arrows[source] == 0:
                ready.append(source)
    return ready


def gradients(root, gradient):
    """Run each node once, in order. Returns the sum of the gradients that arrived at each."""
    arrived = {root: gradient}
    for node in order(root):
        for (source, _), one in zip(node.next_functions, node(arrived[node])):
            if source is not None:
                arrived[source] = arrived.get(source, 0) + one
    return arrived


# Part 4: leaves keep their gradient.
def accumulate(leaf, gradient):
    """The rule of a leaf's node: add to its .grad."""
    leaf.grad = Tensor(gradient if leaf.grad is None else leaf.grad.data + gradient)


def start(result, gradient):
    """What a backward pass starts with: the gradient that it's given, or a 1."""
    if result.node is None:
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
    if gradient is None and result.data.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return np.ones_like(result.data) if gradient is None else gradient.data


# Part 5: freeing, and recording off.
def backward(result, gradient, retain_graph):
    """A whole pass. Afterward the nodes drop what they saved, unless the graph is kept."""
    gradients(result.node, start(result, gradient))
    if not retain_graph:
        for node in order(result.node):
            node.free()


def detach(a):
    """The same numbers without their history, in the same memory."""
    return Tensor(a.data)


class no_grad:
    """Inside `with no_grad():` nothing is recorded."""

    def __enter__(self):
        self.before, Tensor.recording = Tensor.recording, False

    def __exit__(self, *error):
        Tensor.recording = self.before


# Part 6: tensors.
def unbroadcast(gradient, shape):
    """Sum the gradient over all places to which numpy stretched an element of that shape."""
    # Numpy added dimensions on the left: sum them away.
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    # And it repeated those of size 1: sum, but keep the dimension.
    return gradient.sum(axis=tuple(i for i, n in enumerate(shape) if n == 1), keepdims=True)


def total(a):
    """The sum of all elements: each gets what arrives, `g`."""
    return record("SumBackward0", a.data.sum(), (a,), lambda g: [g])


def mean(a):
    """The mean of all elements: each gets an equal share of what arrives."""
    return record("MeanBackward0", a.data.mean(), (a,), lambda g: [g / a.data.size])


def tanh(a):
    """tanh of each element. It saves its result y, because its slope is 1 - y**2."""
    y = Tensor(np.tanh(a.data))
    return record("TanhBackward0", y.data, (a,), lambda g, y: [g * (1 - y.data**2)], result=y)


def matmul(a, b):
    """a @ b, for two matrices. Its rule needs both, so they're saved."""
    rule = lambda g, a, b: (g @ b.data.T, a.data.T @ g)
    return record("MmBackward0", a.data @ b.data, (a, b), rule, self=a, mat2=b)
