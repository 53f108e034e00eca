"""Effects that reveal hidden information, so that earlier actions cannot be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.matches.play.in_memory import seeded_origins, table_of_bots
from domain.titles import TITLES
from domain.titles.el_grande.disclosures import DISCLOSES as OF_EL_GRANDE
from domain.titles.el_grande.effects import AreaScored, CastilloOpened, PowerCardPlayed
from domain.titles.la_granja.agenda import Layout
from domain.titles.la_granja.disclosures import DISCLOSES as OF_LA_GRANJA
from domain.titles.la_granja.effects import CardDiscarded, CardPlayed, GoodPaid, Planned, plan_tasks
from workers.bots import BOTS


def state_of(title: str, **options: str) -> Any:
    bots = (BOTS["random"].actor,) * 2
    return table_of_bots(TITLES[title], bots, options, seeded_origins(b"disclosures")).match.state


@pytest.mark.parametrize(("castillo", "expected"), [("remembered", True), ("open", False)])
def test_opening_or_scoring_a_closed_castillo_discloses_it(castillo: str, expected: bool) -> None:
    state = state_of("el_grande", castillo=castillo)

    assert OF_EL_GRANDE[CastilloOpened](state, CastilloOpened((1, 2, 0))) == expected
    assert OF_EL_GRANDE[AreaScored](state, AreaScored("castillo", (5, 3, 0))) == expected
    assert not OF_EL_GRANDE[AreaScored](state, AreaScored("aragon", (5, 3, 0)))


def test_a_card_taken_back_or_a_grey_card_discloses_a_hand() -> None:
    state = state_of("el_grande")
    shows = OF_EL_GRANDE[PowerCardPlayed]

    assert not shows(state, PowerCardPlayed(0, 7, 7))
    assert shows(state, PowerCardPlayed(0, 7, 9, "plus_two"))
    played = replace(state, shown=((7,), ()))
    assert shows(played, PowerCardPlayed(0, 7, 7))
    assert not shows(played, PowerCardPlayed(1, 7, 7))


def test_a_card_leaving_a_hand_is_disclosed() -> None:
    state, seat = state_of("la_granja"), Seat(0)

    assert OF_LA_GRANJA[CardPlayed](state, CardPlayed(seat, 1, "field"))
    for side, expected in (("hand", True), ("aside", True), ("barrow", False), ("helper", False)):
        assert OF_LA_GRANJA[CardDiscarded](state, CardDiscarded(seat, 1, side)) == expected
    assert OF_LA_GRANJA[Planned](state, plan_tasks(seat, Layout(seat, 1, "extension")))
    assert not OF_LA_GRANJA[Planned](state, plan_tasks(seat))


@pytest.mark.parametrize(("edition", "expected"), [("original", True), ("deluxe", False)])
def test_paying_points_discloses_secret_points(edition: str, expected: bool) -> None:
    state, seat = state_of("la_granja", edition=edition), Seat(0)

    assert OF_LA_GRANJA[GoodPaid](state, GoodPaid(seat, "vp", 1, "", "helper")) == expected
    assert not OF_LA_GRANJA[GoodPaid](state, GoodPaid(seat, "silver", 1, "", "helper"))
