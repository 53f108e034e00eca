"""Pages of disputes: list, dispute, what-ifs, ruling and appeal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.disputes.forms import ANNOUNCE, APPEAL, COMMITTEE, HAND_OVER, MOTION, RAISE, RULING, VOTE, WHAT_IF, RulingForm
from api.disputes.queue import REASONS
from api.disputes.queue_pages import HANDLERS as OF_ARBITERS
from api.disputes.schemas import (
    AppealRuling,
    GiveRuling,
    MakeWhatIf,
    RaiseDispute,
)
from api.disputes.service import DisputeOfCaller, DisputeService, provide_dispute, provide_disputes
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, EmptyForm, Form, sent_fields, sent_number
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.inputs import MaybeNumber
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from api.matches.pages.positions import draw_board, perspectives, seat_names
from api.matches.pages.replay_forking import ME
from api.matches.pages.replay_position import SHOW_REPLAY, RequestedPosition
from api.roles import scopes
from api.roles.grants import has_role_in, roles_of
from api.roles.service import roles_for
from api.titles.sentences import with_names
from domain.disputes.words import describe_measure
from domain.matches.aggregate import view
from projections.platform.clock import now
from projections.platform.paging import LIMIT

F = TypeVar("F", bound=msgspec.Struct)


def dispute_path(dispute_id: UUID) -> str:
    """Return the path of a dispute."""
    return f"/disputes/{dispute_id}"


@get("/disputes")
async def disputes_page(
    request: PageRequest, disputes: NamedDependency[DisputeService], before: Before = None, limit: Limit = LIMIT
) -> Response[str]:
    """List disputes of the reader's matches, and of events where they have a role, waiting ones first.

    Arbiters and organisers of the whole service see all.
    """
    roles = roles_of(await roles_for(disputes.tables.writer, disputes.caller), disputes.caller)
    found = await disputes.list(limit=limit, before=before)
    context = {
        "disputes": found.items,
        "next": found.next,
        "limit": limit,
        "roles": roles,
        "events": await scopes.load_scope_names(disputes.tables.writer, (each.event or "" for each in found.items)),
    }
    return render_page(request, "disputes/disputes.html", context)


@post("/tables/{match_id:uuid}/disputes", status_code=200)
async def raise_dispute(
    request: PageRequest,
    match_id: FromPath[UUID],
    disputes: NamedDependency[DisputeService],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """Raise a dispute about the entry shown, and redirect to it; a rejected form shows the replay again.

    Refused with `NotAParty` for others than players, `DisputeRefused` as `raise_dispute`.
    """

    async def do(form: RaiseDispute) -> Response[Any]:
        dispute = await disputes.raise_dispute(match_id, ids.new(), form)
        return redirect_after_form(dispute_path(dispute.id), request)

    async def again() -> Response[str]:
        form = RequestedPosition(sent_number(await sent_fields(request), "entry"))
        return await SHOW_REPLAY.of(request)(request, match_id, form)

    return await handle_form(request, RAISE, do, again)


@get("/")
async def dispute_page(
    request: PageRequest,
    dispute: NamedDependency[DisputeOfCaller],
    entry: MaybeNumber = None,
    eyes: FromQuery[str] = "all",
    look: FromQuery[bool] = False,
    reasons: FromQuery[str] = "",
) -> Response[str]:
    """Show a dispute; with `look`, and recorded, with the evidence for its arbiter. Raise `NotAParty` for outsiders.

    `eyes`: whose view of the board is shown; `reasons`: name of the template that fills the form of the ruling.
    """
    return await show_dispute(request, dispute, entry, eyes, show_evidence=look, reasons=reasons)


async def show_dispute(
    request: PageRequest,
    dispute: DisputeOfCaller,
    entry: int | None = None,
    eyes: str = "all",
    *,
    show_evidence: bool = False,
    reasons: str = "",
) -> Response[str]:
    """Render the page of a dispute; raise `NotAParty` for outsiders.

    With `show_evidence`, include the evidence if the reader may rule, which is recorded; raise `NoSuchEntry` for an
    unknown `entry` then.
    """
    found, service = await dispute.load(), dispute.service
    match = await service.tables.reading.get(found.dispute.line)
    names = seat_names(match, service.accounts)
    context: dict[str, Any] = {
        "dispute": dispute.encode(found),
        "measures": {recorded.ruling.ruling: recorded.ruling.measures for recorded in found.dispute.rulings},
        "measure_told": lambda measure: with_names(describe_measure(measure), names),
        "forms": forms_of(request, APPEAL, WHAT_IF, RULING, HAND_OVER, MOTION, VOTE, ANNOUNCE, COMMITTEE),
        "official": found.official,
        "match": match,
        "events": await scopes.load_scope_names(service.tables.writer, [found.dispute.event]),
        "names": names,
        "is_arbiter": found.is_arbiter,
        "is_party": dispute.is_party(found),
        "is_organiser": has_role_in(found.roles, service.caller, "organiser", found.dispute.event or None),
        "last": match.version,
        "at": now(),
        "entry": entry or found.dispute.entry,
        "evidence": None,
        "templates": REASONS,
        "begun_reasons": REASONS.get(reasons, ""),
    }
    if show_evidence and found.may_rule:
        context |= await evidence_context(request, dispute, entry, eyes, names)
    return render_page(request, "disputes/dispute.html", context)


async def evidence_context(
    request: PageRequest, dispute: DisputeOfCaller, entry: int | None, eyes: str, names: tuple[str, ...]
) -> dict[str, Any]:
    """Return the view of the chosen seat, the clock record and the audit; the reader's access is recorded.

    Raise the errors of `record_access`, such as `NoSuchEntry`.
    """
    evidence = await dispute.load_evidence(entry)
    position = await dispute.service.tables.reading.get_at(evidence.line, evidence.entry)
    shown_perspectives = perspectives(names, eyes)
    seat = next(each.seat for each in shown_perspectives if each.is_chosen)
    seat_view = await asyncio.to_thread(view, position, seat)
    board = await draw_board(request, position.title, seat_view, names)
    known_to_seat = next(each for each in evidence.knew if each.seat == seat)
    return {
        "evidence": evidence,
        "eyes": shown_perspectives,
        "board": board,
        "legal": known_to_seat.legal_actions,
        "entry": evidence.entry,
    }


async def handle_dispute_form(
    request: PageRequest, dispute: DisputeOfCaller, form: Form[F], do: Callable[[F], Awaitable[None]]
) -> Response[Any]:
    """Handle a form on the page of a dispute, and redirect to it; a rejected form is shown there."""

    async def run_and_redirect(values: F) -> Response[Any]:
        await do(values)
        return redirect_after_form(dispute_path(dispute.id), request)

    return await handle_form(request, form, run_and_redirect, lambda: show_dispute(request, dispute))


@post("/arbiter", status_code=200)
async def take_up(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Assign the dispute to the reader, and redirect to it.

    Refused with `RoleMissing`, `ArbiterPlays`, `ConflictOfInterest` or `DisputeSettled` as `assign`.
    """

    async def do(_: EmptyForm) -> None:
        await dispute.assign_to_caller()

    return await handle_dispute_form(request, dispute, BUTTON, do)


@post("/hand-over", status_code=200)
async def hand_over(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Hand the dispute over to another arbiter."""
    return await handle_dispute_form(request, dispute, HAND_OVER, dispute.hand_over)


@post("/withdrawal", status_code=200)
async def withdraw(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Withdraw the dispute, and redirect to it.

    Refused with `NotAParty` unless the reader raised it, `DisputeSettled` after a ruling.
    """

    async def do(_: EmptyForm) -> None:
        await dispute.withdraw()

    return await handle_dispute_form(request, dispute, BUTTON, do)


@post("/what-ifs", status_code=200)
async def make_what_if(
    request: PageRequest, dispute: NamedDependency[DisputeOfCaller], ids: NamedDependency[Ids]
) -> Response[Any]:
    """Fork a what-if for the dispute; an arbiter with a seat is redirected to its table, others to the dispute.

    Refused with `DisputeSettled`, `ForkRefused` or the errors of a missing right as `fork_what_if`.
    """

    async def do(form: MakeWhatIf) -> Response[Any]:
        new_line, seats = ids.new(), form.seats or None
        await dispute.fork_what_if(form.entry, seats, new_line)
        plays = seats is not None and ME in seats
        return redirect_after_form(f"/tables/{new_line}" if plays else f"{dispute_path(dispute.id)}#what-ifs", request)

    return await handle_form(request, WHAT_IF, do, lambda: show_dispute(request, dispute))


@post("/rulings", status_code=200)
async def give_ruling(
    request: PageRequest, dispute: NamedDependency[DisputeOfCaller], ids: NamedDependency[Ids]
) -> Response[Any]:
    """Give a ruling, and redirect to the dispute; a rejected form is shown there.

    Refused with `RulingRefused`, `DisputeSettled` or the errors of a missing right as `rule_on`.
    """

    async def do(form: RulingForm) -> None:
        ruling = GiveRuling(form.rule, form.reasons, form.measures(), form.decision == "uphold")
        await dispute.rule(ruling, ids.new(), ids.new())

    return await handle_dispute_form(request, dispute, RULING, do)


@post("/appeal", status_code=200)
async def appeal(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Appeal the ruling, and redirect to the dispute.

    Refused with `NotAParty` without a seat at the match, `AppealRefused` without a ruling, after an appeal or too late.
    """

    async def do(form: AppealRuling) -> None:
        await dispute.appeal(form.reason)

    return await handle_dispute_form(request, dispute, APPEAL, do)


ONE: Final = Router(
    "/disputes/{dispute_id:uuid}",
    route_handlers=[dispute_page, take_up, hand_over, withdraw, make_what_if, give_ruling, appeal],
    dependencies={"dispute": Provide(provide_dispute, sync_to_thread=False)},
)
HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[disputes_page, raise_dispute, *OF_ARBITERS, ONE],
        guards=[requires_person],
        dependencies={"disputes": Provide(provide_disputes, sync_to_thread=False)},
    ),
)
