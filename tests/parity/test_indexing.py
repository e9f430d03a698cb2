"""Indexing, gathering and scattering do on minigrad what they do on PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.parity.compare import INPUTS, Constant, agree, agree_on
from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity

PROGRAMS = """
m[0]
m[-1]
m[0,1]
m[0:1]
m[:]
m[:,1]
m[:,1:]
m[:, ::2]
m[None]
m[...]
m[...,0]
m[0,...]
m[()]
m[m>0]
m[m.detach()[:,0]>0]
m[[0,1]]
m[torch.tensor([0,1])]
m[torch.tensor([0,1]),torch.tensor([0,1])]
m[:,torch.tensor([0,1])]
m[0,torch.tensor([0,1])]
m[torch.tensor([0,1]),0]
b[torch.tensor([0,1]),:,torch.tensor([0,1])]
b[0,:,torch.tensor([0,1])]
m[True]
m[False]
m[None,0,:,None]
m[torch.tensor(1)]
m[torch.tensor(True)]
m[1:,[0,2]]
m[::-1]
m[2]
m[0,0,0]
m[5:]
m[torch.tensor([5])]
m[torch.tensor([0.5])]
m[torch.tensor([True])]
m['a']
m[1.0]
m[0,'a']
m.index_fill(1,torch.tensor([0]),5.)
m.index_fill(1,torch.tensor([0]),s)
m.index_fill(1,torch.tensor([0]),v)
m.index_fill(1,torch.tensor([-1]),5.)
m.index_fill(1,torch.tensor([5]),5.)
m.index_fill(1,torch.tensor([0.]),5.)
m.index_fill(1,torch.tensor([[0]]),5.)
m.index_fill(2,torch.tensor([0]),5.)
s.index_fill(0,torch.tensor([0]),5.)
m.index_copy(1,torch.tensor([0]),n[:2,:1])
m.index_copy(-1,torch.tensor([0,2]),n[:2,:2])
m.index_copy(1,torch.tensor([0,1]),n[:2,:1])
m.index_copy(1,torch.tensor([5]),n[:2,:1])
m.index_copy(1,torch.tensor([-1]),n[:2,:1])
m.index_copy(1,torch.tensor([0]),n[:,:1])
m.index_copy(1,torch.tensor([0]),n[:2,:1].double())
m.index_copy(1,torch.tensor([0.]),n[:2,:1])
m.index_copy(1,torch.tensor([[0]]),n[:2,:1])
s.index_copy(0,torch.tensor([0]),s)
m.masked_scatter(m>0,b)
m.masked_scatter(v>0,n)
m.masked_scatter(m>-9,v)
m.masked_scatter(m>0,n.double())
m.masked_scatter((m>0).long(),n)
m.masked_scatter(torch.ones(4)>0,n)
v.masked_scatter(m>0,m)
m.put(torch.tensor([0,1]),v[:2])
m.put(torch.tensor([0,0]),v[:2],accumulate=True)
m.put(torch.tensor([[0,-1]]),v[:2])
m.put(torch.tensor([0,1]),v)
m.put(torch.tensor([9]),v[:1])
m.put(torch.tensor([0]),v[:1].double())
m.put(torch.tensor([0.]),v[:1])
m.scatter_add(1,torch.tensor([[0.]]),m)
m.scatter_add(1,torch.tensor([[0]]),v)
m.scatter_add(-1,torch.tensor([[0,0],[2,0]]),m)
m.gather(-1,torch.tensor([[-1]]))
m.gather(-1,torch.tensor([[1,1],[0,2]]))
torch.gather(m,1,[[0]])
torch.take(m,[0])
torch.masked_select(m,[True])
torch.index_select(m,0,[0])
m.index_select(-1,torch.tensor(0))
m.index_add(0,torch.tensor([0.]),m[:1])
m.index_add(0,torch.tensor([0]),m[:1].double())
m.index_add(0,torch.tensor([[0]]),m[:1])
m.index_add(0,torch.tensor([-1]),m[:1])
m.index_add(0,torch.tensor([0]),m[:1,:1])
m.index_add(-1,torch.tensor([0,0]),m[:,1:],alpha=2.5)
m.take_along_dim(torch.tensor([[0.]]),1)
m.take_along_dim(torch.tensor([[0]],dtype=torch.int32),1)
(m*1).scatter_(1,torch.tensor([[0],[1]]),1.)
(m*1).scatter_add_(0,torch.tensor([[0,1,0]]),m)
torch.zeros(2,3).scatter_(1,torch.tensor([[0],[2]]),1)
(m*1).index_put_((torch.tensor([0]),),v)
m[[True,False]]
s[0]
s[None]
s[...]
s[()]
m.gather(1,torch.tensor([[0],[1]]))
m.scatter(1,torch.tensor([[0],[1]]),9.)
m.scatter(1,torch.tensor([[0],[1]]),m)
m.scatter_add(1,torch.tensor([[0],[1]]),m)
m.index_select(1,torch.tensor([0,0]))
m.take(torch.tensor([0,5]))
torch.take_along_dim(m,torch.tensor([[0],[1]]),1)
m.masked_select(m>0)
torch.where(m>0)
m.index_add(0,torch.tensor([0]),m[:1])
m.masked_fill(m>0,0.)
m.select(0,5)
torch.select(m,0,1)
m.narrow(0,1,1)
m[(0,1)]
m[[0,1],[0,2]]
m[[[0,1],[0,1]]]
m[[0,slice(None)]]
m[torch.tensor([0,1]),None,torch.tensor([0,1])]
m[0:2:0]
m[0,...,...]
m[torch.tensor([0,1,0])]
b[1:3,0]
m[m.detach().numpy()>0]
m.nonzero()
m.argwhere()
m[[0.5,1]]
m[[]]
m[[[]]]
s[0,0]
s[0:1]
s[(0,)]
s[[0]]
s[torch.tensor(0)]
s[True]
s[torch.tensor(True)]
m[torch.tensor([0,1]).short()]
m[torch.tensor([0,1]),torch.tensor([0,1,2])]
m[:,torch.tensor([5])]
m[torch.tensor([-3])]
m[-3]
m[:,3]
m[0,3]
m[torch.ones(3,dtype=torch.bool)]
m[:,torch.ones(2,dtype=torch.bool)]
m[torch.ones(2,2,dtype=torch.bool)]
m[torch.ones(2,3,1,dtype=torch.bool)]
m[:,:]
m[0:2,0:100]
m[:,None]
m[...,None]
m[None,None,0]
m[1:0]
m[::0]
m[0:1.5]
m['a':]
m[{}]
m[0,1.0]
m[(slice(None),[0,1])]
b[...,0,:]
b[[0,1],...,[0,1]]
b[0,:,[0,1]]
b[:,[0,1],[0,1]]
b[[0,1],:,0]
b[:,None,[0,1]]
m[[True,True]]
m[True,0]
m[0,True]
m[torch.tensor([[0,1],[1,0]])]
m[torch.tensor([True,False]),torch.tensor([0])]
m[[0,1]][0]
m[slice(torch.tensor(0),None)]
m[torch.tensor([0]):]
m[torch.tensor(0)]
m[torch.tensor(5)]
m[torch.tensor(0.)]
m[torch.tensor(0),torch.tensor(1)]
m[[torch.tensor(0)]]
m[[0,1],]
m[range(2)]
m[(0,1),]
m[((0,1),(0,1))]
m.gather(0,torch.tensor([0]))
m.gather(0,torch.tensor([[0]]).int())
m.gather(0,torch.tensor([[0.]]))
m.gather(0,torch.tensor([[5]]))
m.gather(1,torch.zeros(3,1,dtype=torch.long))
m.gather(5,torch.tensor([[0]]))
v.gather(0,torch.tensor(1))
s.gather(0,torch.tensor(0))
m.scatter(0,torch.tensor([[0]]),v)
m.scatter(0,torch.tensor([[5]]),1.)
m.scatter(0,torch.zeros(2,5,dtype=torch.long),1.)
m.scatter(0,torch.tensor([[0]]),m[:1,:1])
m.scatter(0,torch.tensor([[0,0,0]]),m[:1])
m.scatter_add(0,torch.tensor([[0,0,0]]),m[:1])
m.scatter(0,torch.tensor([[0]]),m[:1,:1].double())
m.scatter(1,torch.tensor([[0]]),1)
m.index_select(0,torch.tensor([5]))
m.index_select(0,torch.tensor([[0]]))
m.index_select(0,torch.tensor([0.]))
m.index_select(3,torch.tensor([0]))
m.index_select(0,torch.tensor(0))
s.index_select(0,torch.tensor([0]))
m.index_select(0,torch.tensor([0]).int())
m.take(torch.tensor([7]))
m.take(torch.tensor([[0,-1]]))
m.take(torch.tensor([0.]))
torch.take_along_dim(m,torch.tensor([0,5]))
torch.take_along_dim(m,torch.tensor([0,1]))
torch.take_along_dim(m,torch.tensor([[0]]),1)
m.masked_select(torch.tensor([True,False]))
m.masked_select(torch.tensor([True,False,True]))
m.masked_select(torch.tensor([1,0,1]))
m.index_add(0,torch.tensor([0,0]),m)
m.index_add(0,torch.tensor([0]),m)
m.index_add(0,torch.tensor([7]),m[:1])
m.index_add(1,torch.tensor([0]),m[:,:1],alpha=2)
m.index_put((torch.tensor([0]),),s)
m.index_put((torch.tensor([0]),),s,accumulate=True)
v.repeat_interleave(torch.tensor([1,2]))
m.repeat_interleave(torch.tensor([1,2]),0)
m.repeat_interleave(2,-1)
"""


@pytest.mark.parametrize("expression", PROGRAMS.strip().split("\n"))
def test_is_as_in_pytorch(expression: str) -> None:
    agree_on(expression, INPUTS)


ASSIGNMENTS = """
x[0] = 1
x[0] = torch.tensor([1.0, 2, 3])
x[0] = torch.tensor([1.0, 2])
x[0] = torch.tensor([[1.0, 2, 3]])
x[0] = torch.tensor([[[1.0, 2, 3]]])
x[:, 0] = torch.tensor([7, 8])
x[0, 0] = 5
x[0, 0] = torch.tensor([5])
x[0, 0] = torch.tensor([5, 6])
x[x > 2] = 0
x[x > 2] = torch.tensor([1.0, 2.0])
x[x > 2] = torch.tensor([1.0, 2.0, 3.0])
x[x > 2] = torch.tensor([1, 2, 3])
x[[0, 1]] = 1.5
x[[0, 1]] = torch.tensor(1)
x[[0, 1], [0, 1]] = torch.tensor([1.0, 2.0])
x[[0, 1], [0, 1]] = torch.tensor([1.0, 2.0, 3.0])
x[...] = 3
x[:] = 3
x[()] = 3
x[None] = 3
x[0] = [1, 2, 3]
x[0] = 'a'
x[0] = None
x[5] = 1
x['a'] = 1
x[::-1] = 1
i[0] = 1.7
i[0] = torch.tensor(1.7)
i[i > 0] = 1.7
x[True] = 5
x[torch.tensor([0])] = 5
x[:, [0, 1]] = torch.tensor([[1.0], [2.0]])
x[1:] = x[:1]
x[-1, 1:] += 10
x[0][1] = 9
x[0][[1]] = 9
g[0] = 1
g[g > 1] = 1
"""


@pytest.mark.parametrize("statement", ASSIGNMENTS.strip().split("\n"))
def test_an_assignment_is_as_in_pytorch(statement: str) -> None:
    def program(torch: Any, x: Any, i: Any, g: Any) -> Any:
        exec(statement, {"torch": torch, "x": x, "i": i, "g": g})
        return x, i, x._version, i._version

    plain = np.arange(6, dtype=np.float32).reshape(2, 3)
    agree(program, Constant(plain), Constant(np.arange(3)), plain)


@st.composite
def indices(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An index with parts of every kind, most of which fit the shape."""
    parts: list[Any] = []
    # Slices are not empty: of nothing, PyTorch does not look whether its places exist.
    steps = st.none() | st.integers(1, 3)
    for length in shape[: draw(st.integers(0, len(shape)))]:
        places = st.integers(-length, length - 1) if length else st.integers(0, 1)
        kinds = {
            "integer": places,
            "slice": st.builds(slice, st.integers(-3, -1), st.none(), steps)
            | st.builds(slice, st.none(), st.integers(1, 3), steps),
            "list": st.lists(places, min_size=2, max_size=2),
            "mask": st.lists(st.booleans(), min_size=length, max_size=length).map(np.array),
            "none": st.none(),
        }
        parts.append(draw(kinds[draw(st.sampled_from(list(kinds)))]))
    if draw(st.booleans()):
        parts.insert(draw(st.integers(0, len(parts))), ...)
    return tuple(parts)


@settings(max_examples=300)
@given(hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3), st.data())
def test_any_index_is_as_in_pytorch(shape: tuple[int, ...], data: st.DataObject) -> None:
    array = np.arange(np.prod(shape, dtype=int), dtype=np.float64).reshape(shape)
    index = data.draw(indices(shape))

    def program(torch: Any, x: Any) -> Any:
        parts = [
            torch.from_numpy(one.astype(bool)) if isinstance(one, np.ndarray) else one
            for one in index
        ]
        return x[tuple(parts)]

    agree(program, array)


@settings(max_examples=100)
@given(hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3), st.data())
def test_gathering_is_as_in_pytorch(shape: tuple[int, ...], data: st.DataObject) -> None:
    array = np.random.default_rng(2).random(shape)
    dim = data.draw(st.integers(0, max(len(shape) - 1, 0)))
    length = shape[dim] if shape else 1
    sizes = [
        data.draw(st.integers(1, 4 if place == dim else side)) for place, side in enumerate(shape)
    ]
    index = data.draw(hnp.arrays(np.int64, sizes, elements=st.integers(0, length - 1)))
    source = np.random.default_rng(3).random(sizes)
    agree(lambda torch, x, i: x.gather(dim, i), array, index)
    agree(lambda torch, x, i, y: x.scatter_add(dim, i, y), array, index, source)
    agree(lambda torch, x, i: x.scatter(dim, i, 2.0), array, index)
    rows = index.reshape(-1)
    agree(lambda torch, x, i: x.index_select(dim, i), array, rows)


def test_places_that_are_not_there() -> None:
    agree_in_print(
        """
        for shape in ((3,), (2, 3), (2, 3, 2), (0, 3), (2, 0), (2, 0, 3)):
            for dim in range(len(shape)):
                for place in (7, -1):
                    attempt(lambda: torch.ones(shape).index_select(dim, torch.tensor([0, place])))
        attempt(lambda: torch.ones(2, 0).index_select(1, torch.tensor([], dtype=torch.long)))
        """
    )


def test_numbers_of_elements_are_unravelled() -> None:
    agree_in_print(
        """
        kinds = (torch.int64, torch.int32, torch.uint8, torch.float32, torch.bool)
        indices = [torch.tensor([4, 1], dtype=kind) for kind in kinds]
        indices += [torch.tensor(5), torch.tensor([[0, 23]]), torch.tensor([-1, 100]), 3, [1]]
        indices += [torch.zeros(0, dtype=torch.int64)]
        shapes = ((2, 3, 4), [6], 6, (), torch.Size([3, 2]), (2, -1), (2, 1.5), 2.5, "a", None, -3)
        for one in indices:
            for shape in (*shapes, (torch.tensor(2), 3), torch.tensor([2, 3]), (True, 3)):
                attempt(lambda: torch.unravel_index(one, shape))
        attempt(lambda: torch.unravel_index(indices=torch.tensor([3]), shape=(2, 3)))
        attempt(lambda: torch.unravel_index(torch.tensor([3])))
        class Log(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                print(torch.overrides.resolve_name(func), args, kwargs)
                return func(*args, **(kwargs or {}))
        numbered = torch.tensor([3])
        with Log():
            torch.unravel_index(numbered, (2, 3))
        """
    )
