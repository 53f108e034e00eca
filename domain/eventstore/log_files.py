"""Export and import logs of matches as files."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.batch import build_claim
from domain.eventstore.mapper import Exported, Imported
from domain.eventstore.retry import retry
from domain.matches.aggregate import Match, info_of
from domain.matches.errors import ImportRefused
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.entries import ALL, Reader
from domain.matches.log.imports import ExaminedLog, bots_at, entries_to_store, examine_log, require_same_head
from domain.matches.log.log_files import LogFile, log_of


def export_log(
    matches: Matches, match_id: UUID, reader: Reader, *, by: Actor = SERVICE, at: datetime | None = None
) -> LogFile:
    """Return the log for a reader: complete once no line that shares its secrets is running.

    Exporting a complete running match (`ALL`, with `by` and `at`) is for operators, and recorded.
    """
    if reader == ALL and matches.lines.last_closed_version(match_id):
        assert at is not None, "exporting hidden information of a running match requires a time for the record"
        return export_complete_log(matches, match_id, note_export(matches, match_id, by=by, at=at))
    return export_redacted_log(matches, match_id, reader)


def note_export(matches: Matches, match_id: UUID, *, by: Actor, at: datetime) -> int:
    """Record the export of a whole match up to its current version, running or not, and return that version."""
    version = matches.get(match_id).version
    matches.save(matches.build_note(match_id, Exported(version, by), at))
    return version


def export_complete_log(matches: Matches, match_id: UUID, upto: int) -> LogFile:
    """Return the complete log up to a version, secrets included; call `note_export` first."""
    return log_of(matches.entries(match_id, 0, upto))


def export_redacted_log(matches: Matches, match_id: UUID, reader: Reader) -> LogFile:
    """Return the log redacted for a seat or a spectator (None); complete once no line with its secrets is running.

    Until then `ALL` is not allowed. Raise `UnknownSeat` for a seat the match does not have.
    """
    match = matches.get(match_id)
    if reader is not None and reader != ALL:
        info_of(match, reader)
    if matches.lines.last_closed_version(match_id) == 0:
        return log_of(matches.entries(match_id))
    assert reader != ALL, "exporting hidden information of a running match requires a record"
    return log_of(matches.read(match_id, reader), reader)


def import_log(
    matches: Matches, log: LogFile, *, by: Actor, at: datetime, plays: Callable[[Actor], bool] = lambda _: True
) -> Match:
    """Import a match under its own ids, unrated, after an audit. A second import of the same log changes nothing.

    Raise `LogFault` or `ImportRefused` as `examine_log` and `add_log` do.
    """
    add_log(matches, examine_log(log, matches.titles, at=at), by=by, at=at, plays=plays)
    return matches.get(log.header.match)


def add_log(
    matches: Matches, examined: ExaminedLog, *, by: Actor, at: datetime, plays: Callable[[Actor], bool] = lambda _: True
) -> bool:
    """Store an audited log; return False if the same log is already stored.

    Raise `ImportRefused` if another match has its id, or if the match is not over and `plays` is False for one of its
    bots, because it would wait forever.
    """
    log, match, match_id = examined.log, examined.line, examined.line.id
    unknown_bot = next((bot for bot in bots_at(match) if not plays(bot)), None)

    def attempt() -> bool:
        if matches.lines.has(match_id):
            require_same_head(matches.lines.read_last_entry(match_id), log)
            return False
        if unknown_bot and not match.is_over:
            raise ImportRefused(f"the match is still running, and this service has no bot {unknown_bot!r}")
        entries = entries_to_store(log, matches.lines)
        claims = (build_claim(match_id, at),) if entries[0].version > 1 else ()
        matches.save(matches.build_note(match_id, Imported(log.header.head, by), at), *claims, *entries)
        return True

    return retry(attempt)
