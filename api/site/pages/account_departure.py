"""Account forms that also concern seats and events: erase the account, make it a bot account."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from api.accounts.pages.account import ACCOUNT, ERASE, Erased, handle_account_form
from api.accounts.pages.signing_in import session_of
from api.accounts.passkey_service import PasskeyService
from api.accounts.service import AccountService
from api.clubs.store import CLUB_TEXTS
from api.http.cookies import SESSION, host_cookie
from api.http.forms import BUTTON, read_form
from api.http.guards import Caller, requires_person
from api.http.limits import SIGN_IN_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest
from api.matches.service import MatchService
from api.site.account_departure import leave_and_erase, leave_and_mark_bot
from projections.platform.settings import Settings


@post("/account/erase", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def erase_account(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    passkey_service: NamedDependency[PasskeyService],
    matches: NamedDependency[MatchService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Erase the account permanently, clear the session cookie and redirect to `/`; logs keep an id without a person.

    All seats and clubs are left first. An account with a password must send it; one without needs a recent sign-in,
    and a guest neither; a refusal is shown with the form.
    """
    person = caller.person
    assert person

    async def do(form: Erased) -> Response[Any]:
        if passkey_service.has_password(person):
            await accounts.check(person.name, form.password)
        elif not person.is_guest:
            accounts.require_fresh(session_of(request, settings))
        await leave_and_erase(person, accounts, matches, CLUB_TEXTS.of(request))
        return Redirect("/", status_code=SEE_OTHER, cookies=[host_cookie(SESSION, "", settings, max_age=0)])

    return await handle_account_form(request, ERASE, do, accounts)


@post("/account/bot", guards=[requires_person], status_code=SEE_OTHER)
async def mark_bot(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
) -> Redirect:
    """Turn this account into a bot account, give up its browsers' keys, and redirect to the account page.

    Raise `BotRefused` if the person is at a table, has played rated, or participates in an event without bots.
    """
    assert caller.person
    await read_form(request, BUTTON)
    await leave_and_mark_bot(caller.person, accounts, matches, CLUB_TEXTS.of(request))
    return Redirect(ACCOUNT, status_code=SEE_OTHER)


HANDLERS: Final = (erase_account, mark_bot)
