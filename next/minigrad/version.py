"""The version of minigrad."""

__version__ = "0.1.0"
