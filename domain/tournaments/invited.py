"""Invitations to an event: their facts and their states."""

from typing import Literal

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.tournaments.fact import Text, TournamentFact

Answer = Literal["", "accepted", "declined", "withdrawn"]


class PersonInvited(TournamentFact, frozen=True):
    """An organiser invites an account: to enter the event, with `round` to play for `entry` at its table of that round,
    or with `entry` alone to return after a withdrawal.

    `enters`: an organiser has entered the account, and the details apply to its entry once it accepts. Older records
    name `by` and `actor` alone.
    """

    by: Actor
    actor: Actor
    enters: bool = False
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    entry: str = ""
    round: int = 0
    reason: Text = ""


class InvitationDeclined(TournamentFact, frozen=True):
    """The person declines an invitation, which `entry` and `round` tell apart as in `PersonInvited`."""

    by: Actor
    actor: Actor
    entry: str = ""
    round: int = 0


class InvitationWithdrawn(TournamentFact, frozen=True):
    """An organiser takes back an open invitation."""

    by: Actor
    actor: Actor
    entry: str = ""
    round: int = 0


class Invitation(Value, frozen=True, omit_defaults=True):
    """An invitation and its answer; empty while there is none."""

    actor: Actor
    by: Actor
    enters: bool = False
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    entry: str = ""
    round: int = 0
    reason: str = ""
    answer: Answer = ""

    @property
    def is_open(self) -> bool:
        return self.answer == ""

    @property
    def lets_in(self) -> bool:
        """Whether its person may enter, which a person who declined may still do."""
        return self.answer != "withdrawn"

    @property
    def place(self) -> tuple[str, int]:
        """The entry and the round it is for; no entry and round 0 mean the event."""
        return self.entry, self.round

    def is_open_for(self, place: tuple[str, int]) -> bool:
        return self.is_open and self.place == place


class Invitations(Value, frozen=True, omit_defaults=True):
    """All invitations to an event, and which accounts are in it by their own word."""

    made: tuple[Invitation, ...] = ()
    accepted: tuple[Actor, ...] = ()
    """Accounts that entered, returned or took a seat themselves."""

    @property
    def open(self) -> tuple[Invitation, ...]:
        """The invitations without an answer."""
        return tuple(each for each in self.made if each.is_open)

    def find(self, actor: Actor, entry: str = "", number: int = 0) -> Invitation | None:
        """Return the invitation of a person to the event, or to an entry or its seat in a round."""
        return next((each for each in self.made if (each.actor, each.place) == (actor, (entry, number))), None)

    def is_open_for(self, actor: Actor, entry: str = "", number: int = 0) -> bool:
        found = self.find(actor, entry, number)
        return found is not None and found.is_open

    def lets_in(self, actor: Actor) -> bool:
        """Return whether an account was invited to enter. A person who declined may still enter."""
        found = self.find(actor)
        return found is not None and found.lets_in

    def with_new(self, fact: PersonInvited) -> "Invitations":
        """Add an invitation. It replaces an earlier one of the same account, and closes others to the same seat."""
        new = convert_invitation(fact)
        kept = [each for each in self.made if (each.actor, each.place) != (new.actor, new.place)]
        if new.round:
            kept = [replace(each, answer="withdrawn") if each.is_open_for(new.place) else each for each in kept]
        return replace(self, made=(*kept, new))

    def with_entry(self, by: Actor, actor: Actor, entry: str = "") -> "Invitations":
        """Take an entry, or the return to one, as the answer to its invitation."""
        return self.with_own_word(by, actor).with_answer(actor, (entry, 0), "accepted")

    def with_seat(self, by: Actor, actor: Actor, entry: str, number: int) -> "Invitations":
        """Take a seat as the answer to its invitation, and close the other invitations to that seat."""
        found = self.with_own_word(by, actor).with_answer(actor, (entry, number), "accepted")
        late = [replace(each, answer="withdrawn") if each.is_open_for((entry, number)) else each for each in found.made]
        return replace(found, made=tuple(late))

    def with_end(self, fact: InvitationDeclined | InvitationWithdrawn) -> "Invitations":
        """Close an open invitation: its person declines it, or an organiser takes it back."""
        answer: Answer = "declined" if isinstance(fact, InvitationDeclined) else "withdrawn"
        return self.with_answer(fact.actor, (fact.entry, fact.round), answer)

    def with_answer(self, actor: Actor, place: tuple[str, int], answer: Answer) -> "Invitations":
        if not any(each.actor == actor and each.is_open_for(place) for each in self.made):
            return self
        made = (
            replace(each, answer=answer) if each.actor == actor and each.is_open_for(place) else each
            for each in self.made
        )
        return replace(self, made=tuple(made))

    def with_own_word(self, by: Actor, actor: Actor) -> "Invitations":
        is_new = by == actor and actor not in self.accepted
        return replace(self, accepted=(*self.accepted, actor)) if is_new else self


def convert_invitation(fact: PersonInvited) -> Invitation:
    return Invitation(
        fact.actor,
        fact.by,
        fact.enters,
        fact.name,
        fact.club,
        fact.family,
        fact.seeding,
        fact.entry,
        fact.round,
        fact.reason,
    )
