"""What can be computed, and how it is differentiated.

Begin with `declare`, which makes an operation of a forward function and formulas, and look at
`pointwise` for examples; `rule` says what recording leaves behind, and `bind` gives Tensor its
methods.
"""
