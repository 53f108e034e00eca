"""Transitions of cards: hands, farm sides, discard pile and helpers."""

from typing import Final

from domain.kernel.bounds import check_bounds
from domain.kernel.values import replace
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.evolve.farm import with_farm
from domain.titles.la_granja.state import UNKNOWN, Barrow, Farm, Field, HelperCard, State

CARDS_MAX: Final = 100
"""Upper bound of the cards drawn at once; above the size of a deck."""
SYMBOLS_MAX: Final = 20
"""Upper bound of the symbols of a row or barrow."""


def _remove_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand without the card; in a redacted state, without one unknown card instead."""
    index = hand.index(card if card in hand else UNKNOWN)
    return (*hand[:index], *hand[index + 1 :])


def cards_drawn(state: State, effect: e.CardsDrawn) -> State:
    """Add the cards to the hand or, if `aside`, to the cards set aside, and count them as drawn.

    Cards hidden from the reader are `UNKNOWN`.
    """
    farm = state.farms[effect.seat]
    count = check_bounds("the cards drawn", effect.count, CARDS_MAX)
    cards = effect.cards.known_or((UNKNOWN,) * count)
    if effect.aside:
        new_farm = replace(farm, aside=tuple(sorted((*farm.aside, *cards))))
    else:
        new_farm = replace(farm, hand=tuple(sorted((*farm.hand, *cards))))
    return replace(with_farm(state, effect.seat, new_farm), cards_drawn=state.cards_drawn + effect.count)


def cards_kept(state: State, effect: e.CardsKept) -> State:
    """Move the cards set aside to the hand."""
    farm = state.farms[effect.seat]
    return with_farm(state, effect.seat, replace(farm, hand=tuple(sorted((*farm.hand, *farm.aside))), aside=()))


def discard_reshuffled(state: State, _: e.DiscardReshuffled) -> State:
    """Empty the discard pile; the draw pile is derived from all other cards."""
    return replace(state, discard=())


def card_played(state: State, effect: e.CardPlayed) -> State:
    """Move the card from the hand to its side of the farm; a helper with a crop adds a field without a crop yet."""
    farm, card = state.farms[effect.seat], effect.card
    hand = _remove_card(farm.hand, card)
    match effect.side:
        case "field":
            new_farm = replace(farm, hand=hand, fields=(*farm.fields, Field(card, effect.crop)))
        case "barrow":
            new_farm = replace(
                farm,
                hand=hand,
                barrows=(
                    *farm.barrows,
                    Barrow(card, (False,) * check_bounds("the symbols of a barrow", effect.symbols, SYMBOLS_MAX)),
                ),
            )
        case "extension":
            new_farm = replace(farm, hand=hand, extensions=(*farm.extensions, card))
        case _:
            # A helper with a crop provides an additional field.
            fields = (*farm.fields, Field(card, "")) if effect.crop else farm.fields
            new_farm = replace(farm, hand=hand, helpers=(*farm.helpers, HelperCard(card)), fields=fields)
    return with_farm(state, effect.seat, new_farm)


def card_discarded(state: State, effect: e.CardDiscarded) -> State:
    """Move the card from hand, aside, barrow or helper to the discard pile; goods on it are lost and markers return.

    With a helper, the field it lent is gone too.
    """
    farm, card = state.farms[effect.seat], effect.card
    match effect.side:
        case "hand":
            new_farm = replace(farm, hand=_remove_card(farm.hand, card))
        case "aside":
            new_farm = replace(farm, aside=_remove_card(farm.aside, card))
        case "barrow":
            new_farm = remove_barrow(farm, card)
        case _:
            (laid_helper,) = (helper for helper in farm.helpers if helper.card == card)
            helpers = tuple(helper for helper in farm.helpers if helper is not laid_helper)
            fields = tuple(field for field in farm.fields if field.card != card)
            full_count = sum(field.full for field in farm.fields if field.card == card)
            markers = farm.markers + laid_helper.marked + laid_helper.goods + full_count
            new_farm = replace(farm, helpers=helpers, fields=fields, markers=markers)
    return replace(with_farm(state, effect.seat, new_farm), discard=(*state.discard, card))


def remove_barrow(farm: Farm, card: int) -> Farm:
    """Return the farm without the barrow, its markers back in the supply."""
    (laid_barrow,) = (barrow for barrow in farm.barrows if barrow.card == card)
    barrows = tuple(barrow for barrow in farm.barrows if barrow.card != card)
    return replace(farm, barrows=barrows, markers=farm.markers + sum(laid_barrow.filled))


def helper_used(state: State, effect: e.HelperUsed) -> State:
    """Mark the helper as exhausted if it works once per round."""
    if not effect.exhausts:
        return state
    farm = state.farms[effect.seat]
    helpers = tuple(
        replace(helper, exhausted=True) if helper.card == effect.card else helper for helper in farm.helpers
    )
    return with_farm(state, effect.seat, replace(farm, helpers=helpers))


def helper_marked(state: State, effect: e.HelperMarked) -> State:
    """Put a marker on the helper and mark it as exhausted."""
    farm, card = state.farms[effect.seat], effect.card
    new_helpers = (
        replace(helper, exhausted=True, marked=True) if helper.card == card else helper for helper in farm.helpers
    )
    helpers = tuple(new_helpers)
    return with_farm(state, effect.seat, replace(farm, helpers=helpers, markers=farm.markers - 1))


def helpers_refreshed(state: State, _: e.HelpersRefreshed) -> State:
    """Make all helpers usable again."""
    return replace(state, farms=tuple(_refresh_helpers(farm) if farm.helpers else farm for farm in state.farms))


def _refresh_helpers(farm: Farm) -> Farm:
    helpers = tuple(HelperCard(helper.card, goods=helper.goods) for helper in farm.helpers)
    return replace(farm, helpers=helpers, markers=farm.markers + sum(helper.marked for helper in farm.helpers))
