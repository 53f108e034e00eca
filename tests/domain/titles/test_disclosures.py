"""Effects that show hidden things, so that no action before them can be taken back (DESIGN §3)."""

from __future__ import annotations

from typing import Any

import pytest

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.matches.play.in_memory import seed_luck, table_of_bots
from domain.titles import TITLES
from domain.titles.el_grande.disclosures import DISCLOSES as OF_EL_GRANDE
from domain.titles.el_grande.effects import AreaScored, CastilloOpened, PowerCardPlayed
from domain.titles.la_granja.agenda import Layout
from domain.titles.la_granja.disclosures import DISCLOSES as OF_LA_GRANJA
from domain.titles.la_granja.effects import CardDiscarded, CardPlayed, GoodPaid, Planned, plan_tasks
from workers.bots import BOTS


def state_of(title: str, **options: str) -> Any:
    bots = (BOTS["random"].actor,) * 2
    return table_of_bots(TITLES[title], bots, options, seed_luck(b"disclosures")).match.state


@pytest.mark.parametrize(("castillo", "expected"), [("remembered", True), ("open", False)])
def test_a_castillo_that_has_to_be_remembered_is_shown_by_opening_and_scoring_it(castillo: str, expected: bool) -> None:
    state = state_of("el_grande", castillo=castillo)

    assert OF_EL_GRANDE[CastilloOpened](state, CastilloOpened((1, 2, 0))) == expected
    assert OF_EL_GRANDE[AreaScored](state, AreaScored("castillo", (5, 3, 0))) == expected
    assert not OF_EL_GRANDE[AreaScored](state, AreaScored("aragon", (5, 3, 0)))


def test_a_power_card_shows_a_hand_where_it_had_been_played_or_comes_with_a_grey_one() -> None:
    state = state_of("el_grande")
    shows = OF_EL_GRANDE[PowerCardPlayed]

    assert not shows(state, PowerCardPlayed(0, 7, 7))
    assert shows(state, PowerCardPlayed(0, 7, 9, "plus_two"))
    played = replace(state, shown=((7,), ()))
    assert shows(played, PowerCardPlayed(0, 7, 7))
    assert not shows(played, PowerCardPlayed(1, 7, 7))


def test_a_card_that_leaves_a_hand_is_shown() -> None:
    state, seat = state_of("la_granja"), Seat(0)

    assert OF_LA_GRANJA[CardPlayed](state, CardPlayed(seat, 1, "field"))
    for side, expected in (("hand", True), ("aside", True), ("barrow", False), ("helper", False)):
        assert OF_LA_GRANJA[CardDiscarded](state, CardDiscarded(seat, 1, side)) == expected
    assert OF_LA_GRANJA[Planned](state, plan_tasks(seat, Layout(seat, 1, "extension")))
    assert not OF_LA_GRANJA[Planned](state, plan_tasks(seat))


@pytest.mark.parametrize(("edition", "expected"), [("original", True), ("deluxe", False)])
def test_points_that_are_paid_are_shown_where_they_are_secret(edition: str, expected: bool) -> None:
    state, seat = state_of("la_granja", edition=edition), Seat(0)

    assert OF_LA_GRANJA[GoodPaid](state, GoodPaid(seat, "vp", 1, "", "helper")) == expected
    assert not OF_LA_GRANJA[GoodPaid](state, GoodPaid(seat, "silver", 1, "", "helper"))
