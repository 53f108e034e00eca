"""The accounts database on PostgreSQL: the same tables as in a file, shared by several services."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier
from typing import Any, LiteralString
from uuid import UUID

import msgspec
import psycopg
import pytest
from litestar.testing import TestClient

from api.accounts.access import NoSuchSession
from api.accounts.database_schema import HEAD, SERVER_STEPS
from api.accounts.people import PROVISIONAL, People
from api.accounts.store import SCHEMA
from api.http.csrf import FORMS_SECRET
from api.matches.invitations import Invitations, InvitationUnknown
from api.transparency.service import TRANSPARENCY
from ops.cli import main
from projections.platform.database import DatabaseUnavailable
from projections.platform.migrations.schema import StoreTooNew
from tests.api.service import PASSWORD, settings_in
from tests.domain.eventstore.postgres import stoppable_server, with_one_connection
from tests.seeding import entropy
from tests.service_app import create_app

ROOT = Path(__file__).parents[3]
PATIENCE_SECONDS = 180.0
AT = datetime(2026, 1, 1, tzinfo=UTC)
MATCH = UUID(int=7)

BREAK_OFF = """
import os, signal, sys
from api.accounts.database_schema import WRITE_VERSION, schema_at
from projections.platform.postgres import PostgresDatabase

class Killed(PostgresDatabase):
    def change(self, statement, values=(), /, **named):
        if statement is WRITE_VERSION:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().change(statement, values, **named)

schema_at(sys.argv[1]).migrate(Killed(sys.argv[1], "people"))
"""
"""Create all tables and get killed before the end."""


def columns_in_file(path: Path) -> dict[str, set[str]]:
    People(path).close()
    with closing(sqlite3.connect(path)) as database:
        sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        tables = [name for (name,) in database.execute(sql)]
        return {
            table: {column for (column,) in database.execute("SELECT name FROM pragma_table_info(?)", (table,))}
            for table in tables
        }


def columns_at(server: str) -> dict[str, set[str]]:
    People(server).close()
    sql = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s"
    found: dict[str, set[str]] = {}
    with psycopg.connect(server) as connection:
        for table, column in connection.execute(sql, (SCHEMA,)):
            found.setdefault(table, set()).add(column)
    return found


def test_file_and_server_have_the_same_tables(tmp_path: Path, fresh_postgres: str) -> None:
    at_server = columns_at(fresh_postgres)

    assert at_server.pop("version") == {"number"}
    assert at_server["alembic_version"] == {"version_num"}
    in_file = columns_in_file(tmp_path / "people.db")
    assert {table: columns - {"rowid"} for table, columns in in_file.items()} == {
        table: columns - {"rowid"} for table, columns in at_server.items()
    }


def test_one_of_several_concurrent_services_creates_the_tables(fresh_postgres: str) -> None:
    callers = 6
    together = Barrier(callers)

    def open_and_ask(_: int) -> str:
        together.wait()
        with closing(People(fresh_postgres, entropy())) as people:
            return people.secret("tree")

    with ThreadPoolExecutor(callers) as threads:
        assert len(set(threads.map(open_and_ask, range(callers)))) == 1


def test_a_killed_creation_leaves_no_tables(fresh_postgres: str) -> None:
    command = [sys.executable, "-c", BREAK_OFF, fresh_postgres]
    killed = subprocess.run(command, cwd=ROOT, timeout=PATIENCE_SECONDS, check=False)

    assert killed.returncode == -signal.SIGKILL
    with psycopg.connect(fresh_postgres) as connection:
        sql = "SELECT count(*) FROM information_schema.tables WHERE table_schema = %s"
        assert connection.execute(sql, (SCHEMA,)).fetchone() == (0,)
    with closing(People(fresh_postgres)) as people:
        assert people.create("Ann", PASSWORD, AT).name == "Ann"


@pytest.mark.parametrize(
    ("later", "version", "known"),
    [
        ("UPDATE people.alembic_version SET version_num = '99'", "99", HEAD),
        ("DROP TABLE people.alembic_version; UPDATE people.version SET number = 99", "99", str(SERVER_STEPS)),
    ],
)
def test_a_later_version_is_refused(
    later: LiteralString,
    version: str,
    known: str,
    fresh_postgres: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    People(fresh_postgres).close()
    with psycopg.connect(fresh_postgres) as connection:
        connection.execute(later)

    with pytest.raises(StoreTooNew, match=f"has schema version {version}, .* supports only {known}:"):
        People(fresh_postgres)
    monkeypatch.setenv("ESPORLES_PEOPLE", fresh_postgres)
    assert main(["account", "create", "Ben", "--data", str(tmp_path)]) == 1
    assert f"esporles account: the store of people has schema version {version}" in capsys.readouterr().err


def test_nul_is_stored_as_a_visible_symbol(fresh_postgres: str) -> None:
    with closing(People(fresh_postgres)) as people:
        ann = people.create("Ann", PASSWORD, AT)
        people.access.issue_token(ann, "a\x00b", AT)

        assert [token.label for token in people.access.tokens(ann.id).items] == ["a␀b"]
        assert people.by_name("A\x00nn") is None


def test_invitations_are_paginated_and_withdrawn_on_all_services(people_place: Path | str, people: People) -> None:
    ann, ben = people.create("Ann", PASSWORD, AT), people.create("Ben", PASSWORD, AT)
    with closing(Invitations(people_place)) as invitations, closing(Invitations(people_place)) as others:
        new_invitations = [invitations.create(MATCH, ann.id, AT) for _ in range(3)]
        assert others.accept(new_invitations[0][1], ben.id) == others.accept(new_invitations[0][1], ben.id) == MATCH
        page = invitations.of_match(MATCH, 2)
        rest = invitations.of_match(MATCH, 2, page.next)
        listed = [(each.id, each.used) for each in (*page.items, *rest.items)]
        assert listed == [(new_invitations[2][0].id, 0), (new_invitations[1][0].id, 0), (new_invitations[0][0].id, 1)]
        assert invitations.is_invited(MATCH, ben.id)

        others.revoke(MATCH, new_invitations[0][0].id)

        assert not invitations.is_invited(MATCH, ben.id)
        with pytest.raises(InvitationUnknown):
            invitations.accept(new_invitations[0][1], ben.id)


@pytest.fixture
def houses(tmp_path: Path, fresh_postgres: str) -> Iterator[tuple[TestClient[Any], TestClient[Any]]]:
    """Return two services with a shared database and separate folders."""
    places = {"store": fresh_postgres, "reads": fresh_postgres, "people": fresh_postgres}
    settings = (msgspec.structs.replace(settings_in(tmp_path / name), **places) for name in ("one", "other"))
    with ExitStack() as stack:
        one, other = (stack.enter_context(TestClient(create_app(each, entropy()))) for each in settings)
        yield one, other


def test_services_share_accounts(
    houses: tuple[TestClient[Any], TestClient[Any]],
) -> None:
    one, other = houses
    account = {"name": "Ann", "password": PASSWORD}
    assert one.post("/api/accounts", json=account).status_code == 201
    response = other.post("/api/accounts", json={"name": "ANN", "password": PASSWORD})
    assert response.status_code == 409
    token = other.post("/api/tokens", json=account).json()["secret"]
    headers = {"Authorization": f"Bearer {token}"}

    assert one.get("/api/me", headers=headers).json()["person"]["name"] == "Ann"
    assert one.delete("/api/me", headers=headers).status_code < 300

    assert other.get("/api/me", headers=headers).status_code == 401


def test_services_share_keys_and_secrets(
    houses: tuple[TestClient[Any], TestClient[Any]],
) -> None:
    one, other = houses

    assert FORMS_SECRET.of(one) == FORMS_SECRET.of(other)
    assert TRANSPARENCY.of(one).key == TRANSPARENCY.of(other).key


def test_the_connection_recovers_after_a_restart_of_the_server() -> None:
    with stoppable_server() as server, closing(People(server.address)) as people:
        ann = people.create("Ann", PASSWORD, AT)
        server.stop()
        server.start()

        assert people.find(ann.id) == ann
        people.set_role(ann.id, "operator")
        assert people.operators() == (ann.id,)
        with pytest.raises(NoSuchSession):
            people.access.end_session_of(ann.id, "none")
        assert people.standing(ann.id, AT + PROVISIONAL) == ""


def test_accounts_without_a_connection_for_readers_are_closed(fresh_postgres: str) -> None:
    with with_one_connection(fresh_postgres) as address:
        with pytest.raises(DatabaseUnavailable, match="too many connections") as refused:
            People(address)
        assert refused.tb is not None
