"""Points of an area, the final ranking (EG-10, EG-11, EG-14)."""

from collections.abc import Iterator
from functools import lru_cache

from domain.titles.el_grande.components import BOARD_PRICES, BONUSES, PRINTED, REGION_COUNT, Prices
from domain.titles.el_grande.state import Setting, State


def prices(state: State, area: int) -> Prices:
    """The table in force at an area: a scoreboard lying there replaces the printed one (EG-11.1)."""
    if area in state.boards:
        return BOARD_PRICES[state.boards.index(area)]
    return PRINTED[area]


def ranked(counts: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The first three places with the colours that hold them: a shared one takes the next along (EG-10.2 - 10.4)."""
    place = 1
    for count in sorted(set(counts), reverse=True):
        if not count or place > 3:
            return
        tied = tuple([colour for colour, each in enumerate(counts) if each == count])
        yield place, tied
        place += 1 if len(tied) == 1 else 2


def prize(place: int, tied: tuple[int, ...], table: Prices) -> int:
    """What each of those at a place gets: all who tie the points of the next lower place (EG-10.2)."""
    got = place if len(tied) == 1 else place + 1
    return table[got - 1] if got <= 3 else 0


def places(counts: tuple[int, ...], table: Prices) -> tuple[int, ...]:
    """Points by rank."""
    points = [0] * len(counts)
    for place, tied in ranked(counts):
        for colour in tied:
            points[colour] = prize(place, tied, table)
    return tuple(points)


def counted(table: Prices, setting: Setting) -> Prices:
    """What the places bring with so many players (EG-10.1)."""
    first, second, third = table
    return first, second, third if setting.third_place_counts else 0


def sole_first(counts: tuple[int, ...]) -> int:
    """The colour with the most caballeros, alone; -1 when nobody is."""
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else -1


def area_points(state: State, area: int, *, first_only: bool = False) -> tuple[int, ...]:
    """What every seat gets for the area, bonuses included; the dummy ranks and gets nothing (EG-10, EG-16.9)."""
    setting, grandes = state.setting, state.grandes
    table = counted(prices(state, area), setting)
    standing = tuple([grande == area for grande in grandes]) if area in grandes else ()
    return majority(state.pieces[area], table, setting.seats, state.king == area, standing, first_only)


@lru_cache(maxsize=65_536)
def majority(
    counts: tuple[int, ...],
    table: Prices,
    seats: int,
    has_king: bool,
    grandes: tuple[bool, ...],
    first_only: bool = False,
) -> tuple[int, ...]:
    """The points of an area by itself. Remembered: an action changes an area or two, and whoever looks ahead asks for
    the others again. `grandes` says by seat whose Grande stands there; it is empty where none does."""
    best = sole_first(counts)
    if first_only:
        points = [table[0] if colour == best else 0 for colour in range(seats)]
    else:
        points = list(places(counts, table)[:seats])
    if 0 <= best < seats:
        if has_king:
            points[best] += BONUSES.king
        if grandes and grandes[best]:
            points[best] += BONUSES.grande
    return tuple(points)


def regions_worth(state: State, values: tuple[int, ...]) -> tuple[int, ...]:
    """The regions whose first place is worth one of these in the table in force (EG-11.3)."""
    return tuple(region for region in range(REGION_COUNT) if prices(state, region)[0] in values)


def extreme_regions(state: State, which: str, least: int) -> tuple[int, ...]:
    """All regions with the highest, or the lowest sufficient, total over all colours (EG-12.13)."""
    totals = [sum(row) for row in state.pieces[:REGION_COUNT]]
    wanted = max(totals) if which == "most" else min((each for each in totals if each >= least), default=-1)
    return tuple(region for region, total in enumerate(totals) if total == wanted)


def scores(state: State) -> tuple[int, ...]:
    """The points of every seat."""
    return state.scores


def open_scores(state: State) -> tuple[int, ...]:
    """The same: every score marker stands on the track for all to see (EG-21.1)."""
    return state.scores


def ranking(state: State) -> tuple[int, ...] | None:
    """The place of every seat once the match is over; equal points share a place (EG-14.1, EG-14.2)."""
    if state.step != "over":
        return None
    return tuple(1 + sum(other > points for other in state.scores) for points in state.scores)
