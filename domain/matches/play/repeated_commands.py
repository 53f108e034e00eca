"""Commands that come again get the first answer; one that comes late is good where nothing has changed for it."""

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
    """The match that is there, if it was opened in the same words."""
    there, first = lines.get(match_id), lines.entries(match_id, 0, 1)[0]
    known = read_fact(there.definition, first)
    is_own = first.originator_id == match_id
    if (
        is_own
        and isinstance(known, MatchOpened)
        and replace(known, seed=fact.seed, format=fact.format, house=fact.house) == fact
    ):
        return there
    raise MatchExists(f"another match has the id {match_id}")


def same_fork(lines: LineReader, fork_id: UUID, fact: MatchForked) -> Match:
    """The fork that is there, if it was made in the same words."""
    there = lines.get(fork_id)
    for entry in lines.entries(fork_id, fact.at, 1):
        known = read_fact(there.definition, entry)
        if isinstance(known, MatchForked) and replace(known, seed=fact.seed, format=fact.format) == fact:
            return there
    raise MatchExists(f"another match has the id {fork_id}")


def find_answer(
    lines: LineReader, match: Match, seat: int, by: Actor, action: object, expected_version: int
) -> Match | None:
    """The answer the same action at the same expected version had before, if it had one."""
    if not 1 <= expected_version < match.version:
        return None
    for entry in lines.entries(match.id, expected_version):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken) and fact.seat == seat:
            return lines.at(match.id, entry.version) if fact.by == by and action_of(fact) == action else None
    return None


def require_still_good(match: Match, seat: int, expected_version: int, past: Past) -> None:
    """All later entries are other seats' and left the caller's legal actions as they were (DESIGN §8)."""
    if not 1 <= match.version - expected_version <= SEEN_MAX or expected_version < 1:
        raise StaleVersion(
            f"the match {match.id} stands at version {match.version}, not {expected_version}", match.version
        )
    require_unchanged_for_action(match, seat, expected_version, past)


class StoredPast:
    """What a line's newest entries were, from the store."""

    def __init__(self, lines: LineReader, match: Match) -> None:
        self._lines = lines
        self._match = match

    def at(self, version: int) -> Match:
        """The position after an earlier entry."""
        return self._lines.at(self._match.id, version)

    def since(self, version: int) -> Sequence[Fact]:
        """What happened after it, up to the position in hand."""
        rows = self._lines.entries(self._match.id, version, self._match.version - version)
        return [read_fact(self._match.definition, entry) for entry in rows]
