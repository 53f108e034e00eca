"""The players who started a match: standing, rounds, how they left, and seats that gave up."""

from typing import Any

from domain.kernel.values import replace
from domain.matches.aggregate import HowLeft, Match, Starter
from domain.matches.facts import SERVICE, ActionTaken, Actor, MatchStarted, Resigned, SeatReplaced, Standing, is_bot


def standing_at(fact: MatchStarted[Any], seat: int) -> Standing:
    """Return the standing of a seat's player at the start: `bot`, `guest`, `provisional` or ""."""
    if seat in fact.programs:
        return "bot"
    return "guest" if seat in fact.guests else "provisional" if seat in fact.provisional else ""


def is_person(actor: Actor | None) -> bool:
    """Return whether this is a person, neither a bot nor the service."""
    return actor is not None and actor != SERVICE and not is_bot(actor)


def never_came(starter: Starter) -> bool:
    """Return whether a match began without the player of a seat, and no person ever acted there.

    A late player or substitute who has not acted yet is not absent while they have time: an opponent may have resigned
    at once.
    """
    return starter.awaited and not starter.played and starter.missed


def note_action(match: Match, fact: ActionTaken[Any, Any]) -> tuple[Starter, ...]:
    """Return the starters after an action, with one more round for the player who began at the seat.

    Only the first action of a round counts. The starter is noted as played once a person has acted at the seat.
    """
    starters, seat = match.starters, fact.seat
    if seat < 0:
        return starters
    starter = starters[seat]
    if starter.actor != fact.by:
        is_first = not starter.played and is_person(fact.by)
        return replace_starter(starters, seat, replace(starter, played=True)) if is_first else starters
    now = match.definition.round_of(match.state)
    if starter.last_round == now:
        return starters
    updated = replace(starter, rounds=starter.rounds + 1, last_round=now, played=is_person(fact.by))
    return replace_starter(starters, seat, updated)


def replace_starter(starters: tuple[Starter, ...], seat: int, starter: Starter) -> tuple[Starter, ...]:
    """Return the starters with one of them replaced."""
    return (*starters[:seat], starter, *starters[seat + 1 :])


def note_leaving(match: Match, seat: int, how: HowLeft, *, missed: bool) -> tuple[Starter, ...]:
    """Return the starters after the player who began at a seat left it or ran out of time; the first reason counts.

    `missed` is set for the seat in any case.
    """
    starter = match.starters[seat]
    is_starter = starter.actor == match.seats[seat].actor and not starter.left
    return replace_starter(
        match.starters, seat, replace(starter, left=how if is_starter else starter.left, missed=missed)
    )


def note_resignation(match: Match, fact: Resigned) -> tuple[Starter, ...]:
    """Note that a seat resigned; the service does it for a player whose time ran out."""
    missed = match.starters[fact.seat].missed and fact.by == SERVICE
    return note_leaving(match, fact.seat, "resigned", missed=missed)


def note_replacement(match: Match, fact: SeatReplaced) -> tuple[Starter, ...]:
    """Return the starters after another actor took a seat. With a substitute named, the entrant has not left."""
    hands_over = fact.by == match.seats[fact.seat].actor
    missed = not hands_over and not is_person(fact.actor)
    if fact.stands_in_for:
        return replace_starter(match.starters, fact.seat, replace(match.starters[fact.seat], missed=missed))
    return note_leaving(match, fact.seat, "handed_over" if hands_over else "replaced", missed=missed)


def seats_given_up(match: Match, fact: SeatReplaced) -> tuple[int, ...]:
    """Return the seats that gave up, after another actor took a seat of a match that has begun.

    A player hands the seat over by choice, also by erasing the account. Only a person who is seated there undoes that.
    """
    others = tuple(seat for seat in match.gave_up if seat != fact.seat)
    if fact.by == match.seats[fact.seat].actor or fact.reason == "erased":
        return (*others, fact.seat)
    return others if is_person(fact.actor) else match.gave_up
