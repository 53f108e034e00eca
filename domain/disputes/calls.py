"""A player of an event's table calls an arbiter; one who looks after it says that they look, and that they have come.

A call is a stream beside the match and changes nothing there: no clock stops, and nobody rules by it.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID, uuid5

from domain.disputes.errors import CallRefused, NotAParty
from domain.disputes.state import party_seat
from domain.kernel.values import Value, replace, tagger
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record

WORDS_MAX: Final = 300
CALLS_MAX: Final = 10
"""Calls of one person about one match."""
CALM: Final = timedelta(minutes=1)
"""After the end of a call the same person waits so long before the next one."""

CallStatus = Literal["open", "looking", "here", "withdrawn", "answered"]
WAITING: Final = ("open", "looking", "here")


class CallFact(Value, frozen=True, tag_field="type", tag=tagger("call"), omit_defaults=True, kw_only=True):
    """Base of what happens to the calls of a match."""

    by: Actor


class ArbiterCalled(CallFact, frozen=True, kw_only=True):
    """A player calls, while entry `entry` of a line was the newest."""

    line: UUID
    entry: int
    seat: int
    event: str
    words: str = ""


class CallWithdrawn(CallFact, frozen=True):
    """Whoever called needs nobody any more."""


class ArbiterComes(CallFact, frozen=True, kw_only=True):
    """An official looks after the call; `is_here`: they have come to the table."""

    is_here: bool = False


class CallAnswered(CallFact, frozen=True, kw_only=True):
    """An official has dealt with it."""

    words: str = ""


Fact = ArbiterCalled | CallWithdrawn | ArbiterComes | CallAnswered


class Call(Value, frozen=True):
    """The newest call about a match; `changed_at`: since when it has this status."""

    by: Actor
    seat: int
    line: UUID
    entry: int
    event: str
    words: str
    at: datetime
    changed_at: datetime
    status: CallStatus = "open"
    official: Actor = ""
    answer: str = ""

    @property
    def is_waiting(self) -> bool:
        """Nobody has dealt with it yet."""
        return self.status in WAITING


class Calls(Value, frozen=True):
    """All calls about a match: the newest, and how often everybody has called."""

    newest: Call
    counts: Mapping[Actor, int]


def called(calls: Calls | None, record: Record, fact: ArbiterCalled) -> Calls:
    counts = {} if calls is None else dict(calls.counts)
    counts[fact.by] = counts.get(fact.by, 0) + 1
    at = record.timestamp
    return Calls(Call(fact.by, fact.seat, fact.line, fact.entry, fact.event, fact.words, at, at), counts)


EVOLVE: Final[Mapping[type[Any], Callable[[Any], dict[str, Any]]]] = {
    CallWithdrawn: lambda _fact: {"status": "withdrawn"},
    ArbiterComes: lambda fact: {"status": "here" if fact.is_here else "looking", "official": fact.by},
    CallAnswered: lambda fact: {"status": "answered", "official": fact.by, "answer": fact.words},
}


def evolve(calls: Calls | None, record: Record, fact: Fact) -> Calls:
    if isinstance(fact, ArbiterCalled):
        return called(calls, record, fact)
    assert calls is not None, "a stream of calls begins with one"
    return replace(calls, newest=replace(calls.newest, changed_at=record.timestamp, **EVOLVE[type(fact)](fact)))


CALLS: Final[Kind[Fact, Calls]] = Kind("call", Fact, evolve)


def calls_stream(match_id: UUID) -> UUID:
    """The stream of the calls about a match; the match named by the line it began as."""
    return uuid5(match_id, "calls")


# Decisions


def check_words(words: str) -> str:
    said = words.strip()
    if len(said) > WORDS_MAX:
        raise CallRefused(f"a call and its answer have at most {WORDS_MAX} characters, not {len(said)}")
    return said


def call(match: Match, calls: Calls | None, *, by: Actor, words: str, at: datetime) -> ArbiterCalled:
    """A player of an event's table that is not over calls; one call at a time, and not one after the other."""
    seat = party_seat(match, by)
    if not match.table.event_id:
        raise CallRefused("arbiters are called at tables of tournaments and leagues; elsewhere a dispute asks for one")
    if match.is_over or match.status == "superseded":
        raise CallRefused(f"the match {match.id} is over; what has been played is the matter of a dispute")
    if calls is not None and calls.newest.is_waiting:
        raise CallRefused("an arbiter has been called to this table already")
    if calls is not None and calls.counts.get(by, 0) >= CALLS_MAX:
        raise CallRefused(f"you have called an arbiter {CALLS_MAX} times to this table; raise a dispute instead")
    if calls is not None and calls.newest.by == by and at < calls.newest.changed_at + CALM:
        raise CallRefused("your last call has just ended; wait a minute")
    return ArbiterCalled(
        by=by, line=match.id, entry=match.version, seat=seat, event=match.table.event_id, words=check_words(words)
    )


def waiting_call(calls: Calls | None) -> Call:
    """The call that waits; `CallRefused` where there is none."""
    if calls is None or not calls.newest.is_waiting:
        raise CallRefused("no call waits at this table")
    return calls.newest


def withdraw(calls: Calls | None, by: Actor) -> CallWithdrawn:
    """Whoever called takes it back, also when somebody is on the way."""
    if waiting_call(calls).by != by:
        raise NotAParty("only who called an arbiter withdraws the call")
    return CallWithdrawn(by=by)
