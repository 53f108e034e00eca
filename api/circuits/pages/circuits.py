"""Public pages of circuits: the list, standings with events and final, and the record."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.circuits.pages.addresses import path_of_key
from api.circuits.pages.forms import CIRCUIT, OF_A_CIRCUIT, USUAL, CircuitForm, table_rows, term_rows, tie_rows
from api.circuits.pages.words import page_texts
from api.circuits.schemas import CircuitShown
from api.circuits.service import CircuitService, provide_circuits
from api.http.form_pages import forms_of, handle_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.limits import CREATES
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from domain.circuits.plan import CircuitPlan
from projections.platform.paging import LIMIT

NEW: Final = CircuitPlan(name="-", table=(USUAL,))
"""The plan that the form of a new circuit proposes, without a name."""


def circuit_path(circuit_id: UUID) -> str:
    """Return the path of a circuit."""
    return f"/circuits/{circuit_id}"


def plan_fields(plan: CircuitPlan, *, is_new: bool) -> dict[str, Any]:
    """Return the values that the form of a plan shows."""
    return {
        "own": plan,
        "is_new": is_new,
        "table_rows": table_rows(plan),
        "term_rows": term_rows(plan),
        "tie_rows": tie_rows(plan),
        **page_texts(),
    }


@get("/")
async def circuits_page(
    request: PageRequest, circuits: NamedDependency[CircuitService], before: Before = None, limit: Limit = LIMIT
) -> Response[Any]:
    """List circuits, latest first, with a form to open one."""
    return await show_circuits(request, circuits, limit, before)


async def show_circuits(
    request: PageRequest, circuits: CircuitService, limit: int = LIMIT, before: int | None = None
) -> Response[Any]:
    """Render the list of circuits."""
    found = await circuits.list(limit, before)
    context = {"circuits": found.items, "next": found.next, "limit": limit, "forms": forms_of(request, CIRCUIT)}
    return render_page(request, "circuits/circuits.html", context | plan_fields(NEW, is_new=True))


@post("/", guards=[requires_person], opt=CREATES)
async def open_circuit(
    request: PageRequest, circuits: NamedDependency[CircuitService], ids: NamedDependency[Ids]
) -> Response[Any]:
    """Open a circuit and redirect to it; a rejected form is shown again. Refused with `CircuitRefused`."""

    async def do(form: CircuitForm) -> Response[Any]:
        stream = await circuits.open(form.plan(), ids, None)
        return redirect_after_form(circuit_path(stream.id), request)

    return await handle_form(request, CIRCUIT, do, lambda: show_circuits(request, circuits))


@get("/{circuit_id:uuid}")
async def circuit_page(
    request: PageRequest,
    circuit_id: FromPath[UUID],
    circuits: NamedDependency[CircuitService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show a circuit: standings, events, final, and the organiser's forms; `before` is the number of rows skipped.

    Raise `NoSuchStream` if it is unknown.
    """
    return await render_circuit(request, circuits, circuit_id, limit, before)


async def render_circuit(
    request: PageRequest, circuits: CircuitService, circuit_id: UUID, limit: int = LIMIT, before: int | None = None
) -> Response[Any]:
    """Render the page of a circuit; raise `NoSuchStream` if it is unknown."""
    shown, first = await circuits.show(circuit_id), before or 0
    own = circuits.caller.person.id if circuits.caller.person else ""
    is_organiser = await circuits.is_organiser(circuit_id)
    rest = first + limit
    context = {
        "shown": shown,
        "own": own,
        "lines": shown.standings[first:rest],
        "next": rest if rest < len(shown.standings) else None,
        "limit": limit,
        "is_organiser": is_organiser,
        "is_invited": is_invited(shown, own),
        "forms": forms_of(request, *OF_A_CIRCUIT),
        "candidates": [
            (path_of_key(each.key), each.name, each.key.kind)
            for each in (await circuits.candidates() if is_organiser else ())
            if each.key.id != circuit_id
        ],
        "final_path": "" if shown.final is None else page_texts()["path_in_form"](shown.final.contest),
        **page_texts(),
    }
    return render_page(request, "circuits/circuit.html", context)


def is_invited(shown: CircuitShown, person: str) -> bool:
    """Return whether a person still has to answer an invitation to the final."""
    places = shown.final.places if shown.final else ()
    return any(each.player.id == person and each.answer == "invited" for each in places)


@get("/{circuit_id:uuid}/record")
async def record_page(
    request: PageRequest,
    circuit_id: FromPath[UUID],
    circuits: NamedDependency[CircuitService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show the acts of the organisers and of the service with their reasons; raise `NoSuchStream` if unknown."""
    stream = await circuits.stream(circuit_id)
    acts = await circuits.record(circuit_id, limit, before)
    context = {"plan": stream.state.plan, "path": circuit_path(circuit_id), "acts": acts, "limit": limit}
    return render_page(request, "circuits/record.html", context | page_texts())


HANDLERS: Final = (
    Router(
        "/circuits",
        route_handlers=[circuits_page, open_circuit, circuit_page, record_page],
        dependencies={"circuits": Provide(provide_circuits, sync_to_thread=False)},
    ),
)
