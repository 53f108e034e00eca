"""No module uses the application's untyped state, or private names of another module."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from tests.test_tidy import ROOT, SOURCES, nodes

STATE_USERS: Final = {"api/http/app_state.py", "tests/api/http/test_app_state.py", "tests/service_app.py"}
"""The files that define and test the typed keys, and the module that copies applications for tests."""


def states_in(tree: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every use of `app.state`."""
    for node in tree:
        if isinstance(node, ast.Attribute) and node.attr == "state" and ast.unparse(node.value).endswith("app"):
            yield f"{node.lineno}: {ast.unparse(node)}"


def test_the_untyped_state_is_not_used() -> None:
    """`SETTINGS.of(request)` is typed, `request.app.state.settings` is not."""
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


PUBLIC_IN_SPITE_OF_ITS_NAME: Final = {"_replace", "_asdict", "_fields", "_make", "_exit", "_"}
"""Methods of named tuples, `os._exit`, and the marker of messages."""
ALLOWED: Final = {
    ("domain/eventstore/postgres_recorder.py", "super()._insert_stored_events"): (
        "eventsourcing has no hook between the lock on the table and the insertion"
    ),
    ("domain/eventstore/postgres_recorder.py", "super()._fetch_ids_after_insert_events"): (
        "eventsourcing has no hook between the insertion and the commit"
    ),
    ("domain/eventstore/sqlite_recorder.py", "super()._create_connection"): (
        "eventsourcing's pool has no setting for the pragmas of a new connection"
    ),
    ("tests/service_app.py", "app._create_asgi_handler"): (
        "Litestar builds its handler only in the constructor, which registers all routes again"
    ),
    ("workers/turn_worker.py", "super()._install_signal_handlers"): "RQ has no hook for a signal before its loop",
    ("tests/projections/platform/telemetry/test_exporting.py", "traces._provider"): (
        "OpenTelemetry does not tell how many spans wait to be sent"
    ),
}
"""Allowed uses of private names, by file and part of the expression, with the reason."""


def private_uses(tree: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield imports and uses of private names that belong to no class of this module.

    A class uses its own and inherited names as `self._name`; a module uses the private names of its classes.
    """
    tree = tuple(tree)
    own = {name for node in tree if isinstance(node, ast.ClassDef) for name in private_names(node)}
    for node in tree:
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, each.name) for each in node.names if is_private(each.name))
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            holder = ast.unparse(node.value)
            if holder not in {"self", "cls"} and (node.attr not in own or holder == "super()"):
                yield node.lineno, ast.unparse(node)


def private_names(owner: ast.ClassDef) -> Iterator[str]:
    """Yield the private names that a class defines: methods, fields, and attributes of `self`."""
    for node in ast.walk(owner):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            yield node.attr


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC_IN_SPITE_OF_ITS_NAME


def is_allowed(file: str, use: str) -> bool:
    return any(file == allowed and part in use for allowed, part in ALLOWED)


def test_private_names_are_used_only_by_their_module() -> None:
    """Add a public function, or test public behaviour; a library's name needs a line in `ALLOWED`."""
    uses = [(str(path.relative_to(ROOT)), line, use) for path in SOURCES for line, use in private_uses(nodes(path))]
    assert not [f"{name}:{line}: {use}" for name, line, use in uses if not is_allowed(name, use)]
    unused = {(file, part) for file, part in ALLOWED if not any(f == file and part in use for f, _, use in uses)}
    assert not unused


def test_a_use_of_a_private_name_is_found() -> None:
    text = """
from accounts import _hidden, shown
class Own:
    _field: int
    def _method(self): self._kept = super()._inherited(); other._kept
    def __eq__(self, other): return self._field == other._field
row._replace(a=1)
people._rows("SELECT")
"""
    found = [use for _, use in private_uses(ast.walk(ast.parse(text)))]
    assert sorted(found) == ["_hidden", "people._rows", "super()._inherited"]
