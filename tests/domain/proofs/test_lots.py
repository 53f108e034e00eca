"""Lots at a deadline in the proof of a tournament must follow from the luck of each match."""

from __future__ import annotations

import pytest

from domain.eventstore.application import Matches
from domain.proofs.event import verify_event
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.lot_proofs import drawn_cup, ruled_versions, swap_places, without_match
from tests.domain.proofs.tournament_proofs import cup_file


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return drawn_cup(tmp_path_factory.mktemp("drawn"))


def why_false(parts: list[bytes]) -> str | None:
    fault = verify_event(b"".join(parts), titles=ALL_TITLES).fault
    return None if fault is None else f"{fault.part}: {fault.why}"


def test_lots_by_the_luck_of_their_matches_verify(cup: Matches) -> None:
    """One of the tables had started, the other had not."""
    assert why_false(cup_file(cup)) is None


@pytest.mark.parametrize("table", [1, 2])
def test_chosen_lots_are_refused(cup: Matches, table: int) -> None:
    why = why_false(swap_places(cup, ruled_versions(cup)[table - 1]))

    assert why is not None
    assert why.startswith(f"round 1 table {table}: the lots of its match give the places")


def test_the_match_that_determines_lots_must_be_in_the_file(cup: Matches) -> None:
    why = why_false(without_match(cup))

    assert why is not None
    assert ", which draws its lots, is missing" in why
