"""Forms of a league's organiser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response, Router, post
from litestar.di import NamedDependency, Provide

from api.http.form_pages import handle_form
from api.http.forms import BUTTON, EmptyForm, Form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form
from api.leagues import files
from api.leagues.pages.forms import (
    ANNOUNCE,
    DEADLINE,
    ENTER,
    INVITE,
    LEAVE,
    MOVE,
    PENALTY,
    PLAYERS,
    RESULT,
    RESULTS,
    RULING,
    SEASON,
    SUBSTITUTE,
    SWAP,
    TAKE_BACK,
    EnteredPlayer,
    NamedPlayer,
    PastedResults,
    PastedText,
    PenaltyOfPlayer,
    ResultOfFixture,
    WithdrawnPlayer,
)
from api.leagues.pages.leagues import league_path, season_path, show_league, show_season
from api.leagues.schemas import (
    AnnounceToLeague,
    EnterLeague,
    MoveDeadline,
    MoveInDraw,
    NameSubstitute,
    OpenSeason,
    RuleFixture,
    SwapInDraw,
)
from api.leagues.service import OrganisedLeague, provide_league, provide_leagues
from api.tournaments.routes.tournaments import FILE_BYTES_MAX
from domain.standings.points import SIXTIETHS_PER_POINT

F = TypeVar("F", bound=msgspec.Struct)


@dataclass(frozen=True)
class OrganiserForms:
    """The league in the path, for an organiser who sends a form."""

    request: PageRequest
    league: OrganisedLeague

    async def newest_season(self) -> int:
        """Return the number of the latest season."""
        return len((await self.league.service.stream(self.league.id)).state.seasons)

    async def render_league(self) -> Response[Any]:
        """Render the page of the league."""
        return await show_league(self.request, self.league.service, self.league.id)

    async def render_season(self) -> Response[Any]:
        """Render the page of the latest season, or of the league if it has none."""
        number = await self.newest_season()
        if not number:
            return await self.render_league()
        return await show_season(self.request, self.league.service, self.league.id, number)

    async def handle_league_form(self, form: Form[F], do: Callable[[F], Awaitable[object]]) -> Response[Any]:
        """Handle a form on the league's page, and redirect to it; a rejected form is shown there."""

        async def run_and_redirect(values: F) -> Response[Any]:
            await do(values)
            return redirect_after_form(league_path(self.league.id), self.request)

        return await handle_form(self.request, form, run_and_redirect, self.render_league)

    async def handle_season_form(self, form: Form[F], do: Callable[[F], Awaitable[object]]) -> Response[Any]:
        """Handle a form on the page of the latest season, and redirect to it; a rejected form is shown there."""

        async def run_and_redirect(values: F) -> Response[Any]:
            await do(values)
            return redirect_after_form(season_path(self.league.id, await self.newest_season()), self.request)

        return await handle_form(self.request, form, run_and_redirect, self.render_season)


def provide_forms(request: PageRequest, league: NamedDependency[OrganisedLeague]) -> OrganiserForms:
    """Provide the league in the path."""
    return OrganiserForms(request, league)


@post("/season")
async def open_season(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Open registration for the next season; then show the league.

    Refused with `LeagueRefused` unless the previous season is closed, or for a used name.
    """

    async def do(form: OpenSeason) -> None:
        await forms.league.open_season(form.name)

    return await forms.handle_league_form(SEASON, do)


@post("/invite")
async def invite(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Invite a player to enter; then show the league.

    Refused with `LeagueRefused` if they are invited already or have declined.
    """

    async def do(form: NamedPlayer) -> None:
        await forms.league.invite(form.player)

    return await forms.handle_league_form(INVITE, do)


@post("/take-back")
async def take_back_invitations(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Withdraw the open invitations of a player; then show the league. Nothing happens without any."""

    async def do(form: NamedPlayer) -> None:
        await forms.league.take_back_invitations(form.player)

    return await forms.handle_league_form(TAKE_BACK, do)


@post("/enter")
async def enter_somebody(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Enter a bot in the next season as the organiser, or invite another player; then show the league.

    Refused with `LeagueRefused` as `LeagueService.enter`, such as after the registration.
    """

    async def do(form: EnteredPlayer) -> None:
        await forms.league.service.enter(forms.league.id, EnterLeague(form.player, form.reason, form.waive))

    return await forms.handle_league_form(ENTER, do)


@post("/leave")
async def strike(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Withdraw a player as the organiser, with a reason; then show the league.

    Refused with `LeagueRefused` without a reason, or if they have not entered.
    """

    async def do(form: WithdrawnPlayer) -> None:
        await forms.league.service.leave(forms.league.id, form.player, form.reason)

    return await forms.handle_league_form(LEAVE, do)


@post("/import", request_max_body_size=FILE_BYTES_MAX)
async def import_text(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Import pasted players for the next season, all or none; then show the league.

    Refused with `ImportRefused` for a bad row, `LeagueRefused` unless a season takes entries.
    """

    async def do(form: PastedText) -> None:
        await files.import_players(forms.league, form.text.encode())

    return await forms.handle_league_form(PLAYERS, do)


@post("/draw")
async def draw(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Draw the groups of the season; then show the season. A refusal is shown on the page of the league.

    Refused with `LeagueRefused` if too few have entered.
    """

    async def do(_: EmptyForm) -> Response[Any]:
        await forms.league.draw()
        return redirect_after_form(season_path(forms.league.id, await forms.newest_season()), forms.request)

    return await handle_form(forms.request, BUTTON, do, forms.render_league)


@post("/draw/swap")
async def swap_in_draw(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Swap two players of the proposed draw; then show the league.

    Refused with `LeagueRefused` if no draw is proposed, or if a player is not in it.
    """

    async def do(form: SwapInDraw) -> None:
        await forms.league.swap_in_draw(form)

    return await forms.handle_league_form(SWAP, do)


@post("/draw/move")
async def move_in_draw(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Move a player of the proposed draw to another group; then show the league.

    Refused with `LeagueRefused` as `domain.leagues.proposals.move`, such as for a group that would become too small.
    """

    async def do(form: MoveInDraw) -> None:
        await forms.league.move_in_draw(form)

    return await forms.handle_league_form(MOVE, do)


@post("/round")
async def open_round(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Open the next round, or all if the season is played at once; then show the season. Matches follow one by one.

    Refused with `LeagueRefused` if no round is left, or a place needs a substitute.
    """

    async def do(_: EmptyForm) -> None:
        await forms.league.open_round()

    return await forms.handle_season_form(BUTTON, do)


@post("/deadline")
async def move_deadline(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Move the deadline of an open round to a future time; then show the season."""

    async def do(form: MoveDeadline) -> None:
        await forms.league.move_deadline(form)

    return await forms.handle_season_form(DEADLINE, do)


@post("/substitute")
async def substitute(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Name a substitute for a place in a group from an unopened round on; then show the season.

    An account is invited first. Refused with `LeagueRefused` as the domain's `substitute`.
    """

    async def do(form: NameSubstitute) -> None:
        await forms.league.substitute(form.group, form.out, form.player, form.from_round, form.reason)

    return await forms.handle_season_form(SUBSTITUTE, do)


@post("/ruling")
async def rule(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Rule on a table that cannot be finished; then show the season.

    Refused with `ConflictOfInterest` for an organiser who plays in the league, `LeagueRefused` for a match played to
    the end.
    """

    async def do(form: RuleFixture) -> None:
        await forms.league.rule(form)

    return await forms.handle_season_form(RULING, do)


@post("/result")
async def give_result(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Enter the result of a face-to-face table; then show the season.

    Refused with `ConflictOfInterest` for an organiser who plays, and `PlacesContradict` unless the form is `sure`.
    """

    async def do(form: ResultOfFixture) -> None:
        fixture = (form.group, form.round, form.table)
        await forms.league.give_result(fixture, form.scores, form.ranking, form.reason, sure=form.sure)

    return await forms.handle_season_form(RESULT, do)


@post("/results")
async def import_results(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Import pasted results of face-to-face tables, all or none; then show the season.

    Refused with `ConflictOfInterest` for an organiser who plays, `ImportRefused` for bad rows, and as `enter_result`.
    """

    async def do(form: PastedResults) -> None:
        await files.import_results(forms.league, form.text.encode(), form.reason, sure=form.sure)

    return await forms.handle_season_form(RESULTS, do)


@post("/penalty")
async def penalise(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Deduct points from a player in the group table (negative: give back); then show the season.

    Refused with `ConflictOfInterest` for an organiser who plays in the league.
    """

    async def do(form: PenaltyOfPlayer) -> None:
        await forms.league.penalise(form.player, form.points * SIXTIETHS_PER_POINT, form.reason)

    return await forms.handle_season_form(PENALTY, do)


@post("/close")
async def close(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Close the season; then show the league.

    Refused with `LeagueRefused` while a round is unopened, a table without a result, or a match disputed.
    """

    async def do(_: EmptyForm) -> None:
        await forms.league.close()

    return await forms.handle_league_form(BUTTON, do)


@post("/announce")
async def announce(forms: NamedDependency[OrganiserForms]) -> Response[Any]:
    """Announce a text; then show the league."""

    async def do(form: AnnounceToLeague) -> None:
        await forms.league.announce(form.text)

    return await forms.handle_league_form(ANNOUNCE, do)


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
            swap_in_draw,
            move_in_draw,
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
            "forms": Provide(provide_forms, sync_to_thread=False),
            "league": Provide(provide_league),
            "leagues": Provide(provide_leagues, sync_to_thread=False),
        },
    ),
)
