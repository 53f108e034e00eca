"""Routes for tournaments: open, list, enter, read; standings, crosstable, import and export."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from litestar import Request, Response, Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter, RawBody

from api.accounts.service import AccountService
from api.contests.entrants import EntrantReader
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ENTRANTS, BY_ORGANISERS, Caller, requires_caller
from api.http.ids import IdempotencyKey, Ids
from api.http.limits import CREATES, TEXT_BYTES_MAX
from api.http.openapi import CSV, JSON, with_file
from api.http.paging import Before, Limit
from api.http.structs import ImportShown
from api.matches.bots import bot_actor
from api.matches.service import MatchService
from api.tournaments import files
from api.tournaments.codes import SEAT_CODES
from api.tournaments.photos import PHOTOS
from api.tournaments.responses import show_crosstable, show_standings
from api.tournaments.schemas import (
    Announce,
    AnswerInvitation,
    ChangePlan,
    Enter,
    GivePenalty,
    Invite,
    OpenTournament,
    RecordShown,
    SetPairs,
    TournamentShown,
    TournamentsShown,
)
from api.tournaments.service import TournamentService
from api.tournaments.standing_schemas import CrosstableShown, StandingsShown
from domain.tournaments import registration
from domain.tournaments.commands import TournamentStream
from domain.tournaments.imports import digest_of
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings

FILE_BYTES_MAX: Final = 2 * 1024 * 1024
CHANGES: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
LOOKS: Final = problems(400, 401, 404)
PLAIN: Final = "text/plain"
PDF: Final = "application/pdf"
KINDS: Final = {"csv": CSV, "json": JSON, "trf": PLAIN, "pdf": PDF}

Why = Annotated[str, QueryParameter(max_length=1_000, description="reason, required for other people's entries")]
Status = Literal["registering", "running", "ended"]


def provide_tournaments(
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    caller: NamedDependency[Caller],
    entrants: NamedDependency[EntrantReader],
    request: Request[Caller, Any, Any],
) -> TournamentService:
    """Provide the tournament service for the caller."""
    return TournamentService(matches, accounts, caller, SEAT_CODES.of(request), PHOTOS.of(request), entrants)


async def tournament_response(
    tournaments: TournamentService, event: TournamentStream, status: int = 200
) -> Response[TournamentShown]:
    """Return a tournament as the caller may see it, with its version as ETag."""
    tournament = await tournaments.reading.show(event)
    return Response(tournament, status_code=status, headers={"ETag": f'"{event.version}"'})


@get("/tournaments", responses=problems(400, 401))
async def list_tournaments(
    tournaments: NamedDependency[TournamentService],
    status: FromQuery[Status | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
) -> TournamentsShown:
    """List a page of tournaments of one status or of all, latest first."""
    found = await tournaments.reading.list(status, limit, before)
    return TournamentsShown(found.items, next=found.next)


@declare_access("signed in", "rated: organisers of the service")
@post(
    "/tournaments",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
    opt=CREATES,
)
async def open_tournament(
    data: JSONBody[OpenTournament],
    caller: NamedDependency[Caller],
    tournaments: NamedDependency[TournamentService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[TournamentShown]:
    """Open a tournament organised by the caller; the same Idempotency-Key returns the same tournament."""
    event = await tournaments.plans.open(ids.id_for(caller, "tournament", idempotency_key), data.plan, data.official)
    return await tournament_response(tournaments, event, 201)


@declare_access("anybody", "a round that is not published: its organisers")
@get("/tournaments/{event_id:uuid}", responses=LOOKS)
async def get_tournament(
    event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Return the tournament as the caller may see it: entries, rounds, tables, results and reasons of tables."""
    return await tournament_response(tournaments, await tournaments.reading.get(event_id))


@declare_access("official", "its organisers")
@put(
    "/tournaments/{event_id:uuid}/plan",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def change_plan(
    event_id: FromPath[UUID], data: JSONBody[ChangePlan], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Change the plan, as an organiser; title, options and table size only before the first round."""
    return await tournament_response(tournaments, await tournaments.plans.change_plan(event_id, data.plan, data.reason))


@declare_access("signed in", "the caller; others are invited by the organisers")
@post("/tournaments/{event_id:uuid}/entries", opt=BY_ENTRANTS, guards=[requires_caller], responses=CHANGES)
async def enter_tournament(
    event_id: FromPath[UUID],
    data: JSONBody[Enter],
    tournaments: NamedDependency[TournamentService],
    settings: NamedDependency[Settings],
) -> Response[TournamentShown]:
    """Enter the caller; as an organiser, invite people, or enter bots and players at face-to-face tables."""
    bot = bot_actor(settings.bots, data.bot) if data.bot else ""
    return await tournament_response(tournaments, await tournaments.registration.enter(event_id, data, bot), 201)


@declare_access("own", "the caller; others: the organisers")
@post(
    "/tournaments/{event_id:uuid}/entries/{entry:str}/withdrawal",
    opt=BY_ENTRANTS,
    guards=[requires_caller],
    responses=CHANGES,
)
async def withdraw(
    event_id: FromPath[UUID], entry: FromPath[str], tournaments: NamedDependency[TournamentService], reason: Why = ""
) -> Response[TournamentShown]:
    """Withdraw an entry, as its player or an organiser; the first waiting entry gets the place."""
    return await tournament_response(tournaments, await tournaments.registration.withdraw(event_id, entry, reason), 201)


@declare_access("own", "the caller; others: the organisers")
@post(
    "/tournaments/{event_id:uuid}/entries/{entry:str}/return",
    opt=BY_ENTRANTS,
    guards=[requires_caller],
    responses=CHANGES,
)
async def come_back(
    event_id: FromPath[UUID], entry: FromPath[str], tournaments: NamedDependency[TournamentService], reason: Why = ""
) -> Response[TournamentShown]:
    """Let a withdrawn entry return, as its player or an organiser; rejected if the event is full.

    An account that withdrew itself is invited to return if an organiser asks.
    """
    return await tournament_response(
        tournaments, await tournaments.registration.return_entry(event_id, entry, reason), 201
    )


@declare_access("signed in", "the invited person")
@post(
    "/tournaments/{event_id:uuid}/invitation",
    opt=BY_ENTRANTS,
    guards=[requires_caller],
    responses=CHANGES,
    status_code=200,
)
async def answer_invitation(
    event_id: FromPath[UUID], data: JSONBody[AnswerInvitation], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Accept or decline an open invitation of the caller."""
    return await tournament_response(tournaments, await tournaments.registration.answer_invitation(event_id, data))


@declare_access("official", "its organisers")
@delete(
    "/tournaments/{event_id:uuid}/invitations/{person:str}",
    guards=[requires_caller],
    responses=CHANGES,
    status_code=200,
)
async def take_back_invitations(
    event_id: FromPath[UUID], person: FromPath[str], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Withdraw the open invitations of a person, as an organiser."""
    return await tournament_response(
        tournaments, await tournaments.registration.take_back_invitations(event_id, person)
    )


@declare_access("official", "its organisers")
@post("/tournaments/{event_id:uuid}/invitations", guards=[requires_caller], responses=CHANGES)
async def invite(
    event_id: FromPath[UUID], data: JSONBody[Invite], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Invite a person to enter, as an organiser."""
    return await tournament_response(tournaments, await tournaments.registration.invite(event_id, data.person), 201)


@declare_access("official", "its organisers")
@put(
    "/tournaments/{event_id:uuid}/pairs",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def set_pairs(
    event_id: FromPath[UUID], data: JSONBody[SetPairs], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Set the pairs to keep apart or together, as an organiser; needs a reason once a round is public."""
    event = await tournaments.changes.organise(
        event_id, lambda state, by: registration.set_pairs(state, data.forbidden, data.wished, by, data.reason)
    )
    return await tournament_response(tournaments, event)


@declare_access("official", "its organisers")
@post("/tournaments/{event_id:uuid}/penalties", guards=[requires_caller], responses=CHANGES)
async def give_penalty(
    event_id: FromPath[UUID], data: JSONBody[GivePenalty], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Deduct points from an entry in the standings, as an organiser who does not play in the event."""
    event = await tournaments.changes.judge(
        event_id,
        "give a penalty",
        lambda state, by: registration.penalise(state, data.entry, data.sixtieths, data.reason, by),
    )
    return await tournament_response(tournaments, event, 201)


@declare_access("official", "its organisers")
@post(
    "/tournaments/{event_id:uuid}/announcements",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def announce(
    event_id: FromPath[UUID], data: JSONBody[Announce], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Announce a text, at once or at a given time, as an organiser."""
    event = await tournaments.plans.announce(event_id, data.text, data.since)
    return await tournament_response(tournaments, event, 201)


@get("/tournaments/{event_id:uuid}/record", responses=LOOKS)
async def get_record(
    event_id: FromPath[UUID],
    tournaments: NamedDependency[TournamentService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> RecordShown:
    """Return a page of the acts of the organisers with their reasons, latest first."""
    found = await tournaments.reading.record(event_id, limit, before)
    return RecordShown(tuple(found.items), next=found.next)


@get("/tournaments/{event_id:uuid}/standings", responses=LOOKS)
async def get_standings(
    event_id: FromPath[UUID],
    tournaments: NamedDependency[TournamentService],
) -> StandingsShown:
    """Return the current standings."""
    return await tournaments.reading.render(await tournaments.reading.get(event_id), show_standings)


@get("/tournaments/{event_id:uuid}/crosstable", responses=LOOKS)
async def get_crosstable(
    event_id: FromPath[UUID],
    tournaments: NamedDependency[TournamentService],
) -> CrosstableShown:
    """Return the crosstable: every entry's rounds, in the order of the standings."""
    return await tournaments.reading.render(await tournaments.reading.get(event_id), show_crosstable)


@get(
    "/tournaments/{event_id:uuid}/files/{what:str}",
    responses=LOOKS,
    operation_class=with_file(gives=(CSV, JSON, PLAIN, PDF)),
)
async def export_file(
    event_id: FromPath[UUID],
    what: FromPath[str],
    tournaments: NamedDependency[TournamentService],
) -> Response[bytes]:
    """Export a file of the event; 404 for any other than these.

    `players`, `results`, `standings`, `crosstable` or `prizes` as `.csv` or `.json`; `standings`, `crosstable` and
    `certificates` (after the end) as `.pdf`; `event.json` for bracket services; `event.trf` for pairing programs, if
    all tables are of two.
    """
    name, kind = files.parse_name(what)
    event = await tournaments.reading.get(event_id)
    content = await tournaments.reading.render(event, partial(files.render_file, name, kind))
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(content, media_type=KINDS[kind], headers=headers)


@declare_access("official", "its organisers")
@post(
    "/tournaments/{event_id:uuid}/files/{what:str}",
    guards=[requires_caller],
    operation_class=with_file(takes=(CSV, JSON)),
    responses=CHANGES | {200: ResponseSpec(ImportShown, description="The same file was already imported")},
    request_max_body_size=FILE_BYTES_MAX,
)
async def import_file(
    event_id: FromPath[UUID],
    what: FromPath[str],
    body: RawBody,
    tournaments: NamedDependency[TournamentService],
    sure: FromQuery[bool] = False,
) -> Response[ImportShown]:
    """Import `players`, or `results` of face-to-face tables, as CSV or JSON, as an organiser.

    The same file again changes nothing (200 instead of 201). `sure`: accept places that contradict their points.
    """
    event = await tournaments.reading.require_organiser(event_id)
    repeated = await asyncio.to_thread(digest_of, body) in event.state.imports
    count = await files.import_file(tournaments, event, what, body, sure=sure)
    return Response(ImportShown(count, repeated), status_code=200 if repeated else 201)


ROUTER = Router(
    "/",
    route_handlers=[
        list_tournaments,
        open_tournament,
        get_tournament,
        change_plan,
        enter_tournament,
        withdraw,
        come_back,
        invite,
        answer_invitation,
        take_back_invitations,
        set_pairs,
        give_penalty,
        announce,
        get_record,
        get_standings,
        get_crosstable,
        export_file,
        import_file,
    ],
    opt=BY_ORGANISERS,
    tags=["tournaments"],
)
