"""Mapping between events and rows of the store, with stable topics and unchanged body bytes."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent

from domain.eventstore.compression import Compressor
from domain.kernel.values import Value
from domain.matches.log.entries import Entry, Opening, commitment
from domain.matches.log.records import Record

ENTRY_TOPIC: Final = "esporles.entry/1"
NOTE_TOPIC: Final = "esporles.note/1"
RECORD_TOPIC: Final = "esporles.record/1"
ZIPPED_ENTRY_TOPIC: Final = "entry/2"
ZIPPED_RECORD_TOPIC: Final = "record/2"
"""Topics of rows compressed with the first dictionary; short, because every row has one.

A new dictionary needs new topics.
"""
LOG_TOPICS: Final = (ENTRY_TOPIC, RECORD_TOPIC, ZIPPED_ENTRY_TOPIC, ZIPPED_RECORD_TOPIC)
"""Topics of entries and records in all storage formats."""
ROW_COMPRESSOR: Final = Compressor(Path(__file__).parent / "data" / "rows-1.zdict")


class Forked(Value, frozen=True, tag_field="type", tag="forked"):
    """`fork` shares entries 1 to `at` of this match; `counts`: while it runs, their secrets stay closed."""

    fork: UUID
    at: int
    counts: bool


class Claimed(Value, frozen=True, tag_field="type", tag="claimed"):
    """Version 1 of a fork's stream; reserves its id, because its own entries start at a higher version."""


class Imported(Value, frozen=True, tag_field="type", tag="imported"):
    """The match was imported from a LOG file with this head."""

    head: str
    by: str


class Exported(Value, frozen=True, tag_field="type", tag="exported"):
    """An operator exported the complete log of a running match."""

    version: int
    by: str


NoteBody = Forked | Claimed | Imported | Exported


class Note(Value, frozen=True, kw_only=True):
    """Metadata about a match outside its log, in a separate stream."""

    originator_id: UUID
    originator_version: int
    timestamp: datetime
    what: NoteBody


class Unreadable(Value, frozen=True, kw_only=True):
    """An undecodable row; readers treat its entry as missing."""

    originator_id: UUID
    originator_version: int


class StoredOpening(Value, frozen=True, array_like=True):
    """An opening without its commitment, which is computed from salt and value."""

    salt: str
    value: msgspec.Raw


class StoredEntry(Value, frozen=True, omit_defaults=True):
    """The state column of an entry's row."""

    timestamp: datetime
    previous: str
    body: msgspec.Raw
    secrets: tuple[StoredOpening, ...] = ()
    match: UUID | None = None


class StoredNote(Value, frozen=True):
    """The state column of a note's row."""

    timestamp: datetime
    what: NoteBody


class StoredRecord(Value, frozen=True):
    """The state column of a record's row."""

    timestamp: datetime
    previous: str
    body: msgspec.Raw


ENCODER: Final = msgspec.json.Encoder()
ENTRY_DECODER: Final = msgspec.json.Decoder(StoredEntry)
NOTE_DECODER: Final = msgspec.json.Decoder(StoredNote)
RECORD_DECODER: Final = msgspec.json.Decoder(StoredRecord)


def plain_state(event: Entry | Record) -> bytes:
    """Encode the state column of an entry or record, before compression."""
    if isinstance(event, Record):
        return ENCODER.encode(StoredRecord(event.timestamp, event.previous.hex(), event.body))
    owner = None if event.stream is None else event.originator_id
    secrets = tuple(StoredOpening(opening.salt, opening.value) for opening in event.secrets)
    return ENCODER.encode(StoredEntry(event.timestamp, event.previous.hex(), event.body, secrets, owner))


class MatchMapper(Mapper[UUID]):
    """A replacement for the library's mapper, without class names in the store or a second encoding of bodies."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """Return the row of an event; entries and records are compressed, notes are not."""
        version = domain_event.originator_version
        if isinstance(domain_event, Note):
            note = StoredNote(domain_event.timestamp, domain_event.what)
            return StoredEvent(domain_event.originator_id, version, NOTE_TOPIC, ENCODER.encode(note))
        assert isinstance(domain_event, Entry | Record)
        topic, stream = ZIPPED_RECORD_TOPIC, domain_event.originator_id
        if isinstance(domain_event, Entry):
            topic, stream = ZIPPED_ENTRY_TOPIC, domain_event.line_id
        return StoredEvent(stream, version, topic, ROW_COMPRESSOR.compress(plain_state(domain_event)))

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """Return the event of a row; an `Unreadable` if it cannot be decoded. An unknown topic fails an assertion."""
        stream, version = stored_event.originator_id, stored_event.originator_version
        assert isinstance(stream, UUID)
        decode = READERS.get(stored_event.topic)
        assert decode is not None, f"the store holds an event of the unknown topic {stored_event.topic}"
        try:
            return decode(stream, version, stored_event.state)
        except ValueError:
            # Also raised by msgspec for invalid or foreign JSON, and for rows that were never compressed.
            return Unreadable(originator_id=stream, originator_version=version)


def note_of(stream: UUID, version: int, state: bytes) -> Note:
    """Decode the note of a row."""
    note = NOTE_DECODER.decode(state)
    return Note(originator_id=stream, originator_version=version, timestamp=note.timestamp, what=note.what)


def entry_of(stream: UUID, version: int, state: bytes) -> Entry:
    """Decode the entry of a row; raise `ValueError` if it is malformed."""
    stored = ENTRY_DECODER.decode(state)
    return Entry(
        originator_id=stream if stored.match is None else stored.match,
        originator_version=version,
        timestamp=stored.timestamp,
        previous=bytes.fromhex(stored.previous),
        body=stored.body,
        secrets=tuple(
            Opening(commitment(bytes.fromhex(secret.salt), bytes(secret.value)), secret.salt, secret.value)
            for secret in stored.secrets
        ),
        stream=None if stored.match is None else stream,
    )


def record_of(stream: UUID, version: int, state: bytes) -> Record:
    """Decode the record of a row; raise `ValueError` if it is malformed."""
    stored = RECORD_DECODER.decode(state)
    return Record(
        originator_id=stream,
        originator_version=version,
        timestamp=stored.timestamp,
        previous=bytes.fromhex(stored.previous),
        body=stored.body,
    )


READERS: Final[Mapping[str, Callable[[UUID, int, bytes], Entry | Record | Note]]] = {
    ENTRY_TOPIC: entry_of,
    RECORD_TOPIC: record_of,
    NOTE_TOPIC: note_of,
    ZIPPED_ENTRY_TOPIC: lambda stream, version, state: entry_of(stream, version, ROW_COMPRESSOR.decompress(state)),
    ZIPPED_RECORD_TOPIC: lambda stream, version, state: record_of(stream, version, ROW_COMPRESSOR.decompress(state)),
}
