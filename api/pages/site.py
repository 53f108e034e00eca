"""The pages together, and how a refusal looks: a problem document to a program, words to a person."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from api import errors
from api.guards import API_PATH
from api.pages import appearance, cards, language, lobby, replay, setting_up, sign_in, table
from api.pages.browser import PageRequest, page, refusal
from api.pages.competition import event_desk, events, league_desk, leagues, rankings
from api.pages.desk import beside, disputes, office, studies, studies_writing

ROUTER: Final = Router(
    "/",
    route_handlers=[
        *appearance.HANDLERS,
        *cards.HANDLERS,
        *event_desk.HANDLERS,
        *events.HANDLERS,
        *language.HANDLERS,
        *league_desk.HANDLERS,
        *leagues.HANDLERS,
        *lobby.HANDLERS,
        *rankings.HANDLERS,
        *replay.HANDLERS,
        *setting_up.HANDLERS,
        *sign_in.HANDLERS,
        *table.HANDLERS,
        *beside.HANDLERS,
        *disputes.HANDLERS,
        *office.HANDLERS,
        *studies.HANDLERS,
        *studies_writing.HANDLERS,
    ],
    include_in_schema=False,
)
SIGN_IN_PATHS: Final = frozenset({"/sign-in", "/sign-up"})


def refuse(request: PageRequest, exception: Exception) -> Response[Any]:
    """The answer to a request that was refused, or that met a fault of ours."""
    if request.url.path.startswith(API_PATH):
        return errors.refuse(request, exception)
    problem = errors.problem_of(exception)
    errors.note(request, problem, exception)
    if request.url.path in SIGN_IN_PATHS:
        back = language.own_path(request.query_params.get("back", ""))
        return page(request, "sign_in.html", {"problem": problem, "back": back}, problem.status)
    return refusal(request, problem)


REFUSED: Final[ExceptionHandlersMap] = dict.fromkeys((HTTPException, Exception, *errors.REFUSALS), refuse)
