"""What a run of grading ends with if it cannot go on."""


class CannotGrade(Exception):
    """Something the teacher can put right; its text says how."""
