"""What happened in a backward pass, node by node, as plain data.

The schema, version 1, as ``BackwardRecording.to_json`` writes it:

- ``schema``: ``"minigrad.viz.backward/1"``; ``snapshot``: the graph before, in its own schema.
- ``seeds``: the gradients that the pass began with: the ``tensor``, and the ``gradient``.
- ``events``: one for each node that ran, in the order of running. ``upstream`` has the gradient
  that arrived for each output of the node, summed; ``parts`` are the gradients that arrived one by
  one, seeds first, where the node has one output. ``passed`` has what the node gave back along
  each edge, by the number of its ``input``; where the rule is a product, ``factor`` and ``local``
  say by what the upstream gradient was multiplied, and ``summed`` that a broadcast was undone
  after it. ``stored`` is what was added where: ``old`` and ``now`` of the ``.grad`` of a tensor.
  ``used`` names the saved values of the node, ``freed`` those that were freed after it had run.
  ``finished`` is false for the node that raised.
- ``error``: type and text of the exception that ended the pass; empty if none did.

A gradient has its ``value`` as text, as in a snapshot, and its ``numbers`` where these are few.
"""

import json
from dataclasses import asdict, dataclass

from minigrad.viz.backward.amounts import Amount
from minigrad.viz.read.snapshot import Snapshot

SCHEMA = "minigrad.viz.backward/1"


@dataclass(frozen=True)
class Seed:
    """A gradient that the pass began with."""

    tensor: str
    gradient: Amount


@dataclass(frozen=True)
class Passed:
    """What a node gave back along one of its edges; ``gradient`` is None where nothing came."""

    input: int
    gradient: Amount | None
    factor: str = ""
    local: Amount | None = None
    summed: bool = False


@dataclass(frozen=True)
class Stored:
    """What was added to the ``.grad`` of a tensor: a leaf, or one that retains its gradient."""

    tensor: str
    old: Amount | None
    now: Amount | None


@dataclass(frozen=True)
class Event:
    """One node's turn."""

    node: str
    upstream: tuple[Amount | None, ...]
    parts: tuple[Amount, ...] = ()
    passed: tuple[Passed, ...] = ()
    stored: tuple[Stored, ...] = ()
    used: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    finished: bool = False


@dataclass(frozen=True)
class BackwardRecording:
    """A backward pass: the graph before it, and each node's turn."""

    snapshot: Snapshot
    seeds: tuple[Seed, ...]
    events: tuple[Event, ...]
    error: str = ""
    schema: str = SCHEMA

    def to_json(self) -> str:
        """The recording as JSON text, in the schema that this module describes."""
        data = asdict(self)
        return json.dumps({"schema": data.pop("schema"), **data}, indent=2) + "\n"
