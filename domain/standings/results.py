"""What every table of a tournament came to, and what that was for each who sat there."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.outcome import Outcome
from domain.standings.contest import Contest, ContestRound, RoundTable, Scoring
from domain.standings.errors import PlacesContradict, WrongResult
from domain.standings.points import PART, default_points, share_points

MILLION: Final = 1_000_000
SCORE_MAX: Final = 100_000
"""Points of a table lie between this below zero and above."""


class TableResult(Value, frozen=True, omit_defaults=True):
    """A table that is over, by seats; `unverified`: played face to face, entered by hand. `void`: counts for
    nothing."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    unverified: bool = False
    ruled: bool = False
    void: bool = False


Results = Mapping[UUID, TableResult]
"""By the id of the match at the table; what is not there is not over."""


class PlayedRound(Value, frozen=True):
    """One round for one person. `points` in sixtieths; `share` of the winner's points in millionths; `margin` to the
    best of the others. A bye has no seat."""

    round: int
    stage: int
    points: int
    seat: int = -1
    table: int = 0
    place: int = 0
    scores: int = 0
    share: int = 0
    margin: int = 0
    opponents: tuple[str, ...] = ()
    size: int = 0

    @property
    def is_bye(self) -> bool:
        return self.seat < 0


def table_result(outcome: Outcome) -> TableResult | None:
    """A match as its table counts it, None while it is not over; a fork that no ruling made official is no table's."""
    if outcome.forked or outcome.ended_at is None:
        return None
    if outcome.ranking is None:
        return TableResult((), (), ruled=outcome.ruled, void=True)
    return TableResult(outcome.ranking, outcome.scores, ruled=outcome.ruled)


def result_of(table: RoundTable, results: Results) -> TableResult | None:
    """What a table came to; by the organiser's word before anything else."""
    if table.given is not None:
        return TableResult(table.given.places, table.given.scores, not table.given.ruled, table.given.ruled)
    return None if table.match is None else results.get(table.match)


def missing_from(table: RoundTable, result: TableResult | None) -> frozenset[str]:
    """The entries that took no part in what a table came to: those in whose seats bots played. A result that is given
    by hand counts for everybody at the table; as long as nothing counts, whoever was noted as absent is missing."""
    if table.given is not None:
        return frozenset()
    return frozenset(table.absent) if result is None or result.void else table.has_bots


def points_for(scoring: Scoring, size: int) -> tuple[int, ...]:
    """Points by place at tables of this size."""
    return next((row.points for row in scoring.points if row.size == size), default_points(size))


def points_of_table(scoring: Scoring, table: RoundTable, result: TableResult) -> tuple[int, ...]:
    """The points of every seat, in sixtieths, by what the tournament counts."""
    places = result.places
    if scoring.measure == "victory_points":
        earned = tuple(score * PART for score in result.scores)
    elif scoring.measure == "margin":
        earned = tuple(margin * PART for margin in margins(result.scores))
    elif scoring.measure == "wins":
        earned = tuple(PART // places.count(1) if place == 1 else 0 for place in places)
    else:
        earned = share_points(points_for(scoring, len(places)), places)
    missing = missing_from(table, result)
    return tuple(0 if name in missing else points for name, points in zip(table.entries, earned, strict=True))


def margins(scores: Sequence[int]) -> tuple[int, ...]:
    """How far each is ahead of the best of the others, or behind."""
    best, second = sorted(scores, reverse=True)[:2]
    return tuple(score - (second if score == best else best) for score in scores)


def rounds_of_entries(tournament: Contest, results: Results) -> dict[str, list[PlayedRound]]:
    """Entry -> the rounds that count for it, in order. A round everybody may see counts as far as it is over."""
    found: dict[str, list[PlayedRound]] = {entry.id: [] for entry in tournament.entries}
    scoring = tournament.plan.scoring
    for round_ in tournament.played_rounds:
        for number, table in enumerate(round_.tables, start=1):
            result = result_of(table, results)
            if result is not None and not result.void:
                for name, row in table_rows(scoring, round_, number, table, result):
                    found[name].append(row)
        for name in round_.byes:
            found[name].append(PlayedRound(round_.number, round_.stage, scoring.bye))
    return found


def table_rows(
    scoring: Scoring, round_: ContestRound, number: int, table: RoundTable, result: TableResult
) -> list[tuple[str, PlayedRound]]:
    points, best, ahead = points_of_table(scoring, table, result), max(result.scores), margins(result.scores)
    return [
        (
            name,
            PlayedRound(
                round=round_.number,
                stage=round_.stage,
                points=points[seat],
                seat=seat,
                table=number,
                place=result.places[seat],
                scores=result.scores[seat],
                share=max(0, result.scores[seat]) * MILLION // best if best > 0 else 0,
                margin=ahead[seat],
                opponents=tuple(other for other in table.entries if other != name),
                size=len(table.entries),
            ),
        )
        for seat, name in enumerate(table.entries)
    ]


def check_order(scores: Sequence[int], places: Sequence[int]) -> None:
    """Asks about places that contradict the points: a table may come to that, where somebody has given up, but more
    often it is a slip."""
    for seat, (score, place) in enumerate(zip(scores, places, strict=True)):
        for other, (more, better) in enumerate(zip(scores, places, strict=True)):
            if score > more and place > better:
                raise PlacesContradict(
                    f"seat {seat + 1} has {score} points and place {place}, seat {other + 1} {more} points and place"
                    f" {better}; say so if it is meant"
                )


def check_result(seats: int, scores: Sequence[int], places: Sequence[int]) -> None:
    """A place and points for every seat; places as they come about, shared ones leaving the next out."""
    if len(scores) != seats or len(places) != seats:
        raise WrongResult(f"the table has {seats} seats; there are {len(scores)} scores and {len(places)} places")
    if any(not -SCORE_MAX <= score <= SCORE_MAX for score in scores):
        raise WrongResult(f"points lie between -{SCORE_MAX} and {SCORE_MAX}")
    wanted = [1 + sum(other < place for other in places) for place in places]
    if list(places) != wanted:
        raise WrongResult(
            f"the places {', '.join(map(str, places))} cannot come about; these could: {', '.join(map(str, wanted))}"
        )
