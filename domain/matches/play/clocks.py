"""Clocks and the time left after each entry, computed by the fold from the times of entries.

Only people have clocks: the service answers at once for bots and for itself. While a match is paused every clock is
stopped. `per_move` restores the full time for every action of the seat, `correspondence` for every turn, and
`increment` is a budget for the whole match that grows when a turn is handed on. A take-back gains no time for its seat;
since log format 3 it costs other seats none either. Announced absences of a seat do not count.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.values import replace
from domain.matches.aggregate import Match, SeatClock, seats_to_act
from domain.matches.facts import ActionTaken, Fact, MatchForked, Resumed, RulingGiven, TakenBack, TimedOut
from domain.matches.log.entries import microseconds
from domain.matches.play.absences import own_time, wall_time
from domain.matches.rulings.ruling import seconds_taken

MICROSECONDS: Final = 1_000_000


def find_awaited_seats(match: Match) -> tuple[Seat, ...]:
    """Return the people's seats that owe a decision, sorted."""
    return tuple(seat for seat in seats_to_act(match) if seat != SERVICE_SEAT and match.seats[seat].is_person)


def time_left(match: Match, seat: int, at: datetime) -> int:
    """Return the microseconds a seat has left at a time; before the last entry, that entry's time applies."""
    return match.clocks[seat].at(own_time(match.absences, seat, microseconds(max(at, match.timestamp))))


def expiry_time(match: Match, seat: int) -> int | None:
    """Return when a seat's clock will be over (microseconds), after its absences; None if it does not run."""
    clock = match.clocks[seat]
    return None if clock.since is None else wall_time(match.absences, seat, clock.since + clock.left)


def times_left_ms(match: Match) -> tuple[int, ...]:
    """Return the milliseconds each seat had left at the last entry; empty without clocks."""
    now = microseconds(match.timestamp)
    return tuple(clock.at(own_time(match.absences, seat, now)) // 1_000 for seat, clock in enumerate(match.clocks))


def update_clocks(before: Match, after: Match, fact: Fact) -> tuple[SeatClock, ...]:
    """Return all clocks after an entry; `()` without a clock, before the start and in a redacted log.

    Redacted logs have none, as the seats to act may depend on hidden information.
    """
    if after.table.clock.kind == "none" or after.state is None or after.seed is None:
        return ()
    running, full_time = find_awaited_seats(after), after.table.clock.seconds * MICROSECONDS
    now = own_times(after, microseconds(after.timestamp))
    if isinstance(fact, MatchForked) or not before.clocks:
        clocks: Sequence[SeatClock] = first_clocks(after, fact, full_time)
    else:
        clocks = before.clocks
    if isinstance(fact, RulingGiven):
        clocks = apply_penalties(clocks, after, fact)
    if isinstance(fact, TakenBack) and after.format > 2:
        position = before.turn.upto(fact.to_version)[-1]
        saved_times = own_times(after, position.until)
        return tuple(
            clock_after_take_back(previous, fact, seat, seat in running, now[seat])
            if seat == fact.seat
            else restore_clock(previous, saved, saved_times[seat], seat in running, now[seat])
            for seat, (previous, saved) in enumerate(zip(before.clocks, position.clocks, strict=True))
        )
    if isinstance(fact, TakenBack):
        return tuple(
            clock_after_take_back(previous, fact, seat, seat in running, now[seat])
            for seat, previous in enumerate(clocks)
        )
    if isinstance(fact, Resumed) and fact.withdrawn is None:
        if fact.charged in running:
            clocks = charge_pause(clocks, before, fact, microseconds(after.timestamp))
        return tuple(
            replace(previous, since=now[seat] if seat in running else None) for seat, previous in enumerate(clocks)
        )
    mover = fact.seat if isinstance(fact, ActionTaken | TimedOut) else None
    return tuple(
        clock_after_move(previous, after, mover, seat, seat in running, now[seat])
        for seat, previous in enumerate(clocks)
    )


def own_times(match: Match, now: int) -> tuple[int, ...]:
    """Return a time as the clock of each seat counts it: less the absences of the seat."""
    if not match.absences:
        return (now,) * len(match.seats)
    return tuple(own_time(match.absences, seat, now) for seat in range(len(match.seats)))


def first_clocks(match: Match, fact: Fact, full_time: int) -> tuple[SeatClock, ...]:
    """Return the initial clocks: `full_time` microseconds, or in a replacing line the time each seat had left."""
    if isinstance(fact, MatchForked) and fact.clocks:
        return tuple(SeatClock(milliseconds * 1_000) for milliseconds in fact.clocks)
    return (SeatClock(full_time),) * len(match.seats)


def apply_penalties(clocks: Sequence[SeatClock], match: Match, fact: RulingGiven) -> tuple[SeatClock, ...]:
    """Return the clocks less the seconds that a ruling takes, never below 0."""
    penalties = seconds_taken(match, fact)
    return tuple(
        replace(clock, left=max(0, clock.left - seconds * MICROSECONDS))
        for clock, seconds in zip(clocks, penalties, strict=True)
    )


def charge_pause(clocks: Sequence[SeatClock], before: Match, fact: Resumed, now: int) -> Sequence[SeatClock]:
    """Return the clocks with the time since the dispute stopped them taken from seat `fact.charged`, at least 0."""
    since = before.docket.held_since
    stopped_time = 0 if since is None else now - microseconds(since)
    return [
        replace(clock, left=max(0, clock.left - stopped_time)) if seat == fact.charged else clock
        for seat, clock in enumerate(clocks)
    ]


def clock_after_move(
    previous: SeatClock, match: Match, mover: int | None, seat: int, runs: bool, now: int
) -> SeatClock:
    """Return a seat's clock after an entry that neither took back nor ended a pause.

    A turn interrupted by a take-back continues with its time. An action of the seat is noted with the time left before
    it.
    """
    is_kept = previous.kept_by is not None and mover in (None, SERVICE_SEAT, previous.kept_by)
    if is_kept and previous.since is None:
        # A turn interrupted by a take-back continues with its remaining time.
        return SeatClock(previous.left, now) if runs else previous
    clock = match.table.clock
    after = CLOCK_RULES[clock.kind](
        previous, runs, seat == mover, now, clock.seconds * MICROSECONDS, clock.increment * MICROSECONDS
    )
    acted: tuple[tuple[int, int], ...] = ()
    if mover in (None, seat):
        acted = previous.acted if mover is None else (*previous.acted, (match.version, previous.at(now)))
    return after if after.acted == acted else replace(after, acted=acted)


def clock_after_take_back(previous: SeatClock, fact: TakenBack, seat: int, runs: bool, now: int) -> SeatClock:
    """Return a seat's clock after a take-back before log format 3.

    The seat that takes back gets at most the time it had at the undone action; other seats keep the time they have
    used.
    """
    remaining, since = previous.at(now), now if runs else None
    if seat == fact.seat:
        undone = [each for version, each in previous.acted if version > fact.to_version]
        acted_before = tuple(each for each in previous.acted if each[0] <= fact.to_version)
        return SeatClock(min(remaining, *undone), since, acted=acted_before)
    if previous.since is not None and not runs:
        return SeatClock(remaining, kept_by=fact.seat)
    return previous if (previous.since is None) != runs else SeatClock(remaining, since)


def restore_clock(previous: SeatClock, saved: SeatClock, saved_time: int, runs: bool, now: int) -> SeatClock:
    """Return the clock of a seat after a take-back by another: its value when the first undone action was taken.

    A clock that has run through without a break continues.
    """
    if runs and (previous.left, previous.since) == (saved.left, saved.since):
        return previous
    return SeatClock(saved.at(saved_time), now if runs else None)


def per_move(previous: SeatClock, runs: bool, has_moved: bool, now: int, full_time: int, _: int) -> SeatClock:
    """Restore the full time when the seat begins to owe a decision, and after an action if it owes another one."""
    if not runs:
        return SeatClock(previous.at(now))
    return SeatClock(full_time, now) if has_moved or previous.since is None else previous


def correspondence(previous: SeatClock, runs: bool, _: bool, now: int, full_time: int, __: int) -> SeatClock:
    """Restore the full time when the seat begins to owe a decision; a turn may have many entries."""
    if not runs:
        return SeatClock(previous.at(now))
    return SeatClock(full_time, now) if previous.since is None else previous


def increment(previous: SeatClock, runs: bool, has_moved: bool, now: int, _: int, bonus: int) -> SeatClock:
    """Count down one budget for the match; add the increment when the seat hands its turn on."""
    if runs:
        return previous if previous.since is not None and not has_moved else SeatClock(previous.at(now), now)
    return SeatClock(previous.at(now) + (bonus if has_moved and previous.since is not None else 0))


CLOCK_RULES: Final[Mapping[str, Callable[[SeatClock, bool, bool, int, int, int], SeatClock]]] = {
    "per_move": per_move,
    "correspondence": correspondence,
    "increment": increment,
}
