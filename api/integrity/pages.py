"""Pages of the integrity screen: figures in words, with what they stand beside and what they do not prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.http.browser import PageRequest, page
from api.http.guards import requires_person
from api.http.languages import _, number
from api.integrity.service import IntegrityService, provide_integrity
from api.integrity.wire import FiguresShown
from api.matches.pages.terms import clock_words
from api.roles import scopes
from api.roles.grants import holds_in
from api.roles.service import roles_for
from domain.integrity.base import Measure
from domain.integrity.company import HUNDREDTHS
from domain.kernel.messages import N_
from domain.roles.state import EVERYWHERE, Roles

ARBITERS: Final = frozenset({"arbiter", "head_arbiter"})
MEASURE_WORDS: Final[Mapping[Measure, str]] = {
    "median": N_("usual time of a decision"),
    "spread": N_("how far the times lie apart"),
    "quick": N_("under a second among many choices"),
    "fit": N_("more choices took longer"),
    "gain": N_("the other's duels with third players"),
    "loss": N_("own duels with third players, worse counted up"),
    "before": N_("the other's duels with the first"),
    "left": N_("the first left and the other won"),
    "swaps": N_("who was ahead changed from match to match"),
    "together": N_("met at tables of their own choice"),
    "best": N_("played the best choice"),
    "good": N_("played the best or a good choice"),
    "lost": N_("chance to win lost per decision"),
}


def seconds_told(value: int) -> str:
    return _("{seconds} s", seconds=number(round(value / 1_000, 1)))


def share_told(value: int) -> str:
    return _("{share} %", share=number(round(value / 10, 1)))


def chance_told(value: int) -> str:
    return _("{share} %", share=number(round(value / 100, 2)))


def deviations_told(value: int) -> str:
    sign = "+" if value >= 0 else "\N{MINUS SIGN}"
    return _("{deviations} standard deviations", deviations=sign + number(abs(value) / HUNDREDTHS))


VALUES: Final[Mapping[Measure, Callable[[int], str]]] = {
    "median": seconds_told,
    "spread": share_told,
    "quick": share_told,
    "fit": share_told,
    "left": share_told,
    "best": share_told,
    "good": share_told,
    "lost": chance_told,
}
"""How figures are said that are no deviations from what was expected."""


def value_told(measure: Measure, value: int) -> str:
    """A figure in its unit."""
    return VALUES.get(measure, deviations_told)(value)


def own_scopes(known: Roles, person: str) -> tuple[str, ...]:
    """The events that somebody arbitrates by a role for them, the newest last."""
    found = (g.scope for g in known.grants if g.person == person and g.role in ARBITERS and g.scope != EVERYWHERE)
    return tuple(dict.fromkeys(found))


def context_of(shown: FiguresShown) -> dict[str, Any]:
    return {"shown": shown, "measure_words": MEASURE_WORDS, "value_told": value_told, "clock_words": clock_words}


@get("/desk/integrity", guards=[requires_person])
async def integrity_page(
    request: PageRequest, integrity: NamedDependency[IntegrityService], event: FromQuery[UUID | None] = None
) -> Response[str]:
    """The figures of an event's people for its arbiters, of everybody for those of the house. That they were looked at
    is recorded."""
    known, caller = await roles_for(integrity.tables.writer, integrity.caller), integrity.caller
    is_whole = holds_in(known, caller, "arbiter")
    own = own_scopes(known, caller.actor)
    if event is None and own and not is_whole:
        event = UUID(own[-1])
    shown = await integrity.figures(event)
    newest = await integrity.tables.writer.read_model(scopes.newest) if is_whole else ()
    offered = await scopes.names(integrity.tables.writer, (*own, *newest, shown.event or ""))
    context = {"is_whole": is_whole, "offered": tuple(offered.values()), "events": offered}
    return page(request, "integrity/integrity.html", context | context_of(shown))


@get("/desk/integrity/people/{name:str}", guards=[requires_person])
async def person_page(
    request: PageRequest,
    name: FromPath[str],
    integrity: NamedDependency[IntegrityService],
    event: FromQuery[UUID | None] = None,
) -> Response[str]:
    """The figures of somebody, as far as they are known of the reader's event. That they were looked at is recorded."""
    shown = await integrity.named(event, name)
    person = integrity.accounts.named(name)
    return page(request, "integrity/person.html", context_of(shown) | {"player": person})


@get("/desk/integrity/tables/{match_id:uuid}", guards=[requires_person])
async def match_page(
    request: PageRequest, match_id: FromPath[UUID], integrity: NamedDependency[IntegrityService]
) -> Response[str]:
    """The figures of those who began a match, and their times in it. That they were looked at is recorded."""
    shown = await integrity.figures(match_id=match_id)
    return page(request, "integrity/match.html", context_of(shown) | {"match_id": match_id})


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[integrity_page, person_page, match_page],
        dependencies={"integrity": Provide(provide_integrity, sync_to_thread=False)},
    ),
)
