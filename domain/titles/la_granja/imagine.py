"""Sampling of a full state that agrees with a view."""

from typing import Final

from domain.kernel.chance import Chance
from domain.titles.la_granja import state as full
from domain.titles.la_granja.agenda import ExtensionPayment, Layout, Replacement
from domain.titles.la_granja.state import NO_DONKEY, NOBODY, State
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import CraftBuilding, Farm, Symbol, View

CARD_TASKS: Final = (ExtensionPayment, Layout, Replacement)
"""Tasks that name a card being played: it is public but still counts as a card in hand."""


VP_ASSUMED: Final = 10
"""VP assumed for players whose VP are secret (LG-12.3); enough to pay any cost."""


def imagine(view: View, chance: Chance) -> State:
    """Return a state with random hidden information, such that `view(imagine(v, chance), v.seat) == v`."""
    box, shown = BOXES[view.deck], _shown_hands(view)
    hidden = [farm.hand_count - len(hand) for farm, hand in zip(view.farms, shown, strict=True)]
    unseen_aside = [farm.aside_count - len(farm.aside) for farm in view.farms]
    unseen = sorted(set(box.cards).difference(view.discard, *shown, *map(_known_cards, view.farms)))
    dealt = iter(chance.draw("imagine/cards", unseen, sum(hidden) + sum(unseen_aside)))
    hands = [
        tuple(sorted((*hand, *(next(dealt) for _ in range(count))))) for hand, count in zip(shown, hidden, strict=True)
    ]
    asides = [
        tuple(sorted((*farm.aside, *(next(dealt) for _ in range(count)))))
        for farm, count in zip(view.farms, unseen_aside, strict=True)
    ]
    return State(
        edition=view.edition,
        deck=view.deck,
        board=view.board,
        round=view.round,
        step=view.step,
        order=view.order,
        farms=tuple(
            _farm(farm, hand, aside, _donkey(farm, chance), tuple(box.donkey_tiles))
            for farm, hand, aside in zip(view.farms, hands, asides, strict=True)
        ),
        agenda=view.agenda,
        buildings=tuple(map(_building, view.buildings)),
        stalls=tuple(NOBODY if space.owner is None else space.owner for space in view.market),
        siesta=view.siesta,
        dice=view.dice,
        reserved=view.reserved,
        reserver=view.reserver,
        roofs=tuple(tile.tile for tile in view.roofs),
        discard=view.discard,
        cards_drawn=view.cards_drawn,
        neutral=view.neutral,
        extra_deliveries=view.extra_deliveries,
    )


def _shown_hands(view: View) -> list[tuple[int, ...]]:
    """Return the cards in hand that the reader knows, by seat: the reader's own and cards being played."""
    hands = [farm.hand for farm in view.farms]
    for task in view.agenda:
        if isinstance(task, CARD_TASKS) and task.card not in hands[task.seat]:
            hands[task.seat] = (*hands[task.seat], task.card)
    return hands


def _known_cards(farm: Farm) -> tuple[int, ...]:
    """Return the cards at a farm and those the reader has set aside."""
    return (
        *farm.aside,
        *(field.card for field in farm.fields),
        *(barrow.card for barrow in farm.barrows),
        *(extension.card for extension in farm.extensions),
        *(helper.card for helper in farm.helpers),
    )


def _donkey(farm: Farm, chance: Chance) -> int:
    """Return the donkey tile chosen this round; a random unused one if the reader only knows that there is one."""
    if farm.donkey is not None:
        return farm.donkey
    if not farm.has_donkey:
        return NO_DONKEY
    return chance.draw(f"imagine/donkey/{farm.seat}", farm.donkeys_left, 1)[0]


def _filled_flags(symbols: tuple[Symbol, ...]) -> tuple[bool, ...]:
    return tuple(symbol.is_filled for symbol in symbols)


def _building(building: CraftBuilding) -> full.Building:
    """Return the building of a view as one of a state."""
    return full.Building(
        number=building.number,
        order_tile=building.order_tile,
        rows=tuple(full.Row(row.seat, _filled_flags(row.symbols)) for row in building.rows),
        completed=building.completed,
        marks=building.marks,
    )


def _farm(farm: Farm, hand: tuple[int, ...], aside: tuple[int, ...], donkey: int, tiles: tuple[int, ...]) -> full.Farm:
    """Return the farm of a view as one of a state, with this hand, cards aside and donkey tile.

    Hidden VP become `VP_ASSUMED`, or 0 if there are none; `tiles` are all donkey tiles.
    """
    return full.Farm(
        silver=farm.silver,
        vp=(VP_ASSUMED if farm.has_vp else 0) if farm.vp is None else farm.vp,
        olive=farm.olive,
        grain=farm.grain,
        grape=farm.grape,
        pig=farm.pig,
        food=farm.food,
        wine=farm.wine,
        meat=farm.meat,
        trade_commodity=farm.trade_commodity,
        markers=farm.markers,
        hand=hand,
        aside=aside,
        fields=tuple(full.Field(field.card, field.crop, field.is_full) for field in farm.fields),
        barrows=tuple(full.Barrow(barrow.card, _filled_flags(barrow.symbols)) for barrow in farm.barrows),
        extensions=tuple(extension.card for extension in farm.extensions),
        helpers=tuple(
            full.HelperCard(helper.card, helper.is_exhausted, helper.is_marked, helper.goods) for helper in farm.helpers
        ),
        roofs=tuple(full.Roof(roof.tile, roof.is_used) for roof in farm.roofs),
        crafts=tuple(full.CraftMarker(craft.building, craft.is_flipped) for craft in farm.crafts),
        dice=farm.dice,
        donkey=donkey,
        donkeys_used=tuple(tile for tile in tiles if tile not in farm.donkeys_left),
    )
