"""Erasure of an account from every store: files with their journals, PostgreSQL, Valkey, archive and pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID

import psycopg
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.accounts.sign_in_methods import Identity, NewPasskey, SignInMethods
from api.http.digests import digest
from api.integrity.addresses import Addresses
from api.puzzles.scores import PUZZLE_SCORES
from api.tournaments.images import make_picture
from api.tournaments.photo_store import PhotoStore, StoredPhoto
from domain.eventstore.mapper import ROW_COMPRESSOR
from domain.matches.aggregate import Match
from ops.temporary_service import valkey_server
from projections.data import VIEWS
from projections.platform.clock import now
from projections.platform.database import is_server
from projections.platform.valkey import valkey
from tests.api.archive.test_archive import plays
from tests.api.service import account_of
from tests.api.tournaments.test_images import photo
from tests.api.tournaments.test_tournaments import PLAN
from tests.notifications.away import Away, away_in
from tests.signing import Pen

NAME: Final = "Quilldifeather"
TWO_HOURS: Final = 7_200
"""Sliding windows are counted with their predecessor, and the longest is an hour."""
WORDS: Final = "plum dumplings for everybody"
PROVIDER: Final = "https://provider.example"
OFTEN: Final = 1_000
"""A limit that is never reached; its counter is in Valkey."""


class Traces:
    """A member with data of every kind, and a friend."""

    def __init__(self, away: Away) -> None:
        self.away = away
        self.person = away.person(NAME, device=True)
        self.friend = away.person("Friend", mail=False)
        self.match = self._plays()
        self.open = str(self.person.ask("POST", "/matches", {"title": "la_granja", "seats": 2})["matchId"])
        self._talk()
        self._account()
        away.follow()

    @property
    def words(self) -> tuple[str, ...]:
        """Return unique strings of the member, each in some store before the erasure and in none afterwards."""
        subscription = self.person.subscription
        assert subscription is not None
        registration = subscription.registration
        secrets = (digest(self.person.token), registration["endpoint"], registration["p256dh"], registration["auth"])
        constants = ("kept-credential", "Ring of keys", "kept-subject", "kept-hash", "kept-caption", "theme-dark")
        return (NAME, NAME.casefold(), self.person.address, WORDS, *secrets, *constants)

    def _plays(self) -> Match:
        """Play a match to its end and study it; start another match and a tournament."""
        person, friend = self.person, self.friend
        match = plays(cast("TestClient[Any]", self.away.sockets), cast("Any", person))
        for visibility in ("public", "private"):
            study_body = {"title": f"A {visibility} study", "visibility": visibility}
            study = person.ask("POST", f"/matches/{match.id}/annotations", study_body)["id"]
            person.ask("POST", f"/studies/{study}/comments", {"entry": 20, "text": "A note"})
        self.running = self.away.start_match(person, friend)
        event = friend.ask("POST", "/tournaments", {"plan": PLAN})["eventId"]
        person.ask("POST", f"/tournaments/{event}/entries", {})
        return match

    def _talk(self) -> None:
        person, friend = self.person, self.friend
        for follower, followed in ((person, friend), (friend, person)):
            follower.ask("PUT", f"/friends/{followed.id}", {})
        person.ask("PUT", "/me/presence", {"visible": True})
        person.ask("POST", f"/matches/{self.open}/challenges", {"person": friend.id})
        room = f"/talk/players/{self.running}"
        message_id = person.ask("POST", room, {"words": f"@Friend: {WORDS}"})["id"]
        friend.ask("POST", room, {"words": f"@{NAME.upper()}, thank you"})
        friend.ask("POST", f"/talk/messages/{message_id}/reports", {"reason": "no dumplings"})
        person.ask("PUT", f"/talk/boundaries/{friend.id}", {"kind": "mute"})

    def _account(self) -> None:
        person, sockets, at = self.person, self.away.sockets, now()
        person.ask("POST", "/me/keys", {"key": Pen(NAME).key})
        person.ask("PUT", "/me/notifications", {"mail": {"turn": "daily"}})
        PEOPLE.of(sockets).store_preferences(person.id, "theme-dark")
        PEOPLE.of(sockets).access.start_session(account_of(sockets, person.id), at, agent="Firefox")
        PUZZLE_SCORES.of(sockets).record_answer(person.id, "p1", 1500, solved=True)
        store = self.away.settings.people_place
        with closing(PhotoStore(store)) as photos:
            sizes = (1, 1), (1, 1)
            stored_photo = StoredPhoto(UUID(int=1), UUID(int=2), 1, 1, person.id, "kept-caption", "", *sizes, at)
            photos.add(stored_photo, make_picture(photo()), 1, ())
        with (
            closing(Addresses(store)) as addresses,
            closing(SignInMethods(store, "localhost", PROVIDER)) as sign_in_methods,
        ):
            addresses.record(person.id, "kept-hash", date(2026, 1, 1))
            sign_in_methods.store_passkey(person.id, NewPasskey("kept-credential", "k", 3), "Ring of keys", at)
            sign_in_methods.link(person.id, Identity(PROVIDER, "kept-subject"), at)
            sign_in_methods.begin_ceremony("use passkey", person.id, {"challenge": "c"}, at)
        for fact in ("one", "two"):
            self.away.notifications.notify_now("mention", [person.id], fact, f"/tables/{self.running}")

    def holding(self, text: str) -> list[str]:
        """Return the stores that contain the word."""
        settings = self.away.settings
        stores = {"log": settings.log_place, "people": settings.people_place, "reads": reads_of(self.away)}
        databases = [name for name, store in stores.items() if any(text.encode() in cell for cell in cells_of(store))]
        files = [path for path in settings.data.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
        in_valkey = ["valkey"] if any(text.encode() in cell for cell in valkey_cells(settings.redis)) else []
        return [*databases, *sorted(str(path.relative_to(settings.data)) for path in files), *in_valkey]


def reads_of(away: Away) -> Path | str:
    url = away.settings.reads_url
    return url if is_server(url) else Path(url.removeprefix("sqlite:///"))


def cells_of(store: Path | str) -> Iterator[bytes]:
    """Yield all cells of the tables of a database, decompressed."""
    for cell in server_cells(str(store)) if is_server(store) else file_cells(Path(store)):
        yield cell if isinstance(cell, bytes) else str(cell).encode()
        for compressor in (ROW_COMPRESSOR, VIEWS) if isinstance(cell, bytes) else ():
            with suppress(ValueError):
                yield compressor.decompress(cell)


def file_cells(file: Path) -> Iterator[Any]:
    if not file.exists():
        return
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in database.execute(f'SELECT * FROM "{table}"'):
                yield from row


def server_cells(url: str) -> Iterator[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        query = (
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
        for schema, table in connection.execute(query).fetchall():
            for row in connection.execute(f'SELECT * FROM "{schema}"."{table}"'):
                yield from row


def valkey_cells(url: str) -> Iterator[bytes]:
    """Yield all keys, with the values of plain strings."""
    with closing(valkey(url)) as redis:
        for key in redis.scan_iter():
            yield key
            yield redis.dump(key) or b""


def assert_counted_for_two_hours_at_most(url: str, person: str) -> None:
    """Assert that Valkey contains the id only in rate limit counters, which expire."""
    with closing(valkey(url)) as redis:
        holding = [key for key in redis.scan_iter() if person.encode() in key + (redis.dump(key) or b"")]
        assert all(key.startswith(b"LIMITS:") for key in holding), holding
        assert all(0 < redis.ttl(key) <= TWO_HOURS for key in holding), [(key, redis.ttl(key)) for key in holding]


def rows_with(away: Away, person: str) -> list[str]:
    """Return the cells of the accounts store that contain this id."""
    store = away.settings.people_place
    return [str(cell) for cell in cells_of(store) if person.encode() in cell]


def page(away: Away, path: str) -> tuple[int, str]:
    with closing(away.sockets.connection()) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()


@pytest.mark.parametrize("stores", ["files", "server"])
def test_an_erased_account_is_gone_from_every_store(
    stores: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    databases = {}
    if stores == "server":
        new_database = request.getfixturevalue("another_postgres")
        databases = {name: new_database() for name in ("store", "people", "reads")}
    with (
        valkey_server() as redis,
        away_in(tmp_path, redis=redis, changes_per_minute=OFTEN, messages_per_minute=OFTEN, **databases) as away,
    ):
        traces = Traces(away)
        person, friend = traces.person, traces.friend
        assert {text: bool(traces.holding(text)) for text in traces.words} == dict.fromkeys(traces.words, True)
        assert page(away, f"/players/{NAME}")[0] == 200
        assert NAME in page(away, "/archive")[1]

        assert away.sockets.ask("DELETE", "/me", None, person.token)[0] == 204
        away.hand_over()

        assert {text: traces.holding(text) for text in traces.words} == {text: [] for text in traces.words}
        assert rows_with(away, person.id) == []
        assert_counted_for_two_hours_at_most(redis, person.id)
        assert person.letters == []
        assert_pages_know_nobody(away, traces)
        assert friend.ask("GET", "/friends")["followed"] == []
        (message,) = friend.ask("GET", f"/talk/players/{traces.running}")["messages"]
        assert message["words"] == "@…, thank you"


def assert_pages_know_nobody(away: Away, traces: Traces) -> None:
    """Assert that pages show a placeholder instead of the name and that no search finds it."""
    match = traces.match.id
    assert page(away, f"/players/{NAME}")[0] == page(away, f"/players/{traces.person.id}")[0] == 404
    assert away.sockets.ask("GET", f"/archive?player={NAME}")[0] == 400
    assert away.sockets.ask("GET", f"/archive?player={traces.person.id}")[0] == 400
    for path in ("/archive", "/studies", f"/tables/{match}", f"/tables/{match}/replay", f"/tables/{traces.running}"):
        status, content = page(away, path)
        assert (status, NAME in content) == (200, False), path
        assert "deleted account" in content, path
