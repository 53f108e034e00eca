"""Sentences that explain the points of a scored area: the bonuses of king and Grande, and shared places.

The effect stores sums only. The parts are computed from the board at the time of the scoring: the view after the entry
with the later effects of the entry undone. If the sums do not match, nothing is explained.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from domain.kernel.messages import N_, Message, join_terms
from domain.titles.el_grande import effects as e
from domain.titles.el_grande import words_terms as terms
from domain.titles.el_grande.components import BONUSES, PLACE_INDEX, Area, Prices
from domain.titles.el_grande.effects import Effect
from domain.titles.el_grande.scoring import majority, prize, rank_colours, sole_first, table_in_setting
from domain.titles.el_grande.view import AreaView, View

BONUS_TEXTS: Final = {
    (True, False): N_("{points} for {player} ({bonus} of them for the king)"),
    (False, True): N_("{points} for {player} ({bonus} of them for the Grande)"),
    (True, True): N_("{points} for {player} ({bonus} of them for king and Grande)"),
}
"""The wording by the bonuses added to the points of the place: the king's, the Grande's."""

SHARED_PLACE_TEXTS: Final = {
    1: N_("{players} share first place: each gets the points for second place"),
    2: N_("{players} share second place: each gets the points for third place"),
}
FOLLOWED: Final = N_("{players} share first place: each gets the points for second place, and the next is third")
WORTHLESS_PLACE_TEXTS: Final = {
    1: N_("{players} share first place: each gets the points for second place, which are 0"),
    2: N_("{players} share second place: each gets the points for third place, which are 0"),
    3: N_("{players} share third place and get nothing"),
}
NO_THIRD: Final = N_("{players} share second place and get nothing: third place counts only with 4 or 5 players")
NO_FIRST: Final = N_("{players} share first place: only a sole first place scores here")


Parts = tuple[Mapping[int, Message], tuple[Message, ...]]


class ScoredArea(NamedTuple):
    """An area at the time of its scoring."""

    counts: tuple[int, ...]
    table: Prices
    grandes: tuple[bool, ...]
    has_king: bool


def explain_points(view: View, effects: tuple[Effect, ...], index: int) -> Parts:
    """Return seat -> wording for each seat with bonus points, and a sentence for every shared place.

    Both are empty if the position at the scoring is unknown or gives other points.
    """
    effect = effects[index]
    assert isinstance(effect, e.AreaScored)
    scored_area = _scored_area(view, effect.area, effects[:index], effects[index + 1 :])
    if scored_area is None:
        return {}, ()
    seats = view.setting.seats
    for first_only in (False, True):
        points = majority(
            scored_area.counts, scored_area.table, seats, scored_area.has_king, scored_area.grandes, first_only
        )
        if points == effect.points:
            return dict(_bonus(view, scored_area, points)), tuple(_shared_places(view, scored_area, first_only))
    return {}, ()


def _scored_area(view: View, area: Area, earlier: tuple[Effect, ...], later: tuple[Effect, ...]) -> ScoredArea | None:
    """Return the area at its scoring, or None if unknown. Afterwards, an entry only moves caballeros and Grandes."""
    area_view = view.areas[PLACE_INDEX[area]]
    counts = _castillo_contents(earlier) if area == "castillo" else _counts_before(area_view, later, view.setting.dummy)
    if counts is None:
        return None
    grandes = set(area_view.grandes)
    for effect in later:
        if isinstance(effect, e.GrandeMoved):
            grandes.discard(effect.seat)
            if area == "castillo":
                grandes.add(effect.seat)
    has_grande = tuple(seat in grandes for seat in range(view.setting.seats))
    return ScoredArea(counts, table_in_setting(area_view.prices, view.setting), has_grande, area_view.is_kings)


def _castillo_contents(earlier: tuple[Effect, ...]) -> tuple[int, ...] | None:
    """Return the contents of the Castillo from its opening before the scoring (EG-9.4, EG-12.11)."""
    return next((each.counts for each in reversed(earlier) if isinstance(each, e.CastilloOpened)), None)


def _counts_before(region: AreaView, later: tuple[Effect, ...], dummy: int) -> tuple[int, ...]:
    """Return the caballeros of a region before the effects `later`."""
    assert region.counts is not None, "regions lie open"
    counts = list(region.counts)
    for effect in later:
        if isinstance(effect, e.CaballerosMoved):
            for line in effect.lines:
                counts[line.colour] += line.count * ((line.source == region.id) - (line.target == region.id))
        elif isinstance(effect, e.DummyRegionDrawn) and effect.region == region.id:
            counts[dummy] -= effect.count
    return tuple(counts)


def _bonus(view: View, scored_area: ScoredArea, points: tuple[int, ...]) -> Iterator[tuple[int, Message]]:
    """Yield the bonus of king and Grande for the sole first; the dummy gets none (EG-10.6, EG-16.9)."""
    best = sole_first(scored_area.counts)
    if not 0 <= best < view.setting.seats:
        return
    added = (scored_area.has_king, scored_area.grandes[best])
    if added in BONUS_TEXTS:
        bonus = BONUSES.king * added[0] + BONUSES.grande * added[1]
        args: terms.Args = {"points": points[best], "player": terms.player(view.setting, best), "bonus": bonus}
        yield best, Message(BONUS_TEXTS[added], args)


def _shared_places(view: View, scored_area: ScoredArea, first_only: bool) -> Iterator[Message]:
    """Yield a sentence for each of the first three places that is shared; with `first_only` for the first only."""
    ranks = tuple(rank_colours(scored_area.counts))
    for rank, tied in ranks[:1] if first_only else ranks:
        if len(tied) > 1:
            players = join_terms(terms.player(view.setting, colour) for colour in tied)
            is_last = (rank, tied) == ranks[-1]
            sentence = NO_FIRST if first_only else _sentence(view, scored_area, rank, tied, is_last)
            yield Message(sentence, {"players": players})


def _sentence(view: View, scored_area: ScoredArea, rank: int, tied: tuple[int, ...], is_last: bool) -> str:
    if not prize(rank, tied, scored_area.table):
        return NO_THIRD if rank == 2 and not view.setting.third_place_counts else WORTHLESS_PLACE_TEXTS[rank]
    return FOLLOWED if rank == 1 and not is_last else SHARED_PLACE_TEXTS[rank]
