"""Pairing of large rounds, and the standings of a large tournament after a correction."""

from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from domain.kernel.title import default_title
from domain.pairing.levels import REPEATS, SCORES
from domain.pairing.problem import Entrant, Level, Pairing, Past, Problem
from domain.pairing.search import random_numbers
from domain.pairing.solve import pair
from domain.standings.contest import RoundTable, Stage
from domain.standings.points import SIXTIETHS_PER_POINT, default_points
from domain.standings.ranking import standings
from domain.standings.results import TableResult
from domain.titles import TITLES
from domain.tournaments.entries import TournamentEntry
from domain.tournaments.plan import Plan
from domain.tournaments.state import Round, Tournament
from ops.dev.bench.event_pages import page_figures
from ops.dev.bench.figures import Figure, Section, seconds, typical_seconds

PEOPLE: Final = 256
SIZE: Final = 4
ROUND: Final = 5
PAIRING_BUDGET: Final = 30.0
GAP_BUDGET: Final = 0.01
PLAYERS: Final = 1_000
ROUNDS: Final = 9
STANDINGS_BUDGET: Final = 0.2
TOURNAMENT: Final = UUID(int=1)
AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


class BenchTournament(NamedTuple):
    """A simulated tournament with random results."""

    people: int
    rounds: int
    clubs: int = 0
    by_victory_points: bool = False

    def __str__(self) -> str:
        clubs = f" of {self.clubs} clubs" if self.clubs else ""
        return f"{self.people}{clubs}{', scores of victory points' if self.by_victory_points else ''}"


class Paired(NamedTuple):
    """A paired round: seconds taken, repeated meetings, and the gap of the scores to their bound."""

    taken: float
    repeats: Level
    gap: float


FIELDS: Final = (
    BenchTournament(PEOPLE, 8),
    BenchTournament(64, 6),
    BenchTournament(100, 6, clubs=10),
    BenchTournament(64, 5, by_victory_points=True),
    BenchTournament(PEOPLE, 5, by_victory_points=True),
)


def rounds_of(field: BenchTournament) -> list[Paired]:
    """Pair every round of the tournament, each from random results of the previous ones; reproducible."""
    random_number, names = random_numbers(5), [f"p{number:03}" for number in range(field.people)]
    score, history = dict.fromkeys(names, 0), {name: tuple[Past, ...]() for name in names}
    paired_rounds = []
    for number in range(1, field.rounds + 1):
        pairings = list[Pairing]()
        problem = problem_of(field, score, history, number)
        elapsed = seconds(lambda entry=problem, out=pairings: out.append(pair(entry)))  # type: ignore[misc]
        levels = {level.name: level for level in pairings[0].levels}
        excess = (levels[SCORES].value - levels[SCORES].bound) / max(1, levels[SCORES].bound)
        paired_rounds.append(Paired(elapsed, levels[REPEATS], excess))
        for table in pairings[0].tables:
            for rank, name in enumerate(sorted(table, key=lambda _: next(random_number))):
                points = (80 - 8 * rank + next(random_number) % 9) * SIXTIETHS_PER_POINT
                score[name] += points if field.by_victory_points else default_points(len(table))[rank]
            for seat, name in enumerate(table):
                history[name] = (
                    *history[name],
                    Past(tuple(other for other in table if other != name), seat, len(table)),
                )
    return paired_rounds


def problem_of(
    field: BenchTournament, score: dict[str, int], history: dict[str, tuple[Past, ...]], number: int
) -> Problem:
    """Return the pairing problem of a round from scores and past tables."""
    order = sorted(score, key=lambda name: (-score[name], name))
    clubs = {name: f"c{index % field.clubs}" if field.clubs else "" for index, name in enumerate(sorted(score))}
    entrants = tuple(
        Entrant(name, score[name], rank, club=clubs[name], past=history[name])
        for rank, name in enumerate(order, start=1)
    )
    return Problem(entrants=entrants, size=SIZE, round=number, seed=number)


def pairing_figures() -> list[Figure]:
    """Compare round five of 256 players with its budget, then list gaps and slowest round of every tournament."""
    events = {field: rounds_of(field) for field in FIELDS}
    five = events[FIELDS[0]][ROUND - 1]
    people = f"pairing of {PEOPLE} at tables of {SIZE}, round {ROUND}"
    figures = [
        Figure(people, f"{five.taken:.1f} s", f"≤ {PAIRING_BUDGET:.0f} s", five.taken <= PAIRING_BUDGET),
        Figure("… repeated meetings", f"{five.repeats.value}", f"{five.repeats.bound}, proven", five.repeats.is_proven),
        Figure("… gap of the scores to the bound", f"{five.gap:.2%}", f"≤ {GAP_BUDGET:.0%}", five.gap <= GAP_BUDGET),
    ]
    for field, each in events.items():
        gaps = " ".join(f"{round.gap:.1%}" for round in each)
        slowest = max(round.taken for round in each)
        figures.append(Figure(f"{field}: gaps of rounds 1 to {field.rounds}", f"{gaps}, at most {slowest:.1f} s"))
    return figures


def large_tournament() -> tuple[Tournament, dict[UUID, TableResult]]:
    """Return a tournament of 1,000 players after nine rounds at tables of four, and its results by match."""
    random_number, names = random_numbers(9), [f"e{number}" for number in range(1, PLAYERS + 1)]
    rounds, results = list[Round](), dict[UUID, TableResult]()
    for number in range(1, ROUNDS + 1):
        order = sorted(names, key=lambda _: next(random_number))
        tables = []
        for index in range(0, PLAYERS, SIZE):
            match = uuid5(TOURNAMENT, f"{number}/{index}")
            tables.append(RoundTable(tuple(order[index : index + SIZE]), match=match))
            results[match] = TableResult((1, 2, 3, 4), (70, 60, 50, 40))
        problem = Problem(entrants=(), size=SIZE)
        rounds.append(
            Round(number=number, stage=0, status="closed", problem=problem, way="tables", tables=tuple(tables))
        )
    event = Tournament(
        id=TOURNAMENT,
        organiser="bench",
        opened_at=AT,
        plan=Plan(name="bench", title=default_title(TITLES).name, stages=(Stage("swiss", ROUNDS),)),
        entries=tuple(TournamentEntry(name, name=name) for name in names),
        rounds=tuple(rounds),
    )
    return event, results


def section() -> Section:
    """Measure pairings, pages and standings."""
    event, results = large_tournament()
    corrected_match = event.rounds[0].tables[0].match
    assert corrected_match is not None
    results[corrected_match] = TableResult((), (), void=True)
    elapsed = typical_seconds(lambda: standings(event, results))
    return Section(
        "tournaments",
        (
            *pairing_figures(),
            *page_figures(),
            Figure(
                f"standings of {PLAYERS:,} after a correction",
                f"{elapsed:.2f} s",
                f"< {STANDINGS_BUDGET} s",
                elapsed < STANDINGS_BUDGET,
            ),
        ),
    )
