"""The successor of an owner who is gone: the organiser with the longest service; without one the club is closed."""

from domain.clubs import facts
from domain.clubs.state import Club
from domain.matches.facts import SERVICE


def with_succession(club: Club, departure: facts.MemberLeft) -> tuple[facts.Fact, ...]:
    """Return a departure with its consequences: none, a new owner, or the end of the club."""
    if departure.actor != club.owner:
        return (departure,)
    successor = next(iter(club.organisers), None)
    return departure, facts.ClubClosed(SERVICE) if successor is None else facts.OwnerSucceeded(successor)
