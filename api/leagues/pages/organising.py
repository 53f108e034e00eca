"""Forms of a league's organiser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response, Router, post
from litestar.di import NamedDependency, Provide

from api.http.browser import PageRequest, back_to
from api.http.form_pages import answer_form
from api.http.forms import BUTTON, Form, Nothing
from api.http.guards import requires_person
from api.leagues import files
from api.leagues.pages.forms import (
    ANNOUNCE,
    DEADLINE,
    ENTER,
    INVITE,
    LEAVE,
    PENALTY,
    PLAYERS,
    RESULT,
    RESULTS,
    RULING,
    SEASON,
    SUBSTITUTE,
    TAKE_BACK,
    NamedPlayer,
    PastedResults,
    PastedText,
    PenaltyOfPlayer,
    ResultOfFixture,
    StruckPlayer,
)
from api.leagues.pages.leagues import league_path, season_path, show_league, show_season
from api.leagues.service import LeagueOrganising, provide_league, provide_leagues
from api.leagues.wire import AnnounceToLeague, MoveDeadline, NameSubstitute, OpenSeason, RuleFixture
from api.tournaments.routes.tournaments import FILE_BYTES_MAX
from domain.standings.points import PART

F = TypeVar("F", bound=msgspec.Struct)


@dataclass(frozen=True)
class OrganisedRoom:
    """The league in the path, for an organiser who sends a form."""

    request: PageRequest
    league: LeagueOrganising

    async def newest(self) -> int:
        """Return the number of the latest season."""
        return len((await self.league.door.stream(self.league.id)).state.seasons)

    async def league_page(self) -> Response[Any]:
        """Render the page of the league."""
        return await show_league(self.request, self.league.door, self.league.id)

    async def season_page(self) -> Response[Any]:
        """Render the page of the latest season, or of the league if it has none."""
        number = await self.newest()
        if not number:
            return await self.league_page()
        return await show_season(self.request, self.league.door, self.league.id, number)

    async def of_league(self, form: Form[F], do: Callable[[F], Awaitable[object]]) -> Response[Any]:
        """Handle a form on the league's page, and redirect to it."""

        async def done(wanted: F) -> Response[Any]:
            await do(wanted)
            return back_to(league_path(self.league.id), self.request)

        return await answer_form(self.request, form, done, self.league_page)

    async def of_season(self, form: Form[F], do: Callable[[F], Awaitable[object]]) -> Response[Any]:
        """Handle a form on the page of the latest season, and redirect to it."""

        async def done(wanted: F) -> Response[Any]:
            await do(wanted)
            return back_to(season_path(self.league.id, await self.newest()), self.request)

        return await answer_form(self.request, form, done, self.season_page)


def room_of(request: PageRequest, league: NamedDependency[LeagueOrganising]) -> OrganisedRoom:
    """Provide the league in the path."""
    return OrganisedRoom(request, league)


@post("/season")
async def open_season(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Open registration for the next season."""

    async def do(wanted: OpenSeason) -> None:
        await room.league.open_season(wanted.name)

    return await room.of_league(SEASON, do)


@post("/invite")
async def invite(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Invite a player to enter."""

    async def do(wanted: NamedPlayer) -> None:
        await room.league.invite(wanted.player)

    return await room.of_league(INVITE, do)


@post("/take-back")
async def take_back_invitations(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Withdraw the open invitations of a player."""

    async def do(wanted: NamedPlayer) -> None:
        await room.league.take_back_invitations(wanted.player)

    return await room.of_league(TAKE_BACK, do)


@post("/enter")
async def enter_somebody(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Enter a player in the next season as the organiser."""

    async def do(wanted: NamedPlayer) -> None:
        await room.league.door.enter(room.league.id, wanted.player)

    return await room.of_league(ENTER, do)


@post("/leave")
async def strike(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Withdraw a player as the organiser."""

    async def do(wanted: StruckPlayer) -> None:
        await room.league.door.leave(room.league.id, wanted.player, wanted.reason)

    return await room.of_league(LEAVE, do)


@post("/import", request_max_body_size=FILE_BYTES_MAX)
async def import_text(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Import pasted players for the next season."""

    async def do(wanted: PastedText) -> None:
        await files.take_file(room.league, wanted.text.encode())

    return await room.of_league(PLAYERS, do)


@post("/draw")
async def draw(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Draw the groups of the season."""

    async def do(_: Nothing) -> Response[Any]:
        await room.league.draw()
        return back_to(season_path(room.league.id, await room.newest()), room.request)

    return await answer_form(room.request, BUTTON, do, room.league_page)


@post("/round")
async def open_round(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Open the next round; its matches follow one by one."""

    async def do(_: Nothing) -> None:
        await room.league.open_round()

    return await room.of_season(BUTTON, do)


@post("/deadline")
async def move_deadline(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Move the deadline of a round."""

    async def do(wanted: MoveDeadline) -> None:
        await room.league.move_deadline(wanted)

    return await room.of_season(DEADLINE, do)


@post("/substitute")
async def substitute(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Name a substitute for a place."""

    async def do(wanted: NameSubstitute) -> None:
        await room.league.substitute(wanted.group, wanted.out, wanted.player, wanted.from_round, wanted.reason)

    return await room.of_season(SUBSTITUTE, do)


@post("/ruling")
async def rule(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Rule on a table."""

    async def do(wanted: RuleFixture) -> None:
        await room.league.rule(wanted)

    return await room.of_season(RULING, do)


@post("/result")
async def give_result(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Enter the result of a face-to-face table."""

    async def do(wanted: ResultOfFixture) -> None:
        at = (wanted.group, wanted.round, wanted.table)
        await room.league.give_result(at, wanted.scores, wanted.ranking, wanted.reason, sure=wanted.sure)

    return await room.of_season(RESULT, do)


@post("/results")
async def import_results(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Import pasted results of face-to-face tables."""

    async def do(wanted: PastedResults) -> None:
        await files.results_taken(room.league, wanted.text.encode(), wanted.reason, sure=wanted.sure)

    return await room.of_season(RESULTS, do)


@post("/penalty")
async def penalise(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Deduct points from a player."""

    async def do(wanted: PenaltyOfPlayer) -> None:
        await room.league.penalise(wanted.player, wanted.points * PART, wanted.reason)

    return await room.of_season(PENALTY, do)


@post("/close")
async def close(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Close the season."""

    async def do(_: Nothing) -> None:
        await room.league.close()

    return await room.of_league(BUTTON, do)


@post("/announce")
async def announce(room: NamedDependency[OrganisedRoom]) -> Response[Any]:
    """Announce a text."""

    async def do(wanted: AnnounceToLeague) -> None:
        await room.league.announce(wanted.text)

    return await room.of_league(ANNOUNCE, do)


HANDLERS: Final = (
    Router(
        "/leagues/{league_id:uuid}/desk",
        route_handlers=[
            open_season,
            invite,
            take_back_invitations,
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
            penalise,
            close,
            announce,
        ],
        guards=[requires_person],
        dependencies={
            "room": Provide(room_of, sync_to_thread=False),
            "league": Provide(provide_league),
            "leagues": Provide(provide_leagues, sync_to_thread=False),
        },
    ),
)
