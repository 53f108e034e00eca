"""Waiting times of event tables in the log: both verifiers check them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from domain.eventstore.application import Matches
from domain.leagues.state import match_of
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.proofs.match import verify_content
from tests.domain.leagues.test_league_matches import ID, next_round, running_league, start_late
from tests.domain.matches.match_helpers import commit
from tests.projections.tables import TITLES, matches_in
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import SecondVerifier


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches
        matches.close()


def begins_late(matches: Matches, *, comes: bool) -> bytes:
    """Start a table where one player commits but does not open, or where no player joins."""
    running_league(matches, ("ann", "ben"))
    next_round(matches)
    match_id = match_of(ID, 1, 0, 1, 1)
    if comes:
        commit(matches, match_id, 0, matches.get(match_id).seats[0].actor or "", 0)
    match = start_late(matches, match_id)
    while match.status == "open":
        deadline_time = deadline(match)
        assert deadline_time is not None
        match = pass_deadline(matches, match_id, expected_version=match.version, at=deadline_time)
    return log_bytes(log_of(matches.entries(match_id)))


def sooner(log: Log, index: int, seconds: float) -> bytes:
    """Return the log with an entry and all later ones moved earlier, as a dishonest service might do."""
    for entry in log.entries[index:]:
        moved_time = datetime.fromisoformat(entry["timestamp"]) - timedelta(seconds=seconds)
        entry["timestamp"] = moved_time.isoformat().replace("+00:00", "Z")
    rechain(log)
    return content(log)


@pytest.mark.parametrize("comes", [True, False], ids=["one does not open", "nobody comes"])
def test_the_service_supplies_shares_only_after_the_waiting_time(
    second_verifier: SecondVerifier, matches: Matches, comes: bool
) -> None:
    content = begins_late(matches, comes=comes)
    assert (verify_content(content, titles=TITLES).fault, second_verifier.examine(content).fault) == (None, None)

    log = Log(content)
    services = [index for index in log.indices("share_committed", "seat_ready") if log.body(index)["by"] == "service"]
    steps = [services[0], *(index for index in services[-1:] if comes)]
    for index in steps:
        moved = sooner(Log(content), index, 1)
        first, fault = verify_content(moved, titles=TITLES).fault, second_verifier.examine(moved).fault
        assert first is not None
        assert fault is not None
        assert (first.entry, fault.entry) == (index + 1, index + 1)
