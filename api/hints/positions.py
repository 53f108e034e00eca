"""Positions for hints, from the log of a match as its seat sees it."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

from domain.eventstore.application import Matches
from domain.hints import HintTask, Kind
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match, legal_actions, open_take_backs, view
from domain.matches.errors import HintsRefused
from domain.matches.facts import SERVICE, ActionTaken, MatchForked, TakenBack, action_of, is_bot
from domain.matches.titles import read_fact

VERDICT_ENTRIES_MAX: Final = 40
"""Number of entries after which a choice is too old for a verdict."""


class LastChoice(msgspec.Struct, frozen=True):
    """The version before a person's last choice, and whether it can be taken back."""

    version: int
    take_back_to: int | None
    """The version that taking back returns to, older if something was taken back before; None if impossible."""


def require_hints(match: Match) -> None:
    """Raise `HintsRefused` if the table has no hints."""
    if not match.table.has_hints:
        raise HintsRefused(f"match {match.id} was created without hints")


def last_choice(matches: Matches, match_id: UUID, seat: int) -> LastChoice | None:
    """Return the last choice of a seat; None if taken back, forced, too old, or made before a fork.

    Only the last `VERDICT_ENTRIES_MAX` entries are read; actions of bots and of the service do not count.
    """
    match, found = matches.get(match_id), list[int]()
    for entry in matches.entries(match_id, max(match.started_version or 0, match.version - VERDICT_ENTRIES_MAX)):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, MatchForked):
            # Earlier choices belong to another match.
            found = []
        elif isinstance(fact, TakenBack) and fact.seat == seat:
            found = [version for version in found if version < fact.to_version]
        elif isinstance(fact, ActionTaken) and fact.seat == seat and not (fact.by == SERVICE or is_bot(fact.by)):
            found.append(entry.version - 1)
    if not found or len(legal_actions(matches.at(match_id, found[-1]), seat)) < 2:
        return None
    return LastChoice(found[-1], take_back_of(match, seat, found[-1] + 1))


def take_back_of(match: Match, seat: int, entry_version: int) -> int | None:
    """Return the version to take back to, if the entry of `entry_version` started from it; None otherwise."""
    versions = open_take_backs(match, seat)
    return versions[-1] if versions and match.turn.marks[-1].version == entry_version else None


def task_of(matches: Matches, match_id: UUID, version: int, kind: Kind, seat: int) -> HintTask | None:
    """Return the position after an entry as the seat sees it, for a worker, with the index of the action it played.

    None if the entry is unknown, the seat has no choice or, for a verdict, did not act next.
    """
    match = matches.get(match_id)
    if version > match.version:
        return None
    before, played_index = matches.at(match_id, version), None
    legal = legal_actions(before, seat)
    if kind == "verdict":
        (entry,) = matches.entries(match_id, version, 1)
        fact = read_fact(match.definition, entry)
        if not isinstance(fact, ActionTaken) or fact.seat != seat:
            return None
        played_index = legal.index(action_of(fact))
    if not legal:
        return None
    encode = msgspec.json.encode
    return HintTask(
        match.title,
        version,
        msgspec.Raw(encode(view(before, Seat(seat)))),
        tuple(msgspec.Raw(encode(action)) for action in legal),
        played_index,
    )
