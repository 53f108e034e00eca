"""Export and import logs of matches as files."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.batch import claim
from domain.eventstore.mapper import Exported, Imported
from domain.eventstore.retry import retry
from domain.matches.aggregate import Match, info_of
from domain.matches.errors import ImportRefused
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.entries import ALL, Reader
from domain.matches.log.file import LogFile, log_of
from domain.matches.log.importing import ExaminedLog, bots_at, entries_to_store, examine_log, require_same_head


def export_log(
    matches: Matches, match_id: UUID, reader: Reader, *, by: Actor = SERVICE, at: datetime | None = None
) -> LogFile:
    """The log for a reader, whole once the line has ended. All of a running match is an operator's: recorded."""
    if reader == ALL and matches.lines.closed_until(match_id):
        assert at is not None, "taking the secrets of a running match is recorded with its time"
        return take_whole(matches, match_id, note_export(matches, match_id, by=by, at=at))
    return file_for(matches, match_id, reader)


def note_export(matches: Matches, match_id: UUID, *, by: Actor, at: datetime) -> int:
    """Who takes all of a match that goes on is recorded with the version up to which they take it."""
    version = matches.get(match_id).version
    matches.save(matches.note(match_id, Exported(version, by), at))
    return version


def take_whole(matches: Matches, match_id: UUID, upto: int) -> LogFile:
    """All that the log says up to a version, secrets too; `note_export` goes before it."""
    return log_of(matches.entries(match_id, 0, upto))


def file_for(matches: Matches, match_id: UUID, reader: Reader) -> LogFile:
    """The log as a seat or a spectator may hold it, whole once the line has ended."""
    match = matches.get(match_id)
    if reader is not None and reader != ALL:
        info_of(match, reader)
    if matches.lines.closed_until(match_id) == 0:
        return log_of(matches.entries(match_id))
    assert reader != ALL, "taking the secrets of a running match is recorded"
    return log_of(matches.read(match_id, reader), reader)


def import_log(
    matches: Matches, log: LogFile, *, by: Actor, at: datetime, plays: Callable[[Actor], bool] = lambda _: True
) -> Match:
    """A match from a file: audited first, under its own ids, never rated. The same head again changes nothing."""
    add_log(matches, examine_log(log, matches.titles, at=at), by=by, at=at, plays=plays)
    return matches.get(log.header.match)


def add_log(
    matches: Matches, examined: ExaminedLog, *, by: Actor, at: datetime, plays: Callable[[Actor], bool] = lambda _: True
) -> bool:
    """What was examined is stored without another look; false where the same head is here. `plays` says of a bot
    whether this service can play on for it: a match that goes on would wait for it for ever."""
    log, line, match_id = examined.log, examined.line, examined.line.id
    strange = next((bot for bot in bots_at(line) if not plays(bot)), None)

    def attempt() -> bool:
        if matches.lines.has(match_id):
            require_same_head(matches.lines.newest(match_id), log)
            return False
        if strange and not line.is_over:
            raise ImportRefused(f"the match is not over, and this service has no bot {strange!r}")
        own = entries_to_store(log, matches.lines)
        claims = (claim(match_id, at),) if own[0].version > 1 else ()
        matches.save(matches.note(match_id, Imported(log.header.head, by), at), *claims, *own)
        return True

    return retry(attempt)
