"""Of what the people of a match are to be told, from its fold: that it is their turn, that a quarter of their time is
left, that the match has ended.

A notice says who, of what kind and since which version, and nothing of the position: nothing hidden can stand in it.
"""

from typing import Final, Literal

import msgspec

from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.log.entries import microseconds
from domain.matches.play.absences import wall_time
from domain.matches.play.clocks import waited_for

TurnKind = Literal["turn", "clock", "result"]
QUARTER: Final = 4
SECOND: Final = 1_000_000


class Notice(msgspec.Struct, frozen=True, order=True):
    """Match, kind, person and version tell one from all others: of the same a person is told once."""

    kind: TurnKind
    person: Actor
    version: int
    """Since which entry it is so. While a turn goes on it stays the first: what a player does in it is no new turn."""
    due: int
    """From when on the person is to be told, in microseconds."""


def next_notices(known: tuple[Notice, ...], match: Match) -> tuple[Notice, ...]:
    """Those that hold after the newest entry of a match, given those before it; sorted. A fork tells
    nobody anything, unless a ruling has put it in the place of another line; nor does a match on one device."""
    if match.is_fork or match.docket.dispute or match.table.is_one_device:
        return ()
    if match.status == "ended":
        return known if any(notice.kind == "result" for notice in known) else result_notices(match)
    turns = {notice.person: notice for notice in known if notice.kind == "turn"}
    if match.status == "paused":
        # The turn goes on after the pause, and is no new one then; the clock stands still.
        return tuple(sorted(turns.values()))
    found: list[Notice] = []
    for seat in waited_for(match):
        person = match.seats[seat].actor
        assert person is not None, "a person sits where a choice of a person is waited for"
        turn = turns.get(person, Notice("turn", person, match.version, microseconds(match.timestamp)))
        found.append(turn)
        if (due := quarter_at(match, seat)) is not None:
            found.append(Notice("clock", person, turn.version, due))
    return tuple(sorted(found))


def result_notices(match: Match) -> tuple[Notice, ...]:
    """The result is that of those who sat there at the start; who sits there now has played it to the end."""
    actors = {seat.actor for seat in match.seats} | {starter.actor for starter in match.starters}
    people = sorted(actor for actor in actors if actor is not None and actor != SERVICE and not is_bot(actor))
    return tuple(Notice("result", person, match.version, microseconds(match.timestamp)) for person in people)


def quarter_at(match: Match, seat: int) -> int | None:
    """When a running clock has a quarter of the table's time left; that may have been before the turn began."""
    if not match.clocks or (since := match.clocks[seat].since) is None:
        return None
    own = since + match.clocks[seat].left - match.table.clock.seconds * SECOND // QUARTER
    return wall_time(match.absences, seat, own)


def holds(match: Match, kind: TurnKind, person: Actor) -> bool:
    """Whether what a person was to be told is still so."""
    if kind == "result":
        return match.status == "ended"
    return any(match.seats[seat].actor == person for seat in waited_for(match))


def due_now(match: Match, kind: TurnKind, person: Actor) -> int | None:
    """When somebody whose turn it is has a quarter of the time left, as the clock runs now."""
    if kind != "clock":
        return None
    seats = (seat for seat in waited_for(match) if match.seats[seat].actor == person)
    return next((due for seat in seats if (due := quarter_at(match, seat)) is not None), None)
