"""The proof of a tournament in one file (docs/specifications/proof.md).

It holds the records of the tournament and of roles, the claimed standings and ratings, and the proofs of its matches.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.log_files import Content, lines_in
from domain.matches.log.record_lines import line_of, read_records
from domain.matches.log.records import Record, record_digest
from domain.proofs.match_file import (
    KIND,
    RECORDS_MAX,
    ROLES,
    ProofLabels,
    Recorded,
    bytes_in,
    end_of,
    json_lines,
    lines_of,
    read_end,
    read_header,
    read_line,
    read_record_leaf,
)
from domain.ratings.ladder import Rated
from domain.ratings.rules import RatingRules
from domain.standings.ranking import Standing
from domain.transparency.checkpoints import Checkpoint, parse_signed
from domain.transparency.errors import Malformed
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, VerifierKey

FORMATS: Final = ("esporles.event/1", "esporles.event/2", "esporles.event/3")
"""Formats with rule 1 of standings alone, with the rule of the plan, and with that and labels of leaves."""
FIRST_FORMAT: Final = FORMATS[0]
"""The format in which every tournament is counted by rule 1 of standings (docs/specifications/standings.md)."""
LABELLED: Final = FORMATS[2]
EVENT_RECORDS_MAX: Final = 20_000
MATCHES_MAX: Final = 20_000
PART_MAX: Final = 64 * 1024 * 1024
"""Maximum bytes of the part before the matches, and of each of their proofs."""


class EventHeader(Value, frozen=True):
    """The header: the tournament, the numbers of records and matches, and the tree."""

    format: str
    event: UUID
    records: int
    head: str
    roles: int
    matches: int
    origin: str
    size: int


class RatingsMoved(Value, frozen=True):
    """The effect of a rated match: ratings of its players before (except newcomers) and after.

    Past opponents are limited to players of the match.
    """

    match: UUID
    before: tuple[Rated, ...]
    after: tuple[Rated, ...]


class ClaimedResults(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The standings and ratings that the service claims, with the dates of the rules they follow from."""

    standings: tuple[Standing, ...]
    fair_since: datetime | None
    revised_since: datetime | None = None
    ratings: tuple[RatingsMoved, ...]

    @property
    def rules(self) -> RatingRules:
        """The rules of rating."""
        return RatingRules(self.fair_since, self.revised_since)


class EventFile(NamedTuple):
    """The parsed part before the matches, not verified yet."""

    header: EventHeader
    event: Recorded
    roles: Recorded
    hashes: tuple[bytes, ...]
    note: Note
    checkpoint: Checkpoint
    keys: tuple[VerifierKey, ...]
    said: ClaimedResults
    labels: ProofLabels = ProofLabels()


def event_bytes(event: EventFile) -> bytes:
    """Encode the part before the matches; the same proof always gives the same bytes."""
    records = (*map(line_of, event.event.records), *map(line_of, event.roles.records))
    leaves = (*event.event.leaves, *event.roles.leaves)
    return json_lines((event.header, *records, *leaves, end_of(event), event.said))


def header_of(
    records: tuple[Record, ...], roles: int, matches: int, checkpoint: Checkpoint, *, is_labelled: bool = False
) -> EventHeader:
    """Return the header of a proof, of format 3 if it has labels."""
    format = FORMATS[1 + is_labelled]
    head = record_digest(records[-1]).hex()
    event = records[0].stream_id
    return EventHeader(format, event, len(records), head, roles, matches, checkpoint.origin, checkpoint.size)


def read_event_header(line: memoryview | bytes) -> EventHeader:
    """Parse the header; raise `LogFault` for an unknown format.

    Also raise it for more records, roles or matches than a proof may have, or no record.
    """
    header = read_line(line, EventHeader, None, "the header of the tournament")
    if header.format not in FORMATS:
        raise LogFault(None, KIND, f"unknown format {header.format!r}; expected {' or '.join(FORMATS)}")
    bounds = (
        ("records", header.records, 1, EVENT_RECORDS_MAX),
        ("records of roles", header.roles, 0, RECORDS_MAX),
        ("matches", header.matches, 0, MATCHES_MAX),
    )
    for name, count, minimum, maximum in bounds:
        if not minimum <= count <= maximum:
            raise LogFault(None, KIND, f"the proof of a tournament has {minimum} to {maximum:,} {name}, not {count}")
    return header


def parse_event(content: Content) -> EventFile:
    """Parse the part before the matches at the start of the content; `LogFault` names the first fault.

    Signatures and hashes are not verified.
    """
    lines = lines_in(content, 0, min(len(content), PART_MAX))
    header = read_event_header(next(lines, b""))
    records = read_records(islice(lines, header.records), header.event, "tournament", KIND)
    found = record_digest(records[-1]).hex() if records else "none"
    if len(records) < header.records or found != header.head:
        stated = f"the header states {header.records} records with the head {header.head}"
        raise LogFault(None, KIND, f"{stated}, but the file has {len(records)} with the head {found}")
    roles = read_records(islice(lines, header.roles), ROLES, "roles", KIND)
    is_labelled = header.format == LABELLED
    leaves = tuple(
        read_record_leaf(line, each.version, each.stream_id, "tournament", is_labelled=is_labelled)
        for each, line in zip(records, lines, strict=False)
    )
    role_leaves = tuple(
        read_record_leaf(line, each.version, each.stream_id, "roles", is_labelled=is_labelled)
        for each, line in zip(roles, lines, strict=False)
    )
    end, labels = read_end(next(lines, b""), "the line of its hashes and keys", is_labelled=is_labelled)
    try:
        note, checkpoint, keys = parse_signed(end.checkpoint, end.keys)
    except Malformed as fault:
        raise LogFault(None, KIND, f"its checkpoint: {fault}") from fault
    if (checkpoint.origin, checkpoint.size) != (header.origin, header.size):
        raise LogFault(None, KIND, "the header of the tournament does not match the checkpoint below it")
    hashes = tuple(bytes_in(each, HASH_BYTES, None) for each in end.hashes)
    claimed = read_line(
        next(lines, b""), ClaimedResults, None, "the statement of the service about the tournament", PART_MAX
    )
    # Missing lines are noticed earlier, at the line of hashes and keys.
    return EventFile(
        header, Recorded(records, leaves), Recorded(roles, role_leaves), hashes, note, checkpoint, keys, claimed, labels
    )


def first_lines(event: EventHeader) -> int:
    """Return the number of lines before the matches."""
    return 3 + 2 * (event.records + event.roles)


def parts_of(content: Content, header: EventHeader) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the proof of each match; raise `LogFault` for missing or additional content.

    A proof longer than `PART_MAX` is refused too.
    """
    start = end_after(content, 0, first_lines(header))
    for number in range(1, header.matches + 1):
        line_end = content.find(b"\n", start)
        if start < 0 or line_end < 0:
            raise LogFault(
                None, KIND, f"the header states {header.matches} matches, but the file ends before number {number}"
            )
        match_header = read_header(content[start : min(line_end, start + PART_MAX)])
        end = end_after(content, start, lines_of(match_header))
        if not 0 < end - start <= PART_MAX:
            raise LogFault(None, KIND, f"the proof of match number {number} is truncated or too large")
        yield start, end
        start = end
    if start != len(content):
        raise LogFault(None, KIND, f"the file contains more than its {header.matches} matches")


def end_after(content: Content, start: int, lines: int) -> int:
    """Return the offset after this many lines; -1 if there are fewer."""
    for _ in range(lines):
        start = content.find(b"\n", start) + 1
        if start == 0:
            return -1
    return start
