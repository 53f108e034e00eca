"""Forks of matches by people and by arbiters; the service runs these functions on the writer's thread."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from api.http.guards import Caller
from api.matches.admission import BotTables, admit_bots
from api.matches.callers import own_seat
from api.matches.schemas import ForkMatch
from api.roles.conflicts import require_neutral
from domain.disputes import commands
from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import ForkRefused, SignatureMissing
from domain.matches.facts import Actor, is_bot
from domain.matches.forks.forking import default_seats
from domain.matches.seats.attendance import are_bots
from domain.roles import commands as role_commands
from domain.roles.state import Role


def fork(
    matches: Matches,
    parent_id: UUID,
    request: ForkMatch,
    new_id: UUID,
    caller: Caller,
    bot_tables: BotTables | None = None,
    *,
    at: datetime,
    seats: tuple[Actor | None, ...] | None = None,
) -> Match:
    """Open a new match from an entry of another match; the same request again returns the existing fork.

    The parent must have ended with all secrets open, except for a player who tries again with hints (whose seat there
    passes to a bot) and for arbiters: bots would play cards that the caller must not know. Raises `ForkRefused` if it
    is running, or private and not the caller's, and as `admit_bots` and `fork_match`.
    """
    parent = matches.get(parent_id)
    has_secrets = matches.lines.last_closed_version(parent_id) != 0
    if has_secrets and not may_try_again(parent, caller, request, seats):
        return fork_for_arbiters(matches, parent_id, request, new_id, caller, seats, at=at)
    has_played = caller.person is not None and caller.person.id in parent.docket.sat
    if not (parent.table.public or has_played or caller.is_operator or caller.actor == parent.opened_by):
        raise ForkRefused(f"match {parent_id} is private; only its players can fork it")
    players = default_seats(matches.at(parent_id, request.at), caller.actor) if seats is None else seats
    if any(map(is_bot, filter(None, players))):
        admit_bots(matches, bot_tables, new_id, only_bots=are_bots(players))
    new_match = fork_match(
        matches,
        parent_id,
        at_version=request.at,
        new_id=new_id,
        luck=request.luck,
        by=caller.actor,
        at=at,
        seats=seats,
        awaits_own_luck=request.own_luck,
    )
    if parent.status == "running":
        leave_to_bots(matches, parent, caller, at=at)
    return new_match


def leave_to_bots(matches: Matches, match: Match, caller: Caller, *, at: datetime) -> None:
    """Hand over the caller's seat to a bot of the match when they try again from a table with hints.

    The match can then end, and its secrets be opened. A seat that signs its actions can only be handed over with a
    signature, so it stays unchanged.
    """
    bot = next(info.actor for info in match.seats if info.actor is not None and info.is_bot)
    with suppress(SignatureMissing):
        matches.replace_seat(match.id, own_seat(match, caller), caller.actor, actor=bot, at=at)


def may_try_again(parent: Match, caller: Caller, request: ForkMatch, seats: tuple[Actor | None, ...] | None) -> bool:
    """Return whether the caller may try again from a running match: with hints, from a seat there, with fresh luck.

    They keep their own seat and the same bots (`seats` is None), so that revealed cards harm no other person.
    """
    has_seat = caller.person is not None and seat_of(parent, caller.person.id) is not None
    return parent.table.has_hints and has_seat and seats is None and request.luck == "fresh"


def fork_for_arbiters(
    matches: Matches,
    parent_id: UUID,
    request: ForkMatch,
    new_id: UUID,
    caller: Caller,
    seats: tuple[Actor | None, ...] | None,
    *,
    at: datetime,
) -> Match:
    """Fork a running match, or a match that shares entries with it, and record it in the audit trail.

    Raises `ForkRefused` unless the caller is an operator or arbiter and asks for fresh luck, `ConflictOfInterest` if
    they play in its event, `ArbiterPlays` if they have sat there.
    """
    refusal = ForkRefused(
        f"match {parent_id} is still running, or shares entries with a running match; fork it when it has ended"
    )
    event = matches.get(parent_id).table.event_id
    role: Role | None = "operator" if caller.is_operator else None
    if role is None and caller.may("arbitrate"):
        role = role_commands.acting_role(role_commands.roles_of(matches), caller.actor, event, *role_commands.ARBITERS)
    if role is None or request.luck == "same":
        raise refusal
    require_neutral(matches, event, caller, "fork a running match", at=at)
    return commands.fork_running(
        matches, parent_id, new_line=new_id, entry=request.at, by=caller.actor, role=role, seats=seats, at=at
    )
