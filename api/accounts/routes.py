"""Accounts and the tokens of programs."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.accounts.people import People, Token
from api.matches.wire import Account, Credentials, Health, IssuedToken, Listing, Me, NewToken
from api.web.errors import problems
from api.web.guards import Caller, requires_person
from api.web.limits import DOOR
from api.web.paging import Before, Limit
from projections.paging import LIMIT


class TokensShown(Listing, frozen=True):
    """A person's tokens, the newest first."""

    tokens: tuple[Token, ...]


@get("/health")
async def health() -> Health:
    """Whether the service takes requests."""
    return Health("ok")


@get("/me", responses=problems(401))
async def me(caller: NamedDependency[Caller]) -> Me:
    """Who the caller is."""
    person = caller.person
    shown = Account(person.id, person.name) if person else None
    return Me(shown, person.role if person else None, bool(person and person.is_guest), caller.is_service)


@delete("/me", guards=[requires_person], responses=problems(401, 429))
async def erase(caller: NamedDependency[Caller], people: NamedDependency[People]) -> None:
    """Forget the caller: name, password, sessions and tokens. Logs keep an id that leads nowhere."""
    assert caller.person
    await asyncio.to_thread(people.erase, caller.person.id)


@post("/accounts", opt=DOOR, responses=problems(400, 401, 409, 413, 429))
async def create_account(
    data: JSONBody[Credentials], people: NamedDependency[People], hashing: NamedDependency[ThreadPoolExecutor]
) -> Account:
    """A new account."""
    create = asyncio.get_running_loop().run_in_executor
    person = await create(hashing, people.create, data.name, data.password, datetime.now(UTC))
    return Account(person.id, person.name)


@post("/tokens", opt=DOOR, responses=problems(400, 401, 413, 429))
async def issue_token(
    data: JSONBody[NewToken], people: NamedDependency[People], hashing: NamedDependency[ThreadPoolExecutor]
) -> IssuedToken:
    """A bearer token for a program of the person with this name and password."""
    loop = asyncio.get_running_loop()
    person = await loop.run_in_executor(hashing, people.check, data.name, data.password)
    token, secret = await loop.run_in_executor(hashing, people.issue_token, person, data.label, datetime.now(UTC))
    return IssuedToken(token.id, token.label, token.created, secret, Account(person.id, person.name))


@get("/tokens", guards=[requires_person], responses=problems(400, 401))
async def list_tokens(
    caller: NamedDependency[Caller], people: NamedDependency[People], before: Before = None, limit: Limit = LIMIT
) -> TokensShown:
    """The caller's tokens, without their secrets, the newest first."""
    assert caller.person
    found = people.tokens(caller.person.id, limit, before)
    return TokensShown(found.items, next=found.next)


@delete("/tokens/{token_id:str}", guards=[requires_person], responses=problems(401, 404, 429))
async def revoke_token(
    token_id: FromPath[str], caller: NamedDependency[Caller], people: NamedDependency[People]
) -> None:
    """Make a token useless."""
    assert caller.person
    await asyncio.to_thread(people.revoke_token, caller.person.id, token_id)


ROUTER = Router(
    "/", route_handlers=[health, me, erase, create_account, issue_token, list_tokens, revoke_token], tags=["accounts"]
)
