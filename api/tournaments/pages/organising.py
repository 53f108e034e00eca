"""The organiser's desk of an event: plan, registration, pairing, results, rulings, announcements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, URLEncodedBody

from api.matches.commands import bot_actor
from api.matches.pages.setting_up import CLOCKS, options_of
from api.matches.pages.terms import clock_words
from api.settings import Settings
from api.titles.offers import BY_TITLE, OFFERS
from api.tournaments import files
from api.tournaments.pages.forms import (
    EnterForm,
    MoveForm,
    PairForm,
    PairsForm,
    PenaltyForm,
    ResultForm,
    RoundForm,
    TextForm,
    WhoForm,
    filled,
    numbers,
    pairs_of,
    result_of,
)
from api.tournaments.pages.live import desk_stream
from api.tournaments.pages.plan import AS_IT_IS, FORMATS, PlanForm, form_of, rows_of, rows_sent
from api.tournaments.pages.room import KINDS, MEASURES, EventRoom, event_path, event_room
from api.tournaments.service import Office
from api.tournaments.wire import Enter, RuleTable
from api.web.browser import PageRequest, back_to, page
from api.web.errors import problem_of
from api.web.guards import requires_person
from domain.kernel.rules import MissingComponents, UnknownOption
from domain.matches.errors import UnknownActor, UnknownTitle, WrongSeatCount
from domain.matches.facts import Table
from domain.standings.points import PART
from domain.standings.tie_breaks import EXPLAINED, NAMES
from domain.tournaments import facts, registration, rounds
from domain.tournaments.commands import Event
from domain.tournaments.errors import EventRefused, PlanRefused, WrongResult
from domain.tournaments.plan import Plan, Stage


class Sent(msgspec.Struct, frozen=True):
    """The form of a plan as it was sent: its fields, the rows beside them, the options, what cannot be read of it."""

    form: PlanForm
    rows: Mapping[str, Any]
    options: dict[str, str]
    unread: str

    def plan(self, settings: Settings, seed: int, before: Table) -> Plan:
        """The plan that it means."""
        if self.unread:
            raise PlanRefused(self.unread)
        bot = bot_actor(settings.bots, self.form.bot) if self.form.bot else ""
        return self.form.plan(self.rows, self.options, bot, seed, before)


async def sent(request: PageRequest) -> Sent:
    form, unread = await filled(request, PlanForm)
    return Sent(form, await request.form(), await options_of(request), unread)


def refused_page(request: PageRequest, was: Sent, refusal: Exception, event: Event | None = None) -> Response[str]:
    """The form as it was filled in, with what was refused beside it."""
    return form_page(request, was.form, rows_sent(was.rows), was.options, event, refusal)


PLAN_REFUSALS: Final = (
    EventRefused,
    MissingComponents,
    PlanRefused,
    UnknownActor,
    UnknownOption,
    UnknownTitle,
    WrongSeatCount,
)
"""What is wrong with a plan, and can be set right in its form."""


def form_page(
    request: PageRequest,
    form: PlanForm,
    rows: Mapping[str, Any],
    options: Mapping[str, str],
    event: Event | None = None,
    refusal: Exception | None = None,
) -> Response[str]:
    """The form of a plan: of a new event, or of one that is there."""
    problem = problem_of(refusal) if refusal else None
    context = {
        "offer": BY_TITLE.get(form.title, OFFERS[0]),
        "offers": OFFERS,
        "formats": FORMATS,
        "kinds": KINDS,
        "measures": MEASURES,
        "tie_break_names": NAMES,
        "tie_breaks_told": EXPLAINED,
        "form": form,
        "rows": rows,
        "chosen": options,
        "problem": problem,
        "event": event,
        "base": event_path(event.id) if event else "",
        "clocks": {name: clock_words(clock) for name, clock in CLOCKS.items()},
        "as_it_is": AS_IT_IS,
    }
    return page(request, "tournaments/event_new.html", context, problem.status if problem else 200)


@get("/events/new")
async def new_page(request: PageRequest, title: FromQuery[str] = "la_granja") -> Response[str]:
    """The form of a new event."""
    form = PlanForm(title=BY_TITLE.get(title, OFFERS[0]).title, late_entry="1")
    usual = Plan(name="-", title=form.title, stages=(Stage("swiss", form.rounds),))
    return form_page(request, form, rows_of(usual), usual.options)


@post("/events", guards=[requires_person])
async def open_event(
    request: PageRequest, office: NamedDependency[Office], settings: NamedDependency[Settings]
) -> Response[Any]:
    """A new event, whose organiser the reader is."""
    was = await sent(request)
    try:
        event = await office.open(uuid4(), was.plan(settings, uuid4().int % 2**31, Table()))
    except PLAN_REFUSALS as refusal:
        return refused_page(request, was, refusal)
    return back_to(f"{event_path(event.id)}/desk", request)


@get("/plan")
async def plan_page(room: NamedDependency[EventRoom]) -> Response[str]:
    """The plan of the event, to be changed."""
    event = await room.office.require(room.id)
    plan = event.state.plan
    return form_page(room.request, form_of(plan), rows_of(plan), plan.options, event)


@post("/plan")
async def change_plan(room: NamedDependency[EventRoom], settings: NamedDependency[Settings]) -> Response[Any]:
    """Another plan."""
    event, was = await room.office.require(room.id), await sent(room.request)
    old = event.state.plan
    try:
        await room.office.change_plan(room.id, was.plan(settings, old.seed, old.table))
    except PLAN_REFUSALS as refusal:
        return refused_page(room.request, was, refusal, event)
    return room.back()


@get("/desk")
async def desk_page(room: NamedDependency[EventRoom]) -> Response[str]:
    """The desk, for organisers."""
    event = await room.office.require(room.id)
    context = await room.context(event, with_boards=True)
    return room.page("event_desk", {**context, "state": event.state})


@post("/enter")
async def enter(room: NamedDependency[EventRoom]) -> Response[Any]:
    """The reader takes part."""
    await room.office.enter(room.id, Enter(), "")
    return room.back("")


@post("/leave")
async def leave(room: NamedDependency[EventRoom], data: URLEncodedBody[WhoForm]) -> Response[Any]:
    """Somebody goes: the reader, or whom the organiser names."""
    await room.office.withdraw(room.id, data.entry)
    return room.back("/people")


@post("/return")
async def come_back(room: NamedDependency[EventRoom], data: URLEncodedBody[WhoForm]) -> Response[Any]:
    await room.office.come_back(room.id, data.entry)
    return room.back("/people")


@post("/desk/enter")
async def enter_somebody(
    room: NamedDependency[EventRoom], data: URLEncodedBody[EnterForm], settings: NamedDependency[Settings]
) -> Response[Any]:
    """Somebody takes part by the organiser's word."""
    await room.office.require(room.id)
    if not (data.person or data.bot or data.name):
        raise EventRefused("say who takes part: an account, a bot, or a name")
    bot = bot_actor(settings.bots, data.bot) if data.bot else ""
    count, seeding = min(max(1, data.count), 500), min(max(0, data.seeding), 100_000)
    wanted = Enter(data.person[:120], data.bot, count, data.name[:120], data.club[:120], data.family[:120], seeding)
    await room.office.enter(room.id, wanted, bot)
    return room.back()


@post("/desk/invite")
async def invite(room: NamedDependency[EventRoom], data: URLEncodedBody[WhoForm]) -> Response[Any]:
    await room.office.require(room.id)
    actor = room.office.person_named(data.person)
    return await room.organise(lambda state, by: registration.invited(state, actor, by))


@post("/desk/pairs")
async def set_pairs(room: NamedDependency[EventRoom], data: URLEncodedBody[PairsForm]) -> Response[Any]:
    forbidden, wished = pairs_of(data.forbidden), pairs_of(data.wished)
    return await room.organise(lambda state, by: registration.pairs_set(state, forbidden, wished, by))


@post("/desk/pairing")
async def ask_pairing(room: NamedDependency[EventRoom], data: URLEncodedBody[PairForm]) -> Response[Any]:
    """The next round is to be paired; the tables whose box is ticked stand."""
    form = await room.request.form()
    tables = tuple(sorted(int(name[5:]) for name in form if name.startswith("lock_") and name[5:].isdecimal()))
    byes = tuple(data.byes.replace(",", " ").split())
    await room.office.thought(
        room.id,
        lambda state, results, by: rounds.asked(state, results, by, tables=tables, byes=byes, again=data.again),
    )
    return room.back()


@post("/desk/move")
async def move(room: NamedDependency[EventRoom], data: URLEncodedBody[MoveForm]) -> Response[Any]:
    """Two people change places, or one goes to another table."""
    if data.second:
        await room.office.thought(
            room.id, lambda state, _, by: rounds.swapped(state, data.round, data.first, data.second, by)
        )
    else:
        await room.office.thought(
            room.id, lambda state, _, by: rounds.moved(state, data.round, data.first, data.table, by)
        )
    return room.back()


@post("/desk/publish")
async def publish(room: NamedDependency[EventRoom], data: URLEncodedBody[RoundForm]) -> Response[Any]:
    return await room.organise(lambda state, by: rounds.published(state, data.round, by))


@post("/desk/close")
async def close(room: NamedDependency[EventRoom], data: URLEncodedBody[RoundForm]) -> Response[Any]:
    await room.office.close(room.id, data.round)
    return room.back()


@post("/desk/no-show")
async def no_show(room: NamedDependency[EventRoom], data: URLEncodedBody[RoundForm]) -> Response[Any]:
    await room.office.no_show(room.id, data.round, data.entry, with_bot=bool(data.bot))
    return room.back()


@post("/desk/result")
async def give_result(room: NamedDependency[EventRoom], data: URLEncodedBody[ResultForm]) -> Response[Any]:
    """A result face to face; with a reason, a ruling."""
    scores, places = result_of(data)
    if data.reason.strip():
        await room.office.rule(room.id, data.round, data.table, RuleTable(scores, places, data.reason[:1_000]))
        return room.back()
    return await room.organise(lambda state, by: rounds.entered(state, data.round, data.table, scores, places, by))


@post("/desk/penalty")
async def penalty(room: NamedDependency[EventRoom], data: URLEncodedBody[PenaltyForm]) -> Response[Any]:
    points, reason = numbers(data.points, "points")[0], data.reason[:1_000]
    if not -1_000 <= points <= 1_000:
        raise WrongResult(f"a penalty takes at most 1000 points, not {points}")
    return await room.organise(lambda state, by: registration.penalised(state, data.entry, points * PART, reason, by))


@post("/desk/announce")
async def announce(room: NamedDependency[EventRoom], data: URLEncodedBody[TextForm]) -> Response[Any]:
    text = data.text.strip()[:4_000]
    if not text:
        raise EventRefused("an announcement says something")
    return await room.organise(lambda _, by: facts.Announced(by, text))


@post("/desk/import")
async def import_text(room: NamedDependency[EventRoom], data: URLEncodedBody[TextForm]) -> Response[Any]:
    """Players or results, pasted from a spreadsheet or a file."""
    event = await room.office.require(room.id)
    await files.taken(room.office, event, data.what, data.text.encode())
    return room.back()


HANDLERS: Final[tuple[Any, ...]] = (
    new_page,
    open_event,
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[
            plan_page,
            change_plan,
            desk_page,
            desk_stream,
            enter,
            leave,
            come_back,
            enter_somebody,
            invite,
            set_pairs,
            ask_pairing,
            move,
            publish,
            close,
            no_show,
            give_result,
            penalty,
            announce,
            import_text,
        ],
        guards=[requires_person],
        dependencies={"room": Provide(event_room, sync_to_thread=False)},
    ),
)
