"""Read models in tests of the service: brought up to date at once, where the house has a process of its own."""

from typing import Any

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.matches.service import MATCHES
from api.web.clock import now
from domain.leagues import commands
from projections import leagues
from projections.catalogue import PROJECTIONS
from projections.loop import Loop


def catch_up(client: TestClient[Any]) -> None:
    """Every projection follows to the end of the log."""
    tables = MATCHES.of(client)
    Loop(tables.writer.matches, tables.writer.reads, tuple(PROJECTIONS.values())).catch_up()


def open_tables(client: TestClient[Any]) -> None:
    """Every table of a league whose round is open has its match, as after the job of a worker."""
    catch_up(client)
    tables = MATCHES.of(client)
    for row in leagues.leagues(tables.writer.reads).items:
        found = leagues.get(tables.writer.reads, row.league_id)
        assert found is not None
        league = found[1]
        for table in tuple(commands.waiting_tables(tables.writer.matches, league, ())):
            commands.open_table(tables.writer.matches, league.id, table, at=now())
    catch_up(client)


def make_operator(client: TestClient[Any], person_id: str) -> None:
    """The account becomes one of those who run the service."""
    PEOPLE.of(client).set_role(person_id, "operator")
