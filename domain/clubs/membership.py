"""Commands about membership: join, request, invite, leave, remove; each returns its facts."""

from collections.abc import Sized
from datetime import datetime, timedelta
from typing import Final

from domain.clubs import facts
from domain.clubs.errors import ClubRefused, NotOfClub
from domain.clubs.facts import MEMBERSHIP
from domain.clubs.state import Club
from domain.clubs.succession import with_succession
from domain.invitations.decisions import open_invitation, require_not_declined
from domain.matches.facts import SERVICE, Actor
from domain.matches.seats.opening import check_player

MEMBERS_MAX: Final = 2_000
REQUESTS_MAX: Final = 200
INVITED_MAX: Final = 200
"""Maximum numbers of members, and of open requests and invitations."""
REQUEST_AGAIN_AFTER: Final = timedelta(days=30)
"""The time after a declined request in which the person cannot ask again."""


def require_open(club: Club) -> None:
    """Raise `ClubRefused` if the club is closed."""
    if not club.is_open:
        raise ClubRefused("the club is closed")


def require_organiser(club: Club, by: Actor, *, is_operator: bool = False) -> None:
    """Raise `NotOfClub` unless `by` is an organiser or the owner, or an operator of the service."""
    if not is_operator and not club.organises(by):
        raise NotOfClub("only organisers of the club can do this")


def require_member(club: Club, person: Actor) -> None:
    """Raise `ClubRefused` unless the person is a member."""
    if person not in club.members:
        raise ClubRefused(f"{person!r} is not a member of this club")


def require_room(people: Sized, count_max: int, what: str) -> None:
    """Raise `ClubRefused` if there are `count_max` people; `what` is their noun in the message."""
    if len(people) >= count_max:
        raise ClubRefused(f"a club has at most {count_max} {what}")


def require_stranger(club: Club, person: Actor) -> None:
    """Raise `ClubRefused` for a member, and if the club is closed or full."""
    require_open(club)
    if person in club.members:
        raise ClubRefused(f"{person!r} is already a member of this club")
    require_room(club.members, MEMBERS_MAX, "members")


def join(club: Club, person: Actor, at: datetime) -> facts.MemberJoined | facts.MembershipRequested:
    """Join an open club or accept its invitation; otherwise ask its organisers.

    Raise `ClubRefused` for a member, a person who has asked already, was declined less than `REQUEST_AGAIN_AFTER` ago
    or removed, by invitation only, and if the club is full, closed or has `REQUESTS_MAX` requests.
    """
    require_stranger(club, person)
    standing = club.standing(person)
    if standing == "invited":
        return facts.MemberJoined(person, person)
    if standing == "removed":
        raise ClubRefused(f"{person!r} was removed from this club and needs an invitation")
    if club.admission == "open":
        return facts.MemberJoined(person, person)
    if club.admission == "invitation":
        raise ClubRefused("this club is by invitation only")
    if standing == "asked":
        raise ClubRefused(f"{person!r} has already asked to join this club")
    if (declined_at := club.declined.get(person)) is not None and at < declined_at + REQUEST_AGAIN_AFTER:
        raise ClubRefused(
            f"the request of {person!r} was declined; ask again {REQUEST_AGAIN_AFTER.days} days after that"
        )
    require_room(club.requests, REQUESTS_MAX, "open requests")
    return facts.MembershipRequested(person)


def require_request(club: Club, person: Actor) -> None:
    """Raise `ClubRefused` unless the person has asked to join."""
    if person not in club.requests:
        raise ClubRefused(f"{person!r} has no open request to this club")


def withdraw_request(club: Club, person: Actor) -> facts.RequestWithdrawn:
    """Withdraw the own request."""
    require_request(club, person)
    return facts.RequestWithdrawn(person, person)


def answer_request(club: Club, by: Actor, person: Actor, *, accept: bool) -> facts.MemberJoined | facts.RequestDeclined:
    """Accept or decline a request as an organiser; raise `ClubRefused` if there is none, or if the club is full."""
    require_organiser(club, by)
    require_request(club, person)
    return accept_request(club, by, person) if accept else facts.RequestDeclined(by, person)


def accept_request(club: Club, by: Actor, person: Actor) -> facts.MemberJoined:
    """Let an organiser accept a person; raise `ClubRefused` if the club is full."""
    require_stranger(club, person)
    return facts.MemberJoined(by, person)


def invite(club: Club, by: Actor, person: Actor) -> facts.MemberInvited | facts.MemberJoined:
    """Invite a person as an organiser; a person who has asked becomes a member at once.

    Raise `ClubRefused` for a member, a person who is invited or has declined, and if the club is full, closed, or has
    `INVITED_MAX` open invitations; `UnknownActor` for a malformed id.
    """
    require_open(club)
    require_organiser(club, by)
    check_player(person)
    if person in club.requests:
        return accept_request(club, by, person)
    require_stranger(club, person)
    if club.invitations.is_open_for(person, MEMBERSHIP):
        raise ClubRefused(f"{person!r} is already invited")
    require_not_declined(club.invitations, person, (MEMBERSHIP,), "club", ClubRefused)
    require_room(club.invitations.open, INVITED_MAX, "open invitations")
    return facts.MemberInvited(by, person)


def answer_invitation(club: Club, person: Actor, *, accept: bool) -> facts.MemberJoined | facts.InvitationDeclined:
    """Accept or decline an invitation; raise `ClubRefused` if there is none, or if the club is full."""
    open_invitation(club.invitations, person, MEMBERSHIP, lambda _: True, "club", ClubRefused)
    if not accept:
        return facts.InvitationDeclined(person, person)
    require_stranger(club, person)
    return facts.MemberJoined(person, person)


def withdraw_invitation(club: Club, by: Actor, person: Actor) -> facts.InvitationWithdrawn:
    """Withdraw an open invitation as an organiser."""
    require_organiser(club, by)
    open_invitation(club.invitations, person, MEMBERSHIP, lambda _: True, "club", ClubRefused)
    return facts.InvitationWithdrawn(by, person)


def leave(club: Club, person: Actor) -> tuple[facts.Fact, ...]:
    """Leave the club; for an owner who leaves, a successor follows or the club is closed."""
    require_open(club)
    require_member(club, person)
    return with_succession(club, facts.MemberLeft(person, person))


def remove(club: Club, by: Actor, person: Actor, reason: str, *, is_operator: bool = False) -> facts.MemberRemoved:
    """Remove a member with a reason, which is stored elsewhere: as an organiser, or an organiser as the owner.

    An operator may do both. Raise `NotOfClub` without the role, `ClubRefused` for the owner, who hands the club over
    or leaves, for oneself, or without a reason.
    """
    require_open(club)
    require_organiser(club, by, is_operator=is_operator)
    require_member(club, person)
    role = club.members[person].role
    if role == "owner":
        raise ClubRefused("the owner of a club cannot be removed, only replaced by a handover")
    if person == by:
        raise ClubRefused("leave the club instead of removing yourself")
    if role == "organiser" and by != club.owner and not is_operator:
        raise NotOfClub("only the owner of the club can remove an organiser")
    if not reason.strip():
        raise ClubRefused("the removal of a member needs a reason")
    return facts.MemberRemoved(by, person)


def depart(club: Club, person: Actor) -> tuple[facts.Fact, ...]:
    """Return the facts by which an erased account vanishes from a club: membership, request or invitation.

    None if it has none of these, or if the club is closed.
    """
    standing = club.standing(person)
    if not club.is_open:
        return () if person not in club.members else (facts.MemberLeft(SERVICE, person),)
    if person in club.members:
        return with_succession(club, facts.MemberLeft(SERVICE, person))
    if standing == "invited":
        return (facts.InvitationWithdrawn(SERVICE, person),)
    return (facts.RequestWithdrawn(SERVICE, person),) if standing == "asked" else ()
