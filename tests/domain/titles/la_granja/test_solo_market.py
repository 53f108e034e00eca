"""Placement and removal by the neutral player of the solo game (LG-11.6 to LG-11.9)."""

from typing import Any

from domain.kernel.messages import say
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja import effects_solo as s
from domain.titles.la_granja.agenda import DieWindow, NeutralPlacement, StallChoice
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.components_market import MARKETS, market_of
from domain.titles.la_granja.phases.solo import distance, neutral_cell
from domain.titles.la_granja.state import NEUTRAL
from tests.domain.titles.la_granja.table import A, cell_at, give_goods, last_of, lay_cards, lay_solo_table, step
from tests.scenario import Outcome


def at(q: int, r: int) -> int:
    return cell_at(1, q, r)


def own(*places: tuple[int, int]) -> list[e.StallPlaced]:
    return [e.StallPlaced(A, at(q, r)) for q, r in places]


def neutral(*places: tuple[int, int]) -> list[e.StallPlaced]:
    return [e.StallPlaced(NEUTRAL, at(q, r)) for q, r in places]


def test_removing_a_neutral_marker_brings_a_point() -> None:
    """LG-11.6, LG-13.24: swept or replaced, like any opponent's."""
    sixes = [cell for cell in market_of(1).by_value[6] if cell != at(2, 0)]
    full = [e.StallPlaced(NEUTRAL, cell) for cell in (at(2, 0), *sixes)]
    position = lay_solo_table(full, neutral((1, 0)), step("free_deliveries", StallChoice(A, 6)))

    after = position.when(A, a.PlaceStall(at(2, 0)))

    after.then(
        e.StallRemoved(A, at(2, 0), NEUTRAL),
        e.GoodGained(A, "vp", 1, "", "market"),
        e.StallPlaced(A, at(2, 0)),
        e.StallRemoved(A, at(1, 0), NEUTRAL),
        e.GoodGained(A, "vp", 1, "", "market"),
    )


def card_of(vp: int) -> int:
    """Return a card whose barrow has this value."""
    return next(number for number, card in CARDS.items() if card.barrow.vp == vp)


def placing(vp: int, *effects: Any) -> Outcome:
    """Carry out the neutral placement for a card of this value."""
    tasks = step("extra_deliveries", DieWindow(A), NeutralPlacement(A))
    position = lay_solo_table(give_goods(A, trade_commodity=1), *effects, tasks)
    drawn = position.state.cards_drawn + 1
    return position.with_chance({f"card/{drawn}": (card_of(vp),)}).when(A, a.Pass())


def test_a_card_is_turned_up_and_the_neutral_player_places_for_its_barrow() -> None:
    """LG-11.7: the card is public and goes to the discard pile; spectators learn nothing about the hand."""
    after = placing(3, own((0, 1)))

    (turned,) = after.of(s.CardTurnedUp)
    (placed,) = after.of(e.StallPlaced)
    assert after.state.discard == (turned.card,) == (card_of(3),)
    assert placed.seat == NEUTRAL
    assert market_of(1).cells[placed.cell].value == 3
    assert after.state.farms[A].markers == 25 - 1 - 1


def test_with_the_last_card_turned_up_the_discard_pile_is_shuffled_first() -> None:
    """LG-11.7, LG-0.10: the card turned up is the first of the new discard pile."""
    card = card_of(4)
    others = [number for number in CARDS if number != card]
    away = [
        *lay_cards(A, "extension", *others[1:]),
        *lay_cards(A, "helper", others[0]),
        e.CardDiscarded(A, others[0], "helper"),
    ]

    after = placing(4, away)

    assert after.of(e.DiscardReshuffled, s.CardTurnedUp) == (e.DiscardReshuffled(), s.CardTurnedUp(card))
    assert after.state.discard == (card,)


def test_without_cards_nothing_is_turned_up() -> None:
    """LG-11.7, LG-0.10."""
    assert placing(4, lay_cards(A, "extension", *CARDS)).of(s.CardTurnedUp, e.StallPlaced) == ()


def test_an_empty_draw_pile_is_replaced_before_the_card_is_turned_up() -> None:
    """LG-11.7, LG-0.10: the only card is the discarded one."""
    card = card_of(4)
    others = [number for number in CARDS if number != card]
    away = [*lay_cards(A, "extension", *others), *lay_cards(A, "helper", card), e.CardDiscarded(A, card, "helper")]

    assert placing(4, away).of(e.DiscardReshuffled, s.CardTurnedUp) == (e.DiscardReshuffled(), s.CardTurnedUp(card))


def chosen_space(vp: int, *effects: Any) -> tuple[int, int]:
    """Return the coordinates of the neutral player's choice on the small board."""
    state = lay_solo_table(*effects).state
    space = neutral_cell(state, vp)
    assert space is not None
    cell = market_of(1).cells[space]
    return cell.q, cell.r


def test_the_neutral_player_removes_as_many_markers_as_possible() -> None:
    """LG-11.8 a: of the fives, (1,1) touches the player's 3 and 4, (-1,0) nothing and (-1,2) only the 3."""
    assert chosen_space(5, own((0, 1), (1, 0))) == (1, 1)
    assert chosen_space(5, own((0, 2), (-1, 1))) in {(-1, 2), (1, 1)}


def test_among_equals_the_space_hardest_to_remove_is_taken() -> None:
    """LG-11.8 b, c, LG-13.21: fewest free adjacent spaces of higher value, regardless of the total."""
    market = market_of(1)
    state = lay_solo_table().state
    space = neutral_cell(state, 3)
    assert space is not None

    def threats(cell: int) -> int:
        return sum(market.cells[near].value > 3 for near in market.neighbours[cell])

    fewest = min(map(threats, market.by_value[3]))
    assert threats(space) == fewest
    assert len({threats(cell) for cell in market.by_value[3]}) > 1


def test_a_taken_space_is_no_threat() -> None:
    """LG-11.8 b, LG-13.21: only free adjacent spaces of higher value count."""
    market = market_of(1)
    usual = neutral_cell(lay_solo_table().state, 3)
    other = next(cell for cell in market.by_value[3] if cell != usual)
    higher = [near for near in market.neighbours[other] if market.cells[near].value > 3]

    state = lay_solo_table([e.StallPlaced(NEUTRAL, near) for near in higher]).state

    assert neutral_cell(state, 3) == other


def test_a_free_neighbour_of_lower_value_is_no_threat() -> None:
    """LG-11.8 b, LG-13.21: (1,2) has fewer free neighbours, but (1,-1) has fewer of higher value."""
    assert chosen_space(3) == (1, -1)


def test_then_the_space_farthest_from_other_neutral_markers() -> None:
    """LG-11.8 b: no space is higher than a six, so the farther six is taken."""
    sixes = {(market_of(1).cells[cell].q, market_of(1).cells[cell].r) for cell in market_of(1).by_value[6]}
    assert sixes == {(-1, 1), (2, 0)}

    assert chosen_space(6, neutral((2, -1))) == (-1, 1)
    assert chosen_space(6, neutral((-1, 2))) == (2, 0)


def test_then_the_lowest_q() -> None:
    """LG-11.8 b: without neutral markers both sixes are equal."""
    assert chosen_space(6) == (-1, 1)


def test_the_distance_of_hexes() -> None:
    """LG-11.8 b: the number of steps over shared edges."""
    cells = {(cell.q, cell.r): cell for cell in MARKETS["large"].cells}

    assert distance(cells[0, 0], cells[1, -1]) == 1
    assert distance(cells[0, 0], cells[1, 1]) == 2
    assert distance(cells[-2, 0], cells[2, -2]) == 4


def test_the_neutral_player_gains_no_points_for_removed_markers() -> None:
    """LG-11.9."""
    after = placing(5, own((0, 1), (1, 0)))

    after.then(
        s.CardTurnedUp(card_of(5)),
        e.StallPlaced(NEUTRAL, at(1, 1)),
        *(e.StallRemoved(NEUTRAL, cell, A) for cell in sorted((at(0, 1), at(1, 0)))),
    )
    assert after.state.farms[A].markers == 24


def test_a_player_s_marker_is_replaced_on_a_full_value() -> None:
    """LG-11.9: the player's marker chosen by LG-11.8; a neutral marker is never replaced."""
    after = placing(6, neutral((-1, 1)), own((2, 0), (1, 0)))

    after.then(
        s.CardTurnedUp(card_of(6)),
        e.StallRemoved(NEUTRAL, at(2, 0), A),
        e.StallPlaced(NEUTRAL, at(2, 0)),
        e.StallRemoved(NEUTRAL, at(1, 0), A),
    )


def test_nothing_is_placed_on_a_value_full_of_neutral_markers() -> None:
    """LG-11.9: the card is still turned up."""
    placing(6, neutral((-1, 1), (2, 0))).then(s.CardTurnedUp(card_of(6)))


def test_narrates_the_neutral_player() -> None:
    """The neutral player has a name, and every effect a sentence."""
    after = placing(6, neutral((-1, 1)), own((2, 0)))
    view = la_granja.view(after.state, None)

    sentences = [say(message) for message in la_granja.narrate(view, after.effects)]

    ending = " is turned up for the neutral player: a market barrow of 6 victory points"
    (turned_up,) = (sentence for sentence in sentences if sentence.endswith(ending))
    assert turned_up.startswith("Card “")
    assert any(sentence.startswith("Neutral player removes the marker of Player 1") for sentence in sentences)
    seated = la_granja.narrate(view, (s.NeutralSeated(1), s.NeutralSeated(2), s.DieDiscarded(4)))
    assert len({say(message) for message in seated}) == 3


def test_helpers_about_markers_removed_work_against_the_neutral_player() -> None:
    """LG-13.24, LG-10.6: the Watchman protects the 3, and the Negotiator pays for the 4."""
    watchman, negotiator = (card_by_kind(kind) for kind in ("market_protect", "market_removed_vp"))

    after = placing(5, own((0, 1), (1, 0)), lay_cards(A, "helper", watchman, negotiator))

    assert after.of(e.StallRemoved) == (e.StallRemoved(NEUTRAL, at(1, 0), A),)
    assert after.of(e.GoodGained) == (e.GoodGained(A, "vp", 1, "", "helper"),)


def card_by_kind(kind: str) -> int:
    """Return the card whose helper is of this kind."""
    return next(number for number, card in CARDS.items() if card.helper.kind == kind)


def test_a_helper_is_offered_at_the_neutral_placement() -> None:
    """LG-10.6, LG-11.7: at once, before the player's phase III."""
    smuggler = card_by_kind("market_removed_commodity")
    tasks = (give_goods(A, trade_commodity=1), last_of("last_die", DieWindow(A), round=2))
    position = lay_solo_table(own((0, 1), (1, 0)), lay_cards(A, "helper", smuggler), *tasks, place=1)
    drawn = position.state.cards_drawn + 1

    pending = position.with_chance({f"card/{drawn}": (card_of(5),)}).when(A, a.Pass()).position
    assert pending.legal(A) == (a.Decline(), a.UseHelper(smuggler))
    after = pending.when(A, a.UseHelper(smuggler))

    assert after.state.farms[A].trade_commodity == 2
    assert isinstance(after.position.legal(A)[0], a.ChooseDonkey)
