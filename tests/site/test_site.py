"""The site as files: every link leads somewhere, nothing is fetched, all can be read aloud."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup

import minigrad
import minigrad.exercises
import minigrad.viz
import minigrad.widgets
from docs.extension.addresses import Addresses
from docs.extension.causes import all_raised
from docs.extension.examples import LESSONS, examples
from docs.extension.live import cell_page, cell_title, shown_cells
from docs.extension.names import function_names

pytestmark = pytest.mark.site

# What a browser fetches by itself.
FETCHED = {
    "img": ("src", "srcset"),
    "script": ("src",),
    "iframe": ("src",),
    "link": ("href",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "object": ("data",),
}


@cache
def page(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path: Path) -> frozenset[str]:
    return frozenset(tag["id"] for tag in page(path).find_all(id=True))


def pages(site: Path) -> list[Path]:
    """The pages that have been made of the sources; the live graphs are pages by themselves."""
    found = [path for path in site.rglob("*.html") if path.parent.name != "graphs"]
    assert len(found) > 30
    return found


def broken(path: Path, address: str) -> bool:
    """Whether a link of a page to another of the site leads to nothing."""
    parts = urlsplit(address)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return True
    # Python's own pages of all names make their anchors as they go.
    return bool(parts.fragment) and unquote(parts.fragment) not in {*anchors(target), "top"}


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(built: Path) -> None:
    missing = [
        f"{path.relative_to(built)}: {tag[kind]}"
        for path in pages(built)
        for kind in ("href", "src")
        for tag in page(path).find_all(attrs={kind: True})
        if not urlsplit(tag[kind]).scheme and broken(path, tag[kind])
    ]
    assert missing == []


def test_addresses_elsewhere_are_well_formed(built: Path) -> None:
    """No more than that: the test has no network, and nobody's server is asked."""
    addresses = {
        tag["href"]
        for path in pages(built)
        for tag in page(path).find_all("a", href=True)
        if urlsplit(tag["href"]).scheme
    }
    assert addresses
    for address in addresses:
        parts = urlsplit(address)
        assert parts.scheme == "https", address
        assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc), address
        assert not re.search(r"\s", address), address


def test_no_page_fetches_anything_from_elsewhere(built: Path) -> None:
    fetched = [
        (path.name, tag[kind])
        for path in pages(built)
        for name, kinds in FETCHED.items()
        for tag in page(path).find_all(name)
        for kind in kinds
        if kind in tag.attrs and urlsplit(tag[kind]).scheme not in ("", "data")
        if "canonical" not in tag.get("rel", ())  # which says an address
    ]
    styles = [
        (path.name, address)
        for path in built.rglob("*.css")
        for address in re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", path.read_text())
        if urlsplit(address).scheme not in ("", "data")
    ]
    assert fetched == styles == []


def test_pictures_say_in_words_what_they_show(built: Path) -> None:
    for path in pages(built):
        for image in page(path).find_all("img"):
            assert image.get("alt", "").strip(), f"{path}: {str(image)[:100]}"
        for picture in page(path).select("figure.graph svg, svg[role=img]"):
            assert picture.get("aria-label") or picture.find("title"), path
        for frame in page(path).find_all("iframe"):
            assert frame.get("title"), path


def test_pages_have_a_language_a_title_and_one_main_heading(built: Path) -> None:
    titles = []
    for path in pages(built):
        assert page(path).html is not None
        assert page(path).html["lang"].startswith("en")  # type: ignore[index, union-attr]
        titles.append(page(path).title.text)  # type: ignore[union-attr]
        if path.parent != built:
            assert len(page(path).find_all("h1")) == 1, path
    assert len(set(titles)) == len(titles) - 1  # the page at the top leads to the start page


@pytest.mark.parametrize("lesson", sorted(path.stem for path in LESSONS.glob("*.ipynb")))
def test_a_lesson_shows_what_is_committed(lesson: str, built: Path) -> None:
    shown = " ".join(page(built / "lessons" / f"{lesson}.html").get_text().split())
    pictures = (built / "lessons" / f"{lesson}.html").read_text(encoding="utf-8")
    notebook = nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4)
    for number, cell in enumerate(shown_cells(notebook)):
        if cell.cell_type != "code":
            continue
        if cell_title(cell.source):  # it is alive, in place of its picture
            assert cell_page(lesson, number) in pictures
            assert (built / cell_page(lesson, number)).is_file()
            continue
        assert " ".join(cell.source.split()) in shown
        for output in cell.outputs:
            data = output.get("data", {})
            said = output.get("text") or output.get("evalue") or data.get("text/plain", "")
            if "text/html" not in data and "image/png" not in data:
                assert " ".join(said.split()) in shown
            for kind in ("image/svg+xml", "image/png"):
                assert data.get(kind, "").strip() in pictures


@pytest.mark.parametrize("lesson", sorted(path.stem for path in LESSONS.glob("*.ipynb")))
def test_a_lessons_buttons_open_that_notebook(lesson: str, built: Path) -> None:
    links = page(built / "lessons" / f"{lesson}.html").select(".open-lesson a")
    ways = Addresses("minigrad-lessons/minigrad").notebook(lesson)
    assert {link.text: link["href"] for link in links} == ways
    assert all(way.endswith(f"{lesson}.ipynb") for way in ways.values())


def test_each_cause_has_a_page_with_its_message_and_what_to_write(built: Path) -> None:
    for it in all_raised():
        (heading,) = page(built / f"{it.page}.html").find_all("h1")
        assert " ".join(heading.text.removesuffix("¶").split()) == " ".join(it.heading.split())
        shown = [code.text.strip() for code in page(built / f"{it.page}.html").find_all("pre")]
        for fix in it.report.explanation.fixes:
            assert fix.code.strip() in ("", *shown)


def test_a_page_says_what_it_is_to_others(built: Path) -> None:
    for path in pages(built):
        if path.parent != built:
            for name in ({"name": "description"}, {"property": "og:image"}):
                tag = page(path).find("meta", attrs=name)
                assert tag is not None, path
                assert tag["content"], path
    assert (built / "_static" / "card.png").read_bytes().startswith(b"\x89PNG")
    assert (built / ".nojekyll").is_file()


def test_live_graphs_stand_in_the_lessons_and_in_the_gallery(built: Path) -> None:
    for example in examples():
        assert (built / example.page).is_file()
        for name in (f"lessons/{example.lesson}.html", "docs/gallery.html"):
            frames = [frame["src"] for frame in page(built / name).find_all("iframe")]
            assert f"../{example.page}" in frames
        assert (built / example.steps_page).is_file()


def public_names() -> set[str]:
    """What users import: not modules, constants, or in-place forms of other functions."""
    names = {f"minigrad.{name}" for name in function_names()}
    for module in (
        minigrad.nn,
        minigrad.nn.functional,
        minigrad.optim,
        minigrad.viz,
        minigrad.exercises,
        minigrad.widgets,
    ):
        members = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
        names |= {
            f"{module.__name__}.{name}"
            for name, member in members.items()
            if getattr(member, "__module__", "").startswith(module.__name__)
        }
    return names


def test_the_reference_has_every_public_name(built: Path) -> None:
    reference = " ".join(
        path.read_text(encoding="utf-8") for path in (built / "docs" / "reference").glob("*.html")
    )
    documented = {unescape(name) for name in re.findall(r'<dt [^>]*id="([\w.]+)"', reference)}
    assert public_names() - documented == set()


def test_it_can_be_searched_without_a_server(built: Path) -> None:
    index = (built / "searchindex.js").read_text(encoding="utf-8")
    found = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    names = found["docnames"]
    assert {f"lessons/{path.stem}" for path in LESSONS.glob("*.ipynb")} < set(names)
    hits = found["terms"]["accumulategrad"]
    assert len(hits if isinstance(hits, list) else [hits]) > 3
