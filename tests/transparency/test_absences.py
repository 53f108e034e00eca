"""Announced absences stop a clock for both verifiers; impossible absences are rejected."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest

from domain.matches.aggregate import seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play.absence_commands import announce_absence, end_absence
from domain.matches.play.absences import DAY
from domain.matches.play.commands import time_out
from domain.matches.play.in_memory import InMemoryMatch
from domain.proofs.match import verify_content
from tests.domain.matches.play.test_clocks import people_play
from tests.transparency.logs import Log, content, rechain
from tests.transparency.second import SecondVerifier

DAYS: Final = timedelta(days=1)
Change = Callable[[Log], None]


def late_after_an_absence() -> InMemoryMatch:
    """Play a turn of three days: the seat is away for five, ends the absence after four, and runs out of time."""
    play = people_play("la_granja", Table(clock=Clock("correspondence", 3 * DAY), time_out="skip"))
    seat, start = seats_to_act(play.match)[0], play.match.timestamp
    first = int(start.timestamp()) + DAY
    play.append(
        partial(announce_absence, seat=seat, by=f"p{seat}", first=first, last=first + 5 * DAY, at=start), at=start
    )
    return_time = start + 5 * DAYS
    play.append(partial(end_absence, seat=seat, by=f"p{seat}", at=return_time), at=return_time)
    expiry = return_time + 2 * DAYS
    play.append(partial(time_out, seat=seat, by=SERVICE, at=expiry), at=expiry)
    return play


def blamed_entries(second_verifier: SecondVerifier, log: Log) -> tuple[int | None, int | None]:
    first, second = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault
    return None if first is None else first.entry, None if second is None else second.entry


def announcement(log: Log) -> tuple[int, dict[str, Any]]:
    index = log.indices("absence_announced")[0]
    return index, log.body(index)


def change_announcement(**fields: Any) -> Change:
    def change(log: Log) -> None:
        announcement(log)[1].update(fields)

    return change


def longer(log: Log) -> None:
    body = announcement(log)[1]
    body["last"] = body["first"] + 43 * DAY


def shorter(log: Log) -> None:
    body = announcement(log)[1]
    body["last"] = body["first"] + DAY - 1


def twice(log: Log) -> None:
    index, body = announcement(log)
    copy = {key: value for key, value in log.entries[index].items() if key != "secrets"}
    log.entries.insert(index, copy | {"body": body})


def in_an_earlier_format(log: Log) -> None:
    log.header["format"], log.body(0)["format"] = "esporles.log/2", 2


def at_a_table_with_fewer_days(log: Log) -> None:
    log.body(0)["table"]["absenceDays"] = 4


def with_another_clock(log: Log) -> None:
    log.body(0)["table"]["clock"]["kind"] = "increment"


def test_both_accept_an_honest_absence(second_verifier: SecondVerifier) -> None:
    assert blamed_entries(second_verifier, Log(log_bytes(log_of(late_after_an_absence().entries)))) == (None, None)


@pytest.mark.parametrize(
    ("change", "later"),
    [
        (change_announcement(by="somebody"), 0),
        (change_announcement(first=1), 0),
        (longer, 0),
        (shorter, 0),
        (twice, 1),
        (in_an_earlier_format, 0),
        (at_a_table_with_fewer_days, 0),
        (with_another_clock, 0),
    ],
)
def test_both_reject_an_impossible_absence(second_verifier: SecondVerifier, change: Change, later: int) -> None:
    log = Log(log_bytes(log_of(late_after_an_absence().entries)))
    index, _ = announcement(log)
    change(log)
    rechain(log)

    assert blamed_entries(second_verifier, log) == (index + 1 + later,) * 2


@pytest.mark.parametrize("days", [0, 5, 42])
def test_both_know_the_days_of_a_table(second_verifier: SecondVerifier, days: int) -> None:
    log = Log(log_bytes(log_of(late_after_an_absence().entries)))
    log.body(0)["table"]["absenceDays"] = days
    rechain(log)

    expected = None if days else announcement(log)[0] + 1
    assert blamed_entries(second_verifier, log) == (expected, expected)


@pytest.mark.parametrize(
    ("days", "change"), [(43, None), (-1, None), (5, with_another_clock), (5, in_an_earlier_format)]
)
def test_both_reject_impossible_days_of_a_table(
    second_verifier: SecondVerifier, days: int, change: Change | None
) -> None:
    log = Log(log_bytes(log_of(late_after_an_absence().entries)))
    log.body(0)["table"]["absenceDays"] = days
    if change is not None:
        change(log)
    rechain(log)

    assert blamed_entries(second_verifier, log) == (1, 1)


def test_both_reject_a_time_out_during_an_absence(second_verifier: SecondVerifier) -> None:
    """Without the end of the absence in the log, the clock was stopped for one more day."""
    log = Log(log_bytes(log_of(late_after_an_absence().entries)))
    (index,) = log.indices("absence_ended")
    del log.entries[index]
    rechain(log)

    assert blamed_entries(second_verifier, log) == (log.indices("timed_out")[0] + 1,) * 2
    (time_out_index,) = log.indices("timed_out")
    del log.entries[time_out_index:]
    rechain(log)
    assert blamed_entries(second_verifier, log) == (None, None)


def test_an_absence_that_is_over_cannot_end(second_verifier: SecondVerifier) -> None:
    log = Log(log_bytes(log_of(late_after_an_absence().entries)))
    (index,) = log.indices("absence_ended")
    log.entries.insert(index + 1, dict(log.entries[index]))
    rechain(log)

    assert blamed_entries(second_verifier, log) == (index + 2,) * 2
