"""Errors of the API: exceptions mapped to status and stable code, as RFC 9457 problem documents."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import structlog
from litestar import Request, Response
from litestar.enums import ParamType
from litestar.exceptions import HTTPException, ServiceUnavailableException, ValidationException
from litestar.openapi.datastructures import ResponseSpec

from api.http.confirmation import Unconfirmed
from api.http.guards import ScopeMissing
from api.http.refusal_tables import Refusals
from api.http.stored_flag import HAS_STORED
from domain.eventstore.retry import OutcomeUnknown, StoreUnavailable
from domain.kernel.messages import N_
from domain.kernel.texts import ONE_LINE
from domain.matches import errors as match
from projections.platform.database import ChangeUnknown, DatabaseUnavailable
from projections.platform.telemetry.logs import exception_fields
from projections.platform.telemetry.requests import urn_of_request

DETAIL_MAX: Final = 1_000
"""Maximum length of a message that quotes a bad value, which may be megabytes long."""
PROBLEM_TYPE: Final = "application/problem+json"
BODY_PARAMETER: Final = "data"
"""The framework's name for the body of a request."""
NO_LINE: Final = f"Expected `str` matching regex {ONE_LINE!r}"
LINE_EXPECTED: Final = "Expected `str` of one line without control characters and controls of writing direction"
"""Replacement for a pattern that lists the forbidden characters one by one."""
TYPE_PREFIX: Final = "urn:esporles:problem:"

log = structlog.get_logger("requests")


class Fault(msgspec.Struct, frozen=True):
    """One invalid value of a request and its location."""

    path: str
    message: str


class ToSign(msgspec.Struct, frozen=True):
    """The act that an official signs over the latest version of a stream (`docs/specifications/signatures.md`).

    `head` is the digest of that version.
    """

    stream: str
    version: int
    head: str
    act: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error as an RFC 9457 document; `code` is stable, `detail` is a sentence with the bad value."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str = ""
    """The id of the request, which its log lines contain too."""
    errors: tuple[Fault, ...] = ()
    version: int | None = None
    """The current version of the match if the given one is stale."""
    values: dict[str, int | str] = {}
    """Numbers and names in the message."""
    sign: ToSign | None = None
    """The act to sign if the request has no valid signature."""


class RequestOutcomeUnknown(Exception):
    """The outcome of the request is unknown."""


OWN_REFUSALS: Final[Refusals] = {
    RequestOutcomeUnknown: (503, "service/outcome_unknown"),
    ScopeMissing: (403, "token/scope_missing"),
    Unconfirmed: (409, "request/unconfirmed"),
}
"""Errors that belong to no subject."""

_INSTALLED: Final[dict[type[Exception], tuple[int, str]]] = dict(OWN_REFUSALS)


def install_refusals(table: Refusals) -> None:
    """Add these errors to the table of this process; the composition root passes the errors of all subjects."""
    _INSTALLED.update(table)


def refusal_table() -> Refusals:
    """Return the error table of this process."""
    return _INSTALLED


CODES: Final[Mapping[int, str]] = {
    400: "request/malformed",
    401: "caller/unknown",
    403: "caller/forbidden",
    404: "path/unknown",
    405: "method/not_allowed",
    413: "request/too_large",
    415: "request/media_type",
    429: "caller/too_many_requests",
    500: "service/fault",
    503: "service/unavailable",
}
"""Codes of errors raised by the framework."""

TITLES: Final[Mapping[int, str]] = {
    400: N_("Invalid request"),
    401: N_("You are not signed in"),
    403: N_("You do not have permission"),
    404: N_("Not found"),
    405: N_("This is not possible here"),
    409: N_("Not possible right now"),
    413: N_("The request is too large"),
    415: N_("Unsupported format"),
    422: N_("This is not possible"),
    429: N_("Too many requests"),
    500: N_("Something went wrong"),
    503: N_("Temporarily unavailable"),
}


NO_DISK: Final = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
)
"""SQLite result codes of unavailable files; all other codes are faults of the service."""
SQLITE_PRIMARY_MASK: Final = 0xFF
RETRY_AFTER_SECONDS: Final = 2


def is_unavailable(fault: Exception) -> bool:
    """Return whether the disk or a database is unavailable, so that clients retry later."""
    if isinstance(fault, sqlite3.OperationalError):
        return fault.sqlite_errorcode & SQLITE_PRIMARY_MASK in NO_DISK
    return isinstance(fault, (*StoreUnavailable, DatabaseUnavailable))


def is_outcome_unknown(fault: Exception) -> bool:
    """Return whether the request may have been stored: a commit was unconfirmed, or a database went away after one."""
    return isinstance(fault, OutcomeUnknown | ChangeUnknown) or (HAS_STORED.get() and is_unavailable(fault))


def problem_of(refusal: Exception) -> Problem:
    """Return the problem document of an exception; unexpected exceptions (500) reveal no details.

    Unavailable databases become 503, unconfirmed commits `RequestOutcomeUnknown`. The document of `OrderUnsigned` has
    the act to sign.
    """
    status, code = refusal_table().get(type(refusal)) or (500, CODES[500])
    if is_outcome_unknown(refusal):
        return problem_of(
            RequestOutcomeUnknown("the outcome is unknown: check, and send the request again if it was not stored")
        )
    if is_unavailable(refusal):
        status, code = 503, CODES[503]
        refusal = ServiceUnavailableException("the database is unavailable; retry in a moment")
    detail, faults = (str(refusal) if status != 500 else "the error was logged"), tuple[Fault, ...]()
    if isinstance(refusal, HTTPException):
        status, faults = refusal.status_code, _faults(refusal)
        detail = "; ".join(f"{fault.path}: {fault.message}" for fault in faults) or refusal.detail
        code = CODES.get(status, "request/refused")
    title = TITLES.get(status, N_("The request was rejected"))
    type_ = TYPE_PREFIX + code.replace("/", ":")
    version, values = getattr(refusal, "version", None), getattr(refusal, "values", {})
    to_sign = None
    if isinstance(refusal, match.OrderUnsigned):
        to_sign = ToSign(str(refusal.stream), refusal.stream_version, refusal.digest.hex(), refusal.act.decode())
    return Problem(type_, title, status, shorten(detail), code, urn_of_request(), faults, version, values, to_sign)


def shorten(sentence: str) -> str:
    """Return the text, with "…" in place of everything after `DETAIL_MAX` characters."""
    return sentence if len(sentence) <= DETAIL_MAX else f"{sentence[:DETAIL_MAX]}…"


def _faults(refusal: HTTPException) -> tuple[Fault, ...]:
    """Return the invalid values of a validation error; empty for other errors."""
    if not isinstance(refusal, ValidationException) or not isinstance(refusal.extra, list):
        return ()
    return tuple(_fault(extra) for extra in refusal.extra)


def _fault(extra: Mapping[str, Any]) -> Fault:
    """Convert the framework's description of an invalid value, using the parameter name that the client sent."""
    key, message = str(extra.get("key", "")), str(extra.get("message", "")).replace(NO_LINE, LINE_EXPECTED)
    if key == BODY_PARAMETER:
        return Fault("body", "is missing" if message == f"'{BODY_PARAMETER}'" else shorten(message))
    if extra.get("source") == ParamType.HEADER:
        key = key.replace("_", "-").title()
    elif extra.get("source") == ParamType.QUERY:
        first_word, *other_words = key.split("_")
        key = first_word + "".join(map(str.capitalize, other_words))
    return Fault(key, shorten(message))


def log_problem(request: Request[Any, Any, Any], problem: Problem, fault: Exception) -> None:
    """Log a server error (status 500 or more) by its kind and location, without values, which may be secret.

    Tampering with the store is excluded, because its detection logs it.
    """
    if problem.status >= 500 and not isinstance(fault, match.Tampered):
        route = request.scope.get("path_template", "")
        log.error("internal error", method=request.method, route=route, **exception_fields(fault))


def answer_exception(request: Request[Any, Any, Any], refusal: Exception) -> Response[Problem]:
    """Return the problem document as response to a request that raised an exception; server errors are logged."""
    problem = problem_of(refusal)
    log_problem(request, problem, refusal)
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    headers |= headers_of(refusal)
    return Response(problem, status_code=problem.status, media_type=PROBLEM_TYPE, headers=headers)


def headers_of(refusal: Exception) -> dict[str, str]:
    """Return the response headers of an error: `Allow` and `Retry-After`."""
    if is_unavailable(refusal):
        return {"Retry-After": str(RETRY_AFTER_SECONDS)}
    found = (refusal.headers or {}) if isinstance(refusal, HTTPException) else {}
    return {name: value for name, value in found.items() if name.lower() in {"allow", "retry-after"}}


def describe_refusals() -> str:
    """Return a sorted Markdown list of all error codes with their statuses for the OpenAPI document."""
    rows = sorted({*refusal_table().values(), *CODES.items()}, key=str)
    codes = "\n".join(f"- `{code}` ({status})" for status, code in rows)
    return f"Refusals are problem documents (RFC 9457) with a stable `code`:\n\n{codes}"


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """Return the documented error responses of a route by status; 403 is always included."""
    return {
        status: ResponseSpec(Problem, description=TITLES[status], media_type=PROBLEM_TYPE, generate_examples=False)
        for status in sorted({*statuses, 403})
    }
