"""Random places after a deadline, repeated by the second verifier."""

from __future__ import annotations

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.lot_proofs import drawn_cup, ruled_versions, swap_places, without_match
from tests.domain.proofs.tournament_proofs import cup_file
from tests.transparency.second import SecondVerifier


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return drawn_cup(tmp_path_factory.mktemp("drawn"))


def test_places_drawn_from_the_luck_of_their_matches_are_accepted(
    cup: Matches, second_verifier: SecondVerifier
) -> None:
    """One of the matches had started, the other had not."""
    assert second_verifier.examine(b"".join(cup_file(cup))).fault is None


@pytest.mark.parametrize("table", [1, 2])
def test_chosen_places_are_rejected(cup: Matches, second_verifier: SecondVerifier, table: int) -> None:
    fault = second_verifier.examine(b"".join(swap_places(cup, ruled_versions(cup)[table - 1]))).fault

    assert fault is not None
    assert fault.part is not None
    assert (fault.part["round"], fault.part["table"]) == (1, table)
    assert "the lots of its match give the places" in fault.why


def test_the_match_of_lots_is_in_the_file(cup: Matches, second_verifier: SecondVerifier) -> None:
    fault = second_verifier.examine(b"".join(without_match(cup))).fault

    assert fault is not None
    assert "the match of this table is not in the file" in fault.why
