"""The clinic's cases, by lesson: one file each."""

import importlib
import pkgutil

from minigrad.widgets.clinic_cases.case import Case


def _all_cases() -> tuple[Case, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    lessons = [name for name in names if name.startswith("lesson_")]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in lessons]
    return tuple(case for module in modules for case in module.CASES)


CASES = _all_cases()
