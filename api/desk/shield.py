"""Lines that are not for everybody: the what-ifs of arbiters play with what a running match still hides."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from api.desk import disputing
from api.guards import Caller
from api.roles import held
from api.tables import Tables
from domain.desk import office
from domain.desk.arbitration import DESK
from domain.desk.disputes import DISPUTE
from domain.desk.errors import NotAParty
from domain.desk.lineage import have_sat
from domain.match.application import Matches
from domain.match.errors import NoSuchMatch


async def shields_what_ifs(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Every address with a match in it: a what-if is shown to the arbiters of its dispute alone."""
    match_id = connection.path_params.get("match_id")
    if isinstance(match_id, UUID):
        tables: Tables = connection.app.state.tables
        dispute = tables.is_what_if_of(match_id)
        if dispute is None:
            dispute = await tables.look(what_if_of, match_id)
        if dispute:
            await tables.look(check, match_id, dispute, connection.user)


def what_if_of(matches: Matches, match_id: UUID) -> str:
    """The dispute a line is a what-if of; empty for every other line, and where there is none."""
    try:
        return matches.lines.known(match_id).docket.dispute
    except NoSuchMatch:
        return ""


def check(matches: Matches, match_id: UUID, dispute: str, caller: Caller) -> None:
    """Refused to whoever is no arbiter of the line's origin, or plays there."""
    if caller.is_service:
        return
    may = False
    if dispute == DESK:
        event = matches.get(match_id).table.event_id
        is_arbiter = caller.person is not None and held(office.roles_of(matches), caller, "arbiter", event or None)
        may = is_arbiter and caller.actor not in have_sat(matches, match_id)
    elif matches.streams.find(DISPUTE, UUID(dispute)) is not None:
        may = disputing.is_arbiter_of(matches, UUID(dispute), caller)
    if not may:
        raise NotAParty("a what-if is for the arbiters of its match")
