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
TableAsked = Annotated[int | None, QueryParameter(ge=1, le=TABLES_MAX)]


@post("/desk/pairing")
async def ask_pairing(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Request a pairing of the next round as an organiser, and redirect to the workbench; ticked tables are locked."""

    async def do(wanted: AskPairing) -> None:
        tables, byes, again = tuple(sorted(wanted.tables)), wanted.byes, wanted.again
        await room.tournaments.changes.execute_from_reader(
            room.id,
            lambda state, results, by: rounds.ask_pairing(state, results, by, tables=tables, byes=byes, again=again),
        )

    return await room.handle_organiser_form(await room.with_entry_names(PAIRING), do, render_round)


@post("/desk/swap")
async def swap(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Swap two players, as an organiser; after publication raise `Unconfirmed` unless the cost has been shown."""

    async def do(wanted: SwapInRound) -> None:
        await change_seating(room, wanted, SwapPeople(wanted.first, wanted.second, wanted.reason))

    return await room.handle_organiser_form(SWAP, do, render_seating_again)


@post("/desk/move")
async def move(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Move a player to another table, as an organiser.

    After publication raise `Unconfirmed` unless the cost has been shown.
    """

    async def do(wanted: MoveInRound) -> None:
        await change_seating(room, wanted, MovePerson(wanted.entry, wanted.table, wanted.reason))

    return await room.handle_organiser_form(MOVE, do, render_seating_again)


async def change_seating(
    room: TournamentContext, wanted: SwapInRound | MoveInRound, change: SwapPeople | MovePerson
) -> None:
    """Change the seating; raise `Unconfirmed` for a public round whose cost has not been shown."""
    event = await room.tournaments.reading.require_organiser(room.id)
    if is_public(event, wanted.round) and wanted.sure != wanted.places:
        raise Unconfirmed("look at what the other seating costs, and say once more that you mean it")
    await room.tournaments.rounds.change_seating(room.id, wanted.round, change)


@post("/desk/publish")
async def publish(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Publish the round as an organiser, and redirect to the workbench."""

    async def do(wanted: OfRound) -> None:
        await room.tournaments.rounds.publish(room.id, wanted.round)

    return await room.handle_organiser_form(ROUND, do, render_round)


@post("/desk/close")
async def close(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Close the round as an organiser, and redirect to the workbench."""

    async def do(wanted: OfRound) -> None:
        await room.tournaments.rounds.close(room.id, wanted.round)

    return await room.handle_organiser_form(ROUND, do, render_round)


@post("/desk/no-show")
async def no_show(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Record a no-show as an organiser, and redirect to the workbench.

    Raises `Unconfirmed` without a second confirmation, because the absent player cannot object.
    """

    async def do(wanted: NoShowInRound) -> None:
        if wanted.sure != wanted.entry:
            raise Unconfirmed(f"say once more that {wanted.entry} did not come")
        await room.tournaments.rounds.record_no_show(
            room.id, wanted.round, NoteNoShow(wanted.entry, wanted.reason, wanted.bot)
        )

    return await room.handle_organiser_form(NO_SHOW, do, render_table)


@post("/desk/came")
async def came(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Withdraw a no-show as an organiser, and redirect to the workbench."""

    async def do(wanted: CameInRound) -> None:
        await room.tournaments.rounds.withdraw_no_show(room.id, wanted.round, wanted.entry, wanted.reason)

    return await room.handle_organiser_form(CAME, do, render_table)


@post("/desk/substitute")
async def name_substitute(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Name a substitute for an entry at its table as an organiser, and redirect to the workbench."""

    async def do(wanted: SubstituteInRound) -> None:
        await room.tournaments.rounds.name_substitute(
            room.id, wanted.round, NameSubstitute(wanted.entry, wanted.person, wanted.reason)
        )

    return await room.handle_organiser_form(SUBSTITUTE, do, render_table)


@get("/desk/tables/{number:int}")
async def table_page(room: NamedDependency[TournamentContext], number: FromPath[int]) -> Response[str]:
    """Show one table of the latest round with all actions for organisers."""
    return await render_table(room, number)


@get("/desk/seating")
async def seating_page(
    room: NamedDependency[TournamentContext],
    first: FromQuery[str] = "",
    second: FromQuery[str] = "",
    table: TableAsked = None,
) -> Response[str]:
    """Show organisers the seating form, with the cost of a change once both places are given."""
    return await render_seating(room, first, second, table)


@post("/desk/slip")
async def take_back(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Take back the result that the same organiser has just entered, and redirect to the workbench."""

    async def do(wanted: OfTable) -> None:
        await room.tournaments.changes.judge(
            room.id,
            "take a result back",
            lambda state, by: rounds.withdraw_result(state, wanted.round, wanted.table, by),
        )

    return await room.handle_organiser_form(SLIP, do, render_table)


@post("/desk/result")
async def give_result(room: NamedDependency[TournamentContext]) -> Response[Any]:
    """Enter a face-to-face result, or with `ruling` a ruling, as an organiser who does not play in the event."""

    async def do(wanted: ResultOfTable) -> None:
        number, table, scores, places = wanted.round, wanted.table, wanted.scores, wanted.ranking
        if wanted.ruling:
            await room.tournaments.rounds.rule(
                room.id, number, table, RuleTable(scores, places, wanted.reason, wanted.sure)
            )
        else:
            await room.tournaments.changes.judge(
                room.id,
                "set a result",
                lambda state, by: rounds.enter_result(
                    state, number, table, scores, places, by, wanted.reason, sure=wanted.sure
                ),
            )

    return await room.handle_organiser_form(RESULT, do, render_table)


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
