"""Both verifiers accept alternates who take vacant places in turn, and refuse all others."""

from __future__ import annotations

import pytest

from domain.eventstore.application import Matches
from tests.domain.proofs.alternate_halls import ALTERNATES, play_with_alternates
from tests.domain.proofs.hall_attacks import Change
from tests.domain.proofs.halls import forge
from tests.transparency.second import SecondVerifier
from tests.transparency.test_authority import both


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return play_with_alternates(tmp_path_factory.mktemp("alternates"))


def test_both_accept_the_alternates(second_verifier: SecondVerifier, hall: Matches) -> None:
    assert both(second_verifier, hall) == (None, None)


@pytest.mark.parametrize(("kind", "at", "change"), [each[:3] for each in ALTERNATES])
def test_both_refuse_what_does_not_follow(
    second_verifier: SecondVerifier, hall: Matches, kind: str, at: int, change: Change
) -> None:
    first, second = both(second_verifier, hall, forge(hall, kind, change, at))
    assert (first is None, second is None) == (False, False)
