"""Exercises: a learner writes an answer, and `check` says what it shows.

>>> from minigrad.exercises import check
>>> a_grad = ...
>>> check("04_diamond")
<04_diamond: not attempted>
"""

from minigrad.exercises.asking import explain as explain
from minigrad.exercises.asking import predict as predict
from minigrad.exercises.asking import recall as recall
from minigrad.exercises.cell_guard import watch as _watch
from minigrad.exercises.checking import check as check
from minigrad.exercises.checking import hint as hint
from minigrad.exercises.checking import progress as progress
from minigrad.exercises.checking import solution as solution

_watch()
