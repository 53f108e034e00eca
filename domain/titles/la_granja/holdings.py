"""Queries about the goods, capacities and cards of a farm."""

from functools import lru_cache
from typing import Final, NamedTuple

from domain.kernel.rules import Seat
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.state import COMMODITY, CROPS, RESOURCES, UPGRADED, Farm, State
from domain.titles.la_granja.tables import DECKS, box_of, deck_of

PLACE_OF: Final = {
    **dict.fromkeys((*CROPS, "food", "wine", "meat"), "store"),
    "pig": "pen",
    COMMODITY: "space",
    "silver": "",
    "vp": "",
}
"""Place of a gained good (LG-0.7); silver and VP have no place and need no marker."""


FIELDS: Final = ("field", "helper_field")
"""Places where a crop grows: an ordinary field, or a helper's field, which may grow any crop when it is empty."""
FIELD_PLACES: Final = tuple((crop, place) for crop in CROPS for place in FIELDS)
STORE_PLACES: Final = {resource: (resource, PLACE_OF[resource]) for resource in RESOURCES}
RESOURCE_PLACES: Final = tuple(
    place
    for resource in RESOURCES
    for place in (*(field for field in FIELD_PLACES if field[0] == resource), STORE_PLACES[resource])
)
"""Every resource with each of its possible places, fields before stores."""


class Extensions(NamedTuple):
    """Sums over the farm extensions of a player."""

    hand_limit: int
    income_silver: int
    pig_pens: int
    extra_deliveries: int


@lru_cache(maxsize=4096)
def _extensions(deck: str, cards: tuple[int, ...]) -> Extensions:
    """Return the sums of hand limit, silver income, pens and extra deliveries of these extension cards."""
    rows = [DECKS[deck][card].extension for card in cards]
    return Extensions(
        sum(row.hand_limit for row in rows),
        sum(row.income_silver for row in rows),
        sum(row.pig_pens for row in rows),
        sum(row.extra_deliveries for row in rows),
    )


def extensions_of(state: State, seat: Seat) -> Extensions:
    """Return the sums over the seat's farm extensions."""
    return _extensions(state.deck, state.farms[seat].extensions)


def pens(state: State, seat: Seat) -> int:
    """Return the number of pig pens: 2, plus the pens of farm extensions and helpers (LG-0.7)."""
    return adjust(state, seat, Number.PENS, box_of(state).player_board.pig_pens + extensions_of(state, seat).pig_pens)


def has_free_pen(state: State, seat: Seat) -> bool:
    """Return whether the seat has fewer pigs than pens (LG-0.7)."""
    return state.farms[seat].pig < pens(state, seat)


def hand_limit(state: State, seat: Seat) -> int:
    """Return the hand limit: 3, plus 1 per farm extension, plus the bonus of helpers (LG-3.1.8)."""
    return adjust(
        state, seat, Number.HAND_LIMIT, box_of(state).player_board.hand_limit + extensions_of(state, seat).hand_limit
    )


def extra_deliveries(state: State, seat: Seat) -> int:
    """Return the number of extra delivery symbols: 1 on the board, plus the symbols on farm extensions (LG-5.4.1)."""
    return box_of(state).player_board.extra_deliveries + extensions_of(state, seat).extra_deliveries


def selling_price(state: State, seat: Seat, resource: str) -> int:
    """Return the selling price including helpers; it also applies to forced and final sales (LG-2.8)."""
    return adjust(state, seat, Number.SELLING_PRICE, box_of(state).selling[resource], resource)


def crops_on_fields(farm: Farm) -> tuple[tuple[str, str], ...]:
    """Return each (crop, `field` or `helper_field`) once, since equal goods on equal places are one choice (LG-0.7)."""
    full_fields = [field for field in farm.fields if field.full]
    if not full_fields:
        return ()
    helper_numbers = [helper.card for helper in farm.helpers]
    present = {(field.crop, FIELDS[field.card in helper_numbers]) for field in full_fields}
    return tuple(place for place in FIELD_PLACES if place in present)


def resources_in(farm: Farm) -> tuple[tuple[str, str], ...]:
    """Return each (resource, place) found at the farm once, fields before stores; helper cards are not included."""
    stored = [STORE_PLACES[resource] for resource in RESOURCES if getattr(farm, resource)]
    crops = crops_on_fields(farm)
    if not crops:
        return tuple(stored)
    present = {*crops, *stored}
    return tuple(place for place in RESOURCE_PLACES if place in present)


def goods_in(farm: Farm) -> tuple[tuple[str, str], ...]:
    """Return each (good, place) that can be delivered (LG-6.1.1).

    Silver and VP fill symbols for silver and VP (LG-6.1.2), which the standard deck lacks. They have no marker yet, so
    they are included only if the supply has one.
    """
    other_goods = (*UPGRADED, COMMODITY, "silver", "vp") if farm.markers else (*UPGRADED, COMMODITY)
    return resources_in(farm) + tuple((good, PLACE_OF[good]) for good in other_goods if getattr(farm, good))


def has_upgradeable(farm: Farm) -> bool:
    """Return whether the farm has a resource to upgrade."""
    return bool(farm.olive or farm.grain or farm.grape or farm.pig or any(field.full for field in farm.fields))


def cards_in_play(state: State) -> tuple[int, ...]:
    """Return every card outside the draw pile."""
    cards = list(state.discard)
    for farm in state.farms:
        cards += farm.hand
        cards += farm.aside
        cards += farm.extensions
        helper_numbers = [helper.card for helper in farm.helpers]
        cards += [field.card for field in farm.fields if field.card not in helper_numbers]
        cards += [barrow.card for barrow in farm.barrows]
        cards += helper_numbers
    return tuple(cards)


def draw_pile(state: State) -> tuple[int, ...]:
    """Return the cards of the draw pile, sorted; their order is not decided before they are drawn."""
    in_play = set(cards_in_play(state))
    return tuple(card for card in deck_of(state) if card not in in_play)


def draw_pile_count(state: State) -> int:
    """Return the size of the draw pile; exact for redacted states too."""
    return len(deck_of(state)) - len(cards_in_play(state))


def can_draw(state: State) -> bool:
    """Return whether the draw pile or the discard pile has cards (LG-0.10)."""
    return bool(state.discard) or draw_pile_count(state) > 0


def siesta_space(state: State, seat: Seat) -> int:
    """Return the space of the seat's siesta marker."""
    return next(space for space, stack in enumerate(state.siesta) if seat in stack)


def can_advance(state: State, seat: Seat) -> bool:
    """Return whether the seat's siesta marker is before the last space (LG-5.2.2)."""
    return siesta_space(state, seat) < box_of(state).siesta.last
