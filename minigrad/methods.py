"""The methods of Tensor that operations declare, as type checkers see them.

The class is empty: `minigrad.ops.bind` gives Tensor its methods from the registry, and
``methods.pyi`` beside this file lists them (`python tools/generate_stubs.py` writes it).
"""


class TensorMethods:
    """What `minigrad.ops` declares to be methods, properties and operators of Tensor."""
