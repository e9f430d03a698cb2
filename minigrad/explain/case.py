"""A program at one moment, and an error in it: what a cause may ask about them."""

import ast
import inspect
import linecache
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import FrameType, ModuleType, TracebackType
from typing import Any

from minigrad.explain.history import Call, History, function_name
from minigrad.explain.source import (
    Place,
    file_name,
    find_headers,
    find_lines,
    function_around,
    is_users,
    operand_nodes,
    places,
)
from minigrad.explain.trail import Argument, Trail
from minigrad.viz.read.engines import tensor_packages
from minigrad.viz.read.names import names_in_frame
from minigrad.viz.read.protocol import TensorLike, is_tensor, maker
from minigrad.viz.read.saved import read_saved
from minigrad.viz.read.walk import Walk

_LONGEST = 40  # of an expression in a sentence
_MOST_NODES = 1_000


class NotTheUsers(Exception):
    """The error has no line of the user's."""


class Thing:
    """A tensor, or another value, by what the user calls it: a name, or an expression of a line.

    As text it is that; ``{thing:.sum()}`` is its line with ``.sum()`` behind it, ``{thing:=0}`` the
    line with ``0`` in its place.
    """

    def __init__(
        self,
        text: str,
        tensor: TensorLike | None = None,
        argument: Argument | None = None,
        birth: Place | None = None,
        where: tuple[Place, ast.AST] | None = None,
    ) -> None:
        self.text, self.tensor, self.birth, self.where = text, tensor, birth, where
        shape = tuple(tensor.shape) if tensor is not None else argument and argument.shape
        dtype = str(tensor.dtype).rpartition(".")[2] if tensor is not None else ""
        self.sizes: tuple[int, ...] | None = shape
        self._read = {
            "shape": None if shape is None else str(list(shape)),
            "dtype": dtype or (argument.dtype if argument else None),
        }

    def __getattr__(self, name: str) -> str:
        found = self.__dict__.get("_read", {}).get(name)
        if found is None:
            raise AttributeError(name)
        return str(found)

    def __format__(self, spec: str) -> str:
        if not spec:
            text = self.text
            return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
        if self.where is None:
            raise KeyError(spec)
        place, node = self.where
        if spec[0] == "+":
            return place.with_argument(spec[1:])
        return place.replaced(node, spec[1:]) if spec[0] == "=" else place.chained(node, spec)


def _member(thing: Any, name: str) -> Any:
    """An attribute, or a module in another one, read without running any code."""
    held = {**getattr(thing, "__dict__", {}), **dict(_modules(thing))}
    return held[name] if name in held else inspect.getattr_static(thing, name, None)


def _modules(thing: Any) -> Iterable[tuple[str, Any]]:
    """The modules in a module, with their names."""
    held = getattr(thing, "__dict__", {}).get("_modules")
    return held.items() if isinstance(held, dict) else ()


def is_parameter(tensor: object) -> bool:
    """Whether a tensor is a parameter of a module, by its type."""
    return type(tensor).__name__ == "Parameter"


class Scene:
    """A program at one moment: what it calls its tensors, and the trail that led there.

    frames: the user's code that is running, the outermost first. home: the cell or script.
    """

    def __init__(self, frames: Sequence[FrameType], trail: Trail | None) -> None:
        self.frames = frames
        self.trail = trail
        self.home = frames[0].f_code.co_filename
        self.recorded = trail is not None
        self.text = ""  # the message to explain
        self.history = History([] if trail is None else trail.calls)

    @cached_property
    def variables(self) -> dict[str, TensorLike]:
        """The tensors that the user's running code has names for."""
        found: dict[str, TensorLike] = {}
        for frame in reversed(self.frames):
            for name, tensor in names_in_frame(frame):
                found.setdefault(name, tensor)
        return found

    @cached_property
    def alive(self) -> dict[int, str]:
        """The names of these tensors, by their ids."""
        return {id(tensor): name for name, tensor in reversed(self.variables.items())}

    def thing(self, tensor: TensorLike | int | None, before: int | None = None) -> Thing | None:
        """A tensor, or the one that had an id before a call, by its variable or what made it."""
        if tensor is None:
            return None
        number = tensor if isinstance(tensor, int) else id(tensor)
        birth = self.history.birth(number, before)
        place = birth.place if birth is not None else None
        if number in self.alive and is_parameter(self.variables[self.alive[number]]):
            return self._parameter(self.alive[number])
        if number in self.alive and self.history.birth(number) is birth:
            name = self.alive[number]
            return Thing(name, self.variables[name], birth=place)
        known = None if isinstance(tensor, int) else tensor
        made = place.target or place.source(place.node) if place is not None else ""
        return Thing(made or "a tensor", known, birth=place)

    def _parameter(self, name: str) -> Thing:
        """A parameter, with the line that made it or its layer."""
        tensor, attribute = self.variables[name], re.findall(r"\w+", name)[-1]
        place = self._filled(tensor)
        written = self.lines(rf"\b{attribute}\b.*= *[\w.]*\bParameter\(")
        return Thing(name, tensor, birth=place or next(written, None))

    def _filled(self, parameter: object) -> Place | None:
        """The line that made a layer with a parameter: that is made unseen, and then filled."""
        filled = self.history.first_change(id(parameter))
        filling = filled is not None and filled.name not in filled.place.text
        return filled.place if filled is not None and filling else None

    def layer_made(self, layer: Any) -> Place | None:
        """The line that made a layer, as far as the recording and the source tell it."""
        written = list(self.lines(rf"\b{type(layer).__name__}\("))
        values = [value for frame in self.frames for value in frame.f_locals.values()]
        names = {name for one in values for name, held in _modules(one) if held is layer}
        named = [one for one in written if one.target.rpartition(".")[2] in names]
        return self._filled(layer.weight) or next(iter(named or written), None)

    def named(self, name: str) -> Thing:
        """What has this name in the user's running code."""
        return self.thing(self.variables.get(name)) or Thing(name)

    def at(self, place: Place) -> str:
        """``line 3`` in the cell or script that runs; elsewhere with the file or cell before it."""
        line = f"line {place.number}"
        return line if place.filename == self.home else f"{file_name(place.filename)}, {line}"

    @cached_property
    def torch(self) -> str:
        """What the user's program calls the package of the tensors."""
        packages = list(tensor_packages())
        for name, thing in self.frames[-1].f_globals.items():
            if any(thing is package for package in packages):
                return name
        return "torch"

    def local(self, name: str) -> Any:
        """A variable of the innermost user's frame."""
        frame = self.frames[-1]
        return frame.f_locals.get(name, frame.f_globals.get(name))

    def resolved(self, name: str) -> Any:
        """What ``self.net`` is in the user's running code, read without running any of it."""
        first, *rest = name.split(".")
        for frame in reversed(self.frames):
            thing = frame.f_locals.get(first, frame.f_globals.get(first))
            for part in rest:
                thing = _member(thing, part)
            if thing is not None:
                return thing
        return None

    @cached_property
    def files(self) -> list[str]:
        """The cells and files of the program, as far as they are known: those that ran last first.

        In a notebook, what an earlier cell did counts less.
        """
        running = [frame.f_code.co_filename for frame in reversed(self.frames)]
        called = (
            [] if self.trail is None else [raw[1].co_filename for raw in reversed(self.trail.calls)]
        )
        folder, modules = os.path.dirname(self.home), list(sys.modules.values())
        loaded = [*linecache.cache, *(getattr(one, "__file__", None) or "" for one in modules)]
        near = [one for one in reversed(loaded) if os.path.dirname(one) == folder and is_users(one)]
        return list(dict.fromkeys([self.home, *running, *called, *near]))

    def lines(self, pattern: str, before: Place | None = None) -> Iterator[Place]:
        """The simple statements of the program whose text has a pattern.

        before: a line that those in its file must come before.
        """
        for filename in self.files:
            for place in find_lines(filename, pattern):
                later = before is not None and filename == before.filename
                if not later or place.number < before.number:  # type: ignore[union-attr]
                    yield place

    def headers(self, pattern: str) -> Iterator[Place]:
        """The first lines of the definitions in the program whose text has a pattern."""
        for filename in self.files:
            yield from find_headers(filename, pattern)

    def callers(self, place: Place) -> list[tuple[Place, str]]:
        """Who called the function that a line is in, if it has returned; and its name."""
        function = function_around(place)
        running = {(one.f_code.co_filename, one.f_code.co_name) for one in self.frames}
        if function is None or function.name.startswith("__") or function.name == "forward":
            return []
        if (place.filename, function.name) in running:
            return []
        calls = self.lines(rf"(?<!def )\b{function.name}\(")
        return [(one, function.name) for one in calls if one != place][:2]

    def birth(self, tensor: TensorLike) -> Call | None:
        """The call that made a tensor; None for parameters, which are made unseen."""
        return None if is_parameter(tensor) else self.history.birth(id(tensor))


class Case(Scene):
    """An exception, and the user's lines that it came through; ``raised`` is the innermost."""

    def __init__(self, error: BaseException, trail: Trail | None = None) -> None:
        found = list(places(error.__traceback__))
        if not found:
            raise NotTheUsers
        super().__init__([trace.tb_frame for _, trace in found], trail)
        self.text = " ".join(str(error).partition("Exception raised from")[0].split())
        self.said = f"{type(error).__name__}: {self.text}"
        self.raised, self._trace = found[-1]
        failure = None if trail is None else trail.failure
        known = failure is not None and failure.error == id(error)
        self.arguments = failure.arguments if failure is not None and known else ()
        self.function = function_name(failure.func) if failure is not None and known else ""

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The parts of the line that the failed call computed with: not the module it is from."""
        nodes, called = operand_nodes(self.raised.node), self.raised.node
        if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Attribute):
            return nodes
        owner: ast.AST = called.func.value  # is it a tensor, or a module, or a package?
        while isinstance(owner, ast.Attribute | ast.Subscript):
            owner = owner.value
        root = self.local(owner.id) if isinstance(owner, ast.Name) else None
        if root is None or is_tensor(root):
            return nodes
        of_a_tensor = called.func.attr == self.function and not isinstance(root, ModuleType | type)
        return nodes if of_a_tensor else nodes[1:]

    @cached_property
    def operands(self) -> list[Thing]:
        """These parts as the user wrote them, with the tensors that the failed call was given."""
        fit = len(self.arguments) >= len(self.nodes)
        given = self.arguments if fit else ()
        return [
            self._operand(node, given[index] if given else None)
            for index, node in enumerate(self.nodes)
        ]

    def _operand(self, node: ast.AST, argument: Argument | None) -> Thing:
        text = self.raised.source(node)
        tensor = argument.tensor if argument else self.variables.get(text)
        known = self.thing(tensor) if tensor is not None else None
        place = known.birth if known and known.birth != self.raised else None
        return Thing(text, tensor, argument, place, (self.raised, node))

    def thing_at(self, node: ast.AST | None) -> Thing | None:
        """A part of the line."""
        return None if node is None else self._operand(node, None)

    def listed(self, operand: int) -> list[Thing]:
        """The elements of an operand that is written as a list, or else the operand itself."""
        for node in self.nodes[operand : operand + 1]:
            parts = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
            return [self._operand(part, None) for part in parts]
        return []

    @cached_property
    def tensors(self) -> list[TensorLike]:
        """The tensors that the failed call was given; without a trail, those in the line."""
        found = [one.tensor for one in self.arguments or self.operands]
        return [one for one in found if one is not None]

    @property
    def root(self) -> TensorLike | None:
        """The first of them: for a backward pass, where it begins."""
        return self.tensors[0] if self.tensors else None

    @property
    def fields(self) -> dict[str, Any]:
        """What each page may say."""
        line = Thing(self.raised.text, where=(self.raised, self.raised.statement or ast.Pass()))
        things: dict[str, Any] = dict(zip("abcd", self.operands, strict=False))
        roots = [one for one in self.tensors[:1] if maker(one) is not None]
        known = {"line": line, "torch": self.torch, "here": self.at(self.raised)}
        return {**known, **things, "cause": self.raised, "root": roots[0] if roots else None}

    def saved(self, state: str) -> Iterator[tuple[str, str]]:
        """The saved tensors in this state, by node and name, those near the root first."""
        roots = [tensor for tensor in self.tensors if maker(tensor) is not None]
        for node in reversed(Walk(roots, [], _MOST_NODES).graph) if roots else ():
            for saved in read_saved(node):
                if saved.state == state:
                    yield node.name().partition("Backward")[0], saved.name

    def library_locals(self) -> Iterator[Mapping[str, Any]]:
        """The variables of the frames below the user's line, the innermost first."""
        found: list[Mapping[str, Any]] = []
        trace: TracebackType | None = self._trace.tb_next
        while trace is not None:
            found.append(trace.tb_frame.f_locals)
            trace = trace.tb_next
        return iter(reversed(found))

    def shapes_in_text(self) -> list[str]:
        """The shapes that the message names, as ``[2, 3]``."""
        sizes = re.findall(r"torch\.Size\((\[[\d, ]*\])\)", self.text)
        return sizes or re.findall(r"\[[\d, ]*\]", self.text)
