"""Expected margins and winning chances of every seat, derived from the value of a position.

Fitted to matches of bots by `python -m ops.analyses.calibrating`. Integers and a table of exponentials give the same
results on every machine.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from domain.analyses.report import WHOLE
from domain.kernel.rules import Seat
from domain.kernel.title import AnyRules
from workers.bots.evaluation import Outline, Weights

STEPS: Final = 64
"""Table entries per unit of the exponent."""
REACH: Final = 12
"""Largest exponent in the table; a seat further behind has a negligible chance."""
THOUSAND: Final = 1_000
POINT: Final = 100
EXPONENTIALS: Final = tuple(int((Decimal(-each) / STEPS).exp() * (1 << 24)) for each in range(STEPS * REACH + 1))


class Scale(msgspec.Struct, frozen=True):
    """Parameters that turn values at the start of a stage into margins and chances."""

    slope: int
    """Thousandths of a difference in value that remain at the end of the match."""
    spread: int
    """The difference in value that makes one seat e times as likely to win as another."""


class Scales(msgspec.Struct, frozen=True, rename="camel"):
    """Scales fitted for a title, keyed by number of seats and starting stage (`4/3`)."""

    title: str
    scales: Mapping[str, Scale]
    provenance: Mapping[str, str]


@cache
def load_scales(title: str) -> Scales | None:
    """Load the scales shipped for a title, or None if it was never calibrated."""
    file = files("workers.analyses").joinpath(f"{title}_chances.json")
    return msgspec.json.decode(file.read_bytes(), type=Scales) if file.is_file() else None


UNKNOWN: Final = Scale(slope=THOUSAND, spread=1_000)


@cache
def scale_at(title: str, seats: int, stage: int) -> Scale:
    """Return the scale of a stage, else of the closest earlier calibrated stage, else the default."""
    loaded = load_scales(title)
    found = {} if loaded is None else loaded.scales
    return next(
        (found[key] for earlier_stage in range(stage, -2, -1) if (key := f"{seats}/{earlier_stage}") in found), UNKNOWN
    )


class Outlook(msgspec.Struct, frozen=True):
    """Expected margins (hundredths of a point) and winning chances of all seats."""

    margins: tuple[int, ...]
    chances: tuple[int, ...]


def outlook_of(rules: AnyRules, weights: Weights, outline: Outline, state: object) -> Outlook:
    """Estimate margins and chances by seat in a position; for a finished match, return the actual result.

    Winners share the chance.
    """
    ranking = rules.ranking(state)
    scores = rules.scores(state)
    if ranking is not None:
        winner_count = ranking.count(1)
        return Outlook(
            margins_of([POINT * score for score in scores]),
            tuple(WHOLE // winner_count if place == 1 else 0 for place in ranking),
        )
    worths = [weights.worth(state, Seat(seat)) for seat in range(len(scores))]
    scale = scale_at(rules.TITLE, len(scores), outline.stage(state))
    return Outlook(
        tuple(margin * scale.slope // THOUSAND for margin in margins_of(worths)), shares_of(worths, scale.spread)
    )


def margins_of(points: Sequence[int]) -> tuple[int, ...]:
    """Return the difference between each value and the mean of the others; a single value stays as it is."""
    others, total = len(points) - 1, sum(points)
    return tuple((len(points) * each - total) // others if others else each for each in points)


def shares_of(worths: Sequence[int], spread: int) -> tuple[int, ...]:
    """Return winning chances of `WHOLE` in proportion to the exponentials of the values (softmax), rounded down."""
    highest = max(worths)
    weights = [EXPONENTIALS[min((highest - each) * STEPS // spread, STEPS * REACH)] for each in worths]
    total = sum(weights)
    return tuple(WHOLE * each // total for each in weights)
