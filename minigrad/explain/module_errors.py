"""Errors of optimizers and modules."""

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from types import FunctionType
from typing import Any

from minigrad.explain.case import Case
from minigrad.explain.page import Causes, Fields
from minigrad.explain.source import find_headers, find_method, is_users, place_in

CAUSES = Causes()


@CAUSES.declare("NoneType", "15_train_a_small_net")
def function_that_returns_nothing(case: Case) -> Fields | None:
    """A function has no return, so its result is None.

    `{name}` in {at} returns nothing, so its result is None.

    cause: has no `return` with a value
    fix: return {last} -- the last line of `{name}`

    Example::

        def loss_of(w):  # cause
            loss = (w * w).sum()

        w = torch.ones(3, requires_grad=True)
        loss = loss_of(w)
        loss.backward()
    """
    for function in (one for called in _called(case) for one in _run_by(case.resolved(called))):
        code = function.__code__
        for place in find_headers(code.co_filename, rf"def {code.co_name}\b"):
            node: Any = place.node
            if not any(isinstance(one, ast.Return | ast.Yield) for one in ast.walk(node)):
                known = {"cause": place, "at": case.at(place), "name": code.co_name}
                return {**known, "last": place_in(code.co_filename, node.body[-1]).target or None}
    return None


def _called(case: Case) -> Iterator[str]:
    """What the line calls, and what made the variables in it."""
    parts = list(ast.walk(case.raised.statement or ast.Pass()))
    for name in dict.fromkeys(case.raised.source(one) for one in parts if type(one) is ast.Name):
        for place in case.lines(rf"^{name} *= *[\w.]+\("):
            parts += ast.walk(place.statement or ast.Pass())
    yield from (ast.unparse(one.func) for one in parts if isinstance(one, ast.Call))


def _run_by(called: Any) -> Iterator[Any]:
    """The user's functions that a call runs: of a module, forward of it and its modules."""
    modules = called.modules() if hasattr(type(called), "named_modules") else ()
    for function in (called, *(type(one).forward for one in modules)):
        function = getattr(function, "__func__", function)
        if isinstance(function, FunctionType) and is_users(function.__code__.co_filename):
            yield function


@CAUSES.page("params argument given to the optimizer should be an iterable", "12_optimizers")
def optimizer_of_one_tensor(case: Case) -> None:
    """An optimizer is given a tensor instead of a list of tensors.

    An optimizer takes a list of tensors, and `{a}` is a single one.

    cause: one tensor, not a list
    fix: {a:=[{a}]} -- a list of one tensor

    Example::

        w = torch.ones(2, requires_grad=True)
        optimizer = torch.optim.SGD(w, lr=0.1)  # cause
    """


@CAUSES.declare("optimizer got an empty parameter list", "12_optimizers")
def iterator_used_up(case: Case) -> Fields | None:
    """An optimizer is given an iterator that is used up.

    `{a}` is an iterator, and {at} has used it up, so nothing was left for the optimizer.

    cause: uses `{a}` up
    fix: {a:=model.parameters()} -- a new iterator each time
    fix: {a} = list({a}) -- where it is made: a list can be read again

    Example::

        layer = torch.nn.Linear(2, 1)
        parameters = layer.parameters()
        count = sum(p.numel() for p in parameters)  # cause
        optimizer = torch.optim.SGD(parameters, lr=0.1)
    """
    name = re.escape(case.operands[0].text) if case.operands else "?"
    pattern = rf"\bin {name}\b|\b(list|len|sum|set|tuple)\({name}\)"
    uses = list(case.lines(pattern, before=case.raised))
    if not case.nodes or not isinstance(case.nodes[0], ast.Name) or not uses:
        return None
    return {"cause": uses[0], "at": case.at(uses[0])}


@CAUSES.page("optimizer got an empty parameter list", "12_optimizers")
def optimizer_of_nothing(case: Case) -> None:
    """An optimizer is given a module without parameters, or an empty list.

    `{a}` is empty, so there is nothing to optimize.

    cause: no parameters
    fix: self.layer = {torch}.nn.Linear(...) -- in __init__ of the module: this way a layer is found
    fix: self.layers = {torch}.nn.ModuleList([...]) -- for several: layers in a list or dict aren't
    found

    Example::

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = [torch.nn.Linear(2, 1)]

        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # cause
    """


@CAUSES.declare(
    r"Invalid (learning rate|momentum value|weight_decay value): -(\S*)", "12_optimizers"
)
def optimizer_with_a_negative_number(case: Case) -> Fields:
    """An optimizer gets a negative learning rate.

    The {0} is -{1}, and it must be at least 0: the step already goes against the gradient.

    cause: {0} -{1}
    fix: {positive} -- goes downhill
    fix: {uphill} -- goes uphill

    Example::

        w = torch.ones(1, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=-0.1)  # cause
    """
    positive = re.sub(r"= *-", "=", case.raised.text, count=1)
    return {"positive": positive, "uphill": re.sub(r"\)$", ", maximize=True)", positive)}


@CAUSES.declare("can't optimize a non-leaf Tensor", "12_optimizers")
def optimizer_of_a_computed_tensor(case: Case) -> Fields:
    """An optimizer is given a tensor that was computed.

    `{w}` was computed, so it isn't a leaf, and an optimizer moves leaves.

    cause: computes `{w}`
    fix: {leaf} -- a leaf with the computed values
    graph: w

    Example::

        w = torch.ones(2, requires_grad=True) * 0.1  # cause
        optimizer = torch.optim.SGD([w], lr=0.1)
    """
    names = [name for name, one in case.variables.items() if not one.is_leaf]
    pattern = r"(?<![\w.]){}\b"
    named = [one for one in names if re.search(pattern.format(re.escape(one)), case.raised.text)]
    if not named:
        given = case.listed(0)
        return {"w": given[0] if given else None, "cause": case.raised}
    w = case.named(named[0])
    text = w.birth.source(w.birth.node) if w.birth else ""
    without = text.replace(", requires_grad=True", "")
    leaf = f"{w} = ({without}).requires_grad_()"
    late = leaf if without != text else f"{w} = {w}.detach().requires_grad_()"
    return {"w": w, "cause": w.birth or case.raised, "leaf": late}


@CAUSES.declare(
    r"can only optimize Tensors, but one of the params is (?:\w+\.)*(\w+)", "12_optimizers"
)
def optimizer_of_something_else(case: Case) -> Fields:
    """An optimizer is given names, or other things that aren't tensors.

    An optimizer takes tensors, and `{a}` gives it a {0}.

    cause: not tensors
    fix: {a:={module}.parameters()} -- the tensors of a module
    fix: {a:=[w]} -- {plain}a list of the tensors themselves

    Example::

        layer = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(layer.state_dict(), lr=0.1)  # cause
    """
    given = case.operands[0].text if case.operands else ""
    module = re.fullmatch(r"(.*)\.(state_dict|named_parameters)\(\)", given)
    return {"module": module and module[1], "plain": None if module else ""}


@CAUSES.declare(r"'\w+' object is not iterable", "12_optimizers")
def optimizer_of_a_method_or_module(case: Case) -> Fields | None:
    """An optimizer is given a method, without its parentheses, or the module itself.

    An optimizer takes tensors, and `{a}` is a {kind}.

    cause: a {kind}
    fix: {a:={a}{call}} -- the tensors that it learns

    Example::

        layer = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(layer.parameters, lr=0.1)  # cause
    """
    within = any(hasattr(one.get("self"), "add_param_group") for one in case.library_locals())
    if not within or not case.operands:
        return None
    given = case.operands[0].text
    if given.endswith("parameters"):
        return {"kind": "method that wasn't called", "call": "()"}
    module = hasattr(case.resolved(given), "parameters")
    return {"kind": "module", "call": ".parameters()"} if module else None


@CAUSES.declare(r"Error\(s\) in loading state_dict for (\w+):", "15_train_a_small_net")
def state_of_another_module(case: Case) -> Fields:
    """A state_dict doesn't fit the module that loads it.

    The state_dict isn't one of this {0}: {differences}.

    cause: loads the state of another module
    fix: {0}(...) -- make the module as it was when its state was saved
    fix: {line:+strict=False} -- {keys}leaves out what one of the two lacks

    Example::

        saved = {"weight": torch.ones(2, 3)}
        layer = torch.nn.Linear(2, 2)
        layer.load_state_dict(saved)  # cause
    """
    missing = re.findall(r"Missing key\(s\) in state_dict: (.*?)\. ", f"{case.text} ")
    extra = re.findall(r"Unexpected key\(s\) in state_dict: (.*?)\. ", f"{case.text} ")
    mismatch = r"mismatch for (\S+): .*?Size\((\[.*?\])\) from checkpoint.*?Size\((\[.*?\])\)"
    sizes = re.findall(mismatch, case.text)
    parts = [f"it lacks {one}" for one in missing] + [f"the module has no {one}" for one in extra]
    parts += [f"`{name}` has shape {got} instead of {own}" for name, got, own in sizes[:2]]
    keys = None if sizes else ""
    return {"differences": "; ".join(parts).replace('"', "`"), "keys": keys}


@CAUSES.declare(
    r'Module \[(\w+)\] is missing the required "forward" function', "15_train_a_small_net"
)
def module_without_forward(case: Case) -> Fields:
    """A module is called, and its class has no forward.

    Calling a module runs its `forward`, and the class `{0}` has none.

    cause: defines no forward
    fix: def forward(self, x): | return ... -- in the class: check its spelling and indentation

    Example::

        class Net(torch.nn.Module):  # cause
            def __init__(self):
                super().__init__()

        y = Net()(torch.ones(1))
    """
    name = re.findall(r"Module \[(\w+)\]", case.text)[0]
    found = next(case.headers(rf"class {name}\b"), None)
    return {"cause": found or case.raised}


@CAUSES.page(
    r"cannot assign (module|parameter)s? before Module\.__init__\(\)", "15_train_a_small_net"
)
def module_without_init(case: Case) -> None:
    """__init__ of a module assigns a layer before calling super().__init__().

    A {0} is assigned in {here}, before `super().__init__()` has made the place for it.

    cause: too early
    fix: super().__init__() | {line.text} -- the first line of __init__

    Example::

        class Net(torch.nn.Module):
            def __init__(self):
                self.layer = torch.nn.Linear(1, 1)  # cause

        net = Net()
    """


@CAUSES.declare(r"'(\w+)' object has no attribute '(\w+)'", "15_train_a_small_net")
def module_without_attribute(case: Case) -> Fields | None:
    """A module is asked for a layer that it doesn't have.

    This {0} has no `{1}`: its __init__ doesn't assign it{near}.

    cause: asks for `{1}`
    line closest: assigns `{other}`
    fix: {renamed} -- the name that __init__ gives it
    fix: self.{1} = ... -- in __init__, if the layer is missing

    Example::

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc1 = torch.nn.Linear(2, 2)

        layer = Net().fc  # cause
    """
    kind, wanted = re.findall(r"'(\w+)'", case.text)[:2]
    if not any(case.headers(rf"class {kind}\b.*Module")):
        return None
    assigned = {one.target[5:]: one for one in case.lines(r"^self\.\w+ *=")}
    other = next(iter(get_close_matches(wanted, assigned, 1, 0.4)), None)
    renamed = other and re.sub(rf"\.{wanted}\b", f".{other}", case.raised.text)
    near = f", but it assigns `{other}`" if other else ""
    return {"near": near, "closest": other and assigned[other], "other": other, "renamed": renamed}


@CAUSES.page(
    r"cannot assign '(\S+)' as parameter '(\w+)' \(torch.nn.Parameter or None expected\)",
    "15_train_a_small_net",
)
def parameter_replaced_by_a_tensor(case: Case) -> None:
    """A tensor is assigned where a module has a parameter.

    `{1}` is a parameter of this module, and {here} assigns a plain tensor to it.

    cause: assigns a plain tensor
    fix: {a}.{1} = {torch}.nn.Parameter(...) -- a new parameter: an optimizer made before still has
    the old one
    fix: with {torch}.no_grad(): | {a}.{1}.copy_(...) -- the same parameter with new values

    Example::

        layer = torch.nn.Linear(2, 1)
        layer.weight = torch.ones(1, 2)  # cause
    """


@CAUSES.page("some parameters appear in more than one parameter group", "12_optimizers")
def parameter_in_two_groups(case: Case) -> None:
    """A parameter is in two groups of an optimizer.

    Some parameters are in two groups of this optimizer, so each step would move them twice.

    cause: the same parameters twice
    fix: [p for p in model.parameters() if p is not ...] -- leaves out what another group has

    Example::

        layer = torch.nn.Linear(2, 1)
        groups = [{"params": layer.parameters()}, {"params": [layer.bias]}]
        optimizer = torch.optim.SGD(groups, lr=0.1)  # cause
    """


@CAUSES.page(
    "parameter group that doesn't match the size of optimizer's group|different number of "
    "parameter groups",
    "12_optimizers",
)
def state_of_another_optimizer(case: Case) -> None:
    """An optimizer loads the state of one with other parameters.

    The state was saved by an optimizer with another number of parameters.

    cause: loads the state of another optimizer
    fix: {torch}.optim.Adam(model.parameters()) -- of the same model as when it was saved
    """


@CAUSES.page(r"(\S+) is not a Module subclass", "15_train_a_small_net")
def sequential_of_a_list(case: Case) -> None:
    """Sequential is given a list, or another thing that isn't a module.

    Sequential takes modules, one after the other, and {here} gives it a {0}.

    cause: gives it a {0}
    fix: {a:=*{a.text}} -- passes the elements of a list

    Example::

        layers = [torch.nn.Linear(2, 2), torch.nn.ReLU()]
        net = torch.nn.Sequential(layers)  # cause
    """


@CAUSES.declare(
    r"(?:(\w+)\.)?forward\(\) (takes .* given|missing .*|got .*)", "15_train_a_small_net"
)
def forward_with_other_arguments(case: Case) -> Fields | None:
    """A module is called with other arguments than its forward takes.

    Calling a module passes its arguments to `forward`, after `self`, and {0}.forward takes others:
    it {1}.

    cause: takes these arguments
    fix: def forward(self, x): -- `self` first, then what the module is called with

    Example::

        class Net(torch.nn.Module):
            def forward(x):  # cause
                return x

        y = Net()(torch.ones(1))
    """
    owner = re.findall(r"(\w+)\.forward", case.text)
    for file in case.files:
        method = find_method(file, owner[0], "forward") if owner else None
        if method is not None:
            return {"cause": place_in(file, method)}
    return None


@CAUSES.page(
    "dropout probability has to be between 0 and 1, but got (\\S+)", "15_train_a_small_net"
)
def dropout_of_another_probability(case: Case) -> None:
    """Dropout gets a number that isn't a probability.

    Dropout takes the share of values that it sets to 0, between 0 and 1, and got {0}.

    cause: {0}
    fix: Dropout(0.5) -- drops half of them

    Example::

        layer = torch.nn.Dropout(50)  # cause
    """


@CAUSES.declare(
    r"Expected more than 1 value per channel when training, got input size torch.Size\((.*?)\)",
    "15_train_a_small_net",
)
def batch_of_one(case: Case) -> Fields:
    """BatchNorm gets a single sample while it trains.

    BatchNorm computes a mean and a variance over the batch, and this batch of shape {0} has one
    sample: often the last one, smaller than the others.

    cause: a batch of one
    line made: cuts the batches
    fix: DataLoader(..., drop_last=True) -- leaves a smaller last batch out
    fix: {model}.eval() -- to evaluate: uses the running mean and variance

    Example::

        norm = torch.nn.BatchNorm1d(4)
        y = norm(torch.ones(1, 4))  # cause
    """
    node = case.raised.node
    model = case.raised.source(node.func) if isinstance(node, ast.Call) else "model"
    return {"model": model, "made": next(case.lines(r"\bDataLoader\("), None)}


@CAUSES.declare(r"running_mean should contain (\d+) elements not (\d+)", "15_train_a_small_net")
def norm_of_another_size(case: Case) -> Fields:
    """BatchNorm gets another number of features than it was made for.

    This BatchNorm was made for {1} features, and its input has {0}.

    cause: {0} features for {1}
    line made: made it for {1} features
    fix: BatchNorm1d({0}) -- as many as the layer before has outputs

    Example::

        norm = torch.nn.BatchNorm1d(4)
        y = norm(torch.ones(2, 6))  # cause
    """
    norms: list[Any] = [one.get("self") for one in case.library_locals()]
    made = [case.layer_made(one) for one in norms if hasattr(one, "running_mean")]
    return {"made": made[0] if made else None}


@CAUSES.declare("index out of range in self", "15_train_a_small_net")
def token_out_of_range(case: Case) -> Fields:
    """An Embedding gets a number that it has no row for.

    An Embedding of {size} rows takes numbers from 0 to {last}, and `{a}` has others{largest}.

    cause: a number without a row
    line made: made it with {size} rows
    line a: made `{a}`
    fix: Embedding({needed}, ...) -- one row for each number

    Example::

        embedding = torch.nn.Embedding(3, 2)
        y = embedding(torch.tensor([0, 3]))  # cause
    """
    layers: list[Any] = [one.get("self") for one in case.library_locals()]
    embedding = next((one for one in layers if hasattr(one, "num_embeddings")), None)
    if embedding is None:
        return {}
    given: list[Any] = [one for one in case.tensors if "int" in str(one.dtype)]
    most = max((int(one.max()) for one in given if one.numel()), default=0)
    size = embedding.num_embeddings
    return {
        "size": size,
        "last": size - 1,
        "largest": f": the largest is {most}" if most >= size else "",
        "needed": most + 1 if most >= size else None,
        "made": case.layer_made(embedding),
    }


@CAUSES.page(r"Size mismatch between tensors", "15_train_a_small_net")
def samples_without_a_partner(case: Case) -> None:
    """TensorDataset gets tensors with different numbers of samples.

    `{a}` {a.shape} and `{b}` {b.shape} have different numbers of samples, and each needs a partner.

    cause: {a.shape} and {b.shape}
    line a: made `{a}` {a.shape}
    line b: made `{b}` {b.shape}
    """
