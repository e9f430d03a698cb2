"""Notebooks as students would hand them in."""

import json
from pathlib import Path

from minigrad.classroom.builds import exercises_in, read, student
from minigrad.exercises.cells import code_source

LESSONS = Path(__file__).parents[3] / "lessons"


def written(path: Path, lesson: str, answers: dict[str, str], solved: bool = True) -> Path:
    """A lesson handed in with these answers; the other exercises solved, or as they were."""
    (source,) = LESSONS.glob(f"{lesson}_*.ipynb")
    notebook = read(source)
    student(notebook)
    for exercise, at in exercises_in(notebook):
        otherwise = exercise.solutions[0] if solved else exercise.starter
        code = answers.get(exercise.id, otherwise)
        notebook["cells"][at]["source"] = code_source(exercise, code)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path
