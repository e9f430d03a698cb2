"""checkup looks on: it changes nothing, keeps nothing, hides no error, and is quiet without one."""

import gc
import weakref
from typing import Any

import pytest

from minigrad.explain import checkup


def train(torch: Any, model: Any, optimizer: Any, clear: bool = True) -> list[float]:
    x, losses = torch.linspace(-1, 1, 12).reshape(6, 2), []
    for _ in range(4):
        if clear:
            optimizer.zero_grad()
        loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def make(torch: Any) -> tuple[Any, Any]:
    torch.manual_seed(0)
    layers = torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), torch.nn.ReLU(), torch.nn.Linear(8, 1)
    model = torch.nn.Sequential(*layers)
    return model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def test_a_healthy_program_computes_the_same_and_hears_nothing(torch: Any, capsys: Any) -> None:
    model, optimizer = make(torch)
    expected = train(torch, model, optimizer)
    model, optimizer = make(torch)
    attributes = set(vars(optimizer))
    with checkup(model, optimizer) as checked:
        assert train(torch, model, optimizer) == expected
    assert set(vars(optimizer)) == attributes
    assert capsys.readouterr().out == ""
    assert repr(checked) == "checkup found nothing."


def test_several_models_and_a_function_that_steps(torch: Any, capsys: Any) -> None:
    (first, one), (second, two) = make(torch), make(torch)
    with checkup([first, second], [one, two]):
        train(torch, first, one)
        train(torch, second, two, clear=False)
    assert capsys.readouterr().out.startswith("checkup found 1 problem.\n\nNothing clears the")
    checkup(lambda: train(torch, first, one, clear=False))
    assert "Nothing clears the gradients" in capsys.readouterr().out


def test_nothing_is_kept_alive(torch: Any) -> None:
    def run() -> tuple[Any, list[Any]]:
        model, optimizer = make(torch)
        with checkup(model, optimizer) as checked:
            train(torch, model, optimizer, clear=False)
            result = weakref.ref(model(torch.ones(1, 2)))
            assert result() is None
        things = (model, optimizer, *model.parameters())
        return checked, [weakref.ref(one) for one in things]

    checked, references = run()
    gc.collect()
    assert [reference() for reference in references] == [None] * 6
    assert "Nothing clears the gradients" in checked.text


def test_an_error_comes_out_as_it_is(torch: Any) -> None:
    with pytest.raises(RuntimeError, match="must match the size"), checkup():
        torch.ones(3) + torch.ones(4)
    with pytest.raises(KeyboardInterrupt), checkup():
        raise KeyboardInterrupt


@pytest.mark.parametrize("part", ["watch.Watch.look_around", "checkups.reports_on", "watch._array"])
def test_a_checkup_that_fails_is_silent(
    torch: Any, part: str, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"minigrad.explain.{part}", lambda *given: 1 / 0)
    model, optimizer = make(torch)
    with checkup(model, optimizer):
        assert len(train(torch, model, optimizer, clear=False)) == 4
    assert capsys.readouterr() == ("", "")
    assert "step" not in vars(optimizer)


@pytest.mark.parametrize("given", [(3,), ([3],), (None, "adam"), ("w",)])
def test_it_takes_modules_tensors_and_optimizers(given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"checkup\(\) takes an? \w+.*, but got \w+"):
        checkup(*given)
