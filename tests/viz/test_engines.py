"""Which package a tensor belongs to."""

import sys
from types import ModuleType

import pytest

from minigrad.viz.read.engines import package_of


def test_the_package_of_a_tensor_and_of_a_parameter(torch):
    assert package_of(torch.ones(1)) is torch
    assert package_of(torch.nn.Parameter(torch.ones(1))) is torch


def test_a_module_that_only_names_tensor_is_not_it(torch, monkeypatch):
    """PyTorch makes such a one when an optimizer is first used."""
    module = ModuleType("a_module")
    module.Tensor = torch.Tensor
    later = dict(sys.modules)
    monkeypatch.setattr(sys, "modules", {"a_module": module, **later})
    assert package_of(torch.ones(1)) is torch


def test_what_is_no_tensor_has_none():
    with pytest.raises(TypeError, match="no imported package has tensors of type float"):
        package_of(1.0)
