"""Helpers about prices and selling."""

import pytest

from domain.kernel.rules import HOUSE, IllegalAction
from domain.la_granja import actions as a
from domain.la_granja import effects as e
from domain.la_granja.agenda import DieWindow, SaleOwed
from tests.la_granja.table import A, B, has, laid, step, table

WINDOW = step("first_dice", DieWindow(A))


@pytest.mark.parametrize(("resource", "price"), [("olive", 1), ("grain", 1), ("grape", 2), ("pig", 3)])
def test_chef(resource: str, price: int) -> None:
    """Card 1, automatic (LG-10.5): every upgrade that is paid for costs 1 silver less (LG-10.7)."""
    place = "pen" if resource == "pig" else "store"
    position = table(laid(A, "helper", 1), has(A, silver=price, **{resource: 1}), WINDOW)

    after = position.when(A, a.UpgradeResource(resource, place))

    assert after.of(e.ResourceUpgraded)[0].silver == price


def test_chef_works_for_its_owner_only() -> None:
    """Card 1 lies at B's farm."""
    position = table(laid(B, "helper", 1), has(A, silver=1, olive=1), WINDOW)

    position.refuses(A, a.UpgradeResource("olive", "store"), IllegalAction)


def test_chef_ends_when_the_card_leaves() -> None:
    """LG-10.8: card 1 is replaced, and the price is 2 again."""
    position = table(laid(A, "helper", 1), e.CardDiscarded(A, 1, "helper"), has(A, silver=1, olive=1), WINDOW)

    position.refuses(A, a.UpgradeResource("olive", "store"), IllegalAction)


def test_field_hand() -> None:
    """Card 35, automatic: crops are sold straight from fields at the normal price (LG-2.5)."""
    position = table(laid(A, "helper", 35), laid(A, "field", 2, full=True), has(A, olive=1), WINDOW)

    after = position.when(A, a.SellResource("grape", "field"))

    after.then(e.ResourceSold(A, "grape", "field", 1, 2))
    assert not after.state.farms[A].fields[0].full


def test_field_hand_sells_one_crop_at_a_time() -> None:
    """Card 35: of two full grape fields and an olive field one is emptied."""
    position = table(laid(A, "helper", 35), laid(A, "field", 1, 2, 5, full=True), WINDOW)

    after = position.when(A, a.SellResource("grape", "field"))

    assert [field.full for field in after.state.farms[A].fields] == [True, False, True]


def test_field_hand_in_the_final_sale() -> None:
    """LG-13.20, LG-8.2: two grapes and an olive on fields bring 5 silver, 1 VP."""
    position = table(
        laid(A, "helper", 35), laid(A, "field", 1, 2, 5, full=True), e.StepBegun(6, "sale", (SaleOwed(HOUSE),))
    )

    position.when(HOUSE, a.FinalSale()).then(
        e.ResourceSold(A, "olive", "field", 1, 1),
        e.ResourceSold(A, "grape", "field", 2, 4),
        e.SilverExchanged(A, 5, 1),
    )
