"""The follower loop: reads the log in order; every follower writes rows and position in one transaction.

Nothing is skipped, nothing is counted twice: a follower's position is moved only together with what it wrote, and
only from where that follower left it. Those that stand together write in one transaction, which costs as much as one
of them alone would; where one of them fails, each writes in its own. A follower that fails stays where it is and tries
again; the others go on.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

import msgspec
import structlog

from domain.kernel.title import Titles
from domain.matches.aggregate import Match, view
from domain.matches.apply import apply_fact, begin
from domain.matches.errors import LogFault, Tampered
from domain.matches.facts import Fact
from domain.matches.guarded import broken_chain, stream_of
from domain.matches.log import EPOCH, Entry
from domain.matches.records import Record
from domain.matches.titles import read_fact
from projections.backoff import Backoff, Failures
from projections.rings import Advanced
from projections.store import Moved, ReadStore, Transaction

BATCH: Final = 200
MATCHES_KEPT_MAX: Final = 512
RETRIES: Final = Backoff(0.1, 5.0)
"""Seconds until a follower that failed tries again."""

MICROSECOND: Final = timedelta(microseconds=1)

logger = structlog.get_logger("follower")


def moment(microseconds: int) -> datetime:
    """The time a row keeps as whole microseconds since 1970 (`domain.matches.log.microseconds`)."""
    return EPOCH + microseconds * MICROSECOND


class FollowedStep(msgspec.Struct, frozen=True, dict=True):
    """An entry of the log, and the match after it. `line_id` is the match in whose line it stands.

    `dict`: there a cached property keeps its value.
    """

    position: int
    entry: Entry
    fact: Fact
    match: Match
    imported: bool = False
    """The match came from a file: it is never rated."""

    @property
    def line_id(self) -> UUID:
        return self.entry.line_id

    @property
    def version(self) -> int:
        return self.entry.version

    @cached_property
    def spectator_view(self) -> Any:
        """The match as a spectator sees it, made once for all who follow."""
        return view(self.match, None)


class Recorded(msgspec.Struct, frozen=True):
    """A record of a stream beside the matches; a follower reads its fact with its kind."""

    position: int
    record: Record


Happening = FollowedStep | Recorded


class Log(Protocol):
    """What following needs of the matches."""

    def happenings(self, after: int, limit: int) -> Sequence[tuple[int, Entry | Record]]:
        """The next entries of all matches and records of all streams, by position."""
        ...

    def examine(self, event: Entry | Record) -> None:
        """`Tampered` unless its whole stream is what the tree of the house says of it."""
        ...

    def at(self, match_id: UUID, version: int) -> Match: ...

    def is_imported(self, match_id: UUID) -> bool: ...

    @property
    def titles(self) -> Titles: ...


class Follower(Protocol):
    """Whoever follows: a projection (a module) or a policy. `SHAPE` changes when its tables do."""

    @property
    def NAME(self) -> str: ...  # noqa: N802  (a constant of a module)

    @property
    def SHAPE(self) -> str: ...  # noqa: N802

    @property
    def TABLES(self) -> Mapping[str, str]:  # noqa: N802
        """Name and definition of each table, the name in braces wherever a statement holds it."""
        ...

    @property
    def INDEXES(self) -> Sequence[str]:  # noqa: N802
        """Definitions of indexes, made when the tables are complete."""
        ...

    def follow(self, transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
        """Writes what these entries change."""
        ...


@runtime_checkable
class WideFollower(Protocol):
    """Whoever follows the records beside the matches too, or them alone."""

    @property
    def NAME(self) -> str: ...  # noqa: N802

    @property
    def SHAPE(self) -> str: ...  # noqa: N802

    @property
    def TABLES(self) -> Mapping[str, str]: ...  # noqa: N802

    @property
    def INDEXES(self) -> Sequence[str]: ...  # noqa: N802

    def follow_all(self, transaction: Transaction, happenings: Sequence[Happening]) -> None:
        """Writes what these entries and records change; they come in the order of their appending."""
        ...


AnyFollower = Follower | WideFollower


Lead = Callable[[Transaction, Sequence[Happening]], None]


def lead_of(follower: AnyFollower) -> Lead:
    """How the follower takes what it listens to: entries alone, unless it follows all."""
    if isinstance(follower, WideFollower):
        return follower.follow_all
    follow = follower.follow

    def follow_entries(transaction: Transaction, happenings: Sequence[Happening]) -> None:
        if steps := [happening for happening in happenings if isinstance(happening, FollowedStep)]:
            follow(transaction, steps)

    return follow_entries


@runtime_checkable
class Postponing(Protocol):
    """A follower that notes what is to be done and does it slice by slice after that, so that nobody waits for it."""

    def go_on(self, transaction: Transaction) -> bool:
        """The next slice; whether there was one."""
        ...


class FollowedSteps:
    """The log as steps: each entry is folded once for all followers. Streams that are not what the house signed are
    passed over: nobody stops for them."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._titles = log.titles
        self._matches: OrderedDict[UUID, tuple[Match, bool]] = OrderedDict()
        self.passed_over: dict[UUID, str] = {}
        """What was passed over, and why."""

    def after(self, position: int, limit: int = BATCH) -> tuple[list[Happening], int]:
        """What was appended after a position, and up to which it is that; the same position where nothing was."""
        events = self._log.happenings(position, limit)
        found = (self.take(noticed, event) for noticed, event in events)
        return [happening for happening in found if happening is not None], events[-1][0] if events else position

    def take(self, position: int, event: Entry | Record) -> Happening | None:
        """What was appended at a position, unless its stream is passed over."""
        stream = stream_of(event)
        if stream in self.passed_over:
            return None
        try:
            if stream not in self._matches:
                self._log.examine(event)
            return Recorded(position, event) if isinstance(event, Record) else self._step(position, event)
        except Tampered as tampered:
            self._pass_over(stream, str(tampered))
        except LogFault as fault:
            if (broken := broken_chain(stream, fault)) is None:
                raise
            self._pass_over(stream, str(broken))
        return None

    def _pass_over(self, stream: UUID, why: str) -> None:
        self.passed_over[stream] = why
        self._matches.pop(stream, None)

    def _step(self, position: int, entry: Entry) -> FollowedStep:
        known, imported = self._matches.pop(entry.line_id, (None, None))
        if imported is None:
            imported = self._log.is_imported(entry.line_id)
        if known is not None and known.version == entry.version - 1:
            fact = read_fact(known.definition, entry)
            match = apply_fact(known, entry, fact)
        else:
            match = begin(self._titles, entry) if entry.version == 1 else self._log.at(entry.line_id, entry.version)
            fact = read_fact(match.definition, entry)
        self._matches[entry.line_id] = (match, imported)
        while len(self._matches) > MATCHES_KEPT_MAX:
            self._matches.popitem(last=False)
        return FollowedStep(position, entry, fact, match, imported)


def enrol(store: ReadStore, follower: AnyFollower) -> None:
    """Makes the follower's tables, at the beginning of the log, unless they are there in this shape."""
    drops = [f"DROP TABLE IF EXISTS {name}" for name in follower.TABLES]
    store.enrol(follower.NAME, follower.SHAPE, (*follower.TABLES.values(), *follower.INDEXES), drops)


def lag(store: ReadStore, last_position: int) -> dict[str, int]:
    """How far each follower is behind the end of the log, in positions."""
    return {follower: last_position - position for follower, position in store.positions().items()}


class FollowerPlace:
    """Where a follower stands, what it reads the log with, and when it may try again after a failure."""

    def __init__(self, follower: AnyFollower, position: int) -> None:
        self.name = follower.NAME
        self.lead = lead_of(follower)
        self.postponing = follower if isinstance(follower, Postponing) else None
        self.position = position
        self.steps: FollowedSteps | None = None
        self.failures = Failures(RETRIES)
        self.resting_until = 0.0
        self.has_more = True
        """Whether it may have put work off: nobody is asked in vain again and again."""

    def come(self, position: int) -> None:
        """What it follows is written up to there."""
        self.position, self.has_more = position, True
        self.failures.succeed()

    def fail(self, now: float) -> None:
        self.resting_until = now + self.failures.fail()


def ids_of(happenings: Sequence[Happening]) -> tuple[str, ...]:
    """Whose rows these change: those of matches, of the tournament or league of each, of streams of records."""
    found = dict[str, None]()
    for happening in happenings:
        if isinstance(happening, FollowedStep):
            found |= {str(happening.line_id): None, happening.match.table.event_id: None}
        else:
            found[str(happening.record.stream_id)] = None
    found.pop("", None)
    return tuple(found)


class Loop:
    """Leads its followers along the log, those that stand together as one; `on_advance` is told what was written."""

    def __init__(
        self,
        log: Log,
        store: ReadStore,
        followers: Sequence[AnyFollower],
        *,
        on_advance: Callable[[Advanced], None] | None = None,
    ) -> None:
        self._log = log
        self._store = store
        self._on_advance = on_advance
        for follower in followers:
            enrol(store, follower)
        self.places = [FollowerPlace(follower, store.position(follower.NAME)) for follower in followers]

    def advance(self) -> bool:
        """One batch for everybody, the foremost first: nobody waits for those who are behind. Whether anybody moved."""
        now = time.monotonic()
        groups: dict[int, list[FollowerPlace]] = {}
        for place in self.places:
            if place.resting_until <= now:
                groups.setdefault(place.position, []).append(place)
        # All of them, not only until one has moved.
        moved = [self._lead(position, groups[position]) for position in sorted(groups, reverse=True)]
        worked = [self._go_on(place) for place in self.places if place.resting_until <= now]
        return any(moved) or any(worked)

    def catch_up(self) -> None:
        """Goes on until nobody gets any further."""
        while self.advance():
            pass

    def _lead(self, position: int, group: list[FollowerPlace]) -> bool:
        reader = group[0].steps or FollowedSteps(self._log)
        told = len(reader.passed_over)
        steps, end = reader.after(position)
        for stream, why in list(reader.passed_over.items())[told:]:
            logger.error("passed over", stream=str(stream), why=why)
        came_along = end == position or self._write_together(group, steps, end)
        for place in group:
            # A follower that did not come along reads for itself: the shared matches are ahead of it.
            place.steps = reader if came_along or self._write(place, steps, end) else None
        return end != position

    def _go_on(self, place: FollowerPlace) -> bool:
        """One slice of the work a follower has put off, in a transaction of its own; whether there was any."""
        if place.postponing is None or not place.has_more:
            return False
        try:
            with self._store.transaction() as transaction:
                place.has_more = place.postponing.go_on(transaction)
        except Exception:
            place.fail(time.monotonic())
            logger.exception("cannot go on", follower=place.name, failures=place.failures.count)
            return False
        if place.has_more:
            self._tell([place], ())
        return place.has_more

    def _write_together(self, group: list[FollowerPlace], steps: list[Happening], position: int) -> bool:
        """Rows and positions of all that stand together; whether they came along. Of those that did not, nothing is
        written: it shows when each writes alone who could not, and why."""
        try:
            with self._store.transaction() as transaction:
                transaction.move_together([place.name for place in group], group[0].position, position)
                for place in group:
                    place.lead(transaction, steps)
        except Exception:
            return False
        for place in group:
            place.come(position)
        self._tell(group, steps)
        return True

    def _write(self, place: FollowerPlace, steps: list[Happening], position: int) -> bool:
        """Rows and position of one follower; whether it came along."""
        try:
            with self._store.transaction() as transaction:
                # First the position: where somebody else has moved it, the rows are written already.
                transaction.move(place.name, place.position, position)
                place.lead(transaction, steps)
        except Moved:
            # A rebuild has put its tables in the place of ours: we go on from where they end.
            place.position, place.has_more = self._store.position(place.name), True
            return False
        except Exception:
            place.fail(time.monotonic())
            failures = place.failures.count
            logger.exception("cannot follow", follower=place.name, position=place.position, failures=failures)
            return False
        place.come(position)
        self._tell([place], steps)
        return True

    def _tell(self, group: Sequence[FollowerPlace], steps: Sequence[Happening]) -> None:
        """After the transaction: whoever is woken by it finds the rows."""
        if self._on_advance is not None:
            self._on_advance(Advanced({place.name: place.position for place in group}, ids_of(steps)))
