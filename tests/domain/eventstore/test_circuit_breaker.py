"""What those who ask one server know of it together."""

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
    """Whether somebody else may ask now; the answer comes."""
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


def test_an_answer_between_two_silences_says_that_the_server_is_there() -> None:
    breaker = Breaker()
    ask_in_vain(breaker)
    assert is_asked(breaker)
    ask_in_vain(breaker)

    assert not breaker.is_open


def test_after_silences_nobody_asks_for_a_while_and_an_answer_ends_that(broken: Breaker, clock: Clock) -> None:
    assert broken.is_open
    assert not is_asked(broken)
    clock.now += AGAIN_SECONDS

    assert is_asked(broken)
    assert not broken.is_open


def test_one_at_a_time_finds_out_and_may_ask_more_than_one_thing(broken: Breaker, clock: Clock) -> None:
    clock.now += AGAIN_SECONDS
    with broken.asking():
        assert not is_asked(broken)
        with broken.asking():
            pass
        assert not broken.is_open


def test_who_finds_out_in_vain_waits_before_the_next_does(broken: Breaker, clock: Clock) -> None:
    clock.now += AGAIN_SECONDS
    ask_in_vain(broken)

    assert not is_asked(broken)
    clock.now += AGAIN_SECONDS
    assert is_asked(broken)


def test_who_has_little_patience_rarely_finds_out(broken: Breaker, clock: Clock) -> None:
    before = PATIENCE.set(LOOP_SECONDS)
    clock.now += AGAIN_SECONDS
    with pytest.raises(Unanswered), broken.asking():
        pass
    clock.now += RARELY_SECONDS
    with broken.asking():
        pass
    PATIENCE.reset(before)

    assert not broken.is_open


def test_a_question_within_a_question_is_one() -> None:
    breaker = Breaker()
    with pytest.raises(Unanswered), breaker.asking(), breaker.asking():
        raise Unanswered("no answer")

    assert not breaker.is_open


def test_a_fault_says_nothing_about_the_server(broken: Breaker, clock: Clock) -> None:
    clock.now += AGAIN_SECONDS
    with pytest.raises(ValueError, match="ours"), broken.asking():
        raise ValueError("ours")

    assert broken.is_open
    assert is_asked(broken)


def test_a_server_is_known_by_its_address() -> None:
    assert breaker_of("a", "5432") is breaker_of("a", "5432")
    assert breaker_of("a", "5432") is not breaker_of("a", "5433")
