"""The account page: password, passkeys, sessions and tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import Redirect

from api.accounts.agents import describe_agent
from api.accounts.countries import UnknownCountry
from api.accounts.pages.signing_in import CREDENTIALS, Answer, session_of, sign_in_and_redirect
from api.accounts.passkey_service import PASSKEY_SERVICE, PasskeyService
from api.accounts.people import PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, BadPassword, WrongCredentials
from api.accounts.provider import PROVIDER
from api.accounts.schemas import Days, Label, NewPassword, Scopes, StatedCountry
from api.accounts.service import AccountService
from api.http.app_state import SETTINGS
from api.http.cookies import SESSION, host_cookie
from api.http.countries import country_names
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller, requires_person
from api.http.identity import Scope
from api.http.limits import SIGN_IN_LIMIT
from api.http.names import ROLE_WORDS
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.paging import Before, Limit
from api.http.structs import RequestStruct, Short
from api.http.writer import OneWriter
from domain.kernel.messages import N_
from projections.integrity_looks import Look, looks_at
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings

F = TypeVar("F", bound=msgspec.Struct)

ACCOUNT: Final = "/account"


class TokenForm(RequestStruct, frozen=True):
    """The form for a new token."""

    label: Label
    scopes: Scopes
    password: str = ""
    """Required if the account has a password; otherwise a recent session is."""
    days: Days | None = None


class SessionForm(RequestStruct, frozen=True):
    """The form that ends a session."""

    session: Short


class RevokeForm(RequestStruct, frozen=True):
    """The form that revokes a token."""

    token: Short


class PasskeyMade(RequestStruct, frozen=True):
    """The form with a new passkey from the authenticator and its label."""

    credential: Answer
    label: Label = ""


class FirstPassword(RequestStruct, frozen=True):
    """The form that sets the first password."""

    new_password: str


class Erased(RequestStruct, frozen=True):
    """The form that erases the account."""

    password: Annotated[str, msgspec.Meta(max_length=PASSWORD_LENGTH_MAX)] = ""
    """Required if the account has a password; otherwise a recent session is."""


class GivenUp(RequestStruct, frozen=True):
    """The form that removes the password."""

    password: str
    """The current password."""


COUNTRY: Final = Form("country", StatedCountry, beside={UnknownCountry: "country"})
PASSWORD: Final = Form(
    "password",
    NewPassword,
    verbatim=frozenset({"password", "newPassword"}),
    beside={WrongCredentials: "password", BadPassword: "newPassword"},
)
FIRST_PASSWORD: Final = Form(
    "first-password",
    FirstPassword,
    verbatim=frozenset({"newPassword"}),
    beside={WrongCredentials: "newPassword", BadPassword: "newPassword"},
)
NO_PASSWORD: Final = Form("no-password", GivenUp, verbatim=CREDENTIALS, beside={WrongCredentials: "password"})
ERASE: Final = Form("erase", Erased, verbatim=CREDENTIALS, beside={WrongCredentials: "password"})
ADD_PASSKEY: Final = Form("add-passkey", PasskeyMade)
TOKEN: Final = Form("token", TokenForm, verbatim=CREDENTIALS, beside={WrongCredentials: "password"})
SESSION_END: Final = Form("button", SessionForm)
REVOKE: Final = Form("button", RevokeForm)
SCOPE_WORDS: Final[Mapping[Scope, str]] = {
    "read": N_("reading"),
    "play": N_("playing"),
    "organise": N_("organising"),
    "arbitrate": N_("arbitrating"),
    "admin": N_("account and server administration"),
}


def render_account(
    request: PageRequest,
    accounts: AccountService,
    *,
    secret: str = "",
    listed: str = "",
    before: int | None = None,
    limit: int = LIMIT,
    looks: Sequence[Look] = (),
) -> Response[str]:
    """Render the account page of the caller, not cached if it shows the `secret` of a new token.

    `listed` names the list ("sessions" or "tokens") to which the cursor `before` applies.
    """
    person = request.user.person
    assert person
    current = session_of(request, SETTINGS.of(request))
    passkey_service = PASSKEY_SERVICE.of(request)
    provider = PROVIDER.of(request)
    sessions = accounts.sessions(person, limit, before if listed == "sessions" else None, current)
    context = {
        "sessions": sessions,
        "agents": {each.id: describe_agent(each.agent) for each in sessions.items},
        "tokens": accounts.tokens(person, limit, before if listed == "tokens" else None),
        "secret": secret,
        "limit": limit,
        "scope_words": SCOPE_WORDS,
        "passkeys": passkey_service.passkeys(person),
        "identities": provider.identities(person),
        "label": provider.label,
        "issuer": provider.issuer,
        "origin": passkey_service.origin,
        "passkey_domain": SETTINGS.of(request).passkey_domain,
        "has_password": passkey_service.has_password(person),
        "is_fresh": accounts.is_fresh(current),
        "country": accounts.country_of(person.id),
        "countries": country_names(),
        "forms": forms_of(request, COUNTRY, PASSWORD, FIRST_PASSWORD, NO_PASSWORD, ADD_PASSKEY, TOKEN, ERASE),
        "looks": looks,
        "role_words": ROLE_WORDS,
        "password_bounds": (PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX),
    }
    response = render_page(request, "accounts/account.html", context)
    if secret:
        response.headers["Cache-Control"] = "no-store"
    return response


async def handle_account_form(
    request: PageRequest, form: Form[F], do: Callable[[F], Awaitable[Response[Any]]], accounts: AccountService
) -> Response[Any]:
    """Handle a form of the account page (`handle_form`), and show the page again with the errors if it is rejected."""

    async def again() -> Response[Any]:
        return render_account(request, accounts)

    return await handle_form(request, form, do, again)


@get("/account", guards=[requires_person])
async def account_page(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    caller: NamedDependency[Caller],
    writer: NamedDependency[OneWriter],
    listed: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Show country, password, passkeys, identities, sessions and tokens of the account.

    Also shown are the latest recorded looks of officials into private data of the person.
    """
    assert caller.person
    looks = await writer.read_model(looks_at, caller.person.id, now())
    return render_account(request, accounts, listed=listed, before=before, limit=limit, looks=looks)


@post("/account/country", guards=[requires_person], status_code=SEE_OTHER)
async def state_country(
    request: PageRequest, caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> Response[Any]:
    """State the country of the caller, or withdraw it, and redirect to the account page."""
    person = caller.person
    assert person

    async def do(form: StatedCountry) -> Response[Any]:
        await accounts.set_country(person, form.country)
        return Redirect(ACCOUNT, status_code=SEE_OTHER)

    return await handle_account_form(request, COUNTRY, do, accounts)


@post("/account/password", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def change_password(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Change the password, given the current one; other sessions and all tokens end.

    This browser stays signed in with a new session.
    """
    person = caller.person
    assert person

    async def do(form: NewPassword) -> Response[Any]:
        await accounts.change_password(person, form.password, form.new_password)
        return await sign_in_and_redirect(request, person, accounts, settings, ACCOUNT)

    return await handle_account_form(request, PASSWORD, do, accounts)


@post("/account/password/first", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def set_first_password(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Set the first password, from a recent session; other sessions and all tokens end.

    This browser stays signed in with a new session.
    """
    person = caller.person
    assert person

    async def do(form: FirstPassword) -> Response[Any]:
        await accounts.set_first_password(person, session_of(request, settings), form.new_password)
        return await sign_in_and_redirect(request, person, accounts, settings, ACCOUNT)

    return await handle_account_form(request, FIRST_PASSWORD, do, accounts)


@post("/account/password/none", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def remove_password(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    passkey_service: NamedDependency[PasskeyService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Remove the password, given its current value; other sessions and all tokens end.

    This browser stays signed in with a new session. Rejected if the account has no other sign-in method.
    """
    person = caller.person
    assert person

    async def do(form: GivenUp) -> Response[Any]:
        await passkey_service.remove_password(person, form.password)
        return await sign_in_and_redirect(request, person, accounts, settings, ACCOUNT)

    return await handle_account_form(request, NO_PASSWORD, do, accounts)


@post("/account/sessions/end", guards=[requires_person], status_code=SEE_OTHER)
async def end_session(
    request: PageRequest, caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> Redirect:
    """Sign out one browser of the caller, and redirect to the account page; raise `NoSuchSession` if unknown."""
    assert caller.person
    form = await read_form(request, SESSION_END)
    await accounts.end_session_of(caller.person, form.session)
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


@post("/account/sign-out-everywhere", guards=[requires_person], status_code=SEE_OTHER)
async def sign_out_everywhere(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
) -> Redirect:
    """End all sessions and revoke all tokens of the caller, and redirect to the first page."""
    assert caller.person
    await read_form(request, BUTTON)
    await accounts.sign_out_everywhere(caller.person)
    return Redirect("/", status_code=SEE_OTHER, cookies=[host_cookie(SESSION, "", settings, max_age=0)])


@post("/account/tokens", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=200)
async def make_token(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    passkey_service: NamedDependency[PasskeyService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Issue a token and show its secret once; requires the password, or without one a recent session.

    Rejected for guests, who have no password.
    """
    person = caller.person
    assert person

    async def do(form: TokenForm) -> Response[Any]:
        if person.is_guest or passkey_service.has_password(person):
            await accounts.check(person.name, form.password)
        else:
            accounts.require_fresh(session_of(request, settings))
        _, secret = await accounts.issue_token(person, form.label, form.scopes, form.days)
        return render_account(request, accounts, secret=secret)

    return await handle_account_form(request, TOKEN, do, accounts)


@post("/account/tokens/revoke", guards=[requires_person], status_code=SEE_OTHER)
async def revoke_token(
    request: PageRequest, caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> Redirect:
    """Revoke a token of the caller, and redirect to the account page; raise `NoSuchToken` if unknown."""
    assert caller.person
    form = await read_form(request, REVOKE)
    await accounts.revoke_token(caller.person, form.token)
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


HANDLERS: Final = (
    account_page,
    state_country,
    change_password,
    set_first_password,
    remove_password,
    end_session,
    sign_out_everywhere,
    make_token,
    revoke_token,
)
