"""The check-in: who is there before the first round; who is not loses the place to whoever waits and is."""

from datetime import datetime

from domain.matches.facts import SERVICE, Actor
from domain.tournaments import facts
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.registration import entry_named, promoted, require_not_ended
from domain.tournaments.state import Tournament, changed_entry

NOT_THERE = "did not check in"


def check_in(state: Tournament, name: str, by: Actor, at: datetime) -> tuple[facts.Fact, ...]:
    """Somebody is there, by their own word within its time, or by the organiser's until the first round is paired."""
    require_open(state)
    entry, opens = entry_named(state, name), state.calendar.check_in_opens
    if entry.status == "withdrawn":
        raise TournamentRefused(f"{name} has withdrawn")
    if entry.actor == by and opens is not None and at < opens:
        raise TournamentRefused(f"the check-in opens at {opens.isoformat()}")
    return () if entry.is_there else (facts.CheckedIn(by, name),)


def undo(state: Tournament, name: str, by: Actor) -> tuple[facts.Fact, ...]:
    """Somebody is not there after all."""
    require_open(state)
    return (facts.CheckInUndone(by, name),) if entry_named(state, name).is_there else ()


def require_open(state: Tournament) -> None:
    require_not_ended(state)
    if state.calendar.check_in_closes is None:
        raise TournamentRefused("this event has no check-in")
    if state.is_checked_in or state.rounds:
        raise TournamentRefused("the check-in is closed")


def close(state: Tournament, by: Actor = SERVICE) -> tuple[facts.Fact, ...]:
    """Its time is over: people who are not there have gone, and those who wait and are there have their places. Bots
    are always there. Whoever comes later may take part again, or enter late."""
    require_open(state)
    found: list[facts.Fact] = [facts.CheckInClosed(by)]
    for entry in state.entries:
        if entry.status == "in" and not (entry.is_there or entry.is_bot):
            found.append(facts.EntryWithdrawn(by, entry.id, NOT_THERE))
            state = changed_entry(state, entry.id, status="withdrawn")
    there = tuple(entry.id for entry in state.entries if entry.is_there or entry.is_bot)
    return (*found, *promoted(state, there))
