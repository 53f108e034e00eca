"""A service in this process or behind real sockets, with its people, read models and live streams."""

from __future__ import annotations

import json
import shutil
import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import uvicorn
from litestar import Litestar
from litestar.testing import TestClient
from litestar.types import Scope

from api.accounts.people import PEOPLE, People
from api.http.app_state import HasApp
from api.http.identity import Person as Account
from api.http.limits import Limits
from api.http.metrics import Metrics, method_and_route
from api.integrity.addresses import AddressRecorder
from api.matches.fast_routes import FastRoutes
from api.matches.service import MATCHES
from domain.leagues import commands
from ops.embedded_valkey import socket_folder
from ops.web import build_config
from projections import leagues
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.clock import now
from projections.platform.settings import Settings
from tests.seeding import entropy
from tests.service_app import create_app
from workers.unix_http import UnixConnection

SERVICE_TOKEN: Final = "the-service-itself"
PASSWORD: Final = "correct horse battery"
AT_FIRST: Final = 2
"""Position in the log of a new service, which has recorded the beginning of each edition of rated play."""
HIDDEN: Final = "card 17 in the hand of seat 2"
PATIENCE_SECONDS: Final = 180.0

Answer = tuple[int, Any]


def settings_in(folder: Path, *, demo: bool = False, redis: str = "") -> Settings:
    return Settings(
        data=folder,
        token=SERVICE_TOKEN,
        redis=redis,
        demo=demo,
        changes_per_minute=0,
        creations_per_hour=0,
        accounts_per_minute=0,
        newcomers_per_day=0,
        guest_creations_per_hour=0,
        guesses_per_hour=0,
        streams_per_person=0,
        streams_per_address=0,
        listed_tables_per_person=0,
        bot_tables_per_person=0,
        tables_with_bots_per_person=0,
    )


class Person:
    """An API client with a token. It is a guest, because hashing a password is slow."""

    def __init__(self, client: TestClient[Any]) -> None:
        people = PEOPLE.of(client)
        account = self.create(people)
        self.client = client
        self.id = account.id
        self.token = people.access.issue_token(account, "", now())[1]
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def create(self, people: People) -> Account:
        return people.create_guest(now())

    def get(self, path: str, **headers: str) -> Answer:
        response = self.client.get(f"/api{path}", headers=self.headers | headers)
        return response.status_code, response.json()

    def post(self, path: str, wanted: Any, **headers: str) -> Answer:
        response = self.client.post(f"/api{path}", json=wanted, headers=self.headers | headers)
        return response.status_code, response.json() if response.content else None

    def accepts(self, event: str, invitation: Any) -> Answer:
        """Accept an invitation to a tournament or league."""
        return self.post(f"{event}/invitation", {"accept": True, **invitation})

    def delete(self, path: str) -> Answer:
        response = self.client.delete(f"/api{path}", headers=self.headers)
        return response.status_code, response.json() if response.content else None

    def opens(self, seats: int = 2, **wanted: Any) -> str:
        """Open a table and return its id."""
        status, match = self.post("/matches", {"title": "la_granja", "seats": seats, **wanted})
        assert status == 201, match
        return str(match["matchId"])

    def invites(self, match_id: str) -> str:
        """Create an invitation to a private table and return its secret."""
        status, invitation = self.post(f"/matches/{match_id}/invitations", {})
        assert (status, invitation["link"]) == (201, f"/invitation#{invitation['secret']}"), invitation
        return str(invitation["secret"])

    def sits(self, match_id: str, seat: int) -> None:
        assert self.post(f"/matches/{match_id}/seats", {"seat": seat})[0] == 201

    def is_ready(self, match_id: str) -> Any:
        status, match = self.post(f"/matches/{match_id}/ready", {})
        assert status == 201, match
        return match

    def legal(self, match_id: str) -> Any:
        status, legal = self.get(f"/matches/{match_id}/legal-actions")
        assert status == 200, legal
        return legal

    def acts(self, match_id: str, index: int = 0) -> Answer:
        """Take one of the legal actions."""
        legal = self.legal(match_id)
        wanted = {"expectedVersion": legal["version"], "action": legal["actions"][index]["action"]}
        return self.post(f"/matches/{match_id}/actions", wanted)


class Member(Person):
    """A member who signed up two days ago, so that their matches can be rated."""

    def __init__(self, client: TestClient[Any], name: str) -> None:
        self.name = name
        super().__init__(client)

    def create(self, people: People) -> Account:
        return people.create(self.name, PASSWORD, now() - timedelta(days=2))


def start_match(*people: Person, **wanted: Any) -> str:
    """Begin a match of these people and return its id."""
    match_id = people[0].opens(len(people), **wanted)
    if wanted.get("table", {}).get("public") is False:
        invitation = {"secret": people[0].invites(match_id)}
        assert all(person.post("/invitations", invitation)[0] == 201 for person in people[1:])
    for seat, person in enumerate(people):
        person.sits(match_id, seat)
    for person in people:
        person.is_ready(match_id)
    return match_id


def play_until(people: tuple[Person, ...], match_id: str, step: str) -> Any:
    """Take first legal actions until the step is reached; return the match."""
    while True:
        match = people[0].get(f"/matches/{match_id}")[1]
        if match["status"] != "running" or match["phase"].endswith(f"/{step}"):
            return match
        assert people[match["toAct"][0]].acts(match_id)[0] == 201


def play_rounds(people: tuple[Person, ...], match_id: str, rounds: int) -> None:
    """Take first legal actions until everyone has acted in that number of rounds."""
    tables = MATCHES.of(people[0].client)
    while any(starter.rounds < rounds for starter in tables.writer.matches.get(UUID(match_id)).starters):
        match = people[0].get(f"/matches/{match_id}")[1]
        assert people[match["toAct"][0]].acts(match_id)[0] == 201


class Sockets:
    """A service behind a public and a private socket, as in production."""

    def __init__(self, port: int, path: Path, app: Litestar) -> None:
        self.port = port
        self.path = path
        self.app = app

    @property
    def people(self) -> People:
        return PEOPLE.of(self)

    def ask(self, method: str, path: str, wanted: Any = None, token: str = "", *, private: bool = False) -> Answer:
        connection = self.connection(private=private)
        try:
            body = None if wanted is None else json.dumps(wanted)
            connection.request(method, f"/api{path}", body, {"Authorization": f"Bearer {token}"} if token else {})
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        finally:
            connection.close()

    def connection(self, *, private: bool = False) -> HTTPConnection:
        if private:
            return UnixConnection(self.path, PATIENCE_SECONDS)
        return HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)

    def token_of(self, name: str) -> str:
        account = {"name": name, "password": PASSWORD}
        assert self.ask("POST", "/accounts", account)[0] == 201
        return str(self.ask("POST", "/tokens", account)[1]["secret"])


@contextmanager
def behind_sockets(folder: Path, settings: Settings | None = None, *, port: int = 0, **waits: Any) -> Iterator[Sockets]:
    """Run the service in a thread, on a free or the given port and a Unix socket."""
    settings = settings or settings_in(folder)
    app = create_app(settings, entropy(), **waits)
    sockets = socket_folder()
    path = sockets / "service.sock"
    private = socket.socket(socket.AF_UNIX)
    private.bind(str(path))
    private.listen()
    public = socket.create_server(("127.0.0.1", port))
    config = build_config(app, settings)
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [public, private]})
    thread.start()
    try:
        yield Sockets(public.getsockname()[1], path, app)
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        public.close()
        private.close()
        shutil.rmtree(sockets)


def catch_up(client: TestClient[Any]) -> None:
    """Run every projection to the end of the log."""
    tables = MATCHES.of(client)
    FollowerLoop(tables.writer.matches, tables.writer.reads, tuple(PROJECTIONS.values())).catch_up()


def open_tables(client: TestClient[Any]) -> None:
    """Open the matches of all open league rounds, as a worker's job does."""
    catch_up(client)
    tables = MATCHES.of(client)
    for row in leagues.leagues(tables.writer.reads).items:
        state = leagues.get(tables.writer.reads, row.league_id)
        assert state is not None
        league = state[1]
        for table in tuple(commands.waiting_tables(tables.writer.matches, league, ())):
            commands.open_table(tables.writer.matches, league.id, table, at=now())
    catch_up(client)


def account_of(holder: HasApp, person_id: str) -> Account:
    """Return the account of a person."""
    account = PEOPLE.of(holder).find(person_id)
    assert account is not None
    return account


def session_of(holder: HasApp, person_id: str) -> str:
    """Start a session of a person and return its secret."""
    return PEOPLE.of(holder).access.start_session(account_of(holder, person_id), now())


def make_operator(client: TestClient[Any], person_id: str) -> None:
    """Give an account the operator's role."""
    PEOPLE.of(client).set_role(person_id, "operator")


class Event(msgspec.Struct, frozen=True):
    """An event, or a heartbeat without data."""

    id: str
    kind: str
    data: str

    @property
    def content(self) -> Any:
        return msgspec.json.decode(self.data)


@contextmanager
def listening(sockets: Sockets, path: str, **headers: str) -> Iterator[Iterator[Event]]:
    """Connect to a stream and yield its events."""
    with closing(sockets.connection()) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        assert response.headers["content-type"].startswith("text/event-stream")
        is_packed = response.headers.get("content-encoding") == "gzip"
        yield events_of(response, zlib.decompressobj(zlib.MAX_WBITS + 16) if is_packed else None)


def events_of(response: Any, unpacker: Any) -> Iterator[Event]:
    rest = b""
    while piece := response.read1(65_536):
        rest += piece if unpacker is None else unpacker.decompress(piece)
        *whole, rest = rest.split(b"\r\n\r\n")
        for event in whole:
            fields = dict(line.split(": ", 1) for line in event.decode().split("\r\n"))
            yield Event(fields.get("id", ""), fields.get("event", ""), fields.get("data", ""))


def entries(events: Iterator[Event], count: int) -> list[Event]:
    """Return the next `count` events that contain an entry."""
    found = list[Event]()
    while len(found) < count:
        event = next(events)
        if event.kind == "entry":
            found.append(event)
    return found


WAIT_SECONDS: Final = 7


class FaultyAccounts:
    """Accounts that raise an unexpected exception with hidden information on every request."""

    async def by_session(self, secret: str) -> None:
        raise KeyError(HIDDEN, secret)

    async def by_token(self, secret: str) -> None:
        raise KeyError(HIDDEN, secret)

    def in_current_language(self, person: Account) -> Account:
        raise KeyError(HIDDEN, person)

    async def store_preferences(self, person: Account, word: str) -> None:
        raise KeyError(HIDDEN, person, word)


class ListedMetrics(Metrics):
    """Metrics that list method, route and status of every response."""

    def __init__(self) -> None:
        super().__init__()
        self.counted = list[tuple[str, str, int]]()

    def count_response(self, scope: Scope, status: int, seconds: float) -> None:
        self.counted.append((*method_and_route(scope), status))
        super().count_response(scope, status, seconds)


class CountedLimits(Limits):
    """Limits that list every count."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.spent = list[tuple[str, str]]()
        self.exhausted = set[str]()
        """Clients that must wait for `WAIT_SECONDS`, regardless of their count."""

    async def spend(self, kind: Any, who: str, cost: int = 1) -> int | None:
        self.spent.append((kind, who))
        if who in self.exhausted:
            return WAIT_SECONDS
        return await super().spend(kind, who, cost)


class ListedNotes(AddressRecorder):
    """Address notes that list the people who were noted."""

    def __init__(self, notes: AddressRecorder) -> None:
        super().__init__(notes.store, notes.salt)
        self.people = list[str]()

    async def record(self, person: str, address: str, at: datetime) -> None:
        self.people.append(person)
        await super().record(person, address, at)


class CountedFastRoutes(FastRoutes):
    """Fast routes that count the requests they answer."""

    answered = 0

    async def handle(self, *args: Any) -> Any:
        rest = await super().handle(*args)
        self.answered += rest is None
        return rest
