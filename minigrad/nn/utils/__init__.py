"""What is done to the parameters of a network or their gradients all at once."""

from typing import Any

from minigrad.nn.utils import stateless as stateless
from minigrad.nn.utils.clip_grad import clip_grad_norm as clip_grad_norm
from minigrad.nn.utils.clip_grad import clip_grad_norm_ as clip_grad_norm_
from minigrad.nn.utils.clip_grad import clip_grad_value_ as clip_grad_value_
from minigrad.nn.utils.clip_grad import clip_grads_with_norm_ as clip_grads_with_norm_
from minigrad.nn.utils.clip_grad import get_total_norm as get_total_norm
from minigrad.nn.utils.convert_parameters import parameters_to_vector as parameters_to_vector
from minigrad.nn.utils.convert_parameters import vector_to_parameters as vector_to_parameters
from minigrad.ops.bind import missing


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.nn.utils'", name, globals())
