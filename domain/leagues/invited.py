"""Invitations to a league: their facts and their states."""

from typing import Literal

from domain.kernel.values import Value, replace
from domain.leagues.fact import LeagueFact, Text
from domain.matches.facts import Actor

Answer = Literal["", "accepted", "declined", "withdrawn"]


class InvitedTo(Value, frozen=True, omit_defaults=True):
    """The target of an invitation: the league; with `season` that season of it; with `from_round` a place of a group of
    the season, from that round on."""

    season: int = 0
    group: int = 0
    place: int = 0
    from_round: int = 0

    @property
    def seat(self) -> tuple[int, int, int] | None:
        """The place of a group to take; `None` for an invitation to enter."""
        return (self.season, self.group, self.place) if self.from_round else None


WHOLE_LEAGUE = InvitedTo()


class PlayerInvited(LeagueFact, frozen=True):
    """An organiser invites an account.

    With a season, the organiser has entered the account for it, and `seeding` applies to its entry once it accepts.
    Older records name `by` and `actor` alone.
    """

    by: Actor
    actor: Actor
    to: InvitedTo = WHOLE_LEAGUE
    seeding: int = 0
    reason: Text = ""


class InvitationDeclined(LeagueFact, frozen=True):
    """The person declines an invitation."""

    by: Actor
    actor: Actor
    to: InvitedTo = WHOLE_LEAGUE


class InvitationWithdrawn(LeagueFact, frozen=True):
    """An organiser takes back an open invitation."""

    by: Actor
    actor: Actor
    to: InvitedTo = WHOLE_LEAGUE


class LeagueInvitation(Value, frozen=True, omit_defaults=True):
    """An invitation and its answer; empty while there is none."""

    actor: Actor
    by: Actor
    to: InvitedTo = WHOLE_LEAGUE
    seeding: int = 0
    reason: str = ""
    answer: Answer = ""

    @property
    def is_open(self) -> bool:
        return self.answer == ""


class LeagueInvitations(Value, frozen=True, omit_defaults=True):
    """All invitations to a league, and which accounts are in its seasons by their own word."""

    made: tuple[LeagueInvitation, ...] = ()
    accepted: tuple[tuple[int, Actor], ...] = ()
    """Accounts that entered a season, or took a place in it, themselves; with the number of the season."""

    @property
    def open(self) -> tuple[LeagueInvitation, ...]:
        """The invitations without an answer."""
        return tuple(each for each in self.made if each.is_open)

    def find(self, actor: Actor, to: InvitedTo = WHOLE_LEAGUE) -> LeagueInvitation | None:
        return next((each for each in self.made if (each.actor, each.to) == (actor, to)), None)

    def lets_in(self, actor: Actor, season: int) -> bool:
        """Return whether an account was invited to the league or the season. A person who declined may still enter."""
        found = (self.find(actor), self.find(actor, InvitedTo(season)))
        return any(each is not None and each.answer != "withdrawn" for each in found)

    def with_new(self, fact: PlayerInvited) -> "LeagueInvitations":
        """Add an invitation. It replaces an earlier one of the same account, and closes others to the same place."""
        new = LeagueInvitation(fact.actor, fact.by, fact.to, fact.seeding, fact.reason)
        kept = [each for each in self.made if (each.actor, each.to) != (new.actor, new.to)]
        return replace(self, made=(*closed_for(kept, new.to), new))

    def with_entry(self, season: int, by: Actor, actor: Actor) -> "LeagueInvitations":
        """Take an entry as the answer to the invitations to the league and to this season."""
        found = self.with_own_word(season, by, actor).with_answer(actor, InvitedTo(season), "accepted")
        return found.with_answer(actor, WHOLE_LEAGUE, "accepted")

    def with_place(self, by: Actor, actor: Actor, to: InvitedTo) -> "LeagueInvitations":
        """Take a place as the answer to its invitation, and close the other invitations to that place."""
        found = self.with_own_word(to.season, by, actor)
        own = [each.is_open and each.actor == actor and each.to.seat == to.seat for each in found.made]
        pairs = zip(own, found.made, strict=True)
        made = [replace(each, answer="accepted") if is_own else each for is_own, each in pairs]
        return replace(found, made=closed_for(made, to))

    def with_end(self, fact: InvitationDeclined | InvitationWithdrawn) -> "LeagueInvitations":
        """Close an open invitation: its person declines it, or an organiser takes it back."""
        return self.with_answer(
            fact.actor, fact.to, "declined" if isinstance(fact, InvitationDeclined) else "withdrawn"
        )

    def with_answer(self, actor: Actor, to: InvitedTo, answer: Answer) -> "LeagueInvitations":
        made = (
            replace(each, answer=answer) if each.is_open and (each.actor, each.to) == (actor, to) else each
            for each in self.made
        )
        return replace(self, made=tuple(made))

    def with_own_word(self, season: int, by: Actor, actor: Actor) -> "LeagueInvitations":
        is_new = by == actor and (season, actor) not in self.accepted
        return replace(self, accepted=(*self.accepted, (season, actor))) if is_new else self


def closed_for(made: list[LeagueInvitation], to: InvitedTo) -> tuple[LeagueInvitation, ...]:
    """Take back the open invitations to the same place of a group."""
    return tuple(
        replace(each, answer="withdrawn") if each.is_open and each.to.seat and each.to.seat == to.seat else each
        for each in made
    )
