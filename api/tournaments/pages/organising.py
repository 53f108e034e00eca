"""The organisers' pages: plan, registration, pairing, results, rulings and announcements."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery

from api.contests.condition_forms import JOIN, JoinForm, offer_conditions
from api.contests.local_times import parse_local_time
from api.http.app_state import TITLES_PLAYED
from api.http.form_pages import forms_of, handle_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.limits import CREATES
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.matches.bots import bot_actor
from api.matches.pages.clocks import CLOCKS
from api.matches.pages.terms import describe_clock
from api.titles.offers import OFFERS
from api.tournaments import files
from api.tournaments.pages.context import KINDS, MEASURES, TournamentContext, provide_context, tournament_path
from api.tournaments.pages.forms import (
    ANNOUNCE,
    ANSWER,
    ENTER,
    ENTRY,
    IMPORT,
    INVITE,
    PAIRS,
    PASTE,
    PENALTY,
    TAKE_BACK,
    AnnounceLater,
    AnswerButton,
    OfEntry,
    PastedFile,
    PastedPeople,
    PenaltyInPoints,
)
from api.tournaments.pages.naming import find_entry
from api.tournaments.pages.plan import AS_IT_IS, FORMATS, PLAN, ROUNDS_DEFAULT, PlanForm, form_of, rows_of
from api.tournaments.pages.rounds import ROUND_HANDLERS
from api.tournaments.pages.workbench import render_announcements, render_people, render_round
from api.tournaments.pages.workbench_live import desk_stream
from api.tournaments.responses import entry_names
from api.tournaments.routes.tournaments import FILE_BYTES_MAX
from api.tournaments.schemas import (
    Enter,
    Invite,
    SetPairs,
)
from api.tournaments.service import TournamentService
from domain.kernel.title import default_title
from domain.standings.contest import Stage
from domain.standings.points import SIXTIETHS_PER_POINT
from domain.standings.tie_breaks import EXPLANATIONS, NAMES
from domain.tournaments import registration
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.plan import Plan
from projections.platform.settings import Settings


def form_page(
    request: PageRequest, form: PlanForm, event: TournamentStream | None = None, *, may_rate: bool
) -> Response[str]:
    """Render the form of a plan, for a new (`event` None) or an existing tournament.

    After a rejection it has the values that were sent.
    """
    forms = forms_of(request, PLAN)
    offers = OFFERS.of(request)
    title = str(forms["plan"].value("title", form.title))
    context = {
        "forms": forms,
        "offer": offers.get(title) or offers[default_title(TITLES_PLAYED.of(request)).name],
        "offers": tuple(offers.values()),
        "formats": FORMATS,
        "kinds": KINDS,
        "measures": MEASURES,
        "tie_break_names": NAMES,
        "tie_breaks_told": EXPLANATIONS,
        "form": form,
        "rows": rows_of(form, forms["plan"].sent_values),
        "event": event,
        "base": tournament_path(event.id) if event else "",
        "clocks": {name: describe_clock(clock) for name, clock in CLOCKS.items()},
        "as_it_is": AS_IT_IS,
        "may_rate": may_rate,
        "offered": offer_conditions(TITLES_PLAYED.of(request), event.state.plan.conditions if event else None),
    }
    return render_page(request, "tournaments/new.html", context)


async def new_form(request: PageRequest, tournaments: TournamentService, title: str) -> Response[str]:
    """Render the form of a new tournament, Swiss by default; an unknown title becomes the default title."""
    titles = TITLES_PLAYED.of(request)
    title = title if title in titles else default_title(titles).name
    default_plan = Plan(name="-", title=title, stages=(Stage("swiss", ROUNDS_DEFAULT),))
    form = msgspec.structs.replace(form_of(default_plan), name="", format="swiss")
    return form_page(request, form, may_rate=await tournaments.reading.may_rate())


def with_title(request: PageRequest, form: PlanForm) -> PlanForm:
    """Return the form with the default title if none is chosen."""
    return msgspec.structs.replace(form, title=form.title or default_title(TITLES_PLAYED.of(request)).name)


@get("/events/new")
async def new_page(
    request: PageRequest, tournaments: NamedDependency[TournamentService], title: FromQuery[str] = ""
) -> Response[str]:
    """Show the form of a new tournament."""
    return await new_form(request, tournaments, title)


@post("/events", guards=[requires_person], opt=CREATES)
async def open_tournament(
    request: PageRequest,
    tournaments: NamedDependency[TournamentService],
    ids: NamedDependency[Ids],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Open a tournament organised by the reader, and redirect to its workbench, or show the form with its faults."""

    async def do(form: PlanForm) -> Response[Any]:
        unset = Plan(name="", title="", seed=ids.new().int % 2**31)
        plan = with_title(request, form).plan(settings.bots, unset)
        event = await tournaments.plans.open(ids.new(), plan, form.official)
        return redirect_after_form(f"{tournament_path(event.id)}/desk", request)

    async def again() -> Response[str]:
        return await new_form(request, tournaments, "")

    return await handle_form(request, PLAN, do, again)


@get("/plan")
async def plan_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the form of the plan; raise `RoleMissing` for non-organisers."""
    return await plan_form(page)


async def plan_form(page: TournamentContext) -> Response[str]:
    """Render the form of the plan; raise `RoleMissing` for non-organisers."""
    event = await page.tournaments.reading.require_organiser(page.id)
    may_rate = await page.tournaments.reading.may_rate(event)
    return form_page(page.request, form_of(event.state.plan), event, may_rate=may_rate)


@post("/plan")
async def change_plan(page: NamedDependency[TournamentContext], settings: NamedDependency[Settings]) -> Response[Any]:
    """Change the plan as an organiser, and redirect to the workbench; the draw's seed stays."""
    old_plan = (await page.tournaments.reading.require_organiser(page.id)).state.plan

    async def do(form: PlanForm) -> Response[Any]:
        plan = with_title(page.request, form).plan(settings.bots, old_plan)
        await page.tournaments.plans.change_plan(page.id, plan, form.reason)
        return page.back()

    async def again() -> Response[str]:
        return await plan_form(page)

    return await handle_form(page.request, PLAN, do, again)


@get("/desk")
async def organising_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the workbench; raise `RoleMissing` for non-organisers."""
    return await render_round(page)


@get("/desk/people")
async def people_desk_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the organisers' registration page; raise `RoleMissing` for others."""
    return await render_people(page)


@get("/desk/word")
async def word_desk_page(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show announcements, penalties and officials to organisers; raise `RoleMissing` for others."""
    return await render_announcements(page)


@post("/enter")
async def enter(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Enter the reader, and redirect to the tournament, or show it with the error."""

    async def do(form: JoinForm) -> Response[Any]:
        await page.tournaments.registration.enter(page.id, Enter(password=form.password, club_id=form.club_id), "")
        return page.back("")

    return await handle_form(page.request, JOIN, do, page.render_overview)


@post("/invitation")
async def answer_invitation(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Accept or decline an invitation of the reader, and redirect to the tournament, or show it with the error."""

    async def do(form: AnswerButton) -> Response[Any]:
        await page.tournaments.registration.answer_invitation(page.id, form)
        return page.back("")

    return await handle_form(page.request, ANSWER, do, page.render_overview)


@post("/leave")
async def leave(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Withdraw the reader's entry, or any entry as an organiser, and redirect to the participants.

    If that is rejected, they are shown with the error.
    """

    async def do(form: OfEntry) -> Response[Any]:
        await page.tournaments.registration.withdraw(page.id, form.entry, form.reason)
        return page.back("/people")

    return await handle_form(page.request, ENTRY, do, page.render_participants)


@post("/return")
async def return_entry(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Let a withdrawn entry of the reader return, or any entry as an organiser, and redirect to the participants.

    If that is rejected, they are shown with the error.
    """

    async def do(form: OfEntry) -> Response[Any]:
        await page.tournaments.registration.return_entry(page.id, form.entry, form.reason)
        return page.back("/people")

    return await handle_form(page.request, ENTRY, do, page.render_participants)


@post("/desk/enter")
async def enter_somebody(
    page: NamedDependency[TournamentContext], settings: NamedDependency[Settings]
) -> Response[Any]:
    """Enter a bot or name, or invite an account, as an organiser, and redirect to the people of the workbench.

    Raises `TournamentRefused` if none of them is given.
    """

    async def do(form: Enter) -> None:
        if not (form.person or form.bot or form.name):
            raise TournamentRefused("enter an account, a bot or a name")
        bot = bot_actor(settings.bots, form.bot) if form.bot else ""
        await page.tournaments.registration.enter(page.id, form, bot)

    return await page.handle_organiser_form(ENTER, do, render_people, "/desk/people")


@post("/desk/invite")
async def invite(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Invite a person to enter, as an organiser, and redirect to the people of the workbench."""

    async def do(form: Invite) -> None:
        await page.tournaments.registration.invite(page.id, form.person)

    return await page.handle_organiser_form(INVITE, do, render_people, "/desk/people")


@post("/desk/take-back")
async def take_back_invitations(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Withdraw the open invitations of a person, as an organiser, and redirect to the people of the workbench."""

    async def do(form: Invite) -> None:
        await page.tournaments.registration.take_back_invitations(page.id, form.person)

    return await page.handle_organiser_form(TAKE_BACK, do, render_people, "/desk/people")


@post("/desk/pairs")
async def set_pairs(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Set the pairs of entries to keep apart or together, as an organiser; entries may be named.

    Redirects to the people of the workbench.
    """

    async def do(form: SetPairs) -> None:
        pairs, reason = (form.forbidden, form.wished), form.reason
        await page.tournaments.changes.organise(
            page.id, lambda state, by: registration.set_pairs(state, *pairs, by, reason)
        )

    return await page.handle_organiser_form(await page.with_entry_names(PAIRS), do, render_people, "/desk/people")


@post("/desk/penalty")
async def penalty(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Deduct points from an entry, as an organiser who does not play in the event; show the announcements."""

    async def do(form: PenaltyInPoints) -> None:
        names = entry_names((await page.tournaments.reading.require_organiser(page.id)).state, page.accounts)
        entry, sixtieths = find_entry(names, form.entry), form.points * SIXTIETHS_PER_POINT
        await page.tournaments.changes.judge(
            page.id,
            "give a penalty",
            lambda state, by: registration.penalise(state, entry, sixtieths, form.reason, by),
        )

    return await page.handle_organiser_form(PENALTY, do, render_announcements, "/desk/word")


@post("/desk/announce")
async def announce(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Announce a text as an organiser, at once or at a given local time, and redirect.

    With `preview` only render it.
    """
    event = await page.tournaments.reading.require_organiser(page.id)

    async def do(form: AnnounceLater) -> Response[Any]:
        since = parse_local_time(ZoneInfo(event.state.calendar.zone), form.since, "since")
        if form.preview:
            return await render_announcements(page, preview=form)
        await page.tournaments.plans.announce(page.id, form.text, since)
        return page.back("/desk/word")

    async def again() -> Response[str]:
        return await render_announcements(page)

    return await handle_form(page.request, ANNOUNCE, do, again)


@post("/desk/paste", request_max_body_size=FILE_BYTES_MAX)
async def paste(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Enter the people of a pasted text as an organiser, all or none, and redirect to the people of the workbench."""

    async def do(form: PastedPeople) -> None:
        await files.import_pasted(
            page.tournaments, await page.tournaments.reading.require_organiser(page.id), form.text
        )

    return await page.handle_organiser_form(PASTE, do, render_people, "/desk/people")


@post("/desk/import", request_max_body_size=FILE_BYTES_MAX)
async def import_text(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Import pasted players or results as an organiser, all or none, and redirect to the people of the workbench."""

    async def do(form: PastedFile) -> None:
        event = await page.tournaments.reading.require_organiser(page.id)
        await files.import_file(page.tournaments, event, form.what, form.text.encode(), sure=form.sure)

    return await page.handle_organiser_form(IMPORT, do, render_people, "/desk/people")


HANDLERS: Final[tuple[Any, ...]] = (
    new_page,
    open_tournament,
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[
            plan_page,
            change_plan,
            organising_page,
            people_desk_page,
            word_desk_page,
            desk_stream,
            enter,
            answer_invitation,
            leave,
            return_entry,
            enter_somebody,
            invite,
            take_back_invitations,
            set_pairs,
            *ROUND_HANDLERS,
            penalty,
            announce,
            paste,
            import_text,
        ],
        guards=[requires_person],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
