"""Signing in and out: sessions in a cookie, guests, and making a guest's account last; and what holds an account:
password, sessions, tokens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import Redirect

from api.accounts.access import Person, Scope
from api.accounts.agents import describe_agent
from api.accounts.names import (
    NAME_LENGTH_MAX,
    NAME_LENGTH_MIN,
    BadName,
    BlankName,
    MixedName,
    NameAlike,
    NameTaken,
    ReservedName,
)
from api.accounts.people import PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, BadPassword, WrongCredentials
from api.accounts.service import AccountService
from api.accounts.wire import Credentials, Days, Label, NewPassword, Scopes
from api.web.browser import SEE_OTHER, PageRequest, page
from api.web.cookies import SESSION, cookie_name, host_cookie
from api.web.errors import Problem
from api.web.form_pages import answer_form, forms_of
from api.web.forms import BUTTON, Form, read_form
from api.web.guards import Caller, requires_person
from api.web.language import own_path
from api.web.limits import DOOR
from api.web.paging import Before, Limit
from api.web.wire import Asked, Short
from domain.kernel.messages import N_
from projections.paging import LIMIT
from projections.settings import Settings

ACCOUNT: Final = "/account"
COOKIE_DAYS: Final = 400
"""As long as browsers keep a cookie; when a session ends is for the store to say."""


CREDENTIALS: Final = frozenset({"password"})
SIGN_IN: Final = Form("sign-in", Credentials, verbatim=CREDENTIALS, beside={WrongCredentials: "password"})
SIGN_UP: Final = Form(
    "sign-up",
    Credentials,
    verbatim=CREDENTIALS,
    beside=dict.fromkeys((BadName, BlankName, MixedName, ReservedName, NameTaken, NameAlike), "name")
    | {BadPassword: "password"},
)
"""The bounds of names and passwords are those of the accounts: a name is counted as it is shown, not as it is sent."""


class TokenForm(Asked, frozen=True):
    """A token that is made on the page, by who knows the password."""

    label: Label
    scopes: Scopes
    password: str
    days: Days | None = None


class SessionForm(Asked, frozen=True):
    session: Short


class RevokeForm(Asked, frozen=True):
    token: Short


PASSWORD: Final = Form(
    "password",
    NewPassword,
    verbatim=frozenset({"password", "newPassword"}),
    beside={WrongCredentials: "password", BadPassword: "newPassword"},
)
TOKEN: Final = Form("token", TokenForm, verbatim=CREDENTIALS, beside={WrongCredentials: "password"})
SESSION_END: Final = Form("button", SessionForm)
REVOKE: Final = Form("button", RevokeForm)
SCOPE_WORDS: Final[Mapping[Scope, str]] = {
    "read": N_("reading"),
    "play": N_("playing"),
    "organise": N_("organising"),
    "arbitrate": N_("arbitrating"),
    "admin": N_("the account and the service"),
}


async def show_sign_in(request: PageRequest, back: str, problem: Problem | None = None) -> Response[str]:
    return render_sign_in(request, back, problem)


def render_sign_in(request: PageRequest, back: str, problem: Problem | None = None) -> Response[str]:
    """The forms of signing in and signing up."""
    context = {
        "back": own_path(back),
        "problem": problem,
        "forms": forms_of(request, SIGN_IN, SIGN_UP),
        "name_bounds": (NAME_LENGTH_MIN, NAME_LENGTH_MAX),
        "password_bounds": (PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX),
    }
    return page(request, "accounts/sign_in.html", context, problem.status if problem else 200)


@get("/sign-in")
async def sign_in_page(request: PageRequest, back: FromQuery[str] = "") -> Response[str]:
    """The forms of signing in and signing up."""
    return await show_sign_in(request, back)


@post("/sign-in", opt=DOOR, status_code=SEE_OTHER)
async def sign_in(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Response[Any]:
    """A session for the person with this name and password."""

    async def do(wanted: Credentials) -> Response[Any]:
        person = await accounts.check(wanted.name, wanted.password)
        return await signed_in(request, person, accounts, settings, own_path(back))

    return await answer_form(request, SIGN_IN, do, lambda: show_sign_in(request, back))


@post("/sign-up", opt=DOOR, status_code=SEE_OTHER)
async def sign_up(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Response[Any]:
    """A new account; a guest's becomes a lasting one and keeps its seats."""

    async def do(wanted: Credentials) -> Response[Any]:
        person = await accounts.sign_up(caller.person, wanted.name, wanted.password)
        return await signed_in(request, person, accounts, settings, own_path(back))

    return await answer_form(request, SIGN_UP, do, lambda: show_sign_in(request, back))


@post("/guest", opt=DOOR, status_code=SEE_OTHER)
async def come_in_as_guest(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Redirect:
    """An account without a password, at one click."""
    await read_form(request, BUTTON)
    guest = await accounts.create_guest()
    return await signed_in(request, guest, accounts, settings, own_path(back))


@post("/sign-out", status_code=SEE_OTHER)
async def sign_out(
    request: PageRequest, accounts: NamedDependency[AccountService], settings: NamedDependency[Settings]
) -> Redirect:
    """The end of the session."""
    await read_form(request, BUTTON)
    await accounts.end_session(session_of(request, settings))
    return Redirect("/", status_code=SEE_OTHER, cookies=[host_cookie(SESSION, "", settings, max_age=0)])


async def signed_in(
    request: PageRequest, person: Person, accounts: AccountService, settings: Settings, path: str
) -> Redirect:
    """Back to a page, with a new session; the one that the browser came with ends, whoever's it was."""
    agent = request.headers.get("user-agent", "")
    secret = await accounts.start_session(person, session_of(request, settings), agent)
    return Redirect(path, status_code=SEE_OTHER, cookies=[session_cookie(secret, settings)])


def session_of(request: PageRequest, settings: Settings) -> str:
    """The secret of the browser's session; empty where there is none."""
    return request.cookies.get(cookie_name(SESSION, settings), "")


def session_cookie(secret: str, settings: Settings) -> Cookie:
    return host_cookie(SESSION, secret, settings, int(timedelta(days=COOKIE_DAYS).total_seconds()))


def render_account(
    request: PageRequest,
    accounts: AccountService,
    *,
    secret: str = "",
    listed: str = "",
    before: int | None = None,
    limit: int = LIMIT,
) -> Response[str]:
    """Where somebody is signed in, and their tokens; the page of the list that is asked for, of the other the first."""
    person = request.user.person
    assert person
    current = session_of(request, request.app.state.settings)
    sessions = accounts.sessions(person, limit, before if listed == "sessions" else None, current)
    context = {
        "sessions": sessions,
        "agents": {each.id: describe_agent(each.agent) for each in sessions.items},
        "tokens": accounts.tokens(person, limit, before if listed == "tokens" else None),
        "secret": secret,
        "limit": limit,
        "scope_words": SCOPE_WORDS,
        "forms": forms_of(request, PASSWORD, TOKEN),
        "password_bounds": (PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX),
    }
    answer = page(request, "accounts/account.html", context)
    if secret:
        answer.headers["Cache-Control"] = "no-store"
    return answer


@get("/account", guards=[requires_person])
async def account_page(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    listed: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """What holds the account: password, sessions, tokens."""
    return render_account(request, accounts, listed=listed, before=before, limit=limit)


@post("/account/password", guards=[requires_person], opt=DOOR, status_code=SEE_OTHER)
async def change_password(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Another password; this browser stays signed in, with a new session."""
    person = caller.person
    assert person

    async def do(wanted: NewPassword) -> Response[Any]:
        await accounts.change_password(person, wanted.password, wanted.new_password)
        return await signed_in(request, person, accounts, settings, ACCOUNT)

    async def again() -> Response[Any]:
        return render_account(request, accounts)

    return await answer_form(request, PASSWORD, do, again)


@post("/account/sessions/end", guards=[requires_person], status_code=SEE_OTHER)
async def end_session(
    request: PageRequest, caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> Redirect:
    """Sign out one browser."""
    assert caller.person
    wanted = await read_form(request, SESSION_END)
    await accounts.end_session_of(caller.person, wanted.session)
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


@post("/account/sign-out-everywhere", guards=[requires_person], status_code=SEE_OTHER)
async def sign_out_everywhere(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
) -> Redirect:
    """All sessions end and all tokens are revoked."""
    assert caller.person
    await read_form(request, BUTTON)
    await accounts.sign_out_everywhere(caller.person)
    return Redirect("/", status_code=SEE_OTHER, cookies=[host_cookie(SESSION, "", settings, max_age=0)])


@post("/account/tokens", guards=[requires_person], opt=DOOR, status_code=200)
async def make_token(
    request: PageRequest, caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> Response[Any]:
    """A token for a program, shown this once."""
    person = caller.person
    assert person

    async def do(wanted: TokenForm) -> Response[Any]:
        await accounts.check(person.name, wanted.password)
        _, secret = await accounts.issue_token(person, wanted.label, wanted.scopes, wanted.days)
        return render_account(request, accounts, secret=secret)

    async def again() -> Response[Any]:
        return render_account(request, accounts)

    return await answer_form(request, TOKEN, do, again)


@post("/account/tokens/revoke", guards=[requires_person], status_code=SEE_OTHER)
async def revoke_token(
    request: PageRequest, caller: NamedDependency[Caller], accounts: NamedDependency[AccountService]
) -> Redirect:
    """A token is no longer good."""
    assert caller.person
    wanted = await read_form(request, REVOKE)
    await accounts.revoke_token(caller.person, wanted.token)
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


HANDLERS: Final = (
    sign_in_page,
    sign_in,
    sign_up,
    come_in_as_guest,
    sign_out,
    account_page,
    change_password,
    end_session,
    sign_out_everywhere,
    make_token,
    revoke_token,
)
