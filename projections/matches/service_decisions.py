"""Decisions that the service takes itself, and the actor for each.

Resigned and timed-out seats are not included, because their consequences are in the log already.
"""

from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import SERVICE, Actor


def service_seats(match: Match) -> tuple[Seat, ...]:
    """Return the seats to act that the service plays, its own and bots', sorted."""
    return tuple(seat for seat in seats_to_act(match) if seat == SERVICE_SEAT or match.seats[seat].is_bot)


def actor_for(match: Match, seat: Seat) -> Actor:
    """Return the actor of the service's decision for a seat: the bot there, or the service for its own seat."""
    actor = SERVICE if seat == SERVICE_SEAT else match.seats[seat].actor
    assert actor is not None
    return actor
