"""Views: open and hidden information, and states imagined from them."""

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.rules import Seat
from domain.titles import la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.actions import ChooseDonkey, PlayCard
from domain.titles.la_granja.agenda import CardStep, DonkeyChoice
from domain.titles.la_granja.imagine import imagine
from domain.titles.la_granja.view import View, view
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    fill_row,
    give_craft_markers,
    give_goods,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position

LUCK = SeededChance(bytes(32))


def view_of(position: Position, seat: Seat | None) -> View:
    return view(position.state, seat)


def check_imagined_view(position: Position, *seats: Seat | None) -> None:
    """Check at this position that the view of an imagined state equals the real view."""
    for seat in seats:
        real = view_of(position, seat)
        assert view(imagine(real, SeededChance(bytes(32))), seat) == real


def test_a_hand_is_visible_to_its_owner_and_counted_for_others() -> None:
    """LG-0.11: the hand is the only hidden part of a farm."""
    position = lay_table(deal_cards(A, 3, 7), deal_cards(B, 11))

    assert view_of(position, A).farms[A].hand == (3, 7)
    assert view_of(position, B).farms[A].hand == ()
    assert view_of(position, None).farms[A].hand == ()
    assert [farm.hand_count for farm in view_of(position, None).farms] == [2, 1]


def test_goods_silver_and_victory_points_are_open() -> None:
    """LG-0.11: everything except hands, piles and a chosen donkey tile."""
    position = lay_table(give_goods(A, silver=3, vp=2, olive=1, pig=1, trade_commodity=1))

    farm = view_of(position, None).farms[A]
    assert (farm.silver, farm.vp, farm.olive, farm.pig, farm.trade_commodity) == (3, 2, 1, 1, 1)
    assert farm.markers == 22


def test_a_chosen_donkey_tile_is_visible_as_chosen_only() -> None:
    """LG-5.1.1, LG-0.11: revealed together."""
    position = lay_table(step("donkeys", DonkeyChoice(A), DonkeyChoice(B)), deal_cards(A, 3), deal_cards(B, 4))
    chosen = position.when(A, ChooseDonkey(4)).position

    assert (view_of(chosen, A).farms[A].has_donkey, view_of(chosen, A).farms[A].donkey) == (True, 4)
    assert (view_of(chosen, B).farms[A].has_donkey, view_of(chosen, B).farms[A].donkey) == (True, None)
    assert (view_of(chosen, None).farms[B].has_donkey, view_of(chosen, None).farms[B].donkey) == (False, None)
    check_imagined_view(chosen, A, B, None)


def test_no_other_view_depends_on_the_chosen_tile() -> None:
    """The other seats' encoded views are equal for different choices."""
    position = lay_table(step("donkeys", DonkeyChoice(A), DonkeyChoice(B)))
    one = position.when(A, ChooseDonkey(1)).position
    other = position.when(A, ChooseDonkey(3)).position

    for reader in (B, None):
        assert msgspec.json.encode(view_of(one, reader)) == msgspec.json.encode(view_of(other, reader))
    assert view_of(one, A) != view_of(other, A)


def test_bonuses_of_extensions_are_included() -> None:
    """LG-0.7, LG-3.1.8, LG-5.4.1: pens, hand limit, extra deliveries."""
    farm = view_of(lay_table(lay_cards(A, "extension", 1, 2)), B).farms[A]

    assert (farm.pens, farm.hand_limit, farm.extra_deliveries) == (3, 5, 2)
    assert [extension.card for extension in farm.extensions] == [1, 2]


def test_a_helper_shows_its_text() -> None:
    """LG-10.5."""
    helpers = view_of(lay_table(lay_cards(A, "helper", 1, 8)), None).farms[A].helpers

    assert [helper.name for helper in helpers] == ["Chef", "Stockman"]
    assert helpers[0].text == "Every upgrade that is paid for costs its owner 1 silver less (never below 0)."


def test_prices_include_the_farm_s_helpers() -> None:
    """LG-2.8, LG-10.7: the Chef lowers each upgrade price of its owner by 1 silver."""
    view_of_all = view_of(lay_table(lay_cards(A, "helper", 1)), None)

    assert [price.upgrade for price in view_of_all.farms[A].prices] == [1, 1, 2, 3]
    assert [price.upgrade for price in view_of_all.farms[B].prices] == [2, 2, 3, 4]


def test_a_barrow_shows_its_goods_and_vp() -> None:
    """LG-6.3.1."""
    (barrow,) = view_of(lay_table(lay_cards(A, "barrow", 5)), None).farms[A].barrows

    assert (barrow.card, barrow.vp) == (5, 6)
    assert [(symbol.good, symbol.is_filled) for symbol in barrow.symbols] == [
        ("pig", False),
        ("wine", False),
        ("meat", False),
    ]


def test_the_draw_pile_is_a_number() -> None:
    """LG-0.10, LG-0.11: 66 cards minus the cards in hands and on farms."""
    position = lay_table(deal_cards(A, 3, 7), lay_cards(B, "field", 11))

    assert view_of(position, None).draw_pile_count == 63


@pytest.mark.parametrize(("seats", "open_count"), [(2, 14), (3, 16), (4, 26)])
def test_closed_market_spaces_are_shown_as_closed(seats: int, open_count: int) -> None:
    """LG-1.1."""
    assert sum(space.is_open for space in view_of(lay_table(seats=seats), None).market) == open_count


def test_open_information_is_imagined_exactly() -> None:
    """Rows, barrows, stalls and craft markers are open (LG-0.11)."""
    position = lay_table(
        fill_row(A, 2, ("food", "wine", "meat"), 1),
        lay_cards(B, "barrow", 1),
        load_barrow(B, 1, "grape"),
        give_craft_markers(A, 3),
        e.StallPlaced(B, 4),
    )

    (row,) = view_of(position, B).buildings[1].rows
    assert [(symbol.good, symbol.is_filled) for symbol in row.symbols] == [
        ("food", False),
        ("wine", True),
        ("meat", False),
    ]
    assert view_of(position, A).market[4].owner == B
    assert imagine(view_of(position, A), LUCK) == position.state


def test_other_hands_are_imagined_from_unseen_cards() -> None:
    position = lay_table(
        step("cards", CardStep(A)), deal_cards(A, 3, 7), deal_cards(B, 11, 12), lay_cards(B, "field", 20)
    )

    imagined = imagine(view_of(position, A), LUCK)

    assert imagined.farms[A].hand == (3, 7)
    assert len(imagined.farms[B].hand) == 2
    assert not {3, 7, 20} & set(imagined.farms[B].hand)


def test_a_card_being_played_is_known_to_be_in_hand() -> None:
    """LG-3.1.4: while its extension is being paid the card is public, and still counts as a card in hand."""
    position = lay_table(
        step("cards", CardStep(A)), give_goods(A, silver=1, vp=1), deal_cards(A, 3, 7), deal_cards(B, 11)
    )
    paying = position.when(A, PlayCard(7, "extension")).position

    assert 7 in imagine(view_of(paying, B), LUCK).farms[A].hand
    assert imagine(view_of(paying, A), LUCK).farms[A].hand == (3, 7)
    check_imagined_view(paying, A, B, None)


def test_a_hidden_tile_is_imagined_among_unused_ones() -> None:
    position = lay_table(step("donkeys", DonkeyChoice(A), DonkeyChoice(B)))
    chosen = position.when(A, ChooseDonkey(2)).position

    assert imagine(view_of(chosen, B), LUCK).farms[A].donkey in (1, 2, 3, 4)
    assert imagine(view_of(chosen, B), LUCK).farms[B].donkey == chosen.state.farms[B].donkey


def test_the_reader_s_legal_actions_follow_from_the_view() -> None:
    position = lay_table(
        step("cards", CardStep(A)),
        give_goods(A, silver=9, olive=1),
        deal_cards(A, 3, 7),
        lay_cards(A, "field", 9, full=True),
    )

    imagined = imagine(view_of(position, A), LUCK)

    assert la_granja.legal_actions(imagined, A) == position.legal(A)


def test_a_view_is_the_same_after_a_round_trip_through_json() -> None:
    position = lay_table(
        step("cards", CardStep(A)),
        give_goods(A, silver=9),
        deal_cards(A, 3),
        lay_cards(B, "helper", 2),
        lay_cards(B, "barrow", 5),
    )

    for reader in (A, B, None):
        real = view_of(position, reader)
        assert msgspec.json.decode(msgspec.json.encode(real), type=View) == real
