"""Setup (LG-1), from the effects of `start`."""

from collections import Counter

import pytest

from domain.kernel.rules import UnknownOption
from domain.titles import la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardStep
from domain.titles.la_granja.components import ROOF_TILES
from domain.titles.la_granja.components_market import MARKETS
from domain.titles.la_granja.holdings import draw_pile_count
from domain.titles.la_granja.state import NO_DONKEY, NOBODY
from tests.domain.titles.la_granja.table import opening
from tests.scenario import ScriptedChance

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


@pytest.mark.parametrize(("seats", "board"), [(2, "small"), (3, "large_closed"), (4, "large")])
def test_the_market_board_depends_on_the_number_of_players(seats: int, board: str) -> None:
    """LG-1.1: small for 2, large for 3 and 4, with closed spaces for 3."""
    state, _ = opening(seats)

    assert state.board == board
    assert len(state.stalls) == len(MARKETS[board].cells)


@SEATS
def test_all_players_start_with_the_same_belongings(seats: int) -> None:
    """LG-1.2: 25 markers (one on the market, one on the commodity), all donkey tiles, 1 VP, 1 silver, 1 commodity."""
    state, _ = opening(seats)

    for farm in state.farms:
        assert (farm.vp, farm.silver, farm.trade_commodity, farm.markers) == (1, 1, 1, 23)
        assert farm.donkey == NO_DONKEY
        assert farm.donkeys_used == ()


@SEATS
def test_four_cards_each_from_the_draw_pile(seats: int) -> None:
    """LG-1.3: other players do not see the cards dealt."""
    state, effects = opening(seats)

    assert all(len(farm.hand) == 4 for farm in state.farms)
    assert draw_pile_count(state) == 66 - 4 * seats
    assert len({card for farm in state.farms for card in farm.hand}) == 4 * seats
    assert all(deal.cards.audience == (deal.seat,) for deal in effects if isinstance(deal, e.CardsDrawn))


@SEATS
def test_one_open_roof_tile_of_round_1_per_player(seats: int) -> None:
    """LG-1.4: the tiles of later rounds are not drawn yet."""
    state, effects = opening(seats)

    assert len(state.roofs) == seats
    assert all(ROOF_TILES[tile].round == 1 for tile in state.roofs)
    assert sum(isinstance(effect, e.RoofsRevealed) for effect in effects) == 1


@SEATS
def test_no_building_is_completed_or_started(seats: int) -> None:
    """LG-1.5: the remaining craft markers are the players who have not completed the building."""
    state, _ = opening(seats)

    assert [building.number for building in state.buildings] == [1, 2, 3, 4, 5, 6]
    assert not any(building.completed or building.marks or building.rows for building in state.buildings)


def test_three_buildings_are_blocked_by_dice_with_rerolls() -> None:
    """LG-1.6: tile 1 on building 4, tile 2 on 2 after a second 4, tile 3 on 6."""
    chance = ScriptedChance(
        {"building-order/1": (4,), "building-order/2": (4,), "building-order/3": (2,), "building-order/4": (6,)}
    )

    effects = la_granja.start(la_granja.options({}), 2, chance)

    assert [(b.tile, b.building) for b in effects if isinstance(b, e.BuildingBlocked)] == [(1, 4), (2, 2), (3, 6)]


def test_a_random_start_player_and_then_clockwise() -> None:
    """LG-1.7: the third of four begins."""
    chance = ScriptedChance({"start-player": (3,), **{f"building-order/{n}": (n,) for n in (1, 2, 3)}})

    effects = la_granja.start(la_granja.options({}), 4, chance)

    assert [order.order for order in effects if isinstance(order, e.TurnOrderSet)] == [(2, 3, 0, 1)]


def test_start_stalls_are_on_the_centre_spaces_in_turn_order() -> None:
    """LG-1.9: the first player on 2, the others on 3, 4 and 5."""
    state, _ = opening(4)
    market = MARKETS[state.board]

    standing = {market.cells[cell].value: owner for cell, owner in enumerate(state.stalls) if owner != NOBODY}

    assert standing == {2: state.order[0], 3: state.order[1], 4: state.order[2], 5: state.order[3]}
    assert all(market.cells[cell].start for cell, owner in enumerate(state.stalls) if owner != NOBODY)


def test_siesta_markers_are_stacked_on_space_0_with_the_first_player_on_top() -> None:
    """LG-1.10."""
    state, _ = opening(3)

    assert state.siesta == (state.order, (), (), (), ())


def test_play_begins_with_the_first_player_s_two_cards() -> None:
    """Setup needs no decision; the first one is in step I.1."""
    state, _ = opening(3)

    assert la_granja.seats_to_act(state) == (state.order[0],)
    assert la_granja.phase(state) == "1/I/cards"
    assert state.agenda[-1] == CardStep(state.order[0], plays=2)


def test_no_label_is_drawn_twice() -> None:
    chance = ScriptedChance({f"building-order/{n}": (n,) for n in (1, 2, 3)})

    la_granja.start(la_granja.options({}), 4, chance)

    assert max(Counter(chance.asked).values()) == 1
    assert {"start-player", "roofs/1", "card/1", "card/13", "building-order/1"} <= set(chance.asked)


@pytest.mark.parametrize(("name", "value"), [("edition", "steam"), ("deck", "other"), ("colour", "red")])
def test_an_unknown_option_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(UnknownOption, match=value if name != "colour" else name):
        la_granja.options({name: value})


def test_options_have_defaults() -> None:
    """Deluxe edition and standard deck for 1 to 4 players; the data has a digest."""
    options = la_granja.options({})

    assert options.chosen == {"components": "standard", "deck": "standard", "edition": "deluxe"}
    assert (options.seats_min, options.seats_max) == (1, 4)
    assert len(la_granja.data_digest(options)) == 64
    assert la_granja.options({"edition": "deluxe", "deck": "standard"}) == options
