"""Tournaments as the JSON that bracket services exchange: participants, and a match per table."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from domain.standings.contest import RoundTable
from domain.standings.counted import CountedTable, counted_result
from domain.standings.ranking import standings
from domain.standings.results import Results
from domain.tournaments.state import Round, Tournament

STATES: Final = {"registering": "pending", "running": "underway", "ended": "complete"}
KINDS: Final = {
    "swiss": "swiss",
    "round_robin": "round robin",
    "elimination": "single elimination",
    "heats": "free for all",
    "final": "free for all",
}


def bracket_file(state: Tournament, results: Results, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the event in the Challonge vocabulary; participants are numbered in order of entry.

    Tables of two have a winner and a loser. Larger tables, which the format lacks, list players, scores and
    places by seat. Final ranks are given once the event has ended.
    """
    number = {entry.id: at for at, entry in enumerate(state.entries, start=1)}
    rank = {row.entry: row.rank for row in standings(state, results)} if state.status == "ended" else {}
    participants = [
        {"id": number[entry.id], "name": names[entry.id], "seed": entry.seeding or number[entry.id]}
        | {"final_rank": rank.get(entry.id), "active": entry.status == "in"}
        for entry in state.entries
    ]
    matches = [
        match_of(each, at, table, counted_result(table, results, state.plan.standings), number)
        for each in state.played_rounds
        for at, table in enumerate(each.tables, start=1)
    ]
    kind = state.plan.stages[0]
    double = kind.kind == "elimination" and kind.lives > 1
    return {
        "tournament": {
            "id": str(state.id),
            "name": state.plan.name,
            "game_name": state.plan.title,
            "tournament_type": "double elimination" if double else KINDS[kind.kind],
            "state": STATES[state.status],
            "participants_count": len(participants),
            "participants": [{"participant": each} for each in participants],
            "matches": [{"match": {"id": at} | each} for at, each in enumerate(matches, start=1)],
        }
    }


def match_of(
    round_: Round, at: int, table: RoundTable, result: CountedTable | Literal["open", "void"], number: Mapping[str, int]
) -> dict[str, Any]:
    """Return a table of a round as a match; a void table is complete and has no winner.

    Only tables of two have the fields of a winner; a shared place has none.
    """
    players = [number[name] for name in table.entries]
    counted = result if isinstance(result, CountedTable) else None
    fields: dict[str, Any] = {
        "round": round_.number,
        "identifier": f"{round_.number}.{at}",
        "state": "open" if result == "open" else "complete",
        "player_ids": players,
        "scores": list(counted.scores) if counted else None,
        "places": list(counted.places) if counted else None,
    }
    if len(players) != 2:
        return fields
    fields |= {
        "player1_id": players[0],
        "player2_id": players[1],
        "winner_id": None,
        "loser_id": None,
        "scores_csv": "",
    }
    if counted is not None:
        fields["scores_csv"] = "-".join(map(str, counted.scores))
        if counted.places[0] != counted.places[1]:
            winner = counted.places.index(1)
            fields |= {"winner_id": players[winner], "loser_id": players[1 - winner]}
    return fields
