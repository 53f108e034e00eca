"""A whole service in this process with its projections and a worker, and visitors with browsers without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from html import unescape
from http.client import HTTPResponse
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from api.accounts.people import People
from api.http.cookies import SESSION as SESSION_COOKIE
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import SERVICE_SEAT
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.clock import now
from projections.platform.store import ReadStore
from tests.api.service import SERVICE_TOKEN, Answer, Sockets, behind_sockets, settings_in
from tests.seeding import entropy
from workers.client import ServiceClient
from workers.event_duties import OrganisingDuties
from workers.jobs import build_jobs
from workers.matches.bot_turn import PLAYERS
from workers.queues import BOT_TURN, CIRCUIT_STEP, LEAGUE_STEP, RANKING_STEP, SERVICE_TURN, TOURNAMENT_STEP


class RecordingQueue:
    """A queue that records its jobs."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, str, str, int]] = []

    def tournament_step(self, event_id: UUID, step: str, version: int, attempt: int) -> str:
        return self._keep(TOURNAMENT_STEP, event_id, step, version, attempt)

    def circuit_step(self, circuit_id: UUID, step: str, version: int, attempt: int) -> str:
        return self._keep(CIRCUIT_STEP, circuit_id, step, version, attempt)

    def league_step(self, league_id: UUID, step: str, version: int, attempt: int) -> str:
        return self._keep(LEAGUE_STEP, league_id, step, version, attempt)

    def ranking_step(self, list_id: UUID, step: str, version: int, attempt: int) -> str:
        return self._keep(RANKING_STEP, list_id, step, version, attempt)

    def _keep(self, job: str, of: UUID, step: str, version: int, attempt: int) -> str:
        self.steps.append((job, str(of), step, version))
        return f"{job}-{of}-{step}-{version}-{attempt}"


class FullService:
    """The service, its projections and its worker, run step by step."""

    def __init__(self, sockets: Sockets, folder: Path) -> None:
        self.sockets = sockets
        self.folder = folder
        self.service = ServiceClient.by_socket(sockets.path, SERVICE_TOKEN, 30.0)
        settings = settings_in(folder)
        assert settings.log_file is not None
        self.log = open_store(store_env(settings.log_file), entropy=entropy())
        self.store = ReadStore(settings.reads_url)
        self.wanted = RecordingQueue()
        self.duties = OrganisingDuties(self.store, self.wanted)
        self.people = People(settings.people_place, entropy())
        self.loop = FollowerLoop(self.log, self.store, (*PROJECTIONS.values(), self.duties))

    def close(self) -> None:
        self.service.close()
        self.people.close()
        self.store.close()
        self.log.close()

    def follow(self) -> None:
        """Run all projections to the end of the log."""
        self.loop.catch_up()

    def settle(self) -> list[str]:
        """Run projections and worker until no job is left; return the steps taken."""
        steps: list[str] = []
        while True:
            self.follow()
            self.duties.issue(now())
            if not self.wanted.steps:
                return steps
            jobs = build_jobs(PLAYERS)
            for job, of, step, version in self.wanted.steps:
                assert jobs[job](self.service, of, step, version)
                steps.append(step)
            self.wanted.steps.clear()

    def play(self, match_id: str) -> None:
        """Act for the bots and the service until a person is to act or the match is over."""
        while (owed := self.service.read_duty(match_id)) is not None and owed.seat is not None:
            job = SERVICE_TURN if owed.seat == SERVICE_SEAT else BOT_TURN
            arguments = (match_id, owed.version) if owed.seat == SERVICE_SEAT else (match_id, owed.version, 25)
            build_jobs(PLAYERS)[job](self.service, *arguments)

    def fetch(self, method: str, path: str, body: bytes | None = None, token: str = "") -> tuple[int, bytes]:
        """Send a request; return status and body."""
        with closing(self.sockets.connection()) as connection:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request(method, f"/api{path}", body, headers)
            response = connection.getresponse()
            return response.status, response.read()

    def guest(self) -> tuple[str, str]:
        """Create a guest and return id and token; guests need no password, whose hashing is slow."""
        guest = self.people.create_guest(now())
        return guest.id, self.people.access.issue_token(guest, "", now())[1]

    def ask(self, method: str, path: str, wanted: Any = None, token: str = "") -> Answer:
        return self.sockets.ask(method, path, wanted, token)


@contextmanager
def run_full_service(folder: Path) -> Iterator[FullService]:
    with behind_sockets(folder) as sockets:
        whole = FullService(sockets, folder)
        try:
            yield whole
        finally:
            whole.close()


TOKEN: Final = re.compile(r'name="_csrf_token" value="([^"]+)"')
DATA: Final = b"data: "
ID: Final = b"id: "


class Visitor:
    """A guest or an existing person with a session."""

    def __init__(self, service: FullService | Sockets, known: str = "") -> None:
        self.sockets = service if isinstance(service, Sockets) else service.sockets
        person = service.people.find(known) or service.people.create_guest(now())
        self.id = person.id
        self.cookies = {SESSION_COOKIE: service.people.access.start_session(person, now())}

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def asks(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        """Send a request; return status, redirect target and page."""
        with closing(self.sockets.connection()) as connection:
            headers = {"Cookie": self.cookie}
            if body is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            self.store_cookies(response)
            return response.status, response.headers.get("Location", ""), response.read().decode()

    def store_cookies(self, answer: HTTPResponse) -> None:
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}

    def sees(self, path: str, status: int = 200) -> str:
        """Return a page as text, with HTML entities decoded."""
        actual_status, _, page = self.asks("GET", path)
        assert actual_status == status, page
        return unescape(page)

    def sends(self, path: str, **fields: object) -> str:
        """Submit a form and return the redirect target."""
        status, location, page = self._send_form(path, fields)
        assert status == 303, page
        return location

    def submit_unconfirmed(self, path: str, **fields: object) -> str:
        """Submit a form whose response asks for confirmation, and return that page."""
        status, _, page = self._send_form(path, fields)
        assert status == 200, page
        return unescape(page)

    def submit_refused(self, path: str, **fields: object) -> tuple[int, str]:
        """Submit a form that is refused; return status and page."""
        status, _, page = self._send_form(path, fields)
        assert status >= 400, page
        return status, unescape(page)

    def _send_form(self, path: str, fields: dict[str, object]) -> tuple[int, str, str]:
        token = TOKEN.search(self.asks("GET", "/leagues")[2])
        assert token is not None
        return self.asks("POST", path, urlencode({"_csrf_token": token[1], **fields}, doseq=True))

    @contextmanager
    def listens(self, path: str) -> Iterator[Iterator[dict[str, str]]]:
        """Connect to a page's stream and yield the fragments of each event, by id."""
        with closing(self.sockets.connection()) as connection:
            connection.request("GET", path, headers={"Cookie": self.cookie})
            response = connection.getresponse()
            assert response.status == 200, response.read()
            events = (msgspec.json.decode(line.removeprefix(DATA)) for line in response if line.startswith(DATA))
            yield (event["parts"] for event in events if "parts" in event)

    def read_first_event(self, path: str, last_event_id: str = "") -> tuple[dict[str, str], str]:
        """Return the fragments of a stream's first event by id, and the new value of `last_event_id`."""
        with closing(self.sockets.connection()) as connection:
            connection.request("GET", f"{path}?{urlencode({'have': last_event_id})}", headers={"Cookie": self.cookie})
            response = connection.getresponse()
            assert response.status == 200, response.read()
            while not (line := response.readline()).startswith((ID, DATA)):
                assert line, f"the stream of {path} has ended"
            if line.startswith(ID):
                last_event_id = line.decode().strip().partition("~")[2]
                while not (line := response.readline()).startswith(DATA):
                    assert line, f"the stream of {path} has ended"
            pieces: dict[str, str] = msgspec.json.decode(line.removeprefix(DATA)).get("parts", {})
            return pieces, last_event_id
