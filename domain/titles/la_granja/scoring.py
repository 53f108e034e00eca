"""Scores, final sale, ranking and ties (LG-8)."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.editions import edition_of
from domain.titles.la_granja.effects import Effect, ResourceSold, SilverExchanged
from domain.titles.la_granja.holdings import PLACE_OF, selling_price
from domain.titles.la_granja.state import COMMODITY, CROPS, RESOURCES, State
from domain.titles.la_granja.tables import box_of


def final_sale(state: State, seat: Seat) -> tuple[Effect, ...]:
    """Sell all resources in stores and pens and all commodities, then exchange silver for VP (LG-8.2, LG-8.3).

    With the Field Hand crops on fields are sold too. Silver that makes no full VP stays.
    """
    farm, box = state.farms[seat], box_of(state)
    price = {name: selling_price(state, seat, name) for name in RESOURCES}
    holdings = [(name, PLACE_OF[name], getattr(farm, name), price[name]) for name in RESOURCES]
    holdings.append((COMMODITY, PLACE_OF[COMMODITY], farm.trade_commodity, box.commodity.sell_value_at_end))
    if adjust(state, seat, Number.FIELD_SALES, 0):
        field_crops = [field.crop for field in farm.fields if field.full]
        holdings += [(crop, "field", field_crops.count(crop), price[crop]) for crop in CROPS]
    sales = [ResourceSold(seat, name, place, count, count * each) for name, place, count, each in holdings if count]
    silver = farm.silver + sum(sale.silver for sale in sales)
    vp = silver // box.player_board.silver_per_vp_at_end
    exchanged = (SilverExchanged(seat, vp * box.player_board.silver_per_vp_at_end, vp),) if vp else ()
    return (*sales, *exchanged)


def scores(state: State) -> tuple[int, ...]:
    """Return the VP of each seat."""
    return tuple(farm.vp for farm in state.farms)


def open_scores(state: State) -> tuple[int, ...]:
    """Return the VP of each seat; empty while the edition keeps them secret (LG-12.3)."""
    return scores(state) if state.step == "over" or edition_of(state).vp_open else ()


def ranking(state: State) -> tuple[int, ...] | None:
    """Return each seat's place by VP, then silver; equal results share a place (LG-8.4). None before the end."""
    if state.step != "over":
        return None
    results = [(farm.vp, farm.silver) for farm in state.farms]
    return tuple(1 + sum(other > result for other in results) for result in results)
