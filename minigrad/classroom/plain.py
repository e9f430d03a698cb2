"""A first grader, without a sandbox: it runs the cells and judges each exercise at its check."""

import contextlib
import io
import sys
from pathlib import Path
from typing import Any

from minigrad.classroom.builds import exercises_in, read
from minigrad.classroom.grades import ExerciseGrade, Grade
from minigrad.classroom.submission import exercises_of_lesson
from minigrad.exercises.cell_guard import remember
from minigrad.exercises.checking import judge
from minigrad.exercises.result import NOT_ATTEMPTED, RIGHT


def main() -> None:
    """Print the grade of the notebook as JSON."""
    path, lesson = Path(sys.argv[1]), sys.argv[2]
    notebook = read(path)
    places = {at: exercise for exercise, at in exercises_in(notebook)}
    namespace: dict[str, Any] = {"__name__": "__main__"}
    grades = {
        one.id: ExerciseGrade(one.id, NOT_ATTEMPTED, "") for one in exercises_of_lesson(lesson)
    }
    with contextlib.redirect_stdout(io.StringIO()):
        for at, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] != "code":
                continue
            error = None
            try:
                exec(cell["source"], namespace)
            except Exception as raised:
                error = raised
            if at in places:
                exercise = places[at]
                remember(exercise.id, error, namespace)
                found = judge(exercise, namespace)
                points = int(found.outcome == RIGHT)
                grades[exercise.id] = ExerciseGrade(
                    exercise.id, found.outcome, found.message, found.misconception, points
                )
    print(Grade(lesson, tuple(grades.values())).to_json())


if __name__ == "__main__":
    main()
