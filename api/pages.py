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
    """Return the response to a request that raised an exception: JSON for the API, otherwise a page; log the error.

    GET on the address of a form redirects to the page with it. An unsigned act of an official gives a form to sign it;
    an error of signing in shows that form again.
    """
    if request.url.path.startswith((API_PATH, TLOG_PATH)):
        return errors.answer_exception(request, exception)
    if isinstance(exception, MethodNotAllowedException) and request.method == "GET":
        # GET for the address of a form, after reloading or from a bookmark: redirect to the page with the form.
        return Redirect(page_of_form(request.url.path, request.app.routes), status_code=SEE_OTHER)
    problem = errors.problem_of(exception)
    errors.log_problem(request, problem, exception)
    fields = request.state.get("sent") if isinstance(exception, OrderUnsigned) else None
    if fields is not None and request.user.person is not None:
        return sign_page(request, problem, fields)
    if request.url.path in SIGN_IN_PATHS:
        response = signing_in.render_sign_in(request, request.query_params.get("back", ""), problem)
    else:
        response = render_problem(request, problem)
    response.headers.update(errors.headers_of(exception))
    return response


def sign_page(request: PageRequest, problem: errors.Problem, form_values: Mapping[str, Sequence[Any]]) -> Response[str]:
    """Show the act that an official must sign, with a form that repeats the request with the signature.

    With htmx it replaces the whole body.
    """
    fields = [(name, str(value)) for name, values in form_values.items() if name != "signed" for value in values]
    sign = problem.sign
    act_text = "" if sign is None else msgspec.json.format(sign.act, indent=2)
    context = {"problem": problem, "sign": sign, "told": act_text, "fields": fields, "address": request.url.path}
    response = render_page(request, "http/sign.html", context, problem.status)
    if is_htmx(request):
        response.headers.update({"HX-Retarget": "body", "HX-Reswap": "innerHTML"})
    return response


EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = dict.fromkeys(
    (HTTPException, Exception, *JOINED.refusals), answer_exception
)
