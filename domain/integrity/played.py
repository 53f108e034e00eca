"""A match as the measures need it: who began it with what end, and how long they thought."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from domain.integrity.thinking import Decision, Pace, is_watched, paces_of
from domain.kernel.values import Value, replace
from domain.matches.aggregate import Match
from domain.matches.facts import Actor, Clock
from domain.matches.rulings.ruling import counted_result
from domain.matches.seats.starters import is_person


class Seated(Value, frozen=True):
    """Who began at a seat (None: a bot, or somebody whose place a substitute took), the place reached, and whether they
    left before the end: resigned, out of time, handed over, never came."""

    person: Actor | None
    place: int
    left: bool
    pace: Pace | None = None


class Played(Value, frozen=True):
    """A match that is over and counts. `event`: the tournament or league that seated them; empty: they chose."""

    match_id: UUID
    title: str
    clock: Clock
    event: str
    public: bool
    ended_at: datetime
    seats: tuple[Seated, ...]

    @property
    def people(self) -> tuple[Actor, ...]:
        return tuple(seat.person for seat in self.seats if seat.person is not None)

    def seat_of(self, person: Actor) -> Seated | None:
        """Where somebody sat; nobody sits twice."""
        return next((seat for seat in self.seats if seat.person == person), None)


def limited_to(played: Played, event: str, people: Collection[Actor]) -> Played:
    """Return a match as an arbiter of one event may measure it.

    Matches of the event keep these people alone. All other matches lose them, and serve for comparison with others.
    """
    keeps = played.event == event
    seats = (
        seat if seat.person is None or (seat.person in people) == keeps else replace(seat, person=None)
        for seat in played.seats
    )
    return replace(played, seats=tuple(seats))


def played_of(match: Match, root: UUID, ended_at: datetime, decisions: tuple[Decision, ...]) -> Played | None:
    """The match as it counts now; nothing of one that is not over, is void, or is not watched.

    `root`: the line it began as.
    """
    result = counted_result(match) if match.status == "ended" and is_watched(match) else None
    if result is None or not (match.table.public or match.table.event_id):
        return None
    paces = paces_of(match, decisions)
    seats = tuple(
        Seated(
            starter.actor if is_person(starter.actor) and not info.stands_in_for else None,
            result.ranking[seat],
            starter.left != "",
            paces[seat],
        )
        for seat, (starter, info) in enumerate(zip(match.starters, match.seats, strict=True))
    )
    return Played(root, match.title, match.table.clock, match.table.event_id, match.table.public, ended_at, seats)
