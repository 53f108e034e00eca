"""Export of the standings of a circuit."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from api.circuits.schemas import CircuitLineShown, CircuitResultShown, CircuitShown
from domain.tournaments.errors import NoSuchRound
from domain.tournaments.imports import csv_of

NAMES: Final = ("standings", "results")
HEADING: Final = ["rank", "player", "name", "points", "wins", "results", "best rank"]


def parse_name(file_name: str) -> tuple[str, str]:
    """Split a file name, such as `standings.csv`, into list and format; raise `NoSuchRound` if unknown."""
    name, _, kind = file_name.partition(".")
    if name not in NAMES or kind not in {"csv", "json"}:
        raise NoSuchRound(f"unknown file {file_name!r}; known: {', '.join(NAMES)}, each as .csv or .json")
    return name, kind


def render_file(name: str, kind: str, circuit: CircuitShown) -> bytes:
    """Return the content of a file: CSV with a heading, or a JSON list of objects with its names."""
    heading, rows = {"standings": standings, "results": results}[name](circuit)
    if kind == "csv":
        return csv_of(heading, rows)
    return msgspec.json.encode([dict(zip(heading, row, strict=True)) for row in rows])


def standings(circuit: CircuitShown) -> tuple[list[str], list[list[Any]]]:
    """Return the heading and a row for everyone, with the number of results that count."""
    return HEADING, [
        [
            *person_cells(line),
            line.points,
            line.wins,
            sum(result.counts for result in line.results),
            "" if line.best_rank is None else line.best_rank,
        ]
        for line in circuit.standings
    ]


def results(circuit: CircuitShown) -> tuple[list[str], list[list[Any]]]:
    """Return the heading and a row for every result of everyone."""
    heading = ["rank", "player", "name", "contest", "game", "weight", "place", "size", "points", "counts", "final"]
    return heading, [
        [*person_cells(line), *result_cells(result, circuit)] for line in circuit.standings for result in line.results
    ]


def person_cells(line: CircuitLineShown) -> list[Any]:
    """Return rank, id and name of a person."""
    return [line.rank or "", line.player.id, line.player.name]


def result_cells(result: CircuitResultShown, circuit: CircuitShown) -> list[Any]:
    """Return the cells of a result with its contest."""
    contest = circuit.contests[result.contest]
    about = [contest.name, contest.title, contest.weight]
    return [*about, result.place, result.size, result.points, result.counts, result.is_final]
