"""Commands to announce and end absences in correspondence matches."""

from datetime import datetime

from domain.matches.aggregate import Match, info_of, require_actor, require_playable
from domain.matches.errors import AbsenceRefused, BadSignature, NotRunning
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.entries import microseconds
from domain.matches.play.absence_terms import allowed_days
from domain.matches.play.absences import (
    AHEAD_DAYS_MAX,
    DAY,
    MICROSECONDS,
    Absence,
    AbsenceAnnounced,
    AbsenceEnded,
    Declared,
)
from domain.matches.play.clocks import time_left
from domain.matches.play.declared_absences import is_declared, is_declared_over, is_used_up


def announce_absence(
    match: Match, seat: int, by: Actor, first: int, last: int, declared: Declared | None = None, *, at: datetime
) -> AbsenceAnnounced:
    """Stop the clock of the seat from `first` until before `last` (seconds); the service may do so for the player.

    Raise `AbsenceRefused` unless the match is correspondence of format 3 on, no other absence is pending, it begins
    within `AHEAD_DAYS_MAX` days, lasts at least one and in all at most the days that the table allows, and a turn owed
    has a day left; `NotRunning` before the start, and `BadSignature` outside of the declared absence, or if the player
    has ended it here. Its signature is checked with the others.
    """
    require_absent_player(match, seat, by)
    if declared is not None and not is_declared(declared, first, last):
        raise BadSignature(f"an absence from {first} until {last} is not within the declared one")
    if declared is not None and is_used_up(declared, match.ended_absences, seat):
        raise BadSignature(f"the absence from {declared.first} until {declared.last} was ended, so it is declared anew")
    if match.format < 3:
        raise AbsenceRefused("this match has an earlier log format without absences")
    if match.table.clock.kind != "correspondence":
        raise AbsenceRefused("absences are only for correspondence matches")
    now = microseconds(at)
    if pending_absence(match, seat, at) is not None:
        raise AbsenceRefused(f"seat {seat} already has an announced absence")
    if not now <= first * MICROSECONDS <= now + AHEAD_DAYS_MAX * DAY * MICROSECONDS:
        raise AbsenceRefused(f"an absence must start within {AHEAD_DAYS_MAX} days")
    if last - first < DAY:
        raise AbsenceRefused("an absence lasts at least one day")
    used, days_max = used_time(match, seat) + (last - first) * MICROSECONDS, allowed_days(match.table)
    if used > days_max * DAY * MICROSECONDS:
        raise AbsenceRefused(
            f"seat {seat} can be absent for at most {days_max} days per match, not {used / MICROSECONDS / DAY:.4g}"
        )
    if is_in_last_day(match, seat, at):
        raise AbsenceRefused(f"seat {seat} has less than a day left for this turn")
    return AbsenceAnnounced(seat, by, first, last, declared)


def used_time(match: Match, seat: int) -> int:
    """Return the microseconds of all absences of the seat in this line, the one ahead included."""
    return sum(each.last - each.first for each in match.absences if each.seat == seat)


def end_absence(match: Match, seat: int, by: Actor, declared: Declared | None = None, *, at: datetime) -> AbsenceEnded:
    """End the absence; the clock of the seat runs again if it is the seat's turn.

    Raise `AbsenceRefused` if the seat has announced no absence that is not over, `BadSignature` for another one than
    the declared one.
    """
    require_absent_player(match, seat, by)
    absence = pending_absence(match, seat, at)
    if absence is None:
        raise AbsenceRefused(f"seat {seat} has no announced absence")
    if declared is not None and not is_declared_over(declared, absence, microseconds(at)):
        raise BadSignature(f"the absence of seat {seat} has not been declared to be over")
    return AbsenceEnded(seat, by, declared)


def pending_absence(match: Match, seat: int, at: datetime) -> Absence | None:
    """Return the absence of the seat that is not over at a time, if any."""
    now = microseconds(at)
    return next((each for each in match.absences if each.seat == seat and each.last > now), None)


def require_absent_player(match: Match, seat: int, by: Actor) -> None:
    """Reject any actor but the service and the seat's player (`NotSeated`), and a match not in play (`NotRunning`).

    Raise `MatchOver` or `RulesRetired` likewise, and `AbsenceRefused` for a bot or a resigned seat.
    """
    info = info_of(match, seat)
    if by != SERVICE:
        require_actor(match, seat, by)
    require_playable(match)
    if match.status not in ("running", "paused"):
        raise NotRunning(f"match {match.id} has not started")
    if not info.is_person or info.resigned:
        raise AbsenceRefused(f"no person plays on seat {seat}")


def is_in_last_day(match: Match, seat: int, at: datetime) -> bool:
    """Return whether the seat owes a decision and has less than a day for it; False without known clocks."""
    if not match.clocks or seat not in match.definition.rules.seats_to_act(match.state):
        return False
    return time_left(match, seat, at) < DAY * MICROSECONDS
