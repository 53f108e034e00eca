"""Pages of appeal committees: members of an event's committee, and forms of members on a dispute's page."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.disputes.committee_schemas import AnnounceDecision, MakeMotion
from api.disputes.forms import ANNOUNCE, COMMITTEE, MOTION, VOTE, CommitteeForm, RulingForm
from api.disputes.pages import handle_dispute_form
from api.disputes.service import DisputeOfCaller, DisputeService, provide_dispute, provide_disputes
from api.http.form_pages import forms_of, handle_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.roles import scopes
from api.roles.service import has_role


@get("/disputes/committees/{event_id:uuid}")
async def committee_page(
    request: PageRequest, event_id: FromPath[UUID], disputes: NamedDependency[DisputeService]
) -> Response[str]:
    """Show the committee of an event, with a form for its organisers; raise `NoSuchStream` for an unknown event."""
    return await show_committee(request, event_id, disputes)


async def show_committee(request: PageRequest, event_id: UUID, disputes: DisputeService) -> Response[str]:
    """Render the committee of an event; raise `NoSuchStream` for an unknown event."""
    committee = await disputes.committee(event_id)
    context: dict[str, Any] = {
        "committee": committee,
        "events": await scopes.load_scope_names(disputes.tables.writer, [str(event_id)]),
        "is_organiser": await has_role(disputes.tables.writer, disputes.caller, "organiser", event_id),
        "forms": forms_of(request, COMMITTEE),
    }
    return render_page(request, "disputes/committee.html", context)


@post("/disputes/committees/{event_id:uuid}", status_code=200)
async def name_committee(
    request: PageRequest, event_id: FromPath[UUID], disputes: NamedDependency[DisputeService]
) -> Response[Any]:
    """Name the committee of an event, and redirect to its page; a rejected form is shown again.

    Refused with `CommitteeRefused` for unfit members, `RoleMissing` or `ConflictOfInterest` if the reader may not.
    """

    async def do(form: CommitteeForm) -> Response[Any]:
        await disputes.name_committee(event_id, form.to_request())
        return redirect_after_form(f"/disputes/committees/{event_id}", request)

    return await handle_form(request, COMMITTEE, do, lambda: show_committee(request, event_id, disputes))


@post("/committee", status_code=200)
async def name_for_dispute(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Name the committee for this appeal, and redirect to the dispute; earlier votes no longer count.

    Refused with `CommitteeRefused`, `DisputeSettled`, `RoleMissing` or `ConflictOfInterest` as `name_appeal_committee`.
    """

    async def do(form: CommitteeForm) -> None:
        await dispute.name_committee(form.to_request())

    return await handle_dispute_form(request, dispute, COMMITTEE, do)


@post("/motions", status_code=200)
async def make_motion(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Propose a ruling to the committee, and redirect to the dispute; a rejected form is shown there.

    Refused with `NotAParty` unless a member, and the other errors of `propose_ruling`.
    """

    async def do(form: RulingForm) -> None:
        await dispute.propose_ruling(MakeMotion(form.rule, form.reasons, form.measures(), form.decision == "uphold"))

    return await handle_dispute_form(request, dispute, MOTION, do)


@post("/votes", status_code=200)
async def cast_vote(request: PageRequest, dispute: NamedDependency[DisputeOfCaller]) -> Response[Any]:
    """Vote for a motion."""
    return await handle_dispute_form(request, dispute, VOTE, dispute.vote)


@post("/decision", status_code=200)
async def announce(
    request: PageRequest, dispute: NamedDependency[DisputeOfCaller], ids: NamedDependency[Ids]
) -> Response[Any]:
    """Announce the decision of the committee as its chair, and redirect to the dispute; it becomes the ruling.

    Refused with `NotAParty` for others, `VoteRefused` without a majority, and the other errors of `announce`.
    """

    async def do(form: AnnounceDecision) -> None:
        await dispute.announce(form.expected_version, ids.new(), ids.new())

    return await handle_dispute_form(request, dispute, ANNOUNCE, do)


ONE: Final = Router(
    "/disputes/{dispute_id:uuid}",
    route_handlers=[name_for_dispute, make_motion, cast_vote, announce],
    dependencies={"dispute": Provide(provide_dispute, sync_to_thread=False)},
)
HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[committee_page, name_committee, ONE],
        guards=[requires_person],
        dependencies={"disputes": Provide(provide_disputes, sync_to_thread=False)},
    ),
)
