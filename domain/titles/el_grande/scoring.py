"""Points of an area and the final ranking (EG-10, EG-11, EG-14)."""

from collections.abc import Iterator
from functools import lru_cache

from domain.titles.el_grande.components import BOARD_PRICES, BONUSES, PRINTED, REGION_COUNT, Prices
from domain.titles.el_grande.state import Setting, State


def prices(state: State, area: int) -> Prices:
    """Return the table in force at an area: the scoreboard's if one lies there, or else the printed one (EG-11.1)."""
    if area in state.boards:
        return BOARD_PRICES[state.boards.index(area)]
    return PRINTED[area]


def rank_colours(counts: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield (place, colours) for the first three places; a tie takes the place and uses up the next one.

    Colours without caballeros have no place (EG-10.2 to EG-10.4).
    """
    rank = 1
    for count in sorted(set(counts), reverse=True):
        if not count or rank > 3:
            return
        tied = tuple([colour for colour, each in enumerate(counts) if each == count])
        yield rank, tied
        rank += 1 if len(tied) == 1 else 2


def prize(rank: int, tied: tuple[int, ...], table: Prices) -> int:
    """Return the points of each colour at a place; tied colours get the points of the next lower place (EG-10.2)."""
    paid_rank = rank if len(tied) == 1 else rank + 1
    return table[paid_rank - 1] if paid_rank <= 3 else 0


def place_points(counts: tuple[int, ...], table: Prices) -> tuple[int, ...]:
    """Return the points by colour for these counts, without bonuses."""
    points = [0] * len(counts)
    for rank, tied in rank_colours(counts):
        for colour in tied:
            points[colour] = prize(rank, tied, table)
    return tuple(points)


def table_in_setting(table: Prices, setting: Setting) -> Prices:
    """Return the table with a third place of 0 if only two places score in this setting (EG-16.12, EG-17.1)."""
    first, second, third = table
    return first, second, third if setting.third_place_counts else 0


def sole_first(counts: tuple[int, ...]) -> int:
    """Return the only colour with the most caballeros, or -1 if there is none."""
    highest = max(counts)
    return counts.index(highest) if highest and counts.count(highest) == 1 else -1


def area_points(state: State, area: int, *, first_only: bool = False) -> tuple[int, ...]:
    """Return the points of every seat for an area, with bonuses; the dummy only ranks (EG-10, EG-16.9).

    With `first_only` only the sole first scores.
    """
    setting, grandes = state.setting, state.grandes
    table = table_in_setting(prices(state, area), setting)
    has_grande = tuple([grande == area for grande in grandes]) if area in grandes else ()
    return majority(state.pieces[area], table, setting.seats, state.king == area, has_grande, first_only)


@lru_cache(maxsize=65_536)
def majority(
    counts: tuple[int, ...],
    table: Prices,
    seats: int,
    has_king: bool,
    grandes: tuple[bool, ...],
    first_only: bool = False,
) -> tuple[int, ...]:
    """Return the points of every seat for an area, from values alone.

    `grandes` states by seat whether its Grande is in the area; it may be empty instead of all False. Results are
    cached: an action changes few areas, and lookahead scores the other areas again.
    """
    best = sole_first(counts)
    if first_only:
        points = [table[0] if colour == best else 0 for colour in range(seats)]
    else:
        points = list(place_points(counts, table)[:seats])
    if 0 <= best < seats:
        if has_king:
            points[best] += BONUSES.king
        if grandes and grandes[best]:
            points[best] += BONUSES.grande
    return tuple(points)


def regions_worth(state: State, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the regions whose first place is worth one of `values` in the table in force (EG-11.3)."""
    return tuple(region for region in range(REGION_COUNT) if prices(state, region)[0] in values)


def extreme_regions(state: State, extreme: str, count_min: int) -> tuple[int, ...]:
    """Return all regions with the highest total of caballeros (`most`), or the lowest of at least `count_min`.

    EG-12.13.
    """
    totals = [sum(row) for row in state.pieces[:REGION_COUNT]]
    extreme_total = (
        max(totals) if extreme == "most" else min((each for each in totals if each >= count_min), default=-1)
    )
    return tuple(region for region, total in enumerate(totals) if total == extreme_total)


def scores(state: State) -> tuple[int, ...]:
    """Return the points of every seat."""
    return state.scores


def open_scores(state: State) -> tuple[int, ...]:
    """Return the points of every seat; all points in El Grande are public (EG-21.1)."""
    return state.scores


def ranking(state: State) -> tuple[int, ...] | None:
    """Return the place of every seat, ties sharing a place, or None before the match is over (EG-14.1, EG-14.2)."""
    if state.step != "over":
        return None
    return tuple(1 + sum(other > points for other in state.scores) for points in state.scores)
