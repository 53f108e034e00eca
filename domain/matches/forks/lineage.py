"""The lines of one match: the original one and its replacements after rulings."""

from collections.abc import Callable
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.transaction import MatchReader, Transaction


def root_of(matches: MatchReader, match: Match) -> UUID:
    """Return the id of the original line of a match that replaces others by rulings; lines not stored are ignored."""
    while match.docket.ruling and match.origin is not None and matches.lines.has(match.origin.match_id):
        match = matches.get(match.origin.match_id)
    return match.id


def read_official_line(batch: Transaction, line_id: UUID) -> Match:
    """Return the official line within a transaction."""
    return find_last_replacement(batch.match, line_id)


def official_line(matches: MatchReader, line_id: UUID) -> Match:
    """Return the official line."""
    return find_last_replacement(matches.get, line_id)


def find_last_replacement(get: Callable[[UUID], Match], line_id: UUID) -> Match:
    """Return the latest replacement of a line, or the line itself; raise as `get` does for one that is not stored."""
    match = get(line_id)
    while match.docket.superseded_by is not None:
        match = get(match.docket.superseded_by)
    return match


def resolve_what_if(matches: MatchReader, match: Match) -> Match:
    """Return the match that a what-if is about; any other match is returned unchanged."""
    while match.docket.dispute and match.origin is not None:
        match = matches.get(match.origin.match_id)
    return match


def list_past_players(matches: MatchReader, line_id: UUID) -> frozenset[Actor]:
    """Return everyone who has sat at any official line of a match, including superseded entries.

    For a what-if, this is the match it is about; its own players do not count.
    """
    match = resolve_what_if(matches, matches.get(line_id))
    successor: UUID | None = root_of(matches, match)
    players = {*match.docket.sat}
    while successor is not None and matches.lines.has(successor):
        match = matches.get(successor)
        players |= {*match.docket.sat}
        successor = match.docket.superseded_by
    return frozenset(players)
