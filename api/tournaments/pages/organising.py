"""The organisers' pages: plan, registration, pairing, results, rulings and announcements."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery

from api.http.app_state import TITLES_PLAYED
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, EmptyForm
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
from api.tournaments.pages.dates import parse_local_time
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
from domain.matches.facts import Table
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
    wanted = str(forms["plan"].value("title", form.title))
    context = {
        "forms": forms,
        "offer": offers.get(wanted) or offers[default_title(TITLES_PLAYED.of(request)).name],
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
    }
    return render_page(request, "tournaments/new.html", context)


async def new_form(request: PageRequest, tournaments: TournamentService, title: str) -> Response[str]:
    """Render the form of a new tournament, Swiss by default; an unknown title becomes the default title."""
    titles = TITLES_PLAYED.of(request)
    title = title if title in titles else default_title(titles).name
    usual = Plan(name="-", title=title, stages=(Stage("swiss", ROUNDS_DEFAULT),))
    form = msgspec.structs.replace(form_of(usual), name="", format="swiss")
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
    """Open a tournament organised by the reader, and redirect to its workbench."""

    async def do(wanted: PlanForm) -> Response[Any]:
        event = await tournaments.plans.open(
            ids.new(), with_title(request, wanted).plan(settings.bots, ids.new().int % 2**31, Table()), wanted.official
        )
        return redirect_after_form(f"{tournament_path(event.id)}/desk", request)

    async def again() -> Response[str]:
        return await new_form(request, tournaments, "")

    return await handle_form(request, PLAN, do, again)


@get("/plan")
async def plan_page(room: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the form of the plan."""
    return await plan_form(room)


async def plan_form(room: TournamentContext) -> Response[str]:
    """Render the form of the plan; raise `RoleMissing` for non-organisers."""
    event = await room.tournaments.reading.require_organiser(room.id)
    may_rate = await room.tournaments.reading.may_rate(event)
    return form_page(room.request, form_of(event.state.plan), event, may_rate=may_rate)


@post("/plan")
async def change_plan(room: NamedDependency[TournamentContext], settings: NamedDependency[Settings]) -> Response[Any]:
    """Change the plan as an organiser, and redirect to the workbench; the draw's seed stays."""
    old = (await room.tournaments.reading.require_organiser(room.id)).state.plan

    async def do(wanted: PlanForm) -> Response[Any]:
        await room.tournaments.plans.change_plan(
            room.id, with_title(room.request, wanted).plan(settings.bots, old.seed, old.table), wanted.reason
        )
        return room.back()

    async def again() -> Response[str]:
        return await plan_form(room)

    return await handle_form(room.request, PLAN, do, again)


@get("/desk")
async def organising_page(room: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the workbench."""
    return await render_round(room)


@get("/desk/people")
async def people_desk_page(room: NamedDependency[TournamentContext]) -> Response[str]:
    """Show the organisers' registration page."""
    return await render_people(room)


@get("/desk/word")
async def word_desk_page(room: NamedDependency[TournamentContext]) -> Response[str]:
    """Show announcements, penalties and officials."""
    return await render_announcements(room)


@post("/enter")
async def enter(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Enter the reader, and redirect to the tournament."""

    async def do(_: EmptyForm) -> Response[Any]:
        await room.tournaments.registration.enter(room.id, Enter(), "")
        return room.back("")

    return await handle_form(room.request, BUTTON, do, room.render_overview)


@post("/invitation")
async def answer_invitation(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Accept or decline an invitation of the reader, and redirect to the tournament."""

    async def do(wanted: AnswerButton) -> Response[Any]:
        await room.tournaments.registration.answer_invitation(room.id, wanted)
        return room.back("")

    return await handle_form(room.request, ANSWER, do, room.render_overview)


@post("/leave")
async def leave(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Withdraw the reader's entry, or any entry as an organiser, and redirect to the participants."""

    async def do(wanted: OfEntry) -> Response[Any]:
        await room.tournaments.registration.withdraw(room.id, wanted.entry, wanted.reason)
        return room.back("/people")

    return await handle_form(room.request, ENTRY, do, room.render_participants)


@post("/return")
async def return_entry(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Let a withdrawn entry of the reader return, or any entry as an organiser, and redirect to the participants."""

    async def do(wanted: OfEntry) -> Response[Any]:
        await room.tournaments.registration.return_entry(room.id, wanted.entry, wanted.reason)
        return room.back("/people")

    return await handle_form(room.request, ENTRY, do, room.render_participants)


@post("/desk/enter")
async def enter_somebody(
    room: NamedDependency[TournamentContext], settings: NamedDependency[Settings]
) -> Response[Any]:
    """Enter a bot or name, or invite an account, as an organiser, and redirect to the people of the workbench.

    Raises `TournamentRefused` if none of them is given.
    """

    async def do(wanted: Enter) -> None:
        if not (wanted.person or wanted.bot or wanted.name):
            raise TournamentRefused("say who takes part: an account, a bot, or a name")
        bot = bot_actor(settings.bots, wanted.bot) if wanted.bot else ""
        await room.tournaments.registration.enter(room.id, wanted, bot)

    return await room.handle_organiser_form(ENTER, do, render_people, "/desk/people")


@post("/desk/invite")
async def invite(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Invite a person to enter, as an organiser, and redirect to the people of the workbench."""

    async def do(wanted: Invite) -> None:
        await room.tournaments.registration.invite(room.id, wanted.person)

    return await room.handle_organiser_form(INVITE, do, render_people, "/desk/people")


@post("/desk/take-back")
async def take_back_invitations(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Withdraw the open invitations of a person, as an organiser, and redirect to the people of the workbench."""

    async def do(wanted: Invite) -> None:
        await room.tournaments.registration.take_back_invitations(room.id, wanted.person)

    return await room.handle_organiser_form(TAKE_BACK, do, render_people, "/desk/people")


@post("/desk/pairs")
async def set_pairs(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Set the pairs of entries to keep apart or together, as an organiser; entries may be named.

    Redirects to the people of the workbench.
    """

    async def do(wanted: SetPairs) -> None:
        pairs, reason = (wanted.forbidden, wanted.wished), wanted.reason
        await room.tournaments.changes.organise(
            room.id, lambda state, by: registration.set_pairs(state, *pairs, by, reason)
        )

    return await room.handle_organiser_form(await room.with_entry_names(PAIRS), do, render_people, "/desk/people")


@post("/desk/penalty")
async def penalty(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Deduct points from an entry, as an organiser who does not play in the event; show the announcements."""

    async def do(wanted: PenaltyInPoints) -> None:
        names = entry_names((await room.tournaments.reading.require_organiser(room.id)).state, room.accounts)
        entry, taken = find_entry(names, wanted.entry), wanted.points * SIXTIETHS_PER_POINT
        await room.tournaments.changes.judge(
            room.id,
            "give a penalty",
            lambda state, by: registration.penalise(state, entry, taken, wanted.reason, by),
        )

    return await room.handle_organiser_form(PENALTY, do, render_announcements, "/desk/word")


@post("/desk/announce")
async def announce(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Announce a text as an organiser, at once or at a given local time, and redirect.

    With `preview` only render it.
    """
    event = await room.tournaments.reading.require_organiser(room.id)

    async def do(wanted: AnnounceLater) -> Response[Any]:
        since = parse_local_time(ZoneInfo(event.state.calendar.zone), wanted.since, "since")
        if wanted.preview:
            return await render_announcements(room, preview=wanted)
        await room.tournaments.plans.announce(room.id, wanted.text, since)
        return room.back("/desk/word")

    async def again() -> Response[str]:
        return await render_announcements(room)

    return await handle_form(room.request, ANNOUNCE, do, again)


@post("/desk/paste", request_max_body_size=FILE_BYTES_MAX)
async def paste(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Enter the people of a pasted text as an organiser, all or none, and redirect to the people of the workbench."""

    async def do(wanted: PastedPeople) -> None:
        await files.import_pasted(
            room.tournaments, await room.tournaments.reading.require_organiser(room.id), wanted.text
        )

    return await room.handle_organiser_form(PASTE, do, render_people, "/desk/people")


@post("/desk/import", request_max_body_size=FILE_BYTES_MAX)
async def import_text(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Import pasted players or results as an organiser, all or none, and redirect to the people of the workbench."""

    async def do(wanted: PastedFile) -> None:
        event = await room.tournaments.reading.require_organiser(room.id)
        await files.import_file(room.tournaments, event, wanted.what, wanted.text.encode(), sure=wanted.sure)

    return await room.handle_organiser_form(IMPORT, do, render_people, "/desk/people")


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
        dependencies={"room": Provide(provide_context, sync_to_thread=False)},
    ),
)
