"""API routes of accounts and tokens."""

from __future__ import annotations

from typing import Final

from litestar import Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.accounts.passkey_service import PasskeyService
from api.accounts.provider import ProviderService
from api.accounts.schemas import (
    Account,
    CountryShown,
    Credentials,
    IdentitiesShown,
    IssuedToken,
    Me,
    NewPassword,
    NewToken,
    PasskeysShown,
    SessionsShown,
    StatedCountry,
    TokensShown,
)
from api.accounts.service import AccountService
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ADMIN, CHANGES_BY, Caller, requires_person
from api.http.identity import SCOPES
from api.http.limits import NEWCOMER_LIMIT, SIGN_IN_LIMIT
from api.http.paging import Before, Limit
from api.http.structs import Health
from projections.platform.paging import LIMIT

OPEN: Final = {CHANGES_BY: SCOPES}
"""Option of routes that authenticate by name and password, so that the scopes of a token do not matter."""


@get("/health")
async def health() -> Health:
    """Return whether the service is ready for requests."""
    return Health("ok")


@declare_access("anybody", "describes the caller")
@get("/me", responses=problems(401))
async def me(caller: NamedDependency[Caller]) -> Me:
    """Describe the caller: account, role, whether it is a guest or the service.

    Without account they are null or false.
    """
    person = caller.person
    account = Account(person.id, person.name) if person else None
    return Me(account, person.role if person else None, bool(person and person.is_guest), caller.is_service)


@declare_access("signed in", "the caller's")
@get("/me/country", guards=[requires_person], responses=problems(401))
async def get_country(caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]) -> CountryShown:
    """Return the country that the caller has stated."""
    assert caller.person
    return CountryShown(await accounts.load_country(caller.person.id))


@declare_access("signed in", "the caller's")
@put("/me/country", guards=[requires_person], responses=problems(400, 401, 413, 422, 429))
async def state_country(
    data: JSONBody[StatedCountry], caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> CountryShown:
    """State the caller's country, or withdraw it.

    It is used for events and rankings of a country. Erasing the account deletes it; 422 for an unknown code.
    """
    assert caller.person
    await accounts.set_country(caller.person, data.country)
    return CountryShown(data.country)


@declare_access("signed in", "requires the current password")
@post(
    "/me/password", status_code=204, guards=[requires_person], opt=SIGN_IN_LIMIT, responses=problems(400, 401, 413, 429)
)
async def change_password(
    data: JSONBody[NewPassword], caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> None:
    """Change the password, given the current one (401 if wrong).

    All sessions end and all tokens are revoked, including the caller's.
    """
    assert caller.person
    await accounts.change_password(caller.person, data.password, data.new_password)


@declare_access("signed in", "the caller's")
@get("/me/sessions", guards=[requires_person], responses=problems(400, 401))
async def list_sessions(
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> SessionsShown:
    """List a page of the caller's unexpired sessions, latest first."""
    assert caller.person
    found = accounts.sessions(caller.person, limit, before)
    return SessionsShown(found.items, next=found.next)


@declare_access("signed in", "the caller's")
@delete("/me/sessions", guards=[requires_person], responses=problems(401, 429))
async def sign_out_everywhere(caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]) -> None:
    """End all sessions and revoke all tokens, including the caller's."""
    assert caller.person
    await accounts.sign_out_everywhere(caller.person)


@declare_access("own")
@delete("/me/sessions/{session_id:str}", guards=[requires_person], responses=problems(401, 404, 429))
async def end_session(
    session_id: FromPath[str], caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> None:
    """End one session of the caller; 404 if it is unknown."""
    assert caller.person
    await accounts.end_session_of(caller.person, session_id)


@declare_access("signed in", "the caller's")
@get("/me/passkeys", guards=[requires_person], responses=problems(400, 401))
async def list_passkeys(
    caller: NamedDependency[Caller], passkey_service: NamedDependency[PasskeyService]
) -> PasskeysShown:
    """List the caller's passkeys, latest first. Passkeys are added on the account page."""
    assert caller.person
    return PasskeysShown(passkey_service.passkeys(caller.person))


@declare_access("own", "except the last way to sign in")
@delete("/me/passkeys/{passkey_id:str}", guards=[requires_person], responses=problems(401, 404, 409, 429))
async def remove_passkey(
    passkey_id: FromPath[str], caller: NamedDependency[Caller], passkey_service: NamedDependency[PasskeyService]
) -> None:
    """Remove a passkey, unless it is the only sign-in method of the account; 404 if it is unknown."""
    assert caller.person
    await passkey_service.remove_passkey(caller.person, passkey_id)


@declare_access("signed in", "the caller's")
@get("/me/identities", guards=[requires_person], responses=problems(400, 401))
async def list_identities(
    caller: NamedDependency[Caller], provider: NamedDependency[ProviderService]
) -> IdentitiesShown:
    """List the caller's identities at providers, latest first. Identities are added on the account page."""
    assert caller.person
    return IdentitiesShown(provider.identities(caller.person))


@declare_access("own", "except the last way to sign in")
@delete("/me/identities/{identity_id:str}", guards=[requires_person], responses=problems(401, 404, 409, 429))
async def remove_identity(
    identity_id: FromPath[str], caller: NamedDependency[Caller], provider: NamedDependency[ProviderService]
) -> None:
    """Remove an identity, unless it is the only sign-in method of the account; 404 if it is unknown."""
    assert caller.person
    await provider.unlink(caller.person, identity_id)


@post("/accounts", opt=NEWCOMER_LIMIT | OPEN, responses=problems(400, 401, 409, 413, 429))
async def create_account(data: JSONBody[Credentials], accounts: NamedDependency[AccountService]) -> Account:
    """Create an account with name and password, without signing in; rejected for a taken or improper name."""
    person = await accounts.create(data.name, data.password)
    return Account(person.id, person.name)


@declare_access("anybody", "with name and password")
@post("/tokens", opt=SIGN_IN_LIMIT | OPEN, responses=problems(400, 401, 413, 429))
async def issue_token(data: JSONBody[NewToken], accounts: NamedDependency[AccountService]) -> IssuedToken:
    """Issue a bearer token for the account with this name and password; its secret is not shown again.

    401 for a wrong password, 429 after too many attempts. Refused for an account with the maximum of tokens.
    """
    person = await accounts.check(data.name, data.password)
    token, secret = await accounts.issue_token(person, data.label, data.scopes, data.days)
    account = Account(person.id, person.name)
    return IssuedToken(token.id, token.label, token.created, secret, account, token.scopes, token.ends)


@declare_access("signed in", "the caller's")
@get("/tokens", guards=[requires_person], responses=problems(400, 401))
async def list_tokens(
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> TokensShown:
    """List a page of the caller's tokens without secrets, latest first, including expired ones."""
    assert caller.person
    found = accounts.tokens(caller.person, limit, before)
    return TokensShown(found.items, next=found.next)


@declare_access("own")
@delete("/tokens/{token_id:str}", guards=[requires_person], responses=problems(401, 404, 429))
async def revoke_token(
    token_id: FromPath[str], caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> None:
    """Revoke a token of the caller; 404 if it is unknown."""
    assert caller.person
    await accounts.revoke_token(caller.person, token_id)


ROUTER = Router(
    "/",
    route_handlers=[
        health,
        me,
        get_country,
        state_country,
        change_password,
        list_sessions,
        sign_out_everywhere,
        end_session,
        list_passkeys,
        remove_passkey,
        list_identities,
        remove_identity,
        create_account,
        issue_token,
        list_tokens,
        revoke_token,
    ],
    opt=BY_ADMIN,
    tags=["accounts"],
)
