"""Positions in which something cannot be chosen, by the reason."""

from collections.abc import Mapping
from typing import Any, Final

from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.components import ROOF_TILES, STANDARD
from domain.titles.la_granja.components_market import market_of
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    fill_row,
    give_craft_markers,
    give_goods,
    last_of,
    lay_cards,
    lay_solo_table,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position

ROW: Final = STANDARD.buildings[1].row


def tile(effect: str) -> str:
    """Return the first Deluxe tile with this effect."""
    return min(id for id, each in ROOF_TILES.items() if each.effect == effect and id.startswith("D"))


def position_at(name: str, task: AnyTask, *effects: Any, **more: Any) -> Position:
    """Return a position in which this is A's task in this step."""
    return lay_table(*effects, step(name, task), **more)


def owning(effect: str, task: AnyTask, *effects: Any, name: str = "first_dice") -> Position:
    """Return a position in which A owns the tile with this effect and has a window open."""
    return position_at(name, task, give_goods(A, trade_commodity=1), e.RoofBought(A, tile(effect), 0), *effects)


SALE: Final = [e.RoofsRevealed(("D11", "D12"))]
FOURS: Final = market_of(2, "deluxe").by_value[4]
COMPLETED: Final = [*fill_row(A, 1, ROW, *range(len(ROW))), e.BuildingCompleted(A, 1)]

POSITIONS: Final[Mapping[str, Position]] = {
    "cards": position_at(
        "cards", t.CardStep(A), give_goods(A, silver=1), deal_cards(A, 1, 2), lay_cards(A, "extension", 3)
    ),
    "cards played": position_at("cards", t.CardStep(A, plays=0), give_goods(A, trade_commodity=1), deal_cards(A, 1)),
    "draw": position_at("first_dice", t.CardChoice(A, may_draw=True), deal_cards(A, *range(1, 67))),
    "discard": position_at("cards", t.CardDiscard(A, 1), deal_cards(A, 1, 2, 3, 4)),
    "paying": position_at("cards", t.ExtensionPayment(A, 9, 1, 2), give_goods(A, olive=1, pig=1)),
    "replacing": position_at(
        "cards", t.Replacement(A, 9, "barrow"), lay_cards(A, "barrow", 1, 2, 3), lay_cards(A, "helper", 4)
    ),
    "growth": position_at("growth", t.GrowthStep(A, grown=True), give_goods(A, silver=2), lay_cards(A, "field", 1)),
    "no field": position_at(
        "growth", t.GrowthStep(A), give_goods(A, silver=2, grain=1), lay_cards(A, "field", 2, full=True)
    ),
    "roofs": position_at("roofs", t.RoofStep(A), SALE, give_goods(A, trade_commodity=1)),
    "roof bought": position_at("roofs", t.RoofStep(A, bought=True), SALE, give_goods(A, silver=9)),
    "roofs full": position_at(
        "roofs",
        t.RoofStep(A),
        give_goods(A, silver=9),
        [e.RoofBought(A, each, 0) for each in ("D21", "D22", "D23", "D24", "D31")],
        SALE,
    ),
    "die": position_at(
        "first_dice", t.DieChoice(A), e.DiceRolled((1, 3, 3)), SALE, deal_cards(A, 7), give_goods(A, meat=1, vp=3)
    ),
    "kept die": position_at(
        "first_dice", t.DieChoice(A), e.DiceRolled((1, 3, 3)), lay_cards(B, "helper", 5), e.SpaceReserved(B, 1)
    ),
    "space 2": position_at("first_dice", t.DieResolution(A, pips=2)),
    "space 5": position_at(
        "first_dice", t.DieResolution(A, pips=5), e.SiestaAdvanced(A, 4), give_goods(A, trade_commodity=1)
    ),
    "space 6": position_at("first_dice", t.DieResolution(A, pips=6)),
    "porter": position_at(
        "first_dice", t.DieResolution(A, pips=6, taken=("silver_2",), porter=True), give_goods(A, olive=1)
    ),
    "after": position_at("first_dice", t.DieWindow(A), give_goods(A, trade_commodity=1, silver=2)),
    "bought out": position_at("first_dice", t.DieWindow(A, purchases=12), give_goods(A, silver=9)),
    "field": position_at(
        "first_dice", t.DieWindow(A), give_goods(A, silver=0, trade_commodity=1), lay_cards(A, "field", 1, full=True)
    ),
    "donkeys": position_at("donkeys", t.DonkeyChoice(A), e.DonkeyUsed(A, 2), give_goods(A, silver=3)),
    "chosen": lay_table(step("donkeys", t.DonkeyChoice(B))),
    "free": position_at(
        "free_deliveries", t.DeliveryStep(A, left=1), give_goods(A, grain=1), e.BuildingBlocked(2, 1), COMPLETED
    ),
    "free done": position_at(
        "free_deliveries", t.DeliveryStep(A, left=0), give_goods(A, grain=1, olive=1), lay_cards(A, "barrow", 1)
    ),
    "row": position_at("free_deliveries", t.DeliveryStep(A, left=1), fill_row(A, 1, ROW, 0), give_goods(A, olive=1)),
    "barrow": position_at(
        "free_deliveries",
        t.DeliveryStep(A, left=1),
        lay_cards(A, "barrow", 1),
        load_barrow(A, 1, "olive"),
        give_goods(A, olive=1),
    ),
    "extra": position_at(
        "extra_deliveries",
        t.DeliveryStep(A, left=1, paid=True),
        give_goods(A, olive=1, trade_commodity=1),
        lay_cards(A, "barrow", 1),
    ),
    "extra done": position_at(
        "extra_deliveries",
        t.DeliveryStep(A, left=0, paid=True),
        give_goods(A, olive=1, silver=1),
        lay_cards(A, "barrow", 1),
    ),
    "bought": position_at(
        "extra_deliveries",
        t.BoughtDeliveries(A, left=0),
        give_goods(A, olive=1),
        lay_cards(A, "barrow", 1),
        edition="original",
        extra_deliveries="at_once",
    ),
    "buying": position_at(
        "extra_deliveries",
        t.DeliveryPurchase(A, limit=1),
        give_goods(A, olive=1),
        edition="original",
        extra_deliveries="at_once",
    ),
    "die 6": position_at("first_dice", t.DeliveryChoice(A), give_goods(A, olive=1), lay_cards(A, "barrow", 2)),
    "stall": position_at("free_deliveries", t.StallChoice(A, 4), e.StallPlaced(B, FOURS[0])),
    "own stall": position_at(
        "free_deliveries",
        t.StallChoice(A, 4),
        e.StallPlaced(A, FOURS[0]),
        [e.StallPlaced(B, cell) for cell in FOURS[1:]],
    ),
    "free stall": position_at("free_deliveries", t.StallChoice(A, 0), e.StallPlaced(B, FOURS[0])),
    "upgrade": position_at("first_dice", t.UpgradeChoice(A, 1), give_goods(A, olive=1)),
    "goods": position_at("first_dice", t.GoodChoice(A, ("olive", "grape"), 1, "test")),
    "helpers": position_at(
        "free_deliveries",
        t.DeliveryStep(A, left=0),
        give_goods(A, olive=1),
        lay_cards(A, "helper", 12, 19, 1),
        e.HelperUsed(A, 12, exhausts=True),
        lay_cards(A, "barrow", 2),
        lay_cards(A, "extension", 3),
    ),
    "idle helper": position_at(
        "first_dice", t.DieWindow(A), lay_cards(A, "helper", 4), give_goods(A, trade_commodity=1)
    ),
    "offer": position_at("first_dice", t.HelperOffer(A, 6), lay_cards(A, "helper", 6), give_goods(A, vp=3)),
    "shortage": position_at("first_dice", t.MarkerShortage(A, "olive", "store"), give_goods(A, grain=1)),
    "shift": lay_table(step("first_dice", t.DieShift(A, 1), t.DieResolution(A, pips=6))),
    "turning": position_at(
        "first_dice",
        t.RoofChoice(A, tile("flip_roof")),
        e.RoofBought(A, tile("flip_roof"), 0),
        e.RoofBought(A, tile("pig"), 0),
        e.RoofUsed(A, tile("flip_roof")),
    ),
    "tile used": owning("pig", t.DieWindow(A), e.RoofUsed(A, tile("pig"))),
    "tile delivery": owning("delivery", t.GrowthStep(A), name="growth"),
    "tile nothing": position_at("first_dice", t.DieWindow(A), e.RoofBought(A, tile("delivery"), 0)),
    "goods owning": owning("pig", t.GoodChoice(A, ("olive",), 1, "test")),
    "tile donkeys": owning("delivery", t.DonkeyChoice(A), give_goods(A, olive=1), name="donkeys"),
    "tile upgrade": owning("upgrade_1", t.DieWindow(A)),
    "tile paid": owning("paid_delivery", t.DieWindow(A)),
    "tile flip": owning("flip_roof", t.DieWindow(A)),
    "tile siesta": owning("siesta_1", t.DieWindow(A), e.SiestaAdvanced(A, 4)),
    "tile die": owning("die_1", t.DieWindow(A)),
    "tile income": owning("income", t.DieWindow(A)),
    "tile double": owning("double_roof_vp", t.GrowthStep(A), name="growth"),
    "solo": lay_solo_table(step("first_dice", t.DieChoice(A)), e.DiceRolled((2,))),
    "over": lay_table(e.StepBegun(6, "over")),
    "sale": lay_table(step("sale")),
    "crafted": lay_table(give_craft_markers(B, 1), last_of("cards", t.CardStep(B))),
}
"""Positions by name; A has the task unless the step says otherwise."""
