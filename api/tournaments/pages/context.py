"""The context of a tournament's pages: reader, texts, boards, and redirects after forms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.service import AccountService
from api.contests.circuits import find_circuits
from api.contests.condition_forms import JOIN
from api.contests.condition_views import view_conditions
from api.contests.finding import contest_of_tournament
from api.contests.service import ContestService
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form
from api.http.fragments import now_ms
from api.http.languages import local_end, local_moment
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.matches.pages.terms import describe_clock
from api.matches.service import MatchService
from api.titles.drawing import Drawing
from api.tournaments.calendars import APPOINTMENTS
from api.tournaments.pages.naming import entries_by_name
from api.tournaments.photo_schemas import PhotoShown
from api.tournaments.reasons import with_names
from api.tournaments.responses import entry_names, show_standings
from api.tournaments.schemas import TournamentShown
from api.tournaments.service import TournamentService
from api.tournaments.standing_schemas import StandingsShown
from domain.kernel.messages import N_, Message, plural
from domain.matches.aggregate import Match, seats_to_act, view
from domain.pairing.problem import DEMAND_TEXTS
from domain.standings.contest import Stage
from domain.standings.points import points_text
from domain.standings.tie_breaks import EXPLANATIONS, NAMES
from domain.tournaments.commands import TournamentStream
from domain.tournaments.state import Round, Tournament
from projections.matches.boards import scores_of
from projections.platform.clock import now

F = TypeVar("F", bound=msgspec.Struct)

STATUS: Final[Mapping[str, str]] = {
    "registering": N_("registration"),
    "running": N_("in progress"),
    "ended": N_("ended"),
}
ROUND_STATUS: Final[Mapping[str, str]] = {
    "asked": N_("being paired"),
    "failed": N_("pairing failed"),
    "proposed": N_("proposal, visible to organisers only"),
    "published": N_("opening the tables"),
    "opened": N_("in progress"),
    "closed": N_("closed"),
}
KINDS: Final[Mapping[str, str]] = {
    "swiss": N_("Swiss system"),
    "round_robin": N_("Round robin"),
    "elimination": N_("Elimination"),
    "heats": N_("Heats"),
    "final": N_("Final table"),
}
MEASURES: Final[Mapping[str, str]] = {
    "points": N_("points by place"),
    "victory_points": N_("victory points"),
    "wins": N_("tables won"),
    "margin": N_("margins"),
}
LEVELS: Final[Mapping[str, str]] = {
    "forbidden": N_("Broken pairing rules"),
    "repeats": N_("Repeated meetings"),
    "families": N_("Pairs from the same family"),
    "clubs": N_("Pairs from the same club"),
    "short": N_("Repeated short tables"),
    "scores": N_("Score differences"),
    "seats": N_("Repeated seats"),
}
ENTRY: Final = re.compile(r"\be[0-9]+\b")
"""An entry id in messages of the pairing."""
CONFLICT: Final = re.compile(r"\b(e[0-9]+) and (e[0-9]+) (must not meet|must sit together)\b")
"""Contradictory demands in messages of older logs."""
DEMANDS: Final[Mapping[str, str]] = {
    "must not meet": DEMAND_TEXTS["forbidden"],
    "must sit together": DEMAND_TEXTS["wished"],
}
ROUNDS_ONE, ROUNDS_MANY = plural("{count} round", "{count} rounds")
CUT_ONE, CUT_MANY = plural("top {count}", "the top {count}")
LIFE = N_("out after the first loss")
LIVES = N_("out after the second loss")


class SmallBoard(msgspec.Struct, frozen=True):
    """A small board of a running match."""

    status: str
    version: int
    scores: tuple[int, ...]
    acting: tuple[int, ...]
    standing: str
    miniature: str
    """The template of the board; empty before the match has started."""
    picture: Mapping[str, Any]

    @property
    def best(self) -> int:
        """The highest score, at least 1, to scale the bars."""
        return max(1, *self.scores)


TABLES_DRAWN: Final = 100
NO_BOARDS: Final[Mapping[UUID, SmallBoard]] = {}


def tournament_path(event_id: UUID) -> str:
    """Return the path of a tournament's page."""
    return f"/events/{event_id}"


def describe_stage(stage: Stage) -> tuple[Message, ...]:
    """Return the description of a stage as messages: kind, and if set number of rounds, cut and lives."""
    messages = [Message(KINDS[stage.kind])]
    if stage.rounds:
        messages.append(Message(ROUNDS_ONE, {"count": stage.rounds}, plural=ROUNDS_MANY, count=stage.rounds))
    if stage.cut:
        messages.append(Message(CUT_ONE, {"count": stage.cut}, plural=CUT_MANY, count=stage.cut))
    if stage.kind == "elimination":
        messages.append(Message(LIFE if stage.lives == 1 else LIVES))
    return tuple(messages)


def page_texts() -> dict[str, Any]:
    """Return the texts that templates of tournaments use, by their names in the templates."""
    return {
        "event_status": STATUS,
        "round_status": ROUND_STATUS,
        "level_names": LEVELS,
        "tie_break_names": NAMES,
        "tie_breaks_told": EXPLANATIONS,
        "measures": MEASURES,
        "points_text": points_text,
        "stage_told": describe_stage,
    }


@dataclass(frozen=True)
class TournamentContext:
    """The tournament in the path, for the reader of a page or the sender of a form."""

    request: PageRequest
    id: UUID
    tournaments: TournamentService
    tables: MatchService

    @property
    def accounts(self) -> AccountService:
        """The account service."""
        return self.tournaments.accounts

    @property
    def path(self) -> str:
        """The path of the tournament's page."""
        return tournament_path(self.id)

    def back(self, subpath: str = "/desk") -> Response[Any]:
        """Redirect to a page of the tournament after a form."""
        return redirect_after_form(f"{self.path}{subpath}", self.request)

    def render(self, template: str, context: Mapping[str, Any]) -> Response[str]:
        """Render a template of tournaments."""
        return render_page(self.request, f"tournaments/{template}.html", context)

    async def render_overview(self, round_: int = 0) -> Response[str]:
        """Render the overview: description, standings and rounds with tables; only one round if `round_` is not 0."""
        event = await self.tournaments.reading.get(self.id)
        context = await self.context(event, with_boards=True)
        context |= {"drawn": rounds_to_render(context["shown"], round_), "wanted": round_}
        context["standings"] = await self.standings(event)
        contests = ContestService(self.tournaments.registration.entrants)
        context["entry"] = await view_conditions(contests, contest_of_tournament(event))
        context["forms"] = forms_of(self.request, JOIN)
        context["circuits"] = await find_circuits(self.tables, self.id)
        return self.render("tournament", {**context, "now": now_ms()})

    async def render_participants(self) -> Response[str]:
        """Render the participants: playing, waiting and withdrawn."""
        return self.render("people", await self.context(await self.tournaments.reading.get(self.id)))

    async def handle_organiser_form(
        self,
        form: Form[F],
        do: Callable[[F], Awaitable[None]],
        render_again: Callable[[TournamentContext], Awaitable[Response[Any]]],
        subpath: str = "/desk",
    ) -> Response[Any]:
        """Handle an organiser's form: run `do` and redirect to `subpath`, or show the errors with `render_again`.

        Raises `RoleMissing` for others before the form is read.
        """

        async def run_and_redirect(data: F) -> Response[Any]:
            await do(data)
            return self.back(subpath)

        await self.tournaments.reading.require_organiser(self.id)
        return await handle_form(self.request, form, run_and_redirect, lambda: render_again(self))

    async def with_entry_names(self, form: Form[F]) -> Form[F]:
        """Return the form with names of people accepted in its lists; raise `RoleMissing` for non-organisers."""
        event = await self.tournaments.reading.require_organiser(self.id)
        return replace(form, ids_by_name=entries_by_name(entry_names(event.state, self.accounts)))

    async def standings(self, event: TournamentStream) -> StandingsShown:
        """Return the standings."""
        return await self.tournaments.reading.render(event, show_standings)

    async def context(self, event: TournamentStream, *, with_boards: bool = False) -> dict[str, Any]:
        """Return the template context that every page of a tournament needs.

        Boards of running matches only `with_boards`.
        """
        tournament = await self.tournaments.reading.show(event, with_reasons=False)
        names = entry_names(event.state, self.accounts)
        return {
            "shown": tournament,
            "names": names,
            "players": {each.entry: each.player for each in tournament.entries},
            "called": lambda entries: [names[entry] for entry in entries],
            "reasons": Reasons(event.state, names),
            "drawn": rounds_to_render(tournament, 0),
            "conflicts_of": {each.number: describe_conflicts(each, names) for each in event.state.rounds},
            "with_names": lambda sentence: ENTRY.sub(lambda found: names.get(found[0], found[0]), sentence),
            "boards": await self.boards(tournament) if with_boards else {},
            "photos": by_table(await self.tournaments.photos.show(event)),
            **dates_of(event.state),
            "clock": describe_clock(event.state.plan.table.clock),
            "base": self.path,
            "tables_over": count_finished_tables(tournament),
            **page_texts(),
        }

    async def boards(
        self, tournament: TournamentShown, previous_boards: Mapping[UUID, SmallBoard] = NO_BOARDS
    ) -> dict[UUID, SmallBoard]:
        """Return the boards of the running matches of the latest round; `previous_boards` is a cache."""
        found = {}
        for table in tournament.rounds[-1].tables if tournament.rounds else ():
            if table.match_id is not None and table.status == "playing":
                match, previous = await self.tables.reading.get(table.match_id), previous_boards.get(table.match_id)
                is_unchanged = previous is not None and (previous.status, previous.version) == (
                    match.status,
                    match.version,
                )
                drawing = self.tables.drawings[match.title]
                board = previous if previous and is_unchanged else await asyncio.to_thread(board_of, match, drawing)
                found[table.match_id] = board
        return found


def by_table(photos: Iterable[PhotoShown]) -> Mapping[tuple[int, int], list[PhotoShown]]:
    """Return photos by round and table."""
    found: dict[tuple[int, int], list[PhotoShown]] = {}
    for each in photos:
        found.setdefault((each.round, each.table), []).append(each)
    return found


class Reasons:
    """Reasons of tables, by round and table, with names; computed on access."""

    def __init__(self, event: Tournament, names: Mapping[str, str]) -> None:
        self._event = event
        self._names = names

    def __getitem__(self, round_and_table: tuple[int, int]) -> tuple[Message, ...]:
        round_, table = round_and_table
        found = self._event.rounds[round_ - 1].tables[table - 1].reasons
        return tuple(with_names(message, self._names) for message in found)


def rounds_to_render(tournament: TournamentShown, number: int) -> tuple[int, ...]:
    """Return the numbers of the rounds to render, latest first: the wanted one, which is not checked.

    For 0 the latest public rounds that fit on a page, at least one if there is any.
    """
    public = [each for each in tournament.rounds if each.is_public]
    if number:
        return (number,)
    found, count = list[int](), 0
    for each in reversed(public):
        count += len(each.tables)
        if found and count > TABLES_DRAWN:
            break
        found.append(each.round)
    return tuple(found)


def dates_of(event: Tournament) -> dict[str, Any]:
    """Return template context about dates: formatting in the event's zone, and the state of entry and check-in."""
    zone, opens = ZoneInfo(event.calendar.zone), event.calendar.check_in_opens
    has_check_in = opens is not None and not (event.is_checked_in or event.rounds)
    return {
        "local": lambda at: local_moment(at, zone),
        "local_end": lambda at, since: local_end(at, since, zone),
        "has_check_in": has_check_in,
        "is_checking_in": has_check_in and opens is not None and opens <= now(),
        "entry_waits": event.calendar.entry_opens is not None and now() < event.calendar.entry_opens,
        "entry_over": event.calendar.entry_closes is not None and now() >= event.calendar.entry_closes,
        "state_rounds": event.played_rounds,
        "appointments": APPOINTMENTS,
    }


def board_of(match: Match, drawing: Drawing) -> SmallBoard:
    """Return the small board that spectators see, without a miniature if the title has none.

    Slow, so run it on a thread.
    """
    spectator_view, miniature = view(match, None), drawing.miniature
    picture = miniature.picture(spectator_view) if miniature is not None and spectator_view is not None else {}
    return SmallBoard(
        status=match.status,
        version=match.version,
        scores=scores_of(match),
        acting=seats_to_act(match),
        standing=picture.get("standing", ""),
        miniature=miniature.template if miniature is not None and picture else "",
        picture=picture,
    )


def provide_context(
    request: PageRequest,
    event_id: FromPath[UUID],
    tournaments: NamedDependency[TournamentService],
    matches: NamedDependency[MatchService],
) -> TournamentContext:
    """Provide the tournament in the path."""
    return TournamentContext(request, event_id, tournaments, matches)


def describe_conflicts(round_: Round, names: Mapping[str, str]) -> tuple[Message, ...]:
    """Return the contradictory demands of a failed pairing as messages; empty if it failed otherwise.

    Older logs have them only as text.
    """
    if round_.conflicts:
        return tuple(with_names(message, names) for message in round_.conflicts)
    return tuple(
        Message(DEMANDS[demand], {"first": names.get(first, first), "second": names.get(second, second)})
        for first, second, demand in CONFLICT.findall(round_.why)
    )


def count_finished_tables(tournament: TournamentShown) -> int:
    """Return the number of finished tables in the latest round."""
    return sum(table.status in {"over", "void"} for table in tournament.rounds[-1].tables) if tournament.rounds else 0
