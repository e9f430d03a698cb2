"""Errors about the graph: it is freed, or asked from the wrong tensor, or was never recorded."""

import ast
import re
from typing import Any

from minigrad.explain.case import Case
from minigrad.explain.cuts import find_freeing, without_grad
from minigrad.explain.page import Causes, Fields, Fix
from minigrad.explain.source import find_method, place_in, switched_off

CAUSES = Causes()
OFF = r"\.requires_grad_?(\(False\)| *= *False)"  # a line that freezes a tensor or a module
_AGAIN = "Trying to backward through the graph a second time"


@CAUSES.page("grad can be implicitly created only for scalar outputs", "06_non_scalar_backward")
def backward_from_several_elements(case: Case) -> None:
    """backward() starts at a tensor with several elements.

    `{a}` has shape {a.shape}, and a backward pass without a vector starts at one element only.

    cause: starts at {a.shape}
    line a: made `{a}`
    fix: {a:.sum()} -- the gradient of the sum of the elements
    fix: {a:.mean()} -- that of the sum, divided by their number
    fix: {a}.backward({torch}.ones_like({a})) -- a weight for each element: the vector in vᵀJ
    graph: root
    more: A backward pass multiplies a vector by the Jacobian: vᵀJ. With one output, the vector is
    the number 1, and you may leave it out. With several outputs, there is no natural choice, so you
    say how much each one weighs, or reduce them to one number first.

    Example::

        x = torch.ones(3, requires_grad=True)
        y = x * 2
        y.backward()  # cause
    """


@CAUSES.declare(_AGAIN, "08_saved_and_freed")
def graph_of_an_earlier_iteration(case: Case) -> Fields | None:
    """A tensor that outlives an iteration carries the last one's graph along.

    `{carried}` in {at} still has the graph of an earlier iteration, which {here} freed there.

    cause: goes on with the old graph of `{carried}`
    fix: {carried} = {carried}.detach() -- at the start of each iteration: keeps the value, and
    gradients stop there
    fix: {line:+retain_graph=True} -- goes back through all iterations: memory and time grow with
    each one
    graph: root
    more: The first backward pass frees what its nodes have saved. A graph that reaches from one
    iteration into the one before leads to freed nodes. Either cut it between iterations (truncated
    backpropagation through time), or add up the losses and go back once.

    Example::

        w = torch.ones(1, requires_grad=True)
        h = torch.zeros(1)
        for step in range(3):
            h = torch.tanh(w * h + 1)  # cause
            loss = (h * h).sum()
            loss.backward()
    """
    freed = find_freeing(case)
    if freed is None or freed.crossing is None or freed.place != case.raised:
        return None
    carried, place = case.thing(freed.carried, freed.crossing.index), freed.crossing.place
    later = case.history.calls[freed.crossing.index :]
    if carried is None or not any(call.place == carried.birth for call in later):
        return None  # it isn't computed in each iteration
    for name, tensor in case.variables.items():  # what the next iteration calls it
        birth = case.birth(tensor)
        if birth is not None and birth.place == carried.birth:
            carried.text = name
    return {"cause": place, "at": case.at(place), "carried": carried}


@CAUSES.declare(_AGAIN, "08_saved_and_freed")
def graph_freed_before(case: Case) -> Fields | None:
    """A second backward pass goes through a graph that the first one has freed.

    The graph of `{a}` is gone: {first} had already gone back through it, which frees what it has
    saved.

    cause: the first backward pass
    line shared: made the part that both share
    fix: {again} -- compute this again before the second pass: it gets a new graph
    fix: {keeping} -- in the first pass: keeps what the graph has saved, so it takes more memory
    graph: root
    more: Nodes save values for the backward pass, and the first pass frees them, because most
    programs go back once. Often the two passes can be one: add the results, and call backward() on
    the sum.

    Example::

        x = torch.ones(3, requires_grad=True)
        y = (x * x).sum()
        y.backward()  # cause
        y.backward()
    """
    freed = find_freeing(case)
    if freed is None:
        keeping = case.raised.with_argument("retain_graph=True")
        return {"first": "an earlier backward pass", "keeping": keeping}
    shared = freed.shared.place
    keeping = freed.place.with_argument("retain_graph=True")
    fields = {"shared": shared, "again": shared.source(shared.statement), "keeping": keeping}
    return {"cause": freed.place, "first": case.at(freed.place), **fields}


@CAUSES.declare("does not require grad and does not have a grad_fn", "09_cutting_the_graph")
def everything_frozen(case: Case) -> Fields | None:
    """requires_grad was switched off for all that the result was computed from.

    `{a}` has no graph: {at} switched requires_grad off, and nothing else that it was computed from
    requires grad.

    cause: switches requires_grad off
    line a: computed `{a}`
    fix: {on} -- for at least one of the tensors: its gradient is computed

    Example::

        layer = torch.nn.Linear(2, 1)
        for parameter in layer.parameters():
            parameter.requires_grad = False  # cause
        loss = layer(torch.ones(3, 2)).sum()
        loss.backward()
    """
    for off in case.lines(OFF):
        return {"cause": off, "at": case.at(off), "on": off.text.replace("False", "True")}
    return None


@CAUSES.declare("does not require grad and does not have a grad_fn", "02_recording_the_graph")
def nothing_requires_grad(case: Case) -> Fields:
    """No input requires grad, so nothing was recorded.

    `{a}` has no graph, because {reason}.

    cause: made `{name}` without requires_grad
    fix: {name}.requires_grad_() -- before the computation, for a tensor that is there already
    more: Operations are recorded only if one of their inputs requires grad.

    Example::

        w = torch.ones(3)  # cause
        loss = (w * 2).sum()
        loss.backward()
    """
    leaves = without_grad(case, case.root)
    if not leaves:
        return {"reason": "it doesn't require grad itself"}
    names = " or ".join(f"`{name}`" for name, _ in leaves[:3])
    asked = [(name, place.with_argument("requires_grad=True")) for name, place in leaves[:2]]
    asked = [pair for pair, leaf in zip(asked, leaves, strict=False) if pair[1] != leaf[1].text]
    return {
        "reason": f"nothing that it was computed from requires grad: not {names}",
        "a": case.operands[0] if case.operands else None,
        "name": leaves[0][0],
        "cause": leaves[0][1],
        "lines": [(place, f"made `{name}` without requires_grad") for name, place in leaves[1:3]],
        "fixes": [Fix(line, f"asks for the gradient of `{name}`") for name, line in asked],
    }


@CAUSES.declare("Mismatch in shape: grad_output", "06_non_scalar_backward")
def vector_of_another_shape(case: Case) -> Fields:
    """The vector given to backward has another shape than the tensor.

    The vector has shape {vector}, and `{a}` has shape {own}: they must be the same.

    cause: {vector} for {own}
    line a: made `{a}`
    fix: {b:={torch}.ones_like({a})} -- one weight for each element
    fix: {a}.sum().backward() -- the same as a vector of ones
    graph: root

    Example::

        x = torch.ones(3, requires_grad=True)
        y = x * 2
        y.backward(torch.ones(2))  # cause
    """
    vector, own = case.shapes_in_text()[:2]
    return {"vector": vector, "own": own}


@CAUSES.declare(r"Tensor at index (\d+) appears to not have been used", "02_recording_the_graph")
def input_not_in_the_graph(case: Case) -> Fields:
    """autograd.grad is asked for the gradient of a tensor that the result doesn't depend on.

    `{a}` was computed without `{wanted}`, so it has no gradient with respect to `{wanted}`.

    cause: asks for the gradient of `{wanted}`
    line a: made `{a}`
    line wanted: made `{wanted}`
    fix: {line:+allow_unused=True} -- the gradient of `{wanted}` is then None
    graph: root

    Example::

        x = torch.ones(1, requires_grad=True)
        y = torch.ones(1, requires_grad=True)
        out = x * 2
        torch.autograd.grad(out, y)  # cause
    """
    return {"wanted": wanted_input(case)}


def wanted_input(case: Case) -> object:
    """The input that autograd.grad has no gradient for."""
    number = re.search(r"at index (\d+)", case.text)
    return dict(enumerate(case.listed(1))).get(int(number[1]) if number else 0)


@CAUSES.declare("One of the differentiated Tensors does not require grad", "02_recording_the_graph")
def input_without_grad(case: Case) -> Fields:
    """autograd.grad is asked for the gradient of a tensor that doesn't require one.

    `{wanted}` doesn't require grad, so no gradient is recorded for it.

    cause: made `{wanted}` without requires_grad
    fix: {asking} -- before the result is computed
    fix: {wanted}.requires_grad_() -- the same, for a tensor that is there already
    graph: root

    Example::

        w = torch.ones(1, requires_grad=True)
        x = torch.ones(1)  # cause
        out = w * x
        torch.autograd.grad(out, x)
    """
    lacking = [one for one in case.listed(1) if getattr(one.tensor, "requires_grad", None) is False]
    return born_without_grad(lacking[0]) if lacking else {}


def born_without_grad(thing: object) -> Fields:
    """The fields of a tensor that was made without requires_grad."""
    place = getattr(thing, "birth", None)
    asking = place and place.with_argument("requires_grad=True")
    known = {"cause": place, "asking": asking if place and asking != place.text else None}
    return {"wanted": thing, **{name: value for name, value in known.items() if value}}


@CAUSES.declare("can't retain_grad on Tensor|cannot register a hook", "07_leaves_and_retain_grad")
def nothing_to_watch(case: Case) -> Fields:
    """retain_grad or a hook on a tensor that no gradient will reach.

    No gradient will ever reach `{a}`: nothing that it was computed from requires grad.

    cause: made `{a}` without requires_grad
    fix: {asking} -- before the computation
    fix: {a}.requires_grad_() -- the same, for a tensor that is there already

    Example::

        y = torch.ones(3)  # cause
        y.retain_grad()
    """
    return born_without_grad(case.operands[0]) if case.operands else {}


@CAUSES.declare("you can only change requires_grad flags of leaf", "09_cutting_the_graph")
def flag_of_a_computed_tensor(case: Case) -> Fields:
    """requires_grad is switched off on a computed tensor.

    `{a}` was computed from a tensor that requires grad, so its flag follows from that; only a
    leaf's can be changed.

    cause: changes the flag of a computed tensor
    line a: computed `{a}`
    fix: {a} = {a}.detach() -- the same values, without the graph
    fix: with {torch}.no_grad(): | {computing} -- isn't recorded at all
    graph: root

    Example::

        w = torch.ones(2, requires_grad=True)
        y = w * 2
        y.requires_grad = False  # cause
    """
    birth = case.operands[0].birth if case.operands else None
    root = case.operands[0].tensor if case.operands else None
    return {"computing": birth and birth.text, "root": root}


@CAUSES.declare(r"Can't call numpy\(\) on Tensor that requires grad", "09_cutting_the_graph")
def numpy_of_a_recorded_tensor(case: Case) -> Fields:
    """numpy is asked for a tensor that requires grad.

    `{a}` requires grad, and numpy can't record what it computes, so no gradient would come back
    from there.

    cause: leaves the graph for numpy
    line a: made `{a}`
    fix: {fixed} -- says that gradients stop here; the array shares memory with the tensor
    fix: with {torch}.no_grad(): | {line} -- around what only evaluates: it isn't recorded at all
    graph: root

    Example::

        w = torch.ones(2, requires_grad=True)
        y = w * 2
        values = y.numpy()  # cause
    """
    change = ".detach()" if ".numpy(" in case.raised.text else ".detach().numpy()"
    return {"fixed": format(case.operands[0], change) if case.operands else None}


@CAUSES.declare("cannot be converted to Scalar|only one element tensors", "02_recording_the_graph")
def several_elements_as_a_number(case: Case) -> Fields:
    """A tensor with several elements can't become one number.

    `{a}` has shape {a.shape}, and only a tensor with one element can become a number.

    cause: asks {a.shape} for one number
    line a: made `{a}`
    fix: {a:.mean()} -- one number for all of them
    fix: {listed} -- a list of numbers

    Example::

        losses = torch.ones(2)
        losses.item()  # cause
    """
    text = case.raised.text
    return {"listed": text.replace(".item()", ".tolist()") if ".item()" in text else None}


@CAUSES.declare("Boolean value of Tensor with more than one value", "02_recording_the_graph")
def truth_of_several_elements(case: Case) -> Fields:
    """`if` and `and` ask a tensor with several elements whether it is true.

    `{tested}` has several elements, and each of them may be true or false.

    cause: asks all of them for one answer
    fix: {tested:.all()} -- true if it holds for every element
    fix: {tested:.any()} -- true if it holds for at least one
    more: To choose for each element, use `{torch}.where(condition, a, b)`.

    Example::

        x = torch.ones(2)
        if x > 0:  # cause
            x = x * 2
    """
    node, statement = case.raised.node, case.raised.statement
    if isinstance(node, ast.Call):
        node = case.nodes[0] if case.nodes else node
    elif not isinstance(node, ast.expr) and isinstance(statement, ast.If | ast.While | ast.Assert):
        node = statement.test
    return {"tested": case.thing_at(node)}


@CAUSES.declare("support the deepcopy protocol", "07_leaves_and_retain_grad")
def deepcopy_of_a_computed_tensor(case: Case) -> Fields:
    """copy.deepcopy of a tensor that was computed.

    `{copied}` was computed, and a copy would have to bring its graph along; only leaves can be
    copied this way.

    cause: copies `{copied}`
    line copied: computed `{copied}`
    fix: {copied}.detach().clone() -- a copy of the values, without the graph
    fix: {copied}.clone() -- a copy that gradients flow through
    graph: root

    Example::

        import copy
        w = torch.ones(1, requires_grad=True)
        y = w * 2
        kept = copy.deepcopy(y)  # cause
    """
    computed = [name for name, one in case.variables.items() if not one.is_leaf]
    named = [name for name in computed if name in case.raised.text] or computed
    copied = case.named(named[0]) if named else None
    return {"copied": copied, "root": copied and copied.tensor}


@CAUSES.declare(
    r"unction (\w+)Backward returned an incorrect number of gradients \(expected (\d+), got (\d+)",
    "13_write_your_own_op",
)
def wrong_number_of_gradients(case: Case) -> Fields:
    """A custom Function's backward returns too few or too many gradients.

    `{0}.backward` returns {2} for the {1} inputs of forward ({inputs}): it must return one
    gradient for each.

    cause: returns {2}
    fix: {filled} -- None for an input without a gradient

    Example::

        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                return a * b

            @staticmethod
            def backward(ctx, grad):
                return grad  # cause

        Scale.apply(torch.ones(1, requires_grad=True), torch.ones(1)).backward()
    """
    found = _custom_function(case)
    expected, got = map(int, re.findall(r"expected (\d+), got (\d+)", case.text)[0])
    line = found["cause"].text if found.get("cause") else "return grad"
    return {**found, "filled": line + ", None" * (expected - got) if expected > got else None}


@CAUSES.declare(
    r"unction (\w+)Backward returned an invalid gradient at index (\d+) - got (\[.*?\]) but "
    r"expected shape compatible with (\[.*?\])",
    "13_write_your_own_op",
)
def gradient_of_a_wrong_shape(case: Case) -> Fields:
    """A custom Function's backward returns a gradient of another shape than its input.

    `{0}.backward` returns a gradient of shape {2} for an input of shape {3}: they must be the same.

    cause: {2} for {3}
    fix: return grad.expand(ctx.shape) -- with `ctx.shape = {inputs}.shape` in forward, if the
    gradient is the same for all elements

    Example::

        class Total(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a):
                return a.sum()

            @staticmethod
            def backward(ctx, grad):
                return grad.reshape(1)  # cause

        Total.apply(torch.ones(3, requires_grad=True)).backward()
    """
    return _custom_function(case)


def _custom_function(case: Case) -> Fields:
    """Where the backward of the user's Function returns, and the inputs of its forward."""
    name = re.findall(r"unction (\w+)Backward", case.text)[0]
    for file in case.files:
        backward, forward = (find_method(file, name, one) for one in ("backward", "forward"))
        if backward is not None and forward is not None:
            returns = [one for one in ast.walk(backward) if isinstance(one, ast.Return)]
            inputs = ", ".join(one.arg for one in forward.args.args if one.arg != "ctx")
            return {"cause": place_in(file, returns[0]) if returns else None, "inputs": inputs}
    return {"inputs": "its arguments"}


@CAUSES.declare(
    r"save_for_backward can only save variables, but argument (\d+) is of type (\w+)",
    "13_write_your_own_op",
)
def saved_value_that_is_no_tensor(case: Case) -> Fields:
    """ctx.save_for_backward is given something that isn't a tensor.

    ctx.save_for_backward takes tensors, and its argument {0} is of type {1}.

    cause: saves a value of type {1}
    fix: ctx.{value} = {value} -- an attribute, for everything that isn't a tensor

    Example::

        class Power(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                ctx.save_for_backward(x, n)  # cause
                return x**n

            @staticmethod
            def backward(ctx, grad):
                return grad, None

        Power.apply(torch.ones(1, requires_grad=True), 2)
    """
    saving = next(case.lines(r"\.save_for_backward\("), case.raised)
    call = getattr(saving.statement, "value", None)
    number = int(re.findall(r"argument (\d+)", case.text)[0])
    given = call.args[number:] if isinstance(call, ast.Call) else []
    return {"cause": saving, "value": saving.source(given[0]) if given else "value"}


@CAUSES.declare("Inference tensors? cannot|[Ii]nference tensor outside", "09_cutting_the_graph")
def inference_tensor_used(case: Case) -> Fields:
    """A tensor made in inference_mode is used for training.

    A tensor that was made under inference_mode can't take part in a backward pass{where}.

    cause: makes tensors that are never recorded
    line used: makes one there
    fix: with {torch}.no_grad(): -- instead: its tensors can be used for training later
    fix: {a:.clone()} -- outside of inference_mode: a normal tensor, one more array
    """
    named: list[Any] = list(case.variables.values())
    made = [case.birth(one) for one in named if one.is_inference()]
    places = [one.place for one in made if one is not None]
    switches = [one for place in places[:1] if (one := switched_off(place)) is not None]
    where = f": {case.at(switches[0])} switched it on" if switches else ""
    return {"cause": (*switches, None)[0], "used": (*places, None)[0], "where": where}


@CAUSES.declare(
    r"Function '(\w+?)Backward0' returned nan values in its (\d+)th output",
    "16_vanish_explode_nan",
)
def nan_in_a_backward_pass(case: Case) -> Fields:
    """Anomaly mode has found NaN in a backward pass.

    The backward pass of {0}{where} gave NaN: {why}.

    cause: its derivative is NaN
    line given: made `{input}`
    fix: {safe} -- keeps the input away from where the slope is infinite

    Example::

        x = torch.zeros(2, requires_grad=True)
        with torch.autograd.detect_anomaly():
            y = x.sqrt()  # cause
            (y * 0).sum().backward()
    """
    node = re.findall(r"'(\w+?)Backward", case.text)[0].lower()
    why = "a slope that is infinite or NaN was multiplied by the gradient from above"
    for call in case.history.ancestors(id(case.root)).values():
        if call.requires_grad and call.name.strip("_").replace("_", "") in (node, f"r{node}"):
            given = case.thing(call.arguments[0], call.index) if call.arguments else None
            text = call.place.text
            safe = text.replace(f"({given})", f"({given} + 1e-8)") if given else text
            known = {"given": given, "input": given, "safe": safe if safe != text else None}
            return {**known, "cause": call.place, "where": f" in {case.at(call.place)}", "why": why}
    return {"where": "", "why": why}
