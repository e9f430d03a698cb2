"""Somebody who learns from a lesson: uses what is on its page, and does its exercises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minigrad.exercises.cells import check_source, code_source
from minigrad.exercises.exercise import Exercise
from tests.browser.instruments import Desk
from tests.browser.lesson import PATIENCE, Lesson, in_time

if TYPE_CHECKING:
    from playwright.sync_api import Locator

# JupyterLab takes cells that are far away off the page; the one that is worked on is there.
_SELECT = """async at => {
    lesson.content.activeCellIndex = at;
    await lesson.content.scrollToItem(at, 'center');
}"""
_FIND = """text => {
    const at = lesson.content.widgets.findIndex(cell => cell.model.sharedModel.source === text);
    if (at < 0) throw new Error(`no cell holds: ${text}`);
    return at;
}"""
_WITH_WIDGETS = """() => lesson.content.widgets.flatMap((cell, at) =>
    cell.outputArea?.model.toJSON().some(
        output => output.data?.['application/vnd.jupyter.widget-view+json']) ? [at] : [])"""
_WRITE = "text => lesson.content.activeCell.model.sharedModel.setSource(text)"
_RUN = in_time("() => jupyterapp.commands.execute('notebook:run-cell')")
_ADD = "() => jupyterapp.commands.execute('notebook:insert-cell-below')"


class Student:
    """Works in the lesson's page, cell by cell."""

    def __init__(self, lesson: Lesson) -> None:
        self.page = lesson.page
        self.cell = lesson.page.locator(".jp-Notebook .jp-Cell.jp-mod-active")

    def uses_widgets(self) -> list[str]:
        """Use each instrument as its steps say, and each live graph; their titles, in order."""
        used = []
        for at in self.page.evaluate(_WITH_WIDGETS):
            self.page.evaluate(_SELECT, at)
            instrument = self.cell.locator(".minigrad-instrument, .minigrad-steps")
            kinds = ".minigrad-instrument, .minigrad-steps, .minigrad-live, .minigrad-nudge"
            self.cell.locator(kinds).first.wait_for()
            if self.cell.locator(".minigrad-nudge").count():
                _moves_a_number(self.cell.locator(".minigrad-nudge"))
                used.append("Nudge")
            elif self.cell.locator(".minigrad-ask, .minigrad-explain, .minigrad-help").count():
                used.append(self._thinks())
            elif instrument.count():
                desk = Desk(instrument)
                desk.use()
                used.append(desk.title)
            else:
                _opens_a_node(self.cell.locator(".minigrad-live"))
                used.append("Live graph")
        return used

    def _thinks(self) -> str:
        """Pick the first option of each question, explain something, or ask for a hint."""
        for group in self.cell.locator(".minigrad-ask .widget-radio-box").all():
            if group.get_by_role("radio").first.is_enabled():  # a later cell has settled the others
                group.get_by_role("radio").first.check()
        for field in self.cell.locator(".minigrad-explain textarea").all():
            field.fill("Because gradients add up.")
            self.cell.get_by_role("button", name="Compare").click()
            self.cell.get_by_role("status").filter(has_text="A model answer").wait_for()
        for button in self.cell.locator(".minigrad-help").get_by_role("button", name="Hint").all():
            button.click()
            self.cell.get_by_role("status").filter(has_text="hint 1 of 3").wait_for()
        return "Question"

    def answers(self, exercise: Exercise, code: str, instead_of: str, shows: str) -> None:
        """Write and run an answer where another one stands; the check below it then shows this."""
        self._goes_to(code_source(exercise, instead_of))
        self.page.evaluate(_WRITE, code_source(exercise, code))
        self.page.evaluate(_RUN)
        self._goes_to(check_source(exercise))
        self._runs(shows)

    def types(self, code: str, shows: str) -> None:
        """Add a cell, type a line into it and run it; it then shows this."""
        self.page.evaluate(_ADD)
        self.cell.locator(".cm-content").click()
        self.page.keyboard.type(code)
        self.page.wait_for_function(
            "code => lesson.content.activeCell.model.sharedModel.source === code", arg=code
        )
        self._runs(shows)

    def _goes_to(self, source: str) -> None:
        self.page.evaluate(_SELECT, self.page.evaluate(_FIND, source))

    def _runs(self, shows: str) -> None:
        from playwright.sync_api import expect

        self.page.evaluate(_RUN)
        shown = self.cell.locator(".jp-Cell-outputArea")
        expect(shown).to_contain_text(shows, use_inner_text=True, timeout=PATIENCE)


def _moves_a_number(nudge: Locator) -> None:
    nudge.get_by_role("slider").first.press("ArrowRight")
    nudge.get_by_role("status").filter(has_text="You moved").wait_for()


def _opens_a_node(graph: Locator) -> None:
    """By keyboard: what there is to say of a node, and back to the graph."""
    graph.locator("g.box[tabindex='0']").focus()
    graph.page.keyboard.press("Enter")
    graph.get_by_role("region").wait_for()
    graph.page.keyboard.press("Escape")
    graph.get_by_role("region").wait_for(state="hidden")
