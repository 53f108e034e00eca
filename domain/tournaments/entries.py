"""Who takes part in a tournament, under ids of its own."""

from collections.abc import Sequence
from typing import Final, Literal

from domain.kernel.values import Value
from domain.matches.facts import Actor, is_bot

EntryStatus = Literal["in", "waiting", "withdrawn"]
DIGITS: Final = 8
"""The number of an entry has fewer."""


class TournamentEntry(Value, frozen=True, omit_defaults=True):
    """Somebody who takes part, under the tournament's own short id."""

    id: str
    actor: Actor = ""
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    status: EntryStatus = "in"
    from_round: int = 1
    """The first round they can be paired in."""
    penalty: int = 0
    is_there: bool = False
    """Has checked in."""
    codes: int = 0
    """How often their code was renewed."""
    gone_by: Actor = ""
    """Who withdrew the entry; empty while it takes part."""

    @property
    def is_bot(self) -> bool:
        return is_bot(self.actor)


def entry_of_id(entries: Sequence[TournamentEntry], name: str) -> TournamentEntry | None:
    """The entry of that id. Ids count the entries: `e7` is looked for in the seventh place before anywhere else."""
    number = name[1:]
    at = int(number) if number.isdecimal() and len(number) < DIGITS else 0
    if 0 < at <= len(entries) and entries[at - 1].id == name:
        return entries[at - 1]
    return next((entry for entry in entries if entry.id == name), None)
