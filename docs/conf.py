"""How the site is built: `make site`. The pages' source is the whole repository, as on GitHub."""

import inspect
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import minigrad  # noqa: E402
from minigrad import functions  # noqa: E402
from minigrad.ops.registry import registry  # noqa: E402

project = "minigrad"
author = "The minigrad authors"
copyright = author
version = release = minigrad.__version__
language = "en-GB"

root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "lessons/*.ipynb",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
exclude_patterns = [".*", "build", "dist", "**/node_modules"]

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxcontrib.spelling",
    "docs.extension.figures",
    "docs.extension.formulas",
    "docs.extension.graphs",
]

# Pages
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
nb_execution_mode = "off"
nb_custom_formats = {".ipynb": ["docs.extension.lessons.read", {}, False]}

# The reference
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False
default_role = "code"
toc_object_entries_show_parents = "hide"
napoleon_use_ivar = True

# HTML: nothing of it is fetched from elsewhere.
html_theme = "furo"
html_title = "minigrad"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_extra_path = ["_root"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"

# Spelling: prose is British; names belong into code. The words of the trade are in one list.
spelling_lang = "en_GB"
spelling_word_list_filename = "docs/spelling.txt"
spelling_show_suggestions = True
nb_mime_priority_overrides = [("spelling", "text/html", 0), ("spelling", "text/plain", 1)]

RULES = {f"minigrad.functions.{name}": f.rule for name, f, _ in registry if hasattr(f, "rule")}


def skip(_app: Any, what: str, name: str, *_: Any) -> bool | None:
    """Leave out what stands elsewhere: Tensor's functions, and forms in place of functions."""
    stem = name.rstrip("_")
    if what == "class":
        return True if stem in functions.__all__ else None
    return True if name.endswith("_") and stem in functions.__all__ else None


def signature(
    _app: Any, what: str, name: str, member: Any, _options: Any, found: str | None, _result: Any
) -> tuple[str | None, None]:
    """Show parameters as users give them."""
    if name in RULES:  # declared by its formulas
        return f"({', '.join(['input', *RULES[name].parameters[1:]])})", None
    if what == "class" and found == "(*args, **kwargs)":  # what widgets say of their classes
        _self, *parameters = inspect.signature(member.__init__).parameters.values()
        return str(inspect.Signature([p.replace(annotation=p.empty) for p in parameters])), None
    return found and found.replace("NOT_GIVEN", "..."), None


def setup(app: Any) -> None:
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-signature", signature)
