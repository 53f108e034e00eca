"""The 24 roof tiles of the Deluxe edition (LG-9)."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DeliveryStep, DieResolution, DieWindow, RoofStep, StallChoice
from domain.titles.la_granja.components import ROOF_EFFECTS, ROOF_TILES, STANDARD
from domain.titles.la_granja.state import Roof
from tests.domain.titles.la_granja.table import (
    A,
    B,
    cell_at,
    deal_cards,
    give_craft_markers,
    give_goods,
    lay_cards,
    lay_table,
    step,
)
from tests.scenario import Outcome, Position

DELUXE = tuple(sorted(tile for tile in ROOF_TILES if tile.startswith("D")))


def owning(tile: str, *effects: object, name: str = "first_dice") -> Position:
    """Return a position in which A owns the tile; a commodity keeps the window open."""
    window = DeliveryStep(A, left=0) if name == "free_deliveries" else DieWindow(A)
    return lay_table(give_goods(A, trade_commodity=1), e.RoofBought(A, tile, 0), *effects, step(name, window))


def using(tile: str, *effects: object, name: str = "first_dice") -> Outcome:
    return owning(tile, *effects, name=name).when(A, a.UseRoof(tile))


def tile_of(effect: str) -> str:
    """Return the Deluxe tile with this effect."""
    return next(tile for tile in DELUXE if ROOF_TILES[tile].effect == effect)


def test_there_are_24_tiles_with_different_effects() -> None:
    """LG-9.1."""
    assert len(DELUXE) == 24
    assert len({ROOF_TILES[tile].effect for tile in DELUXE}) == 24
    assert {ROOF_TILES[tile].effect for tile in DELUXE} == set(ROOF_EFFECTS)


@pytest.mark.parametrize(
    ("effect", "good", "amount"),
    [("silver_4", "silver", 4), ("silver_3", "silver", 3), ("silver_2", "silver", 2), ("vp_1", "vp", 1)],
)
def test_silver_and_vp_tiles(effect: str, good: str, amount: int) -> None:
    """LG-9.1: the tile is turned face down and the gain follows."""
    tile = tile_of(effect)

    after = using(tile)

    after.then(e.RoofUsed(A, tile), e.GoodGained(A, good, amount, "", "roof"))
    assert after.state.farms[A].roofs == (Roof(tile, True),)
    after.position.refuses(A, a.UseRoof(tile), IllegalAction)


@pytest.mark.parametrize("crop", ["olive", "grape"])
def test_tiles_of_one_crop(crop: str) -> None:
    """LG-9.1: into its store."""
    tile = tile_of(crop)

    using(tile).then(e.RoofUsed(A, tile), e.GoodGained(A, crop, 1, "store", "roof"))


@pytest.mark.parametrize(
    ("effect", "choice"),
    [
        ("grain_or_olive", ("grain", "olive")),
        ("any_crop", ("olive", "grain", "grape")),
        ("upgraded_good", ("food", "wine", "meat")),
    ],
)
def test_tiles_with_a_choice_of_good(effect: str, choice: tuple[str, ...]) -> None:
    """LG-9.1, LG-9.10: 1 of the listed goods."""
    pending = using(tile_of(effect))

    assert pending.position.legal(A) == tuple(a.TakeGood(good) for good in choice)
    pending.when(A, a.TakeGood(choice[1])).then(e.GoodGained(A, choice[1], 1, "store", "roof"))


def test_the_tile_of_two_different_crops() -> None:
    """LG-9.1: the second crop differs from the first."""
    after = using(tile_of("two_different_crops")).when(A, a.TakeGood("olive"))

    assert after.position.legal(A) == (a.TakeGood("grain"), a.TakeGood("grape"))
    assert after.when(A, a.TakeGood("grape")).state.farms[A].grape == 1


def test_a_pig_from_a_tile_is_sold_without_a_pen() -> None:
    """LG-9.3: it is kept if a pen is free."""
    tile = tile_of("pig")

    using(tile).then(e.RoofUsed(A, tile), e.GoodGained(A, "pig", 1, "pen", "roof"))
    using(tile, give_goods(A, pig=2)).then(e.RoofUsed(A, tile), e.PigUnhoused(A, 3))


@pytest.mark.parametrize(("effect", "count"), [("upgrade_1", 1), ("upgrade_2", 2)])
def test_tiles_of_free_upgrades(effect: str, count: int) -> None:
    """LG-9.1, LG-13.29: pigs included; not offered without a resource."""
    tile = tile_of(effect)
    goods = give_goods(A, pig=1, olive=1)
    after = using(tile, goods).when(A, a.UpgradeResource("pig", "pen"))

    assert after.of(e.ResourceUpgraded) == (e.ResourceUpgraded(A, "pig", "pen", "meat", 0),)
    left = after.position.legal(A, a.UpgradeResource)
    assert left == ((a.UpgradeResource("olive", "store"),) if count == 2 else ())
    owning(tile).refuses(A, a.UseRoof(tile), IllegalAction)


def test_the_delivery_tile_in_phases_ii_and_iii() -> None:
    """LG-9.2: not in phase I."""
    tile = tile_of("delivery")
    goods = (lay_cards(A, "barrow", 1), give_goods(A, olive=1))

    for name in ("first_dice", "free_deliveries"):
        using(tile, *goods, name=name).when(A, a.DeliverToBarrow("olive", "store", 1)).then(
            e.Delivered(A, "olive", "store", 0, 1, 0, 2)
        )
    owning(tile, *goods, name="growth").refuses(A, a.UseRoof(tile), IllegalAction)
    lay_table(e.RoofBought(A, tile, 0), step("first_dice", DieWindow(A))).refuses(A, a.UseRoof(tile), IllegalAction)


def test_the_delivery_tile_can_deliver_a_commodity() -> None:
    """LG-13.26: to the Merchant House, in phase II."""
    after = using(tile_of("delivery")).when(A, a.DeliverToBuilding("trade_commodity", "space", 1))

    assert [each.good for each in after.of(e.Delivered)] == ["trade_commodity"]


def test_the_paid_delivery_tile_adds_to_the_extra_deliveries() -> None:
    """LG-9.9, LG-9.2: it works in phases II and III, also with no extra delivery left."""
    tile = tile_of("paid_delivery")
    goods = (lay_cards(A, "barrow", 1), give_goods(A, olive=1, silver=1))

    for name in ("second_dice", "free_deliveries"):
        after = using(tile, *goods, name=name)
        after.then(e.RoofUsed(A, tile), e.GoodPaid(A, "silver", 1, "", "roof"))
        assert len(after.when(A, a.DeliverToBarrow("olive", "store", 1)).of(e.Delivered)) == 1
    poor = owning(tile, lay_cards(A, "barrow", 1), give_goods(A, olive=1))
    poor.refuses(A, a.UseRoof(tile), IllegalAction)
    owning(tile, *goods, name="growth").refuses(A, a.UseRoof(tile), IllegalAction)


def test_the_card_tile_plays_or_draws_one() -> None:
    """LG-9.1, LG-3.1.9."""
    pending = using(tile_of("play_or_draw_card"), deal_cards(A, 1))

    assert [effect.count for effect in pending.when(A, a.DrawCard()).of(e.CardsDrawn)] == [1]
    pending.when(A, a.PlayCard(1, "field")).then(e.CardPlayed(A, 1, "field", "olive"))
    assert [effect.count for effect in using(tile_of("play_or_draw_card")).of(e.CardsDrawn)] == [1]


def test_the_flip_tile_turns_another_used_tile() -> None:
    """LG-9.4: it cannot turn itself, and is not offered if no other tile is used."""
    tile = tile_of("flip_roof")
    used = [e.RoofBought(A, "D11", 0), e.RoofUsed(A, "D11"), e.RoofBought(A, "D62", 0), e.RoofUsed(A, "D62")]

    pending = using(tile, used)

    assert pending.position.legal(A) == (a.TurnRoof("D11"), a.TurnRoof("D62"))
    after = pending.when(A, a.TurnRoof("D11"))
    after.then(e.RoofTurned(A, "D11"))
    assert after.position.legal(A, a.UseRoof) == (a.UseRoof("D11"),)
    owning(tile, e.RoofBought(A, "D11", 0)).refuses(A, a.UseRoof(tile), IllegalAction)


@pytest.mark.parametrize(("effect", "steps"), [("siesta_1", 1), ("siesta_2", 2)])
def test_siesta_tiles_in_phases_i_and_ii(effect: str, steps: int) -> None:
    """LG-9.2, LG-4.11: not in phase III, and not on the last space."""
    tile = tile_of(effect)

    for name in ("cards", "growth", "last_die"):
        using(tile, name=name).then(e.RoofUsed(A, tile), e.SiestaAdvanced(A, steps))
    owning(tile, name="free_deliveries").refuses(A, a.UseRoof(tile), IllegalAction)
    owning(tile, e.SiestaAdvanced(A, 4)).refuses(A, a.UseRoof(tile), IllegalAction)


def shifting(tile: str, pips: int, source: str = "chosen") -> Position:
    """Return a position in which A has taken a die and owns a die tile."""
    return lay_table(
        give_goods(A, trade_commodity=1),
        e.RoofBought(A, tile, 0),
        e.DiceRolled((1, pips)),
        e.DieTaken(A, pips),
        step("first_dice", DieResolution(A, pips=pips, source=source)),
    )


@pytest.mark.parametrize(
    ("effect", "pips", "choice"),
    [("die_1", 3, (2, 4)), ("die_1", 6, (5,)), ("die_1", 1, (2,)), ("die_2", 3, (1, 2, 4, 5)), ("die_2", 5, (3, 4, 6))],
)
def test_die_tiles_change_the_die_just_taken(effect: str, pips: int, choice: tuple[int, ...]) -> None:
    """LG-9.5, LG-13.15: up or down, within 1 to 6."""
    tile = tile_of(effect)
    pending = shifting(tile, pips).when(A, a.UseRoof(tile))
    if len(choice) == 1:
        pending.then(e.RoofUsed(A, tile), e.DieChanged(A, pips, choice[0]))
        return

    assert pending.position.legal(A) == tuple(a.ChangeDie(to) for to in choice)
    after = pending.when(A, a.ChangeDie(choice[-1]))
    after.then(e.DieChanged(A, pips, choice[-1]))
    assert after.state.agenda[-1] == DieResolution(A, pips=choice[-1])
    assert after.state.farms[A].dice == (choice[-1],)


def test_a_die_tile_changes_the_second_die_and_not_the_first() -> None:
    """LG-9.5."""
    tile = tile_of("die_2")
    position = lay_table(
        e.RoofBought(A, tile, 0),
        e.DiceRolled((1, 3, 6)),
        e.DieTaken(A, 6),
        e.DieTaken(A, 3),
        step("second_dice", DieResolution(A, pips=3)),
    )

    after = position.when(A, a.UseRoof(tile), a.ChangeDie(4))

    assert after.state.farms[A].dice == (6, 4)


def test_die_tiles_do_not_change_the_last_die() -> None:
    """LG-9.5: only a first or second die, before it is resolved."""
    tile = tile_of("die_2")

    shifting(tile, 3, source="last").refuses(A, a.UseRoof(tile), IllegalAction)
    owning(tile).refuses(A, a.UseRoof(tile), IllegalAction)


def test_the_income_tile_gives_the_income_once_more() -> None:
    """LG-9.6: extensions and flipped markers; not offered without income."""
    tile = tile_of("income")

    using(tile, lay_cards(A, "extension", 1), give_craft_markers(A, 3)).then(
        e.RoofUsed(A, tile),
        e.GoodGained(A, "silver", 1, "", "income"),
        e.GoodGained(A, "trade_commodity", 1, "space", "income"),
    )
    owning(tile).refuses(A, a.UseRoof(tile), IllegalAction)


def test_the_market_tile_puts_a_marker_on_any_free_open_space() -> None:
    """LG-9.7, LG-13.14: no VP, and B's lower neighbour stays."""
    tile = tile_of("market_marker")
    pending = using(tile, e.StallPlaced(B, cell_at(2, 0, 1)))
    assert len(pending.position.legal(A, a.PlaceStall)) == 13
    assert a.PlaceStall(cell_at(2, 0, 1)) not in pending.position.legal(A)

    pending.when(A, a.PlaceStall(cell_at(2, 1, 1))).then(e.StallPlaced(A, cell_at(2, 1, 1)))


def test_the_market_tile_is_not_offered_on_a_full_market() -> None:
    """LG-9.7."""
    tile = tile_of("market_marker")
    full = [e.StallPlaced(B, cell) for cell in range(14)]

    owning(tile, full).refuses(A, a.UseRoof(tile), IllegalAction)
    assert lay_table(full, step("first_dice", StallChoice(A, 0))).legal(A) == ()


def buying(*effects: object, tiles: tuple[str, ...] = ("D33", "D34")) -> Position:
    """Return a position in which A may buy a roof tile in round 3."""
    return lay_table(
        give_goods(A, silver=9, trade_commodity=1),
        *effects,
        e.RoofsRevealed(tiles),
        step("roofs", RoofStep(A), round=3),
    )


def test_the_doubling_tile_doubles_its_own_space() -> None:
    """LG-9.8: bought as the third tile, it can double 2 VP."""
    owned = [e.RoofBought(A, "D11", 0), e.RoofBought(A, "D12", 0)]
    pending = buying(owned).when(A, a.BuyRoof("D34"))
    assert pending.position.legal(A) == (a.Decline(), a.UseRoof("D34"))

    pending.when(A, a.UseRoof("D34")).then(e.RoofUsed(A, "D34"), e.GoodGained(A, "vp", 4, "", "roof_space"))
    outcome = pending.when(A, a.Decline())
    outcome.then(e.GoodGained(A, "vp", 2, "", "roof_space"))
    assert Roof("D34", False) in outcome.state.farms[A].roofs


def test_the_doubling_tile_doubles_a_later_space() -> None:
    """LG-9.8, LG-13.16: when a later tile is placed, never a space filled earlier."""
    owned = [e.RoofBought(A, "D34", 0), e.RoofBought(A, "D12", 0)]
    position = buying(owned, tiles=("D33",))
    position.refuses(A, a.UseRoof("D34"), IllegalAction)

    pending = position.when(A, a.BuyRoof("D33"))

    pending.when(A, a.UseRoof("D34")).then(e.RoofUsed(A, "D34"), e.GoodGained(A, "vp", 4, "", "roof_space"))


def test_a_tile_of_another_player_cannot_be_used() -> None:
    """LG-9.1."""
    position = lay_table(give_goods(A, trade_commodity=1), e.RoofBought(B, "D11", 0), step("first_dice", DieWindow(A)))

    position.refuses(A, a.UseRoof("D11"), IllegalAction)
    position.refuses(B, a.UseRoof("D11"), IllegalAction)
    assert STANDARD.effect_of("D11").phases == ("any",)
