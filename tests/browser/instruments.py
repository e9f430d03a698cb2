"""How each instrument is used: what a learner does with it, wherever a lesson has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from minigrad.viz.backward.orders import ORDERS, RECURSION
from minigrad.widgets.clinic_cases import CASES

if TYPE_CHECKING:
    from playwright.sync_api import Locator

_CHANGED = "([box, text]) => box.textContent !== text"
# Widgets have a queue of their own in the kernel, beside that of the cells: once the last message
# in it is answered, the page knows what came of those before.
ANSWERED = """async () => {
    const comms = [...lesson.sessionContext.session.kernel._comms.values()];
    const comm = comms.find(one => one.targetName === 'jupyter.widget');
    await comm.send({method: 'request_state'}).done;
}"""

Step = Callable[["Desk"], None]


class Desk:
    """An instrument on the page, and the hands of whoever uses it."""

    def __init__(self, box: Locator) -> None:
        box.wait_for()
        self.box = box
        self.title = box.get_by_role("heading").first.inner_text()

    def do(self, act: Callable[[], object]) -> None:
        """Act, and wait until the instrument shows that something came of it."""
        box, text = self.box.element_handle(), self.box.text_content()
        act()
        self.box.page.wait_for_function(_CHANGED, arg=[box, text])
        self.box.page.evaluate(ANSWERED)

    def says(self, words: str) -> None:
        """Wait until it has announced something that begins so."""
        said = self.box.get_by_role("status").filter(has_text=re.compile(f"^({words})"))
        said.first.wait_for()

    def use(self) -> None:
        """Do all that there is to do."""
        for step in USES[self.title]:
            step(self)


def predict(desk: Desk) -> None:
    """Answer the open question with the first thing that its control offers."""
    offers = [desk.box.get_by_role(role).first for role in ("radio", "checkbox")]
    offered = next((offer for offer in offers if offer.is_visible()), None)
    if offered is not None:
        offered.check()
    else:
        field = desk.box.get_by_label("Prediction")
        such_as = field.get_attribute("placeholder") or ""
        field.fill(such_as.removeprefix("such as ").removesuffix(", or None"))
    press("Predict")(desk)
    desk.says("Right|Not quite")


def predict_all(desk: Desk) -> None:
    """Predict until nothing more is asked."""
    button = desk.box.get_by_role("button", name="Predict", exact=True)
    assert button.is_visible()
    while button.is_visible():
        predict(desk)


def watch(desk: Desk) -> None:
    """Let it play once, then begin to predict."""
    press("Show me")(desk)
    desk.box.get_by_role("button", name="Now you").wait_for()
    press("Now you")(desk)


def walk_to_the_end(desk: Desk) -> None:
    """Step by step, with a prediction wherever one is asked for."""
    forward = desk.box.get_by_role("button", name="Forward")
    field = desk.box.get_by_role("textbox")
    while forward.is_enabled():
        if field.is_visible():
            field.fill((field.get_attribute("placeholder") or "").removeprefix("such as "))
            press("Predict")(desk)
            desk.says("Right|Not quite")
        else:
            press("Forward ▸")(desk)
    desk.box.get_by_text("Backward is over").first.wait_for()


def press(name: str | re.Pattern[str]) -> Step:
    def step(desk: Desk) -> None:
        desk.do(desk.box.get_by_role("button", name=name, exact=True).first.click)

    return step


def press_arrow(desk: Desk) -> None:
    desk.do(lambda: desk.box.get_by_role("button", name=re.compile(" into ")).first.press("Enter"))


def choose(label: str | re.Pattern[str], option: str) -> Step:
    """Choose from the (first) list with this label."""

    def step(desk: Desk) -> None:
        control = desk.box.get_by_label(label).first
        desk.do(lambda: control.select_option(option))

    return step


def choose_last(label: str) -> Step:
    """Choose the last entry of a list, where there is one."""

    def step(desk: Desk) -> None:
        control = desk.box.get_by_label(label)
        if control.count():
            last = control.locator("option").last.inner_text()
            desk.do(lambda: control.select_option(last))

    return step


def press_all(*names: str) -> Step:
    """Press these one after the other, where the instrument has them."""

    def step(desk: Desk) -> None:
        if desk.box.get_by_role("button", name=names[0], exact=True).count():
            for name in names:
                press(name)(desk)
            predict_all(desk)

    return step


def slide(desk: Desk, key: str = "ArrowRight") -> None:
    desk.do(lambda: desk.box.get_by_role("slider").first.press(key))


def slide_back(desk: Desk) -> None:
    slide(desk, "ArrowLeft")


def cure_all(desk: Desk) -> None:
    """Each case of the clinic: a hint, a wrong diagnosis, the right one, the old text, a cure."""
    buttons = desk.box.get_by_title(re.compile(r"^Case \d")).count()  # none for a single case
    for number in range(1, max(buttons, 1) + 1):
        if number > 1:
            press(str(number))(desk)
        case = next(one for one in CASES if f"“{one.complaint}”" in desk.box.inner_text())
        press("Hint")(desk)
        for diagnosis in (next(iter(case.others)), case.cause):
            desk.box.get_by_label(diagnosis, exact=True).check()
            press("Diagnose")(desk)
        desk.says("Right")
        press("Run")(desk)
        desk.box.get_by_label("Your cure").fill(case.fix)
        press("Run")(desk)
        desk.says("Cured")


# By the heading of the instrument.
USES: dict[str, tuple[Step, ...]] = {
    "Accumulation ledger": (press_all("backward()", "backward()", "zero_()", "grad = None"),),
    "Backward stepper": (
        watch,
        walk_to_the_end,
        press("◂ Back"),
        press("More ▾"),
        press("Start"),
        slide,
        press("End"),
        choose("Order", ORDERS[RECURSION]),
        walk_to_the_end,
    ),
    "Clinic": (cure_all,),
    "Gradient check": (predict_all, slide_back, choose("dtype", "float64"), predict_all),
    "Graph cutter": (
        press_arrow,
        predict,
        press_arrow,
    ),
    "Leaf inspector": (predict_all,),
    "Loop lamps": (
        press("● zero"),
        predict,
        press("○ zero"),
        press("⇅"),
        predict,
    ),
    "Playground": (press("Step"), predict, press("Run"), press("Stop"), choose("data", "moons")),
    "VJP bench": (
        press(re.compile(r"^v = \[0, 1")),
        predict,
        slide,
        predict,
        choose_last("function"),
    ),
}
