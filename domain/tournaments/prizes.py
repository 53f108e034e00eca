"""The prizes of a tournament as its organiser states them, and what each entry gets by the standings."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Final, Literal

import msgspec

from domain.kernel.bounds import NAME_MAX
from domain.kernel.texts import LINE_SAID, fault_of_line
from domain.kernel.values import Value
from domain.standings.contest import Stage
from domain.standings.ranking import Standing
from domain.tournaments.errors import PlanRefused

PLACES_MAX: Final = 200
SplitRule = Literal["shared", "broken", "each"]
"""What those get who are equal in points: the amounts of their places together, in equal parts; what their order by
tie-breaks gives them; or each the best of their places."""
BY_PLACE: Final = frozenset({"elimination", "final"})
"""The stages whose order is that of places, where equal points are no tie."""


class Prize(Value, frozen=True, omit_defaults=True):
    """What a place gets: an amount in the smallest unit of its currency, and in words what is no money."""

    amount: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0
    name: Annotated[str, msgspec.Meta(max_length=NAME_MAX, description=LINE_SAID)] = ""


class Prizes(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The prizes by place, the first first; `currency` as people write it behind the amount."""

    places: Annotated[tuple[Prize, ...], msgspec.Meta(max_length=PLACES_MAX)] = ()
    currency: Annotated[str, msgspec.Meta(max_length=8, description=LINE_SAID)] = ""
    split: SplitRule = "shared"


class Award(Value, frozen=True, omit_defaults=True):
    """What an entry gets, with its rank."""

    entry: str
    rank: int
    amount: int = 0
    name: str = ""


def check_prizes(prizes: Prizes) -> None:
    """Reject prizes that rise from place to place, where the worse place would be the better one, and texts of several
    lines."""
    amounts = [prize.amount for prize in prizes.places]
    if amounts != sorted(amounts, reverse=True):
        raise PlanRefused("no place gets more than the one before it")
    for what, text in (("the currency", prizes.currency), *(("a prize", prize.name) for prize in prizes.places)):
        if (fault := fault_of_line(what, text)) is not None:
            raise PlanRefused(fault)


def awards(prizes: Prizes, stages: Sequence[Stage], rows: Sequence[Standing]) -> tuple[Award, ...]:
    """Who gets what, in the order of the standings.

    Of a shared amount what cannot be parted goes, a unit each, to the first of them by tie-breaks; what is no money
    goes by that order too, unless each gets the best.
    """
    found, left = list[Award](), list(rows)
    while left and (place := len(rows) - len(left)) < len(prizes.places):
        first = left[0]
        together = list(takewhile(lambda row, first=first: is_equal(prizes, stages, row, first), left))  # type: ignore[misc]
        covered = [prize_at(prizes, place + number) for number in range(len(together))]
        found += part(prizes.split, together, covered)
        left = left[len(together) :]
    return tuple(award for award in found if award.amount or award.name)


def is_equal(prizes: Prizes, stages: Sequence[Stage], row: Standing, first: Standing) -> bool:
    """Whether two share a place as far as prizes go: by rank, or by points where tie-breaks alone order them and do not
    count."""
    if row.rank == first.rank:
        return True
    is_by_points = prizes.split != "broken" and stages[row.stage].kind not in BY_PLACE
    return is_by_points and (row.points, row.stage) == (first.points, first.stage)


def prize_at(prizes: Prizes, place: int) -> Prize:
    return prizes.places[place] if place < len(prizes.places) else Prize()


def part(split: SplitRule, rows: Sequence[Standing], covered: Sequence[Prize]) -> list[Award]:
    """The prizes of the places that some people cover, given to them."""
    if split == "each":
        return [Award(row.entry, row.rank, covered[0].amount, covered[0].name) for row in rows]
    share, left = divmod(sum(prize.amount for prize in covered), len(rows))
    return [
        Award(row.entry, row.rank, share + (number < left), prize.name)
        for number, (row, prize) in enumerate(zip(rows, covered, strict=True))
    ]
