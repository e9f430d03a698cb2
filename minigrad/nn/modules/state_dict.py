"""What a module saves and loads: its parameters and buffers by name."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

from minigrad.autograd.grad_mode import no_grad
from minigrad.autograd.hooks import Hook, RemovableHandle
from minigrad.nn.modules.hooks import registered
from minigrad.nn.parameter import Parameter
from minigrad.outside import warn
from minigrad.tensor import Tensor

STATE_HOOKS = (
    "_state_dict_hooks",
    "_state_dict_hooks_that_replace",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)
EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(NamedTuple):
    """What `load_state_dict` returns: what it missed, and what it did not know."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, "
            f"unexpected_keys={self.unexpected_keys!r})"
        )


_IncompatibleKeys.__module__ = "minigrad.nn.modules.module"  # where PyTorch has it


class Stateful:
    """Saves and loads the parameters and persistent buffers of a module and those in it."""

    _version = 1
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: OrderedDict[int, Hook]
    _state_dict_hooks_that_replace: OrderedDict[int, bool]  # by the ids of their handles
    _state_dict_pre_hooks: OrderedDict[int, Hook]
    _load_state_dict_pre_hooks: OrderedDict[int, Hook]
    _load_state_dict_post_hooks: OrderedDict[int, Hook]

    def get_extra_state(self) -> Any:
        """Return what else `state_dict` shall hold, where a subclass says so."""
        raise RuntimeError(never_called("get_extra_state"))

    def set_extra_state(self, state: Any) -> None:
        """Take over what `get_extra_state` returned, where a subclass says so."""
        raise RuntimeError(never_called("set_extra_state"))

    def register_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before `state_dict` collects."""
        return registered(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after `state_dict` did."""
        return registered(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Hook) -> RemovableHandle:
        """As `register_state_dict_post_hook`, but the hook may return a dict in place of it."""
        handle = registered(self._state_dict_hooks, hook)
        self._state_dict_hooks_that_replace[handle.id] = True
        return handle

    def _register_load_state_dict_pre_hook(
        self, hook: Hook, with_module: bool = False
    ) -> RemovableHandle:
        """As `register_load_state_dict_pre_hook`, but without the module, unless `with_module`."""
        if with_module:
            return self.register_load_state_dict_pre_hook(hook)
        return self.register_load_state_dict_pre_hook(lambda module, *args: hook(*args))

    def register_load_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call a hook before a module takes anything over from a state.

        It is ``hook(module, state_dict, prefix, local_metadata, strict, missing_keys,
        unexpected_keys, error_msgs)``.
        """
        return registered(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` after a module took a state over."""
        return registered(self._load_state_dict_post_hooks, hook)

    # Saving

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """Return parameters and persistent buffers by name, those of modules in this one too.

        Args:
            destination: a dict to be filled and returned; a new one by default.
            prefix: what the names begin with.
            keep_vars: return the tensors themselves, not detached ones of the same memory.

        >>> import minigrad as torch
        >>> list(torch.nn.Linear(2, 3).state_dict())
        ['weight', 'bias']
        """
        if args:
            warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html"
                "#torch.nn.Module.state_dict for details.",
                FutureWarning,
            )
            defaults = (destination, prefix, keep_vars)
            given: list[Any] = [*args, *defaults[len(args) :]]
            destination, prefix, keep_vars = given
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in list(self._state_dict_pre_hooks.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for number, hook in list(self._state_dict_hooks.items()):
            replacement = hook(self, destination, prefix, metadata)
            if number in self._state_dict_hooks_that_replace:
                destination = destination if replacement is None else replacement
            elif replacement is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Add what this module itself saves."""
        for name, tensor in self._persistent():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not Stateful.get_extra_state:
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def _persistent(self) -> list[tuple[str, Tensor]]:
        """Return the names and tensors of this module itself that are saved and loaded."""
        return [
            (name, tensor)
            for name, tensor in itertools.chain(self._parameters.items(), self._buffers.items())
            if tensor is not None
            and (name in self._parameters or name not in self._non_persistent_buffers_set)
        ]

    # Loading

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy the tensors of a state into parameters and buffers of the same names.

        Args:
            state_dict: what `state_dict` returned.
            strict: raise an error where names are missing or not known.
            assign: make the tensors themselves parameters and buffers, rather than copy them.

        Returns:
            The missing and the unknown names.

        Raises:
            RuntimeError: if names or shapes differ; what fits has been loaded all the same.
            TypeError: if `state_dict` is no mapping.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        state: Any = OrderedDict(state_dict)
        metadata = getattr(state_dict, "_metadata", None)
        if metadata is not None:
            state._metadata = metadata
        keys, errors = _IncompatibleKeys([], []), list[str]()
        load(self, state, "", metadata or {}, assign, keys, errors)
        if strict:
            errors = [
                f"{kind} key(s) in state_dict: {quoted(names)}. "
                for kind, names in zip(("Missing", "Unexpected"), keys, strict=True)
                if names
            ] + errors
        if errors:
            raise RuntimeError(
                "Error(s) in loading state_dict for "
                f"{type(self).__name__}:\n\t" + "\n\t".join(errors)
            )
        return keys

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Take over what this module itself loads; note what is missing, unknown or wrong."""
        problems = (missing_keys, unexpected_keys, error_msgs)
        for hook in list(self._load_state_dict_pre_hooks.values()):
            hook(self, state_dict, prefix, local_metadata, strict, *problems)
        own = dict(self._persistent())
        for name, tensor in own.items():
            if prefix + name in state_dict:
                assign = local_metadata.get("assign_to_params_buffers", False)
                take_over(self, name, tensor, prefix, state_dict[prefix + name], assign, error_msgs)
            elif strict:
                missing_keys.append(prefix + name)
        self._load_extra_state(state_dict, prefix + EXTRA_STATE, strict, *problems[:2])
        if not strict:
            return
        for key in state_dict:
            if key.startswith(prefix) and key != prefix + EXTRA_STATE:
                first, *rest = key[len(prefix) :].split(".", 1)
                if first not in (self._modules if rest else own):
                    unexpected_keys.append(key)

    def _load_extra_state(
        self, state: Any, key: str, strict: bool, missing: list[str], unexpected: list[str]
    ) -> None:
        wanted = type(self).set_extra_state is not Stateful.set_extra_state
        if wanted and key in state:
            self.set_extra_state(state[key])
        elif strict and wanted != (key in state):
            (missing if wanted else unexpected).append(key)


def load(
    module: Any,
    state: Any,
    prefix: str,
    metadata: Mapping[str, Any],
    assign: bool,
    keys: _IncompatibleKeys,
    errors: list[str],
) -> None:
    """Load a state into a module and those in it."""
    local_metadata = metadata.get(prefix[:-1], {})
    if assign:
        local_metadata = {**local_metadata, "assign_to_params_buffers": assign}
    module._load_from_state_dict(state, prefix, local_metadata, True, *keys, errors)
    for name, child in module._modules.items():
        if child is not None:
            start = f"{prefix}{name}."
            of_child = {key: value for key, value in state.items() if key.startswith(start)}
            load(child, of_child, start, metadata, assign, keys, errors)
    for hook in list(module._load_state_dict_post_hooks.values()):
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to "
                "return new values, if incompatible_keys need to be modified, it should be done "
                "inplace."
            )


def take_over(
    module: Any, name: str, tensor: Tensor, prefix: str, given: Any, assign: bool, errors: list[str]
) -> None:
    """Copy or assign one tensor of a state; note an error if it does not fit."""
    key = prefix + name
    if not isinstance(given, Tensor):
        errors.append(
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(given)}"
        )
        return
    if tensor.ndim == 0 and given.shape == (1,):
        given = given[0]
    if given.shape != tensor.shape:
        errors.append(
            f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
            f"the shape in current model is {tensor.shape}."
        )
        return
    try:
        with no_grad():
            if not assign:
                tensor.copy_(given)
                return
            if isinstance(tensor, Parameter):
                if not isinstance(given, Parameter):
                    given = Parameter(given, tensor.requires_grad)
                given.requires_grad_(tensor.requires_grad)
            setattr(module, name, given)
    except Exception as error:
        errors.append(
            f'While copying the parameter named "{key}", whose dimensions in the model are '
            f"{tensor.size()} and whose dimensions in the checkpoint are {given.size()}, an "
            f"exception occurred : {error.args}."
        )


def quoted(names: list[str]) -> str:
    """Return names in quotes, divided by commas."""
    return ", ".join([f'"{name}"' for name in names])


def never_called(method: str) -> str:
    """Return PyTorch's text for a method that only subclasses have."""
    return (
        f"Reached a code path in Module.{method}() that should never be called. Please file an "
        "issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report "
        "this bug."
    )
