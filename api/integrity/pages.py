"""Pages of the integrity screen: statistics with comparisons and their limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.http.guards import requires_person
from api.http.languages import _, format_number
from api.http.page_responses import PageRequest, render_page
from api.integrity.schemas import FiguresShown
from api.integrity.service import IntegrityService, provide_integrity
from api.matches.pages.terms import describe_clock
from api.roles import scopes
from api.roles.grants import has_role_in
from api.roles.service import roles_for
from domain.integrity.base_rates import Measure
from domain.integrity.pairs import HUNDREDTHS
from domain.kernel.messages import N_
from domain.roles.state import EVERYWHERE, Roles

ARBITERS: Final = frozenset({"arbiter", "head_arbiter"})
MEASURE_WORDS: Final[Mapping[Measure, str]] = {
    "median": N_("typical time per decision"),
    "spread": N_("spread of the times"),
    "quick": N_("under a second with many options"),
    "fit": N_("longer when there were more options"),
    "gain": N_("the other's results against third players"),
    "loss": N_("own results against third players (higher is worse)"),
    "before": N_("the other's results against the first"),
    "left": N_("the first left and the other won"),
    "swaps": N_("finished ahead in turns"),
    "together": N_("met at tables they chose themselves"),
    "best": N_("played the best move"),
    "good": N_("played the best or a good move"),
    "lost": N_("chance to win lost per decision"),
}


def format_seconds(value: int) -> str:
    """Format milliseconds as seconds."""
    return _("{seconds} s", seconds=format_number(round(value / 1_000, 1)))


def format_share(value: int) -> str:
    """Format per mille as percent."""
    return _("{share} %", share=format_number(round(value / 10, 1)))


def format_chance(value: int) -> str:
    """Format ten-thousandths as percent."""
    return _("{share} %", share=format_number(round(value / 100, 2)))


def format_deviations(value: int) -> str:
    """Format hundredths as standard deviations."""
    sign = "+" if value >= 0 else "\N{MINUS SIGN}"
    return _("{deviations} standard deviations", deviations=sign + format_number(abs(value) / HUNDREDTHS))


VALUES: Final[Mapping[Measure, Callable[[int], str]]] = {
    "median": format_seconds,
    "spread": format_share,
    "quick": format_share,
    "fit": format_share,
    "left": format_share,
    "best": format_share,
    "good": format_share,
    "lost": format_chance,
}
"""Formats of figures that are not deviations from an expectation."""


def format_value(measure: Measure, value: int) -> str:
    """Return a figure in its unit."""
    return VALUES.get(measure, format_deviations)(value)


def own_scopes(roles: Roles, person: str) -> tuple[str, ...]:
    """Return the events that a person arbitrates by a specific role, latest last."""
    found = (
        grant.scope
        for grant in roles.grants
        if grant.person == person and grant.role in ARBITERS and grant.scope != EVERYWHERE
    )
    return tuple(dict.fromkeys(found))


def context_of(figures: FiguresShown) -> dict[str, Any]:
    """Return the context of the templates."""
    return {"shown": figures, "measure_words": MEASURE_WORDS, "value_told": format_value, "clock_words": describe_clock}


@get("/desk/integrity", guards=[requires_person])
async def integrity_page(
    request: PageRequest, integrity: NamedDependency[IntegrityService], event: FromQuery[UUID | None] = None
) -> Response[str]:
    """Show statistics of an event's players to its arbiters, or of everyone to arbiters of the service.

    Without `event`, arbiters of events see the latest of theirs. The access is recorded. Raise `RoleMissing` for
    others, `ConflictOfInterest` for players of the event.
    """
    caller = integrity.caller
    roles = await roles_for(integrity.tables.writer, caller, event)
    is_whole = has_role_in(roles, caller, "arbiter")
    scope_ids = own_scopes(roles, caller.actor)
    if event is None and scope_ids and not is_whole:
        event = UUID(scope_ids[-1])
    figures = await integrity.figures(event)
    newest = await integrity.tables.writer.read_model(scopes.newest_scopes) if is_whole else ()
    scope_names = await scopes.load_scope_names(integrity.tables.writer, (*scope_ids, *newest, figures.event or ""))
    context = {"is_whole": is_whole, "offered": tuple(scope_names.values()), "events": scope_names}
    return render_page(request, "integrity/integrity.html", context | context_of(figures))


@get("/desk/integrity/people/{name:str}", guards=[requires_person])
async def person_page(
    request: PageRequest,
    name: FromPath[str],
    integrity: NamedDependency[IntegrityService],
    event: FromQuery[UUID | None] = None,
) -> Response[str]:
    """Show the statistics of a person, limited to the event if given. The access is recorded.

    Raise `RoleMissing`, `ConflictOfInterest` (also for oneself) or `NoSuchPerson`.
    """
    figures = await integrity.figures_of_person(event, name)
    person = integrity.accounts.get_by_id_or_name(name)
    return render_page(request, "integrity/person.html", context_of(figures) | {"player": person})


@get("/desk/integrity/tables/{match_id:uuid}", guards=[requires_person])
async def match_page(
    request: PageRequest, match_id: FromPath[UUID], integrity: NamedDependency[IntegrityService]
) -> Response[str]:
    """Show the statistics of a match's original players and their thinking times. The access is recorded.

    Raise `RoleMissing` unless the reader is an arbiter, `ConflictOfInterest` for players of the match or event.
    """
    figures = await integrity.figures(match_id=match_id)
    return render_page(request, "integrity/match.html", context_of(figures) | {"match_id": match_id})


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[integrity_page, person_page, match_page],
        dependencies={"integrity": Provide(provide_integrity, sync_to_thread=False)},
    ),
)
