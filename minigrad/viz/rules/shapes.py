"""Rules of operations that choose, move and repeat elements, and compute nothing."""

from minigrad.viz.rules.rule import Rule, of_one

_PUT_BACK = "y = x with its dimensions moved; ∂L/∂x = g with them moved back"
_RESHAPED = "y = x in another shape; ∂L/∂x = g in the shape of x"
_ROWS = "y = rows of x by their indices; each gᵢ is added to the row that yᵢ came from"
_PARTS = "y₁, y₂, … = the parts of x along dim; ∂L/∂x = g₁, g₂, … joined"
_CHOSEN = "y = some elements of x; g goes back to their places, 0 to the others"

SHAPES = {
    **of_one(
        {
            "TBackward0": ("T", "self.t()", "grad.t()", "Y = Xᵀ; ∂L/∂X = Gᵀ"),
            "TransposeBackward0": (
                "T",
                "self.transpose(dim0, dim1)",
                "grad.transpose(dim0, dim1)",
                _PUT_BACK,
            ),
            "PermuteBackward0": (
                "T",
                "self.permute(dims)",
                "grad.permute([dims.index(dim) for dim in range(len(dims))])",
                _PUT_BACK,
            ),
            "ViewBackward0": ("view", "self.view(shape)", "grad.reshape(self.shape)", _RESHAPED),
            "UnsafeViewBackward0": (
                "reshape",
                "self.reshape(shape)",
                "grad.reshape(self.shape)",
                _RESHAPED,
            ),
            "UnsqueezeBackward0": ("[None]", "self.unsqueeze(dim)", "grad.squeeze(dim)", _RESHAPED),
            "SqueezeBackward0": (
                "squeeze",
                "self.squeeze()",
                "grad.reshape(self.shape)",
                _RESHAPED,
            ),
            "SqueezeBackward1": ("squeeze", "self.squeeze(dim)", "grad.unsqueeze(dim)", _RESHAPED),
            "ExpandBackward0": (
                "expand",
                "self.expand(shape)",
                "grad.sum_to_size(self.shape)",
                "y = x, repeated; ∂L/∂x = the sum of g over the copies of each element",
            ),
            "RepeatBackward0": (
                "repeat",
                "self.repeat(times, 1)",
                "grad.reshape(times, *self.shape).sum(0)",
                "y = copies of x, side by side; ∂L/∂x = the sum of g over the copies",
            ),
            "FlipBackward0": (
                "flip",
                "self.flip(dim)",
                "grad.flip(dim)",
                "y = x backwards along dim; ∂L/∂x = g backwards along dim",
            ),
            "RollBackward0": (
                "roll",
                "self.roll(shifts, dim)",
                "grad.roll(-shifts, dim)",
                "y = x shifted in a circle; ∂L/∂x = g shifted back",
            ),
            "TrilBackward0": (
                "tril",
                "self.tril()",
                "grad.tril()",
                "y = x on and below the diagonal, else 0; ∂L/∂x = g there, else 0",
            ),
            "TriuBackward0": (
                "triu",
                "self.triu()",
                "grad.triu()",
                "y = x on and above the diagonal, else 0; ∂L/∂x = g there, else 0",
            ),
            "DiagonalBackward0": ("diagonal", "self.diagonal()", "grad.diag()", _CHOSEN),
            "SelectBackward0": (
                "select",
                "self[index]",
                "zeros_like(self).index_add(0, arange(index, index + 1), grad.unsqueeze(0))",
                _CHOSEN,
            ),
            "SliceBackward0": (
                "slice",
                "self[start:end]",
                "zeros_like(self).index_add(0, arange(start, end), grad)",
                _CHOSEN,
            ),
            "IndexBackward0": (
                "index",
                "self[indices]",
                "zeros_like(self).index_add(0, indices, grad)",
                _ROWS,
            ),
            "IndexSelectBackward0": (
                "index",
                "self.index_select(dim, indices)",
                "zeros_like(self).index_add(dim, indices, grad)",
                _ROWS,
            ),
            "GatherBackward0": (
                "gather",
                "self.gather(dim, places)",
                "zeros_like(self).scatter_add(dim, places, grad)",
                "yᵢ = the element of x at placesᵢ; each gᵢ is added to where yᵢ came from",
            ),
            "MaskedSelectBackward0": (
                "masked",
                "self.masked_select(mask)",
                "zeros_like(self).masked_scatter(mask, grad)",
                _CHOSEN,
            ),
            "UnbindBackward0": (
                "unbind",
                "self.unbind(dim)",
                "stack(grad, dim)",
                "y₁, y₂, … = the slices of x along dim; ∂L/∂x = g₁, g₂, … stacked",
            ),
            "SplitBackward0": ("split", "self.split(size, dim)", "cat(grad, dim)", _PARTS),
            "SplitWithSizesBackward0": (
                "split",
                "self.split(sizes, dim)",
                "cat(grad, dim)",
                _PARTS,
            ),
        }
    ),
    "CatBackward0": Rule(
        "cat",
        "cat([first, second], dim)",
        {
            "first": "grad.narrow(dim, 0, first.shape[dim])",
            "second": "grad.narrow(dim, first.shape[dim], second.shape[dim])",
        },
        "y = x₁, x₂, … joined along dim; to each goes its part of g",
    ),
    "StackBackward0": Rule(
        "stack",
        "stack([first, second], dim)",
        {"first": "grad.select(dim, 0)", "second": "grad.select(dim, 1)"},
        "y = x₁, x₂, … stacked along dim; to each goes its slice of g",
    ),
    "ScatterAddBackward0": Rule(
        "scatter",
        "self.scatter_add(dim, places, source)",
        {"self": "grad", "source": "grad.gather(dim, places)"},
        "y = x, with each sᵢ added at placesᵢ; ∂L/∂x = g, ∂L/∂sᵢ = g at placesᵢ",
    ),
    "IndexAddBackward0": Rule(
        "indexadd",
        "self.index_add(dim, indices, source)",
        {"self": "grad", "source": "grad.index_select(dim, indices)"},
        "y = x, with the rows of s added by their indices; ∂L/∂x = g, ∂L/∂s = those rows of g",
    ),
    "EmbeddingBackward0": Rule(
        "embed",
        "F.embedding(indices, weight)",
        {"weight": "zeros_like(weight).index_add(0, indices, grad)"},
        "y = rows of w by their indices; each gᵢ is added to the row that yᵢ came from",
    ),
}
