"""What a judged position says of the end of the match: the margin and the chance to win of every seat.

Learnt from matches of bots by `python -m ops.analyses.calibrating`: how far the worths at the end of a stage lie from
the final margins, and how sure a lead is. Whole numbers, with a table of exponentials that comes out the same
everywhere.
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
"""The exponential is looked up in steps of so many to one."""
REACH: Final = 12
"""Who is further behind than this has no chance worth a number."""
THOUSAND: Final = 1_000
POINT: Final = 100
EXPONENTIALS: Final = tuple(int((Decimal(-each) / STEPS).exp() * (1 << 24)) for each in range(STEPS * REACH + 1))


class Scale(msgspec.Struct, frozen=True):
    """How worths at the beginning of a stage become margins and chances."""

    slope: int
    """Thousandths of a difference of worths that are left in the end."""
    spread: int
    """The difference of worths that makes one seat e times as likely to win as another."""


class Scales(msgspec.Struct, frozen=True, rename="camel"):
    """What was learnt of a title, by the number of seats and the stage that begins (`4/3`)."""

    title: str
    scales: Mapping[str, Scale]
    provenance: Mapping[str, str]


@cache
def load_scales(title: str) -> Scales | None:
    """What is shipped for the title; nothing for one that was never measured."""
    file = files("workers.analyses").joinpath(f"{title}_chances.json")
    return msgspec.json.decode(file.read_bytes(), type=Scales) if file.is_file() else None


UNKNOWN: Final = Scale(slope=THOUSAND, spread=1_000)


@cache
def scale_at(title: str, seats: int, stage: int) -> Scale:
    """The scale of a stage, or of the next one before it that was measured."""
    known = load_scales(title)
    found = {} if known is None else known.scales
    return next((found[key] for at in range(stage, -2, -1) if (key := f"{seats}/{at}") in found), UNKNOWN)


class Outlook(msgspec.Struct, frozen=True):
    """What every seat can expect."""

    margins: tuple[int, ...]
    chances: tuple[int, ...]


def outlook_of(rules: AnyRules, weights: Weights, outline: Outline, state: object) -> Outlook:
    """What the position promises; of a match that is over, what it brought."""
    ranking = rules.ranking(state)
    scores = rules.scores(state)
    if ranking is not None:
        firsts = ranking.count(1)
        return Outlook(
            margins_of([POINT * score for score in scores]),
            tuple(WHOLE // firsts if place == 1 else 0 for place in ranking),
        )
    worths = [weights.worth(state, Seat(seat)) for seat in range(len(scores))]
    scale = scale_at(rules.TITLE, len(scores), outline.stage(state))
    return Outlook(
        tuple(margin * scale.slope // THOUSAND for margin in margins_of(worths)), shares_of(worths, scale.spread)
    )


def margins_of(points: Sequence[int]) -> tuple[int, ...]:
    """Each over the mean of the others; of a single seat what it has."""
    others, total = len(points) - 1, sum(points)
    return tuple((len(points) * each - total) // others if others else each for each in points)


def shares_of(worths: Sequence[int], spread: int) -> tuple[int, ...]:
    """Chances in proportion to the exponentials of the worths."""
    most = max(worths)
    weights = [EXPONENTIALS[min((most - each) * STEPS // spread, STEPS * REACH)] for each in worths]
    total = sum(weights)
    return tuple(WHOLE * each // total for each in weights)
