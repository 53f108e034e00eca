"""Calls for an arbiter and disputes, as players see them at their table."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from api.accounts.naming import names_of
from api.accounts.service import AccountService
from api.disputes.calls import call_shown
from api.disputes.wire_of_calls import CallShown
from api.http.writer import OneWriter
from domain.disputes.calls import CALLS, calls_stream
from domain.disputes.state import DISPUTE, DOCKET, Dispute, docket_stream
from domain.disputes.timing import appealable_until, due_at
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.forks.lineage import root_of


class DisputeAtTable(msgspec.Struct, frozen=True):
    """The state of a dispute: arbiter, due time of the ruling, time of the ruling, and end of the appeal period."""

    id: UUID
    status: str
    arbiter_name: str | None
    is_heard: bool
    raised_at: datetime
    due_at: datetime | None
    decided_at: datetime | None
    appealable_until: datetime | None


class AtTable(msgspec.Struct, frozen=True):
    """The call and the disputes of a table. `streams`: streams that change with them."""

    call: CallShown | None
    may_call: bool
    disputes: tuple[DisputeAtTable, ...]
    streams: tuple[UUID, ...]


async def read_at_table(writer: OneWriter, match: Match, accounts: AccountService) -> AtTable:
    """Return the call for an arbiter and the disputes, for the players of a table."""
    return await writer.read_log(at_table, match, accounts)


def at_table(matches: Matches, match: Match, accounts: AccountService) -> AtTable:
    """Return the call and the disputes of a match."""
    root = root_of(matches, match)
    docket = matches.streams.find(DOCKET, docket_stream(root))
    waiting = () if docket is None else tuple(each.dispute for each in docket.state.waiting)
    ruled = tuple(UUID(each.dispute) for each in match.docket.rulings if each.dispute)
    ids = tuple(dict.fromkeys((*waiting, *ruled)))
    disputes = [(each, matches.streams.get(DISPUTE, each).state) for each in ids]
    calls = matches.streams.find(CALLS, calls_stream(root)) if match.table.event_id else None
    call = None if calls is None or calls.state.newest.status == "withdrawn" else calls.state.newest
    people = [call.by, call.official] if call is not None else []
    names = names_of(accounts, [*people, *(dispute.decided_by for _, dispute in disputes)])
    stand = [dispute_at(each, dispute, match, names.get(dispute.decided_by or "")) for each, dispute in disputes]
    over = match.is_over or match.status == "superseded"
    return AtTable(
        call=None if call is None else call_shown(call, names),
        may_call=bool(match.table.event_id) and not over and (call is None or not call.is_waiting),
        disputes=tuple(stand),
        streams=(docket_stream(root), *([calls_stream(root)] if match.table.event_id else []), *ids),
    )


def dispute_at(dispute_id: UUID, dispute: Dispute, match: Match, arbiter: str | None) -> DisputeAtTable:
    """Return the state of a dispute."""
    is_heard = dispute.is_waiting and dispute.hearing is not None
    return DisputeAtTable(
        id=dispute_id,
        status=dispute.status,
        arbiter_name=None if is_heard else arbiter,
        is_heard=is_heard,
        raised_at=dispute.raised_at,
        due_at=due_at(dispute, match) if dispute.is_waiting else None,
        decided_at=dispute.rulings[-1].at if dispute.rulings else None,
        appealable_until=appealable_until(dispute, match),
    )
