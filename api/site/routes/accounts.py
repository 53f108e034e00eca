"""API routes about a whole account: erase, export, convert to a bot."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, Router, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.accounts.service import AccountService
from api.http.documented import with_file
from api.http.errors import problems
from api.http.guards import BY_ADMIN, Caller, requires_person, requires_service
from api.http.who_may import allowed_to
from api.matches.service import MatchService
from api.site.departing import forget, give_to_program
from api.site.everything import ZIP, Belongings, Everything, packed, provide_belongings

BELONGINGS: Final = {"belongings": Provide(provide_belongings, sync_to_thread=False)}


@allowed_to("signed in", "the caller")
@delete("/me", guards=[requires_person], responses=problems(401, 429))
async def erase(
    caller: NamedDependency[Caller], accounts: NamedDependency[AccountService], matches: NamedDependency[MatchService]
) -> None:
    """Erase the caller: name, password, sessions and tokens.

    Seats in running matches are resigned first. Logs keep an id without a person.
    """
    assert caller.person
    await forget(caller.person, accounts, matches)


@allowed_to("service", "the console")
@delete("/accounts/{person_id:str}", guards=[requires_service], responses=problems(401, 403, 404, 429))
async def erase_account(
    person_id: FromPath[str], accounts: NamedDependency[AccountService], matches: NamedDependency[MatchService]
) -> None:
    """Erase an account named by the console."""
    await forget(accounts.named(person_id), accounts, matches)


@allowed_to("signed in", "the caller")
@get("/me/data", guards=[requires_person], dependencies=BELONGINGS, responses=problems(401))
async def take_along(belongings: NamedDependency[Belongings]) -> Everything:
    """Return all data about the caller outside the logs, without secrets and passwords."""
    return await belongings.gather()


@allowed_to("signed in", "the caller")
@get(
    "/me/data.zip",
    guards=[requires_person],
    dependencies=BELONGINGS,
    responses=problems(401),
    operation_class=with_file(gives=(ZIP,)),
    media_type=ZIP,
)
async def take_along_packed(belongings: NamedDependency[Belongings]) -> Response[bytes]:
    """Return the same data as a ZIP: JSON, photos, and CSV files of matches, ratings and messages."""
    everything = await belongings.gather()
    headers = {"Content-Disposition": 'attachment; filename="esporles-account.zip"'}
    content = await asyncio.to_thread(packed, everything, belongings.photos)
    return Response(content, media_type=ZIP, headers=headers)


@allowed_to("signed in", "an account without rated matches")
@post("/me/bot", status_code=204, guards=[requires_person], responses=problems(401, 409, 429))
async def mark_bot(
    caller: NamedDependency[Caller], accounts: NamedDependency[AccountService], matches: NamedDependency[MatchService]
) -> None:
    """Turn the caller's account into a bot account, permanently.

    It is listed as a bot and may take seats at tables that allow bots. Rejected after a rated match, and while it has a
    seat at a table or an entry in an event without bots. Its registered keys are revoked; a bot that signs registers
    its own.
    """
    assert caller.person
    await give_to_program(caller.person, accounts, matches)


ROUTER = Router(
    "/",
    route_handlers=[erase, mark_bot, erase_account, take_along, take_along_packed],
    opt=BY_ADMIN,
    tags=["accounts"],
)
