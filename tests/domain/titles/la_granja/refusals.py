"""Positions in which something cannot be chosen, by name; `test_why_not` says what each part answers."""

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
    crafted,
    has,
    holds,
    laid,
    last_of,
    loaded,
    solo,
    step,
    stocked,
    table,
)
from tests.scenario import Position

ROW: Final = STANDARD.buildings[1].row


def tile(effect: str) -> str:
    """The Deluxe tile with this effect that comes first."""
    return min(id for id, each in ROOF_TILES.items() if each.effect == effect and id.startswith("D"))


def asked(name: str, task: AnyTask, *effects: Any, **more: Any) -> Position:
    """A is asked this in this step."""
    return table(*effects, step(name, task), **more)


def owning(effect: str, task: AnyTask, *effects: Any, name: str = "first_dice") -> Position:
    """A owns the tile with this effect, and a window is open."""
    return asked(name, task, has(A, trade_commodity=1), e.RoofBought(A, tile(effect), 0), *effects)


SALE: Final = [e.RoofsRevealed(("D11", "D12"))]
FOURS: Final = market_of(2, "deluxe").by_value[4]
COMPLETED: Final = [*stocked(A, 1, ROW, *range(len(ROW))), e.BuildingCompleted(A, 1)]

POSITIONS: Final[Mapping[str, Position]] = {
    "cards": asked("cards", t.CardStep(A), has(A, silver=1), holds(A, 1, 2), laid(A, "extension", 3)),
    "cards played": asked("cards", t.CardStep(A, plays=0), has(A, trade_commodity=1), holds(A, 1)),
    "draw": asked("first_dice", t.CardChoice(A, may_draw=True), holds(A, *range(1, 67))),
    "discard": asked("cards", t.CardDiscard(A, 1), holds(A, 1, 2, 3, 4)),
    "paying": asked("cards", t.ExtensionPayment(A, 9, 1, 2), has(A, olive=1, pig=1)),
    "replacing": asked("cards", t.Replacement(A, 9, "barrow"), laid(A, "barrow", 1, 2, 3), laid(A, "helper", 4)),
    "growth": asked("growth", t.GrowthStep(A, grown=True), has(A, silver=2), laid(A, "field", 1)),
    "no field": asked("growth", t.GrowthStep(A), has(A, silver=2, grain=1), laid(A, "field", 2, full=True)),
    "roofs": asked("roofs", t.RoofStep(A), SALE, has(A, trade_commodity=1)),
    "roof bought": asked("roofs", t.RoofStep(A, bought=True), SALE, has(A, silver=9)),
    "roofs full": asked(
        "roofs",
        t.RoofStep(A),
        has(A, silver=9),
        [e.RoofBought(A, each, 0) for each in ("D21", "D22", "D23", "D24", "D31")],
        SALE,
    ),
    "die": asked("first_dice", t.DieChoice(A), e.DiceRolled((1, 3, 3)), SALE, holds(A, 7), has(A, meat=1, vp=3)),
    "kept die": asked(
        "first_dice", t.DieChoice(A), e.DiceRolled((1, 3, 3)), laid(B, "helper", 5), e.SpaceReserved(B, 1)
    ),
    "space 2": asked("first_dice", t.DieResolution(A, pips=2)),
    "space 5": asked("first_dice", t.DieResolution(A, pips=5), e.SiestaAdvanced(A, 4), has(A, trade_commodity=1)),
    "space 6": asked("first_dice", t.DieResolution(A, pips=6)),
    "porter": asked("first_dice", t.DieResolution(A, pips=6, taken=("silver_2",), porter=True), has(A, olive=1)),
    "after": asked("first_dice", t.DieWindow(A), has(A, trade_commodity=1, silver=2)),
    "bought out": asked("first_dice", t.DieWindow(A, purchases=12), has(A, silver=9)),
    "field": asked("first_dice", t.DieWindow(A), has(A, silver=0, trade_commodity=1), laid(A, "field", 1, full=True)),
    "donkeys": asked("donkeys", t.DonkeyChoice(A), e.DonkeyUsed(A, 2), has(A, silver=3)),
    "chosen": table(step("donkeys", t.DonkeyChoice(B))),
    "free": asked("free_deliveries", t.DeliveryStep(A, left=1), has(A, grain=1), e.BuildingBlocked(2, 1), COMPLETED),
    "free done": asked("free_deliveries", t.DeliveryStep(A, left=0), has(A, grain=1, olive=1), laid(A, "barrow", 1)),
    "row": asked("free_deliveries", t.DeliveryStep(A, left=1), stocked(A, 1, ROW, 0), has(A, olive=1)),
    "barrow": asked(
        "free_deliveries", t.DeliveryStep(A, left=1), laid(A, "barrow", 1), loaded(A, 1, "olive"), has(A, olive=1)
    ),
    "extra": asked(
        "extra_deliveries",
        t.DeliveryStep(A, left=1, paid=True),
        has(A, olive=1, trade_commodity=1),
        laid(A, "barrow", 1),
    ),
    "extra done": asked(
        "extra_deliveries", t.DeliveryStep(A, left=0, paid=True), has(A, olive=1, silver=1), laid(A, "barrow", 1)
    ),
    "bought": asked(
        "extra_deliveries",
        t.BoughtDeliveries(A, left=0),
        has(A, olive=1),
        laid(A, "barrow", 1),
        edition="original",
        extra_deliveries="at_once",
    ),
    "buying": asked(
        "extra_deliveries",
        t.DeliveryPurchase(A, limit=1),
        has(A, olive=1),
        edition="original",
        extra_deliveries="at_once",
    ),
    "die 6": asked("first_dice", t.DeliveryChoice(A), has(A, olive=1), laid(A, "barrow", 2)),
    "stall": asked("free_deliveries", t.StallChoice(A, 4), e.StallPlaced(B, FOURS[0])),
    "own stall": asked(
        "free_deliveries",
        t.StallChoice(A, 4),
        e.StallPlaced(A, FOURS[0]),
        [e.StallPlaced(B, cell) for cell in FOURS[1:]],
    ),
    "free stall": asked("free_deliveries", t.StallChoice(A, 0), e.StallPlaced(B, FOURS[0])),
    "upgrade": asked("first_dice", t.UpgradeChoice(A, 1), has(A, olive=1)),
    "goods": asked("first_dice", t.GoodChoice(A, ("olive", "grape"), 1, "test")),
    "helpers": asked(
        "free_deliveries",
        t.DeliveryStep(A, left=0),
        has(A, olive=1),
        laid(A, "helper", 12, 19, 1),
        e.HelperUsed(A, 12, exhausts=True),
        laid(A, "barrow", 2),
        laid(A, "extension", 3),
    ),
    "idle helper": asked("first_dice", t.DieWindow(A), laid(A, "helper", 4), has(A, trade_commodity=1)),
    "offer": asked("first_dice", t.HelperOffer(A, 6), laid(A, "helper", 6), has(A, vp=3)),
    "shortage": asked("first_dice", t.MarkerShortage(A, "olive", "store"), has(A, grain=1)),
    "shift": table(step("first_dice", t.DieShift(A, 1), t.DieResolution(A, pips=6))),
    "turning": asked(
        "first_dice",
        t.RoofChoice(A, tile("flip_roof")),
        e.RoofBought(A, tile("flip_roof"), 0),
        e.RoofBought(A, tile("pig"), 0),
        e.RoofUsed(A, tile("flip_roof")),
    ),
    "tile used": owning("pig", t.DieWindow(A), e.RoofUsed(A, tile("pig"))),
    "tile delivery": owning("delivery", t.GrowthStep(A), name="growth"),
    "tile nothing": asked("first_dice", t.DieWindow(A), e.RoofBought(A, tile("delivery"), 0)),
    "goods owning": owning("pig", t.GoodChoice(A, ("olive",), 1, "test")),
    "tile donkeys": owning("delivery", t.DonkeyChoice(A), has(A, olive=1), name="donkeys"),
    "tile upgrade": owning("upgrade_1", t.DieWindow(A)),
    "tile paid": owning("paid_delivery", t.DieWindow(A)),
    "tile flip": owning("flip_roof", t.DieWindow(A)),
    "tile siesta": owning("siesta_1", t.DieWindow(A), e.SiestaAdvanced(A, 4)),
    "tile die": owning("die_1", t.DieWindow(A)),
    "tile income": owning("income", t.DieWindow(A)),
    "tile double": owning("double_roof_vp", t.GrowthStep(A), name="growth"),
    "solo": solo(step("first_dice", t.DieChoice(A)), e.DiceRolled((2,))),
    "over": table(e.StepBegun(6, "over")),
    "sale": table(step("sale")),
    "crafted": table(crafted(B, 1), last_of("cards", t.CardStep(B))),
}
"""A is asked, where the step says nothing else."""
