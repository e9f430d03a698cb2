from minigrad.nn.parameters import Parameter  # noqa: F401
