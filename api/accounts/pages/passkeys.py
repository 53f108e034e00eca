"""Passkeys in a browser: options as JSON, and forms with the authenticator's response."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromQuery
from litestar.response import Redirect

from api.accounts.agents import describe_agent
from api.accounts.pages.account import ACCOUNT, ADD_PASSKEY, PasskeyMade, handle_account_form
from api.accounts.pages.ceremonies import ceremony_cookie, ceremony_of, no_ceremony
from api.accounts.pages.signing_in import USE_PASSKEY, PasskeyUsed, session_of, show_sign_in, sign_in_and_redirect
from api.accounts.passkey_service import PasskeyService
from api.accounts.service import AccountService
from api.http.form_pages import handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller, requires_person
from api.http.language import own_path
from api.http.limits import SIGN_IN_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest
from api.http.structs import RequestStruct, Short
from projections.platform.settings import Settings

CREATED: Final = 201


class RemovePasskey(RequestStruct, frozen=True):
    """The form that removes a passkey."""

    passkey: Short


REMOVE: Final = Form("button", RemovePasskey)


def options_response(options: str, cookie: Cookie) -> Response[bytes]:
    """Return the options for the authenticator as JSON, never cached, with the cookie."""
    headers = {"Cache-Control": "no-store"}
    return Response(options.encode(), media_type=MediaType.JSON, headers=headers, cookies=[cookie])


@post("/account/passkeys/begin", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=CREATED)
async def begin_passkey(
    request: PageRequest,
    caller: NamedDependency[Caller],
    passkey_service: NamedDependency[PasskeyService],
    settings: NamedDependency[Settings],
) -> Response[bytes]:
    """Begin adding a passkey: return the WebAuthn options, and set the cookie of the ceremony.

    Raises `SignInTooOld` unless the session is recent, `PasskeyRefused` for guests and without a domain for passkeys.
    """
    assert caller.person
    await read_form(request, BUTTON)
    options, secret = await passkey_service.begin_passkey(caller.person, session_of(request, settings))
    return options_response(options, ceremony_cookie(secret, "add passkey", settings))


@post("/account/passkeys", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def add_passkey(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    passkey_service: NamedDependency[PasskeyService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Add the passkey that the browser created, and redirect to the account page, or show its faults there.

    The default label describes the browser.
    """
    person = caller.person
    assert person

    async def do(form: PasskeyMade) -> Response[Any]:
        label = form.label.strip() or describe_agent(request.headers.get("user-agent", ""))
        await passkey_service.add_passkey(person, ceremony_of(request, settings), label, form.credential)
        return Redirect(ACCOUNT, status_code=SEE_OTHER, cookies=[no_ceremony(settings)])

    return await handle_account_form(request, ADD_PASSKEY, do, accounts)


@post("/account/passkeys/remove", guards=[requires_person], status_code=SEE_OTHER)
async def remove_passkey(
    request: PageRequest, caller: NamedDependency[Caller], passkey_service: NamedDependency[PasskeyService]
) -> Redirect:
    """Remove a passkey of the caller, and redirect to the account page.

    Raises `NoSuchPasskey` if unknown, `LastSignInMethod` if the account has no other sign-in method.
    """
    assert caller.person
    form = await read_form(request, REMOVE)
    await passkey_service.remove_passkey(caller.person, form.passkey)
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


@post("/sign-in/passkey/begin", opt=SIGN_IN_LIMIT, status_code=CREATED)
async def ask_passkey(
    request: PageRequest, passkey_service: NamedDependency[PasskeyService], settings: NamedDependency[Settings]
) -> Response[bytes]:
    """Begin signing in with a passkey: return the WebAuthn options, and set the cookie of the ceremony.

    Raises `PasskeyRefused` without a domain for passkeys.
    """
    await read_form(request, BUTTON)
    options, secret = await passkey_service.ask_passkey()
    return options_response(options, ceremony_cookie(secret, "use passkey", settings))


@post("/sign-in/passkey", opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def use_passkey(
    request: PageRequest,
    accounts: NamedDependency[AccountService],
    passkey_service: NamedDependency[PasskeyService],
    settings: NamedDependency[Settings],
    back: FromQuery[str] = "",
) -> Response[Any]:
    """Sign in the person whose passkey signed the challenge, and redirect to `back`, a path of this service.

    If that is rejected, the sign-in page is shown with the error.
    """

    async def do(form: PasskeyUsed) -> Response[Any]:
        person = await passkey_service.check_passkey(ceremony_of(request, settings), form.name, form.credential)
        response = await sign_in_and_redirect(request, person, accounts, settings, own_path(back))
        response.cookies.append(no_ceremony(settings))
        return response

    return await handle_form(request, USE_PASSKEY, do, lambda: show_sign_in(request, back))


HANDLERS: Final = (begin_passkey, add_passkey, remove_passkey, ask_passkey, use_passkey)
