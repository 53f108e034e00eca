"""The switch of languages: a form in the header of every page, remembered in a cookie."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.response import Redirect

from api.web.browser import SEE_OTHER, PageRequest
from api.web.form_faults import CHOICE, FieldFault, excerpt
from api.web.forms import Form, FormRefused, read_form
from api.web.languages import COOKIE, COOKIE_SECONDS, LANGUAGES
from api.web.wire import Asked, Short
from domain.kernel.messages import Message
from projections.settings import Settings


class LanguageForm(Asked, frozen=True):
    """What a browser keeps, and where it goes back to: programs have no such request."""

    language: Short
    back: str = "/"


LANGUAGE: Final = Form("button", LanguageForm)


def own_path(back: str) -> str:
    """The path to go back to; an address of somebody else's leads to the first page."""
    is_ours = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    return back if is_ours else "/"


@post("/language", status_code=SEE_OTHER)
async def choose_language(request: PageRequest, settings: NamedDependency[Settings]) -> Response[Any]:
    """From now on the pages speak this language to this browser."""
    wanted = await read_form(request, LANGUAGE)
    if wanted.language not in LANGUAGES:
        raise FormRefused([FieldFault("language", Message(CHOICE, {"value": excerpt(wanted.language)}))])
    cookie = Cookie(
        key=COOKIE,
        value=wanted.language,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )
    return Redirect(own_path(wanted.back), status_code=SEE_OTHER, cookies=[cookie])


HANDLERS: Final = (choose_language,)
