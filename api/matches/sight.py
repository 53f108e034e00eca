"""Who may look at a private table; to everybody else it is not there."""

from __future__ import annotations

from uuid import UUID

from api.http.guards import Caller
from api.roles.grants import holds_in
from api.roles.openers import is_official_of
from domain.disputes.state import DOCKET, docket_stream
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NoSuchMatch
from domain.matches.forks.lineage import have_sat, root_of, tried_out
from domain.roles.commands import roles_of


def require_sight(matches: Matches, match_id: UUID, caller: Caller) -> None:
    """`NoSuchMatch` where the match is private and the caller neither sits there nor is an official of it."""
    if not may_look(matches, matches.get(match_id), caller):
        raise NoSuchMatch(f"there is no match {match_id}")


def may_look(matches: Matches, match: Match, caller: Caller) -> bool:
    """Everybody at a public table; at a private one who sits or has sat there, who opened it, and its officials.

    What-ifs, which are never public, have a rule of their own.
    """
    if match.table.public or match.docket.dispute or caller.is_operator:
        return True
    if caller.person is None:
        return False
    person = caller.person.id
    is_own = person == match.opened_by or seat_of(match, person) is not None or person in have_sat(matches, match.id)
    return is_own or is_official(matches, match, caller)


def is_official(matches: Matches, match: Match, caller: Caller) -> bool:
    """Organisers and arbiters of its tournament or league; without one, arbiters of the service once there is a
    dispute about it."""
    if match.table.event_id:
        return is_official_of(matches, match.table.event_id, caller)
    disputed = matches.streams.find(DOCKET, docket_stream(root_of(matches, tried_out(matches, match))))
    return disputed is not None and holds_in(roles_of(matches), caller, "arbiter")
