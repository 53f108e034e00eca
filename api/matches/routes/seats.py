"""Routes of seats: take, leave, get ready, hand over, resign, take back, pause, resume."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, delete, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.guards import BY_PLAYERS, CHANGES_BY, Caller, requires_caller, requires_person
from api.matches.callers import Held, with_device_token
from api.matches.routes.matches import CHANGE_PROBLEMS, answer
from api.matches.routes.signed import SignedHeader, read_signed
from api.matches.schemas import AnnounceAbsence, BeReady, CommitShare, MatchShown, ReplaceSeat, TakeBack, TakeSeat
from api.matches.service import MatchService

PAUSES: Final = {CHANGES_BY: ("play", "arbitrate")}


@declare_access("signed in", "bots: the creator of the table")
@post("/matches/{match_id:uuid}/seats", guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def take_seat(
    match_id: FromPath[UUID],
    data: JSONBody[TakeSeat],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Take a seat, or seat a bot at a table of the caller."""
    if data.bot is not None:
        match = await matches.seating.seat_bot(match_id, caller, data.seat, matches.reading.bot_named(data.bot))
    else:
        match = await matches.seating.take_seat(
            match_id, caller.actor, data.seat, data.share_commitment, own_luck=data.own_luck
        )
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("seat", "or the creator of the table, before the start")
@delete(
    "/matches/{match_id:uuid}/seats/{seat:int}", guards=[requires_caller], status_code=200, responses=CHANGE_PROBLEMS
)
async def leave_seat(
    match_id: FromPath[UUID],
    seat: FromPath[int],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Leave a seat before the start, or remove a player from a table that the caller opened."""
    match = await matches.seating.leave_seat(match_id, caller, seat)
    return answer(await matches.reading.encode(match, caller))


@declare_access("own", "the creator of the table, while it waits for players")
@delete("/matches/{match_id:uuid}", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def close_table(
    match_id: FromPath[UUID], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> Response[MatchShown]:
    """Close a table of the caller that still waits for players."""
    match = await matches.seating.close_table(match_id, caller)
    return answer(await matches.reading.encode(match, caller))


@declare_access("seat", "or, at an empty seat of a fork, every reader of it")
@post("/matches/{match_id:uuid}/seats/{seat:int}/player", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def replace_seat(
    match_id: FromPath[UUID],
    seat: FromPath[int],
    data: JSONBody[ReplaceSeat],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    held: Held = None,
) -> Response[MatchShown]:
    """Hand the caller's seat over to a bot, or take an empty seat of a fork."""
    caller = with_device_token(caller, held)
    actor = caller.actor if data.bot is None else matches.reading.bot_named(data.bot)
    match = await matches.seating.replace_seat(match_id, caller, seat, actor, data.signed)
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("seat")
@post("/matches/{match_id:uuid}/share", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def commit_share(
    match_id: FromPath[UUID],
    data: JSONBody[CommitShare],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Commit to a share of luck, or leave it to the service; may be repeated until the table is closed."""
    match = await matches.seating.commit_share(match_id, caller, data.share_commitment)
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("seat")
@post("/matches/{match_id:uuid}/ready", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def be_ready(
    match_id: FromPath[UUID],
    data: JSONBody[BeReady],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Mark the caller's seat as ready; when all seats are ready, the match starts.

    A seat that has committed to a share of luck opens it here, after the table was closed (entry `table_closed`).
    """
    match = await matches.seating.be_ready(match_id, caller, data.share, data.salt, data.signed)
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("seat")
@post("/matches/{match_id:uuid}/resignation", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def resign(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    signed: SignedHeader = None,
    held: Held = None,
) -> Response[MatchShown]:
    """Resign the caller's seat, which is placed last."""
    caller = with_device_token(caller, held)
    return answer(
        await matches.reading.encode(await matches.play.resign(match_id, caller, read_signed(signed)), caller), 201
    )


@declare_access("seat")
@post("/matches/{match_id:uuid}/take-backs", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def take_back(
    match_id: FromPath[UUID],
    data: JSONBody[TakeBack],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    held: Held = None,
) -> Response[MatchShown]:
    """Take back actions to an earlier version in the caller's turn."""
    caller = with_device_token(caller, held)
    match = await matches.play.take_back(match_id, caller, data.to_version, data.signed)
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("seat")
@post("/matches/{match_id:uuid}/absence", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def announce_absence(
    match_id: FromPath[UUID],
    data: JSONBody[AnnounceAbsence],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[MatchShown]:
    """Announce days of absence from a correspondence match, during which the caller's clock does not run."""
    return answer(
        await matches.reading.encode(await matches.play.announce_absence(match_id, caller, data), caller), 201
    )


@declare_access("seat")
@delete("/matches/{match_id:uuid}/absence", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def end_absence(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    signed: SignedHeader = None,
) -> Response[MatchShown]:
    """End the caller's absence early, or cancel it before it begins."""
    return answer(
        await matches.reading.encode(await matches.play.end_absence(match_id, caller, read_signed(signed)), caller)
    )


@declare_access("seat", "or arbiters")
@post("/matches/{match_id:uuid}/pause", opt=PAUSES, guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def pause(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    signed: SignedHeader = None,
) -> Response[MatchShown]:
    """Ask for a pause, which starts when every person at the table has asked; the service pauses at once."""
    return answer(
        await matches.reading.encode(await matches.play.pause(match_id, caller, read_signed(signed)), caller), 201
    )


@declare_access("seat", "or arbiters")
@delete(
    "/matches/{match_id:uuid}/pause", opt=PAUSES, guards=[requires_caller], status_code=200, responses=CHANGE_PROBLEMS
)
async def resume(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    signed: SignedHeader = None,
) -> Response[MatchShown]:
    """Resume a paused match; while it is running, withdraw the caller's request for a pause."""
    return answer(
        await matches.reading.encode(await matches.play.resume(match_id, caller, read_signed(signed)), caller)
    )


ROUTER = Router(
    "/",
    route_handlers=[
        take_seat,
        leave_seat,
        close_table,
        replace_seat,
        commit_share,
        be_ready,
        resign,
        take_back,
        announce_absence,
        end_absence,
        pause,
        resume,
    ],
    opt=BY_PLAYERS,
    tags=["seats"],
)
