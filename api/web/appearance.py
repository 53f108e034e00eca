"""Light, dark, or as the device has it: remembered in a cookie, so that no page flashes in the wrong colours."""

from __future__ import annotations

from typing import Any, Final, Literal

from litestar import Response, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.response import Redirect

from api.web.browser import SEE_OTHER, THEME_COOKIE, PageRequest
from api.web.forms import Form, read_form
from api.web.language import own_path
from api.web.languages import COOKIE_SECONDS
from api.web.wire import Asked
from projections.settings import Settings


class AppearanceForm(Asked, frozen=True):
    """What a browser keeps, and where it goes back to: programs have no such request."""

    theme: Literal["auto", "light", "dark"]
    back: str = "/"


APPEARANCE: Final = Form("button", AppearanceForm)


@post("/appearance", status_code=SEE_OTHER)
async def choose_appearance(request: PageRequest, settings: NamedDependency[Settings]) -> Response[Any]:
    """From now on the pages look like this in this browser; its script may say so itself, hence no `HttpOnly`."""
    wanted = await read_form(request, APPEARANCE)
    cookie = Cookie(
        key=THEME_COOKIE, value=wanted.theme, max_age=COOKIE_SECONDS, samesite="lax", secure=settings.secure_cookies
    )
    return Redirect(own_path(wanted.back), status_code=SEE_OTHER, cookies=[cookie])


HANDLERS: Final = (choose_appearance,)
