"""Results of the tables of a contest, and points of a table by the scoring of its plan."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import SERVICE
from domain.matches.rulings.outcome import Outcome
from domain.standings.contest import RoundTable, Scoring, StandingsRule
from domain.standings.errors import PlacesContradict, WrongResult
from domain.standings.points import SIXTIETHS_PER_POINT, default_points, share_points

SCORE_MAX: Final = 100_000
"""The maximum absolute value of a score."""


class TableResult(Value, frozen=True, omit_defaults=True):
    """The result of a finished table, by seat.

    `unverified`: played face to face and entered by hand. `void`: does not count. By rule 2 `placed`, if not empty,
    replaces `places`: it puts seats handed over to a bot by choice (`handed_over`) behind the others. `no_shows` are
    seats whose players never joined.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    unverified: bool = False
    ruled: bool = False
    void: bool = False
    placed: tuple[int, ...] = ()
    handed_over: tuple[int, ...] = ()
    no_shows: tuple[int, ...] = ()


Results = Mapping[UUID, TableResult]
"""Results by match id; a missing match is not over."""


class PlayedRound(Value, frozen=True):
    """A round of an entry.

    `points` in sixtieths; `share` of the winner's points in millionths; `margin` to the best other score. A bye has no
    seat. By rule 2 `seat` and `size` count present entries only.
    """

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
    is_absent: bool = False
    """Whether the entry was absent, by rule 2: the table counts nothing for it."""

    @property
    def is_bye(self) -> bool:
        """Return whether the round was a bye."""
        return self.seat < 0


def table_result(outcome: Outcome) -> TableResult | None:
    """Return the result of a match for its table; None while it runs and for forks that no ruling made official.

    A match without a ranking gives a void result.
    """
    if outcome.forked or outcome.ended_at is None:
        return None
    if outcome.ranking is None:
        return TableResult((), (), ruled=outcome.ruled, void=True)
    return TableResult(
        outcome.ranking,
        outcome.scores,
        ruled=outcome.ruled,
        placed=outcome.adjusted_places or () if outcome.handed_over_seats else (),
        handed_over=outcome.handed_over_seats,
        no_shows=outcome.no_shows,
    )


def places_by_score(scores: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat: 1 + the number of better scores."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def result_of(table: RoundTable, results: Results) -> TableResult | None:
    """Return the result of a table: the organiser's, or else the match's; None while it runs or bots play on."""
    if table.given is not None:
        return TableResult(table.given.places, table.given.scores, not table.given.ruled, table.given.ruled)
    return None if table.match is None or table.left_to_bots is not None else results.get(table.match)


def missing_from(table: RoundTable, result: TableResult | None, rule: StandingsRule) -> frozenset[str]:
    """Return the entries that took no part in the result of a table.

    These are entries whose seats were played by bots and, by rule 2, players who never joined; without a counting
    result, entries recorded as absent. A result given by hand counts for all entries, except that by rule 2 a result
    set by the service at a deadline excludes absent entries.
    """
    if table.given is not None:
        is_of_deadline = table.given.by == SERVICE and table.given.ruled
        return frozenset(table.absent if rule > 1 and is_of_deadline else ())
    if result is None or result.void:
        return frozenset(table.absent)
    no_shows = (table.entries[seat] for seat in result.no_shows) if rule > 1 else ()
    return table.has_bots.union(no_shows)


def points_of_places(scoring: Scoring, sizes: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Return the sixtieths of every seat by place, from the plan's list for the first size that it has.

    Without one, from the default for the first size.
    """
    by_size = {row.size: row.points for row in scoring.points}
    points = next((by_size[size] for size in sizes if size in by_size), default_points(sizes[0]))
    return share_points(points, places)


def table_points(
    scoring: Scoring, sizes: Sequence[int], places: Sequence[int], scores: Sequence[int]
) -> tuple[int, ...]:
    """Return the sixtieths that every seat of a table earns, by the measure of the contest.

    That is its score, its margin, a share of one win, or the points of its place.
    """
    if scoring.measure == "victory_points":
        return tuple(score * SIXTIETHS_PER_POINT for score in scores)
    if scoring.measure == "margin":
        return tuple(margin * SIXTIETHS_PER_POINT for margin in margins(scores))
    if scoring.measure == "wins":
        return tuple(SIXTIETHS_PER_POINT // places.count(1) if place == 1 else 0 for place in places)
    return points_of_places(scoring, sizes, places)


def margins(scores: Sequence[int]) -> tuple[int, ...]:
    """Return each score's lead over the best other score, negative if behind; 0 without others."""
    if len(scores) < 2:
        return (0,) * len(scores)
    best, second = sorted(scores, reverse=True)[:2]
    return tuple(score - (second if score == best else best) for score in scores)


def check_order(scores: Sequence[int], places: Sequence[int]) -> None:
    """Raise `PlacesContradict` if a seat with more points has a worse place than another.

    That is usually a slip, but possible after a resignation.
    """
    for seat, (score, place) in enumerate(zip(scores, places, strict=True)):
        for other, (other_score, other_place) in enumerate(zip(scores, places, strict=True)):
            if score > other_score and place > other_place:
                raise PlacesContradict(
                    f"seat {seat + 1} has {score} points and place {place}, seat {other + 1} {other_score} points and"
                    f" place {other_place}; confirm it if intended"
                )


def check_result(seats: int, scores: Sequence[int], places: Sequence[int]) -> None:
    """Raise `WrongResult` unless every seat has a score and a possible place (ties skip the next place).

    Scores lie between -`SCORE_MAX` and `SCORE_MAX`.
    """
    if len(scores) != seats or len(places) != seats:
        raise WrongResult(f"the table has {seats} seats; there are {len(scores)} scores and {len(places)} places")
    if any(not -SCORE_MAX <= score <= SCORE_MAX for score in scores):
        raise WrongResult(f"points must be between -{SCORE_MAX} and {SCORE_MAX}")
    expected = [1 + sum(other < place for other in places) for place in places]
    if list(places) != expected:
        raise WrongResult(
            f"the places {', '.join(map(str, places))} are not possible; possible are: {', '.join(map(str, expected))}"
        )
