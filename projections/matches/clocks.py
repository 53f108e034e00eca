"""Whose clock runs, how much time is left and when it is over: computed from the entries' own times.

Only persons have clocks: the service answers at once for bots and for itself. While a match is paused every clock
stands still. `per_move` gives the whole time again for every entry of the seat, `correspondence` for every turn,
and `increment` is a budget for the whole match that grows when a turn is handed on.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.title import Titles
from domain.kernel.values import Value, replace
from domain.matches.aggregate import Match
from domain.matches.apply import apply, begin
from domain.matches.facts import ActionTaken, Fact, MatchForked, Resumed, RulingGiven, TakenBack, TimedOut
from domain.matches.log import Entry, first_look, microseconds
from domain.matches.ruling import seconds_taken
from domain.matches.titles import read_fact
from projections.follow import FollowedStep, moment
from projections.matches.owed import waited_for
from projections.store import ReadStore, Row, Transaction

NAME: Final = "clocks"
SHAPE: Final = "1"
TABLES: Final = {
    "clocks": """CREATE TABLE {clocks} (match_id TEXT NOT NULL, seat INTEGER NOT NULL, version INTEGER NOT NULL,
        left_us INTEGER NOT NULL, since_us INTEGER, deadline_us INTEGER, PRIMARY KEY (match_id, seat))""",
}
INDEXES: Final = ("CREATE INDEX clocks_by_deadline ON clocks (deadline_us)",)

WRITE: Final = (
    "INSERT INTO {clocks} (match_id, seat, version, left_us, since_us, deadline_us) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (match_id, seat) DO UPDATE SET version = excluded.version, left_us = excluded.left_us,"
    " since_us = excluded.since_us, deadline_us = excluded.deadline_us"
)
READ_OWN: Final = (
    "SELECT match_id, seat, version, left_us, since_us, deadline_us FROM {clocks} WHERE match_id = ? ORDER BY seat"
)
READ: Final = (
    "SELECT match_id, seat, version, left_us, since_us, deadline_us FROM clocks WHERE match_id = ? ORDER BY seat"
)
READ_OVER: Final = (
    "SELECT match_id, seat, version, left_us, since_us, deadline_us FROM clocks"
    " WHERE deadline_us <= ? ORDER BY deadline_us LIMIT ?"
)

US: Final = 1_000_000


class Running(Value, frozen=True):
    """A clock in whole microseconds: what was left at `since`, when it began to run; without `since` it stands."""

    left: int
    since: int | None = None

    def at(self, now: int) -> int:
        """What is left at a time."""
        return self.left if self.since is None else max(0, self.left - (now - self.since))


class Clock(Value, frozen=True):
    """A seat's clock as it stood after entry `version`; `deadline` is when a running one is over."""

    match_id: UUID
    seat: int
    version: int
    left_ms: int
    running_since: datetime | None
    deadline: datetime | None


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Keeps the clocks of every match that has started and plays with them."""
    ticking: dict[UUID, tuple[Running, ...]] = {}
    last: dict[UUID, FollowedStep] = {}
    for step in steps:
        if step.match.state is None or step.match.table.clock.kind == "none":
            continue
        known = ticking.get(step.line_id)
        if known is None:
            rows = transaction.rows(READ_OWN, str(step.line_id))
            known = tuple(Running(left, since) for _, _, _, left, since, _ in rows)
        ticking[step.line_id] = tick(known, step.match, step.fact)
        last[step.line_id] = step
    for line_id, clocks in ticking.items():
        for seat, clock in enumerate(clocks):
            deadline = None if clock.since is None else clock.since + clock.left
            version = last[line_id].version
            transaction.change(WRITE, str(line_id), seat, version, clock.left, clock.since, deadline)


def tick(clocks: Sequence[Running], match: Match, fact: Fact) -> tuple[Running, ...]:
    """Every seat's clock after an entry that left the match like this."""
    clock, now, running = match.table.clock, microseconds(match.timestamp), waited_for(match)
    whole = clock.seconds * US
    known = penalise(clocks or first_clocks(match, fact, whole), match, fact)
    mover = fact.seat if isinstance(fact, ActionTaken | TakenBack | TimedOut) else None
    return tuple(
        RULES[clock.kind](was, seat in running, seat == mover, now, whole, clock.increment * US)
        if not isinstance(fact, Resumed)
        else replace(was, since=now if seat in running else None)
        for seat, was in enumerate(known)
    )


def first_clocks(match: Match, fact: Fact, whole: int) -> tuple[Running, ...]:
    """The whole time for everybody; in a line that goes on in another's place, what each seat had left there."""
    if isinstance(fact, MatchForked) and fact.clocks:
        return tuple(Running(left * 1_000) for left in fact.clocks)
    return (Running(whole),) * len(match.seats)


def penalise(clocks: Sequence[Running], match: Match, fact: Fact) -> Sequence[Running]:
    """The clocks less what a ruling takes from them."""
    if not isinstance(fact, RulingGiven):
        return clocks
    taken = seconds_taken(match, fact)
    return [replace(clock, left=max(0, clock.left - less * US)) for clock, less in zip(clocks, taken, strict=True)]


def per_move(was: Running, runs: bool, moved: bool, now: int, whole: int, _: int) -> Running:
    """The whole time again whenever the seat begins to owe, and after each of its own entries."""
    if not runs:
        return Running(was.at(now))
    return Running(whole, now) if moved or was.since is None else was


def correspondence(was: Running, runs: bool, _: bool, now: int, whole: int, __: int) -> Running:
    """The whole time again when the seat begins to owe; its turn may be many entries."""
    if not runs:
        return Running(was.at(now))
    return Running(whole, now) if was.since is None else was


def increment(was: Running, runs: bool, moved: bool, now: int, _: int, more: int) -> Running:
    """One budget for the match; it grows when the seat hands its turn on."""
    if runs:
        return was if was.since is not None and not moved else Running(was.at(now), now)
    return Running(was.at(now) + (more if moved and was.since is not None else 0))


RULES: Final[Mapping[str, Callable[[Running, bool, bool, int, int, int], Running]]] = {
    "per_move": per_move,
    "correspondence": correspondence,
    "increment": increment,
}


def get(store: ReadStore, match_id: UUID) -> tuple[Clock, ...]:
    """The clocks of a match, seat by seat; none where it is played without."""
    return tuple(clock_of(row) for row in store.rows(READ, str(match_id)))


def over(store: ReadStore, now: datetime, limit: int) -> tuple[Clock, ...]:
    """Clocks that have run out, the earliest first."""
    return tuple(clock_of(row) for row in store.rows(READ_OVER, microseconds(now), limit))


def clock_of(row: Row) -> Clock:
    match_id, seat, version, left, since, deadline = row
    return Clock(
        match_id=UUID(match_id),
        seat=seat,
        version=version,
        left_ms=left // 1_000,
        running_since=None if since is None else moment(since),
        deadline=None if deadline is None else moment(deadline),
    )


class Timed(Value, frozen=True):
    """An entry and what every seat had left after it, in milliseconds."""

    version: int
    at: datetime
    seat: int | None
    kind: str
    left_ms: tuple[int, ...]


def record(titles: Titles, entries: Sequence[Entry]) -> tuple[Timed, ...]:
    """The clock record of a line, from its entries: made again from the log, as the clocks themselves are."""
    match: Match | None = None
    clocks: tuple[Running, ...] = ()
    timed: list[Timed] = []
    for entry in entries:
        match = begin(titles, entry) if match is None else apply(match, entry)
        fact = read_fact(match.definition, entry)
        if match.state is not None and match.table.clock.kind != "none":
            began_anew = isinstance(fact, MatchForked) and fact.clocks
            clocks = tick(() if began_anew else clocks, match, fact)
            left = tuple(clock.at(microseconds(entry.timestamp)) // 1_000 for clock in clocks)
            seat = getattr(fact, "seat", None)
            timed.append(Timed(entry.version, entry.timestamp, seat, first_look(entry).type, left))
    return tuple(timed)
