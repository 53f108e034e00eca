"""Phase II: the revenue dice (LG-4)."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardDraw, DiceRoll, DieChoice, DieResolution, DieWindow
from domain.titles.la_granja.holdings import siesta_space
from tests.domain.titles.la_granja.table import (
    A,
    B,
    C,
    deal_cards,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    load_barrow,
    opening,
    step,
)
from tests.scenario import Outcome, Position


def resolving(pips: int, *effects: object, source: str = "chosen") -> Position:
    """Return a position in which A resolves a die; a commodity keeps the window open."""
    return lay_table(
        give_goods(A, trade_commodity=1), *effects, step("first_dice", DieResolution(A, pips=pips, source=source))
    )


def taking(pips: int, option: str, *effects: object) -> Outcome:
    """Take an option of a revenue space as A."""
    return resolving(pips, *effects).when(A, a.TakeOption(option))


@pytest.mark.parametrize(("seats", "dice"), [(2, 5), (3, 7), (4, 9)])
def test_all_dice_are_rolled(seats: int, dice: int) -> None:
    """LG-1.8, LG-4.1: two per player plus one."""
    rolled = tuple(1 + pips % 6 for pips in range(dice))
    position = lay_table(
        give_goods(A, trade_commodity=1),
        last_of("roofs", DieWindow(A), round=2),
        order=tuple(range(seats)),
        seats=seats,
    ).with_chance({"revenue/2": rolled})

    after = position.when(A, a.Pass())

    assert after.of(e.DiceRolled) == (e.DiceRolled(tuple(sorted(rolled))),)
    assert position.chance.asked == ["revenue/2"]


def test_two_dice_per_player_in_turn_order_and_one_for_all() -> None:
    """LG-4.2, LG-4.3: A, B, A, B, then both resolve the last die."""
    position = lay_table(last_of("roll", DieWindow(A), DiceRoll(A)), give_goods(A, trade_commodity=1)).with_chance(
        {"revenue/1": (4, 4, 4, 4, 4)}
    )
    outcome = position.when(A, a.Pass())
    turns = list[tuple[str, int]]()
    while outcome.state.step in {"roll", "first_dice", "second_dice", "last_die"}:
        (seat,) = la_granja.seats_to_act(outcome.state)
        take = outcome.position.legal(seat, a.TakeDie, a.TakeOption)
        if take:
            turns.append((type(take[0]).__name__, seat))
        outcome = outcome.when(seat, take[0] if take else a.Pass())

    sequence = [("TakeDie", A), ("TakeOption", A), ("TakeDie", B), ("TakeOption", B)]
    assert turns == [*sequence, *sequence, ("TakeOption", A), ("TakeOption", B)]
    assert [farm.silver for farm in outcome.state.farms] == [12, 12]


def test_one_die_of_each_number_can_be_taken() -> None:
    """LG-4.2: equal dice are one choice."""
    position = lay_table(e.DiceRolled((1, 3, 3, 6)), step("first_dice", DieChoice(A)))

    assert position.legal(A) == (a.TakeDie(1), a.TakeDie(3), a.TakeDie(6))
    after = position.when(A, a.TakeDie(3))
    assert after.state.dice == (1, 3, 6)
    assert after.state.farms[A].dice == (3,)


def test_a_space_is_resolved_once_per_die() -> None:
    """LG-4.4: a second 4 brings another 4 silver."""
    position = lay_table(e.DiceRolled((4, 4, 5)), step("first_dice", DieChoice(A), DieChoice(A)))

    after = position.when(A, *[a.TakeDie(4), a.TakeOption("silver_4"), a.Pass()] * 2)

    assert after.state.farms[A].silver == 8


def test_the_gain_of_a_die_may_be_declined() -> None:
    """LG-4.4, LG-13.18: the die is taken without its gain, so helpers do not react (LG-13.33)."""
    position = lay_table(e.DiceRolled((4, 5)), step("first_dice", DieChoice(A)))

    position.when(A, a.TakeDie(4), a.Decline()).then(e.DieTaken(A, 4))


def test_space_1_is_a_pig_or_its_price_without_a_pen() -> None:
    """LG-4.5."""
    assert taking(1, "pig_1").of(e.GoodGained) == (e.GoodGained(A, "pig", 1, "pen", "die"),)
    full = taking(1, "pig_1", give_goods(A, pig=2))
    assert full.of(e.GoodGained, e.PigUnhoused) == (e.PigUnhoused(A, 3),)


def test_space_2_plays_or_draws_a_card_or_takes_a_crop() -> None:
    """LG-4.6: one of the three; an extension has its price."""
    effects = (deal_cards(A, 1), give_goods(A, vp=1))
    assert resolving(2, *effects).legal(A, a.TakeOption) == tuple(
        a.TakeOption(option) for option in ("play_card", "draw_card", "crop_any")
    )

    extended = taking(2, "play_card", *effects).when(A, a.PlayCard(1, "extension"))
    assert extended.of(e.GoodPaid, e.CardPlayed) == (
        e.GoodPaid(A, "vp", 1, "", "extension"),
        e.CardPlayed(A, 1, "extension"),
    )
    assert [effect.count for effect in taking(2, "draw_card", *effects).of(e.CardsDrawn)] == [1]
    crop = taking(2, "crop_any", *effects).when(A, a.TakeGood("grape"))
    assert crop.of(e.GoodGained, e.DieResolved) == (
        e.GoodGained(A, "grape", 1, "store", "die"),
        e.DieResolved(A, 2, "chosen"),
    )
    assert a.TakeOption("play_card") not in resolving(2).legal(A)


def test_space_3_is_two_different_crops() -> None:
    """LG-4.7: into their stores; the second differs from the first."""
    first = taking(3, "two_different_crops").when(A, a.TakeGood("grain"))

    first.position.refuses(A, a.TakeGood("grain"), IllegalAction)
    farm = first.when(A, a.TakeGood("olive")).state.farms[A]
    assert (farm.olive, farm.grain, farm.grape) == (1, 1, 0)


def test_space_4_is_4_silver() -> None:
    """LG-4.8."""
    assert taking(4, "silver_4").of(e.GoodGained) == (e.GoodGained(A, "silver", 4, "", "die"),)


def test_space_5_upgrades_two() -> None:
    """LG-4.9, LG-13.29: free of charge, a pig among them."""
    after = taking(5, "upgrade_2", give_goods(A, pig=1, olive=2)).when(
        A, a.UpgradeResource("pig", "pen"), a.UpgradeResource("olive", "store")
    )

    assert [(each.good, each.silver) for each in after.of(e.ResourceUpgraded)] == [("meat", 0), ("food", 0)]
    assert after.of(e.DieResolved) == (e.DieResolved(A, 5, "chosen"),)


def test_space_5_upgrades_up_to_two_with_one_resource() -> None:
    """LG-13.17."""
    after = taking(5, "upgrade_2", give_goods(A, grape=1)).when(A, a.UpgradeResource("grape", "store"))

    assert after.of(e.ResourceUpgraded, e.DieResolved) == (
        e.ResourceUpgraded(A, "grape", "store", "wine", 0),
        e.DieResolved(A, 5, "chosen"),
    )


def test_space_5_upgrades_one_and_advances_one_step() -> None:
    """LG-4.9."""
    after = taking(5, "upgrade_1_siesta_1", give_goods(A, grape=2)).when(A, a.UpgradeResource("grape", "store"))

    assert after.of(e.ResourceUpgraded, e.SiestaAdvanced) == (
        e.ResourceUpgraded(A, "grape", "store", "wine", 0),
        e.SiestaAdvanced(A, 1),
    )
    assert after.position.legal(A, a.UpgradeResource) == ()


def test_space_5_advances_two_steps() -> None:
    """LG-4.9: the only option without a resource."""
    assert resolving(5).legal(A, a.TakeOption) == (a.TakeOption("siesta_2"),)
    assert taking(5, "siesta_2").of(e.SiestaAdvanced) == (e.SiestaAdvanced(A, 2),)


def test_siesta_steps_in_phase_ii_do_not_change_the_turn_order() -> None:
    """LG-4.11: A arrives on top of B, and the order is still A, B."""
    after = taking(5, "siesta_2", e.SiestaAdvanced(B, 2))

    assert after.state.siesta[2] == (A, B)
    assert after.state.order == (A, B)


def test_space_6_delivers_or_brings_2_silver() -> None:
    """LG-4.10: an ordinary delivery."""
    effects = (lay_cards(A, "barrow", 1), give_goods(A, olive=1))
    assert resolving(6, *effects).legal(A, a.TakeOption) == (a.TakeOption("delivery_1"), a.TakeOption("silver_2"))

    after = taking(6, "delivery_1", *effects).when(A, a.DeliverToBarrow("olive", "store", 1))
    assert after.of(e.Delivered) == (e.Delivered(A, "olive", "store", 0, 1, 0, 2),)
    assert taking(6, "silver_2", *effects).state.farms[A].silver == 2


def test_a_commodity_may_be_delivered_in_phase_ii() -> None:
    """LG-13.26: by die 6 to the Merchant House."""
    after = taking(6, "delivery_1").when(A, a.DeliverToBuilding("trade_commodity", "space", 1))

    assert after.of(e.Delivered) == (e.Delivered(A, "trade_commodity", "space", 1, 0, 0, 3),)


def test_rewards_of_a_barrow_completed_by_die_6() -> None:
    """LG-6.2.8, LG-13.28: VP, commodity and stall at once, in phase II."""
    after = taking(6, "delivery_1", lay_cards(A, "barrow", 1), load_barrow(A, 1, "grape"), give_goods(A, olive=1)).when(
        A, a.DeliverToBarrow("olive", "store", 1)
    )

    assert e.GoodGained(A, "vp", 2, "", "barrow") in after.effects
    assert after.state.step == "first_dice"


def test_the_last_die_is_resolved_by_all_in_turn_order() -> None:
    """LG-4.3."""
    position = lay_table(
        give_goods(A, trade_commodity=1),
        e.DiceRolled((4,)),
        last_of("second_dice", DieWindow(A)),
        seats=3,
        order=(2, 0, 1),
    )

    outcome = position.when(A, a.Pass())
    for seat in (C, A, B):
        assert la_granja.seats_to_act(outcome.state) == (seat,)
        outcome = outcome.when(seat, a.TakeOption("silver_4"), a.Pass())

    assert [farm.silver for farm in outcome.state.farms] == [4, 4, 4]


def test_a_window_follows_every_die() -> None:
    """LG-2.1.1: the silver of the die can pay for an upgrade at once."""
    position = lay_table(e.DiceRolled((4, 5)), give_goods(A, olive=1), step("first_dice", DieChoice(A), DieChoice(B)))

    after = position.when(A, a.TakeDie(4), a.TakeOption("silver_4")).position

    assert la_granja.seats_to_act(after.state) == (A,)
    assert after.legal(A)[0] == a.Pass()
    assert a.UpgradeResource("olive", "store") in after.legal(A)


def test_the_dice_leave_the_board_before_phase_iii() -> None:
    """LG-4.1: they are rolled again in the next round."""
    position = lay_table(
        give_goods(A, trade_commodity=1), e.DiceRolled((4, 5)), e.DieTaken(A, 5), last_of("last_die", DieWindow(A))
    )

    after = position.when(A, a.Pass()).state

    assert (after.dice, after.farms[A].dice, after.step) == ((), (), "donkeys")


def test_drawing_without_any_card_left_draws_nothing() -> None:
    """LG-0.10: the task ends without effect."""
    position = lay_table(
        give_goods(A, trade_commodity=1),
        lay_cards(B, "field", *range(1, 67)),
        step("first_dice", DieWindow(A), CardDraw(A, 1)),
    )

    position.when(A, a.Pass()).then()
    assert siesta_space(opening(2)[0], A) == 0
