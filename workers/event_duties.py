"""The policy for tournaments, leagues, circuits and ranking lists: follows their records, issues jobs for due steps.

It stores the state folded from the records and which tables are done; the domain decides which step is due. As with
duties of matches (`workers.matches.duties`), each row is leased and issued again when the lease ends. Every step is
idempotent.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, and_, bindparam, case, delete, func, or_, select, update

from domain.circuits import duties as circuit_duties
from domain.circuits import facts as circuit_facts
from domain.circuits import state as circuit_state
from domain.circuits.fact_base import ContestKey
from domain.circuits.final_answers import FinalEvent
from domain.contests.duties import DueStep
from domain.leagues import duties as league_duties
from domain.leagues import facts as league_facts
from domain.leagues import state as league_state
from domain.leagues.duties import SeasonTables
from domain.matches.facts import MatchForked, MatchOpened
from domain.matches.log.entries import microseconds
from domain.matches.log.records import Kind, Record
from domain.rankings import duties as ranking_duties
from domain.rankings import facts as ranking_facts
from domain.rankings.duties import FREEZE
from domain.rankings.state import RANKING, Ranking
from domain.tournaments import duties, facts
from domain.tournaments import state as tournament_state
from projections.follow import MICROSECOND, FollowedStep, LogEvent
from projections.platform.backoff import Backoff
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model
from workers import event_finals
from workers.event_finals import EVENT_FINALS
from workers.event_queue import OrganisingQueue
from workers.queues import ADJUDICATE, ADJUDICATION_SECONDS_MAX

NAME: Final = "event_duties"
SHAPE: Final = "11"
EVENT_DUTIES: Final = read_model(
    "event_duties",
    Column("event_id", TEXT, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("state", BYTES, nullable=False),
    Column("step", TEXT, nullable=False),
    Column("version", NUMBER, nullable=False),
    Column("attempt", NUMBER, nullable=False),
    Column("leased_us", NUMBER, nullable=False),
)
EVENT_MATCHES: Final = read_model(
    "event_matches",
    Column("line_id", TEXT, primary_key=True),
    Column("match_id", TEXT, nullable=False),
    Column("event_id", TEXT, nullable=False),
    Column("is_done", NUMBER, nullable=False),
)
TABLES: Final = by_name(EVENT_DUTIES, EVENT_MATCHES, EVENT_FINALS)
"""`event_matches` maps the line that counts for a table to its original match (`match_id`)."""
Index("event_matches_by_event", EVENT_MATCHES.c.event_id, EVENT_MATCHES.c.is_done)

COLUMNS: Final = EVENT_DUTIES.c
MATCHES: Final = EVENT_MATCHES.c
OF_EVENT: Final = COLUMNS.event_id == bindparam("event_id")
OF_STEP: Final = and_(OF_EVENT, COLUMNS.step == bindparam("step"))
READ: Final = select(COLUMNS.kind, COLUMNS.version).where(OF_EVENT)
READ_STATE: Final = select(COLUMNS.state).where(OF_EVENT)
READ_FINAL: Final = select(COLUMNS.kind, COLUMNS.state).where(OF_EVENT)
WRITE: Final = upsert(EVENT_DUTIES, kept=("kind",))
WRITE_STEP: Final = (
    update(EVENT_DUTIES).where(OF_EVENT).values(step=bindparam("step"), attempt=0, leased_us=bindparam("leased_us"))
)
PROLONG: Final = (
    update(EVENT_DUTIES)
    .where(OF_STEP, COLUMNS.leased_us > 0, COLUMNS.leased_us < bindparam("until"))
    .values(leased_us=bindparam("until"))
)
OF_LINE: Final = MATCHES.line_id == bindparam("line_id")
MATCHES_OF_EVENT: Final = MATCHES.event_id == bindparam("event_id")
ADD_MATCH: Final = insert_new(EVENT_MATCHES)
DONE: Final = update(EVENT_MATCHES).where(OF_LINE).values(is_done=1)
REPLACED: Final = (
    update(EVENT_MATCHES).where(MATCHES.line_id == bindparam("parent")).values(line_id=bindparam("line_id"), is_done=0)
)
ALL_OF_EVENT: Final = select(MATCHES.match_id, MATCHES.is_done).where(MATCHES_OF_EVENT)
FORGET: Final = delete(EVENT_MATCHES).where(MATCHES_OF_EVENT)
DUE: Final = (
    select(COLUMNS.event_id, COLUMNS.kind, COLUMNS.step, COLUMNS.version, COLUMNS.attempt)
    .where(
        COLUMNS.step != "",
        or_(
            COLUMNS.leased_us <= bindparam("now"),
            and_(COLUMNS.attempt > 0, COLUMNS.leased_us > bindparam("lease_longest")),
        ),
    )
    .limit(bindparam("limit"))
)
"""A lease longer than possible was taken before the clock was set back."""
LEASED: Final = (
    update(EVENT_DUTIES)
    .where(OF_STEP, COLUMNS.version == bindparam("version"), COLUMNS.attempt == bindparam("attempt"))
    .values(attempt=COLUMNS.attempt + 1, leased_us=bindparam("until"))
)
OWED: Final = (
    select(COLUMNS.kind, func.count(), func.sum(case((COLUMNS.attempt > 1, 1), else_=0)))
    .where(COLUMNS.step != "", or_(COLUMNS.leased_us <= bindparam("now"), COLUMNS.attempt > 0))
    .group_by(COLUMNS.kind)
)
"""Numbers of due and of repeated steps, for tournaments, for leagues and for circuits."""

NOTHING_DUE: Final = DueStep("")
ISSUED_MAX: Final = 50
LEASE: Final = timedelta(seconds=10)
LEASE_LONGEST: Final = timedelta(minutes=1)
LEASES: Final = Backoff(LEASE, LEASE_LONGEST, patient=3)
PAIR_LEASE: Final = timedelta(seconds=150)
"""Longer than the timeout of a job that pairs a round or freezes a month."""
PAIR_LEASE_LONGEST: Final = timedelta(minutes=10)
LONG_STEPS: Final = frozenset({"pair", FREEZE})
PAIR_LEASES: Final = Backoff(PAIR_LEASE, PAIR_LEASE_LONGEST, patient=3)
BOTS_LEASES: Final = Backoff(timedelta(seconds=ADJUDICATION_SECONDS_MAX + 30), PAIR_LEASE_LONGEST, patient=3)
STATES_KEPT: Final = 64
"""States of tournaments, leagues and circuits cached in memory."""


def is_over(step: FollowedStep) -> bool:
    """Return whether the match of a table is over, including after a ruling on a finished match."""
    return step.match.is_over and step.match.status != "superseded"


class Matches:
    """The matches of an event, loaded on first use: all, and the finished ones."""

    def __init__(self, transaction: Transaction, event_id: str) -> None:
        self._transaction = transaction
        self._event_id = event_id

    @cached_property
    def _rows(self) -> Sequence[tuple[UUID, bool]]:
        rows = self._transaction.rows(ALL_OF_EVENT, event_id=self._event_id)
        return [(UUID(match_id), bool(is_done)) for match_id, is_done in rows]

    @cached_property
    def with_players(self) -> frozenset[UUID]:
        """The matches in which the players have their seats."""
        return frozenset(match_id for match_id, _ in self._rows)

    @cached_property
    def over(self) -> frozenset[UUID]:
        """The matches that are over."""
        return frozenset(match_id for match_id, is_done in self._rows if is_done)

    def find_final(self, key: ContestKey | None) -> FinalEvent | None:
        """Return the stored state of the final of a circuit; None without one."""
        rows = [] if key is None else self._transaction.rows(READ_FINAL, event_id=str(key.id))
        found: FinalEvent | None = SUBJECTS[rows[0][0]].state.decode(rows[0][1]) if rows else None
        return found


@dataclass(frozen=True)
class Subject:
    """The functions that follow tournaments, leagues, or circuits."""

    kind: Kind[Any, Any]
    state: msgspec.json.Decoder[Any]
    duty_of: Callable[[Any, Matches], DueStep | None]
    forgets: type[Any]
    """The fact that ends the wait for all matches so far."""
    has_final: bool = False
    """Whether its duty depends on the state of a final."""


SUBJECTS: Final[Mapping[str, Subject]] = {
    each.kind.name: each
    for each in (
        Subject(
            tournament_state.TOURNAMENT,
            msgspec.json.Decoder(tournament_state.Tournament),
            lambda state, matches: duties.next_step(state, matches.over),
            facts.RoundClosed,
        ),
        Subject(
            league_state.LEAGUE,
            msgspec.json.Decoder(league_state.League),
            lambda state, matches: league_duties.duty_of(state, SeasonTables(matches.with_players, matches.over)),
            league_facts.SeasonClosed,
        ),
        Subject(
            circuit_state.CIRCUIT,
            msgspec.json.Decoder(circuit_state.Circuit),
            lambda state, matches: circuit_duties.duty_of(state, matches.find_final(state.final)),
            circuit_facts.StandingsSettled,
            has_final=True,
        ),
        Subject(
            RANKING,
            msgspec.json.Decoder(Ranking),
            lambda state, _: ranking_duties.duty_of(state),
            ranking_facts.ListRetired,
        ),
    )
}


class FollowedEvent(msgspec.Struct):
    """A tournament, league or circuit within a batch of the log."""

    subject: Subject
    version: int
    state: Any
    is_new: bool = False
    """Whether records were folded into the state."""
    touched_us: int | None = None
    """Time of the last event at one of its tables, or in the final of a circuit."""


class OrganisingDuties:
    """The policy: follows the log like a projection and issues due jobs."""

    NAME = NAME
    SHAPE = SHAPE
    TABLES = TABLES

    def __init__(self, store: ReadStore, queues: OrganisingQueue) -> None:
        self._store = store
        self._enqueuers = {
            "tournament": queues.tournament_step,
            "league": queues.league_step,
            "ranking": queues.ranking_step,
            "circuit": queues.circuit_step,
        }
        self._states: OrderedDict[str, tuple[int, Any]] = OrderedDict()

    def follow_all(self, transaction: Transaction, events: Sequence[LogEvent]) -> None:
        """Update the due step of every tournament, league and circuit that the batch concerns."""
        followed_events: dict[str, FollowedEvent | None] = {}
        for event in events:
            if isinstance(event, FollowedStep):
                self._follow_match(transaction, followed_events, event)
            elif (subject := SUBJECTS.get(event.record.tag.partition(".")[0])) is not None:
                self._follow_record(transaction, followed_events, subject, event.record)
        self._touch_circuits(transaction, followed_events)
        found = [(event_id, followed) for event_id, followed in followed_events.items() if followed is not None]
        # The duty of a circuit is derived from the stored state of its final.
        for event_id, followed in sorted(found, key=lambda each: each[1].subject.has_final):
            self._write(transaction, event_id, followed)

    def _touch_circuits(self, transaction: Transaction, followed_events: dict[str, FollowedEvent | None]) -> None:
        """Update the circuits whose final has new records."""
        for event_id, followed in [*followed_events.items()]:
            if followed is None or not followed.is_new or followed.subject.has_final:
                continue
            for circuit_id in event_finals.circuits_of(transaction, event_id):
                circuit = self._find(transaction, followed_events, circuit_id)
                assert circuit is not None, "a circuit with a final is stored"
                circuit.touched_us = circuit.touched_us or 0

    def _find(
        self, transaction: Transaction, followed_events: dict[str, FollowedEvent | None], event_id: str
    ) -> FollowedEvent | None:
        """Return the tournament or league as of this batch, or None if the id is unknown."""
        if event_id not in followed_events:
            rows = transaction.rows(READ, event_id=event_id)
            followed_events[event_id] = self._load(transaction, event_id, *rows[0]) if rows else None
        return followed_events[event_id]

    def _load(self, transaction: Transaction, event_id: str, kind: str, version: int) -> FollowedEvent:
        """Return a stored tournament or league, from the cache if it has this version."""
        subject, cached = SUBJECTS[kind], self._states.get(event_id)
        if cached is not None and cached[0] == version:
            return FollowedEvent(subject, version, cached[1])
        return FollowedEvent(
            subject, version, subject.state.decode(transaction.rows(READ_STATE, event_id=event_id)[0][0])
        )

    def _follow_record(
        self,
        transaction: Transaction,
        followed_events: dict[str, FollowedEvent | None],
        subject: Subject,
        record: Record,
    ) -> None:
        """Apply a record of a tournament or league; some facts also forget its matches."""
        event_id, fact = str(record.stream_id), subject.kind.read(record)
        previous = self._find(transaction, followed_events, event_id)
        state = subject.kind.evolve(None if previous is None else previous.state, record, fact)
        touched_us = None if previous is None else previous.touched_us
        followed_events[event_id] = FollowedEvent(subject, record.version, state, is_new=True, touched_us=touched_us)
        if isinstance(fact, subject.forgets):
            transaction.change(FORGET, event_id=event_id)
        if isinstance(fact, circuit_facts.FinalNamed):
            event_finals.name_final(transaction, event_id, fact.contest)

    def _follow_match(
        self, transaction: Transaction, followed_events: dict[str, FollowedEvent | None], step: FollowedStep
    ) -> None:
        """Apply an entry of a table's match: note a new match, a replacement by a ruling, or its end.

        Matches outside known events are ignored.
        """
        event_id, fact, line_id = step.match.table.event_id, step.fact, str(step.line_id)
        if not event_id or not (isinstance(fact, MatchOpened | MatchForked) or step.match.is_over):
            return
        followed = self._find(transaction, followed_events, event_id)
        if followed is None:
            return
        count = 0
        if isinstance(fact, MatchOpened):
            count += transaction.change(ADD_MATCH, line_id=line_id, match_id=line_id, event_id=event_id, is_done=0)
        if isinstance(fact, MatchForked) and fact.ruling:
            count += transaction.change(REPLACED, line_id=line_id, parent=str(fact.parent))
        if is_over(step):
            count += transaction.change(DONE, line_id=line_id)
        if count:
            followed.touched_us = microseconds(step.match.timestamp)

    def _write(self, transaction: Transaction, event_id: str, followed: FollowedEvent) -> None:
        """Write the row if its due step may have changed; a step is leased until its time.

        While a job opens tables, its lease is extended.
        """
        if not followed.is_new and followed.touched_us is None:
            return
        duty = followed.subject.duty_of(followed.state, Matches(transaction, event_id)) or NOTHING_DUE
        step = duty.name
        # A lease delays a step until its time.
        leased_us = 0 if duty.at is None else microseconds(duty.at)
        if followed.is_new:
            transaction.change(
                WRITE,
                event_id=event_id,
                kind=followed.subject.kind.name,
                state=msgspec.json.encode(followed.state, order="deterministic"),
                step=step,
                version=followed.version,
                attempt=0,
                leased_us=leased_us,
            )
            self._keep(event_id, followed)
        elif step != "open":
            transaction.change(WRITE_STEP, event_id=event_id, step=step, leased_us=leased_us)
        if step == "open" and followed.touched_us is not None:
            # The job that opens the tables is still running; do not start a second one.
            until = followed.touched_us + LEASE // MICROSECOND
            transaction.change(PROLONG, event_id=event_id, step=step, until=until)

    def _keep(self, event_id: str, followed: FollowedEvent) -> None:
        """Cache the state, at most `STATES_KEPT`.

        Safe even if the transaction fails, because a version of a stream has only one state.
        """
        self._states[event_id] = (followed.version, followed.state)
        self._states.move_to_end(event_id)
        while len(self._states) > STATES_KEPT:
            self._states.popitem(last=False)

    def issue(self, now: datetime) -> int:
        """Enqueue jobs for at most `ISSUED_MAX` due steps without a valid lease; return their number.

        Raise `RedisError` if Redis is unavailable.
        """
        now_us = microseconds(now)
        rows = self._store.rows(
            DUE, now=now_us, lease_longest=now_us + PAIR_LEASE_LONGEST // MICROSECOND, limit=ISSUED_MAX
        )
        count = 0
        for event_id, kind, step, version, attempt in rows:
            until = now_us + lease(step, attempt + 1) // MICROSECOND
            # Lease first, so that a concurrent process finds the step leased; without a queue the transaction rolls it
            # back.
            with self._store.consumer_transaction() as transaction:
                key = {"event_id": event_id, "step": step, "version": version, "attempt": attempt}
                if transaction.change(LEASED, until=until, **key):
                    self._enqueuers[kind](UUID(event_id), step, version, attempt + 1)
                    count += 1
        return count


def lease(step: str, attempt: int) -> timedelta:
    """Return the lease of an attempt; it grows with the number of attempts."""
    if step == ADJUDICATE:
        return BOTS_LEASES.delay(attempt)
    return (PAIR_LEASES if step in LONG_STEPS else LEASES).delay(attempt)
