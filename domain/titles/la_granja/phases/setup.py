"""Setup of a match (LG-1)."""

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import Seat
from domain.titles.la_granja.components_market import Market
from domain.titles.la_granja.editions import marker_supply
from domain.titles.la_granja.effects import (
    BuildingBlocked,
    CardsDrawn,
    Effect,
    GoodGained,
    MatchBegun,
    SiestaReturned,
    StallPlaced,
    TurnOrderSet,
)
from domain.titles.la_granja.evolve import evolve
from domain.titles.la_granja.phases import solo
from domain.titles.la_granja.phases.rounds import reveal_roofs
from domain.titles.la_granja.state import COMMODITY
from domain.titles.la_granja.tables import BOXES, Box


def set_up(edition: str, deck: str, extra_deliveries: str, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of setup, before the first step."""
    box = BOXES[deck]
    board = box.editions[edition].market[str(seats)]
    market = box.markets[board]
    markers = marker_supply(box.editions[edition])
    match_begun = MatchBegun(edition, deck, seats, board, len(market.cells), markers, extra_deliveries)
    everybody = tuple(Seat(seat) for seat in range(seats))
    seated = solo.seat_player(box, market, chance) if seats == 1 else _seat_players(box, seats, market, chance)
    return (
        match_begun,
        *(effect for seat in everybody for effect in _give_belongings(box, seat)),
        *_deal_cards(box, everybody, chance),
        reveal_roofs(evolve(None, match_begun), 1, chance),
        *_block_buildings(box, chance),
        *seated,
        SiestaReturned(),
    )


def _give_belongings(box: Box, seat: Seat) -> tuple[Effect, ...]:
    """Give the seat its starting VP, silver and trade commodity (LG-1.2)."""
    return (
        GoodGained(seat, "vp", box.setup.victory_points, "", "setup"),
        GoodGained(seat, "silver", box.setup.silver, "", "setup"),
        GoodGained(seat, COMMODITY, box.setup.trade_commodities, "space", "setup"),
    )


def _seat_players(box: Box, seats: int, market: Market, chance: Chance) -> tuple[Effect, ...]:
    """Set the turn order and place the start stalls, lowest value first (LG-1.7, LG-1.9)."""
    order, values = _draw_turn_order(seats, chance), box.setup.start_stalls[seats]
    stalls = (StallPlaced(seat, market.starts[value]) for seat, value in zip(order, values, strict=True))
    return TurnOrderSet(order), *stalls


def _deal_cards(box: Box, seats: tuple[Seat, ...], chance: Chance) -> tuple[Effect, ...]:
    """Deal 4 cards to each seat, visible to that seat only (LG-1.3)."""
    deck, dealt, drawn_count = tuple(box.cards), list[Effect](), 0
    for seat in seats:
        cards = chance.draw(f"card/{drawn_count + 1}", deck, box.setup.hand_cards, (seat,))
        drawn_count += len(cards)
        deck = tuple(card for card in deck if card not in cards)
        dealt.append(CardsDrawn(seat, len(cards), Hidden(tuple(sorted(cards)), (seat,))))
    return tuple(dealt)


def _block_buildings(box: Box, chance: Chance) -> tuple[Effect, ...]:
    """Place each building order tile by a die, rolling again for blocked buildings (LG-1.6)."""
    blocked = list[int]()
    rolls = 0
    while len(blocked) < box.setup.building_order_tiles:
        rolls += 1
        (building,) = chance.roll(f"building-order/{rolls}", 1, len(box.buildings))
        if building not in blocked:
            blocked.append(building)
    return tuple(BuildingBlocked(building, tile) for tile, building in enumerate(blocked, start=1))


def _draw_turn_order(seats: int, chance: Chance) -> tuple[Seat, ...]:
    """Return the seats clockwise from a random start player (LG-1.7)."""
    (first,) = chance.roll("start-player", 1, seats)
    return tuple(Seat((first - 1 + offset) % seats) for offset in range(seats))
