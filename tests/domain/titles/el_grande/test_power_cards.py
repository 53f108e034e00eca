"""Phases 1 and 2: cards on offer, power cards, turn order; Shift of Power."""

from typing import Any

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.cards import GREY_NUMBER
from domain.titles.el_grande.decks import KING_CARD
from domain.titles.el_grande.options import options
from tests.domain.titles.el_grande.table import A, B, C, D, areas, calling, go, line, table, turn_cards
from tests.scenario import Position, ScriptedChance, position_after

SHIFT = {"cards": "2023", "shift_of_power": "yes"}


def begin(seats: int = 4, outcomes: dict[str, tuple[Any, ...]] | None = None, **chosen: str) -> Position:
    chance = ScriptedChance(outcomes or {})
    effects = el_grande.start(options({"start_seat": "0", **chosen}), seats, chance)
    return Position(el_grande, position_after(el_grande, *effects).state, chance=chance)


def deal_grey(seat: int, *cards: str) -> e.GreyCardsDealt:
    return e.GreyCardsDealt(seat, Hidden(cards, (seat,)))


def test_the_top_card_of_every_stack_is_turned_up() -> None:
    """EG-3.1, EG-3.2: five cards are on offer in every round, the king card included."""
    offer = begin().state.offer

    assert len(offer) == 5
    assert offer[-1] == KING_CARD


def test_merged_stacks_offer_four_cards() -> None:
    """EG-16.3, EG-17.2: stacks 2 and 3 form a single stack."""
    assert len(begin(2).state.offer) == 4
    assert len(begin(3).state.offer) == 5
    assert len(begin(3, merged_stacks="yes").state.offer) == 4


def test_a_card_is_drawn_when_it_is_turned_up() -> None:
    """EG-3.3, EG-21.2: the state lists the cards turned up and no order of the others."""
    state = begin(outcomes={"stack/1/1": ("s1-militia",)}).state

    assert state.offer[0] == "s1-militia"
    assert state.turned == state.offer[:4]


def test_an_exchanged_card_is_drawn_in_two_steps() -> None:
    """EG-19.1: a replaced card is only determined when another card is turned up."""
    position = begin(
        cards="2023",
        veterans="all",
        outcomes={"stack/2/1": ("exchanged",), "stack/2/1/exchanged": ("s2-withdrawal",)},
    )

    assert position.state.offer[1] == "s2-withdrawal"


def test_clockwise_from_the_first_player_each_plays_one() -> None:
    """EG-4.1, EG-0.7, EG-25.2: one after the other, face up."""
    position = begin()
    for seat, power in ((A, 8), (B, 3), (C, 5), (D, 9)):
        assert position.state.to_act == (seat,)
        position = position.when(seat, a.PlayPowerCard(power)).position

    assert position.state.powers == (8, 3, 5, 9)


def test_the_example_of_the_rulebook() -> None:
    """EG-23.1, EG-5.1, EG-8.2: a=8, b=3, c=5, d=9; b may play all but 8, c all but 8 and 3; order d, a, c, b."""
    position = begin().when(A, a.PlayPowerCard(8)).position
    assert areas(position.legal(B), a.PlayPowerCard, "power") == set(range(1, 14)) - {8}
    position = position.when(B, a.PlayPowerCard(3)).position
    assert areas(position.legal(C), a.PlayPowerCard, "power") == set(range(1, 14)) - {8, 3}

    outcome = position.when(C, a.PlayPowerCard(5)).when(D, a.PlayPowerCard(9))

    assert outcome.of(e.TurnOrderSet) == (e.TurnOrderSet((D, A, C, B)),)


def test_a_number_already_played_this_round_is_refused() -> None:
    """EG-4.2: the refusal names the rule, and the state is unchanged."""
    position = begin().when(A, a.PlayPowerCard(8)).position

    position.refuses(B, a.PlayPowerCard(8), IllegalAction)


def test_a_card_that_is_not_in_hand_is_refused() -> None:
    """EG-4.5, EG-8.3: played cards are on the table or the discard pile."""
    position = table(e.PowerCardPlayed(A, 8, 8), e.RoundEnded(), e.StepBegun("power", (A,)))

    position.refuses(A, a.PlayPowerCard(8), IllegalAction)
    assert position.state.shown[A] == (8,)


def test_a_legal_card_always_exists() -> None:
    """EG-4.3: in the last round five cards are left, and at most four values are taken."""
    played = [e.PowerCardPlayed(B, power, power) for power in range(1, 9)]
    others = [e.PowerCardPlayed(seat, power, power) for seat, power in ((A, 9), (C, 10), (D, 11))]
    position = table(played, others, e.StepBegun("power", (B,)))

    assert areas(position.legal(B), a.PlayPowerCard, "power") == {12, 13}


def test_the_sum_decides_and_must_differ() -> None:
    """EG-23.17, EG-20.2, EG-20.3: 9+1 is allowed when 9 is on the table, 7+1 is not when 8 is."""
    position = table(
        deal_grey(B, "grey-1-own"),
        e.PowerCardPlayed(A, 9, 9),
        e.PowerCardPlayed(C, 8, 8),
        e.StepBegun("power", (B,)),
        chosen=SHIFT,
    )
    legal = position.legal(B)

    assert a.PlayPowerCard(9, "grey-1-own") in legal
    assert a.PlayPowerCard(7, "grey-1-own") not in legal
    assert a.PlayPowerCard(7) in legal
    assert a.PlayPowerCard(9) not in legal


def test_the_sum_counts_for_the_order() -> None:
    """EG-20.2, EG-20.6: 3+4 acts before 6."""
    position = table(
        deal_grey(B, "grey-4-muster"),
        turn_cards(KING_CARD),
        [e.PowerCardPlayed(seat, power, power) for seat, power in ((C, 4), (D, 5), (A, 6))],
        e.FirstPlayerSet(C),
        e.StepBegun("power", (B,)),
        chosen=SHIFT,
    )

    outcome = position.when(B, a.PlayPowerCard(3, "grey-4-muster"))

    assert outcome.of(e.PowerCardPlayed) == (e.PowerCardPlayed(B, 3, 7, "grey-4-muster"),)
    assert outcome.of(e.TurnOrderSet) == (e.TurnOrderSet((B, A, D, C)),)


def test_grey_cards_are_dealt_three_each_and_one_is_passed() -> None:
    """EG-20.1, EG-25.1: only the seat sees them; a card is passed left by all at once, and three join the hand."""
    position = begin(3, shift_of_power="yes")
    assert position.state.to_act == (A, B, C)
    assert all(len(hand) == 16 for hand in position.state.hands)

    given_away = [position.legal(seat)[0] for seat in (A, B, C)]
    position = position.when(C, given_away[C]).position
    assert position.state.to_act == (A, B)
    outcome = position.when(A, given_away[A]).when(B, given_away[B])

    assert [effect.to for effect in outcome.of(e.GreyCardPassed)] == [B, C, A]
    numbers = [GREY_NUMBER[action.card] for action in given_away]
    hands = outcome.state.hands
    assert all(numbers[seat] in hands[(seat + 1) % 3] and numbers[seat] not in hands[seat] for seat in range(3))
    assert outcome.state.step == "power"


def test_a_grey_card_of_another_hand_cannot_be_passed() -> None:
    """EG-20.1: only one of the three dealt cards."""
    position = begin(3, shift_of_power="yes")
    other = position.legal(B)[0]

    position.refuses(A, other, IllegalAction)


def test_grey_cards_are_optional() -> None:
    """EG-20.8: a power card may be played alone, and the grey effect may be left unused."""
    position = table(deal_grey(A, "grey-1-muster"), calling(A, 8, grey="grey-1-muster"), chosen=SHIFT)
    position = position.when(A, a.CallCaballeros(0)).position
    assert position.state.step == "grey"

    assert position.when(A, a.DeclineGrey()).state.step == "take"


def test_only_the_power_card_calls() -> None:
    """EG-20.4, EG-22.26: the number is the power card's."""
    position = table(deal_grey(A, "grey-4-muster"), calling(A, 8, grey="grey-4-muster"), chosen=SHIFT)

    assert position.legal(A) == tuple(a.CallCaballeros(count) for count in range(3))


def grey(card: str, pieces: str = "") -> Position:
    """Return a position after the call, with the grey effect to use."""
    position = table(
        deal_grey(A, card), calling(A, 13, grey=card), e.StepBegun("grey", (A,)), chosen=SHIFT, pieces=pieces
    )
    assert position.legal(A)[0] == a.DeclineGrey()
    return position


def test_grey_muster_calls_two_more() -> None:
    """EG-20.5, EG-12.18, EG-25.4: before the action card, from the Province to the Court."""
    outcome = grey("grey-1-muster").when(A, a.SendCaballeros("court", 2), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "province", "court", 2),)), e.GreyUsed(A))
    assert outcome.state.step == "take"


def test_a_grey_placement_uses_the_areas_of_a_placement() -> None:
    """EG-20.5, EG-12.5: caballeros go from the Court to regions next to the king and into the Castillo."""
    position = grey("grey-1-place", "court 5 0 0 0")
    assert areas(position.legal(A), a.SendCaballeros, "target") == {
        "galicia",
        "navarra",
        "aragon",
        "toledo",
        "castillo",
    }

    outcome = position.when(A, a.SendCaballeros("toledo", 1), a.SendCaballeros("castillo", 1), a.CloseDraft())

    outcome.then(
        e.CaballerosMoved(A, (line(A, "court", "toledo"), line(A, "court", "castillo"))),
        e.GreyUsed(A),
    )


def test_grey_own_move() -> None:
    """EG-20.5, EG-12.1: only own caballeros move; the king's region is taboo."""
    position = grey("grey-1-own", "granada 2 3 0 0\ncastilla 4 0 0 0")
    assert position.legal(A, a.ChooseSource) == (a.ChooseSource(A, "granada"),)

    outcome = position.when(A, *go(A, "granada", "galicia", 2), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(A, "granada", "galicia", 2),)), e.GreyUsed(A))


def test_grey_opposing_move() -> None:
    """EG-20.5, EG-12.3: only opposing caballeros move, a single one with the higher grey values."""
    position = grey("grey-4-opp", "granada 2 3 0 0")
    assert position.legal(A, a.ChooseSource) == (a.ChooseSource(B, "granada"),)

    outcome = position.when(A, *go(B, "granada", "galicia"), a.CloseDraft())

    outcome.then(e.CaballerosMoved(A, (line(B, "granada", "galicia"),)), e.GreyUsed(A))


def test_a_grey_effect_that_changes_nothing_may_still_be_used() -> None:
    """EG-12.20, EG-22.28: no caballero can move, and none does."""
    outcome = grey("grey-1-own").when(A, a.UseSpecial())

    outcome.then(e.GreyUsed(A))


def test_no_veto_answers_a_grey_effect() -> None:
    """EG-19.4: a Veto cancels special actions only."""
    position = table(
        deal_grey(A, "grey-1-muster"),
        calling(A, 13, grey="grey-1-muster"),
        e.VetoLaid(B, "vet-veto-1", 1),
        e.StepBegun("grey", (A,)),
        chosen=SHIFT,
    )

    assert position.when(A, a.SendCaballeros("court", 1), a.CloseDraft()).state.step == "take"


def test_the_dummy_has_no_grey_cards() -> None:
    """EG-20.9: only the two players are dealt grey cards."""
    position = begin(2, shift_of_power="yes")

    assert len(position.state.hands) == 2
    assert position.state.to_act == (A, B)
