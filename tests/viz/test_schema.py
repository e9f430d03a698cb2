"""What .json files hold is what docs/snapshot.schema.json says, no more and no less."""

import json
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest

from minigrad.viz import draw
from minigrad.viz.read.notes import Line
from minigrad.viz.read.snapshot import Cut, Input, Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import Value

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "snapshot.schema.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [(kind.__name__.lower(), kind) for kind in (Node, Input, Saved, Tensor, Value, Line, Cut)],
)
def test_every_field_is_in_the_schema(name, kind):
    described = SCHEMA["$defs"][name]
    assert set(described["properties"]) == {field.name for field in fields(kind)}
    assert set(described["required"]) == set(described["properties"])
    assert set(SCHEMA["properties"]) == {field.name for field in fields(Snapshot)}


def test_graphs_of_every_state_are_valid(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([[3.0, 1.0]] * 2, requires_grad=True)
    hidden = (x @ w).exp()
    hidden.retain_grad()
    values, places = hidden.max(0)
    out = (values * 2).sum()
    before = draw(out, x.detach(), limit=4)
    out.backward()
    for drawing in (before, draw(out, places), draw(torch.ones(20, 20))):
        jsonschema.validate(json.loads(drawing.snapshot.to_json()), SCHEMA)


def test_another_version_or_an_unknown_field_is_not_valid(torch):
    data = json.loads(draw(torch.ones(1)).snapshot.to_json())
    for change in ({"schema": "minigrad.viz.snapshot/0"}, {"extra": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**data, **change}, SCHEMA)
