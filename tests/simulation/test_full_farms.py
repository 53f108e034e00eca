"""Invariants in matches that start with three helpers per farm, covered roofs and few markers left.

Matches from the normal setup rarely reach such positions, and never most pairs of helpers.
"""

import dataclasses
from types import SimpleNamespace
from typing import Any, Final

import pytest

from domain.kernel.chance import Chance
from domain.kernel.rules import Options
from domain.kernel.title import AnyTitle
from domain.titles import la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.holdings import cards_in_play
from domain.titles.la_granja.title import LA_GRANJA
from ops.dev.laws.check import check_match
from tests.domain.titles.la_granja.table import A, B, deal_cards, give_goods, lay_cards

ROOFS: Final = {A: ("D43", "D34", "D33"), B: ("D54", "D52", "D12")}
MARKERS_LEFT: Final = 2


def full_farms(first: int) -> AnyTitle:
    """Return La Granja for two players with full farms; the helpers are undealt cards from number `first` on."""

    def start(options: Options, seats: int, chance: Chance) -> tuple[Any, ...]:
        effects = list(la_granja.start(options, seats, chance))
        state = None
        for effect in effects:
            state = la_granja.evolve(state, effect)
        assert state is not None
        free = [number for number in (*range(first, 67), *range(1, first)) if number not in cards_in_play(state)]
        for seat in (A, B):
            helpers, (field, barrow) = free[seat::2][:3], free[-2 - 2 * seat :][:2]
            laying = [
                *give_goods(seat, silver=6, vp=3),
                *lay_cards(seat, "field", field),
                *lay_cards(seat, "barrow", barrow),
            ]
            for number in helpers:
                crop = CARDS[number].helper.params.get("crop", "")
                laying += [deal_cards(seat, number), e.CardPlayed(seat, number, "helper", crop)]
            laying += [e.RoofBought(seat, tile, 0) for tile in ROOFS[seat]]
            laying += give_goods(
                seat, food=1, wine=7, meat=7, trade_commodity=state.farms[seat].markers - 15 - MARKERS_LEFT
            )
            effects += laying
        return tuple(effects)

    names = {name: getattr(la_granja, name) for name in dir(la_granja) if not name.startswith("_")}
    return dataclasses.replace(LA_GRANJA, rules=SimpleNamespace(**{**names, "start": start}))


@pytest.mark.no_cover
@pytest.mark.walk(one_in=2)
@pytest.mark.parametrize("first", range(1, 67, 6))
def test_invariants_hold_with_full_farms(first: int) -> None:
    """LG-0.9, LG-0.11, LG-10.7: six helpers at a time, across the whole deck."""
    assert check_match(full_farms(first), 2, f"full/{first}") > 100
