"""The outline says, line by line, what a graph holds; the same on both engines."""

from minigrad.viz import draw


def test_the_tutorial_graph(torch):
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    assert repr(draw(out)) == (
        "Graph of out: 1 leaf, 4 operations\n"
        "x: leaf, float32 [2, 2] = [[1, 1], [1, 1]], grad None\n"
        "n0 AccumulateGrad: adds to x.grad\n"
        "n1 AddBackward0(x, no grad)\n"
        "  gives y: float32 [2, 2] = [[3, 3], [3, 3]]\n"
        "n2 MulBackward0(y, y)\n"
        "  keeps self = y, other = y\n"
        "  gives n2: not kept\n"
        "n3 MulBackward0(n2, no grad)\n"
        "  keeps other = 3\n"
        "  gives z: float32 [2, 2] = [[27, 27], [27, 27]]\n"
        "n4 MeanBackward0(z)\n"
        "  gives out: result, float32 [] = 27"
    )


def test_after_backward_gradients_are_stored_and_saved_values_freed(torch):
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    out.backward()
    text = repr(draw(out))
    assert "x: leaf, float32 [2, 2] = [[1, 1], [1, 1]], grad [[4.5, 4.5], [4.5, 4.5]]" in text
    assert "n2 MulBackward0(y, y)\n  freed self, other\n" in text
    assert "n3 MulBackward0(n2, no grad)\n  freed other\n" in text
    assert "keeps" not in text


def test_a_saved_value_changed_in_place_is_said_to_be_modified(torch):
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    z = y * 2
    y.add_(1)
    assert repr(draw(z)) == (
        "Graph of z: 1 leaf, 2 operations\n"
        "x: leaf, float32 [2] = [1, 1], grad None\n"
        "n0 AccumulateGrad: adds to x.grad\n"
        "n1 ExpBackward0(x)\n"
        "  modified since saved: result\n"
        "  gives n1: not kept\n"
        "n2 MulBackward0(n1, no grad)\n"
        "  keeps other = 2\n"
        "  gives z: result, float32 [2] = [5.4366, 5.4366]"
    )


def test_an_unnamed_value_is_known_from_who_keeps_it(torch):
    x = torch.tensor(2.0, requires_grad=True)
    assert repr(draw(((x + 1) ** 2).exp(), names={"x": x})) == (
        "Graph of n3: 1 leaf, 3 operations\n"
        "x: leaf, float32 [] = 2, grad None\n"
        "n0 AccumulateGrad: adds to x.grad\n"
        "n1 AddBackward0(x, no grad)\n"
        "  gives n1: float32 [] = 3\n"
        "n2 PowBackward0(n1)\n"
        "  keeps self = n1\n"
        "  gives n2: not kept\n"
        "n3 ExpBackward0(n2)\n"
        "  keeps result = n3\n"
        "  gives n3: result, float32 [] = 8103.084"
    )


def test_outputs_of_one_operation_are_told_apart(torch):
    x = torch.tensor([[1.0, 5.0], [4.0, 2.0]], requires_grad=True)
    top, where = x.max(0)
    first, second = x.unbind()
    out = (top * second).sum()
    assert repr(draw(first, out, where)) == (
        "Graph of first, out, where: 1 leaf, 4 operations\n"
        "x: leaf, float32 [2, 2] = [[1, 5], [4, 2]], grad None\n"
        "n0 AccumulateGrad: adds to x.grad\n"
        "n1 UnbindBackward0(x)\n"
        "  gives first: result, float32 [2] = [1, 5]\n"
        "  gives second: float32 [2] = [4, 2]\n"
        "n2 MaxBackward0(x)\n"
        "  keeps indices = where\n"
        "  gives top: float32 [2] = [4, 5]\n"
        "n3 MulBackward0(top, second)\n"
        "  keeps self = top, other = second\n"
        "  gives n3: not kept\n"
        "n4 SumBackward0(n3)\n"
        "  gives out: result, float32 [] = 26\n"
        "where: no graph (requires_grad=False), int64 [2] = [1, 0]"
    )


def test_a_tensor_without_graph_says_so(torch):
    d = torch.ones(2, requires_grad=True).detach()
    assert repr(draw(d)) == (
        "Graph of d: 0 leaves, 0 operations\n"
        "d: no graph (requires_grad=False), float32 [2] = [1, 1]"
    )


def test_a_leaf_alone(torch):
    w = torch.tensor([1.0], requires_grad=True)
    assert repr(draw(w)) == (
        "Graph of w: 1 leaf, 0 operations\nw: leaf, float32 [1] = [1], grad None"
    )


def test_a_retained_gradient_of_an_intermediate_value(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = a * 3
    b.retain_grad()
    c = b * b
    assert "gives b: float32 [] = 6, grad None" in repr(draw(c))
    c.backward()
    assert "gives b: float32 [] = 6, grad 12" in repr(draw(c))


def test_an_unnamed_leaf(torch):
    assert repr(draw(torch.ones(1, requires_grad=True) * 2, names={})) == (
        "Graph of n1: 1 leaf, 1 operation\n"
        "n0: leaf, float32 [1] = [1], grad None\n"
        "n0 AccumulateGrad: adds to the .grad of a leaf without a name\n"
        "n1 MulBackward0(n0, no grad)\n"
        "  keeps other = 2\n"
        "  gives n1: result, float32 [1] = [2]"
    )
