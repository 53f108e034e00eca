"""The store of matches: what one transaction adds to it, who is told, what is composed again when others came first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Final, TypeVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, StoredEvent

from domain.eventstore.appends import count_appended
from domain.eventstore.batch import Batch, Composed, newest_versions
from domain.eventstore.guard import UNGUARDED, Guard, Kept
from domain.eventstore.lines import MATCHES_KEPT, Lines, notes_stream
from domain.eventstore.mapper import MatchMapper, Note, NoteBody
from domain.eventstore.pending_rows import PendingRows
from domain.eventstore.retry import NoStore, OutcomeUnknown, retry
from domain.eventstore.shared_recorder import Ends, shared
from domain.eventstore.streams import Streams
from domain.kernel.title import Titles
from domain.matches.aggregate import Match
from domain.matches.consequences import append
from domain.matches.entropy import Entropy, system_entropy
from domain.matches.facts import Actor, Fact, Standing
from domain.matches.log.entries import Entry
from domain.matches.play.repeated_commands import StoredPast
from domain.matches.signatures.signing import sign
from domain.signatures.acts import ServiceKey, Signed, SignedAct
from domain.signatures.keys import NamedKey
from domain.titles import TITLES

R = TypeVar("R")

NOTHING: Final[Ends] = {}


class MatchStore(Application[UUID]):
    """What writes to a store of matches and of the streams beside them. `on_append` is told the position of what was
    appended, and the newest version of every match and stream it was appended to: a hint, never the truth. `standing`
    is what is known of a player at a time, `keys_of` are the keys a person signs with; `house` signs what the service
    does by itself. `order` is the signature that came with a request, `official_keys` are those that somebody with a
    role signs with; `guard` knows what the tree of the house says of each stream."""

    name = "matches"
    env: ClassVar[dict[str, str]] = {}

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        titles: Titles = TITLES,
        entropy: Entropy = system_entropy,
        on_append: Callable[[int, Mapping[UUID, int]], None] | None = None,
        standing: Callable[[Actor, datetime], Standing] = lambda _actor, _at: "",
        house: ServiceKey | None = None,
        matches_kept: int = MATCHES_KEPT,
        guard: Guard = UNGUARDED,
    ) -> None:
        super().__init__(dict(env))
        assert isinstance(self.mapper, MatchMapper)
        self.titles = titles
        self.entropy = entropy
        self.on_append = on_append
        self.standing = standing
        self.house = house
        self.keys_of: Callable[[Any, Actor], tuple[NamedKey, ...]] = lambda _store, _actor: ()
        self.order: Callable[[], Signed | None] = lambda: None
        self.official_keys: Callable[[Batch, Actor], tuple[str, ...]] = lambda _batch, _actor: ()
        self.lines = Lines(self.recorder, self.mapper, titles, matches_kept, guard)
        self.streams = Streams(self.recorder, self.mapper, guard)

    def share(self, stored: MatchStore) -> None:
        """Use the mapper, the titles and the callbacks of another store; recorder, lines and streams stay apart."""
        self.mapper = stored.mapper
        self.titles = stored.titles
        self.entropy = stored.entropy
        self.on_append = stored.on_append
        self.standing = stored.standing
        self.house = stored.house
        self.keys_of = stored.keys_of
        self.order = stored.order
        self.official_keys = stored.official_keys

    def save(self, *events: Kept | Note, ends: Ends = NOTHING) -> None:  # type: ignore[override]  # the library's takes whatever is saved
        """Entries, records and notes in one transaction; `IntegrityError` where the place of one is taken, or where
        several processes write and a stream of `ends` has grown."""
        rows = [self.mapper.to_stored_event(event) for event in events]
        self.ring(self.put(rows, ends), events)
        count_appended(len(rows))

    def put(self, rows: Sequence[StoredEvent], ends: Ends = NOTHING) -> int:
        """The same, where what is stored of each is known already; gives the position of the last."""
        if not rows:
            return 0
        proof = {"ends": ends} if ends else {}
        try:
            positions = self.recorder.insert_events(rows, **proof)
        except IntegrityError:
            # Where the answer of a database was lost, its driver asks once more, and then we are who came first.
            try:
                are_stored = self._are_stored(rows)
            except NoStore as away:
                raise OutcomeUnknown("the database did not say whether it has stored this") from away
            if not are_stored:
                raise
            positions = [self.recorder.max_notification_id() or 0]
        return positions[-1] if positions else 0

    def ring(self, position: int, events: Iterable[Kept | Note]) -> None:
        """Tells who listens what was appended."""
        if self.on_append and position:
            self.on_append(position, newest_versions(events))

    def _are_stored(self, rows: Iterable[StoredEvent]) -> bool:
        """Whether all of them are there, byte for byte."""
        return all(
            [row] == [*self.recorder.select_events(row.originator_id, gt=row.originator_version - 1, limit=1)]
            for row in rows
        )

    # Appending

    def transact(self, compose: Callable[[Batch], R], *, at: datetime) -> R:
        """What is composed, in one transaction; composed again whenever another writer came first."""
        return retry(lambda: self.commit(self.compose(compose, at=at)))

    def compose(self, compose: Callable[[Batch], R], *, at: datetime) -> Composed[R]:
        """A transaction that only reads so far: what takes long can be composed beside the writer."""
        keys_of, lines, streams = partial(self.keys_of, self), self.lines, self.streams
        rows = None if shared(self.recorder) is None else PendingRows(self.recorder, assumes=False)
        if rows is not None:
            lines, streams = lines.above(rows), streams.above(rows)
        batch = Batch(lines, streams, at, self.house, keys_of, self.order(), self.official_keys)
        answer = compose(batch)
        return Composed(batch, answer, None if rows is None else rows.ends())

    def commit(self, composed: Composed[R]) -> R:
        """Stores a transaction; `IntegrityError` where what it goes on from has grown meanwhile."""
        try:
            self.save(*composed.batch.events, ends=composed.ends or NOTHING)
        except IntegrityError:
            composed.batch.refresh(self.lines)
            raise
        composed.batch.keep(self.lines, self.streams)
        return composed.answer

    def do(
        self, match_id: UUID, at: datetime, decide: Callable[[Match], Fact], signed: SignedAct | None = None
    ) -> Match:
        """A command on the match as it stands, and again should another writer come first."""

        def attempt() -> Match:
            match = self.lines.get(match_id)
            return self.append_fact(match, decide(match), at, signed)

        return retry(attempt)

    def append_fact(self, match: Match, fact: Fact, at: datetime, signed: SignedAct | None) -> Match:
        """A fact that was decided on, signed, and all that follows from it."""
        past = StoredPast(self.lines, match)
        return self.store(*append(match, sign(match, fact, signed, self.house, past), at))

    def store(self, match: Match, entries: tuple[Entry, ...], *notes: Note) -> Match:
        """One transaction; what this process knows is replaced once it is safe."""
        try:
            self.save(*notes, *entries)
        except IntegrityError:
            self.lines.refresh(match.id)
            raise
        self.lines.remember(match)
        return match

    def note(self, match_id: UUID, what: NoteBody, at: datetime) -> Note:
        version = len(self.lines.notes(match_id)) + 1
        stream = notes_stream(match_id)
        return Note(originator_id=stream, originator_version=version, timestamp=at, what=what)
