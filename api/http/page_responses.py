"""Helpers of all pages: template rendering, responses to htmx and plain forms, error pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Litestar, Request, Response
from litestar.enums import MediaType
from litestar.response import Redirect

from api.http.app_state import SETTINGS, TITLES_PLAYED, AppKey
from api.http.csrf import new_token_cookies, token_of
from api.http.errors import Problem
from api.http.guards import Caller
from api.http.identity import Person
from api.http.languages import _, language_of, use_language
from api.http.page_links import PAGE_LINKS, show_links
from api.http.preferences import attributes_of, preferences_of
from api.http.refusals import exact_message, translate_problem
from domain.kernel.messages import N_
from domain.lessons.script import lessons_of
from domain.matches.seats.bots import bot_name
from domain.puzzles.puzzle_file import load_puzzles
from domain.ratings.ladder import PROGRAMS
from projections.platform.networks import read_address

PageRequest = Request[Caller, Any, Any]
TEMPLATE_VALUES: Final = AppKey[Mapping[str, Any]]("template_values")
"""Template variables of the subjects."""

SEE_OTHER: Final = 303
SIGN_IN: Final = "/sign-in"
SHARED_ADDRESSES: Final = ip_network("100.64.0.0/10")
"""Addresses behind a provider's NAT (RFC 6598), which private overlay networks use too."""
LOCAL_ENDINGS: Final = (".local", ".lan", ".home.arpa", ".internal", ".localhost")
"""Suffixes that public DNS lacks (RFC 6762, RFC 8375, RFC 6761, ICANN 2024); routers use `.lan` by custom."""
LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
STATUS_WORDS: Final[Mapping[str, str]] = {
    "open": N_("waiting for players"),
    "waiting": N_("waiting for the secret numbers"),
    "running": N_("in progress"),
    "paused": N_("paused"),
    "ended": N_("ended"),
    "void": N_("void"),
    "superseded": N_("superseded"),
}


def csrf_of(request: PageRequest) -> str:
    """Return the CSRF token for the forms of this reader."""
    return token_of(request)


def person_of(request: PageRequest) -> Person | None:
    """Return the reader; None if the request was rejected before authentication."""
    caller: Caller | None = request.scope.get("user")
    return caller.person if caller else None


def render(request: PageRequest, template: str, context: Mapping[str, Any]) -> str:
    """Render a template to HTML with the variables that all pages share."""
    person = person_of(request)
    common: dict[str, Any] = {"request": request, "person": person, "csrf": csrf_of(request)}
    common |= {
        "here": current_path(request),
        "sign_in": sign_in_path(request),
        "refused_form": request.state.get("refused"),
    }
    preferences = preferences_of(request)
    common |= {"places": show_links(PAGE_LINKS.of(request), person, request.url.path), "preferences": preferences}
    common |= {"attributes": attributes_of(preferences)}
    engine = request.app.template_engine
    assert engine is not None
    with use_language(language_of(request), preferences.hours):
        common |= shared_template_values(request.app)
        html: str = engine.get_template(template).render({**common, **context})
    return html


def shared_template_values(app: Litestar) -> dict[str, Any]:
    """Return the template variables that do not depend on the reader, in the current language."""
    titles = TITLES_PLAYED.of(app)
    names = {name: _(title.printed_name) for name, title in titles.items()}
    return {
        **TEMPLATE_VALUES.of(app),
        "status_words": STATUS_WORDS,
        "said": translate_problem,
        "exact": exact_message,
        "bot_name": bot_name,
        "taught": [name for name in titles if lessons_of(name)],
        "puzzled": {position.title for position in load_puzzles().matches},
        "title_names": names
        | {name + PROGRAMS: _("{title}, with bots", title=printed_name) for name, printed_name in names.items()},
    }


def current_path(request: PageRequest) -> str:
    """Return path and query of the page, as a target to return to; `/` unless the method is GET."""
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{request.url.path}{query}" if request.method == "GET" else "/"


def sign_in_path(request: PageRequest) -> str:
    """Return the path of the sign-in page, with this page as the target to return to.

    On the sign-in page, its own path.
    """
    path = current_path(request)
    if path == "/":
        return SIGN_IN
    return path if request.url.path == SIGN_IN else f"{SIGN_IN}?{urlencode({'back': path})}"


def render_page(request: PageRequest, template: str, context: Mapping[str, Any], status: int = 200) -> Response[str]:
    """Return a rendered page as a response, with language header and CSRF cookie."""
    headers = {"Content-Language": language_of(request)}
    html = render(request, template, context)
    return Response(
        html, media_type=MediaType.HTML, status_code=status, headers=headers, cookies=new_token_cookies(request)
    )


def origin_of(request: PageRequest) -> str:
    """Return the origin (scheme, host and port) for links that people share.

    The origin is configured, because a `Host` header can name any site. Without a configured origin the service accepts
    a header with a host of the local network, so that links from a club's table computer work.
    """
    settings = SETTINGS.of(request)
    if settings.address or not is_local_host(request.url.hostname or ""):
        return settings.origin
    return str(request.base_url).rstrip("/")


def is_local_host(host: str) -> bool:
    """Return whether a host is an address or a name that only a local network uses.

    A number is not a name: browsers read `134744072` as the address 8.8.8.8 (WHATWG URL, "ends in a number").
    """
    address = read_address(host)
    if address is not None:
        return address.is_private or address in SHARED_ADDRESSES
    name = host.lower().removesuffix(".")
    labels = name.split(".")
    is_local = name.endswith(LOCAL_ENDINGS) or (len(labels) == 1 and not NUMBER.fullmatch(name))
    return is_local and all(map(LABEL.fullmatch, labels))


def is_htmx(request: PageRequest) -> bool:
    """Return whether htmx sent the request."""
    return request.headers.get("hx-request") == "true"


def redirect_after_form(path: str, request: PageRequest) -> Response[Any]:
    """Redirect to the path after a form: 303 for plain forms, 200 with `HX-Redirect` for htmx."""
    if is_htmx(request):
        return Response("", status_code=200, headers={"HX-Redirect": path})
    return Redirect(path, status_code=SEE_OTHER)


def render_problem(request: PageRequest, problem: Problem) -> Response[str]:
    """Render an error with its status: a notice on the current page for htmx, otherwise a full page."""
    if not is_htmx(request):
        return render_page(request, "http/refusal.html", {"problem": problem}, problem.status)
    html = render(request, "http/notice.html", {"problem": problem})
    headers = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
    return Response(html, media_type=MediaType.HTML, status_code=problem.status, headers=headers)
