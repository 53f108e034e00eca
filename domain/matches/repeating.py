"""Commands that come again get the first answer; one that comes late is good where nothing has changed for it."""

from typing import Any
from uuid import UUID

from domain.kernel.values import replace
from domain.matches.aggregate import Match, legal_actions
from domain.matches.errors import MatchExists, StaleVersion
from domain.matches.facts import ActionTaken, Actor, MatchForked, MatchOpened, action_of
from domain.matches.lines import Lines
from domain.matches.titles import read_fact


def same_opening(lines: Lines, match_id: UUID, fact: MatchOpened) -> Match:
    """The match that is there, if it was opened in the same words."""
    there, first = lines.get(match_id), lines.entries(match_id, 0, 1)[0]
    known = read_fact(there.definition, first)
    is_own = first.originator_id == match_id
    if is_own and isinstance(known, MatchOpened) and replace(known, seed=fact.seed, format=fact.format) == fact:
        return there
    raise MatchExists(f"another match has the id {match_id}")


def same_fork(lines: Lines, fork_id: UUID, fact: MatchForked) -> Match:
    """The fork that is there, if it was made in the same words."""
    there = lines.get(fork_id)
    for entry in lines.entries(fork_id, fact.at, 1):
        known = read_fact(there.definition, entry)
        if isinstance(known, MatchForked) and replace(known, seed=fact.seed, format=fact.format) == fact:
            return there
    raise MatchExists(f"another match has the id {fork_id}")


def find_answer(lines: Lines, match: Match, seat: int, by: Actor, action: Any, expected_version: int) -> Match | None:
    """The answer the same action at the same expected version had before, if it had one."""
    if not 1 <= expected_version < match.version:
        return None
    for entry in lines.entries(match.id, expected_version):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, ActionTaken) and fact.seat == seat:
            return lines.at(match.id, entry.version) if fact.by == by and action_of(fact) == action else None
    return None


def require_still_good(lines: Lines, match: Match, seat: int, expected_version: int) -> None:
    """All later entries are other seats' and left the caller's legal actions as they were (DESIGN §8)."""
    stale = StaleVersion(
        f"the match {match.id} stands at version {match.version}, not {expected_version}", match.version
    )
    if not 1 <= expected_version < match.version:
        raise stale
    for entry in lines.entries(match.id, expected_version):
        if getattr(read_fact(match.definition, entry), "seat", seat) == seat:
            raise stale
    if legal_actions(lines.at(match.id, expected_version), seat) != legal_actions(match, seat):
        raise stale
