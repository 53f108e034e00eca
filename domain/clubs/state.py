"""The state of a club: an immutable value, evolved by facts."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, TypeVar
from uuid import UUID

from domain.clubs import facts
from domain.clubs.facts import MEMBERSHIP, Admission, EventKind, MemberInvited
from domain.invitations.state import Invitations
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record

T = TypeVar("T")

ClubRole = Literal["member", "organiser", "owner"]
Standing = Literal["", "removed", "asked", "invited", "member", "organiser", "owner"]
"""The relation of a person to a club; empty for a stranger."""


class Member(Value, frozen=True, omit_defaults=True):
    """A member. `organises_since`: since when the person has been an organiser or the owner, without a break."""

    role: ClubRole
    since: datetime
    organises_since: datetime | None = None


class ClubEvent(Value, frozen=True):
    """A tournament or league of the club, and who added it."""

    kind: EventKind
    by: Actor
    since: datetime


class Club(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a club.

    Mappings, so that each fact is folded in constant time; all are in order of the facts.
    """

    id: UUID
    founded_at: datetime
    admission: Admission
    members: Mapping[Actor, Member]
    requests: Mapping[Actor, datetime] = {}
    declined: Mapping[Actor, datetime] = {}
    """People whose latest request was declined, with the time."""
    removed: frozenset[Actor] = frozenset()
    """People who were removed, and have not joined since; they need an invitation."""
    invitations: Invitations[MemberInvited] = Invitations()
    events: Mapping[str, ClubEvent] = {}
    """The events, by id."""
    closed_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether the club exists; a closed one only keeps its page."""
        return self.closed_at is None

    @property
    def owner(self) -> Actor:
        """The owner; empty once the club is closed without one."""
        return next((person for person, member in self.members.items() if member.role == "owner"), "")

    @property
    def organisers(self) -> tuple[Actor, ...]:
        """The organisers, with the longest service first; the owner is not among them."""
        found = [(each.organises_since, person) for person, each in self.members.items() if each.role == "organiser"]
        return tuple(person for _, person in sorted(found, key=lambda each: (str(each[0]), each[1])))

    def standing(self, person: Actor) -> Standing:
        """Return the relation of a person to the club."""
        if (member := self.members.get(person)) is not None:
            return member.role
        if self.invitations.is_open_for(person, MEMBERSHIP):
            return "invited"
        if person in self.requests:
            return "asked"
        return "removed" if person in self.removed else ""

    def organises(self, person: Actor) -> bool:
        """Return whether a person is an organiser or the owner."""
        return self.standing(person) in {"organiser", "owner"}


def without(mapping: Mapping[Actor, T], person: Actor) -> Mapping[Actor, T]:
    """Return a mapping without one person."""
    return {each: value for each, value in mapping.items() if each != person}


def with_role(club: Club, person: Actor, role: ClubRole, at: datetime) -> Club:
    """Return the club with a member's role changed; the time as an organiser continues as the owner."""
    member = club.members[person]
    since = None if role == "member" else member.organises_since or at
    return replace(club, members={**club.members, person: replace(member, role=role, organises_since=since)})


def club_changed(club: Club, _: Record, fact: facts.ClubChanged) -> Club:
    """Apply a change."""
    return replace(club, admission=fact.admission)


def member_invited(club: Club, _: Record, fact: MemberInvited) -> Club:
    """Apply an invitation."""
    return replace(club, invitations=club.invitations.with_new(fact))


def invitation_declined(club: Club, _: Record, fact: facts.InvitationDeclined) -> Club:
    """Apply a declined invitation."""
    return replace(club, invitations=club.invitations.with_refusal(fact))


def invitation_withdrawn(club: Club, _: Record, fact: facts.InvitationWithdrawn) -> Club:
    """Apply a withdrawn invitation."""
    return replace(club, invitations=club.invitations.with_closed(fact))


def membership_requested(club: Club, record: Record, fact: facts.MembershipRequested) -> Club:
    """Apply a request."""
    return replace(club, requests={**club.requests, fact.by: record.timestamp})


def request_withdrawn(club: Club, _: Record, fact: facts.RequestWithdrawn) -> Club:
    """Apply a withdrawn request."""
    return replace(club, requests=without(club.requests, fact.actor))


def request_declined(club: Club, record: Record, fact: facts.RequestDeclined) -> Club:
    """Apply a declined request."""
    declined = {**club.declined, fact.actor: record.timestamp}
    return replace(club, requests=without(club.requests, fact.actor), declined=declined)


def member_joined(club: Club, record: Record, fact: facts.MemberJoined) -> Club:
    """Apply a new member: the request is answered, the invitation accepted."""
    invitations = club.invitations.with_entry(fact.by, fact.actor, (MEMBERSHIP,), (MEMBERSHIP,))
    return replace(
        club,
        members={**club.members, fact.actor: Member("member", record.timestamp)},
        requests=without(club.requests, fact.actor),
        declined=without(club.declined, fact.actor),
        removed=club.removed - {fact.actor},
        invitations=invitations,
    )


def member_left(club: Club, _: Record, fact: facts.MemberLeft) -> Club:
    """Apply a departure."""
    return replace(club, members=without(club.members, fact.actor))


def member_removed(club: Club, _: Record, fact: facts.MemberRemoved) -> Club:
    """Apply a removal."""
    return replace(club, members=without(club.members, fact.actor), removed=club.removed | {fact.actor})


def role_given(club: Club, record: Record, fact: facts.RoleGiven) -> Club:
    """Apply a role."""
    return with_role(club, fact.actor, fact.role, record.timestamp)


def club_handed_over(club: Club, record: Record, fact: facts.ClubHandedOver) -> Club:
    """Apply a handover; the owner before becomes an organiser."""
    organised = with_role(club, club.owner, "organiser", record.timestamp)
    return with_role(organised, fact.actor, "owner", record.timestamp)


def owner_succeeded(club: Club, record: Record, fact: facts.OwnerSucceeded) -> Club:
    """Apply a succession."""
    return with_role(club, fact.actor, "owner", record.timestamp)


def event_added(club: Club, record: Record, fact: facts.EventAdded) -> Club:
    """Apply an event."""
    return replace(club, events={**club.events, str(fact.event): ClubEvent(fact.kind, fact.by, record.timestamp)})


def event_removed(club: Club, _: Record, fact: facts.EventRemoved) -> Club:
    """Apply the removal of an event."""
    return replace(club, events=without(club.events, str(fact.event)))


def club_closed(club: Club, record: Record, _: facts.ClubClosed) -> Club:
    """Apply the end, which closes all requests and invitations."""
    return replace(club, closed_at=record.timestamp, requests={}, invitations=Invitations())


EVOLVE: Final[Mapping[type[Any], Callable[[Club, Record, Any], Club]]] = {
    facts.ClubChanged: club_changed,
    MemberInvited: member_invited,
    facts.InvitationDeclined: invitation_declined,
    facts.InvitationWithdrawn: invitation_withdrawn,
    facts.MembershipRequested: membership_requested,
    facts.RequestWithdrawn: request_withdrawn,
    facts.RequestDeclined: request_declined,
    facts.MemberJoined: member_joined,
    facts.MemberLeft: member_left,
    facts.MemberRemoved: member_removed,
    facts.RoleGiven: role_given,
    facts.ClubHandedOver: club_handed_over,
    facts.OwnerSucceeded: owner_succeeded,
    facts.EventAdded: event_added,
    facts.EventRemoved: event_removed,
    facts.ClubClosed: club_closed,
}


def evolve(club: Club | None, record: Record, fact: facts.Fact) -> Club:
    """Return the club after one more record; never refuses one."""
    if isinstance(fact, facts.ClubFounded):
        founder = Member("owner", record.timestamp, record.timestamp)
        return Club(
            id=record.stream_id,
            founded_at=record.timestamp,
            admission=fact.admission,
            members={fact.by: founder},
        )
    assert club is not None, "a club begins with its founding"
    return EVOLVE[type(fact)](club, record, fact)


CLUB: Final[Kind[facts.Fact, Club]] = Kind("club", facts.Fact, evolve)
