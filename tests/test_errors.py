"""The errors that learners meet have PyTorch's type and text.

`data/errors.json` holds small programs, in which `t` is the module, and what PyTorch 2.13 raises.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ERRORS = json.loads((Path(__file__).parent / "data" / "errors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ERRORS)
def test_the_error_is_pytorchs(torch: Any, name: str) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011  its type is part of the text
        exec(ERRORS[name]["program"], {"t": torch, "__name__": "program"})
    # PyTorch appends a traceback of its C++ code.
    message = str(raised.value).partition("\nException raised from")[0]
    assert f"{raised.type.__name__}: {message}" == ERRORS[name]["error"]
