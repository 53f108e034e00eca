"""Matches: every command is get, one function, one atomic append."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from domain.eventstore.batch import Batch, claim
from domain.eventstore.guard import happenings
from domain.eventstore.mapper import LOG_TOPICS, Exported, Forked, Imported
from domain.eventstore.match_store import MatchStore
from domain.eventstore.numbered_rows import Numbered, StreamPlace
from domain.eventstore.retry import retry
from domain.matches.aggregate import Match, info_of, require_actor, require_not_over
from domain.matches.consequences import fork_line, open_line
from domain.matches.entropy import server_seed
from domain.matches.errors import ForkRefused, ImportRefused, NotSeated
from domain.matches.facts import SERVICE, Actor, Luck, SeatReplaced, ShareBy, Table
from domain.matches.forks import forking
from domain.matches.log.entries import ALL, Entry, Reader
from domain.matches.log.file import LogFile, log_of
from domain.matches.log.importing import ExaminedLog, bots_at, entries_to_store, examine_log, require_same_head
from domain.matches.log.records import Record
from domain.matches.play import playing
from domain.matches.play.repeated_commands import StoredPast, find_answer, require_still_good, same_fork, same_opening
from domain.matches.seats import opening, sharing
from domain.matches.seats.reserved import unreserved
from domain.matches.signatures import signing_keys
from domain.matches.titles import find_title
from domain.signatures.acts import SignedAct
from domain.signatures.keys import NamedKey

R = TypeVar("R")


class Matches(MatchStore):
    """The matches of a store."""

    # Reading

    def get(self, match_id: UUID) -> Match:
        """The match as it stands, caught up with every writer."""
        return self.lines.get(match_id)

    def at(self, match_id: UUID, version: int) -> Match:
        """The match as it stood after an entry of its line."""
        return self.lines.at(match_id, version)

    def entries(self, match_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """The entries of the match's line as stored, secrets and all: for the service itself."""
        return self.lines.entries(match_id, after, limit)

    def read(self, match_id: UUID, reader: Reader, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """The entries of the match's line as a seat, a spectator (`None`) or `ALL` may hold them."""
        return self.lines.read(match_id, reader, after, limit)

    def happenings(self, after: int, limit: int) -> list[tuple[int, Entry | Record]]:
        """The entries of all matches and the records of the streams beside them, in the order of their appending, each
        with its position, for followers."""
        return happenings(self.recorder, self.mapper, after, limit)

    def examine(self, event: Entry | Record) -> None:
        """`Tampered` unless the whole stream of something that was appended is what the tree says of it."""
        if isinstance(event, Entry):
            self.lines.examine(event.line_id)
        else:
            self.streams.examine(event.stream_id)

    def last_position(self) -> int:
        """The position of the newest entry or record; 0 while there is none."""
        newest = self.recorder.max_notification_id() or 0
        rows = self.recorder.select_notifications(max(1, newest - 20), 21, topics=LOG_TOPICS)
        return rows[-1].id if rows else newest

    def stream_places(self, upto: int) -> Sequence[StreamPlace]:
        """All streams as they were at a position, in the order of their first rows."""
        return self._numbered.stream_places(upto)

    def numbered(self, stream: UUID, upto: int) -> list[tuple[int, Entry | Record]]:
        """The entries or records of a stream up to a position of the log, each with its own."""
        events = ((row.id, self.mapper.to_domain_event(row)) for row in self._numbered.numbered(stream, upto))
        return [(position, event) for position, event in events if isinstance(event, Entry | Record)]

    def first(self, stream: UUID) -> Entry | Record | None:
        """The first entry or record of a stream, unexamined."""
        # Before its first entry a fork has a note that its id is taken.
        events = map(self.mapper.to_domain_event, self.recorder.select_events(stream, limit=2))
        return next((event for event in events if isinstance(event, Entry | Record)), None)

    @property
    def _numbered(self) -> Numbered:
        recorder: Any = self.recorder
        numbered: Numbered = recorder
        return numbered

    def is_imported(self, match_id: UUID) -> bool:
        """The match came from a file; it is never rated."""
        return any(isinstance(note.what, Imported) for note in self.lines.notes(match_id))

    # Before the start

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
        """A new table; asked for again in the same words, the one that is there."""
        played = find_title(self.titles, title)
        seed = server_seed(self.entropy, match_id)
        fact = opening.open_match(
            played,
            seats=seats,
            options=options or {},
            table=table or Table(),
            by=by,
            seed=seed,
            house=self.house.key if self.house else "",
        )

        def attempt() -> Match:
            if self.lines.has(match_id):
                return same_opening(self.lines, match_id, fact)
            return self.store(*open_line(played, fact, match_id, at))

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
        """Sit down. A bot is ready at once."""
        return self.do(
            match_id,
            at,
            lambda match: opening.take_seat(
                unreserved(match, seat), seat, by, share_commitment, share_by=share_by, keys=self.keys_of(self, by)
            ),
        )

    def commit_share(
        self,
        match_id: UUID,
        seat: int,
        by: Actor,
        *,
        at: datetime,
        share_commitment: str | None = None,
    ) -> Match:
        """The seat commits to a share of luck. Saying the same twice changes nothing."""
        match = self.get(match_id)
        if sharing.has_committed(match, seat, by, share_commitment):
            return match
        return self.do(match_id, at, lambda match: sharing.commit_share(match, seat, by, share_commitment))

    def name_key(self, match_id: UUID, seat: int, by: Actor, key: NamedKey, *, at: datetime) -> Match:
        """The player signs with one more key; one the seat has already changes nothing."""
        match = self.get(match_id)
        is_own = 0 <= seat < len(match.seats) and match.seats[seat].actor == by
        if is_own and key.key in [known.key for known in match.seats[seat].keys]:
            return match
        return self.do(match_id, at, lambda line: signing_keys.name_key(line, seat, by, key))

    def stop_signing(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        """The player goes on unsigned."""
        return self.do(match_id, at, lambda match: signing_keys.stop_signing(match, seat, by), signed)

    def leave_seat(self, match_id: UUID, seat: int, by: Actor, *, at: datetime) -> Match:
        return self.do(match_id, at, lambda match: opening.leave_seat(unreserved(match, seat), seat, by))

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
        """The seat is ready; when all are, the match starts. Saying it twice changes nothing.

        Who has committed to no share yet, and opens none, leaves it to the service.
        """
        known = self.standing(by, at)

        def compose(batch: Batch) -> Match:
            match = batch.match(match_id)
            info = info_of(match, seat)
            if info.ready and info.actor == by:
                return match
            if info.share_by == "awaited" and share is None:
                match = batch.add(match_id, sharing.commit_share(match, seat, by))
            return batch.append(match_id, lambda line: opening.ready(line, seat, by, share, salt, known), signed)

        return self.transact(compose, at=at)

    # Play

    def act(
        self,
        match_id: UUID,
        seat: int,
        by: Actor,
        action: Any,
        *,
        expected_version: int,
        at: datetime,
        signed: SignedAct | None = None,
    ) -> Match:
        """An action on the position after `expected_version`; DESIGN §8 says which stale ones are still good."""

        def attempt() -> Match:
            match = self.lines.load(match_id)
            if match.version < expected_version:
                match = self.get(match_id)
            require_actor(match, seat, by)
            if match.version != expected_version:
                answered = find_answer(self.lines, match, seat, by, action, expected_version)
                if answered is not None:
                    return answered
                require_not_over(match)
                require_still_good(match, seat, expected_version, StoredPast(self.lines, match))
            return self.append_fact(match, playing.act(match, seat, by, action), at, signed)

        return retry(attempt)

    def take_back(
        self, match_id: UUID, seat: int, by: Actor, *, to_version: int, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        return self.do(match_id, at, lambda match: playing.take_back(match, seat, by, to_version), signed)

    def resign(self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None) -> Match:
        """The seat gives up; the service plays it as skips from now on, in the same transactions."""
        return self.do(match_id, at, lambda match: playing.resign(match, seat, by), signed)

    def replace_seat(
        self,
        match_id: UUID,
        seat: int,
        by: Actor,
        *,
        actor: Actor,
        at: datetime,
        signed: SignedAct | None = None,
    ) -> Match:
        """A bot or another player goes on; an empty seat of a fork does not show what its parent still hides."""
        match = self.get(match_id)
        if by != SERVICE and match.origin is not None and 0 <= seat < len(match.seats):
            holder = self.lines.still_holding(match_id, seat)
            if match.seats[seat].actor is None and holder not in (None, actor):
                raise NotSeated(f"seat {seat} holds the secrets of a match still going on; only its player sits there")

        def decide(line: Match) -> SeatReplaced:
            return playing.replace_seat(line, seat, by, actor, keys=self.keys_of(self, actor))

        return self.do(match_id, at, decide, signed)

    def time_out(self, match_id: UUID, seat: int, by: Actor, *, at: datetime, bot: Actor | None = None) -> Match:
        """The seat's time ran out; the table's policy is carried out in the same transaction."""
        return self.do(match_id, at, lambda match: playing.time_out(match, seat, by, bot, at=at))

    def ask_pause(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        return self.do(match_id, at, lambda match: playing.ask_pause(match, seat, by), signed)

    def withdraw_pause(
        self, match_id: UUID, seat: int, by: Actor, *, at: datetime, signed: SignedAct | None = None
    ) -> Match:
        return self.do(match_id, at, lambda match: playing.withdraw_pause(match, seat, by), signed)

    def pause(self, match_id: UUID, by: Actor, *, at: datetime) -> Match:
        return self.do(match_id, at, lambda match: playing.pause(match, by))

    def resume(self, match_id: UUID, by: Actor, *, at: datetime, signed: SignedAct | None = None) -> Match:
        return self.do(match_id, at, lambda match: playing.resume(match, by), signed)

    def void(self, match_id: UUID, by: Actor, *, at: datetime, reason: str = "") -> Match:
        return self.do(match_id, at, lambda match: playing.void(match, by, reason))

    # Forks

    def fork(
        self,
        parent_id: UUID,
        *,
        at_version: int,
        new_id: UUID,
        luck: Luck,
        by: Actor,
        at: datetime,
        seats: tuple[Actor | None, ...] | None = None,
        awaits_own_luck: bool = False,
        practice: str = "",
    ) -> Match:
        """A new match from entry N of a line; the store keeps a pointer. Asked for again: the one that is there.

        With `awaits_own_luck` it goes on when the people in it have brought their shares of its fresh luck.
        """

        def attempt() -> Match:
            line = self.get(parent_id)
            if not 1 <= at_version <= line.version:
                raise ForkRefused(f"the match {parent_id} has entries 1 to {line.version}, not {at_version}")
            base = self.at(parent_id, at_version)
            forking.check_forkable(base, at_version)
            if not self.lines.has(base.id):
                raise ForkRefused(f"entry {at_version} belongs to the match {base.id}, which is not in this store")
            over = self.get(base.id).is_over
            if base.table.rated and not over and by != SERVICE:
                raise ForkRefused(f"the match {base.id} is rated and still going on; only the service may fork it")
            seed = server_seed(self.entropy, new_id)
            chosen = forking.default_seats(base, by) if seats is None else seats
            awaits = forking.awaited(base, chosen) if awaits_own_luck and luck == "fresh" else ()
            fact = forking.fork(
                base, luck=luck, by=by, seats=chosen, seed=seed, parent_is_over=over, awaits=awaits, practice=practice
            )
            if self.lines.has(new_id):
                return same_fork(self.lines, new_id, fact)
            counts = at_version <= self.lines.closed_until(base.id)
            note = self.note(base.id, Forked(new_id, at_version, counts), at)
            match, entries = fork_line(base, fact, new_id, at)
            return self.store(match, entries, note, claim(new_id, at))

        return retry(attempt)

    # Files

    def export(self, match_id: UUID, reader: Reader, *, by: Actor = SERVICE, at: datetime | None = None) -> LogFile:
        """The log for a reader, whole once the line has ended. All of a running match is an operator's: recorded."""
        if reader == ALL and self.lines.closed_until(match_id):
            assert at is not None, "taking the secrets of a running match is recorded with its time"
            return self.take_whole(match_id, self.note_export(match_id, by=by, at=at))
        return self.file_for(match_id, reader)

    def note_export(self, match_id: UUID, *, by: Actor, at: datetime) -> int:
        """Who takes all of a match that goes on is recorded with the version up to which they take it."""
        version = self.get(match_id).version
        self.save(self.note(match_id, Exported(version, by), at))
        return version

    def take_whole(self, match_id: UUID, upto: int) -> LogFile:
        """All that the log says up to a version, secrets too; `note_export` goes before it."""
        return log_of(self.entries(match_id, 0, upto))

    def file_for(self, match_id: UUID, reader: Reader) -> LogFile:
        """The log as a seat or a spectator may hold it, whole once the line has ended."""
        match = self.get(match_id)
        if reader is not None and reader != ALL:
            info_of(match, reader)
        if self.lines.closed_until(match_id) == 0:
            return log_of(self.entries(match_id))
        assert reader != ALL, "taking the secrets of a running match is recorded"
        return log_of(self.read(match_id, reader), reader)

    def import_log(
        self, log: LogFile, *, by: Actor, at: datetime, plays: Callable[[Actor], bool] = lambda _: True
    ) -> Match:
        """A match from a file: audited first, under its own ids, never rated. The same head again changes nothing."""
        self.add_log(examine_log(log, self.titles, at=at), by=by, at=at, plays=plays)
        return self.get(log.header.match)

    def add_log(
        self, examined: ExaminedLog, *, by: Actor, at: datetime, plays: Callable[[Actor], bool] = lambda _: True
    ) -> bool:
        """What was examined is stored without another look; false where the same head is here. `plays` says of a bot
        whether this service can play on for it: a match that goes on would wait for it for ever."""
        log, line, match_id = examined.log, examined.line, examined.line.id
        strange = next((bot for bot in bots_at(line) if not plays(bot)), None)

        def attempt() -> bool:
            if self.lines.has(match_id):
                require_same_head(self.lines.newest(match_id), log)
                return False
            if strange and not line.is_over:
                raise ImportRefused(f"the match is not over, and this service has no bot {strange!r}")
            own = entries_to_store(log, self.lines)
            claims = (claim(match_id, at),) if own[0].version > 1 else ()
            self.save(self.note(match_id, Imported(log.header.head, by), at), *claims, *own)
            return True

        return retry(attempt)
