"""Helpers about the market."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieWindow, StallChoice
from domain.titles.la_granja.components_market import market_of
from tests.domain.titles.la_granja.table import A, B, C, cell_at, give_goods, last_of, lay_cards, lay_table, step
from tests.scenario import Position


def test_negotiator() -> None:
    """Card 2, automatic, on an opponent's turn (LG-10.6, LG-2.2): 1 VP for each marker removed."""
    position = lay_table(
        lay_cards(B, "helper", 2),
        e.StallPlaced(B, cell_at(2, 0, 1)),
        e.StallPlaced(B, cell_at(2, 1, 0)),
        step("free_deliveries", StallChoice(A, 5)),
    )

    after = position.when(A, a.PlaceStall(cell_at(2, 1, 1)))

    after.then(
        e.StallPlaced(A, cell_at(2, 1, 1)),
        e.StallRemoved(A, cell_at(2, 0, 1), B),
        e.GoodGained(B, "vp", 1, "", "helper"),
        e.GoodGained(A, "vp", 1, "", "market"),
        e.StallRemoved(A, cell_at(2, 1, 0), B),
        e.GoodGained(B, "vp", 1, "", "helper"),
        e.GoodGained(A, "vp", 1, "", "market"),
    )


def test_negotiator_is_paid_when_a_marker_is_replaced() -> None:
    """Card 2, LG-6.4.3."""
    sixes = [e.StallPlaced(A, cell_at(2, -1, 1)), e.StallPlaced(B, cell_at(2, 2, 0))]
    position = lay_table(
        lay_cards(B, "helper", 2),
        sixes,
        give_goods(A, trade_commodity=1),
        step("first_dice", DieWindow(A), StallChoice(A, 6)),
    )

    after = position.when(A, a.Pass())

    assert e.GoodGained(B, "vp", 1, "", "helper") in after.effects


def test_negotiator_pays_its_owner_only() -> None:
    """LG-10.6: B and C lose a marker, and only C has the helper; both apply before A continues."""
    position = lay_table(
        lay_cards(C, "helper", 2),
        e.StallPlaced(B, cell_at(3, 0, 1)),
        e.StallPlaced(C, cell_at(3, 1, 0)),
        step("free_deliveries", StallChoice(A, 5)),
        seats=3,
    )

    after = position.when(A, a.PlaceStall(cell_at(3, 1, 1)))

    assert [gain.seat for gain in after.of(e.GoodGained) if gain.cause == "helper"] == [C]
    assert la_granja.scores(after.state) == (2, 0, 1)


def stall_beside_lower(*effects: object) -> Position:
    """Return a position in which A places a 5 at (1, 1), next to B's 3 at (0, 1) and 4 at (1, 0)."""
    return lay_table(
        *effects,
        e.StallPlaced(B, cell_at(2, 0, 1)),
        e.StallPlaced(B, cell_at(2, 1, 0)),
        give_goods(A, trade_commodity=1),
        step("free_deliveries", StallChoice(A, 5), DieWindow(A)),
    )


PLACE_STALL = a.PlaceStall(cell_at(2, 1, 1))


def test_smuggler() -> None:
    """Card 33, triggered on an opponent's turn (LG-10.6, LG-2.2): 1 trade commodity, once per round."""
    pending = stall_beside_lower(lay_cards(B, "helper", 33)).when(A, PLACE_STALL)
    assert la_granja.seats_to_act(pending.state) == (B,)
    assert pending.position.legal(B) == (a.Decline(), a.UseHelper(33))

    after = pending.when(B, a.UseHelper(33))

    assert after.state.farms[B].trade_commodity == 1
    assert la_granja.seats_to_act(after.state) == (A,)
    assert la_granja.seats_to_act(pending.when(B, a.Decline()).state) == (A,)


def test_smuggler_and_negotiator() -> None:
    """LG-10.7: both apply to the same event."""
    after = stall_beside_lower(lay_cards(B, "helper", 33, 2)).when(A, PLACE_STALL).when(B, a.UseHelper(33))

    assert (after.state.farms[B].vp, after.state.farms[B].trade_commodity) == (2, 1)


def test_watchman() -> None:
    """Card 38, automatic: the marker on the 3 stays and brings no VP; the marker on the 4 is removed."""
    after = stall_beside_lower(lay_cards(B, "helper", 38)).when(A, PLACE_STALL)

    assert after.of(e.StallRemoved) == (e.StallRemoved(A, cell_at(2, 1, 0), B),)
    assert after.state.farms[A].vp == 1


def test_watchman_against_replacement() -> None:
    """Card 38, LG-6.4.3: the helper does not protect from direct replacement."""
    threes = [cell_at(2, *at) for at in ((0, 1), (1, -1), (1, 2))]
    position = lay_table(
        lay_cards(B, "helper", 38),
        [e.StallPlaced(B, cell) for cell in threes],
        step("free_deliveries", StallChoice(A, 3)),
    )

    after = position.when(A, a.PlaceStall(threes[0]))

    assert after.of(e.StallRemoved) == (e.StallRemoved(A, threes[0], B),)


def test_market_crier() -> None:
    """Card 32, automatic: 2 VP once although two markers are removed; nothing if none is."""
    assert stall_beside_lower(lay_cards(A, "helper", 32)).when(A, PLACE_STALL).state.farms[A].vp == 4
    alone = lay_table(lay_cards(A, "helper", 32), step("free_deliveries", StallChoice(A, 5)))
    assert alone.when(A, PLACE_STALL).state.farms[A].vp == 0


def test_market_crier_when_a_marker_is_replaced() -> None:
    """Card 32, LG-6.4.3: a replaced marker counts as removed."""
    sixes = [e.StallPlaced(B, cell_at(2, *at)) for at in ((-1, 1), (2, 0))]
    position = lay_table(lay_cards(A, "helper", 32), sixes, step("free_deliveries", StallChoice(A, 6)))

    assert position.when(A, a.PlaceStall(cell_at(2, 2, 0))).state.farms[A].vp == 3


def test_market_crier_at_yucata_when_an_own_marker_is_replaced() -> None:
    """Card 32, LG-12.5: an own marker brings its VP but does not count for the helper; a swept marker of B does."""
    sixes = [cell for cell, at in enumerate(market_of(2, "yucata").cells) if at.value == 6]
    four = cell_at(2, 1, 0, "yucata")
    own = [lay_cards(A, "helper", 32), [e.StallPlaced(A, cell) for cell in sixes]]
    placing = step("free_deliveries", StallChoice(A, 6))
    choice = a.PlaceStall(cell_at(2, 2, 0, "yucata"))

    alone = lay_table(*own, placing, edition="yucata").when(A, choice)
    with_another = lay_table(*own, e.StallPlaced(B, four), placing, edition="yucata").when(A, choice)

    assert alone.of(e.StallRemoved) == (e.StallRemoved(A, choice.cell, A),)
    assert alone.state.farms[A].vp == 1
    assert with_another.state.farms[A].vp == 1 + 1 + 2


def stall_beside_a_six(*effects: object) -> Position:
    """Return a position in which A places a 5 at (1, 1), next to B's marker on the 6 at (2, 0)."""
    return lay_table(
        *effects,
        e.StallPlaced(B, cell_at(2, 2, 0)),
        give_goods(A, trade_commodity=1),
        step("free_deliveries", StallChoice(A, 5), DieWindow(A)),
    )


def test_rival_trader() -> None:
    """Card 58, triggered: an adjacent marker worth exactly 1 more is removed too, for 1 VP."""
    pending = stall_beside_a_six(lay_cards(A, "helper", 58)).when(A, PLACE_STALL)
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(58))

    pending.when(A, a.UseHelper(58)).then(
        e.HelperUsed(A, 58, True),
        e.StallRemoved(A, cell_at(2, 2, 0), B),
        e.GoodGained(A, "vp", 1, "", "market"),
    )
    assert pending.when(A, a.Decline()).of(e.StallRemoved) == ()


def test_rival_trader_with_market_crier_and_negotiator() -> None:
    """LG-10.7: the marker removed is the first of the placement, so A's Market Crier and B's Negotiator pay."""
    position = stall_beside_a_six(lay_cards(A, "helper", 58, 32), lay_cards(B, "helper", 2))

    after = position.when(A, PLACE_STALL, a.UseHelper(58))

    assert la_granja.scores(after.state) == (3, 1)


def test_smuggler_is_offered_before_rival_trader() -> None:
    """LG-10.6: B, whose markers were removed, decides first; then A may remove another marker."""
    position = stall_beside_lower(
        lay_cards(A, "helper", 58), lay_cards(B, "helper", 33), e.StallPlaced(B, cell_at(2, 2, 0))
    )

    pending = position.when(A, PLACE_STALL)

    assert la_granja.seats_to_act(pending.state) == (B,)
    after = pending.when(B, a.UseHelper(33))
    assert after.state.farms[B].trade_commodity == 1
    assert after.position.legal(A) == (a.Decline(), a.UseHelper(58))


def test_rival_trader_and_market_crier_pay_once() -> None:
    """Card 32: once per placement, regardless of the number of markers removed."""
    position = stall_beside_lower(lay_cards(A, "helper", 58, 32), e.StallPlaced(B, cell_at(2, 2, 0)))

    after = position.when(A, PLACE_STALL, a.UseHelper(58))

    assert after.state.farms[A].vp == 5


def test_rival_trader_against_watchman() -> None:
    """Cards 58 and 38: the marker on a 3 is protected, so the Rival Trader is not offered."""
    three = cell_at(2, 0, 1)
    position = lay_table(
        lay_cards(A, "helper", 58),
        lay_cards(B, "helper", 38),
        e.StallPlaced(B, three),
        give_goods(A, trade_commodity=1),
        step("free_deliveries", StallChoice(A, 2), DieWindow(A)),
    )

    after = position.when(A, a.PlaceStall(cell_at(2, 0, 0)))

    assert after.position.legal(A, a.UseHelper) == ()


def test_peddler() -> None:
    """Card 39, action in phase III: a marker moves to an adjacent space without removing others or taking VP."""
    position = lay_table(
        lay_cards(A, "helper", 39),
        e.StallPlaced(A, cell_at(2, 0, 1)),
        e.StallPlaced(B, cell_at(2, 0, 0)),
        give_goods(A, trade_commodity=1),
        step("free_deliveries", DieWindow(A)),
    )

    after = position.when(A, a.UseHelper(39), a.MoveStall(cell_at(2, 0, 1), cell_at(2, 1, 1)))

    after.then(e.HelperUsed(A, 39, True), e.StallMoved(A, cell_at(2, 0, 1), cell_at(2, 1, 1)))
    assert after.state.stalls[cell_at(2, 0, 0)] == B
    lay_table(lay_cards(A, "helper", 39), e.StallPlaced(A, 0), step("first_dice", DieWindow(A))).refuses(
        A, a.UseHelper(39), IllegalAction
    )


@pytest.mark.parametrize(("markers", "vp"), [(2, 2), (3, 4)])
def test_market_warden(markers: int, vp: int) -> None:
    """Card 57, automatic in step IV.1: 1 VP more with at least 3 markers on the market (LG-7.1)."""
    stalls = [e.StallPlaced(A, cell) for cell in range(markers)]
    position = lay_table(
        lay_cards(A, "helper", 57), stalls, give_goods(A, trade_commodity=1), last_of("extra_deliveries", DieWindow(A))
    )

    after = position.when(A, a.Pass())

    assert after.state.farms[A].vp == vp
