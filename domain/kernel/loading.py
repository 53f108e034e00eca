"""Imports by name: the one place where a module is found by a string."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def load(module: str, name: str) -> Any:
    """What the module calls by that name, imported now.

    For two cases alone; everything else is an `import` at the head of its file. Either the module is one of several
    that follow from data (a command of the console, a title's part), or few runs need it and importing it costs every
    start more than it may: the solver, a driver of a database, the titles where a process can do without them.
    `tests/test_imports.py` lists these, and holds that they are not loaded sooner.
    """
    return getattr(import_module(module), name)


def has_module(module: str) -> bool:
    """Return whether there is a module of that name."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError as missing:
        if not f"{module}.".startswith(f"{missing.name}."):
            raise
        return False


def find_part(module: str, name: str) -> Any:
    """Load a part that a title may have or not. Return `None` where there is no such module; a module that exists and
    cannot be imported fails."""
    return load(module, name) if has_module(module) else None
