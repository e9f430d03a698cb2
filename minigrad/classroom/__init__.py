"""For teachers: the lessons as a student's version, as a solved one, and as an nbgrader course.

All three come from the same source: the notebooks and the exercises' definitions. The commands are
``minigrad student``, ``minigrad solved`` and ``minigrad nbgrader``; what a class has handed in is
graded by ``minigrad grade``.
"""

from minigrad.classroom.grading import grade as grade
