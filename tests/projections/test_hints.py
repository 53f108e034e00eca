"""Requested hints: deduplicated, leased to one worker, given up after some attempts, and deleted later."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from projections.hints import ATTEMPTS, KEPT_US, FinalChoice, Hints

M = UUID(int=1)
OTHER = UUID(int=2)
LEASE = 22_000_000
NOW = 10 * KEPT_US


@pytest.fixture
def hints(tmp_path: Path) -> Iterator[Hints]:
    hints = Hints(tmp_path / "analyses.db")
    yield hints
    hints.close()


def gives_out(hints: Hints, now: int) -> list[tuple[UUID, int, int]]:
    due = hints.due(now, LEASE, 8)
    return [(each.match_id, each.version, each.attempt) for each in due if hints.lease(each, now + LEASE)]


def test_duplicate_requests_give_one_lease_at_a_time(hints: Hints) -> None:
    hints.request_hint(M, 7, "hint", 0)
    hints.request_hint(M, 7, "hint", 0)

    assert gives_out(hints, NOW) == [(M, 7, 0)]
    assert gives_out(hints, NOW + 1) == []
    assert gives_out(hints, NOW + LEASE) == [(M, 7, 1)]


def test_a_later_request_replaces_the_pending_one_of_a_match(hints: Hints) -> None:
    hints.request_hint(M, 7, "hint", 0)
    hints.request_hint(M, 7, "verdict", 0)
    hints.request_hint(OTHER, 7, "hint", 0)
    hints.request_hint(M, 9, "hint", 0)

    assert hints.find(M, 7, "hint") is None
    assert sorted(gives_out(hints, NOW)) == [(M, 7, 0), (M, 9, 0), (OTHER, 7, 0)]


def test_a_failing_hint_is_given_up_until_requested_again(hints: Hints) -> None:
    hints.request_hint(M, 7, "hint", 0)
    for attempt in range(ATTEMPTS):
        assert gives_out(hints, NOW + attempt * LEASE) == [(M, 7, attempt)]
    given_up = hints.find(M, 7, "hint")
    assert given_up is not None
    assert given_up.is_given_up
    assert gives_out(hints, NOW + ATTEMPTS * LEASE) == []

    hints.request_hint(M, 7, "hint", 0)

    assert gives_out(hints, NOW + ATTEMPTS * LEASE) == [(M, 7, 0)]


def test_results_are_kept_for_a_day(hints: Hints) -> None:
    hints.request_hint(M, 7, "hint", 0)
    gives_out(hints, NOW)
    hints.store_hint(M, 7, "hint", b"that", 0)
    hints.store_hint(M, 7, "hint", b"something else", 0)
    verdict = hints.find(M, 7, "hint")
    assert verdict is not None
    assert (verdict.document, verdict.is_given_up) == (b"that", False)

    hints.request_hint(OTHER, 1, "hint", 0)
    gives_out(hints, NOW + KEPT_US + 1)

    assert hints.find(M, 7, "hint") is None


def test_a_final_choice_is_reported_once(hints: Hints) -> None:
    hints.request_hint(M, 7, "verdict", 0)
    assert hints.take_final_choices(8) == []
    hints.store_hint(M, 7, "verdict", b"that", 0)
    hints.request_hint(M, 9, "verdict", 0)
    hints.store_hint(M, 9, "verdict", b"that", NOW + LEASE)

    assert hints.take_final_choices(8) == [FinalChoice(M, 7, was_held=False)]
    assert hints.take_final_choices(8) == [], "it was said, and the blunder is still held"
    assert hints.holds(M, 9, NOW)

    hints.release(M, 9)
    hints.release(M, 7)

    assert not hints.holds(M, 9, NOW)
    assert hints.take_final_choices(8) == [FinalChoice(M, 9, was_held=True)]
    assert hints.take_final_choices(8) == []


def test_bots_do_not_wait_for_hints(hints: Hints) -> None:
    hints.request_hint(M, 7, "hint", 0)
    hints.store_hint(M, 7, "hint", b"that", 0)

    assert hints.take_final_choices(8) == []


def test_a_kept_choice_stays_kept_after_its_report(hints: Hints) -> None:
    for version, until in ((7, NOW + LEASE), (8, 0)):
        hints.request_hint(M, version, "verdict", 0)
        hints.store_hint(M, version, "verdict", b"{}", until)
    hints.release(M, 7)

    for _ in range(2):
        verdicts = {version: hints.find(M, version, "verdict") for version in (7, 8)}
        assert [verdict is not None and verdict.is_kept for verdict in verdicts.values()] == [True, False]
        hints.take_final_choices(8)
