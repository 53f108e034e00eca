"""Light, dark, or as the device has it: remembered in a cookie, so that no page flashes in the wrong colours."""

from __future__ import annotations

from typing import Any, Final, Literal

from litestar import Response, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import URLEncodedBody
from litestar.response import Redirect

from api.settings import Settings
from api.web.browser import SEE_OTHER, THEME_COOKIE, Form
from api.web.language import own_path
from api.web.languages import COOKIE_SECONDS


class AppearanceForm(Form, frozen=True):
    theme: Literal["auto", "light", "dark"]
    back: str = "/"


@post("/appearance", status_code=SEE_OTHER)
async def choose_appearance(data: URLEncodedBody[AppearanceForm], settings: NamedDependency[Settings]) -> Response[Any]:
    """From now on the pages look like this in this browser; its script may say so itself, hence no `HttpOnly`."""
    cookie = Cookie(
        key=THEME_COOKIE, value=data.theme, max_age=COOKIE_SECONDS, samesite="lax", secure=settings.secure_cookies
    )
    return Redirect(own_path(data.back), status_code=SEE_OTHER, cookies=[cookie])


HANDLERS: Final = (choose_appearance,)
