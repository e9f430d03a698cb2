"""Rules of operations that choose, move and repeat elements, and compute nothing."""

from minigrad.viz.rules.rule import rules

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
    ),
    **rules(
        "self",
        "{} gets what arrives, in its own shape",
        ViewBackward0=("view", "self.view(shape)"),
        UnsafeViewBackward0=("reshape", "self.reshape(shape)"),
        UnsqueezeBackward0=("[None]", "self[None]"),
        SqueezeBackward0=("squeeze", "self.squeeze()"),
        SqueezeBackward1=("squeeze", "self.squeeze(dim)"),
    ),
    **rules(
        "self",
        "each entry of {} gets the sum of what arrives at its copies",
        ExpandBackward0=("expand", "self.expand(shape)"),
        RepeatBackward0=("repeat", "self.repeat(times, 1)"),
    ),
    **rules(
        "self",
        "{} gets what arrives, each number at the place that it came from, and 0 elsewhere",
        DiagonalBackward0=("diagonal", "self.diagonal()"),
        SelectBackward0=("select", "self[index]"),
        SliceBackward0=("slice", "self[start:end]"),
    ),
    **rules(
        "self",
        "{} gets what arrives, each number added at the place that it came from",
        IndexBackward0=("index", "self[indices]"),
        IndexSelectBackward0=("index", "self.index_select(dim, indices)"),
        GatherBackward0=("gather", "self.gather(dim, places)"),
    ),
    **rules(
        "tensors",
        "{} gets its part of what arrives",
        CatBackward0=("cat", "cat([tensors, tensors], dim)"),
        StackBackward0=("stack", "stack([tensors, tensors], dim)"),
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
        "each row of {} gets what arrives for it, added up",
        EmbeddingBackward0=("embed", "F.embedding(indices, weight)"),
    ),
}
