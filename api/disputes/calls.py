"""Calls for an arbiter: permissions, commands and responses."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
from api.disputes.call_schemas import CallShown
from api.http.guards import Caller
from api.roles.commands import acting
from api.roles.conflicts import is_neutral_at, require_neutral_at
from api.roles.grants import has_role_in
from api.roles.openers import openers_of, roles_at
from domain.disputes import call_commands
from domain.disputes.calls import Call
from domain.disputes.errors import CallRefused, NotAParty
from domain.eventstore.application import Matches
from domain.matches.forks.lineage import list_past_players, official_line
from projections.matches.clocks import Clock


def call_arbiter(matches: Matches, match_id: UUID, words: str, caller: Caller, *, at: datetime) -> None:
    """Call an arbiter to the caller's table."""
    call_commands.call_arbiter(matches, match_id, by=caller.actor, words=words, at=at)


def withdraw_call(matches: Matches, match_id: UUID, caller: Caller, *, at: datetime) -> None:
    """Withdraw the caller's call."""
    call_commands.withdraw_call(matches, match_id, by=caller.actor, at=at)


def handle_call(matches: Matches, match_id: UUID, is_here: bool, caller: Caller, *, at: datetime) -> None:
    """Record that the caller, an arbiter or organiser of the event, handles the call or is at the table.

    Record and raise `ConflictOfInterest` if the caller plays in the match or its event. Raise `RoleMissing` or
    `ArbiterPlays` if they may not otherwise, `CallRefused` if no call waits.
    """
    require_neutral_at(matches, match_id, caller, "come to a table", at=at)
    openers = openers_of(matches, matches.get(match_id).table.event_id)
    call_commands.attend_call(
        matches, match_id, by=acting(matches, caller, at), is_here=is_here, at=at, openers=openers
    )


def answer_call(matches: Matches, match_id: UUID, words: str, caller: Caller, *, at: datetime) -> None:
    """Close the call with an answer by the caller, an arbiter or organiser of the event.

    Record and raise `ConflictOfInterest` if the caller plays in the match or its event. Raise `RoleMissing` or
    `ArbiterPlays` if they may not otherwise, `CallRefused` if no call waits or the answer is too long.
    """
    require_neutral_at(matches, match_id, caller, "come to a table", at=at)
    openers = openers_of(matches, matches.get(match_id).table.event_id)
    call_commands.answer_call(matches, match_id, by=acting(matches, caller, at), words=words, at=at, openers=openers)


def may_handle(matches: Matches, match_id: UUID, event: str, caller: Caller) -> bool:
    """Return whether the caller is an arbiter or organiser of the event who plays neither in it nor in the match."""
    roles = roles_at(matches, event)
    is_official = any(has_role_in(roles, caller, role, event) for role in ("arbiter", "organiser"))
    return is_official and is_neutral_at(matches, match_id, caller)


def find_call(matches: Matches, match_id: UUID, caller: Caller, accounts: AccountService) -> CallShown:
    """Return the latest call about a match for its players, past ones too, and the neutral officials of its event.

    Raise `NotAParty` for others, and `CallRefused` if no arbiter was called.
    """
    match = matches.get(match_id)
    has_seat = caller.person is not None and caller.person.id in list_past_players(matches, match_id)
    if not (has_seat or may_handle(matches, match_id, match.table.event_id, caller)):
        raise NotAParty("only the players of the match and the officials of the event can see a call")
    calls = call_commands.calls_of(matches, match_id)
    if calls is None:
        raise CallRefused("no arbiter has been called to this table")
    return encode_call(calls.newest, names_of(accounts, (calls.newest.by, calls.newest.official)))


def calls_for(
    matches: Matches, calls: Sequence[Call], caller: Caller, accounts: AccountService
) -> tuple[CallShown, ...]:
    """Return the calls that the caller may handle, in the same order, each with the official line of its match."""
    visible = [each for each in calls if may_handle(matches, each.line, each.event, caller)]
    names = names_of(accounts, [actor for each in visible for actor in (each.by, each.official)])
    return tuple(encode_call(each, names, line=official_line(matches, each.line).id) for each in visible)


def encode_call(call: Call, names: Names, *, line: UUID | None = None, left_seconds: int | None = None) -> CallShown:
    """Return a call for a response, by default with its own line."""
    return CallShown(
        line=line or call.line,
        event=call.event,
        entry=call.entry,
        seat=call.seat,
        by=call.by,
        name=names[call.by],
        words=call.words,
        at=call.at,
        status=call.status,
        changed_at=call.changed_at,
        official_name=names.get(call.official) if call.official else None,
        answer=call.answer,
        left_seconds=left_seconds,
    )


def clock_seconds_at(clocks: Sequence[Clock], line: UUID, at: datetime) -> int | None:
    """Return the seconds left on the running clock of a line, or None."""
    times_left = [clock.deadline - at for clock in clocks if clock.match_id == line and clock.deadline is not None]
    return min((int(each.total_seconds()) for each in times_left), default=None)
