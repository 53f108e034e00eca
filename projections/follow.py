"""The follower loop: reads the log in order, and whoever follows writes rows and position in one transaction.

Nothing is skipped, nothing is counted twice: a follower's position is moved only together with what it wrote, and
only from where that follower left it. A follower that fails stays where it is and tries again; the others go on.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

import msgspec
import structlog

from domain.match.aggregate import Match
from domain.match.apply import apply_fact, begin
from domain.match.facts import Fact
from domain.match.log import EPOCH, Entry
from domain.match.registry import Games
from projections.store import Moved, ReadStore, Transaction

BATCH: Final = 200
MATCHES_KEPT_MAX: Final = 512
BACKOFF_SECONDS: Final = 0.1
BACKOFF_SECONDS_MAX: Final = 5.0

MICROSECOND: Final = timedelta(microseconds=1)

logger = structlog.get_logger("follower")


def moment(microseconds: int) -> datetime:
    """The time a row keeps as whole microseconds since 1970 (`domain.match.log.microseconds`)."""
    return EPOCH + microseconds * MICROSECOND


class Step(msgspec.Struct, frozen=True):
    """An entry of the log, and the match after it. `line_id` is the match in whose line it stands."""

    position: int
    entry: Entry
    fact: Fact
    match: Match

    @property
    def line_id(self) -> UUID:
        return self.entry.line_id

    @property
    def version(self) -> int:
        return self.entry.version


class Log(Protocol):
    """What following needs of the matches."""

    def notifications(self, after: int, limit: int) -> Sequence[tuple[int, Entry]]:
        """The next entries of all matches, by position."""
        ...

    def at(self, match_id: UUID, version: int) -> Match: ...

    @property
    def games(self) -> Games: ...


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

    def follow(self, transaction: Transaction, steps: Sequence[Step]) -> None:
        """Writes what these entries change."""
        ...


class Steps:
    """The log as steps: each entry is folded once, whoever follows."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._games = log.games
        self._matches: OrderedDict[UUID, Match] = OrderedDict()

    def after(self, position: int, limit: int = BATCH) -> list[Step]:
        return [self._step(*noticed) for noticed in self._log.notifications(position, limit)]

    def _step(self, position: int, entry: Entry) -> Step:
        known = self._matches.pop(entry.line_id, None)
        if known is not None and known.version == entry.version - 1:
            fact = known.game.read(entry)
            match = apply_fact(known, entry, fact)
        else:
            match = begin(self._games, entry) if entry.version == 1 else self._log.at(entry.line_id, entry.version)
            fact = match.game.read(entry)
        self._matches[entry.line_id] = match
        while len(self._matches) > MATCHES_KEPT_MAX:
            self._matches.popitem(last=False)
        return Step(position, entry, fact, match)


def enrol(store: ReadStore, follower: Follower) -> None:
    """Makes the follower's tables, at the beginning of the log, unless they are there in this shape."""
    drops = [f"DROP TABLE IF EXISTS {name}" for name in follower.TABLES]
    store.enrol(follower.NAME, follower.SHAPE, (*follower.TABLES.values(), *follower.INDEXES), drops)


def lag(store: ReadStore, last_position: int) -> dict[str, int]:
    """How far each follower is behind the end of the log, in positions."""
    return {follower: last_position - position for follower, position in store.positions().items()}


class Place:
    """Where a follower stands, what it reads the log with, and when it may try again after a failure."""

    def __init__(self, follower: Follower, position: int) -> None:
        self.follower = follower
        self.position = position
        self.steps: Steps | None = None
        self.failures = 0
        self.resting_until = 0.0

    def fail(self, now: float) -> None:
        self.failures += 1
        self.resting_until = now + min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS * 2 ** (self.failures - 1))


class Loop:
    """Leads its followers along the log, those that stand together as one."""

    def __init__(self, log: Log, store: ReadStore, followers: Sequence[Follower]) -> None:
        self._log = log
        self._store = store
        for follower in followers:
            enrol(store, follower)
        self.places = [Place(follower, store.position(follower.NAME)) for follower in followers]

    def advance(self) -> bool:
        """One batch for everybody, the foremost first: nobody waits for those who are behind. Whether anybody moved."""
        now = time.monotonic()
        groups: dict[int, list[Place]] = {}
        for place in self.places:
            if place.resting_until <= now:
                groups.setdefault(place.position, []).append(place)
        # All of them, not only until one has moved.
        moved = [self._lead(position, groups[position]) for position in sorted(groups, reverse=True)]
        return any(moved)

    def catch_up(self) -> None:
        """Goes on until nobody gets any further."""
        while self.advance():
            pass

    def _lead(self, position: int, group: list[Place]) -> bool:
        reader = group[0].steps or Steps(self._log)
        steps = reader.after(position)
        for place in group:
            # A follower that did not come along reads for itself: the shared matches are ahead of it.
            place.steps = reader if not steps or self._write(place, steps) else None
        return bool(steps)

    def _write(self, place: Place, steps: list[Step]) -> bool:
        """Rows and position of one follower; whether it came along."""
        name, position = place.follower.NAME, steps[-1].position
        try:
            with self._store.transaction() as transaction:
                # First the position: where somebody else has moved it, the rows are written already.
                transaction.move(name, place.position, position)
                place.follower.follow(transaction, steps)
        except Moved:
            # A rebuild has put its tables in the place of ours: we go on from where they end.
            place.position = self._store.position(name)
            return False
        except Exception:
            place.fail(time.monotonic())
            logger.exception("cannot follow", follower=name, position=place.position, failures=place.failures)
            return False
        place.position, place.failures = position, 0
        return True
