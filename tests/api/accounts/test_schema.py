"""The store of people grows by numbered steps: each once, all or nothing, and never back."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

import pytest
from argon2 import PasswordHasher

from api.accounts.people import People
from api.accounts.schema import STEPS, Step, StoreTooNew, migrate
from api.web.digests import digest
from api.web.identity import SCOPES, Bearer, Person
from ops.cli import main
from tests.api.house import PASSWORD

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
"""The store as it was before versions were counted."""

BREAK_OFF = """
import os, signal, sqlite3, sys
from api.accounts.schema import STEPS, migrate

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.create_function("be_killed", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
migrate(database, (*STEPS, ("DELETE FROM people", "SELECT be_killed()")))
"""
"""Goes through all the steps and is killed in the middle of one more."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store of before, with a person, two guests, a session, a token and a secret."""
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


def version_of(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def dump(file: Path) -> list[str]:
    """Everything that stands in the file, as statements."""
    with closing(sqlite3.connect(file)) as database:
        return list(database.iterdump())


def definitions(file: Path) -> list[str]:
    """The tables and indexes of a file, whatever lines their definitions were written on."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name").fetchall()
    return [" ".join(sql.split()) for (sql,) in rows]


def test_a_store_of_before_is_brought_to_the_newest_version_and_loses_nothing(
    file: Path, database: sqlite3.Connection
) -> None:
    with closing(People(file)) as people:
        ann = Person(ANN, "Guest Ann", "operator", is_guest=False)
        assert people.check("guest ann", PASSWORD) == ann
        assert people.bearer(TOKEN, AT) == Bearer(ann, frozenset(SCOPES))
        assert [(token.id, token.label, token.created) for token in people.tokens(ANN).items] == [("t", "a bot", AT)]
        assert people.session(SESSION, AT) == Person(GUEST, "Guest 0d1e2f", "player", is_guest=True)
        assert people.find(OLD_GUEST) == Person(OLD_GUEST, "Guest a1b2c3", "player", is_guest=True)
        assert people.secret("ids") == "ab"

    assert version_of(database) == len(STEPS)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_old_and_new_stores_have_the_same_tables(file: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / "people.db"
    for opened in (file, new):
        People(opened).close()

    assert definitions(file) == definitions(new)


def test_every_step_is_taken_once(file: Path, database: sqlite3.Connection) -> None:
    steps: tuple[Step, ...] = (("CREATE TABLE counted (n INTEGER)",), ("INSERT INTO counted VALUES (1)",))

    migrate(database, steps[:1])
    migrate(database, steps)
    migrate(database, steps)

    assert database.execute("SELECT n FROM counted").fetchall() == [(1,)]
    assert version_of(database) == 2


def test_of_several_that_open_a_store_one_takes_the_steps(file: Path) -> None:
    callers = 8
    together = Barrier(callers)

    def open_and_count(_: int) -> int:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=PATIENCE_SECONDS)) as database:
            together.wait()
            migrate(database, (("CREATE TABLE counted (n INTEGER)",), ("INSERT INTO counted VALUES (1)",)))
            return len(database.execute("SELECT n FROM counted").fetchall())

    with ThreadPoolExecutor(callers) as threads:
        assert list(threads.map(open_and_count, range(callers))) == [1] * callers


def test_a_step_that_fails_leaves_the_old_version(file: Path, database: sqlite3.Connection) -> None:
    before = dump(file)

    with pytest.raises(sqlite3.OperationalError, match="no such table: nowhere"):
        migrate(database, (*STEPS, ("DELETE FROM people", "INSERT INTO nowhere VALUES (1)")))

    assert dump(file) == before
    assert version_of(database) == 0


def test_a_kill_in_the_middle_leaves_the_old_version(file: Path, database: sqlite3.Connection) -> None:
    before = dump(file)

    command = [sys.executable, "-c", BREAK_OFF, str(file)]
    killed = subprocess.run(command, cwd=ROOT, timeout=PATIENCE_SECONDS, check=False)

    assert killed.returncode == -signal.SIGKILL
    assert dump(file) == before
    assert version_of(database) == 0
    with closing(People(file)) as people:
        assert people.check("Guest Ann", PASSWORD).id == ANN


def test_a_store_of_a_later_version_is_refused_and_left_as_it_is(file: Path, database: sqlite3.Connection) -> None:
    database.execute("PRAGMA user_version = 99")
    before = dump(file)

    with pytest.raises(StoreTooNew, match=f"people.db has version 99, .* reads up to version {len(STEPS)}"):
        People(file)

    assert dump(file) == before


@pytest.mark.parametrize("command", [["account", "create", "Ben"], ["ratings", "list"], ["serve", "--port", "0"]])
def test_commands_refuse_a_store_of_a_later_version_in_a_sentence(
    command: list[str], file: Path, database: sqlite3.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    database.execute("PRAGMA user_version = 99")

    status = main([*command, "--data", str(file.parent)])

    assert status == 1
    assert f"esporles {command[0]}: people.db has version 99" in capsys.readouterr().err
