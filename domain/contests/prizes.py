"""The prizes of a contest, and their distribution by the standings."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Final, Literal

import msgspec

from domain.contests.errors import ContestRefused, PlanRefused
from domain.kernel.bounds import NAME_MAX
from domain.kernel.texts import LINE_DESCRIPTION, fault_of_line
from domain.kernel.values import Value
from domain.standings.contest import Stage
from domain.standings.ranking import Standing

PLACES_MAX: Final = 200
SplitRule = Literal["shared", "broken", "each"]
"""The rule for players with equal points.

Share the sum of their prizes, follow the tie-breaks, or give each the best prize.
"""
BY_PLACE: Final = frozenset({"elimination", "final"})
"""Stages ranked by places, where equal points are no tie."""


class Prize(Value, frozen=True, omit_defaults=True):
    """The prize of a place: an amount in the smallest unit of the currency, and a text for other prizes."""

    amount: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0
    name: Annotated[str, msgspec.Meta(max_length=NAME_MAX, description=LINE_DESCRIPTION)] = ""


class Prizes(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The prizes by place, first place first; `currency` is the text shown after the amount."""

    places: Annotated[tuple[Prize, ...], msgspec.Meta(max_length=PLACES_MAX)] = ()
    currency: Annotated[str, msgspec.Meta(max_length=8, description=LINE_DESCRIPTION)] = ""
    split: SplitRule = "shared"


class Award(Value, frozen=True, omit_defaults=True):
    """The prize of an entry, with its rank."""

    entry: str
    rank: int
    amount: int = 0
    name: str = ""


def check_prizes(prizes: Prizes) -> None:
    """Raise `PlanRefused` if a prize exceeds the one before it, or a text has a line break or control character."""
    amounts = [prize.amount for prize in prizes.places]
    if amounts != sorted(amounts, reverse=True):
        raise PlanRefused("a place cannot get more than the previous one")
    for subject, text in (("the currency", prizes.currency), *(("a prize", prize.name) for prize in prizes.places)):
        if (fault := fault_of_line(subject, text)) is not None:
            raise PlanRefused(fault)


def decide_prizes(
    current: Prizes, prizes: Prizes, reason: str, *, has_started: bool, refusal: type[ContestRefused]
) -> str | None:
    """Return the stripped reason for new prizes, or None if they equal the current ones.

    Raise `PlanRefused` for bad prizes, `refusal` without a reason once a round is public.
    """
    check_prizes(prizes)
    if prizes == current:
        return None
    if has_started and not reason.strip():
        raise refusal("a change of prizes after the start needs a reason")
    return reason.strip()


def awards(prizes: Prizes, stages: Sequence[Stage], rows: Sequence[Standing]) -> tuple[Award, ...]:
    """Return the awards in the order of the standings; players without any prize are left out.

    The remainder of a shared amount goes, one unit each, to the first by tie-breaks. Prizes other than money
    also follow that order, unless the rule is `each`.
    """
    awarded, remaining = list[Award](), list(rows)
    while remaining and (place := len(rows) - len(remaining)) < len(prizes.places):
        first = remaining[0]
        tied = list(takewhile(lambda row, first=first: is_equal(prizes, stages, row, first), remaining))  # type: ignore[misc]
        covered = [prize_at(prizes, place + number) for number in range(len(tied))]
        awarded += split_prizes(prizes.split, tied, covered)
        remaining = remaining[len(tied) :]
    return tuple(award for award in awarded if award.amount or award.name)


def is_equal(prizes: Prizes, stages: Sequence[Stage], row: Standing, first: Standing) -> bool:
    """Return whether two rows share a prize: by rank, or by points where tie-breaks do not decide prizes."""
    if row.rank == first.rank:
        return True
    is_by_points = prizes.split != "broken" and stages[row.stage].kind not in BY_PLACE
    return is_by_points and (row.points, row.stage) == (first.points, first.stage)


def prize_at(prizes: Prizes, place: int) -> Prize:
    """Return the prize of a place, counted from 0; empty beyond the last."""
    return prizes.places[place] if place < len(prizes.places) else Prize()


def split_prizes(split: SplitRule, rows: Sequence[Standing], covered: Sequence[Prize]) -> list[Award]:
    """Distribute the prizes of the places that tied players cover.

    By `each` everyone gets the first; else the sum is shared, with the remainder one unit each from the top.
    """
    if split == "each":
        return [Award(row.entry, row.rank, covered[0].amount, covered[0].name) for row in rows]
    share, remainder = divmod(sum(prize.amount for prize in covered), len(rows))
    return [
        Award(row.entry, row.rank, share + (number < remainder), prize.name)
        for number, (row, prize) in enumerate(zip(rows, covered, strict=True))
    ]
