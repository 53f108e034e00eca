"""The circuit breaker shared by all users of a server."""

from threading import Thread

import pytest

from domain.eventstore.circuit_breaker import (
    AGAIN_SECONDS,
    LOOP_SECONDS,
    PATIENCE,
    RARELY_SECONDS,
    SILENCES_MAX,
    Breaker,
    breaker_of,
)
from domain.eventstore.retry import Unanswered


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def broken(clock: Clock) -> Breaker:
    breaker = Breaker(clock)
    for _ in range(SILENCES_MAX):
        ask_in_vain(breaker)
    return breaker


def ask_in_vain(breaker: Breaker) -> None:
    with pytest.raises(Unanswered, match="no answer"), breaker.asking():
        raise Unanswered("no answer")


def is_asked(breaker: Breaker) -> bool:
    """Return whether another caller may send a request, which succeeds."""
    told = list[bool]()

    def ask() -> None:
        try:
            with breaker.asking():
                told.append(True)
        except Unanswered:
            told.append(False)

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    return told[0]


def test_a_response_between_timeouts_resets_the_breaker() -> None:
    breaker = Breaker()
    ask_in_vain(breaker)
    assert is_asked(breaker)
    ask_in_vain(breaker)

    assert not breaker.is_open


def test_the_breaker_opens_after_timeouts_and_closes_after_a_response(broken: Breaker, clock: Clock) -> None:
    assert broken.is_open
    assert not is_asked(broken)
    clock.now += AGAIN_SECONDS

    assert is_asked(broken)
    assert not broken.is_open


def test_one_thread_probes_at_a_time_with_any_number_of_requests(broken: Breaker, clock: Clock) -> None:
    clock.now += AGAIN_SECONDS
    with broken.asking():
        assert not is_asked(broken)
        with broken.asking():
            pass
        assert not broken.is_open


def test_a_failed_probe_delays_the_next(broken: Breaker, clock: Clock) -> None:
    clock.now += AGAIN_SECONDS
    ask_in_vain(broken)

    assert not is_asked(broken)
    clock.now += AGAIN_SECONDS
    assert is_asked(broken)


def test_callers_with_short_timeouts_rarely_probe(broken: Breaker, clock: Clock) -> None:
    before = PATIENCE.set(LOOP_SECONDS)
    clock.now += AGAIN_SECONDS
    with pytest.raises(Unanswered), broken.asking():
        pass
    clock.now += RARELY_SECONDS
    with broken.asking():
        pass
    PATIENCE.reset(before)

    assert not broken.is_open


def test_nested_requests_count_once() -> None:
    breaker = Breaker()
    with pytest.raises(Unanswered), breaker.asking(), breaker.asking():
        raise Unanswered("no answer")

    assert not breaker.is_open


def test_other_errors_do_not_count(broken: Breaker, clock: Clock) -> None:
    clock.now += AGAIN_SECONDS
    with pytest.raises(ValueError, match="ours"), broken.asking():
        raise ValueError("ours")

    assert broken.is_open
    assert is_asked(broken)


def test_breakers_are_shared_by_address() -> None:
    assert breaker_of("a", "5432") is breaker_of("a", "5432")
    assert breaker_of("a", "5432") is not breaker_of("a", "5433")
