"""The language switch in the head of every page."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, post
from litestar.response import Redirect

from api.http.form_faults import CHOICE, FieldFault, excerpt
from api.http.forms import Form, FormRejected, read_form
from api.http.languages import LANGUAGES
from api.http.page_responses import SEE_OTHER, PageRequest
from api.http.preference_storage import store_preferences
from api.http.structs import RequestStruct, Short
from domain.kernel.messages import Message


class LanguageForm(RequestStruct, frozen=True):
    """The chosen language and the path to return to. Only pages use it."""

    language: Short
    back: str = "/"


LANGUAGE: Final = Form("button", LanguageForm)


def own_path(target: str) -> str:
    """Return the path to return to; `/` if it leads to another site."""
    is_ours = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()
    return target if is_ours else "/"


@post("/language", status_code=SEE_OTHER)
async def choose_language(request: PageRequest) -> Response[Any]:
    """Store the language of the reader and redirect to the page; raise `FormRejected` for an unsupported language."""
    form = await read_form(request, LANGUAGE)
    if form.language not in LANGUAGES:
        raise FormRejected([FieldFault("language", Message(CHOICE, {"value": excerpt(form.language)}))])
    return await store_preferences(
        request, Redirect(own_path(form.back), status_code=SEE_OTHER), language=form.language
    )


HANDLERS: Final = (choose_language,)
