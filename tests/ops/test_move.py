"""`esporles move`: files are moved to PostgreSQL completely or not at all, once, and used there."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest

from api.accounts.club_profiles import ClubProfile
from api.accounts.local_guests import local_id
from api.accounts.people import People
from api.accounts.sign_in_methods import Identity, NewPasskey, SignInMethods
from api.accounts.tables.complete import METADATA
from api.clubs.store import ClubTexts
from api.contests.holiday_store import HolidayStore, StoredHoliday
from api.contests.private_store import ContestStore
from api.contests.sanction_texts import SanctionText, SanctionTexts
from api.friends.store import FriendStore
from api.integrity.addresses import Addresses
from api.matches.invitations import Invitations
from api.notifications.outbox import Outbox, OutboxRow
from api.notifications.recipients import Recipients
from api.puzzles.scores import PuzzleScores
from api.quick.pools import QuickPool
from api.quick.store import PoolStore
from api.site.calendar_store import CalendarStore
from api.talk.store import TalkStore
from api.tournaments.images import make_picture
from api.tournaments.photo_store import PhotoStore, StoredPhoto
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.log.entries import ALL
from domain.matches.verification.verify import verify
from domain.talk import Room
from ops.cli import main
from ops.move_tables import BATCH_ROWS
from tests.api.service import PASSWORD, behind_sockets
from tests.api.tournaments.test_images import photo
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, act_once, start_match
from tests.seeding import entropy

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 180.0
MORE_THAN_A_PAGE = BATCH_ROWS["photos"] + 1
AT = datetime(2026, 1, 1, tzinfo=UTC)

BREAK_OFF = """
import os, signal, sys
from pathlib import Path
from api.accounts.tables.complete import METADATA
from api.accounts.store import SCHEMA, WRITER, open_database
from ops.move_tables import move_file
from projections.platform.postgres import PostgresDatabase

class Killed(PostgresDatabase):
    def change_all(self, statement, rows):
        super().change_all(statement, rows)
        if statement.table.name == sys.argv[3]:
            os.kill(os.getpid(), signal.SIGKILL)

file = Path(sys.argv[1])
move_file(file, open_database(file), Killed(sys.argv[2], SCHEMA, WRITER), METADATA)
"""
"""A program that moves accounts and is killed once a table is written."""


def photo_by(person: str, number: int) -> StoredPhoto:
    return StoredPhoto(UUID(int=number), UUID(int=7), 1, number, person, "", "", (1, 1), (1, 1), AT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Provide a store of accounts with rows in every table."""
    file = tmp_path / "data" / "people.db"
    with (
        closing(People(file, entropy())) as people,
        closing(SignInMethods(file, "localhost", "https://provider.example")) as sign_in_methods,
        closing(Invitations(file)) as invitations,
        closing(Addresses(file)) as addresses,
        closing(Outbox(file)) as outbox,
        closing(Recipients(file)) as recipients,
        closing(TalkStore(file)) as talk,
        closing(FriendStore(file)) as friends,
        closing(PuzzleScores(file)) as puzzles,
        closing(PoolStore(file)) as pools,
        closing(PhotoStore(file)) as photos,
        closing(ContestStore(file)) as contests,
        closing(SanctionTexts(file)) as sanctions,
        closing(ClubTexts(file)) as club_texts,
        closing(CalendarStore(file)) as calendars,
        closing(HolidayStore(file)) as holidays,
    ):
        people.secret("tree")
        ann = people.create("Ann", PASSWORD, AT, role="operator")
        ben = people.create("Žofie", None, AT, identity=Identity("https://provider.example", "b"))
        people.create_guest(AT)
        people.local_guests.store_locals(ann.id, UUID(int=8), {local_id(UUID(int=8), 0): "Carla"})
        for number in range(3):
            people.access.start_session(ann, AT, agent=f"browser {number}")
            people.access.issue_token(ann, f"token {number}", AT)
        people.countries.set_country(ann.id, "ES")
        contests.set_password(UUID(int=9), "a hash")
        contests.set_list(UUID(int=9), [ann.id])
        sanctions.add(SanctionText(UUID(int=10), ben.id, "league/9", "Left."))
        people.clubs.write(ClubProfile(UUID(int=11), "Palma"))
        club_texts.set_message(UUID(int=11), ann.id, "Let me in.")
        club_texts.set_reason(UUID(int=11), ben.id, "Left.")
        calendars.renew(ann.id)
        holidays.add(StoredHoliday(0, 86_400, 0, UUID(int=12), ben.id))
        people.access.revoke_token(ann.id, people.access.tokens(ann.id).items[0].id)
        sign_in_methods.store_passkey(ann.id, NewPasskey("c", "k", 3), "Key ring", AT)
        sign_in_methods.begin_ceremony("use passkey", None, {"challenge": "c"}, AT)
        _, secret = invitations.create(UUID(int=7), ann.id, AT)
        invitations.accept(secret, ben.id)
        addresses.record(ann.id, "a", AT.date())
        outbox.set_first_position(7)
        recipients.set_address(ann.id, "ann@players.example", "en", AT)
        recipients.add_device(ann.id, "https://push.example.org/a", ("p", "a"), ("Firefox", "en"), AT)
        recipients.set_paces(ann.id, {("mail", "turn"): "daily"})
        outbox.add_rows([OutboxRow("turn-1", ann.id, "turn", "mail", due=1, about="/tables/1")], AT)
        message_id = talk.add(Room("players", UUID(int=7)), ann.id, "@Žofie", "", [ben.id], AT)
        talk.set_boundary(ben.id, ann.id, "mute", AT)
        talk.report(message_id, ben.id, "", "", AT)
        friends.follow(ann.id, ben.id, AT)
        friends.show_presence(ann.id, AT)
        friends.challenge(UUID(int=7), ann.id, ben.id, AT)
        puzzles.record_answer(ann.id, "p1", 1500, solved=True)
        for number in range(MORE_THAN_A_PAGE):
            photos.add(photo_by(ann.id, number), make_picture(photo()), 1000, ())
        pools.enter(ann.id, QuickPool("la_granja", 2, "match-600-20", rated=False), 1500, AT)
    return file.parent


@pytest.fixture
def server(fresh_postgres: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ESPORLES_PEOPLE", fresh_postgres)
    return fresh_postgres


def rows_at(server: str) -> dict[str, int]:
    """Return the numbers of rows by table; empty without tables."""
    with psycopg.connect(server, autocommit=True) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'people'").fetchall()
        return {
            name: connection.execute(f'SELECT count(*) FROM people."{name}"').fetchone()[0]  # type: ignore[index]
            for (name,) in tables
            if name in METADATA.tables
        }


def rows_in(file: Path) -> dict[str, int]:
    with closing(sqlite3.connect(file)) as database:
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in METADATA.tables}


def run_move(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["move", "--data", str(folder), "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out)


def test_accounts_are_moved_and_used_on_the_server(
    folder: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows_in(folder / "people.db")
    assert all(before.values())
    with closing(People(folder / "people.db")) as people:
        ann = people.check("Ann", PASSWORD)
        key, tokens = people.secret("tree"), people.access.tokens(ann.id)

    document = run_move(folder, capsys)["people"]

    assert {name: table["rows"] for name, table in document["tables"].items()} == rows_at(server) == before
    assert not document["wasThere"]
    assert not (folder / "people.db").exists()
    assert rows_in(folder / "people.db.moved") == before
    with closing(People(server)) as people:
        assert people.check("ann", PASSWORD) == ann
        assert (people.secret("tree"), people.access.tokens(ann.id)) == (key, tokens)
        assert people.by_name("Žofie") is not None
        new_token, _ = people.access.issue_token(ann, "a new one", AT)
        assert people.access.tokens(ann.id).items[0] == new_token
    assert run_move(folder, capsys)["people"] == {"moved": False, "wasThere": True, "tables": {}}


@pytest.mark.parametrize("table", ["people", "tokens", "ceremonies"])
def test_a_killed_move_changes_nothing_and_can_be_repeated(
    table: str, folder: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows_in(folder / "people.db")
    command = [sys.executable, "-c", BREAK_OFF, str(folder / "people.db"), server, table]
    People(server).close()

    process = subprocess.run(command, cwd=ROOT, timeout=PATIENCE_SECONDS, check=False)

    assert process.returncode == -signal.SIGKILL
    assert not any(rows_at(server).values())
    assert rows_in(folder / "people.db") == before
    assert not run_move(folder, capsys)["people"]["wasThere"]
    assert rows_at(server) == before


def test_a_move_killed_at_its_end_is_completed(folder: Path, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_move(folder, capsys)
    (folder / "people.db.moved").rename(folder / "people.db")

    assert run_move(folder, capsys)["people"]["wasThere"]

    assert not (folder / "people.db").exists()


def test_a_server_with_other_accounts_is_unchanged(
    folder: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(People(server)) as people:
        people.create("Cleo", PASSWORD, AT)
    before = rows_at(server)

    assert main(["move", "--data", str(folder)]) == 1

    assert "the table people on the server is not empty; nothing was written" in capsys.readouterr().err
    assert rows_at(server) == before
    assert (folder / "people.db").exists()


def test_an_incomplete_table_is_no_finished_move(folder: Path, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_move(folder, capsys)
    (folder / "people.db.moved").rename(folder / "people.db")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("UPDATE people.tokens SET label = 'another' WHERE label = 'token 0'")

    assert main(["move", "--data", str(folder)]) == 1


def test_impossible_moves_are_explained(
    tmp_path: Path, server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["move", "--data", str(tmp_path)]) == 1
    assert f"nothing to move: {tmp_path / 'people.db'} does not exist" in capsys.readouterr().err

    monkeypatch.setenv("ESPORLES_PEOPLE", "postgresql://nobody@127.0.0.1:1/nowhere")
    People(tmp_path / "people.db").close()
    assert main(["move", "--data", str(tmp_path)]) == 1

    monkeypatch.delenv("ESPORLES_PEOPLE")
    assert main(["move", "--data", str(tmp_path)]) == 2
    assert "no server is configured; set ESPORLES_PEOPLE or ESPORLES_TREE or ESPORLES_STORE" in capsys.readouterr().err


def test_a_running_service_prevents_the_move(
    tmp_path: Path, fresh_postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with behind_sockets(tmp_path) as service:
        service.token_of("Ann")
        monkeypatch.setenv("ESPORLES_PEOPLE", fresh_postgres)
        assert main(["move", "--data", str(tmp_path)]) == 1
    assert "the service is running" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["account", "create", "Dan"], ["serve", "--port", "0"]])
def test_commands_refuse_an_empty_server_while_an_unmoved_file_exists(
    command: list[str], folder: Path, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--data", str(folder)]) == 2

    assert "exists, but a server is configured; move the data with `esporles move`" in capsys.readouterr().err
    assert rows_at(server) == {}


def log_of(store: Path | str) -> list[tuple[Any, ...]]:
    with closing(open_store(store_env(store), titles=ALL_TITLES)) as matches:
        rows = matches.log.recorder.select_notifications(1, 10_000)
        return [(row.id, row.originator_id, row.originator_version, row.topic, row.state) for row in rows]


@pytest.fixture
def log_folder(tmp_path: Path) -> Path:
    """Provide a folder with a log of two matches and gaps in its numbers."""
    with closing(open_store(store_env(tmp_path / "log.db"), titles=ALL_TITLES, entropy=entropy())) as matches:
        match = start_match(matches, UUID(int=1), (BOT, BOT))
        for _ in range(5):
            match = act_once(matches, match)
        start_match(matches, UUID(int=2), (BOT, BOT))
    with closing(sqlite3.connect(tmp_path / "log.db")) as log, log:
        log.execute("UPDATE stored_events SET rowid = rowid + 1000 WHERE rowid > 6")
    return tmp_path


def test_a_log_is_moved_row_by_row_and_continued(
    log_folder: Path, fresh_postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESPORLES_STORE", fresh_postgres)
    monkeypatch.setenv("ESPORLES_TREE", f"sqlite:///{log_folder / 'tree.db'}")
    before = log_of(log_folder / "log.db")
    assert main(["serve", "--port", "0", "--data", str(log_folder)]) == 2
    assert "exists, but a server is configured; move the data with `esporles move`" in capsys.readouterr().err

    document = run_move(log_folder, capsys)["log"]

    assert document["tables"]["matches_events"]["rows"] == len(before)
    assert log_of(fresh_postgres) == before == log_of(log_folder / "log.db.moved")
    (log_folder / "log.db.moved").rename(log_folder / "log.db")
    assert run_move(log_folder, capsys)["log"]["wasThere"]
    with closing(open_store(store_env(fresh_postgres), titles=ALL_TITLES, entropy=entropy())) as matches:
        for number in (1, 2):
            match = matches.get(UUID(int=number))
            assert act_once(matches, match).version == match.version + 1
        assert verify(export_log(matches, UUID(int=1), ALL, at=AT), titles=ALL_TITLES).is_good
    assert log_of(fresh_postgres)[len(before)][0] > before[-1][0]


def test_a_server_with_another_log_is_unchanged(
    log_folder: Path, fresh_postgres: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(store_env(fresh_postgres), titles=ALL_TITLES, entropy=entropy())) as matches:
        match = start_match(matches, UUID(int=9), (BOT, BOT))
        monkeypatch.setenv("ESPORLES_STORE", fresh_postgres)
        monkeypatch.setenv("ESPORLES_TREE", f"sqlite:///{log_folder / 'tree.db'}")
        before = log_of(fresh_postgres)

        assert main(["move", "--data", str(log_folder)]) == 1

        assert "the table matches_events on the server is not empty; nothing was written" in capsys.readouterr().err
        assert log_of(fresh_postgres) == before
        assert (log_folder / "log.db").exists()
        assert act_once(matches, match).version == match.version + 1
