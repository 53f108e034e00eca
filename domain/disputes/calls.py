"""Calls for an arbiter by players at a table of an event.

Calls are a separate stream: they stop no clock, and no ruling depends on them.
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
"""Maximum number of calls of one person about one match."""
CALL_AGAIN_AFTER: Final = timedelta(minutes=1)
"""Time after the end of a call before the same person may call again."""

CallStatus = Literal["open", "looking", "here", "withdrawn", "answered"]
WAITING: Final = ("open", "looking", "here")


class CallFact(Value, frozen=True, tag_field="type", tag=tagger("call"), omit_defaults=True, kw_only=True):
    """Base of the facts about calls."""

    by: Actor


class ArbiterCalled(CallFact, frozen=True, kw_only=True):
    """A player called an arbiter when `entry` was the latest entry of the line."""

    line: UUID
    entry: int
    seat: int
    event: str
    words: str = ""


class CallWithdrawn(CallFact, frozen=True):
    """The caller withdrew the call."""


class ArbiterComes(CallFact, frozen=True, kw_only=True):
    """An official handles the call; `is_here`: they are at the table."""

    is_here: bool = False


class CallAnswered(CallFact, frozen=True, kw_only=True):
    """An official closed the call."""

    words: str = ""


Fact = ArbiterCalled | CallWithdrawn | ArbiterComes | CallAnswered


class Call(Value, frozen=True):
    """The latest call about a match; `changed_at`: when it got its status."""

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
        """Whether the call is still open."""
        return self.status in WAITING


class Calls(Value, frozen=True):
    """All calls about a match: the latest, and the number of calls by person."""

    newest: Call
    counts: Mapping[Actor, int]


def arbiter_called(calls: Calls | None, record: Record, fact: ArbiterCalled) -> Calls:
    """Apply a call: it becomes the latest, and its caller's number of calls grows by one."""
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
    """Return the calls after one more record; a change applies to the latest call."""
    if isinstance(fact, ArbiterCalled):
        return arbiter_called(calls, record, fact)
    assert calls is not None, "a stream of calls begins with one"
    return replace(calls, newest=replace(calls.newest, changed_at=record.timestamp, **EVOLVE[type(fact)](fact)))


CALLS: Final[Kind[Fact, Calls]] = Kind("call", Fact, evolve)


def calls_stream(match_id: UUID) -> UUID:
    """Return the id of the stream of calls about a match, named by its first line."""
    return uuid5(match_id, "calls")


# Decisions.


def check_words(words: str) -> str:
    """Return the stripped text, which may be empty; raise `CallRefused` if it has over `WORDS_MAX` characters."""
    text = words.strip()
    if len(text) > WORDS_MAX:
        raise CallRefused(f"a call and its answer have at most {WORDS_MAX} characters, not {len(text)}")
    return text


def call(match: Match, calls: Calls | None, *, by: Actor, words: str, at: datetime) -> ArbiterCalled:
    """Decide a player's call; raise `CallRefused` if it is not allowed now, `NotAParty` for a person without a seat.

    Allowed at tables of events until the match ends, one at a time, for each player a minute after the end of
    their last, and at most `CALLS_MAX` times.
    """
    seat = party_seat(match, by)
    if not match.table.event_id:
        raise CallRefused("arbiters can be called only at tables of events; raise a dispute instead")
    if match.is_over or match.status == "superseded":
        raise CallRefused(f"the match {match.id} is over; raise a dispute instead")
    if calls is not None and calls.newest.is_waiting:
        raise CallRefused("an arbiter has already been called to this table")
    if calls is not None and calls.counts.get(by, 0) >= CALLS_MAX:
        raise CallRefused(f"you have called an arbiter {CALLS_MAX} times to this table; raise a dispute instead")
    if calls is not None and calls.newest.by == by and at < calls.newest.changed_at + CALL_AGAIN_AFTER:
        raise CallRefused("your last call has just ended; wait a minute")
    return ArbiterCalled(
        by=by, line=match.id, entry=match.version, seat=seat, event=match.table.event_id, words=check_words(words)
    )


def waiting_call(calls: Calls | None) -> Call:
    """Return the call that is waiting; raise `CallRefused` if none is."""
    if calls is None or not calls.newest.is_waiting:
        raise CallRefused("no call is waiting at this table")
    return calls.newest


def withdraw(calls: Calls | None, by: Actor) -> CallWithdrawn:
    """Withdraw a call, even if an official is on the way; raise `NotAParty` unless `by` made it.

    Raise `CallRefused` if no call waits.
    """
    if waiting_call(calls).by != by:
        raise NotAParty("only the player who called an arbiter can withdraw the call")
    return CallWithdrawn(by=by)
