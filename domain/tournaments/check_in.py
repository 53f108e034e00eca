"""The check-in before the first round; absent entries lose their places to waiting entries that are present."""

from datetime import datetime

from domain.matches.facts import SERVICE, Actor
from domain.tournaments import facts
from domain.tournaments.check_in_facts import CheckedIn, CheckInClosed, CheckInUndone
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.registration import entry_named, promote_waiting, require_not_ended
from domain.tournaments.state import Tournament, change_entry

NOT_THERE = "did not check in"


def check_in(state: Tournament, name: str, by: Actor, at: datetime) -> tuple[facts.Fact, ...]:
    """Check an entry in: the player from the opening of the check-in, others, organisers, also earlier.

    Raise `TournamentRefused` if the check-in is closed, too early, or the entry has withdrawn, `NoSuchEntry` if
    it is unknown. A second check-in gives no facts.
    """
    require_open(state)
    entry, opens = entry_named(state, name), state.calendar.check_in_opens
    if entry.status == "withdrawn":
        raise TournamentRefused(f"{name} has withdrawn")
    if entry.actor == by and opens is not None and at < opens:
        raise TournamentRefused(f"the check-in opens at {opens.isoformat()}")
    return () if entry.is_there else (CheckedIn(by, name),)


def undo_check_in(state: Tournament, name: str, by: Actor) -> tuple[facts.Fact, ...]:
    """Undo the check-in of an entry."""
    require_open(state)
    return (CheckInUndone(by, name),) if entry_named(state, name).is_there else ()


def require_open(state: Tournament) -> None:
    """Raise `TournamentRefused` unless the event has a check-in that is still open, or if it has ended.

    A check-in closes by its fact, or when the first round is paired.
    """
    require_not_ended(state)
    if state.calendar.check_in_closes is None:
        raise TournamentRefused("this event has no check-in")
    if state.is_checked_in or state.rounds:
        raise TournamentRefused("the check-in is closed")


def close_check_in(state: Tournament, by: Actor = SERVICE) -> tuple[facts.Fact, ...]:
    """Close the check-in: withdraw absent entries and give their places to waiting entries that are present.

    Bots are always present. Late players may return or enter late. Raise `TournamentRefused` if no check-in is
    open.
    """
    require_open(state)
    decided: list[facts.Fact] = [CheckInClosed(by)]
    for entry in state.entries:
        if entry.status == "in" and not (entry.is_there or entry.is_bot):
            decided.append(facts.EntryWithdrawn(by, entry.id, NOT_THERE))
            state = change_entry(state, entry.id, status="withdrawn")
    present = tuple(entry.id for entry in state.entries if entry.is_there or entry.is_bot)
    return (*decided, *promote_waiting(state, present))
