"""Forms of a circuit's organiser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide

from api.circuits.pages.addresses import parse_address
from api.circuits.pages.circuits import circuit_path, plan_fields, render_circuit
from api.circuits.pages.forms import (
    CIRCUIT,
    CONTEST,
    FINAL,
    SETTLE,
    WITHDRAWAL,
    AddContestForm,
    CircuitForm,
    ContestForm,
    WithdrawalForm,
)
from api.circuits.schemas import AddContest, SettleStandings
from api.circuits.service import OrganisedCircuit, provide_circuit, provide_circuits
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, EmptyForm, Form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_page

F = TypeVar("F", bound=msgspec.Struct)


async def handle_circuit_form(
    request: PageRequest, circuit: OrganisedCircuit, form: Form[F], do: Callable[[F], Awaitable[Any]]
) -> Response[Any]:
    """Run `do` with a form of the page of a circuit and redirect there, or show the page again with the errors."""

    async def act(data: F) -> Response[Any]:
        await do(data)
        return redirect_after_form(circuit_path(circuit.id), request)

    return await handle_form(request, form, act, lambda: render_circuit(request, circuit.service, circuit.id))


@get("/plan")
async def plan_page(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Show the form that changes the plan."""
    return await show_plan(request, circuit)


async def show_plan(request: PageRequest, circuit: OrganisedCircuit) -> Response[Any]:
    """Render the form of the plan."""
    state = (await circuit.service.stream(circuit.id)).state
    context = {"circuit": state, "path": circuit_path(circuit.id), "forms": forms_of(request, CIRCUIT)}
    return render_page(request, "circuits/plan.html", context | plan_fields(state.plan, is_new=False))


@post("/plan")
async def change_plan(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Change the plan and show the circuit; refused as `OrganisedCircuit.change_plan`."""

    async def do(form: CircuitForm) -> Response[Any]:
        await circuit.change_plan(form.plan(), form.reason)
        return redirect_after_form(circuit_path(circuit.id), request)

    return await handle_form(request, CIRCUIT, do, lambda: show_plan(request, circuit))


@post("/desk/contests")
async def add_contest(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Let a contest count; refused as `OrganisedCircuit.add_contest`."""

    async def do(form: AddContestForm) -> None:
        await circuit.add_contest(AddContest(form.needed_key, form.weight))

    return await handle_circuit_form(request, circuit, CONTEST, do)


@post("/desk/withdrawal")
async def withdraw_contest(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Let a contest no longer count; refused as `OrganisedCircuit.withdraw_contest`."""

    async def do(form: WithdrawalForm) -> None:
        await circuit.withdraw_contest(parse_address(form.contest, "contest"), form.reason)

    return await handle_circuit_form(request, circuit, WITHDRAWAL, do)


@post("/desk/final")
async def name_final(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Name the final, or take it back without one; refused as `OrganisedCircuit.name_final`."""

    async def do(form: ContestForm) -> None:
        await circuit.name_final(form.key)

    return await handle_circuit_form(request, circuit, FINAL, do)


@post("/desk/standings")
async def settle(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Make the standings official, or correct them; refused as `OrganisedCircuit.settle`."""

    async def do(form: SettleStandings) -> None:
        await circuit.settle(form.reason)

    return await handle_circuit_form(request, circuit, SETTLE, do)


@post("/desk/invitations")
async def invite(request: PageRequest, circuit: NamedDependency[OrganisedCircuit]) -> Response[Any]:
    """Invite all qualified people to the final; refused as `OrganisedCircuit.invite`."""

    async def do(_: EmptyForm) -> None:
        await circuit.invite()

    return await handle_circuit_form(request, circuit, BUTTON, do)


HANDLERS: Final = (
    Router(
        "/circuits/{circuit_id:uuid}",
        route_handlers=[plan_page, change_plan, add_contest, withdraw_contest, name_final, settle, invite],
        guards=[requires_person],
        dependencies={
            "circuits": Provide(provide_circuits, sync_to_thread=False),
            "circuit": Provide(provide_circuit),
        },
    ),
)
