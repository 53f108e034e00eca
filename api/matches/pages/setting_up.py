"""Opening a table: against bots at one click, or with everything chosen, from the players to who may look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect
from msgspec import UNSET, UnsetType

from api.accounts.pages import session_cookie, whoever
from api.accounts.people import People
from api.matches import commands
from api.matches.pages.table import table_path
from api.matches.pages.terms import LATE, LEAVING, TIME_OUTS, clock_words, pauses_words
from api.matches.service import Tables, now
from api.settings import Settings
from api.titles.offers import BY_TITLE
from api.web.browser import SEE_OTHER, Form, PageRequest, page
from api.web.errors import problem_of
from api.web.guards import Caller
from api.web.limits import MAY_MAKE_GUESTS
from domain.kernel.rules import UnknownOption
from domain.matches.errors import UnknownActor, UnknownTitle, WrongSeatCount
from domain.matches.facts import Clock, Table

TITLE_DEFAULT: Final = "la_granja"
BOTS_DEFAULT: Final = 2
OPTION: Final = "option."
"""So begin the names of the fields that hold options of the title."""
SEATS_MAX: Final = 5
TAKE_BACKS_MAX: Final = 20
PAUSES: Final[Mapping[str, int | UnsetType]] = {"any": UNSET, "0": 0, "1": 1, "2": 2, "5": 5}
"""How often the players may agree on a pause."""

CLOCKS: Final[Mapping[str, Clock]] = {
    "none": Clock(),
    "action-60": Clock("per_move", 60),
    "match-600-20": Clock("increment", 600, 20),
    "match-1500-30": Clock("increment", 1500, 30),
    "match-3600-60": Clock("increment", 3600, 60),
    "turn-86400": Clock("correspondence", 86_400),
    "turn-259200": Clock("correspondence", 259_200),
}
"""The clocks a table can be opened with here; programs may ask for any other."""


class PlayForm(Form, frozen=True):
    title: str = TITLE_DEFAULT
    bots: int = BOTS_DEFAULT
    bot: str = ""
    commitment: str = ""


class TableForm(Form, frozen=True):
    """`seat_2` to `seat_5`: a bot by its name, or nothing for a person; seats beyond `seats` are not looked at."""

    title: str = TITLE_DEFAULT
    seats: int = 2
    seat_2: str = ""
    seat_3: str = ""
    seat_4: str = ""
    seat_5: str = ""
    clock: str = "none"
    time_out: str = "bot"
    take_backs: int = Table().take_backs
    pauses: str = "any"
    leaving: str = "any"
    private: str = ""
    rated: str = ""
    commitment: str = ""

    @property
    def others(self) -> tuple[str, ...]:
        """Who shall sit on the seats after the first."""
        named = (self.seat_2, self.seat_3, self.seat_4, self.seat_5, "")
        return named[: max(0, self.seats - 1)]

    def table(self) -> Table:
        """What the table agrees on; `UnknownOption` names what cannot be had."""
        if self.seats < 1:
            raise UnknownOption(f"seats={self.seats} is not 1 or more")
        if self.clock not in CLOCKS:
            raise UnknownOption(f"clock={self.clock!r} is not one of: {', '.join(CLOCKS)}")
        if self.time_out not in TIME_OUTS:
            raise UnknownOption(f"time_out={self.time_out!r} is not one of: {', '.join(TIME_OUTS)}")
        if not 0 <= self.take_backs <= TAKE_BACKS_MAX:
            raise UnknownOption(f"take_backs={self.take_backs} is not between 0 and {TAKE_BACKS_MAX}")
        if self.pauses not in PAUSES:
            raise UnknownOption(f"pauses={self.pauses!r} is not one of: {', '.join(PAUSES)}")
        if self.leaving not in LEAVING:
            raise UnknownOption(f"leaving={self.leaving!r} is not one of: {', '.join(LEAVING)}")
        return Table(
            clock=CLOCKS[self.clock],
            time_out=self.time_out,  # type: ignore[arg-type]  # one of the keys above
            take_backs=self.take_backs,
            public=not self.private,
            rated=bool(self.rated),
            pauses=PAUSES[self.pauses],
            resigning=UNSET if self.leaving == "any" else False,
        )


async def options_of(request: PageRequest) -> dict[str, str]:
    """What the form asks of the title."""
    form = await request.form()
    return {name.removeprefix(OPTION): str(value) for name, value in form.items() if name.startswith(OPTION)}


def seated(match_id: UUID, session: str | None, settings: Settings) -> Redirect:
    """To the table, with the session of a new guest."""
    cookies = [session_cookie(session, settings)] if session else []
    return Redirect(table_path(match_id), status_code=SEE_OTHER, cookies=cookies)


@post("/play", opt=MAY_MAKE_GUESTS, status_code=SEE_OTHER)
async def play(
    request: PageRequest,
    data: URLEncodedBody[PlayForm],
    caller: NamedDependency[Caller],
    people: NamedDependency[People],
    tables: NamedDependency[Tables],
    settings: NamedDependency[Settings],
) -> Redirect:
    """A table of one's own against bots, at one click."""
    bot = commands.bot_actor(settings.bots, data.bot or settings.bots[0])
    others = (bot,) * min(max(0, data.bots), SEATS_MAX)
    table = Table(public=False)
    wanted = commands.NewTable(data.title, others, await options_of(request), table, data.commitment or None)
    wanted.check()
    person, session = await whoever(caller, people)
    match = await tables.change(uuid4(), commands.set_up, wanted, person.id, at=now())
    return seated(match.id, session, settings)


def set_up_page(
    request: PageRequest, title: str, form: TableForm, options: Mapping[str, str], problem: Exception | None = None
) -> Response[str]:
    """The form, as it was filled in; what was refused is said above it."""
    if title not in BY_TITLE:
        raise UnknownTitle(f"there is no title {title!r}; there are: {', '.join(BY_TITLE)}")
    refused = problem_of(problem) if problem else None
    context = {
        "offer": BY_TITLE[title],
        "form": form,
        "options": options,
        "problem": refused,
        "clocks": {name: clock_words(clock) for name, clock in CLOCKS.items()},
        "time_outs": {name: words() for name, words in LATE.items()},
        "take_backs_max": TAKE_BACKS_MAX,
        "pauses": {name: pauses_words(pauses) for name, pauses in PAUSES.items()},
        "leaving": {name: words() for name, words in LEAVING.items()},
    }
    return page(request, "matches/open.html", context, refused.status if refused else 200)


@get("/open/{title:str}")
async def open_page(request: PageRequest, title: FromPath[str]) -> Response[str]:
    """Everything that can be chosen for a table of this title."""
    return set_up_page(request, title, TableForm(title=title), {})


@post("/tables", opt=MAY_MAKE_GUESTS, status_code=SEE_OTHER)
async def open_table(
    request: PageRequest,
    data: URLEncodedBody[TableForm],
    caller: NamedDependency[Caller],
    people: NamedDependency[People],
    tables: NamedDependency[Tables],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """A table as somebody wants it, with a seat on it for whoever opens it."""
    options = await options_of(request)
    try:
        bots = tuple(commands.bot_actor(settings.bots, name) if name else None for name in data.others)
        wanted = commands.NewTable(data.title, bots, options, data.table(), data.commitment or None)
        wanted.check()
        person, session = await whoever(caller, people)
        match = await tables.change(uuid4(), commands.set_up, wanted, person.id, at=now())
    except (UnknownOption, UnknownActor, WrongSeatCount) as refusal:
        return set_up_page(request, data.title, data, options, refusal)
    return seated(match.id, session, settings)


HANDLERS: Final[tuple[Any, ...]] = (play, open_page, open_table)
