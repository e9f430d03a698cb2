"""What helps with the states of modules."""

from __future__ import annotations

from typing import Any


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take what names begin with, such as ``"module."``, away from those of a state, in place.

    >>> import minigrad as torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(1, 1, bias=False))
    >>> state = net.state_dict()
    >>> torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "0.")
    >>> torch.nn.Linear(1, 1, bias=False).load_state_dict(state)
    <All keys matched successfully>
    """
    for name in list(state_dict):
        if name.startswith(prefix):
            state_dict[name.removeprefix(prefix)] = state_dict.pop(name)
    metadata = getattr(state_dict, "_metadata", {})
    for name in list(metadata):
        # The outermost module, which goes, has the empty name, and the one in it no dot.
        if name and (name == prefix.replace(".", "") or name.startswith(prefix)):
            metadata[name[len(prefix) :]] = metadata.pop(name)
