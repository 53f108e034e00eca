"""The counted result of a table for each of its entries, by the rule of the plan (docs/specifications/standings.md)."""

from collections.abc import Iterator
from typing import Final, Literal

from domain.kernel.values import Value
from domain.standings.contest import Contest, ContestRound, RoundTable, Scoring, StandingsRule
from domain.standings.points import SIXTIETHS_PER_POINT
from domain.standings.results import (
    PlayedRound,
    Results,
    TableResult,
    margins,
    missing_from,
    result_of,
    table_points,
)

MILLION: Final = 1_000_000


class CountedTable(Value, frozen=True):
    """Places and points that count, by seat; `missing` entries were absent, `present` seats were not.

    By rule 2 missing entries have the last place, the places of the others close up, and the score of a missing or
    handed-over seat is 0, or the lowest score if that is negative.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    missing: frozenset[str]
    present: tuple[int, ...]
    handed_over: tuple[int, ...] = ()
    """Present seats that were handed over to a bot by choice, by rule 2."""


def counted_table(table: RoundTable, result: TableResult, rule: StandingsRule) -> CountedTable:
    """Return the counted result of a table; `result` is not void.

    By rule 2 missing entries get the last place, and missing and handed-over seats the score 0, or the lowest
    if negative.
    """
    missing = missing_from(table, result, rule)
    present = tuple(seat for seat, name in enumerate(table.entries) if name not in missing)
    if rule == 1:
        return CountedTable(result.places, result.scores, missing, present)
    played_seats = [seat for seat in present if seat not in result.handed_over]
    score_min = min([0, *(result.scores[seat] for seat in played_seats)])
    placed = result.placed or result.places
    places = tuple(
        1 + sum(placed[other] < placed[seat] for other in present) if seat in present else len(table.entries)
        for seat in range(len(table.entries))
    )
    scores = tuple(score if seat in played_seats else score_min for seat, score in enumerate(result.scores))
    handed_over = tuple(seat for seat in present if seat not in played_seats)
    return CountedTable(places, scores, missing, present, handed_over)


def counted_result(table: RoundTable, results: Results, rule: StandingsRule) -> CountedTable | Literal["open", "void"]:
    """Return the counted result, `open` if the table is not over, or `void` if its result is void."""
    result = result_of(table, results)
    if result is None:
        return "open"
    return "void" if result.void else counted_table(table, result, rule)


def rounds_of_entries(tournament: Contest, results: Results) -> dict[str, list[PlayedRound]]:
    """Return the rounds that count for each entry, in order: byes and decided tables, not unfinished or void ones.

    By rule 2 of standings an absent entry gets no row for its table.
    """
    by_entry: dict[str, list[PlayedRound]] = {entry.id: [] for entry in tournament.entries}
    plan = tournament.plan
    for round_ in tournament.played_rounds:
        for number, table in enumerate(round_.tables, start=1):
            counted = counted_result(table, results, plan.standings)
            if isinstance(counted, CountedTable):
                rows = table_rows if plan.standings == 1 else rows_of_present
                for name, row in rows(plan.scoring, round_, number, table, counted):
                    by_entry[name].append(row)
        for name in round_.byes:
            by_entry[name].append(PlayedRound(round_.number, round_.stage, plan.scoring.bye))
    return by_entry


def table_rows(
    scoring: Scoring, round_: ContestRound, number: int, table: RoundTable, counted: CountedTable
) -> Iterator[tuple[str, PlayedRound]]:
    """Yield the row of each entry by rule 1: an absent entry earns no points, but everything else of its bot counts."""
    places, scores, size = counted.places, counted.scores, len(table.entries)
    earned, best, ahead = table_points(scoring, (size,), places, scores), max(scores), margins(scores)
    for seat, name in enumerate(table.entries):
        yield (
            name,
            PlayedRound(
                round=round_.number,
                stage=round_.stage,
                points=0 if name in counted.missing else earned[seat],
                seat=seat,
                table=number,
                place=places[seat],
                scores=scores[seat],
                share=share_of(scores[seat], best),
                margin=ahead[seat],
                opponents=tuple(other for other in table.entries if other != name),
                size=size,
            ),
        )


def rows_of_present(
    scoring: Scoring, round_: ContestRound, number: int, table: RoundTable, counted: CountedTable
) -> Iterator[tuple[str, PlayedRound]]:
    """Yield the row of each entry by rule 2: present entries are counted as a separate table."""
    names = [table.entries[seat] for seat in counted.present]
    places = [counted.places[seat] for seat in counted.present]
    scores = [counted.scores[seat] for seat in counted.present]
    seat_count, best = len(table.entries), max(scores, default=0)
    # A table of one is a walkover: its only player earns the points of first place at the whole table.
    sizes = (len(names), seat_count) if len(names) > 1 else (seat_count,)
    rows = zip(names, places, scores, table_points(scoring, sizes, places, scores), margins(scores), strict=True)
    for seat, (name, place, score, points, ahead) in enumerate(rows):
        yield (
            name,
            PlayedRound(
                round=round_.number,
                stage=round_.stage,
                points=points,
                seat=seat,
                table=number,
                place=place,
                scores=score,
                share=share_of(score, best),
                margin=ahead,
                opponents=tuple(other for other in names if other != name),
                size=len(names),
            ),
        )
    for seat, name in enumerate(table.entries):
        if name in counted.missing:
            yield name, absent_row(scoring, round_, number, seat, counted, best)


def absent_row(
    scoring: Scoring, round_: ContestRound, number: int, seat: int, counted: CountedTable, best: int
) -> PlayedRound:
    """Return the row of an absent entry, which has no opponents and is never ahead of a present entry.

    It earns 0 points, or by margin or victory points its own, which are at most 0.
    """
    score = counted.scores[seat]
    margin = min(0, score - best) if counted.present else 0
    by_measure = {"margin": margin, "victory_points": score}
    return PlayedRound(
        round=round_.number,
        stage=round_.stage,
        points=by_measure.get(scoring.measure, 0) * SIXTIETHS_PER_POINT,
        seat=seat,
        table=number,
        place=counted.places[seat],
        scores=score,
        margin=margin,
        size=len(counted.places),
        is_absent=True,
    )


def share_of(score: int, best: int) -> int:
    """Return own points as a share of the table's best, in millionths."""
    return max(0, score) * MILLION // best if best > 0 else 0
