"""Parts of a title on other floors, found by its name."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def find_part(module: str, name: str) -> Any:
    """What the module calls by that name; `None` where there is no such module. A module that is there and cannot be
    imported fails."""
    try:
        is_there = find_spec(module) is not None
    except ModuleNotFoundError as missing:
        if not f"{module}.".startswith(f"{missing.name}."):
            raise
        is_there = False
    return getattr(import_module(module), name) if is_there else None
