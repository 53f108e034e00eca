"""The second verifier recounts extended deadlines and places of overdue players."""

from __future__ import annotations

from typing import Any

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.lot_proofs import FALSE, LATER, extended_version, forge, overdue_cup, ruled_versions
from tests.domain.proofs.tournament_proofs import cup_file
from tests.transparency.second import SecondVerifier


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return overdue_cup(tmp_path_factory.mktemp("overdue"))


def why_false(verifier: SecondVerifier, parts: list[bytes]) -> str:
    fault = verifier.examine(b"".join(parts)).fault
    return "" if fault is None else fault.why


def test_overdue_seats_and_replacing_lots_are_accepted(cup: Matches, second_verifier: SecondVerifier) -> None:
    assert why_false(second_verifier, cup_file(cup)) == ""


@pytest.mark.parametrize(("values", "why"), FALSE)
def test_false_rulings_are_refused(
    cup: Matches, second_verifier: SecondVerifier, values: dict[str, Any], why: str
) -> None:
    assert why in why_false(second_verifier, forge(cup, ruled_versions(cup)[0], **values))


def test_a_false_extension_is_refused(cup: Matches, second_verifier: SecondVerifier) -> None:
    why = why_false(second_verifier, forge(cup, extended_version(cup), deadline=LATER))

    assert "the calendar extends the deadline by another time" in why
