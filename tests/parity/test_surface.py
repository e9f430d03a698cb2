"""What surrounds the operations: sizes, limits of dtypes, handles, parts, numbers in a row."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from typing import Any

import pytest

from tests.parity.expressions import lines
from tests.parity.told import assert_same

ARGUMENTS = """
x.split([-1,3])
x.split([-1,4],1)
torch.split(x,[3,-1])
x.split(-1)
x.split(0)
torch.split_with_sizes(x,[1,1])
x.split_with_sizes([1,2],1)
x.split_with_sizes(torch.tensor([1,2]))
x.split_with_sizes((1,'a'))
x.split_with_sizes([-1,3])
x.split_with_sizes([3,-1])
x.split_with_sizes(2)
x.split([1,1],5)
x.split([])
x.split([2.,1.])
torch.broadcast_to(x,(2,2,3)).shape
torch.broadcast_to(x,[-1,3]).shape
torch.broadcast_to(x,(3,2))
torch.broadcast_to(x,(3,))
x.broadcast_to(2,3)
x.broadcast_to((2,3)).shape
torch.broadcast_to(x,5)
torch.broadcast_to(x,(2,'a'))
torch.exp_(input=x.clone())
torch.clamp_(input=x.clone(),min=1)
torch.xlogy_(input=x.clone(),other=x)
torch.exp_(self=x.clone())
torch.exp_(x.clone(),input=x)
torch.clamp_(min=2)
torch.exp_(input=3)
torch.einsum()
torch.einsum('ij->ij')
torch.arange(3,start=1)
torch.arange(1,3,end=4)
torch.arange(1,3,start=4)
torch.arange(1,3,2,step=4)
torch.arange(1,2,None)
torch.arange(1,end=3)
torch.arange(start=1,end=3)
torch.arange(0,float('inf'))
torch.arange(0,-float('inf'))
torch.arange(float('nan'))
torch.arange(1,2,float('inf'))
torch.arange(1,2,float('nan'))
torch.arange(0,1e30)
torch.arange(start=3)
torch.arange(0,step=1)
torch.arange(1,2,3,4)
torch.arange()
torch.arange(1,5,2)
torch.arange(1,end=5,step=2)
torch.zeros(2,size=(2,))
torch.zeros(2,layout=torch.strided,pin_memory=False,device='cpu')
torch.empty(2,memory_format=torch.contiguous_format).shape
torch.empty(2,memory_format=3)
x.t().contiguous(memory_format=torch.contiguous_format).stride()
x.clone(memory_format=torch.contiguous_format)
x.t().clone(memory_format=torch.contiguous_format).stride()
x.t().clone(memory_format=torch.preserve_format).stride()
x.t().double(memory_format=torch.contiguous_format).stride()
x.t().to(torch.float64, memory_format=torch.contiguous_format).stride()
x.t().to(torch.float32, memory_format=torch.contiguous_format).stride()
x.t().to(torch.float32, copy=True, memory_format=torch.contiguous_format).stride()
x.t().requires_grad_().clone(memory_format=torch.contiguous_format).grad_fn
x.clone(memory_format=3)
x.clone(memory_format=3)
x.size(True)
x.sum(True)
x.numpy(force=1)
x.expand(2,size=(2,))
x.view(2,size=(2,))
x.reshape(2,shape=(2,))
x.to('cpu',non_blocking=True,copy=True)
x.to(torch.float64,memory_format=torch.preserve_format)
x.is_contiguous(memory_format=torch.contiguous_format)
x.transpose(True,0)
x.softmax(True)
x.unsqueeze(False)
x.unbind(True)
x.cumsum(True)
x.permute(True,False)
"""
LIMITS = """
torch.finfo(torch.float32)
torch.finfo()
torch.finfo(torch.float16)
torch.finfo(torch.float64).bits
torch.finfo(torch.int32)
torch.finfo(3)
torch.finfo(torch.float32,1)
torch.finfo(type=torch.float32)
torch.finfo(foo=1)
[getattr(torch.finfo(torch.float32), name) for name in LIMITS_OF]
[getattr(torch.finfo(torch.float16), name) for name in LIMITS_OF]
torch.finfo(torch.float32)==torch.finfo(torch.float32)
torch.finfo(torch.float32)!=torch.finfo(torch.float64)
torch.finfo(torch.float32).foo
torch.finfo(torch.float32).eps.__class__
type(torch.finfo(torch.float32).dtype)
torch.iinfo(torch.int8)
torch.iinfo(torch.uint8)
torch.iinfo(torch.int64).max
torch.iinfo(torch.float32)
torch.iinfo(torch.bool)
torch.iinfo()
torch.iinfo(3)
[getattr(torch.iinfo(torch.int16),n) for n in ('bits','max','min','dtype')]
torch.iinfo(torch.int8)==torch.iinfo(torch.int8)
torch.iinfo(torch.int8).eps
torch.iinfo(torch.int8).bits.__class__
f=torch.finfo(torch.float32);setattr(f,'eps',3);1
"""
SIZES = """
torch.Size([1,2])
torch.Size((1,2))+(3,)
(3,)+torch.Size((1,2))
torch.Size((1,2))+[3]
torch.Size((1,2))+3
torch.Size((1,2))*2
2*torch.Size((1,2))
torch.Size((1,2))*1.5
torch.Size((1,2))[0]
torch.Size((1,2,3))[1:]
torch.Size((1,2,3))[::2]
torch.Size((1,2))[5]
torch.Size((1,2))['a']
torch.Size(['a'])
torch.Size([1.5])
torch.Size(3)
torch.Size()
torch.Size([])
torch.Size([1],2)
torch.Size([True])
torch.Size([-1])
torch.Size([torch.tensor(3)])
torch.Size(torch.tensor([3,4]))
torch.Size('ab')
torch.Size(size=(1,2))
torch.Size([2,3]).numel()
torch.Size([]).numel()
torch.Size([2,3]).numel(1)
torch.Size([2,3]).count(2)
torch.Size([2,3]).index(3)
torch.Size([2,3])==(2,3)
torch.Size([2,3])<(2,4)
hash(torch.Size([2,3]))==hash((2,3))
pickle.loads(pickle.dumps(torch.Size([2,3])))
copy.deepcopy(torch.Size([2,3]))
copy.copy(torch.Size([2,3]))
str(torch.Size([2,3]))
f"{torch.Size([2,3])}"
torch.Size([2,3]).foo
isinstance(torch.Size([2]),tuple)
torch.Size.__module__
torch.Size.__mro__
"""
HANDLES = """
h=handle({});1
d=new();h=handle(d);d[h.id]=1;h.remove();d
d=new();e=new();h=handle(d,extra_dict=e);d[h.id]=1;e[h.id]=2;h.remove();(d,e)
d,e,g=new(),new(),new();h=handle(d,extra_dict=[e,g]);d[h.id]=e[h.id]=g[h.id]=1;h.remove();(d,e,g)
d=new();h=handle(d);s=h.__getstate__();(s[0] is d,s[1]==h.id,len(s))
d=new();h=handle(d);d[h.id]=1;k=handle.__new__(handle);k.__setstate__(h.__getstate__());k.remove();d
d=new();h=handle(d);k=pickle.loads(pickle.dumps(h));k.id==h.id
d=new();h=handle(d);d[h.id]=1;exec("with h: pass");d
d=new();h=handle(d);h.__enter__() is h
d=new();h=handle(d);h.hooks_dict_ref() is d
d=new();h=handle(d);sorted(vars(h))
h=z.register_hook(print);sorted(vars(h))
h=z.register_hook(print);h.hooks_dict_ref() is z._backward_hooks
handle()
handle(3)
"""
# Other ways to look at memory, and to make tensors.
SOURCES = """
x.view(torch.int32)
x.view(torch.float64)
x[:, :2].contiguous().view(torch.float64)
x.view(torch.int16).shape
x.view(dtype=torch.int32)
x[:,:2].contiguous().view(float)
x[:,:2].contiguous().view(dtype=int)
x.view(bool)
x.view(str)
x.view(dtype=6)
x.view(torch.float32) is x
x[0,0].view(torch.int16)
x.t().view(torch.int16)
x.requires_grad_().view(torch.int32)
y=x.view(torch.int32);x.zero_();(y,y._version)
y=x.clone().requires_grad_().view(torch.float32);(y.grad_fn,y.requires_grad,y._is_view())
torch.asarray([1,2])
torch.asarray(x) is x
torch.asarray(x,copy=True) is x
torch.asarray([1.],requires_grad=True)
torch.asarray([1.],copy=False)
torch.asarray(3.,dtype=torch.int64)
torch.asarray(bytearray(8),dtype=torch.int32)
torch.asarray(bytearray(8),dtype=torch.int32,copy=False)
(lambda b:(torch.asarray(b).fill_(1),b))(bytearray(8))
(lambda b:(torch.asarray(b,copy=True).fill_(1),b))(bytearray(8))
(lambda b:(torch.asarray(memoryview(b),dtype=torch.int16).fill_(1),b))(bytearray(4))
torch.asarray(bytearray(2))
torch.asarray(bytearray())
torch.asarray(bytearray(8),requires_grad=True)
torch.asarray(bytearray(8),dtype=torch.int32,requires_grad=True)
torch.asarray('abc')
torch.asarray([1],requires_grad=True)
torch.asarray(z.detach().numpy()[:0],copy=False)
torch.asarray(z.detach().numpy(),dtype=torch.float64,copy=False)
torch.asarray(z,dtype=torch.float64,copy=False)
torch.asarray(z*2,requires_grad=True)
torch.asarray(z*2)
torch.asarray(z*2,requires_grad=False)
torch.asarray(z,requires_grad=True) is z
torch.asarray(x,requires_grad=True) is x
torch.asarray(z,requires_grad=False) is z, z
torch.asarray(z,dtype=torch.float64)
torch.asarray(z,copy=True)
torch.asarray(z,copy=True,requires_grad=False)
torch.asarray(x.long(),requires_grad=True)
torch.asarray(z*2,requires_grad=None)
torch.asarray()
torch.asarray([1],2)
torch.frombuffer(bytearray(b'abcd'),dtype=torch.uint8)
torch.frombuffer(b'abcd',dtype=torch.uint8)
torch.frombuffer(bytearray(8),dtype=torch.float32)
torch.frombuffer(bytearray(8))
torch.frombuffer(bytearray(7),dtype=torch.float32)
torch.frombuffer(bytearray(8),dtype=torch.float32,count=1,offset=4)
torch.frombuffer(bytearray(8),dtype=torch.float32,offset=9)
torch.frombuffer(bytearray(8),dtype=torch.float32,count=5)
torch.frombuffer(3,dtype=torch.float32)
torch.frombuffer(bytearray(0),dtype=torch.float32)
torch.frombuffer(bytearray(8),dtype=torch.float32,requires_grad=True)
torch.empty_strided((2,3),(1,2)).stride()
torch.empty_strided((2,3),(1,))
torch.empty_strided((2,-3),(1,2))
torch.empty_strided((2,3),(1,-2))
torch.empty_strided((),()).shape
torch.empty_strided((0,3),(1,2)).shape
torch.empty_strided((2,3),(1,2),dtype=torch.int64).dtype
torch.empty_strided(3,4)
torch.chain_matmul(x,x.t())
torch.chain_matmul(x)
torch.chain_matmul()
torch.chain_matmul(x,x.t(),x)
torch.chain_matmul(x,object())
torch.chain_matmul(x,x,x)
torch.linalg.multi_dot([x,x])
"""
# Writing where several elements lie in one place, or what is read lies; PyTorch leaves open what
# becomes of others of the kind.
OVERLAPS = """
torch.ones(1).expand(3).mul_(2)
torch.ones(1,3).expand(2,3).add_(1)
torch.ones(1).expand(3).zero_()
torch.ones(1).expand(3).fill_(2)
torch.ones(1).expand(3).copy_(torch.ones(3))
torch.ones(1).expand(3).exp_()
torch.ones(1).expand(3).normal_()
torch.ones(1).expand(3).uniform_()
torch.ones(1).expand(3).clamp_(0)
torch.ones(1).expand(3).masked_fill_(torch.tensor([True,False,True]),0)
torch.ones(1).expand(3).scatter_(0,torch.tensor([0]),3.)
torch.ones(1).expand(3).index_add_(0,torch.tensor([0]),torch.ones(1))
torch.ones(1).expand(3).__setitem__(0,5.)
torch.ones(1).expand(3).__setitem__(slice(None),5.)
torch.ones(1).expand(3).__iadd__(1)
torch.ones(1).expand(3).sigmoid_()
torch.ones(3).unfold(0,2,1).zero_()
torch.ones(3).unfold(0,2,1).copy_(torch.zeros(2,2))
torch.ones(3).as_strided((2,2),(1,2)).mul_(2)
torch.exp(torch.ones(3),out=torch.ones(1).expand(3))
torch.add(torch.ones(3),1,out=torch.ones(1).expand(3))
torch.matmul(x,x.t(),out=torch.ones(1,1).expand(2,2))
torch.mm(x,x.t(),out=torch.ones(1,1).expand(2,2))
torch.cat([x,x],out=torch.ones(1,1).expand(4,3))
torch.exp(x[0,:2],out=x[0,1:])
torch.add(x[0,:2],1,out=x[0,1:])
torch.exp(x,out=x)
torch.add(x,x,out=x)
torch.cumsum(x,0,out=x)
torch.max(x,0,out=(torch.ones(1).expand(3),torch.zeros(3,dtype=torch.int64)))
torch.where(x>1,x,x,out=torch.ones(1,1).expand(2,3))
torch.clamp(x,0,out=torch.ones(1,1).expand(2,3))
torch.stack([x,x],out=torch.ones(1,1,1).expand(2,2,3))
torch.exp(torch.ones(3),out=torch.ones(4).unfold(0,2,1)[0])
x[0,:2].add_(x[0,1:])
x[0,1:].mul_(x[0,:2])
x[0,:2].copy_(x[0,1:])
x.mul_(x)
x.add_(x[0])
torch.exp(x,out=x.t())
torch.exp(x,out=torch.ones(2,3).t())
torch.arange(3,out=torch.zeros(3,dtype=torch.int32))
torch.ones(2,out=torch.zeros(3))
torch.linspace(0,1,3,out=torch.zeros(3))
torch.full((2,),3.,out=torch.zeros(2))
torch.rand(2,out=torch.zeros(2)).shape
torch.eye(2,out=torch.zeros(2,2))
"""


@pytest.mark.parity
@pytest.mark.parametrize("call", lines(SOURCES + OVERLAPS + ARGUMENTS + LIMITS + SIZES + HANDLES))
def test_statements_tell_what_they_tell_in_pytorch(call: str) -> None:
    def program(torch: Any) -> Any:
        torch.manual_seed(0)
        known = {
            "torch": torch,
            "x": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
            "z": torch.ones(3, requires_grad=True),
            "new": OrderedDict,
            "copy": copy,
            "pickle": pickle,
            "LIMITS_OF": ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution"),
            "handle": torch.utils.hooks.RemovableHandle,
        }
        *statements, last = call.split(";")
        for one in statements:
            exec(one, known)
        return eval(last, known)

    assert_same(program)


@pytest.mark.parity
def test_completion_offers_only_what_pytorch_has() -> None:
    import torch

    import minigrad

    assert [name for name in dir(minigrad) if not hasattr(torch, name)] == []
    assert {"add", "autograd", "load", "nn", "no_grad", "HalfTensor"} <= set(dir(minigrad))
