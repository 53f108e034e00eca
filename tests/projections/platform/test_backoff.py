"""Delays before further attempts."""

from datetime import timedelta

import pytest

from projections.platform.backoff import Backoff


def test_delays_double_up_to_the_longest() -> None:
    backoff = Backoff(0.1, 1.0)

    assert [backoff.delay(attempt) for attempt in range(1, 7)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_the_first_delays_are_equal_for_patient_attempts() -> None:
    backoff = Backoff(timedelta(seconds=3), timedelta(minutes=1), patient=3)

    assert [backoff.delay(attempt).total_seconds() for attempt in range(1, 8)] == [3, 3, 3, 6, 12, 24, 48]


@pytest.mark.parametrize("attempt", [100, 10**9])
def test_the_delay_is_bounded_for_any_attempt(attempt: int) -> None:
    assert Backoff(0.1, 5.0).delay(attempt) == 5.0
    assert Backoff(timedelta(days=1), timedelta(days=2)).delay(attempt) == timedelta(days=2)


def test_before_the_first_attempt_the_delay_is_the_first() -> None:
    assert Backoff(0.25, 5.0).delay(0) == 0.25


def test_a_bound_below_the_first_delay_holds_from_the_beginning() -> None:
    assert Backoff(10.0, 5.0).delay(1) == 5.0
