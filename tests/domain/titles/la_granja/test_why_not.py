"""Reasons why nothing can be chosen at a part: general properties, and the rule each refusal names."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.titles import la_granja
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import effects as e
from domain.titles.la_granja import parts
from domain.titles.la_granja.actions import TakeBackMarker
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.components import ROOF_TILES
from domain.titles.la_granja.components_market import market_of
from domain.titles.la_granja.refusals.general import TASK_REASONS
from domain.titles.la_granja.spaces import SPACES
from domain.titles.la_granja.state import COMMODITY, CROPS, FARM_GOODS, State
from tests.domain.titles.la_granja.refused_positions import FOURS, POSITIONS, tile
from tests.domain.titles.la_granja.table import (
    A,
    deal_cards,
    give_goods,
    lay_table,
    random_match,
    step,
)
from tests.seeding import IS_EXPLORING

GOODS: Final = (*FARM_GOODS, COMMODITY)
SIDES: Final = ("field", "barrow", "extension", "helper")
TABLES: Final[tuple[tuple[int, int, Mapping[str, Any]], ...]] = (
    (1, 4, {}),
    (2, 1, {}),
    (2, 6, {"options": {"edition": "original", "extra_deliveries": "at_once"}}),
    (3, 8, {"markers": 12}),
    (4, 3, {}),
)


def parts_of(state: State, seat: Seat) -> list[str]:
    """Return every part that the table can have in this state, and some that it never has."""
    farm = state.farms[seat]
    return [
        *(f"hand-{card}" for card in farm.hand),
        *(f"hand-{card}-{side}" for card in farm.hand for side in SIDES),
        *(f"laid-{helper.card}" for helper in farm.helpers),
        *(f"laid-{barrow.card}" for barrow in farm.barrows),
        *(f"laid-{card}" for card in farm.extensions),
        *(f"store-{good}" for good in GOODS),
        *(f"{place}-{crop}" for place in ("field", "helper_field") for crop in CROPS),
        *(f"roof-{id}" for id in (*state.roofs, *(roof.tile for roof in farm.roofs), "gone")),
        *(f"{kind}-{pips}" for kind in ("die", "space", "donkey") for pips in SPACES),
        *(f"option-{option}" for option in parts.DRAWN_OPTIONS),
        *(f"building-{building}-{good}" for building in SPACES for good in GOODS),
        *(f"barrow-{barrow.card}-{good}" for barrow in farm.barrows for good in GOODS),
        *(f"stall-{cell}" for cell in range(len(state.stalls))),
        *(parts.PILE, parts.GROWTH, parts.EXTRA_DELIVERIES),
        *("helper-meat", "mark-1", "building-99-olive", "building", "barrow-99-olive", "stall-999", "moon"),
    ]


@pytest.mark.parametrize(("seats", "seed", "more"), TABLES)
def test_a_part_has_a_reason_exactly_if_no_legal_action_belongs_to_it(
    seats: int, seed: int, more: Mapping[str, Any]
) -> None:
    for state, _ in list(random_match(seats, seed, **more))[:: 1 if IS_EXPLORING else 8]:
        for seat in map(Seat, range(seats)):
            legal = {parts.part_of(action) for action in la_granja.legal_actions(state, seat)}
            for part in parts_of(state, seat):
                assert (la_granja.why_not(state, seat, part) is None) == (part in legal), (state.step, part)


@pytest.mark.parametrize(("seats", "seed", "more"), TABLES)
def test_a_reason_depends_only_on_the_seat_s_view(seats: int, seed: int, more: Mapping[str, Any]) -> None:
    for state, _ in list(random_match(seats, seed, **more))[:: 1 if IS_EXPLORING else 12]:
        for seat in map(Seat, range(seats)):
            imagined = la_granja.imagine(la_granja.view(state, seat), SeededChance(bytes(32)))
            for part in parts_of(state, seat):
                assert la_granja.why_not(imagined, seat, part) == la_granja.why_not(state, seat, part), part


def test_every_task_has_a_reason() -> None:
    assert set(TASK_REASONS) == set(get_args(t.AnyTask)) - t.AUTOMATIC - {t.SaleOwed}


@pytest.mark.parametrize(
    ("place", "good", "number", "part"),
    [
        ("barrow", "olive", 7, "barrow-7-olive-taken"),
        ("row", "olive", 2, "building-2-olive-taken"),
        ("mark", "", 3, "mark-3"),
        ("market", "", 12, "stall-12"),
        ("field", "grain", 0, "field-grain"),
        ("pen", "pig", 0, "store-pig"),
    ],
)
def test_the_part_of_a_marker_taken_back(place: str, good: str, number: int, part: str) -> None:
    """LG-0.9."""
    assert parts.part_of(TakeBackMarker(place, good, number)) == part


REFUSALS: Final = """
cards         hand-1-extension      LG-3.1.4
cards         hand-1                LG-3.1.1
cards         pile                  LG-3.1.8
cards         growth                LG-3.3.1
cards         store-olive           LG-2.4
cards         moon                  LG-3.1.1
cards played  hand-1-field          LG-3.1.1
draw          pile                  LG-0.10
draw          hand-1-extension      LG-3.1.4
draw          store-olive           LG-3.1.9
discard       hand-1-field          LG-3.1.8
discard       store-olive           LG-3.1.8
paying        store-silver          LG-3.1.4
paying        hand-1                LG-3.1.4
replacing     laid-4                LG-3.1.6
replacing     pile                  LG-3.1.6
growth        growth                LG-3.3.1
no field      growth                LG-3.3.1
no field      store-pig             LG-2.4
roofs         roof-D11              LG-3.4.2
roofs         pile                  LG-3.1.9
roof bought   roof-D11              LG-3.4.1
roofs full    roof-D11              LG-3.4.4
roofs full    roof-D99              LG-3.4.1
die           die-2                 LG-4.2
die           space-3               LG-4.2
die           option-silver_4       LG-4.2
die           roof-D11              LG-3.4.1
die           hand-7-field          LG-3.1.1
die           hand-7                LG-3.1.1
die           donkey-2              LG-5.1.1
die           building-1-olive      LG-5.3.1
die           stall-1               LG-6.4.1
die           store-meat            LG-0.3
die           store-vp              LG-4.2
die           extra-deliveries      LG-5.4.1
die           mark-1                LG-0.9
kept die      die-1                 LG-10.5
space 2       option-play_card      LG-4.6
space 2       option-silver_4       LG-4.2
space 2       die-1                 LG-4.2
space 5       option-upgrade_2      LG-4.9
space 5       option-siesta_2       LG-5.2.2
space 6       option-delivery_1     LG-4.10
porter        option-silver_2       LG-4.4
porter        store-olive           LG-4.2
after         option-silver_2       LG-2.1.1
after         store-olive           LG-2.4
after         field-olive           LG-2.7
after         helper-meat           LG-6.1.1
bought out    store-olive           LG-2.4
field         field-olive           LG-2.5
donkeys       donkey-2              LG-5.1.2
donkeys       die-2                 LG-4.2
donkeys       option-silver_4       LG-4.2
donkeys       space-2               LG-4.2
donkeys       store-trade_commodity LG-2.3
chosen        donkey-1              LG-5.1.1
free          building-2-grain      LG-6.2.1
free          building-1-grain      LG-6.2.4
free          building-3-wine       LG-6.1.1
free          stall-1               LG-6.4.1
free          donkey-1              LG-5.1.1
free done     barrow-1-olive        LG-5.3.1
free done     barrow-9-olive        LG-5.3.1
barrow        barrow-1-olive        LG-6.1.1
extra         barrow-1-olive        LG-5.4.1
extra done    barrow-1-olive        LG-5.4.1
bought        barrow-1-olive        LG-5.4.1
buying        extra-deliveries      LG-5.4.1
buying        building-1-olive      LG-5.3.1
die 6         barrow-2-pig          LG-6.1.1
die 6         store-olive           LG-6.1.1
stall         stall-999             LG-1.1
stall         stall-{five}          LG-6.4.1
stall         stall-{four}          LG-6.4.3
own stall     stall-{four}          LG-6.4.4
free stall    stall-{four}          LG-9.7
upgrade       store-pig             LG-2.6
upgrade       store-vp              LG-2.6
upgrade       field-olive           LG-2.6
upgrade       growth                LG-2.6
goods         store-grain           LG-2.1
goods         roof-D11              LG-2.1
goods         extra-deliveries      LG-2.1
goods         pile                  LG-2.1
goods         stall-1               LG-2.1
goods         donkey-1              LG-2.1
goods         building-1-olive      LG-2.1
goods         helper-meat           LG-2.1
helpers       laid-12               LG-10.2
helpers       laid-19               LG-10.1
helpers       laid-1                LG-10.5
helpers       laid-2                LG-6.3.1
helpers       laid-3                LG-3.1.7
idle helper   laid-4                LG-2.1
offer         laid-4                LG-10.5
shortage      stall-1               LG-0.9
shift         space-1               LG-9.5
turning       roof-{flip_roof}      LG-9.4
turning       roof-{pig}            LG-9.4
goods owning  roof-{pig}            LG-2.1
tile used     roof-{pig}            LG-9.1
tile delivery roof-{delivery}       LG-9.2
tile nothing  roof-{delivery}       LG-6.1.1
tile donkeys  roof-{delivery}       LG-2.1.1
tile upgrade  roof-{upgrade_1}      LG-2.6
tile paid     roof-{paid_delivery}  LG-9.9
tile flip     roof-{flip_roof}      LG-9.4
tile siesta   roof-{siesta_1}       LG-5.2.2
tile die      roof-{die_1}          LG-9.5
tile income   roof-{income}         LG-9.6
tile double   roof-{double_roof_vp} LG-9.8
solo          die-3                 LG-4.2
over          pile                  LG-8.1
sale          pile                  LG-8.2
crafted       pile                  LG-2.2
"""
NAMES: Final = {
    "four": FOURS[0],
    "five": market_of(2, "deluxe").by_value[5][0],
    **{effect: tile(effect) for effect in {each.effect for each in ROOF_TILES.values()}},
}


@pytest.mark.parametrize("row", [line for line in REFUSALS.splitlines() if line])
def test_a_refusal_names_the_rule_that_forbids_the_choice(row: str) -> None:
    name, (part, rule) = row[:14].strip(), row[14:].split()

    refusal = la_granja.why_not(POSITIONS[name].state, Seat(0), part.format_map(NAMES))

    assert refusal is not None
    assert refusal.rule == rule, say(refusal.words)
    assert say(refusal.words).endswith(".")


@pytest.mark.parametrize(
    ("name", "task", "round", "comes_back"),
    [
        ("donkeys", t.DonkeyChoice(A), 3, True),
        ("growth", t.GrowthStep(A), 4, True),
        ("first_dice", t.DieWindow(A), 4, True),
        ("free_deliveries", t.DeliveryStep(A, left=1), 4, False),
        ("donkeys", t.DonkeyChoice(A), 5, False),
        ("growth", t.GrowthStep(A), 6, False),
    ],
)
def test_a_used_donkey_tile_comes_back_in_phase_iii_of_round_4_only(
    name: str, task: AnyTask, round: int, comes_back: bool
) -> None:
    """LG-5.1.2."""
    state = lay_table(e.DonkeyUsed(A, 2), give_goods(A, trade_commodity=1), step(name, task, round=round)).state

    refusal = la_granja.why_not(state, A, "donkey-2")

    assert refusal is not None
    assert ("come back" in say(refusal.words)) == comes_back


@pytest.mark.parametrize(
    ("task", "cards", "sentence"),
    [
        (t.CardChoice(A, may_draw=True), (1, 2), "First play or draw a card."),
        (t.CardChoice(A, may_draw=True), range(1, 67), "First play a card."),
        (t.CardChoice(A, may_draw=False), (1, 2), "First play a card."),
    ],
)
def test_drawing_is_named_only_where_a_card_can_be_drawn(task: AnyTask, cards: Sequence[int], sentence: str) -> None:
    """LG-3.1.9, LG-0.10."""
    refusal = la_granja.why_not(lay_table(deal_cards(A, *cards), step("first_dice", task)).state, A, "store-olive")

    assert refusal is not None
    assert say(refusal.words) == sentence


def test_the_refusal_for_upgraded_goods_mentions_helpers() -> None:
    """LG-0.3: they are not sold, except with a helper such as the Exporter."""
    refusal = la_granja.why_not(POSITIONS["die"].state, A, "store-meat")

    assert refusal is not None
    assert "only a helper can sell them" in say(refusal.words)
