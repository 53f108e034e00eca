"""Refusals on the wire: the table from exception to status and stable code; RFC 9457 problem documents."""

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

from api.http.asking import Unconfirmed
from api.http.guards import ScopeMissing
from api.http.outcomes import HAS_STORED
from api.http.refusal_tables import Refusals
from domain.eventstore.retry import NoStore, OutcomeUnknown
from domain.kernel.messages import N_
from domain.kernel.texts import ONE_LINE
from domain.matches import errors as match
from projections.platform.database import ChangeUnknown, DatabaseAway
from projections.platform.telemetry.logs import told
from projections.platform.telemetry.requests import urn_of_request

DETAIL_MAX: Final = 1_000
"""A sentence that names the bad value names no more of it than this: what was sent may have been megabytes."""
PROBLEM_TYPE: Final = "application/problem+json"
BODY_PARAMETER: Final = "data"
"""How the framework calls the body of a request."""
NO_LINE: Final = f"Expected `str` matching regex {ONE_LINE!r}"
LINE_EXPECTED: Final = "Expected `str` of one line without control characters and controls of writing direction"
"""Stands for the pattern, which names the characters one by one."""
TYPE_PREFIX: Final = "urn:esporles:problem:"

log = structlog.get_logger("requests")


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong with a request, and where."""

    path: str
    message: str


class ToSign(msgspec.Struct, frozen=True):
    """The act an official signs, over a stream at its newest version, whose digest is `head`
    (`docs/specifications/signatures.md`)."""

    stream: str
    version: int
    head: str
    act: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A refusal, as RFC 9457 writes it; `code` is stable, `detail` is a sentence that names the bad value."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str = ""
    """Names the request; the log lines about it hold the same word."""
    errors: tuple[Fault, ...] = ()
    version: int | None = None
    """The present version of the match, where the one that was sent is stale."""
    values: dict[str, int | str] = {}
    """The numbers and names that the refusal is about, where there are some."""
    sign: ToSign | None = None
    """What an official has to sign, where the order came without a signature that fits."""


class WhetherDone(Exception):
    """Nobody knows whether what was asked for is done."""


OWN_REFUSALS: Final[Refusals] = {
    WhetherDone: (503, "service/outcome_unknown"),
    ScopeMissing: (403, "token/scope_missing"),
    Unconfirmed: (409, "request/unconfirmed"),
}
"""The refusals that belong to no subject."""

_INSTALLED: Final[dict[type[Exception], tuple[int, str]]] = dict(OWN_REFUSALS)


def install_refusals(table: Refusals) -> None:
    """Use these refusals in this process; the composition root passes the refusals of all subjects."""
    _INSTALLED.update(table)


def refusals() -> Refusals:
    """Return the refusals that this process uses."""
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
"""The codes of refusals that no rule of ours makes."""

TITLES: Final[Mapping[int, str]] = {
    400: N_("The request cannot be understood"),
    401: N_("You are not signed in"),
    403: N_("You may not do this"),
    404: N_("There is no such thing"),
    405: N_("This cannot be done here"),
    409: N_("This does not fit the present state"),
    413: N_("The request is too large"),
    415: N_("This kind of request is not supported"),
    422: N_("This is not allowed now"),
    429: N_("Too many requests"),
    500: N_("Something is wrong with the service"),
    503: N_("The service cannot do this now"),
}


NO_DISK: Final = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
)
"""What SQLite says where a file cannot be read or written; of everything else we are to blame."""
PRIMARY: Final = 0xFF
AGAIN_SECONDS: Final = 2


def is_away(fault: Exception) -> bool:
    """No disk is left, or a database does not answer: that is told, and when to come again."""
    if isinstance(fault, sqlite3.OperationalError):
        return fault.sqlite_errorcode & PRIMARY in NO_DISK
    return isinstance(fault, (*NoStore, DatabaseAway))


def is_outcome_unknown(fault: Exception) -> bool:
    """Whether what was asked for may have been stored: a database did not say, or went away after something was."""
    return isinstance(fault, OutcomeUnknown | ChangeUnknown) or (HAS_STORED.get() and is_away(fault))


def problem_of(refusal: Exception) -> Problem:
    """The problem document of an exception; what is not a refusal says nothing about itself."""
    status, code = refusals().get(type(refusal)) or (500, CODES[500])
    if is_outcome_unknown(refusal):
        return problem_of(WhetherDone("whether this was done is not known: look, and send it again if it was not"))
    if is_away(refusal):
        status, code = 503, CODES[503]
        refusal = ServiceUnavailableException("nothing can be read or written just now")
    detail, faults = (str(refusal) if status != 500 else "the fault has been noted"), tuple[Fault, ...]()
    if isinstance(refusal, HTTPException):
        status, faults = refusal.status_code, _faults(refusal)
        detail = "; ".join(f"{fault.path}: {fault.message}" for fault in faults) or refusal.detail
        code = CODES.get(status, "request/refused")
    title = TITLES.get(status, N_("The request was refused"))
    type_ = TYPE_PREFIX + code.replace("/", ":")
    version, values = getattr(refusal, "version", None), getattr(refusal, "values", {})
    sign = None
    if isinstance(refusal, match.OrderUnsigned):
        sign = ToSign(str(refusal.stream), refusal.stream_version, refusal.digest.hex(), refusal.act.decode())
    return Problem(type_, title, status, shorten(detail), code, urn_of_request(), faults, version, values, sign)


def shorten(sentence: str) -> str:
    return sentence if len(sentence) <= DETAIL_MAX else f"{sentence[:DETAIL_MAX]}…"


def _faults(refusal: HTTPException) -> tuple[Fault, ...]:
    if not isinstance(refusal, ValidationException) or not isinstance(refusal.extra, list):
        return ()
    return tuple(_fault(extra) for extra in refusal.extra)


def _fault(extra: Mapping[str, Any]) -> Fault:
    """What the framework says of one value, called as it was sent: it names parameters of its handlers."""
    key, message = str(extra.get("key", "")), str(extra.get("message", "")).replace(NO_LINE, LINE_EXPECTED)
    if key == BODY_PARAMETER:
        return Fault("body", "is missing" if message == f"'{BODY_PARAMETER}'" else shorten(message))
    if extra.get("source") == ParamType.HEADER:
        key = key.replace("_", "-").title()
    elif extra.get("source") == ParamType.QUERY:
        first, *others = key.split("_")
        key = first + "".join(map(str.capitalize, others))
    return Fault(key, shorten(message))


def note(request: Request[Any, Any, Any], problem: Problem, fault: Exception) -> None:
    """A fault of ours is logged by its kind and place, without any value: a value may be somebody's secret. What
    somebody did to the store is told once, by whoever found it."""
    if problem.status >= 500 and not isinstance(fault, match.Tampered):
        route = request.scope.get("path_template", "")
        log.error("fault", method=request.method, route=route, **told(fault))


def refuse(request: Request[Any, Any, Any], refusal: Exception) -> Response[Problem]:
    """The answer to a request that was refused, or that met a fault of ours."""
    problem = problem_of(refusal)
    note(request, problem, refusal)
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    headers |= headers_of(refusal)
    return Response(problem, status_code=problem.status, media_type=PROBLEM_TYPE, headers=headers)


def headers_of(refusal: Exception) -> dict[str, str]:
    """What a refusal says beside its words: what can be done at the address, when it is worth trying again."""
    if is_away(refusal):
        return {"Retry-After": str(AGAIN_SECONDS)}
    found = (refusal.headers or {}) if isinstance(refusal, HTTPException) else {}
    return {name: value for name, value in found.items() if name.lower() in {"allow", "retry-after"}}


def describe_refusals() -> str:
    """Every code of a refusal, for the document of the API."""
    rows = sorted({*refusals().values(), *CODES.items()}, key=str)
    codes = "\n".join(f"- `{code}` ({status})" for status, code in rows)
    return f"Refusals are problem documents (RFC 9457) with a stable `code`:\n\n{codes}"


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals a route documents, with the one that all have: a token that is not good for it."""
    return {
        status: ResponseSpec(Problem, description=TITLES[status], media_type=PROBLEM_TYPE, generate_examples=False)
        for status in sorted({*statuses, 403})
    }
