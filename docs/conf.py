"""How the site is built: `make site`. The source of the pages is the whole repository."""

import inspect
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import minigrad  # noqa: E402
from docs.extension.addresses import Addresses  # noqa: E402

project = "minigrad"
author = "The minigrad authors"
copyright = author
version = release = minigrad.__version__
language = "en"

# All addresses follow from this one.
repository = "minigrad-lessons/minigrad"

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
    "sphinx.ext.githubpages",
    "docs.extension.addresses",
    "docs.extension.causes",
    "docs.extension.formulas",
    "docs.extension.functions",
    "docs.extension.live",
    "docs.extension.graphs",
    "docs.extension.head",
    "docs.extension.programs",
]

# Pages
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
myst_links_external_new_tab = False
nb_execution_mode = "off"
nb_custom_formats = {".ipynb": ["docs.extension.lessons.read", {"repository": repository}, False]}

# The reference
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False
default_role = "code"
toc_object_entries_show_parents = "hide"
napoleon_use_ivar = True

# HTML: nothing is fetched from elsewhere.
html_theme = "furo"
html_title = "minigrad"
html_baseurl = Addresses(repository).site
html_favicon = "_static/favicon.svg"
html_additional_pages = {"404": "404.html"}
html_context = {"site_address": html_baseurl}
templates_path = ["_templates"]
html_theme_options = {
    "source_repository": Addresses(repository).source,
    "source_branch": "main",
    "source_directory": "",
    "top_of_page_buttons": ["edit"],
}
card_graph = "03a_upstream_times_local"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_extra_path = ["_root"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def skip(_app: Any, _what: str, name: str, member: Any, *_: Any) -> bool | None:
    """Leave out in-place methods, and modules that a package imports."""
    return True if name.endswith("_") or inspect.ismodule(member) else None


def signature(
    _app: Any, what: str, name: str, member: Any, _options: Any, text: str | None, _result: Any
) -> tuple[str | None, None]:
    """Show the parameters of a widget's constructor; traitlets hides them."""
    if what == "class" and text == "(*args, **kwargs)":
        _self, *parameters = inspect.signature(member.__init__).parameters.values()
        return str(inspect.Signature([p.replace(annotation=p.empty) for p in parameters])), None
    return text, None


def setup(app: Any) -> None:
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-signature", signature)
