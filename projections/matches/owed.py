"""Which decisions of a match are the service's own to take, and in whose name.

Resigned seats and seats whose time ran out are not among them: what follows for them is in the log already.
"""

from domain.kernel.rules import HOUSE, Seat
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import SERVICE, Actor


def service_seats(match: Match) -> tuple[Seat, ...]:
    """The seats the service plays, its own and bots', among those that owe a decision; sorted."""
    return tuple(seat for seat in seats_to_act(match) if seat == HOUSE or match.seats[seat].is_bot)


def played_by(match: Match, seat: Seat) -> Actor:
    """In whose name the service takes the seat's decision: the bot's, or its own."""
    actor = SERVICE if seat == HOUSE else match.seats[seat].actor
    assert actor is not None
    return actor
