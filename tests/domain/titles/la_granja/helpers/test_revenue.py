"""Helpers about the revenue dice."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieChoice, DieResolution, DieWindow, HelperOffer, RoofStep
from domain.titles.la_granja.state import NOBODY
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    deck_with,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    step,
)
from tests.scenario import Position


def resolving(helper: int, pips: int, *effects: object, source: str = "chosen", round: int = 2) -> Position:
    """Return a position in which A has a helper and resolves a die."""
    die = DieResolution(A, pips=pips, source=source)
    return lay_table(
        give_goods(A, trade_commodity=1), lay_cards(A, "helper", helper), *effects, step("first_dice", die, round=round)
    )


def test_porter() -> None:
    """Card 3, triggered: space 6 gives the delivery and the 2 silver."""
    position = resolving(3, 6, lay_cards(A, "barrow", 1), give_goods(A, olive=1))

    after = position.when(
        A,
        a.UseHelper(3),
        a.TakeOption("delivery_1"),
        a.DeliverToBarrow("olive", "store", 1),
        a.TakeOption("silver_2"),
    )

    assert after.of(e.HelperUsed, e.Delivered, e.GoodGained, e.DieResolved) == (
        e.HelperUsed(A, 3, True),
        e.Delivered(A, "olive", "store", 0, 1, 0, 2),
        e.GoodGained(A, "silver", 2, "", "die"),
        e.DieResolved(A, 6, "chosen"),
    )


def test_porter_takes_two_different_options() -> None:
    """Card 3: on space 2 the second option may be declined, and no window is open before it (LG-10.4)."""
    position = resolving(3, 2, deal_cards(A, 9))

    one = position.when(A, a.UseHelper(3), a.TakeOption("draw_card")).position

    assert one.legal(A) == (a.Decline(), a.TakeOption("play_card"), a.TakeOption("crop_any"))
    assert one.when(A, a.Decline()).of(e.DieResolved) == (e.DieResolved(A, 2, "chosen"),)


def test_porter_takes_no_third_option() -> None:
    """Card 3: the die is resolved after two of the three options of space 2."""
    position = resolving(3, 2, deal_cards(A, 9))

    after = position.when(A, a.UseHelper(3), a.TakeOption("draw_card"), a.TakeOption("crop_any"), a.TakeGood("olive"))

    assert after.of(e.DieResolved) == (e.DieResolved(A, 2, "chosen"),)


@pytest.mark.parametrize(
    ("pips", "source"), [(1, "chosen"), (5, "chosen"), (2, "last"), (6, "last"), (2, "merchant"), (6, "merchant")]
)
def test_porter_works_for_chosen_dice_on_spaces_2_and_6(pips: int, source: str) -> None:
    """LG-13.19, LG-10.8.1: not for the last die, nor for the Merchant's space."""
    resolving(3, pips, give_goods(A, olive=1), source=source).refuses(A, a.UseHelper(3), IllegalAction)


def test_porter_works_once_per_round() -> None:
    """LG-10.2."""
    position = resolving(3, 6, e.HelperUsed(A, 3, True))

    position.refuses(A, a.UseHelper(3), IllegalAction)


def rolling(*effects: object) -> Position:
    """Return a position in step I.4 that is followed by the roll."""
    return lay_table(
        give_goods(A, trade_commodity=1),
        give_goods(B, trade_commodity=1),
        *effects,
        last_of("growth", RoofStep(A), round=2),
    )


def test_village_elder() -> None:
    """Card 5, triggered: the owner marks a space before the roll; no other player takes its last die."""
    position = rolling(lay_cards(B, "helper", 5)).with_chance({"revenue/2": (3, 3, 4, 5, 6)})
    outcome = position.when(A, a.Pass())
    while outcome.state.agenda[-1] != HelperOffer(B, 5):
        (seat,) = la_granja.seats_to_act(outcome.state)
        outcome = outcome.when(seat, a.Pass())
    assert outcome.state.dice == ()

    marked = outcome.when(B, a.UseHelper(5), a.ReserveSpace(4))

    assert marked.of(e.HelperUsed, e.SpaceReserved, e.DiceRolled) == (
        e.HelperUsed(B, 5, True),
        e.SpaceReserved(B, 4),
        e.DiceRolled((3, 3, 4, 5, 6)),
    )
    assert marked.position.legal(A, a.TakeDie) == tuple(a.TakeDie(pips) for pips in (3, 5, 6))


def test_village_elder_may_be_declined() -> None:
    """LG-10.5: no space is marked and the helper is not exhausted."""
    position = lay_table(lay_cards(A, "helper", 5), step("roll", HelperOffer(A, 5)))

    after = position.when(A, a.Decline())

    after.then()
    assert (after.state.reserved, after.state.reserver) == (0, NOBODY)
    assert not after.state.farms[A].helpers[0].exhausted


@pytest.mark.parametrize(("dice", "seat", "allowed"), [((4, 5), 0, False), ((4, 4, 5), 0, True), ((4, 5), 1, True)])
def test_village_elder_reserves_the_last_die_of_the_space(dice: tuple[int, ...], seat: int, allowed: bool) -> None:
    """Card 5: others may take one of two dice; the owner may take the last one."""
    chooser = (A, B)[seat]
    elder = lay_cards(B, "helper", 5)
    position = lay_table(elder, e.SpaceReserved(B, 4), e.DiceRolled(dice), step("first_dice", DieChoice(chooser)))

    assert (a.TakeDie(4) in position.legal(chooser)) is allowed


def test_village_elder_reserves_nothing_after_the_card_has_left() -> None:
    """LG-10.8: the effect of a helper ends at once when it leaves the farm."""
    gone = [*lay_cards(B, "helper", 5), e.SpaceReserved(B, 4), e.CardDiscarded(B, 5, "helper")]
    position = lay_table(gone, e.DiceRolled((4, 5)), step("first_dice", DieChoice(A)))

    assert position.legal(A) == (a.TakeDie(4), a.TakeDie(5))


def test_a_reserved_die_left_at_the_end_is_resolved_by_all() -> None:
    """Card 5: the mark leaves the board with the dice."""
    position = lay_table(
        e.SpaceReserved(B, 4),
        e.DiceRolled((4,)),
        give_goods(A, trade_commodity=1),
        last_of("second_dice", DieWindow(A)),
    )

    after = position.when(A, a.Pass()).when(A, a.TakeOption("silver_4"), a.Pass())
    assert la_granja.seats_to_act(after.state) == (B,)
    ended = after.when(B, a.TakeOption("silver_4"), a.Pass())

    assert (ended.state.step, ended.state.reserved) == ("donkeys", 0)


def test_merchant() -> None:
    """Card 6, triggered: after a chosen die, 1 VP for the space of the round; in round 4 it gives 4 silver."""
    position = resolving(6, 1, give_goods(A, vp=2), round=4)
    pending = position.when(A, a.TakeOption("pig_1")).position
    assert pending.legal(A) == (a.Decline(), a.UseHelper(6))

    after = pending.when(A, a.UseHelper(6), a.TakeOption("silver_4"))

    after.then(
        e.HelperUsed(A, 6, True),
        e.GoodPaid(A, "vp", 1, "", "helper"),
        e.GoodGained(A, "silver", 4, "", "die"),
        e.DieResolved(A, 4, "merchant"),
    )


def test_merchant_s_space_has_no_window() -> None:
    """LG-10.4: no commodity can be spent before the effect is finished."""
    position = resolving(6, 4, give_goods(A, vp=2), round=4)

    pending = position.when(A, a.TakeOption("silver_4"), a.UseHelper(6)).position

    assert pending.legal(A) == (a.Decline(), a.TakeOption("silver_4"))


def test_porter_with_merchant() -> None:
    """Cards 3 and 6 in round 2: both options of the die's space 6, then space 2, which is no die (LG-10.8.1)."""
    goods = (lay_cards(A, "helper", 6), lay_cards(A, "barrow", 1), give_goods(A, olive=1, vp=1), deal_cards(A, 9))
    both = resolving(3, 6, *goods, round=2).when(
        A, a.UseHelper(3), a.TakeOption("delivery_1"), a.DeliverToBarrow("olive", "store", 1), a.TakeOption("silver_2")
    )
    pending = both.position
    assert pending.legal(A) == (a.Decline(), a.UseHelper(6))

    given = pending.when(A, a.UseHelper(6))
    assert given.position.legal(A, a.UseHelper) == ()
    outcome = given.position.when(A, a.TakeOption("draw_card"))

    assert outcome.of(e.DieResolved) == (e.DieResolved(A, 2, "merchant"),)
    assert outcome.state.farms[A].vp == 0


def test_porter_does_not_apply_to_the_merchant_s_space() -> None:
    """LG-10.8.1: card 3 names a die; in round 6 the Merchant gives space 6 without one."""
    goods = (lay_cards(A, "helper", 6), lay_cards(A, "barrow", 1), give_goods(A, olive=1, vp=1))
    pending = resolving(3, 4, *goods, round=6).when(A, a.TakeOption("silver_4")).position

    given = pending.when(A, a.UseHelper(6)).position
    assert given.legal(A, a.UseHelper) == ()
    given.when(A, a.TakeOption("silver_2")).then(
        e.GoodGained(A, "silver", 2, "", "die"), e.DieResolved(A, 6, "merchant")
    )


@pytest.mark.parametrize(
    ("source", "vp", "used"), [("last", 1, False), ("merchant", 1, False), ("chosen", 0, False), ("chosen", 1, True)]
)
def test_merchant_is_not_offered(source: str, vp: int, used: bool) -> None:
    """LG-13.19, LG-10.9, LG-10.2: not after the last die or a helper's space, without VP, or twice in a round."""
    effects = [give_goods(A, vp=vp), *([e.HelperUsed(A, 6, True)] if used else [])]
    position = resolving(6, 4, *effects, source=source)

    after = position.when(A, a.TakeOption("silver_4"))

    assert not isinstance(after.state.agenda[-1], HelperOffer)


def test_merchant_may_be_declined() -> None:
    """LG-10.5: and remains available for the second die."""
    after = resolving(6, 4, give_goods(A, vp=1)).when(A, a.TakeOption("silver_4"), a.Decline())

    assert not after.state.farms[A].helpers[0].exhausted
    assert after.state.farms[A].vp == 1


def test_migrant_labor() -> None:
    """Card 15, triggered: a chosen die changes by 1 before it is resolved, then 1 siesta step (LG-4.11)."""
    position = resolving(15, 3)

    pending = position.when(A, a.UseHelper(15)).position
    assert pending.legal(A) == (a.ChangeDie(2), a.ChangeDie(4))
    after = pending.when(A, a.ChangeDie(4), a.TakeOption("silver_4"))

    assert after.of(e.DieChanged, e.SiestaAdvanced, e.DieResolved) == (
        e.DieChanged(A, 3, 4),
        e.SiestaAdvanced(A, 1),
        e.DieResolved(A, 4, "chosen"),
    )


@pytest.mark.parametrize("source", ["last", "merchant", "again"])
def test_migrant_labor_needs_a_chosen_die(source: str) -> None:
    """LG-10.8.1: not for the last die, nor for a helper's space."""
    resolving(15, 3, source=source).refuses(A, a.UseHelper(15), IllegalAction)


SOURCES = pytest.mark.parametrize("source", ["chosen", "last", "merchant", "again"])


@SOURCES
def test_tax_collector(source: str) -> None:
    """Card 16, automatic: 2 more silver from space 4, whatever the source of the resolution (LG-10.8.1)."""
    after = resolving(16, 4, source=source).when(A, a.TakeOption("silver_4"))

    assert after.state.farms[A].silver == 6


@SOURCES
def test_drover(source: str) -> None:
    """Card 21, automatic: 1 olive or 1 grain in addition to the pig of space 1 (LG-10.8.1)."""
    pending = resolving(21, 1, source=source).when(A, a.TakeOption("pig_1"))
    assert pending.position.legal(A) == (a.TakeGood("olive"), a.TakeGood("grain"))

    after = pending.when(A, a.TakeGood("grain"))

    assert (after.state.farms[A].pig, after.state.farms[A].grain) == (1, 1)


@SOURCES
def test_sower(source: str) -> None:
    """Card 46, automatic: 3 different crops from space 3 (LG-10.8.1); a commodity still brings 2."""
    after = resolving(46, 3, source=source).when(
        A, a.TakeOption("two_different_crops"), a.TakeGood("olive"), a.TakeGood("grape")
    )

    farm = after.state.farms[A]
    assert (farm.olive, farm.grain, farm.grape) == (1, 1, 1)


@SOURCES
def test_dreamer(source: str) -> None:
    """Card 47, automatic: 1 more siesta step with every option of space 5 (LG-10.8.1)."""
    after = resolving(47, 5, give_goods(A, olive=1), source=source).when(
        A, a.TakeOption("upgrade_1_siesta_1"), a.UpgradeResource("olive", "store")
    )

    assert [moved.space for moved in after.of(e.SiestaAdvanced)] == [1, 2]


def test_a_bonus_may_bring_several_things_or_nothing() -> None:
    """LG-10.5: a deck may combine silver, VP, crops and siesta steps on one card, or name none of them."""
    deck = deck_with(
        (
            "params = { space = 4, silver = 2 }",
            "params = { space = 4, silver = 1, vp = 2, crops = 1, siesta_steps = 1 }",
        ),
        ('params = { space = 1, crop_choice = ["olive", "grain"], crops = 1 }', "params = { space = 1 }"),
    )

    def bonuses_of(pips: int, option: str) -> Position:
        die = step("first_dice", DieResolution(A, pips=pips))
        return lay_table(lay_cards(A, "helper", 16, 21), die, deck=deck).when(A, a.TakeOption(option)).position

    after = bonuses_of(4, "silver_4").when(A, a.TakeGood("grape"))
    farm = after.state.farms[A]
    assert (farm.silver, farm.vp, farm.grape, after.state.siesta[1]) == (5, 2, 1, (A,))
    assert bonuses_of(1, "pig_1").legal(A) == ()


def test_bonuses_are_for_their_space_and_owner() -> None:
    """Cards 16, 21, 46, 47."""
    position = lay_table(
        lay_cards(A, "helper", 16, 21),
        lay_cards(B, "helper", 46, 47),
        give_goods(A, trade_commodity=1),
        step("first_dice", DieResolution(A, pips=3)),
    )

    after = position.when(A, a.TakeOption("two_different_crops"), a.TakeGood("olive"), a.TakeGood("grape"))

    assert (after.state.farms[A].grain, after.state.farms[A].silver) == (0, 0)


def test_night_owl() -> None:
    """Card 42, triggered: the last die's space is resolved again with another option; then the window opens."""
    position = lay_table(
        give_goods(A, trade_commodity=1),
        lay_cards(A, "helper", 42),
        deal_cards(A, 9),
        step("last_die", DieResolution(A, pips=2, source="last"), DieWindow(A)),
    )
    pending = position.when(A, a.TakeOption("draw_card"))
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(42))

    after = pending.when(A, a.UseHelper(42), a.TakeOption("crop_any"), a.TakeGood("grape"))

    assert [resolved.source for resolved in after.of(e.DieResolved)] == ["again"]
    assert after.state.farms[A].grape == 1
    assert a.Pass() in after.position.legal(A)


@pytest.mark.parametrize("source", ["chosen", "merchant"])
def test_night_owl_is_for_the_last_die(source: str) -> None:
    """Card 42: not for chosen dice or the Merchant's space."""
    after = resolving(42, 4, source=source).when(A, a.TakeOption("silver_4"))

    assert not any(isinstance(task, HelperOffer) for task in after.state.agenda)


def test_night_owl_with_the_tax_collector() -> None:
    """Cards 42 and 16: the last die's space is resolved twice with 6 silver each (LG-13.19)."""
    position = lay_table(
        give_goods(A, trade_commodity=1),
        lay_cards(A, "helper", 16, 42, 3),
        step("last_die", DieResolution(A, pips=4, source="last"), DieWindow(A)),
    )

    after = position.when(A, a.TakeOption("silver_4"), a.UseHelper(42), a.TakeOption("silver_4"))

    assert after.state.farms[A].silver == 12


def test_merchant_s_space_with_tax_collector_and_drover() -> None:
    """LG-10.8.1: helpers that name a space apply to the Merchant's space, which is space 1 in round 1."""
    position = lay_table(
        give_goods(A, trade_commodity=1, vp=1),
        lay_cards(A, "helper", 6, 16, 21),
        step("first_dice", DieResolution(A, pips=4), DieWindow(A), round=1),
    )

    after = position.when(A, a.TakeOption("silver_4"), a.UseHelper(6), a.TakeOption("pig_1"), a.TakeGood("olive"))

    farm = after.state.farms[A]
    assert (farm.silver, farm.pig, farm.olive, farm.vp) == (6, 1, 1, 0)


def test_village_elder_against_a_last_die() -> None:
    """Cards 5 and 42, LG-13.19: all players resolve the last die of the reserved space, the Night Owl's owner twice."""
    position = lay_table(
        lay_cards(A, "helper", 42),
        lay_cards(B, "helper", 5),
        e.SpaceReserved(B, 4),
        e.DiceRolled((4,)),
        give_goods(A, trade_commodity=1),
        last_of("second_dice", DieWindow(A)),
    )

    after = position.when(A, a.Pass()).when(A, a.TakeOption("silver_4"), a.UseHelper(42), a.TakeOption("silver_4"))

    assert after.state.farms[A].silver == 8
