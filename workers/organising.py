"""What tournaments and leagues wait for: a policy that follows their records and their matches, and issues jobs.

It keeps the state that the records fold to and which tables are done; what the service owes is asked of the domain.
Like the duties of matches (`workers.matches.duties`): a row each, a lease on it, issued again when the lease ends and
the row is still there. Every step is safe to repeat.
"""

from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, and_, bindparam, case, delete, func, or_, select, update

from domain.leagues import facts as league_facts
from domain.leagues import state as league_state
from domain.matches.facts import MatchForked, MatchOpened
from domain.matches.log.entries import microseconds
from domain.matches.log.records import Kind, Record
from domain.tournaments import duties, facts
from domain.tournaments import state as tournament_state
from projections.follow import MICROSECOND, FollowedStep, Happening
from projections.platform.backoff import Backoff
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "event_duties"
SHAPE: Final = "8"
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
TABLES: Final = by_name(EVENT_DUTIES, EVENT_MATCHES)
"""`event_matches` holds the matches of tables, each under the line that counts there now; `match_id`: it began as."""
Index("event_matches_by_event", EVENT_MATCHES.c.event_id, EVENT_MATCHES.c.is_done)

COLUMNS: Final = EVENT_DUTIES.c
MATCHES: Final = EVENT_MATCHES.c
OF_EVENT: Final = COLUMNS.event_id == bindparam("event_id")
OF_STEP: Final = and_(OF_EVENT, COLUMNS.step == bindparam("step"))
READ: Final = select(COLUMNS.kind, COLUMNS.version).where(OF_EVENT)
READ_STATE: Final = select(COLUMNS.state).where(OF_EVENT)
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
ALL_DONE: Final = select(MATCHES.match_id).where(MATCHES_OF_EVENT, MATCHES.is_done == 1)
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
"""A lease that is longer than any is was taken before the clock was set back."""
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
"""How many steps are owed of tournaments and of leagues, and how many of them were tried more than once."""

ISSUED_MAX: Final = 50
LEASE: Final = timedelta(seconds=10)
LEASE_LONGEST: Final = timedelta(minutes=1)
LEASES: Final = Backoff(LEASE, LEASE_LONGEST, patient=3)
PAIR_LEASE: Final = timedelta(seconds=150)
"""Longer than the job of a pairing may take."""
PAIR_LEASE_LONGEST: Final = timedelta(minutes=10)
PAIR_LEASES: Final = Backoff(PAIR_LEASE, PAIR_LEASE_LONGEST, patient=3)
STATES_KEPT: Final = 64
"""The states of so many tournaments and leagues are kept in memory beside their rows."""


class OrganisingQueue(Protocol):
    """Where steps of tournaments and leagues are put."""

    def tournament_step(self, event_id: UUID, step: str, version: int, attempt: int) -> str: ...

    def league_step(self, league_id: UUID, step: str, version: int, attempt: int) -> str: ...


def is_over(step: FollowedStep) -> bool:
    """The match of a tournament's table has come to its end; so it has after every ruling on a match that is over."""
    return step.match.is_over and step.match.status != "superseded"


def is_seated(step: FollowedStep) -> bool:
    """The match of a league's table is there: everybody got a seat in the same transaction. So is a line that a ruling
    puts in its place."""
    fact = step.fact
    return isinstance(fact, MatchOpened) or (isinstance(fact, MatchForked) and fact.ruling != "")


@dataclass(frozen=True)
class Subject:
    """How tournaments, or leagues, are followed."""

    kind: Kind[Any, Any]
    state: msgspec.json.Decoder[Any]
    duty_of: Callable[[Any, Container[UUID]], str | None]
    due_of: Callable[[Any, str], datetime | None]
    """Before when a step is not to be taken."""
    is_done: Callable[[FollowedStep], bool]
    """Whether a match is, with an entry, what its table was waited for."""
    forgets: type[Any]
    """The fact after which the matches so far are not waited for any more."""


SUBJECTS: Final[Mapping[str, Subject]] = {
    each.kind.name: each
    for each in (
        Subject(
            tournament_state.TOURNAMENT,
            msgspec.json.Decoder(tournament_state.Tournament),
            duties.duty_of,
            duties.due_of,
            is_over,
            facts.RoundClosed,
        ),
        Subject(
            league_state.LEAGUE,
            msgspec.json.Decoder(league_state.League),
            league_state.duty_of,
            lambda _state, _step: None,
            is_seated,
            league_facts.SeasonClosed,
        ),
    )
}


class Followed(msgspec.Struct):
    """A tournament or league within a batch of the log."""

    subject: Subject
    version: int
    state: Any
    is_new: bool = False
    """Records have been folded into the state."""
    touched_us: int | None = None
    """When something last happened to one of its tables."""


class Marked:
    """The matches whose tables are done; read when they are first asked for."""

    def __init__(self, transaction: Transaction, event_id: str) -> None:
        self._transaction = transaction
        self._event_id = event_id
        self._ids: frozenset[UUID] | None = None

    def __contains__(self, match_id: object) -> bool:
        if self._ids is None:
            self._ids = frozenset(UUID(row[0]) for row in self._transaction.rows(ALL_DONE, event_id=self._event_id))
        return match_id in self._ids


class OrganisingDuties:
    """The policy: follows the log like a projection, and issues what has become due."""

    NAME = NAME
    SHAPE = SHAPE
    TABLES = TABLES

    def __init__(self, store: ReadStore, queues: OrganisingQueue) -> None:
        self._store = store
        self._puts = {"tournament": queues.tournament_step, "league": queues.league_step}
        self._states: OrderedDict[str, tuple[int, Any]] = OrderedDict()

    def follow_all(self, transaction: Transaction, happenings: Sequence[Happening]) -> None:
        """Keeps what every tournament and league waits for."""
        known: dict[str, Followed | None] = {}
        for happening in happenings:
            if isinstance(happening, FollowedStep):
                self._follow_match(transaction, known, happening)
            elif (subject := SUBJECTS.get(happening.record.tag.partition(".")[0])) is not None:
                self._follow_record(transaction, known, subject, happening.record)
        for event_id, followed in known.items():
            if followed is not None:
                self._write(transaction, event_id, followed)

    def _find(self, transaction: Transaction, known: dict[str, Followed | None], event_id: str) -> Followed | None:
        """The tournament or league as this batch has it; None where there is none of the id."""
        if event_id not in known:
            rows = transaction.rows(READ, event_id=event_id)
            known[event_id] = self._load(transaction, event_id, *rows[0]) if rows else None
        return known[event_id]

    def _load(self, transaction: Transaction, event_id: str, kind: str, version: int) -> Followed:
        subject, kept = SUBJECTS[kind], self._states.get(event_id)
        if kept is not None and kept[0] == version:
            return Followed(subject, version, kept[1])
        return Followed(subject, version, subject.state.decode(transaction.rows(READ_STATE, event_id=event_id)[0][0]))

    def _follow_record(
        self, transaction: Transaction, known: dict[str, Followed | None], subject: Subject, record: Record
    ) -> None:
        event_id, fact = str(record.stream_id), subject.kind.read(record)
        before = self._find(transaction, known, event_id)
        state = subject.kind.evolve(None if before is None else before.state, record, fact)
        touched = None if before is None else before.touched_us
        known[event_id] = Followed(subject, record.version, state, is_new=True, touched_us=touched)
        if isinstance(fact, subject.forgets):
            transaction.change(FORGET, event_id=event_id)

    def _follow_match(self, transaction: Transaction, known: dict[str, Followed | None], step: FollowedStep) -> None:
        """A match of a table after one more entry."""
        event_id, fact, line_id = step.match.table.event_id, step.fact, str(step.line_id)
        if not event_id or not (isinstance(fact, MatchOpened | MatchForked) or step.match.is_over):
            return
        followed = self._find(transaction, known, event_id)
        if followed is None:
            return
        count = 0
        if isinstance(fact, MatchOpened):
            count += transaction.change(ADD_MATCH, line_id=line_id, match_id=line_id, event_id=event_id, is_done=0)
        if isinstance(fact, MatchForked) and fact.ruling:
            count += transaction.change(REPLACED, line_id=line_id, parent=str(fact.parent))
        if followed.subject.is_done(step):
            count += transaction.change(DONE, line_id=line_id)
        if count:
            followed.touched_us = microseconds(step.match.timestamp)

    def _write(self, transaction: Transaction, event_id: str, followed: Followed) -> None:
        """The row, if anything has changed what the tournament or league waits for."""
        if not followed.is_new and followed.touched_us is None:
            return
        step = followed.subject.duty_of(followed.state, Marked(transaction, event_id)) or ""
        due = followed.subject.due_of(followed.state, step)
        # A step whose time has not come is leased until then.
        leased = 0 if due is None else microseconds(due)
        if followed.is_new:
            transaction.change(
                WRITE,
                event_id=event_id,
                kind=followed.subject.kind.name,
                state=msgspec.json.encode(followed.state, order="deterministic"),
                step=step,
                version=followed.version,
                attempt=0,
                leased_us=leased,
            )
            self._keep(event_id, followed)
        elif step != "open":
            transaction.change(WRITE_STEP, event_id=event_id, step=step, leased_us=leased)
        if step == "open" and followed.touched_us is not None:
            # Whoever opens the tables is still at it, and is not to be joined by a second job.
            until = followed.touched_us + LEASE // MICROSECOND
            transaction.change(PROLONG, event_id=event_id, step=step, until=until)

    def _keep(self, event_id: str, followed: Followed) -> None:
        """Right even where the transaction fails: a version of a stream has one state only."""
        self._states[event_id] = (followed.version, followed.state)
        self._states.move_to_end(event_id)
        while len(self._states) > STATES_KEPT:
            self._states.popitem(last=False)

    def issue(self, now: datetime) -> int:
        """Puts a job into its queue for every step that is owed and not leased; how many."""
        at = microseconds(now)
        rows = self._store.rows(DUE, now=at, lease_longest=at + PAIR_LEASE_LONGEST // MICROSECOND, limit=ISSUED_MAX)
        count = 0
        for event_id, kind, step, version, attempt in rows:
            until = at + lease(step, attempt + 1) // MICROSECOND
            # The lease first: of two who would issue the same one finds it taken; without a queue it is given back.
            with self._store.following() as transaction:
                due = {"event_id": event_id, "step": step, "version": version, "attempt": attempt}
                if transaction.change(LEASED, until=until, **due):
                    self._puts[kind](UUID(event_id), step, version, attempt + 1)
                    count += 1
        return count


def lease(step: str, attempt: int) -> timedelta:
    """How long the job of an attempt may take before the next is made; ever longer for what does not succeed."""
    return (PAIR_LEASES if step == "pair" else LEASES).delay(attempt)
