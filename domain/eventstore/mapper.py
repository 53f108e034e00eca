"""Between our entries and the rows of the event store: stable topics say how a row is stored; bodies byte for byte."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent

from domain.eventstore.compression import Zipper
from domain.kernel.values import Value
from domain.matches.log.entries import Entry, Opening, commitment
from domain.matches.log.records import Record

ENTRY_TOPIC: Final = "esporles.entry/1"
NOTE_TOPIC: Final = "esporles.note/1"
RECORD_TOPIC: Final = "esporles.record/1"
ZIPPED_ENTRY_TOPIC: Final = "entry/2"
ZIPPED_RECORD_TOPIC: Final = "record/2"
"""The same zipped with the first dictionary; short, because each row has one. Another dictionary gets other topics."""
LOG_TOPICS: Final = (ENTRY_TOPIC, RECORD_TOPIC, ZIPPED_ENTRY_TOPIC, ZIPPED_RECORD_TOPIC)
"""All that the log is made of, in every way it was ever stored."""
ROWS: Final = Zipper(Path(__file__).parent / "data" / "rows-1.zdict")


class Forked(Value, frozen=True, tag_field="type", tag="forked"):
    """`fork` shares this match's entries 1..at; `counts`: its running keeps their secrets closed."""

    fork: UUID
    at: int
    counts: bool


class Claimed(Value, frozen=True, tag_field="type", tag="claimed"):
    """Version 1 of a fork's stream: its id is taken, although its first own entry has a higher version."""


class Imported(Value, frozen=True, tag_field="type", tag="imported"):
    """The match came from a LOG file with this head."""

    head: str
    by: str


class Exported(Value, frozen=True, tag_field="type", tag="exported"):
    """An operator took the whole log of a match that was still going on."""

    version: int
    by: str


NoteBody = Forked | Claimed | Imported | Exported


class Note(Value, frozen=True, kw_only=True):
    """What the store remembers about a match beside its log, in a stream of its own."""

    originator_id: UUID
    originator_version: int
    timestamp: datetime
    what: NoteBody


class Unreadable(Value, frozen=True, kw_only=True):
    """A row of the store that is nothing we have written: whoever reads finds its entry missing."""

    originator_id: UUID
    originator_version: int


class StoredOpening(Value, frozen=True, array_like=True):
    """An opening without its commitment, which salt and value give."""

    salt: str
    value: msgspec.Raw


class StoredEntry(Value, frozen=True, omit_defaults=True):
    """An entry's row: what the row's own columns do not say."""

    timestamp: datetime
    previous: str
    body: msgspec.Raw
    secrets: tuple[StoredOpening, ...] = ()
    match: UUID | None = None


class StoredNote(Value, frozen=True):
    timestamp: datetime
    what: NoteBody


class StoredRecord(Value, frozen=True):
    """A record's row: what the row's own columns do not say."""

    timestamp: datetime
    previous: str
    body: msgspec.Raw


ENCODER: Final = msgspec.json.Encoder()
ENTRY_DECODER: Final = msgspec.json.Decoder(StoredEntry)
NOTE_DECODER: Final = msgspec.json.Decoder(StoredNote)
RECORD_DECODER: Final = msgspec.json.Decoder(StoredRecord)


def plain_state(event: Entry | Record) -> bytes:
    """What is stored of an entry or record, before it is zipped."""
    if isinstance(event, Record):
        return ENCODER.encode(StoredRecord(event.timestamp, event.previous.hex(), event.body))
    owner = None if event.stream is None else event.originator_id
    secrets = tuple(StoredOpening(opening.salt, opening.value) for opening in event.secrets)
    return ENCODER.encode(StoredEntry(event.timestamp, event.previous.hex(), event.body, secrets, owner))


class MatchMapper(Mapper[UUID]):
    """The library's mapper, replaced: no class names in the store and no second encoding of a body."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        version = domain_event.originator_version
        if isinstance(domain_event, Note):
            note = StoredNote(domain_event.timestamp, domain_event.what)
            return StoredEvent(domain_event.originator_id, version, NOTE_TOPIC, ENCODER.encode(note))
        assert isinstance(domain_event, Entry | Record)
        topic, stream = ZIPPED_RECORD_TOPIC, domain_event.originator_id
        if isinstance(domain_event, Entry):
            topic, stream = ZIPPED_ENTRY_TOPIC, domain_event.line_id
        return StoredEvent(stream, version, topic, ROWS.zip(plain_state(domain_event)))

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        stream, version = stored_event.originator_id, stored_event.originator_version
        assert isinstance(stream, UUID)
        read = READERS.get(stored_event.topic)
        assert read is not None, f"the store holds an event of the unknown topic {stored_event.topic}"
        try:
            return read(stream, version, stored_event.state)
        except ValueError:
            # Among them what msgspec says of bytes that are no JSON, or none of ours, or were never zipped.
            return Unreadable(originator_id=stream, originator_version=version)


def note_of(stream: UUID, version: int, state: bytes) -> Note:
    """The note of a row."""
    note = NOTE_DECODER.decode(state)
    return Note(originator_id=stream, originator_version=version, timestamp=note.timestamp, what=note.what)


def entry_of(stream: UUID, version: int, state: bytes) -> Entry:
    """The entry of a row."""
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
    """The record of a row."""
    kept = RECORD_DECODER.decode(state)
    return Record(
        originator_id=stream,
        originator_version=version,
        timestamp=kept.timestamp,
        previous=bytes.fromhex(kept.previous),
        body=kept.body,
    )


READERS: Final[Mapping[str, Callable[[UUID, int, bytes], Entry | Record | Note]]] = {
    ENTRY_TOPIC: entry_of,
    RECORD_TOPIC: record_of,
    NOTE_TOPIC: note_of,
    ZIPPED_ENTRY_TOPIC: lambda stream, version, state: entry_of(stream, version, ROWS.unzip(state)),
    ZIPPED_RECORD_TOPIC: lambda stream, version, state: record_of(stream, version, ROWS.unzip(state)),
}
