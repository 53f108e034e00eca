"""Alternates play for the places that they accepted, and the proof of a tournament shows it."""

from __future__ import annotations

import re

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.alternate_halls import ALTERNATES, play_with_alternates
from tests.domain.proofs.hall_attacks import Change
from tests.domain.proofs.halls import fault_in, forge
from tests.domain.proofs.tournament_proofs import cup_in


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_with_alternates(tmp_path_factory.mktemp("alternates"))


def test_an_alternate_plays_one_round_for_a_player_who_is_away_and_all_for_one_who_left(hall: Matches) -> None:
    stand_ins = [
        {each.entry: each.actor for table in each_round.tables for each in table.stand_ins}
        for each_round in cup_in(hall).rounds
    ]

    assert stand_ins == [{"e1": "zoe"}, {"e2": "zoe"}, {"e2": "zoe"}]
    assert fault_in(hall) == ""


@pytest.mark.parametrize(("kind", "at", "change", "why"), ALTERNATES)
def test_records_that_do_not_follow_are_refused(hall: Matches, kind: str, at: int, change: Change, why: str) -> None:
    assert re.search(why, fault_in(hall, forge(hall, kind, change, at)))
