"""Notifications about a match: your turn, a quarter of your time left, an hour left, match over.

A notice holds person, kind and version but nothing about the position, so it cannot reveal hidden information.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.log.entries import microseconds
from domain.matches.play.absences import wall_time
from domain.matches.play.clocks import find_awaited_seats

TurnKind = Literal["turn", "clock", "hour", "result"]
QUARTER: Final = 4
SECOND: Final = 1_000_000
HOUR: Final = 3_600


class Notice(msgspec.Struct, frozen=True, order=True):
    """A notice, identified by match, kind, person and version; each is sent once."""

    kind: TurnKind
    person: Actor
    version: int
    """The entry since which it holds. A turn keeps its first entry while the player continues it."""
    due: int
    """When to notify the person, in microseconds."""


def next_notices(previous: tuple[Notice, ...], match: Match) -> tuple[Notice, ...]:
    """Return the notices after the latest entry of a match, sorted, given the previous ones.

    A turn's notice lasts until the person's turn is over; a running clock adds one for its last quarter, and in
    correspondence one for its last hour. An ended match has only results. Forks have none unless a ruling made them
    official; neither have matches on one device.
    """
    if match.is_fork or match.docket.dispute or match.table.is_one_device:
        return ()
    if match.status == "ended":
        return previous if any(notice.kind == "result" for notice in previous) else result_notices(match)
    turns = {notice.person: notice for notice in previous if notice.kind == "turn"}
    if match.status == "paused":
        # The turn continues after the pause without a new notice; the clock is stopped.
        return tuple(sorted(turns.values()))
    notices: list[Notice] = []
    for seat in find_awaited_seats(match):
        person = match.seats[seat].actor
        assert person is not None, "a person sits where a choice of a person is waited for"
        turn = turns.get(person, Notice("turn", person, match.version, microseconds(match.timestamp)))
        notices.append(turn)
        for kind, left_at in TIMES.items():
            if (due := left_at(match, seat)) is not None:
                notices.append(Notice(kind, person, turn.version, due))
    return tuple(sorted(notices))


def result_notices(match: Match) -> tuple[Notice, ...]:
    """Return the result notices, for the original players and the players who finished the match; sorted, no bots."""
    actors = {seat.actor for seat in match.seats} | {starter.actor for starter in match.starters}
    people = sorted(actor for actor in actors if actor is not None and actor != SERVICE and not is_bot(actor))
    return tuple(Notice("result", person, match.version, microseconds(match.timestamp)) for person in people)


def quarter_left_at(match: Match, seat: int) -> int | None:
    """Return when a running clock has a quarter of the table's time left, as `find_time_of`."""
    return find_time_of(match, seat, match.table.clock.seconds * SECOND // QUARTER)


def hour_left_at(match: Match, seat: int) -> int | None:
    """Return when an hour of a turn by correspondence is left, as `find_time_of`.

    None for turns of at most four hours, of which the last quarter is within the last hour.
    """
    clock = match.table.clock
    is_long = clock.kind == "correspondence" and clock.seconds > QUARTER * HOUR
    return find_time_of(match, seat, HOUR * SECOND) if is_long else None


def find_time_of(match: Match, seat: int, left: int) -> int | None:
    """Return when a running clock has `left` microseconds left, in microseconds; None if it does not run.

    Absences are added; the time may lie before the turn began.
    """
    if not match.clocks or (since := match.clocks[seat].since) is None:
        return None
    return wall_time(match.absences, seat, since + match.clocks[seat].left - left)


TIMES: Final[Mapping[TurnKind, Callable[[Match, int], int | None]]] = {
    "clock": quarter_left_at,
    "hour": hour_left_at,
}
"""Kinds of notices about time, with the time at which they are due."""


def is_current(match: Match, kind: TurnKind, person: Actor) -> bool:
    """Return whether a notice still applies: results if the match has ended, others while the person has to act."""
    if kind == "result":
        return match.status == "ended"
    return any(match.seats[seat].actor == person for seat in find_awaited_seats(match))


def due_now(match: Match, kind: TurnKind, person: Actor) -> int | None:
    """Return when a notice about time of a person to act is due (microseconds), by the clock as it runs now.

    None for other kinds, and if no clock runs.
    """
    if kind not in TIMES:
        return None
    seats = (seat for seat in find_awaited_seats(match) if match.seats[seat].actor == person)
    return next((due for seat in seats if (due := TIMES[kind](match, seat)) is not None), None)
