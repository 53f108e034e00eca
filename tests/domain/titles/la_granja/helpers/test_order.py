"""Several helpers of one owner with the same trigger (LG-10.7), and the pairs whose order matters."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from operator import attrgetter
from typing import Any, Final, NamedTuple

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.values import replace
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.adjustments import ADJUSTMENTS, Number, adjust
from domain.titles.la_granja.agenda import DieResolution, Income
from domain.titles.la_granja.cards import CARDS, Card
from domain.titles.la_granja.components import BUILDINGS
from domain.titles.la_granja.decide import settle_all
from domain.titles.la_granja.effects import Effect
from domain.titles.la_granja.helpers import HELPERS, reactions
from domain.titles.la_granja.state import RESOURCES, State
from tests.domain.titles.la_granja.table import (
    A,
    B,
    cell_at,
    deal_cards,
    deck_with,
    fill_row,
    give_goods,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position

MARKERS: Final = 25
NUMBER: Final = attrgetter("card")
EDITIONS: Final = ("deluxe", "original")


class Event(NamedTuple):
    """An event of seat A with the effects before it, its step and its rounds."""

    name: str
    event: Effect
    before: tuple[Any, ...] = ()
    step: str = "first_dice"
    rounds: tuple[int, ...] = (3,)


def events() -> Iterator[Event]:
    """Yield every event that triggers helpers."""
    upgradeable = give_goods(A, olive=1, pig=1)
    row = BUILDINGS[2].row
    nearly = (
        *upgradeable,
        *fill_row(A, 2, row, 0, 2),
        *give_goods(A, wine=1, vp=2),
        deal_cards(A, 9),
        e.SiestaAdvanced(A, 1),
    )
    for pips in range(1, 7):
        yield Event(f"die {pips} chosen", e.DieResolved(A, pips, "chosen"), nearly, rounds=(1, 2, 3, 4, 5, 6))
        yield Event(f"die {pips} last", e.DieResolved(A, pips, "last"), nearly)
    for good, card in (("olive", 9), ("wine", 48), ("meat", 33), ("pig", 2)):
        place = "pen" if good == "pig" else "store"
        event = e.Delivered(A, good, place, 0, card, CARDS[card].barrow.goods.index(good), 2)
        yield Event(f"delivered {good}", event, (*lay_cards(A, "barrow", card), *give_goods(A, **{good: 1})))
    rivals = [e.StallPlaced(B, cell_at(2, -1, 0))]
    for removed in (0, 1):
        settled = e.StallSettled(A, cell_at(2, 0, -1), removed)
        yield Event(f"settled {removed}", settled, (*rivals, e.StallPlaced(A, settled.cell)))
    cell = cell_at(2, 0, 0)
    yield Event("robbed", e.StallRemoved(B, cell, A), (e.StallPlaced(A, cell),))
    yield Event("barrow", e.BarrowCompleted(A, 1), (*lay_cards(A, "barrow", 1), *load_barrow(A, 1, "olive", "grape")))
    yield Event("building", e.BuildingCompleted(A, 2), tuple(fill_row(A, 2, row, 0, 1, 2)))
    yield Event("field", e.CardPlayed(A, 9, "field", "grain"), (deal_cards(A, 9),))
    yield Event("roof", e.RoofBought(A, "D11", 0), (e.RoofsRevealed(("D11",)),), "roofs")
    for resource, good in (("olive", "food"), ("grape", "wine")):
        yield Event(
            f"upgrade {resource}",
            e.ResourceUpgraded(A, resource, "store", good, 0),
            tuple(give_goods(A, **{resource: 1})),
        )
    for moment, name in (("grown", "growth"), ("advancing", "siesta"), ("delivered", "free_deliveries")):
        fields = lay_cards(A, "field", 9) if moment == "grown" else give_goods(A, silver=2)
        yield Event(moment, e.MomentReached(A, moment, 1), tuple(fields), name)
    for name in ("roll", "market_scoring", "siesta_scoring"):
        stalls = [e.StallPlaced(A, each) for each in range(3)]
        yield Event(name, step(name, round=3), (*stalls, e.SiestaAdvanced(A, 3)), name)


def position(moment: Event, lying: Sequence[int], round: int, edition: str = "deluxe", spare: int = MARKERS) -> State:
    """Return the state right after the event, with at most `spare` markers in A's supply."""
    before = [*lay_cards(A, "helper", *lying), *moment.before]
    reached = lay_table(*before, step(moment.step, round=round), edition=edition).state
    filler = reached.farms[A].markers - spare
    if filler > 0:
        reached = la_granja.evolve(reached, e.GoodGained(A, "meat", filler, "store", "test"))
    return la_granja.evolve(reached, moment.event)


def settle_state(state: State, caused: Sequence[Effect]) -> State:
    """Return the state of the next decision after the caused effects."""
    for effect in settle_all(state, tuple(caused), SeededChance(bytes(32))):
        state = la_granja.evolve(state, effect)
    return state


def final_states(state: State, seen: set[State]) -> Iterator[State]:
    """Yield every final state reachable from `state`; states with a decision are added to `seen`."""
    waiting = [state]
    found = set[State]()
    while waiting:
        asked = waiting.pop()
        if asked in found or asked in seen:
            continue
        (seat,) = la_granja.seats_to_act(asked)
        if seat == SERVICE_SEAT:
            found.add(asked)
            yield asked
            continue
        seen.add(asked)
        for action in la_granja.legal_actions(asked, seat):
            after = asked
            for effect in la_granja.decide(asked, seat, action, SeededChance(bytes(32))):
                after = la_granja.evolve(after, effect)
            waiting.append(after)


def reaction_of(state: State, event: Effect, card: Card) -> Sequence[Effect]:
    """Return the reaction of this helper alone, if it is still at the farm and not exhausted."""
    react = HELPERS[card.helper.kind].reacts.get(type(event))
    lies = any(each.card == card.number and not each.exhausted for each in state.farms[A].helpers)
    works = {"any", la_granja.phase(state).split("/")[1]} & set(card.helper.phases)
    return react(state, A, card, event) if react and lies and works else ()


def in_this_order(state: State, event: Effect, first: int, second: int) -> set[State]:
    """Return all final states if the first helper finishes before the second begins."""
    halfway = final_states(settle_state(state, reaction_of(state, event, CARDS[first])), set())
    return {
        end
        for each in halfway
        for end in final_states(settle_state(each, reaction_of(each, event, CARDS[second])), set())
    }


def as_played(state: State, event: Effect) -> tuple[set[State], set[State]]:
    """Return all final states under the rules, and the states with a decision."""
    seen = set[State]()
    return set(final_states(settle_state(state, reactions(state, event)), seen)), seen


def outcomes(found: set[State]) -> set[State]:
    """Return the states with the helpers of each farm sorted by card number."""
    return {
        replace(
            state, farms=tuple(replace(farm, helpers=tuple(sorted(farm.helpers, key=NUMBER))) for farm in state.farms)
        )
        for state in found
    }


def triggered_helpers(moment: Event) -> tuple[int, ...]:
    """Return the helpers that the event triggers."""
    return tuple(
        number
        for number, card in CARDS.items()
        if reaction_of(position(moment, (number,), moment.rounds[0]), moment.event, card)
    )


def pairs() -> Iterator[tuple[Event, int, int]]:
    """Yield every pair of helpers with the same trigger."""
    for moment in events():
        for first, second in combinations(triggered_helpers(moment), 2):
            yield moment, first, second


def offers_the_order(asked: set[State], first: int, second: int) -> bool:
    """Return whether the owner can choose which of the two helpers is first."""
    both = {a.UseHelper(first), a.UseHelper(second)}
    return any(both <= set(la_granja.legal_actions(state, A)) for state in asked)


SPARE: Final = (0, 1, 9)
"""Markers left at the event; with few of them an order can matter that otherwise does not (LG-0.9)."""

BOTH_WAYS = pytest.mark.parametrize("lying", [(6, 21), (21, 6)], ids=["merchant-first", "drover-first"])


def position_after_option(
    lying: tuple[int, ...], pips: int, option: str, *effects: object, round: int, deck: str = "standard"
) -> Position:
    """Return a position in which A has these helpers and 1 VP and has taken an option of a chosen die."""
    die = step("first_dice", DieResolution(A, pips=pips), round=round)
    position = lay_table(lay_cards(A, "helper", *lying), give_goods(A, vp=1), *effects, die, deck=deck)
    return position.when(A, a.TakeOption(option)).position


@BOTH_WAYS
def test_drover_before_merchant_provides_the_olive_to_upgrade(lying: tuple[int, ...]) -> None:
    """LG-10.7, cards 21 and 6, round 5: independent of the order in which the cards were played."""
    position = position_after_option(lying, 1, "pig_1", round=5)
    assert set(position.legal(A)) == {a.Decline(), a.UseHelper(6), a.UseHelper(21)}

    after = position.when(
        A,
        a.UseHelper(21),
        a.TakeGood("olive"),
        a.UseHelper(6),
        a.TakeOption("upgrade_2"),
        a.UpgradeResource("olive", "store"),
    )

    assert (after.state.farms[A].olive, after.state.farms[A].food) == (0, 1)


@BOTH_WAYS
def test_merchant_before_drover_leaves_the_crop_for_later(lying: tuple[int, ...]) -> None:
    """LG-10.7, cards 6 and 21: the Drover applies automatically after the Merchant's space."""
    position = position_after_option(lying, 1, "pig_1", round=5)

    upgraded = position.when(A, a.UseHelper(6), a.TakeOption("upgrade_2")).position
    assert upgraded.legal(A) == (a.Pass(), a.UpgradeResource("pig", "pen"))
    after = upgraded.when(A, a.Pass())

    assert after.position.legal(A) == (a.TakeGood("olive"), a.TakeGood("grain"))


@BOTH_WAYS
def test_the_drover_s_crop_can_be_delivered_by_the_merchant_in_round_6(lying: tuple[int, ...]) -> None:
    """LG-10.7."""
    position = position_after_option(lying, 1, "pig_1", lay_cards(A, "barrow", 1), round=6)

    after = position.when(
        A,
        a.UseHelper(21),
        a.TakeGood("olive"),
        a.UseHelper(6),
        a.TakeOption("delivery_1"),
        a.DeliverToBarrow("olive", "store", 1),
    )

    assert after.of(e.Delivered) == (e.Delivered(A, "olive", "store", 0, 1, 0, 2),)


@BOTH_WAYS
def test_the_drover_applies_automatically_after_a_declined_merchant(lying: tuple[int, ...]) -> None:
    """LG-10.5: the Drover is automatic, so no choice of order is left."""
    after = position_after_option(lying, 1, "pig_1", round=5).when(A, a.Decline())

    assert after.position.legal(A) == (a.TakeGood("olive"), a.TakeGood("grain"))


def test_a_drover_replaced_before_its_turn_brings_nothing() -> None:
    """LG-10.8, LG-10.7: the Merchant's space lets the owner play a helper that replaces the Drover."""
    position = position_after_option((6, 21, 8), 1, "pig_1", deal_cards(A, 9), round=2)

    after = position.when(A, a.UseHelper(6), a.TakeOption("play_card"), a.PlayCard(9, "helper"), a.ReplaceCard(21))

    assert after.of(e.GoodGained) == ()
    assert after.position.legal(A) == ()


@pytest.mark.parametrize(("round", "is_asked"), [(1, False), (2, True), (3, False), (4, False), (5, False), (6, False)])
def test_tax_collector_waits_if_silver_can_be_spent(round: int, is_asked: bool) -> None:
    """LG-10.7, cards 16 and 6: only a farm extension of space 2 can be paid with the 2 silver."""
    position = position_after_option((6, 16), 4, "silver_4", give_goods(A, olive=1), deal_cards(A, 9), round=round)

    assert (a.UseHelper(16) in position.legal(A)) is is_asked


@pytest.mark.parametrize(("round", "is_asked"), [(1, False), (2, False), (4, False), (5, False), (6, True)])
def test_dreamer_waits_if_a_wainwright_can_be_completed(round: int, is_asked: bool) -> None:
    """LG-10.7, cards 47 and 6: a delivery that completes the Wainwright takes the VP of the siesta space."""
    position = position_after_option((6, 47), 5, "siesta_2", give_goods(A, olive=1), round=round)

    assert (a.UseHelper(47) in position.legal(A)) is is_asked


def test_tax_collector_waits_in_a_deck_with_silver_symbols() -> None:
    """LG-10.7, LG-6.1.2: in round 6 the Merchant's space can deliver the 2 silver."""
    deck = deck_with(('goods = ["olive", "grape"]', 'goods = ["silver", "grape"]'))

    assert a.UseHelper(16) in position_after_option((6, 16), 4, "silver_4", round=6, deck=deck).legal(A)
    assert a.UseHelper(16) not in position_after_option((6, 16), 4, "silver_4", round=5, deck=deck).legal(A)


def test_a_bonus_of_vp_waits_for_the_merchant_s_price() -> None:
    """LG-10.7, LG-10.9: in another deck the Tax Collector brings the VP that the Merchant costs."""
    deck = deck_with(("params = { space = 4, silver = 2 }", "params = { space = 4, vp = 2 }"))

    position = position_after_option((6, 16), 4, "silver_4", round=3, deck=deck)
    assert a.UseHelper(16) in position.legal(A)

    assert position.when(A, a.UseHelper(16)).state.farms[A].vp == 3


@pytest.mark.parametrize(
    ("moment", "first", "second"), list(pairs()), ids=lambda each: each.name if isinstance(each, Event) else str(each)
)
def test_play_covers_both_orders_of_every_pair(moment: Event, first: int, second: int) -> None:
    """LG-10.7: play reaches the results of both orders, and offers the order exactly if it can matter."""
    both_ask = all(CARDS[number].helper.mode == "triggered" for number in (first, second))
    for round, edition in product(moment.rounds, EDITIONS):
        matters, is_asked = False, False
        for spare in SPARE:
            state = position(moment, (first, second), round, edition, spare)
            one = in_this_order(state, moment.event, first, second)
            other = in_this_order(state, moment.event, second, first)
            ends, asked = as_played(state, moment.event)
            assert ends == one | other, f"round {round}, {edition}, {spare} markers to spare"
            turned = position(moment, (second, first), round, edition, spare)
            assert outcomes(as_played(turned, moment.event)[0]) == outcomes(ends), "the order of laying counts"
            matters = matters or one != other
            is_asked = is_asked or offers_the_order(asked, first, second)
        assert is_asked == (matters or both_ask), f"round {round}, {edition}"


def test_the_pairs_are_all_helpers_with_a_common_trigger() -> None:
    """LG-10.7: the tested events trigger every helper that reacts, and give these pairs."""
    reacting = {number for number, card in CARDS.items() if HELPERS[card.helper.kind].reacts}

    assert {number for moment in events() for number in triggered_helpers(moment)} == reacting
    assert {(first, second) for _, first, second in pairs()} == {
        (6, 16), (6, 21), (6, 47), (16, 42), (21, 42), (42, 47),
        (54, 63), (55, 63), (2, 33), (32, 58),
    }  # fmt: skip


@pytest.mark.parametrize("number", Number, ids=lambda number: number.name)
def test_number_adjustments_commute(number: Number) -> None:
    """LG-10.7: two helpers give the same number in either order."""
    changing = [card for card in CARDS.values() if card.helper.kind in ADJUSTMENTS[number]]
    for one, other in combinations(changing, 2):
        for base, about in product(range(7), (*RESOURCES, 1, 2, 3, 4, 5, 6)):
            first, second = (
                adjust(lay_table(lay_cards(A, "helper", *lying)).state, A, number, base, about)
                for lying in ((one.number, other.number), (other.number, one.number))
            )
            assert first == second


@pytest.mark.parametrize("pair", list(combinations((34, 36, 37, 48), 2)), ids=str)
@pytest.mark.parametrize("spare", SPARE)
def test_income_helpers_commute(pair: tuple[int, int], spare: int) -> None:
    """LG-10.7, LG-0.9: with too few markers, both orders allow the same results."""
    field = lay_cards(A, "field", 2)
    one, other = (
        position(Event("income", step("income", Income(A)), tuple(field), "roofs"), lying, 3, "original", spare)
        for lying in (pair, pair[::-1])
    )

    assert outcomes(set(final_states(settle_state(one, ()), set()))) == outcomes(
        set(final_states(settle_state(other, ()), set()))
    )
