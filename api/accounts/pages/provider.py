"""Sign-in with a provider: redirect, return, and the choice of a name for new accounts."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import Redirect

from api.accounts.names import NAME_LENGTH_MAX, NAME_LENGTH_MIN
from api.accounts.pages.account import ACCOUNT
from api.accounts.pages.ceremonies import ceremony_cookie, ceremony_of, no_ceremony
from api.accounts.pages.signing_in import NAME_FAULTS, session_of, sign_in_and_redirect
from api.accounts.provider import RETURN_PATH, ProviderService
from api.accounts.service import AccountService
from api.http.app_state import SETTINGS
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller, requires_person
from api.http.language import own_path
from api.http.limits import NEWCOMER_LIMIT, SIGN_IN_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.structs import RequestStruct, Short
from projections.platform.settings import Settings

NAMING_PATH: Final = "/sign-in/name"


class RemoveIdentity(RequestStruct, frozen=True):
    """The form that removes an identity."""

    identity: Short


class ChosenName(RequestStruct, frozen=True):
    """The form with the chosen name."""

    name: str


REMOVE: Final = Form("button", RemoveIdentity)
NAMING: Final = Form("naming", ChosenName, beside=NAME_FAULTS)


def provider_link_page(request: PageRequest, provider: ProviderService, ceremony: tuple[str, str]) -> Response[str]:
    """Return a page that links to the provider, with the cookie of the ceremony; never cached.

    Not a redirect, because the `form-action` policy prevents forms from leading to other sites.
    """
    address, secret = ceremony
    response = render_page(request, "accounts/onward.html", {"address": address, "label": provider.label})
    response.cookies.append(ceremony_cookie(secret, "ask provider", SETTINGS.of(request)))
    response.headers["Cache-Control"] = "no-store"
    return response


@post("/sign-in/provider", opt=SIGN_IN_LIMIT, status_code=200)
async def ask_provider(
    request: PageRequest, provider: NamedDependency[ProviderService], back: FromQuery[str] = ""
) -> Response[str]:
    """Show the link to the provider to sign in; afterwards the browser returns to `back`, a path of this service.

    Raises `NoProvider` if none is configured, `ProviderUnavailable` if it does not answer.
    """
    await read_form(request, BUTTON)
    return provider_link_page(request, provider, await provider.begin(own_path(back)))


@post("/account/identities", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=200)
async def link_identity(
    request: PageRequest,
    caller: NamedDependency[Caller],
    provider: NamedDependency[ProviderService],
    settings: NamedDependency[Settings],
) -> Response[str]:
    """Show the link to the provider to add a sign-in method to the caller's account.

    Raises as `ProviderService.begin` does: guests are refused, and the session must be recent.
    """
    await read_form(request, BUTTON)
    return provider_link_page(
        request, provider, await provider.begin(ACCOUNT, caller.person, session_of(request, settings))
    )


@get(RETURN_PATH)
async def finish_provider_sign_in(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    provider: NamedDependency[ProviderService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Handle the return from the provider: sign in, add the sign-in method, or ask a new person for a name.

    Raises as `ProviderService.finish` does.
    """
    state, code, issuer = (request.query_params.get(name, "") for name in ("state", "code", "iss"))
    arrival = await provider.finish(ceremony_of(request, settings), caller.person, state, code, issuer)
    if arrival.secret:
        cookie = ceremony_cookie(arrival.secret, "choose name", settings)
        return Redirect(NAMING_PATH, status_code=SEE_OTHER, cookies=[cookie])
    if arrival.person is None:
        return Redirect(arrival.back, status_code=SEE_OTHER, cookies=[no_ceremony(settings)])
    response = await sign_in_and_redirect(request, arrival.person, accounts, settings, arrival.back)
    response.cookies.append(no_ceremony(settings))
    return response


def render_naming(request: PageRequest, provider: ProviderService, settings: Settings) -> Response[str]:
    """Render the form for the name, suggesting the name at the provider; raise `NoSuchCeremony` if it was not begun."""
    naming = provider.find_pending_name(ceremony_of(request, settings))
    context = {
        "suggested": naming.suggested[:NAME_LENGTH_MAX],
        "name_bounds": (NAME_LENGTH_MIN, NAME_LENGTH_MAX),
        "forms": forms_of(request, NAMING),
    }
    return render_page(request, "accounts/naming.html", context)


@get(NAMING_PATH)
async def naming_page(
    request: PageRequest, provider: NamedDependency[ProviderService], settings: NamedDependency[Settings]
) -> Response[str]:
    """Show the form in which a new person chooses a name; raise `NoSuchCeremony` if no sign-in was begun."""
    return render_naming(request, provider, settings)


@post(NAMING_PATH, opt=NEWCOMER_LIMIT, status_code=SEE_OTHER)
async def choose_name(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    provider: NamedDependency[ProviderService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Create an account with this name, or convert a guest's account, which keeps its seats.

    Then sign in and redirect. A rejected name is shown in the form again.
    """

    async def do(form: ChosenName) -> Response[Any]:
        person, back = await provider.sign_up(ceremony_of(request, settings), caller.person, form.name)
        response = await sign_in_and_redirect(request, person, accounts, settings, back)
        response.cookies.append(no_ceremony(settings))
        return response

    async def again() -> Response[Any]:
        return render_naming(request, provider, settings)

    return await handle_form(request, NAMING, do, again)


@post("/account/identities/remove", guards=[requires_person], status_code=SEE_OTHER)
async def remove_identity(
    request: PageRequest, caller: NamedDependency[Caller], provider: NamedDependency[ProviderService]
) -> Redirect:
    """Remove an identity of the caller's account, and redirect to the account page.

    Raises `NoSuchIdentity` if unknown, `LastSignInMethod` if the account has no other sign-in method.
    """
    assert caller.person
    form = await read_form(request, REMOVE)
    await provider.unlink(caller.person, form.identity)
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


HANDLERS: Final = (ask_provider, link_identity, finish_provider_sign_in, naming_page, choose_name, remove_identity)
