"""The service announces and ends absences by the player's signed declaration; `verify` lists those without one."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Final

import pytest

from domain.kernel.values import replace
from domain.matches.errors import BadSignature
from domain.matches.facts import SERVICE
from domain.matches.log.entries import microseconds
from domain.matches.log.log_files import LogFile, log_of
from domain.matches.play.absence_commands import announce_absence, end_absence
from domain.matches.play.absences import DAY, MICROSECONDS, SECONDS_MAX, AbsenceAnnounced, Declared, EndedAbsence
from domain.matches.play.declared_absences import check_declared, is_used_up
from domain.matches.verification.verify import verify
from tests.domain.matches.play.declaring import declare, signed_play
from tests.golden.rulings import SignedPlay
from tests.signing import Pen

DAYS: Final = timedelta(days=1)


def second_of(at: datetime) -> int:
    return int(at.timestamp())


def announce(play: SignedPlay, declared: Declared | None, days: float = 5, by: str = SERVICE) -> int:
    """Announce an absence of seat 0 from tomorrow on; return its first second."""
    now = play.play.match.timestamp
    first = second_of(now) + DAY
    play.do(
        partial(announce_absence, seat=0, by=by, first=first, last=first + int(days * DAY), declared=declared, at=now),
        by,
        at=now,
    )
    return first


def end(play: SignedPlay, declared: Declared | None, after: timedelta) -> None:
    at = play.play.match.timestamp + after
    play.do(partial(end_absence, seat=0, by=SERVICE, declared=declared, at=at), at=at)


def log(play: SignedPlay) -> LogFile:
    return log_of(play.play.entries)


def test_a_declaration_covers_the_absences_within_it() -> None:
    play = signed_play()
    first = second_of(play.play.match.timestamp)
    declared = declare("anna", first, first + 10 * DAY)
    announce(play, declared)
    play.do(
        partial(
            announce_absence, seat=1, by="bea", first=first + DAY, last=first + 3 * DAY, at=play.play.match.timestamp
        ),
        "bea",
        at=play.play.match.timestamp,
    )
    over_at = first + 3 * DAY
    end(play, declare("anna", first, first + 10 * DAY, over_at), 3 * DAYS)

    report = verify(log(play))
    assert (report.fault, report.signatures.service_acts) == (None, ())
    assert play.play.match.absences[0].last == second_of(play.play.match.timestamp) * 1_000_000
    assert verify(log_of(play.play.entries, None)).is_good


def test_absences_by_the_service_alone_are_listed() -> None:
    play = signed_play()
    announce(play, None)
    end(play, None, 2 * DAYS)
    report, version = verify(log(play)), play.play.match.version

    assert report.is_good
    assert f"clocks: entry {version - 1}, by the service only: an absence of seat 0 begins" in report.unchecked
    assert f"clocks: entry {version}, by the service only: an absence of seat 0 ends" in report.unchecked


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        (lambda first: declare("bea", first, first + 9 * DAY), "does not belong to seat 0"),
        (lambda first: declare("bea", first, first + 9 * DAY, pen=Pen("anna")), "does not match the key"),
        (
            lambda first: replace(declare("anna", first, first + 9 * DAY), last=first + 8 * DAY),
            "does not match the key",
        ),
        (lambda first: declare("anna", first, first + 3 * DAY), "is not within the declared one"),
        (lambda first: declare("anna", first + 2 * DAY, first + 9 * DAY), "is not within the declared one"),
        (lambda first: declare("anna", first, first + 9 * DAY, first + 2 * DAY), "is not within the declared one"),
        (lambda first: Declared(Pen("anna").key, "00" * 64, first, SECONDS_MAX + 1), "cannot be declared"),
        (lambda first: declare("anna", first, first), "is not within the declared one"),
    ],
)
def test_a_false_declaration_announces_nothing(declared: object, reason: str) -> None:
    play = signed_play()
    first = second_of(play.play.match.timestamp)

    with pytest.raises(BadSignature, match=reason):
        announce(play, declared(first))  # type: ignore[operator]


def test_a_declaration_announces_nothing_after_its_end_but_those_of_other_seats_do() -> None:
    play = signed_play()
    first = announce(play, None)
    end(play, None, 2 * DAYS)

    assert play.play.match.ended_absences == (
        EndedAbsence(
            0,
            first * MICROSECONDS,
            (first + 5 * DAY) * MICROSECONDS,
            microseconds(play.play.match.timestamp),
        ),
    )
    old = declare("anna", first - 2 * DAY, first + 30 * DAY)
    with pytest.raises(BadSignature, match="was ended, so it is declared anew"):
        announce(play, old)
    assert not is_used_up(old, play.play.match.ended_absences, 1)
    assert not is_used_up(declare("anna", first, first + 4 * DAY), play.play.match.ended_absences, 0)
    announce(play, declare("anna", first + 1, first + 30 * DAY))


@pytest.mark.parametrize("shift", ["early", "other", "longer"])
def test_a_declared_end_is_for_its_own_absence_and_not_in_advance(shift: str) -> None:
    play = signed_play()
    first = announce(play, None)
    bounds = {
        "early": (first, first + 5 * DAY, first + 3 * DAY),
        "other": (first + 1, first + 5 * DAY, first),
        "longer": (first, first + 4 * DAY, first),
    }

    with pytest.raises(BadSignature, match="has not been declared to be over"):
        end(play, declare("anna", *bounds[shift]), 2 * DAYS)
    with pytest.raises(BadSignature, match="has not been declared to be over"):
        end(play, declare("anna", first, first + 5 * DAY), 2 * DAYS)


def test_players_sign_their_own_entries_without_a_declaration() -> None:
    play = signed_play()
    first = second_of(play.play.match.timestamp)

    with pytest.raises(BadSignature, match="signs the entry itself"):
        announce(play, declare("anna", first, first + 9 * DAY), by="anna")
    announce(play, None, by="anna")
    assert verify(log(play)).signatures.service_acts == ()


def test_an_empty_seat_has_declared_nothing() -> None:
    play = signed_play()
    first = second_of(play.play.match.timestamp)
    seats = (replace(play.play.match.seats[0], actor=None, keys=()), play.play.match.seats[1])
    announced = AbsenceAnnounced(0, SERVICE, first, first + DAY, declare("anna", first, first + 9 * DAY))

    with pytest.raises(BadSignature, match="cannot be declared"):
        check_declared(play.play.match, replace(announced, declared=declare("anna", first, first)))
    with pytest.raises(BadSignature, match="does not belong to seat 0"):
        check_declared(replace(play.play.match, seats=seats), announced)
