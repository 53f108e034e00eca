"""Absences that players state in advance decide who is paired, and the proof of a tournament shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.away_halls import AWAY, LEAGUE_PLAN, play_with_absences
from tests.domain.proofs.hall_attacks import Change
from tests.domain.proofs.halls import fault_in, forge
from tests.domain.proofs.tournament_proofs import cup_in


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_with_absences(tmp_path_factory.mktemp("away"))


def test_players_who_are_away_are_not_paired_but_keep_their_seats_in_a_final(away: Matches) -> None:
    first, second, final = cup_in(away).rounds

    assert ("e1" in first.people, "e2" in first.people) == (False, True)
    assert ("e1" in second.people, "e2" in second.people) == (True, False)
    (table,) = final.tables
    assert table.absent == tuple(sorted({"e1", "e2", "e3"} & {*table.entries}))
    assert table.absent
    assert fault_in(away) == ""


def test_a_round_robin_names_them_as_absent(tmp_path: Path) -> None:
    matches = play_with_absences(tmp_path, LEAGUE_PLAN)
    rounds = cup_in(matches).rounds

    assert [each.problem.absent for each in rounds[:3]] == [("e1",), ("e2",), ("e1", "e2", "e3")]
    assert fault_in(matches) == ""


@pytest.mark.parametrize(("kind", "at", "change", "why"), AWAY)
def test_records_that_do_not_follow_are_refused(away: Matches, kind: str, at: int, change: Change, why: str) -> None:
    assert re.search(why, fault_in(away, forge(away, kind, change, at)))
