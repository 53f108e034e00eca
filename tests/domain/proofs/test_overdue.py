"""Overdue players and extended deadlines in the proof of a tournament."""

from __future__ import annotations

from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.proofs.event import verify_event
from domain.tournaments.facts import ResultRuled
from domain.tournaments.state import TOURNAMENT
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.lot_proofs import FALSE, LATER, extended_version, forge, overdue_cup, ruled_versions
from tests.domain.proofs.tournament_proofs import CUP, cup_file


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return overdue_cup(tmp_path_factory.mktemp("overdue"))


def why_false(parts: list[bytes]) -> str:
    fault = verify_event(b"".join(parts), titles=ALL_TITLES).fault
    return "" if fault is None else fault.why


def test_overdue_seats_and_replacing_lots_verify(cup: Matches) -> None:
    records = [TOURNAMENT.read(each) for each in cup.streams.records(CUP)]
    rulings = [each for each in records if isinstance(each, ResultRuled)]

    assert [(each.overdue, each.drawn) for each in rulings] == [((1,), False), ((), True)]
    assert why_false(cup_file(cup)) == ""


@pytest.mark.parametrize(("values", "why"), FALSE)
def test_false_rulings_are_refused(cup: Matches, values: dict[str, Any], why: str) -> None:
    assert why in why_false(forge(cup, ruled_versions(cup)[0], **values))


def test_a_false_extension_is_refused(cup: Matches) -> None:
    why = why_false(forge(cup, extended_version(cup), deadline=LATER))

    assert "the calendar extends the deadline by 1 days" in why
