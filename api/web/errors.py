"""Refusals on the wire: one table from domain exception to status and stable code; RFC 9457 problem documents."""

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

from api.accounts.access import NoSuchSession, NoSuchToken, SignInTooOld, TooManyTokens
from api.accounts.names import BadName, BlankName, MixedName, NameAlike, NameTaken, ReservedName
from api.accounts.people import BadPassword, BotRefused, NoGuest, WrongCredentials
from api.accounts.provider import NoProvider, ProviderAway, ProviderRefused
from api.accounts.reaching import Blocked, OwnBlock
from api.accounts.ways import (
    IdentityTaken,
    LastWayIn,
    NoSuchIdentity,
    NoSuchPasskey,
    NotBegun,
    PasskeyRefused,
    PasskeyWrong,
)
from api.archive.errors import NothingExplored, SearchRefused
from api.matches.commits import HAS_STORED
from api.matches.invitations import InvitationRefused, InvitationUnknown
from api.notifications.errors import BadAddress, BadDevice, BadToken, TooManyLetters
from api.titles.errors import NoSuchPiece
from api.transparency.errors import NoSuchTile, NotCovered, NothingSigned, TreeDiffers
from api.web.asking import Unconfirmed
from api.web.guards import ScopeMissing
from domain import talk
from domain.analyses.report import NotAnalysed
from domain.disputes import errors as disputes
from domain.eventstore.retry import NoStore, OutcomeUnknown
from domain.kernel.messages import N_
from domain.kernel.rules import IllegalAction, MissingComponents, UnknownOption
from domain.kernel.texts import ONE_LINE
from domain.leagues.plan import LeagueRefused
from domain.lessons.errors import NoSuchLesson, NotInLesson
from domain.matches import errors as match
from domain.notifications.endpoints import EndpointRefused
from domain.ratings import errors as ratings
from domain.ratings.model import NoSuchRanking
from domain.roles import errors as roles
from domain.standings.errors import ImportRefused, PlacesContradict, WrongResult
from domain.studies import errors as studies
from domain.tournaments import errors as tournaments
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
    """The act an official signs, over a stream at its newest version, whose digest is `head` (`docs/signatures.md`)."""

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


REFUSALS: Final[Mapping[type[Exception], tuple[int, str]]] = {
    WhetherDone: (503, "service/outcome_unknown"),
    NotAnalysed: (409, "analysis/not_possible"),
    BadName: (400, "account/bad_name"),
    BlankName: (400, "account/name_blank"),
    MixedName: (400, "account/name_mixed"),
    ReservedName: (400, "account/name_reserved"),
    BadPassword: (400, "account/bad_password"),
    NoSuchLesson: (404, "lesson/unknown"),
    NotInLesson: (409, "lesson/not_now"),
    NameTaken: (409, "account/name_taken"),
    NameAlike: (409, "account/name_alike"),
    WrongCredentials: (401, "account/wrong_credentials"),
    BotRefused: (409, "account/no_bot"),
    NoGuest: (409, "account/no_guest"),
    Blocked: (403, "person/blocked"),
    OwnBlock: (409, "person/own_block"),
    SignInTooOld: (403, "account/sign_in_again"),
    NotBegun: (409, "account/not_begun"),
    LastWayIn: (409, "account/last_way_in"),
    PasskeyWrong: (401, "passkey/wrong"),
    PasskeyRefused: (422, "passkey/refused"),
    NoSuchPasskey: (404, "passkey/unknown"),
    NoProvider: (404, "path/unknown"),
    ProviderAway: (503, "provider/away"),
    ProviderRefused: (401, "provider/refused"),
    BadAddress: (422, "mail/bad_address"),
    TooManyLetters: (429, "mail/too_many_letters"),
    BadToken: (404, "mail/bad_link"),
    EndpointRefused: (422, "push/endpoint_refused"),
    BadDevice: (422, "push/bad_device"),
    IdentityTaken: (409, "identity/taken"),
    NoSuchIdentity: (404, "identity/unknown"),
    NoSuchSession: (404, "session/unknown"),
    TooManyTokens: (409, "token/too_many"),
    NoSuchToken: (404, "token/unknown"),
    NoSuchTile: (404, "tile/unknown"),
    NothingSigned: (404, "checkpoint/unknown"),
    NotCovered: (503, "checkpoint/behind"),
    TreeDiffers: (503, "tree/differs"),
    ScopeMissing: (403, "token/scope_missing"),
    Unconfirmed: (409, "request/unconfirmed"),
    NoSuchRanking: (404, "ranking/unknown"),
    SearchRefused: (400, "archive/search"),
    NothingExplored: (404, "explorer/unknown"),
    match.TooManyListed: (409, "table/too_many_listed"),
    match.TooManyBotTables: (409, "seat/too_many_bot_tables"),
    match.TooManyTablesWithBots: (409, "seat/too_many_tables_with_bots"),
    ratings.GuestUnrated: (403, "rated/guest"),
    ratings.ProgramUnwelcome: (403, "seat/no_bots"),
    ratings.EventWithoutPrograms: (409, "event/no_bots"),
    ratings.LeavesTooOften: (403, "seat/leaves_too_often"),
    ratings.LiveTableTaken: (409, "rated/live_table"),
    ratings.RatedWithoutClock: (422, "rated/no_clock"),
    ratings.TooManyRated: (409, "rated/too_many"),
    LeagueRefused: (409, "league/refused"),
    IllegalAction: (422, "action/illegal"),
    MissingComponents: (422, "components/missing"),
    UnknownOption: (422, "option/unknown"),
    tournaments.EnteredAlready: (409, "tournament/entered_already"),
    tournaments.TournamentRefused: (409, "tournament/refused"),
    ImportRefused: (422, "tournament/import_refused"),
    tournaments.NoSuchEntry: (404, "tournament/entry_unknown"),
    tournaments.NoSuchRound: (404, "tournament/round_unknown"),
    tournaments.PlanRefused: (422, "tournament/plan_refused"),
    tournaments.WrongCode: (403, "tournament/wrong_code"),
    tournaments.CodeLocked: (429, "tournament/code_locked"),
    tournaments.PhotoUnreadable: (422, "photo/unreadable"),
    tournaments.PhotoTooLarge: (413, "photo/too_large"),
    tournaments.PhotoRefused: (409, "photo/refused"),
    tournaments.NotYourPhoto: (403, "photo/not_yours"),
    tournaments.NoSuchPhoto: (404, "photo/unknown"),
    WrongResult: (422, "tournament/wrong_result"),
    PlacesContradict: (422, "tournament/places_contradict"),
    disputes.AppealRefused: (409, "appeal/refused"),
    disputes.ArbiterPlays: (403, "arbiter/plays"),
    disputes.CallRefused: (409, "call/refused"),
    disputes.CommitteeRefused: (422, "committee/refused"),
    disputes.VoteRefused: (409, "vote/refused"),
    disputes.DisputeRefused: (422, "dispute/refused"),
    disputes.DisputeSettled: (409, "dispute/settled"),
    studies.IllegalVariation: (422, "variation/illegal"),
    studies.NotYourStudy: (403, "study/not_yours"),
    studies.StudyClosed: (403, "study/closed"),
    studies.StudyExists: (409, "study/exists"),
    studies.StudyRefused: (422, "study/refused"),
    studies.WrongMatch: (409, "study/wrong_match"),
    InvitationRefused: (409, "invitation/refused"),
    InvitationUnknown: (404, "invitation/unknown"),
    talk.TalkRefused: (422, "talk/refused"),
    talk.SaidAlready: (409, "talk/said_already"),
    talk.TalkOff: (409, "talk/off"),
    talk.NotInRoom: (403, "talk/not_yours"),
    talk.NoSuchMessage: (404, "talk/message_unknown"),
    disputes.NotAParty: (403, "dispute/not_a_party"),
    roles.ConflictOfInterest: (403, "role/plays"),
    roles.NoSuchPerson: (404, "person/unknown"),
    roles.RatedWithoutOrganiser: (403, "rated/not_organiser"),
    roles.RoleMissing: (403, "role/missing"),
    roles.RoleRefused: (403, "role/refused"),
    match.AlreadySeated: (409, "seat/seated_already"),
    match.ForkRefused: (422, "fork/refused"),
    match.ForkTooDeep: (422, "fork/too_deep"),
    match.ImportRefused: (409, "log/refused"),
    match.LogFault: (422, "log/false"),
    match.MatchExists: (409, "match/exists"),
    match.MatchOver: (409, "match/over"),
    match.NoSuchEntry: (404, "entry/unknown"),
    match.NoSuchMatch: (404, "match/unknown"),
    match.NotAllowed: (403, "match/not_allowed"),
    match.NotOpen: (409, "match/not_open"),
    match.NotRunning: (409, "match/not_running"),
    match.RulesRetired: (409, "match/rules_retired"),
    match.NoSuchStream: (404, "stream/unknown"),
    match.NotSeated: (403, "seat/not_yours"),
    match.OnlyPlainBot: (409, "seat/plain_bot"),
    match.AbsenceRefused: (409, "absence/refused"),
    match.PauseRefused: (409, "pause/refused"),
    match.ResignRefused: (409, "resign/refused"),
    match.RulingRefused: (422, "ruling/refused"),
    match.SeatReserved: (403, "seat/reserved"),
    match.SeatTakenAlready: (409, "seat/taken"),
    match.Tampered: (503, "log/tampered"),
    match.StaleVersion: (409, "match/stale"),
    match.HintsRefused: (409, "hints/refused"),
    match.HintsNeedBots: (409, "hints/needs_bots"),
    match.OneDeviceRefused: (409, "table/one_device"),
    match.NotHeld: (409, "seat/not_held"),
    match.TakeBackRefused: (409, "take_back/refused"),
    match.TimeOutRefused: (409, "time_out/refused"),
    match.BotCannotPlay: (422, "bot/cannot_play"),
    match.UnknownActor: (422, "actor/unknown"),
    match.UnknownSeat: (422, "seat/unknown"),
    match.UnknownTitle: (422, "title/unknown"),
    NoSuchPiece: (404, "piece/unknown"),
    match.WrongSeatCount: (422, "seats/wrong_count"),
    match.WrongShare: (422, "share/wrong"),
    match.BadSignature: (422, "signature/wrong"),
    match.SignatureMissing: (422, "signature/missing"),
    match.KeyOfProgram: (403, "key/of_program"),
    match.NoSuchKey: (404, "key/unknown"),
    match.OrderUnsigned: (422, "signature/order"),
}
"""What the domain refuses: the status and the code it has on the wire."""

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
    status, code = REFUSALS.get(type(refusal)) or (500, CODES[500])
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
    rows = sorted({*REFUSALS.values(), *CODES.items()}, key=str)
    codes = "\n".join(f"- `{code}` ({status})" for status, code in rows)
    return f"Refusals are problem documents (RFC 9457) with a stable `code`:\n\n{codes}"


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals a route documents, with the one that all have: a token that is not good for it."""
    return {
        status: ResponseSpec(Problem, description=TITLES[status], media_type=PROBLEM_TYPE, generate_examples=False)
        for status in sorted({*statuses, 403})
    }
