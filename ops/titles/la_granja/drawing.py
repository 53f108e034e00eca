"""La Granja as text: the market, the craft buildings, the farms."""

from collections.abc import Iterable, Mapping
from typing import Final

from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.state import NEUTRAL
from domain.titles.la_granja.view import Barrow, CraftBuilding, Farm, Row, Symbol, View
from ops.console import table

GOODS: Final = ("olive", "grain", "grape", "pig", "food", "wine", "meat", "trade_commodity")

STALLS: Final[Mapping[int | None, str]] = {None: ".", NEUTRAL: "n"}


def join_words(words: Iterable[object], empty: str = "none") -> str:
    """Join words with commas."""
    return ", ".join(map(str, words)) or empty


def good_name(good: str) -> str:
    """Return the name of a good."""
    return good.replace("_", " ")


def symbols(all_symbols: tuple[Symbol, ...]) -> str:
    """Format symbols by their goods, filled ones in brackets."""
    return " ".join(f"[{good_name(each.good)}]" if each.is_filled else good_name(each.good) for each in all_symbols)


def market(view: View) -> str:
    """Format open spaces by value, lowest first: the seat of a stall, `n` for neutral, `.` for a free space."""
    lines = []
    for value in sorted({space.value for space in view.market}):
        spaces = [space for space in view.market if space.value == value and space.is_open]
        stalls = " ".join(STALLS.get(space.owner, str(space.owner)) for space in spaces)
        lines.append(f"  value {value}: {stalls}")
    return "\n".join(["market (seats of the stalls, . is free)", *lines])


def building(craft_building: CraftBuilding) -> tuple[str, ...]:
    """Format a craft building as table cells: name, blocking tile, goods asked for, seats that completed it, rows."""
    blocked = f"blocked by tile {craft_building.order_tile}" if craft_building.order_tile else "open"
    rows = "; ".join(f"seat {row.seat}: {symbols(row.symbols)}" for row in craft_building.rows if isinstance(row, Row))
    completion = f"completed by {join_words(craft_building.completed)}" if craft_building.completed else ""
    return (
        f"  {craft_building.number} {craft_building.name}",
        blocked,
        f"asks {join_words(map(good_name, craft_building.asks))}",
        completion,
        rows,
    )


def barrow(market_barrow: Barrow) -> str:
    """Format a market barrow."""
    return f"{market_barrow.vp} VP: {symbols(market_barrow.symbols)}"


def farm(farm_view: Farm) -> str:
    """Format a farm in lines, with points, hand and chosen donkey only if the reader may see them."""
    goods = [f"{amount} {good_name(good)}" for good in GOODS if (amount := getattr(farm_view, good))]
    fields = [f"{each.crop or 'any crop'} ({'grown' if each.is_full else 'empty'})" for each in farm_view.fields]
    points = "secret" if farm_view.vp is None else farm_view.vp
    lines = [
        f"farm of seat {farm_view.seat}: {points} VP, {farm_view.silver} silver, {farm_view.markers} markers left",
        f"  stores      {join_words(goods)}; {farm_view.pens} pens",
        f"  fields      {join_words(fields)}",
        f"  barrows     {'; '.join(map(barrow, farm_view.barrows)) or 'none'}",
        f"  extensions  {len(farm_view.extensions)}; hand limit {farm_view.hand_limit}",
    ]
    helpers = [f"{each.name} ({each.card}){' used' if each.is_exhausted else ''}" for each in farm_view.helpers]
    roofs = [f"{each.tile} {each.text}{' (used)' if each.is_used else ''}" for each in farm_view.roofs]
    crafts = [f"{each.name}{'' if each.is_flipped else ' (new)'}" for each in farm_view.crafts]
    for name, names in (("helpers", helpers), ("roofs", roofs), ("crafts", crafts)):
        if names:
            lines.append(f"  {name:<11} {join_words(names)}")
    chosen = (
        ""
        if not farm_view.has_donkey
        else f"; chosen {farm_view.donkey if farm_view.donkey is not None else 'in secret'}"
    )
    lines.append(f"  donkeys     {join_words(farm_view.donkeys_left)} left{chosen}")
    lines.append(f"  hand        {hand(farm_view)}")
    return "\n".join(lines)


def hand(farm_view: Farm) -> str:
    """Format a hand as the cards with their helpers, or as a number if it is hidden or empty."""
    if not farm_view.hand or not all(farm_view.hand):
        return f"{farm_view.hand_count} cards"
    return join_words(f"{card} {CARDS[card].helper.name}" for card in farm_view.hand)


def text(view: View) -> str:
    """Format the view: round, order, dice, siesta, roof tiles, market, craft buildings and farms."""
    siesta = "  ".join(f"{space}: {join_words(stack, '-')}" for space, stack in enumerate(view.siesta))
    roofs = join_words(f"{tile.tile} {tile.text} ({tile.cost} silver)" for tile in view.roofs)
    return "\n".join([
        f"round {view.round}, phase {view.phase}, step {view.step}; to act: {join_words(view.to_act, 'none')}",
        f"turn order  {join_words(view.order)}",
        f"dice        {join_words(view.dice)}",
        f"siesta      {siesta}",
        f"roof tiles  {roofs}",
        f"cards       {view.draw_pile_count} in the draw pile, {len(view.discard)} discarded",
        market(view),
        "craft buildings (filled symbols in brackets)",
        table([building(each) for each in view.buildings]),
        *map(farm, view.farms),
    ])  # fmt: skip
