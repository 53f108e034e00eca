"""Legal deliveries: every available good to every free matching symbol (LG-6.1.1)."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import DeliverToBarrow, DeliverToBuilding
from domain.titles.la_granja.adjustments import ready_helper
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.holdings import goods_in
from domain.titles.la_granja.state import Building, State
from domain.titles.la_granja.tables import box_of, deck_of

Delivery = DeliverToBuilding | DeliverToBarrow


def deliveries(state: State, seat: Seat) -> tuple[Delivery, ...]:
    """Return every delivery of an available good to a free matching symbol of a row or barrow (LG-6.1.1).

    Each (good, place) and building or card is one delivery. The helper Stand-in adds deliveries of other goods.
    """
    farm, deck = state.farms[seat], deck_of(state)
    goods = goods_in(farm) + stored_goods(state, seat)
    if not goods:
        return ()
    actions = list[Delivery]()
    stand_in = ready_helper(state, seat, "delivery_substitute") if farm.helpers else None
    for building in state.buildings:
        symbols = _wanted_by_building(state, building, seat)
        if not symbols:
            continue
        actions += [DeliverToBuilding(good, place, building.number) for good, place in goods if good in symbols]
        if stand_in is not None:
            substitutions = substitutes(stand_in, goods, symbols)
            actions += [
                DeliverToBuilding(good, place, building.number, symbol) for good, place, symbol in substitutions
            ]
    for barrow in farm.barrows:
        symbols = _free_symbols(deck[barrow.card].barrow.goods, barrow.filled)
        actions += [DeliverToBarrow(good, place, barrow.card) for good, place in goods if good in symbols]
        if stand_in is not None:
            substitutions = substitutes(stand_in, goods, symbols)
            actions += [DeliverToBarrow(good, place, barrow.card, symbol) for good, place, symbol in substitutions]
    return tuple(actions)


def deliveries_after_payment(state: State, seat: Seat, silver: int) -> tuple[Delivery, ...]:
    """Return the deliveries possible after paying `silver`, none without enough of it.

    The silver paid cannot be delivered too (LG-6.1.2).
    """
    remaining = state.farms[seat].silver - silver
    if remaining < 0:
        return ()
    actions = deliveries(state, seat)
    return actions if remaining else tuple(action for action in actions if action.good != "silver")


def substitutes(
    stand_in: Card, goods: tuple[tuple[str, str], ...], symbols: tuple[str, ...]
) -> list[tuple[str, str, str]]:
    """Return (good, place, symbol's good) for each substitution that the helper Stand-in allows."""
    params = stand_in.helper.params
    replaceable = [kind for kind in dict.fromkeys(symbols) if kind in params["required"]]
    usable = [(good, place) for good, place in goods if good in params["given"]]
    return [(good, place, kind) for kind in replaceable for good, place in usable if good != kind]


def stored_goods(state: State, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Return each (good, `helper`) of the goods that lie on helper cards, sorted; they can only be delivered."""
    deck = deck_of(state)
    kinds = {
        deck[helper_card.card].helper.params["good"] for helper_card in state.farms[seat].helpers if helper_card.goods
    }
    return tuple((kind, "helper") for kind in sorted(kinds))


def _wanted_by_building(state: State, building: Building, seat: Seat) -> tuple[str, ...]:
    """Return the free symbols of the building for the seat.

    Empty if the building is blocked (LG-6.2.1) or the seat has completed it (LG-6.2.4); the whole row if the seat has
    not started one.
    """
    if building.order_tile or seat in building.completed:
        return ()
    row = box_of(state).buildings[building.number].row
    for begun_row in building.rows:
        if begun_row.seat == seat:
            return _free_symbols(row, begun_row.filled)
    return row


def _free_symbols(symbols: tuple[str, ...], filled: tuple[bool, ...]) -> tuple[str, ...]:
    return tuple(good for good, is_full in zip(symbols, filled, strict=True) if not is_full)
