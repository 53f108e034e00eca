"""Players who began a match: their standing and rounds, how they left, and the seats that gave up."""

from typing import Any

from domain.kernel.values import replace
from domain.matches.aggregate import HowLeft, Match, Starter
from domain.matches.facts import ActionTaken, MatchStarted, SeatReplaced, Standing


def standing_at(fact: MatchStarted[Any], seat: int) -> Standing:
    if seat in fact.programs:
        return "bot"
    return "guest" if seat in fact.guests else "provisional" if seat in fact.provisional else ""


def acted_by_starter(match: Match, fact: ActionTaken[Any, Any]) -> tuple[Starter, ...]:
    """Count one more round for the player who began at the seat, if this is their first action of the round."""
    starters, seat = match.starters, fact.seat
    if seat < 0 or starters[seat].actor != fact.by:
        return starters
    starter, now = starters[seat], match.definition.round_of(match.state)
    if starter.last_round == now:
        return starters
    acted = replace(starter, rounds=starter.rounds + 1, last_round=now)
    return (*starters[:seat], acted, *starters[seat + 1 :])


def gone(match: Match, seat: int, how: HowLeft) -> tuple[Starter, ...]:
    """Note how the player who began at a seat leaves it or runs out of time; the first reason counts."""
    starter = match.starters[seat]
    if starter.actor != match.seats[seat].actor or starter.left:
        return match.starters
    return (*match.starters[:seat], replace(starter, left=how), *match.starters[seat + 1 :])


def gave_up_after(match: Match, fact: SeatReplaced) -> tuple[int, ...]:
    """Return the seats that gave up, after another actor took a seat of a match that has begun.

    A player hands the seat over by choice; a person whom the organiser seats undoes that.
    """
    others = tuple(seat for seat in match.gave_up if seat != fact.seat)
    return (*others, fact.seat) if fact.by == match.seats[fact.seat].actor else others
