"""Entries of a tournament and their penalties, under ids unique to the tournament."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from domain.kernel.texts import name_key
from domain.kernel.values import Value
from domain.matches.facts import Actor, is_bot
from domain.tournaments.invitation_facts import TO_ENTER, TournamentInvitation

EntryStatus = Literal["in", "waiting", "withdrawn"]
DIGITS: Final = 8
"""Upper bound for the number of digits in an entry id."""


class TournamentEntry(Value, frozen=True, omit_defaults=True):
    """An entry: a person, bot or named player under a short id of the tournament."""

    id: str
    actor: Actor = ""
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    status: EntryStatus = "in"
    from_round: int = 1
    """The first round in which the entry can be paired."""
    penalty: int = 0
    is_there: bool = False
    """Whether the entry has checked in."""
    codes: int = 0
    """The number of times the entry's code was renewed."""
    gone_by: Actor = ""
    """Account that withdrew the entry; empty while the entry is in the event."""
    club_id: UUID | None = None
    """The club of which the player was a member at the entry; `club` is a plain word."""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays for the entry."""
        return is_bot(self.actor)


class Penalty(Value, frozen=True):
    """A penalty in the standings."""

    at: datetime
    by: Actor
    entry: str
    sixtieths: int
    reason: str


class EntryIndex:
    """An index of entries and open invitations by account and name, updated while many entries are decided."""

    def __init__(self, entries: Iterable[TournamentEntry], invitations: Iterable[TournamentInvitation] = ()) -> None:
        self.actors: set[Actor] = set()
        self.names: set[str] = set()
        """Keys of the names of entries without an account (`name_key`)."""
        self.count = 0
        self.in_count = 0
        self.open_count = 0
        """The number of open invitations to enter."""
        self._invitations: dict[Actor, TournamentInvitation] = {}
        for invitation in invitations:
            if invitation.fact.target == TO_ENTER:
                self.invite(invitation)
        for entry in entries:
            self.add(entry.actor, entry.name, is_in=entry.status == "in")

    def add(self, actor: Actor, name: str, *, is_in: bool) -> None:
        """Count one more entry, by account or, without one, by name; `is_in`: it has a place."""
        if actor:
            self.actors.add(actor)
        else:
            self.names.add(name_key(name))
        self.count += 1
        self.in_count += is_in

    def invitation(self, actor: Actor) -> TournamentInvitation | None:
        """Return the invitation of an account to enter."""
        return self._invitations.get(actor)

    def invite(self, invitation: TournamentInvitation) -> None:
        """Count one more invitation to enter; it replaces an earlier one of the account."""
        before = self._invitations.get(invitation.actor)
        self.open_count += invitation.is_open - (before is not None and before.is_open)
        self._invitations[invitation.actor] = invitation


def entry_of_id(entries: Sequence[TournamentEntry], name: str) -> TournamentEntry | None:
    """Return the entry with that id, or None."""
    at = place_of_id(entries, name)
    return None if at is None else entries[at]


def place_of_id(entries: Sequence[TournamentEntry], name: str) -> int | None:
    """Return the index of an entry, from 0, or None. Ids count the entries: for `e7`, index 6 is tried first."""
    number = name[1:]
    at = int(number) if number.isdecimal() and len(number) < DIGITS else 0
    if 0 < at <= len(entries) and entries[at - 1].id == name:
        return at - 1
    return next((index for index, entry in enumerate(entries) if entry.id == name), None)
