"""A person who leaves for good, by erasing their account: their entry is withdrawn."""

from domain.matches.facts import Actor
from domain.tournaments import facts, registration
from domain.tournaments.state import Tournament


def withdraw_person(state: Tournament, person: Actor) -> tuple[facts.Fact, ...]:
    """Withdraw the entry of a person, as `registration.withdraw`; nothing after the end, or without an entry."""
    entry = state.entry_of(person)
    if entry is None or state.status == "ended":
        return ()
    return registration.withdraw(state, entry.id, person)
