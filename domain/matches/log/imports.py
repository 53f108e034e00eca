"""Imported logs: the audit, which needs no store, and the selection of entries to store."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from domain.kernel.title import Titles
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import ImportRefused
from domain.matches.facts import Actor
from domain.matches.log.entries import ALL, Entry, digest
from domain.matches.log.log_files import LogFile
from domain.matches.transaction import LineReader
from domain.matches.verification.verify import audit

CLOCK_SKEW_MAX: Final = timedelta(hours=1)
"""Maximum time by which an imported log may be ahead of the local clock."""


@dataclass(frozen=True)
class ExaminedLog:
    """An audited complete log and its match; only `examine_log` creates it."""

    log: LogFile
    line: Match


def examine_log(log: LogFile, titles: Titles, *, at: datetime) -> ExaminedLog:
    """Audit a log for import; raise `ImportRefused` if it is redacted or ends in the future, or `LogFault`.

    Up to `CLOCK_SKEW_MAX` after `at` is tolerated. The time grows with the length of the log. A server must run this
    outside its write transaction.
    """
    if log.reader != ALL:
        raise ImportRefused(f"the log is redacted for {log.header.redacted_for}; only a complete log can be imported")
    newest = log.entries[-1].timestamp
    if newest > at + CLOCK_SKEW_MAX:
        # Entries and clocks never move back in time, so a future timestamp would persist in later moves.
        raise ImportRefused(f"the log ends at {newest.isoformat()}, in the future")
    return ExaminedLog(log, audit(log, titles))


def bots_at(match: Match) -> Iterator[Actor]:
    """Return the bots seated at a match."""
    return (info.actor for info in match.seats if info.actor and info.is_bot)


def require_same_head(newest: Entry | None, log: LogFile) -> None:
    """Raise `ImportRefused` unless the last stored entry of this id has the head of the log; None: no match's id."""
    match_id, head = log.header.match, log.header.head
    if newest is None:
        raise ImportRefused(f"the id {match_id} is already in use")
    if (stored_head := digest(newest).hex()) != head:
        raise ImportRefused(f"match {match_id} already exists with the head {stored_head} instead of {head}")


def entries_to_store(log: LogFile, lines: LineReader) -> tuple[Entry, ...]:
    """Return the entries to store: of a fork whose parent is stored only its own, otherwise all in one stream.

    The parent must hold exactly the entry at which the log forks.
    """
    match_id = log.header.match
    own_entries = tuple(entry for entry in log.entries if entry.originator_id == match_id)
    shared_entries = log.entries[: -len(own_entries)]
    if not shared_entries:
        return own_entries
    parent = shared_entries[-1]
    if lines.has(parent.originator_id):
        stored = lines.entries(parent.originator_id, parent.version - 1, 1)
        if stored and stored[0] == parent:
            return own_entries
    return (*(replace(entry, stream=match_id) for entry in shared_entries), *own_entries)
