"""Guards of what-ifs, which reveal information that a running match hides."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from api.disputes import commands
from api.http.guards import Caller
from api.matches.service import MATCHES, MatchService
from api.roles.commands import acting
from api.roles.conflicts import is_neutral_at
from api.roles.grants import has_role_in
from domain.disputes import hidden_access
from domain.disputes.commands import WITHOUT_DISPUTE
from domain.disputes.errors import NotAParty
from domain.disputes.state import DISPUTE
from domain.eventstore.application import Matches
from domain.matches.aggregate import ArbitrationState
from domain.matches.errors import NoSuchMatch
from domain.roles import commands as role_commands
from projections.platform.clock import now


async def guard_what_ifs(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Guard every path with a match id."""
    await require_party(connection)


async def require_party(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Raise `NotAParty` for a what-if unless the caller is a neutral arbiter of its match, or the service.

    An arbiter's first access to a what-if or to a replaced line is recorded in the audit trail. Other matches pass.
    """
    match_id = connection.path_params.get("match_id")
    if isinstance(match_id, UUID):
        tables = MATCHES.of(connection)
        docket = tables.reading.docket(match_id)
        if docket is None:
            docket = await tables.writer.read_log(docket_of, match_id)
        if docket.dispute:
            await tables.writer.read_log(require_neutral_arbiter, match_id, docket.dispute, connection.user)
        if docket.dispute or docket.superseded_by is not None:
            await record_access_once(tables, match_id, connection.user)


async def record_access_once(matches: MatchService, match_id: UUID, caller: Caller) -> None:
    """Record the access of an arbiter who learns something hidden, once per arbiter and line in this process."""
    key = ("" if caller.person is None else caller.person.id, match_id)
    if (
        caller.person is not None
        and key not in matches.reading.recorded_reads
        and await matches.writer.read_log(is_recorded_access, match_id, caller)
    ):
        await matches.writer.execute(record_access, match_id, caller, at=now())
        matches.reading.recorded_reads.add(key)


def is_recorded_access(matches: Matches, match_id: UUID, caller: Caller) -> bool:
    """Return whether reading the line is an arbiter's access to hidden information."""
    event = matches.get(match_id).table.event_id
    is_arbiter = has_role_in(role_commands.roles_of(matches), caller, "arbiter", event or None)
    return is_arbiter and hidden_access.reveals_hidden(matches, match_id, caller.actor)


def record_access(matches: Matches, match_id: UUID, caller: Caller, *, at: datetime) -> None:
    """Record an access in the audit trail."""
    hidden_access.record_hidden_access(matches, match_id, by=acting(matches, caller, at), at=at)


def docket_of(matches: Matches, match_id: UUID) -> ArbitrationState:
    """Return the rulings on a line; empty if the match is unknown."""
    try:
        return matches.lines.load(match_id).docket
    except NoSuchMatch:
        return ArbitrationState()


def require_neutral_arbiter(matches: Matches, match_id: UUID, dispute: str, caller: Caller) -> None:
    """Raise `NotAParty` unless the caller is a neutral arbiter of the what-if's match, or the service."""
    if caller.is_service:
        return
    may_act = False
    if dispute == WITHOUT_DISPUTE:
        event = matches.get(match_id).table.event_id
        is_arbiter = caller.person is not None and has_role_in(
            role_commands.roles_of(matches), caller, "arbiter", event or None
        )
        may_act = is_arbiter and is_neutral_at(matches, match_id, caller)
    elif matches.streams.find(DISPUTE, UUID(dispute)) is not None:
        may_act = commands.is_arbiter_of(matches, UUID(dispute), caller)
    if not may_act:
        raise NotAParty("only arbiters of the match can see a what-if")
