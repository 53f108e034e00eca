"""Back-tests of rating models: every result is predicted from earlier ones before it is rated."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import log
from typing import Final

from domain.kernel.values import Value, replace
from domain.ratings.ladder import Ladder, Pool, RatedResult, is_rateable, period_of
from domain.ratings.model import RatingModel, Skill

CHANCE_MIN: Final = 1e-9
"""The minimum probability in the log loss, for events that a model considers impossible."""
BANDS: Final = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
"""The bands of favourites' probabilities for calibration."""


class BacktestBand(Value, frozen=True):
    """The favourites with a probability in this band: expected and observed share of wins."""

    low: float
    high: float
    pairs: int
    expected: float
    observed: float


class BacktestReport(Value, frozen=True):
    """A model's losses, the mean of -ln(probability of the event) for winners and for pairs; less is better."""

    model: str
    matches: int
    pairs: int
    winner_log_loss: float
    equal_log_loss: float
    """The loss of equal chances for all players."""
    pair_log_loss: float
    pair_brier: float
    calibration_error: float
    """The deviation of the bands, weighted by pairs."""
    bands: tuple[BacktestBand, ...]


class BacktestTally:
    """The running totals of a back-test."""

    def __init__(self) -> None:
        self.matches = self.pairs = 0
        self.winner_loss = self.equal_loss = self.pair_loss = self.brier = 0.0
        self.bands = [[0, 0.0, 0.0] for _ in BANDS]

    def add_match(self, chances: Sequence[float], places: Sequence[int]) -> None:
        """Count a prediction of the winner by its log loss; several winners share its weight."""
        winners = [seat for seat, place in enumerate(places) if place == 1]
        self.matches += 1
        self.equal_loss += log(len(places))
        self.winner_loss -= sum(log(max(CHANCE_MIN, chances[seat])) for seat in winners) / len(winners)

    def add_pair(self, chance: float, has_won: bool) -> None:
        """Count a prediction of a pair; `chance` and `has_won` are the favourite's."""
        self.pairs += 1
        self.pair_loss -= log(max(CHANCE_MIN, chance if has_won else 1.0 - chance))
        self.brier += (has_won - chance) ** 2
        band = self.bands[min(len(BANDS) - 1, int((chance - 0.5) * 10))]
        band[0] += 1
        band[1] += chance
        band[2] += has_won

    def report(self, model: str) -> BacktestReport:
        """Return the means over matches and pairs as a report; bands without pairs are left out."""
        matches, pairs = max(1, self.matches), max(1, self.pairs)
        bands = tuple(
            BacktestBand(low, high, int(count), expected / count, observed / count)
            for (low, high), (count, expected, observed) in zip(BANDS, self.bands, strict=True)
            if count
        )
        return BacktestReport(
            model=model,
            matches=self.matches,
            pairs=self.pairs,
            winner_log_loss=self.winner_loss / matches,
            equal_log_loss=self.equal_loss / matches,
            pair_log_loss=self.pair_loss / pairs,
            pair_brier=self.brier / pairs,
            calibration_error=sum(band.pairs * abs(band.expected - band.observed) for band in bands) / pairs,
            bands=bands,
        )


def backtest(
    model: RatingModel,
    results: Iterable[RatedResult],
    progress: Callable[[int], object] = lambda _done: None,
    latest: int | None = None,
) -> BacktestReport:
    """Return the report of a model over the results of all pools, in order; ties count for no pair.

    Results that are not rateable are left out. `progress` gets the number of results done. `latest`: predict only this
    number of latest results, because predictions take most of the time; the others are rated.
    """
    ladders: dict[Pool, Ladder] = {}
    tally = BacktestTally()
    sorted_results = sorted((result for result in results if is_rateable(result)), key=lambda result: result.key)
    first = 0 if latest is None else len(sorted_results) - latest
    for count, result in enumerate(sorted_results, 1):
        ladder = ladders.setdefault(result.pool, Ladder(model))
        period = period_of(result.ended_at)
        if count > first:
            add_predictions(model, [ladder.rating_of(player, period).skill for player in result.players], result, tally)
        ladder.rate_result(result)
        progress(count)
    return tally.report(model.name)


def without_rules(results: Iterable[RatedResult]) -> list[RatedResult]:
    """Return the same results counted in full, without the rules of fair play, to measure the cost of the rules."""
    return [replace(result, fair=False) for result in results]


def add_predictions(model: RatingModel, skills: Sequence[Skill], result: RatedResult, tally: BacktestTally) -> None:
    """Count the model's prediction of an unseen result, of the winner and of every pair.

    Tied pairs, and pairs of seats of one player, are left out.
    """
    tally.add_match(model.chances(skills), result.places)
    for first, second in combinations(range(len(skills)), 2):
        if result.places[first] == result.places[second] or result.players[first] == result.players[second]:
            continue
        chance, _ = model.chances((skills[first], skills[second]))
        has_won = result.places[first] < result.places[second]
        tally.add_pair(max(chance, 1.0 - chance), has_won if chance >= 0.5 else not has_won)
