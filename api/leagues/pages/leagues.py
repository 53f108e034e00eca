"""Public pages of leagues and seasons, and the forms of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.contests.circuits import find_circuits
from api.contests.condition_forms import JOIN, JoinForm, offer_conditions
from api.contests.condition_views import view_conditions
from api.contests.finding import contest_of_league
from api.contests.prize_forms import format_amount
from api.contests.service import ContestService
from api.contests.words import CONSEQUENCES, WITHDRAWALS
from api.disputes.record import records_context
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, EmptyForm
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.languages import local_moment
from api.http.limits import CREATES
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from api.leagues.awards import awards_by_player, season_awards
from api.leagues.pages.forms import (
    ANSWER,
    DIVISIONS_OFFERED,
    LEAGUE,
    OF_A_LEAGUE,
    OF_A_SEASON,
    PLACES_OFFERED,
    AnswerButton,
    LeagueForm,
)
from api.leagues.schemas import EnterLeague
from api.leagues.season_schemas import FixtureShown, SeasonShown
from api.leagues.service import LeagueService, provide_leagues
from api.matches.pages.clocks import CLOCKS
from api.matches.pages.terms import describe_clock, terms_of
from api.titles.offers import OFFERS, bots_and_titles
from api.tournaments.acts import ACT_WORDS
from domain.kernel.messages import N_
from domain.kernel.title import default_title
from domain.kernel.values import replace
from domain.leagues.admission import is_invited
from domain.leagues.plan import LeaguePlan
from domain.standings.points import points_text
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.platform.settings import Settings

STATUS_WORDS: Final[Mapping[str, str]] = {
    "registering": N_("registration open"),
    "running": N_("in progress"),
    "closed": N_("over"),
}


def league_path(league_id: UUID) -> str:
    """Return the path of a league."""
    return f"/leagues/{league_id}"


def season_path(league_id: UUID, number: int) -> str:
    """Return the path of a season."""
    return f"/leagues/{league_id}/seasons/{number}"


@get("/")
async def leagues_page(
    request: PageRequest, leagues: NamedDependency[LeagueService], before: Before = None, limit: Limit = LIMIT
) -> Response[Any]:
    """List leagues, latest first, with a form to open one."""
    return await show_leagues(request, leagues, limit, before)


async def show_leagues(
    request: PageRequest, leagues: LeagueService, limit: int = LIMIT, before: int | None = None
) -> Response[Any]:
    """Render the list of leagues."""
    found = await leagues.list(limit, before)
    context = {
        "leagues": found.items,
        "next": found.next,
        "limit": limit,
        "season_words": STATUS_WORDS,
        "clocks": {key: describe_clock(clock) for key, clock in CLOCKS.items()},
        "may_rate": await leagues.may_rate(),
        "form": LeagueForm(name="", title=default_title(leagues.tables.titles).name, rated=True),
        "forms": forms_of(request, LEAGUE),
        "bots": bots_and_titles(OFFERS.of(request)),
        "divisions_offered": DIVISIONS_OFFERED,
        "places_offered": PLACES_OFFERED,
        "consequences": CONSEQUENCES,
        "withdrawals": WITHDRAWALS,
        "offered": offer_conditions(leagues.tables.titles, None),
    }
    return render_page(request, "leagues/leagues.html", context)


@post("/", guards=[requires_person], opt=CREATES)
async def open_league(
    request: PageRequest,
    leagues: NamedDependency[LeagueService],
    ids: NamedDependency[Ids],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Open a league and redirect to it; without a title, the default title is played. A rejected form is shown again.

    A second official of the form is invited. Refused with `LeagueRefused` for a bad plan, `RoleMissing` for a rated
    league without the right to rate, and the other errors of `LeagueService.open`.
    """

    async def do(form: LeagueForm) -> Response[Any]:
        form = msgspec.structs.replace(form, title=form.title or default_title(leagues.tables.titles).name)
        stream = await leagues.open(form.plan(settings.bots), ids, None, form.official)
        return redirect_after_form(league_path(stream.id), request)

    async def again() -> Response[Any]:
        return await show_leagues(request, leagues)

    return await handle_form(request, LEAGUE, do, again)


@get("/{league_id:uuid}")
async def league_page(
    request: PageRequest,
    league_id: FromPath[UUID],
    leagues: NamedDependency[LeagueService],
) -> Response[Any]:
    """Show a league: current and earlier seasons, hall of fame, and the organiser's forms.

    Raise `NoSuchStream` if it is unknown.
    """
    return await show_league(request, leagues, league_id)


async def show_league(request: PageRequest, leagues: LeagueService, league_id: UUID) -> Response[Any]:
    """Render the page of a league, with its latest season and the reader's tables in it.

    Raise `NoSuchStream` if it is unknown.
    """
    stream = await leagues.stream(league_id)
    encoded = await leagues.encode(stream)
    plan, own_id = encoded.plan, leagues.caller.person.id if leagues.caller.person else ""
    season = await leagues.season(stream, len(encoded.seasons)) if encoded.seasons else None
    context = {
        "shown": encoded,
        "forms": forms_of(request, *OF_A_LEAGUE),
        "present": season,
        "season_words": STATUS_WORDS,
        "consequences": CONSEQUENCES,
        "terms": terms_of(
            leagues.tables.titles.get(plan.title), plan.options, replace(plan.table, rated=encoded.rated)
        ),
        "clubs": {each.player: each for each in encoded.clubs},
        "has_entered": any(player.id == own_id for player in (*encoded.entered, *encoded.waiting)),
        "waits_at": next((at for at, player in enumerate(encoded.waiting, 1) if player.id == own_id), 0),
        "withdrawals": WITHDRAWALS,
        "local": local_times(plan),
        "circuits": await find_circuits(leagues.tables, league_id),
        "is_organiser": await leagues.is_organiser(stream.state),
        "entry": await view_conditions(ContestService(leagues.entrants), contest_of_league(stream)),
        "may_enter": plan.registration == "open" or is_invited(stream.state, own_id),
        "yours": [each for each in season.fixtures if is_own_fixture(each, own_id)] if season else [],
    }
    return render_page(request, "leagues/league.html", context)


def local_times(plan: LeaguePlan) -> Callable[[datetime], str]:
    """Return the function that renders times in the time zone of a league's schedule, or in UTC without one."""
    zone = ZoneInfo(plan.schedule.zone if plan.schedule else "UTC")
    return lambda at: local_moment(at, zone)


def is_own_fixture(fixture: FixtureShown, own_id: str) -> bool:
    """Return whether a player still has to play at a table."""
    is_open = fixture.match_id is not None and not fixture.is_over
    return is_open and any(player.id == own_id for player in fixture.players)


@get("/{league_id:uuid}/seasons/{number:int}")
async def season_page(
    request: PageRequest,
    league_id: FromPath[UUID],
    number: FromPath[int],
    leagues: NamedDependency[LeagueService],
) -> Response[Any]:
    """Show a season: group tables, fixtures by round, and the organiser's forms.

    Raise `NoSuchStream` if the league or the season is unknown.
    """
    return await show_season(request, leagues, league_id, number)


async def show_season(request: PageRequest, leagues: LeagueService, league_id: UUID, number: int) -> Response[Any]:
    """Render the page of a season; raise `NoSuchStream` if the league or the season is unknown."""
    stream = await leagues.stream(league_id)
    season = await leagues.season(stream, number)
    context = {
        "shown": await leagues.encode(stream),
        "season": season,
        "local": local_times(stream.state.plan),
        "circuits": [each for each in await find_circuits(leagues.tables, league_id) if each.season == number],
        "forms": forms_of(request, *OF_A_SEASON),
        "season_words": STATUS_WORDS,
        "rounds": by_round(season),
        "now": now(),
        "is_organising": season.season.status == "running" and await leagues.is_organiser(stream.state),
        "own": leagues.caller.person.id if leagues.caller.person else "",
        "won": awards_by_player(await season_awards(leagues, stream, number)),
        "amount_text": format_amount,
        "gone": {actor for group in stream.state.seasons[number - 1].groups for actor in group.left},
    }
    return render_page(request, "leagues/season.html", context)


@get("/{league_id:uuid}/record")
async def record_page(
    request: PageRequest,
    league_id: FromPath[UUID],
    leagues: NamedDependency[LeagueService],
    of: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show the acts of organisers and arbiters with their reasons. `of=arbiters`: earlier acts of arbiters.

    Raise `NoSuchStream` if the league is unknown.
    """
    encoded = await leagues.encode(await leagues.stream(league_id))
    acts = partial(leagues.record, league_id)
    records = await records_context(acts, leagues.tables, leagues.accounts, str(league_id), of, limit, before)
    return render_page(
        request,
        "leagues/record.html",
        {"shown": encoded, "points_text": points_text, "act_words": ACT_WORDS, **records},
    )


def by_round(season: SeasonShown) -> list[tuple[int, list[FixtureShown]]]:
    """Return (round, fixtures) pairs, in order of the rounds."""
    rounds: dict[int, list[FixtureShown]] = {}
    for fixture in season.fixtures:
        rounds.setdefault(fixture.round, []).append(fixture)
    return sorted(rounds.items())


@post("/{league_id:uuid}/enter", guards=[requires_person])
async def enter(
    request: PageRequest,
    league_id: FromPath[UUID],
    leagues: NamedDependency[LeagueService],
) -> Response[Any]:
    """Enter the reader in the next season, and redirect to the league; a refusal is shown there if possible.

    Refused with `LeagueRefused` if registration is closed, or they have entered or lack an invitation.
    """

    async def do(form: JoinForm) -> Response[Any]:
        await leagues.enter(league_id, EnterLeague(password=form.password, club_id=form.club_id))
        return redirect_after_form(league_path(league_id), request)

    return await handle_form(request, JOIN, do, lambda: show_league(request, leagues, league_id))


@post("/{league_id:uuid}/invitation", guards=[requires_person])
async def answer_invitation(
    request: PageRequest,
    league_id: FromPath[UUID],
    leagues: NamedDependency[LeagueService],
) -> Response[Any]:
    """Accept or decline an invitation of the reader, and redirect to the league.

    Refused with `LeagueRefused` if there is no such open invitation.
    """

    async def do(form: AnswerButton) -> Response[Any]:
        await leagues.answer_invitation(league_id, form)
        return redirect_after_form(league_path(league_id), request)

    return await handle_form(request, ANSWER, do, lambda: show_league(request, leagues, league_id))


@post("/{league_id:uuid}/leave", guards=[requires_person])
async def leave(
    request: PageRequest,
    league_id: FromPath[UUID],
    leagues: NamedDependency[LeagueService],
) -> Response[Any]:
    """Withdraw the reader from the season, before or after the draw, and redirect to the league.

    Refused with `LeagueRefused` if they have not entered or have left.
    """

    async def do(_: EmptyForm) -> Response[Any]:
        await leagues.leave(league_id, None)
        return redirect_after_form(league_path(league_id), request)

    return await handle_form(request, BUTTON, do, lambda: show_league(request, leagues, league_id))


HANDLERS: Final = (
    Router(
        "/leagues",
        route_handlers=[
            leagues_page,
            open_league,
            league_page,
            season_page,
            record_page,
            enter,
            answer_invitation,
            leave,
        ],
        dependencies={"leagues": Provide(provide_leagues, sync_to_thread=False)},
    ),
)
