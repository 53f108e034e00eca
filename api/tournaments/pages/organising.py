"""The organisers' pages: plan, registration, pairing, results, rulings and announcements."""

from __future__ import annotations

from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery

from api.http.app_state import TITLES_PLAYED
from api.http.browser import PageRequest, back_to, page
from api.http.form_pages import answer_form, forms_of
from api.http.forms import BUTTON, Nothing
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.limits import CREATES
from api.matches.bots import bot_actor
from api.matches.pages.clocks import CLOCKS
from api.matches.pages.terms import clock_words
from api.titles.offers import OFFERS
from api.tournaments import files
from api.tournaments.pages.bench import people_desk, round_desk, word_desk
from api.tournaments.pages.bench_live import desk_stream
from api.tournaments.pages.dates import moment
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
from api.tournaments.pages.naming import entry_called
from api.tournaments.pages.of_round import OF_THE_ROUND
from api.tournaments.pages.plan import AS_IT_IS, FORMATS, PLAN, ROUNDS_DEFAULT, PlanForm, form_of, rows_of
from api.tournaments.pages.room import KINDS, MEASURES, TournamentRoom, provide_room, tournament_path
from api.tournaments.routes.tournaments import FILE_BYTES_MAX
from api.tournaments.service import TournamentService
from api.tournaments.showing import entry_names
from api.tournaments.wire import (
    Enter,
    Invite,
    SetPairs,
)
from domain.kernel.title import default_title
from domain.matches.facts import Table
from domain.standings.contest import Stage
from domain.standings.points import PART
from domain.standings.tie_breaks import EXPLAINED, NAMES
from domain.tournaments import registration
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.plan import Plan
from projections.platform.settings import Settings


def form_page(
    request: PageRequest, form: PlanForm, event: TournamentStream | None = None, *, may_rate: bool
) -> Response[str]:
    """Render the form of a plan, for a new or an existing tournament."""
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
        "tie_breaks_told": EXPLAINED,
        "form": form,
        "rows": rows_of(form, forms["plan"].sent_values),
        "event": event,
        "base": tournament_path(event.id) if event else "",
        "clocks": {name: clock_words(clock) for name, clock in CLOCKS.items()},
        "as_it_is": AS_IT_IS,
        "may_rate": may_rate,
    }
    return page(request, "tournaments/new.html", context)


async def new_form(request: PageRequest, tournaments: TournamentService, title: str) -> Response[str]:
    """Render the form of a new tournament."""
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
    """Open a tournament organised by the reader."""

    async def do(wanted: PlanForm) -> Response[Any]:
        event = await tournaments.plans.open(
            ids.new(), with_title(request, wanted).plan(settings.bots, ids.new().int % 2**31, Table()), wanted.official
        )
        return back_to(f"{tournament_path(event.id)}/desk", request)

    async def again() -> Response[str]:
        return await new_form(request, tournaments, "")

    return await answer_form(request, PLAN, do, again)


@get("/plan")
async def plan_page(room: NamedDependency[TournamentRoom]) -> Response[str]:
    """Show the form of the plan."""
    return await plan_form(room)


async def plan_form(room: TournamentRoom) -> Response[str]:
    """Render the form of the plan."""
    event = await room.tournaments.reading.require(room.id)
    may_rate = await room.tournaments.reading.may_rate(event)
    return form_page(room.request, form_of(event.state.plan), event, may_rate=may_rate)


@post("/plan")
async def change_plan(room: NamedDependency[TournamentRoom], settings: NamedDependency[Settings]) -> Response[Any]:
    """Change the plan."""
    old = (await room.tournaments.reading.require(room.id)).state.plan

    async def do(wanted: PlanForm) -> Response[Any]:
        await room.tournaments.plans.change_plan(
            room.id, with_title(room.request, wanted).plan(settings.bots, old.seed, old.table), wanted.reason
        )
        return room.back()

    async def again() -> Response[str]:
        return await plan_form(room)

    return await answer_form(room.request, PLAN, do, again)


@get("/desk")
async def organising_page(room: NamedDependency[TournamentRoom]) -> Response[str]:
    """Show the workbench."""
    return await round_desk(room)


@get("/desk/people")
async def people_desk_page(room: NamedDependency[TournamentRoom]) -> Response[str]:
    """Show the organisers' registration page."""
    return await people_desk(room)


@get("/desk/word")
async def word_desk_page(room: NamedDependency[TournamentRoom]) -> Response[str]:
    """Show announcements, penalties and officials."""
    return await word_desk(room)


@post("/enter")
async def enter(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Enter the reader."""

    async def do(_: Nothing) -> Response[Any]:
        await room.tournaments.registration.enter(room.id, Enter(), "")
        return room.back("")

    return await answer_form(room.request, BUTTON, do, room.overview)


@post("/invitation")
async def answer_invitation(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Accept or decline an invitation of the reader."""

    async def do(wanted: AnswerButton) -> Response[Any]:
        await room.tournaments.registration.answer_invitation(room.id, wanted)
        return room.back("")

    return await answer_form(room.request, ANSWER, do, room.overview)


@post("/leave")
async def leave(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Withdraw the reader, or the entry named by an organiser."""

    async def do(wanted: OfEntry) -> Response[Any]:
        await room.tournaments.registration.withdraw(room.id, wanted.entry, wanted.reason)
        return room.back("/people")

    return await answer_form(room.request, ENTRY, do, room.everybody)


@post("/return")
async def come_back(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Let a withdrawn entry return."""

    async def do(wanted: OfEntry) -> Response[Any]:
        await room.tournaments.registration.come_back(room.id, wanted.entry, wanted.reason)
        return room.back("/people")

    return await answer_form(room.request, ENTRY, do, room.everybody)


@post("/desk/enter")
async def enter_somebody(room: NamedDependency[TournamentRoom], settings: NamedDependency[Settings]) -> Response[Any]:
    """Enter a person, bot or name as an organiser."""

    async def do(wanted: Enter) -> None:
        if not (wanted.person or wanted.bot or wanted.name):
            raise TournamentRefused("say who takes part: an account, a bot, or a name")
        bot = bot_actor(settings.bots, wanted.bot) if wanted.bot else ""
        await room.tournaments.registration.enter(room.id, wanted, bot)

    return await room.organise(ENTER, do, people_desk, "/desk/people")


@post("/desk/invite")
async def invite(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Invite a person to enter."""

    async def do(wanted: Invite) -> None:
        await room.tournaments.registration.invite(room.id, wanted.person)

    return await room.organise(INVITE, do, people_desk, "/desk/people")


@post("/desk/take-back")
async def take_back_invitations(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Withdraw the open invitations of a person."""

    async def do(wanted: Invite) -> None:
        await room.tournaments.registration.take_back_invitations(room.id, wanted.person)

    return await room.organise(TAKE_BACK, do, people_desk, "/desk/people")


@post("/desk/pairs")
async def set_pairs(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Set the pair rules."""

    async def do(wanted: SetPairs) -> None:
        pairs, reason = (wanted.forbidden, wanted.wished), wanted.reason
        await room.tournaments.changes.organise(
            room.id, lambda state, by: registration.pairs_set(state, *pairs, by, reason)
        )

    return await room.organise(await room.naming(PAIRS), do, people_desk, "/desk/people")


@post("/desk/penalty")
async def penalty(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Give a penalty."""

    async def do(wanted: PenaltyInPoints) -> None:
        names = entry_names((await room.tournaments.reading.require(room.id)).state, room.accounts)
        entry, taken = entry_called(names, wanted.entry), wanted.points * PART
        await room.tournaments.changes.judge(
            room.id,
            "give a penalty",
            lambda state, by: registration.penalise(state, entry, taken, wanted.reason, by),
        )

    return await room.organise(PENALTY, do, word_desk, "/desk/word")


@post("/desk/announce")
async def announce(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Announce a text, at once or at a given time; with `preview` only render it."""
    event = await room.tournaments.reading.require(room.id)

    async def do(wanted: AnnounceLater) -> Response[Any]:
        since = moment(ZoneInfo(event.state.calendar.zone), wanted.since, "since")
        if wanted.preview:
            return await word_desk(room, preview=wanted)
        await room.tournaments.plans.announce(room.id, wanted.text, since)
        return room.back("/desk/word")

    async def again() -> Response[str]:
        return await word_desk(room)

    return await answer_form(room.request, ANNOUNCE, do, again)


@post("/desk/paste", request_max_body_size=FILE_BYTES_MAX)
async def paste(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Enter pasted people, all or none."""

    async def do(wanted: PastedPeople) -> None:
        await files.take_pasted(room.tournaments, await room.tournaments.reading.require(room.id), wanted.text)

    return await room.organise(PASTE, do, people_desk, "/desk/people")


@post("/desk/import", request_max_body_size=FILE_BYTES_MAX)
async def import_text(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Import pasted players or results."""

    async def do(wanted: PastedFile) -> None:
        event = await room.tournaments.reading.require(room.id)
        await files.take_file(room.tournaments, event, wanted.what, wanted.text.encode(), sure=wanted.sure)

    return await room.organise(IMPORT, do, people_desk, "/desk/people")


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
            come_back,
            enter_somebody,
            invite,
            take_back_invitations,
            set_pairs,
            *OF_THE_ROUND,
            penalty,
            announce,
            paste,
            import_text,
        ],
        guards=[requires_person],
        dependencies={"room": Provide(provide_room, sync_to_thread=False)},
    ),
)
