"""The queues and their jobs; the id of a job states its purpose, so that duplicates are recognised."""

import secrets
from collections.abc import Mapping
from typing import Final
from uuid import UUID

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from domain.hints import Kind
from domain.notifications.kinds import Channel
from projections.platform.telemetry.spans import job_metadata
from projections.platform.valkey import valkey

URGENT: Final = "esporles-urgent"
"""The service's own steps and time-outs, for which a whole match waits."""
TURNS: Final = "esporles-turns"
"""Turns at tables whose bots choose within `QUICK_MILLISECONDS`."""
THOUGHTS: Final = "esporles-thoughts"
"""Turns at tables with a slower bot; after all others, and only for workers that take long jobs."""
TOURNAMENTS: Final = "esporles-events"
"""Steps of tournaments, leagues and ranking lists: rare and long; before turns, which would delay them."""
MAILS: Final = "esporles-mails"
PUSHES: Final = "esporles-pushes"
"""Delivery jobs, each queue with a dedicated process: a slow mail server delays neither matches nor pushes."""
OUTGOING_QUEUES: Final[Mapping[Channel, str]] = {"mail": MAILS, "push": PUSHES}
UNATTENDED: Final = "esporles-unattended"
"""Steps of matches with only bots left (`domain.matches.seats.attendance`), after the matches of people."""
UNATTENDED_THOUGHTS: Final = "esporles-unattended-thoughts"
"""The same for bots that think: only workers that take long jobs take these."""
UNATTENDED_QUEUES: Final = frozenset({UNATTENDED, UNATTENDED_THOUGHTS})
UNATTENDED_WAITING_MAX: Final = 8
"""Maximum number of jobs waiting in each of these queues.

It keeps workers busy, and the follower still issues jobs of people's matches without delay.
"""
ADJUDICATIONS: Final = "esporles-adjudications"
"""Tables of events that bots play on after a deadline: about a minute each, only for workers that take long jobs."""
ANALYSES: Final = "esporles-analyses"
"""Pieces of analyses of finished matches, for which no turn waits."""
HINTS: Final = "esporles-hints"
"""Requested hints: short, but after all turns of people."""
AT_ONCE: Final[Mapping[str, int]] = {URGENT: 2, TURNS: 2, THOUGHTS: 1, UNATTENDED: 2, UNATTENDED_THOUGHTS: 1}
"""Maximum number of turns per account that are in each queue or running, so that accounts have equal shares.

With one, workers would wait for the follower between two jobs of an account. Two thoughts would take up to ten seconds.
"""
QUICK_QUEUES: Final = (URGENT, TOURNAMENTS, TURNS, HINTS, UNATTENDED)
QUEUES: Final = (URGENT, TOURNAMENTS, TURNS, HINTS, THOUGHTS, UNATTENDED, UNATTENDED_THOUGHTS, ADJUDICATIONS, ANALYSES)
"""The order in which a worker checks the queues; `workers.turn_worker` sometimes puts the unattended ones first."""

BOT_TURN: Final = "bot_turn"
SERVICE_TURN: Final = "service_turn"
EXPIRE_TURNS: Final = "expire_turns"
DEADLINE: Final = "deadline"
TOURNAMENT_STEP: Final = "event_step"
LEAGUE_STEP: Final = "league_step"
RANKING_STEP: Final = "ranking_step"
CIRCUIT_STEP: Final = "circuit_step"
APPLY_HOLIDAYS: Final = "apply_holidays"
ADJUDICATE: Final = "adjudicate"
"""The step of an event at which bots play on."""
HAND_OVER: Final = "hand_over"
ANALYSE: Final = "analyse"
GIVE_HINT: Final = "give_hint"

QUICK_MILLISECONDS: Final = 100
"""Longest thinking time of a choice for which other people's bots may have to wait."""
JOB_SECONDS_MAX: Final = 2
"""Timeout of a job in seconds; must be shorter than the lease of `workers.matches.duties`.

If bots think, both are longer by the thinking time of the slowest bot.
"""
TOURNAMENT_SECONDS_MAX: Final = 120
"""Timeout of a tournament step; must be shorter than the lease of `workers.event_duties`."""
ADJUDICATION_SECONDS_MAX: Final = 300
"""Timeout of a job in which bots play on at a table; must be shorter than the lease of `workers.event_duties`."""
ANY_WORKER_EVERY: Final = 4
"""Every so many attempts at it go to any worker, for installations without workers that take long jobs."""
HAND_OVER_SECONDS_MAX: Final = 110
"""Timeout of a delivery job; must be shorter than the lease of `api.notifications.outbox`."""
ANALYSIS_SECONDS: Final = (30, 90, 270)
"""Timeouts of a piece of an analysis by attempt; `workers.analyses.duties` derives the lease."""
HINT_SECONDS_MAX: Final = 20
"""Timeout of a hint; must be shorter than the lease of `workers.hints`."""
FAILURE_KEPT_SECONDS: Final = 3_600
ANSWER_SECONDS_MAX: Final = 1.0


def impatient_connection(url: str) -> Redis:
    """Connect to Redis with a short timeout and no retries, for callers with other work to do."""
    return valkey(
        url,
        socket_timeout=ANSWER_SECONDS_MAX,
        socket_connect_timeout=ANSWER_SECONDS_MAX,
        retry=Retry(NoBackoff(), 0),
    )


def patient_connection(url: str) -> Redis:
    """Connect to Redis without a timeout, for blocking reads, which redis-py would abort after five seconds."""
    return valkey(url, socket_timeout=None, retry=Retry(NoBackoff(), 0))


def queue_of_turn(thinking: int, *, attended: bool) -> str:
    """Return the queue of a bot's turn of a match whose slowest bot may think for `thinking` milliseconds.

    Unattended matches, those without people, have separate queues.
    """
    if attended:
        return TURNS if thinking <= QUICK_MILLISECONDS else THOUGHTS
    return UNATTENDED_THOUGHTS if thinking else UNATTENDED


def place_of_step(step: str, attempt: int) -> tuple[str, int]:
    """Return the queue and the timeout of a step of a tournament or league."""
    if step != ADJUDICATE:
        return TOURNAMENTS, TOURNAMENT_SECONDS_MAX
    return ADJUDICATIONS if attempt % ANY_WORKER_EVERY else TOURNAMENTS, ADJUDICATION_SECONDS_MAX


def waiting_in(connection: Redis, queue: str) -> int:
    """Return the number of jobs waiting in a queue."""
    return Queue(queue, connection=connection).count


class Queues:
    """Typed methods that enqueue a job and return its id."""

    def __init__(self, connection: Redis) -> None:
        self._queues = {
            name: Queue(name, connection=connection, serializer=JSONSerializer, default_timeout=JOB_SECONDS_MAX)
            for name in (*QUEUES, *OUTGOING_QUEUES.values())
        }

    def bot_turn(
        self, queue: str, match_id: UUID, version: int, attempt: int, actions_max: int, seconds: int = JOB_SECONDS_MAX
    ) -> str:
        """Enqueue a turn of a bot that may take `seconds`, and return the job id, made of match, version and attempt.

        The same call enqueues the job again under the same id.
        """
        job_id = f"bot-{match_id}-{version}-{attempt}"
        return self._enqueue(queue, BOT_TURN, job_id, str(match_id), version, actions_max, timeout=seconds)

    def service_turn(self, queue: str, match_id: UUID, version: int, attempt: int) -> str:
        """Enqueue a step of the service itself."""
        job_id = f"service-{match_id}-{version}-{attempt}"
        return self._enqueue(queue, SERVICE_TURN, job_id, str(match_id), version)

    def room_in(self, queue: str) -> int:
        """Return how many more jobs may be enqueued now into one of the unattended queues."""
        return max(0, UNATTENDED_WAITING_MAX - self._queues[queue].count)

    def expire_turns(self, match_id: UUID, version: int, seat: int, attempt: int) -> str:
        """Enqueue the report of an expired clock."""
        job_id = f"expire-{match_id}-{version}-{seat}-{attempt}"
        return self._enqueue(URGENT, EXPIRE_TURNS, job_id, str(match_id), version, seat)

    def deadline(self, match_id: UUID, version: int, attempt: int) -> str:
        """Enqueue the report of an expired wait."""
        return self._enqueue(URGENT, DEADLINE, f"deadline-{match_id}-{version}-{attempt}", str(match_id), version)

    def tournament_step(self, event_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a tournament and return the job id, made of event, step, version and attempt.

        The same call enqueues the job again under the same id.
        """
        job_id = f"event-{event_id}-{step}-{version}-{attempt}"
        queue, seconds = place_of_step(step, attempt)
        return self._enqueue(queue, TOURNAMENT_STEP, job_id, str(event_id), step, version, timeout=seconds)

    def league_step(self, league_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a league and return the job id, made of league, step, version and attempt.

        The same call enqueues the job again under the same id.
        """
        job_id = f"league-{league_id}-{step}-{version}-{attempt}"
        queue, seconds = place_of_step(step, attempt)
        return self._enqueue(queue, LEAGUE_STEP, job_id, str(league_id), step, version, timeout=seconds)

    def ranking_step(self, list_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a ranking list and return the job id, made of list, step, version and attempt.

        The same call enqueues the job again under the same id.
        """
        job_id = f"ranking-{list_id}-{step}-{version}-{attempt}"
        return self._enqueue(
            TOURNAMENTS, RANKING_STEP, job_id, str(list_id), step, version, timeout=TOURNAMENT_SECONDS_MAX
        )

    def circuit_step(self, circuit_id: UUID, step: str, version: int, attempt: int) -> str:
        """Enqueue a step of a circuit and return the job id, made of circuit, step, version and attempt.

        The same call enqueues the job again under the same id.
        """
        job_id = f"circuit-{circuit_id}-{step}-{version}-{attempt}"
        return self._enqueue(TOURNAMENTS, CIRCUIT_STEP, job_id, str(circuit_id), step, version)

    def apply_holidays(self) -> bool:
        """Enqueue the job for holidays and return True, unless one is waiting, which will do everything."""
        if self.is_waiting(APPLY_HOLIDAYS):
            return False
        self._enqueue(TOURNAMENTS, APPLY_HOLIDAYS, APPLY_HOLIDAYS, timeout=TOURNAMENT_SECONDS_MAX)
        return True

    def hand_over(self, channel: Channel) -> bool:
        """Enqueue a delivery job and return True, unless one is waiting, which will deliver everything."""
        queue = OUTGOING_QUEUES[channel]
        if self._queues[queue].count:
            return False
        job_id = f"{channel}-{secrets.token_hex(8)}"
        self._enqueue(queue, HAND_OVER, job_id, timeout=HAND_OVER_SECONDS_MAX)
        return True

    def analyse(self, job_id: str, match_id: UUID, first: int, last: int, tries: int, seconds: int) -> str:
        """Enqueue a piece of an analysis."""
        return self._enqueue(ANALYSES, ANALYSE, job_id, str(match_id), first, last, tries, timeout=seconds)

    def give_hint(self, job_id: str, match_id: UUID, version: int, kind: Kind) -> str:
        """Enqueue a hint."""
        return self._enqueue(HINTS, GIVE_HINT, job_id, str(match_id), version, kind, timeout=HINT_SECONDS_MAX)

    def analyses_waiting(self) -> int:
        """Return the number of waiting pieces of analyses."""
        return self._queues[ANALYSES].count

    def is_waiting(self, job_id: str) -> bool:
        """Return whether the job is in a queue; its status cannot tell, because a lost job stays "queued"."""
        return any(queue.get_job_position(job_id) is not None for queue in self._queues.values())

    def _enqueue(self, queue: str, job: str, job_id: str, *args: str | int, timeout: int = JOB_SECONDS_MAX) -> str:
        """Enqueue a job with the id of its request and trace, and return its id; failures are kept, results are not."""
        self._queues[queue].enqueue_call(
            job,
            args=args,
            job_id=job_id,
            timeout=timeout,
            result_ttl=0,
            failure_ttl=FAILURE_KEPT_SECONDS,
            description=job_id,
            meta=job_metadata(),
        )
        return job_id
