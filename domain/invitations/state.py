"""The invitations to an event and their answers."""

from collections.abc import Iterable, Mapping
from typing import Generic, Literal, Protocol, TypeVar

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor

Answer = Literal["", "accepted", "declined", "withdrawn"]


class InvitationFact(Protocol):
    """A fact that invites an account to an event."""

    @property
    def by(self) -> Actor:
        """The account that invites."""
        ...

    @property
    def actor(self) -> Actor:
        """The invited account."""
        ...

    @property
    def reason(self) -> str:
        """The reason given by the organiser, or empty."""
        ...

    @property
    def target(self) -> str:
        """The entry, seat or season that the invitation is for. An account has one invitation for a target."""

    @property
    def seat(self) -> str:
        """The seat to take, for which one account is invited at a time; empty for an invitation to enter."""


class ClosingFact(Protocol):
    """A fact that closes an open invitation without an entry."""

    @property
    def actor(self) -> Actor:
        """The invited account."""
        ...

    @property
    def target(self) -> str:
        """The target of the invitation."""
        ...

    @property
    def scope(self) -> str:
        """The part of the event to which an account that declines is not invited again."""


F = TypeVar("F", bound=InvitationFact)


class Invitation(Value, Generic[F], frozen=True, omit_defaults=True):
    """An invitation and its answer, which is empty while there is none."""

    fact: F
    answer: Answer = ""

    @property
    def actor(self) -> Actor:
        """The invited account."""
        return self.fact.actor

    @property
    def is_open(self) -> bool:
        """Whether the invitation has no answer yet."""
        return self.answer == ""

    @property
    def may_enter(self) -> bool:
        """Whether its person may enter, which a person who declined may still do."""
        return self.answer != "withdrawn"


class Invitations(Value, Generic[F], frozen=True, omit_defaults=True):
    """All invitations to an event, and the accounts that have accepted by themselves.

    Mappings, so that each fact is folded in constant time. Their keys are made by `key`.
    """

    made: Mapping[str, Invitation[F]] = {}
    """The invitations by account and target, oldest first."""
    seats: Mapping[str, str] = {}
    """The key of the latest invitation to each seat."""
    accepted: frozenset[str] = frozenset()
    """Scopes and accounts that entered, returned or took a seat themselves."""
    declined: frozenset[str] = frozenset()
    """Scopes and accounts that have declined an invitation, and not entered since."""

    @property
    def open(self) -> tuple[Invitation[F], ...]:
        """The invitations without an answer."""
        return tuple(each for each in self.made.values() if each.is_open)

    def find(self, actor: Actor, target: str) -> Invitation[F] | None:
        """Return the latest invitation of an account for a target, or None."""
        return self.made.get(key(target, actor))

    def is_open_for(self, actor: Actor, target: str) -> bool:
        """Return whether an account has an open invitation for a target."""
        invitation = self.find(actor, target)
        return invitation is not None and invitation.is_open

    def is_open_for_seat(self, actor: Actor, seat: str) -> bool:
        """Return whether the open invitation to a seat is for this account."""
        invitation = self.made.get(self.seats.get(seat, ""))
        return invitation is not None and invitation.is_open and invitation.actor == actor

    def may_enter(self, actor: Actor, *targets: str) -> bool:
        """Return whether an account was invited to enter. A person who declined may still enter."""
        return any(invitation.may_enter for target in targets if (invitation := self.find(actor, target)) is not None)

    def has_accepted(self, actor: Actor, scope: str) -> bool:
        """Return whether an account itself entered, returned or took a seat in a scope."""
        return key(scope, actor) in self.accepted

    def has_declined(self, actor: Actor, *scopes: str) -> bool:
        """Return whether an account has declined an invitation in any of the scopes, and not entered since."""
        return any(key(scope, actor) in self.declined for scope in scopes)

    def with_new(self, fact: F) -> "Invitations[F]":
        """Add an open invitation after all others; it replaces an earlier one of the same account for the same target.

        An open invitation to the same seat is closed.
        """
        closed = self.with_seat_closed(fact.seat) if fact.seat else self
        made, name = dict(closed.made), key(fact.target, fact.actor)
        made.pop(name, None)
        made[name] = Invitation(fact)
        seats = {**closed.seats, fact.seat: name} if fact.seat else closed.seats
        return replace(closed, made=made, seats=seats)

    def with_entry(self, by: Actor, actor: Actor, targets: Iterable[str], scopes: tuple[str, ...]) -> "Invitations[F]":
        """Accept the account's open invitations for these targets by an entry.

        The consent to the first scope, the one it enters, is recorded as by `with_consent`: not if another entered
        it.
        """
        invitations = self.with_consent(by, actor, scopes)
        for target in targets:
            invitations = invitations.with_answer(key(target, actor), "accepted")
        return invitations

    def with_seat(self, by: Actor, actor: Actor, seat: str, scopes: tuple[str, ...]) -> "Invitations[F]":
        """Accept the invitation to a seat by taking it; an invitation of another account to it is closed."""
        return self.with_consent(by, actor, scopes).with_seat_closed(seat, actor)

    def with_refusal(self, fact: ClosingFact) -> "Invitations[F]":
        """Close an open invitation that its person declines."""
        declined = self.declined | {key(fact.scope, fact.actor)}
        return replace(self.with_answer(key(fact.target, fact.actor), "declined"), declined=declined)

    def with_closed(self, fact: ClosingFact) -> "Invitations[F]":
        """Close an open invitation that an organiser withdraws."""
        return self.with_answer(key(fact.target, fact.actor), "withdrawn")

    def with_seat_closed(self, seat: str, actor: Actor = "") -> "Invitations[F]":
        """Close the open invitation to a seat: accepted if it was `actor`'s, else withdrawn."""
        name = self.seats.get(seat, "")
        invitation = self.made.get(name)
        is_own = invitation is not None and invitation.actor == actor
        return self.with_answer(name, "accepted" if is_own else "withdrawn")

    def with_answer(self, name: str, answer: Answer) -> "Invitations[F]":
        """Answer the invitation of that key, if it is open; else return these invitations unchanged."""
        invitation = self.made.get(name)
        if invitation is None or not invitation.is_open:
            return self
        return replace(self, made={**self.made, name: replace(invitation, answer=answer)})

    def with_consent(self, by: Actor, actor: Actor, scopes: tuple[str, ...]) -> "Invitations[F]":
        """Record the consent to the first scope of an account that acted itself; its refusals in all scopes end.

        Nothing changes if another acted for it.
        """
        if by != actor:
            return self
        declined = self.declined - {key(scope, actor) for scope in scopes}
        return replace(self, accepted=self.accepted | {key(scopes[0], actor)}, declined=declined)


def key(part: str, actor: Actor) -> str:
    """Return the key of an account for a target or a scope; neither of these holds a blank."""
    return f"{part} {actor}"
