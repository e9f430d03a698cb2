"""Rules of operations that choose, move and repeat elements, and compute nothing."""

from minigrad.viz.rules.rule import rules

_RESHAPED = "{} gets what arrives, in its own shape"
_COPIES = "each entry of {} gets the sum of what arrives at its copies"
_AT_ITS_PLACE = "{} gets what arrives, each number at the place that it came from, and 0 elsewhere"
_ADDED = "{} gets what arrives, each number added at the place that it came from"
_PART = "{} gets its part of what arrives"

SHAPES = {
    **rules(
        "self",
        TBackward0=("T", "self.t()", "grad.t()"),
        TransposeBackward0=("T", "self.transpose(dim0, dim1)", "grad.transpose(dim0, dim1)"),
        PermuteBackward0=(
            "T",
            "self.permute(dims)",
            "grad.permute([dims.index(dim) for dim in range(len(dims))])",
        ),
        FlipBackward0=("flip", "self.flip(dim)", "grad.flip(dim)"),
        RollBackward0=("roll", "self.roll(shifts, dim)", "grad.roll(-shifts, dim)"),
        TrilBackward0=("tril", "self.tril()", "grad.tril()"),
        TriuBackward0=("triu", "self.triu()", "grad.triu()"),
        UnbindBackward0=("unbind", "self.unbind(dim)", "stack(grad, dim)"),
        SplitBackward0=("split", "self.split(size, dim)", "cat(grad, dim)"),
        SplitWithSizesBackward0=("split", "self.split(sizes, dim)", "cat(grad, dim)"),
        ViewBackward0=("view", "self.view(shape)", _RESHAPED),
        UnsafeViewBackward0=("reshape", "self.reshape(shape)", _RESHAPED),
        UnsqueezeBackward0=("[None]", "self[None]", _RESHAPED),
        SqueezeBackward0=("squeeze", "self.squeeze()", _RESHAPED),
        SqueezeBackward1=("squeeze", "self.squeeze(dim)", _RESHAPED),
        ExpandBackward0=("expand", "self.expand(shape)", _COPIES),
        RepeatBackward0=("repeat", "self.repeat(times, 1)", _COPIES),
        DiagonalBackward0=("diagonal", "self.diagonal()", _AT_ITS_PLACE),
        SelectBackward0=("select", "self[index]", _AT_ITS_PLACE),
        SliceBackward0=("slice", "self[start:end]", _AT_ITS_PLACE),
        IndexBackward0=("index", "self[indices]", _ADDED),
        IndexSelectBackward0=("index", "self.index_select(dim, indices)", _ADDED),
        GatherBackward0=("gather", "self.gather(dim, places)", _ADDED),
    ),
    **rules(
        "tensors",
        CatBackward0=("cat", "cat([tensors, tensors], dim)", _PART),
        StackBackward0=("stack", "stack([tensors, tensors], dim)", _PART),
    ),
    **rules(
        "self source",
        ScatterAddBackward0=(
            "scatter",
            "self.scatter_add(dim, places, source)",
            "grad",
            "grad.gather(dim, places)",
        ),
        IndexAddBackward0=(
            "indexadd",
            "self.index_add(dim, indices, source)",
            "grad",
            "grad.index_select(dim, indices)",
        ),
    ),
    **rules(
        "weight",
        EmbeddingBackward0=(
            "embed",
            "F.embedding(indices, weight)",
            "each row of {} gets what arrives for it, added up",
        ),
    ),
}
