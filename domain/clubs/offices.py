"""Commands of the owner of a club: found, change, give roles, hand over and close; each returns its facts."""

from domain.clubs import facts
from domain.clubs.errors import ClubRefused, NotOfClub
from domain.clubs.facts import Admission, GivenRole
from domain.clubs.membership import require_member, require_open, require_organiser
from domain.clubs.state import Club
from domain.matches.facts import Actor


def require_owner(club: Club, by: Actor, *, is_operator: bool = False) -> None:
    """Raise `NotOfClub` unless `by` is the owner, or an operator of the service."""
    if not is_operator and by != club.owner:
        raise NotOfClub("only the owner of the club can do this")


def change(club: Club, by: Actor, admission: Admission, *, is_operator: bool = False) -> facts.ClubChanged:
    """Change how people join, or the description, which is stored elsewhere, as an organiser.

    An operator may change the description of a closed club too.
    """
    require_organiser(club, by, is_operator=is_operator)
    if not is_operator:
        require_open(club)
    return facts.ClubChanged(by, admission)


def give_role(club: Club, by: Actor, person: Actor, role: GivenRole) -> tuple[facts.RoleGiven, ...]:
    """Make a member an organiser, or an organiser a member, as the owner; no change if it is so already."""
    require_open(club)
    require_owner(club, by)
    require_member(club, person)
    if person == club.owner:
        raise ClubRefused("the owner of a club keeps that role until a handover")
    return () if club.members[person].role == role else (facts.RoleGiven(by, person, role),)


def hand_over(club: Club, by: Actor, person: Actor, *, is_operator: bool = False) -> facts.ClubHandedOver:
    """Hand the club over to a member, as the owner or an operator."""
    require_open(club)
    require_owner(club, by, is_operator=is_operator)
    require_member(club, person)
    if person == club.owner:
        raise ClubRefused(f"{person!r} is already the owner of this club")
    return facts.ClubHandedOver(by, person)


def close(club: Club, by: Actor, *, is_operator: bool = False) -> facts.ClubClosed:
    """Close the club for good, as the owner or an operator."""
    require_open(club)
    require_owner(club, by, is_operator=is_operator)
    return facts.ClubClosed(by)
