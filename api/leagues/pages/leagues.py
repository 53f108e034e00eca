"""The list of leagues, a league, a season: what everybody sees, and the forms of those who take part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.leagues.service import Desk, desk_of
from api.leagues.showing import listed
from api.leagues.wire import FixtureShown, SeasonShown
from api.matches.commands import bot_actor
from api.matches.pages.setting_up import CLOCKS
from api.matches.pages.terms import clock_words, terms_of
from api.matches.service import Tables, now
from api.settings import Settings
from api.tournaments.pages.forms import filled
from api.web.browser import Form, PageRequest, back_to, page
from api.web.errors import problem_of
from api.web.guards import requires_person
from api.web.ids import Ids
from api.web.languages import _
from api.web.paging import Before, Limit
from domain.kernel.messages import N_
from domain.kernel.rules import MissingComponents, UnknownOption
from domain.leagues.plan import Division, LeaguePlan, LeagueRefused
from domain.matches.errors import UnknownActor, UnknownTitle, WrongSeatCount
from domain.matches.facts import Table, is_bot
from projections import leagues
from projections.paging import LIMIT

STATUS_WORDS: Final[Mapping[str, str]] = {
    "registering": N_("takes entries"),
    "running": N_("being played"),
    "closed": N_("over"),
}
CLOCK_DEFAULT: Final = "turn-259200"
DIVISIONS_OFFERED: Final = 4
PLACES_OFFERED: Final = range(2, 26)


class LeagueForm(Form, frozen=True):
    """A league in a few choices; programs may choose everything."""

    name: str = ""
    title: str = "la_granja"
    size: int = 3
    divisions: int = 1
    places: int = 7
    moving: int = 2
    round_days: int = 14
    clock: str = CLOCK_DEFAULT
    even_seats: str = ""
    at_once: str = ""
    rated: str = ""
    invite: str = ""
    bot: str = ""
    text: str = ""

    def plan(self, bots: tuple[str, ...]) -> LeaguePlan:
        """Every division but the last has one group; `moving` go up and down between any two. `bots`: those there are,
        of which the form names one in short or in full."""
        if self.clock not in CLOCKS:
            raise LeagueRefused(f"{self.clock!r} is no clock offered here")
        if not 1 <= self.divisions <= DIVISIONS_OFFERED:
            raise LeagueRefused(f"there are 1 to {DIVISIONS_OFFERED} divisions here, not {self.divisions}")
        for value, allowed, what in (
            (self.size, range(2, 6), "players at a table"),
            (self.places, PLACES_OFFERED, "players in a group"),
            (self.moving, range(11), "players who go up and down"),
            (self.round_days, range(1, 366), "days of a round"),
        ):
            if value not in allowed:
                raise LeagueRefused(f"there are {allowed[0]} to {allowed[-1]} {what}, not {value}")
        if not 1 <= len(self.name.strip()) <= NAME_LENGTH_MAX:
            raise LeagueRefused(f"the name of a league has 1 to {NAME_LENGTH_MAX} characters")
        last = self.divisions - 1
        return LeaguePlan(
            name=self.name.strip(),
            title=self.title,
            table=Table(clock=CLOCKS[self.clock], rated=bool(self.rated)),
            size=self.size,
            divisions=tuple(
                Division(
                    _("Division {number}", number=number + 1),
                    groups=0 if number == last else 1,
                    places=self.places,
                    up=self.moving if number else 0,
                    down=0 if number == last else self.moving,
                )
                for number in range(self.divisions)
            ),
            even_seats=bool(self.even_seats),
            at_once=bool(self.at_once),
            round_days=self.round_days,
            registration="invite" if self.invite else "open",
            bot=bot_actor(bots, self.bot) if self.bot and not is_bot(self.bot) else self.bot,
            text=self.text.strip()[:TEXT_LENGTH_MAX],
        )


NAME_LENGTH_MAX: Final = 120
TEXT_LENGTH_MAX: Final = 4_000


def league_path(league_id: UUID) -> str:
    return f"/leagues/{league_id}"


def season_path(league_id: UUID, number: int) -> str:
    return f"/leagues/{league_id}/seasons/{number}"


FORM_REFUSALS: Final = (
    LeagueRefused,
    MissingComponents,
    UnknownActor,
    UnknownOption,
    UnknownTitle,
    WrongSeatCount,
)
"""What is wrong with the form of a league, and can be set right there."""


@get("/")
async def leagues_page(
    request: PageRequest, tables: NamedDependency[Tables], before: Before = None, limit: Limit = LIMIT
) -> Response[Any]:
    """The leagues, the newest first, and a form to open one."""
    return await form_page(request, tables, LeagueForm(rated="yes"), limit=limit, before=before)


async def form_page(
    request: PageRequest,
    tables: Tables,
    form: LeagueForm,
    refusal: Exception | None = None,
    *,
    limit: int = LIMIT,
    before: int | None = None,
) -> Response[Any]:
    """The page with the form as it was filled in, and what was refused beside it."""
    problem = problem_of(refusal) if refusal else None
    found = await tables.read(leagues.leagues, limit, before)
    context = {
        "leagues": [listed(row) for row in found.items],
        "next": found.next,
        "limit": limit,
        "season_words": STATUS_WORDS,
        "clocks": {key: clock_words(clock) for key, clock in CLOCKS.items()},
        "form": form,
        "problem": problem,
        "divisions_offered": DIVISIONS_OFFERED,
        "places_offered": PLACES_OFFERED,
    }
    return page(request, "leagues/leagues.html", context, problem.status if problem else 200)


@post("/", guards=[requires_person])
async def open_league(
    request: PageRequest,
    desk: NamedDependency[Desk],
    ids: NamedDependency[Ids],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """A new league."""
    form, unread = await filled(request, LeagueForm)
    try:
        if unread:
            raise LeagueRefused(unread)
        stream = await desk.open(form.plan(settings.bots), ids, None)
    except FORM_REFUSALS as refusal:
        return await form_page(request, desk.tables, form, refusal)
    return back_to(league_path(stream.id), request)


@get("/{league_id:uuid}")
async def league_page(
    request: PageRequest,
    league_id: FromPath[UUID],
    desk: NamedDependency[Desk],
) -> Response[Any]:
    """A league: its season of today, all before, the hall of fame, and the organiser's desk."""
    stream = await desk.stream(league_id)
    shown = await desk.shown(stream)
    plan, own = shown.plan, desk.caller.person.id if desk.caller.person else ""
    present = await desk.season(stream, len(shown.seasons)) if shown.seasons else None
    context = {
        "shown": shown,
        "present": present,
        "season_words": STATUS_WORDS,
        "terms": terms_of(plan.title, plan.options, plan.table),
        "has_entered": any(player.id == own for player in shown.entered),
        "is_organiser": await desk.is_organiser(stream.state),
        "may_enter": plan.registration == "open" or own in stream.state.invited,
        "yours": [each for each in present.fixtures if is_yours(each, own)] if present else [],
    }
    return page(request, "leagues/league.html", context)


def is_yours(fixture: FixtureShown, own: str) -> bool:
    """A table somebody still has to play at."""
    is_open = fixture.match_id is not None and not fixture.is_over
    return is_open and any(player.id == own for player in fixture.players)


@get("/{league_id:uuid}/seasons/{number:int}")
async def season_page(
    request: PageRequest,
    league_id: FromPath[UUID],
    number: FromPath[int],
    desk: NamedDependency[Desk],
) -> Response[Any]:
    """A season: the tables of its groups, their fixtures round by round, and its desk."""
    stream = await desk.stream(league_id)
    season = await desk.season(stream, number)
    context = {
        "shown": await desk.shown(stream),
        "season": season,
        "season_words": STATUS_WORDS,
        "rounds": by_round(season),
        "now": now(),
        "is_desk_open": season.season.status == "running" and await desk.is_organiser(stream.state),
        "own": desk.caller.person.id if desk.caller.person else "",
        "gone": {actor for group in stream.state.seasons[number - 1].groups for actor in group.left},
    }
    return page(request, "leagues/season.html", context)


def by_round(season: SeasonShown) -> list[tuple[int, list[FixtureShown]]]:
    rounds: dict[int, list[FixtureShown]] = {}
    for fixture in season.fixtures:
        rounds.setdefault(fixture.round, []).append(fixture)
    return sorted(rounds.items())


@post("/{league_id:uuid}/enter", guards=[requires_person])
async def enter(
    request: PageRequest,
    league_id: FromPath[UUID],
    desk: NamedDependency[Desk],
) -> Response[Any]:
    """Whoever asks plays the next season."""
    await desk.enter(league_id, None)
    return back_to(league_path(league_id), request)


@post("/{league_id:uuid}/leave", guards=[requires_person])
async def leave(
    request: PageRequest,
    league_id: FromPath[UUID],
    desk: NamedDependency[Desk],
) -> Response[Any]:
    """Whoever asks plays no more."""
    await desk.leave(league_id, None)
    return back_to(league_path(league_id), request)


HANDLERS: Final = (
    Router(
        "/leagues",
        route_handlers=[leagues_page, open_league, league_page, season_page, enter, leave],
        dependencies={"desk": Provide(desk_of, sync_to_thread=False)},
    ),
)
