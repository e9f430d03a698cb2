"""Words and forms that must not come back into what people read, with what to write instead."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(ROOT.glob("lessons/*.ipynb"))
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/questions/*.md")]
MODULES = [
    *ROOT.glob("minigrad/exercises/*.py"),
    *ROOT.glob("minigrad/widgets/**/*.py"),
    *ROOT.glob("minigrad/viz/backward/*.py"),
]

# The pattern, and the field's term or the plain word.
WORDS = {
    r"mend(s|ed|ing)?": "fix",
    r"anew|afresh": "again, or new",
    r"whoever|whosoever": "if you",
    r"g(i|a)ves? back|given back|giving back": "return",
    r"stands?(?! for\b|-in)|stood": "is",
    r"shall": "will, should or must",
    r"(is|are) to (be|have|learn|stay|remain)": "must, or the imperative",
    r"may be had|can be had": "there is",
    r"need not|needn't": "don't have to",
    r"for (there|it|they|nothing|he|she) (is|was|are|has|had|will|can|does)": "because",
    r"(some|no|any)body": "you, or what it is",
    r"aloud": "explicitly, or in words",
    r"for ever": "forever",
    r"the very(?! (first|last|next|beginning|end|top|bottom|same)\b)": "the same",
    r"otherwise than": "differently from",
    r"becomes? of": "happens to",
    r"(a|the|one|first|second|third|each|another|this) walk|walks? (back|through)": "backward pass",
    r"the record": "the computation graph",
    r"(each|every|one|this|first|second|third|last|per|next|another|a) turn(?! in)": "iteration",
    r"roads?": "path",
    r"ask(s|ed|ing)? for (a )?gradients?": "require grad",
    r"before(?=`)": "source (which node sends is a matter of direction)",
    r"whilst|amongst|upon": "while, among, on",
    r"—": "a comma, a colon, or two sentences",
    r"colou?red? (?=grey)|grey|colour\w*|behaviour\w*|neighbour\w*|favourite": "American spelling",
    r"(initial|normal|optim|minim|visual|general|memor|recogn)is(e[sd]?|ing|ation)": "American "
    "spelling",
    r"obviously|simply|of course": "what the learner's code did",
}
PATTERN = {
    re.compile(rf"(?<!\w)(?:{form})(?!\w)", re.IGNORECASE): term for form, term in WORDS.items()
}


def prose(text: str) -> str:
    """Text without code, formulas, quotations and addresses."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    return re.sub(r"`[^`\n]*`|\$[^$\n]*\$|\]\([^)]*\)|https?://\S+|\"[^\"\n]*\"|“[^”]*”", "", text)


def strings(path: Path) -> str:
    """What a module says: its strings, without docstrings, and without those that are code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and isinstance(node.body[0], ast.Expr)
    }
    said = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documentation
    ]
    return "\n\n".join(text for text in said if " " in text and not is_code(text))


def is_code(text: str) -> bool:
    """Whether a string is a program, such as an exercise's solution."""
    try:
        return bool(ast.parse(text.strip()).body) and ("\n" in text or "=" in text or "(" in text)
    except SyntaxError:
        return False


def text_of(path: Path) -> str:
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return strings(path) if path.suffix == ".py" else path.read_text(encoding="utf-8")


def faults(text: str) -> list[str]:
    found = []
    for pattern, term in PATTERN.items():
        for match in pattern.finditer(prose(text)):
            around = match.string[max(0, match.start() - 30) : match.end() + 20]
            found.append(f"{match[0]!r} in {around!r}: write {term}")
    return found


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES, *MODULES], ids=lambda path: path.name)
def test_it_is_plain_modern_english(path: Path) -> None:
    assert faults(text_of(path)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Mend it, and run it anew.",
        "`w.grad` is None, for it was cleared.",
        "The second walk needs what the first freed.",
        "Whoever wants the gradient of this turn has to ask for a gradient.",
        "The gradient is to stay within the iteration — and nowhere else.",
    ],
)
def test_that_finds_old_forms(text: str) -> None:
    assert faults(text)


def test_code_and_field_terms_are_left_alone() -> None:
    text = "`mend` in `the record`, $a turn$: `x` stands for the input, and torch says “shall”."
    assert faults(text) == []
