"""The router of all pages, and error responses: problem documents for programs, pages for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.response import Redirect
from litestar.types import ExceptionHandlersMap

from api.accounts.pages import signing_in
from api.http import errors
from api.http.form_fallbacks import page_of_form
from api.http.guards import API_PATH, TLOG_PATH
from api.http.page_responses import SEE_OTHER, PageRequest, is_htmx, render_page, render_problem
from api.http.routing import Router
from api.subjects import JOINED
from domain.matches.errors import OrderUnsigned

ROUTER: Final = Router("/", route_handlers=list(JOINED.pages), include_in_schema=False)
SIGN_IN_PATHS: Final = frozenset(
    {"/sign-in", "/sign-up", "/sign-in/passkey", "/sign-in/provider", "/sign-in/return", "/sign-in/name"}
)


def answer_exception(request: PageRequest, exception: Exception) -> Response[Any]:
    """Return the response to a request that raised an exception: JSON for the API, otherwise a page.

    GET on the address of a form redirects to the page with it. An unsigned act of an official gives a form to sign it.
    """
    if request.url.path.startswith((API_PATH, TLOG_PATH)):
        return errors.answer_exception(request, exception)
    if isinstance(exception, MethodNotAllowedException) and request.method == "GET":
        # GET for the address of a form, after reloading or from a bookmark: redirect to the page with the form.
        return Redirect(page_of_form(request.url.path, request.app.routes), status_code=SEE_OTHER)
    problem = errors.problem_of(exception)
    errors.log_problem(request, problem, exception)
    sent = request.state.get("sent") if isinstance(exception, OrderUnsigned) else None
    if sent is not None and request.user.person is not None:
        return sign_page(request, problem, sent)
    if request.url.path in SIGN_IN_PATHS:
        answer = signing_in.render_sign_in(request, request.query_params.get("back", ""), problem)
    else:
        answer = render_problem(request, problem)
    answer.headers.update(errors.headers_of(exception))
    return answer


def sign_page(request: PageRequest, problem: errors.Problem, sent: Mapping[str, Sequence[Any]]) -> Response[str]:
    """Show the act that an official must sign, with a form that repeats the request with the signature.

    With htmx it replaces the whole body.
    """
    fields = [(name, str(value)) for name, values in sent.items() if name != "signed" for value in values]
    sign = problem.sign
    told = "" if sign is None else msgspec.json.format(sign.act, indent=2)
    context = {"problem": problem, "sign": sign, "told": told, "fields": fields, "address": request.url.path}
    answer = render_page(request, "http/sign.html", context, problem.status)
    if is_htmx(request):
        answer.headers.update({"HX-Retarget": "body", "HX-Reswap": "innerHTML"})
    return answer


EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = dict.fromkeys(
    (HTTPException, Exception, *JOINED.refusals), answer_exception
)
