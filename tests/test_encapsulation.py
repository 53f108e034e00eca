"""No use of the application's untyped state, and none of a private name, outside the module that defines it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tests.test_tidy import ROOT, SOURCES, nodes

STATE_USERS: Final = {"api/http/app_state.py", "tests/api/http/test_app_state.py"}
"""The files that define the typed keys and test them."""


def states_in(tree: Iterator[ast.AST] | tuple[ast.AST, ...]) -> Iterator[str]:
    """Yield every use of `app.state`."""
    for node in tree:
        if isinstance(node, ast.Attribute) and node.attr == "state" and ast.unparse(node.value).endswith("app"):
            yield f"{node.lineno}: {ast.unparse(node)}"


def test_values_of_the_application_are_found_by_typed_keys() -> None:
    """`SETTINGS.of(request)` has a type, `request.app.state.settings` has none."""
    faults = [
        f"{name}:{fault}"
        for path in SOURCES
        if (name := str(path.relative_to(ROOT))) not in STATE_USERS
        for fault in states_in(nodes(path))
    ]
    assert not faults


def test_a_use_of_the_untyped_state_is_found() -> None:
    tree = ast.parse("found = client.app.state.people\nkept = app.state['people']\nmatch.state\nfirst(app).state")
    assert list(states_in(tuple(ast.walk(tree)))) == ["1: client.app.state", "2: app.state"]
