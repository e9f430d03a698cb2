"""Names for parts of a program, as PyTorch's profiler shows them: minigrad does not measure."""

from __future__ import annotations

from contextlib import ContextDecorator


class record_function(ContextDecorator):
    """A name for what runs in a ``with`` block or a function: it is kept, and nothing else done.

    >>> import minigrad as torch
    >>> with torch.autograd.profiler.record_function("loss") as part:
    ...     part.name
    'loss'
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args

    def __enter__(self) -> record_function:
        if not isinstance(self.name, str):
            raise RuntimeError(
                "profiler::_record_function_enter_new() Expected a value of type 'str' for "
                f"argument 'name' but instead found type '{type(self.name).__name__}'."
            )
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing was begun."""
