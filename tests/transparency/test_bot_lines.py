"""The second verifier recounts the lines of play of bots after a deadline."""

from __future__ import annotations

from typing import Any

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.lot_proofs import LATER, WRONG_LINES, bots_cup, forge, left_version, ruled_versions
from tests.domain.proofs.tournament_proofs import cup_file
from tests.transparency.second import SecondVerifier
from tests.transparency.test_overdue import why_false


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return bots_cup(tmp_path_factory.mktemp("bots"))


def test_lines_of_bots_are_accepted(cup: Matches, second_verifier: SecondVerifier) -> None:
    assert why_false(second_verifier, cup_file(cup)) == ""


@pytest.mark.parametrize(("values", "why"), WRONG_LINES)
def test_false_rulings_are_refused(
    cup: Matches, second_verifier: SecondVerifier, values: dict[str, Any], why: str
) -> None:
    expected = "too early" if why == "2026-" else why
    assert expected in why_false(second_verifier, forge(cup, ruled_versions(cup)[1], **values))


def test_more_time_for_bots_is_refused(cup: Matches, second_verifier: SecondVerifier) -> None:
    false = forge(cup, left_version(cup), until=LATER)
    assert "does not leave this table to bots" in why_false(second_verifier, false)
