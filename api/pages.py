"""The pages together, and how a refusal looks: a problem document to a program, words to a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from api.accounts.pages import account, passkeys, preferences, provider, signing_in
from api.analyses import pages as analysis_pages
from api.archive import pages as archive_pages
from api.disputes import pages as dispute_pages
from api.disputes import pages_of_calls, pages_of_committees
from api.friends import pages as friend_pages
from api.hints import pages as hint_pages
from api.integrity import pages as integrity_pages
from api.keys import pages as key_pages
from api.leagues.pages import leagues
from api.leagues.pages import organising as league_organising
from api.lessons import pages as lesson_pages
from api.matches.pages import closing, forks, invitations
from api.notifications import pages as notification_pages
from api.puzzles import pages as puzzle_pages
from api.quick import pages as quick_pages
from api.ratings import pages as rating_pages
from api.refusals import REFUSALS
from api.roles import pages as role_pages
from api.site.pages import (
    afterwards,
    ahead,
    attending,
    audit,
    device,
    explaining,
    leaving,
    lobby,
    player,
    replay,
    setting_up,
    table,
    turns,
)
from api.studies.pages import beside, studies, writing
from api.talk import pages as talk_pages
from api.titles import cards, rules
from api.tournaments.pages import claims, dates, ends, organising, photos, printing, report, screen, tournaments
from api.transparency import pages as transparency_pages
from api.transparency import pages_of_verifier
from api.web import appearance, errors, language
from api.web.browser import SEE_OTHER, PageRequest, is_htmx, page, refusal
from api.web.guards import API_PATH, TLOG_PATH
from api.web.places_of_forms import place_of_form
from api.web.routing import Router
from domain.matches.errors import OrderUnsigned

ROUTER: Final = Router(
    "/",
    route_handlers=[
        *analysis_pages.HANDLERS,
        *hint_pages.HANDLERS,
        *appearance.HANDLERS,
        *cards.HANDLERS,
        *rules.HANDLERS,
        *organising.HANDLERS,
        *tournaments.HANDLERS,
        *claims.HANDLERS,
        *photos.HANDLERS,
        *printing.HANDLERS,
        *screen.HANDLERS,
        *report.HANDLERS,
        *dates.HANDLERS,
        *ends.HANDLERS,
        *key_pages.HANDLERS,
        *language.HANDLERS,
        *league_organising.HANDLERS,
        *leagues.HANDLERS,
        *lesson_pages.HANDLERS,
        *afterwards.HANDLERS,
        *attending.HANDLERS,
        *closing.HANDLERS,
        *invitations.HANDLERS,
        *lobby.HANDLERS,
        *notification_pages.HANDLERS,
        *puzzle_pages.HANDLERS,
        *rating_pages.HANDLERS,
        *player.HANDLERS,
        *archive_pages.HANDLERS,
        *replay.HANDLERS,
        *setting_up.HANDLERS,
        *signing_in.HANDLERS,
        *account.HANDLERS,
        *passkeys.HANDLERS,
        *preferences.HANDLERS,
        *provider.HANDLERS,
        *ahead.HANDLERS,
        *device.HANDLERS,
        *explaining.HANDLERS,
        *table.HANDLERS,
        *turns.HANDLERS,
        *beside.HANDLERS,
        *dispute_pages.HANDLERS,
        *pages_of_calls.HANDLERS,
        *pages_of_committees.HANDLERS,
        *role_pages.HANDLERS,
        *audit.HANDLERS,
        *leaving.HANDLERS,
        *forks.HANDLERS,
        *integrity_pages.HANDLERS,
        *studies.HANDLERS,
        *writing.HANDLERS,
        *transparency_pages.HANDLERS,
        *pages_of_verifier.HANDLERS,
        *talk_pages.HANDLERS,
        *friend_pages.HANDLERS,
        *quick_pages.HANDLERS,
    ],
    include_in_schema=False,
)
SIGN_IN_PATHS: Final = frozenset(
    {"/sign-in", "/sign-up", "/sign-in/passkey", "/sign-in/provider", "/sign-in/return", "/sign-in/name"}
)


def refuse(request: PageRequest, exception: Exception) -> Response[Any]:
    """The answer to a request that was refused, or that met a fault of ours."""
    if request.url.path.startswith((API_PATH, TLOG_PATH)):
        return errors.refuse(request, exception)
    if isinstance(exception, MethodNotAllowedException) and request.method == "GET":
        # The answer to a form, loaded again or kept as a bookmark: the form is a step further up.
        return Redirect(place_of_form(request.url.path, request.app.routes), status_code=SEE_OTHER)
    problem = errors.problem_of(exception)
    errors.note(request, problem, exception)
    sent = request.state.get("sent") if isinstance(exception, OrderUnsigned) else None
    if sent is not None and request.user.person is not None:
        return sign_page(request, problem, sent)
    if request.url.path in SIGN_IN_PATHS:
        answer = signing_in.render_sign_in(request, request.query_params.get("back", ""), problem)
    else:
        answer = refusal(request, problem)
    answer.headers.update(errors.headers_of(exception))
    return answer


def sign_page(request: PageRequest, problem: errors.Problem, sent: Mapping[str, Sequence[Any]]) -> Response[str]:
    """What an official wants is shown as it will be signed; the same form goes on with the signature in it."""
    fields = [(name, str(value)) for name, values in sent.items() if name != "signed" for value in values]
    sign = problem.sign
    told = "" if sign is None else msgspec.json.format(sign.act, indent=2)
    context = {"problem": problem, "sign": sign, "told": told, "fields": fields, "address": request.url.path}
    answer = page(request, "web/sign.html", context, problem.status)
    if is_htmx(request):
        answer.headers.update({"HX-Retarget": "body", "HX-Reswap": "innerHTML"})
    return answer


REFUSED: Final[ExceptionHandlersMap] = dict.fromkeys((HTTPException, Exception, *REFUSALS), refuse)
