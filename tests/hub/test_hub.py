"""Twenty students at a real JupyterHub, each in a lesson of their own, all at once."""

from collections.abc import Iterator

import pytest

from tests.hub.lesson_hour import FOLDER, Hour, Work, lesson_hour
from tests.hub.student import Student

pytestmark = pytest.mark.hub

CLASS = 20
MOST = 150  # megabytes for a student


@pytest.fixture(scope="module")
def hour() -> Iterator[Hour]:
    """The class when all have finished; servers and kernels are still there."""
    with lesson_hour(CLASS) as hour:
        yield hour


@pytest.fixture(scope="module")
def pair(hour: Hour) -> tuple[Work, Work]:
    """Two students: who pries, and the one pried on."""
    return hour.works[0], hour.works[1]


def test_everybody_finishes_with_the_outputs_that_are_committed(hour: Hour) -> None:
    assert len(hour.works) == CLASS
    assert {work.student.name: work.difference for work in hour.works if work.difference} == {}


def test_a_student_takes_no_more_memory_than_is_reckoned_with(hour: Hour) -> None:
    totals = {work.student.name: hour.most(work).total for work in hour.works}
    assert all(totals.values())
    assert {name: total for name, total in totals.items() if total > MOST} == {}


def test_nobody_reads_anothers_files_through_the_hub(pair: tuple[Work, Work]) -> None:
    prying, other = pair[0].student, pair[1].student
    for path in ("api/contents", f"api/contents/{FOLDER}", "api/kernels", "api/sessions"):
        assert prying.try_to("GET", f"{prying.base}/{path}").status_code == 200
        assert prying.try_to("GET", f"{other.base}/{path}").status_code == 403
    kernel = f"{other.base}/api/kernels/{other.kernel}"
    assert prying.try_to("POST", f"{kernel}/interrupt").status_code == 403
    assert prying.try_to("GET", f"/hub/api/users/{other.name}").status_code == 404


@pytest.mark.parametrize(
    "attempt",
    [
        "open(f'{home}/FOLDER/00_start_here.ipynb').read()",
        "open(f'{home}/FOLDER/left_here.txt', 'w')",
        "os.listdir(home)",
        "os.listdir(f'{home}/.run')",
        "os.chdir(home)",
        "open(f'/proc/{process}/environ').read()",
        "os.kill(process, 0)",
    ],
)
def test_nobody_reaches_anothers_files_or_processes_from_a_kernel(
    pair: tuple[Work, Work], attempt: str
) -> None:
    """What a student may do at home is refused at another's."""
    prying, other = pair[0].student, pair[1].student

    def errors(whose: Student) -> list[str]:
        where = whose.printed("import os; print((os.path.expanduser('~'), os.getpid()))").strip()
        told = prying.run(f"import os; home, process = {where}; _ = {attempt}")
        return [output.ename for output in told]

    attempt = attempt.replace("FOLDER", FOLDER)
    assert errors(prying) == []
    assert errors(other) == ["PermissionError"]


def test_no_kernel_listens_where_others_could(hour: Hour) -> None:
    """Its sockets are files in a home that is closed, not ports of the machine."""
    asked = "print(get_ipython().kernel.parent.transport)"
    assert {work.student.printed(asked) for work in hour.works} == {"ipc\n"}


def test_pulling_again_keeps_what_a_student_has_written(pair: tuple[Work, Work]) -> None:
    student = pair[0].student
    note = f"os.path.expanduser('~/{FOLDER}/note.txt')"
    student.run(f"import os; print('mine', file=open({note}, 'w'))")
    student.pull_lessons()
    assert student.printed(f"print(open({note}).read(), end='')") == "mine\n"
