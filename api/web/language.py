"""The switch of languages: a form in the header of every page, remembered in a cookie."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import ClientException
from litestar.params import URLEncodedBody
from litestar.response import Redirect

from api.settings import Settings
from api.web.browser import SEE_OTHER, Form
from api.web.languages import COOKIE, COOKIE_SECONDS, LANGUAGES


class LanguageForm(Form, frozen=True):
    language: str
    back: str = "/"


def own_path(back: str) -> str:
    """The path to go back to; an address of somebody else's leads to the first page."""
    is_ours = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    return back if is_ours else "/"


@post("/language", status_code=SEE_OTHER)
async def choose_language(data: URLEncodedBody[LanguageForm], settings: NamedDependency[Settings]) -> Response[Any]:
    """From now on the pages speak this language to this browser."""
    if data.language not in LANGUAGES:
        raise ClientException(f"{data.language!r} is not spoken here; these are: {', '.join(LANGUAGES)}")
    cookie = Cookie(
        key=COOKIE,
        value=data.language,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )
    return Redirect(own_path(data.back), status_code=SEE_OTHER, cookies=[cookie])


HANDLERS: Final = (choose_language,)
