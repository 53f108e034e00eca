"""The policy that issues jobs for the service's decisions, expired clocks and expired waits.

A duty is a row: this match, at this version, waits for the service. Issuing it enqueues a job and leases the row. A
duty still present when its lease ends is issued again, whatever happened to the job. Superfluous jobs are harmless,
because every action names the version it applies to.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import structlog

from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.values import Value, replace
from domain.matches.facts import SERVICE, ActionTaken, is_bot
from domain.matches.log.entries import microseconds
from domain.matches.play.deadlines import deadline
from domain.matches.seats.attendance import account_of, is_attended
from domain.matches.seats.bots import thinking_milliseconds
from projections.follow import MICROSECOND, FollowedStep
from projections.matches import clocks
from projections.matches.service_decisions import service_seats
from projections.platform.backoff import Backoff
from projections.platform.database import Row
from projections.platform.shards import shard_of
from projections.platform.store import ReadStore, Transaction
from projections.platform.telemetry.spans import NOT_PROPAGATED, PropagatedTraces
from workers.matches.statements import (
    ADD_MISSING,
    AGAIN,
    DUTIES,
    FORGET,
    FORGET_EXPIRED,
    HURRY,
    ISSUED_AS,
    KNOWN,
    LEASE_ONE,
    LEASED,
    READ_DUE,
    READ_OWN,
    TABLES,
    WRITE,
)
from workers.queues import (
    AT_ONCE,
    BOT_TURN,
    DEADLINE,
    EXPIRE_TURNS,
    JOB_SECONDS_MAX,
    SERVICE_TURN,
    UNATTENDED,
    UNATTENDED_QUEUES,
    UNATTENDED_WAITING_MAX,
    URGENT,
    Queues,
    queue_of_turn,
)

logger = structlog.get_logger("policies")

NAME: Final = "duties"
LEASE: Final = timedelta(seconds=3)
"""Longer than a job's timeout (`workers.queues.JOB_SECONDS_MAX`), so that a repeated job never overlaps."""
PATIENT_ATTEMPTS: Final = 10
"""Failures in a row before a warning: half a minute, the restart of a busy machine."""
SECOND: Final = 1_000_000
LEASE_LONGEST: Final = timedelta(minutes=1)
LEASES: Final = Backoff(LEASE, LEASE_LONGEST, PATIENT_ATTEMPTS)
"""The lease of each attempt; a duty is retried for ever, with backoff."""
WHOLE: Final = frozenset({0})
"""The slices if the log is not sharded."""
ISSUED_MAX: Final = 200
"""Duties issued per pass; the rest waits for the next pass."""
ACTIONS_MAX: Final = 25
"""Decisions per job, so that no match occupies a worker."""
UNATTENDED_ACTIONS_MAX: Final = 5
"""The same for matches of bots only, so that players never wait long for such a job."""
SHOW_PACE: Final = timedelta(seconds=0.7)
"""Delay between actions of a demonstration match."""
VERDICT_WAIT: Final = timedelta(seconds=1)
"""Longest time that bots wait at a table with hints for the verdict on the choice before theirs."""
TURN_AHEAD: Final = timedelta(seconds=5)
"""Latest due time of a turn: several times the delay above plus clock differences between hosts."""

SHAPE: Final = "8"
WHOLE_MATCH: Final = SERVICE_SEAT
"""The row of the match itself; rows of seats are expired clocks."""


class Duty(Value, frozen=True):
    """A match at `version` waits for the service.

    `seconds`: timeout of the job. `issued`: version of the last issued job, with `attempt` tries. Times are in
    microseconds.
    """

    match_id: UUID
    job: str
    seat: int
    version: int
    issued: int
    actions_max: int
    seconds: int
    due: int
    attempt: int
    leased: int
    job_id: str
    slice: int = 0
    """The leader of this slice issues the duty."""
    queue: str = URGENT
    account: str = ""
    """The account whose share of the queue the job uses; empty for expired clocks, which use none."""
    busy: int = 0
    """Time until which the last job counts in that share: as long as it can run.

    A longer lease after failures does not block other matches of the account.
    """

    @property
    def is_issued(self) -> bool:
        """Return whether a job was issued."""
        return self.job_id != ""

    @property
    def extra(self) -> int:
        """Return the microseconds by which its lease exceeds the usual one, because its job may take longer."""
        return (self.seconds - JOB_SECONDS_MAX) * SECOND

    def covers(self, version: int) -> bool:
        """Return whether the last issued job may continue at this version."""
        return self.is_issued and version < self.issued + self.actions_max


def duty_of(row: Row) -> Duty:
    """Convert a row into a duty."""
    return Duty(UUID(row[0]), *row[1:])


def row_of(duty: Duty) -> dict[str, Any]:
    """Convert a duty into column values."""
    values = (str(duty.match_id), *(getattr(duty, name) for name in Duty.__struct_fields__[1:]))
    return dict(zip(DUTIES.columns.keys(), values, strict=True))


class MatchDuties:
    """The policy: follows the log like a projection and issues due jobs."""

    NAME = NAME
    SHAPE = SHAPE
    SLICED = True
    TABLES = TABLES

    def __init__(self, store: ReadStore, queues: Queues, traces: PropagatedTraces = NOT_PROPAGATED) -> None:
        """Create the policy; `traces` provides the trace contexts of turns."""
        self._store = store
        self._queues = queues
        self._traces = traces

    def follow(self, transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
        """Update the duty of each match, or delete it if there is none; any entry cancels its expired clocks."""
        duties: dict[UUID, Duty | None] = {}
        for step in steps:
            if step.line_id not in duties:
                rows = transaction.rows(READ_OWN, match_id=str(step.line_id), seat=WHOLE_MATCH)
                duties[step.line_id] = duty_of(rows[0]) if rows else None
            duties[step.line_id] = next_duty(duties[step.line_id], step)
        for line_id, duty in duties.items():
            transaction.change(FORGET_EXPIRED, match_id=str(line_id))
            if duty is None:
                transaction.change(FORGET, match_id=str(line_id), seat=WHOLE_MATCH)
            else:
                transaction.change(WRITE, **row_of(self._shard_of(duty)))

    def _shard_of(self, duty: Duty) -> Duty:
        return replace(duty, slice=shard_of(duty.match_id) if self._store.shard_count > 1 else 0)

    def issue(self, now: datetime, slices: frozenset[int] = WHOLE) -> int:
        """Enqueue jobs for due duties of these slices without a valid lease; return their number.

        Expired clocks become duties first. Jobs of matches of bots are limited by the room in their queue. Raise
        `RedisError` if Redis is unavailable.
        """
        if not slices:
            return 0
        if expired := clocks.over(self._store, now, ISSUED_MAX):
            with self._store.consumer_transaction() as transaction:
                for clock in expired:
                    transaction.change(ADD_MISSING, **row_of(self._shard_of(expiry_duty(clock))))
        now_us = microseconds(now)
        count = 0
        for queue in AT_ONCE:
            is_bounded = queue in UNATTENDED_QUEUES
            due = self._due(now_us, slices, queue, UNATTENDED_WAITING_MAX if is_bounded else ISSUED_MAX)
            capacity = self._queues.room_in(queue) if due and is_bounded else ISSUED_MAX
            count += sum(self._issue_one(duty, now_us) for duty in due[:capacity])
        return count

    def _due(self, now_us: int, slices: frozenset[int], queue: str, limit: int) -> list[Duty]:
        """Return due, unleased duties of a queue within the share of their account, the longest due first."""
        rows = self._store.rows(
            READ_DUE,
            queue=queue,
            slices=sorted(slices),
            now=now_us,
            turn_latest=now_us + TURN_AHEAD // MICROSECOND,
            lease_longest=now_us + LEASE_LONGEST // MICROSECOND,
            lease=now_us + LEASE // MICROSECOND,
            share=AT_ONCE[queue],
            limit=limit,
        )
        return [duty_of(row) for row in rows]

    def make_due_now(self, match_id: UUID, version: int, now: datetime, *, reissue: bool) -> None:
        """Make the duty of the match due now if it is at this version; `reissue` also ends its lease."""
        now_us = microseconds(now)
        with self._store.consumer_transaction() as transaction:
            key = {"match_id": str(match_id), "seat": WHOLE_MATCH, "version": version, "now": now_us}
            transaction.change(HURRY, **key)
            if reissue:
                transaction.change(AGAIN, **key)

    def _issue_one(self, duty: Duty, now_us: int) -> bool:
        """Lease a duty and enqueue its job; return whether a job was added.

        If its previous job still waits, only the lease is extended. The lease is taken before, so that concurrent
        processes wait for it and find the duty leased. If Redis fails, the transaction rolls it back.
        """
        is_waiting = duty.is_issued and self._queues.is_waiting(duty.job_id)
        busy_until = now_us + LEASE // MICROSECOND + duty.extra
        if is_waiting:
            issued = replace(duty, leased=busy_until, busy=busy_until)
        else:
            attempt = duty.attempt + 1 if duty.issued == duty.version else 1
            leased_until = now_us + LEASES.delay(attempt) // MICROSECOND + duty.extra
            issued = replace(duty, issued=duty.version, attempt=attempt, leased=leased_until, busy=busy_until)
        with self._store.consumer_transaction() as transaction:
            before, after = row_of(duty), row_of(issued)
            conditions = {f"known_{name}": before[name] for name in KNOWN}
            if not transaction.change(LEASE_ONE, **conditions, **{name: after[name] for name in LEASED}) or is_waiting:
                return False
            if issued.attempt > PATIENT_ATTEMPTS:
                attempts = issued.attempt - 1
                logger.warning("job not done yet", match=str(duty.match_id), version=duty.version, attempts=attempts)
            job_id = self._enqueue(duty, issued.attempt)
            transaction.change(ISSUED_AS, job_id=job_id, match_id=str(duty.match_id), seat=duty.seat)
        return True

    def _enqueue(self, duty: Duty, attempt: int) -> str:
        """Enqueue the job of a duty and return its id; turns continue the trace of the entry."""
        # Clocks and waits expire long after the entry that started them, so they begin new traces.
        if duty.job == EXPIRE_TURNS:
            return self._queues.expire_turns(duty.match_id, duty.version, duty.seat, attempt)
        if duty.job == DEADLINE:
            return self._queues.deadline(duty.match_id, duty.version, attempt)
        with self._traces.issue_span(duty.match_id, duty.version, duty.job):
            return self._enqueue_turn(duty, attempt)

    def _enqueue_turn(self, duty: Duty, attempt: int) -> str:
        if duty.job == SERVICE_TURN:
            return self._queues.service_turn(duty.queue, duty.match_id, duty.version, attempt)
        return self._queues.bot_turn(duty.queue, duty.match_id, duty.version, attempt, duty.actions_max, duty.seconds)


def next_duty(previous: Duty | None, step: FollowedStep) -> Duty | None:
    """Return the duty of a match after an entry: of the service, a bot, or at a deadline; None if none.

    While a job takes decisions its lease covers the next ones. An entry from elsewhere may have stopped the job, so
    it creates a new duty. Bots wait in demonstrations, and for the verdict on a hint.
    """
    seats, match = service_seats(step.match), step.match
    if not seats:
        return deadline_duty(step)
    job = SERVICE_TURN if SERVICE_SEAT in seats else BOT_TURN
    is_show = match.is_demonstration and all(info.is_bot for info in match.seats)
    delay = SHOW_PACE if is_show else VERDICT_WAIT if awaits_verdict(step) else timedelta()
    due, attended = microseconds(match.timestamp) + delay // MICROSECOND, is_attended(match)
    if previous is not None and previous.job == job and previous.covers(step.version) and is_by_service(step):
        return replace(previous, version=step.version, due=due)
    if job == SERVICE_TURN:
        queue = URGENT if attended else UNATTENDED
        return new_duty(step.line_id, job, WHOLE_MATCH, step.version, due=due, queue=queue, account=account_of(match))
    thinking = max(thinking_milliseconds(info.actor) for info in match.seats)
    return new_duty(
        step.line_id,
        job,
        WHOLE_MATCH,
        step.version,
        due=due,
        actions_max=1 if is_show else actions_of(thinking, attended=attended),
        seconds=JOB_SECONDS_MAX + -(-thinking // 1_000),
        queue=queue_of_turn(thinking, attended=attended),
        account=account_of(match),
    )


def awaits_verdict(step: FollowedStep) -> bool:
    """Return whether a player at a table with hints may take the action back once its cost is known."""
    return step.match.table.has_hints and isinstance(step.fact, ActionTaken) and not is_by_service(step)


def actions_of(thinking: int, *, attended: bool) -> int:
    """Return how many decisions a job may take if the slowest bot thinks for `thinking` milliseconds.

    It is one if a bot thinks at all, so that other matches wait for one decision at most.
    """
    if thinking:
        return 1
    return ACTIONS_MAX if attended else UNATTENDED_ACTIONS_MAX


def deadline_duty(step: FollowedStep) -> Duty | None:
    """Return the duty that ends a wait, or None if the match has no deadline."""
    deadline_at = deadline(step.match)
    if deadline_at is None:
        return None
    return new_duty(step.line_id, DEADLINE, WHOLE_MATCH, step.version, due=microseconds(deadline_at))


def new_duty(
    match_id: UUID,
    job: str,
    seat: int,
    version: int,
    *,
    due: int,
    actions_max: int = 1,
    seconds: int = JOB_SECONDS_MAX,
    queue: str = URGENT,
    account: str = "",
) -> Duty:
    """Create a duty without an issued job or lease."""
    return Duty(
        match_id=match_id,
        job=job,
        seat=seat,
        version=version,
        issued=0,
        actions_max=actions_max,
        seconds=seconds,
        due=due,
        attempt=0,
        leased=0,
        job_id="",
        queue=queue,
        account=account,
    )


def is_by_service(step: FollowedStep) -> bool:
    """Return whether a job took the action."""
    fact = step.fact
    return isinstance(fact, ActionTaken) and (fact.by == SERVICE or is_bot(fact.by))


def expiry_duty(clock: clocks.Clock) -> Duty:
    """Return the duty to report an expired clock."""
    assert clock.deadline is not None
    return new_duty(clock.match_id, EXPIRE_TURNS, clock.seat, clock.version, due=microseconds(clock.deadline))
