"""Conflicts of interest: participants may use no role in their event or match; attempts are rejected and recorded."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.guards import Caller
from api.roles.commands import acting
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.leagues.state import LEAGUE
from domain.matches.facts import Actor
from domain.matches.forks.lineage import list_past_players
from domain.roles.audit import ConflictMet
from domain.roles.commands import append_to_trail, official_role, roles_in
from domain.roles.errors import ConflictOfInterest
from domain.tournaments.state import TOURNAMENT


def players_of(matches: Matches, event: str) -> frozenset[Actor]:
    """Return the current and former players of a tournament or league; empty if unknown."""
    try:
        event_id = UUID(event)
    except ValueError:
        return frozenset()
    if (tournament := matches.streams.find(TOURNAMENT, event_id)) is not None:
        return tournament.state.players
    if (league := matches.streams.find(LEAGUE, event_id)) is not None:
        return league.state.players
    return frozenset()


def find_accepted_players(matches: Matches, event: str) -> frozenset[Actor]:
    """Return the players of a tournament or league who agreed to be in it, in any season; empty if unknown."""
    players = players_of(matches, event)
    if not players:
        return players
    if (tournament := matches.streams.find(TOURNAMENT, UUID(event))) is not None:
        return frozenset(filter(tournament.state.has_accepted, players))
    league = matches.streams.get(LEAGUE, UUID(event)).state
    seasons = range(1, len(league.seasons) + 1)
    return frozenset(each for each in players if any(league.has_accepted(each, number) for number in seasons))


def is_neutral(matches: Matches, event: str, caller: Caller) -> bool:
    """Return whether the caller does not play in the tournament or league."""
    return caller.person is None or caller.person.id not in players_of(matches, event)


def is_neutral_at(matches: Matches, match_id: UUID, caller: Caller) -> bool:
    """Return whether the caller has no part in the match, in any of its lines, or in its event."""
    if caller.person is not None and caller.person.id in list_past_players(matches, match_id):
        return False
    return is_neutral(matches, matches.get(match_id).table.event_id, caller)


def require_neutral(matches: Matches, event: str, caller: Caller, action: str, *, at: datetime) -> None:
    """Record and raise `ConflictOfInterest` if the caller plays in the tournament or league."""
    if not is_neutral(matches, event, caller):
        record_and_refuse(matches, event, None, caller, action, at=at)


def require_neutral_at(matches: Matches, match_id: UUID, caller: Caller, action: str, *, at: datetime) -> None:
    """Record and raise `ConflictOfInterest` if the caller plays in the match or its event."""
    if not is_neutral_at(matches, match_id, caller):
        record_and_refuse(matches, matches.get(match_id).table.event_id, match_id, caller, action, at=at)


def record_and_refuse(
    matches: Matches, event: str, match_id: UUID | None, caller: Caller, action: str, *, at: datetime
) -> None:
    """Record the attempt in the audit trail, and always raise `ConflictOfInterest`: the caller found the conflict."""
    by = acting(matches, caller, at)

    def compose(batch: Batch) -> None:
        role = official_role(roles_in(batch), by, event)
        append_to_trail(batch, ConflictMet(by=by, role=role, event=event, what=action, match=match_id))

    matches.transact(compose, at=at)
    raise ConflictOfInterest(f"{by!r} plays in this event and cannot {action}; someone else has to")
