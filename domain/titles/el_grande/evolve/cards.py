"""Effects on cards: hands, the offer, power cards on the table, Vetoes. Unknown hidden values leave placeholders."""

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.titles.el_grande import effects as done
from domain.titles.el_grande.cards import GREY_NUMBER, UNKNOWN
from domain.titles.el_grande.decks import KING_CARD
from domain.titles.el_grande.state import HIDDEN_CHOICE, State, Veto


def number_of(card: Hidden[str] | Hidden[int | str]) -> int:
    """Return the number of a card, or `UNKNOWN` if the reader may not see it."""
    value = card.known_or(UNKNOWN)
    return value if isinstance(value, int) else GREY_NUMBER[value]


def without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand without a card; a card not in the known part of the hand removes an `UNKNOWN` one."""
    index = hand.index(card if card in hand else UNKNOWN)
    return hand[:index] + hand[index + 1 :]


def with_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand with a card added, sorted."""
    return tuple(sorted((*hand, card)))


def with_row(rows: tuple[tuple[int, ...], ...], seat: int, row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the rows with the row of a seat replaced."""
    return (*rows[:seat], row, *rows[seat + 1 :])


def set_at(row: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """Return the row with one value replaced."""
    return (*row[:index], value, *row[index + 1 :])


def grey_cards_dealt(state: State, effect: done.GreyCardsDealt) -> State:
    """Add three grey cards to a hand; cards hidden from the reader are `UNKNOWN`."""
    cards = effect.cards.known_or(None)
    numbers = (UNKNOWN,) * 3 if cards is None else tuple(GREY_NUMBER[card] for card in cards)
    hand = tuple(sorted((*state.hands[effect.seat], *numbers)))
    return replace(state, hands=with_row(state.hands, effect.seat, hand))


def grey_card_set_aside(state: State, effect: done.GreyCardSetAside) -> State:
    """Store the grey card that a seat will pass, and stop waiting for the seat."""
    seat = effect.seat
    secret = number_of(effect.card) if effect.card.is_known else HIDDEN_CHOICE
    to_act = tuple(each for each in state.to_act if each != seat)
    return replace(state, secrets=set_at(state.secrets, seat, secret), to_act=to_act)


def grey_card_passed(state: State, effect: done.GreyCardPassed) -> State:
    """Move a grey card to the left neighbour, remember it and clear the choice; unknown cards move as `UNKNOWN`."""
    card = number_of(effect.card)
    hands = with_row(state.hands, effect.seat, without(state.hands[effect.seat], card))
    hands = with_row(hands, effect.to, with_card(hands[effect.to], card))
    passed = set_at(state.passed, effect.seat, card)
    secrets = set_at(state.secrets, effect.seat, -1)
    return replace(state, hands=hands, passed=passed, secrets=secrets)


def dummy_power_turned(state: State, effect: done.DummyPowerTurned) -> State:
    """Put the dummy's power card on the table."""
    dummy, power = state.setting.dummy, effect.power
    return replace(
        state,
        dummy_powers=(*state.dummy_powers, power),
        powers=set_at(state.powers, dummy, power),
        results=set_at(state.results, dummy, power),
    )


def action_card_turned(state: State, effect: done.ActionCardTurned) -> State:
    """Put an action card on offer; a card from a stack counts as turned up for good."""
    offer = (*state.offer, effect.card)
    if effect.from_stack:
        return replace(state, offer=offer, turned=(*state.turned, effect.card))
    assert effect.card == KING_CARD
    return replace(state, offer=offer)


def power_card_played(state: State, effect: done.PowerCardPlayed) -> State:
    """Move a power card, and a grey card if any, from the hand to the table, where all have seen them."""
    seat, power, grey = effect.seat, effect.power, effect.grey
    hand, shown = without(state.hands[seat], power), (*state.shown[seat], power)
    greys = state.greys
    if grey is not None:
        number = GREY_NUMBER[grey]
        hand, shown, greys = without(hand, number), (*shown, number), set_at(greys, seat, number)
    return replace(
        state,
        hands=with_row(state.hands, seat, hand),
        shown=with_row(state.shown, seat, shown),
        powers=set_at(state.powers, seat, power),
        greys=greys,
        results=set_at(state.results, seat, effect.result),
    )


def action_card_taken(state: State, effect: done.ActionCardTaken) -> State:
    """Move an action card from the offer to the current turn."""
    offer = tuple(card for card in state.offer if card != effect.card)
    return replace(state, offer=offer, card=effect.card)


def card_taken_back(state: State, effect: done.CardTakenBack) -> State:
    """Put a card back into the hand, and record how many cards the seat had shown by then."""
    seat = effect.seat
    hands = with_row(state.hands, seat, with_card(state.hands[seat], number_of(effect.card)))
    recoveries = with_row(state.recoveries, seat, (*state.recoveries[seat], len(state.shown[seat])))
    return replace(state, hands=hands, recoveries=recoveries)


def veto_laid(state: State, effect: done.VetoLaid) -> State:
    """Lay a Veto on the table."""
    return replace(state, vetoes=(*state.vetoes, Veto(effect.card, effect.seat, effect.until)))


def veto_discarded(state: State, effect: done.VetoDiscarded) -> State:
    """Remove an unused Veto from the table."""
    return replace(state, vetoes=tuple(veto for veto in state.vetoes if veto.card != effect.card))


def special_vetoed(state: State, effect: done.SpecialVetoed) -> State:
    """Remove the used Veto from the table."""
    return replace(state, vetoes=tuple(veto for veto in state.vetoes if veto.card != effect.card))
