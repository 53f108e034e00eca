"""Both verifiers accept absences that players stated in advance, and refuse all others."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.away_halls import AWAY, LEAGUE_PLAN, play_with_absences
from tests.domain.proofs.hall_attacks import Change
from tests.domain.proofs.halls import forge
from tests.transparency.second import SecondVerifier
from tests.transparency.test_authority import both


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_with_absences(tmp_path_factory.mktemp("away"))


def test_both_accept_the_absences(second_verifier: SecondVerifier, away: Matches, tmp_path: Path) -> None:
    assert both(second_verifier, away) == (None, None)
    assert both(second_verifier, play_with_absences(tmp_path, LEAGUE_PLAN)) == (None, None)


@pytest.mark.parametrize(("kind", "at", "change"), [each[:3] for each in AWAY])
def test_both_refuse_what_does_not_follow(
    second_verifier: SecondVerifier, away: Matches, kind: str, at: int, change: Change
) -> None:
    first, second = both(second_verifier, away, forge(away, kind, change, at))
    assert (first is None, second is None) == (False, False)
