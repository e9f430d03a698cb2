"""Wrong calls of everything public: type and text of the error are PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import minigrad
from minigrad import functions
from minigrad.ops.signatures import FILE
from tests.parity.expressions import lines
from tests.parity.told import assert_same

# What is given: too little, too much, by a name that there is not, of a kind that there is not.
WRONG = (
    "",
    "x, x, x, x, x, x, x, x, x, x, x, x",
    "x, foo=1",
    "foo=1",
    "object()",
    "x, object()",
    "x, x, object()",
    "dim=object()",
    "x, dim=0.5",
    "x, other='a'",
    # Numbers for tensors, and of another kind.
    "2.0, x",
    "True",
    "0.5",
    "x, True",
    "x, 0.5",
    "x, [1]",
    "x, 'a'",
)
CREATION = (
    "arange as_tensor empty empty_like eye full full_like linspace logspace ones ones_like "
    "scalar_tensor tensor zeros zeros_like"
)
# Where PyTorch's text names a function of its own that users do not call, an address, or C++'s
# way to print a tensor; what is rounded otherwise; where a keyword, the first item or an overlap is
# refused as such; and the deprecated ways to call `type` and `new`.
OTHERS = {
    "torch.split", "torch.atleast_1d", "torch.atleast_2d", "torch.atleast_3d", "torch.meshgrid",
    "torch.tensordot", "torch.einsum", "torch.norm", "torch.unique",
    "torch.unique_consecutive", "torch.index_put", "torch.index_put_",
    "x.backward", "x.cholesky_solve", "x.const_data_ptr", "x.data_ptr", "x.matrix_exp",
    "x.masked_fill_", "x.new", "x.new_tensor",
    "x.norm", "x.split", "x.to", "x.type", "x.unflatten",
    "x.unique", "x.unique_consecutive",
}  # fmt: skip


def names() -> Iterator[str]:
    """Yield what can be called: functions, and methods of a tensor."""
    for name in functions.__all__:
        yield f"torch.{name}"
    for name in CREATION.split():
        yield f"torch.{name}"
    for name in dir(minigrad.Tensor):
        if not name.startswith("_") and callable(getattr(minigrad.Tensor, name)):
            yield f"x.{name}"


FUNCTIONAL = """
F.linear()
F.linear(x)
F.linear(x,x,x,x)
F.linear(x,x,foo=1)
F.gelu(x,1)
F.gelu()
F.gelu(x,foo=1)
F.gelu(x,approximate=3)
F.softplus(x,1,2,3)
F.softplus()
F.hardshrink(x,1,2)
F.hardshrink()
F.softshrink(x,1,2)
F.logsigmoid(x,1)
F.logsigmoid()
F.one_hot()
F.one_hot(x.long(),1,2)
F.prelu(x)
F.prelu(x,x,x)
F.cosine_similarity(x)
F.cosine_similarity(x,x,1,2,3)
F.pairwise_distance(x,x,1,2,3,4)
F.relu_(x,1)
F.relu_()
F.threshold_(x)
F.elu_(x,foo=1)
F.relu()
F.relu(x,foo=1)
F.mse_loss(x)
F.cross_entropy(x)
F.softmax()
F.dropout(x,.5,True,False,1)
F.threshold(x)
F.threshold(x,1,2,3,4)
F.hardtanh(3)
F.glu(3)
F.softmin(3)
F.smooth_l1_loss(x,3)
F.huber_loss(3,x)
F.margin_ranking_loss(x,x,3)
F.poisson_nll_loss(x,x,reduction=None)
F.poisson_nll_loss(x,x,reduction="some")
F.multilabel_soft_margin_loss(x,x,reduction="some")
F.kl_div(x,3)
F.kl_div(3,x,reduction="sum")
F.nll_loss(x[0],x[0])
F.nll_loss(x[0],x[0].long())
F.cross_entropy(x[0],x[0,:2])
F.cross_entropy(x,x.sigmoid(),label_smoothing=2)
F.binary_cross_entropy(x/6,x[[1,0]]/5)
F.binary_cross_entropy(x/5,x[[1,0]]/5)
F.binary_cross_entropy(x/0*0,x/6)
F.binary_cross_entropy(x.long(),x.long())
F.binary_cross_entropy_with_logits(x.long(),x)
F.binary_cross_entropy_with_logits(x,x.long())
F.binary_cross_entropy_with_logits(x,x>1)
F.one_hot(x.long(),0)
F.one_hot(x.long(),-2)
F.rms_norm(x,[3.0])
F.rms_norm(x,(3,"a"))
F.layer_norm(x,(True,))
F.linear(x,x[0],x[0,0])
F.linear(x,x[0,0])
F.linear(x,x[0,0],x[0])
F.scaled_dot_product_attention(x,x,x,enable_gqa=True)
F.scaled_dot_product_attention(x.expand(3,2,3),x.expand(2,2,3),x.expand(2,2,3),enable_gqa=True)
"""


@pytest.mark.parity
@pytest.mark.parametrize("call", lines(FUNCTIONAL))
def test_a_function_of_networks_refuses_as_pytorchs_does(call: str) -> None:
    def program(torch: Any) -> Any:
        x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        return eval(call, {"x": x, "F": torch.nn.functional})

    assert_same(program)


NODES = """
node.name(1)
node.name(a=1)
node.register_hook()
node.register_hook(1, 2)
node.register_hook(fn=1)
node.register_prehook()
node.register_prehook(1, 2)
node._sequence_nr(1)
node._set_sequence_nr()
node._set_sequence_nr("1")
node._set_sequence_nr(-1)
node._set_sequence_nr(2**64)
node()
node(1, 2)
accumulator.name(1)
accumulator.register_hook()
accumulator.register_prehook(1, 2)
custom.name(1)
custom.register_hook()
custom.register_hook(1, 2)
custom.register_prehook(hook=1)
"""


@pytest.mark.parity
@pytest.mark.parametrize("call", lines(NODES))
def test_a_node_refuses_as_pytorchs_does(call: str) -> None:
    def program(torch: Any) -> Any:
        class Twice(torch.autograd.Function):  # type: ignore[misc, name-defined]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, grad: Any) -> Any:
                return grad * 2

        x = torch.ones(2, requires_grad=True)
        node = (x * x).grad_fn
        nodes = {"node": node, "custom": Twice.apply(x).grad_fn}
        return eval(call, nodes | {"accumulator": node.next_functions[0][0]})

    assert_same(program)


@pytest.mark.parity
@pytest.mark.parametrize("name", [name for name in names() if name not in OTHERS])
def test_a_wrong_call_is_refused_as_by_pytorch(name: str) -> None:
    for arguments in WRONG:

        def program(torch: Any) -> Any:
            x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
            torch.manual_seed(0)
            return eval(f"{name}({arguments})", {"torch": torch, "x": x})

        assert_same(program)


@pytest.mark.parity
def test_the_signatures_are_those_of_all_that_there_is() -> None:
    """`python tools/record_signatures.py` writes them anew."""
    from tools.record_signatures import text

    assert Path(FILE).read_text(encoding="utf-8") == text()
