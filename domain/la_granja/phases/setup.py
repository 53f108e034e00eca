"""Setup: how a match begins (LG-1)."""

from domain.kernel.chance import Chance
from domain.kernel.hidden import Hidden
from domain.kernel.rules import Seat
from domain.la_granja.components import BUILDINGS, EDITIONS, SETUP
from domain.la_granja.components_market import MARKETS, Market
from domain.la_granja.editions import marker_supply
from domain.la_granja.effects import (
    BuildingBlocked,
    CardsDrawn,
    Effect,
    GoodGained,
    MatchBegun,
    SiestaReturned,
    StallPlaced,
    TurnOrderSet,
)
from domain.la_granja.evolve import evolve
from domain.la_granja.phases import solo
from domain.la_granja.phases.rounds import revealed
from domain.la_granja.state import COMMODITY
from domain.la_granja.tables import DECKS


def set_up(edition: str, deck: str, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Everything up to the first step, in the order of LG-1."""
    board = EDITIONS[edition].market[str(seats)]
    market = MARKETS[board]
    begun = MatchBegun(edition, deck, seats, board, len(market.cells), marker_supply(edition))
    everybody = tuple(Seat(seat) for seat in range(seats))
    seated = solo.seated(market, chance) if seats == 1 else _seated(seats, market, chance)
    return (
        begun,
        *(effect for seat in everybody for effect in _belongings(seat)),
        *_dealt(tuple(DECKS[deck]), everybody, chance),
        revealed(evolve(None, begun), 1, chance),
        *_building_order(chance),
        *seated,
        SiestaReturned(),
    )


def _belongings(seat: Seat) -> tuple[Effect, ...]:
    """1 VP, 1 silver and 1 trade commodity (LG-1.2)."""
    return (
        GoodGained(seat, "vp", SETUP.victory_points, "", "setup"),
        GoodGained(seat, "silver", SETUP.silver, "", "setup"),
        GoodGained(seat, COMMODITY, SETUP.trade_commodities, "space", "setup"),
    )


def _seated(seats: int, market: Market, chance: Chance) -> tuple[Effect, ...]:
    """The turn order, and in it the centre space with the lowest free number (LG-1.7, LG-1.9)."""
    order, values = _turn_order(seats, chance), SETUP.start_stalls[seats]
    stalls = (StallPlaced(seat, market.starts[value]) for seat, value in zip(order, values, strict=True))
    return TurnOrderSet(order), *stalls


def _dealt(deck: tuple[int, ...], seats: tuple[Seat, ...], chance: Chance) -> tuple[Effect, ...]:
    """4 cards to each (LG-1.3)."""
    dealt, drawn = list[Effect](), 0
    for seat in seats:
        cards = chance.draw(f"card/{drawn + 1}", deck, SETUP.hand_cards, (seat,))
        drawn += len(cards)
        deck = tuple(card for card in deck if card not in cards)
        dealt.append(CardsDrawn(seat, len(cards), Hidden(tuple(sorted(cards)), (seat,))))
    return tuple(dealt)


def _building_order(chance: Chance) -> tuple[Effect, ...]:
    """A die places each tile, rolled again when the building already has one (LG-1.6)."""
    blocked = list[int]()
    rolls = 0
    while len(blocked) < SETUP.building_order_tiles:
        rolls += 1
        (building,) = chance.roll(f"building-order/{rolls}", 1, len(BUILDINGS))
        if building not in blocked:
            blocked.append(building)
    return tuple(BuildingBlocked(building, tile) for tile, building in enumerate(blocked, start=1))


def _turn_order(seats: int, chance: Chance) -> tuple[Seat, ...]:
    """A random start player, then clockwise (LG-1.7)."""
    (first,) = chance.roll("start-player", 1, seats)
    return tuple(Seat((first - 1 + offset) % seats) for offset in range(seats))
