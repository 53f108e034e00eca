"""A log with its followers and queues, and a short match played once for all tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from domain.analyses.report import Budget
from domain.eventstore.application import Matches
from domain.kernel.title import Titles
from domain.matches.play.in_memory import MatchLog, play_to_end, seeded_origins, table_of_bots
from domain.titles import TITLES
from projections.loop import FollowerLoop
from projections.matches import clocks
from projections.platform.store import ReadStore
from tests.projections.tables import TITLES as TITLES_OF_TABLES
from tests.projections.tables import at, matches_in
from workers.bots import BOTS
from workers.bots.evaluation import load_evaluations
from workers.matches.duties import MatchDuties
from workers.queues import QUEUES, TURNS, Queues, patient_connection


class MatchBackend:
    """A log with its followers and queues."""

    def __init__(self, matches: Matches, store: ReadStore, url: str) -> None:
        self.matches = matches
        self.connection = Redis.from_url(url)
        self.duties = MatchDuties(store, Queues(patient_connection(url)))
        self.loop = FollowerLoop(matches, store, (clocks, self.duties))

    def issue(self, seconds: float) -> int:
        self.loop.catch_up()
        return self.duties.issue(at(seconds))

    def queue(self, name: str) -> Queue:
        return Queue(name, connection=self.connection, serializer=JSONSerializer)

    def jobs(self, name: str = TURNS) -> list[str]:
        return self.queue(name).job_ids

    def lose_jobs(self) -> None:
        """Drop all queued jobs, as a killed worker would."""
        for name in QUEUES:
            self.connection.delete(self.queue(name).key)


@contextmanager
def backend_in(folder: Path, redis_url: str, titles: Titles = TITLES_OF_TABLES) -> Iterator[MatchBackend]:
    store = ReadStore(folder / "reads.db")
    with matches_in(folder / "log.db", titles) as matches:
        backend = MatchBackend(matches, store, redis_url)
        yield backend
        backend.connection.close()
    store.close()


EVALUATIONS: Final = load_evaluations(TITLES)
QUICK: Final = Budget(tries=200, width=3, draws=2)


@cache
def log_of(title: str = "el_grande", seats: int = 2) -> MatchLog:
    """Return the log of a match of a greedy bot against random ones."""
    names = ["greedy", *["random"] * (seats - 1)]
    table = table_of_bots(TITLES[title], [BOTS[name].actor for name in names], {}, seeded_origins(b"played"))
    return play_to_end(table, {BOTS[name].actor: BOTS[name].choose for name in names})
