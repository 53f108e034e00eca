"""Opening a table: with bots in one click, or with all options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect
from msgspec import UNSET, UnsetType

from api.accounts.names import BadName, BlankName, MixedName, NameTaken, ReservedName
from api.accounts.service import AccountService
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form, read_form, sent_fields
from api.http.guards import Caller
from api.http.ids import Ids
from api.http.limits import CREATES, GUEST_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.preferences import encode_browser_preferences
from api.http.structs import RequestStruct, Short
from api.keys.schemas import Voucher
from api.matches.admission import require_known
from api.matches.bots import named_bot
from api.matches.new_table import NewTable
from api.matches.one_device import DeviceService
from api.matches.pages.addresses import redirect_to_table
from api.matches.pages.clocks import CLOCKS, ClockName
from api.matches.pages.terms import (
    LATE,
    LEAVING,
    describe_clock,
    describe_holidays,
    describe_leaving_limit,
    describe_pauses,
)
from api.matches.schemas import DevicePlayer
from api.matches.service import MatchService
from api.titles.offers import OFFERS
from domain.kernel.title import default_title
from domain.matches.errors import HintsNeedBots, HintsRefused, OneDeviceRefused, SignatureMissing, UnknownTitle
from domain.matches.facts import Table, TimeOutPolicy
from domain.matches.titles import find_title
from domain.ratings.errors import GuestUnrated, LeavesTooOften, LiveTableTaken, RatedWithoutClock, TooManyRated
from projections.platform.settings import Settings

BOTS_DEFAULT: Final = 2
SEATS_MAX: Final = 5
TAKE_BACKS_MAX: Final = 20
PAUSES: Final[Mapping[str, int | UnsetType]] = {"any": UNSET, "0": 0, "1": 1, "2": 2, "5": 5}
"""Choices for the number of agreed pauses."""
HOLIDAYS: Final[Mapping[str, int | UnsetType]] = {"any": UNSET, "0": 0, "7": 7, "14": 14, "28": 28}
"""Choices for the days of holiday at a correspondence table."""
LeavingMax = Literal["any", "0", "5", "10", "20", "30"]
"""Maximum percentage of recent matches that players of the table have left."""


class PlayForm(RequestStruct, frozen=True):
    """The form for a table against bots; API clients open a table and take a seat instead."""

    title: Short = ""
    bots: Annotated[int, msgspec.Meta(ge=0, le=SEATS_MAX - 1)] = BOTS_DEFAULT
    bot: Short = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    hints: bool = False
    own_luck: bool = False
    key: Voucher = ""


class TableForm(RequestStruct, frozen=True):
    """The form for a table; it combines `OpenMatch` and `TakeSeat`, with a choice of clocks.

    `seat_2` to `seat_5`: a bot's name, or empty for a person; seats beyond `seats` are ignored.
    """

    title: Short = ""
    seats: Annotated[int, msgspec.Meta(ge=1, le=SEATS_MAX)] = 2
    seat_2: Short = msgspec.field(default="", name="seat_2")
    seat_3: Short = msgspec.field(default="", name="seat_3")
    seat_4: Short = msgspec.field(default="", name="seat_4")
    seat_5: Short = msgspec.field(default="", name="seat_5")
    options: dict[str, str] = msgspec.field(default_factory=dict)
    clock: ClockName = "none"
    time_out: TimeOutPolicy = "bot"
    take_backs: Annotated[int, msgspec.Meta(ge=0, le=TAKE_BACKS_MAX)] = Table().take_backs
    pauses: Literal["any", "0", "1", "2", "5"] = "any"
    absence_days: Literal["any", "0", "7", "14", "28"] = "any"
    leaving: Literal["any", "bot"] = "any"
    private: bool = False
    rated: bool = False
    leaving_max: LeavingMax = "any"
    signed: bool = False
    silent: bool = False
    programs: bool = False
    hints: bool = False
    one_device: bool = False
    name_1: Short = msgspec.field(default="", name="name_1")
    name_2: Short = msgspec.field(default="", name="name_2")
    name_3: Short = msgspec.field(default="", name="name_3")
    name_4: Short = msgspec.field(default="", name="name_4")
    name_5: Short = msgspec.field(default="", name="name_5")
    own_luck: bool = False
    key: Voucher = ""

    @property
    def players(self) -> tuple[DevicePlayer, ...]:
        """Players on a shared device: first a person, then for each seat the chosen bot or a person with a name."""
        names = (self.name_1, self.name_2, self.name_3, self.name_4, self.name_5)
        names_and_bots = zip(names, ("", *self.others), strict=False)
        return tuple(DevicePlayer(bot=bot) if bot else DevicePlayer(name.strip()) for name, bot in names_and_bots)

    @property
    def others(self) -> tuple[str, ...]:
        """Bot names of the seats after the first; empty for people."""
        return (self.seat_2, self.seat_3, self.seat_4, self.seat_5)[: self.seats - 1]

    def table(self) -> Table:
        """Return the options of the table.

        On a shared device the form has no clock and no options about remote players.
        """
        leaving = UNSET if self.leaving == "any" else False
        if self.one_device:
            return Table(take_backs=self.take_backs, public=not self.private, resigning=leaving, one_device=True)
        clock = CLOCKS[self.clock]
        return Table(
            clock=clock,
            time_out=self.time_out,
            take_backs=self.take_backs,
            public=not self.private,
            rated=self.rated,
            pauses=PAUSES[self.pauses],
            resigning=leaving,
            leaving_max=UNSET if self.leaving_max == "any" else int(self.leaving_max),
            signed=self.signed or UNSET,
            talk=False if self.silent else UNSET,
            programs=self.programs or UNSET,
            hints=self.hints or UNSET,
            absence_days=HOLIDAYS[self.absence_days] if clock.kind == "correspondence" else UNSET,
        )


PLAY: Final = Form("play", PlayForm)
TABLE: Final = Form(
    "table",
    TableForm,
    beside={
        GuestUnrated: "rated",
        LiveTableTaken: "rated",
        TooManyRated: "rated",
        RatedWithoutClock: "clock",
        LeavesTooOften: "leavingMax",
        SignatureMissing: "signed",
        HintsRefused: "hints",
        HintsNeedBots: "hints",
        OneDeviceRefused: "oneDevice",
        **dict.fromkeys((BadName, BlankName, MixedName, NameTaken, ReservedName), "oneDevice"),
    },
)


@post("/play", opt=GUEST_LIMIT | CREATES, status_code=SEE_OTHER)
async def play(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
    ids: NamedDependency[Ids],
    settings: NamedDependency[Settings],
) -> Redirect:
    """Start an unlisted table against copies of a bot; visitors become guests. Redirect to the table.

    Without a title or bot the defaults play. Raise `UnknownTitle`, `UnknownActor` for an unknown bot, or the errors of
    `NewTable.check`.
    """
    form = await read_form(request, PLAY)
    title = find_title(matches.titles, form.title or default_title(matches.titles).name)
    others = (named_bot(settings.bots, form.bot, title),) * form.bots
    table = Table(listed=False, hints=form.hints or UNSET)
    new_table = NewTable(title.name, others, form.options, table, form.own_luck, form.key)
    new_table.check(matches.titles)
    person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
    match = await matches.seating.set_up(ids.new(), new_table, Caller(person))
    return redirect_to_table(match.id, session, settings)


async def set_up_page(request: PageRequest, title: str, *, one_device: bool = False) -> Response[str]:
    """Show all options of a table, with the submitted values after a rejection; raise `UnknownTitle` if not offered."""
    offers = OFFERS.of(request)
    if title not in offers:
        raise UnknownTitle(f"unknown game {title!r}; known: {', '.join(offers)}")
    context = {
        "offer": offers[title],
        "form": TableForm(title=title, one_device=one_device),
        "forms": forms_of(request, TABLE),
        "clocks": {name: describe_clock(clock) for name, clock in CLOCKS.items()},
        "time_outs": {name: label() for name, label in LATE.items()},
        "pauses": {name: describe_pauses(pauses) for name, pauses in PAUSES.items()},
        "holidays": {name: describe_holidays(days) for name, days in HOLIDAYS.items()},
        "leaving": {name: label() for name, label in LEAVING.items()},
        "stayers": {
            name: describe_leaving_limit(None if name == "any" else int(name)) for name in get_args(LeavingMax)
        },
    }
    return render_page(request, "site/open.html", context)


@get("/open/{title:str}")
async def open_page(
    request: PageRequest,
    title: FromPath[str],
    on_device: Annotated[bool, QueryParameter(name="oneDevice")] = False,
) -> Response[str]:
    """Show all options of a table of this title, or raise `UnknownTitle`; `oneDevice` preselects a shared device."""
    return await set_up_page(request, title, one_device=on_device)


@post("/tables", opt=GUEST_LIMIT | CREATES, status_code=SEE_OTHER)
async def open_table(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
    ids: NamedDependency[Ids],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Open a table with the given options, take a seat and redirect to it; on a shared device, seat all players.

    Visitors become guests, but are refused with `GuestUnrated` at rated tables. A rejected form is shown again.
    """
    default_name = default_title(matches.titles).name

    async def do(form: TableForm) -> Response[Any]:
        if form.one_device:
            return await open_on_one_device(form)
        bots = tuple(matches.reading.bot_named(name) if name else None for name in form.others)
        new_table = NewTable(form.title or default_name, bots, form.options, form.table(), form.own_luck, form.key)
        new_table.check(matches.titles)
        require_known(new_table.table, caller)
        person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
        match = await matches.seating.set_up(ids.new(), new_table, Caller(person))
        return redirect_to_table(match.id, session, settings)

    async def open_on_one_device(form: TableForm) -> Response[Any]:
        person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
        device = DeviceService(matches, accounts, Caller(person))
        title, table = form.title or default_name, form.table()
        match = await device.open(ids.new(), title, form.seats, form.options, table, form.players)
        return redirect_to_table(match.id, session, settings)

    async def again() -> Response[str]:
        return await set_up_page(request, next(iter((await sent_fields(request)).get("title", ())), "") or default_name)

    return await handle_form(request, TABLE, do, again)


HANDLERS: Final[tuple[Any, ...]] = (play, open_page, open_table)
