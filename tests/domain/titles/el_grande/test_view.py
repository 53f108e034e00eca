"""Hidden information (EG-21): views, drafts, secret choices, the closed Castillo, imagined states."""

from typing import Any, get_args

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.hidden import MISSING, Hidden
from domain.kernel.rules import Seat
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.cards import UNKNOWN
from domain.titles.el_grande.components import CASTILLO
from domain.titles.el_grande.decide import AUTOMATIC_STEPS, DECISIONS
from domain.titles.el_grande.decks import KING_CARD
from domain.titles.el_grande.evolve import EVOLVE
from domain.titles.el_grande.state import HIDDEN_CHOICE, Step
from tests.domain.titles.el_grande.table import A, B, C, D, acting, calling, go, line, table

SHIFT = {"cards": "2023", "shift_of_power": "yes"}
GREYS = ("grey-1-muster", "grey-2-own", "grey-3-opp")


def hide_value(audience: tuple[int, ...]) -> Hidden[Any]:
    """Return a hidden value as a reader outside the audience holds it."""
    return Hidden(MISSING, audience, "00")


def imagine_state(state: Any, reader: int | None, seed: bytes = b"seed") -> Any:
    view = el_grande.view(state, None if reader is None else Seat(reader))
    return el_grande.imagine(view, SeededChance(seed))


def test_courts_board_and_offer_are_public() -> None:
    """EG-21.1, EG-0.3: spectators see them as well."""
    state = table(acting(A, "s4-coup"), pieces="court 7 6 5 4\ngranada 1 0 0 0", grandes={A: "granada"}).state
    view = el_grande.view(state, None)

    assert [player.court for player in view.players] == [7, 6, 5, 4]
    granada = next(area for area in view.areas if area.id == "granada")
    assert (granada.counts, granada.grandes, granada.prices) == ((1, 0, 0, 0), (A,), (6, 3, 1))
    assert [card.id for card in view.offer] == [KING_CARD]
    assert view.card is not None
    assert view.card.name == "Coup"
    assert not view.card.is_working_title


def test_only_the_seat_sees_its_hand() -> None:
    """EG-21.3: others see the number of cards and the cards already played."""
    state = table(e.PowerCardPlayed(A, 9, 9)).state

    assert el_grande.view(state, Seat(A)).players[A].hand == (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13)
    for reader in (Seat(B), None):
        player = el_grande.view(state, reader).players[A]
        assert (player.hand, player.hand_count, player.shown) == (None, 12, (9,))


def test_a_draft_is_invisible_to_others() -> None:
    """EG-12.2: until the announcement, others see neither lines nor the existence of a draft."""
    position = table(acting(A, "s1-any-four"), pieces="granada 4 0 0 0\ntoledo 0 2 0 0")
    begun = position.when(A, *go(A, "granada", "toledo"), a.ChooseSource(B, "toledo")).state

    own = el_grande.view(begun, Seat(A))
    assert own.draft is not None
    assert (own.draft.colour, own.draft.source, own.draft.lines) == (B, "toledo", (line(A, "granada", "toledo"),))
    for reader in (Seat(B), None):
        assert el_grande.view(begun, reader) == el_grande.view(position.state, reader)


def test_a_closed_draft_changes_nothing_for_its_reader() -> None:
    """EG-12.2: a redacted log folds to the state that the reader may know."""
    state = table(acting(A, "s1-any-four"), pieces="granada 4 0 0 0").state

    for effect in (e.SourceChosen(A, hide_value((A,))), e.LineDrafted(A, hide_value((A,)))):
        assert el_grande.evolve(state, effect) == state


def test_a_secret_choice_shows_only_that_it_is_made() -> None:
    """EG-13.3, EG-13.1, EG-25.11: until all seats have chosen."""
    position = table(acting(A, "s4-coup"), pieces="toledo 2 1 2 2").when(A, a.NameArea("toledo")).position
    state = position.when(B, a.ChooseRegion("cataluna")).state

    assert el_grande.view(state, Seat(B)).players[B].choice == "cataluna"
    for reader in (Seat(A), Seat(C), None):
        view = el_grande.view(state, reader).players
        assert (view[B].has_chosen, view[B].choice, view[C].has_chosen) == (True, None, False)
    assert el_grande.seats_to_act(state) == (C, D)


def test_the_grey_card_set_aside_is_shown_to_its_seat_alone() -> None:
    """EG-21.1, EG-20.1: until all seats have chosen their card to pass."""
    state = table(e.GreyCardSetAside(A, Hidden("grey-1-own", (A,)))).state

    assert el_grande.view(state, Seat(A)).players[A].choice == "grey-1-own"
    for reader in (Seat(B), None):
        assert el_grande.view(state, reader).players[A].choice is None


def test_a_closed_secret_choice_leaves_a_placeholder() -> None:
    """EG-13.3: the reader of a redacted log knows that the choice was made."""
    state = table(e.StepBegun("discs", (A, B)), pieces="castillo 1 1 0 0").state

    folded = el_grande.evolve(state, e.SecretChosen(A, hide_value((A,))))

    assert folded.secrets[A] == HIDDEN_CHOICE
    assert folded.to_act == (B,)


def test_the_castillo_is_closed_between_openings() -> None:
    """EG-21.4, EG-7.4: the view omits the contents, though they can be computed; the log may state them."""
    state = table(pieces="castillo 3 0 1 0").state

    assert el_grande.view(state, Seat(A)).areas[CASTILLO].counts is None
    assert imagine_state(state, A).pieces == state.pieces


def test_an_open_castillo_is_an_option() -> None:
    """EG-21.4: the option only keeps the contents in the view."""
    state = table(pieces="castillo 3 0 1 0", chosen={"cards": "2023", "castillo": "open"}).state

    assert el_grande.view(state, None).areas[CASTILLO].counts == (3, 0, 1, 0)


def test_only_the_seat_sees_its_grey_cards() -> None:
    """EG-21.3, EG-20.1: others see three more cards in the hand, and the card passed to them."""
    dealt = e.GreyCardsDealt(A, Hidden(GREYS, (A,)))
    passed = e.GreyCardPassed(A, B, Hidden("grey-2-own", (A, B)))
    state = table(dealt, passed, chosen=SHIFT).state

    assert el_grande.view(state, Seat(A)).players[A].passed == "grey-2-own"
    hand = el_grande.view(state, Seat(B)).players[B].hand
    assert hand is not None
    assert "grey-2-own" in hand
    assert el_grande.view(state, Seat(C)).players[B].hand is None


def test_closed_grey_cards_leave_placeholders() -> None:
    """EG-21.3: another reader folds dealt, passed, set aside and played cards."""
    state = table(chosen=SHIFT).state
    for effect in (
        e.GreyCardsDealt(A, hide_value((A,))),
        e.GreyCardSetAside(A, hide_value((A,))),
        e.GreyCardPassed(A, B, hide_value((A, B))),
        e.PowerCardPlayed(A, 5, 6, "grey-1-muster"),
    ):
        state = el_grande.evolve(state, effect)

    assert state.hands[A].count(UNKNOWN) == 1
    assert state.hands[B].count(UNKNOWN) == 1


def test_a_card_taken_back_is_unknown_to_others() -> None:
    """EG-21.3: others know that a card was taken back, and which cards it may be."""
    played = [e.PowerCardPlayed(A, power, power) for power in (5, 9)]
    back = e.CardTakenBack(A, Hidden(9, (A,)))
    state = table(played, back).state

    player = el_grande.view(state, Seat(B)).players[A]
    assert (player.hand_count, player.shown, player.recoveries) == (12, (5, 9), (2,))
    guesses = {next(card for card in (5, 9) if card in imagine_state(state, B, bytes([n])).hands[A]) for n in range(20)}
    assert guesses == {5, 9}


def test_a_card_played_again_was_the_one_taken_back() -> None:
    """EG-21.3: the card is then certain."""
    played = [e.PowerCardPlayed(A, power, power) for power in (5, 9)]
    state = table(played, e.CardTakenBack(A, Hidden(9, (A,))), e.PowerCardPlayed(A, 9, 9)).state

    assert imagine_state(state, B).hands[A] == state.hands[A]


def imagine_hands(state: Any, count: int, *cards: int) -> set[tuple[int, ...]]:
    """Return the sets of the given cards that A holds in `count` states imagined by a spectator."""
    hands = [imagine_state(state, None, bytes([number])).hands[A] for number in range(count)]
    return {tuple(sorted(set(hand) & set(cards))) for hand in hands}


def test_a_card_taken_back_may_be_grey() -> None:
    """EG-20.7, EG-21.3: in the round it was played, and later."""
    dealt = [e.GreyCardsDealt(seat, Hidden(GREYS, (seat,))) for seat in (A, B, C, D)]
    back = e.CardTakenBack(A, Hidden("grey-1-muster", (A,)))
    later = [e.RoundEnded(), e.RoundBegun(2, 1), e.PowerCardPlayed(A, 9, 9)]
    state = table(dealt, calling(A, 5, grey="grey-1-muster"), back, chosen=SHIFT).state
    next_round = table(dealt, calling(A, 5, grey="grey-1-muster"), later, back, chosen=SHIFT).state

    assert imagine_hands(state, 30, 5, 21) == {(5,), (21,)}
    assert imagine_hands(next_round, 40, 5, 9, 21) == {(5,), (9,), (21,)}


def test_each_card_taken_back_had_been_shown_by_then() -> None:
    """EG-21.3: of two cards taken back in succession, the first is one of the cards played until then."""
    first = [e.PowerCardPlayed(A, 5, 5), e.CardTakenBack(A, Hidden(5, (A,)))]
    second = [e.PowerCardPlayed(A, 9, 9), e.PowerCardPlayed(A, 11, 11), e.CardTakenBack(A, Hidden(11, (A,)))]
    state = table(first, second).state

    assert imagine_hands(state, 30, 5, 9, 11) == {(5, 9), (5, 11)}


def test_an_announced_card_to_take_back_may_be_grey() -> None:
    """EG-20.7, EG-19.4: before the Veto decision, every card of the pile is possible."""
    chosen = {**SHIFT, "veterans": "all"}
    dealt = [e.GreyCardsDealt(seat, Hidden(GREYS, (seat,))) for seat in (A, B, C, D)]
    laid, played = e.VetoLaid(B, "vet-veto-1", 1), e.PowerCardPlayed(A, 9, 10, "grey-1-muster")
    state = table(dealt, laid, played, acting(A, "s4-empowerment-1"), chosen=chosen).when(A, a.TakeBackCard(9)).state

    assert {imagine_state(state, B, bytes([number])).chosen_card for number in range(20)} == {9, 21}


def test_an_imagined_state_gives_the_same_view() -> None:
    """EG-21.3: also during an Empowerment that may be vetoed, with a hidden card announced."""
    chosen = {"cards": "2023", "veterans": "all"}
    laid = e.VetoLaid(B, "vet-veto-1", 1)
    position = table(laid, e.PowerCardPlayed(A, 9, 9), acting(A, "s4-empowerment-1"), chosen=chosen)
    state = position.when(A, a.TakeBackCard(9)).state

    for reader in (A, B, None):
        seat = None if reader is None else Seat(reader)
        assert el_grande.view(imagine_state(state, reader), seat) == el_grande.view(state, seat)
    assert el_grande.view(state, Seat(A)).chosen_card == 9
    assert el_grande.view(state, Seat(B)).chosen_card is None


def test_discs_of_others_are_imagined() -> None:
    """EG-13.3: any region, or unclear."""
    position = table(e.StepBegun("discs", (A, B, C)), pieces="castillo 1 1 1 0")
    state = position.when(A, a.SetDisc()).when(B, a.SetDisc("toledo")).state

    assert el_grande.view(state, Seat(A)).players[A].choice == "unclear"
    for reader in (A, B, C):
        again = el_grande.view(imagine_state(state, reader), Seat(reader))
        assert again == el_grande.view(state, Seat(reader))


def test_evolve_handles_every_effect() -> None:
    """The table covers every effect but `BoardLaid`, which begins a match."""
    assert set(EVOLVE) == set(get_args(e.Effect)) - {e.BoardLaid}


def test_every_step_is_a_decision_or_automatic() -> None:
    """EG-25: the steps with legal actions are the players' decisions; all other steps are automatic."""
    assert {*DECISIONS, *AUTOMATIC_STEPS, "over"} == set(get_args(Step))


@pytest.mark.parametrize("reader", [None, 0, 1])
def test_the_first_effect_begins_the_state(reader: int | None) -> None:
    """Before the first round every reader sees an empty board."""
    state = table().state

    assert el_grande.view(state, None if reader is None else Seat(reader)).order == ()
