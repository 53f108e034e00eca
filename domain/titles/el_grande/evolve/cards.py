"""Effects on cards: hands, the offer, power cards on the table, Vetoes. Closed hidden values leave placeholders."""

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.titles.el_grande import effects as done
from domain.titles.el_grande.cards import GREY_NUMBER, UNKNOWN
from domain.titles.el_grande.decks import KING_CARD
from domain.titles.el_grande.state import HIDDEN_CHOICE, State, Veto


def number_of(card: Hidden[str] | Hidden[int | str]) -> int:
    """The number of a card, `UNKNOWN` where the reader does not hold it."""
    value = card.known_or(UNKNOWN)
    return value if isinstance(value, int) else GREY_NUMBER[value]


def without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The hand after a card has left it; a card the reader did not know of was one of the unknown ones."""
    place = hand.index(card if card in hand else UNKNOWN)
    return hand[:place] + hand[place + 1 :]


def with_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(sorted((*hand, card)))


def with_row(rows: tuple[tuple[int, ...], ...], seat: int, row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])


def set_at(row: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*row[:place], value, *row[place + 1 :])


def grey_cards_dealt(state: State, effect: done.GreyCardsDealt) -> State:
    cards = effect.cards.known_or(None)
    numbers = (UNKNOWN,) * 3 if cards is None else tuple(GREY_NUMBER[card] for card in cards)
    hand = tuple(sorted((*state.hands[effect.seat], *numbers)))
    return replace(state, hands=with_row(state.hands, effect.seat, hand))


def grey_card_set_aside(state: State, effect: done.GreyCardSetAside) -> State:
    seat = effect.seat
    secret = number_of(effect.card) if effect.card.is_known else HIDDEN_CHOICE
    left = tuple(each for each in state.to_act if each != seat)
    return replace(state, secrets=set_at(state.secrets, seat, secret), to_act=left)


def grey_card_passed(state: State, effect: done.GreyCardPassed) -> State:
    """The giver remembers the card; who sees neither hand sees one unknown card go and one come."""
    card = number_of(effect.card)
    hands = with_row(state.hands, effect.seat, without(state.hands[effect.seat], card))
    hands = with_row(hands, effect.to, with_card(hands[effect.to], card))
    passed = set_at(state.passed, effect.seat, card)
    secrets = set_at(state.secrets, effect.seat, -1)
    return replace(state, hands=hands, passed=passed, secrets=secrets)


def dummy_power_turned(state: State, effect: done.DummyPowerTurned) -> State:
    dummy, power = state.setting.dummy, effect.power
    return replace(
        state,
        dummy_powers=(*state.dummy_powers, power),
        powers=set_at(state.powers, dummy, power),
        results=set_at(state.results, dummy, power),
    )


def action_card_turned(state: State, effect: done.ActionCardTurned) -> State:
    offer = (*state.offer, effect.card)
    if effect.from_stack:
        return replace(state, offer=offer, turned=(*state.turned, effect.card))
    assert effect.card == KING_CARD
    return replace(state, offer=offer)


def power_card_played(state: State, effect: done.PowerCardPlayed) -> State:
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
    offer = tuple(card for card in state.offer if card != effect.card)
    return replace(state, offer=offer, card=effect.card)


def card_taken_back(state: State, effect: done.CardTakenBack) -> State:
    seat = effect.seat
    hands = with_row(state.hands, seat, with_card(state.hands[seat], number_of(effect.card)))
    recoveries = with_row(state.recoveries, seat, (*state.recoveries[seat], len(state.shown[seat])))
    return replace(state, hands=hands, recoveries=recoveries)


def veto_laid(state: State, effect: done.VetoLaid) -> State:
    return replace(state, vetoes=(*state.vetoes, Veto(effect.card, effect.seat, effect.until)))


def veto_discarded(state: State, effect: done.VetoDiscarded) -> State:
    return replace(state, vetoes=tuple(veto for veto in state.vetoes if veto.card != effect.card))


def special_vetoed(state: State, effect: done.SpecialVetoed) -> State:
    return replace(state, vetoes=tuple(veto for veto in state.vetoes if veto.card != effect.card))
