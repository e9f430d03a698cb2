"""check, hint and solution: what a learner calls."""

import os
import sys
from dataclasses import replace
from functools import partial

from IPython.core.getipython import get_ipython

from minigrad.exercises import standing
from minigrad.exercises.exercise import all_exercises, find
from minigrad.exercises.help import Help
from minigrad.exercises.judging import judge
from minigrad.exercises.result import (
    NOT_ATTEMPTED,
    RIGHT,
    Result,
    Told,
)


def check(exercise_id: str) -> Result:
    """Look at the answers to an exercise among the caller's variables, and say what they show.

    Not attempted, not yet (with a diagnosis), or right. It runs the answers, silently, each call
    for five seconds at most, and leaves all tensors, gradients and random numbers as they were. It
    raises nothing, whatever the answers are.
    """
    namespace = sys._getframe(1).f_globals
    try:
        exercise = find(exercise_id)
    except LookupError as error:
        return Result(str(error), "", str(exercise_id), NOT_ATTEMPTED)
    found = judge(exercise, namespace)
    if found.outcome != NOT_ATTEMPTED:
        unsaved = standing.note(exercise.id, attempts=1, solved=found.outcome == RIGHT)
        found = replace(found, message="\n\n".join(filter(None, [found.message, unsaved])))
    if found.outcome == RIGHT or get_ipython() is None:
        return found
    ways = partial(hint, exercise.id), partial(solution, exercise.id)
    return replace(found, buttons=Help(found, *ways))


def hint(exercise_id: str) -> Told:
    """The next hint for an exercise; one more each time, and after the last one the last again."""
    try:
        exercise = find(exercise_id)
    except LookupError as error:
        return Told("No such exercise", str(error))
    seen = standing.standing(exercise.id).hints
    taken = min(seen, len(exercise.hints) - 1)
    if seen < len(exercise.hints):
        standing.note(exercise.id, hints=1)
    message = exercise.hints[taken]
    if taken + 1 == len(exercise.hints):
        message += (
            f'\n\nThis was the last hint. After an attempt, there is `solution("{exercise.id}")`'
        )
    return Told(f"{exercise.title}: hint {taken + 1} of {len(exercise.hints)}", message)


def solution(exercise_id: str) -> Told:
    """The solutions of an exercise, as code, once it was attempted.

    To teachers, who set MINIGRAD_TEACHER in the environment, they are shown at once.
    """
    try:
        exercise = find(exercise_id)
    except LookupError as error:
        return Told("No such exercise", str(error))
    if not standing.standing(exercise.id).attempts and not os.environ.get("MINIGRAD_TEACHER"):
        return Told(
            f"{exercise.title}: try it first",
            f'Write an answer, even if you doubt it, and run `check("{exercise.id}")`. '
            "You'll learn more from what it says than from the solution.",
        )
    ways = [
        "\n".join(f"    {line}" for line in way.strip("\n").split("\n"))
        for way in exercise.solutions
    ]
    message = "\n\nAnother way:\n\n".join(ways)
    if exercise.because:
        message += f"\n\n{exercise.because}"
    return Told(f"{exercise.title}: solution", message)


def progress() -> Told:
    """A table of the exercises: solved or not, attempts and hints; and the predictions so far."""
    known = standing.standings()
    exercises = all_exercises()
    width = max(len(exercise.title) for exercise in exercises)
    lines = [f"    {'':5}{'exercise':{width}}  attempts  hints"]
    for exercise in exercises:
        now = known.get(exercise.id, standing.Standing())
        sign = "✓" if now.solved else "→" if now.attempts else "○"
        place = f"{sign} {exercise.id[:2]}"
        lines.append(f"    {place} {exercise.title:{width}}{now.attempts:10}{now.hints:7}")
    solved = sum(now.solved for key, now in known.items() if key in {e.id for e in exercises})
    picks = [now for key, now in known.items() if key[2:4] in ("_p", "_r") and key[4:].isdigit()]
    if picks:
        right = sum(now.solved for now in picks)
        lines.append(f"\nPredictions and questions: {right} of {len(picks)} right.")
    return Told(f"Exercises: {solved} of {len(exercises)} solved", "\n".join(lines))
