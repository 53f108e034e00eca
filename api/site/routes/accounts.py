"""API routes about a whole account: erase, export, convert to a bot."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, Router, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.accounts.service import AccountService
from api.clubs.store import CLUB_TEXTS
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ADMIN, Caller, requires_person, requires_service
from api.http.openapi import with_file
from api.http.page_responses import PageRequest
from api.matches.service import MatchService
from api.site.account_departure import leave_and_erase, leave_and_mark_bot
from api.site.data_export import ZIP, Everything, PersonalData, pack_zip, provide_personal_data

PERSONAL_DATA: Final = {"personal_data": Provide(provide_personal_data, sync_to_thread=False)}


@declare_access("signed in", "the caller")
@delete("/me", guards=[requires_person], responses=problems(401, 429))
async def erase(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
) -> None:
    """Erase the caller permanently: name, password, sessions and tokens, after leaving all seats and clubs.

    Seats in running matches are resigned first. Logs keep an id without a person.
    """
    assert caller.person
    await leave_and_erase(caller.person, accounts, matches, CLUB_TEXTS.of(request))


@declare_access("service", "the console")
@delete("/accounts/{person_id:str}", guards=[requires_service], responses=problems(401, 403, 404, 429))
async def erase_account(
    request: PageRequest,
    person_id: FromPath[str],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
) -> None:
    """Erase an account named by the console, by id or name, after leaving its seats and clubs.

    Raise `NoSuchPerson` if it is unknown.
    """
    await leave_and_erase(accounts.get_by_id_or_name(person_id), accounts, matches, CLUB_TEXTS.of(request))


@declare_access("signed in", "the caller")
@get("/me/data", guards=[requires_person], dependencies=PERSONAL_DATA, responses=problems(401))
async def take_along(personal_data: NamedDependency[PersonalData]) -> Everything:
    """Return all data about the caller outside the logs, without secrets and passwords."""
    return await personal_data.collect()


@declare_access("signed in", "the caller")
@get(
    "/me/data.zip",
    guards=[requires_person],
    dependencies=PERSONAL_DATA,
    responses=problems(401),
    operation_class=with_file(gives=(ZIP,)),
    media_type=ZIP,
)
async def take_along_packed(personal_data: NamedDependency[PersonalData]) -> Response[bytes]:
    """Return all data of the caller as a ZIP: JSON, photos, and CSV files of matches, ratings and messages."""
    data = await personal_data.collect()
    headers = {"Content-Disposition": 'attachment; filename="esporles-account.zip"'}
    content = await asyncio.to_thread(pack_zip, data, personal_data.photos)
    return Response(content, media_type=ZIP, headers=headers)


@declare_access("signed in", "an account without rated matches")
@post("/me/bot", status_code=204, guards=[requires_person], responses=problems(401, 409, 429))
async def mark_bot(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
) -> None:
    """Turn the caller's account into a bot account, permanently.

    It is listed as a bot and may take seats at tables that allow bots. `BotRefused` after a rated match, and while it
    has a seat at a table or an entry in an event without bots. It leaves all clubs, and its registered keys are
    revoked; a bot that signs registers its own.
    """
    assert caller.person
    await leave_and_mark_bot(caller.person, accounts, matches, CLUB_TEXTS.of(request))


ROUTER = Router(
    "/",
    route_handlers=[erase, mark_bot, erase_account, take_along, take_along_packed],
    opt=BY_ADMIN,
    tags=["accounts"],
)
