"""Stores written by an earlier version open with all their data: a data folder, and a PostgreSQL database.

`tests/golden/stores` has the same content twice: accounts with a row in every table except the outbox, an ended match
with a ruling, a study, an ended tournament, the tree, and the read models. It was created before the tables were
declared with SQLAlchemy, at step 17 of the store of accounts. Never recreate it with a later version.
"""

import json
import lzma
import os
import sqlite3
import tarfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import psycopg
import pytest
from litestar.testing import TestClient
from psycopg import sql

from api.accounts.store import open_database
from api.transparency.databases import open_tree
from domain.proofs.match import verify_content
from ops.cli import main
from projections.platform.database import Database
from projections.platform.settings import PEOPLE_FILE, TREE_FILE, Settings
from projections.platform.store import ReadStore
from tests.api.accounts.test_tables import details
from tests.api.service import Person, catch_up, start_match
from tests.service_app import create_app
from tests.transparency.outsiders import Stranger

STORES: Final = Path(__file__).parents[1] / "golden" / "stores"
TOKEN: Final = "esp_mU-q8qI_yKXh0u8XYa-_6HnOO_gRzzWV4febpKipwZQ"
"""The token of Ann, whose account exists only in the stores."""
PASSWORD: Final = "correct horse battery staple"
LOG_TABLES: Final = "matches_events"
SERVERS: Final = ("ESPORLES_STORE", "ESPORLES_PEOPLE", "ESPORLES_READS", "ESPORLES_TREE")
SCHEMAS: Final = {"people": "people", "tree": "tree", "reads": "public"}
"""The schema of each part in PostgreSQL."""
LEAVES: Final = 417
"""The leaves that the tree had; the service adds more when it starts."""
VERSIONS: Final = {"version", "alembic_version", "sqlite_sequence"}
"""Tables that count, and so may differ after an upgrade."""
REWORDED: Final = {"positions", "replay", "outcomes", "rating_outcomes", "rating_changes"}
"""Tables whose content changed after the old stores were made.

Message ids of the replay were reworded, which changes its version, too; outcomes and rating changes have
more fields.
"""


OPENED: Final = {"people": (open_database, PEOPLE_FILE), "tree": (open_tree, TREE_FILE)}
"""How each store is opened, and its file."""
NOT_REBUILT: Final = {"positions", "event_duties"}
"""Tables that a rebuild leaves alone: positions, and the worker's duties at tournaments and leagues."""

Row = tuple[Any, ...]


class Table(NamedTuple):
    """The columns of a table in their order of names, and its rows in a stable order."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]


Tables = Mapping[str, Table]


class Old(NamedTuple):
    """An unpacked store, and the settings that name it."""

    folder: Path
    environment: Mapping[str, str]

    @property
    def server(self) -> str:
        return self.environment.get("ESPORLES_STORE", "")

    def place(self, file: str) -> Path | str:
        return self.server or self.folder / file

    def tables(self, part: str, columns: Tables | None = None) -> Tables:
        """Read all tables of people, tree or reads; only the columns that `columns` has, if given."""
        if self.server:
            return read_server(self.server, SCHEMAS[part], columns)
        return read_file(self.folder / f"{part}.db", columns)


def wanted_columns(name: str, columns: list[str], selection: Tables | None) -> tuple[str, ...] | None:
    """Return the columns to read, or None for a table that only a later version has."""
    if name in VERSIONS or (selection is not None and name not in selection):
        return None
    return tuple(sorted(columns)) if selection is None else selection[name].columns


def table_of(columns: tuple[str, ...], rows: list[Row]) -> Table:
    return Table(columns, tuple(sorted(map(repr, rows))))


def read_file(file: Path, selection: Tables | None) -> Tables:
    tables = {}
    with closing(sqlite3.connect(file)) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            columns_present = [each for (each,) in database.execute("SELECT name FROM pragma_table_info(?)", (name,))]
            columns = wanted_columns(name, columns_present, selection)
            if columns is not None:
                rows = database.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall()
                tables[name] = table_of(columns, rows)
    return tables


def read_server(url: str, schema: str, selection: Tables | None) -> Tables:
    tables = {}
    with psycopg.connect(url) as connection:
        table_names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,)).fetchall()
        for (name,) in table_names:
            column_query = (
                "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s"
            )
            columns_present = [each for (each,) in connection.execute(column_query, (schema, name))]
            columns = wanted_columns(name, columns_present, selection)
            if columns is not None and not name.startswith(LOG_TABLES):
                names = sql.SQL(", ").join(map(sql.Identifier, columns))
                query = sql.SQL("SELECT {} FROM {}").format(names, sql.Identifier(schema, name))
                tables[name] = table_of(columns, connection.execute(query).fetchall())
    return tables


@pytest.fixture
def old_folder(tmp_path: Path) -> Old:
    """Provide the data folder."""
    with tarfile.open(STORES / "data-folder.tar.xz") as archive:
        archive.extractall(tmp_path / "data", filter="data")
    return Old(tmp_path / "data", {})


@pytest.fixture
def old_server(tmp_path: Path, another_postgres: Callable[[], str]) -> Old:
    """Provide the databases at a server, and an empty data folder."""
    url = another_postgres()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(lzma.decompress((STORES / "postgresql.sql.xz").read_bytes()))
    (tmp_path / "at-server").mkdir()
    return Old(tmp_path / "at-server", dict.fromkeys(SERVERS, url))


@pytest.fixture(params=["old_folder", "old_server"])
def old(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Old:
    """Each of the two in turn, named in the environment."""
    old: Old = request.getfixturevalue(request.param)
    for name, value in old.environment.items():
        monkeypatch.setenv(name, value)
    return old


def test_the_two_old_stores_have_the_same_people(old_folder: Old, old_server: Old) -> None:
    in_file, at_server = counts(old_folder.tables("people")), counts(old_server.tables("people"))

    # The service that ran on the database removed the player from the pool.
    assert in_file.keys() == at_server.keys()
    assert [name for name, rows in in_file.items() if not rows] == ["outbox"]
    assert {name for name in in_file if in_file[name] != at_server[name]} == {"pooled"}


def counts(tables: Tables) -> dict[str, int]:
    """Return the number of rows of each table."""
    return {name: len(table.rows) for name, table in tables.items()}


def empty(old: Old, reads: Tables) -> None:
    """Delete all rows of read models, so that only a rebuild can bring them back."""
    store = ReadStore(old.server or old.folder / "reads.db")
    with closing(store), store.transaction() as transaction:
        for name in reads.keys() - NOT_REBUILT:
            transaction.change(f"DELETE FROM {name}")


def open_part(part: str, old: Old) -> Database:
    open_store_part, file = OPENED[part]
    return open_store_part(old.place(file))


@pytest.mark.parametrize("part", ["people", "tree"])
def test_opening_an_old_store_loses_no_row(part: str, old: Old) -> None:
    before = old.tables(part)
    open_part(part, old).close()

    assert old.tables(part, before) == before
    assert any(table.rows for table in before.values())


@pytest.mark.parametrize("part", ["people", "tree"])
def test_the_tables_of_an_upgraded_store_are_those_of_a_new_one(
    part: str, old: Old, tmp_path: Path, request: Any
) -> None:
    new = request.getfixturevalue("fresh_postgres") if old.server else tmp_path / "new.db"

    with closing(open_part(part, old)) as upgraded, closing(OPENED[part][0](new)) as fresh:
        upgraded_tables, fresh_tables = details(upgraded), details(fresh)

    assert {name for name in fresh_tables if upgraded_tables[name] != fresh_tables[name]} == set()


def test_read_models_rebuilt_from_an_old_log_have_the_same_rows(old: Old, capsys: pytest.CaptureFixture[str]) -> None:
    before = old.tables("reads")
    empty(old, before)

    assert main(["rebuild", "--data", str(old.folder), "--jobs", "1", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["passedOver"] == []
    after = old.tables("reads", before)
    assert {name for name in before if after.get(name) != before[name]} <= REWORDED
    # New projections have positions, too.
    refilled = REWORDED - {"positions"}
    assert {name: len(after[name].rows) for name in refilled} == {name: len(before[name].rows) for name in refilled}


def test_the_service_opens_an_old_store_with_everything_in_it(old: Old, capsys: pytest.CaptureFixture[str]) -> None:
    """The list of studies has another shape by now, so the service fills it again from the log."""
    before = old.tables("tree")["leaves"]
    settings = msgspec.structs.replace(Settings.from_environment(os.environ), data=old.folder)
    with TestClient(create_app(settings)) as client:

        def get(path: str) -> Any:
            response = client.get(f"/api{path}", headers={"Authorization": f"Bearer {TOKEN}"})
            assert response.status_code == 200, response.text
            return response.json()

        assert get("/me")["person"]["name"] == "Ann"
        sign_in = client.post("/api/tokens", json={"name": "Ann", "password": PASSWORD})
        assert sign_in.status_code == 201
        (event,) = get("/tournaments")["events"]
        assert (event["name"], event["status"]) == ("Harvest cup", "ended")
        assert len(get(f"/tournaments/{event['eventId']}/standings")["standings"]) == 2
        catch_up(client)
        (study,) = get("/studies")["studies"]
        assert (study["visibility"], study["comments"]) == ("public", 4)
        assert get(f"/matches/{study['matchId']}")["status"] == "ended"
        (ruling,) = get(f"/matches/{study['matchId']}/rulings")["rulings"]
        assert ruling["name"] == "Arnau"
        assert {each["title"] for each in get("/rankings")["pools"]} == {"el_grande", "la_granja"}
        assert len(get("/archive")["matches"]) == 2
        assert int(client.get("/tlog/checkpoint").text.splitlines()[1]) >= LEAVES

        require_labels(client, before)
    assert set(before.rows) < set(old.tables("tree")["leaves"].rows)
    capsys.readouterr()
    assert main(["audit", "store", "--data", str(old.folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []


def require_labels(client: TestClient[Any], before: Table) -> None:
    """Require labels from the next leaf of the old tree on, old leaves as they were, and proofs that say so."""
    stranger, count = Stranger(client), len(before.rows)
    start_match(Person(client), Person(client))
    size = stranger.covering_checkpoint().size
    leaves = stranger.store.between(0, size)
    old_match = client.get("/api/archive").json()["matches"][0]["matchId"]
    report = verify_content(client.get(f"/api/matches/{old_match}/proof").content)

    assert [number for number, leaf in leaves if leaf.is_announcement] == [count]
    assert [bool(leaf.label) for _, leaf in leaves] == [number > count for number in range(size)]
    assert report.is_good, report.fault
    assert report.proof is not None
    assert (report.proof.labels_checked, report.proof.unlabelled) == (0, (f"entries 1 to {report.entries}",))
