"""What is the same in two snapshots, and how the difference is told."""

from minigrad.viz import draw
from minigrad.viz.draw.changes import describe_changes, keys


def named(snapshot):
    """The keys of operations and tensors, by what they are called."""
    key = keys(snapshot)
    operations = {node.name: key[node.id] for node in snapshot.nodes}
    return operations | {t.names[0]: key[t.id] for t in snapshot.tensors if t.names}


def test_parts_stay_the_same_while_the_graph_grows_and_is_renumbered(torch):
    b = torch.tensor(3.0, requires_grad=True)
    y = b.exp()
    before = draw(y).snapshot
    a = torch.tensor(2.0, requires_grad=True)
    z = a.sin() * y
    after = draw(z).snapshot
    assert [node.id for node in after.nodes if node.name == "ExpBackward0"] != ["n1"]
    old, new = named(before), named(after)
    assert all(new[name] == old[name] for name in ("ExpBackward0", "b", "y"))
    assert new["SinBackward0"] not in old.values()


def test_equal_operations_have_keys_of_their_own(torch):
    x = torch.tensor(2.0, requires_grad=True)
    snapshot = draw(x * 2 + x * 2).snapshot
    key = keys(snapshot)
    parts = [*snapshot.nodes, *snapshot.tensors]
    assert len({key[part.id] for part in parts}) == len(parts)


def test_a_key_is_of_one_size_however_deep_the_graph_is(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x
    for _ in range(300):
        y = y * 2
    assert max(map(len, keys(draw(y).snapshot).values())) < 30


def test_nothing_is_told_where_nothing_has_changed(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 2
    assert describe_changes(draw(y).snapshot, draw(y).snapshot) == []


def test_growth_backward_and_a_step_are_told(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    first = draw(y).snapshot
    out = y.sum()
    second = draw(out).snapshot
    assert describe_changes(first, second) == ["1 operation added: SumBackward0"]
    out.backward()
    third = draw(out).snapshot
    told = ["1 operation freed what was kept", "x.grad is now [2, 4]"]
    assert describe_changes(second, third) == told
    x.data.sub_(1)
    x.grad = None
    fourth = draw(out).snapshot
    assert describe_changes(third, fourth) == ["x is now [0, 1]", "x.grad is now None"]
    assert describe_changes(second, first) == ["1 operation removed: SumBackward0"]


def test_many_operations_are_counted_and_few_named(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(9):
        y = y.exp()
    (told,) = describe_changes(draw(x).snapshot, draw(y).snapshot)
    exps = ", ".join(["ExpBackward0"] * 4)
    assert told == f"9 operations added: {exps}, and 5 more"


def test_a_renamed_leaf_keeps_the_whole_graph(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    out = (x * 3).exp()
    before = draw(out, names={"x": x, "out": out}).snapshot
    known = keys(before)
    after = draw(out, names={"weight": x, "out": out}).snapshot
    assert set(keys(after, before, known).values()) == set(known.values())
    assert describe_changes(before, after) == ["x is now called weight"]


def test_a_renamed_intermediate_stays_where_it_is(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 3
    out = y.exp()
    before = draw(out, names={"x": x, "y": y}).snapshot
    after = draw(out, names={"x": x, "hidden": y}).snapshot
    known = keys(before)
    assert set(keys(after, before, known).values()) == set(known.values())


def test_a_name_that_goes_to_another_tensor_is_followed(torch):
    x = torch.tensor(1.0, requires_grad=True)
    first = draw(x * 3, names={"x": x}).snapshot
    other = torch.tensor(5.0, requires_grad=True)
    out = x * 3 + other
    after = draw(out, names={"w": x, "x": other}).snapshot
    now = keys(after, first, keys(first))
    leaves = {t.names[0]: now[t.id] for t in after.tensors if t.is_leaf}
    assert leaves["x"] == keys(first)[first.tensors[0].id]
    assert len(set(now.values())) == len(now)
