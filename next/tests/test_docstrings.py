"""The examples in docstrings run, on the package that users import."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import minigrad

MODULES = [module.name for module in pkgutil.walk_packages(minigrad.__path__, "minigrad.")]


@pytest.mark.parametrize("name", ["minigrad", *MODULES])
def test_examples_show_what_they_say(name: str) -> None:
    minigrad.manual_seed(0)
    assert doctest.testmod(importlib.import_module(name)).failed == 0
