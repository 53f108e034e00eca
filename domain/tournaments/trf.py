"""Tournaments with tables of two as a FIDE Tournament Report File (TRF16), which pairing programs exchange."""

from collections.abc import Mapping
from typing import Final, Literal

from domain.kernel.texts import one_line
from domain.standings.contest import StandingsRule
from domain.standings.counted import CountedTable, counted_result
from domain.standings.ranking import standings
from domain.standings.results import Results
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.state import Round, Tournament

NAME_WIDTH: Final = 33
WON, DRAWN, LOST, UNPLAYED = "1", "=", "0", " "
WALKED_OVER, FORFEITED = "+", "-"
"""Results without a game: the opponent was absent, or the player was."""
COLOURS: Final = "wb"
ABSENT: Final = "  0000 - Z"
BYE: Final = "  0000 - U"
HALVES: Final = {WON: 2, WALKED_OVER: 2, DRAWN: 1, BYE[-1]: 2}
"""Half points of a round by its result code; a bye counts as a win."""


def tournament_report(state: Tournament, results: Results, names: Mapping[str, str]) -> bytes:
    """Return the report, a line per player with all rounds, numbered in order of entry.

    Points are chess points (win 1, shared place 1/2), whatever the event counts; ranks are the event's. Raises
    `TournamentRefused` for larger tables, which the format lacks.
    """
    if any(len(table.entries) > len(COLOURS) for each in state.played_rounds for table in each.tables):
        raise TournamentRefused("only events with tables of two can be exported as a tournament report file")
    number = {entry.id: at for at, entry in enumerate(state.entries, start=1)}
    rank = {row.entry: row.rank for row in standings(state, results)}
    lines = [f"012 {one_line(state.plan.name)}", f"062 {len(state.entries)}", "092 Individual: Swiss-System"]
    if state.calendar.place:
        lines.insert(1, f"022 {one_line(state.calendar.place)}")
    for entry in state.entries:
        columns = [round_columns(state, each, entry.id, results, number) for each in state.played_rounds]
        points = sum(HALVES.get(each[-1], 0) for each in columns)
        name = one_line(names[entry.id])[:NAME_WIDTH]
        head = f"001 {number[entry.id]:4} {'':4} {name:{NAME_WIDTH}} {'':4} {'':3} {'':11} {'':10}"
        lines.append(f"{head} {points / 2:4.1f} {rank.get(entry.id, 0):4}{''.join(columns)}")
    return ("\n".join(lines) + "\n").encode()


def round_columns(state: Tournament, round_: Round, name: str, results: Results, number: Mapping[str, int]) -> str:
    """Return the ten columns of a round: opponent, colour and result; a bye or an absence has fixed ones."""
    if name in round_.byes:
        return BYE
    table = next((table for table in round_.tables if name in table.entries), None)
    if table is None:
        return ABSENT
    seat, rule = table.entries.index(name), state.plan.standings
    other = number[table.entries[1 - seat]]
    return f"  {other:4} {COLOURS[seat]} {result_code(counted_result(table, results, rule), seat, rule)}"


def result_code(counted: CountedTable | Literal["open", "void"], seat: int, rule: StandingsRule) -> str:
    """Return the result code of a table for a seat, or a blank before its end and if it is void.

    By rule 2 an absent player forfeits.
    """
    if not isinstance(counted, CountedTable):
        return UNPLAYED
    if rule > 1 and counted.missing:
        return WALKED_OVER if seat in counted.present else FORFEITED
    if counted.places[0] == counted.places[1]:
        return DRAWN
    return WON if counted.places[seat] == 1 else LOST
