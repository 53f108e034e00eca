"""The pages together, and how a refusal looks: a problem document to a program, words to a person."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from api import errors
from api.guards import API_PATH
from api.pages import cards, lobby, sign_in, table
from api.pages.browser import PageRequest, page, refusal

ROUTER: Final = Router(
    "/", route_handlers=[*cards.HANDLERS, *lobby.HANDLERS, *sign_in.HANDLERS, *table.HANDLERS], include_in_schema=False
)
SIGN_IN_PATHS: Final = frozenset({"/sign-in", "/sign-up"})


def refuse(request: PageRequest, exception: Exception) -> Response[Any]:
    """The answer to a request that was refused, or that met a fault of ours."""
    if request.url.path.startswith(API_PATH):
        return errors.refuse(request, exception)
    problem = errors.problem_of(exception)
    errors.note(request, problem, exception)
    if request.url.path in SIGN_IN_PATHS:
        return page(request, "sign_in.html", {"notice": problem.detail}, problem.status)
    return refusal(request, problem)


REFUSED: Final[ExceptionHandlersMap] = dict.fromkeys((HTTPException, Exception, *errors.REFUSALS), refuse)
