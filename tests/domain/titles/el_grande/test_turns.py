"""Phase 3: calling caballeros, taking a card, placing; the king's taboo and the Castillo."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import NEIGHBOURS, PLACE_INDEX, REGIONS
from domain.titles.el_grande.decks import KING_CARD
from tests.domain.titles.el_grande.table import A, B, C, D, acting, areas, calling, counts, go, line, table, to_take

CALLS = """
1 6
2 5
3 5
4 4
5 4
6 3
7 3
8 2
9 2
10 1
11 1
"""


@pytest.mark.parametrize(("power", "most"), [tuple(map(int, row.split())) for row in CALLS.split("\n") if row])
def test_a_power_card_calls_up_to_its_number(power: int, most: int) -> None:
    """EG-5.3, EG-4.4, EG-23.2, EG-25.3: fewer or none are allowed."""
    position = table(calling(A, power))
    assert position.legal(A) == tuple(a.CallCaballeros(count) for count in range(most + 1))

    outcome = position.when(A, a.CallCaballeros(most))

    outcome.then(e.CaballerosMoved(A, (line(A, "province", "court", most),)))
    assert outcome.state.step == "take"


@pytest.mark.parametrize("power", [12, 13])
def test_the_highest_cards_call_no_caballeros(power: int) -> None:
    """EG-5.4, EG-5.2: the turn continues with the action card."""
    others = [e.PowerCardPlayed(seat, seat, seat) for seat in (C, D)]
    last = table(e.PowerCardPlayed(A, power, power), others, e.FirstPlayerSet(C), e.StepBegun("power", (B,)))

    assert last.when(B, a.PlayPowerCard(1)).state.step == "take"


def test_regions_may_make_up_for_the_province() -> None:
    """EG-5.5, EG-5.6, EG-22.8: the Province first, then regions except the king's; never the Castillo."""
    position = table(calling(A, 1), pieces="court 26 0 0 0\ngranada 1 0 0 0\ncastilla 1 0 0 0\ncastillo 1 0 0 0")
    assert position.legal(A) == (a.CallCaballeros(0), a.CallCaballeros(1), a.CallCaballeros(2))

    position = position.when(A, a.CallCaballeros(2)).position
    assert counts(position.state, "province")[A] == 0
    assert position.legal(A) == (a.EndCall(), a.CallFromRegion("granada", 1))
    outcome = position.when(A, a.CallFromRegion("granada", 1))

    outcome.then(e.CaballerosMoved(A, (line(A, "granada", "court"),)))
    assert outcome.state.step == "take"


def test_regions_are_not_used_if_the_province_suffices() -> None:
    """EG-5.5: regions only make up for missing caballeros."""
    position = table(calling(A, 8), pieces="castillo 23 0 0 0\ngranada 5 0 0 0")

    assert position.legal(A) == tuple(a.CallCaballeros(count) for count in range(3))


def test_making_up_the_difference_is_voluntary() -> None:
    """EG-5.5: region by region; the player may stop at any time."""
    position = table(calling(A, 1), pieces="court 20 0 0 0\ngranada 5 0 0 0\naragon 5 0 0 0")
    position = position.when(A, a.CallCaballeros(6), a.CallFromRegion("granada", 2)).position
    assert position.legal(A) == (
        a.EndCall(),
        *(a.CallFromRegion("aragon", count) for count in (1, 2, 3, 4)),
        *(a.CallFromRegion("granada", count) for count in (1, 2, 3)),
    )

    assert position.when(A, a.EndCall()).state.step == "take"


def test_all_of_a_call_may_come_from_one_region() -> None:
    """EG-5.5: with an empty Province, up to the number on the card."""
    position = table(calling(A, 1), pieces="castillo 23 0 0 0\ngranada 7 0 0 0")
    assert position.legal(A) == (a.CallCaballeros(0), a.CallCaballeros(6))

    outcome = position.when(A, a.CallCaballeros(6), a.CallFromRegion("granada", 6))

    outcome.then(e.CaballerosMoved(A, (line(A, "granada", "court", 6),)))
    assert outcome.state.step == "take"


def test_calling_from_the_kings_region_or_the_castillo_is_refused() -> None:
    """EG-6.1, EG-7.3: the region is taboo, the Castillo closed."""
    position = table(calling(A, 1), pieces="court 26 0 0 0\ngranada 2 0 0 0\ncastilla 1 0 0 0\ncastillo 1 0 0 0")
    position = position.when(A, a.CallCaballeros(2)).position

    position.refuses(A, a.CallFromRegion("castilla", 1), IllegalAction)
    position.refuses(A, a.CallFromRegion("granada", 3), IllegalAction)


def test_one_of_the_cards_on_offer_must_be_taken() -> None:
    """EG-5.7, EG-2.2, EG-25.5: it leaves the offer at once; passing is impossible."""
    position = table(to_take(A, "s1-militia", "s4-coup", KING_CARD))
    assert position.legal(A) == tuple(map(a.TakeActionCard, ("s1-militia", "s4-coup", KING_CARD)))

    outcome = position.when(A, a.TakeActionCard("s4-coup"))

    outcome.then(e.ActionCardTaken(A, "s4-coup"))
    assert outcome.state.offer == ("s1-militia", KING_CARD)


def test_a_card_that_is_gone_is_refused() -> None:
    """EG-5.7, EG-5.13: the next player chooses among the others; the king card too is gone for this round."""
    position = table(to_take(A, "s1-militia", "s4-coup", KING_CARD))
    position = position.when(A, a.TakeActionCard(KING_CARD), a.EndTurn()).position

    assert position.state.to_act == (B,)
    position.refuses(B, a.TakeActionCard(KING_CARD), IllegalAction)


@pytest.mark.parametrize(
    ("king", "next_to"),
    [
        ("castilla", "galicia navarra aragon toledo"),
        ("galicia", "castilla navarra"),
        ("toledo", "castilla sevilla granada valencia aragon"),
        ("france", "navarra aragon cataluna"),
        ("portugal", "galicia castilla toledo sevilla"),
    ],
)
def test_placement_goes_next_to_the_king_and_into_the_castillo(king: str, next_to: str) -> None:
    """EG-23.3, EG-23.4, EG-5.9, EG-5.10, EG-0.5, EG-16.1, EG-22.15: there and nowhere else; EG-18.4 for exile."""
    position = table(acting(A, KING_CARD), king=king, pieces="court 7 0 0 0")

    assert areas(position.legal(A), a.PlaceCaballeros, "area") == {*next_to.split(), "castillo"}


def test_placement_is_split_freely_up_to_card_and_court() -> None:
    """EG-23.5, EG-5.9, EG-25.7, EG-7.2, EG-7.4, EG-22.9: 2 to Granada, 2 to Toledo, 1 announced into the Castillo."""
    position = table(acting(A, KING_CARD), king="valencia", pieces="court 7 0 0 0")

    outcome = position.when(
        A, a.PlaceCaballeros("granada", 2), a.PlaceCaballeros("toledo", 2), a.PlaceCaballeros("castillo", 1)
    )
    assert outcome.position.legal(A, a.PlaceCaballeros) == ()
    outcome = outcome.when(A, a.MoveKing("toledo"))

    outcome.then(e.KingMoved("toledo"))
    assert counts(outcome.state, "castillo")[A] == 1
    assert outcome.state.to_act == (B,)


def test_caballeros_missing_in_the_court_are_lost() -> None:
    """EG-5.9: a card of 5 places 2 when the Court holds 2."""
    position = table(acting(A, KING_CARD), pieces="court 2 0 0 0")

    assert max(action.count for action in position.legal(A, a.PlaceCaballeros)) == 2


@pytest.mark.parametrize("area", ["castilla", "valencia", "granada"])
def test_placing_in_the_kings_region_or_far_from_it_is_refused(area: str) -> None:
    """EG-6.1, EG-5.10: the king's region is taboo; regions not next to him are out of reach."""
    position = table(acting(A, KING_CARD), pieces="court 7 0 0 0")

    position.refuses(A, a.PlaceCaballeros(area, 1), IllegalAction)  # type: ignore[arg-type]  # regions of the test


def test_a_placement_after_the_kings_move_uses_his_new_region() -> None:
    """EG-5.11, EG-5.8, EG-25.6: neighbours of the king are determined when the placement is carried out."""
    position = table(acting(A, KING_CARD), pieces="court 7 0 0 0")

    position = position.when(A, a.MoveKing("granada")).position

    assert areas(position.legal(A), a.PlaceCaballeros, "area") == {"sevilla", "toledo", "valencia", "castillo"}


def test_effects_are_not_interleaved() -> None:
    """EG-5.8: a special action after some placing ends the placement, and with it the turn."""
    position = table(acting(A, KING_CARD), pieces="court 7 0 0 0")

    outcome = position.when(A, a.PlaceCaballeros("toledo", 1)).when(A, a.MoveKing("granada"))

    assert outcome.of(e.TurnEnded) == (e.TurnEnded(A),)


def test_a_special_action_is_used_once() -> None:
    """EG-5.8: after it only the placement is left."""
    position = table(acting(A, KING_CARD), pieces="court 7 0 0 0").when(A, a.MoveKing("granada")).position

    position.refuses(A, a.MoveKing("aragon"), IllegalAction)
    assert position.legal(A)[0] == a.EndTurn()


def test_both_effects_may_be_left_out() -> None:
    """EG-5.8, EG-25.8, EG-22.28: the first legal action ends the turn."""
    position = table(acting(A, KING_CARD), pieces="court 7 0 0 0")
    assert position.legal(A)[0] == a.EndTurn()

    assert position.when(A, a.EndTurn()).state.to_act == (B,)


def test_the_turn_ends_automatically_when_nothing_is_left() -> None:
    """EG-5.13: the special action is used and the last caballero placed."""
    position = table(acting(A, KING_CARD), pieces="court 1 0 0 0")

    outcome = position.when(A, a.MoveKing("granada")).when(A, a.PlaceCaballeros("toledo", 1))

    assert outcome.of(e.TurnEnded) == (e.TurnEnded(A),)


def test_neighbours_are_mutual() -> None:
    """EG-0.5: adjacency is symmetric."""
    for region in range(len(REGIONS)):
        assert all(region in NEIGHBOURS[other] for other in NEIGHBOURS[region])


def test_only_the_acting_seat_has_legal_actions() -> None:
    """EG-2.2: other seats have no legal action."""
    position = table(acting(A, KING_CARD), pieces="court 7 7 0 0")

    assert position.legal(B) == ()
    position.refuses(B, a.EndTurn(), IllegalAction)


def test_moves_may_not_touch_the_kings_region() -> None:
    """EG-6.1, EG-12.1, EG-6.3: neither from nor to it, for every card."""
    position = table(acting(A, "s1-any-four"), pieces="castilla 3 3 0 0\ngranada 1 0 0 0")
    assert position.legal(A, a.ChooseSource) == (a.ChooseSource(A, "granada"),)

    position = position.when(A, a.ChooseSource(A, "granada")).position

    assert "castilla" not in areas(position.legal(A), a.SendCaballeros, "target")
    position.refuses(A, a.SendCaballeros("castilla", 1), IllegalAction)


def test_nothing_is_taken_out_of_the_castillo() -> None:
    """EG-7.3, EG-12.1: moves take caballeros neither from the Castillo nor from Court or Province."""
    position = table(acting(A, "s1-any-four"), pieces="castillo 3 3 0 0\ngranada 1 0 0 0\ncourt 5 5 0 0")

    assert areas(position.legal(A), a.ChooseSource, "source") == {"granada"}
    position.refuses(A, a.ChooseSource(A, "castillo"), IllegalAction)


def test_a_grande_is_no_caballero() -> None:
    """EG-0.2, EG-0.3: thirty caballeros and a Grande; from a region with only a Grande none can move."""
    position = table(acting(A, "s1-any-four"), grandes={A: "granada"})

    assert position.legal(A) == (a.EndTurn(), a.UseSpecial())
    assert PLACE_INDEX["granada"] == position.state.grandes[A]


def test_drafts_are_finite() -> None:
    """EG-12.2: at the limit a draft can only be closed or dropped."""
    position = table(acting(A, "s1-any-three"), pieces="granada 5 5 0 0")

    position = position.when(A, *go(A, "granada", "toledo", 3)).position

    assert position.legal(A) == (a.CloseDraft(), a.DropDraft())
