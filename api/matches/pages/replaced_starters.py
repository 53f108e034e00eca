"""The starter of a seat whose player was replaced."""

from __future__ import annotations

import msgspec

from api.accounts.display_names import Names, shown_bot_name
from domain.matches.aggregate import Match
from domain.matches.facts import is_bot


class ReplacedStarter(msgspec.Struct, frozen=True):
    """The starter of a seat, and the entry at which they were replaced."""

    name: str
    version: int


def replaced_starters(match: Match, people: Names) -> tuple[ReplacedStarter | None, ...]:
    """Return for each seat of an ended match the starter who was replaced, whose result it is (DESIGN §6), or None.

    Empty while the match has not ended.
    """
    found = list[ReplacedStarter | None]()
    for seat, starter in enumerate(match.starters if match.status == "ended" else ()):
        handover_versions = [each.version for each in match.handovers if each.seat == seat]
        actor = starter.actor
        if actor is None or not handover_versions or actor == match.seats[seat].actor:
            found.append(None)
        else:
            found.append(
                ReplacedStarter(shown_bot_name(actor) if is_bot(actor) else people[actor], handover_versions[0])
            )
    return tuple(found)
