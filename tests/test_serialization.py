"""What is saved is loaded again: tensors, what shares memory, and nothing that runs programs."""

from __future__ import annotations

import io
import os
import pickle
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest

import minigrad
from minigrad.serialization import rebuilt_parameter


def saved(engine: Any, value: Any) -> io.BytesIO:
    file = io.BytesIO()
    engine.save(value, file)
    file.seek(0)
    return file


def everything(engine: Any) -> dict[str, Any]:
    """Return what programs save, in one dictionary."""
    engine.manual_seed(0)
    x = engine.randn(3, 4, requires_grad=True)
    layer = engine.nn.Linear(2, 3)
    optimizer = engine.optim.Adam(layer.parameters())
    layer(engine.ones(2)).sum().backward()
    optimizer.step()
    return {
        "leaf": x,
        "row": x.detach()[1],
        "transposed": x.detach().t(),
        "parameter": engine.nn.Parameter(engine.ones(2)),
        "kinds": [engine.ones(2, dtype=one) for one in (engine.int64, engine.bool, engine.half)],
        "layer": layer.state_dict(),
        "optimizer": optimizer.state_dict(),
        "set": {1},
        "plain": [1, None, "s", 2.5, engine.float32, engine.Size([2]), engine.device("cpu")],
        "empty": engine.zeros(0),
        "number": engine.tensor(3.0),
    }


def test_everything_comes_back(tmp_path: Path) -> None:
    minigrad.save(everything(minigrad), tmp_path / "all.pt")
    loaded = minigrad.load(tmp_path / "all.pt")
    assert str(loaded) == str(everything(minigrad))
    assert loaded["transposed"].stride() == (1, 4)


def test_what_shared_memory_shares_it_again() -> None:
    loaded = minigrad.load(saved(minigrad, everything(minigrad)))
    loaded["leaf"].data[1] = 7.0
    assert loaded["row"].tolist() == [7.0] * 4


def test_a_file_may_not_run_programs_unless_it_is_trusted() -> None:
    file = saved(minigrad, {"path": Path("there")})
    with pytest.raises(pickle.UnpicklingError, match="was not an allowed global"):
        minigrad.load(file)
    assert minigrad.load(file, weights_only=False) == {"path": Path("there")}


def archive(text: bytes) -> io.BytesIO:
    """Return a file whose pickle is written by hand."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr("archive/data.pkl", b"\x80\x02" + text + b".")
        written.writestr("archive/version", "3\n")
    file.seek(0)
    return file


ATTRIBUTE = b"}X\x05\x00\x00\x00spoilK\x01sb"  # an object gets the attribute `spoil`
UNTRUSTED = {
    "a class gets an attribute": b"ctorch\nSize\n" + ATTRIBUTE,
    "a class gets one by its slots": b"ctorch\nSize\nN" + ATTRIBUTE[:-1] + b"\x86b",
    "a dtype gets an attribute": b"ctorch\nfloat32\n" + ATTRIBUTE,
    "a function gets an attribute": b"ctorch._utils\n_rebuild_parameter\n" + ATTRIBUTE,
    "an object is made of a class": b"ctorch\nSize\n)\x81",
    "a class is called in another way": b"(ctorch\nSize\no",
    "a class is named on the stack": b"X\x05\x00\x00\x00torchX\x04\x00\x00\x00Size\x93",
    "an extension is asked for": b"\x82\x01",
}


@pytest.mark.parametrize("text", UNTRUSTED.values(), ids=UNTRUSTED)
def test_a_file_may_not_change_what_it_names(text: bytes) -> None:
    named: list[Any] = [minigrad.Size, minigrad.float32, rebuilt_parameter]
    before = [set(dir(one)) for one in named]
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        minigrad.load(archive(text))
    assert [set(dir(one)) for one in named] == before


def test_an_ordered_dict_keeps_its_attributes() -> None:
    state = minigrad.nn.Linear(2, 3).state_dict()
    assert minigrad.load(saved(minigrad, state))._metadata == state._metadata


def test_where_the_memory_is_to_lie_is_heard() -> None:
    file = saved(minigrad, minigrad.ones(2))
    where: list[Any] = [None, "cpu", minigrad.device("cpu"), {"cuda:0": "cpu"}]
    for place in [*where, lambda storage, location: storage, lambda storage, location: None]:
        assert minigrad.load(file, place).tolist() == [1.0, 1.0]
    for elsewhere in ("cuda", {"cpu": "cuda"}):
        with pytest.raises(AssertionError, match="not compiled with CUDA"):
            minigrad.load(file, elsewhere)
    with pytest.raises(NotImplementedError, match="function that moves"):
        minigrad.load(file, lambda storage, location: [])


def test_a_file_is_read_whole_and_says_so(tmp_path: Path) -> None:
    minigrad.save(minigrad.ones(2), tmp_path / "ones.pt")
    assert minigrad.load(tmp_path / "ones.pt", mmap=False).tolist() == [1.0, 1.0]
    with pytest.raises(NotImplementedError, match="mmap"):
        minigrad.load(tmp_path / "ones.pt", mmap=True)


def test_an_archive_of_something_else_is_refused() -> None:
    for names in ((), ("one",), ("a/one", "a/two")):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as written:
            for name in names:
                written.writestr(name, "text")
        with pytest.raises(RuntimeError, match=r"failed locating file data\.pkl"):
            minigrad.load(file)


def test_what_is_no_archive_is_refused() -> None:
    with pytest.raises(RuntimeError, match="failed reading zip archive"):
        minigrad.load(io.BytesIO(b"nothing"))


@pytest.mark.parity
@pytest.mark.parametrize("there", [True, False])
def test_pytorch_reads_these_files_and_writes_such(there: bool) -> None:
    import torch

    writer, reader = (minigrad, torch) if there else (torch, minigrad)
    loaded = reader.load(saved(writer, everything(writer)))
    assert str(loaded) == str(everything(reader))
    loaded["leaf"].data[1] = 7.0
    assert loaded["row"].tolist() == [7.0] * 4


@pytest.mark.parity
@pytest.mark.parametrize("there", [True, False])
def test_pytorch_reads_whole_networks_and_optimizers_and_writes_such(there: bool) -> None:
    import torch

    writer, reader = (minigrad, torch) if there else (torch, minigrad)
    nn = writer.nn
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ReLU())
    optimizer = writer.optim.Adam(net.parameters())
    net(writer.ones(2, 2)).sum().backward()
    optimizer.step()
    scales = nn.ParameterDict({"a": nn.Parameter(writer.ones(1))})
    file = saved(writer, [net, optimizer, scales])
    loaded, optimizer_loaded, scales_loaded = reader.load(file, weights_only=False)
    assert repr(scales_loaded) == repr(scales)
    assert (repr(loaded), repr(optimizer_loaded)) == (repr(net), repr(optimizer))
    assert type(loaded[1]) is reader.nn.BatchNorm1d
    x = [[1.0, 2.0], [3.0, 4.0]]
    given, wanted = loaded(reader.tensor(x)), net(writer.tensor(x))
    assert given.flatten().tolist() == pytest.approx(wanted.flatten().tolist(), abs=1e-5)
    loaded.register_state_dict_post_hook(lambda *state: None)
    assert str(loaded.state_dict().keys()) == str(net.state_dict().keys())
    optimizer_loaded.step()


def test_whole_networks_come_back_if_their_classes_are_safe(torch: Any) -> None:
    nn = torch.nn
    file = saved(torch, nn.Sequential(nn.Linear(1, 1), nn.ReLU()))
    with pytest.raises(pickle.UnpicklingError, match=r"GLOBAL torch\.nn\.modules\.container\.Seq"):
        torch.load(file)
    with torch.serialization.safe_globals([nn.Sequential, nn.Linear, nn.ReLU]):
        file.seek(0)
        assert len(torch.load(file)) == 2


def round_trip(torch: Any, value: Any, **options: Any) -> Any:
    """Return what comes back of a value."""
    return torch.load(saved(torch, value), **options)


def test_attributes_come_back_but_for_those_of_computed_tensors(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)
    x.note, x.other = "kept", torch.zeros(1)
    loaded = round_trip(torch, x)
    assert (loaded.note, loaded.other.tolist()) == ("kept", [0.0])
    assert loaded.requires_grad
    parameter = torch.nn.Parameter(x)
    parameter.note = 3
    assert type(round_trip(torch, parameter)) is torch.nn.Parameter
    assert round_trip(torch, parameter).note == 3


def test_a_class_comes_back_from_a_file_that_is_trusted(
    torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = type("own", (torch.Tensor,), {"__module__": __name__, "unit": "m"})
    monkeypatch.setitem(globals(), "own", own)  # where pickle finds it
    x = own([1.0])
    x.unit = "km"
    loaded = round_trip(torch, x, weights_only=False)
    assert type(loaded) is own
    assert (loaded.tolist(), loaded.unit) == ([1.0], "km")
    with pytest.raises(pickle.UnpicklingError, match="Unsupported global: GLOBAL .*own was not"):
        round_trip(torch, x)


def test_bytes_and_complex_numbers_are_plain_data(torch: Any) -> None:
    assert round_trip(torch, [b"\x00\xff", 1 + 2j]) == [b"\x00\xff", 1 + 2j]


def test_what_is_no_file_is_refused(torch: Any, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="^Parent directory .*nowhere does not exist"):
        torch.save(1, tmp_path / "nowhere" / "x.pt")
    with pytest.raises(AttributeError, match="^expected 'f' to be string, path, or a file-like"):
        torch.save(1, 3)
    with pytest.raises(AttributeError, match="^'int' object has no attribute 'seek'. You can only"):
        torch.load(3)
    with pytest.raises(EOFError):
        torch.load(io.BytesIO())
    (tmp_path / "empty").touch()
    with pytest.raises(EOFError):
        torch.load(tmp_path / "empty")


def test_hooks_of_parameters_are_left_out_silently(torch: Any) -> None:
    layer = torch.nn.Linear(1, 1)
    layer.weight.register_hook(lambda gradient: gradient)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        saved(torch, layer.state_dict())
        saved(torch, layer.weight)
    plain = torch.ones(1, requires_grad=True)
    plain.register_hook(lambda gradient: gradient)
    with pytest.warns(UserWarning, match="backward hook <function .* will not be serialized"):
        saved(torch, plain)


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_storages_share_what_tensors_share(torch: Any) -> None:
    x = torch.arange(3.0)
    for trusted in (True, False):
        tensor, storage = round_trip(torch, [x, x.storage()], weights_only=not trusted)
        assert (storage.dtype, storage.tolist()) == (torch.float32, [0.0, 1.0, 2.0])
        assert storage.data_ptr() == tensor.data_ptr()
        loaded = round_trip(torch, x.untyped_storage(), weights_only=not trusted)
        assert (loaded.dtype, loaded.tolist()) == (torch.uint8, x.untyped_storage().tolist())


class Point:
    """What users keep in files besides tensors."""

    def __init__(self, x: int) -> None:
        self.x = x


class Called:
    """What is rebuilt by a function of the user's own."""

    def __reduce__(self) -> Any:
        return Point, (3,)


def test_files_may_name_what_the_user_calls_safe(torch: Any) -> None:
    calls = torch.serialization
    file = saved(torch, [Point(1), Called()])

    with pytest.raises(pickle.UnpicklingError, match="Please use `torch.serialization.add_safe_g"):
        torch.load(file)
    with calls.safe_globals([Point]):
        file.seek(0)
        assert [one.x for one in torch.load(file)] == [1, 3]
        assert Point in calls.get_safe_globals()
    assert Point not in calls.get_safe_globals()
    calls.add_safe_globals([(Point, f"{__name__}.Point")])
    file.seek(0)
    assert [one.x for one in torch.load(file)] == [1, 3]
    calls.clear_safe_globals()
    for wrong, error in (((Point,), ValueError), ((Point, 1), TypeError)):
        file.seek(0)
        with calls.safe_globals([wrong]), pytest.raises(error, match="^Expected "):
            torch.load(file)


def test_nobody_can_call_safe_what_rules_the_system() -> None:
    with minigrad.serialization.safe_globals([os.system]):
        with pytest.raises(pickle.UnpicklingError, match="whose module posix is blocked"):
            minigrad.load(archive(b"cposix\nsystem\n(X\x01\x00\x00\x00atR."))
        with pytest.raises(pickle.UnpicklingError, match="reduce for unrecognized function"):
            minigrad.load(archive(b"N)R."))
        with pytest.raises(pickle.UnpicklingError, match="Can only create new object for"):
            minigrad.load(archive(b"ctorch\nSize\n)\x81."))


class Filelike:
    """What has some of a file's methods."""

    def __init__(self, data: bytes, names: str) -> None:
        self.file = io.BytesIO(data)
        for name in names.split():
            setattr(self, name, getattr(self.file, name))


def test_what_has_a_files_methods_is_a_file() -> None:
    written = Filelike(b"", "write flush")
    minigrad.save(minigrad.tensor([1.0, 2.0]), written)
    data = written.file.getvalue()
    assert minigrad.load(Filelike(data, "read readline seek tell")).tolist() == [1.0, 2.0]
    with pytest.raises(AttributeError, match="no attribute 'tell'. You can only torch.load from a"):
        minigrad.load(Filelike(data, "read readline seek"))
    with pytest.raises(EOFError):
        minigrad.load(Filelike(b"", "read readline seek tell"))
