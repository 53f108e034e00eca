"""Interfaces of the event store for code without I/O; `domain.eventstore` implements them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar
from uuid import UUID

from domain.kernel.title import AnyTitle, Titles
from domain.matches.aggregate import Match
from domain.matches.entropy import Entropy
from domain.matches.facts import Actor, Fact, MatchForked, MatchOpened, Standing
from domain.matches.log.entries import Entry
from domain.matches.log.records import Kind, Record, Stream
from domain.matches.rulings.orders import StreamHead
from domain.signatures.acts import ServiceKey, SignedAct
from domain.signatures.keys import NamedKey

F = TypeVar("F")
R = TypeVar("R")
S = TypeVar("S")


class LineReader(Protocol):
    """The lines of matches: states, entries, and versions up to which hidden values stay closed."""

    def has(self, match_id: UUID) -> bool:
        """Return whether the id is or was in use, by a match or another stream."""
        ...

    def get(self, match_id: UUID) -> Match:
        """Return the match at the end of its line; raise `NoSuchMatch` or `Tampered`."""
        ...

    def at(self, match_id: UUID, version: int) -> Match:
        """Return the match after an earlier entry; raise `NoSuchEntry` if there is none."""
        ...

    def entries(self, match_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Return entries of a line after a version, at most `limit`."""
        ...

    def last_closed_version(self, match_id: UUID) -> int:
        """Return the version up to which hidden values stay closed, or 0."""
        ...

    def last_visible_version(self, match_id: UUID) -> int:
        """Return the last version that may be shown."""
        ...

    def is_running(self, match_id: UUID) -> bool:
        """Return whether the line or a stored replacement of it is still running."""
        ...


class StreamReader(Protocol):
    """The record streams of a store."""

    def find(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """Return a stream, or None."""
        ...

    def get(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S]:
        """Return a stream; raise `NoSuchStream` if it is missing."""
        ...

    def records(self, stream_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Record, ...]:
        """Return records of a stream after a version, at most `limit`."""
        ...


class Transaction(Protocol):
    """A transaction under composition; reads include its additions."""

    at: datetime
    house: ServiceKey | None

    @property
    def keys_of(self) -> Callable[[Actor], tuple[NamedKey, ...]]:
        """The lookup of a player's signing keys."""
        ...

    @property
    def events(self) -> Sequence[object]:
        """The entries, records and notes added so far."""
        ...

    def find(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S] | None:
        """Return a stream, or None."""
        ...

    def get(self, kind: Kind[F, S], stream_id: UUID) -> Stream[S]:
        """Return a stream; raise `NoSuchStream` if it is missing."""
        ...

    def record(
        self,
        kind: Kind[F, S],
        stream_id: UUID,
        *facts: F,
        expected_version: int | None = None,
        as_order: bool = True,
    ) -> Stream[S]:
        """Append facts to a stream, which may be new, and return it; raise `StaleVersion` at another version.

        That is unless it is at `expected_version`; None is any. `as_order` signs the orders of officials among the
        facts.
        """
        ...

    def sign_official_order(self, fact: R, head: StreamHead, keys: tuple[str, ...]) -> R:
        """Return the fact, signed with one of an official's keys if there are any."""
        ...

    def restore(self, kind: Kind[F, S], records: Sequence[Record]) -> Stream[S]:
        """Append records from another store."""
        ...

    def has(self, match_id: UUID) -> bool:
        """Return whether a match exists or was added here."""
        ...

    def open(self, match_id: UUID, title: AnyTitle, fact: MatchOpened) -> Match:
        """Add a new match and return it; its id must be unused, which is not checked here."""
        ...

    def match(self, match_id: UUID) -> Match:
        """Return a match, with the entries added here; raise `NoSuchMatch` if it is missing."""
        ...

    def append(self, match_id: UUID, decide: Callable[[Match], Fact], signed: SignedAct | None = None) -> Match:
        """Append the fact that `decide` returns, and its consequences."""
        ...

    def add(self, match_id: UUID, fact: Fact, signed: SignedAct | None = None) -> Match:
        """Append a fact and its consequences and return the match after them; raise as `signing.sign` does."""
        ...

    def fork(self, base: Match, fact: MatchForked, fork_id: UUID) -> Match:
        """Add a fork of the line at `base` and return it; raise `MatchExists` for a used id."""
        ...


class MatchReader(Protocol):
    """The matches and record streams of a store."""

    @property
    def lines(self) -> LineReader:
        """The lines of matches."""
        ...

    @property
    def streams(self) -> StreamReader:
        """The record streams."""
        ...

    def get(self, match_id: UUID) -> Match:
        """Return the match at the end of its line; raise `NoSuchMatch` or `Tampered`."""
        ...

    def at(self, match_id: UUID, version: int) -> Match:
        """Return the match after an earlier entry; raise `NoSuchEntry` if there is none."""
        ...

    def entries(self, match_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Return entries of a line after a version, at most `limit`."""
        ...

    def read_log_items(self, after: int, limit: int) -> list[tuple[int, Entry | Record]]:
        """Return entries and records after a position, with their positions."""
        ...

    def is_imported(self, match_id: UUID) -> bool:
        """Return whether the match was imported from a file."""
        ...


class MatchWriter(MatchReader, Protocol):
    """The matches of a store, with transactions that append to them."""

    @property
    def titles(self) -> Titles:
        """The titles that can be played."""
        ...

    @property
    def entropy(self) -> Entropy:
        """The source of random bytes."""
        ...

    @property
    def standing(self) -> Callable[[Actor, datetime], Standing]:
        """The lookup of a player's standing at a time."""
        ...

    def transact(self, compose: Callable[[Transaction], R], *, at: datetime) -> R:
        """Compose and commit a transaction; `compose` may run again after a conflict."""
        ...
