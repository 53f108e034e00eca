"""A whole service in this process: behind sockets, with its followers, and a worker that takes what it is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from api.accounts.people import People
from api.http.clock import now
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import HOUSE
from projections.catalogue import PROJECTIONS
from projections.loop import Loop
from projections.platform.store import ReadStore
from tests.api.house import SERVICE_TOKEN, Answer, Sockets, behind_sockets, settings_in
from tests.seeding import entropy
from workers.client import ServiceClient
from workers.jobs import build_jobs
from workers.matches.bot_turn import PLAYERS
from workers.organising import OrganisingDuties
from workers.queues import BOT_TURN, LEAGUE_STEP, SERVICE_TURN, TOURNAMENT_STEP


class Wanted:
    """A queue that keeps what is put into it."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, str, str, int]] = []

    def tournament_step(self, event_id: UUID, step: str, version: int, attempt: int) -> str:
        return self._keep(TOURNAMENT_STEP, event_id, step, version, attempt)

    def league_step(self, league_id: UUID, step: str, version: int, attempt: int) -> str:
        return self._keep(LEAGUE_STEP, league_id, step, version, attempt)

    def _keep(self, job: str, of: UUID, step: str, version: int, attempt: int) -> str:
        self.steps.append((job, str(of), step, version))
        return f"{job}-{of}-{step}-{version}-{attempt}"


class Running:
    """The service, its followers and its worker, one step after the other."""

    def __init__(self, sockets: Sockets, folder: Path) -> None:
        self.sockets = sockets
        self.folder = folder
        self.service = ServiceClient.by_socket(sockets.path, SERVICE_TOKEN, 30.0)
        settings = settings_in(folder)
        assert settings.log_file is not None
        self.log = open_store(store_env(settings.log_file), entropy=entropy())
        self.store = ReadStore(settings.reads_url)
        self.wanted = Wanted()
        self.duties = OrganisingDuties(self.store, self.wanted)
        self.people = People(settings.people_place, entropy())
        self.loop = Loop(self.log, self.store, (*PROJECTIONS.values(), self.duties))

    def close(self) -> None:
        self.service.close()
        self.people.close()
        self.store.close()
        self.log.close()

    def follow(self) -> None:
        """Everybody who follows the log has come to its end."""
        self.loop.catch_up()

    def settle(self) -> list[str]:
        """Followers and worker go on until nothing is waited for; the steps that were taken."""
        taken: list[str] = []
        while True:
            self.follow()
            self.duties.issue(now())
            if not self.wanted.steps:
                return taken
            jobs = build_jobs(PLAYERS)
            for job, of, step, version in self.wanted.steps:
                assert jobs[job](self.service, of, step, version)
                taken.append(step)
            self.wanted.steps.clear()

    def play(self, match_id: str) -> None:
        """The bots of a match, and the house, act until it waits for a person or is over."""
        while (owed := self.service.read_duty(match_id)) is not None and owed.seat is not None:
            job = SERVICE_TURN if owed.seat == HOUSE else BOT_TURN
            arguments = (match_id, owed.version) if owed.seat == HOUSE else (match_id, owed.version, 25)
            build_jobs(PLAYERS)[job](self.service, *arguments)

    def fetch(self, method: str, path: str, body: bytes | None = None, token: str = "") -> tuple[int, bytes]:
        """One request; status and the bytes of the answer."""
        with closing(self.sockets.connection()) as connection:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request(method, f"/api{path}", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def guest(self) -> tuple[str, str]:
        """A person and a token: without a password, which takes its time to hash."""
        guest = self.people.create_guest(now())
        return guest.id, self.people.issue_token(guest, "", now())[1]

    def ask(self, method: str, path: str, wanted: Any = None, token: str = "") -> Answer:
        return self.sockets.ask(method, path, wanted, token)


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    with behind_sockets(folder) as sockets:
        whole = Running(sockets, folder)
        try:
            yield whole
        finally:
            whole.close()
