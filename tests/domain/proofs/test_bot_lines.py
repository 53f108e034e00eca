"""Tables left to bots in the proof of a tournament."""

from __future__ import annotations

from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.proofs.event import verify_event
from domain.tournaments.facts import ResultRuled
from domain.tournaments.state import TOURNAMENT
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.lot_proofs import (
    LATER,
    LINES,
    WRONG_LINES,
    bots_cup,
    forge,
    left_version,
    ruled_versions,
)
from tests.domain.proofs.tournament_proofs import CUP, cup_file


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return bots_cup(tmp_path_factory.mktemp("bots"))


def why_false(parts: list[bytes]) -> str:
    fault = verify_event(b"".join(parts), titles=ALL_TITLES).fault
    return "" if fault is None else fault.why


def test_lines_of_bots_and_replacing_lots_verify(cup: Matches) -> None:
    records = [TOURNAMENT.read(each) for each in cup.streams.records(CUP)]
    rulings = [each for each in records if isinstance(each, ResultRuled)]

    assert [(each.lines, each.scores, each.drawn) for each in rulings] == [
        ((), (0, 0), True),
        (LINES.points, (3, 3), False),
    ]
    assert why_false(cup_file(cup)) == ""


@pytest.mark.parametrize(("values", "why"), WRONG_LINES)
def test_false_rulings_are_refused(cup: Matches, values: dict[str, Any], why: str) -> None:
    assert why in why_false(forge(cup, ruled_versions(cup)[1], **values))


def test_more_time_for_bots_is_refused(cup: Matches) -> None:
    assert "does not leave this table to bots" in why_false(forge(cup, left_version(cup), until=LATER))
