"""Calls for an arbiter and disputes, as players see them at their table."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.disputes.call_schemas import CallShown
from api.disputes.calls import encode_call
from api.http.writer import OneWriter
from domain.disputes.calls import CALLS, calls_stream
from domain.disputes.state import DISPUTE, DOCKET, Dispute, docket_stream
from domain.disputes.timing import appealable_until, due_at
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.forks.lineage import root_of


class TableDispute(msgspec.Struct, frozen=True):
    """The state of a dispute: arbiter, due time of the ruling, time of the ruling, and end of the appeal period."""

    id: UUID
    status: str
    arbiter_name: str | None
    is_heard: bool
    raised_at: datetime
    due_at: datetime | None
    decided_at: datetime | None
    appealable_until: datetime | None


class TableDisputes(msgspec.Struct, frozen=True):
    """The call and the disputes of a table. `streams`: streams that change with them."""

    call: CallShown | None
    may_call: bool
    disputes: tuple[TableDispute, ...]
    streams: tuple[UUID, ...]


async def read_table_disputes(writer: OneWriter, match: Match, accounts: AccountService) -> TableDisputes:
    """Return the call for an arbiter and the disputes, for the players of a table."""
    return await writer.read_log(table_disputes_of, match, accounts)


def table_disputes_of(matches: Matches, match: Match, accounts: AccountService) -> TableDisputes:
    """Return the latest call of a match, unless withdrawn, and its disputes: waiting ones, then ruled ones.

    Only matches of events have calls, and only while they run and no call waits may an arbiter be called.
    """
    root = root_of(matches, match)
    docket = matches.streams.find(DOCKET, docket_stream(root))
    waiting = () if docket is None else tuple(each.dispute for each in docket.state.waiting)
    ruled = tuple(UUID(each.dispute) for each in match.docket.rulings if each.dispute)
    ids = tuple(dict.fromkeys((*waiting, *ruled)))
    disputes = [(each, matches.streams.get(DISPUTE, each).state) for each in ids]
    calls = matches.streams.find(CALLS, calls_stream(root)) if match.table.event_id else None
    call = None if calls is None or calls.state.newest.status == "withdrawn" else calls.state.newest
    people = [call.by, call.official] if call is not None else []
    names = names_of(accounts, [*people, *(dispute.deciding_arbiter for _, dispute in disputes)])
    encoded = [
        encode_table_dispute(each, dispute, match, names.get(dispute.deciding_arbiter or ""))
        for each, dispute in disputes
    ]
    is_over = match.is_over or match.status == "superseded"
    return TableDisputes(
        call=None if call is None else encode_call(call, names),
        may_call=bool(match.table.event_id) and not is_over and (call is None or not call.is_waiting),
        disputes=tuple(encoded),
        streams=(docket_stream(root), *([calls_stream(root)] if match.table.event_id else []), *ids),
    )


def encode_table_dispute(dispute_id: UUID, dispute: Dispute, match: Match, arbiter: str | None) -> TableDispute:
    """Return the state of a dispute; while a committee hears it, no arbiter is named."""
    is_heard = dispute.is_waiting and dispute.hearing is not None
    return TableDispute(
        id=dispute_id,
        status=dispute.status,
        arbiter_name=None if is_heard else arbiter,
        is_heard=is_heard,
        raised_at=dispute.raised_at,
        due_at=due_at(dispute, match) if dispute.is_waiting else None,
        decided_at=dispute.rulings[-1].at if dispute.rulings else None,
        appealable_until=appealable_until(dispute, match),
    )
