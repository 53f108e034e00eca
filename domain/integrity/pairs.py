"""Pairs of people at the same tables: whether one does better, and the other worse, than their ratings predict."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import isqrt
from typing import Final

from domain.integrity.base_rates import MATCHES_MIN, Comparison, Figures, Measure, bases_of, compare_figures
from domain.integrity.measured_matches import MeasuredMatch
from domain.kernel.values import Value
from domain.matches.facts import Actor

WHOLE: Final = 1_000
"""Unit of the chances and points of duels: per mille."""
HUNDREDTHS: Final = 100
"""Unit of differences: hundredths of a standard deviation."""
CAPPED: Final = 1_000_000
"""Upper bound of a reported difference."""

Chance = Callable[[str, int, Actor, Actor], int]
"""(title, seats, one, two) -> chance per mille that the first finishes before the second, by ratings."""
Pair = tuple[Actor, Actor]


Duel = tuple[int, int]
"""Points won in a duel and their expectation, both per mille."""


def surprise_of(duels: Sequence[Duel]) -> int | None:
    """Return the points won beyond expectation, in hundredths of standard deviations; None without a duel.

    Duels count as independent; negative if fewer points were won, and limited to ±`CAPPED`.
    """
    if not duels:
        return None
    variance = sum(chance * (WHOLE - chance) for _, chance in duels)
    return deviations(sum(won - chance for won, chance in duels), variance)


def deviations(difference: int, variance: int) -> int:
    """Return a difference in hundredths of standard deviations, rounded towards 0."""
    size = abs(difference) * HUNDREDTHS // max(1, isqrt(variance))
    return min(size, CAPPED) if difference >= 0 else -min(size, CAPPED)


def points(place: int, other: int) -> int:
    """Return the points of a duel: all for the better place, half for a shared one."""
    return WHOLE if place < other else WHOLE // 2 if place == other else 0


class Helping(Value, frozen=True):
    """Possible help of `helper` for `gainer`, compared with all pairs who have met often enough."""

    helper: Actor
    gainer: Actor
    matches: int
    standings: tuple[Comparison, ...]


class Meeting(Value, frozen=True):
    """The encounters of two people, in either's favour, compared with all such pairs."""

    one: Actor
    two: Actor
    matches: int
    standings: tuple[Comparison, ...]


class PairComparisons(Value, frozen=True):
    """All pairs who have met often enough, if enough other pairs have."""

    helpings: tuple[Helping, ...]
    meetings: tuple[Meeting, ...]


def tables_of(matches: Iterable[MeasuredMatch]) -> dict[Pair, list[MeasuredMatch]]:
    """Return the matches that each pair of people started together, for pairs with at least `MATCHES_MIN`.

    A pair is sorted; its matches are in the given order.
    """
    by_pair: dict[Pair, list[MeasuredMatch]] = {}
    for match in matches:
        for one, two in combinations(sorted(match.people), 2):
            by_pair.setdefault((one, two), []).append(match)
    return {pair: tables for pair, tables in by_pair.items() if len(tables) >= MATCHES_MIN}


def compare_pairs(matches: Sequence[MeasuredMatch], chance: Chance) -> PairComparisons:
    """Compare all pairs with enough common matches: help in both directions, and meetings; `matches` in any order.

    Pairs without any comparison, because too few others are known, are left out.
    """
    tables = tables_of(sorted(matches, key=lambda match: (match.ended_at, match.match_id)))
    seatings = Counter(person for match in matches if not match.event for person in match.people)
    encounter_figures = {pair: meeting_figures(pair, shared, chance, seatings) for pair, shared in tables.items()}
    help_figures = {
        (helper, gainer): helping_figures(helper, gainer, tables[pair], chance)
        for pair in tables
        for helper, gainer in (pair, pair[::-1])
    }
    encounter_rates, help_rates = bases_of(encounter_figures.values()), bases_of(help_figures.values())
    meetings = (
        Meeting(*pair, len(tables[pair]), compare_figures(encounter_rates, figures, (figures,)))
        for pair, figures in encounter_figures.items()
    )
    helpings = (
        Helping(
            *pair,
            len(tables[in_order(pair)]),
            compare_figures(help_rates, figures, (figures, help_figures[pair[::-1]])),
        )
        for pair, figures in help_figures.items()
    )
    return PairComparisons(
        tuple(each for each in helpings if each.standings), tuple(each for each in meetings if each.standings)
    )


def in_order(pair: Pair) -> Pair:
    """Return the pair sorted by id."""
    return pair if pair[0] < pair[1] else pair[::-1]


def helping_figures(helper: Actor, gainer: Actor, tables: Sequence[MeasuredMatch], chance: Chance) -> Figures:
    """Return figures of possible help; those without a duel are left out.

    `gain`: the gainer against third people; `loss`: the helper against them, below expectation; `before`: the
    gainer against the helper, all by ratings. `left`: the share of their matches, in the unit `WHOLE`, that the
    helper left and the gainer won.
    """
    gain, loss, before, left_count = list[Duel](), list[Duel](), list[Duel](), 0
    for match in tables:
        helper_seat, gainer_seat = match.seat_of(helper), match.seat_of(gainer)
        assert helper_seat is not None
        assert gainer_seat is not None
        title, seats = match.title, len(match.seats)
        before.append((points(gainer_seat.place, helper_seat.place), chance(title, seats, gainer, helper)))
        for third in match.seats:
            if third.person is not None and third.person not in (helper, gainer):
                gain.append((points(gainer_seat.place, third.place), chance(title, seats, gainer, third.person)))
                loss.append((points(third.place, helper_seat.place), chance(title, seats, third.person, helper)))
        left_count += (
            helper_seat.left and not gainer_seat.left and gainer_seat.place == min(seat.place for seat in match.seats)
        )
    values: dict[Measure, int | None] = {
        "gain": surprise_of(gain),
        "loss": surprise_of(loss),
        "before": surprise_of(before),
        "left": left_count * WHOLE // len(tables),
    }
    return {measure: value for measure, value in values.items() if value is not None}


def meeting_figures(
    pair: Pair, tables: Sequence[MeasuredMatch], chance: Chance, seatings: Mapping[Actor, int]
) -> Figures:
    """Return figures of two people's encounters; undefined ones are left out.

    `swaps`: how often the better of the two changed from match to match, compared with their ratings.
    `together`: how often they chose the same table, compared with random mixing.
    """
    values: dict[Measure, int] = {}
    if (swaps := swaps_of(*pair, tables, chance)) is not None:
        values["swaps"] = swaps
    if (shared := together_of(*pair, tables, seatings)) is not None:
        values["together"] = shared
    return values


def swaps_of(one: Actor, two: Actor, tables: Sequence[MeasuredMatch], chance: Chance) -> int | None:
    """Return the surprise in changes of the better of two people from match to match; `tables` by end.

    Ties are left out; None with fewer than `MATCHES_MIN` matches that are no tie.
    """
    decisive: list[tuple[bool, int]] = []
    for match in tables:
        first, second = match.seat_of(one), match.seat_of(two)
        assert first is not None
        assert second is not None
        if first.place != second.place:
            decisive.append((first.place < second.place, chance(match.title, len(match.seats), one, two)))
    if len(decisive) < MATCHES_MIN:
        return None
    swaps = list[Duel]()
    for (was_first, chance_was), (is_first, chance_is) in pairwise(decisive):
        expected = (chance_was * (WHOLE - chance_is) + chance_is * (WHOLE - chance_was)) // WHOLE
        swaps.append((WHOLE if was_first != is_first else 0, expected))
    return surprise_of(swaps)


def together_of(one: Actor, two: Actor, tables: Sequence[MeasuredMatch], seatings: Mapping[Actor, int]) -> int | None:
    """Return the surprise in the number of tables shared by choice; None if it is undefined.

    Tables of organisers do not count.
    """
    shared_count = sum(not match.event for match in tables)
    others = sum(seatings.values()) - seatings.get(one, 0)
    if not shared_count or others <= seatings[two]:
        return None
    # Expect the second at each seat next to the first in proportion to everyone's number of seatings.
    neighbour_seats = sum(len(match.people) - 1 for match in tables if not match.event) * seatings[one] // shared_count
    expected = WHOLE * neighbour_seats * seatings[two] // others
    return deviations(WHOLE * shared_count - expected, expected * WHOLE)
