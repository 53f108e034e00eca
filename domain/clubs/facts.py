"""Facts of a club. They name people by id; names, texts and reasons are in the accounts database, which can erase."""

from typing import Literal
from uuid import UUID

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor

Admission = Literal["open", "request", "invitation"]
"""How people join: at once, by a request that an organiser answers, or by invitation only."""
GivenRole = Literal["member", "organiser"]
"""A role that the owner gives; the owner's own role changes by `ClubHandedOver` and `OwnerSucceeded`."""
EventKind = Literal["tournament", "league"]
MEMBERSHIP: Literal["member"] = "member"
"""Target and scope of every invitation to a club."""


class ClubFact(Value, frozen=True, tag_field="type", tag=tagger("club"), omit_defaults=True):
    """Base of the facts of a club; fields at their defaults are not written."""


class ClubFounded(ClubFact, frozen=True):
    """The club was founded; its founder is its owner."""

    by: Actor
    admission: Admission = "request"


class ClubChanged(ClubFact, frozen=True):
    """The description in the accounts database changed, or how people join."""

    by: Actor
    admission: Admission = "request"


class MemberInvited(ClubFact, frozen=True):
    """An organiser invited a person."""

    by: Actor
    actor: Actor

    @property
    def reason(self) -> str:
        """The reason; invitations to a club have none."""
        return ""

    @property
    def target(self) -> str:
        """The target of the invitation."""
        return MEMBERSHIP

    @property
    def seat(self) -> str:
        """The seat to take; a club has none."""
        return ""


class InvitationEnded(ClubFact, frozen=True):
    """Base of facts that end an open invitation."""

    by: Actor
    actor: Actor

    @property
    def target(self) -> str:
        """The target of the invitation."""
        return MEMBERSHIP

    @property
    def scope(self) -> str:
        """The scope of a refusal: the club."""
        return MEMBERSHIP


class InvitationDeclined(InvitationEnded, frozen=True):
    """A person declined an invitation."""


class InvitationWithdrawn(InvitationEnded, frozen=True):
    """An organiser withdrew an open invitation."""


class MembershipRequested(ClubFact, frozen=True):
    """A person asked to join."""

    by: Actor


class RequestWithdrawn(ClubFact, frozen=True):
    """A person withdrew the own request, or was erased."""

    by: Actor
    actor: Actor


class RequestDeclined(ClubFact, frozen=True):
    """An organiser declined a request."""

    by: Actor
    actor: Actor


class MemberJoined(ClubFact, frozen=True):
    """A person became a member; `by` is the person, or the organiser who accepted the request."""

    by: Actor
    actor: Actor


class MemberLeft(ClubFact, frozen=True):
    """A member left; `by` is the member, or the service if the account was erased."""

    by: Actor
    actor: Actor


class MemberRemoved(ClubFact, frozen=True):
    """An organiser removed a member; the reason is in the accounts database."""

    by: Actor
    actor: Actor


class RoleGiven(ClubFact, frozen=True):
    """The owner gave a member a role."""

    by: Actor
    actor: Actor
    role: GivenRole


class ClubHandedOver(ClubFact, frozen=True):
    """The owner, or an operator, made a member the owner; the owner before is an organiser."""

    by: Actor
    actor: Actor


class OwnerSucceeded(ClubFact, frozen=True):
    """The owner is gone: the member who has been an organiser longest is the owner."""

    actor: Actor


class EventAdded(ClubFact, frozen=True):
    """A tournament or league was opened for the club."""

    by: Actor
    event: UUID
    kind: EventKind


class EventRemoved(ClubFact, frozen=True):
    """A tournament or league is no longer in the club's list."""

    by: Actor
    event: UUID


class ClubClosed(ClubFact, frozen=True):
    """The club was closed by its owner or an operator, or by the service because it has no owner."""

    by: Actor


Fact = (
    ClubFounded
    | ClubChanged
    | MemberInvited
    | InvitationDeclined
    | InvitationWithdrawn
    | MembershipRequested
    | RequestWithdrawn
    | RequestDeclined
    | MemberJoined
    | MemberLeft
    | MemberRemoved
    | RoleGiven
    | ClubHandedOver
    | OwnerSucceeded
    | EventAdded
    | EventRemoved
    | ClubClosed
)
