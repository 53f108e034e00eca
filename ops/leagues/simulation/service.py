"""The service of a simulation: the real application in this process, with a clock that only the simulation moves.

Requests pass through its HTTP interface. The follower and the jobs of workers are the real ones, too; they run when the
simulation calls `settle`, so that everything due at a time is done before the clock moves.
"""

import secrets
import shutil
import socket
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from http.client import HTTPException
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec
import uvicorn
from sqlalchemy import and_, case, func, select

from api.accounts.people import PEOPLE, People
from api.accounts.sign_in_methods import Identity
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.loading import load
from domain.matches.entropy import Entropy
from domain.matches.log.entries import microseconds
from ops.console import Finding
from ops.embedded_valkey import socket_folder
from ops.temporary_service import LIMITS
from ops.tournaments.seeded import entropy_of
from ops.web import SWITCH_SECONDS, build_config
from projections.catalogue import PROJECTIONS
from projections.follow import moment
from projections.leaves import TreeLeaves
from projections.loop import FollowerLoop
from projections.matches.clocks import CLOCKS
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from workers.client import ServiceClient, ServiceRefused
from workers.event_duties import EVENT_DUTIES, OrganisingDuties
from workers.holidays import HolidayDuties
from workers.jobs import build_jobs
from workers.matches.bot_turn import PLAYERS
from workers.matches.duties import LEASE, MatchDuties
from workers.matches.statements import DUTIES
from workers.queues import JOB_SECONDS_MAX, UNATTENDED_WAITING_MAX, Queues
from workers.unix_http import UnixConnection

ANSWER_SECONDS_MAX: Final = 120.0
STOP_SECONDS_MAX: Final = 30.0
IDLE_SECONDS_MAX: Final = 3_600
"""Time without a request after which the service closes a connection, longer than any job takes."""
ACCOUNT_AGE: Final = timedelta(days=2)
"""Age of the accounts; matches of accounts younger than a day are not rated."""
PATIENT_ATTEMPTS: Final = 3
"""Attempts of a job for which the clock stops; later ones wait until it stops for something else."""
FAR: Final = 2**62
NEXT_STEP: Final = select(func.min(EVENT_DUTIES.c.leased_us)).where(
    EVENT_DUTIES.c.step != "", EVENT_DUTIES.c.attempt <= PATIENT_ATTEMPTS
)
NEXT_DUTY: Final = select(
    func.min(case((DUTIES.c.due_us > DUTIES.c.leased_us, DUTIES.c.due_us), else_=DUTIES.c.leased_us))
).where(DUTIES.c.attempt <= PATIENT_ATTEMPTS)


class SimulatedClock:
    """A clock that changes only when it is moved, always forward."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def __call__(self) -> datetime:
        """Return the time."""
        return self._at

    def move_to(self, at: datetime) -> None:
        """Move the clock forward."""
        assert at >= self._at, "a clock never goes back"
        self._at = at


class HeldQueues(Queues):
    """Queues in memory, whose jobs the simulation runs itself."""

    def __init__(self) -> None:
        self.jobs = deque[tuple[str, tuple[Any, ...]]]()

    def room_in(self, queue: str) -> int:  # noqa: ARG002  # no queue is ever full
        """Return the room in a queue, which is emptied before jobs are issued again."""
        return UNATTENDED_WAITING_MAX

    def is_waiting(self, job_id: str) -> bool:  # noqa: ARG002  # jobs run at once
        """Return False: no job waits while others are issued."""
        return False

    def _enqueue(
        self,
        queue: str,  # noqa: ARG002  # one process runs all jobs, in the order of their issue
        job: str,
        job_id: str,
        *args: str | int,
        timeout: int = JOB_SECONDS_MAX,  # noqa: ARG002  # no job is interrupted
    ) -> str:
        self.jobs.append((job, args))
        return job_id


class Answer(msgspec.Struct, frozen=True):
    """The status and the body of a response."""

    status: int
    body: bytes

    @property
    def content(self) -> Any:
        """The decoded body."""
        return msgspec.json.decode(self.body)


class SimulatedService:
    """A running service, its follower and its worker."""

    def __init__(self, app: Any, settings: Settings, path: Path, clock: SimulatedClock) -> None:
        self.clock = clock
        self.people: People = PEOPLE.of(app)
        self.failures = list[str]()
        """Jobs that ended with an error, which a worker would only log."""
        self.requests_sent = 0
        self.jobs_run = 0
        self._connection = UnixConnection(path, ANSWER_SECONDS_MAX)
        self._worker = ServiceClient.by_socket(path, settings.token, ANSWER_SECONDS_MAX)
        self._leaves = TreeLeaves(settings.tree_place)
        self._log = open_store(store_env(settings.log_place, settings.log_partitions), guard=self._leaves)
        self.reads = ReadStore(settings.reads_url)
        self._queues = HeldQueues()
        self._duties = MatchDuties(self.reads, self._queues)
        self._steps = OrganisingDuties(self.reads, self._queues)
        self._holidays = HolidayDuties(self.reads, self._queues)
        self._loop = FollowerLoop(self._log, self.reads, (*PROJECTIONS.values(), self._duties, self._steps))
        self._jobs = build_jobs(PLAYERS)

    def close(self) -> None:
        """Close the stores and connections."""
        self._connection.close()
        self._worker.close()
        self._log.close()
        self._leaves.close()
        self.reads.close()

    def create_account(self, name: str, role: str = "") -> tuple[str, str]:
        """Create an account two days old; return its id and a token."""
        at = self.clock()
        person = self.people.create(name, None, at - ACCOUNT_AGE, identity=Identity("simulation", name))
        if role:
            self.people.set_role(person.id, role)
        return person.id, self.people.access.issue_token(person, "simulation", at)[1]

    def send(
        self,
        method: str,
        path: str,
        token: str,
        content: object = None,
        headers: MappingProxyType[str, str] = MappingProxyType({}),
    ) -> Answer:
        """Send a request to the API."""
        body = None if content is None else msgspec.json.encode(content)
        caller = {"Authorization": f"Bearer {token}"} if token else {}
        self.requests_sent += 1
        self._connection.request(method, f"/api{path}", body, {**caller, **headers})
        response = self._connection.getresponse()
        return Answer(response.status, response.read())

    def ask(self, method: str, path: str, token: str, content: object = None) -> Any:
        """Send a request that must be accepted, and return the decoded response; raise `Finding` if it is refused."""
        answer = self.send(method, path, token, content)
        if answer.status >= 300:
            raise Finding(f"{method} {path} was refused with {answer.status}: {answer.body.decode()}")
        return answer.content

    def settle(self) -> set[str]:
        """Run the follower and all due jobs until none is left; return the names of the jobs."""
        names = set[str]()
        while True:
            self._loop.catch_up()
            at = self.clock()
            self._duties.issue(at)
            self._steps.issue(at)
            self._holidays.issue(at)
            if not self._queues.jobs:
                return names
            while self._queues.jobs:
                job, arguments = self._queues.jobs.popleft()
                self._run(job, arguments)
                names.add(job)

    def _run(self, job: str, arguments: tuple[Any, ...]) -> None:
        self.jobs_run += 1
        try:
            self._jobs[job](self._worker, *arguments)
        except (ServiceRefused, HTTPException, OSError) as error:
            self.failures.append(f"{job} {' '.join(map(str, arguments))}: {error}")

    def next_due(self) -> datetime | None:
        """Return the time of the next duty or deadline that follows now, or None."""
        now_us = microseconds(self.clock())
        clocks = select(func.min(CLOCKS.c.deadline_us)).where(and_(CLOCKS.c.deadline_us > now_us))
        found = [self.reads.rows(each)[0][0] for each in (NEXT_STEP, NEXT_DUTY, clocks)]
        due_us = min((each for each in found if each is not None), default=FAR)
        if due_us == FAR:
            return None
        # A duty that is due and not issued waits for others of its account.
        return moment(due_us) if due_us > now_us else self.clock() + LEASE


@contextmanager
def simulated_service(clock: SimulatedClock, seed: int) -> Iterator[SimulatedService]:
    """Run the service in a temporary folder, with chance and ids from the seed.

    Raise `Finding` if it does not start.
    """
    folder, sockets = Path(tempfile.mkdtemp(prefix="esporles-league-")), socket_folder()
    path, interval = sockets / "service.sock", sys.getswitchinterval()
    unlimited: dict[str, Any] = dict.fromkeys(LIMITS, 0)
    settings = Settings(data=folder, token=secrets.token_urlsafe(32), redis="", demo=False, **unlimited)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        app = load("api.app", "create_app")(settings, seed_entropy(seed), clock=clock)
        with serving(app, settings, path), closing(SimulatedService(app, settings, path, clock)) as service:
            yield service
    finally:
        sys.setswitchinterval(interval)
        shutil.rmtree(sockets)
        shutil.rmtree(folder)


def seed_entropy(seed: int) -> Entropy:
    """Return entropy that makes a simulation the same for the same seed, apart from tokens and keys."""
    event, counts = entropy_of(seed), dict[str, int]()

    def entropy(length: int, purpose: str) -> bytes:
        if purpose not in {"person", "id"}:
            return event(length, purpose)
        counts[purpose] = counts.get(purpose, 0) + 1
        return event(length, f"seed/{purpose}/{counts[purpose]}")

    return entropy


@contextmanager
def serving(app: Any, settings: Settings, path: Path) -> Iterator[None]:
    """Serve the application on a private socket in a thread; raise `Finding` if it does not start."""
    private = socket.socket(socket.AF_UNIX)
    private.bind(str(path))
    private.listen()
    server = uvicorn.Server(build_config(app, settings, timeout_keep_alive=IDLE_SECONDS_MAX))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [private]}, name="simulated-service")
    thread.start()
    try:
        require_answer(path)
        yield
    finally:
        server.should_exit = True
        thread.join(STOP_SECONDS_MAX)
        private.close()


def require_answer(path: Path) -> None:
    """Raise `Finding` unless the service answers."""
    try:
        with closing(UnixConnection(path, ANSWER_SECONDS_MAX)) as connection:
            connection.request("GET", "/api/leagues")
            connection.getresponse().read()
    except (HTTPException, OSError) as error:
        raise Finding(f"the simulated service does not answer: {error}") from error
