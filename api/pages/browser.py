"""What every page shares: templates with the reader in them, answers to htmx and to plain forms, refusals in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.enums import MediaType
from litestar.response import Redirect
from litestar.template.base import csrf_token

from api.accounts import Person
from api.errors import Problem
from api.guards import Caller


class Form(msgspec.Struct, frozen=True):
    """Base of what forms send; the token against forgery comes with it and is checked before."""


PageRequest = Request[Caller, Any, Any]

SEE_OTHER: Final = 303
TITLE_NAMES: Final[Mapping[str, str]] = {"la_granja": "La Granja", "el_grande": "El Grande"}
STATUS_WORDS: Final[Mapping[str, str]] = {
    "open": "waiting for players",
    "running": "being played",
    "paused": "paused",
    "ended": "ended",
    "void": "void",
}


def csrf_of(request: PageRequest) -> str:
    """The token that forms of this reader carry against forgery."""
    return csrf_token({"request": request})


def person_of(request: PageRequest) -> Person | None:
    """Who looks; nobody where the request was refused before that was known."""
    caller: Caller | None = request.scope.get("user")
    return caller.person if caller else None


def render(request: PageRequest, template: str, context: Mapping[str, Any]) -> str:
    """A template as HTML."""
    common = {"request": request, "person": person_of(request), "csrf": csrf_of(request), "title_names": TITLE_NAMES}
    common["status_words"] = STATUS_WORDS
    engine = request.app.template_engine
    assert engine is not None
    html: str = engine.get_template(template).render({**common, **context})
    return html


def page(request: PageRequest, template: str, context: Mapping[str, Any], status: int = 200) -> Response[str]:
    return Response(render(request, template, context), media_type=MediaType.HTML, status_code=status)


def is_htmx(request: PageRequest) -> bool:
    return request.headers.get("hx-request") == "true"


def back_to(path: str, request: PageRequest) -> Response[Any]:
    """After a form: the page again, whoever sent the form."""
    if is_htmx(request):
        return Response("", status_code=200, headers={"HX-Redirect": path})
    return Redirect(path, status_code=SEE_OTHER)


def refusal(request: PageRequest, problem: Problem) -> Response[str]:
    """A refusal in a browser: a notice on the page that asked, or a page of its own."""
    if not is_htmx(request):
        return page(request, "refusal.html", {"problem": problem}, problem.status)
    html = render(request, "notice.html", {"problem": problem})
    headers = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
    return Response(html, media_type=MediaType.HTML, status_code=problem.status, headers=headers)
