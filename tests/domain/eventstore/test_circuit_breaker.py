"""The circuit breaker shared by all users of a server."""

from threading import Thread

import pytest

from domain.eventstore.circuit_breaker import (
    EVENT_LOOP_SECONDS,
    IMPATIENT_PROBE_SECONDS,
    PROBE_SECONDS,
    RESPONSE_TIMEOUT,
    TIMEOUTS_MAX,
    CircuitBreaker,
    breaker_of,
)
from domain.eventstore.retry import ResponseTimeout


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tripped_breaker(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker(clock)
    for _ in range(TIMEOUTS_MAX):
        ask_in_vain(breaker)
    return breaker


def ask_in_vain(breaker: CircuitBreaker) -> None:
    with pytest.raises(ResponseTimeout, match="no answer"), breaker.guard_request():
        raise ResponseTimeout("no answer")


def accepts_request(breaker: CircuitBreaker) -> bool:
    """Return whether another caller may send a request, which succeeds."""
    accepted = list[bool]()

    def ask() -> None:
        try:
            with breaker.guard_request():
                accepted.append(True)
        except ResponseTimeout:
            accepted.append(False)

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    return accepted[0]


def test_a_response_between_timeouts_resets_the_breaker() -> None:
    breaker = CircuitBreaker()
    ask_in_vain(breaker)
    assert accepts_request(breaker)
    ask_in_vain(breaker)

    assert not breaker.is_open


def test_the_breaker_opens_after_timeouts_and_closes_after_a_response(
    tripped_breaker: CircuitBreaker, clock: Clock
) -> None:
    assert tripped_breaker.is_open
    assert not accepts_request(tripped_breaker)
    clock.now += PROBE_SECONDS

    assert accepts_request(tripped_breaker)
    assert not tripped_breaker.is_open


def test_one_thread_probes_at_a_time_with_any_number_of_requests(tripped_breaker: CircuitBreaker, clock: Clock) -> None:
    clock.now += PROBE_SECONDS
    with tripped_breaker.guard_request():
        assert not accepts_request(tripped_breaker)
        with tripped_breaker.guard_request():
            pass
        assert not tripped_breaker.is_open


def test_a_failed_probe_delays_the_next(tripped_breaker: CircuitBreaker, clock: Clock) -> None:
    clock.now += PROBE_SECONDS
    ask_in_vain(tripped_breaker)

    assert not accepts_request(tripped_breaker)
    clock.now += PROBE_SECONDS
    assert accepts_request(tripped_breaker)


def test_callers_with_short_timeouts_rarely_probe(tripped_breaker: CircuitBreaker, clock: Clock) -> None:
    before = RESPONSE_TIMEOUT.set(EVENT_LOOP_SECONDS)
    clock.now += PROBE_SECONDS
    with pytest.raises(ResponseTimeout), tripped_breaker.guard_request():
        pass
    clock.now += IMPATIENT_PROBE_SECONDS
    with tripped_breaker.guard_request():
        pass
    RESPONSE_TIMEOUT.reset(before)

    assert not tripped_breaker.is_open


def test_nested_requests_count_once() -> None:
    breaker = CircuitBreaker()
    with pytest.raises(ResponseTimeout), breaker.guard_request(), breaker.guard_request():
        raise ResponseTimeout("no answer")

    assert not breaker.is_open


def test_other_errors_do_not_count(tripped_breaker: CircuitBreaker, clock: Clock) -> None:
    clock.now += PROBE_SECONDS
    with pytest.raises(ValueError, match="ours"), tripped_breaker.guard_request():
        raise ValueError("ours")

    assert tripped_breaker.is_open
    assert accepts_request(tripped_breaker)


def test_breakers_are_shared_by_address() -> None:
    assert breaker_of("a", "5432") is breaker_of("a", "5432")
    assert breaker_of("a", "5432") is not breaker_of("a", "5433")
