"""What follows the log: what a follower is, and the log as steps, each entry folded once for all of them."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

import msgspec
import structlog
from sqlalchemy import Table

from domain.eventstore.guard import broken_chain, stream_of
from domain.kernel.title import Titles
from domain.matches.aggregate import Match, view
from domain.matches.apply import apply_fact, begin
from domain.matches.errors import LogFault, Tampered
from domain.matches.facts import Fact
from domain.matches.log.entries import EPOCH, Entry
from domain.matches.log.records import Record
from domain.matches.titles import read_fact
from projections.platform.slices import place_name, slice_of
from projections.platform.store import ReadStore, Transaction

BATCH: Final = 200
MATCHES_KEPT_MAX: Final = 512

MICROSECOND: Final = timedelta(microseconds=1)

logger = structlog.get_logger("follower")


def moment(microseconds: int) -> datetime:
    """The time a row keeps as whole microseconds since 1970 (`domain.matches.log.entries.microseconds`)."""
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
    def TABLES(self) -> Mapping[str, Table]:  # noqa: N802
        """The tables by their names without braces."""
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
    def TABLES(self) -> Mapping[str, Table]: ...  # noqa: N802

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
class BySlice(Protocol):
    """A follower whose rows each belong to one line of the log: several processes lead it, each a slice of the lines.
    Whatever counts or orders across matches is none of these, and is led as a whole."""

    @property
    def SLICED(self) -> bool: ...  # noqa: N802  (a constant of a module)


def slices_of(follower: AnyFollower, slices: int) -> Sequence[int | None]:
    """The slices it is led by; `None`: as a whole."""
    return range(slices) if slices > 1 and isinstance(follower, BySlice) and follower.SLICED else (None,)


def names_of_places(follower: AnyFollower, slices: int) -> tuple[str, ...]:
    """What its positions are called."""
    return tuple(place_name(follower.NAME, slice_) for slice_ in slices_of(follower, slices))


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

    def after(
        self, position: int, limit: int = BATCH, wanted: frozenset[int] | None = None
    ) -> tuple[list[Happening], int]:
        """What was appended after a position, and up to which it is that; the same position where nothing was. Of the
        lines of the `wanted` slices only, where not all are."""
        events = self._log.happenings(position, limit)
        found = (self.take(noticed, event) for noticed, event in events if wanted is None or is_in(event, wanted))
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


def is_in(event: Entry | Record, slices: frozenset[int]) -> bool:
    """Whether an entry belongs to one of these slices; records belong to none."""
    return isinstance(event, Entry) and slice_of(event.line_id) in slices


def enrol(store: ReadStore, follower: AnyFollower) -> None:
    """Makes the follower's tables, at the beginning of the log, unless they are there in this shape."""
    store.enrol(follower.NAME, follower.SHAPE, tuple(follower.TABLES.values()), names_of_places(follower, store.slices))


def lag(store: ReadStore, last_position: int) -> dict[str, int]:
    """How far each follower is behind the end of the log, in positions."""
    return {follower: last_position - position for follower, position in store.positions().items()}
