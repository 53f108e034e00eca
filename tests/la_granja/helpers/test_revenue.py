"""Helpers about the revenue dice."""

import pytest

from domain import la_granja
from domain.kernel.rules import IllegalAction
from domain.la_granja import actions as a
from domain.la_granja import effects as e
from domain.la_granja.agenda import DieChoice, DieResolution, DieWindow, HelperOffer, RoofStep
from domain.la_granja.state import NOBODY
from tests.la_granja.table import A, B, has, holds, laid, last_of, step, table
from tests.scenario import Position


def resolving(helper: int, pips: int, *effects: object, source: str = "chosen", round: int = 2) -> Position:
    """A has a helper and resolves a die."""
    die = DieResolution(A, pips=pips, source=source)
    return table(has(A, trade_commodity=1), laid(A, "helper", helper), *effects, step("first_dice", die, round=round))


def test_porter() -> None:
    """Card 3, triggered: space 6 gives the delivery and the 2 silver."""
    position = resolving(3, 6, laid(A, "barrow", 1), has(A, olive=1))

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
    """Card 3: of space 2; the second may be declined, and nothing else is open meanwhile (LG-10.4)."""
    position = resolving(3, 2, holds(A, 9))

    one = position.when(A, a.UseHelper(3), a.TakeOption("draw_card")).position

    assert one.legal(A) == (a.Decline(), a.TakeOption("play_card"), a.TakeOption("crop_any"))
    assert one.when(A, a.Decline()).of(e.DieResolved) == (e.DieResolved(A, 2, "chosen"),)


def test_porter_takes_no_third_option() -> None:
    """Card 3: after two of the three of space 2 the die is resolved."""
    position = resolving(3, 2, holds(A, 9))

    after = position.when(A, a.UseHelper(3), a.TakeOption("draw_card"), a.TakeOption("crop_any"), a.TakeGood("olive"))

    assert after.of(e.DieResolved) == (e.DieResolved(A, 2, "chosen"),)


@pytest.mark.parametrize(
    ("pips", "source"), [(1, "chosen"), (5, "chosen"), (2, "last"), (6, "last"), (2, "merchant"), (6, "merchant")]
)
def test_porter_works_for_chosen_dice_on_spaces_2_and_6(pips: int, source: str) -> None:
    """LG-13.19, LG-10.8.1: neither for the last die nor for the space the Merchant gives."""
    resolving(3, pips, has(A, olive=1), source=source).refuses(A, a.UseHelper(3), IllegalAction)


def test_porter_works_once_per_round() -> None:
    """LG-10.2."""
    position = resolving(3, 6, e.HelperUsed(A, 3, True))

    position.refuses(A, a.UseHelper(3), IllegalAction)


def rolling(*effects: object) -> Position:
    """The last roof tile may be bought, then the dice are rolled."""
    return table(
        has(A, trade_commodity=1), has(B, trade_commodity=1), *effects, last_of("growth", RoofStep(A), round=2)
    )


def test_village_elder() -> None:
    """Card 5, triggered: before the roll its owner marks a space; nobody else takes the last die of it."""
    position = rolling(laid(B, "helper", 5)).with_chance({"revenue/2": (3, 3, 4, 5, 6)})
    happening = position.when(A, a.Pass())
    while happening.state.agenda[-1] != HelperOffer(B, 5):
        (seat,) = la_granja.seats_to_act(happening.state)
        happening = happening.when(seat, a.Pass())
    assert happening.state.dice == ()

    marked = happening.when(B, a.UseHelper(5), a.ReserveSpace(4))

    assert marked.of(e.HelperUsed, e.SpaceReserved, e.DiceRolled) == (
        e.HelperUsed(B, 5, True),
        e.SpaceReserved(B, 4),
        e.DiceRolled((3, 3, 4, 5, 6)),
    )
    assert marked.position.legal(A, a.TakeDie) == tuple(a.TakeDie(pips) for pips in (3, 5, 6))


def test_village_elder_may_be_declined() -> None:
    """LG-10.5: then no space is marked and it stays ready."""
    position = table(laid(A, "helper", 5), step("roll", HelperOffer(A, 5)))

    after = position.when(A, a.Decline())

    after.then()
    assert (after.state.reserved, after.state.reserver) == (0, NOBODY)
    assert not after.state.farms[A].helpers[0].exhausted


@pytest.mark.parametrize(("dice", "seat", "allowed"), [((4, 5), 0, False), ((4, 4, 5), 0, True), ((4, 5), 1, True)])
def test_village_elder_keeps_the_last_die_of_the_space(dice: tuple[int, ...], seat: int, allowed: bool) -> None:
    """Card 5: one of two may be taken; the owner may take the last."""
    chooser = (A, B)[seat]
    elder = laid(B, "helper", 5)
    position = table(elder, e.SpaceReserved(B, 4), e.DiceRolled(dice), step("first_dice", DieChoice(chooser)))

    assert (a.TakeDie(4) in position.legal(chooser)) is allowed


def test_village_elder_keeps_nothing_once_the_card_has_left() -> None:
    """LG-10.8: the effect of a helper ends at once when it leaves the farm."""
    gone = [*laid(B, "helper", 5), e.SpaceReserved(B, 4), e.CardDiscarded(B, 5, "helper")]
    position = table(gone, e.DiceRolled((4, 5)), step("first_dice", DieChoice(A)))

    assert position.legal(A) == (a.TakeDie(4), a.TakeDie(5))


def test_the_reserved_die_left_at_the_end_is_resolved_by_all() -> None:
    """Card 5: as usual; the mark leaves with the dice."""
    position = table(
        e.SpaceReserved(B, 4), e.DiceRolled((4,)), has(A, trade_commodity=1), last_of("second_dice", DieWindow(A))
    )

    after = position.when(A, a.Pass()).when(A, a.TakeOption("silver_4"), a.Pass())
    assert la_granja.seats_to_act(after.state) == (B,)
    ended = after.when(B, a.TakeOption("silver_4"), a.Pass())

    assert (ended.state.step, ended.state.reserved) == ("donkeys", 0)


def test_merchant() -> None:
    """Card 6, triggered: right after a chosen die, 1 VP for the space of the round, here 4 silver in round 4."""
    position = resolving(6, 1, has(A, vp=2), round=4)
    asked = position.when(A, a.TakeOption("pig_1")).position
    assert asked.legal(A) == (a.Decline(), a.UseHelper(6))

    after = asked.when(A, a.UseHelper(6), a.TakeOption("silver_4"))

    after.then(
        e.HelperUsed(A, 6, True),
        e.GoodPaid(A, "vp", 1, "", "helper"),
        e.GoodGained(A, "silver", 4, "", "die"),
        e.DieResolved(A, 4, "merchant"),
    )


def test_merchant_s_space_has_no_window_of_its_own() -> None:
    """LG-10.4: the effect is carried out before a commodity is spent."""
    position = resolving(6, 4, has(A, vp=2), round=4)

    asked = position.when(A, a.TakeOption("silver_4"), a.UseHelper(6)).position

    assert asked.legal(A) == (a.Decline(), a.TakeOption("silver_4"))


@pytest.mark.parametrize(
    ("source", "vp", "used"), [("last", 1, False), ("merchant", 1, False), ("chosen", 0, False), ("chosen", 1, True)]
)
def test_merchant_is_not_offered(source: str, vp: int, used: bool) -> None:
    """LG-13.19, LG-10.9, LG-10.2: not after the last die, without VP, or twice in a round."""
    effects = [has(A, vp=vp), *([e.HelperUsed(A, 6, True)] if used else [])]
    position = resolving(6, 4, *effects, source=source)

    after = position.when(A, a.TakeOption("silver_4"))

    assert not isinstance(after.state.agenda[-1], HelperOffer)


def test_merchant_may_be_declined() -> None:
    """LG-10.5: and stays ready for the second die."""
    after = resolving(6, 4, has(A, vp=1)).when(A, a.TakeOption("silver_4"), a.Decline())

    assert not after.state.farms[A].helpers[0].exhausted
    assert after.state.farms[A].vp == 1
