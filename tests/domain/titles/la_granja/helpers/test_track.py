"""Helpers about the siesta track and the donkey tiles."""

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieWindow, DonkeyAdvance, DonkeyChoice
from domain.titles.la_granja.helpers import reactions
from domain.titles.la_granja.phases.rounds import begin_next_step
from tests.domain.titles.la_granja.table import A, B, give_goods, last_of, lay_cards, lay_table, step
from tests.scenario import Outcome


@pytest.mark.parametrize(("space", "vp"), [(1, 0), (2, 1)])
def test_innkeeper(space: int, vp: int) -> None:
    """Card 9, automatic in step IV.2: 1 VP on space 2 or higher, in addition to LG-7.2."""
    position = lay_table(
        lay_cards(A, "helper", 9), e.SiestaAdvanced(A, space), last_of("market_scoring", DieWindow(A), round=2)
    )
    state = la_granja.evolve(position.state, e.Planned(A, 1))

    begun = begin_next_step(state, position.chance)[0]
    after = la_granja.evolve(state, begun)

    assert reactions(after, begun) == ((e.GoodGained(A, "vp", 1, "", "helper"),) if vp else ())


def moving(*effects: object) -> Outcome:
    """Advance A, who has 2 hats on the donkey tile, after B has closed a window."""
    chosen = [e.DonkeyChosen(A, Hidden(2, (A,))), e.DonkeysRevealed((2, 1))]
    position = lay_table(
        lay_cards(A, "helper", 24),
        *effects,
        chosen,
        give_goods(B, trade_commodity=1),
        step("siesta", DieWindow(B), DonkeyAdvance(A)),
    )
    return position.when(B, a.Pass())


def test_herald() -> None:
    """Card 24, triggered: 1 silver for one more step of the same move; the marker is placed once (LG-5.2.2)."""
    pending = moving(give_goods(A, silver=1))
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(24))

    pending.when(A, a.UseHelper(24)).then(
        e.HelperUsed(A, 24, True), e.GoodPaid(A, "silver", 1, "", "helper"), e.SiestaAdvanced(A, 3)
    )
    pending.when(A, a.Decline()).then(e.SiestaAdvanced(A, 2))


@pytest.mark.parametrize("effects", [[], [give_goods(A, silver=1), e.SiestaAdvanced(A, 2)]])
def test_herald_is_not_offered(effects: list[object]) -> None:
    """Card 24: without silver, or if the move ends on the last space anyway (LG-5.2.2)."""
    assert moving(*effects).of(e.SiestaAdvanced) == (e.SiestaAdvanced(A, 4 if effects else 2),)


def test_donkey_breeder() -> None:
    """Card 40, before the choice of step III.1: 2 silver to take back a used tile, which can be chosen at once."""
    used = [e.DonkeyUsed(A, 4), e.DonkeyUsed(A, 3)]
    position = lay_table(
        lay_cards(A, "helper", 40),
        used,
        give_goods(A, silver=2),
        step("donkeys", DonkeyChoice(A), DonkeyChoice(B), round=3),
    )
    position.refuses(A, a.ChooseDonkey(4), IllegalAction)

    after = position.when(A, a.UseHelper(40), a.RecoverDonkey(4))

    assert after.of(e.GoodPaid, e.DonkeyRecovered) == (
        e.GoodPaid(A, "silver", 2, "", "helper"),
        e.DonkeyRecovered(A, 4),
    )
    assert a.ChooseDonkey(4) in after.position.legal(A)


def test_donkey_breeder_neither_delays_nor_reveals_other_choices() -> None:
    """LG-5.1.1: B can choose while A uses the helper, and B's choice stays hidden."""
    position = lay_table(
        lay_cards(A, "helper", 40),
        [e.DonkeyUsed(A, 4), e.DonkeyUsed(A, 3)],
        give_goods(A, silver=2),
        step("donkeys", DonkeyChoice(A), DonkeyChoice(B), round=3),
    )

    pending = position.when(A, a.UseHelper(40))
    assert {A, B} <= set(la_granja.seats_to_act(pending.state))
    after = pending.when(B, a.ChooseDonkey(2)).when(A, a.RecoverDonkey(3))

    assert la_granja.view(after.state, A).farms[B].donkey is None
    assert la_granja.view(after.state, A).farms[B].has_donkey
    assert A in la_granja.seats_to_act(after.state)
    assert B not in la_granja.seats_to_act(after.state)
