"""A service of its own for every test: in this process, or behind real sockets; and the people who use it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import uvicorn
from litestar import Litestar
from litestar.testing import TestClient

from api.accounts.people import PEOPLE, People
from api.app import create_app
from api.matches.service import MATCHES
from api.web.clock import now
from api.web.identity import Person as Account
from ops.web import build_config
from projections.platform.settings import Settings
from tests.seeding import entropy
from workers.unix_http import UnixConnection

SERVICE_TOKEN: Final = "the-service-itself"
PASSWORD: Final = "correct horse battery"
AT_FIRST: Final = 2
"""The position in the log of a service that was just started: it has recorded when each edition of rated play began."""
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
    """Somebody with a token, who asks and acts: a guest, because hashing passwords takes its time."""

    def __init__(self, client: TestClient[Any]) -> None:
        people = PEOPLE.of(client)
        account = self.create(people)
        self.client = client
        self.id = account.id
        self.token = people.issue_token(account, "", now())[1]
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def create(self, people: People) -> Account:
        return people.create_guest(now())

    def get(self, path: str, **headers: str) -> Answer:
        answer = self.client.get(f"/api{path}", headers=self.headers | headers)
        return answer.status_code, answer.json()

    def post(self, path: str, wanted: Any, **headers: str) -> Answer:
        answer = self.client.post(f"/api{path}", json=wanted, headers=self.headers | headers)
        return answer.status_code, answer.json() if answer.content else None

    def accepts(self, event: str, invitation: Any) -> Answer:
        """Accept an invitation to a tournament or league."""
        return self.post(f"{event}/invitation", {"accept": True, **invitation})

    def delete(self, path: str) -> Answer:
        answer = self.client.delete(f"/api{path}", headers=self.headers)
        return answer.status_code, answer.json() if answer.content else None

    def opens(self, seats: int = 2, **wanted: Any) -> str:
        """A new table."""
        status, match = self.post("/matches", {"title": "la_granja", "seats": seats, **wanted})
        assert status == 201, match
        return str(match["matchId"])

    def invites(self, match_id: str) -> str:
        """The secret of a new invitation to a private table."""
        status, made = self.post(f"/matches/{match_id}/invitations", {})
        assert (status, made["link"]) == (201, f"/invitation#{made['secret']}"), made
        return str(made["secret"])

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
        """Takes one of the legal actions."""
        legal = self.legal(match_id)
        wanted = {"expectedVersion": legal["version"], "action": legal["actions"][index]["action"]}
        return self.post(f"/matches/{match_id}/actions", wanted)


class Member(Person):
    """Somebody who signed up two days ago: one whose matches are rated."""

    def __init__(self, client: TestClient[Any], name: str) -> None:
        self.name = name
        super().__init__(client)

    def create(self, people: People) -> Account:
        return people.create(self.name, PASSWORD, now() - timedelta(days=2))


def started(*people: Person, **wanted: Any) -> str:
    """A match of these people that is being played."""
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
    """Everybody takes the first legal action until the step is reached; the match there."""
    while True:
        match = people[0].get(f"/matches/{match_id}")[1]
        if match["status"] != "running" or match["phase"].endswith(f"/{step}"):
            return match
        assert people[match["toAct"][0]].acts(match_id)[0] == 201


def play_rounds(people: tuple[Person, ...], match_id: str, rounds: int) -> None:
    """Everybody takes the first legal action until all have acted in so many rounds."""
    tables = MATCHES.of(people[0].client)
    while any(starter.rounds < rounds for starter in tables.writer.matches.get(UUID(match_id)).starters):
        match = people[0].get(f"/matches/{match_id}")[1]
        assert people[match["toAct"][0]].acts(match_id)[0] == 201


class Sockets:
    """A service behind a public and a private socket, as it runs in earnest."""

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
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
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
def behind_sockets(folder: Path, settings: Settings | None = None, **waits: Any) -> Iterator[Sockets]:
    """The service in a thread, on a free port and a unix socket, until the end of the block."""
    settings = settings or settings_in(folder)
    app = create_app(settings, entropy(), **waits)
    path = folder / "s.sock"
    private = socket.socket(socket.AF_UNIX)
    private.bind(str(path))
    private.listen()
    public = socket.create_server(("127.0.0.1", 0))
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
