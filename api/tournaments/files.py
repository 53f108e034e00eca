"""Import and export of tournament files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from api.accounts.service import AccountService
from api.http.identity import Person
from api.matches.admission import require_event_allows_bots
from api.matches.bots import bot_actor
from api.tournaments.responses import entry_names, show_awards, show_crosstable, show_standings
from api.tournaments.service import TournamentService
from domain.kernel.loading import load
from domain.kernel.texts import name_key
from domain.matches.errors import UnknownActor
from domain.matches.facts import Actor, Table, is_bot
from domain.ratings.errors import EventWithoutPrograms
from domain.standings.counted import CountedTable, counted_result
from domain.standings.errors import ImportRefused
from domain.standings.results import Results, result_of
from domain.tournaments.challonge import bracket_file
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import NoSuchRound
from domain.tournaments.facts import Fact, ImportNoted
from domain.tournaments.imports import PlayerRow, ResultRow, csv_of, digest_of, import_players, import_results, rows_of
from domain.tournaments.pasted_lists import pasted_rows
from domain.tournaments.state import Tournament
from domain.tournaments.trf import tournament_report

PAPERS: Final = ("standings", "crosstable", "certificates")
"""Lists with a PDF."""
NAMES: Final = ("players", "results", "standings", "crosstable", "prizes")
EVENT_FILES: Final = {"event.trf", "event.json"}
"""Exports of the whole event: for pairing programs (tables of two), and for bracket services."""
IMPORT_ROWS: Final = {"players": PlayerRow, "results": ResultRow}


def parse_name(file_name: str) -> tuple[str, str]:
    """Split a file name, such as `standings.csv`, into list and format; raise `NoSuchRound` if unknown."""
    name, _, kind = file_name.partition(".")
    if file_name in EVENT_FILES or (kind == "pdf" and name in PAPERS):
        return name, kind
    if name not in NAMES or kind not in {"csv", "json"}:
        raise NoSuchRound(
            f"unknown file {file_name!r}; known: {', '.join(NAMES)}, each as .csv or .json;"
            f" {', '.join(PAPERS)} as .pdf; and {', '.join(sorted(EVENT_FILES))}"
        )
    return name, kind


def render_file(name: str, kind: str, event: TournamentStream, results: Results, accounts: AccountService) -> bytes:
    """Return the content of a file: `trf`, `pdf`, `csv`, or `json` (for `event` a bracket file).

    Raises `TournamentRefused` for `trf` with tables of more than two, and for certificates before the end.
    """
    if kind == "trf":
        return tournament_report(event.state, results, entry_names(event.state, accounts))
    if kind == "pdf":
        # The library takes 0.1 s to import.
        content: bytes = load("api.tournaments.pdf", "render_paper")(name, event, results, accounts)
        return content
    if name == "event":
        return msgspec.json.encode(bracket_file(event.state, results, entry_names(event.state, accounts)))
    columns, rows = columns_and_rows(name, event, results, accounts)
    if kind == "csv":
        return csv_of(columns, rows)
    return msgspec.json.encode([dict(zip(columns, row, strict=True)) for row in rows])


def columns_and_rows(
    name: str, event: TournamentStream, results: Results, accounts: AccountService
) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and rows of `players`, `results`, `prizes` or `standings`; any other name: the cross-table."""
    state = event.state
    names = entry_names(state, accounts)
    if name == "players":
        columns = ["entry", "name", "person", "club", "family", "seeding", "status"]
        fields = [(each.actor, each.club, each.family, each.seeding, each.status) for each in state.entries]
        return columns, [
            [each.id, names[each.id], *entry_fields] for each, entry_fields in zip(state.entries, fields, strict=True)
        ]
    if name == "results":
        return result_lists(state, names, results)
    if name == "prizes":
        awards = show_awards(event, results, accounts)
        columns = ["rank", "entry", "name", "amount", "currency", "prize"]
        currency = awards.prizes.currency
        return columns, [[row.rank, row.entry, row.name, row.amount, currency, row.prize] for row in awards.awards]
    if name == "standings":
        standings = show_standings(event, results, accounts)
        columns = ["rank", "entry", "name", "points", *standings.tie_breaks, "played", "byes", "wins", "stage"]
        return columns, [
            [row.rank, row.entry, row.name, row.points, *row.tie_breaks, row.played, row.byes, row.wins, row.stage + 1]
            for row in standings.standings
        ]
    lines = show_crosstable(event, results, accounts).lines
    numbers = [f"round {each.number}" for each in state.played_rounds]
    return ["rank", "entry", "name", *numbers], [
        [line.rank, line.entry, line.name, *(cell_text(cell) for cell in line.cells)] for line in lines
    ]


def cell_text(cell: Any) -> str:
    """Return a crosstable cell such as `T3: 2 (8) 4 7 9`: table, place, points, ranks of opponents.

    Unverified results and absences are marked. Without a table: "bye (points)", or "" for a round not played.
    """
    if cell.table is None:
        return f"bye ({cell.points})" if cell.is_bye else ""
    place = "" if cell.place is None else f": {cell.place} ({cell.points})"
    marks = (" unverified" if cell.unverified else "") + (" absent" if cell.absent else "")
    return f"T{cell.table}{place} {' '.join(map(str, cell.opponents))}".rstrip() + marks


def result_lists(state: Tournament, names: dict[str, str], results: Results) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and rows of all results in public rounds, one row per seat.

    Without a result, score and place are None.
    """
    columns = ["round", "table", "seat", "entry", "player", "score", "place", "unverified", "ruled"]
    rows: list[list[Any]] = []
    for each in state.played_rounds:
        for number, table in enumerate(each.tables, start=1):
            result, counted = result_of(table, results), counted_result(table, results, state.plan.standings)
            for seat, entry in enumerate(table.entries):
                score = counted.scores[seat] if isinstance(counted, CountedTable) else None
                place = counted.places[seat] if isinstance(counted, CountedTable) else None
                marks = (result is not None and result.unverified, result is not None and result.ruled)
                rows.append([each.number, number, seat + 1, entry, names[entry], score, place, *marks])
    return columns, rows


async def import_file(
    tournaments: TournamentService, event: TournamentStream, list_name: str, content: bytes, *, sure: bool = False
) -> int:
    """Import a file, all of it or nothing; return the number of rows or tables.

    Raises `NoSuchRound` if `list_name` is neither players nor results, `ImportRefused` for an invalid row, and for
    results `PlacesContradict` unless `sure`. Results are for organisers who do not play in the event.
    """
    if list_name not in IMPORT_ROWS:
        raise NoSuchRound(f"cannot import {list_name!r}; known: {', '.join(IMPORT_ROWS)}")
    digest = await asyncio.to_thread(digest_of, content)
    rows, by = await asyncio.to_thread(rows_of, content, IMPORT_ROWS[list_name]), tournaments.caller.actor
    if list_name == "players":
        return await import_player_rows(tournaments, event, rows, digest)
    names = await asyncio.to_thread(entry_names, event.state, tournaments.accounts)
    if len(set(map(name_key, names.values()))) < len(names):
        names = {entry: entry for entry in names}
    await tournaments.changes.require_judge(event.id, "set results")
    count = 0

    def decide(state: Tournament) -> tuple[Fact, ...]:
        nonlocal count
        found = import_results(state, rows, names, digest, by, sure=sure)
        count = imported_count(found)
        return found

    await tournaments.changes.change_from_reader(event.id, decide)
    return count


def imported_count(found: tuple[Fact, ...]) -> int:
    """Return the number of rows or tables that these facts import, 0 if the file was imported before."""
    return found[-1].count if found and isinstance(found[-1], ImportNoted) else 0


async def import_pasted(tournaments: TournamentService, event: TournamentStream, text: str) -> int:
    """Enter or invite people pasted as text, all or none; return their number, 0 if it was imported before.

    Raises as `import_player_rows` does.
    """
    rows = await asyncio.to_thread(pasted_rows, text)
    return await import_player_rows(tournaments, event, rows, await asyncio.to_thread(digest_of, text.encode()))


async def import_player_rows(
    tournaments: TournamentService, event: TournamentStream, rows: tuple[PlayerRow, ...], digest: str
) -> int:
    """Enter or invite the people of a file, all or none; return their number, 0 if the file was imported before.

    Raises `RoleMissing` for non-organisers, `ImportRefused` for an invalid row, `Blocked` or `OwnBlock` for an invited
    person, and 429 for too many invitations.
    """
    people = await tournaments.accounts.all_named(row.person for row in rows if row.person and not is_bot(row.person))
    actors = await asyncio.to_thread(accounts_of, tournaments, event.state.plan.table, rows, people)
    by = tournaments.caller.actor
    await tournaments.reading.require_organiser(event.id)
    tournaments.registration.require_bots(event, actors.values())
    count = 0

    def decide(state: Tournament) -> tuple[Fact, ...]:
        nonlocal count
        found = import_players(state, rows, actors, digest, by)
        count = imported_count(found)
        return found

    await tournaments.registration.count_invitations(event, decide)
    await tournaments.changes.change_from_reader(event.id, decide)
    return count


def accounts_of(
    tournaments: TournamentService, table: Table, rows: tuple[PlayerRow, ...], people: Mapping[str, Person]
) -> dict[str, Actor]:
    """Return the accounts that the rows name, by the text in the row; rows with a name only are left out.

    Raises `ImportRefused`, with the row, for an unknown account or a bot that is unknown or not allowed.
    """
    found = {}
    for number, row in enumerate(rows, start=1):
        if is_bot(row.person):
            try:
                found[row.person] = bot_actor(tournaments.bots, row.person.removeprefix("bot:"))
            except UnknownActor as unknown:
                raise ImportRefused(f"row {number}: {unknown}") from unknown
        elif row.person:
            if row.person not in people:
                raise ImportRefused(f"row {number}: no account with the id or name {row.person!r}")
            try:
                require_event_allows_bots(table, people[row.person])
            except EventWithoutPrograms as refusal:
                raise ImportRefused(f"row {number}: {refusal}") from refusal
            found[row.person] = people[row.person].id
    return found
