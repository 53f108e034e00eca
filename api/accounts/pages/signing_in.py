"""Sign-in and sign-out: session cookies, guests, and conversion of guests to accounts."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import Redirect

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
from api.accounts.passkey_service import PASSKEY_SERVICE
from api.accounts.people import PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, BadPassword, WrongCredentials
from api.accounts.provider import PROVIDER
from api.accounts.schemas import Credentials
from api.accounts.service import AccountService
from api.accounts.sign_in_methods import PasskeyWrong
from api.http.cookies import SESSION, cookie_name, host_cookie
from api.http.errors import Problem
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller
from api.http.identity import Person
from api.http.language import own_path
from api.http.limits import NEWCOMER_LIMIT, SIGN_IN_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.preferences import encode_browser_preferences
from api.http.structs import RequestStruct, Short
from projections.platform.settings import Settings

COOKIE_DAYS: Final = 400
"""Maximum lifetime of cookies in browsers; the store decides when a session ends."""
ANSWER_LENGTH_MAX: Final = 16_000
"""Maximum length of an authenticator's response in JSON."""
Answer = Annotated[str, msgspec.Meta(max_length=ANSWER_LENGTH_MAX)]


class PasskeyUsed(RequestStruct, frozen=True):
    """The form with an authenticator's response; a given name must match the passkey."""

    credential: Answer
    name: Short = ""


CREDENTIALS: Final = frozenset({"password"})
NAME_FAULTS: Final = dict.fromkeys((BadName, BlankName, MixedName, ReservedName, NameTaken, NameAlike), "name")
SIGN_IN: Final = Form("sign-in", Credentials, verbatim=CREDENTIALS, beside={WrongCredentials: "password"})
SIGN_UP: Final = Form(
    "sign-up",
    Credentials,
    verbatim=CREDENTIALS,
    beside=NAME_FAULTS | {BadPassword: "password"},
)
"""Bounds of names and passwords are checked by the account service, after normalisation."""
USE_PASSKEY: Final = Form("use-passkey", PasskeyUsed, beside={PasskeyWrong: "credential"})


async def show_sign_in(request: PageRequest, back: str, problem: Problem | None = None) -> Response[str]:
    """Return the sign-in page."""
    return render_sign_in(request, back, problem)


def render_sign_in(request: PageRequest, back: str, problem: Problem | None = None) -> Response[str]:
    """Render the forms for signing in and signing up; with a problem, show it and use its status."""
    passkey_service = PASSKEY_SERVICE.of(request)
    provider = PROVIDER.of(request)
    context = {
        "origin": passkey_service.origin,
        "label": provider.label,
        "back": own_path(back),
        "problem": problem,
        "forms": forms_of(request, SIGN_IN, SIGN_UP, USE_PASSKEY),
        "name_bounds": (NAME_LENGTH_MIN, NAME_LENGTH_MAX),
        "password_bounds": (PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX),
    }
    return render_page(request, "accounts/sign_in.html", context, problem.status if problem else 200)


@get("/sign-in")
async def sign_in_page(request: PageRequest, back: FromQuery[str] = "") -> Response[str]:
    """Show the forms for signing in and signing up."""
    return await show_sign_in(request, back)


@post("/sign-in", opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def sign_in(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Response[Any]:
    """Sign in with name and password, and redirect to `back`, a path of this service.

    If that is rejected, the page is shown again with the error.
    """

    async def do(form: Credentials) -> Response[Any]:
        person = await accounts.check(form.name, form.password)
        return await sign_in_and_redirect(request, person, accounts, settings, own_path(back))

    return await handle_form(request, SIGN_IN, do, lambda: show_sign_in(request, back))


@post("/sign-up", opt=NEWCOMER_LIMIT, status_code=SEE_OTHER)
async def sign_up(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Response[Any]:
    """Create an account, or convert a guest's account, which keeps its seats; then sign in and redirect to `back`.

    If that is rejected, the page is shown again with the errors.
    """

    async def do(form: Credentials) -> Response[Any]:
        person = await accounts.sign_up(caller.person, form.name, form.password)
        return await sign_in_and_redirect(request, person, accounts, settings, own_path(back))

    return await handle_form(request, SIGN_UP, do, lambda: show_sign_in(request, back))


@post("/guest", opt=NEWCOMER_LIMIT, status_code=SEE_OTHER)
async def come_in_as_guest(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Redirect:
    """Create a guest account without a password, sign in and redirect to `back`, a path of this service."""
    await read_form(request, BUTTON)
    guest = await accounts.create_guest()
    return await sign_in_and_redirect(request, guest, accounts, settings, own_path(back))


@post("/sign-out", status_code=SEE_OTHER)
async def sign_out(
    request: PageRequest, accounts: NamedDependency[AccountService], settings: NamedDependency[Settings]
) -> Redirect:
    """End this browser's session, delete its cookie, and redirect to the first page."""
    await read_form(request, BUTTON)
    await accounts.end_session(session_of(request, settings))
    return Redirect("/", status_code=SEE_OTHER, cookies=[host_cookie(SESSION, "", settings, max_age=0)])


async def sign_in_and_redirect(
    request: PageRequest, person: Person, accounts: AccountService, settings: Settings, path: str
) -> Redirect:
    """Start a session and redirect to the path; the browser's previous session ends.

    A person without stored preferences gets the browser's.
    """
    agent = request.headers.get("user-agent", "")
    secret = await accounts.start_session(person, session_of(request, settings), agent)
    if chosen := encode_browser_preferences(request):
        await accounts.adopt_preferences(person, chosen)
    return Redirect(path, status_code=SEE_OTHER, cookies=[session_cookie(secret, settings)])


def session_of(request: PageRequest, settings: Settings) -> str:
    """Return the secret of the browser's session; empty if none."""
    return request.cookies.get(cookie_name(SESSION, settings), "")


def session_cookie(secret: str, settings: Settings) -> Cookie:
    """Return the session cookie."""
    return host_cookie(SESSION, secret, settings, int(timedelta(days=COOKIE_DAYS).total_seconds()))


HANDLERS: Final = (sign_in_page, sign_in, sign_up, come_in_as_guest, sign_out)
