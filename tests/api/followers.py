"""Read models in tests of the service: brought up to date at once, where the house has a process of its own."""

from typing import Any

from litestar.testing import TestClient

from projections.catalogue import PROJECTIONS
from projections.follow import Loop


def catch_up(client: TestClient[Any]) -> None:
    """Every projection follows to the end of the log."""
    tables = client.app.state.tables
    Loop(tables._matches, tables._reads, tuple(PROJECTIONS.values())).catch_up()


def make_operator(client: TestClient[Any], person_id: str) -> None:
    """The account becomes one of those who run the service."""
    client.app.state.people.set_role(person_id, "operator")
