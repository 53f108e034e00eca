"""Conditions on a view, and patterns of actions, as scripts write them.

A condition maps a path of fields of the view in wire form, `farms.0.silver`, to a test: a value, a list of values, or a
table of `min`, `max`, `count` (of a list, itself a test), `has` and `lacks` (an element that matches a pattern).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from domain.lessons.script import Conditions, Pattern


def value_at(view: object, path: str) -> Any:
    """Return the value at a dotted path of keys and list indices in a view, or None."""
    value = view
    for key in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list | tuple) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def passes_test(actual: object, expected: object) -> bool:
    """Return whether a value passes a test: every named test of a mapping, one of a list's values, or equality.

    A list is compared as a whole with another list or tuple.
    """
    if isinstance(expected, Mapping):
        return all(TESTS[name](actual, value) for name, value in expected.items())
    if isinstance(expected, list) and not isinstance(actual, list | tuple):
        return actual in expected
    return bool(list(actual) == expected if isinstance(actual, tuple) else actual == expected)


TESTS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "min": lambda found, least: found is not None and found >= least,
    "max": lambda found, most: found is not None and found <= most,
    "count": lambda found, wanted: passes_test(len(found or ()), wanted),
    "has": lambda found, pattern: any(matches_pattern(each, pattern) for each in found or ()),
    "lacks": lambda found, pattern: not any(matches_pattern(each, pattern) for each in found or ()),
}


def all_hold(view: object, conditions: Conditions) -> bool:
    """Return whether a view meets all conditions."""
    return all(passes_test(value_at(view, path), expected) for path, expected in conditions.items())


def matches_pattern(value: object, pattern: object) -> bool:
    """Return whether an object in wire form matches a pattern; a list there is a choice of values."""
    if not isinstance(pattern, Mapping):
        return passes_test(value, pattern)
    return isinstance(value, Mapping) and all(
        passes_test(value.get(name), expected) for name, expected in pattern.items()
    )


def find_actions(legal: Iterable[Any], patterns: Iterable[Pattern]) -> tuple[Any, ...]:
    """Return the legal actions that match any pattern, in the order of `legal`."""
    all_patterns = tuple(patterns)
    return tuple(
        action
        for action in legal
        if any(matches_pattern(msgspec.to_builtins(action), pattern) for pattern in all_patterns)
    )
