"""Repeated commands get the first response; late commands are accepted if nothing relevant has changed."""

from collections.abc import Sequence
from uuid import UUID

from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import MatchExists, StaleVersion
from domain.matches.facts import ActionTaken, Actor, Fact, MatchForked, MatchOpened, action_of
from domain.matches.signatures.signing import Past, require_unchanged_for_action
from domain.matches.titles import read_fact
from domain.matches.transaction import LineReader
from domain.signatures.acts import SEEN_MAX


def same_opening(lines: LineReader, match_id: UUID, fact: MatchOpened) -> Match:
    """Return the stored match if it was opened with the same arguments; raise `MatchExists` otherwise.

    Seed, log format and the service's key may differ. An imported match with entries of another line does not count.
    """
    match, first = lines.get(match_id), lines.entries(match_id, 0, 1)[0]
    stored = read_fact(match.definition, first)
    is_own = first.originator_id == match_id
    if (
        is_own
        and isinstance(stored, MatchOpened)
        and replace(stored, seed=fact.seed, format=fact.format, house=fact.house) == fact
    ):
        return match
    raise MatchExists(f"the match id {match_id} is already in use")


def same_fork(lines: LineReader, fork_id: UUID, fact: MatchForked) -> Match:
    """Return the stored fork if it was made with the same arguments; raise `MatchExists` otherwise.

    Seed and log format may differ.
    """
    match = lines.get(fork_id)
    for entry in lines.entries(fork_id, fact.at, 1):
        stored = read_fact(match.definition, entry)
        if isinstance(stored, MatchForked) and replace(stored, seed=fact.seed, format=fact.format) == fact:
            return match
    raise MatchExists(f"the match id {fork_id} is already in use")


def find_earlier_result(
    lines: LineReader, match: Match, seat: int, by: Actor, action: object, expected_version: int
) -> Match | None:
    """Return the match after the same action by the same actor, if it was the seat's first after `expected_version`."""
    if not 1 <= expected_version < match.version:
        return None
    for entry in lines.entries(match.id, expected_version):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken) and fact.seat == seat:
            return lines.at(match.id, entry.version) if fact.by == by and action_of(fact) == action else None
    return None


def require_unaffected(match: Match, seat: int, expected_version: int, past: Past) -> None:
    """Raise `StaleVersion` if later entries concern the seat or changed its legal actions (DESIGN §8).

    Also if `expected_version` is not 1 to `SEEN_MAX` entries back.
    """
    if not 1 <= match.version - expected_version <= SEEN_MAX or expected_version < 1:
        raise StaleVersion(f"match {match.id} is at version {match.version}, not {expected_version}", match.version)
    require_unchanged_for_action(match, seat, expected_version, past)


class StoredPast:
    """The latest entries of a line in the store, for the check of signatures."""

    def __init__(self, lines: LineReader, match: Match) -> None:
        self._lines = lines
        self._match = match

    def at(self, version: int) -> Match:
        """Return the position after an earlier entry."""
        return self._lines.at(self._match.id, version)

    def since(self, version: int) -> Sequence[Fact]:
        """Return the facts after a version, up to the current position."""
        rows = self._lines.entries(self._match.id, version, self._match.version - version)
        return [read_fact(self._match.definition, entry) for entry in rows]
