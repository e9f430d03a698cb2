"""Random programs of views and changes in place, as lines of text."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# What tensors are made of, besides x (three elements) and m (two by three), which are leaves.
STARTS = (
    "x * 1", "x * x", "m * 1", "torch.outer(x, x)", "m.t().contiguous()", "x.exp()", "x[0] * 2",
    "torch.zeros(3, dtype=torch.float64)", "torch.ones(2, 3, dtype=torch.float64)", "m.sum(0)",
)  # fmt: skip
VIEWS = (
    "{}[0]", "{}[-1]", "{}[1:]", "{}[:2]", "{}[:, 0]", "{}[:, 1:]", "{}[..., ::2]", "{}[None]",
    "{}[...]", "{}.t()", "{}.view(-1)", "{}.view(3, -1)", "{}.reshape(-1)", "{}.reshape(3, -1)",
    "{}.unsqueeze(0)", "{}.unsqueeze(-1)", "{}.squeeze()", "{}.squeeze(0)", "{}.transpose(0, -1)",
    "{}.flatten()", "{}.expand(2, 3)", "{}.expand_as(x)", "{}.diagonal()", "{}.narrow(0, 0, 1)",
    "{}.unbind()[0]", "{}.unbind(-1)[-1]", "{}.split(1)[0]", "{}.split([1, 2])[1]",
    "{}.chunk(2)[0]",
    "{}.detach()", "{}.detach()[:1]", "{}.T", "{}.permute(1, 0)", "{}.select(0, 0)",
    "{}.as_strided((2,), (1,))", "{}.as_strided((1, 2), (3, 1), 1)", "{}.movedim(0, -1)",
    "{}.view_as(x)", "{}.contiguous()", "{}._base", "{}.data", "{}.squeeze(-1)", "{}.ravel()",
)  # fmt: skip
CHANGES = (
    "{}.mul_(2)", "{}.add_({o})", "{}.mul_({o})", "{}.sub_(x[0])", "{}.div_(3)", "{}.exp_()",
    "{}.sin_()", "{}.pow_(2)", "{}.neg_()", "{}.zero_()", "{}.fill_(2.0)", "{}.fill_(x[0])",
    "{}.copy_({o})", "{}.clamp_(max=1.5)", "{}.masked_fill_({} > 1, 2.0)", "{}.sigmoid_()",
    "{}.add_(1, alpha=2)", "{}.addcmul_({o}, {o})", "{}.sqrt_()", "{}.tanh_()",
    "{}.lerp_({o}, 0.5)",
    "{}[0] = 2.0", "{}[1:] = {o}", "{}[:, 0] = {o}", "{}[...] = {o}", "{}[0] = x[1]",
    "{}[[0]] = {o}", "{}[{} > 1] = 0.5", "{}[{} > 1] *= 2", "{}[None] = 3", "{}[0] *= {o}",
    "{}[:2] += 1", "{}[[0]] += x[2]", "{} *= {o}", "{} += x", "{} -= {o}", "{} /= 2",
    "{}[0, 0] = x[0]",
    "{}.index_put_((torch.tensor([0]),), x[:1])", "{}.detach_()", "{}.relu_()", "{}.mul_({})",
    "{}.detach().mul_(2)", "{}.data.mul_(2)", "{}.retain_grad()", "{}.requires_grad_()",
    "{}.requires_grad_(False)", "{}.data = {}.data.clone() + 1", "{}.masked_fill_({} > 0, x[0])",
    # PyTorch crashes where a view requires grad and has no grad_fn.
    "{}.grad_fn and {}.register_hook(lambda g: log.append(g.detach().sum().item()))",
)  # fmt: skip
USES = (
    "{} * {o}", "{}.sum()", "{}.exp()", "{} + 1", "({} * {}).sum()", "{} @ x", "{}.pow(3)",
    "{}.clone()", "torch.stack([{}, {}])",
)  # fmt: skip
MODES = ("", "", "", "", "with torch.no_grad(): ", "with torch.enable_grad(): ")
SHOW = "{0}; {0}.requires_grad, {0}.is_leaf, {0}._is_view(), {0}._version, {0}.output_nr"
DIFFERENTIATE = """
total = sum([(one * one).sum() for one in [{names}]])
total
slopes = torch.autograd.grad(total, [x, m], create_graph=True, allow_unused=True)
slopes
again = sum([(one * one).sum() for one in slopes if one is not None])
torch.autograd.grad(again, [x, m], allow_unused=True)
total.backward()
x.grad, m.grad, [one.grad for one in [{names}]], log
"""


@st.composite
def programs(draw: Any) -> str:
    """Draw a program of tensors, their views and changes of both, which shows all in the end."""
    lines = ["log = []"]
    names: list[str] = []
    for number in range(draw(st.integers(2, 9))):
        name = f"t{number}"
        kind = draw(st.sampled_from("vvvccccccu" if names else "s")) if number else "s"
        if kind == "s":
            lines.append(f"{name} = {draw(st.sampled_from(STARTS))}")
            names.append(name)
            continue
        chosen = draw(st.sampled_from([*names, *names, "x"]))
        others = ["x", "x[0]", "x[:2]", "m[0]", *(f"{one}.clone()" for one in names)]
        other = draw(st.sampled_from(others))
        mode = draw(st.sampled_from(MODES))
        templates = {"v": VIEWS, "c": CHANGES, "u": USES}[kind]
        text = draw(st.sampled_from(templates)).format(chosen, chosen, o=other)
        if kind == "c":
            lines.append(mode + text)
        else:
            lines += [f"{name} = None", f"{mode}{name} = {text}"]
            names.append(name)
    lines += [SHOW.format(name) for name in names]
    return "\n".join(lines) + DIFFERENTIATE.format(names=", ".join(names))
