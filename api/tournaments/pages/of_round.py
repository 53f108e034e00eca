"""Organisers' forms about a round: pairing, places, publication, absences, results and closing."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from api.http.asking import Unconfirmed
from api.tournaments.pages.bench import round_desk, seating_again, seating_desk, table_desk
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
from api.tournaments.pages.room import TournamentRoom
from api.tournaments.rounds import is_public
from api.tournaments.wire import AskPairing, MovePerson, NameSubstitute, NoteNoShow, RuleTable, SwapPeople
from domain.tournaments import rounds

TABLES_MAX: Final = 10_000
"""More tables than any round has."""
TableAsked = Annotated[int | None, QueryParameter(ge=1, le=TABLES_MAX)]


@post("/desk/pairing")
async def ask_pairing(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Request a pairing of the next round; ticked tables are locked."""

    async def do(wanted: AskPairing) -> None:
        tables, byes, again = tuple(sorted(wanted.tables)), wanted.byes, wanted.again
        await room.tournaments.changes.execute_beside(
            room.id,
            lambda state, results, by: rounds.ask_pairing(state, results, by, tables=tables, byes=byes, again=again),
        )

    return await room.organise(await room.naming(PAIRING), do, round_desk)


@post("/desk/swap")
async def swap(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Swap two players; after publication the cost must have been shown."""

    async def do(wanted: SwapInRound) -> None:
        await seat_otherwise(room, wanted, SwapPeople(wanted.first, wanted.second, wanted.reason))

    return await room.organise(SWAP, do, seating_again)


@post("/desk/move")
async def move(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Move a player to another table; after publication the cost must have been shown."""

    async def do(wanted: MoveInRound) -> None:
        await seat_otherwise(room, wanted, MovePerson(wanted.entry, wanted.table, wanted.reason))

    return await room.organise(MOVE, do, seating_again)


async def seat_otherwise(
    room: TournamentRoom, wanted: SwapInRound | MoveInRound, change: SwapPeople | MovePerson
) -> None:
    """Change the seating; raise `Unconfirmed` for a public round whose cost has not been shown."""
    event = await room.tournaments.reading.require(room.id)
    if is_public(event, wanted.round) and wanted.sure != wanted.places:
        raise Unconfirmed("look at what the other seating costs, and say once more that you mean it")
    await room.tournaments.rounds.seat_otherwise(room.id, wanted.round, change)


@post("/desk/publish")
async def publish(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Publish the round."""

    async def do(wanted: OfRound) -> None:
        await room.tournaments.rounds.publish(room.id, wanted.round)

    return await room.organise(ROUND, do, round_desk)


@post("/desk/close")
async def close(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Close the round."""

    async def do(wanted: OfRound) -> None:
        await room.tournaments.rounds.close(room.id, wanted.round)

    return await room.organise(ROUND, do, round_desk)


@post("/desk/no-show")
async def no_show(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Record a no-show after a second confirmation, because the absent player cannot object."""

    async def do(wanted: NoShowInRound) -> None:
        if wanted.sure != wanted.entry:
            raise Unconfirmed(f"say once more that {wanted.entry} did not come")
        await room.tournaments.rounds.no_show(
            room.id, wanted.round, NoteNoShow(wanted.entry, wanted.reason, wanted.bot)
        )

    return await room.organise(NO_SHOW, do, table_desk)


@post("/desk/came")
async def came(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Withdraw a no-show."""

    async def do(wanted: CameInRound) -> None:
        await room.tournaments.rounds.withdraw_no_show(room.id, wanted.round, wanted.entry, wanted.reason)

    return await room.organise(CAME, do, table_desk)


@post("/desk/substitute")
async def name_substitute(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Name a substitute."""

    async def do(wanted: SubstituteInRound) -> None:
        await room.tournaments.rounds.name_substitute(
            room.id, wanted.round, NameSubstitute(wanted.entry, wanted.person, wanted.reason)
        )

    return await room.organise(SUBSTITUTE, do, table_desk)


@get("/desk/tables/{number:int}")
async def table_page(room: NamedDependency[TournamentRoom], number: FromPath[int]) -> Response[str]:
    """Show one table of the latest round with all actions for organisers."""
    return await table_desk(room, number)


@get("/desk/seating")
async def seating_page(
    room: NamedDependency[TournamentRoom],
    first: FromQuery[str] = "",
    second: FromQuery[str] = "",
    table: TableAsked = None,
) -> Response[str]:
    """Show the seating form with the cost of a change."""
    return await seating_desk(room, first, second, table)


@post("/desk/slip")
async def take_back(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Take back the result that was just entered."""

    async def do(wanted: OfTable) -> None:
        await room.tournaments.changes.judge(
            room.id,
            "take a result back",
            lambda state, by: rounds.withdraw_result(state, wanted.round, wanted.table, by),
        )

    return await room.organise(SLIP, do, table_desk)


@post("/desk/result")
async def give_result(room: NamedDependency[TournamentRoom]) -> Response[Any]:
    """Enter a face-to-face result, or a ruling."""

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

    return await room.organise(RESULT, do, table_desk)


OF_THE_ROUND: Final[tuple[Any, ...]] = (
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
