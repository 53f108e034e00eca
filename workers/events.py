"""What events wait for: a policy that follows their records and the ends of their matches, and issues jobs.

Like the duties of matches (`workers.policies`): a row per event, a lease on it, issued again when the lease ends and
the row is still there. Every step is safe to repeat.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from domain.matches.facts import MatchForked
from domain.matches.log import microseconds
from domain.tournaments import facts
from domain.tournaments.state import TOURNAMENT
from projections.backoff import Backoff
from projections.follow import MICROSECOND, Happening, Recorded, Step
from projections.store import ReadStore, Transaction

NAME: Final = "event_duties"
SHAPE: Final = "2"
TABLES: Final = {
    "event_duties": """CREATE TABLE {event_duties} (event_id TEXT PRIMARY KEY, auto INTEGER NOT NULL,
        state TEXT NOT NULL, step TEXT NOT NULL, version INTEGER NOT NULL, attempt INTEGER NOT NULL,
        leased_us INTEGER NOT NULL)""",
    "event_matches": """CREATE TABLE {event_matches} (match_id TEXT PRIMARY KEY, event_id TEXT NOT NULL,
        round INTEGER NOT NULL, number INTEGER NOT NULL, is_over INTEGER NOT NULL)""",
}
"""`event_matches` holds the tables of the round that is played, each under the line that counts there now."""
INDEXES: Final = ("CREATE INDEX event_matches_by_event ON event_matches (event_id, is_over)",)

ADD: Final = (
    "INSERT INTO {event_duties} (event_id, auto, state, step, version, attempt, leased_us)"
    " VALUES (?, ?, '', '', 1, 0, 0)"
)
READ: Final = "SELECT auto, state FROM {event_duties} WHERE event_id = ?"
WRITE: Final = (
    "UPDATE {event_duties} SET auto = ?, state = ?, step = ?, version = ?, attempt = 0, leased_us = 0"
    " WHERE event_id = ?"
)
WRITE_STEP: Final = "UPDATE {event_duties} SET step = ?, attempt = 0, leased_us = 0 WHERE event_id = ?"
WAIT_FOR: Final = (
    "INSERT INTO {event_matches} (match_id, event_id, round, number, is_over) VALUES (?, ?, ?, ?, 0)"
    " ON CONFLICT (match_id) DO NOTHING"
)
OVER: Final = "UPDATE {event_matches} SET is_over = 1 WHERE match_id = ?"
DECIDED: Final = "UPDATE {event_matches} SET is_over = 1 WHERE event_id = ? AND round = ? AND number = ?"
REPLACED: Final = "UPDATE {event_matches} SET match_id = ?, is_over = 0 WHERE match_id = ?"
WAITING: Final = "SELECT 1 FROM {event_matches} WHERE event_id = ? AND is_over = 0 LIMIT 1"
FORGET: Final = "DELETE FROM {event_matches} WHERE event_id = ?"
DUE: Final = "SELECT event_id, step, version, attempt FROM event_duties WHERE step <> '' AND leased_us <= ? LIMIT ?"
LEASED: Final = (
    "UPDATE event_duties SET attempt = ?, leased_us = ? WHERE event_id = ? AND version = ? AND step = ? AND attempt = ?"
)

ISSUED_MAX: Final = 50
LEASE: Final = timedelta(seconds=10)
LEASE_LONGEST: Final = timedelta(minutes=1)
LEASES: Final = Backoff(LEASE, LEASE_LONGEST, patient=3)
PAIR_LEASE: Final = timedelta(seconds=150)
"""Longer than the job of a pairing may take."""
PAIR_LEASES: Final = Backoff(PAIR_LEASE, timedelta(minutes=10), patient=3)

STATES: Final[Mapping[type[Any], str]] = {
    facts.PairingAsked: "asked",
    facts.PairingFailed: "failed",
    facts.PairingProposed: "proposed",
    facts.PairingEdited: "edited",
    facts.RoundPublished: "published",
    facts.RoundOpened: "opened",
    facts.RoundClosed: "closed",
    facts.TournamentEnded: "ended",
}
"""How the newest round stands after a fact; what is not here leaves it as it is."""


class EventQueue(Protocol):
    """Where steps of events are put."""

    def event_step(self, event_id: UUID, step: str, version: int, attempt: int) -> str: ...


class EventDuties:
    """The policy: follows the log like a projection, and issues what has become due."""

    NAME = NAME
    SHAPE = SHAPE
    TABLES = TABLES
    INDEXES = INDEXES

    def __init__(self, store: ReadStore, queues: EventQueue) -> None:
        self._store = store
        self._queues = queues

    def follow_all(self, transaction: Transaction, happenings: Sequence[Happening]) -> None:
        """Keeps what every event waits for."""
        for happening in happenings:
            if isinstance(happening, Step):
                played_on(transaction, happening)
            elif TOURNAMENT.owns(happening.record):
                took(transaction, happening, TOURNAMENT.read(happening.record))

    def issue(self, now: datetime) -> int:
        """Puts a job into its queue for every step that is owed and not leased; how many."""
        at = microseconds(now)
        rows = self._store.rows(DUE, at, ISSUED_MAX)
        for event_id, step, version, attempt in rows:
            self._queues.event_step(UUID(event_id), step, version, attempt + 1)
            with self._store.transaction() as transaction:
                until = at + lease(step, attempt + 1) // MICROSECOND
                transaction.change(LEASED, attempt + 1, until, event_id, version, step, attempt)
        return len(rows)


def lease(step: str, attempt: int) -> timedelta:
    """How long the job of an attempt may take before the next is made; ever longer for what does not succeed."""
    return (PAIR_LEASES if step == "pair" else LEASES).delay(attempt)


def took(transaction: Transaction, happening: Recorded, fact: facts.Fact) -> None:
    """An event after one more record."""
    record, event_id = happening.record, str(happening.record.stream_id)
    if isinstance(fact, facts.TournamentOpened):
        transaction.change(ADD, event_id, int(fact.plan.auto))
        return
    auto, state = transaction.rows(READ, event_id)[0]
    if isinstance(fact, facts.PlanChanged):
        auto = int(fact.plan.auto)
    elif isinstance(fact, facts.RoundPublished):
        for number, match_id in enumerate(fact.matches, start=1):
            transaction.change(WAIT_FOR, str(match_id), event_id, fact.round, number)
    elif isinstance(fact, facts.ResultEntered | facts.ResultRuled):
        # Whatever becomes of its match: a table played face to face has none at all.
        transaction.change(DECIDED, event_id, fact.round, fact.table)
    elif isinstance(fact, facts.RoundClosed):
        transaction.change(FORGET, event_id)
    state = STATES.get(type(fact), state)
    step = step_in(state, auto=bool(auto), is_played=not transaction.rows(WAITING, event_id))
    transaction.change(WRITE, auto, state, step, record.version, event_id)


def step_in(state: str, *, auto: bool, is_played: bool) -> str:
    """What an event waits for whose newest round stands so; nothing is the empty word. Of what the organiser has
    edited the organiser says when it is done. Must agree with `domain.tournaments.commands.step_owed`."""
    if state == "asked":
        return "pair"
    if state == "published":
        return "open"
    if not auto or (state == "opened" and not is_played):
        return ""
    return {"proposed": "publish", "opened": "close", "closed": "ask"}.get(state, "")


def played_on(transaction: Transaction, step: Step) -> None:
    """A match of an event after one more entry. When no table of an open round is waited for any more, it is due to be
    closed; so it is after every ruling on a match that is over, which may have been what kept the round open."""
    match, fact = step.match, step.fact
    if not match.table.event_id:
        return
    if isinstance(fact, MatchForked) and fact.ruling:
        transaction.change(REPLACED, str(step.line_id), fact.parent)
    if not match.is_over or match.status == "superseded" or transaction.change(OVER, str(step.line_id)) != 1:
        return
    event_id = match.table.event_id
    auto, state = transaction.rows(READ, event_id)[0]
    if auto and state == "opened" and not transaction.rows(WAITING, event_id):
        transaction.change(WRITE_STEP, "close", event_id)
