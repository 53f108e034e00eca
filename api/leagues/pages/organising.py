"""The forms of whoever organises a league."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from litestar import Response, Router, post
from litestar.di import NamedDependency, Provide
from litestar.params import URLEncodedBody

from api.leagues import files
from api.leagues.organised import Organised, organised
from api.leagues.pages.leagues import NAME_LENGTH_MAX, TEXT_LENGTH_MAX, league_path, season_path
from api.leagues.service import desk_of
from api.tournaments.pages.forms import ResultForm, result_of
from api.web.browser import Form, PageRequest, back_to
from api.web.guards import requires_person
from domain.leagues.facts import FixtureRuled
from domain.leagues.plan import LeagueRefused


class NameForm(Form, frozen=True):
    """A season's name or a player's."""

    name: str = ""


class TextForm(Form, frozen=True):
    text: str = ""


class DeadlineForm(Form, frozen=True):
    """`day`: as a date field sends it; the round ends with that day (UTC)."""

    round: int = 0
    day: str = ""


class SubstituteForm(Form, frozen=True):
    group: int = 0
    out: str = ""
    player: str = ""
    from_round: int = 0
    reason: str = ""


class PlayedForm(ResultForm, frozen=True):
    """The result of a table played face to face."""

    group: int = 0


class RulingForm(Form, frozen=True):
    """`places` and `scores` by seat, with blanks or commas between."""

    group: int = 0
    round: int = 0
    table: int = 0
    places: str = ""
    scores: str = ""
    void: str = ""
    reason: str = ""


def numbers(text: str, what: str) -> tuple[int, ...]:
    words = text.replace(",", " ").split()
    if not all(word.removeprefix("-").isdecimal() and len(word) < 8 for word in words):
        raise LeagueRefused(f"{what}: {text!r} are not numbers")
    return tuple(map(int, words))


def last_moment(day: str) -> datetime:
    """The end of a day as a date field sends it."""
    try:
        found = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise LeagueRefused(f"{day!r} is no day") from error
    return found.replace(hour=23, minute=59, second=59)


def to_league(request: PageRequest, league: Organised) -> Response[Any]:
    return back_to(league_path(league.id), request)


async def to_season(request: PageRequest, league: Organised) -> Response[Any]:
    """The page of the newest season."""
    stream = await league.desk.stream(league.id)
    return back_to(season_path(league.id, len(stream.state.seasons)), request)


@post("/season")
async def open_season(
    request: PageRequest, data: URLEncodedBody[NameForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """The next season takes entries."""
    name = data.name.strip()
    if not 1 <= len(name) <= NAME_LENGTH_MAX:
        raise LeagueRefused(f"the name of a season has 1 to {NAME_LENGTH_MAX} characters")
    await league.open_season(name)
    return to_league(request, league)


@post("/invite")
async def invite(
    request: PageRequest, data: URLEncodedBody[NameForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Somebody may enter."""
    await league.invite(data.name)
    return to_league(request, league)


@post("/enter")
async def enter_somebody(
    request: PageRequest, data: URLEncodedBody[NameForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Somebody plays the next season by the organiser's word."""
    await league.desk.enter(league.id, data.name)
    return to_league(request, league)


@post("/leave")
async def strike(
    request: PageRequest, data: URLEncodedBody[NameForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Somebody plays no more by the organiser's word."""
    await league.desk.leave(league.id, data.name)
    return to_league(request, league)


@post("/import")
async def import_text(
    request: PageRequest, data: URLEncodedBody[TextForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Players of the next season, pasted from a spreadsheet or a file."""
    await files.taken(league, data.text.encode())
    return to_league(request, league)


@post("/draw")
async def draw(request: PageRequest, league: NamedDependency[Organised]) -> Response[Any]:
    """The groups of the season and their schedules."""
    await league.draw()
    return await to_season(request, league)


@post("/round")
async def open_round(request: PageRequest, league: NamedDependency[Organised]) -> Response[Any]:
    """The next round; its matches follow, one after the other."""
    await league.open_round()
    return await to_season(request, league)


@post("/deadline")
async def move_deadline(
    request: PageRequest, data: URLEncodedBody[DeadlineForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Another end of a round."""
    await league.move_deadline(data.round, last_moment(data.day))
    return await to_season(request, league)


@post("/substitute")
async def substitute(
    request: PageRequest, data: URLEncodedBody[SubstituteForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Somebody else plays for a place."""
    await league.substitute(data.group, data.out, data.player, data.from_round, data.reason[:TEXT_LENGTH_MAX])
    return await to_season(request, league)


@post("/ruling")
async def rule(
    request: PageRequest, data: URLEncodedBody[RulingForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """The organiser's word on a table."""
    places, scores = numbers(data.places, "places"), numbers(data.scores, "points")
    at, reason = (data.round, data.group - 1, data.table), data.reason[:TEXT_LENGTH_MAX]
    await league.rule(FixtureRuled(league.by, *at, places, scores, bool(data.void), reason))
    return await to_season(request, league)


@post("/result")
async def give_result(
    request: PageRequest, data: URLEncodedBody[PlayedForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """What a table played face to face came to."""
    await league.give_result((data.group, data.round, data.table), *result_of(data))
    return await to_season(request, league)


@post("/results")
async def import_results(
    request: PageRequest, data: URLEncodedBody[TextForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Results of tables played face to face, pasted from a spreadsheet or a file."""
    await files.results_taken(league, data.text.encode())
    return await to_season(request, league)


@post("/close")
async def close(request: PageRequest, league: NamedDependency[Organised]) -> Response[Any]:
    """The season is over."""
    await league.close()
    return to_league(request, league)


@post("/announce")
async def announce(
    request: PageRequest, data: URLEncodedBody[TextForm], league: NamedDependency[Organised]
) -> Response[Any]:
    """Something everybody should read."""
    await league.announce(data.text[:TEXT_LENGTH_MAX])
    return to_league(request, league)


HANDLERS: Final = (
    Router(
        "/leagues/{league_id:uuid}/desk",
        route_handlers=[
            open_season,
            invite,
            enter_somebody,
            strike,
            import_text,
            draw,
            open_round,
            move_deadline,
            substitute,
            rule,
            give_result,
            import_results,
            close,
            announce,
        ],
        guards=[requires_person],
        dependencies={"league": Provide(organised), "desk": Provide(desk_of, sync_to_thread=False)},
    ),
)
