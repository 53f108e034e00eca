"""The lines of one match: the one it began as, and those that rulings put in its place one after the other."""

from collections.abc import Callable
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.transaction import MatchReader, Transaction


def root_of(matches: MatchReader, match: Match) -> UUID:
    """The line a match began as, before rulings put others in its place."""
    while match.docket.ruling and match.origin is not None and matches.lines.has(match.origin.match_id):
        match = matches.get(match.origin.match_id)
    return match.id


def official(batch: Transaction, line: UUID) -> Match:
    """The line that counts now."""
    return last_of(batch.match, line)


def official_line(matches: MatchReader, line: UUID) -> Match:
    """The same, outside of a transaction."""
    return last_of(matches.get, line)


def last_of(get: Callable[[UUID], Match], line: UUID) -> Match:
    """The line that rulings have put in the place of this one, or this one."""
    match = get(line)
    while match.docket.superseded_by is not None:
        match = get(match.docket.superseded_by)
    return match


def tried_out(matches: MatchReader, match: Match) -> Match:
    """The match that a what-if tries out; every other line is a match itself."""
    while match.docket.dispute and match.origin is not None:
        match = matches.get(match.origin.match_id)
    return match


def have_sat(matches: MatchReader, line: UUID) -> frozenset[Actor]:
    """Everybody who has sat at any line of a match: also at entries that were replaced, or after those that a what-if
    shares.

    Of a what-if it is the match it tries out; who plays the what-if itself does not matter.
    """
    match = tried_out(matches, matches.get(line))
    successor: UUID | None = root_of(matches, match)
    sat = {*match.docket.sat}
    while successor is not None and matches.lines.has(successor):
        match = matches.get(successor)
        sat |= {*match.docket.sat}
        successor = match.docket.superseded_by
    return frozenset(sat)
