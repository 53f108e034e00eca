"""Transactions: additions of entries, records and forks that are stored together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, Generic, TypeVar
from uuid import UUID

from domain.eventstore.lines import Lines, notes_stream
from domain.eventstore.mapper import Claimed, Forked, Note, NoteBody
from domain.eventstore.streams import Streams
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match
from domain.matches.consequences import append, fork_line, open_line
from domain.matches.errors import MatchExists, NoSuchStream, StaleVersion
from domain.matches.facts import SERVICE, Actor, Fact, MatchForked, MatchOpened, RulingGiven
from domain.matches.log.entries import NO_DIGEST, Entry
from domain.matches.log.records import Kind, Record, Stream
from domain.matches.play.repeated_commands import StoredPast
from domain.matches.rulings.orders import StreamHead, sign_order, sign_together
from domain.matches.signatures.signing import sign
from domain.matches.transaction import Transaction
from domain.signatures.acts import ServiceKey, Signed, SignedAct
from domain.signatures.keys import NamedKey

F = TypeVar("F")
R = TypeVar("R")
S = TypeVar("S")


@dataclass(frozen=True)
class Composed(Generic[R]):
    """A composed transaction that is not stored yet, with its return value."""

    batch: Batch
    answer: R
    ends: Mapping[UUID, int] | None = None
    """Streams that were only read, with their versions; None if other writers are excluded."""


class Batch:
    """A transaction being composed; reads include its additions."""

    def __init__(
        self,
        lines: Lines,
        streams: Streams,
        at: datetime,
        service_key: ServiceKey | None = None,
        keys_of: Callable[[Actor], tuple[NamedKey, ...]] = lambda _: (),
        order: Signed | None = None,
        official_keys: Callable[[Transaction, Actor], tuple[str, ...]] = lambda _batch, _actor: (),
    ) -> None:
        self.at = at
        self.house = service_key
        self.keys_of = keys_of
        self._order = order
        self._official_keys = official_keys
        self.events: list[Entry | Record | Note] = []
        self._lines = lines
        self._streams = streams
        self._matches: dict[UUID, Match] = {}
        self._cached: dict[UUID, tuple[Kind[Any, Any], Stream[Any] | None]] = {}
        self._notes: dict[UUID, int] = {}

    def find(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """Return a stream as of this transaction, or None: a repeated read gives the same result."""
        cached = self._cached.get(stream_id)
        if cached is None or cached[0] is not kind:
            cached = self._cached[stream_id] = (kind, self._streams.find(kind, stream_id))
        return cached[1]

    def get(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S]:
        """Return a stream as of this transaction; raise `NoSuchStream` if it is missing."""
        stream = self.find(kind, stream_id)
        if stream is None:
            raise NoSuchStream(f"no {kind.name} {stream_id}")
        return stream

    def record(
        self,
        kind: Kind[F, S],
        stream_id: UUID,
        *facts: F,
        expected_version: int | None = None,
        as_order: bool = True,
    ) -> Stream[S]:
        """Append facts to a stream, which may be new, and return it; raise `StaleVersion` unless at `expected_version`.

        `as_order` signs orders of officials here; it is False for facts that are no orders or are signed elsewhere.
        Raise `MatchExists` if another kind of stream has a new stream's id, `OrderUnsigned` for an order that its
        official has to sign.
        """
        stream = self.find(kind, stream_id)
        if stream is None:
            self._require_unused(kind, stream_id)
        version = 0 if stream is None else stream.version
        if expected_version not in (None, version):
            sentence = f"the {kind.name} {stream_id} is at version {version}, not {expected_version}"
            raise StaleVersion(sentence, version)
        for each in self._sign_together(kind, stream_id, stream, facts):
            fact = each
            if as_order and kind.is_order(None if stream is None else stream.state, each):
                fact = self._sign_if_unsigned(stream_id, stream, each)
            record = kind.seal(stream_id, stream, fact, self.at)
            stream = kind.apply(stream, record)
            self.events.append(record)
        assert stream is not None, "a stream begins with a fact"
        self._cached[stream_id] = (kind, stream)
        return stream

    def _sign_together(
        self, kind: Kind[Any, S], stream_id: UUID, stream: Stream[S] | None, facts: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Return the facts; several leading orders of one official (with keys) are signed together.

        A new stream, the service and a single order are left to `_sign_if_unsigned`. Raise `OrderUnsigned` as
        `sign_together` does.
        """
        if stream is None:
            return facts
        orders = tuple(takewhile(lambda fact: kind.is_order(stream.state, fact) and fact.by == facts[0].by, facts))
        if len(orders) < 2 or orders[0].by == SERVICE:
            return facts
        keys = self._official_keys(self, orders[0].by)
        if not keys:
            return facts
        head = StreamHead(stream_id, stream.version, stream.head_digest)
        return (*sign_together(orders, head, self._order, keys), *facts[len(orders) :])

    def _sign_if_unsigned(self, stream_id: UUID, stream: Stream[Any] | None, fact: Any) -> Any:
        """Return the order, signed if it is unsigned and its official has a key; raise `OrderUnsigned`.

        It is raised if the request's signature is missing or does not fit.
        """
        if fact.signed is not None:
            return fact
        version, digest = (0, NO_DIGEST) if stream is None else (stream.version, stream.head_digest)
        return self.sign_official_order(
            fact,
            StreamHead(stream_id, version, digest, is_elsewhere=isinstance(fact, RulingGiven)),
            self._official_keys(self, fact.by),
        )

    def sign_official_order(self, fact: R, head: StreamHead, keys: tuple[str, ...]) -> R:
        """Return the fact, signed with one of an official's keys if there are any."""
        signed: R = sign_order(fact, head, self._order, keys, self.house)
        return signed

    def restore(self, kind: Kind[F, S], records: Sequence[Record]) -> Stream[S]:
        """Append records from another store, as they are; the stream may be new.

        Raise `LogFault` if they do not continue it, `MatchExists` if another kind of stream has the id.
        """
        stream = self.find(kind, records[0].stream_id)
        if stream is None:
            self._require_unused(kind, records[0].stream_id)
        for record in records:
            stream = kind.apply(stream, record)
        assert stream is not None, "a stream begins with a record"
        self.events.extend(records)
        self._cached[stream.id] = (kind, stream)
        return stream

    def _require_unused(self, kind: Kind[Any, Any], stream_id: UUID) -> None:
        """Raise `MatchExists` if a match or a stream of another kind has the id.

        A stream of the same kind, begun concurrently by another writer, is found on retry.
        """
        if self._lines.has(stream_id) and self._streams.find(kind, stream_id) is None:
            raise MatchExists(f"the id {stream_id} is already in use")

    def has(self, match_id: UUID) -> bool:
        """Return whether the match is stored or was added here."""
        return match_id in self._matches or self._lines.has(match_id)

    def open(self, match_id: UUID, title: AnyTitle, fact: MatchOpened) -> Match:
        """Add a new match with its first entries and return it; its id must be unused, which is not checked here."""
        match, entries = open_line(title, fact, match_id, self.at)
        self.events.extend(entries)
        self._matches[match_id] = match
        return match

    def match(self, match_id: UUID) -> Match:
        """Return a match as of this transaction; raise `NoSuchMatch` if it is missing."""
        match = self._matches.get(match_id)
        if match is None:
            match = self._matches[match_id] = self._lines.get(match_id)
        return match

    def append(self, match_id: UUID, decide: Callable[[Match], Fact], signed: SignedAct | None = None) -> Match:
        """Append the fact that `decide` returns, and its consequences."""
        return self.add(match_id, decide(self.match(match_id)), signed)

    def add(self, match_id: UUID, fact: Fact, signed: SignedAct | None = None) -> Match:
        """Append a fact and its consequences and return the match after them; raise as `signing.sign` does."""
        match = self.match(match_id)
        if isinstance(fact, RulingGiven) and fact.dispute in map(str, self._cached):
            stream = self._cached[UUID(fact.dispute)][1]
            fact = self._sign_if_unsigned(UUID(fact.dispute), stream, fact)
        fact = sign(match, fact, signed, self.house, StoredPast(self._lines, match))
        match, entries = append(match, fact, self.at)
        self.events.extend(entries)
        self._matches[match_id] = match
        return match

    def fork(self, base: Match, fact: MatchForked, fork_id: UUID) -> Match:
        """Add a fork of the line at `base` with the notes that the store needs; raise `MatchExists` for a used id.

        Whether the fork is allowed is not checked here.
        """
        if self._lines.has(fork_id):
            raise MatchExists(f"the match id {fork_id} is already in use")
        # A what-if is visible to arbiters only, so it must not keep the parent's secrets closed.
        counts = fact.dispute == "" and base.version <= self._lines.last_closed_version(base.id)
        self.note(base.id, Forked(fork_id, base.version, counts))
        self.events.append(build_claim(fork_id, self.at))
        match, entries = fork_line(base, fact, fork_id, self.at)
        self.events.extend(entries)
        self._matches[fork_id] = match
        return match

    def note(self, match_id: UUID, what: NoteBody) -> None:
        """Add a note to the end of a match's notes stream."""
        stream = notes_stream(match_id)
        version = self._notes.get(stream, len(self._lines.notes(match_id))) + 1
        self._notes[stream] = version
        self.events.append(Note(originator_id=stream, originator_version=version, timestamp=self.at, what=what))

    def update_caches(self, lines: Lines, streams: Streams) -> None:
        """Cache the matches and streams of the transaction, after it was stored."""
        for match in self._matches.values():
            lines.cache_match(match)
        for kind, stream in self._cached.values():
            if stream is not None:
                streams.cache_stream(kind, stream)

    def refresh(self, lines: Lines) -> None:
        """Refresh the cached matches of this transaction after a conflict with another writer."""
        for match_id in self._matches:
            lines.refresh(match_id)


def build_claim(fork_id: UUID, at: datetime) -> Note:
    """Return the note that reserves a fork's id, because its own entries do not start at version 1."""
    return Note(originator_id=fork_id, originator_version=1, timestamp=at, what=Claimed())


def newest_versions(events: Iterable[Entry | Record | Note]) -> dict[UUID, int]:
    """Return id -> latest version of every match and stream that has grown; notes are internal and left out."""
    versions: dict[UUID, int] = {}
    for event in events:
        if isinstance(event, Entry):
            versions[event.line_id] = event.version
        elif isinstance(event, Record):
            versions[event.stream_id] = event.version
    return versions
