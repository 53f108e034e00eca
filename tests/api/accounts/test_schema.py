"""Upgrades of the accounts database: each revision runs once, in one transaction, and never back."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

import pytest
from argon2 import PasswordHasher

from api.accounts.database_schema import FILE_STEPS, HEAD, PeopleSteps, schema_at
from api.accounts.people import People
from api.http.digests import digest
from api.http.identity import SCOPES, Bearer, Person
from ops.cli import main
from projections.platform.database import SqliteDatabase
from projections.platform.migrations.schema import Readable, StoreTooNew
from tests.api.service import PASSWORD

ROOT = Path(__file__).parents[3]
PATIENCE_SECONDS = 60.0
AT = datetime(2026, 1, 1, tzinfo=UTC)
ANN, GUEST, OLD_GUEST = "a" * 32, "b" * 32, "c" * 32
SESSION, TOKEN = "a-session", "esp_a-token"

FIRST = """
CREATE TABLE people (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
    password TEXT, role TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE sessions (
    digest TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, expires TEXT NOT NULL);
CREATE TABLE tokens (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    label TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
"""The database before versions were recorded."""

BREAK_OFF = """
import os, signal, sys
from pathlib import Path
from api.accounts.database_schema import schema_at
from projections.platform.database import SqliteDatabase

file = SqliteDatabase(Path(sys.argv[1]))
file.connection.create_function("be_killed", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
schema = schema_at(sys.argv[1])
schema._replace(head=sys.argv[3], revisions=(*schema.revisions, sys.argv[2])).migrate(file)
"""
"""Run all revisions, and get killed within another one."""
NEXT = str(int(HEAD) + 1)
"""The number of a revision that does not exist yet."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return an old database with a person, two guests, a session, a token and a secret."""
    file = tmp_path / "people.db"
    hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    people = [
        (ANN, "Guest Ann", "guest ann", hashed, "operator", AT.isoformat()),
        (GUEST, "0d1e2f", "guest 0d1e2f", None, "player", AT.isoformat()),
        (OLD_GUEST, "Guest a1b2c3", "guest a1b2c3", None, "player", AT.isoformat()),
    ]
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(FIRST)
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", people)
        database.execute("INSERT INTO sessions VALUES (?, ?, ?)", (digest(SESSION), GUEST, "2026-02-01T00:00:00+00:00"))
        row = ("t", digest(TOKEN), ANN, "a bot", AT.isoformat())
        database.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", row)
        database.execute("INSERT INTO secrets VALUES ('ids', 'ab')")
    return file


@pytest.fixture
def database(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        yield database


def revision_of(database: sqlite3.Connection) -> str:
    return str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def version_of(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def dump(file: Path) -> list[str]:
    """Return the content of the file as SQL statements."""
    with closing(sqlite3.connect(file)) as database:
        return list(database.iterdump())


def bring_up(file: Path, *revisions: Path) -> None:
    """Upgrade a database to the latest revision, or to the next one with more folders of revisions."""
    schema = schema_at(file)
    if revisions:
        schema = schema._replace(head=NEXT, revisions=(*schema.revisions, *map(str, revisions)))
    with closing(SqliteDatabase(file)) as database:
        schema.migrate(database)


@pytest.fixture
def add_revision(tmp_path: Path) -> Callable[..., Path]:
    """Write the next revision, which runs the given statements; return its folder."""

    def add(*statements: str) -> Path:
        folder = tmp_path / "revisions"
        folder.mkdir()
        lines = [f"    op.execute({statement!r})" for statement in statements]
        head = ["from alembic import op", f"revision = {NEXT!r}", f"down_revision = {HEAD!r}", "def upgrade():"]
        (folder / f"revision_{NEXT}.py").write_text("\n".join([*head, *lines]))
        return folder

    return add


def test_an_old_database_is_upgraded_without_loss(file: Path, database: sqlite3.Connection) -> None:
    with closing(People(file)) as people:
        ann = Person(ANN, "Guest Ann", "operator", is_guest=False)
        assert people.check("guest ann", PASSWORD) == ann
        assert people.access.bearer(TOKEN, AT) == Bearer(ann, frozenset(SCOPES))
        assert [(token.id, token.label, token.created) for token in people.access.tokens(ANN).items] == [
            ("t", "a bot", AT)
        ]
        assert people.access.session(SESSION, AT) == Person(GUEST, "Guest 0d1e2f", "player", is_guest=True)
        assert people.find(OLD_GUEST) == Person(OLD_GUEST, "Guest a1b2c3", "player", is_guest=True)
        assert people.secret("ids") == "ab"

    assert version_of(database) == FILE_STEPS + 1
    assert revision_of(database) == HEAD
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_every_revision_runs_once(file: Path, database: sqlite3.Connection, add_revision: Callable[..., Path]) -> None:
    revision = add_revision("CREATE TABLE counted (n INTEGER)", "INSERT INTO counted VALUES (1)")

    bring_up(file)
    bring_up(file, revision)
    bring_up(file, revision)

    assert database.execute("SELECT n FROM counted").fetchall() == [(1,)]
    assert revision_of(database) == NEXT


def test_one_of_several_concurrent_openers_upgrades(file: Path) -> None:
    """Running the steps twice would fail."""
    callers = 4
    together = Barrier(callers)

    def open_and_ask(_: int) -> str:
        together.wait()
        with closing(People(file)) as people:
            return people.secret("ids")

    with ThreadPoolExecutor(callers) as threads:
        assert list(threads.map(open_and_ask, range(callers))) == ["ab"] * callers


class UpgradedBetweenReads(PeopleSteps):
    """Another process upgrades the database after its tables were read, and before its steps are counted."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def count(self, database: Readable, tables: frozenset[str]) -> tuple[int, int]:
        bring_up(self._file)
        return super().count(database, tables)


def test_an_upgrade_between_two_reads_is_noticed(file: Path) -> None:
    """The tables that were read have no revision; the steps counted afterwards are those of an upgraded database."""
    schema = schema_at(file)._replace(counter=UpgradedBetweenReads(file))

    with closing(SqliteDatabase(file)) as database:
        assert schema.find_revision(database) == HEAD


def test_a_failing_revision_is_rolled_back(
    file: Path, database: sqlite3.Connection, add_revision: Callable[..., Path]
) -> None:
    before = dump(file)

    with pytest.raises(sqlite3.OperationalError, match="no such table: nowhere"):
        bring_up(file, add_revision("DELETE FROM people", "INSERT INTO nowhere VALUES (1)"))

    assert dump(file) == before
    assert version_of(database) == 0


def test_a_killed_upgrade_is_rolled_back(
    file: Path, database: sqlite3.Connection, add_revision: Callable[..., Path]
) -> None:
    before = dump(file)

    command = [
        sys.executable,
        "-c",
        BREAK_OFF,
        str(file),
        str(add_revision("DELETE FROM people", "SELECT be_killed()")),
        NEXT,
    ]
    killed = subprocess.run(command, cwd=ROOT, timeout=PATIENCE_SECONDS, check=False)

    assert killed.returncode == -signal.SIGKILL
    assert dump(file) == before
    assert version_of(database) == 0
    with closing(People(file)) as people:
        assert people.check("Guest Ann", PASSWORD).id == ANN


def test_a_later_revision_is_rejected_unchanged(file: Path, database: sqlite3.Connection) -> None:
    bring_up(file)
    database.execute("UPDATE alembic_version SET version_num = '99'")
    before = dump(file)

    with pytest.raises(StoreTooNew, match=f"people.db has schema version 99, .* supports only {HEAD}"):
        People(file)

    assert dump(file) == before


def test_a_later_step_number_is_rejected_unchanged(file: Path, database: sqlite3.Connection) -> None:
    database.execute("PRAGMA user_version = 99")
    before = dump(file)

    with pytest.raises(StoreTooNew, match=f"people.db has schema version 99, .* supports only {FILE_STEPS}"):
        People(file)

    assert dump(file) == before


@pytest.mark.parametrize("command", [["account", "create", "Ben"], ["ratings", "list"]])
def test_commands_report_a_later_version(
    command: list[str], file: Path, database: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    database.execute("PRAGMA user_version = 99")

    status = main([*command, "--data", str(file.parent)])

    assert status == 1
    assert f"esporles {command[0]}: people.db has schema version 99" in capsys.readouterr().err


def test_the_service_reports_a_later_version_and_ends(
    file: Path, database: sqlite3.Connection, capfd: pytest.CaptureFixture[str]
) -> None:
    database.execute("PRAGMA user_version = 99")

    status = main(["serve", "--port", "0", "--data", str(file.parent)])

    assert status == 1
    error = capfd.readouterr().err
    assert "people.db has schema version 99" in error
    assert "Traceback" not in error
