"""A person who leaves for good, by erasing their account: they leave the event and the alternates."""

from domain.matches.facts import Actor
from domain.tournaments import alternates, facts, registration
from domain.tournaments.state import Tournament


def withdraw_person(state: Tournament, person: Actor) -> tuple[facts.Fact, ...]:
    """Withdraw the entry of a person, as `registration.withdraw`, or remove an alternate; nothing after the end."""
    if state.status == "ended":
        return ()
    entry = state.entry_of(person)
    left = registration.withdraw(state, entry.id, person) if entry is not None else ()
    if person in state.people.alternates:
        return (*left, alternates.remove_alternate(state, person, person))
    return left
