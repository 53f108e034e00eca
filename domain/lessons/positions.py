"""Conditions on a view, and patterns of actions, as scripts write them.

A condition names a place by the fields of the view in their wire form, `farms.0.silver`, and says what stands there: a
value, one of several (a list), or a table of `min`, `max`, `count` (of a list, in the same words) and `has` (an element
that agrees with a pattern).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from domain.lessons.script import Conditions, Pattern


def place_in(view: Any, path: str) -> Any:
    """What stands at a place of a view; `None` where there is no such place."""
    found = view
    for key in path.split("."):
        if isinstance(found, Mapping):
            found = found.get(key)
        elif isinstance(found, list | tuple) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def holds(found: Any, wanted: Any) -> bool:
    """Whether what stands at a place is what a condition asks for."""
    if isinstance(wanted, Mapping):
        return all(TESTS[word](found, value) for word, value in wanted.items())
    if isinstance(wanted, list) and not isinstance(found, list | tuple):
        return found in wanted
    return bool(list(found) == wanted if isinstance(found, tuple) else found == wanted)


TESTS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "min": lambda found, least: found is not None and found >= least,
    "max": lambda found, most: found is not None and found <= most,
    "count": lambda found, wanted: holds(len(found or ()), wanted),
    "has": lambda found, pattern: any(agrees(each, pattern) for each in found or ()),
    "lacks": lambda found, pattern: not any(agrees(each, pattern) for each in found or ()),
}


def all_hold(view: Any, conditions: Conditions) -> bool:
    """Whether a view meets all conditions."""
    return all(holds(place_in(view, path), wanted) for path, wanted in conditions.items())


def agrees(thing: Any, pattern: Any) -> bool:
    """Whether a thing in its wire form has what a pattern names; a list there: one of these."""
    if not isinstance(pattern, Mapping):
        return holds(thing, pattern)
    return isinstance(thing, Mapping) and all(holds(thing.get(name), wanted) for name, wanted in pattern.items())


def find_actions(legal: Iterable[Any], patterns: Iterable[Pattern]) -> tuple[Any, ...]:
    """Those of the actions that agree with a pattern, in their order."""
    wanted = tuple(patterns)
    return tuple(action for action in legal if any(agrees(msgspec.to_builtins(action), pattern) for pattern in wanted))
