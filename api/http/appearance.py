"""The switch for light and dark colours in the head of every page."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post
from litestar.response import Redirect

from api.http.forms import Form, read_form
from api.http.language import own_path
from api.http.page_responses import SEE_OTHER, PageRequest
from api.http.preference_storage import store_preferences
from api.http.preferences import Theme
from api.http.structs import RequestStruct


class AppearanceForm(RequestStruct, frozen=True):
    """The chosen theme and the path to return to. Only pages use it."""

    theme: Theme
    back: str = "/"


APPEARANCE: Final = Form("button", AppearanceForm)


@post("/appearance", status_code=SEE_OTHER)
async def choose_appearance(request: PageRequest) -> Response[Any]:
    """Store the theme of the reader, in the account (if signed in) and the browser, and redirect to the page."""
    form = await read_form(request, APPEARANCE)
    return await store_preferences(request, Redirect(own_path(form.back), status_code=SEE_OTHER), theme=form.theme)


HANDLERS: Final = (choose_appearance,)
