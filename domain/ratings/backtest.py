"""How well models foretell: every result is first predicted from those before it, then taken in."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import log
from typing import Final

from domain.kernel.values import Value, replace
from domain.ratings.ladder import Ladder, Pool, RatedResult, is_rateable, period_of
from domain.ratings.model import RatingModel, Skill

CHANCE_MIN: Final = 1e-9
"""A model that calls something impossible is fined as if it had said this much."""
BANDS: Final = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0))
"""The chances of a pair's favourite, in which calibration is counted."""


class BacktestBand(Value, frozen=True):
    """Of all favourites with such a chance: how often they were expected to come first of two, and how often did."""

    low: float
    high: float
    pairs: int
    expected: float
    observed: float


class BacktestReport(Value, frozen=True):
    """A model's record: the mean of -ln(chance of what happened), of the winner and of every pair; less is better."""

    model: str
    matches: int
    pairs: int
    winner_log_loss: float
    pair_log_loss: float
    pair_brier: float
    calibration_error: float
    """How far the bands are off, weighted by their pairs."""
    bands: tuple[BacktestBand, ...]


class BacktestTally:
    """What is counted while a model foretells."""

    def __init__(self) -> None:
        self.matches = self.pairs = 0
        self.winner_loss = self.pair_loss = self.brier = 0.0
        self.bands = [[0, 0.0, 0.0] for _ in BANDS]

    def match(self, chances: Sequence[float], places: Sequence[int]) -> None:
        """Several winners are one after the other counted by their share."""
        winners = [seat for seat, place in enumerate(places) if place == 1]
        self.matches += 1
        self.winner_loss -= sum(log(max(CHANCE_MIN, chances[seat])) for seat in winners) / len(winners)

    def pair(self, chance: float, has_won: bool) -> None:
        """`chance` is that of the favourite."""
        self.pairs += 1
        self.pair_loss -= log(max(CHANCE_MIN, chance if has_won else 1.0 - chance))
        self.brier += (has_won - chance) ** 2
        band = self.bands[min(len(BANDS) - 1, int((chance - 0.5) * 10))]
        band[0] += 1
        band[1] += chance
        band[2] += has_won

    def report(self, model: str) -> BacktestReport:
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
            pair_log_loss=self.pair_loss / pairs,
            pair_brier=self.brier / pairs,
            calibration_error=sum(band.pairs * abs(band.expected - band.observed) for band in bands) / pairs,
            bands=bands,
        )


def backtest(
    model: RatingModel, results: Iterable[RatedResult], progress: Callable[[int], object] = lambda _done: None
) -> BacktestReport:
    """The model over all results of all pools, in order; shared places are no pair's victory and are left out."""
    ladders: dict[Pool, Ladder] = {}
    tally = BacktestTally()
    ordered = sorted((result for result in results if is_rateable(result)), key=lambda result: result.key)
    for done, result in enumerate(ordered, 1):
        ladder = ladders.setdefault(result.pool, Ladder(model))
        period = period_of(result.ended_at)
        foretold(model, [ladder.of(player, period).skill for player in result.players], result, tally)
        ladder.play(result)
        progress(done)
    return tally.report(model.name)


def without_rules(results: Iterable[RatedResult]) -> list[RatedResult]:
    """The same results, each counted in full, as if there were no rules of fair play: for what these cost."""
    return [replace(result, fair=False) for result in results]


def foretold(model: RatingModel, skills: Sequence[Skill], result: RatedResult, tally: BacktestTally) -> None:
    """Counts what the model says of a result it has not seen."""
    tally.match(model.chances(skills), result.places)
    for first, second in combinations(range(len(skills)), 2):
        if result.places[first] == result.places[second] or result.players[first] == result.players[second]:
            continue
        chance, _ = model.chances((skills[first], skills[second]))
        has_won = result.places[first] < result.places[second]
        tally.pair(max(chance, 1.0 - chance), has_won if chance >= 0.5 else not has_won)
