"""Dynamic imports: the only place that finds a module by a string."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def load(module: str, name: str) -> Any:
    """Import a module and return its attribute.

    Use it only if the module follows from data (a console command, a title's part), or if few runs need it and
    importing it slows down every start: the solver, a database driver, the titles. Everything else is an `import` at
    the top of its file. `tests/test_imports.py` lists these modules and checks that they are not loaded earlier.
    """
    return getattr(import_module(module), name)


def has_module(module: str) -> bool:
    """Return whether a module of that name exists; False also if a package that contains it is missing."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError as missing:
        if not f"{module}.".startswith(f"{missing.name}."):
            raise
        return False


def find_part(module: str, name: str) -> Any:
    """Return an optional part of a title, or None if its module does not exist.

    A module that exists and cannot be imported raises its error.
    """
    return load(module, name) if has_module(module) else None
