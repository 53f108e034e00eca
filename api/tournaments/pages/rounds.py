"""Organisers' forms about a round: pairing, places, publication, absences, results and closing."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from api.http.confirmation import Unconfirmed
from api.tournaments.pages.context import TournamentContext
from api.tournaments.pages.forms import (
    CAME,
    MOVE,
    NO_SHOW,
    PAIRING,
    RESULT,
    ROUND,
    SLIP,
    SUBSTITUTE,
    SWAP,
    CameInRound,
    MoveInRound,
    NoShowInRound,
    OfRound,
    OfTable,
    ResultOfTable,
    SubstituteInRound,
    SwapInRound,
)
from api.tournaments.pages.workbench import render_round, render_seating, render_seating_again, render_table
from api.tournaments.rounds import is_public
from api.tournaments.schemas import AskPairing, MovePerson, NameSubstitute, NoteNoShow, RuleTable, SwapPeople
from domain.tournaments import rounds

TABLES_MAX: Final = 10_000
"""More tables than any round has."""
TableParameter = Annotated[int | None, QueryParameter(ge=1, le=TABLES_MAX)]


@post("/desk/pairing")
async def ask_pairing(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Request a pairing of the next round as an organiser, and redirect to the workbench; ticked tables are locked."""

    async def do(form: AskPairing) -> None:
        tables, byes, again = tuple(sorted(form.tables)), form.byes, form.again
        await page.tournaments.changes.execute_from_reader(
            page.id,
            lambda state, results, by: rounds.ask_pairing(state, results, by, tables=tables, byes=byes, again=again),
        )

    return await page.handle_organiser_form(await page.with_entry_names(PAIRING), do, render_round)


@post("/desk/swap")
async def swap(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Swap two players, as an organiser, and redirect to the workbench.

    In a public round the form is shown again (`Unconfirmed`) until its cost has been shown and confirmed.
    """

    async def do(form: SwapInRound) -> None:
        await change_seating(page, form, SwapPeople(form.first, form.second, form.reason))

    return await page.handle_organiser_form(SWAP, do, render_seating_again)


@post("/desk/move")
async def move(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Move a player to another table, as an organiser, and redirect to the workbench.

    In a public round the form is shown again (`Unconfirmed`) until its cost has been shown and confirmed.
    """

    async def do(form: MoveInRound) -> None:
        await change_seating(page, form, MovePerson(form.entry, form.table, form.reason))

    return await page.handle_organiser_form(MOVE, do, render_seating_again)


async def change_seating(
    page: TournamentContext, form: SwapInRound | MoveInRound, change: SwapPeople | MovePerson
) -> None:
    """Change the seating; raise `Unconfirmed` for a public round whose cost has not been shown."""
    event = await page.tournaments.reading.require_organiser(page.id)
    if is_public(event, form.round) and form.sure != form.places:
        raise Unconfirmed("check the cost of the new seating and confirm it")
    await page.tournaments.rounds.change_seating(page.id, form.round, change)


@post("/desk/publish")
async def publish(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Publish the round as an organiser, and redirect to the workbench."""

    async def do(form: OfRound) -> None:
        await page.tournaments.rounds.publish(page.id, form.round)

    return await page.handle_organiser_form(ROUND, do, render_round)


@post("/desk/close")
async def close(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Close the round as an organiser, and redirect to the workbench."""

    async def do(form: OfRound) -> None:
        await page.tournaments.rounds.close(page.id, form.round)

    return await page.handle_organiser_form(ROUND, do, render_round)


@post("/desk/no-show")
async def no_show(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Record a no-show as an organiser who does not play in the event, and redirect to the workbench.

    The table is shown again (`Unconfirmed`) until it is confirmed, because the absent player cannot object.
    """

    async def do(form: NoShowInRound) -> None:
        if form.sure != form.entry:
            raise Unconfirmed(f"confirm that {form.entry} did not show up")
        await page.tournaments.rounds.record_no_show(page.id, form.round, NoteNoShow(form.entry, form.reason, form.bot))

    return await page.handle_organiser_form(NO_SHOW, do, render_table)


@post("/desk/came")
async def came(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Withdraw a no-show as an organiser who does not play in the event, and redirect to the workbench."""

    async def do(form: CameInRound) -> None:
        await page.tournaments.rounds.withdraw_no_show(page.id, form.round, form.entry, form.reason)

    return await page.handle_organiser_form(CAME, do, render_table)


@post("/desk/substitute")
async def name_substitute(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Name a substitute for an entry at its table as an organiser, and redirect to the workbench."""

    async def do(form: SubstituteInRound) -> None:
        await page.tournaments.rounds.name_substitute(
            page.id, form.round, NameSubstitute(form.entry, form.person, form.reason)
        )

    return await page.handle_organiser_form(SUBSTITUTE, do, render_table)


@get("/desk/tables/{number:int}")
async def table_page(page: NamedDependency[TournamentContext], number: FromPath[int]) -> Response[str]:
    """Show one table of the latest public round with all actions for organisers; raise `NoSuchRound` without it."""
    return await render_table(page, number)


@get("/desk/seating")
async def seating_page(
    page: NamedDependency[TournamentContext],
    first: FromQuery[str] = "",
    second: FromQuery[str] = "",
    table: TableParameter = None,
) -> Response[str]:
    """Show organisers (else `RoleMissing`) the seating form, with the cost of a change once both places are given."""
    return await render_seating(page, first, second, table)


@post("/desk/slip")
async def take_back(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Take back the result that the same organiser, who does not play in the event, has just entered.

    Redirects to the workbench.
    """

    async def do(form: OfTable) -> None:
        await page.tournaments.changes.judge(
            page.id,
            "take a result back",
            lambda state, by: rounds.withdraw_result(state, form.round, form.table, by),
        )

    return await page.handle_organiser_form(SLIP, do, render_table)


@post("/desk/result")
async def give_result(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Enter a face-to-face result, or with `ruling` a ruling, as an organiser who does not play in the event."""

    async def do(form: ResultOfTable) -> None:
        number, table, scores, places = form.round, form.table, form.scores, form.ranking
        if form.ruling:
            await page.tournaments.rounds.rule(
                page.id, number, table, RuleTable(scores, places, form.reason, form.sure)
            )
        else:
            await page.tournaments.changes.judge(
                page.id,
                "set a result",
                lambda state, by: rounds.enter_result(
                    state, number, table, scores, places, by, form.reason, sure=form.sure
                ),
            )

    return await page.handle_organiser_form(RESULT, do, render_table)


ROUND_HANDLERS: Final[tuple[Any, ...]] = (
    ask_pairing,
    swap,
    move,
    publish,
    close,
    no_show,
    came,
    name_substitute,
    table_page,
    seating_page,
    give_result,
    take_back,
)
