"""Access to private tables, which are reported as missing to anyone else."""

from __future__ import annotations

from uuid import UUID

from api.http.guards import Caller
from api.roles.grants import has_role_in
from api.roles.openers import is_official_of
from domain.disputes.state import DOCKET, docket_stream
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NoSuchMatch
from domain.matches.forks.lineage import list_past_players, resolve_what_if, root_of
from domain.roles.commands import roles_of


def require_access(matches: Matches, match_id: UUID, caller: Caller) -> None:
    """Raise `NoSuchMatch` if the match is unknown, or the caller may not see it (`has_access`)."""
    if not has_access(matches, matches.get(match_id), caller):
        raise NoSuchMatch(f"no match {match_id}")


def has_access(matches: Matches, match: Match, caller: Caller) -> bool:
    """Return whether the caller may see the match.

    A private match is visible to its opener, to people who sit or have sat there, to its officials and to operators.
    True for every what-if, which a separate rule protects. Invitations are checked elsewhere.
    """
    if match.table.public or match.docket.dispute or caller.is_operator:
        return True
    if caller.person is None:
        return False
    person = caller.person.id
    is_own = (
        person == match.opened_by
        or seat_of(match, person) is not None
        or person in list_past_players(matches, match.id)
    )
    return is_own or is_official(matches, match, caller)


def is_official(matches: Matches, match: Match, caller: Caller) -> bool:
    """Return whether the caller is an organiser or arbiter of the match's event.

    Without an event: an arbiter of the service, but only if there has been a dispute about the match.
    """
    if match.table.event_id:
        return is_official_of(matches, match.table.event_id, caller)
    disputed = matches.streams.find(DOCKET, docket_stream(root_of(matches, resolve_what_if(matches, match))))
    return disputed is not None and has_role_in(roles_of(matches), caller, "arbiter")
