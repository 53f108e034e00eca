"""Limits of measurements by an arbiter of one event."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.integrity.measured_matches import MeasuredMatch, MeasuredSeat, limit_to_event
from domain.matches.facts import Clock


@pytest.mark.parametrize(
    ("event", "left"),
    [("cup", ["ann", "ben", None, None]), ("", [None, None, "cleo", None]), ("other", [None, None, "cleo", None])],
)
def test_only_members_of_an_event_are_measured_in_its_matches_and_only_others_elsewhere(
    event: str, left: list[str | None]
) -> None:
    seats = tuple(
        MeasuredSeat(person, place, left=False) for place, person in enumerate(("ann", "ben", "cleo", None), 1)
    )
    played = MeasuredMatch(UUID(int=1), "toy", Clock(), event, True, datetime(2026, 1, 1, tzinfo=UTC), seats)

    limited = limit_to_event(played, "cup", {"ann", "ben"})

    assert [seat.person for seat in limited.seats] == left
    assert [seat.place for seat in limited.seats] == [1, 2, 3, 4]
