"""Special actions that score areas (EG-12.9 to EG-12.13)."""

from typing import Final

from domain.titles.el_grande.action_cards.kinds import NAME, Special, no_offers
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.cards import Extreme, Params, ScoreByValue, ScoreChosen
from domain.titles.el_grande.components import AREAS, CASTILLO, PLACE_INDEX, REGION_COUNT
from domain.titles.el_grande.effects import AreaScored, CastilloOpened, Effect
from domain.titles.el_grande.scoring import area_points, extreme_regions, regions_worth
from domain.titles.el_grande.state import Announcement, State


def score_areas(state: State, areas: tuple[int, ...]) -> tuple[Effect, ...]:
    """Return the scoring of each of the areas."""
    return tuple(AreaScored(AREAS[area], area_points(state, area)) for area in areas)


def open_castillo(state: State) -> tuple[Effect, ...]:
    """Return the opening and scoring of the Castillo, which keeps its contents (EG-12.11)."""
    return (CastilloOpened(state.pieces[CASTILLO]), *score_areas(state, (CASTILLO,)))


def chosen_offers(_state: State, _seat: int, params: ScoreChosen) -> tuple[Action, ...]:
    """Return every region, and with cards of 2006 the Castillo (EG-12.9, EG-26.1)."""
    return NAME if params.castillo else NAME[:REGION_COUNT]


def score_chosen(state: State, _seat: int, _params: ScoreChosen, announced: Announcement) -> tuple[Effect, ...]:
    """Return the scoring of the announced area (EG-12.9)."""
    area = PLACE_INDEX[announced.place]
    return open_castillo(state) if area == CASTILLO else score_areas(state, (area,))


def score_values(state: State, _seat: int, params: ScoreByValue, _: Announcement) -> tuple[Effect, ...]:
    """Return the scoring of all regions whose first place is worth one of the card's values (EG-12.10)."""
    return score_areas(state, regions_worth(state, params.first_values))


def score_castillo(state: State, _seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """Return the opening and scoring of the Castillo (EG-12.11)."""
    return open_castillo(state)


def score_firsts(state: State, _seat: int, _params: Params, _: Announcement) -> tuple[Effect, ...]:
    """Return the scoring of every region for its sole first, bonuses included (EG-12.12)."""
    return tuple(
        AreaScored(AREAS[region], area_points(state, region, first_only=True)) for region in range(REGION_COUNT)
    )


def score_extremes(state: State, _seat: int, params: Extreme, _: Announcement) -> tuple[Effect, ...]:
    """Return the scoring of all regions with the highest or lowest total (EG-12.13)."""
    return score_areas(state, extreme_regions(state, params.which, params.min_total))


SCORE_CHOSEN_REGION: Final = Special(chosen_offers, score_chosen)
SCORE_BY_VALUE: Final = Special(no_offers, score_values)
SCORE_CASTILLO: Final = Special(no_offers, score_castillo)
SCORE_ALL_FIRST_ONLY: Final = Special(no_offers, score_firsts)
SCORE_EXTREME: Final = Special(no_offers, score_extremes)
