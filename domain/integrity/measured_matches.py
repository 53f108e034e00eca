"""Finished matches as the measures need them: original players, places and thinking times."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from domain.integrity.thinking import Decision, Pace, is_watched, paces_of
from domain.kernel.values import Value, replace
from domain.matches.aggregate import Match
from domain.matches.facts import Actor, Clock
from domain.matches.rulings.ruling import counted_result
from domain.matches.seats.starters import is_person


class MeasuredSeat(Value, frozen=True):
    """A seat.

    `person`: the original player; None for a bot, or if a substitute took the place. `left`: whether they left early:
    resigned, out of time, handed over, never arrived.
    """

    person: Actor | None
    place: int
    left: bool
    pace: Pace | None = None


class MeasuredMatch(Value, frozen=True):
    """A finished match that counts. `event`: the tournament or league that seated the players; empty: they chose."""

    match_id: UUID
    title: str
    clock: Clock
    event: str
    public: bool
    ended_at: datetime
    seats: tuple[MeasuredSeat, ...]

    @property
    def people(self) -> tuple[Actor, ...]:
        """The people at its seats."""
        return tuple(seat.person for seat in self.seats if seat.person is not None)

    def seat_of(self, person: Actor) -> MeasuredSeat | None:
        """Return the seat of a person, or None; no one sits twice."""
        return next((seat for seat in self.seats if seat.person == person), None)


def limit_to_event(match: MeasuredMatch, event: str, people: Collection[Actor]) -> MeasuredMatch:
    """Return a match as an arbiter of one event may measure it.

    Matches of the event keep these people alone. All other matches lose them, and serve for comparison with others.
    """
    is_of_event = match.event == event
    seats = (
        seat if seat.person is None or (seat.person in people) == is_of_event else replace(seat, person=None)
        for seat in match.seats
    )
    return replace(match, seats=tuple(seats))


def measured_match(
    match: Match, root: UUID, ended_at: datetime, decisions: tuple[Decision, ...]
) -> MeasuredMatch | None:
    """Return a match with its current result; None unless it ended with a counted result.

    None also for private tables outside events, tables that do not count, and matches that fewer than two people
    started. Seats of bots and stand-ins have no person. `root`: its first line.
    """
    result = counted_result(match) if match.status == "ended" and is_watched(match) else None
    if result is None or not (match.table.public or match.table.event_id):
        return None
    paces = paces_of(match, decisions)
    seats = tuple(
        MeasuredSeat(
            starter.actor if is_person(starter.actor) and not info.stands_in_for else None,
            result.ranking[seat],
            starter.left != "",
            paces[seat],
        )
        for seat, (starter, info) in enumerate(zip(match.starters, match.seats, strict=True))
    )
    return MeasuredMatch(
        root, match.title, match.table.clock, match.table.event_id, match.table.public, ended_at, seats
    )
