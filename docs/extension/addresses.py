"""Where things are on the net. All follows from the name of the repository, which conf.py says.

The directive `{open}` has buttons that open a lesson; the role `{repository}` links to the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole


@dataclass(frozen=True)
class Addresses:
    """The addresses of a repository on GitHub, such as `owner/name`, and of its pages."""

    repository: str

    @property
    def source(self) -> str:
        return f"https://github.com/{self.repository}"

    @property
    def site(self) -> str:
        owner, _, name = self.repository.partition("/")
        return f"https://{owner}.github.io/{name}/"

    def notebook(self, lesson: str) -> dict[str, str]:
        """The ways to open a lesson, by what a button says."""
        path = f"lessons/{lesson}.ipynb"
        binder = f"https://mybinder.org/v2/gh/{self.repository}/HEAD?urlpath=lab/tree/{path}"
        colab = f"https://colab.research.google.com/github/{self.repository}/blob/main/{path}"
        here = f"{self.site}try/?path={lesson}.ipynb"
        return {"Try it in your browser": here, "Binder": binder, "Colab": colab}

    def buttons(self, lesson: str) -> str:
        """These ways as a row of links."""
        links = (
            f'<a href="{escape(address)}">{text}</a>'
            for text, address in self.notebook(lesson).items()
        )
        return f'<p class="open-lesson">{" ".join(links)}</p>'


class OpenDirective(SphinxDirective):
    """The buttons of one lesson."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        buttons = Addresses(self.config.repository).buttons(self.arguments[0])
        return [nodes.raw("", buttons, format="html")]


class RepositoryRole(SphinxRole):
    """A link to the repository."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        address = Addresses(self.config.repository).source
        return [nodes.reference("", self.text, refuri=address)], []


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("repository", "", "env")
    app.add_directive("open", OpenDirective)
    app.add_role("repository", RepositoryRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
