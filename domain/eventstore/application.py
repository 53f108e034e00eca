"""The matches of a store: every command reads, decides, and appends atomically."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

from eventsourcing.persistence import IntegrityError

from domain.eventstore.appends import count_appended
from domain.eventstore.batch import Batch, Composed
from domain.eventstore.dependencies import Dependencies
from domain.eventstore.event_log import EventLog
from domain.eventstore.guard import LogItem, find_last_position, list_log_items
from domain.eventstore.lines import Lines, notes_stream
from domain.eventstore.mapper import Imported, Note, NoteBody
from domain.eventstore.pending_recorder import PendingRecorder
from domain.eventstore.recorders import Ends, StreamRecorder, StreamSummary, as_shared_recorder
from domain.eventstore.retry import retry
from domain.eventstore.streams import Streams
from domain.kernel.title import Titles
from domain.matches.aggregate import Match, info_of, require_actor, require_not_over
from domain.matches.consequences import append, open_line
from domain.matches.entropy import Entropy, server_seed
from domain.matches.errors import NotSeated
from domain.matches.facts import SERVICE, Actor, Fact, SeatReplaced, ShareBy, Standing, Table
from domain.matches.log.entries import Entry, Reader
from domain.matches.log.records import Record
from domain.matches.play import commands
from domain.matches.play.repeated_commands import StoredPast, find_earlier_result, require_unaffected, same_opening
from domain.matches.seats import luck_shares, opening
from domain.matches.seats.reserved import require_unreserved
from domain.matches.signatures import signing_keys
from domain.matches.signatures.signing import sign
from domain.matches.titles import find_title
from domain.signatures.acts import SignedAct
from domain.signatures.keys import NamedKey

R = TypeVar("R")


class Matches:
    """The matches of a store; each command is one atomic append, retried after a conflict with another writer."""

    def __init__(self, log: EventLog, dependencies: Dependencies, lines: Lines, streams: Streams) -> None:
        self.log: Final = log
        self.dependencies: Final = dependencies
        self.lines: Final = lines
        self.streams: Final = streams

    @property
    def titles(self) -> Titles:
        """The titles that can be played."""
        return self.dependencies.titles

    @property
    def entropy(self) -> Entropy:
        """The source of random bytes."""
        return self.dependencies.entropy

    @property
    def standing(self) -> Callable[[Actor, datetime], Standing]:
        """The lookup of a player's standing at a time."""
        return self.dependencies.standing

    def save(self, *events: LogItem | Note, ends: Ends | None = None) -> None:
        """Append events in one transaction, as `EventLog.put` does, and notify the listeners; caches are unchanged."""
        position = self.log.put([self.log.mapper.to_stored_event(event) for event in events], ends)
        self.log.notify(position, events)
        count_appended(len(events))

    def transact(self, compose: Callable[[Batch], R], *, at: datetime) -> R:
        """Compose and commit a transaction, and return its answer; after each conflict both are done again."""
        return retry(lambda: self.commit(self.compose(compose, at=at)))

    def compose(self, compose: Callable[[Batch], R], *, at: datetime) -> Composed[R]:
        """Run `compose` on a batch and return the transaction unstored, so that a slow one blocks no writer."""
        lines, streams, dependencies = self.lines, self.streams, self.dependencies
        is_shared = as_shared_recorder(self.log.recorder) is not None
        rows = PendingRecorder(self.log.recorder, assumes=False) if is_shared else None
        if rows is not None:
            lines, streams = lines.with_pending(rows), streams.with_pending(rows)
        keys_of = partial(dependencies.keys_of, self)
        batch = Batch(lines, streams, at, dependencies.house, keys_of, dependencies.order(), dependencies.official_keys)
        answer = compose(batch)
        return Composed(batch, answer, None if rows is None else rows.ends())

    def commit(self, composed: Composed[R]) -> R:
        """Store a transaction, update the caches and return its answer; raise `IntegrityError` on a conflict."""
        try:
            self.save(*composed.batch.events, ends=composed.ends)
        except IntegrityError:
            composed.batch.refresh(self.lines)
            raise
        composed.batch.update_caches(self.lines, self.streams)
        return composed.answer

    def append(
        self, match_id: UUID, at: datetime, decide: Callable[[Match], Fact], signed: SignedAct | None = None
    ) -> Match:
        """Append the fact that `decide` returns for the current match, and consequences; retry after each conflict."""

        def attempt() -> Match:
            match = self.lines.get(match_id)
            return self.append_fact(match, decide(match), at, signed)

        return retry(attempt)

    def append_fact(self, match: Match, fact: Fact, at: datetime, signed: SignedAct | None) -> Match:
        """Sign a fact, append it with its consequences and return the match; raise as `signing.sign` and `store` do."""
        past = StoredPast(self.lines, match)
        return self.store(*append(match, sign(match, fact, signed, self.dependencies.house, past), at))

    def store(self, match: Match, entries: tuple[Entry, ...], *notes: Note) -> Match:
        """Append entries and notes in one transaction, then cache the match; raise `IntegrityError` on a conflict."""
        try:
            self.save(*notes, *entries)
        except IntegrityError:
            self.lines.refresh(match.id)
            raise
        self.lines.cache_match(match)
        return match

    def build_note(self, match_id: UUID, what: NoteBody, at: datetime) -> Note:
        """Return a note that continues a match's notes stream, without storing it."""
        version = len(self.lines.notes(match_id)) + 1
        stream = notes_stream(match_id)
        return Note(originator_id=stream, originator_version=version, timestamp=at, what=what)

    def close(self) -> None:
        """Close the store."""
        self.log.close()

    def get(self, match_id: UUID) -> Match:
        """Return the current match, including entries by other writers; raise `NoSuchMatch` or `Tampered`."""
        return self.lines.get(match_id)

    def at(self, match_id: UUID, version: int) -> Match:
        """Return the match after an entry of its line; raise `NoSuchEntry` if there is none."""
        return self.lines.at(match_id, version)

    def entries(self, match_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Return stored entries of the match's line, secrets included; not for players."""
        return self.lines.entries(match_id, after, limit)

    def read(self, match_id: UUID, reader: Reader, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Return entries of the match's line, redacted for a seat, a spectator (`None`) or `ALL`."""
        return self.lines.read(match_id, reader, after, limit)

    def read_log_items(self, after: int, limit: int) -> list[tuple[int, Entry | Record]]:
        """Return entries and records after a position, in append order, each with its position."""
        return list_log_items(self.log.recorder, self.log.mapper, after, limit)

    def verify_stream(self, event: Entry | Record) -> None:
        """Raise `Tampered` if the stream of an event contradicts the transparency log."""
        if isinstance(event, Entry):
            self.lines.verify_line(event.line_id)
        else:
            self.streams.verify_stream(event.stream_id)

    def last_position(self) -> int:
        """Return the position of the latest entry or record, or 0."""
        return find_last_position(self.log.recorder)

    def list_streams(self, upto: int) -> Sequence[StreamSummary]:
        """Return all streams as of a position, ordered by their first rows."""
        return self._stream_recorder().list_streams(upto)

    def read_stream(self, stream: UUID, upto: int) -> list[tuple[int, Entry | Record]]:
        """Return (position, entry or record) pairs of a stream up to a log position, unverified and without notes."""
        rows = self._stream_recorder().select_stream(stream, upto)
        events = ((row.id, self.log.mapper.to_domain_event(row)) for row in rows)
        return [(position, event) for position, event in events if isinstance(event, Entry | Record)]

    def first(self, stream: UUID) -> Entry | Record | None:
        """Return the first entry or record of a stream, without verification, or None."""
        # The stream of a fork begins with a note that claims its id.
        events = map(self.log.mapper.to_domain_event, self.log.recorder.select_events(stream, limit=2))
        return next((event for event in events if isinstance(event, Entry | Record)), None)

    def _stream_recorder(self) -> StreamRecorder:
        recorder = self.log.recorder
        assert isinstance(recorder, StreamRecorder)
        return recorder

    def is_imported(self, match_id: UUID) -> bool:
        """Return whether the match was imported from a file; such a match is never rated."""
        return any(isinstance(note.what, Imported) for note in self.lines.notes(match_id))

    def open(
        self,
        match_id: UUID,
        *,
        title: str,
        seats: int,
        by: Actor,
        at: datetime,
        options: Mapping[str, str] | None = None,
        table: Table | None = None,
    ) -> Match:
        """Open a table; return the existing one for the same arguments; raise `MatchExists` for others.

        Raise also as `opening.open_match` does.
        """
        loaded_title = find_title(self.titles, title)
        seed = server_seed(self.entropy, match_id)
        fact = opening.open_match(
            loaded_title,
            seats=seats,
            options=options or {},
            table=table or Table(),
            by=by,
            seed=seed,
            house=self.dependencies.house.key if self.dependencies.house else "",
        )

        def attempt() -> Match:
            if self.lines.has(match_id):
                return same_opening(self.lines, match_id, fact)
            return self.store(*open_line(loaded_title, fact, match_id, at))

        return retry(attempt)

    def take_seat(
        self,
        match_id: UUID,
        seat: int,
        by: Actor,
        *,
        at: datetime,
        share_commitment: str | None = None,
        share_by: ShareBy | None = None,
    ) -> Match:
        """Take a free seat; a bot is ready at once. Not idempotent.

        Raise `SeatReserved` at a table of an event, `SeatTakenAlready` also for its own player, else as
        `opening.take_seat`.
        """
        return self.append(
            match_id,
            at,
            lambda match: opening.take_seat(
                require_unreserved(match, seat),
                seat,
                by,
                share_commitment,
                share_by=share_by,
                keys=self.dependencies.keys_of(self, by),
            ),
        )

    def commit_share(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, share_commitment: str | None = None
    ) -> Match:
        """Commit a seat to a share of luck, or with None leave it to the service; repeating a share changes nothing.

        Until the table closes, another share replaces it. Raise as `luck_shares.commit_share`.
        """
        match = self.get(match_id)
        if luck_shares.has_committed(match, seat, by, share_commitment):
            return match
        return self.append(match_id, at, lambda match: luck_shares.commit_share(match, seat, by, share_commitment))

    def name_key(self, match_id: UUID, seat: int, by: Actor, key: NamedKey, *, at: datetime) -> Match:
        """Add a signing key to a seat; a known one changes nothing. Raise `NotSeated` or `BadSignature`."""
        match = self.get(match_id)
        is_own = 0 <= seat < len(match.seats) and match.seats[seat].actor == by
        if is_own and key.key in [each.key for each in match.seats[seat].keys]:
            return match
        return self.append(match_id, at, lambda current: signing_keys.name_key(current, seat, by, key))

    def stop_signing(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        """Let the player continue unsigned; raise `NotSeated`, or `BadSignature` if the seat does not sign."""
        return self.append(match_id, at, lambda match: signing_keys.stop_signing(match, seat, by), signed)

    def leave_seat(self, match_id: UUID, seat: int, by: Actor, *, at: datetime) -> Match:
        """Leave a seat; raise `SeatReserved` at a table of an event, otherwise as `opening.leave_seat`."""
        return self.append(match_id, at, lambda match: opening.leave_seat(require_unreserved(match, seat), seat, by))

    def ready(
        self,
        match_id: UUID,
        seat: int,
        by: Actor,
        *,
        at: datetime,
        share: str | None = None,
        salt: str | None = None,
        signed: SignedAct | None = None,
    ) -> Match:
        """Mark a seat as ready, and start the match once all seats are; idempotent.

        A player without a commitment who opens no share leaves it to the service. Raise as `opening.ready`.
        """
        standing = self.standing(by, at)

        def compose(batch: Batch) -> Match:
            match = batch.match(match_id)
            info = info_of(match, seat)
            if info.ready and info.actor == by:
                return match
            if info.share_by == "awaited" and share is None:
                match = batch.add(match_id, luck_shares.commit_share(match, seat, by))
            return batch.append(match_id, lambda match: opening.ready(match, seat, by, share, salt, standing), signed)

        return self.transact(compose, at=at)

    def act(
        self,
        match_id: UUID,
        seat: int,
        by: Actor,
        action: object,
        *,
        expected_version: int,
        at: datetime,
        signed: SignedAct | None = None,
    ) -> Match:
        """Take an action at `expected_version`; the same request again returns the match right after that action.

        A stale version passes if nothing since affects the seat, else raise `StaleVersion`; other errors as
        `commands.act`.
        """

        def attempt() -> Match:
            match = self.lines.load(match_id)
            if match.version < expected_version:
                match = self.get(match_id)
            require_actor(match, seat, by)
            if match.version != expected_version:
                earlier = find_earlier_result(self.lines, match, seat, by, action, expected_version)
                if earlier is not None:
                    return earlier
                require_not_over(match)
                require_unaffected(match, seat, expected_version, StoredPast(self.lines, match))
            return self.append_fact(match, commands.act(match, seat, by, action), at, signed)

        return retry(attempt)

    def take_back(
        self, match_id: UUID, seat: int, by: Actor, *, to_version: int, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        """Return to an earlier position of the turn; raise `TakeBackRefused` if that is not allowed."""
        return self.append(match_id, at, lambda match: commands.take_back(match, seat, by, to_version), signed)

    def resign(self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None) -> Match:
        """Resign a seat, whose turns the service then skips; raise as `commands.resign`."""
        return self.append(match_id, at, lambda match: commands.resign(match, seat, by), signed)

    def replace_seat(
        self, match_id: UUID, seat: int, by: Actor, *, actor: Actor, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        """Give a seat to `actor`, a bot or another player, by order of `by`; raise as `commands.replace_seat`.

        While a fork's empty seat holds secrets of a running parent, raise `NotSeated` unless `actor` is its player
        there or `by` is the service.
        """
        match = self.get(match_id)
        if by != SERVICE and match.origin is not None and 0 <= seat < len(match.seats):
            holder = self.lines.find_ancestor_holder(match_id, seat)
            if match.seats[seat].actor is None and holder not in (None, actor):
                raise NotSeated(f"seat {seat} has hidden information of a running match; only its player can take it")

        def decide(current: Match) -> SeatReplaced:
            return commands.replace_seat(current, seat, by, actor, keys=self.dependencies.keys_of(self, actor))

        return self.append(match_id, at, decide, signed)

    def time_out(self, match_id: UUID, seat: int, by: Actor, *, at: datetime, bot: Actor | None = None) -> Match:
        """Record a time-out and apply the table's policy in the same transaction; raise as `commands.time_out`."""
        return self.append(match_id, at, lambda match: commands.time_out(match, seat, by, bot, at=at))

    def ask_pause(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        """Ask for a pause, which begins once all people have asked; raise as `commands.ask_pause`, also if repeated."""
        return self.append(match_id, at, lambda match: commands.ask_pause(match, seat, by), signed)

    def withdraw_pause(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        """Withdraw a request for a pause; raise `PauseRefused` if there is none."""
        return self.append(match_id, at, lambda match: commands.withdraw_pause(match, seat, by), signed)

    def pause(self, match_id: UUID, by: Actor, *, at: datetime) -> Match:
        """Pause the match as the service; raise as `commands.pause`."""
        return self.append(match_id, at, lambda match: commands.pause(match, by))

    def resume(self, match_id: UUID, by: Actor, *, at: datetime, signed: SignedAct | None = None) -> Match:
        """End a pause; raise as `commands.resume`, also for actors who may not."""
        return self.append(match_id, at, lambda match: commands.resume(match, by), signed)

    def void(self, match_id: UUID, by: Actor, *, at: datetime, reason: str = "") -> Match:
        """Void the match; raise as `commands.void`, also for actors who may not."""
        return self.append(match_id, at, lambda match: commands.void(match, by, reason))
